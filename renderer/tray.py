"""The picture of a roll: one result large, or several under each other, each ending in its total.

A throw of very many dice is summed up: each face once, with how often it came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from games.kernel.tray import AGAIN, DROPPED, MET, RollView, TrayDie, TrayRow, TrayThrow
from renderer import fonts
from renderer.palette import BLAST, DIM, INK, PANEL, WHITE, YELLOW
from renderer.picture import Picture, finish
from renderer.sheet import INNER, PAD, WIDTH, Sheet
from renderer.texts import ALT_LIMIT, cut
from renderer.tray_dice import tray_die

RIGHT: Final = WIDTH - PAD
HIGH: Final = 1580
"""Pixels the picture may be high; results that do not fit are counted in a last line."""

SIZES: Final = ((4, 124), (12, 100), (24, 80), (40, 66))
"""Pixels of a die, for up to so many of them; of a throw of more each face is drawn once."""
MOST_FACES: Final = 24
"""Different faces of a throw that are summed up."""
SMALL: Final = 16
"""Dice of a throw in a compact row that are drawn one by one, and different faces of more."""
TIMES: Final = 64
"""Pixels for how often a face came, beside it."""

NAME: Final = 44
"""Pixels for a throw's name above its dice."""
STRIP: Final = 104
"""Height of the total under a single result."""
TOTAL: Final = 200
"""Width of the total at the end of a compact row."""
CROWDED: Final = 10
"""From so many compact rows on they are slimmer."""

LEGEND: Final = (
    ("counted", TrayDie("", 0, MET)),
    ("dropped", TrayDie("", 0, DROPPED)),
    ("rolled again", TrayDie("", 0, AGAIN)),
    ("exploded", TrayDie("", 0, burst=True)),
)


def tray(view: RollView) -> Picture:
    """The picture of a roll, 1,000 pixels wide and at most 1,600 high."""
    parts: list[_Large] | list[_Compact]
    gap, more = 8, 0
    legend = _legend(view.rows)
    rows = [_named(row) for row in view.rows]
    if len(rows) == 1:
        parts = [_Large(rows[0])]
    else:
        slim = len(rows) > CROWDED
        parts = [_Compact(row, number, slim) for number, row in enumerate(rows, 1)]
        room = HIGH - 2 * PAD - (52 if legend else 0)
        while len(parts) > 1 and sum(p.height + gap for p in parts) + (44 if more else 0) > room:
            parts.pop()
            more += 1
    below = (44 if more else 0) + (52 if legend else 0)
    sheet = Sheet(sum(part.height + gap for part in parts) - gap + 2 * PAD + below)
    y = PAD
    for part in parts:
        part.draw(sheet, y)
        y += part.height + gap
    if more:
        sheet.text((PAD + 4, y + 16), f"and {more} more, in the text", 26, DIM)
        y += 44
    x = PAD + 4
    for word, sample in legend:
        sheet.stamp(tray_die(sample, 38), (x + 19, y + 24))
        x += 50 + sheet.text((x + 48, y + 24), word, 26, DIM) + 36
    return finish(sheet.image, cut(view.alt, ALT_LIMIT))


def _named(row: TrayRow) -> TrayRow:
    """The row without a label that our type cannot write; it stands in the text."""
    return row if fonts.readable(row.label) else msgspec.structs.replace(row, label="")


def _legend(rows: Sequence[TrayRow]) -> list[tuple[str, TrayDie]]:
    """The signs that occur, with their meaning."""
    dice = [die for row in rows for throw in row.throws for die in throw.dice]
    return [
        (word, sample)
        for word, sample in LEGEND
        if any(die.burst if sample.burst else die.state == sample.state for die in dice)
    ]


class _Spread:
    """The dice of a throw in lines of equal dice, at most `room` pixels wide.

    More than `most` are summed up, with at most `faces` different ones.
    """

    def __init__(self, throw: TrayThrow, size: int, room: int, most: int, faces: int) -> None:
        self.summed = len(throw.dice) > most
        self.size = size
        self.gap = max(4, size // 9)
        self.left_out = 0
        if self.summed:
            self.items, self.left_out = _tally(throw.dice, faces)
        else:
            self.items = [(die, 1) for die in throw.dice]
        self.step = size + self.gap + (TIMES if self.summed else 0)
        self.across = max(1, (room + self.gap) // self.step)
        count = len(self.items)
        self.lines = -(-count // self.across)
        self.across = -(-count // max(1, self.lines))  # lines of about the same length
        self.width = self.across * self.step - self.gap
        self.height = self.lines * (size + self.gap) - self.gap + (34 if self.left_out else 0)

    def draw(self, sheet: Sheet, left: int, y: int) -> None:
        half = self.size / 2
        for place, (die, count) in enumerate(self.items):
            column, line = place % self.across, place // self.across
            x = left + column * self.step + half
            middle = y + line * (self.size + self.gap) + half
            if die.extra and column and not self.summed:
                bar = round(self.gap + self.size * 0.2)
                edge = round(x - half - self.gap / 2)
                sheet.panel(
                    edge - bar // 2, round(middle) - 4, edge + bar // 2, round(middle) + 4, BLAST, 4
                )
            sheet.stamp(tray_die(die, self.size), (x, middle))
            if count > 1:
                at = (x + half + 6, middle)
                sheet.text(at, f"×{count}", 28, WHITE, room=TIMES - 4, least=18)
        if self.left_out:
            at = (left, y + self.height - 14)
            sheet.text(at, f"and {self.left_out} more", 26, DIM)


def _tally(dice: Sequence[TrayDie], most: int) -> tuple[list[tuple[TrayDie, int]], int]:
    """Each face that came with its number, those that count first, and the dice that are left out."""
    counts: dict[TrayDie, int] = {}
    for die in dice:
        same = TrayDie(die.shows, die.sides, die.state, die.burst)
        counts[same] = counts.get(same, 0) + 1
    order = sorted(
        counts.items(),
        key=lambda item: (item[0].state in (DROPPED, AGAIN), -_worth(item[0]), item[0].state),
    )
    return order[:most], sum(count for _, count in order[most:])


def _worth(die: TrayDie) -> int:
    """What a die shows, as a number to put it in order."""
    shows = die.shows.replace("−", "-")
    match shows:
        case "+":
            return 1
        case "-":
            return -1
        case _:
            return int(shows) if shows.lstrip("-").isdecimal() else 0


class _Large:
    """One result: what was rolled, its throws side by side where they fit, and the sum on yellow."""

    def __init__(self, row: TrayRow) -> None:
        self.row = row
        self.named = len(row.throws) > 1
        self.room = INNER - 40
        dice = sum(len(throw.dice) for throw in row.throws)
        size = next((px for most, px in SIZES if dice <= most), SIZES[-1][1])
        self.head = 104 if row.label else 66
        self.blocks: list[tuple[TrayThrow, _Spread, int, int]] = []  # with their place
        x, y, high = 0, 0, 0
        for throw in row.throws:
            spread = _Spread(throw, size, self.room, SIZES[-1][0], MOST_FACES)
            wide = max(spread.width, self._name_width(throw))
            if x and x + wide > self.room:
                x, y, high = 0, y + high + 18, 0
            self.blocks.append((throw, spread, x, y))
            x += wide + 44
            high = max(high, spread.height + (NAME if self.named else 0))
        self.height = self.head + y + high + (26 if row.throws else 6) + STRIP

    def _name_width(self, throw: TrayThrow) -> int:
        if not self.named:
            return 0
        name = fonts.width(throw.name, fonts.BOLD, 28)
        return min(self.room, name + 14 + fonts.width(f"= {throw.worth}", fonts.BLACK, 28))

    def draw(self, sheet: Sheet, y: int) -> None:
        row, bottom = self.row, y + self.height
        sheet.panel(PAD, y, RIGHT, bottom, PANEL, 18)
        left, room = PAD + 20, self.room
        if row.label:
            sheet.text(
                (left, y + 34), row.label, 36, WHITE, weight=fonts.BLACK, room=room, least=24
            )
            sheet.text((left, y + 78), row.written, 30, DIM, room=room, least=20)
        else:
            sheet.text(
                (left, y + 36), row.written, 36, WHITE, weight=fonts.BLACK, room=room, least=20
            )
        for throw, spread, over, down in self.blocks:
            x, top = left + over, y + self.head + down
            if self.named:
                used = sheet.text((x, top + 18), throw.name, 28, DIM, room=room - 140, least=20)
                at = (x + used + 14, top + 18)
                sheet.text(at, f"= {throw.worth}", 28, WHITE, weight=fonts.BLACK)
                top += NAME
            spread.draw(sheet, x, top)
        sheet.panel(PAD, bottom - STRIP, RIGHT, bottom, YELLOW, 18)
        sheet.panel(PAD, bottom - STRIP, RIGHT, bottom - STRIP + 24, YELLOW, 0)
        middle = bottom - STRIP // 2
        end = RIGHT - 28
        if row.counts:
            end -= sheet.text((end, middle + 6), row.counts, 36, INK, anchor="rm") + 16
        end -= sheet.text((end, middle), row.total, 76, INK, weight=fonts.BLACK, anchor="rm") + 24
        if row.sum:
            sheet.text((left, middle), f"{row.sum} =", 38, INK, room=end - left - 16, least=22)


class _Compact:
    """One of several results: what for, its dice, its total on yellow. `slim`: there are very many."""

    def __init__(self, row: TrayRow, number: int, slim: bool) -> None:
        self.row = row
        self.number = number
        self.words = 300
        room = INNER - self.words - TOTAL - 20
        dice = sum(len(throw.dice) for throw in row.throws)
        self.size = 44 if slim or dice > 6 else 58
        self.spreads = [_Spread(throw, self.size, room, SMALL, SMALL) for throw in row.throws]
        self.inside = sum(s.height + 8 for s in self.spreads) - 8
        self.height = max(62, self.inside + 16) if slim else max(94, self.inside + 24)

    def draw(self, sheet: Sheet, y: int) -> None:
        row, bottom, middle = self.row, y + self.height, y + self.height / 2
        sheet.panel(PAD, y, RIGHT, bottom, PANEL, 12)
        sheet.text((PAD + 34, middle), str(self.number), 28, DIM, anchor="mm")
        x, room = PAD + 64, self.words - 76
        if row.label:
            sheet.text((x, middle - 16), row.label, 28, WHITE, room=room, least=22)
            sheet.text((x, middle + 17), row.written, 24, DIM, room=room, least=19)
        else:
            sheet.text((x, middle), row.written, 28, WHITE, room=room, least=19)
        top = round(middle - self.inside / 2)
        for spread in self.spreads:
            spread.draw(sheet, PAD + self.words, top)
            top += spread.height + 8
        left, right = RIGHT - TOTAL, RIGHT - 6
        sheet.panel(left, y + 6, right, bottom - 6, YELLOW, 10)
        centre = (left + right) / 2
        total = (centre, middle - (12 if row.counts else 0))
        sheet.text(
            total, row.total, 44, INK, weight=fonts.BLACK, anchor="mm", room=TOTAL - 30, least=22
        )
        if row.counts:
            sheet.text((centre, middle + 22), row.counts, 24, INK, anchor="mm", room=TOTAL - 30)

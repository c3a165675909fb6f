"""Dice against a number as pictures: one test large, or several under each other.

A test says what it is, shows every throw with what it needed, sums up where there is something to sum,
and ends in its verdict: on yellow with a tick when it went well, on grey with a cross when not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kernel.event import Modifier, Noted, Tested, Throw
from renderer import fonts
from renderer.contests import signed
from renderer.dice import draw_throw
from renderer.palette import (
    DIM,
    GAIN,
    INK,
    LOSS,
    PANEL,
    PANEL_EDGE,
    WHITE,
    YELLOW,
    Colour,
)
from renderer.pictograms import pictogram
from renderer.sheet import INNER, PAD, WIDTH, Sheet

RIGHT: Final = WIDTH - PAD
THROW: Final = 92
DIE: Final = 66
LINE: Final = 34
SUM: Final = 316
NOTE: Final = 36

SMALL_DIE: Final = 44
ROW: Final = 84
GAP: Final = 6
VERDICT: Final = 268
"""Width of the verdict at the right of a compact row."""

SIGNS: Final[dict[bool | None, tuple[str, Colour, Colour]]] = {
    True: ("tick", YELLOW, INK),
    False: ("no", PANEL_EDGE, WHITE),
    None: ("", PANEL_EDGE, WHITE),
}
"""What stands before a verdict, its ground and ink."""


def plain(value: int) -> str:
    """A number, its minus a real one."""
    return f"−{-value}" if value < 0 else str(value)


def modifier_colour(value: int) -> Colour:
    """Green for what helps, orange for what hinders."""
    return GAIN if value >= 0 else LOSS


# ------------------------------------------------------------------ one test, large


class Trial:
    """One test: its throws one below the other, the sum beside them, the verdict."""

    def __init__(self, event: Tested, notes: Sequence[Noted] = ()) -> None:
        self.event = event
        self.throws = event.throws[:8]
        self.summed = event.total is not None
        self.modifiers = event.modifiers[:9]
        receipt = 26 + LINE * (len(self.modifiers) + 1) + 104
        body = 8 + THROW * len(self.throws)
        self.panel = max(receipt if self.summed else 0, body) if body > 8 or self.summed else 0
        self.verdict = fonts.wrap(event.verdict, fonts.BLACK, 36, INNER - 130, 2)
        self.strip = 26 + 44 * max(1, len(self.verdict))
        self.top = 88 if event.detail else 54
        self.notes = _note_lines(notes)
        self.height = self.top + self.panel + (14 if self.panel else 0) + self.strip
        self.height += NOTE * len(self.notes) + (8 if self.notes else 0)

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` of the sheet on."""
        event = self.event
        sheet.text((PAD, y + 20), event.title, 38, WHITE, weight=fonts.BLACK, room=INNER, least=26)
        if event.detail:
            sheet.text((PAD, y + 62), event.detail, 27, DIM, weight=fonts.REGULAR, room=INNER)
        y += self.top
        if self.panel:
            right = RIGHT - SUM - 12 if self.summed else RIGHT
            sheet.panel(PAD, y, right, y + self.panel, PANEL)
            for n, throw in enumerate(self.throws):
                self._throw(sheet, throw, y + 4 + n * THROW, right)
            if self.summed:
                self._sum(sheet, RIGHT - SUM, y)
            y += self.panel + 14
        sign, ground, ink = SIGNS[event.good]
        sheet.panel(PAD, y, RIGHT, y + self.strip, ground)
        middle = y + self.strip / 2
        stamp = pictogram(sign, 48, ink) if sign else None
        if stamp is not None:
            sheet.stamp(stamp, (PAD + 48, middle))
        x = PAD + (96 if stamp is not None else 26)
        for n, line in enumerate(self.verdict):
            at = (x, middle + 44 * (n - (len(self.verdict) - 1) / 2))
            sheet.text(at, line, 36, ink, weight=fonts.BLACK)
        y += self.strip + 8
        for line in self.notes:
            sheet.text((PAD + 4, y + NOTE / 2), line, 27, DIM)
            y += NOTE

    def _throw(self, sheet: Sheet, throw: Throw, y: int, right: int) -> None:
        middle = y + THROW / 2
        need = f"{throw.need}+" if throw.need else ""
        end = right - 20
        if need:
            wide = fonts.width(need, fonts.BLACK, 36)
            sheet.text((end, middle), need, 36, WHITE, weight=fonts.BLACK, anchor="rm")
            sheet.text((end - wide - 12, middle + 3), "needs", 26, DIM, anchor="rm")
            end -= wide + 12 + fonts.width("needs", fonts.BOLD, 26) + 16
        used = draw_throw(sheet, throw, PAD + 20, middle, DIE, (end - PAD - 20) * 6 // 10)
        x = max(PAD + 20 + 2 * DIE + 26, used + 20)
        up = 17 if throw.note else 0
        room = round(end - x)
        sheet.text((x, middle - up), throw.name, 28, WHITE, room=room, least=19)
        if throw.note:
            sheet.text((x, middle + 20), throw.note, 26, DIM, room=room, least=18)

    def _sum(self, sheet: Sheet, left: int, top: int) -> None:
        event = self.event
        total = event.total or 0
        sheet.panel(left, top, RIGHT, top + self.panel, PANEL)
        x, end = left + 20, RIGHT - 20
        y = top + 18 + LINE / 2
        sheet.text((x, y), "dice", 26, DIM, weight=fonts.REGULAR)
        dice = total - sum(m.value for m in event.modifiers)
        sheet.text((end, y), plain(dice), 28, WHITE, anchor="rm")
        for modifier in self.modifiers:
            y += LINE
            colour = modifier_colour(modifier.value)
            used = sheet.text((end, y), signed(modifier.value), 28, colour, anchor="rm")
            sheet.text((x, y), modifier.name, 26, colour, room=end - x - used - 10, least=17)
        y = top + self.panel - 84
        sheet.pen.line((x, y, end, y), PANEL_EDGE, 2)
        sheet.text((x, y + 43), "total", 26, DIM, weight=fonts.REGULAR)
        used = 0
        if event.target is not None:
            words = f"against {plain(event.target)}"
            used = sheet.text((end, y + 46), words, 27, DIM, anchor="rm") + 12
        colour = YELLOW if event.good else WHITE
        sheet.text((end - used, y + 42), plain(total), 52, colour, weight=fonts.BLACK, anchor="rm")


def _note_lines(notes: Sequence[Noted]) -> tuple[str, ...]:
    """What came of a test, in lines that begin with an arrow."""
    lines: list[str] = []
    for note in notes[:2]:
        text = f"{fonts.ARROW} {note.text}"
        lines += fonts.wrap(text, fonts.BOLD, 27, INNER - 8, 2)
    return tuple(lines)


# ------------------------------------------------------------------ several, compact


class Trials:
    """Several tests in their order, one row each: throws at the left, the verdict at the right.

    What came of a test follows its row; where room is short that is left out, of the first tests first.
    Rows that do not fit at all are counted in a last line.
    """

    def __init__(self, events: Sequence[tuple[Tested, Sequence[Noted]]], room: int) -> None:
        rows = [_Row(event, notes) for event, notes in events]
        for n, (event, _) in enumerate(events):
            if sum(r.height for r in rows) > room:
                rows[n] = _Row(event, ())
        self.more = 0
        kept = list(rows)
        while len(kept) > 1 and sum(r.height for r in kept) + (44 if self.more else 0) > room:
            kept.pop()
            self.more = len(rows) - len(kept)
        self.rows = kept
        self.height = sum(r.height for r in kept) - GAP + (44 if self.more else 0)

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` of the sheet on."""
        for row in self.rows:
            row.draw(sheet, y)
            y += row.height
        if self.more:
            text = f"and {self.more} more: see /table log"
            sheet.text((PAD + 4, y + 16), text, 26, DIM)


class _Row:
    """One test: its title over its throws, additions below them, the verdict at the right."""

    def __init__(self, event: Tested, notes: Sequence[Noted]) -> None:
        self.event = event
        self.room = INNER - VERDICT - 40
        self.simple = len(event.throws) <= 1 and event.total is None
        self.additions = _additions(event.modifiers, self.room)
        self.box = ROW
        if not self.simple:
            self.box = 44 + 54 + (30 * len(self.additions)) + 8
        self.notes = [
            fonts.fit(f"{fonts.ARROW} {n.text}", fonts.BOLD, 25, INNER - 20, 21)
            for n in notes[:2]
            if n.text
        ]
        self.height = self.box + GAP + 34 * len(self.notes) + (4 if self.notes else 0)

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` on."""
        sheet.panel(PAD, y, RIGHT, y + self.box, PANEL, 12)
        if self.simple:
            self._simple(sheet, y)
        else:
            self._full(sheet, y)
        self._verdict(sheet, y)
        y += self.box + 2
        for text, px in self.notes:
            sheet.text((PAD + 14, y + 17), text, px, DIM)
            y += 34

    def _simple(self, sheet: Sheet, y: int) -> None:
        event = self.event
        throw = event.throws[0] if event.throws else None
        end = PAD + 18 + self.room
        middle = y + self.box / 2
        if throw is not None:
            if throw.need:
                end -= sheet.text(
                    (end, middle), f"{throw.need}+", 29, WHITE, weight=fonts.BLACK, anchor="rm"
                )
                end -= 14
            size, gap, count = SMALL_DIE, 5, len(throw.dice)
            wide = min(260, count * (size + gap) - gap)
            draw_throw(sheet, throw, end - wide, middle, size, wide)
            end -= wide + 16
        words = _about(throw) if throw is not None else ""
        room = end - PAD - 18
        up = 16 if words else 0
        sheet.text((PAD + 18, middle - up), event.title, 28, WHITE, room=room, least=19)
        if words:
            sheet.text((PAD + 18, middle + 18), words, 23, DIM, room=room, least=17)

    def _full(self, sheet: Sheet, y: int) -> None:
        event = self.event
        sheet.text((PAD + 18, y + 25), event.title, 28, WHITE, room=self.room, least=19)
        middle = y + 44 + 26
        shares = [_claim(t) for t in event.throws[:6]]
        scale = min(1.0, (self.room - 14 * (len(shares) - 1)) / max(1, sum(shares)))
        x = float(PAD + 18)
        for throw, share in zip(event.throws[:6], shares, strict=True):
            room = round(share * scale)
            dice = min(room, len(throw.dice) * (SMALL_DIE + 5) - 5)
            used = draw_throw(sheet, throw, x, middle, SMALL_DIE, dice)
            left = x + room - used - 8
            words = throw.note or (f"{throw.need}+" if throw.need else "")
            if words and left > 24:
                lines = fonts.wrap(words, fonts.BOLD, 21, round(left), 2)
                for n, line in enumerate(lines):
                    at = (used + 8, middle + 23 * (n - (len(lines) - 1) / 2))
                    sheet.text(at, line, 21, DIM, room=round(left), least=16)
            x += room + 14
        base = y + 44 + 54 + 14
        for line in self.additions:
            x = float(PAD + 18)
            for text, colour in line:
                x += sheet.text((x, base), text, 23, colour) + 18
            base += 30

    def _verdict(self, sheet: Sheet, y: int) -> None:
        event = self.event
        sign, ground, ink = SIGNS[event.good]
        left, right = RIGHT - VERDICT - 6, RIGHT - 6
        sheet.panel(left, y + 6, right, y + self.box - 6, ground, 10)
        middle = y + self.box / 2
        if event.total is not None:
            middle = y + 6 + (self.box - 12) * 0.68
            top = y + 6 + (self.box - 12) * 0.31
            used = sheet.text((left + 18, top), plain(event.total), 40, ink, weight=fonts.BLACK)
            if event.target is not None:
                sheet.text((left + 30 + used, top + 3), f"against {plain(event.target)}", 24, ink)
        x, room = left + 18, VERDICT - 32
        stamp = pictogram(sign, 30, ink) if sign else None
        if stamp is not None:
            sheet.stamp(stamp, (x + 12, middle))
            x, room = x + 36, room - 36
        lines, px = fonts.wrap(event.verdict, fonts.BOLD, 26, room, 1), 26
        if lines and (lines[0].endswith(fonts.ELLIPSIS) or " " in event.verdict):
            lines, px = fonts.wrap(event.verdict, fonts.BOLD, 24, room, 2), 24
        if lines and lines[-1].endswith(fonts.ELLIPSIS):
            lines, px = fonts.wrap(event.verdict, fonts.BOLD, 21, room, 3), 21
        step = px + 3
        for n, line in enumerate(lines):
            sheet.text((x, middle + step * (n - (len(lines) - 1) / 2)), line, px, ink)


def _claim(throw: Throw) -> int:
    """Pixels that a throw would like to have in a row of throws."""
    words = throw.note or (f"{throw.need}+" if throw.need else "")
    lines = fonts.wrap(words, fonts.BOLD, 21, 140, 2) if words else ()
    wide = max((fonts.width(line, fonts.BOLD, 21) for line in lines), default=0)
    return len(throw.dice) * (SMALL_DIE + 5) - 5 + (wide + 10 if wide else 0)


def _about(throw: Throw) -> str:
    """A throw's name and note in few words."""
    return f"{throw.name} · {throw.note}" if throw.note else throw.name


def _additions(modifiers: Sequence[Modifier], room: int) -> list[list[tuple[str, Colour]]]:
    """Named additions in at most two lines."""
    lines: list[list[tuple[str, Colour]]] = []
    used = 0
    for modifier in modifiers:
        text = f"{fonts.clean(modifier.name)} {signed(modifier.value)}"
        text = fonts.shorten(text, fonts.BOLD, 23, room)
        wide = fonts.width(text, fonts.BOLD, 23) + 18
        if lines and used + wide <= room + 18:
            lines[-1].append((text, modifier_colour(modifier.value)))
            used += wide
        else:
            lines.append([(text, modifier_colour(modifier.value))])
            used = wide
    return lines[:2]

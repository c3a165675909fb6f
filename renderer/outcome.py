"""The picture of what one action brought: dice, cards, explosions, reveals, the end, in order.

Notes that follow a test of dice say what came of it and are shown below it; other notes are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from PIL import Image

from games.kernel.event import Drew, Ended, Event, Exploded, Noted, Revealed, Rolled, Tested
from games.kernel.view import Badge
from renderer import fonts
from renderer.cache import STAMPS
from renderer.contests import Duel, Rows
from renderer.palette import BLAST, DIM, INK, PANEL, PAPER, WHITE, YELLOW
from renderer.picture import Picture, finish
from renderer.shapes import Pen, burst
from renderer.sheet import INNER, PAD, WIDTH, Sheet
from renderer.texts import ALT_LIMIT, cut
from renderer.trials import Trial, Trials

HIGH: Final = 1580
"""Pixels an outcome picture may be high; what does not fit is counted in one last line."""

GAP: Final = 22


class Section(Protocol):
    """A part of the picture: its height in pixels, and how it draws itself."""

    height: int

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` on."""
        ...


def outcome(events: Sequence[Event]) -> Picture | None:
    """One picture of all throws, tests, cards, explosions, reveals and the end among the events.

    1,000 pixels wide and at most 1,600 high; None when nothing of the kind happened. The alternative
    text is what the events say.
    """
    shown, came_of = _worth_showing(events)
    if not shown:
        return None
    sections, left_out = _sections(shown, came_of)
    height = sum(s.height for s in sections) + GAP * (len(sections) - 1) + 2 * PAD
    sheet = Sheet(height + (48 if left_out else 0))
    y = PAD
    for section in sections:
        section.draw(sheet, y)
        y += section.height + GAP
    if left_out:
        text = f"and {left_out} more: see /table log"
        sheet.text((PAD + 4, y + 10), text, 26, DIM)
    told = [t for n, e in enumerate(shown) for t in (e, *came_of.get(n, ()))]
    alt = cut(" ".join(e.text for e in told if e.text), ALT_LIMIT)
    return finish(sheet.image, alt or "What the last action brought.")


def _worth_showing(events: Sequence[Event]) -> tuple[list[Event], dict[int, list[Noted]]]:
    """What has a picture, and for each test (by its place in that list) the notes after it."""
    shown: list[Event] = []
    came_of: dict[int, list[Noted]] = {}
    for event in events:
        if isinstance(event, Noted):
            if shown and isinstance(shown[-1], Tested) and event.text:
                came_of.setdefault(len(shown) - 1, []).append(event)
        elif isinstance(event, (Tested, Drew, Exploded, Revealed, Ended)) or (
            isinstance(event, Rolled) and event.contests
        ):
            shown.append(event)
    return shown, came_of


def _sections(
    events: Sequence[Event], came_of: dict[int, list[Noted]]
) -> tuple[list[Section], int]:
    """The sections that fit, and how many events had to be left out."""
    sections: list[Section] = []
    used = 2 * PAD
    n = 0
    later = _least_after(events)
    while n < len(events):
        event = events[n]
        room = HIGH - used - later[n]
        taken = 1
        if isinstance(event, Rolled):
            group = [event]
            for other in events[n + 1 :]:
                if not isinstance(other, Rolled) or other.chart != event.chart:
                    break
                group.append(other)
            taken = len(group)
            one = taken == 1 and len(event.contests) == 1
            section: Section = Duel(event) if one else Rows(group, room)
        elif isinstance(event, Tested):
            tests = [(event, came_of.get(n, []))]
            for k, other in enumerate(events[n + 1 :], start=n + 1):
                if not isinstance(other, Tested):
                    break
                tests.append((other, came_of.get(k, [])))
            taken = len(tests)
            section = Trial(*tests[0]) if taken == 1 else Trials(tests, room)
        elif isinstance(event, Drew):
            section = _Card(event)
        elif isinstance(event, Exploded):
            section = _Blast(event)
        elif isinstance(event, Revealed):
            section = _Reveal(event)
        elif isinstance(event, Ended):
            section = _End(event)
        else:
            n += 1
            continue
        if sections and used + section.height > HIGH:
            if not isinstance(event, Ended):
                return sections, len(events) - n
            break
        sections.append(section)
        used += section.height + GAP
        n += taken
    return sections, 0


def _least_after(events: Sequence[Event]) -> list[int]:
    """For each event, pixels that the end of the game still needs after it."""
    end = sum(_End(e).height + GAP for e in events if isinstance(e, Ended))
    return [0 if isinstance(e, Ended) else end for e in events]


class _Card:
    """A card as a card: light, its number on a dark band, title and words."""

    def __init__(self, event: Drew) -> None:
        self.card = event.card
        self.lines = fonts.wrap(self.card.text, fonts.REGULAR, 29, INNER - 178, 4)
        self.height = 84 + 37 * len(self.lines) + 18

    def draw(self, sheet: Sheet, y: int) -> None:
        bottom = y + self.height
        sheet.panel(PAD, y, WIDTH - PAD, bottom, PAPER, 16)
        sheet.panel(PAD, y, PAD + 132, bottom, INK, 16)
        sheet.pen.rectangle((PAD + 116, y, PAD + 131, bottom - 1), INK)
        sheet.panel(PAD + 5, y + 5, PAD + 128, bottom - 5, YELLOW, 12)
        sheet.panel(PAD + 8, y + 8, PAD + 125, bottom - 8, INK, 10)
        middle = y + self.height / 2
        words = fonts.wrap(self.card.id, fonts.BLACK, 28, 112, 2)
        if len(words) < 2:
            words, px = (self.card.id,), 40
        else:
            px = 28
        for n, word in enumerate(words):
            at = (PAD + 67, middle + 34 * (n - (len(words) - 1) / 2))
            sheet.text(at, word, px, YELLOW, weight=fonts.BLACK, anchor="mm", room=104, least=22)
        x = PAD + 154
        room = INNER - 178
        if self.card.badge:
            text = fonts.shorten(fonts.clean(self.card.badge), fonts.BOLD, 24, 220)
            wide = fonts.width(text, fonts.BOLD, 24) + 32
            right = WIDTH - PAD - 20
            sheet.panel(right - wide, y + 20, right, y + 60, INK, 20)
            sheet.text((right - wide / 2, y + 40), text, 24, YELLOW, anchor="mm")
            room -= wide + 12
        sheet.text((x, y + 44), self.card.title, 42, INK, weight=fonts.BLACK, room=room, least=28)
        base = y + 84 + 15
        for line in self.lines:
            sheet.text((x, base), line, 29, INK, weight=fonts.REGULAR)
            base += 37


class _Blast:
    """An explosion: what went off where, and a cell for each unit with what it suffered."""

    def __init__(self, event: Exploded) -> None:
        self.event = event
        self.suffered = event.suffered[:14]
        self.more = len(event.suffered) - len(self.suffered)
        rows = (len(self.suffered) + 1) // 2
        self.height = 104 + rows * 84 + (36 if self.more else 0)
        if not event.suffered:
            self.height = 104 + 56

    def draw(self, sheet: Sheet, y: int) -> None:
        sheet.stamp(_flash(), (PAD + 44, y + 44))
        x, room = PAD + 104, INNER - 108
        sheet.text(
            (x, y + 24), self.event.title, 38, WHITE, weight=fonts.BLACK, room=room, least=28
        )
        sheet.text((x, y + 66), self.event.detail, 27, DIM, weight=fonts.REGULAR, room=room)
        y += 104
        if not self.suffered:
            sheet.text((PAD + 4, y + 22), "Nobody is hurt.", 29, WHITE)
        wide = (INNER - 12) // 2
        for n, one in enumerate(self.suffered):
            left = PAD + (n % 2) * (wide + 12)
            top = y + (n // 2) * 84
            sheet.panel(left, top, left + wide, top + 74, PANEL, 12)
            sheet.badge(one.who, (left + 42, top + 37), 66)
            used = sheet.text((left + 86, top + 37), one.where, 27, DIM, room=110, least=18)
            start = left + max(150, 86 + used + 14)
            sheet.panel(start, top + 8, left + wide - 8, top + 66, YELLOW, 10)
            sheet.text(
                (start + 14, top + 37), one.what, 28, INK,
                weight=fonts.BLACK, room=left + wide - 8 - start - 26, least=18,
            )  # fmt: skip
        if self.more:
            top = y + (len(self.suffered) + 1) // 2 * 84
            sheet.text((PAD + 4, top + 14), f"and {self.more} more", 26, DIM)


def _flash() -> Image.Image:
    """The picture beside an explosion's title."""

    def make() -> Image.Image:
        pen = Pen(92, 92)
        pen.polygon(burst(12, 45, 28), BLAST)
        pen.polygon(burst(10, 26, 15, 10), YELLOW)
        return pen.done()

    return STAMPS.get("flash", make)


class _Reveal:
    """A counter turned over: the chip, an arrow, what it was."""

    def __init__(self, event: Revealed) -> None:
        self.event = event
        self.lines = fonts.wrap(event.what, fonts.BLACK, 34, INNER - 330, 2)
        self.height = 34 + 42 * max(1, len(self.lines))

    def draw(self, sheet: Sheet, y: int) -> None:
        middle = y + self.height / 2
        sheet.panel(PAD, y, WIDTH - PAD, y + self.height, PANEL, 14)
        chip = Badge("", "chip", "steel")
        sheet.badge(chip, (PAD + 48, middle), 96)
        sheet.text((PAD + 48, middle), "?", 38, INK, weight=fonts.BLACK, anchor="mm")
        sheet.text((PAD + 92, middle), self.event.cell, 32, WHITE, room=100, least=20)
        sheet.text((PAD + 196, middle), fonts.ARROW, 40, DIM)
        left = PAD + 250
        sheet.panel(left, y + 10, WIDTH - PAD - 10, y + self.height - 10, YELLOW, 10)
        for n, line in enumerate(self.lines):
            at = (left + 20, middle + 42 * (n - (len(self.lines) - 1) / 2))
            sheet.text(at, line, 34, INK, weight=fonts.BLACK)


class _End:
    """The game is over: how, in large letters on yellow."""

    def __init__(self, event: Ended) -> None:
        self.title = fonts.wrap(event.title, fonts.BLACK, 58, INNER - 80, 2)
        text = event.text.removeprefix(event.title).lstrip(" .:")
        self.lines = fonts.wrap(text, fonts.BOLD, 31, INNER - 80, 4)
        self.height = 66 + 68 * len(self.title) + 42 * len(self.lines)

    def draw(self, sheet: Sheet, y: int) -> None:
        sheet.panel(PAD, y, WIDTH - PAD, y + self.height, YELLOW, 18)
        sheet.panel(PAD + 6, y + 6, WIDTH - PAD - 6, y + self.height - 6, INK, 14)
        sheet.panel(PAD + 9, y + 9, WIDTH - PAD - 9, y + self.height - 9, YELLOW, 12)
        y += 34
        for line in self.title:
            sheet.text((PAD + 40, y + 32), line, 58, INK, weight=fonts.BLACK)
            y += 68
        for line in self.lines:
            sheet.text((PAD + 40, y + 20), line, 31, INK)
            y += 42

"""A service record as a picture: what somebody has done in one game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kernel.service import LOST, WON, Best, MissionLine, Service, Tally
from renderer import fonts
from renderer.palette import (
    BLAST,
    DIM,
    INK,
    PANEL,
    PANEL_EDGE,
    WHITE,
    YELLOW,
    Colour,
    tone,
)
from renderer.picture import Picture, finish
from renderer.sheet import INNER, PAD, WIDTH, Sheet
from renderer.texts import ALT_LIMIT, cut

GAP: Final = 14
RIGHT: Final = WIDTH - PAD
INSIDE: Final = 24
"""Free pixels between a panel's edge and what is in it."""

SMALL: Final = 28
"""The least em of a text that must be read on a phone 412 pixels wide."""

MOST_MISSIONS: Final = 12
MOST_MODES: Final = 4
MOST_FIGURES: Final = 3

_RAMP: Final = (YELLOW, BLAST, tone("brown").fill, tone("violet").fill)
"""Colours of the results, from the best; they differ in lightness too."""


HEAD: Final = 96
"""Pixels of the heading."""


def heading(sheet: Sheet, title: str, subtitle: str) -> None:
    """The title, and to its right what it is or whose."""
    used = 0
    if subtitle:
        text, px = fonts.fit(subtitle, fonts.BOLD, 30, 460, 22)
        used = sheet.text((RIGHT, 54), text, px, DIM, anchor="rm")
    room = INNER - used - 30
    sheet.pen.rectangle((PAD, 30, PAD + 7, 76), YELLOW)
    sheet.text((PAD + 24, 54), title, 48, WHITE, weight=fonts.BLACK, room=room - 24, least=26)


def service_record(record: Service, subtitle: str = "Service record") -> Picture:
    """What somebody has done in one game: results, the best of every mission, losses and kills.

    1,000 pixels wide. The alternative text says the same.
    """
    missions = [_Mission(line, record) for line in record.missions[:MOST_MISSIONS]]
    left_out = len(record.missions) - len(missions)
    modes = record.modes[:8] if len(record.modes) > 1 else ()
    tiles = _tiles(record)
    height = HEAD + _TILE + GAP + _RESULTS + GAP
    height += sum(mission.height + GAP for mission in missions)
    height += (40 if missions and record.measure else 0) + (44 if left_out else 0)
    height += (36 + 52 * len(modes) + GAP) if modes else 0
    sheet = Sheet(height + PAD - GAP)
    heading(sheet, record.title, subtitle)
    y = HEAD
    _draw_tiles(sheet, y, tiles)
    y += _TILE + GAP
    _draw_results(sheet, y, record)
    y += _RESULTS + GAP
    if missions and record.measure:
        told = f"Fewest {record.measure} in a mission won"
        if any(best.par for line in record.missions for best in line.bests):
            told += " (white line: par)"
        sheet.text((PAD + 4, y + 14), told, SMALL, DIM, weight=fonts.REGULAR, room=INNER, least=22)
        y += 40
    for mission in missions:
        mission.draw(sheet, y)
        y += mission.height + GAP
    if left_out:
        sheet.text((PAD + 4, y + 16), f"and {left_out} more missions", SMALL, DIM)
        y += 44
    if modes:
        _draw_modes(sheet, y, modes)
    return finish(sheet.image, cut(service_alt(record), ALT_LIMIT))


def service_alt(record: Service) -> str:
    """A service record in words."""
    parts = [f"{record.title}, service record: {record.played} played, {record.won} won."]
    graded = [f"{n} {title}" for title, n in _results(record) if n]
    parts.append(f"Results: {', '.join(graded)}." if graded else "")
    parts.append("".join(f"{name} {value}. " for name, value in record.figures.items()).strip())
    for line in record.missions:
        told = [f"{line.title}: {line.won} of {line.played} won"]
        for best in line.bests:
            if best.value is not None:
                told.append(f"fewest {record.measure} {_best(best)} ({best.mode})")
        parts.append(f"{'; '.join(told)}.")
    if len(record.modes) > 1:
        modes = "; ".join(f"{each.title} {each.won} of {each.played}" for each in record.modes)
        parts.append(f"Won by mode: {modes}.")
    return " ".join(part for part in parts if part)


def _results(record: Service) -> list[tuple[str, int]]:
    """Results with their counts, the best first."""
    return list(zip(record.results, record.counts, strict=True))[::-1]


def _best(best: Best) -> str:
    if best.value is None:
        return "not won yet"
    if best.most:
        return f"{best.value} of {best.most}"
    return f"{best.value}, par {best.par}" if best.par else str(best.value)


def _colours(record: Service) -> dict[str, Colour | None]:
    """The colour of each result; None: hollow."""
    found: dict[str, Colour | None] = {LOST: None, WON: tone("steel").fill}
    graded = [title for title in reversed(record.results) if title not in found]
    for n, title in enumerate(graded):
        found[title] = _RAMP[min(n, len(_RAMP) - 1)]
    return found


_TILE: Final = 140
_RESULTS: Final = 148


def _tiles(record: Service) -> list[tuple[str, str]]:
    share = f"{100 * record.won // record.played} %" if record.played else ""
    tiles = [
        ("Played", str(record.played)),
        (f"Won · {share}" if share else "Won", str(record.won)),
    ]
    tiles += [(name, str(value)) for name, value in record.figures.items()]
    return tiles[:5]


def _draw_tiles(sheet: Sheet, y: int, tiles: Sequence[tuple[str, str]]) -> None:
    gap = 10
    wide = (INNER - gap * (len(tiles) - 1)) / len(tiles)
    for n, (label, value) in enumerate(tiles):
        left, right = round(PAD + n * (wide + gap)), round(PAD + n * (wide + gap) + wide)
        sheet.panel(left, y, right, y + _TILE, PANEL)
        middle = (left + right) / 2
        room = right - left - 16
        sheet.text(
            (middle, y + 48), value, 60, YELLOW if n < 2 else WHITE,
            weight=fonts.BLACK, anchor="mm", room=room, least=28,
        )  # fmt: skip
        lines = fonts.wrap(label, fonts.BOLD, 25, room, 2)
        for k, line in enumerate(lines):
            at = (middle, y + 106 + 27 * (k - (len(lines) - 1) / 2))
            sheet.text(at, line, 25, DIM, anchor="mm")


def _draw_results(sheet: Sheet, y: int, record: Service) -> None:
    """How all games came out, as one bar, and what its colours mean."""
    sheet.panel(PAD, y, RIGHT, y + _RESULTS, PANEL)
    left, right = PAD + INSIDE, RIGHT - INSIDE
    colours = _colours(record)
    _stack(sheet, left, y + 22, right, 52, _results(record), colours, 32)
    shown = [title for title, _ in _results(record)]
    px = 28
    while px > 18 and sum(fonts.width(t, fonts.BOLD, px) + 70 for t in shown) > right - left:
        px -= 1
    x = left
    for title in shown:
        _swatch(sheet, x, y + 96, 30, colours[title])
        x += 42 + sheet.text((x + 42, y + 111), title, px, WHITE) + 28


def _swatch(sheet: Sheet, left: int, top: int, size: int, colour: Colour | None) -> None:
    sheet.panel(left, top, left + size, top + size, colour or DIM, 6)
    if colour is None:
        sheet.panel(left + 3, top + 3, left + size - 3, top + size - 3, PANEL, 4)


def _stack(
    sheet: Sheet,
    left: int,
    top: int,
    right: int,
    high: int,
    parts: Sequence[tuple[str, int]],
    colours: dict[str, Colour | None],
    px: int,
) -> None:
    """Counts beside each other as one bar, each with its number."""
    parts = [(title, n) for title, n in parts if n]
    total = sum(n for _, n in parts)
    if not total:
        return
    gap, least = 5, 34
    room = right - left - gap * (len(parts) - 1) - least * len(parts)
    x = float(left)
    for title, n in parts:
        wide = least + room * n / total
        colour = colours.get(title)
        box = (round(x), top, round(x + wide), top + high)
        sheet.panel(*box, colour or DIM, 8)
        if colour is None:
            sheet.panel(box[0] + 3, box[1] + 3, box[2] - 3, box[3] - 3, PANEL, 6)
        dark = colour in (YELLOW, BLAST, tone("steel").fill)
        at = ((box[0] + box[2]) / 2, top + high / 2)
        ink = INK if dark else WHITE
        sheet.text(
            at, str(n), px, ink, weight=fonts.BLACK, anchor="mm", room=round(wide) - 4, least=16
        )
        x += wide + gap


class _Mission:
    """A mission: how its games came out, the best of every mode, what was lost and killed."""

    def __init__(self, line: MissionLine, record: Service) -> None:
        self.line = line
        self.record = record
        self.bests = line.bests[:MOST_MODES]
        self.figures = [name for name in record.figures if name in line.figures][:MOST_FIGURES]
        self.height = 72 + 44 * len(self.bests) + (76 if self.figures else 8)

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` on."""
        sheet.panel(PAD, y, RIGHT, y + self.height, PANEL)
        left, right = PAD + INSIDE, RIGHT - INSIDE
        sheet.text(
            (left, y + 42), self.line.title, 36, WHITE, weight=fonts.BLACK, room=420, least=24
        )
        parts = list(zip(self.record.results, self.line.results, strict=True))[::-1]
        _stack(sheet, 500, y + 20, right, 44, parts, _colours(self.record), 28)
        y += 70
        for best in self.bests:
            self._best(sheet, left, right, y, best)
            y += 44
        if self.figures:
            self._figures(sheet, left, right, y)

    def _best(self, sheet: Sheet, left: int, right: int, y: int, best: Best) -> None:
        middle, start, end = y + 22, 400, right - 200
        sheet.text(
            (left, middle), best.mode, SMALL, WHITE,
            weight=fonts.REGULAR, room=start - left - 16, least=20,
        )  # fmt: skip
        scale = max(best.most, 2 * best.par, best.value or 0, 1)
        sheet.panel(start, y + 10, end, y + 34, PANEL_EDGE, 8)
        if best.value is not None:
            wide = max(10, (end - start) * best.value // scale)
            sheet.panel(start, y + 10, start + wide, y + 34, YELLOW, 8)
        if best.par:
            x = start + (end - start) * best.par // scale
            sheet.pen.rectangle((x - 2, y + 4, x + 1, y + 40), WHITE)
        colour = DIM if best.value is None else WHITE
        sheet.text((right, middle), _best(best), SMALL, colour, anchor="rm", room=186, least=20)

    def _figures(self, sheet: Sheet, left: int, right: int, y: int) -> None:
        """Figures side by side, each with a bar as long as its share of the most in any mission."""
        wide = (right - left) / MOST_FIGURES
        for n, name in enumerate(self.figures):
            value = self.line.figures[name]
            most = max(1, *(other.figures.get(name, 0) for other in self.record.missions))
            x, room = round(left + n * wide), round(wide) - 24
            used = sheet.text((x, y + 26), str(value), 32, WHITE, weight=fonts.BLACK)
            at = (x + used + 10, y + 27)
            sheet.text(at, name, 26, DIM, weight=fonts.REGULAR, room=room - used, least=18)
            sheet.panel(x, y + 50, x + room, y + 60, PANEL_EDGE, 5)
            if value:
                sheet.panel(x, y + 50, x + max(10, room * value // most), y + 60, WHITE, 5)


def _draw_modes(sheet: Sheet, y: int, modes: Sequence[Tally]) -> None:
    """How many games of each mode were played and won."""
    sheet.panel(PAD, y, RIGHT, y + 36 + 52 * len(modes), PANEL)
    left, right = PAD + INSIDE, RIGHT - INSIDE
    most = max(mode.played for mode in modes)
    start, end = 480, right - 190
    y += 18
    for mode in modes:
        sheet.text(
            (left, y + 26), mode.title, SMALL, WHITE,
            weight=fonts.REGULAR, room=start - left - 16, least=20,
        )  # fmt: skip
        full = (end - start) * mode.played // most
        sheet.panel(start, y + 10, start + max(12, full), y + 42, DIM, 8)
        sheet.panel(start + 3, y + 13, start + max(12, full) - 3, y + 39, PANEL, 6)
        if mode.won:
            wide = (end - start) * mode.won // most
            sheet.panel(start, y + 10, start + max(12, wide), y + 42, YELLOW, 8)
        told = f"{mode.won} of {mode.played} won"
        sheet.text((right, y + 26), told, SMALL, WHITE, anchor="rm", room=180, least=20)
        y += 52

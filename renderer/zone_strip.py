"""The strip of all zones: the way of the mission, with each zone's state; in full with map and card.

All lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kernel.view import Place, Token, ZoneBoard
from renderer import fonts
from renderer.counters import counter
from renderer.palette import (
    GROUND,
    INK,
    PANEL_EDGE,
    PAPER,
    WHITE,
    YELLOW,
    ZONE,
    Colour,
)
from renderer.pictograms import pictogram
from renderer.placecards import number_disc, small_card
from renderer.sheet import Sheet
from renderer.terrain import terrain
from renderer.zone_layout import cell_of, current

LEFT: Final = 20
ROOM: Final = 960
GAP: Final = 5
HEAD: Final = 110
ROWS_HIGH: Final = 176
CARD: Final = 140
NAME: Final = 25
SMALL: Final = 22
COUNTER: Final = 44


def rows_of(board: ZoneBoard) -> tuple[str, ...]:
    """The rows of terrain letters of all zones together."""
    high = max((len(p.ground) for p in board.places), default=0)
    wide = max((len(row) for p in board.places for row in p.ground), default=0)
    rows: list[str] = []
    for y in range(high):
        parts = [p.ground[y] if y < len(p.ground) else "" for p in board.places]
        rows.append("".join(part.ljust(wide, ".") for part in parts))
    return tuple(rows)


def state_of(place: Place, here: Place | None) -> tuple[str, str, Colour, Colour]:
    """How a zone stands: its picture, words, ground and ink."""
    if here is not None and place.number == here.number:
        return ("", "here", YELLOW, INK)
    if here is not None and place.number < here.number:
        return ("tick", "passed", PANEL_EDGE, WHITE)
    if place.open:
        return ("out", "open", ZONE, INK)
    return ("lock", place.needs or "closed", GROUND, INK)


class Strip:
    """All zones in a row; `full` adds map, counters and cards below the heads."""

    def __init__(self, board: ZoneBoard, *, full: bool) -> None:
        self.board = board
        self.full = full and bool(board.places)
        self.here = current(board)
        self.height = HEAD + 20 if board.places else 0
        room = ROOM // max(1, len(board.places)) - GAP - 20
        named = [fonts.fit(p.name, fonts.BLACK, NAME, room, 20)[1] for p in board.places]
        self.px = min(named, default=NAME)
        if self.full:
            self.height += ROWS_HIGH + CARD + 14

    def draw(self, sheet: Sheet, top: int) -> None:
        """Draw from row `top` on."""
        places = self.board.places
        if not places:
            return
        wide = (ROOM - GAP * (len(places) - 1)) / len(places)
        for n, place in enumerate(places):
            left = round(LEFT + n * (wide + GAP))
            right = round(LEFT + n * (wide + GAP) + wide)
            self._head(sheet, place, left, top + 10, right)
            if self.full:
                self._map(sheet, n, place, left, top + 10 + HEAD, right)

    def _head(self, sheet: Sheet, place: Place, left: int, top: int, right: int) -> None:
        sign, words, ground, ink = state_of(place, self.here)
        bottom = top + HEAD
        if self.full:
            sheet.panel(left, top, right, bottom + 12, INK, 12)
            sheet.panel(left + 3, top + 3, right - 3, bottom + 12, ground, 10)
        else:
            sheet.panel(left, top, right, bottom, INK, 12)
            sheet.panel(left + 3, top + 3, right - 3, bottom - 3, ground, 10)
        sheet.stamp(number_disc(place.number, 34, PAPER, INK), (left + 28, top + 27))
        stamp = pictogram(sign, 30, ink) if sign else None
        if stamp is not None:
            sheet.stamp(stamp, (right - 26, top + 27))
        x, room = left + 11, right - left - 20
        sheet.text((x, top + 62), place.name, self.px, ink, weight=fonts.BLACK, room=room)
        sheet.text((x, top + 90), words, SMALL, ink, room=room, least=17)

    def _map(self, sheet: Sheet, n: int, place: Place, left: int, top: int, right: int) -> None:
        bottom = top + ROWS_HIGH
        _, _, edge, _ = state_of(place, self.here)
        sheet.pen.rectangle((left, top, right - 1, bottom - 1), INK)
        sheet.pen.rectangle((left + 3, top + 3, right - 4, bottom - 4), GROUND)
        columns = max((len(row) for row in place.ground), default=0)
        if columns:
            rows = rows_of(self.board)
            cell = (-(-(right - left - 6) // columns), -(-(ROWS_HIGH - 6) // len(rows)))
            ground = terrain(rows, n * columns, columns, cell)
            ground = ground.crop((0, 0, right - left - 6, ROWS_HIGH - 6))
            sheet.image.paste(ground, (left + 3, top + 3))
        current_one = self.here is not None and place.number == self.here.number
        if current_one:
            for inset in range(3, 7):
                box = (left + inset, top - 3, right - 1 - inset, bottom - 1 - inset)
                sheet.pen.rectangle(box, None, edge)
        sheet.pen.line((left + 3, top - 1, right - 4, top - 1), INK, 3)
        for x, y, token in self._tokens(place, left, right):
            sprite = counter(token, COUNTER if not token.hidden else COUNTER * 3 // 2)
            spot = (round(x - sprite.width / 2), round(top + y - sprite.height / 2))
            sheet.image.paste(sprite, spot, sprite)
        small_card(sheet, place.card, left, bottom + 6, right, bottom + 6 + CARD)

    def _tokens(self, place: Place, left: int, right: int) -> list[tuple[float, float, Token]]:
        """Middle of every counter, rows measured from the map's top."""
        here: dict[int, list[Token]] = {}
        for token in self.board.tokens:
            cell = cell_of(token.cell)
            if cell is not None and cell[0] == place.number:
                here.setdefault(cell[1], []).append(token)
        return [spot for box, tokens in here.items()
                for spot in _spread(place, box, tokens, left, right)]  # fmt: skip


def _spread(
    place: Place, box: int, tokens: Sequence[Token], left: int, right: int
) -> list[tuple[float, float, Token]]:
    band = ROWS_HIGH / 4
    row = {4: 0, 5: 3}.get(box, box)
    y = row * band + band / 2
    x = (left + right) / 2
    for line in place.ground:
        column = line.find(("1", "2", "3", "S", "V", "X")[box])
        if column >= 0:
            x = left + (column + 0.5) * (right - left) / len(line)
    shown = tokens[:3]
    step = COUNTER * 0.82
    first = x - step * (len(shown) - 1) / 2
    half = COUNTER / 2 + 4
    first = max(left + half, min(right - half - step * (len(shown) - 1), first))
    return [(first + n * step, y, token) for n, token in enumerate(shown)]


def next_panel(sheet: Sheet, place: Place, left: int, top: int, right: int, bottom: int) -> None:
    """What lies ahead: the next zone and whether it can be entered."""
    ground, ink, sign = (ZONE, INK, "out") if place.open else (GROUND, INK, "lock")
    sheet.panel(left, top, right, bottom, INK, 14)
    sheet.panel(left + 3, top + 3, right - 3, bottom - 3, ground, 11)
    middle = (top + bottom) / 2
    stamp = pictogram(sign, 46, ink)
    if stamp is not None:
        sheet.stamp(stamp, (right - 42, middle))
    room = right - left - 96
    title = f"Next: {place.number} {place.name}"
    sheet.text((left + 20, middle - 17), title, 28, ink, weight=fonts.BLACK, room=room, least=20)
    words = "open" if place.open else f"needs {place.needs}" if place.needs else "closed"
    sheet.text((left + 20, middle + 19), words, 27, ink, room=room, least=18)

"""Where the boxes of a zone board lie on a picture: which zones are drawn large, and their tokens.

A zone drawn large is a landscape of four bands, far range on top and the team below; the zone's target
and its way out have corners of their own. All lengths are pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from games.kernel.view import Place, Token, ZoneBoard
from renderer import fonts

BANDS: Final = ("long", "medium", "short", "team")
"""The bands of a zone from top to bottom."""

BOXES: Final = (*BANDS, "vip", "exit")
"""Every box that a cell `<zone>:<box>` may name."""

BAND: Final = 130
"""Height of a band."""

COUNTER: Final = 116
"""Side of a counter's square where there is room."""

NAME: Final = 27
NOTE: Final = 25
LINE: Final = 29
"""Labels beside counters: ems of their name and note, and the step from line to line."""

_VIP_FROM: Final = (0.24, 0.48)
_EXIT_FROM: Final = 0.74
"""Where the corners of the target (long range free, or not) and of the way out begin, as shares of the
width."""

Box = tuple[int, int, int, int]


@lru_cache(maxsize=1024)
def cell_of(name: str) -> tuple[int, int] | None:
    """Zone number and number of the box (in `BOXES`) of a cell's name; None when it is not one."""
    zone, _, box = name.partition(":")
    if not zone.isascii() or not zone.isdigit() or len(zone) > 4:
        return None
    return (int(zone), BOXES.index(box)) if box in BOXES else None


def current(board: ZoneBoard) -> Place | None:
    """The zone where the team is; the first one when none says so."""
    return next((p for p in board.places if p.current), board.places[0] if board.places else None)


def large_zones(board: ZoneBoard, cells: Iterable[str] = ()) -> tuple[int, ...]:
    """The numbers of the zones to draw large: the current one, or up to two that hold the cells."""
    here = current(board)
    known = {p.number for p in board.places}
    wanted = {cell[0] for name in cells if (cell := cell_of(name)) is not None} & known
    if here is None:
        return ()
    if not wanted:
        return (here.number,)
    near = sorted(wanted, key=lambda n: (abs(n - here.number), n))
    return tuple(sorted(near[:2]))


class Label(NamedTuple):
    """The words beside a counter: lines with their weight and em."""

    lines: tuple[tuple[str, str, int], ...]

    @property
    def width(self) -> int:
        """Width of the pill, its inner margin included."""
        return max((fonts.width(t, w, px) for t, w, px in self.lines), default=0) + 24

    @property
    def height(self) -> int:
        """Height of the pill."""
        return LINE * len(self.lines) + 10


class Seat(NamedTuple):
    """A token on the picture: the middle of its counter, its size, its words and where they begin."""

    token: Token
    x: float
    y: float
    size: int
    label: Label | None
    label_left: float


def label_of(token: Token, room: int) -> Label | None:
    """What is written beside a counter: a face-down one's name, or name and note."""
    if not token.note and not token.hidden:
        return None
    name = fonts.clean(token.name)
    lines = [(t, fonts.BLACK, NAME) for t in fonts.wrap(name, fonts.BLACK, NAME, room, 2)]
    note = fonts.clean(token.note)
    if note and note.casefold() not in name.casefold():
        lines += [(t, fonts.BOLD, NOTE) for t in fonts.wrap(note, fonts.BOLD, NOTE, room, 2)]
    return Label(tuple(lines)) if lines else None


class ZoneField:
    """The zones drawn large, side by side: a field for overlays, and the seats of the tokens."""

    def __init__(
        self, board: ZoneBoard, zones: Sequence[int], left: int, top: int, width: int, gap: int
    ) -> None:
        self.board = board
        self.zones = tuple(zones)
        self.top = top
        self.above = top
        self.places = {p.number: p for p in board.places if p.number in self.zones}
        count = max(1, len(self.zones))
        self.wide = (width - gap * (count - 1)) // count
        self.high = BAND * len(BANDS)
        self.lefts = {z: left + n * (self.wide + gap) for n, z in enumerate(self.zones)}
        self.size = COUNTER
        self.seats = self._seats()
        self._middle = {c: (s.x, s.y) for s in reversed(self.seats) if (c := cell_of(s.token.cell))}

    def find(self, name: str) -> tuple[int, int] | None:
        """Zone and box of a cell's name, if the zone is drawn large."""
        cell = cell_of(name)
        return cell if cell is not None and cell[0] in self.lefts else None

    def shows(self, x: int, y: int) -> bool:
        """Whether that zone is drawn large."""
        return x in self.lefts and 0 <= y < len(BOXES)

    def area(self, x: int, y: int) -> Box:
        """The rectangle of a box."""
        left, place = self.lefts[x], self.places[x]
        box = BOXES[y]
        row = {"vip": 0, "exit": len(BANDS) - 1}.get(box, y)
        start, stop = 0.0, 1.0
        ground = "".join(place.ground)
        crowded = any(t.cell == f"{x}:long" for t in self.board.tokens)
        if box == "vip":
            start = _VIP_FROM[crowded]
        elif box == "exit":
            start = _EXIT_FROM
        elif box == "long" and self._used(x, "vip", "V" in ground):
            stop = _VIP_FROM[crowded]
        elif box == "team" and self._used(x, "exit", "X" in ground):
            stop = _EXIT_FROM
        top = self.top + row * BAND
        return (round(left + start * self.wide), top, round(left + stop * self.wide), top + BAND)

    def centre(self, x: int, y: int) -> tuple[float, float]:
        """The middle of the counter in a box that came first, or where one would stand."""
        found = self._middle.get((x, y))
        if found is not None:
            return found
        left, top, right, bottom = self.area(x, y)
        return (self._wish(x, y, (left + right) / 2), (top + bottom) / 2)

    def at(self, px: float, py: float) -> tuple[int, int]:
        """The box whose counter is nearest to a pixel."""
        if not self._middle:
            return (0, 0)
        return min(
            self._middle,
            key=lambda c: math.hypot(self._middle[c][0] - px, self._middle[c][1] - py),
        )

    def _used(self, zone: int, box: str, printed: bool) -> bool:
        return printed or any(t.cell == f"{zone}:{box}" for t in self.board.tokens)

    def _wish(self, zone: int, box: int, otherwise: float) -> float:
        """Where the printed map has the box's sign, kept so far from the edges that a counter fits."""
        sign = ("1", "2", "3", "S", "V", "X")[box]
        left, _, right, _ = self.area(zone, box)
        for row in self.places[zone].ground:
            column = row.find(sign)
            if column >= 0:
                x = self.lefts[zone] + (column + 0.5) * self.wide / len(row)
                half = self.size * 0.6
                return max(left + half, min(right - half, x))
        return otherwise

    def _seats(self) -> list[Seat]:
        by_cell: dict[tuple[int, int], list[Token]] = {}
        for token in self.board.tokens:
            cell = self.find(token.cell)
            if cell is not None:
                by_cell.setdefault(cell, []).append(token)
        return [seat for cell, tokens in by_cell.items() for seat in self._row(cell, tokens)]

    def _row(self, cell: tuple[int, int], tokens: Sequence[Token]) -> list[Seat]:
        """The tokens of one box in a row, each with its words to the right, smaller when crowded."""
        left, top, right, bottom = self.area(*cell)
        room = right - left - 20
        size, shown = self.size, list(tokens[:6])
        worded = sum(1 for t in shown if t.note or t.hidden)
        while size > 66 and room - len(shown) * size < worded * 130:
            size -= 4
        each = (room - len(shown) * size) // max(1, worded) - 8
        labels = [label_of(t, min(300, each - 24)) if each >= 90 else None for t in shown]
        while size > 24 and not any(labels) and len(shown) * size > room:
            size -= 4
        total = sum(size + (label.width if label else 0) for label in labels)
        start = self._wish(*cell, (left + right) / 2) - size / 2
        x = max(left + 8, min(start, right - 8 - total))
        y = (top + bottom) / 2
        seats: list[Seat] = []
        for token, label in zip(shown, labels, strict=True):
            edge = size * (0.86 if token.hidden else 1.0)
            seats.append(Seat(token, x + size / 2, y, size, label, x + edge))
            x += edge + (label.width if label else 0)
        return seats

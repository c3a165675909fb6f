"""Where a building's numeral goes: into the widest part of its largest room, as the window shows it."""

from __future__ import annotations

from typing import NamedTuple

from games.kernel.view import Room, SquareBoard
from renderer import fonts
from renderer.layout import Window, square_xy
from renderer.palette import NUMERAL, Colour

_Cell = tuple[int, int]

TICK = " "
"""A badge without its word, where there is no room for it."""


class Numeral(NamedTuple):
    """A numeral and its badge, with their middles in pixels of the board."""

    text: str
    at: tuple[float, float]
    px: int
    colour: Colour
    badge: str
    tone: str
    badge_at: tuple[float, float]


def numerals(board: SquareBoard, window: Window) -> list[Numeral]:
    """The numerals of all buildings of which the window shows something."""
    closed: set[tuple[_Cell, _Cell]] = set()
    for edge in board.map.edges:
        a, b = square_xy(edge.a), square_xy(edge.b)
        if a is not None and b is not None:
            closed.add((min(a, b), max(a, b)))
    found: list[Numeral] = []
    for room in board.rooms:
        block = _block(board, room, window, closed)
        if block is not None:
            found.append(_place(room, block, window))
    return found


def _block(
    board: SquareBoard, room: Room, window: Window, closed: set[tuple[_Cell, _Cell]]
) -> tuple[int, int, int, int] | None:
    """The best free rectangle (left, top, columns, rows): wide first, without letters if possible."""
    cells = [xy for xy in map(square_xy, room.cells) if xy is not None and window.shows(*xy)]
    held = set(cells)
    letters = board.map.letters
    best: tuple[tuple[int, int, int, int], tuple[int, int, int, int]] | None = None
    for x, y in sorted(cells, key=lambda c: (c[1], c[0])):
        for columns in range(1, 7):
            for rows in range(1, 7):
                if not _free(held, closed, x, y, columns, rows):
                    break
                marks = sum(
                    1
                    for j in range(y, y + rows)
                    for i in range(x, x + columns)
                    if j < len(letters) and letters[j][i : i + 1] not in (",", ".")
                )
                score = (min(columns, 3) * min(rows, 2) - 4 * marks, columns * rows, -y, -x)
                if best is None or score > best[0]:
                    best = (score, (x, y, columns, rows))
    return None if best is None else best[1]


def _free(
    held: set[_Cell],
    closed: set[tuple[_Cell, _Cell]],
    left: int,
    top: int,
    columns: int,
    rows: int,
) -> bool:
    """Whether the rectangle lies in the room with no wall, door or window inside."""
    for y in range(top, top + rows):
        for x in range(left, left + columns):
            if (x, y) not in held:
                return False
            if x > left and ((x - 1, y), (x, y)) in closed:
                return False
            if y > top and ((x, y - 1), (x, y)) in closed:
                return False
    return True


def _place(room: Room, block: tuple[int, int, int, int], window: Window) -> Numeral:
    x, y, columns, rows = block
    left, top = window.corner(x, y)
    size = window.size
    middle = (left + columns * size / 2, top + rows * size / 2)
    badge_at = middle
    room_for_name = columns * size * 0.8
    most = size * (0.92 if rows > 1 else 0.75)
    badge = room.badge
    if badge and rows == 1 and columns > 2:
        room_for_name = size * (columns - 1.8)
        middle = (left + (columns - 1.6) * size / 2, middle[1])
        badge_at = (left + (columns - 0.85) * size, middle[1])
    elif badge and rows == 1:
        badge = TICK
        most *= 0.8
        room_for_name = size * (columns - 0.5) * 0.8
        middle = (middle[0] - size * 0.25, middle[1])
        badge_at = (left + (columns - 0.32) * size, middle[1])
    text, px = fonts.fit(room.name, fonts.BLACK, round(most * 0.9), round(room_for_name), 10)
    if badge and badge_at == middle:
        middle = (middle[0], middle[1] - size * 0.18)
        badge_at = (middle[0], middle[1] + px * 0.48 + size * 0.28)
    return Numeral(text, middle, px, NUMERAL, badge, room.tone, badge_at)

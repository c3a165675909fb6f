"""Where the squares of a board lie on a picture: names, the window shown, pixel positions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple, Protocol

WIDE: Final = 1120
"""Pixels a whole board may be wide."""

CLOSE: Final = 1000
"""Pixels a crop aims to be wide."""

COLUMNS: Final = 9
"""Columns of a crop: a phone 412 pixels wide then shows squares of 40 or more.

Crops have the same scale wherever the board is wide enough; only cells farther apart make it smaller.
"""

LEAST_ROWS: Final = 6
MOST_ROWS: Final = 10


@lru_cache(maxsize=8192)
def square_xy(name: str) -> tuple[int, int] | None:
    """Column and row (from 0) of a square's name such as `AB12`; None when it is not one."""
    letters = name.rstrip("0123456789")
    digits = name[len(letters) :]
    if not letters or not digits or len(letters) > 3 or len(digits) > 4 or not letters.isascii():
        return None
    x = 0
    for char in letters.upper():
        if not "A" <= char <= "Z":
            return None
        x = x * 26 + ord(char) - 64
    y = int(digits)
    return (x - 1, y - 1) if y >= 1 else None


def column_name(x: int) -> str:
    """Letters of column `x` (from 0): A to Z, then AA."""
    name = ""
    x += 1
    while x:
        x, rest = divmod(x - 1, 26)
        name = chr(65 + rest) + name
    return name


class Field(Protocol):
    """Where the cells of any kind of board lie on a picture, as overlays need it.

    A cell is a pair of numbers.
    """

    @property
    def size(self) -> int:
        """Side of a counter's square, in pixels."""
        ...

    @property
    def above(self) -> int:
        """Pixels over the board."""
        ...

    def find(self, name: str) -> tuple[int, int] | None:
        """The cell of that name; None when the board has none."""
        ...

    def shows(self, x: int, y: int) -> bool:
        """Whether the cell is on the picture."""
        ...

    def centre(self, x: int, y: int) -> tuple[float, float]:
        """Middle of the cell or of the counter on it, in pixels."""
        ...

    def area(self, x: int, y: int) -> tuple[int, int, int, int]:
        """The cell's rectangle in pixels: left, top, right, bottom (exclusive)."""
        ...

    def at(self, px: float, py: float) -> tuple[int, int]:
        """The cell at a pixel."""
        ...


class Window(NamedTuple):
    """The part of a board on the picture: first column and row, how many, size of a square in pixels.

    `margin` is the strip for coordinates on each side, `above` what lies over the board, in pixels.
    """

    left: int
    top: int
    columns: int
    rows: int
    size: int
    margin: int
    above: int = 0

    @property
    def width(self) -> int:
        """Width of the board with its coordinates, in pixels."""
        return self.columns * self.size + 2 * self.margin

    @property
    def height(self) -> int:
        """Height of the board with its coordinates, in pixels."""
        return self.rows * self.size + 2 * self.margin

    def shows(self, x: int, y: int) -> bool:
        """Whether the square lies in the window."""
        inside = self.left <= x < self.left + self.columns
        return inside and self.top <= y < self.top + self.rows

    def find(self, name: str) -> tuple[int, int] | None:
        """Column and row of a square's name."""
        return square_xy(name)

    def area(self, x: int, y: int) -> tuple[int, int, int, int]:
        """The square in pixels."""
        left, top = self.corner(x, y)
        return (left, top, left + self.size, top + self.size)

    def at(self, px: float, py: float) -> tuple[int, int]:
        """The square at a pixel."""
        x = int((px - self.margin) // self.size) + self.left
        return (x, int((py - self.margin - self.above) // self.size) + self.top)

    def corner(self, x: int, y: int) -> tuple[int, int]:
        """Upper left pixel of the square."""
        return (
            self.margin + (x - self.left) * self.size,
            self.above + self.margin + (y - self.top) * self.size,
        )

    def centre(self, x: int, y: int) -> tuple[float, float]:
        """Middle of the square, in pixels."""
        px, py = self.corner(x, y)
        return (px + self.size / 2, py + self.size / 2)


def whole(width: int, height: int) -> Window:
    """The window of a whole board of so many columns and rows."""
    size = max(12, min(66, (WIDE - 60) // max(1, width), 1500 // max(1, height)))
    return Window(0, 0, width, height, size, max(26, min(34, round(size * 0.7))))


def closeup(width: int, height: int, cells: Iterable[str]) -> Window | None:
    """The window around those squares with a margin of one; None if none is on the board."""
    spots = [xy for xy in map(square_xy, cells) if xy is not None]
    spots = [(x, y) for x, y in spots if x < width and y < height]
    if not spots:
        return None
    xs, ys = [x for x, _ in spots], [y for _, y in spots]
    left, columns = _span(min(xs), max(xs), width, COLUMNS, COLUMNS)
    top, rows = _span(min(ys), max(ys), height, LEAST_ROWS, MOST_ROWS)
    margin = 36
    size = max(24, min(130, (CLOSE - 2 * margin) // columns, 1300 // rows))
    return Window(left, top, columns, rows, size, margin)


def _span(first: int, last: int, most: int, least: int, aim: int) -> tuple[int, int]:
    """Start and length: one square of margin unless that passes `aim`, at least `least` long."""
    length = last - first + 1
    want = max(min(length + 2, max(aim, length)), least)
    want = min(want, most)
    start = first - (want - length + 1) // 2 if want > length else first
    start = max(0, min(start, most - want))
    return start, want

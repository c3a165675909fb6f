"""The printed ground of zone boards: calm flat areas with small marks, drawn from terrain letters.

Areas of one letter flow together: the grid is enlarged smoothly and cut at half its height. Streets,
buildings, fields and hedges keep to the grid. `cell` is width and height of a letter in pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PIL import Image, ImageDraw

from renderer.cache import GROUNDS, STAMPS
from renderer.palette import (
    DUNE,
    DUNE_MARK,
    FIELD,
    FIELD_MARK,
    GRASS,
    GRASS_MARK,
    GROUND,
    HEDGE,
    JUNGLE,
    JUNGLE_MARK,
    PAPER,
    ROCK,
    ROCK_MARK,
    ROOF,
    ROOF_MARK,
    RUIN,
    RUIN_MARK,
    SAND,
    SAND_MARK,
    SCRUB,
    SCRUB_MARK,
    STREET,
    WATER,
    WATER_MARK,
    WOOD,
    WOOD_MARK,
    Colour,
)
from renderer.shapes import Pen, moved, regular, turned

FLOWING: Final[dict[str, Colour]] = {
    ",": SCRUB, "g": GRASS, "h": GRASS, "f": FIELD, "s": SAND, "d": DUNE, "k": ROCK, "r": RUIN,
    "t": WOOD, "T": JUNGLE, "~": WATER,
}  # fmt: skip
"""Letters whose areas flow together, in the order of drawing."""

BLOCKS: Final[dict[str, Colour]] = {"=": STREET, "#": ROOF}
"""Letters that fill their cells up to the edge."""

LETTERS: Final = frozenset((".", *FLOWING, *BLOCKS))
"""Every terrain letter that has a picture of its own."""

SMOOTH: Final = 2
"""How many times too large areas are cut before they are reduced."""


def terrain(rows: tuple[str, ...], first: int, columns: int, cell: tuple[int, int]) -> Image.Image:
    """The ground of so many columns from `first` on, RGB; shared, so do not draw on it.

    `rows` are those of the whole board, so that areas run on across the edge.
    """
    key = ("terrain", rows, first, columns, cell)
    return GROUNDS.get(key, lambda: _Terrain(rows, first, columns, cell).draw())


class _Terrain:
    def __init__(
        self, rows: tuple[str, ...], first: int, columns: int, cell: tuple[int, int]
    ) -> None:
        self.rows = rows
        self.first = first
        self.columns = columns
        self.cell = cell
        self.unit = min(cell[0] * 0.8, cell[1])
        self.size = (columns * cell[0], len(rows) * cell[1])
        self.image = Image.new("RGB", self.size, GROUND)
        self.pen = ImageDraw.Draw(self.image)

    def letter(self, x: int, y: int) -> str:
        """The letter at a column of the window and a row; beyond the board the nearest one."""
        if not self.rows:
            return "."
        row = self.rows[max(0, min(len(self.rows) - 1, y))]
        column = max(0, min(len(row) - 1, x + self.first))
        return row[column] if row else "."

    def draw(self) -> Image.Image:
        """Areas first, then blocks, then every cell's marks from top to bottom."""
        for letters in ((",",), ("g", "h"), *((c,) for c in FLOWING if c not in ",gh")):
            self._area(letters, FLOWING[letters[0]])
        for letter, colour in BLOCKS.items():
            self._blocks(letter, colour)
        for y in range(len(self.rows)):
            for x in range(-1, self.columns + 1):
                self._marks(x, y)
        return self.image

    def _area(self, letters: tuple[str, ...], colour: Colour) -> None:
        grid = Image.new("L", (self.columns + 2, len(self.rows) + 2))
        found = False
        for y in range(-1, len(self.rows) + 1):
            for x in range(-1, self.columns + 1):
                if self.letter(x, y) in letters:
                    grid.putpixel((x + 1, y + 1), 255)
                    found = True
        if not found:
            return
        wide, high = self.cell[0] * SMOOTH, self.cell[1] * SMOOTH
        full = (grid.width * wide, grid.height * high)
        large = grid.resize(full, Image.Resampling.BICUBIC)  # pyright: ignore[reportUnknownMemberType]
        large = large.crop((wide, high, large.width - wide, large.height - high))
        sharp = large.point([0] * 118 + [255] * 138)  # pyright: ignore[reportUnknownMemberType]
        mask = sharp.reduce(SMOOTH)
        self.image.paste(colour, (0, 0), mask)

    def _blocks(self, letter: str, colour: Colour) -> None:
        wide, high = self.cell
        for y in range(len(self.rows)):
            for x in range(self.columns):
                if self.letter(x, y) == letter:
                    box = (x * wide, y * high, (x + 1) * wide - 1, (y + 1) * high - 1)
                    self.pen.rectangle(box, colour)

    def _marks(self, x: int, y: int) -> None:
        letter = self.letter(x, y)
        left, top = x * self.cell[0], y * self.cell[1]
        if letter == "#":
            self._roof(x, y)
        elif letter == "=":
            self._street(x, y)
        elif letter == "f":
            self._furrows(left, top)
        elif letter == "h":
            self._hedge(x, y)
        elif letter in GLYPHS:
            turn = _scatter(x + self.first, y)
            stamp = _glyph(letter, round(self.unit), turn % 3)
            dx = ((turn >> 3) % 7 - 3) / 3 * self.cell[0] * 0.13
            dy = ((turn >> 6) % 7 - 3) / 3 * self.cell[1] * 0.10
            centre = (left + self.cell[0] / 2 + dx, top + self.cell[1] / 2 + dy)
            at = (round(centre[0] - stamp.width / 2), round(centre[1] - stamp.height / 2))
            self.image.paste(stamp, at, stamp)

    def _roof(self, x: int, y: int) -> None:
        """Edges where the building ends, and a skylight."""
        wide, high = self.cell
        left, top = x * wide, y * high
        right, bottom = left + wide - 1, top + high - 1
        thick = max(2, round(self.unit * 0.08))
        for dx, dy, box in (
            (0, -1, (left, top, right, top + thick - 1)),
            (0, 1, (left, bottom - thick + 1, right, bottom)),
            (-1, 0, (left, top, left + thick - 1, bottom)),
            (1, 0, (right - thick + 1, top, right, bottom)),
        ):
            if self.letter(x + dx, y + dy) != "#":
                self.pen.rectangle(box, ROOF_MARK)
        turn = _scatter(x + self.first, y)
        if turn % 3 == 0:
            return
        w, h = self.unit * 0.26, self.unit * 0.17
        cx = left + wide * (0.35 if turn % 2 else 0.62)
        cy = top + high * (0.40 if turn % 5 < 3 else 0.6)
        box = (round(cx - w / 2), round(cy - h / 2), round(cx + w / 2), round(cy + h / 2))
        self.pen.rectangle(box, ROOF_MARK)

    def _street(self, x: int, y: int) -> None:
        """A short pale line along the street's middle."""
        wide, high = self.cell
        cx, cy = x * wide + wide // 2, y * high + high // 2
        flat = self.letter(x - 1, y) == "=" or self.letter(x + 1, y) == "="
        tall = self.letter(x, y - 1) == "=" or self.letter(x, y + 1) == "="
        long, thin = round(self.unit * 0.22), max(1, round(self.unit * 0.035))
        if flat and not tall:
            self.pen.rectangle((cx - long, cy - thin, cx + long, cy + thin), PAPER)
        elif tall and not flat:
            self.pen.rectangle((cx - thin, cy - long, cx + thin, cy + long), PAPER)

    def _furrows(self, left: int, top: int) -> None:
        wide, high = self.cell
        thin = max(1, round(self.unit * 0.04))
        for n in range(3):
            y = round(top + high * (n + 0.5) / 3)
            inset = round(wide * (0.10 + 0.05 * (n % 2)))
            box = (left + inset, y, left + wide - inset, y + thin)
            self.pen.rectangle(box, FIELD_MARK)

    def _hedge(self, x: int, y: int) -> None:
        """A row of round bushes; it reaches over to hedges beside and below."""
        wide, high = self.cell
        cx, cy = x * wide + wide / 2, y * high + high / 2
        spots = [(cx, cy)]
        if self.letter(x + 1, y) == "h":
            spots += [(cx + wide / 3, cy), (cx + wide * 2 / 3, cy)]
        if self.letter(x, y + 1) == "h":
            spots.append((cx, cy + high / 2))
        stamp = _bush(round(self.unit))
        for n, (px, py) in enumerate(spots):
            shift = self.unit * (0.05 if n % 2 else -0.03)
            at = (round(px - stamp.width / 2), round(py + shift - stamp.height / 2))
            self.image.paste(stamp, at, stamp)


def _scatter(x: int, y: int) -> int:
    """A number that looks random and is the same for the same cell."""
    n = (x * 374761393 + y * 668265263 + 974634211) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return n ^ (n >> 16)


def _tufts(pen: Pen, u: float, turn: int) -> None:
    for dx, dy in ((-0.22, 0.12), (0.2, -0.06))[: 1 + turn % 2]:
        for lean in (-0.12, 0.0, 0.12):
            foot, tip = (dx * u, (dy + 0.12) * u), ((dx + lean) * u, (dy - 0.1) * u)
            pen.line([foot, tip], SCRUB_MARK, u * 0.05)


def _blades(pen: Pen, u: float, turn: int) -> None:
    for n, dx in enumerate((-0.3, -0.08, 0.14, 0.34)):
        dy = 0.14 * ((n + turn) % 3 - 1)
        pen.line(
            [(dx * u, (dy + 0.15) * u), ((dx + 0.05) * u, (dy - 0.15) * u)], GRASS_MARK, u * 0.06
        )


def _crown(pen: Pen, at: tuple[float, float], r: float, dark: Colour, light: Colour) -> None:
    pen.disc(at, r, dark)
    pen.disc((at[0] - r * 0.22, at[1] - r * 0.24), r * 0.6, light)


def _trees(pen: Pen, u: float, turn: int) -> None:
    spots = ((-0.16, 0.04, 0.27), (0.22, -0.12, 0.2))
    for dx, dy, r in spots[: 2 if turn else 1]:
        _crown(pen, (dx * u, dy * u), r * u, WOOD_MARK, WOOD)


def _thicket(pen: Pen, u: float, turn: int) -> None:
    spots = ((-0.24, -0.12, 0.24), (0.24, -0.16, 0.22), (0.02, 0.16, 0.28))
    for n, (dx, dy, r) in enumerate(spots):
        grow = 1.0 + 0.12 * ((n + turn) % 3 - 1)
        _crown(pen, (dx * u, dy * u), r * u * grow, JUNGLE_MARK, JUNGLE)


def _waves(pen: Pen, u: float, turn: int) -> None:
    for n, dy in enumerate((-0.16, 0.16)):
        shift = 0.12 * ((n + turn) % 3 - 1)
        points = [
            ((shift + dx) * u, (dy + lift) * u)
            for dx, lift in ((-0.3, 0.03), (-0.15, -0.05), (0.0, 0.03), (0.15, -0.05), (0.3, 0.03))
        ]
        pen.line(points, WATER_MARK, u * 0.06)


def _rubble(pen: Pen, u: float, turn: int) -> None:
    angles = ((0.97, 0.25), (0.80, -0.60), (0.60, 0.80))
    for n, (dx, dy, r) in enumerate(((-0.24, -0.1, 0.17), (0.2, -0.16, 0.12), (0.08, 0.18, 0.15))):
        corner = turned(regular(4, r * u, 45), angles[(n + turn) % 3])
        pen.polygon(moved(corner, (dx * u, dy * u)), RUIN_MARK)


def _grains(pen: Pen, u: float, turn: int) -> None:
    for n, (dx, dy) in enumerate(((-0.3, -0.2), (0.05, 0.05), (0.3, -0.14), (-0.12, 0.26))):
        if n != turn:
            pen.disc((dx * u, dy * u), u * 0.045, SAND_MARK)


def _crest(pen: Pen, u: float, turn: int) -> None:
    flip = -1 if turn == 1 else 1
    points = [(-0.42, 0.16), (-0.22, -0.06), (0.02, -0.15), (0.24, -0.04), (0.42, 0.14)]
    pen.line([(flip * x * u, y * u) for x, y in points], DUNE_MARK, u * 0.07)


def _stones(pen: Pen, u: float, turn: int) -> None:
    for dx, dy, r in ((-0.18, 0.04, 0.26), (0.24, 0.1, 0.17))[: 2 if turn else 1]:
        stone = [(-1.0, 0.35), (-0.62, -0.5), (0.1, -0.75), (0.8, -0.3), (1.0, 0.4), (0.3, 0.65)]
        pen.polygon([(dx * u + x * r * u, dy * u + y * r * u) for x, y in stone], ROCK_MARK)
        top = [(-0.55, -0.3), (0.08, -0.52), (0.5, -0.18), (0.0, 0.0)]
        pen.polygon([(dx * u + x * r * u, dy * u + y * r * u) for x, y in top], ROCK)


GLYPHS: Final[dict[str, Callable[[Pen, float, int], None]]] = {
    ",": _tufts, "g": _blades, "t": _trees, "T": _thicket, "~": _waves, "r": _rubble, "s": _grains,
    "d": _crest, "k": _stones,
}  # fmt: skip
"""What is drawn once in each cell of a letter, in one of three variants."""


def _glyph(letter: str, unit: int, turn: int) -> Image.Image:
    def make() -> Image.Image:
        pen = Pen(unit * 1.1, unit * 1.1)
        GLYPHS[letter](pen, unit, turn)
        return pen.done()

    return STAMPS.get(("terrain", letter, unit, turn), make)


def _bush(unit: int) -> Image.Image:
    def make() -> Image.Image:
        pen = Pen(unit * 0.7, unit * 0.7)
        _crown(pen, (0, 0), unit * 0.27, HEDGE, GRASS_MARK)
        return pen.done()

    return STAMPS.get(("bush", unit), make)

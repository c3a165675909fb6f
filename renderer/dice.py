"""Dice as they lie on a table: pips on six-sided ones, an outline with a number on all others.

A die that shows what it needs is yellow, one that does not is dark; dice that are only read or added
are white. `size` is a die's side in pixels.
"""

from __future__ import annotations

from typing import Final

from PIL import Image

from games.kernel.event import Throw
from renderer import fonts
from renderer.cache import STAMPS
from renderer.palette import DIM, INK, PANEL_EDGE, WHITE, YELLOW, Colour
from renderer.shapes import Pen, regular
from renderer.sheet import PIPS, Sheet

LOOKS: Final[dict[str, tuple[Colour, Colour, Colour]]] = {
    "plain": (WHITE, INK, WHITE),
    "good": (YELLOW, INK, WHITE),
    "short": (PANEL_EDGE, DIM, DIM),
}
"""Fill, pips and rim of dice."""


def look_of(throw: Throw, value: int) -> str:
    """How a die of the throw is drawn."""
    if not throw.need:
        return "plain"
    return "good" if value >= throw.need else "short"


def draw_throw(
    sheet: Sheet, throw: Throw, left: float, middle: float, size: int, room: int
) -> float:
    """The dice of a throw in a row from `left` on, smaller if `room` pixels do not hold them.

    Returns the column where they end.
    """
    dice = throw.dice[:24]
    if not dice:
        return left
    gap = max(3, size // 9)
    each = max(14, min(size, (room - gap * (len(dice) - 1)) // len(dice)))
    for n, value in enumerate(dice):
        centre = (left + each / 2 + n * (each + gap), middle)
        sheet.stamp(die(value, throw.sides, look_of(throw, value), each), centre)
    return left + len(dice) * (each + gap) - gap


def die(value: int, sides: int, look: str, size: int) -> Image.Image:
    """One die as a stamp."""

    def make() -> Image.Image:
        pen = Pen(size, size)
        if sides == 6 and value in PIPS:
            _cube(pen, value, look, size)
        elif sides == 10:
            _kite(pen, value, look, size)
        else:
            _other(pen, value, look, size)
        return pen.done()

    return STAMPS.get(("test die", value, sides, look, size), make)


def _cube(pen: Pen, value: int, look: str, size: int) -> None:
    fill, ink, rim = LOOKS[look]
    half, edge = size / 2, max(1.6, size * 0.045)
    pen.round_box(-half, -half, half, half, size * 0.2, rim)
    pen.round_box(-half + edge, -half + edge, half - edge, half - edge, size * 0.17, fill)
    for x, y in PIPS[value]:
        pen.disc((x * size * 0.24, y * size * 0.24), size * 0.098, ink)


def _kite(pen: Pen, value: int, look: str, size: int) -> None:
    """A ten-sided die: its outline, the front face, the number on it."""
    fill, ink, rim = LOOKS[look]
    outline = [(0, -0.5), (0.5, -0.1), (0.5, 0.12), (0, 0.5), (-0.5, 0.12), (-0.5, -0.1)]
    edge = max(1.4, size * 0.035)
    inner = 1 - 2.4 * edge / size
    pen.polygon([(x * size, y * size) for x, y in outline], rim)
    pen.polygon([(x * size * inner, y * size * inner) for x, y in outline], fill)
    thin = max(1.0, size * 0.025)
    line = DIM if look != "short" else INK
    for points in (
        [(0, -0.48), (-0.33, 0.15), (0, 0.3), (0.33, 0.15), (0, -0.48)],
        [(-0.33, 0.15), (-0.47, 0.1)],
        [(0.33, 0.15), (0.47, 0.1)],
        [(0, 0.3), (0, 0.47)],
    ):
        pen.line([(x * size * inner, y * size * inner) for x, y in points], line, thin)
    text, px = fonts.fit(str(value), fonts.BLACK, round(size * 1.6), round(size * 1.9), 12)
    pen.text((0, size * 0.02), text, fonts.BLACK, px / 4, ink)


def _other(pen: Pen, value: int, look: str, size: int) -> None:
    fill, ink, rim = LOOKS[look]
    edge = max(1.4, size * 0.035)
    pen.polygon(regular(6, size / 2), rim)
    pen.polygon(regular(6, size / 2 - edge), fill)
    text, px = fonts.fit(str(value), fonts.BLACK, round(size * 1.8), round(size * 2.4), 12)
    pen.text((0, 0), text, fonts.BLACK, px / 4, ink)

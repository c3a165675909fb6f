"""A sheet to lay strips out on: smooth panels, pills, dice, counters and lines of text, in pixels."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from games.kernel.view import Badge
from renderer import counters, fonts
from renderer.cache import STAMPS
from renderer.palette import INK, NIGHT, WHITE, Colour, tone
from renderer.shapes import Pen

WIDTH: Final = 1000
PAD: Final = 28
INNER: Final = WIDTH - 2 * PAD

PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class Sheet:
    """An RGB image of `WIDTH` pixels and a given height, with drawing in the house style."""

    def __init__(self, height: int, ground: Colour = NIGHT) -> None:
        self.image = Image.new("RGB", (WIDTH, height), ground)
        self.pen = ImageDraw.Draw(self.image)

    def panel(
        self, left: int, top: int, right: int, bottom: int, colour: Colour, radius: int = 14
    ) -> None:
        """A filled rectangle with smooth round corners; `right` and `bottom` are exclusive."""
        radius = min(radius, (right - left) // 2, (bottom - top) // 2)
        if radius < 1:
            self.pen.rectangle((left, top, right - 1, bottom - 1), colour)
            return
        inner, low, high = (left + radius, right - radius - 1), top + radius, bottom - radius - 1
        if high >= low:
            self.pen.rectangle((left, low, right - 1, high), colour)
        if inner[1] >= inner[0]:
            self.pen.rectangle((inner[0], top, inner[1], low - 1), colour)
            self.pen.rectangle((inner[0], high + 1, inner[1], bottom - 1), colour)
        for n, corner in enumerate(_corners(radius)):
            x, y = right - radius if n % 2 else left, bottom - radius if n > 1 else top
            self.image.paste(colour, (x, y), corner)

    def text(
        self,
        at: tuple[float, float],
        text: str,
        px: int,
        colour: Colour,
        *,
        weight: str = fonts.BOLD,
        anchor: str = "lm",
        room: int = 0,
        least: int = 0,
    ) -> int:
        """One line, fitted into `room` pixels if given; returns its width in pixels."""
        if room:
            text, px = fonts.fit(text, weight, px, room, least or px)
        return fonts.write(self.image, at, text, weight, px, colour, anchor)

    def stamp(self, image: Image.Image, centre: tuple[float, float]) -> None:
        """Paste an RGBA image centred there."""
        spot = (round(centre[0] - image.width / 2), round(centre[1] - image.height / 2))
        self.image.paste(image, spot, image)

    def badge(self, face: Badge, centre: tuple[float, float], size: int) -> None:
        """A counter's face, as on a board of squares of `size` pixels."""
        self.stamp(counters.badge(face, size), centre)

    def die(self, value: int, face: Badge, centre: tuple[float, float], size: int) -> None:
        """A die in the tone of the one who threw it."""
        self.stamp(_die(value, face.tone, size), centre)

    def dice(
        self, values: tuple[int, ...], face: Badge, left: float, middle: float, size: int, room: int
    ) -> None:
        """Dice in a row from `left` on; they shrink to fit into `room` pixels."""
        if not values:
            return
        each = min(size, (room - 6 * (len(values) - 1)) // len(values))
        for n, value in enumerate(values):
            self.die(value, face, (left + each / 2 + n * (each + 6), middle), max(16, each))


@lru_cache(maxsize=64)
def _corners(radius: int) -> tuple[Image.Image, ...]:
    """Masks of the four corners of a panel: upper left, upper right, lower left, lower right."""
    big = Image.new("L", (8 * radius, 8 * radius))
    ImageDraw.Draw(big).ellipse((0, 0, 8 * radius - 1, 8 * radius - 1), 255)
    disc = big.reduce(4)
    boxes = [(x, y, x + radius, y + radius) for y in (0, radius) for x in (0, radius)]
    return tuple(disc.crop(box) for box in boxes)


def _die(value: int, name: str, size: int) -> Image.Image:
    def make() -> Image.Image:
        look = tone(name)
        pen = Pen(size, size)
        half = size / 2
        pen.round_box(-half, -half, half, half, size * 0.2, WHITE)
        edge = max(2.0, size * 0.045)
        pen.round_box(-half + edge, -half + edge, half - edge, half - edge, size * 0.17, look.fill)
        if name == "white":
            pen.round_box(-half, -half, half, half, size * 0.2, INK)
            pen.round_box(-half + 2, -half + 2, half - 2, half - 2, size * 0.18, WHITE)
        pips = PIPS.get(value)
        if pips is None:
            pen.text((0, 0), str(value), fonts.BLACK, size * 0.5, look.text)
        else:
            for x, y in pips:
                pen.disc((x * size * 0.24, y * size * 0.24), size * 0.098, look.text)
        return pen.done()

    return STAMPS.get(("die", value, name, size), make)

"""Plane shapes: outlines of counters, arrows, bursts; and the supersampled pen that draws them.

Everything is drawn three or four times too large and reduced, which smooths the edges. Lengths given to
a `Pen` are pixels of the finished image and may be fractions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeAlias

from PIL import Image, ImageDraw

from renderer.fonts import font
from renderer.palette import Colour

Point: TypeAlias = tuple[float, float]
Paint: TypeAlias = Colour | tuple[int, int, int, int]

DIRECTIONS: Final[tuple[Point, ...]] = tuple(
    (math.sin(k * math.pi / 4), -math.cos(k * math.pi / 4)) for k in range(8)
)
"""Unit vectors of the eight facings, clockwise from north."""


class Pen:
    """Draws on a transparent image of `width` x `height` pixels, with the origin at its centre."""

    def __init__(self, width: float, height: float, back: Colour = (0, 0, 0)) -> None:
        self.width = math.ceil(width)
        self.height = math.ceil(height)
        self.scale = 4 if max(width, height) <= 120 else 3
        size = (self.width * self.scale, self.height * self.scale)
        self.image = Image.new("RGBA", size, (*back, 0))
        self._draw = ImageDraw.Draw(self.image)

    def _at(self, point: Point) -> Point:
        return ((point[0] + self.width / 2) * self.scale, (point[1] + self.height / 2) * self.scale)

    def polygon(self, points: Sequence[Point], fill: Paint) -> None:
        """A filled polygon."""
        self._draw.polygon([self._at(p) for p in points], fill)

    def outline(self, points: Sequence[Point], fill: Paint, width: float) -> None:
        """The closed line through the points, `width` pixels thick, with round corners."""
        self.line([*points, points[0]], fill, width)

    def line(self, points: Sequence[Point], fill: Paint, width: float) -> None:
        """A line through the points with round joints and ends."""
        ends = [self._at(p) for p in points]
        thick = max(1, round(width * self.scale))
        self._draw.line(ends, fill, thick)
        r = thick / 2
        for x, y in ends:
            self._draw.ellipse((x - r, y - r, x + r, y + r), fill)

    def disc(self, centre: Point, radius: float, fill: Paint) -> None:
        """A filled circle."""
        x, y = self._at(centre)
        r = radius * self.scale
        self._draw.ellipse((x - r, y - r, x + r, y + r), fill)

    def ring(self, centre: Point, radius: float, fill: Paint, width: float) -> None:
        """A circle line, its outer edge at `radius`."""
        x, y = self._at(centre)
        r = radius * self.scale
        self._draw.ellipse(
            (x - r, y - r, x + r, y + r), None, fill, max(1, round(width * self.scale))
        )

    def box(self, left: float, top: float, right: float, bottom: float, fill: Paint) -> None:
        """A filled rectangle."""
        self._draw.rectangle((*self._at((left, top)), *self._at((right, bottom))), fill)

    def round_box(
        self, left: float, top: float, right: float, bottom: float, radius: float, fill: Paint
    ) -> None:
        """A filled rectangle with round corners."""
        box = (*self._at((left, top)), *self._at((right, bottom)))
        self._draw.rounded_rectangle(box, radius * self.scale, fill)

    def text(self, centre: Point, text: str, weight: str, px: float, fill: Paint) -> None:
        """Text centred on its capitals."""
        face = font(weight, round(px * self.scale))
        self._draw.text(self._middle(centre, px), text, fill, face, anchor="ms")

    def _middle(self, centre: Point, px: float) -> Point:
        x, y = self._at(centre)
        return (x, y + px * self.scale * 0.361)

    def mask(self, points: Sequence[Point]) -> Image.Image:
        """A mask (mode L, in the large scale) that is set inside the polygon."""
        mask = Image.new("L", self.image.size)
        ImageDraw.Draw(mask).polygon([self._at(p) for p in points], 255)
        return mask

    def through(self, mask: Image.Image, other: Pen) -> None:
        """Paste another pen's drawing where the mask is set (and it is opaque)."""
        both = Image.new("L", self.image.size)
        both.paste(mask, (0, 0), other.image.getchannel("A"))
        self.image.paste(other.image, (0, 0), both)

    def done(self) -> Image.Image:
        """The finished RGBA image."""
        small = self.image.convert("RGBa").reduce(self.scale)
        return small.convert("RGBA")


def turned(points: Sequence[Point], direction: Point) -> list[Point]:
    """Points given for north (0, -1), turned to the unit vector."""
    dx, dy = direction
    return [(-x * dy - y * dx, x * dx - y * dy) for x, y in points]


def moved(points: Sequence[Point], by: Point) -> list[Point]:
    """Points shifted."""
    return [(x + by[0], y + by[1]) for x, y in points]


def regular(corners: int, radius: float, first: float = 0.0) -> list[Point]:
    """A regular polygon; `first` is the angle of its first corner in degrees clockwise from north."""
    angles = [math.radians(first + 360 * k / corners) for k in range(corners)]
    return [(radius * math.sin(a), -radius * math.cos(a)) for a in angles]


def burst(points: int, outer: float, inner: float, first: float = 0.0) -> list[Point]:
    """A star of so many points."""
    step = 180 / points
    out: list[Point] = []
    for k in range(2 * points):
        r = outer if k % 2 == 0 else inner
        a = math.radians(first + step * k)
        out.append((r * math.sin(a), -r * math.cos(a)))
    return out


def rounded(half_width: float, half_height: float, radius: float) -> list[Point]:
    """A rectangle around the origin with round corners."""
    out: list[Point] = []
    for cx, cy, start in (
        (half_width - radius, -half_height + radius, 0),
        (half_width - radius, half_height - radius, 90),
        (-half_width + radius, half_height - radius, 180),
        (-half_width + radius, -half_height + radius, 270),
    ):
        for step in range(7):
            a = math.radians(start + 15 * step)
            out.append((cx + radius * math.sin(a), cy - radius * math.cos(a)))
    return out


def counter_outline(shape: str, size: float, grow: float = 0.0) -> list[Point]:
    """The outline of a counter on squares of `size` pixels, pushed outwards by `grow` pixels."""
    if shape == "square":
        half = size * 0.388 + grow
        return rounded(half, half, size * 0.08 + grow * 0.8)
    if shape == "hexagon":
        return regular(6, size * 0.46 + grow * 1.155, 90)
    if shape == "diamond":
        return regular(4, size * 0.485 + grow * 1.414)
    if shape == "circle":
        return regular(40, size * 0.405 + grow)
    if shape == "block":
        return rounded(size * 0.44 + grow, size * 0.30 + grow, size * 0.07 + grow * 0.7)
    if shape == "chip":
        half = size * 0.27 + grow
        return rounded(half, half, size * 0.09 + grow)
    return burst(10, size * 0.45 + grow * 1.2, size * 0.36 + grow)


def reach_of(outline: Sequence[Point], direction: Point) -> float:
    """How far the outline extends along the unit vector: where a ray from the centre leaves it."""
    dx, dy = direction
    best = 0.0
    for (x1, y1), (x2, y2) in zip(outline, [*outline[1:], outline[0]], strict=True):
        ex, ey = x2 - x1, y2 - y1
        cross = dx * ey - dy * ex
        if abs(cross) < 1e-9:
            continue
        along = (x1 * ey - y1 * ex) / cross
        share = (x1 * dy - y1 * dx) / cross
        if along > 0 and -1e-6 <= share <= 1 + 1e-6:
            best = max(best, along)
    return best

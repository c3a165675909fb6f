"""What is drawn over a board: the last action, and the help shown while choosing.

Fills lie under the counters, rings, lines of fire and labels over them. Lines are chains of small
stamps that are kept, so nothing large is ever supersampled. A kind nobody knows gets a pink ring.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import Final

from PIL import Image, ImageDraw

from games.kernel.view import Mark
from renderer import fonts
from renderer.cache import STAMPS
from renderer.layout import Field
from renderer.palette import (
    ARC_SHARE,
    BLAST,
    BLAST_SHARE,
    CRIT,
    FIRE,
    INK,
    PATH,
    REACH,
    REACH_SHARE,
    UNKNOWN_TONE,
    WHITE,
    YELLOW,
    Colour,
    tone,
)
from renderer.shapes import Pen, Point, burst, turned

FILLS: Final[dict[str, tuple[Colour, float]]] = {
    "arc": (YELLOW, ARC_SHARE),
    "reach": (REACH, REACH_SHARE),
    "blast": (BLAST, BLAST_SHARE),
}
"""Kinds that tint whole squares: colour and how much of it."""

RINGS: Final = ("blocked", "hit", "target", "spot")
LINES: Final = ("path", "fire")
SUPPORTED: Final = tuple(dict.fromkeys((*LINES, *RINGS, *FILLS)))
"""Every mark kind this module draws on purpose."""


class Overlay:
    """Draws marks onto the picture of a board."""

    def __init__(self, image: Image.Image, window: Field, occupied: Iterable[str]) -> None:
        self.image = image
        self.window = window
        self.occupied = {xy for xy in map(window.find, occupied) if xy is not None}
        self.picked: frozenset[tuple[int, int]] = frozenset()
        self.lift = 0.44
        """How far above a counter's middle labels are, as a share of its square."""

    def under(self, marks: Sequence[Mark]) -> None:
        """What lies beneath the counters: tints, paths, frames of what is new."""
        for kind in ("arc", "reach", "blast"):
            for mark in marks:
                if mark.kind == kind:
                    self._tint(mark)
        for mark in marks:
            if mark.kind == "blast":
                self._each(mark, _burst_ring, most=1)
            elif mark.kind == "spot":
                self._each(mark, _spot_ring)
            elif mark.kind == "path":
                self._path(mark)

    def over(self, marks: Sequence[Mark]) -> None:
        """What lies above the counters: blasts, lines of fire, hits, targets."""
        for mark in marks:
            if mark.kind == "fire":
                self._fire(mark)
        for mark in marks:
            if mark.kind == "hit":
                self._each(mark, _hit_ring)
                for xy in self._spots(mark):
                    if xy not in self.occupied and self.window.shows(*xy):
                        self._stamp(_gone_ring(self.window.size), self.window.centre(*xy))
            elif mark.kind == "target":
                self._each(mark, _target_ring)
            elif mark.kind == "blocked":
                self._each(mark, _blocked_ring)
            elif mark.kind not in SUPPORTED:
                self._each(mark, _unknown_ring)

    def labels(self, marks: Sequence[Mark], picked: Iterable[str] = ()) -> None:
        """The labels of all marks; the upper left corner of `picked` squares is kept free."""
        self.picked = frozenset(xy for xy in map(self.window.find, picked) if xy in self.occupied)
        for mark in marks:
            self._labels(mark)

    def numbers(self, numbered: Sequence[tuple[str, str]]) -> None:
        """Pick labels: large yellow discs, in a corner where a counter stands."""
        for cell, text in numbered:
            xy = self.window.find(cell)
            if xy is None or not self.window.shows(*xy):
                continue
            size = self.window.size
            x, y = self.window.centre(*xy)
            taken = xy in self.occupied
            stamp = _pick(text, round(size * (0.46 if taken else 0.62)))
            if taken:
                x, y = x - size * 0.28, y - size * 0.28
            self._stamp(stamp, (x, y))

    def _stamp(self, stamp: Image.Image, at: Point) -> None:
        spot = (round(at[0] - stamp.width / 2), round(at[1] - stamp.height / 2))
        self.image.paste(stamp, spot, stamp)

    def _spots(self, mark: Mark) -> list[tuple[int, int]]:
        return [xy for xy in map(self.window.find, mark.cells) if xy is not None]

    def _tint(self, mark: Mark) -> None:
        colour, share = FILLS[mark.kind]
        if mark.kind == "arc" and mark.tone:
            colour = tone(mark.tone).fill
        for x, y in self._spots(mark):
            if self.window.shows(x, y):
                left, top, right, bottom = self.window.area(x, y)
                mask = _tint_mask(right - left, bottom - top, share)
                self.image.paste(colour, (left, top), mask)

    def _each(self, mark: Mark, ring: _Ring, most: int | None = None) -> None:
        """Stamp the ring on the mark's squares, or only on the first `most` of them."""
        for x, y in self._spots(mark)[:most]:
            if self.window.shows(x, y):
                self._stamp(ring(self.window.size), self.window.centre(x, y))

    def _path(self, mark: Mark) -> None:
        spots = [self.window.centre(*xy) for xy in self._spots(mark)]
        if len(spots) < 2:
            return
        size = self.window.size
        colour = tone(mark.tone).fill if mark.tone else PATH
        core, casing = size * 0.115, size * 0.2
        for width, paint in ((casing, WHITE), (core, colour)):
            for a, b in itertools.pairwise(spots):
                self._chain(a, b, width, paint)
        self._stamp(_dot(size, colour), spots[0])
        for spot in spots[1:-1]:
            self._stamp(_step(size, colour), spot)
        (ax, ay), (bx, by) = spots[-2], spots[-1]
        run = math.hypot(bx - ax, by - ay) or 1.0
        ux, uy = (bx - ax) / run, (by - ay) / run
        back = size * (0.56 if abs(ux * uy) < 0.1 else 0.7)
        if self._spots(mark)[-1] not in self.occupied:
            back = 0.0
        self._stamp(_head(ux, uy, size * 0.4, colour), (bx - ux * back, by - uy * back))

    def _fire(self, mark: Mark) -> None:
        spots = [self.window.centre(*xy) for xy in self._spots(mark)]
        if len(spots) < 2:
            return
        size = self.window.size
        colour = tone(mark.tone).fill if mark.tone else FIRE
        for (ax, ay), (bx, by) in itertools.pairwise(spots):
            run = math.hypot(bx - ax, by - ay)
            if run < 1:
                continue
            ux, uy = (bx - ax) / run, (by - ay) / run
            start, end = size * 0.46, run - size * 0.40
            head = size * 0.34
            if run < size * 1.1:
                start, end = size * 0.36, run - size * 0.34
            last = end - head * 0.8
            step = size * 0.36
            at = start
            while at < last:
                stop = min(at + step * 0.62, last)
                middle = (at + stop) / 2
                spot = (ax + ux * middle, ay + uy * middle)
                if not self._covers(spot):
                    self._stamp(_dash(ux, uy, stop - at, size, colour), spot)
                at += step
            tip = end - head / 2
            self._stamp(_head(ux, uy, head, colour), (ax + ux * tip, ay + uy * tip))

    def _covers(self, spot: Point) -> bool:
        """Whether a stamp there would hide the code of a counter."""
        w = self.window
        x, y = w.at(*spot)
        if (x, y) not in self.occupied:
            return False
        cx, cy = w.centre(x, y)
        return math.hypot(spot[0] - cx, spot[1] - cy) < w.size * 0.36

    def _chain(self, a: Point, b: Point, width: float, colour: Colour) -> None:
        """A line from `a` to `b` made of capsules no longer than a square and a half."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        pieces = max(1, math.ceil(math.hypot(dx, dy) / (self.window.size * 1.5)))
        for k in range(pieces):
            middle = (k + 0.5) / pieces
            stamp = _capsule(dx / pieces, dy / pieces, width, colour)
            self._stamp(stamp, (a[0] + dx * middle, a[1] + dy * middle))

    def _labels(self, mark: Mark) -> None:
        """Costs large in free squares of reach; other labels as a tag above the last square."""
        if not mark.label:
            return
        size = self.window.size
        spots = [xy for xy in self._spots(mark) if self.window.shows(*xy)]
        if mark.kind == "reach":
            for xy in spots:
                x, y = self.window.centre(*xy)
                self._stamp(_cost(mark.label, size), (x + size * 0.27, y + size * 0.27))
            return
        if mark.kind in LINES:
            spots = spots[-1:]
        elif mark.kind in ("blast", "arc"):
            spots = spots[:1]
        colour = {"hit": CRIT, "blast": INK, "target": INK}.get(mark.kind, INK)
        for xy in spots:
            x, y = self.window.centre(*xy)
            stamp = _tag(mark.label, size, colour)
            half = stamp.width / 2
            high = y - size * self.lift
            if xy in self.picked and x + 2 * half < self.image.width:
                x += half - size * 0.04
            elif xy in self.picked:
                high = y + size * 0.46
            elif high - stamp.height / 2 < self.window.above:
                high = y + size * self.lift
            x = max(half, min(self.image.width - half, x))
            high = max(high, self.window.above + stamp.height / 2)
            self._stamp(stamp, (x, high))


class _Ring:
    """A stamp for a square, kept per size."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, size: int) -> Image.Image:
        return STAMPS.get(("ring", self.name, size), lambda: _draw_ring(self.name, size))


_burst_ring = _Ring("blast")
_hit_ring = _Ring("hit")
_gone_ring = _Ring("gone")
_target_ring = _Ring("target")
_spot_ring = _Ring("spot")
_blocked_ring = _Ring("blocked")
_unknown_ring = _Ring("unknown")


def _draw_ring(name: str, size: int) -> Image.Image:
    pen = Pen(size * 1.6, size * 1.6)
    edge = max(1.2, size * 0.03)
    if name == "blast":
        pen.polygon(burst(12, size * 0.74, size * 0.5), INK)
        pen.polygon(burst(12, size * 0.70, size * 0.48), BLAST)
        pen.polygon(burst(12, size * 0.50, size * 0.33, 15), YELLOW)
    elif name == "hit":
        for k in range(8):
            x, y = math.sin(math.radians(22.5 + 45 * k)), -math.cos(math.radians(22.5 + 45 * k))
            a, b = size * 0.50, size * 0.66
            pen.line([(x * a, y * a), (x * b, y * b)], WHITE, size * 0.15)
        for k in range(8):
            x, y = math.sin(math.radians(22.5 + 45 * k)), -math.cos(math.radians(22.5 + 45 * k))
            a, b = size * 0.50, size * 0.66
            pen.line([(x * a, y * a), (x * b, y * b)], CRIT, size * 0.09)
    elif name == "target":
        r = size * 0.6
        for width, grow, paint in ((0.12, 0.025, WHITE), (0.065, 0.0, FIRE)):
            pen.ring((0, 0), r + size * grow, paint, size * width)
            for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
                a, b = size * 0.52, size * 0.74
                pen.line([(dx * a, dy * a), (dx * b, dy * b)], paint, size * width)
    elif name == "spot":
        near, far = size * 0.22, size * 0.43
        for width, paint in ((0.13, INK), (0.075, YELLOW)):
            for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                corner = [(sx * near, sy * far), (sx * far, sy * far), (sx * far, sy * near)]
                pen.line(corner, paint, size * width)
    elif name == "gone":
        pen.polygon(burst(8, size * 0.36, size * 0.19), WHITE)
        pen.polygon(burst(8, size * 0.30, size * 0.16), CRIT)
    elif name == "blocked":
        r = size * 0.34
        for width, paint in ((0.21, WHITE), (0.12, INK)):
            for s in (-1, 1):
                pen.line([(-r, -s * r), (r, s * r)], paint, size * width)
    else:
        pen.ring((0, 0), size * 0.5, INK, edge + size * 0.08)
        pen.ring((0, 0), size * 0.5 - edge / 2, UNKNOWN_TONE.fill, size * 0.07)
    return pen.done()


def _tint_mask(wide: int, high: int, share: float) -> Image.Image:
    """A tile a little smaller than the cell, so that it leaves walls and openings alone."""

    def make() -> Image.Image:
        size = min(wide, high)
        mask = Image.new("L", (wide, high))
        inset = round(size * 0.1)
        box = (inset, inset, wide - inset, high - inset)
        ImageDraw.Draw(mask).rounded_rectangle(box, size * 0.08, round(255 * share))
        return mask

    return STAMPS.get(("tint", wide, high, share), make)


def _capsule(dx: float, dy: float, width: float, colour: Colour) -> Image.Image:
    def make() -> Image.Image:
        pen = Pen(abs(dx) + width + 3, abs(dy) + width + 3)
        pen.line([(-dx / 2, -dy / 2), (dx / 2, dy / 2)], colour, width)
        return pen.done()

    return STAMPS.get(("capsule", round(dx, 2), round(dy, 2), round(width, 2), colour), make)


def _dash(ux: float, uy: float, length: float, size: int, colour: Colour) -> Image.Image:
    def make() -> Image.Image:
        wide = size * 0.2
        pen = Pen(length + wide + 3, length + wide + 3)
        ends = [(-ux * length / 2, -uy * length / 2), (ux * length / 2, uy * length / 2)]
        pen.line(ends, WHITE, wide)
        pen.line(ends, colour, size * 0.115)
        return pen.done()

    key = ("dash", round(ux, 4), round(uy, 4), round(length, 1), size, colour)
    return STAMPS.get(key, make)


def _head(ux: float, uy: float, length: float, colour: Colour) -> Image.Image:
    """An arrowhead of that length pointing along the unit vector, centred on itself."""

    def make() -> Image.Image:
        pen = Pen(length * 2.2, length * 2.2)
        half = length / 2
        for grow, paint in ((length * 0.14, WHITE), (0.0, colour)):
            points = [
                (0.0, -half - grow * 1.6),
                (half * 1.05 + grow * 1.5, half + grow),
                (0.0, half * 0.6 + grow),
                (-half * 1.05 - grow * 1.5, half + grow),
            ]
            pen.polygon(turned(points, (ux, uy)), paint)
        return pen.done()

    key = ("head", round(ux, 4), round(uy, 4), round(length, 1), colour)
    return STAMPS.get(key, make)


def _dot(size: int, colour: Colour) -> Image.Image:
    """Where a path begins: an open ring, the place left."""

    def make() -> Image.Image:
        pen = Pen(size, size)
        pen.disc((0, 0), size * 0.27, WHITE)
        pen.disc((0, 0), size * 0.23, colour)
        pen.disc((0, 0), size * 0.13, WHITE)
        return pen.done()

    return STAMPS.get(("dot", size, colour), make)


def _step(size: int, colour: Colour) -> Image.Image:
    def make() -> Image.Image:
        pen = Pen(size * 0.5, size * 0.5)
        pen.disc((0, 0), size * 0.13, WHITE)
        pen.disc((0, 0), size * 0.09, colour)
        return pen.done()

    return STAMPS.get(("step", size, colour), make)


def _cost(label: str, size: int) -> Image.Image:
    """The cost of a square: a small dark tag in the lower right corner."""

    def make() -> Image.Image:
        px = size * 0.3
        wide = max(size * 0.36, fonts.width(label, fonts.BLACK, round(px * 4)) / 4 + size * 0.14)
        pen = Pen(wide + 2, size * 0.4)
        pen.round_box(-wide / 2, -size * 0.185, wide / 2, size * 0.185, size * 0.08, PATH)
        pen.text((0, 0), fonts.clean(label), fonts.BLACK, px, WHITE)
        return pen.done()

    return STAMPS.get(("cost", label, size), make)


def _tag(label: str, size: int, colour: Colour) -> Image.Image:
    """A label in a white-edged pill."""

    def make() -> Image.Image:
        px = max(13.0, size * 0.3)
        text = fonts.shorten(fonts.clean(label), fonts.BLACK, round(px), round(px * 14))
        wide = fonts.width(text, fonts.BLACK, round(px * 4)) / 4 + px * 0.7
        wide = max(wide, px * 1.3)
        pen = Pen(wide + 5, px * 1.35 + 5)
        half, high = wide / 2, px * 0.66
        pen.round_box(-half - 2, -high - 2, half + 2, high + 2, high, WHITE)
        pen.round_box(-half, -high, half, high, high - 1, colour)
        pen.text((0, 0), text, fonts.BLACK, px, WHITE)
        return pen.done()

    return STAMPS.get(("tag", label, size, colour), make)


def _pick(label: str, size: int) -> Image.Image:
    """A pick label: a yellow disc `size` pixels wide with its number or letter."""

    def make() -> Image.Image:
        pen = Pen(size + 4, size + 4)
        text, px = fonts.fit(label, fonts.BLACK, round(size * 2.6), round(size * 3.1), 24)
        pen.disc((0, 0), size / 2 + 1, WHITE)
        pen.disc((0, 0), size / 2, INK)
        pen.disc((0, 0), size * 0.44, YELLOW)
        pen.text((0, 0), text, fonts.BLACK, px / 4, INK)
        return pen.done()

    return STAMPS.get(("pick", label, size), make)

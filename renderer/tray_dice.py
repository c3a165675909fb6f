"""Dice of any kind as stamps: their shape tells the number of sides, signs tell what became of them.

Nothing is told by colour alone: a die that is counted has a tick, a dropped one is struck through, one
that was rolled again is hollow and has a turning arrow, one that exploded has a star.
"""

from __future__ import annotations

import math
from typing import Final

from PIL import Image

from games.kernel.tray import AGAIN, DROPPED, MET, MISSED, PLAIN, TrayDie
from renderer import fonts
from renderer.cache import STAMPS
from renderer.palette import BLAST, DIM, INK, NIGHT, PANEL, PANEL_EDGE, WHITE, YELLOW, Colour, blend
from renderer.shapes import Pen, Point, burst, moved, regular
from renderer.sheet import PIPS

LOOKS: Final[dict[str, tuple[Colour, Colour, Colour]]] = {
    PLAIN: (WHITE, INK, WHITE),
    MET: (YELLOW, INK, YELLOW),
    MISSED: (PANEL_EDGE, DIM, DIM),
    DROPPED: (PANEL_EDGE, DIM, PANEL_EDGE),
    AGAIN: (PANEL, DIM, DIM),
}
"""Fill, figures and rim by state."""

STRIKE: Final = blend(PANEL, DIM, 0.7)

_OUTLINES: Final[dict[int, tuple[Point, ...]]] = {
    4: ((0, -0.47), (0.5, 0.4), (-0.5, 0.4)),
    8: ((0, -0.5), (0.46, 0), (0, 0.5), (-0.46, 0)),
    10: ((0, -0.5), (0.5, -0.1), (0.5, 0.12), (0, 0.5), (-0.5, 0.12), (-0.5, -0.1)),
    100: ((0, -0.5), (0.5, -0.1), (0.5, 0.12), (0, 0.5), (-0.5, 0.12), (-0.5, -0.1)),
    12: tuple(regular(10, 0.5)),
    20: tuple(regular(6, 0.5)),
}
"""Outlines of dice a pixel wide, by their sides; all others are cubes or round."""

_EDGES: Final[dict[int, tuple[tuple[Point, ...], ...]]] = {
    8: (((-0.46, 0.0), (0, 0.32), (0.46, 0.0)),),
    10: (((0, -0.48), (-0.33, 0.15), (0, 0.3), (0.33, 0.15), (0, -0.48)), ((0, 0.3), (0, 0.47))),
    100: (((0, -0.48), (-0.33, 0.15), (0, 0.3), (0.33, 0.15), (0, -0.48)), ((0, 0.3), (0, 0.47))),
    12: ((*regular(5, 0.36), regular(5, 0.36)[0]),),
    20: ((*regular(3, 0.47), regular(3, 0.47)[0]),),
}
"""Edges that are seen inside the outline."""

_FIGURES: Final[dict[int, tuple[float, float, float]]] = {
    4: (0.14, 0.34, 0.46),
    8: (-0.06, 0.38, 0.5),
    10: (0.02, 0.4, 0.44),
    100: (0.02, 0.36, 0.5),
    12: (0.01, 0.36, 0.44),
    20: (0.06, 0.34, 0.5),
}
"""Where figures stand: below the middle, how high, how wide; as shares of the die."""


def tray_die(die: TrayDie, size: int) -> Image.Image:
    """One die as a stamp of `size` pixels."""

    def make() -> Image.Image:
        pen = Pen(size, size)
        fill, ink, rim = LOOKS.get(die.state, LOOKS[PLAIN])
        if die.sides in (0, 6):
            _cube(pen, die, size, fill, ink, rim)
        else:
            _solid(pen, die, size, fill, ink, rim)
        _signs(pen, die, size)
        return pen.done()

    return STAMPS.get(("tray die", die, size), make)


def _cube(pen: Pen, die: TrayDie, size: int, fill: Colour, ink: Colour, rim: Colour) -> None:
    half, edge = size * 0.47, max(1.6, size * 0.045)
    pen.round_box(-half, -half, half, half, size * 0.19, rim)
    inner = half - edge
    pen.round_box(-inner, -inner, inner, inner, size * 0.16, fill)
    _strike(pen, die, size)
    pips = PIPS.get(int(die.shows)) if die.sides == 6 and die.shows.isdecimal() else None
    if pips is None:
        _figures(pen, die.shows, size, (0.0, 0.56, 0.74), ink)
        return
    for x, y in pips:
        pen.disc((x * size * 0.23, y * size * 0.23), size * 0.093, ink)


def _solid(pen: Pen, die: TrayDie, size: int, fill: Colour, ink: Colour, rim: Colour) -> None:
    edge = max(1.6, size * 0.045)
    outline = _OUTLINES.get(die.sides)
    if outline is None:
        pen.disc((0, 0), size * 0.48, rim)
        pen.disc((0, 0), size * 0.48 - edge, fill)
    else:
        inner = 1 - 2.4 * edge / size
        pen.polygon([(x * size, y * size) for x, y in outline], rim)
        pen.polygon([(x * size * inner, y * size * inner) for x, y in outline], fill)
        line = NIGHT if die.state == MISSED else PANEL_EDGE if die.state != PLAIN else DIM
        for points in _EDGES.get(die.sides, ()):
            pen.line([(x * size * inner, y * size * inner) for x, y in points], line, size * 0.02)
    _strike(pen, die, size)
    _figures(pen, die.shows, size, _FIGURES.get(die.sides, (0.0, 0.42, 0.66)), ink)


def _figures(
    pen: Pen, text: str, size: int, where: tuple[float, float, float], ink: Colour
) -> None:
    down, high, wide = where
    if text:
        # Fitted at four times the size: the steps of whole pixels would be coarse.
        shown, px = fonts.fit(
            text, fonts.BLACK, round(size * high * 5.6), round(size * wide * 4), 12
        )
        pen.text((0, size * down), shown, fonts.BLACK, px / 4, ink)


def _strike(pen: Pen, die: TrayDie, size: int) -> None:
    """The line through a die that is dropped, under its figures: these can still be read."""
    if die.state == DROPPED:
        far, thick = size * 0.45, max(2.0, size * 0.05)
        pen.line([(-far, far), (far, -far)], NIGHT, thick * 2.4)
        pen.line([(-far, far), (far, -far)], STRIKE, thick)


def _signs(pen: Pen, die: TrayDie, size: int) -> None:
    """What became of the die: at its corners."""
    spot, radius = (size * 0.33, size * 0.33), size * 0.165
    thick = max(2.0, size * 0.05)
    if die.state == MET:
        pen.disc(spot, radius, INK)
        tick = [(-0.5, 0.02), (-0.12, 0.42), (0.52, -0.4)]
        pen.line(moved([(x * radius, y * radius) for x, y in tick], spot), WHITE, thick * 0.8)
    if die.state == AGAIN:
        pen.disc(spot, radius, INK)
        _turn(pen, spot, radius * 0.56, thick * 0.75)
    if die.burst:
        spot = (size * 0.33, -size * 0.33)
        pen.polygon(moved(burst(8, size * 0.19, size * 0.12), spot), INK)
        pen.polygon(moved(burst(8, size * 0.155, size * 0.09), spot), BLAST)


def _turn(pen: Pen, centre: Point, radius: float, thick: float) -> None:
    """An arrow that goes round."""
    angles = [math.radians(-50 + 28 * k) for k in range(11)]
    arc = [(radius * math.sin(a), -radius * math.cos(a)) for a in angles]
    pen.line(moved(arc, centre), WHITE, thick)
    tip = arc[0]
    head = [(-0.15, -0.75), (0.75, -0.1), (-0.55, 0.6)]
    pen.polygon(moved([(tip[0] + x * radius, tip[1] + y * radius) for x, y in head], centre), WHITE)

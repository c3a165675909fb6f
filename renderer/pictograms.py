"""Pictures of what cards and figures are about, in one colour: cover, fire, steps, tools, signals.

`r` is half the picture's side in pixels. A name is looked up word by word, so that `double_tap` finds
what is drawn for `tap`; names without a picture show nothing and callers write words instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from PIL import Image

from renderer import fonts
from renderer.cache import STAMPS
from renderer.palette import Colour
from renderer.shapes import Pen, Point, moved, regular, rounded, turned

Drawing = Callable[[Pen, float, Colour], None]


def pictogram(name: str, size: int, colour: Colour) -> Image.Image | None:
    """The picture for a name as an RGBA stamp, `size` pixels wide; None when there is none."""
    words = [name, *name.split("_")]
    known = next((WORDS[w] for w in words if w in WORDS), None)
    if known is None:
        return None

    def make() -> Image.Image:
        pen = Pen(size, size)
        PICTURES[known](pen, size / 2, colour)
        return pen.done()

    return STAMPS.get(("pictogram", known, size, colour), make)


def _scaled(points: list[Point], r: float) -> list[Point]:
    return [(x * r, y * r) for x, y in points]


def _shield(pen: Pen, r: float, ink: Colour) -> None:
    points = [(-0.68, -0.72), (0, -0.88), (0.68, -0.72), (0.68, 0.0), (0.42, 0.5), (0, 0.88)]
    pen.polygon(_scaled([*points, (-0.42, 0.5), (-0.68, 0.0)], r), ink)


def _aim(pen: Pen, r: float, ink: Colour) -> None:
    pen.ring((0, 0), r * 0.68, ink, r * 0.17)
    for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        pen.line([(dx * r * 0.42, dy * r * 0.42), (dx * r * 0.9, dy * r * 0.9)], ink, r * 0.17)
    pen.disc((0, 0), r * 0.14, ink)


def _steps(pen: Pen, r: float, ink: Colour) -> None:
    lean = (math.sin(0.3), -math.cos(0.3))
    for x, y in ((-0.38, 0.28), (0.36, -0.26)):
        sole = [(px * 0.62, py * 1.1 - 0.16 * r) for px, py in regular(24, r * 0.36)]
        heel = [(px * 0.9, py * 0.8 + 0.42 * r) for px, py in regular(20, r * 0.2)]
        for part in (sole, heel):
            pen.polygon(moved(turned(part, lean), (x * r, y * r)), ink)


def _prone(pen: Pen, r: float, ink: Colour) -> None:
    pen.disc((r * 0.6, -r * 0.16), r * 0.22, ink)
    for points in (
        [(0.28, 0.04), (-0.28, 0.2)],
        [(-0.28, 0.2), (-0.56, -0.06), (-0.86, 0.3)],
        [(-0.28, 0.2), (-0.78, 0.44)],
        [(0.26, 0.06), (0.34, 0.4), (0.74, 0.38)],
    ):
        pen.line(_scaled(points, r), ink, r * 0.2)
    pen.line([(-r * 0.9, r * 0.66), (r * 0.9, r * 0.66)], ink, r * 0.1)


def _half(pen: Pen, r: float, ink: Colour) -> None:
    pen.polygon(rounded(r * 0.62, r * 0.82, r * 0.16), ink)
    inner = Pen(pen.width, pen.height)
    inner.polygon(rounded(r * 0.48, r * 0.68, r * 0.08), (255, 255, 255))
    _punch(pen, inner)
    pen.text((0, 0), "½", fonts.BLACK, r * 0.78, ink)


def _punch(pen: Pen, hole: Pen) -> None:
    """Cut a hole where the other pen has drawn."""
    clear = Image.new("RGBA", pen.image.size)
    pen.image.paste(clear, (0, 0), hole.image.getchannel("A"))


def _slash(pen: Pen, r: float, ink: Colour) -> None:
    gap = Pen(pen.width, pen.height)
    gap.line([(-r * 0.72, r * 0.72), (r * 0.72, -r * 0.72)], ink, r * 0.4)
    _punch(pen, gap)
    pen.line([(-r * 0.74, r * 0.74), (r * 0.74, -r * 0.74)], ink, r * 0.17)


def _eye(pen: Pen, r: float, ink: Colour) -> None:
    lids = [(-0.9, 0.0), (-0.5, -0.4), (0.0, -0.55), (0.5, -0.4), (0.9, 0.0), (0.5, 0.4),
            (0.0, 0.55), (-0.5, 0.4)]  # fmt: skip
    pen.polygon(_scaled(lids, r), ink)
    hole = Pen(pen.width, pen.height)
    hole.ring((0, 0), r * 0.36, ink, r * 0.16)
    _punch(pen, hole)


def _hidden(pen: Pen, r: float, ink: Colour) -> None:
    _eye(pen, r, ink)
    _slash(pen, r, ink)


def _glasses(pen: Pen, r: float, ink: Colour) -> None:
    for side in (-1, 1):
        pen.ring((side * r * 0.44, r * 0.28), r * 0.44, ink, r * 0.17)
        pen.polygon(
            _scaled([(side * 0.16, -0.75), (side * 0.5, -0.75), (side * 0.76, 0.0),
                     (side * 0.1, 0.0)], r), ink,
        )  # fmt: skip
    pen.box(-r * 0.2, -r * 0.3, r * 0.2, r * 0.05, ink)


def _cross(pen: Pen, r: float, ink: Colour) -> None:
    pen.box(-r * 0.8, -r * 0.27, r * 0.8, r * 0.27, ink)
    pen.box(-r * 0.27, -r * 0.8, r * 0.27, r * 0.8, ink)


def _puffs(pen: Pen, r: float, ink: Colour) -> None:
    for x, y, s in ((-0.44, 0.3, 0.4), (0.1, 0.32, 0.44), (0.56, 0.34, 0.32), (-0.1, -0.18, 0.42),
                    (0.4, -0.14, 0.34)):  # fmt: skip
        pen.disc((x * r, y * r), s * r, ink)


def _mine(pen: Pen, r: float, ink: Colour) -> None:
    arch = [(-0.8, 0.3), (-0.68, -0.08), (0.0, -0.22), (0.68, -0.08), (0.8, 0.3), (0.0, 0.14)]
    pen.polygon(_scaled(arch, r), ink)
    for x in (-0.45, 0.45):
        pen.line([(x * r, r * 0.2), (x * r * 1.3, r * 0.78)], ink, r * 0.14)
    for x in (-0.5, 0.0, 0.5):
        pen.line([(x * r, -r * 0.45), (x * r * 1.35, -r * 0.82)], ink, r * 0.14)


def _mast(pen: Pen, r: float, ink: Colour) -> None:
    pen.line([(-r * 0.36, r * 0.84), (0, -r * 0.1), (r * 0.36, r * 0.84)], ink, r * 0.15)
    pen.line([(-r * 0.22, r * 0.46), (r * 0.22, r * 0.46)], ink, r * 0.13)
    pen.disc((0, -r * 0.2), r * 0.17, ink)
    for reach in (0.44, 0.74):
        for side in (-1, 1):
            arc = [
                (side * reach * r * math.cos(a), -r * 0.2 + reach * r * math.sin(a))
                for a in (-0.7, -0.35, 0.0, 0.35, 0.7)
            ]
            pen.line(arc, ink, r * 0.13)


def _silent(pen: Pen, r: float, ink: Colour) -> None:
    _mast(pen, r, ink)
    _slash(pen, r, ink)


def _bolt(pen: Pen, r: float, ink: Colour) -> None:
    points = [(0.2, -0.9), (-0.52, 0.12), (-0.04, 0.12), (-0.24, 0.9), (0.54, -0.24), (0.04, -0.24)]
    pen.polygon(_scaled(points, r), ink)


def _wind(pen: Pen, r: float, ink: Colour) -> None:
    for y, left, right in ((-0.38, -0.8, 0.34), (0.0, -0.6, 0.62), (0.38, -0.8, 0.1)):
        curl = [(right + 0.2, y - 0.04), (right + 0.28, y - 0.18), (right + 0.16, y - 0.3)]
        pen.line(_scaled([(left, y), (right, y), *curl], r), ink, r * 0.15)


def _rings(pen: Pen, r: float, ink: Colour) -> None:
    pen.ring((0, 0), r * 0.86, ink, r * 0.16)
    pen.ring((0, 0), r * 0.52, ink, r * 0.16)
    pen.disc((0, 0), r * 0.18, ink)


def _bullet(pen: Pen, r: float, ink: Colour, x: float = 0.0) -> None:
    tip = [(-0.2, -0.2), (-0.15, -0.58), (0.0, -0.86), (0.15, -0.58), (0.2, -0.2)]
    pen.polygon(moved(_scaled(tip, r), (x * r, 0)), ink)
    pen.box((x - 0.2) * r, -r * 0.1, (x + 0.2) * r, r * 0.62, ink)
    pen.box((x - 0.25) * r, r * 0.7, (x + 0.25) * r, r * 0.86, ink)


def _two_bullets(pen: Pen, r: float, ink: Colour) -> None:
    _bullet(pen, r, ink, -0.36)
    _bullet(pen, r, ink, 0.36)


def _quiet_bullet(pen: Pen, r: float, ink: Colour) -> None:
    _bullet(pen, r, ink)
    _slash(pen, r, ink)


def _spanner(pen: Pen, r: float, ink: Colour) -> None:
    pen.line([(-r * 0.6, r * 0.6), (r * 0.3, -r * 0.3)], ink, r * 0.3)
    pen.disc((r * 0.42, -r * 0.42), r * 0.42, ink)
    hole = Pen(pen.width, pen.height)
    hole.line([(r * 0.48, -r * 0.48), (r * 0.95, -r * 0.95)], ink, r * 0.3)
    _punch(pen, hole)


def _ghost(pen: Pen, r: float, ink: Colour) -> None:
    pen.disc((0, -r * 0.2), r * 0.6, ink)
    hem = [
        (-0.6, -0.2),
        (0.6, -0.2),
        (0.6, 0.8),
        (0.3, 0.56),
        (0.0, 0.8),
        (-0.3, 0.56),
        (-0.6, 0.8),
    ]
    pen.polygon(_scaled(hem, r), ink)
    hole = Pen(pen.width, pen.height)
    for side in (-1, 1):
        hole.disc((side * r * 0.22, -r * 0.22), r * 0.13, ink)
    _punch(pen, hole)


def _talk(pen: Pen, r: float, ink: Colour) -> None:
    pen.round_box(-r * 0.85, -r * 0.7, r * 0.85, r * 0.36, r * 0.3, ink)
    pen.polygon(_scaled([(-0.4, 0.3), (0.1, 0.3), (-0.46, 0.84)], r), ink)


def _birds(pen: Pen, r: float, ink: Colour) -> None:
    for x, y, s in ((-0.3, 0.24, 0.6), (0.4, -0.34, 0.46)):
        wing = [(-1.0, -0.4), (-0.45, -0.55), (0.0, 0.1), (0.45, -0.55), (1.0, -0.4)]
        pen.line([((x + a * s) * r, (y + b * s) * r) for a, b in wing], ink, r * 0.15)


def _lock(pen: Pen, r: float, ink: Colour) -> None:
    pen.ring((0, -r * 0.22), r * 0.5, ink, r * 0.2)
    hole = Pen(pen.width, pen.height)
    hole.box(-r, -r * 0.1, r, r, ink)
    _punch(pen, hole)
    pen.round_box(-r * 0.66, -r * 0.1, r * 0.66, r * 0.82, r * 0.14, ink)


def _tick(pen: Pen, r: float, ink: Colour) -> None:
    pen.line(_scaled([(-0.6, 0.04), (-0.16, 0.5), (0.64, -0.5)], r), ink, r * 0.3)


def _no(pen: Pen, r: float, ink: Colour) -> None:
    for side in (-1, 1):
        pen.line(_scaled([(-0.5, -0.5 * side), (0.5, 0.5 * side)], r), ink, r * 0.3)


def _out(pen: Pen, r: float, ink: Colour) -> None:
    for x in (-0.55, 0.05):
        pen.line(_scaled([(x, -0.55), (x + 0.5, 0.0), (x, 0.55)], r), ink, r * 0.24)


PICTURES: Final[dict[str, Drawing]] = {
    "shield": _shield, "aim": _aim, "steps": _steps, "prone": _prone, "half": _half,
    "hidden": _hidden, "glasses": _glasses, "cross": _cross, "puffs": _puffs, "mine": _mine,
    "mast": _mast, "silent": _silent, "bolt": _bolt, "wind": _wind, "rings": _rings,
    "bullets": _two_bullets, "quiet": _quiet_bullet, "spanner": _spanner, "ghost": _ghost,
    "talk": _talk, "birds": _birds, "eye": _eye, "lock": _lock, "tick": _tick, "no": _no,
    "out": _out,
}  # fmt: skip

WORDS: Final[dict[str, str]] = {
    **{name: name for name in PICTURES},
    "cover": "shield", "fire": "aim", "move": "steps", "movement": "steps", "crawl": "prone",
    "blank": "half", "binocs": "glasses", "medkit": "cross", "dressing": "cross", "aid": "cross",
    "smoke": "puffs", "claymore": "mine", "channel": "mast", "radio": "mast", "dead_air": "silent",
    "adrenaline": "bolt", "windage": "wind", "breath": "rings", "tap": "bullets",
    "muffled": "quiet", "clear": "spanner", "informant": "talk", "overwatch": "eye", "exit": "out",
}  # fmt: skip
"""Words of names, and the picture that stands for them."""

"""Small pictures of items and states, drawn as shapes on a disc."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from renderer import fonts
from renderer.palette import CRIT, INK, WHITE, YELLOW, tone
from renderer.shapes import Pen, Point, burst, moved, rounded

BROWN: Final = tone("brown").fill
OLIVE: Final = tone("green").fill


def _cross(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    arm, half = r * 0.62, r * 0.21
    pen.box(x - arm, y - half, x + arm, y + half, CRIT)
    pen.box(x - half, y - arm, x + half, y + arm, CRIT)


def _grenade(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    pen.disc((x - r * 0.05, y + r * 0.16), r * 0.45, OLIVE)
    pen.box(x - r * 0.22, y - r * 0.55, x + r * 0.16, y - r * 0.2, INK)
    pen.line([(x + r * 0.1, y - r * 0.48), (x + r * 0.5, y - r * 0.1)], INK, r * 0.18)


def _bomb(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    for dx in (-0.36, 0.0, 0.36):
        body = rounded(r * 0.15, r * 0.42, r * 0.08)
        pen.polygon(moved(body, (x + dx * r, y + r * 0.12)), CRIT)
    pen.line([(x - r * 0.55, y + r * 0.12), (x + r * 0.55, y + r * 0.12)], INK, r * 0.16)
    pen.line([(x, y - r * 0.3), (x + r * 0.3, y - r * 0.6)], INK, r * 0.14)


def _tools(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    for side in (-1, 1):
        tail, head = (x + side * r * 0.34, y + r * 0.58), (x - side * r * 0.28, y - r * 0.5)
        pen.line([tail, (x, y - r * 0.02), head], INK, r * 0.2)
    pen.disc((x, y - r * 0.02), r * 0.2, CRIT)


def _hazard(pen: Pen, at: Point, r: float) -> None:
    pen.disc(at, r * 0.82, YELLOW)
    x, y = at
    for turn in (0, 120, 240):
        blade = [(x, y)]
        for step in range(7):
            a = math.radians(turn - 30 + 10 * step)
            blade.append((x + r * 0.72 * math.sin(a), y - r * 0.72 * math.cos(a)))
        pen.polygon(blade, INK)
    pen.disc(at, r * 0.24, YELLOW)
    pen.disc(at, r * 0.13, INK)


def _shield(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    points = [(-0.48, -0.55), (0.48, -0.55), (0.48, 0.05), (0.0, 0.66), (-0.48, 0.05)]
    pen.polygon([(x + a * r, y + b * r) for a, b in points], tone("steel").fill)
    pen.polygon([(x, y - 0.55 * r), (x + 0.48 * r, y - 0.55 * r), (x + 0.48 * r, y + 0.05 * r),
                 (x, y + 0.66 * r)], tone("slate").fill)  # fmt: skip


def _star(pen: Pen, at: Point, r: float) -> None:
    pen.polygon(moved(burst(5, r * 0.78, r * 0.33), at), INK)


def _rocket(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    pen.line([(x - r * 0.5, y + r * 0.5), (x + r * 0.2, y - r * 0.2)], INK, r * 0.24)
    pen.polygon([(x + r * 0.62, y - r * 0.62), (x + r * 0.36, y + r * 0.06),
                 (x - r * 0.06, y - r * 0.36)], OLIVE)  # fmt: skip


def _eye(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    lids = [(-0.72, 0.0), (-0.36, -0.36), (0.0, -0.46), (0.36, -0.36), (0.72, 0.0), (0.36, 0.36),
            (0.0, 0.46), (-0.36, 0.36)]  # fmt: skip
    pen.polygon([(x + a * r, y + b * r) for a, b in lids], INK)
    pen.disc(at, r * 0.28, WHITE)
    pen.disc(at, r * 0.14, INK)


def _check(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    pen.line(
        [(x - r * 0.45, y + r * 0.02), (x - r * 0.1, y + r * 0.4), (x + r * 0.48, y - r * 0.38)],
        OLIVE,
        r * 0.26,
    )


def _captive(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    for dx in (-0.4, 0.0, 0.4):
        pen.line([(x + dx * r, y - r * 0.5), (x + dx * r, y + r * 0.5)], INK, r * 0.17)
    pen.line([(x - r * 0.56, y - r * 0.5), (x + r * 0.56, y - r * 0.5)], INK, r * 0.15)
    pen.line([(x - r * 0.56, y + r * 0.5), (x + r * 0.56, y + r * 0.5)], INK, r * 0.15)


def _claymore(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    arch = [(-0.6, 0.24), (-0.5, -0.1), (0.0, -0.2), (0.5, -0.1), (0.6, 0.24), (0.0, 0.1)]
    pen.polygon([(x + a * r, y + b * r) for a, b in arch], OLIVE)
    for side in (-0.34, 0.34):
        pen.line([(x + side * r, y + r * 0.15), (x + side * 1.3 * r, y + r * 0.6)], INK, r * 0.13)
    for side in (-0.36, 0.0, 0.36):
        foot, tip = (x + side * r, y - r * 0.36), (x + side * 1.3 * r, y - r * 0.64)
        pen.line([foot, tip], CRIT, r * 0.13)


def _dead(pen: Pen, at: Point, r: float) -> None:
    x, y = at
    for side in (-1, 1):
        pen.line(
            [(x - r * 0.42, y - side * r * 0.42), (x + r * 0.42, y + side * r * 0.42)],
            CRIT,
            r * 0.3,
        )


ICONS: Final[dict[str, Callable[[Pen, Point, float], None]]] = {
    "health": _cross,
    "medkit": _cross,
    "grenade": _grenade,
    "bomb": _bomb,
    "ied": _bomb,
    "booby": _bomb,
    "bombkit": _tools,
    "wmd": _hazard,
    "shield": _shield,
    "star": _star,
    "hvt": _star,
    "rpg": _rocket,
    "eye": _eye,
    "recon": _eye,
    "done": _check,
    "captive": _captive,
    "claymore": _claymore,
    "dead": _dead,
}
"""Names a token may carry in `icons`."""


def draw_icon(pen: Pen, name: str, at: Point, radius: float) -> None:
    """One icon on a white disc; a name without a picture shows its first letter."""
    pen.disc(at, radius, INK)
    pen.disc(at, radius * 0.9, WHITE)
    picture = ICONS.get(name)
    if picture is not None:
        picture(pen, at, radius * 0.9)
        return
    letter = fonts.clean(name[:1].upper() or "?")
    pen.text(at, letter, fonts.BLACK, radius * 1.25, INK)

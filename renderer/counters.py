"""Counters: the sprites of units and of face-down chips.

A counter is told by its outline, its code, its tone and its texture. An orange wedge shows where it
faces; hits are a red disc with the number, or a red band that says CRIT; the role is a letter, items
are icons, each in a corner the wedge leaves free. `size` is the side of a square in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from games.kernel.view import Badge, Token
from renderer import fonts
from renderer.cache import STAMPS
from renderer.icons import draw_icon
from renderer.palette import CRIT, FACING, INK, WHITE, YELLOW, Tone, tone
from renderer.shapes import (
    DIRECTIONS,
    Pen,
    Point,
    burst,
    counter_outline,
    moved,
    reach_of,
    rounded,
    turned,
)

CANVAS: Final = 1.7
"""Sprites are that many squares wide: wedges and rings reach over the square's edge."""

HIDDEN: Final = {"chip": 1.0, "block": 0.8}
"""How large counters lie face down, as a share of their usual size (others: 0.64)."""

_CORNERS: Final[dict[int, Point]] = {1: (1, -1), 3: (1, 1), 5: (-1, 1), 7: (-1, -1)}
"""Corners of the square by the facing that points there."""


def counter(token: Token, size: int) -> Image.Image:
    """The sprite of a token, centred in an RGBA image of `CANVAS` squares."""
    facing = None if token.facing is None else token.facing % 8
    key = ("counter", token.badge, facing, token.hits, token.critical, token.role, token.icons,
           token.current, token.hidden, size)  # fmt: skip
    return STAMPS.get(key, lambda: _draw(token, facing, size))


def badge(face: Badge, size: int, *, hidden: bool = False) -> Image.Image:
    """A counter's face alone, as shown beside dice: an RGBA image of `CANVAS` squares."""
    return counter(Token(id="", name="", cell="", badge=face, hidden=hidden), size)


def _draw(token: Token, facing: int | None, size: int) -> Image.Image:
    side = round(size * CANVAS / 2) * 2
    pen = Pen(side, side)
    if token.hidden:
        _chip(pen, token, size)
        return pen.done()
    outline = counter_outline(token.badge.shape, size)
    if token.current:
        pen.polygon(counter_outline(token.badge.shape, size, size * 0.135), INK)
        pen.polygon(counter_outline(token.badge.shape, size, size * 0.105), YELLOW)
        if facing is not None:
            _wedge(pen, outline, facing, size, ring=True)
    if facing is not None:
        _wedge(pen, outline, facing, size, ring=False)
    _body(pen, token.badge, size)
    if facing is not None:
        _wedge(pen, outline, facing, size, ring=False)
    below = facing not in (3, 4, 5)
    _code(pen, token.badge, facing, size, lifted=token.critical, below=below)
    _corners(pen, token, facing, size)
    if token.critical:
        _crit(pen, size, below=below)
    return pen.done()


def _body(pen: Pen, face: Badge, size: int) -> None:
    """Outline, fill and texture of a counter."""
    edge = max(1.0, size * 0.03)
    rim = max(1.4, size * 0.042)
    outer = counter_outline(face.shape, size)
    white = counter_outline(face.shape, size, -edge)
    inner = counter_outline(face.shape, size, -edge - rim)
    look = tone(face.tone)
    pen.polygon(outer, INK)
    pen.polygon(white, WHITE if face.tone != "white" else INK)
    if face.tone == "white":
        inner = counter_outline(face.shape, size, -edge - rim * 0.6)
    pen.polygon(inner, look.fill)
    if look.pattern != "plain":
        texture = Pen(pen.width, pen.height)
        _texture(texture, look, size)
        pen.through(pen.mask(inner), texture)


def _texture(pen: Pen, look: Tone, size: int) -> None:
    half = size * 0.5
    step = size * 0.16
    if look.pattern == "half":
        pen.box(-half, 0, half, half, look.shade)
    elif look.pattern == "bands":
        pen.box(-half, -half, half, -size * 0.2, look.shade)
        pen.box(-half, size * 0.2, half, half, look.shade)
    elif look.pattern == "stripes":
        k = -8
        while k <= 8:
            x = k * step
            pen.line([(x - half, half), (x + half, -half)], look.shade, step * 0.45)
            k += 1
    else:
        for row in range(-4, 5):
            for column in range(-4, 5):
                x, y = column * step, row * step
                if look.pattern == "dots":
                    pen.disc((x, y), step * 0.24, look.shade)
                elif (row + column) % 2 == 0:
                    pen.box(x - step / 2, y - step / 2, x + step / 2, y + step / 2, look.shade)


def _wedge(pen: Pen, outline: Sequence[Point], facing: int, size: int, *, ring: bool) -> None:
    """The facing wedge: an orange arrowhead over the counter's edge, edged in ink."""
    direction = DIRECTIONS[facing]
    rim = reach_of(outline, direction)
    tip = min(rim + size * 0.19, size * (0.60 if facing % 2 == 0 else 0.66))
    base = tip - size * 0.245
    half = size * 0.27
    notch = base + size * 0.045

    def arrow(grow: float) -> list[Point]:
        points = [
            (0.0, -tip - grow * 1.5),
            (half + grow * 1.5, -base + grow),
            (0.0, -notch + grow),
            (-half - grow * 1.5, -base + grow),
        ]
        return turned(points, direction)

    if ring:
        pen.polygon(arrow(size * 0.1), INK)
        pen.polygon(arrow(size * 0.075), YELLOW)
        return
    pen.polygon(arrow(max(1.3, size * 0.042)), INK)
    pen.polygon(arrow(0.0), FACING)


def _code(
    pen: Pen, face: Badge, facing: int | None, size: int, *, lifted: bool, below: bool
) -> None:
    room = {"diamond": 0.56, "hexagon": 0.64, "circle": 0.62, "block": 0.72}.get(face.shape, 0.6)
    px = size * (0.44 if face.shape != "diamond" else 0.42)
    text, small = fonts.fit(
        face.code, fonts.BLACK, round(px * 4), round(room * size * 4), round(size * 0.9)
    )
    y = 0.0
    if lifted:
        y = -size * 0.1 if below else size * 0.1
        small = min(small, round(size * 0.36 * 4))
    x = size * {2: -0.03, 6: 0.03}.get(-1 if facing is None else facing, 0.0)
    pen.text((x, y), text, fonts.BLACK, small / 4, tone(face.tone).text)


def _corners(pen: Pen, token: Token, facing: int | None, size: int) -> None:
    """Hits, role and items: each takes the next corner that the wedge leaves free."""
    far = size * 0.36
    spare = [c for c in (5, 1, 3, 7) if c != facing]
    if token.critical:
        taken = (3, 5) if facing not in (3, 4, 5) else (1, 7)
        spare = [c for c in spare if c not in taken]

    def corner(wish: int) -> Point:
        spot = wish if wish in spare else spare[0]
        spare.remove(spot)
        x, y = _CORNERS[spot]
        return (x * far, y * far)

    if token.hits and not token.critical:
        at = corner(5)
        pen.disc(at, size * 0.235, INK)
        pen.disc(at, size * 0.21, WHITE)
        pen.disc(at, size * 0.18, CRIT)
        pen.text(at, str(token.hits), fonts.BLACK, size * 0.31, WHITE)
    if token.role and spare:
        at = corner(1)
        pen.polygon(moved(rounded(size * 0.17, size * 0.17, size * 0.05), at), INK)
        pen.polygon(moved(rounded(size * 0.145, size * 0.145, size * 0.04), at), WHITE)
        if token.role == "★":
            pen.polygon(moved(burst(5, size * 0.14, size * 0.06), at), INK)
        role = "" if token.role == "★" else fonts.clean(token.role)[:2]
        pen.text(at, role, fonts.BLACK, size * (0.27 if len(role) == 1 else 0.2), INK)
    icons = list(token.icons)
    while icons and spare:
        at = corner(3)
        if len(icons) > 1 and not spare:
            pen.disc(at, size * 0.185, INK)
            pen.disc(at, size * 0.165, WHITE)
            pen.text(at, f"+{len(icons)}", fonts.BLACK, size * 0.2, INK)
            return
        draw_icon(pen, icons.pop(0), at, size * 0.185)


def _crit(pen: Pen, size: int, *, below: bool) -> None:
    """The red band over the lower part (the upper one where the wedge points down)."""
    y = size * 0.285 * (1 if below else -1)
    wide, high = size * 0.47, size * 0.165
    pen.polygon(moved(rounded(wide, high, size * 0.06), (0, y)), INK)
    edge = max(1.0, size * 0.025)
    pen.polygon(moved(rounded(wide - edge, high - edge, size * 0.05), (0, y)), WHITE)
    edge *= 2
    pen.polygon(moved(rounded(wide - edge, high - edge, size * 0.04), (0, y)), CRIT)
    text, px = fonts.fit("CRIT", fonts.BLACK, round(size * 0.29 * 4), round(size * 0.8 * 4), 20)
    pen.text((0, y), text, fonts.BLACK, px / 4, WHITE)


def _chip(pen: Pen, token: Token, size: int) -> None:
    """A counter face down: small and pale, so that it does not compete with units."""
    look = tone(token.badge.tone)
    shape = token.badge.shape
    small = size * HIDDEN.get(shape, 0.64)
    if token.current:
        pen.polygon(counter_outline(shape, small, size * 0.10), INK)
        pen.polygon(counter_outline(shape, small, size * 0.07), YELLOW)
    pen.polygon(counter_outline(shape, small), look.edge)
    pen.polygon(counter_outline(shape, small, -max(1.3, size * 0.042)), look.pale)
    code = fonts.clean(token.badge.code)
    text = code if code.endswith("?") else f"{code}?"
    px = size * (0.36 if len(text) == 1 else 0.31)
    room = size * (0.54 if shape == "block" else 0.42)
    text, px = fonts.fit(text, fonts.BLACK, round(px * 4), round(room * 4), 16)
    pen.text((0, 0), text, fonts.BLACK, px / 4, look.edge)

"""Type: Lato at pixel sizes, fitted and wrapped, with the glyphs it lacks drawn as shapes.

Sizes are pixels of the em; widths and positions are pixels.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import font_lato
from PIL import Image, ImageDraw, ImageFont

from renderer.cache import STAMPS
from renderer.palette import Colour

REGULAR: Final = "Lato-Regular.ttf"
BOLD: Final = "Lato-Bold.ttf"
BLACK: Final = "Lato-Black.ttf"
ELLIPSIS: Final = "…"
ARROW: Final = "→"

_SPELT: Final = {
    "\u00a0": " ", "\u2009": " ", "\u202f": " ", "\n": " ", "\t": " ",
    "←": "from", "⇒": ARROW, "➜": ARROW, "➔": ARROW, "✓": "yes", "✗": "no", "−": "−",
    "⚀": "1", "⚁": "2", "⚂": "3", "⚃": "4", "⚄": "5", "⚅": "6",
}  # fmt: skip
"""How characters that Lato lacks are written."""


@lru_cache(maxsize=256)
def font(weight: str, px: int) -> ImageFont.FreeTypeFont:
    """Lato of that weight (a file name) with an em of `px` pixels."""
    path = f"{font_lato.font_directory}/{weight}"
    return ImageFont.truetype(path, max(6, px), layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _has(char: str) -> bool:
    face = font(BOLD, 24)
    missing = face.getmask("\uffff")
    mask = face.getmask(char)
    return mask.size != missing.size or bytes(mask) != bytes(missing)


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """The text with every character drawable: known ones spelt out, others as a question mark."""
    out: list[str] = []
    for char in text:
        char = _SPELT.get(char, char)
        for c in char:
            out.append(c if c == ARROW or c == " " or _has(c) else "?")
    return "".join(out)


@lru_cache(maxsize=8192)
def width(text: str, weight: str, px: int) -> int:
    """How wide the text runs, in pixels (arrows included)."""
    face = font(weight, px)
    parts = clean(text).split(ARROW)
    return round(sum(face.getlength(p) for p in parts)) + (len(parts) - 1) * px


@lru_cache(maxsize=4096)
def fit(text: str, weight: str, px: int, room: int, least: int = 0) -> tuple[str, int]:
    """The text and size that fit into `room` pixels: smaller down to `least`, then cut with “…”."""
    least = least or px
    text = clean(text)
    size = px
    while size > least and width(text, weight, size) > room:
        size -= 1
    return shorten(text, weight, size, room), size


def shorten(text: str, weight: str, px: int, room: int) -> str:
    """The text, cut with an ellipsis if it is wider than `room` pixels."""
    if width(text, weight, px) <= room:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if width(text[:middle].rstrip() + ELLIPSIS, weight, px) <= room:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + ELLIPSIS


@lru_cache(maxsize=2048)
def wrap(text: str, weight: str, px: int, room: int, most: int) -> tuple[str, ...]:
    """The text in at most `most` lines of `room` pixels; what is left over is cut with “…”."""
    lines: list[str] = []
    words = clean(text).split()
    while words and len(lines) < most:
        line = words.pop(0)
        while words and width(f"{line} {words[0]}", weight, px) <= room:
            line = f"{line} {words.pop(0)}"
        if words and len(lines) == most - 1:
            line = " ".join([line, *words])
        lines.append(shorten(line, weight, px, room))
    return tuple(lines)


def write(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    weight: str,
    px: int,
    colour: Colour,
    anchor: str = "ls",
) -> int:
    """Write one line; returns its width in pixels.

    `anchor`: `l`, `m` or `r` for the side `at` lies on, then `s` (on the baseline) or `m` (at the middle
    of the capitals).
    """
    text = clean(text)
    face = font(weight, px)
    x, y = at
    if anchor[1] == "m":
        y += px * 0.361
    if ARROW not in text:
        draw.text((x, y), text, colour, face, anchor=f"{anchor[0]}s")
        return width(text, weight, px)
    full = width(text, weight, px)
    x -= {"l": 0.0, "m": full / 2, "r": float(full)}[anchor[0]]
    for n, part in enumerate(text.split(ARROW)):
        if n:
            top = (round(x), round(y - px * 0.34 - px / 2))
            draw.bitmap(top, _arrow(px), colour)
            x += px
        draw.text((x, y), part, colour, face, anchor="ls")
        x += face.getlength(part)
    return full


def _arrow(px: int) -> Image.Image:
    def make() -> Image.Image:
        big = 4 * px
        image = Image.new("L", (big, big))
        pen = ImageDraw.Draw(image)
        middle, half = big // 2, max(2, round(big * 0.05))
        pen.rectangle((round(big * 0.06), middle - half, round(big * 0.7), middle + half), 255)
        tip = [(0.52, 0.24), (0.9, 0.5), (0.52, 0.76)]
        pen.polygon([(big * x, big * y) for x, y in tip], 255)
        return image.reduce(4)

    return STAMPS.get(("text arrow", px), make)

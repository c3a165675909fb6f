"""Type: Lato at pixel sizes, fitted and wrapped, with the glyphs it lacks drawn as shapes.

Sizes are pixels of the em; widths and positions are pixels.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

import font_lato  # pyright: ignore[reportMissingTypeStubs]
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
_LEFT_OUT: Final = frozenset({"So", "Sk", "Mn", "Me", "Cc", "Cf", "Co", "Cn", "Cs"})
"""Kinds of characters that are no letters or signs: emoji, and marks that change other characters."""


@lru_cache(maxsize=256)
def font(weight: str, px: int) -> ImageFont.FreeTypeFont:
    """Lato of that weight (a file name) with an em of `px` pixels."""
    path = f"{font_lato.font_directory}/{weight}"
    return ImageFont.truetype(path, max(6, px), layout_engine=ImageFont.Layout.BASIC)


def _look(char: str) -> bytes:
    image = Image.new("L", (48, 48))
    ImageDraw.Draw(image).text((8, 36), char, 255, font(BOLD, 24), anchor="ls")
    return image.tobytes()


@lru_cache(maxsize=4096)
def _has(char: str) -> bool:
    """Whether the font draws the character as something else than its box for missing ones."""
    return _look(char) != _look("\uffff")


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """The text with every character drawable: known ones spelt out, pictures and marks left out, and
    what else the font lacks as one question mark for a whole run. Never empty for a text that is not."""
    out: list[str] = []
    for char in unicodedata.normalize("NFC", text):
        for c in _SPELT.get(char, char):
            if c == ARROW or c == " " or _has(c):
                out.append(c)
            elif unicodedata.category(c) not in _LEFT_OUT and out[-1:] != ["?"]:
                out.append("?")
    return "".join(out) or ("?" if text else "")


@lru_cache(maxsize=4096)
def readable(text: str) -> bool:
    """Whether anything of the text can be read when it is drawn."""
    return any(char.isalnum() for char in clean(text))


@lru_cache(maxsize=8192)
def _advance(word: str, weight: str, px: int) -> float:
    return font(weight, px).getlength(word)


@lru_cache(maxsize=8192)
def _pieces(text: str) -> tuple[str, ...]:
    """The text as words, single spaces and arrows: what is drawn, and kept, in one piece."""
    return tuple(re.findall(f" |{ARROW}|[^ {ARROW}]+", clean(text)))


@lru_cache(maxsize=8192)
def width(text: str, weight: str, px: int) -> int:
    """How wide the text runs, in pixels (arrows included)."""
    return round(sum(px if p == ARROW else _advance(p, weight, px) for p in _pieces(text)))


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
    image: Image.Image,
    at: tuple[float, float],
    text: str,
    weight: str,
    px: int,
    colour: Colour,
    anchor: str = "ls",
) -> int:
    """Write one line onto an RGB image; returns its width in pixels.

    `anchor`: `l`, `m` or `r` for the side `at` lies on, then `s` (on the baseline) or `m` (at the middle
    of the capitals). Words are pasted from kept masks: FreeType draws each only once.
    """
    full = width(text, weight, px)
    x, y = at
    if anchor[1] == "m":
        y += px * 0.361
    x -= {"l": 0.0, "m": full / 2, "r": float(full)}[anchor[0]]
    for piece in _pieces(text):
        if piece == ARROW:
            image.paste(colour, (round(x), round(y - px * 0.84)), _arrow(px))
            x += px
            continue
        if piece != " ":
            mask = _word(piece, weight, px)
            image.paste(colour, (round(x) - px // 4, round(y) - px), mask)
        x += _advance(piece, weight, px)
    return full


def _word(word: str, weight: str, px: int) -> Image.Image:
    """The mask of a word, a quarter em of room to its left, its baseline `px` below the top."""

    def make() -> Image.Image:
        room = px // 4
        size = (round(_advance(word, weight, px)) + 2 * room + 2, px + px // 3 + 2)
        mask = Image.new("L", size)
        ImageDraw.Draw(mask).text((room, px), word, 255, font(weight, px), anchor="ls")
        return mask

    return STAMPS.get(("word", word, weight, px), make)


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

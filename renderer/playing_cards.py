"""Cards laid out as a picture: suited cards and jokers large, cards in words, the pile as a back.

Suits differ by shape, colour and a letter. Up to ten cards stand in a picture, five small or three
large ones in a row; cards in words are drawn as in a hand (`renderer.hand`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from PIL import Image

from games.kernel.cards import JOKER, RANKS, SUITS
from games.kernel.view import CardFace
from renderer import fonts
from renderer.cache import STAMPS
from renderer.hand import ACROSS, GAP, HEAD, WIDE, TextCard
from renderer.palette import (
    DIM,
    INK,
    NIGHT,
    PANEL_EDGE,
    PAPER,
    WHITE,
    YELLOW,
    Colour,
    tone,
)
from renderer.picture import Picture, finish
from renderer.placecards import back
from renderer.shapes import Pen, Point, burst
from renderer.sheet import INNER, PAD, WIDTH, Sheet
from renderer.texts import ALT_LIMIT, cut

MOST: Final = 10
"""Cards that are drawn; more are counted in a last line."""

FIVE: Final = (INNER - GAP * 4) // 5
"""Width of a suited card where there are more than three."""

SUIT_COLOURS: Final[dict[str, Colour]] = {
    "spades": INK,
    "hearts": tone("red").fill,
    "diamonds": tone("violet").fill,
    "clubs": tone("green").fill,
}
"""Chosen so that all eyes tell every two of them apart."""

JOKER_COLOURS: Final[dict[str, Colour]] = {"red": tone("red").fill, "black": INK}


def spread(
    faces: Sequence[CardFace],
    title: str,
    note: str = "",
    *,
    pile: int | None = None,
    more: int = 0,
) -> Picture:
    """Cards under a title, with a short note to its right.

    `pile` puts a back with that number before them; `more` cards are only counted, besides those of
    `faces` beyond the tenth. A face whose badge is “×3” stands for three cards.
    """
    shown = list(faces[: MOST if pile is None else MOST - 1])
    more += len(faces) - len(shown)
    wide, across = _measure(shown, pile)
    backs = [] if pile is None else [_Back(pile, wide)]
    cards = [*backs, *(_card(face, wide) for face in shown)]
    rows = [cards[n : n + across] for n in range(0, len(cards), across)]
    highs = [max(card.least for card in row) for row in rows]
    height = HEAD + sum(high + GAP for high in highs) + PAD - GAP + (44 if more else 0)
    sheet = Sheet(max(height, HEAD + PAD))
    sheet.pen.rectangle((PAD, 30, PAD + 7, 76), YELLOW)
    used = sheet.text((WIDTH - PAD, 54), note, 30, DIM, anchor="rm", room=INNER // 2, least=24)
    room = INNER - used - 50
    sheet.text((PAD + 24, 54), title, 46, WHITE, weight=fonts.BLACK, room=room, least=32)
    y = HEAD
    for row, high in zip(rows, highs, strict=True):
        for n, card in enumerate(row):
            card.draw(sheet, PAD + n * (wide + GAP), y, high)
        y += high + GAP
    if more:
        told = "and one card more" if more == 1 else f"and {more} cards more"
        sheet.text((PAD + 4, y + 14), told, 30, DIM)
    return finish(sheet.image, spread_alt(shown, title, note, pile=pile, more=more))


def spread_alt(
    faces: Sequence[CardFace], title: str, note: str = "", *, pile: int | None = None, more: int = 0
) -> str:
    """The same in words."""
    parts = [f"{title}, {note}." if note else f"{title}."]
    if pile is not None:
        parts.append(f"The pile: {pile} face down." if pile else "The pile is empty.")
    for face in faces:
        badge = f" {face.badge}" if face.badge else ""
        text = f": {face.text}" if face.text else ""
        line = f"{face.title}{badge}{text}"
        parts.append(line if line.endswith((".", "!", "?", "…")) else f"{line}.")
    if more:
        parts.append(f"And {more} more.")
    return cut(" ".join(parts), ALT_LIMIT)


def suited(face: CardFace) -> bool:
    """Whether it is a card with a suit and a rank, or a joker; all others are cards in words."""
    suit, _, rank = face.id.partition(":")
    return (suit in SUITS and rank in RANKS) or (suit == JOKER and rank in JOKER_COLOURS)


def _measure(faces: Sequence[CardFace], pile: int | None) -> tuple[int, int]:
    """Width of the cards, and how many stand in a row."""
    number = len(faces) + (pile is not None)
    if number > ACROSS and all(suited(face) for face in faces):
        return FIVE, 5
    return WIDE, ACROSS


class _Back:
    """The pile, face down, with the number of its cards."""

    def __init__(self, number: int, wide: int) -> None:
        self.number = number
        self.wide = wide
        self.least = round(wide * 1.38)

    def draw(self, sheet: Sheet, left: int, top: int, high: int) -> None:
        """Draw it; it keeps its own height."""
        right, bottom = left + self.wide, top + self.least
        if not self.number:
            sheet.panel(left, top, right, bottom, PANEL_EDGE, 16)
            sheet.panel(left + 4, top + 4, right - 4, bottom - 4, NIGHT, 13)
        else:
            back(sheet, left, top, right, bottom)
        middle = ((left + right) / 2, (top + bottom) / 2)
        pen = Pen(self.wide, self.wide)
        pen.disc((0, 0), self.wide * 0.34, INK)
        sheet.stamp(pen.done(), middle)
        if not self.number:
            sheet.text(middle, "empty", round(self.wide * 0.19), WHITE, anchor="mm")
            return
        room = round(self.wide * 0.6)
        at = (middle[0], middle[1] - self.wide * 0.05)
        px = round(self.wide * 0.3)
        told = str(self.number)
        sheet.text(at, told, px, WHITE, weight=fonts.BLACK, anchor="mm", room=room, least=20)
        under = (middle[0], middle[1] + self.wide * 0.19)
        sheet.text(under, "left", round(self.wide * 0.15), DIM, anchor="mm")


class _Suited:
    """A suited card or a joker, with the number of copies if there are several."""

    def __init__(self, face: CardFace, wide: int) -> None:
        self.face = face
        self.wide = wide
        self.least = round(wide * 1.38)

    def draw(self, sheet: Sheet, left: int, top: int, high: int) -> None:
        """Draw it; it keeps its own height."""
        stamp = _stamp(self.face.id, self.wide, self.least)
        sheet.image.paste(stamp, (left, top), stamp)
        if self.face.badge:
            px = round(self.wide * 0.17)
            room = fonts.width(self.face.badge, fonts.BLACK, px) + px
            right, high = left + self.wide - 8, round(px * 1.4)
            sheet.panel(right - room, top + 8, right, top + 8 + high, INK, high // 2)
            at = (right - room / 2, top + 8 + high / 2)
            sheet.text(at, self.face.badge, px, YELLOW, weight=fonts.BLACK, anchor="mm")


def _card(face: CardFace, wide: int) -> _Suited | TextCard:
    return _Suited(face, wide) if suited(face) else TextCard(face)


def _stamp(card: str, wide: int, high: int) -> Image.Image:
    """A suited card or a joker as an RGBA image."""

    def make() -> Image.Image:
        kind, _, rank = card.partition(":")
        pen = Pen(wide, high)
        x, y = wide / 2, high / 2
        pen.round_box(-x, -y, x, y, 16, INK)
        pen.round_box(-x + 3, -y + 3, x - 3, y - 3, 13, PAPER)
        if kind == JOKER:
            _joker(pen, rank, wide, y)
        else:
            _ranked(pen, kind, rank, wide, y)
        return pen.done()

    return STAMPS.get(("suited", card, wide, high), make)


def _ranked(pen: Pen, kind: str, rank: str, wide: int, y: float) -> None:
    colour = SUIT_COLOURS[kind]
    corner = -wide * (0.29 if len(rank) == 1 else 0.24)
    pen.text((corner, -y + wide * 0.24), rank, fonts.BLACK, wide * 0.37, colour)
    _suit(pen, kind, (-wide * 0.02, wide * 0.09), wide * 0.31, colour)
    at = (wide * 0.335, y - wide * 0.165)
    pen.disc(at, wide * 0.115, colour)
    pen.text(at, kind[0].upper(), fonts.BLACK, wide * 0.155, PAPER)


def _joker(pen: Pen, which: str, wide: int, y: float) -> None:
    colour = JOKER_COLOURS[which]
    pen.text((0, -y + wide * 0.2), "Joker", fonts.BLACK, wide * 0.25, colour)
    star = [(px, py + wide * 0.03) for px, py in burst(5, wide * 0.36, wide * 0.16)]
    if which == "red":
        pen.polygon(star, colour)
    else:
        pen.outline(star, colour, wide * 0.045)
    pen.text((0, y - wide * 0.16), which, fonts.BOLD, wide * 0.17, colour)


def _suit(pen: Pen, suit: str, centre: Point, r: float, colour: Colour) -> None:
    """The sign of a suit, about `r` pixels from its middle to its edges."""
    cx, cy = centre

    def at(points: Sequence[Point]) -> list[Point]:
        return [(cx + px * r, cy + py * r) for px, py in points]

    match suit:
        case "diamonds":
            pen.polygon(at([(0, -1.08), (0.76, 0), (0, 1.08), (-0.76, 0)]), colour)
        case "hearts":
            pen.polygon(at(_heart()), colour)
        case "spades":
            pen.polygon(at([(px, -py * 0.94 - 0.1) for px, py in _heart()]), colour)
            pen.polygon(at([(0, 0.2), (0.16, 0.7), (0.42, 1), (-0.42, 1), (-0.16, 0.7)]), colour)
        case _:
            for px, py in ((0, -0.54), (0.52, 0.16), (-0.52, 0.16)):
                pen.disc((cx + px * r, cy + py * r), 0.46 * r, colour)
            pen.disc((cx, cy - 0.05 * r), 0.3 * r, colour)
            pen.polygon(at([(0, -0.2), (0.15, 0.62), (0.42, 1), (-0.42, 1), (-0.15, 0.62)]), colour)


def _heart() -> list[Point]:
    """The outline of a heart, 2 high, with its tip below."""
    points: list[Point] = []
    for step in range(60):
        a = 2 * math.pi * step / 60
        px = 16 * math.sin(a) ** 3
        py = 13 * math.cos(a) - 5 * math.cos(2 * a) - 2 * math.cos(3 * a) - math.cos(4 * a)
        points.append((px / 16.5, -py / 14.5 - 0.12))
    return points

"""A hand of cards as a picture: what somebody holds, for private messages.

Cards stand three in a row, 1,000 pixels wide. The part of a card's id before the colon is its kind and
gives the colour of its band; the part after it chooses its picture. Copies are one card with a number.
"""

from __future__ import annotations

from typing import Final

from games.kernel.view import CardFace, View
from renderer import fonts
from renderer.palette import DIM, INK, PAPER, WHITE, YELLOW, Tone, tone
from renderer.pictograms import pictogram
from renderer.picture import Picture, finish
from renderer.sheet import INNER, PAD, WIDTH, Sheet
from renderer.texts import ALT_LIMIT, cut, hand_text

ACROSS: Final = 3
GAP: Final = 16
WIDE: Final = (INNER - GAP * (ACROSS - 1)) // ACROSS
HEAD: Final = 92
BAND: Final = 54
TEXT: Final = 28
LINE: Final = 35
TITLE: Final = 36
STEP: Final = 7
"""Pixels by which a further copy peeps out."""

MOST: Final = 24
"""Cards that are drawn; more are counted in a last line."""

KINDS: Final[dict[str, str]] = {"action": "green", "tactical": "violet"}
"""Tones of the bands of well-known kinds; others are steel."""


def hand(view: View) -> Picture | None:
    """The cards of `view.hand`; None when the view has none.

    The alternative text says the same.
    """
    if not view.hand:
        return None
    cards = [TextCard(face) for face in view.hand[:MOST]]
    rows = [cards[n : n + ACROSS] for n in range(0, len(cards), ACROSS)]
    highs = [max(card.least for card in row) for row in rows]
    more = len(view.hand) - len(cards)
    height = HEAD + sum(h + GAP for h in highs) + PAD - GAP + (44 if more else 0)
    sheet = Sheet(height)
    sheet.pen.rectangle((PAD, 30, PAD + 7, 76), YELLOW)
    number = sum(copies(card.badge) for card in view.hand)
    told = f"{number} card" if number == 1 else f"{number} cards"
    used = sheet.text((WIDTH - PAD, 54), told, 30, DIM, anchor="rm")
    sheet.text((PAD + 24, 54), "Your hand", 46, WHITE, weight=fonts.BLACK, room=INNER - used - 50)
    y = HEAD
    for row, high in zip(rows, highs, strict=True):
        for n, card in enumerate(row):
            card.draw(sheet, PAD + n * (WIDE + GAP), y, high)
        y += high + GAP
    if more:
        sheet.text((PAD + 4, y + 14), f"and {more} more", 26, DIM)
    return finish(sheet.image, cut(hand_text(view.hand), ALT_LIMIT))


def copies(badge: str) -> int:
    """How many copies a badge such as “×3” speaks of; 1 for any other."""
    digits = badge.strip().removeprefix("×")
    return int(digits) if digits != badge.strip() and digits.isdecimal() and digits else 1


class TextCard:
    """A card in words: a band with its kind and copies, its picture and title, its text."""

    def __init__(self, face: CardFace) -> None:
        self.face = face
        self.kind, _, self.name = face.id.rpartition(":")
        self.look: Tone = tone(KINDS.get(self.kind, "steel"))
        self.under = min(2, copies(face.badge) - 1)
        self.deep = STEP * self.under
        room = WIDE - 40 - self.deep
        self.title = fonts.wrap(face.title, fonts.BLACK, TITLE, room, 2)
        self.lines = fonts.wrap(face.text, fonts.REGULAR, TEXT, room, 8)
        body = 104 + 42 * len(self.title) + LINE * len(self.lines)
        self.least = BAND + body + 30 + self.deep

    def draw(self, sheet: Sheet, left: int, top: int, high: int) -> None:
        """Draw it `high` pixels high; further copies peep out below."""
        right, bottom = left + WIDE, top + high
        deep = self.deep
        for n in range(self.under, -1, -1):
            shift = STEP * n
            face = (left + shift, top + shift, right - deep + shift, bottom - deep + shift)
            sheet.panel(*face, INK, 16)
            sheet.panel(face[0] + 3, face[1] + 3, face[2] - 3, face[3] - 3, PAPER, 13)
        right -= deep
        sheet.panel(left + 3, top + 3, right - 3, top + BAND + 16, self.look.fill, 13)
        sheet.pen.rectangle((left + 3, top + BAND, right - 4, top + BAND + 16), PAPER)
        kind = (self.kind or "card").replace("_", " ").capitalize()
        x, middle = left + 20, top + BAND / 2 + 1
        room = right - left - 40
        badge = self.face.badge
        if badge:
            text, px = fonts.fit(badge, fonts.BLACK, 30, 120, 20)
            wide = fonts.width(text, fonts.BLACK, px) + 26
            sheet.panel(right - 12 - wide, top + 9, right - 12, top + BAND - 7, INK, 18)
            at = (right - 12 - wide / 2, middle)
            sheet.text(at, text, px, YELLOW, weight=fonts.BLACK, anchor="mm")
            room -= wide
        sheet.text((x, middle), kind, 26, self.look.text, room=room, least=18)
        centre = ((left + right) / 2, top + BAND + 58)
        stamp = pictogram(self.name or self.face.title.casefold(), 84, INK)
        if stamp is not None:
            sheet.stamp(stamp, centre)
        else:
            letter = fonts.clean(self.face.title[:1].upper() or "?")
            sheet.text(centre, letter, 80, INK, weight=fonts.BLACK, anchor="mm")
        y = top + BAND + 112
        for line in self.title:
            middle_x = (left + right) / 2
            sheet.text(
                (middle_x, y + 18), line, TITLE, INK, weight=fonts.BLACK, anchor="mm",
                room=right - left - 24, least=24,
            )  # fmt: skip
            y += 42
        y += 6
        for line in self.lines:
            sheet.text((left + 20, y + LINE / 2), line, TEXT, INK, weight=fonts.REGULAR)
            y += LINE

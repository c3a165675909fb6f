"""Cards for free use: kinds of card, and named lists of them such as a game's decks."""

from __future__ import annotations

import msgspec

SUITS = ("spades", "hearts", "diamonds", "clubs")
"""Kinds of the suited cards, which have ids such as `hearts:10`."""

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

JOKER = "joker"
"""Kind of the jokers: `joker:red` and `joker:black`."""


class CardKind(msgspec.Struct, frozen=True):
    """A kind of card and how many of it are in a deck.

    The id is unique in its deck. Its part before a colon is the card's kind, which a picture shows.
    """

    id: str
    title: str
    text: str = ""
    copies: int = 1


class DeckList(msgspec.Struct, frozen=True):
    """A deck as it is offered: what it is asked for by, its title, its cards."""

    id: str
    title: str
    cards: tuple[CardKind, ...]

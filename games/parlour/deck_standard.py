"""The standard cards: 52 in four suits, with or without jokers."""

from __future__ import annotations

from games.kernel.cards import JOKER, RANKS, SUITS, CardKind, DeckList

NAMES = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King"}

SUITED = tuple(
    CardKind(f"{suit}:{rank}", f"{NAMES.get(rank, rank)} of {suit.capitalize()}")
    for suit in SUITS
    for rank in RANKS
)
JOKERS = (CardKind(f"{JOKER}:red", "Red Joker"), CardKind(f"{JOKER}:black", "Black Joker"))

STANDARD = DeckList("standard", "Standard 52", SUITED)
WITH_JOKERS = DeckList("jokers", "Standard 52 with jokers", SUITED + JOKERS)

"""A deck of cards: where its cards are, and what can be done with them.

Cards of one kind are alike, so a place holds ids of kinds. The order of the pile does not exist: which
card comes next is decided when it is drawn. Only what somebody peeked at, or put back, has a place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from games.kernel.cards import CardKind
from games.kernel.entropy import Entropy
from games.kernel.illegal import Illegal


class Piles(msgspec.Struct):
    """Where the cards are that nobody holds.

    `pile` counts the cards without an order by kind; `ahead` come before them, `below` after them, the
    next one first. `table` and `discard` lie open, the last one on top.
    """

    pile: dict[str, int]
    ahead: list[str] = msgspec.field(default_factory=list[str])
    below: list[str] = msgspec.field(default_factory=list[str])
    table: list[str] = msgspec.field(default_factory=list[str])
    discard: list[str] = msgspec.field(default_factory=list[str])

    @property
    def left(self) -> int:
        """How many cards can be drawn."""
        return sum(self.pile.values()) + len(self.ahead) + len(self.below)


@dataclass
class Deck:
    """All cards of a deck: the piles, and hands by user."""

    piles: Piles
    hands: dict[int, list[str]] = field(default_factory=dict[int, list[str]])

    @property
    def veiled(self) -> bool:
        """Whether the place of some card is known to somebody, but not to everybody."""
        piles = self.piles
        return bool(piles.ahead or piles.below) or any(self.hands.values())


class Seen(msgspec.Struct, frozen=True):
    """What everybody may know of a deck: numbers, and the cards that lie open."""

    left: int
    table: tuple[str, ...]
    discard: tuple[str, ...]
    hands: tuple[tuple[int, int], ...]


def fresh(cards: Iterable[CardKind]) -> Deck:
    """All cards in the pile."""
    return Deck(Piles({card.id: card.copies for card in cards}))


def seen(deck: Deck) -> Seen:
    """What everybody may know: depends on no hand's cards and on nothing that was peeked at."""
    piles = deck.piles
    hands = tuple((user, len(cards)) for user, cards in sorted(deck.hands.items()) if cards)
    return Seen(piles.left, tuple(piles.table), tuple(piles.discard), hands)


def everything(deck: Deck) -> Counter[str]:
    """All cards wherever they are, counted by kind."""
    piles = deck.piles
    found = Counter(piles.pile)
    for place in (piles.ahead, piles.below, piles.table, piles.discard, *deck.hands.values()):
        found.update(place)
    return +found


def chancy(piles: Piles, number: int) -> bool:
    """Whether it takes chance to say what the next so many cards are."""
    return number > len(piles.ahead) and bool(piles.pile)


def check_left(piles: Piles, number: int) -> None:
    """Raises `Illegal` when fewer cards are left in the pile."""
    left = piles.left
    if number <= left:
        return
    if not left:
        raise Illegal("", "The pile is empty. `/deck shuffle` brings other cards back into it.")
    many = "Only one card is" if left == 1 else f"Only {left} cards are"
    raise Illegal(
        "",
        f"{many} left in the pile, so {number} cannot be taken. Nothing was drawn; ask for fewer, or "
        "bring cards back with `/deck shuffle`.",
    )


def decide(piles: Piles, number: int, entropy: Entropy) -> None:
    """Settle what the next so many cards are; they are `ahead` then. Raises `Illegal`."""
    check_left(piles, number)
    stock = [card for card in sorted(piles.pile) for _ in range(piles.pile[card])]
    while len(piles.ahead) < number and stock:
        card = stock.pop(entropy.pick(stock, "card"))
        piles.ahead.append(card)
        _less(piles.pile, card)
    short = number - len(piles.ahead)
    if short > 0:
        piles.ahead += piles.below[:short]
        del piles.below[:short]


def draw(piles: Piles, number: int, entropy: Entropy) -> list[str]:
    """Take the next so many cards out. Raises `Illegal` when fewer are left."""
    decide(piles, number, entropy)
    drawn = piles.ahead[:number]
    del piles.ahead[:number]
    return drawn


def take(place: list[str], cards: Sequence[str]) -> None:
    """Take these cards out of a place. Raises `KeyError` for one that is not there; then none is."""
    missing = Counter(cards) - Counter(place)
    if missing:
        raise KeyError(next(iter(missing)))
    for card in cards:
        place.remove(card)


def put_back(piles: Piles, cards: Sequence[str], *, top: bool) -> None:
    """Put cards back into the pile: on top, the first one uppermost, or below all others."""
    if top:
        piles.ahead[:0] = cards
    else:
        piles.below += cards


def shuffle(deck: Deck, *, table: bool, discard: bool, hands: bool) -> int:
    """Bring cards back into the pile and shuffle all of it; returns how many came back.

    Whatever was known of the pile is not true any more afterwards.
    """
    piles = deck.piles
    back: list[str] = []
    if table:
        back += piles.table
        piles.table = []
    if discard:
        back += piles.discard
        piles.discard = []
    if hands:
        for cards in deck.hands.values():
            back += cards
        deck.hands = {}
    for card in (*back, *piles.ahead, *piles.below):
        piles.pile[card] = piles.pile.get(card, 0) + 1
    piles.ahead, piles.below = [], []
    return len(back)


def in_order(cards: Iterable[str], kinds: Mapping[str, CardKind]) -> list[str]:
    """The cards in the order of the deck's list."""
    place = {card: number for number, card in enumerate(kinds)}
    return sorted(cards, key=lambda card: place.get(card, len(place)))


def _less(pile: dict[str, int], card: str) -> None:
    pile[card] -= 1
    if not pile[card]:
        del pile[card]

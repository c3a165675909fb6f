"""Decks: no card is lost or made, nothing of the future exists, nothing of hands is seen."""

from __future__ import annotations

import copy
from collections import Counter

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from games.kernel.cards import CardKind
from games.kernel.entropy import ScriptedEntropy, seeded
from games.kernel.illegal import Illegal
from games.parlour.deck import (
    Deck,
    Piles,
    chancy,
    check_left,
    decide,
    draw,
    everything,
    fresh,
    in_order,
    put_back,
    seen,
    shuffle,
    take,
)
from games.parlour.deck_standard import STANDARD, WITH_JOKERS

CARDS = (
    CardKind("a", "Alpha", copies=3),
    CardKind("b", "Bravo"),
    CardKind("c", "Charlie", copies=2),
    CardKind("d", "Delta", copies=6),
)
ALL = Counter({card.id: card.copies for card in CARDS})
USERS = (1, 2, 3)


class Usage(RuleBasedStateMachine):
    """Anybody does anything in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.deck = fresh(CARDS)
        self.entropy = seeded("usage")

    @property
    def piles(self) -> Piles:
        return self.deck.piles

    @rule(number=st.integers(1, 14), user=st.sampled_from((0, *USERS)), at_once=st.booleans())
    def draws(self, number: int, user: int, at_once: bool) -> None:
        left, before = self.piles.left, everything(self.deck)
        known = list(self.piles.ahead)
        if number > left:
            with pytest.raises(Illegal, match="empty" if not left else "left in the pile"):
                draw(self.piles, number, self.entropy)
            assert everything(self.deck) == before and self.piles.left == left
            return
        drawn = draw(self.piles, number, self.entropy)
        assert len(drawn) == number and self.piles.left == left - number
        assert drawn[: len(known)] == known[:number], "what was peeked at comes first"
        if user:
            self.deck.hands.setdefault(user, []).extend(drawn)
        else:
            (self.piles.discard if at_once else self.piles.table).extend(drawn)

    @rule(number=st.integers(1, 14))
    def peeks(self, number: int) -> None:
        if number > self.piles.left:
            with pytest.raises(Illegal):
                decide(self.piles, number, self.entropy)
            return
        left, shown = self.piles.left, seen(self.deck)
        decide(self.piles, number, self.entropy)
        looked = self.piles.ahead[:number]
        decide(self.piles, number, ScriptedEntropy(()))
        assert self.piles.ahead[:number] == looked, "a second look shows the same"
        assert self.piles.left == left and seen(self.deck) == shown

    @rule(
        data=st.data(),
        user=st.sampled_from(USERS),
        to=st.sampled_from("table discard hand".split()),
    )
    def plays(self, data: st.DataObject, user: int, to: str) -> None:
        hand = self.deck.hands.get(user, [])
        if hand:
            cards = data.draw(st.lists(st.sampled_from(hand), min_size=1, max_size=2))
            if Counter(cards) - Counter(hand):
                with pytest.raises(KeyError):
                    take(hand, cards)
                return
            take(hand, cards)
            other = self.deck.hands.setdefault(user % 3 + 1, [])
            {"table": self.piles.table, "discard": self.piles.discard, "hand": other}[to].extend(
                cards
            )

    @rule(top=st.booleans(), data=st.data())
    def puts_back(self, top: bool, data: st.DataObject) -> None:
        if self.piles.table:
            card = data.draw(st.sampled_from(self.piles.table))
            take(self.piles.table, [card])
            put_back(self.piles, [card], top=top)
            if top:
                assert self.piles.ahead[0] == card
            else:
                assert self.piles.below[-1] == card

    @rule(table=st.booleans(), discard=st.booleans(), hands=st.booleans())
    def shuffles(self, table: bool, discard: bool, hands: bool) -> None:
        left = self.piles.left
        back = shuffle(self.deck, table=table, discard=discard, hands=hands)
        assert self.piles.left == left + back
        assert not self.piles.ahead and not self.piles.below
        assert not (table and self.piles.table) and not (discard and self.piles.discard)
        assert not (hands and any(self.deck.hands.values()))

    @invariant()
    def no_card_is_lost_or_made(self) -> None:
        assert everything(self.deck) == ALL
        assert min(self.piles.pile.values(), default=1) >= 1
        shown = seen(self.deck)
        held = sum(number for _, number in shown.hands)
        assert shown.left + len(shown.table) + len(shown.discard) + held == ALL.total()

    @precondition(lambda self: self.deck.veiled)
    @invariant()
    def what_is_seen_does_not_depend_on_what_is_hidden(self) -> None:
        """Deal all hidden cards anew, keeping only the numbers: everybody sees the same."""
        other = copy.deepcopy(self.deck)
        places = [other.piles.ahead, other.piles.below, *other.hands.values()]
        hidden = sorted(
            [
                *Counter(other.piles.pile).elements(),
                *(card for place in places for card in place),
            ],
            reverse=True,
        )
        for place in places:
            place[:], hidden = hidden[: len(place)], hidden[len(place) :]
        other.piles.pile = dict(Counter(hidden))
        assert everything(other) == ALL
        assert seen(other) == seen(self.deck)


TestUsage = Usage.TestCase
TestUsage.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


def test_every_card_of_the_pile_may_be_next_and_equally_often() -> None:
    first: Counter[str] = Counter()
    for place in range(ALL.total()):

        class Place:
            """Chance that always points at one place."""

            def pick(self, options: list[str], label: str, place: int = place) -> int:
                assert len(options) == ALL.total() and label == "card"
                return place

        first.update(draw(fresh(CARDS).piles, 1, Place()))  # type: ignore[arg-type]
    assert first == ALL


def test_nothing_of_the_future_is_kept() -> None:
    deck = fresh(CARDS)
    draw(deck.piles, 4, seeded("x"))
    assert deck.piles.ahead == [] and deck.piles.below == []
    assert list(deck.piles.pile) == [card.id for card in CARDS if card.id in deck.piles.pile]


def test_the_way_back_is_first_what_is_on_top_then_the_pile_then_what_is_below() -> None:
    deck = Deck(fresh(CARDS[:2]).piles)
    put_back(deck.piles, ["x", "y"], top=True)
    put_back(deck.piles, ["z"], top=False)
    put_back(deck.piles, ["w"], top=False)
    assert draw(deck.piles, 1, ScriptedEntropy(())) == ["x"]
    drawn = draw(deck.piles, 7, ScriptedEntropy(["a", "b", "a", "a"]))
    assert drawn == ["y", "a", "b", "a", "a", "z", "w"]


def test_how_many_are_left_is_said() -> None:
    piles = fresh(CARDS).piles
    check_left(piles, 12)
    with pytest.raises(Illegal, match="Only 12 cards are left in the pile, so 13"):
        check_left(piles, 13)
    draw(piles, 11, seeded("most"))
    with pytest.raises(Illegal, match="Only one card is left"):
        draw(piles, 2, seeded("two"))
    draw(piles, 1, seeded("last"))
    with pytest.raises(Illegal, match="The pile is empty"):
        draw(piles, 1, seeded("none"))


def test_chance_is_asked_for_only_where_something_is_undecided() -> None:
    piles = fresh(CARDS).piles
    assert chancy(piles, 1) and not chancy(piles, 0)
    decide(piles, 2, seeded("two"))
    assert not chancy(piles, 2) and chancy(piles, 3)
    draw(piles, 12, seeded("rest"))
    put_back(piles, ["a"], top=False)
    assert not chancy(piles, 1)


def test_veiled_while_anything_is_in_the_dark() -> None:
    deck = fresh(CARDS)
    assert not deck.veiled
    deck.hands[1] = []
    deck.piles.table += draw(deck.piles, 2, seeded("open"))
    assert not deck.veiled
    deck.hands[1] += draw(deck.piles, 1, seeded("hand"))
    assert deck.veiled
    shuffle(deck, table=False, discard=False, hands=True)
    decide(deck.piles, 1, seeded("peek"))
    assert deck.veiled


def test_the_standard_cards() -> None:
    assert len(STANDARD.cards) == len({card.id for card in STANDARD.cards}) == 52
    assert len({card.title for card in WITH_JOKERS.cards}) == 54
    kinds = {card.id: card for card in STANDARD.cards}
    assert kinds["hearts:A"].title == "Ace of Hearts" and kinds["clubs:10"].title == "10 of Clubs"
    assert in_order(["clubs:2", "spades:K", "spades:A"], kinds) == [
        "spades:A",
        "spades:K",
        "clubs:2",
    ]

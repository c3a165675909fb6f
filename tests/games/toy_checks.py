"""What the parametrised tests must know of the toy game: its sums and its secrets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.kernel.game import Game
from tests.toygame import TABLES, ToyState


def conserved(game: Game[Any], state: ToyState) -> None:
    """No card comes or goes but by being burnt; finds are as many as caches; pawns never meet."""
    for card, number in TABLES["cards"].items():
        held = sum(hand.count(card) for hand in state.hands.values())
        assert state.deck[card] >= 0 and state.deck[card] + held <= number
    taken = len(TABLES["caches"]) - len(state.caches)
    assert sum(state.finds.values()) == sum(TABLES["finds"].values()) - taken
    assert state.pos["RED"] != state.pos["BLUE"]
    assert all(points >= 0 for points in state.points.values())
    assert 1 <= state.round <= TABLES["rounds"] + 1


def unseen(game: Game[Any], state: ToyState, seat: str | None) -> Iterator[ToyState]:
    """Other hands of the same size for everybody else, another deck of the same size, other finds."""
    other = game.copy(state)
    for owner, hand in other.hands.items():
        if owner != seat:
            other.hands[owner] = ["SMOKE" if card != "SMOKE" else "AMMO" for card in hand]
    yield other
    other = game.copy(state)
    numbers = list(state.deck.values())
    other.deck = dict(zip(state.deck, [*numbers[1:], numbers[0]], strict=True))
    other.finds = dict.fromkeys(state.finds, 1)
    yield other

"""Sniper Kill Confirmed: states that differ only in what nobody, or no spectator, can see (spec 2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.kernel.game import Game
from games.sniper import roles
from games.sniper.model import State

PILES = ("action", "tactical", "hostile", "location", "vip")


def unseen(game: Game[Any], state: State, seat: str | None) -> Iterator[State]:
    """The piles in another order, the VIP and the cards ahead as if decided; for the public the hands."""
    other = game.copy(state)
    for pile in PILES:
        getattr(other, f"{pile}_pile").reverse()
    yield other
    for place in range(4):
        yield _decided(game.copy(state), place)
    if seat not in roles.seats(state):
        for turn in (1, 3, 7):
            yield _dealt_again(game.copy(state), turn)


def _decided(state: State, place: int) -> State:
    """The VIP chosen and the face-down Location cards laid, as if somebody had dealt them."""
    if not state.vip.revealed and state.vip_pile:
        state.vip.card = state.vip_pile[place % len(state.vip_pile)]
    ahead = state.location_pile[place:] + state.location_pile[:place]
    for zone in range(state.zone, len(state.location_cards)):
        if ahead and not state.location_cards[zone]:
            state.location_cards[zone] = ahead.pop()
    return state


def _dealt_again(state: State, turn: int) -> State:
    """Other cards in both hands, as many as before, exchanged with the piles."""
    for hand, pile in ((state.hand, state.action_pile), (state.tactical, state.tactical_pile)):
        for place in range(len(hand)):
            if not pile or hand[place] == "priority_channel":  # what phase IV stops for is known
                continue
            other = (place * turn + turn) % len(pile)
            hand[place], pile[other] = pile[other], hand[place]
    return state

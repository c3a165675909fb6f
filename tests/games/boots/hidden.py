"""Boots on the Ground: states that differ only in what nobody can see (spec 1.10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.boots.model import State
from games.kernel.game import Game

KINDS = {
    "civilians": ("friendly", "insurgent"),
    "vehicles": ("safe", "ied_a", "ied_b"),
    "boxes": ("health", "grenade", "booby", "bombkit", "wmd"),
}


def unseen(game: Game[Any], state: State, seat: str | None) -> Iterator[State]:
    """Faces of unflipped counters, the mixes they come from, the order of the undrawn cards.

    Everybody sees the same here, so the seat does not matter. A scouted card is public.
    """
    for place in range(5):
        yield _decided(game.copy(state), place)
    other = game.copy(state)
    other.deck.reverse()
    other.deck[:] = other.deck[7:] + other.deck[:7]
    yield other
    other = game.copy(state)
    other.civilian_mix = ["insurgent"] * len(state.civilian_mix)
    other.vehicle_mix = ["ied_b"] * len(state.vehicle_mix)
    other.box_mix = list(reversed(["booby"] * len(state.box_mix)))
    other.box_forced = []
    yield other


def _decided(state: State, place: int) -> State:
    """The same state with every closed counter decided, as if somebody had dealt them."""
    for number, civilian in enumerate(state.civilians.values(), start=place):
        civilian.kind = KINDS["civilians"][number % 2]
    for number, vehicle in enumerate(state.vehicles.values(), start=place):
        if not vehicle.face_up:
            vehicle.kind = KINDS["vehicles"][number % 3]
    for number, box in enumerate(state.boxes.values(), start=place):
        box.kind = KINDS["boxes"][number % 5]
    return state

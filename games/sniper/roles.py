"""Who decides what. Rules SK-22.1 to SK-22.9.

A mission alone has one seat that is Sniper and Spotter in one; a group has both; in a rotation the
seats `P1` to `P6` take the two parts in turn.
"""

from __future__ import annotations

from games.sniper.model import SNIPER, SPOTTER, State


def seats(state: State) -> tuple[str, ...]:
    """Every seat of the team."""
    if state.crew:
        return tuple(f"P{number}" for number in range(1, state.crew + 1))
    return (SNIPER, SPOTTER) if state.mode == "group" else (SNIPER,)


def sniper(state: State) -> str:
    """The seat that is the Sniper this turn (SK-22.9)."""
    if not state.crew:
        return SNIPER
    return f"P{(max(state.turn, 1) - 1) % state.crew + 1}"


def next_sniper(state: State) -> str:
    """The seat that is the Sniper in the turn after this one, in a rotation (SK-22.9)."""
    return f"P{max(state.turn, 1) % state.crew + 1}"


def spotter(state: State) -> str:
    """The seat that is the Spotter this turn; alone it is the Sniper's own."""
    if state.crew:
        return next_sniper(state)
    return SPOTTER if state.mode == "group" else SNIPER


def parts(state: State, seat: str) -> str:
    """Which parts a seat plays now: `P`, `Q`, `PQ` or nothing."""
    return "P" * (seat == sniper(state)) + "Q" * (seat == spotter(state))


def spotting(state: State) -> str:
    """The part that spots: the Spotter's, the Sniper's once he is dead (SK-22.7)."""
    return "Q" if state.spotter_alive else "P"

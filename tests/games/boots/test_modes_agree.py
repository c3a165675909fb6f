"""Modes that differ only in who decides play the very same game when the decisions are the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import pytest

from games.kernel.entropy import seeded
from games.kernel.play import begin, play
from tests.games.boots.board import game
from tests.games.boots.chief import everybody

ALONE = {"standing": "all"}
"""The human conductor leaves every card to the program (spec 8.17)."""

PAIRS: tuple[tuple[Mapping[str, str], Mapping[str, str]], ...] = (
    ({"mode": "solo1"}, {"mode": "versus", **ALONE}),
    ({"mode": "solo2"}, {"mode": "coop"}),
    ({"mode": "coop"}, {"mode": "versus", "versus_squads": "2", **ALONE}),
    ({"mode": "coop"}, {"mode": "three", **ALONE}),
    ({"mode": "comp", **ALONE}, {"mode": "three", "three_goal": "comp", **ALONE}),
)


def steps(chosen: Mapping[str, str], seed: str) -> Iterator[tuple[str, object, object]]:
    """Who did what, and the state it led to, but for what names the mode."""
    boots, player = game(), everybody(game())
    chance, choice = seeded(f"{seed}:chance"), seeded(f"{seed}:choice")
    state = begin(boots, boots.read_setup(chosen), chance).state
    while state.outcome is None:
        seat = choice.draw([task.seat for task in boots.tasks(state)], "seat")
        action = player(state, seat, choice)
        state = play(boots, state, seat, action, chance).state
        told: dict[str, Any] = msgspec.to_builtins(state)
        for name in ("mode", "options", "standing"):
            del told[name]
        if state.outcome is not None:  # the insurgents win where somebody plays them
            told["outcome"] = (state.outcome.cause, state.outcome.level, state.outcome.text)
        yield seat, action.to_json(), told


@pytest.mark.rule("BG-9.1", "BG-9.2", "BG-9.3", "BG-9.8", "BG-9.9", "BG-A.10")
@pytest.mark.parametrize("mission", ["angel-down", "block-by-block"])
@pytest.mark.parametrize(("one", "two"), PAIRS, ids=lambda chosen: "-".join(chosen.values()))
def test_the_same_game(one: Mapping[str, str], two: Mapping[str, str], mission: str) -> None:
    first = list(steps({"mission": mission, **one}, mission))
    assert first == list(steps({"mission": mission, **two}, mission))
    assert len(first) > 30

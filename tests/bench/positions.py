"""Positions from seeded whole games on the city map, in every mode."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from games.kernel.action import Action
from games.kernel.entropy import seeded
from games.kernel.event import Event
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.kernel.play import begin, play
from games.kernel.random_player import random_action
from games.kernel.view import SquareBoard
from games.registry import Registry

MAP = "city"
WEIGHTS = {"concede": 0, "ready": 3, "move": 3, "fire": 4, "activate_team": 2}
"""What the random player likes, as in the tests of random play; it never gives up."""


@dataclass(frozen=True)
class Position:
    """A state at which `seat` must act, the action it takes there, and what led to it.

    The state is kept as bytes: thousands of live ones would burden the garbage collector, which
    belongs to what is measured.
    """

    game: Game[Any]
    raw: bytes
    seat: str
    action: Action
    events: tuple[Event, ...]

    def state(self) -> Any:
        """The state, decoded anew."""
        return self.game.decode(self.raw)


def boots() -> Game[Any]:
    """The game with the content it ships with."""
    return Registry().newest("boots")


def set_ups(game: Game[Any]) -> list[dict[str, str]]:
    """Every mission on the city map with every mode it can be played in."""
    fields = {field.name: [o.value for o in field.options] for field in game.setup_fields()}
    found: list[dict[str, str]] = []
    for mode in fields["mode"]:
        for mission in fields["mission"]:
            chosen = {"mission": mission, "mode": mode}
            try:
                setup = game.read_setup(chosen)
                state = begin(game, setup, seeded("which map")).state
            except Illegal:
                continue
            board = game.view(state, None).board
            if isinstance(board, SquareBoard) and board.map.key.startswith(MAP):
                found.append(chosen)
    return found


def whole_game(
    game: Game[Any], chosen: dict[str, str], seed: str, most: int = 400
) -> Iterator[Position]:
    """The positions of one random game from its beginning, at most so many."""
    entropy = seeded(seed)
    turnout = begin(game, game.read_setup(chosen), entropy)
    for _ in range(most):
        tasks = game.tasks(turnout.state)
        if game.result(turnout.state) is not None or not tasks:
            return
        seat = tasks[0].seat
        action = random_action(game, turnout.state, seat, entropy, WEIGHTS)
        yield Position(game, game.encode(turnout.state), seat, action, turnout.events)
        turnout = play(game, turnout.state, seat, action, entropy)

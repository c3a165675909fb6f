"""A crude but sensible conductor of the insurgents, and a player for every seat of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from games.boots import conduct
from games.boots.automation import walks
from games.boots.field import Field
from games.boots.game import Boots
from games.boots.model import State
from games.geometry.squares import FACINGS
from games.kernel.action import Action
from games.kernel.domain import Choices
from games.kernel.entropy import Entropy
from games.kernel.game import Game
from tests.players import Sergeant, sampled

PERSONAL = ("concede", "standing")
"""What the players here never do of their own accord."""


class Chief:
    """Conducts the insurgents, also for a squad in a race, where it settles ties.

    `wild` is how many of a hundred decisions are taken at random, `lazy` how many cards of a hundred
    are left to the program.
    """

    def __init__(self, game: Game[Any], *, wild: int = 0, lazy: int = 5) -> None:
        assert isinstance(game, Boots)
        self.game = game
        self.wild, self.lazy = wild, lazy

    def action(self, state: State, seat: str, chance: Entropy) -> Action:
        """What to do now. The seat must be asked about a card."""
        field = self.game.at(state)
        ways = [o.verb for o in self.game.offers(state, seat) if o.verb not in PERSONAL]
        if chance.roll(100, "lazy") <= self.lazy:
            return Action("auto")
        ways.remove("auto")
        if chance.roll(100, "wild") <= self.wild or not conduct.is_free(field):
            return sampled(self.game, state, seat, chance.draw(ways, "verb"), chance)
        if "i_stay" in ways:
            return self._move(field)
        best = [v for v in ("i_throw", "i_rpg", "i_spread") if v in ways] or ways
        if best == ["i_fire"]:
            return self._fire(field, seat, chance)
        return sampled(self.game, state, seat, chance.draw(best, "verb"), chance)

    def _move(self, field: Field) -> Action:
        """The next insurgent goes where the program would send it."""
        unit = conduct.movers(field)[0]
        walk = walks(field, unit, field.state.squad_turn)[0]
        if walk.stay:
            return Action("i_stay", {"unit": unit.id})
        return Action("i_move", {"unit": unit.id, "to": walk.square, "face": FACINGS[walk.face]})

    def _fire(self, field: Field, seat: str, chance: Entropy) -> Action:
        """Anybody who can, at his best target."""
        verb = self.game.verbs["i_fire"]
        units = verb.domain(field.state, seat, "unit", {})
        assert isinstance(units, Choices)
        unit = units.sample(chance)
        targets = verb.domain(field.state, seat, "target", {"unit": unit})
        assert isinstance(targets, Choices)
        return Action("i_fire", {"unit": unit, "target": targets.options[0].value})


def everybody(
    game: Game[Any], *, wild: int = 0, lazy: int = 5
) -> Callable[[Any, str, Entropy], Action]:
    """A player for all seats: sergeants for the squads, a chief wherever a card is conducted."""
    sergeant, chief = Sergeant(game, wild=wild), Chief(game, wild=wild, lazy=lazy)

    def action(state: Any, seat: str, chance: Entropy) -> Action:
        conducting = state.steps[-1].step in ("event", "fire")
        return (chief if conducting else sergeant).action(state, seat, chance)

    return action

"""Every game that the parametrised tests play: its set-ups, and what only that game knows.

A new game adds one line to `CASES` and gets random play, purity, determinism and leak tests for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from games.kernel.action import Action
from games.kernel.entropy import Entropy
from games.kernel.game import Game
from games.registry import Registry
from tests import toygame
from tests.games import toy_checks
from tests.games.boots import conservation, hidden
from tests.games.boots.chief import everybody
from tests.games.sniper import conservation as sniper_conservation
from tests.games.sniper import hidden as sniper_hidden
from tests.games.sniper.players import Corporal

AnyGame = Game[Any]

Player = Callable[[Any, str, Entropy], Action]
"""Decides for a seat that must act."""


def never(game: AnyGame, state: Any, seat: str | None) -> Iterable[Any]:
    """A game that hides nothing from anybody."""
    return ()


@dataclass(frozen=True)
class Case:
    """One set-up of one game, with the hooks of that game.

    `conserved` raises AssertionError when a figure of a state does not add up. `unseen` gives states
    that differ from a state only in what a seat (None: the public) cannot know. `weights` are the
    random player's; verbs in `exits` are no way on, only a way out. `most_actions` bounds a game.
    """

    slug: str
    chosen: Mapping[str, str]
    conserved: Callable[[AnyGame, Any], None]
    unseen: Callable[[AnyGame, Any, str | None], Iterable[Any]] = never
    weights: Mapping[str, int] = field(default_factory=dict)
    player: Callable[[AnyGame], Player] | None = None
    """Makes a player that gets deeper into a game than the random one."""
    exits: frozenset[str] = frozenset()
    most_actions: int = 1_000
    common: bool = False
    """Whether it is among the few set-ups for tests that take long (`SOME`)."""
    solid: bool = True
    """Whether the most random games are played of it (it ships), or a few (it only serves tests)."""

    @property
    def name(self) -> str:
        """What the test is called."""
        return "-".join((self.slug, *self.chosen.values()))

    @property
    def mode(self) -> str:
        """The mode it is played in."""
        return self.chosen["mode"]

    @property
    def game(self) -> AnyGame:
        """The game with the content it ships with."""
        return game_of(self.slug)


@cache
def registry() -> Registry:
    """The games that ship, and the toy game."""
    return Registry({"toy": toygame.load})


@cache
def game_of(slug: str) -> AnyGame:
    """One of them by its slug."""
    return registry().newest(slug)


# --- Boots on the Ground ----------------------------------------------------------------------

_OTHERWISE = {
    "facing_dirs": "4",
    "pivot_in_place": "true",
    "critical_effect": "both",
    "cleared_hold": "true",
    "boxes_forced": "true",
    "hostage_last": "false",
}
"""Every option of SOLO1 with a value that is not its default."""

_OPTIONS: tuple[Mapping[str, str], ...] = (
    {},
    _OTHERWISE,
    {"cards_delta": "15", "critical_effect": "fire", "boxes_forced": "true"},
    {"cards_delta": "-15", "pivot_in_place": "true", "facing_dirs": "4"},
)
_MISSIONS = (
    "range", "hot-lz", "bring-them-home", "yellow-rain", "block-by-block", "angel-down",
    "most-wanted",
)  # fmt: skip


_RARE = dict.fromkeys(("spread", "treat", "escort", "kit_heal", "door", "rpg", "defuse"), 8)
"""Verbs that a random player seldom gets to."""


def _boots(
    mission: str, options: Mapping[str, str], mode: str = "solo1", *, common: bool = False
) -> Case:
    return Case(
        slug="boots",
        chosen={"mission": mission, "mode": mode, **options},
        conserved=conservation.conserved,
        unseen=hidden.unseen,
        weights={"concede": 0, "ready": 3, "move": 3, "fire": 4, "activate_team": 2, **_RARE},
        player=lambda game: everybody(game, wild=25),
        exits=frozenset({"concede", "standing"}),
        most_actions=1_500,
        common=common,
    )


_TURNS: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]] = {
    "solo2": ({}, {"insurgent_control": "drawer"}),
    "coop": ({"insurgent_control": "drawer"}, {}),
    "comp": ({}, {"standing": "ask"}),
    "versus": ({}, {"versus_squads": "2"}),
    "three": ({"three_goal": "comp"}, {}),
}
"""What only some modes can choose: by turns for one mission and the next."""

_COMMON = {
    "hot-lz": "coop", "yellow-rain": "comp", "block-by-block": "versus", "bring-them-home": "three",
}  # fmt: skip

SOLO = tuple(
    _boots(mission, options, common=options in ({}, _OTHERWISE))
    for mission in _MISSIONS
    for options in _OPTIONS
)
OTHER_MODES = tuple(
    _boots(
        mission,
        {**turns[i % 2], **_OPTIONS[(i // 2 + j) % len(_OPTIONS)]},
        mode,
        common=_COMMON.get(mission) == mode,
    )
    for j, (mode, turns) in enumerate(_TURNS.items())
    for i, mission in enumerate(_MISSIONS)
)
"""Every mission in every other mode, each with some of the options."""

BOOTS = (*SOLO, *OTHER_MODES)


# --- Sniper Kill Confirmed --------------------------------------------------------------------


def _sniper(*, common: bool = False, **chosen: str) -> Case:
    return Case(
        slug="sniper",
        chosen={"mode": "solo", **chosen},
        conserved=sniper_conservation.conserved,
        unseen=sniper_hidden.unseen,
        weights={"abandon": 0, "end_turn": 0, "engage": 2, "move": 4, "crawl_on": 4, "extract": 2},
        player=lambda game: Corporal(game, wild=15).action,
        exits=frozenset({"abandon", "orders"}),
        most_actions=1_000,
        common=common,
    )


SNIPER = (
    _sniper(common=True),
    _sniper(veteran="on", hot_zone="on", strict_wounds="on"),
    _sniper(rookie="on", location="ruined_city"),
    _sniper(lone_wolf="on", location="jungle"),
    _sniper(location="desert"),
    _sniper(location="countryside"),
    _sniper(common=True, mode="group"),
    _sniper(mode="group", rookie="on", strict_wounds="on"),
    _sniper(common=True, mode="group", rotation="3"),
    _sniper(mode="group", rotation="6", veteran="on"),
)


# --- the toy ----------------------------------------------------------------------------------

TOY = tuple(
    Case(
        slug="toy",
        chosen={"mission": "arena", "mode": mode},
        conserved=toy_checks.conserved,
        unseen=toy_checks.unseen,
        solid=False,
    )
    for mode in ("solo1", "duel")
)

CASES = (*BOOTS, *SNIPER, *TOY)
SOME = tuple(case for case in CASES if not case.solid or case.common)
"""A set-up of each kind, where every one would take too long: the defaults and the opposite."""

"""Recordings of Boots on the Ground: one for every way to end that a table has (ends.py).

Most begin near their end: a natural game of two squads takes some two hundred actions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games.boots.model import SPECIALISTS, State
from games.kernel.action import Action
from games.kernel.entropy import Entropy
from games.kernel.game import Game
from tests.games.boots.board import game as boots
from tests.games.boots.chief import everybody
from tests.games.boots.ends import TABLES, WAYS, line, seats, table_of, way_of, why_not
from tests.games.wanted import Player, Story, Wanted
from tests.players import sampled

# --- who plays --------------------------------------------------------------------------------

Maker = Callable[[Game[Any]], Player]


def plays(wild: int = 0, **gives_up: int) -> Maker:
    """Everybody plays sensibly, so many of a hundred decisions at random.

    The seats named give up at their first chance after so many cards.
    """

    def make(game: Game[Any]) -> Player:
        player = everybody(game, wild=wild)

        def action(state: State, seat: str, chance: Entropy) -> Action:
            enough = gives_up.get(seat)
            if enough is None or seat in state.conceded or state.cards_used < enough:
                return player(state, seat, chance)
            return Action("concede")

        return action

    return make


def keen(*verbs: str) -> Maker:
    """Everybody plays sensibly, but seldom lets a chance pass to use one of these verbs."""

    def make(game: Game[Any]) -> Player:
        player = everybody(game, lazy=0)

        def action(state: State, seat: str, chance: Entropy) -> Action:
            able = [o.verb for o in game.offers(state, seat) if o.verb in verbs]
            if able and chance.roll(4, "keen") > 1:
                return sampled(game, state, seat, chance.draw(able, "verb"), chance)
            return player(state, seat, chance)

        return action

    return make


SENSIBLE = plays()


# --- where a game begins ----------------------------------------------------------------------

Patch = Mapping[str, Any]

_CARDS = sorted(boots().content.cards)
NEAR_THE_STOP: Patch = {"cards_used": 295, "deck": _CARDS[55:], "discard": _CARDS[:55]}
"""A game of 300 cards would be long; this one begins with 295 used."""


def worn(squad: str, *fit: str, hits: int = 2) -> Patch:
    """Of a squad these are left, wounded; the others of the six are KIA."""
    patch: dict[str, Any] = {}
    for kind in SPECIALISTS:
        if kind in fit:
            patch[f"units.{squad}-{kind}.hits"] = hits
        else:
            patch[f"units.{squad}-{kind}.status"] = "kia"
    return patch


def put(**squares: str) -> Patch:
    """Units somewhere else; `A_L` stands for A-L."""
    return {f"units.{name.replace('_', '-')}.pos": square for name, square in squares.items()}


# --- the recordings ---------------------------------------------------------------------------


def _wanted(
    table: str,
    way: str,
    mission: str,
    player: Maker = SENSIBLE,
    patch: Patch | None = None,
    options: Mapping[str, str] | None = None,
    *,
    name: str = "",
    end: str = "",
    also: Callable[[Story], bool] = lambda story: True,
    most: int = 160,
) -> Wanted:
    """An end at a table; `also` asks more of the game than that it ended in that way."""
    name = name or f"{table}-{way.replace(',', '').replace(' ', '-').lower()}"
    chosen = {"mission": mission, **TABLES[table], **(options or {})}

    def reached(story: Story) -> bool:
        shown = table_of(story.state), way_of(story)
        return shown == (table, way) and also(story)

    return Wanted(
        slug="boots",
        name=name,
        end=end or WAYS[way],
        chosen=chosen,
        reached=reached,
        player=player,
        patch=patch or {},
        most=most,
        table=table,
        way=way,
    )


def _level(level: str) -> Callable[[Story], bool]:
    return lambda story: story.state.outcome.level == level


def _hvt(fate: str) -> Callable[[Story], bool]:
    return lambda story: story.state.hvt == fate


_OTHERWISE = {
    "facing_dirs": "4", "pivot_in_place": "true", "critical_effect": "both",
    "cleared_hold": "true", "boxes_forced": "true", "hostage_last": "false",
}  # fmt: skip

_SOLO: tuple[Wanted, ...] = (
    _wanted("solo1", "won together", "hot-lz", name="win-outstanding", also=_level("Outstanding"),
            end="E1: everybody in the zone, Outstanding"),
    _wanted("solo1", "won together", "angel-down", name="win-solid", also=_level("Solid"),
            end="E1: the hostage brought home, Solid"),
    _wanted("solo1", "won together", "block-by-block", name="win-narrow", also=_level("Narrow"),
            end="E1: four buildings cleared, Narrow"),
    _wanted("solo1", "won together", "yellow-rain", name="win-wmd", end="E1: the WMD delivered"),
    _wanted("solo1", "won together", "bring-them-home", name="win-hostages",
            end="E1: a hostage brought home"),
    _wanted("solo1", "won together", "most-wanted", name="win-hvt-captured", also=_hvt("captured"),
            end="E1: the wanted man captured"),
    _wanted("solo1", "won together", "most-wanted", name="win-hvt-killed", also=_hvt("killed"),
            end="E1: the wanted man killed, one level lower"),
    _wanted("solo1", "failed, originals", "hot-lz", name="lost-squad"),
    _wanted("solo1", "failed, originals", "yellow-rain", plays(40), name="lost-squad-options",
            end="E2: one original left, with every option the other way", options=_OTHERWISE),
    _wanted("solo1", "failed, hostages", "bring-them-home", plays(40), name="lost-hostages",
            options={"hostage_last": "false"}),
    _wanted("solo1", "fell", "range", name="lost-everybody"),
    _wanted("solo1", "cards out", "block-by-block", name="cards-out",
            options={"cards_delta": "-10"}),
    _wanted("solo1", "safety stop", "most-wanted", patch=NEAR_THE_STOP, name="safety-stop"),
    _wanted("solo1", "given up by ALPHA", "hot-lz", plays(ALPHA=2), name="conceded"),
)  # fmt: skip


# --- the other tables -------------------------------------------------------------------------

_WINS = {
    "solo2": "most-wanted",
    "coop": "block-by-block",
    "versus-1": "hot-lz",
    "versus-2": "yellow-rain",
    "three-coop": "hot-lz",
}
"""Which mission a table wins together."""

_RACES = {
    ("comp", "won by ALPHA"): "hot-lz",
    ("comp", "won by BRAVO"): "block-by-block",
    ("three-comp", "won by ALPHA"): "angel-down",
    ("three-comp", "won by BRAVO"): "most-wanted",
}

_BUT_THREE: Patch = {**worn("A", "L", "M", "S", "HWE"), **worn("B", "L", "M", "DE", "SN")}
"""Eight of twelve left, all critical: three more and too few are left."""
_LAST_TWO: Patch = {**worn("A", "L", "M"), **worn("B", "DE", "S")}
_HELD: Patch = {"units.HO1.hits": 2, "units.HO2.hits": 2, **put(HO1="T20", HO2="T21")}
"""Both hostages of Bring Them Home in a bad way, beside the zone where the squads begin."""
_SAVED: Patch = put(HO1="O18", HO2="O19")
"""Both hostages of Bring Them Home half way to the zone."""

_CREW: Patch = put(HO1="E14", HO2="F12")
"""Both hostages of Angel Down near the zone."""

_RARE = ("door", "escort", "leave", "detonate", "i_rpg")
"""Verbs that a game seldom comes to."""
_CHANCES: Patch = {
    **put(A_M="E12", A_SN="F12", A_S="C18", A_HWE="F16", IN1="H16"),
    "units.A-M.items": ["bombkit"],
    "box_mix": [*["health"] * 3, *["grenade"] * 3, *["booby"] * 3, "bombkit", "wmd"],
    "boxes.LB1": False,
    "units.A-SN.hits": 1,
    "units.IN1.face": "W",
    "units.IN1.role": "demo",
    "units.IN1.role_span": "game",
}
"""Block by Block with a chance for each of them: a Medic with a bomb kit beside a vehicle and a wounded
Sniper, a Scout on a lock box, and a man behind the wall that a bomb maker looks at."""


def _here(table: str, patch: Patch) -> Patch:
    """What of a patch about soldiers concerns the squads that play at a table."""
    squads = tuple(f"units.{seat[0]}-" for seat in seats(table) if seat != "INSURGENT")
    return {path: value for path, value in patch.items() if path.startswith(squads)}


def _recording(table: str, way: str) -> Wanted:
    """A game at a table that ends in a way; most end there sooner or later, if they are let."""
    race, rash = line(table) == "comp", plays(40)
    match way:
        case "won together":
            return _wanted(table, way, _WINS[table])
        case "won by ALPHA" | "won by BRAVO":
            return _wanted(table, way, _RACES[table, way])
        case "rival failed":
            return _wanted(table, way, "yellow-rain", patch=worn("B", "L", "M"))
        case "rival fell":
            return _wanted(table, way, "bring-them-home", patch={**worn("B", "L", "M"), **_SAVED})
        case "rival gave up":
            return _wanted(table, way, "yellow-rain", plays(BRAVO=3))
        case "failed, originals":
            patch = _LAST_TWO if race else _here(table, _BUT_THREE)
            return _wanted(table, way, "hot-lz" if not race else "yellow-rain", rash, patch)
        case "failed, hostages":
            return _wanted(table, way, "bring-them-home", rash, _HELD, {"hostage_last": "false"})
        case "fell":
            return _wanted(table, way, "range", rash, _here(table, _LAST_TWO))
        case "cards out":
            return _wanted(table, way, "block-by-block", options={"cards_delta": "-55"})
        case "safety stop":
            return _wanted(table, way, "most-wanted", patch=NEAR_THE_STOP)
        case "partner fell":
            return _wanted(table, way, "range", plays(40, ALPHA=1), worn("B", "L"))
        case "handed over":
            return _wanted(table, way, "hot-lz", plays(40, INSURGENT=1), _LAST_TWO)
        case _:
            return _wanted(table, way, "hot-lz", plays(**_giving_up(table, way.rpartition(" ")[2])))


def _giving_up(table: str, last: str) -> Mapping[str, int]:
    """After how many cards which seats give up, so that the last of them ends the game."""
    shared = table in ("coop", "comp", "three-coop", "three-comp") and last != "INSURGENT"
    before = [seat for seat in seats(table) if seat not in (last, "INSURGENT")] if shared else []
    return {**dict.fromkeys(before, 1), last: 2}


_MORE = (
    _wanted("coop", "won together", "bring-them-home", name="coop-hostages", patch=_SAVED),
    _wanted("coop", "won together", "angel-down", name="coop-crew", patch=_CREW),
    _wanted("versus-1", "failed, originals", "block-by-block", keen("activate", *_RARE), _CHANCES,
            name="versus-1-rare-verbs", also=lambda story: set(_RARE) <= set(story.verbs)),
)  # fmt: skip
"""With them every objective has been reached together and in a race, and every verb been used."""

BOOTS: tuple[Wanted, ...] = (
    *_SOLO,
    *(
        _recording(table, way)
        for table in TABLES
        for way in WAYS
        if table != "solo1" and not why_not(table, way)
    ),
    *_MORE,
)

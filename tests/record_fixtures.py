"""Recorded whole games: `make fixtures` writes tests/fixtures/<slug>/*.json, the tests replay them.

One game for each way a game can end. A recording holds the set-up, every action with the results it
used and a hash of the state after it, one line an action. Recordings that still reach their end are
kept and only get new hashes; the others are searched for again: seed after seed is played by a
sensible player until the end comes about. `--anew` searches for all, `--check` writes nothing and
fails when a recording does not replay exactly.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from games.boots.model import HOSTAGE
from games.kernel.action import Action, read_action
from games.kernel.entropy import Entropy, ScriptedEntropy, ScriptMismatch, seeded
from games.kernel.game import Game, Outcome
from games.kernel.illegal import Illegal
from games.kernel.play import begin, play
from tests.games.all_games import game_of
from tests.games.scripts import Noting
from tests.games.sniper.players import Corporal, Presser
from tests.players import Sergeant

FOLDER = Path(__file__).parent / "fixtures"
MOST_SEEDS = 3_000
MOST_ACTIONS = 4_000

Script = list[int | str]
Player = Callable[[Any, str, Entropy], Action]


@dataclass(frozen=True)
class Wanted:
    """An end to be recorded: the set-up, how to know the end, and how to play towards it."""

    slug: str
    name: str
    end: str
    chosen: Mapping[str, str]
    reached: Callable[[Any], bool]
    player: Callable[[Game[Any]], Player]
    patch: Mapping[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """Where the recording lies."""
        return FOLDER / self.slug / f"{self.name}.json"


class Line(msgspec.Struct, frozen=True, array_like=True):
    """One action: who, what, the results it used, the hash of the state it led to."""

    seat: str
    action: dict[str, Any]
    script: Script
    state: str


class Recording(msgspec.Struct, frozen=True):
    """A whole game."""

    game: str
    end: str
    setup: dict[str, str]
    patch: dict[str, Any]
    script: Script
    state: str
    actions: list[Line]
    outcome: Outcome


class Different(AssertionError):
    """A recording does not replay as it was recorded."""


def digest(game: Game[Any], state: Any) -> str:
    """A short hash of a state."""
    return hashlib.sha256(game.encode(state)).hexdigest()[:16]


# --- recording and replaying ------------------------------------------------------------------


def record(wanted: Wanted, seed: str) -> Recording | None:
    """Play one game; None when it ends in another way."""
    game = game_of(wanted.slug)
    player, choice = wanted.player(game), seeded(f"{seed}:choice")
    chance = seeded(f"{seed}:chance")
    noting = Noting(chance)
    state = begin(game, game.read_setup(wanted.chosen), noting).state
    for path, value in wanted.patch.items():
        game.patch(state, path, value)
    script, first, lines = noting.script, digest(game, state), list[Line]()
    while game.result(state) is None and len(lines) < MOST_ACTIONS:
        seat = choice.draw([task.seat for task in game.tasks(state)], "seat")
        noting = Noting(chance)
        turnout = play(game, state, seat, player(state, seat, choice), noting)
        state = turnout.state
        lines.append(Line(seat, turnout.action.to_json(), noting.script, digest(game, state)))
    outcome = game.result(state)
    if outcome is None or not wanted.reached(state):
        return None
    setup = dict(wanted.chosen)
    return Recording(
        wanted.slug, wanted.end, setup, dict(wanted.patch), script, first, lines, outcome
    )


def replay(
    recording: Recording, *, strict: bool = True, watch: Callable[[Any], None] | None = None
) -> tuple[Any, Recording]:
    """Play a recording again; returns the last state and the recording with today's hashes.

    Raises `Different` at the first action that does not lead to the recorded state; not `strict`:
    only when an action is refused or asks for other results. `watch` is shown every state.
    """
    game = game_of(recording.game)
    entropy = ScriptedEntropy(recording.script)
    state = begin(game, game.read_setup(recording.setup), entropy).state
    entropy.finish()
    for path, value in recording.patch.items():
        game.patch(state, path, value)
    first, lines = digest(game, state), list[Line]()
    if strict and first != recording.state:
        raise Different(f"the first state is {first}, not {recording.state}")
    for number, line in enumerate(recording.actions, start=1):
        if watch is not None:
            watch(state)
        entropy = ScriptedEntropy(line.script)
        try:
            state = play(game, state, line.seat, read_action(line.action), entropy).state
            entropy.finish()
        except (Illegal, ScriptMismatch) as fault:
            raise Different(f"action {number}, {line.action}: {fault}") from fault
        found = digest(game, state)
        if strict and found != line.state:
            raise Different(f"action {number}, {line.action}, leads to {found}, not {line.state}")
        lines.append(Line(line.seat, line.action, line.script, found))
    if watch is not None:
        watch(state)
    outcome = game.result(state)
    if outcome is None:
        raise Different("the game is not over at its last action")
    if strict and outcome != recording.outcome:
        raise Different(f"it ends with {outcome}, not {recording.outcome}")
    return state, msgspec.structs.replace(recording, state=first, actions=lines, outcome=outcome)


# --- files ------------------------------------------------------------------------------------


def read(path: Path) -> Recording:
    """Read a recording. Raises `msgspec.ValidationError` when it is none."""
    return msgspec.json.decode(path.read_bytes(), type=Recording)


def write(recording: Recording, path: Path) -> None:
    """Write a recording, one line an action."""

    def text(value: object) -> str:
        return json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))

    heads = [
        f'"{name}":{text(getattr(recording, name))}'
        for name in ("game", "end", "setup", "patch", "outcome", "script", "state")
    ]
    actions = ",\n".join(text(line) for line in recording.actions)
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = "{" + ",\n".join([*heads, f'"actions":[\n{actions}\n]']) + "}\n"
    path.write_text(whole, encoding="utf-8")


def renew(wanted: Wanted, *, anew: bool) -> str:
    """Make one recording good; returns what was done."""
    if wanted.path.exists() and not anew:
        try:
            state, recording = replay(read(wanted.path), strict=False)
        except (Different, Illegal, msgspec.ValidationError):
            pass
        else:
            if wanted.reached(state):
                write(msgspec.structs.replace(recording, end=wanted.end), wanted.path)
                return "kept"
    for number in range(MOST_SEEDS):
        recording = record(wanted, f"{wanted.slug}:{wanted.name}:{number}")
        if recording is not None:
            write(recording, wanted.path)
            return f"recorded with seed {number}, {len(recording.actions)} actions"
    raise SystemExit(f"{wanted.name}: this end did not come about in {MOST_SEEDS} games")


# --- the ends of Boots on the Ground, SOLO1 ---------------------------------------------------


def _ended(cause: str, level: str = "", hvt: str = "") -> Callable[[Any], bool]:
    """Ended by that rule; with that level and that fate of the wanted man, where they are named."""

    def reached(state: Any) -> bool:
        outcome = state.outcome
        fits = outcome.level == level or not level
        return outcome.cause == cause and fits and (state.hvt == hvt or not hvt)

    return reached


def _hostages_dead(state: Any) -> bool:
    units = state.units.values()
    up = sum(1 for u in units if u.is_original and u.status == "up")
    dead = [u.status == "dead" for u in units if u.kind == HOSTAGE]
    return state.outcome.cause == "BG-E.2" and up >= 2 and bool(dead) and all(dead)


def _squad_lost(state: Any) -> bool:
    return state.outcome.cause == "BG-E.2" and not _hostages_dead(state)


def _sergeant(game: Game[Any]) -> Player:
    return Sergeant(game).action


def _clumsy(game: Game[Any]) -> Player:
    return Sergeant(game, wild=40).action


def _resigned(game: Game[Any]) -> Player:
    """Plays two cards, then gives up in the middle of an activation."""
    sergeant = _sergeant(game)

    def action(state: Any, seat: str, chance: Entropy) -> Action:
        if state.cards_used >= 2 and state.steps[-1].step == "act":
            return Action("concede")
        return sergeant(state, seat, chance)

    return action


_CARD_IDS = sorted(game_of("boots").content.cards)  # pyright: ignore[reportAttributeAccessIssue]
_NEAR_THE_STOP = {"cards_used": 295, "deck": _CARD_IDS[55:], "discard": _CARD_IDS[:55]}
"""A game of 300 cards would be long; this one begins with 295 used."""


def _boots(
    name: str,
    mission: str,
    end: str,
    reached: Callable[[Any], bool],
    player: Callable[[Game[Any]], Player] = _sergeant,
    patch: Mapping[str, Any] | None = None,
    **options: str,
) -> Wanted:
    chosen = {"mission": mission, "mode": "solo1", **options}
    return Wanted("boots", name, end, chosen, reached, player, patch or {})


BOOTS: tuple[Wanted, ...] = (
    _boots("win-outstanding", "hot-lz", "E1: everybody in the zone, Outstanding",
           _ended("BG-E.1", "Outstanding")),
    _boots("win-solid", "angel-down", "E1: the hostage brought home, Solid",
           _ended("BG-E.1", "Solid")),
    _boots("win-narrow", "block-by-block", "E1: four buildings cleared, Narrow",
           _ended("BG-E.1", "Narrow")),
    _boots("win-wmd", "yellow-rain", "E1: the WMD delivered", _ended("BG-E.1")),
    _boots("win-hostages", "bring-them-home", "E1: a hostage brought home", _ended("BG-E.1")),
    _boots("win-hvt-captured", "most-wanted", "E1: the wanted man captured",
           _ended("BG-E.1", hvt="captured")),
    _boots("win-hvt-killed", "most-wanted", "E1: the wanted man killed, one level lower",
           _ended("BG-E.1", hvt="killed")),
    _boots("lost-squad", "hot-lz", "E2: too few originals left", _squad_lost),
    _boots("lost-squad-options", "yellow-rain",
           "E2: one original left, with every option the other way", _squad_lost, _clumsy,
           facing_dirs="4", pivot_in_place="true", critical_effect="both", cleared_hold="true",
           boxes_forced="true", hostage_last="false"),
    _boots("lost-hostages", "bring-them-home", "E2: no hostage alive", _hostages_dead, _clumsy,
           hostage_last="false"),
    _boots("lost-everybody", "range", "E3: no soldier left", _ended("BG-E.3")),
    _boots("cards-out", "block-by-block", "E4: the cards are used up", _ended("BG-E.4"),
           cards_delta="-10"),
    _boots("safety-stop", "most-wanted", "E4: three hundred cards", _ended("BG-E.4"),
           patch=_NEAR_THE_STOP),
    _boots("conceded", "hot-lz", "E5: given up", _ended("BG-E.5"), _resigned),
)  # fmt: skip


# --- the ends of Sniper Kill Confirmed --------------------------------------------------------


def _result(result: str, cause: str) -> Callable[[Any], bool]:
    """Ended with that result under that rule."""
    return lambda state: state.result == result and state.outcome.cause == cause


def _corporal(game: Game[Any]) -> Player:
    return Corporal(game).action


def _rash(game: Game[Any]) -> Player:
    return Corporal(game, wild=25).action


def _presser(game: Game[Any]) -> Player:
    """The sensible play pressed with short cuts; alone there is one seat."""
    presser = Presser(game, then=True)  # pyright: ignore[reportArgumentType]
    return lambda state, seat, chance: presser.action(state)[1]


def _homesick(game: Game[Any]) -> Player:
    """Gives up as soon as a patrol comes by after the third turn."""
    corporal = _corporal(game)

    def action(state: Any, seat: str, chance: Entropy) -> Action:
        if state.turn > 3 and state.phase == "PATROL":
            return Action("abandon")
        return corporal(state, seat, chance)

    return action


def _sniper(
    name: str,
    end: str,
    reached: Callable[[Any], bool],
    player: Callable[[Game[Any]], Player] = _corporal,
    **chosen: str,
) -> Wanted:
    return Wanted("sniper", name, end, {"mode": "solo", **chosen}, reached, player)


SNIPER: tuple[Wanted, ...] = (
    _sniper("major", "MAJOR: the VIP dead, the team home", _result("MAJOR", "SK-16.1")),
    _sniper("major-pressed", "MAJOR, with short cuts", _result("MAJOR", "SK-16.1"), _presser,
            location="desert"),
    _sniper("minor", "MINOR: home, the VIP alive", _result("MINOR", "SK-16.2")),
    _sniper("kia", "KIA: too many wounds", _result("KIA", "SK-10.4"), veteran="on"),
    _sniper("pow-reserve", "POW: box 8 of the track", _result("POW", "SK-12.3"), hot_zone="on"),
    _sniper("pow-abandoned", "POW: given up", _result("POW", "SK-16.6"), _homesick),
    _sniper("group-major", "MAJOR, sniper and spotter", _result("MAJOR", "SK-16.1"), mode="group"),
    _sniper("group-kia", "KIA, a rash group", _result("KIA", "SK-10.4"), _rash, mode="group"),
    _sniper("rotation", "MAJOR, three players in turn", _result("MAJOR", "SK-16.1"), mode="group",
            rotation="3"),
    _sniper("lone-wolf", "MINOR, alone with the strictest options", _result("MINOR", "SK-16.2"),
            lone_wolf="on", veteran="on", strict_wounds="on", location="ruined_city"),
)  # fmt: skip

ENDS = (*BOOTS, *SNIPER)


def main(arguments: Sequence[str]) -> int:
    """The command line."""
    if "--check" in arguments:
        for wanted in ENDS:
            state, _ = replay(read(wanted.path))
            print(f"{wanted.slug}/{wanted.name} {digest(game_of(wanted.slug), state)}")
        return 0
    for wanted in ENDS:
        print(f"{wanted.slug}/{wanted.name}: {renew(wanted, anew='--anew' in arguments)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

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
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from games.kernel.action import Action, read_action
from games.kernel.entropy import Entropy, ScriptedEntropy, ScriptMismatch, seeded
from games.kernel.game import Game, Outcome
from games.kernel.illegal import Illegal
from games.kernel.play import begin, play
from tests.games.all_games import game_of
from tests.games.boots.recordings import BOOTS
from tests.games.scripts import Noting
from tests.games.sniper.players import Corporal, Presser
from tests.games.wanted import Player, Story, Wanted

MOST_SEEDS = 3_000

Script = list[int | str]


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
    turnout = begin(game, game.read_setup(wanted.chosen), noting)
    state, told = turnout.state, [event.text for event in turnout.events]
    for path, value in wanted.patch.items():
        game.patch(state, path, value)
    script, first, lines = noting.script, digest(game, state), list[Line]()
    while game.result(state) is None and len(lines) < wanted.most:
        seat = choice.draw([task.seat for task in game.tasks(state)], "seat")
        noting = Noting(chance)
        turnout = play(game, state, seat, player(state, seat, choice), noting)
        state = turnout.state
        told.extend(event.text for event in turnout.events)
        lines.append(Line(seat, turnout.action.to_json(), noting.script, digest(game, state)))
    outcome = game.result(state)
    if outcome is None or not wanted.reached(_story(state, told, lines)):
        return None
    setup = dict(wanted.chosen)
    return Recording(
        wanted.slug, wanted.end, setup, dict(wanted.patch), script, first, lines, outcome
    )


def replay(
    recording: Recording, *, strict: bool = True, watch: Callable[[Any], None] | None = None
) -> tuple[Story, Recording]:
    """Play a recording again; returns how it went and the recording with today's hashes.

    Raises `Different` at the first action that does not lead to the recorded state; not `strict`:
    only when an action is refused or asks for other results. `watch` is shown every state.
    """
    game = game_of(recording.game)
    entropy = ScriptedEntropy(recording.script)
    turnout = begin(game, game.read_setup(recording.setup), entropy)
    state, told = turnout.state, [event.text for event in turnout.events]
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
            turnout = play(game, state, line.seat, read_action(line.action), entropy)
            entropy.finish()
        except (Illegal, ScriptMismatch) as fault:
            raise Different(f"action {number}, {line.action}: {fault}") from fault
        state = turnout.state
        told.extend(event.text for event in turnout.events)
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
    again = msgspec.structs.replace(recording, state=first, actions=lines, outcome=outcome)
    return _story(state, told, lines), again


def _story(state: Any, told: list[str], lines: list[Line]) -> Story:
    return Story(state, tuple(told), tuple(line.action["verb"] for line in lines))


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
            story, recording = replay(read(wanted.path), strict=False)
        except (Different, Illegal, msgspec.ValidationError):
            pass
        else:
            if wanted.reached(story):
                write(msgspec.structs.replace(recording, end=wanted.end), wanted.path)
                return "kept"
    for number in range(MOST_SEEDS):
        recording = record(wanted, f"{wanted.slug}:{wanted.name}:{number}")
        if recording is not None:
            write(recording, wanted.path)
            return f"recorded with seed {number}, {len(recording.actions)} actions"
    raise SystemExit(f"{wanted.name}: this end did not come about in {MOST_SEEDS} games")


# --- the ends of Sniper Kill Confirmed --------------------------------------------------------


def _result(result: str, cause: str) -> Callable[[Story], bool]:
    """Ended with that result under that rule."""
    return lambda story: story.state.result == result and story.state.outcome.cause == cause


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
    reached: Callable[[Story], bool],
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
            story, _ = replay(read(wanted.path))
            print(f"{wanted.slug}/{wanted.name} {digest(game_of(wanted.slug), story.state)}")
        return 0
    for wanted in ENDS:
        print(f"{wanted.slug}/{wanted.name}: {renew(wanted, anew='--anew' in arguments)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

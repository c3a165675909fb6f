"""Test vectors: `python -m games.vectors FILE…` plays worked examples against the rules.

A vector sets a board up, patches the state by the specification's field names, scripts every die and
draw, lets seats act and compares. Format: docs/vectors.md. One line for each vector; exit status 1 if
one fails, 2 if a file cannot be read.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from games.kernel.action import read_action
from games.kernel.domain import Choices, Several
from games.kernel.entropy import ScriptedEntropy, ScriptMismatch
from games.kernel.game import Game, Setup
from games.kernel.illegal import Illegal
from games.kernel.play import begin, play
from games.registry import GameUnavailable, load


class Offered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must be (and must not be) offered to a seat: a verb, or values of one of its slots.

    `picked` are slots filled before; `verb` alone checks that it is (`absent`: is not) offered.
    """

    seat: str
    verb: str
    slot: str = ""
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = msgspec.field(name="not", default=())
    only: tuple[str, ...] = ()
    picked: dict[str, Any] = {}
    absent: bool = False


class Vector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One worked example. `bare`: it takes nothing over from the base of its file."""

    id: str
    rules: tuple[str, ...]
    setup: dict[str, Any] = {}
    bare: bool = False
    note: str = ""
    patch: dict[str, Any] = {}
    entropy: tuple[int | str, ...] = ()
    do: tuple[dict[str, Any], ...] = ()
    expect: dict[str, Any] = {}
    offered: Offered | tuple[Offered, ...] = ()
    illegal: str = ""


class Base(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What every vector of a file begins with: a set-up and patches, each before its own."""

    setup: dict[str, Any] = {}
    patch: dict[str, Any] = {}

    def under(self, vector: Vector) -> Vector:
        """The vector with this below it. Raises `ValueError` when it has no set-up at all."""
        if not vector.bare:
            setup = {**self.setup, **vector.setup}
            patch = {**self.patch, **vector.patch}
            vector = msgspec.structs.replace(vector, setup=setup, patch=patch)
        if not vector.setup:
            raise ValueError(f"{vector.id} has no setup")
        return vector


class VectorFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file of vectors of one game."""

    game: str
    vector: tuple[Vector, ...]
    base: Base = Base()


def read_file(path: Path) -> VectorFile:
    """Read a vector file; every vector then holds what its base gives.

    Raises `OSError` or `ValueError` saying what is wrong with it.
    """
    file = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), VectorFile)
    return msgspec.structs.replace(file, vector=tuple(map(file.base.under, file.vector)))


def run(game: Game[Any], vector: Vector) -> str:
    """Play a vector; returns what is wrong, or `""`."""
    try:
        return _run(game, vector)
    except Illegal as refused:
        return f"refused: {refused}"
    except (ScriptMismatch, KeyError, ValueError, msgspec.ValidationError) as fault:
        return f"{type(fault).__name__}: {fault}"


def _run(game: Game[Any], vector: Vector) -> str:
    entropy = ScriptedEntropy(vector.entropy)
    if vector.illegal and not vector.do:
        return "an illegal action is wanted, but none is done"
    state = begin(game, _setup(vector.setup), entropy).state
    for path, value in vector.patch.items():
        game.patch(state, path, value)
    for number, raw in enumerate(vector.do):
        last = number == len(vector.do) - 1
        seat = str(raw["seat"])
        action = read_action({k: v for k, v in raw.items() if k != "seat"})
        if last and vector.illegal:
            return _must_refuse(game, state, seat, raw, vector.illegal)
        state = play(game, state, seat, action, entropy).state
    entropy.finish()
    offers = vector.offered if isinstance(vector.offered, tuple) else (vector.offered,)
    wrong = [w for offered in offers if (w := _check_offer(game, state, offered))]
    wrong += [w for path, value in vector.expect.items() if (w := _check(game, state, path, value))]
    return "; ".join(wrong)


def _setup(raw: Mapping[str, Any]) -> Setup:
    options = {k: _text(v) for k, v in cast("dict[str, Any]", raw.get("options", {})).items()}
    mission = str(raw.get("mission") or raw.get("map"))
    return Setup(
        mission, str(raw["mode"]), options, str(raw.get("map", "")), bool(raw.get("empty"))
    )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _must_refuse(game: Game[Any], state: Any, seat: str, raw: dict[str, Any], rule: str) -> str:
    before = game.encode(state)
    try:
        action = read_action({k: v for k, v in raw.items() if k != "seat"})
        play(game, state, seat, action, ScriptedEntropy(()))
    except Illegal as refused:
        if game.encode(state) != before:
            return "refused, but the state has changed"
        return (
            "" if refused.rule == rule else f"refused under {refused.rule or 'no rule'}: {refused}"
        )
    except ScriptMismatch:
        pass
    return f"should be refused under {rule}"


def _check_offer(game: Game[Any], state: Any, offered: Offered) -> str:
    if offered.verb not in game.verbs:
        return f"there is no verb {offered.verb}"
    there = any(o.verb == offered.verb for o in game.offers(state, offered.seat))
    if not there and offered.lacks and not offered.has and not offered.only:
        return ""  # what is not offered at all offers none of these values either
    if there == offered.absent:
        return f"{offered.verb} is {'' if there else 'not '}offered to {offered.seat}"
    if offered.absent or not offered.slot:
        return ""
    verb = game.verbs[offered.verb]
    domain = verb.domain(state, offered.seat, offered.slot, offered.picked)
    if not isinstance(domain, Choices | Several):
        return f"{offered.verb} has no slot {offered.slot} now"
    values = [option.value for option in domain.options]
    missing = [v for v in (*offered.has, *offered.only) if v not in values]
    extra = [v for v in offered.lacks if v in values]
    if offered.only:
        extra += [v for v in values if v not in offered.only]
    parts = [f"{v} is not offered" for v in missing] + [f"{v} is offered" for v in extra]
    return "; ".join(parts)


def _check(game: Game[Any], state: Any, path: str, value: object) -> str:
    found = game.inspect(state, path)
    if isinstance(value, Mapping) and isinstance(found, Mapping):
        wanted = cast("Mapping[str, object]", value)
        got = cast("Mapping[str, object]", found)
        wrong = [
            f"{path}.{k} is {got.get(k)!r}, not {v!r}" for k, v in wanted.items() if got.get(k) != v
        ]
        return "; ".join(wrong)
    return "" if found == value else f"{path} is {found!r}, not {value!r}"


def report(paths: Iterable[Path]) -> int:
    """Run files and print a line for each vector. Returns the exit status."""
    failed = 0
    for path in paths:
        try:
            file = read_file(path)
            game = load(file.game)
        except (OSError, ValueError, KeyError, GameUnavailable) as fault:
            print(f"{path}: cannot be read: {fault}")
            return 2
        for vector in file.vector:
            wrong = run(game, vector)
            failed += bool(wrong)
            print(
                f"{'FAIL' if wrong else 'ok  '} {file.game} {vector.id}{': ' + wrong if wrong else ''}"
            )
    return 1 if failed else 0


def main(arguments: Sequence[str]) -> int:
    """The command line."""
    if not arguments:
        print("usage: python -m games.vectors FILE…")
        return 2
    return report(Path(argument) for argument in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""A game as wide as games may be: many verbs, many options, long words. For tests of limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.kernel.action import Picked
from games.kernel.domain import Choices, Domain, Option, Several
from games.kernel.entropy import Entropy
from games.kernel.event import Event, Noted
from games.kernel.game import Slot, Verb
from games.kernel.illegal import Illegal
from tests.toygame import ToyGame, ToyState

LONG = "The quick brown fox jumps over the lazy dog and finds a rather long way home, " * 30
FACINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def many(count: int) -> tuple[Option, ...]:
    """Options with the longest values, labels and notes there may be."""
    return tuple(
        Option(f"{n:03}" + "v" * 97, f"{n:03} " + "L" * 96, LONG, cell="ABCDEF"[n % 6] + "1")
        for n in range(count)
    )


class WideVerb(Verb[ToyState]):
    """A verb with a cell, a facing, several units and one of very many."""

    slots = (
        Slot("to", LONG, board=True),
        Slot("face", LONG),
        Slot("units", LONG, board=True),
        Slot("one", LONG),
    )

    def __init__(self, number: int, count: int = 300) -> None:
        self.name = f"verb_number_{number}_with_a_name"[:32]
        self.label = LONG
        self.summary = LONG
        self.main = number < 2
        self.group = f"group_{number % 3}" if number >= 20 else ""
        self.confirm = number == 7
        self.count = count

    def domain(self, state: ToyState, seat: str, slot: str, picked: Picked) -> Domain | None:
        match slot:
            case "to":
                cells = [f"{c}{r}" for r in range(1, 7) for c in "ABCDEF"] * (self.count // 36)
                names = list(dict.fromkeys(cells))
                return Choices(tuple(Option(c, c, LONG, cell=c, mark="12") for c in names))
            case "face":
                return Choices(tuple(Option(f, f) for f in FACINGS), preset="NE")
            case "units":
                return Several(many(40), 0, 5)
            case _:
                return Choices(many(self.count))

    def perform(
        self, state: ToyState, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        log.extend(Noted(text=f"{n}. {LONG}") for n in range(60))

    def closed(self, state: ToyState, seat: str) -> Illegal | None:
        return None


class WideGame(ToyGame):
    """The toy game with sixty such verbs."""

    slug, title = "wide", LONG

    def __init__(self, tables: Mapping[str, Any] | None = None) -> None:
        super().__init__(tables)
        self.verbs = {verb.name: verb for verb in map(WideVerb, range(60))}  # type: ignore


def load(tables: Mapping[str, Any] | None = None) -> WideGame:
    """The loader to give to a `Registry`."""
    return WideGame(tables)

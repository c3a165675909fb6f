"""A table for short tests: counters in the specification's notation, scripted chance, questions.

    t = Table("A-L@D5/E h1 +bombkit", "IN1@H9/N hwe", "VH1@D8 ied_a")
    t.alone("A-L").move("C5", "E").fire("IN1", 4, 4).done("IC41")
    assert t.hits("A-L") == 1 and t["pool"] == 20

Every action says which results it needs, in order; one too many or too few fails.
"""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import pytest

from games.boots.content import Content
from games.boots.field import Field
from games.boots.game import Boots
from games.boots.model import State, Unit
from games.kernel.action import Action, Value
from games.kernel.domain import Choices, Several
from games.kernel.entropy import ScriptedEntropy
from games.kernel.event import Event
from games.kernel.game import Setup
from games.kernel.illegal import Illegal
from games.kernel.play import begin, play
from games.registry import DATA

E = TypeVar("E", bound=Event)

QUIET = "IC41"
"""Heads Down: nobody moves, nobody fires."""
FIRE = "IC37"
"""Dust-off: while nobody is wounded, or may be flown out, the insurgents just fire."""

_ROLES = ("hwe", "demo", "sniper", "hvt")
_HITS = {"h1": 1, "h2": 2}


@cache
def game() -> Boots:
    return Boots(Content.load(DATA / "boots"))


class Table:
    """A game under way. `pool` starts at 20, as in the worked examples."""

    def __init__(
        self,
        *counters: str,
        mission: str = "range",
        mode: str = "solo1",
        empty: bool = True,
        **options: str,
    ) -> None:
        self.game = game()
        setup = Setup(mission, mode, options, empty=empty)
        self.state: State = begin(self.game, setup, ScriptedEntropy(())).state
        self.seat = "ALPHA"
        self.log: tuple[Event, ...] = ()
        if empty:
            self.state.pool = 20
        for counter in counters:
            self.put(counter)

    # --- setting up

    def put(self, counter: str) -> Table:
        """Set a counter: `id@square/facing` and words (hits, role, status, kind, `+item`)."""
        head, *words = counter.split()
        name, _, where = head.partition("@")
        square, _, face = where.partition("/")
        values: dict[str, Any] = {"pos": square} if square else {}
        if face:
            values["face"] = face
        for word in words:
            if word in _HITS:
                values["hits"] = _HITS[word]
            elif word in _ROLES:
                values |= {"role": word, "role_span": "game"}
            elif word.startswith("+"):
                values.setdefault("items", []).append(word[1:])
            elif word in ("kia", "dead", "captive"):
                values["status"] = word
            elif word in ("freed", "freedB"):
                values |= {"status": "freed", "squad": "B" if word == "freedB" else "A"}
            else:
                values["kind"] = word
        self.game.patch(self.state, f"units.{name}", values)
        return self

    def patch(self, path: str, value: object) -> Table:
        self.game.patch(self.state, path, value)
        return self

    # --- acting

    def do(self, verb: str, *results: int | str, **slots: Value) -> Table:
        """Act as the seat that is asked; the results are what chance decides."""
        entropy = ScriptedEntropy(results)
        turnout = play(self.game, self.state, self.seat, Action(verb, dict(slots)), entropy)
        entropy.finish()
        self.state, self.log = turnout.state, turnout.events
        return self

    def bravo(self) -> Table:
        self.seat = "BRAVO"
        return self

    def alpha(self) -> Table:
        self.seat = "ALPHA"
        return self

    def alone(self, unit: str) -> Table:
        return self.do("activate", unit=unit)

    def team(self, unit: str) -> Table:
        return self.do("activate_team", unit=unit)

    def select(self, unit: str) -> Table:
        return self.do("select", unit=unit)

    def move(self, to: str, face: str = "") -> Table:
        return self.do("move", to=to, face=face) if face else self.do("move", to=to)

    def fire(self, target: str, *results: int | str) -> Table:
        return self.do("fire", *results, target=target)

    def done(self, *results: int | str) -> Table:
        return self.do("done", *results)

    def turn(self, unit: str, *results: int | str) -> Table:
        """A whole squad-turn in which that unit, alone, does nothing."""
        return self.alone(unit).done(*results)

    # --- asking

    def __getitem__(self, path: str) -> Any:
        return self.game.inspect(self.state, path)

    @property
    def field(self) -> Field:
        return Field(self.game.content, self.state)

    def unit(self, name: str) -> Unit:
        return self.state.units[name]

    def hits(self, name: str) -> int:
        return self.unit(name).hits

    def where(self, name: str) -> str:
        """`G7/NE`, or empty for a counter off the board."""
        found = self.game.inspect(self.state, f"units.{name}")
        return f"{found['pos']}/{found['face']}" if isinstance(found, dict) else ""

    def mp(self, name: str) -> int:
        return self["activation"]["parts"][name]["mp"]

    def verbs(self) -> list[str]:
        return [offer.verb for offer in self.game.offers(self.state, self.seat)]

    def options(self, verb: str, slot: str = "", **picked: Value) -> list[str]:
        """The menu of a slot (the first one if none is named); empty when the verb is not offered."""
        if verb not in self.verbs():
            return []
        rules = self.game.verbs[verb]
        domain = rules.domain(self.state, self.seat, slot or rules.slots[0].name, picked)
        assert isinstance(domain, Choices | Several)
        return [option.value for option in domain.options]

    def refused(self, verb: str, **slots: Value) -> str:
        """The rule under which an action is refused. It must be, and must change nothing."""
        before = self.game.encode(self.state)
        with pytest.raises(Illegal) as caught:
            play(self.game, self.state, self.seat, Action(verb, dict(slots)), ScriptedEntropy(()))
        assert self.game.encode(self.state) == before
        assert caught.value.sentence
        rule = caught.value.rule
        assert not rule or rule in self.game.content.rules
        return rule

    def events(self, kind: type[E]) -> list[E]:
        """What the last action led to, of one kind."""
        return [event for event in self.log if isinstance(event, kind)]

    @property
    def texts(self) -> str:
        return "\n".join(event.text for event in self.log)

    @property
    def cause(self) -> str:
        """The rule that ended the game, or empty."""
        return self.state.outcome.cause if self.state.outcome else ""

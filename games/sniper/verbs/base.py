"""What all verbs share: who may use them, when, and what `then` does afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from games.kernel.action import Picked, Value
from games.kernel.domain import Choices, Domain, Option
from games.kernel.entropy import Entropy
from games.kernel.event import Event
from games.kernel.game import Slot, Verb
from games.kernel.illegal import Illegal
from games.sniper.content import Content
from games.sniper.look import Look
from games.sniper.model import State
from games.sniper.roles import parts as parts_of
from games.sniper.shortcuts import Before, follow
from games.sniper.world import World

THEN = Slot("then", "And then?", quiet=True, spread=True)
PRIORITY = Slot("priority", "Use the Priority Channel on the way?", quiet=True, spread=True)
EXTRACT = Slot("extract", "Extract at once if possible?", quiet=True, spread=True)
FOLLOWING = (THEN, PRIORITY, EXTRACT)
RARELY = tuple(Slot(slot.name, slot.prompt, quiet=True) for slot in FOLLOWING)
"""The same where hardly anybody wants them: typed, but in no menu."""

SHARED = ("then", "priority", "extract")

ANSWERS = {
    "priority": ("use the Priority Channel", "keep the Priority Channel"),
    "extract": ("extract if possible", "do not extract"),
}
UNSAID = "unsaid"
"""The preset of an answer that has not been given: the short cut stops there and asks."""


class SniperVerb(Verb[State]):
    """A verb bound to the content. Subclasses look at a `Look` and act on a `World`."""

    rule: ClassVar[str] = ""
    part: ClassVar[str] = "P"
    """Whose decision it is: `P` the Sniper's, `Q` the Spotter's, `PQ` either's (SK-22.2, 22.3)."""
    follows: ClassVar[bool] = False
    """Whether another verb may be asked to follow (SK-23.8)."""
    plays: ClassVar[bool] = False
    """Whether it plays a card or spots, so that the Spotter's hold is over (SK-22.6)."""

    def __init__(self, content: Content) -> None:
        self.content = content

    def at(self, state: State) -> Look:
        """The mission as it stands."""
        return Look(self.content, state)

    def parts(self, state: State) -> str:
        """Whose decision it is now."""
        return self.part

    def barred(self, look: Look) -> Illegal | None:
        """A reason that has nothing to do with the slots; None when there is none."""
        return None

    def act(self, world: World, picked: Picked) -> None:
        """Carry the verb out."""
        raise NotImplementedError

    def values(self, look: Look, slot: str, picked: Picked, part: str) -> Domain | None:
        """The legal values of the verb's own slots."""
        return None

    # --- the kernel's interface ---

    def closed(self, state: State, seat: str) -> Illegal | None:
        """Why the verb cannot be started now; None when it can."""
        refused = self.barred(self.at(state))
        if refused is not None:
            return refused
        own = [slot for slot in self.slots if slot.name not in SHARED]
        if own and not own[0].quiet and not self.domain(state, seat, own[0].name, {}):
            return self.nothing()
        return None

    def nothing(self) -> Illegal:
        """The sentence for a first slot without options."""
        return Illegal(self.rule, f"There is nothing to {self.label.lower()} with now.")

    def explain(
        self, state: State, seat: str, given: Mapping[str, Value], closed: Illegal
    ) -> Illegal:
        """Who names a card hears why that one is out of the question, not that none is in it."""
        first = next((s.name for s in self.slots[:1] if s.name not in SHARED), "")
        if first not in given or self.barred(self.at(state)) is not None:
            return closed
        return self.refusal(state, seat, first, {}, given[first])

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        """The legal values of a slot."""
        look = self.at(state)
        part = parts_of(state, seat)
        if slot in SHARED:
            return _following(look, slot, picked) if "P" in part else None
        return self.values(look, slot, picked, part)

    def over_with_hold(self, picked: Picked) -> bool:
        """Whether this ends a hold when the Spotter does it (SK-22.6)."""
        return self.plays

    def perform(
        self, state: State, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        """Do it, and then what `then` asks for."""
        world = World(self.content, state, entropy, log)
        before = Before.of(world)
        if "Q" in parts_of(state, seat) and self.over_with_hold(picked):
            state.hold = False
        self.act(world, picked)
        if self.name not in ("hold", "release_hold"):
            state.hold_spent = False
        if self.follows:
            then = text(picked.get("then", "no"))
            answers = {name: said(picked, name) for name in ("priority", "extract")}
            if not state.hold:
                follow(world, then, before, **answers)

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        """Why a value is not among the choices."""
        shown = value if isinstance(value, str) else ", ".join(value)
        return Illegal(self.rule, f"“{shown}” is not possible for “{slot}” now.")


def _following(look: Look, slot: str, picked: Picked) -> Domain | None:
    """Domains of the slots that short cuts of the Sniper share (SK-23.6, SK-23.8)."""
    if slot == "then":
        options = [Option("no", "nothing more"), Option("end_phase", "end the phase")]
        if look.state.phase in ("I", "TDISCARD", "PATROL"):
            options.append(Option("III", "on to phase III"))
        options.append(Option("end_turn", "end the turn"))
        return Choices(tuple(options), "no")
    if "then" in picked and picked["then"] != "end_turn":
        return None
    if slot == "priority" and not (look.state.mode == "solo" and look.holds("priority_channel")):
        return None
    if slot == "extract" and look.state.zone != look.tables.last_zone:
        return None
    yes, no = ANSWERS[slot]
    return Choices(
        (Option("true", yes), Option("false", no), Option(UNSAID, "ask me then")), UNSAID
    )


def said(picked: Picked, slot: str) -> str:
    """A yes-or-no answer, or `""` when none was given."""
    value = text(picked.get(slot, ""))
    return "" if value == UNSAID else value


def text(value: Value) -> str:
    """A slot with one value."""
    return value if isinstance(value, str) else ""


def choices(options: list[tuple[str, str, str]], preset: str = "") -> Choices:
    """Options from (value, label, note)."""
    return Choices(tuple(Option(value, label, note) for value, label, note in options), preset)

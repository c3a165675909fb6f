"""What all verbs of the game share: the field they look at, the acting unit, common domains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from games.boots import words
from games.boots.content import Content
from games.boots.field import Field
from games.boots.model import SQUAD_OF, Part, State, Unit
from games.boots.world import World
from games.geometry.squares import FACINGS, Square
from games.kernel.action import Picked, Value
from games.kernel.domain import Choices, Domain, Option
from games.kernel.entropy import Entropy
from games.kernel.event import Event
from games.kernel.game import Verb
from games.kernel.illegal import Illegal


class BootsVerb(Verb[State]):
    """A verb bound to the content. Subclasses answer on a `Field` and act on a `World`."""

    rule: ClassVar[str] = ""
    """The rule that the verb carries out; it is named when the verb is not possible at all."""

    def __init__(self, content: Content) -> None:
        self.content = content

    def at(self, state: State) -> Field:
        """The field as it stands."""
        return Field(self.content, state)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        """A verb without slots asks nothing; the others say what may be picked."""
        return None

    def perform(
        self, state: State, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        """Do it on the state, a private copy."""
        self.act(World(self.content, state, entropy, log), SQUAD_OF[seat], picked)

    def act(self, world: World, squad: str, picked: Picked) -> None:
        """Carry the verb out for a squad's owner."""
        raise NotImplementedError

    def closed(self, state: State, seat: str) -> Illegal | None:
        """Why the verb cannot be started now; None when it can."""
        field = self.at(state)
        refused = self.barred(field, SQUAD_OF[seat])
        if refused is not None:
            return refused
        if self.slots and not self.domain(state, seat, self.slots[0].name, {}):
            return self.nothing(field, SQUAD_OF[seat])
        return None

    def explain(
        self, state: State, seat: str, given: Mapping[str, Value], closed: Illegal
    ) -> Illegal:
        """Who names a target hears why that one is out of the question, not that none is in it."""
        first = self.slots[0].name if self.slots else ""
        if first not in given or self.barred(self.at(state), SQUAD_OF.get(seat, "")) is not None:
            return closed
        return self.refusal(state, seat, first, {}, given[first])

    def barred(self, field: Field, squad: str) -> Illegal | None:
        """A reason that has nothing to do with the slots; None when there is none."""
        return None

    def nothing(self, field: Field, squad: str) -> Illegal:
        """The sentence for a first slot without options."""
        return Illegal(self.rule, f"There is nothing here to {self.label.lower()} now.")


class ActVerb(BootsVerb):
    """A verb of the unit whose turn it is within an activation (BG-7.4, BG-7.5)."""

    individual_only: ClassVar[bool] = False
    uses_action: ClassVar[bool] = True

    def barred(self, field: Field, squad: str) -> Illegal | None:
        """Nobody selected, the action used up, or a team that has no special abilities."""
        activation = field.activation
        if not activation.current:
            return Illegal("BG-7.4", "Select a member of the team first.")
        if self.individual_only and activation.kind == "team":
            return Illegal("BG-2.7", "Special abilities are for individual activations.")
        unit = acting(field)
        if self.uses_action and part_of(field, unit).acted:
            rule = "BG-7.6" if activation.kind == "team" else "BG-7.5"
            return Illegal(rule, f"{unit.id} has used its action in this activation.")
        return self.unable(field, unit)

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        """A reason that lies in the unit; None when there is none."""
        return None


def acting(field: Field) -> Unit:
    """The unit that acts now. Only while one is selected."""
    return field.unit(field.activation.current)


def part_of(field: Field, unit: Unit) -> Part:
    """A unit's part of the running activation."""
    return field.activation.parts[unit.id]


def text(value: Value) -> str:
    """A slot with one value."""
    return value if isinstance(value, str) else ""


def shown(value: Value) -> str:
    """What a player named, several values too, for the sentence that refuses it."""
    return value if isinstance(value, str) else ", ".join(value)


def face_value(value: Value) -> int:
    """A facing slot as a direction 0..7."""
    return FACINGS.index(text(value))


def unit_option(unit: Unit, note: str = "", mark: str = "") -> Option:
    """A unit as an option: its name, where it stands."""
    where = f" in {unit.pos}" if unit.pos else ""
    hits = ("", ", wounded", ", critical")[unit.hits]
    return Option(unit.id, f"{words.title(unit)}{where}{hits}", note, unit.pos or "", mark)


def units(options: Iterable[Unit]) -> Choices:
    """Units as a domain."""
    return Choices(tuple(unit_option(unit) for unit in options))


def squares(options: Iterable[Square]) -> Choices:
    """Squares as a domain, each once."""
    return Choices(tuple(Option(s, s, "", s) for s in dict.fromkeys(options)))


FACING_LABELS = {
    "N": "North", "NE": "North-east", "E": "East", "SE": "South-east",
    "S": "South", "SW": "South-west", "W": "West", "NW": "North-west",
}  # fmt: skip


def facings(field: Field, preset: int | None) -> Choices:
    """The facings a unit may take; the preset is the one it has now."""
    options = tuple(Option(FACINGS[f], FACING_LABELS[FACINGS[f]]) for f in field.facings)
    keep = FACINGS[preset] if preset is not None and preset in field.facings else ""
    return Choices(options, keep)


def no_facing(value: Value) -> Illegal:
    """The refusal of a facing that is none, or none in this game (BG-11.0.2, BG-O.1)."""
    return Illegal("BG-11.0.2", f"“{shown(value)}” is no facing here.")

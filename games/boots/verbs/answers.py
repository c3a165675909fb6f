"""Answers to questions in REVEAL and CARD. Spec 8.13 to 8.15."""

from __future__ import annotations

from games.boots import cards, words
from games.boots.field import Field
from games.boots.model import SQUAD_OF, State, Unit, Vehicle
from games.boots.reveal import defuse, detonate, kit_bearers, open_box
from games.boots.verbs.base import (
    BootsVerb,
    face_value,
    facings,
    no_facing,
    shown,
    squares,
    text,
    units,
)
from games.boots.world import World
from games.kernel.action import Picked, Value
from games.kernel.domain import Domain
from games.kernel.game import Slot
from games.kernel.illegal import Illegal


def vehicle_in_question(field: Field) -> Vehicle:
    """The bomb that is about to go off."""
    return field.state.vehicles[field.state.steps[-1].subject]


class Answer(BootsVerb):
    """An answer to a question that the game has put to the owner."""

    group = "answer"


class Defuse(Answer):
    """Spend a bomb kit (BG-4.30)."""

    name = "defuse"
    label = "Defuse"
    summary = "Spend the bomb kit: the bomb does not go off"
    main = True
    rule = "BG-4.30"
    slots = (Slot("unit", "Whose bomb kit?", board=True),)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        return units(kit_bearers(field, vehicle_in_question(field), SQUAD_OF[seat]))

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        return Illegal("BG-4.30", f"“{shown(value)}” has no bomb kit beside this vehicle.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        vehicle, unit = vehicle_in_question(world), world.unit(text(picked["unit"]))
        unit.items.remove("bombkit")
        world.finish()
        defuse(world, vehicle, unit)


class Detonate(Answer):
    """Keep the kit and take the blast (BG-4.30)."""

    name = "detonate"
    label = "Let it go off"
    summary = "Keep the bomb kit: the bomb goes off"

    def act(self, world: World, squad: str, picked: Picked) -> None:
        vehicle = vehicle_in_question(world)
        world.finish()
        detonate(world, vehicle)


class _Box(Answer):
    """What both answers about a lock box share."""

    rule = "BG-4.29"
    slots = (Slot("unit", "Who stands on the box?", board=True),)

    def soldier(self, field: Field) -> Unit:
        """The soldier on the box in question."""
        return field.unit(field.state.steps[-1].subject)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        return units([self.soldier(self.at(state))])

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        asked = self.soldier(self.at(state)).id
        return Illegal("BG-4.29", f"The question is about the box under {asked}.")


class Open(_Box):
    """Open the box (BG-4.29)."""

    name = "open"
    label = "Open the box"
    summary = "Open the lock box under the soldier"
    main = True

    def act(self, world: World, squad: str, picked: Picked) -> None:
        soldier = self.soldier(world)
        world.finish()
        open_box(world, soldier)


class Leave(_Box):
    """Leave the box closed (BG-4.29, D10)."""

    name = "leave"
    label = "Leave it closed"
    summary = "Leave the lock box closed"

    def act(self, world: World, squad: str, picked: Picked) -> None:
        soldier = self.soldier(world)
        world.finish()
        world.note(words.box_left(soldier, soldier.pos or ""))


class Medivac(Answer):
    """Fly a wounded soldier out (BG-5.5)."""

    name = "medivac"
    label = "Fly out"
    summary = "Dust-off card: fly one wounded soldier to the closest green zone, healed"
    main = True
    rule = "BG-5.5"
    slots = (
        Slot("unit", "Who is flown out?", board=True),
        Slot("square", "To which square of the zone?", board=True),
        Slot("face", "Facing which way?"),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        if slot == "unit":
            return units(cards.medivac_patients(field, SQUAD_OF[seat]))
        unit = field.unit(text(picked["unit"]))
        if slot == "face":
            return facings(field, unit.face)
        return squares(cards.medivac_squares(field, unit))

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        if slot == "face":
            return no_facing(value)
        if slot == "square":
            return Illegal("BG-5.5", f"“{shown(value)}” is not a free square of the closest zone.")
        return Illegal("BG-5.5", f"“{shown(value)}” cannot be flown out: a wounded soldier can.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = world.unit(text(picked["unit"]))
        world.finish()
        cards.fly_out(world, unit, text(picked["square"]), face_value(picked["face"]))


class Gi(Answer):
    """Place a G.I. (BG-5.12, BG-5.14)."""

    name = "gi"
    label = "Place a G.I."
    summary = "Replacement or Reinforcements card: a G.I. joins the squad"
    main = True
    rule = "BG-5.14"
    slots = (
        Slot("square", "Where does the G.I. arrive?", board=True),
        Slot("face", "Facing which way?"),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        if slot == "face":
            return facings(field, 0)
        event = cards.current(field).event
        return squares(cards.gi_squares(field, SQUAD_OF[seat], event))

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        if slot == "face":
            return no_facing(value)
        event = cards.current(self.at(state)).event
        rule = "BG-5.12" if event == "kia_gi" else "BG-5.14"
        return Illegal(rule, f"A G.I. cannot arrive in “{shown(value)}”.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        world.state.steps[-1].count -= 1
        cards.place_gi(world, squad, text(picked["square"]), face_value(picked["face"]))


class Skip(Answer):
    """Decline what a card offers (spec 8.15)."""

    name = "skip"
    label = "Skip"
    summary = "Decline what the card offers"

    def act(self, world: World, squad: str, picked: Picked) -> None:
        world.finish()

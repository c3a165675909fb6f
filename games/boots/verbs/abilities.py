"""Special abilities and kits. Spec 8.9, 8.10; rules BG-4.2 to BG-4.14, BG-4.31, BG-4.32."""

from __future__ import annotations

from games.boots import cards, words
from games.boots.blasts import (
    SIDES,
    blow_door,
    door_beyond,
    fire_rpg,
    grenade_squares,
    rpg_squares,
    throw_grenade,
    why_no_door,
    why_no_grenade,
    why_no_rpg,
)
from games.boots.field import Field
from games.boots.model import HOSTAGE, State, Unit
from games.boots.movement import Reach
from games.boots.verbs.base import (
    FACING_LABELS,
    ActVerb,
    acting,
    face_value,
    facings,
    no_facing,
    part_of,
    shown,
    squares,
    text,
    units,
)
from games.boots.world import World
from games.geometry.squares import Square
from games.kernel.action import Picked, Value
from games.kernel.domain import Choices, Domain, Option
from games.kernel.event import Drew, Moved
from games.kernel.game import Slot
from games.kernel.illegal import Illegal
from games.kernel.view import Mark


def lacks(field: Field, unit: Unit, ability: str, rule: str, who: str) -> Illegal | None:
    """The refusal when a unit has not got an ability."""
    if ability in field.content.units[unit.kind].abilities:
        return None
    return Illegal(rule, f"Only the {who} can do that.")


def spend_action(world: World, unit: Unit) -> None:
    """The unit has used its one action (BG-7.5)."""
    part = part_of(world, unit)
    part.acted, part.turned = True, False


# --- explosives ---


class Door(ActVerb):
    """The Demo Expert blows a door (BG-4.6)."""

    name = "door"
    label = "Blow a door"
    summary = "Demo Expert: blow a door through the wall beside him"
    rule = "BG-4.6"
    individual_only = True
    slots = (Slot("dir", "Through which wall?", sure=True),)

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        refused = lacks(field, unit, "door", "BG-4.6", "Demo Expert")
        if refused is None and field.squad(unit.squad).blasts_left <= 0:
            refused = why_no_door(field, unit, SIDES[0])
        return refused

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        unit = acting(field)
        legal = [side for side in SIDES if why_no_door(field, unit, side) is None]
        return Choices(
            tuple(Option(s, FACING_LABELS[s], "", door_beyond(field, unit, s) or "") for s in legal)
        )

    def nothing(self, field: Field, squad: str) -> Illegal:
        return Illegal("BG-4.6", "There is no wall beside him that may be blown open.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        field = self.at(state)
        return why_no_door(field, acting(field), text(value)) or Illegal("BG-4.6", "Not there.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = acting(world)
        spend_action(world, unit)
        blow_door(world, unit, text(picked["dir"]))


class Grenade(ActVerb):
    """A hand grenade, by ability or from a kit (BG-4.9, BG-4.32)."""

    name = "grenade"
    label = "Throw a grenade"
    summary = "Demo Expert or bearer of a kit: kill in one square, wound beside it"
    rule = "BG-4.9"
    individual_only = True
    slots = (
        Slot(
            "square", "At which square? It kills there and wounds beside it.", board=True, sure=True
        ),
        Slot("source", "The Demo Expert’s own, or the kit?"),
    )

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        if self.sources(field, unit):
            return None
        return Illegal("BG-4.9", f"{unit.id} has no grenade.")

    def sources(self, field: Field, unit: Unit) -> list[str]:
        """Where the grenade can come from."""
        able = "grenade" in field.content.units[unit.kind].abilities
        return ["ability"] * able + ["kit"] * ("grenade" in unit.items)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        unit = acting(field)
        if slot == "source":
            labels = {"ability": "his own grenade", "kit": "the kit’s grenade"}
            found = tuple(Option(s, labels[s]) for s in self.sources(field, unit))
            return Choices(found, found[0].value if found else "")
        legal = [
            square
            for square in grenade_squares(field, unit)
            if why_no_grenade(field, unit, square) is None
        ]
        return squares(legal)

    def nothing(self, field: Field, squad: str) -> Illegal:
        return Illegal("BG-4.10", "No square within throwing range may be bombed.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        field = self.at(state)
        unit = acting(field)
        if slot == "source":
            return Illegal("BG-4.32", f"{unit.id} has no grenade from “{shown(value)}”.")
        return why_no_grenade(field, unit, shown(value)) or Illegal("BG-4.9", "Not there.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = acting(world)
        spend_action(world, unit)
        if picked["source"] == "kit":
            unit.items.remove("grenade")
        throw_grenade(world, unit, text(picked["square"]))


class Rpg(ActVerb):
    """The Demo Expert's RPG (BG-4.11)."""

    name = "rpg"
    label = "Fire the RPG"
    summary = "Demo Expert outside: hit a square inside a building through its wall"
    rule = "BG-4.11"
    individual_only = True
    slots = (Slot("square", "At which square inside a building?", board=True, sure=True),)

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        refused = lacks(field, unit, "rpg", "BG-4.11", "Demo Expert")
        if refused is None and unit.pos in field.map.building_of:
            refused = Illegal("BG-4.12", f"{unit.id} is inside a building.")
        return refused

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        unit = acting(field)
        return squares(s for s in rpg_squares(field, unit) if why_no_rpg(field, unit, s) is None)

    def nothing(self, field: Field, squad: str) -> Illegal:
        return Illegal("BG-4.11", "No wall of a building can be hit from here.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        field = self.at(state)
        return why_no_rpg(field, acting(field), shown(value)) or Illegal("BG-4.11", "Not there.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = acting(world)
        spend_action(world, unit)
        fire_rpg(world, unit, text(picked["square"]))


# --- first aid ---


def patients(field: Field, unit: Unit) -> list[Unit]:
    """Whom a Medic in this unit's place may treat (BG-4.2, BG-4.21)."""
    return field.adjacent_units(
        unit.pos or "", lambda u: u.hits > 0 and (u.is_soldier or u.kind == HOSTAGE)
    )


class Treat(ActVerb):
    """The Medic takes a hit off somebody beside him, in a team off himself (BG-4.2, BG-4.4)."""

    name = "treat"
    label = "Treat"
    summary = "Medic: take one hit off a wounded unit beside him"
    rule = "BG-4.2"
    slots = (Slot("unit", "Who is treated?", board=True),)

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        return lacks(field, unit, "treat", "BG-4.2", "Medic")

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        unit = acting(field)
        if field.activation.kind == "ind":
            return units(patients(field, unit))
        beside = field.adjacent_units(unit.pos or "", lambda u: bool(u.squad))
        return units([unit] if unit.hits and beside else [])

    def nothing(self, field: Field, squad: str) -> Illegal:
        if field.activation.kind == "team":
            return Illegal("BG-4.4", "In a team the Medic treats only himself, beside a comrade.")
        return Illegal("BG-4.2", "Nobody beside the Medic is wounded.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        if self.at(state).activation.kind == "team":
            return Illegal("BG-4.4", "In a team the Medic treats only himself, beside a comrade.")
        return Illegal("BG-4.2", f"“{shown(value)}” is not a wounded unit beside the Medic.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        heal(world, acting(world), world.unit(text(picked["unit"])))


def heal(world: World, medic: Unit, patient: Unit) -> None:
    """Take one hit off (BG-4.2, BG-4.27)."""
    spend_action(world, medic)
    patient.hits -= 1
    world.note(words.treats(medic, patient), Mark("spot", (patient.pos or "",)))


class KitHeal(ActVerb):
    """A health kit, used once (BG-4.31)."""

    name = "kit_heal"
    label = "Use the health kit"
    summary = "Bearer of a health kit: take one hit off himself or a neighbour"
    rule = "BG-4.31"
    individual_only = True
    slots = (Slot("unit", "Who is treated?", board=True),)

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        if "health" in unit.items:
            return None
        return Illegal("BG-4.31", f"{unit.id} has no health kit.")

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        unit = acting(field)
        return units([*([unit] if unit.hits else []), *patients(field, unit)])

    def nothing(self, field: Field, squad: str) -> Illegal:
        return Illegal("BG-4.31", "Nobody here is wounded.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        return Illegal("BG-4.31", f"“{shown(value)}” is not wounded and within reach.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = acting(world)
        unit.items.remove("health")
        heal(world, unit, world.unit(text(picked["unit"])))


class Escort(ActVerb):
    """The Medic brings a wounded comrade or a hostage along (BG-4.3)."""

    name = "escort"
    label = "Escort"
    summary = "Medic: bring along a wounded comrade or hostage who was beside him"
    rule = "BG-4.3"
    individual_only = True
    slots = (
        Slot("unit", "Who is brought along?", board=True),
        Slot("to", "To which square beside the Medic?", board=True),
        Slot("face", "Facing which way?"),
    )

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        return lacks(field, unit, "escort", "BG-4.3", "Medic")

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        medic = acting(field)
        if slot == "unit":
            return units(u for u in companions(field) if escort_squares(field, medic, u))
        unit = field.unit(text(picked["unit"]))
        if slot == "face":
            return None if unit.kind == HOSTAGE else facings(field, unit.face)
        return squares(escort_squares(field, medic, unit))

    def nothing(self, field: Field, squad: str) -> Illegal:
        return Illegal(
            "BG-4.3", "No wounded comrade or hostage from his side can follow the Medic."
        )

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        if slot == "face":
            return no_facing(value)
        if slot == "to":
            return Illegal(
                "BG-4.3", f"“{shown(value)}” is not a free square beside the Medic in reach."
            )
        return Illegal("BG-4.3", f"“{shown(value)}” cannot be escorted now.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        medic, unit = acting(world), world.unit(text(picked["unit"]))
        square, start = text(picked["to"]), unit.pos or ""
        part = part_of(world, medic)
        path = Reach(world, unit, part.allowance).path(square)
        world.put(unit, square, face_value(picked["face"]) if "face" in picked else None)
        spend_action(world, medic)
        part.mp = 0
        marks = (Mark("path", path),)
        note = words.escorts(medic, unit, start)
        world.log.append(Moved(text=note, marks=marks, who=words.badge(unit)))


def companions(field: Field) -> list[Unit]:
    """Who was beside the Medic at the start and may be escorted: wounded, or a freed hostage."""
    beside = [field.state.units[name] for name in field.activation.escort_ok]
    return [u for u in beside if u.pos and u.squad and (u.hits or u.kind == HOSTAGE)]


def escort_squares(field: Field, medic: Unit, unit: Unit) -> list[Square]:
    """Free squares beside the Medic that the escorted unit reaches with his allowance."""
    reach = Reach(field, unit, part_of(field, medic).allowance)
    beside = field.grid.near(medic.pos or "")
    return [s for s in reach.costs if s in beside and s != unit.pos]


# --- reconnaissance ---


class Recon(ActVerb):
    """The Scout turns up the next Intel card (BG-4.14)."""

    name = "recon"
    label = "Scout ahead"
    summary = "Scout: turn the next Intel card face up; its new insurgents will not fire"
    rule = "BG-4.14"
    individual_only = True
    uses_action = False

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        refused = lacks(field, unit, "recon", "BG-4.14", "Scout")
        if refused is None and (field.activation.recon_done or field.state.next_card):
            refused = Illegal("BG-4.14", "The next Intel card is known already.")
        return refused

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = acting(world)
        part_of(world, unit).turned = False
        world.activation.recon_done = True
        world.note(words.scouts(unit))
        card = cards.draw_ahead(world)
        world.state.play.scouted = True
        text_ = f"{card.title}. {card.text}"
        world.log.append(Drew(text=f"Next card: {text_}", card=cards.face(card, "next card")))

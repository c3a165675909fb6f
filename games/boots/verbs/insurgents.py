"""The conductor's verbs. Spec 8.12, 8.17; what they offer is decided in `games.boots.conduct`."""

from __future__ import annotations

from games.boots import conduct, words
from games.boots.automation import ranked_targets
from games.boots.fire import stand
from games.boots.model import State, Unit
from games.boots.verbs.base import FACING_LABELS, BootsVerb, squares, text, unit_option
from games.boots.world import World
from games.geometry.squares import FACINGS
from games.kernel.action import Picked, Value
from games.kernel.domain import Choices, Domain, Option, Several
from games.kernel.entropy import Entropy
from games.kernel.event import Event
from games.kernel.game import Slot
from games.kernel.illegal import Illegal


class ConductorVerb(BootsVerb):
    """A verb of the seat that conducts the insurgents."""

    group = "insurgents"
    rule = "BG-9.8"
    main = True

    def perform(
        self, state: State, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        """Carry the order out; the seat needs no squad of its own."""
        world = World(self.content, state, entropy, log)
        plain = {k: v for k, v in picked.items() if isinstance(v, str)}
        several = next((v for v in picked.values() if isinstance(v, tuple)), ())
        conduct.carry_out(world, self.name, plain, several)

    def closed(self, state: State, seat: str) -> Illegal | None:
        """Closed when its first slot has no options."""
        if self.slots and not self.domain(state, seat, self.slots[0].name, {}):
            return Illegal(self.rule, "The card leaves nothing of that kind to choose.")
        return None

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        """The card and the rules of closeness leave other choices."""
        shown = value if isinstance(value, str) else ", ".join(value)
        return Illegal(self.rule, f"The card does not let you choose “{shown}” here.")


def distinct(units: list[Unit]) -> Choices:
    """Units as a domain, each once."""
    found = {u.id: u for u in units}
    return Choices(tuple(unit_option(u) for u in found.values()))


def facing_options(faces: list[int]) -> Choices:
    """Facings as a domain."""
    return Choices(tuple(Option(FACINGS[f], FACING_LABELS[FACINGS[f]]) for f in faces))


class Place(ConductorVerb):
    """Place a new insurgent (BG-5.2)."""

    name = "i_place"
    command = "place"
    label = "Place insurgent"
    summary = "Place the card’s new insurgent at one of the closest openings"
    slots = (Slot("square", "At which opening?", board=True), Slot("face", "Facing which way?"))

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        options = conduct.places(self.at(state))
        if slot == "square":
            return squares([square for square, _ in options])
        return facing_options([f for square, f in options if square == picked["square"]])


class MoveInsurgent(ConductorVerb):
    """Move a selected insurgent (BG-5.3)."""

    name = "i_move"
    command = "move"
    label = "Move insurgent"
    summary = "Move an insurgent that the card selects"
    rule = "BG-5.3"
    slots = (
        Slot("unit", "Which insurgent?", board=True),
        Slot("to", "Where to?", board=True),
        Slot("face", "Facing which way?"),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        if conduct.is_free(field):
            if slot == "unit":
                return distinct([u for u in conduct.movers(field) if conduct.free_ends(field, u)])
            if slot == "face":
                return facing_options(list(field.facings))
            ends = conduct.free_ends(field, field.unit(text(picked["unit"])))
            return Choices(
                tuple(Option(s, f"{s} ({c} MP)", "", s, str(c)) for s, c in ends.items())
            )
        ties = {
            u.id: [w for w in conduct.tied_walks(field, u) if not w.stay]
            for u in conduct.movers(field)
        }
        if slot == "unit":
            return distinct([field.unit(name) for name, walks in ties.items() if walks])
        walks = ties[text(picked["unit"])]
        if slot == "to":
            return squares([w.square for w in walks])
        return facing_options(sorted({w.face for w in walks if w.square == picked["to"]}))


class Stay(ConductorVerb):
    """Leave a selected insurgent where it is (BG-5.3)."""

    name = "i_stay"
    command = "stay"
    label = "Let it stay"
    summary = "Leave a selected insurgent where it is"
    rule = "BG-5.3"
    slots = (Slot("unit", "Which insurgent stays?", board=True),)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        units = conduct.movers(field)
        if not conduct.is_free(field):
            units = [u for u in units if any(w.stay for w in conduct.tied_walks(field, u))]
        return distinct(units)


class Role(ConductorVerb):
    """Choose who gets the card's role (BG-5.7)."""

    name = "i_role"
    command = "role"
    label = "Give the role"
    summary = "Choose which of the closest insurgents gets the card’s role"
    rule = "BG-5.7"
    slots = (Slot("unit", "Who gets the role?", board=True),)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        return distinct(conduct.role_takers(self.at(state)))


class EventGrenade(ConductorVerb):
    """Throw the card's grenade (BG-5.11)."""

    name = "i_grenade"
    command = "grenade"
    label = "Throw the grenade"
    summary = "Choose who throws the card’s grenade, and where"
    rule = "BG-5.11"
    slots = (
        Slot("unit", "Who throws?", board=True),
        Slot("square", "At which square?", board=True),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        options = conduct.throws(self.at(state))
        if slot == "unit":
            return distinct([u for u, _ in options])
        return squares([s for u, s in options if u.id == picked["unit"]])


class RiggedDoor(ConductorVerb):
    """Choose the door that explodes (BG-5.13)."""

    name = "i_door"
    command = "door"
    label = "Blow the door"
    summary = "Choose which of the closest doors explodes"
    rule = "BG-5.13"
    slots = (
        Slot("a", "Which door? Its upper or left square.", board=True),
        Slot("b", "And the square on its other side?", board=True),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        options = conduct.doors(self.at(state))
        if slot == "a":
            return squares([a for a, _ in options])
        return squares([b for a, b in options if a == picked["a"]])


class InsurgentFire(ConductorVerb):
    """Let an insurgent fire (BG-8.3)."""

    name = "i_fire"
    command = "fire"
    label = "Fire"
    summary = "Let an insurgent fire at one target"
    rule = "BG-8.3"
    slots = (
        Slot("unit", "Which insurgent fires?", board=True),
        Slot("target", "At whom?", board=True),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        options = conduct.fire_pairs(self.at(state))
        if slot == "unit":
            return distinct([u for u, _ in options])
        return distinct([t for u, t in options if u.id == picked["unit"]])


class InsurgentSpread(ConductorVerb):
    """A machine gunner fires at several targets (BG-5.10)."""

    name = "i_spread"
    command = "spread"
    label = "Spread fire"
    summary = "Let a machine gunner fire at two or three targets"
    rule = "BG-5.10"
    main = False
    slots = (
        Slot("unit", "Which machine gunner?", board=True),
        Slot("targets", "At which two or three, in which order?", board=True),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field, limits = self.at(state), self.content.tables.limits
        if slot == "unit":
            return distinct(conduct.spreaders(field))
        unit = field.unit(text(picked["unit"]))
        found = ranked_targets(field, stand(unit), state.squad_turn)
        options = tuple(unit_option(t) for t in found)
        return Several(options, limits.spread_min, limits.spread_max)


class _Demo(ConductorVerb):
    """What the two weapons of a bomb maker share."""

    rule = "BG-5.10"
    main = False
    slots = (
        Slot("unit", "Which bomb maker?", board=True),
        Slot("square", "At which square?", board=True),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        options = conduct.demo_squares(self.at(state), self.name)
        if slot == "unit":
            return distinct([u for u, _ in options])
        return squares([s for u, s in options if u.id == picked["unit"]])


class InsurgentThrow(_Demo):
    """A bomb maker throws a grenade instead of firing (BG-5.10)."""

    name = "i_throw"
    command = "throw"
    label = "Throw a grenade"
    summary = "Let a bomb maker throw a grenade instead of firing"


class InsurgentRpg(_Demo):
    """A bomb maker fires an RPG instead of firing (BG-5.10)."""

    name = "i_rpg"
    command = "rpg"
    label = "Fire an RPG"
    summary = "Let a bomb maker fire an RPG instead of his rifle"


class Auto(ConductorVerb):
    """Let the program finish this card (spec 8.12)."""

    name = "auto"
    label = "Let the program finish"
    summary = "Let the program finish this card as it would by itself"
    main = False
    settles = True

    def perform(
        self, state: State, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        """The rest of the card is the program's."""
        state.play.auto = True
        World(self.content, state, entropy, log).note(words.auto())


STANDINGS = {
    "ask": "Ask me whatever may be decided",
    "fire": "The program does the firing",
    "all": "The program does every card",
}


class Standing(ConductorVerb):
    """What the conductor is asked from now on (spec 8.17)."""

    name = "standing"
    label = "Standing orders"
    summary = "What the program may decide for the insurgents without asking you"
    main = False
    personal = True
    slots = (Slot("mode", "What should the program do by itself?"),)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        now = state.standing.get(seat, state.options["standing"])
        return Choices(tuple(Option(k, v) for k, v in STANDINGS.items() if k != now))

    def perform(
        self, state: State, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        """Note it; it is no part of anybody's turn."""
        state.standing[seat] = text(picked["mode"])
        world = World(self.content, state, entropy, log)
        world.note(words.standing(seat, STANDINGS[text(picked["mode"])]))

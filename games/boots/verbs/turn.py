"""Set-up, activation, movement and the end of a turn. Spec 8.1 to 8.6, 8.11, 8.16."""

from __future__ import annotations

from games.boots import flow, words
from games.boots.field import Field
from games.boots.model import HOSTAGE, SQUAD_OF, State, Unit
from games.boots.movement import Reach, why_no_move
from games.boots.verbs.base import (
    ActVerb,
    BootsVerb,
    acting,
    face_value,
    facings,
    no_facing,
    part_of,
    shown,
    text,
    unit_option,
    units,
)
from games.boots.world import World
from games.geometry.squares import FACINGS
from games.kernel import wording
from games.kernel.action import Picked, Value
from games.kernel.domain import Choices, Domain, Option
from games.kernel.entropy import Entropy
from games.kernel.event import Event, Moved
from games.kernel.game import Slot
from games.kernel.illegal import Illegal
from games.kernel.view import Mark


class Ready(BootsVerb):
    """The squad stands as its owner wants it; the game begins."""

    name = "ready"
    label = "Ready"
    summary = "Finish setting up your squad; this is final"
    main = True

    def act(self, world: World, squad: str, picked: Picked) -> None:
        world.state.ready.append(squad)
        world.note(words.ready(squad))


class Deploy(BootsVerb):
    """Rearrange a unit within the set-up zone (BG-6.1)."""

    name = "deploy"
    label = "Set up a unit"
    summary = "Move or turn a unit inside your set-up zone"
    rule = "BG-6.1"
    slots = (
        Slot("unit", "Which unit?", board=True),
        Slot("square", "Where to? A square with a comrade swaps the two.", board=True),
        Slot("face", "Facing which way?"),
    )

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field, squad = self.at(state), SQUAD_OF[seat]
        if slot == "unit":
            return units(field.soldiers(squad))
        unit = field.unit(text(picked["unit"]))
        if slot == "face":
            return facings(field, unit.face)
        zone = self.content.start_zone(state.mission, squad)
        own = {u.pos: u for u in field.soldiers(squad)}
        options: list[Option] = []
        for square in zone:
            other = own.get(square)
            if other is not None:
                note = "stay" if other.id == unit.id else f"swap with {other.id}"
                options.append(Option(square, f"{square} ({note})", "", square))
            elif field.is_free(square):
                options.append(Option(square, square, "", square))
        order = field.grid.order
        options.sort(key=lambda o: (field.grid.dist(unit.pos or "", o.value), order[o.value]))
        return Choices(tuple(options))

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        if slot == "face":
            return no_facing(value)
        if slot == "unit":
            return Illegal("BG-6.1", f"“{shown(value)}” is not one of your soldiers.")
        return Illegal("BG-6.1", f"“{shown(value)}” is no free square of your set-up zone.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit, square = world.unit(text(picked["unit"])), text(picked["square"])
        other = world.occupants.get(square)
        if other is not None and other.id != unit.id:
            world.put(other, unit.pos or "")
        world.put(unit, square, face_value(picked["face"]))
        world.note(words.deployed(unit), Mark("spot", (square,)))


class Activate(BootsVerb):
    """Activate one unit alone (BG-7.1, BG-2.5)."""

    name = "activate"
    label = "Activate a unit"
    summary = "Act with one unit: its own movement, fire and ability"
    main = True
    rule = "BG-7.1"
    slots = (Slot("unit", "Who acts this turn?", board=True),)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        options = [
            unit_option(u, f"{field.allowance(u, team=False)} MP")
            for u in field.squad_units(SQUAD_OF[seat])
        ]
        return Choices(tuple(options))

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        return Illegal("BG-7.1", f"“{shown(value)}” is not one of your units on the board.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = world.unit(text(picked["unit"]))
        start_activation(world, "ind", squad, [unit])
        world.note(words.activates(unit, squad), Mark("spot", (unit.pos or "",)))


class ActivateTeam(BootsVerb):
    """Activate a whole connected group (BG-7.2)."""

    name = "activate_team"
    label = "Activate a team"
    summary = "Act with all units that stand linked together"
    main = True
    rule = "BG-7.2"
    slots = (Slot("unit", "Which team? Any member names it.", board=True),)

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        found = teams(self.at(state), SQUAD_OF[seat])
        options = tuple(
            Option(team[0].id, wording.listed([u.id for u in team]), "", team[0].pos or "")
            for team in found
        )
        return Choices(options, also=tuple(u.id for team in found for u in team[1:]))

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        return Illegal("BG-2.3", f"“{shown(value)}” stands alone: a team needs two linked units.")

    def nothing(self, field: Field, squad: str) -> Illegal:
        return Illegal("BG-2.3", "No two units of your squad stand linked together.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        named = text(picked["unit"])
        team = next(t for t in teams(world, squad) if any(u.id == named for u in t))
        start_activation(world, "team", squad, team)
        marks = Mark("spot", tuple(u.pos or "" for u in team))
        world.note(words.activates_team(team, squad), marks)


def teams(field: Field, squad: str) -> list[list[Unit]]:
    """Groups of two or more linked units, each and all in canonical order (BG-2.3, D7)."""
    left = field.squad_units(squad)
    found: list[list[Unit]] = []
    while left:
        group = [left.pop(0)]
        for unit in group:
            linked = [u for u in left if field.is_near(unit.pos, u.pos)]
            group.extend(linked)
            left = [u for u in left if u not in linked]
        if len(group) >= field.content.tables.limits.team_min:
            names = [u.id for u in group]
            found.append([u for u in field.squad_units(squad) if u.id in names])
    return found


def start_activation(world: World, kind: str, squad: str, members: list[Unit]) -> None:
    """Begin an activation: allowances are fixed, the old shield ends (BG-10.14, BG-4.1)."""
    world.squad(squad).leader_shield = False
    alone = kind == "ind"
    current = members[0].id if alone else ""
    activation = world.begin_activation(kind, squad, [u.id for u in members], current)
    if alone and members[0].kind == "M":
        beside = world.adjacent_units(members[0].pos or "", lambda u: u.squad == squad)
        activation.escort_ok = [u.id for u in beside]
    world.go("act")


class Select(BootsVerb):
    """Let another member of the team act (BG-7.4)."""

    name = "select"
    label = "Select a member"
    summary = "Let another team member act; the one before is finished"
    main = True
    rule = "BG-7.4"
    slots = (Slot("unit", "Who acts next? The one before is then finished.", board=True),)

    def barred(self, field: Field, squad: str) -> Illegal | None:
        if field.activation.kind != "team":
            return Illegal("BG-2.5", "One unit is activated alone; there is nobody to select.")
        return None

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        activation = field.activation
        open_ = [
            field.unit(name)
            for name in activation.members
            if name != activation.current and not activation.parts[name].finished
        ]
        return Choices(tuple(unit_option(u, f"{activation.parts[u.id].mp} MP") for u in open_))

    def nothing(self, field: Field, squad: str) -> Illegal:
        return Illegal("BG-7.4", "Every other member of the team has finished.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        return Illegal("BG-7.4", f"“{shown(value)}” is no team member that can still be selected.")

    def act(self, world: World, squad: str, picked: Picked) -> None:
        activation, unit = world.activation, world.unit(text(picked["unit"]))
        if activation.current:
            activation.parts[activation.current].finished = True
        activation.current = unit.id
        world.note(words.selects(unit), Mark("spot", (unit.pos or "",)))


class Move(ActVerb):
    """Move the acting unit (BG-10)."""

    name = "move"
    label = "Move"
    summary = "Move the acting unit within its movement points, and face any way"
    main = True
    rule = "BG-10.1"
    uses_action = False
    slots = (
        Slot("to", "Move where? The number is the cost.", board=True),
        Slot("face", "Facing which way?"),
    )

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        if part_of(field, unit).mp <= 0:
            return Illegal("BG-10.1", f"{unit.id} has no movement points left.")
        return None

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        unit = acting(field)
        if slot == "face":
            return None if unit.kind == HOSTAGE else facings(field, unit.face)
        costs = Reach(field, unit, part_of(field, unit).mp).costs
        if unit.kind == HOSTAGE:
            costs.pop(unit.pos or "", None)
        return Choices(
            tuple(
                Option(
                    s, f"{s} (turn, {c} MP)" if s == unit.pos else f"{s} ({c} MP)", "", s, str(c)
                )
                for s, c in costs.items()
            )
        )

    def nothing(self, field: Field, squad: str) -> Illegal:
        unit = acting(field)
        points = part_of(field, unit).mp
        return Illegal("BG-10.2", f"{unit.id} cannot reach any free square with {points} MP.")

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        field = self.at(state)
        if slot == "face":
            return no_facing(value)
        unit = acting(field)
        return why_no_move(field, unit, shown(value), part_of(field, unit).mp)

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit, square = acting(world), text(picked["to"])
        part, start = part_of(world, unit), unit.pos or ""
        reach = Reach(world, unit, part.mp)
        cost, path = reach.costs[square], (start,)
        if square != start:
            path = reach.path(square)
        face = face_value(picked["face"]) if "face" in picked else None
        part.mp -= cost
        part.turned = False
        world.put(unit, square, face)
        note = words.moves(unit, start, cost)
        marks = (Mark("path", path),)
        world.log.append(Moved(text=note, marks=marks, who=words.badge(unit)))


class Turn(ActVerb):
    """Turn on the spot for nothing, where the table plays so (BG-O.2)."""

    name = "turn"
    label = "Turn"
    summary = "Turn on the spot at no cost (an option of the table)"
    rule = "BG-O.2"
    uses_action = False
    slots = (Slot("face", "Facing which way?"),)

    def unable(self, field: Field, unit: Unit) -> Illegal | None:
        if not field.on("pivot_in_place"):
            return Illegal("BG-10.10", "A unit turns only while it moves.")
        if unit.kind == HOSTAGE:
            return Illegal("BG-4.20", "Hostages have no facing.")
        if part_of(field, unit).turned:
            return Illegal("BG-O.2", f"{unit.id} turns again only after it has moved or acted.")
        return None

    def domain(self, state: State, seat: str, slot: str, picked: Picked) -> Domain | None:
        field = self.at(state)
        now = acting(field).face
        return Choices(tuple(o for o in facings(field, None).options if o.value != FACINGS[now]))

    def refusal(self, state: State, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        return no_facing(value)

    def act(self, world: World, squad: str, picked: Picked) -> None:
        unit = acting(world)
        unit.face = face_value(picked["face"])
        part_of(world, unit).turned = True
        world.note(words.turns(unit), Mark("spot", (unit.pos or "",)))


class Done(BootsVerb):
    """Finish the activation (BG-7.1)."""

    name = "done"
    label = "Finish activation"
    summary = "End this activation; hidden counters flip and the Intel card is drawn"

    def act(self, world: World, squad: str, picked: Picked) -> None:
        flow.end_activation(world)


class Concede(BootsVerb):
    """Give the game up (BG-E.5)."""

    name = "concede"
    label = "Give up"
    summary = "Give the game up"
    confirm = True
    personal = True

    def perform(
        self, state: State, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        """Any seat may give up, the insurgents' included."""
        flow.concede(World(self.content, state, entropy, log), seat)

    def closed(self, state: State, seat: str) -> Illegal | None:
        """Giving up is always possible, once."""
        return None

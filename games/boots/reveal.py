"""REVEAL: what the squad bumped into. Rules BG-4.21 to BG-4.34, BG-7.9, BG-A.9.

One pass in a fixed order: hostages, civilians, vehicles, WMD, boxes, fire of revealed insurgents. The
queue of the step holds phases (`hostages`) and counters (`CV2`); a phase is replaced by its counters
when its turn comes.
"""

from __future__ import annotations

from games.boots import words
from games.boots.automation import ranked_targets
from games.boots.blasts import explode, vehicle_blast
from games.boots.field import Field
from games.boots.fire import insurgent_gun, shoot, stand
from games.boots.model import INSURGENT, Unit, Vehicle
from games.boots.world import World
from games.geometry.squares import Square
from games.kernel.event import Revealed
from games.kernel.view import Mark

PHASES = ("hostages", "civilians", "vehicles", "wmd", "boxes")


def step(world: World) -> None:
    """Do the next thing of REVEAL, or go on to CLEAR."""
    frame, squad = world.state.steps[-1], world.state.squad_turn
    if not frame.queue:
        world.go("clear")
        return
    head = frame.queue.pop(0)
    if head in PHASES:
        frame.queue[:0] = _counters(world, head, squad)
    elif head.startswith("HO"):
        _free(world, world.unit(head), squad)
    elif head.startswith("CV"):
        _flip_civilian(world, head, squad)
    elif head.startswith("VH"):
        _flip_vehicle(world, world.state.vehicles[head], squad)
    elif head.startswith("IN"):
        _fire_revealed(world, head, squad)
    else:
        _reach_box(world, world.unit(head))


def _counters(world: World, phase: str, squad: str) -> list[str]:
    """What a phase has to look at, in the order it looks at it."""
    state, order = world.state, world.grid.order
    match phase:
        case "hostages":
            return [u.id for u in world.captives()]
        case "civilians":
            return [c.id for c in sorted(state.civilians.values(), key=lambda c: order[c.pos])]
        case "vehicles":
            down = [v for v in state.vehicles.values() if not v.face_up]
            return [v.id for v in sorted(down, key=lambda v: order[v.pos])]
        case "boxes":
            closed = [b.pos for b in state.boxes.values()]
            return [u.id for u in world.soldiers(squad) if u.pos in closed]
        case _:
            _pick_up_wmd(world, squad)
            return []


def _beside(world: World, square: Square, squad: str) -> bool:
    return bool(world.adjacent_units(square, lambda u: u.squad == squad))


# --- hostages ---


def _free(world: World, hostage: Unit, squad: str) -> None:
    """A captive beside the squad is freed and joins it (BG-4.21)."""
    if hostage.status == "captive" and hostage.pos and _beside(world, hostage.pos, squad):
        hostage.status, hostage.squad = "freed", squad
        world.note(words.freed(hostage), Mark("spot", (hostage.pos,)))


# --- civilians ---


def _flip_civilian(world: World, name: str, squad: str) -> None:
    """A civilian beside the squad shows its side (BG-4.23)."""
    civilian = world.state.civilians[name]
    if not _beside(world, civilian.pos, squad):
        return
    kind = civilian.kind or _draw_kind(world, world.state.civilian_mix, f"{name} turns out")
    del world.state.civilians[name]
    if kind == "friendly":
        text = words.civilian_goes(civilian.pos)
    else:
        nearest = world.closest(civilian.pos, world.squad_units(squad))
        face = world.direction(civilian.pos, (nearest and nearest.pos) or civilian.pos)
        insurgent = world.create_insurgent(civilian.pos, face)
        world.state.steps[-1].queue.append(insurgent.id)
        text = words.civilian_fights(civilian.pos, insurgent)
    marks = (Mark("spot", (civilian.pos,)),)
    world.log.append(
        Revealed(text=text, marks=marks, cell=civilian.pos, what=words.CIVILIAN_KINDS[kind])
    )


def _draw_kind(world: World, mix: list[str], label: str) -> str:
    kind = world.entropy.draw(mix, label)
    mix.remove(kind)
    return kind


def _fire_revealed(world: World, name: str, squad: str) -> None:
    """An insurgent revealed from a civilian fires at once, without a role (BG-A.9, D26)."""
    insurgent = world.state.units.get(name)
    if insurgent is None or insurgent.pos is None:
        return
    shots = ranked_targets(world, stand(insurgent), squad)
    if shots:
        shoot(world, insurgent, shots[:1], insurgent_gun(world, insurgent))


# --- vehicles ---


def _flip_vehicle(world: World, vehicle: Vehicle, squad: str) -> None:
    """A face-down vehicle beside the squad is flipped (BG-4.24, BG-4.25)."""
    if not _beside(world, vehicle.pos, squad):
        return
    vehicle.kind = vehicle.kind or _draw_kind(
        world, world.state.vehicle_mix, f"{vehicle.id} turns out"
    )
    vehicle.face_up = True
    text = words.vehicle_is(vehicle.pos, vehicle.kind)
    marks = (Mark("spot", (vehicle.pos,)),)
    world.log.append(
        Revealed(text=text, marks=marks, cell=vehicle.pos, what=words.VEHICLE_KINDS[vehicle.kind])
    )
    if vehicle.kind == "safe":
        return
    experts = world.adjacent_units(vehicle.pos, lambda u: u.kind == "DE")
    if vehicle.kind == "ied_a" and experts:
        defuse(world, vehicle, experts[0])
    elif kit_bearers(world, vehicle, squad):
        world.push("defuse", subject=vehicle.id)
    else:
        detonate(world, vehicle)


def kit_bearers(field: Field, vehicle: Vehicle, squad: str) -> list[Unit]:
    """Soldiers of the activated squad beside the vehicle who carry a bomb kit (BG-4.30)."""
    return field.adjacent_units(
        vehicle.pos, lambda u: u.squad == squad and u.is_soldier and "bombkit" in u.items
    )


def defuse(world: World, vehicle: Vehicle, by: Unit) -> None:
    """The bomb is made safe; the vehicle stays (BG-4.25)."""
    vehicle.outcome = "defused"
    world.note(words.defused_by(by, vehicle.pos), Mark("spot", (vehicle.pos,)))


def detonate(world: World, vehicle: Vehicle) -> None:
    """The bomb goes off: one hit to every allied unit adjacent, whatever its squad (D25, D50)."""
    vehicle.outcome = "exploded"
    spared = tuple(world.placed(lambda u: u.kind == INSURGENT))
    kind = words.VEHICLE_KINDS[vehicle.kind]
    title = f"Car bomb in {vehicle.pos}"
    explode(world, title, f"{kind}; one hit to every allied unit beside it",
            vehicle_blast(world, vehicle.pos), spared)  # fmt: skip


# --- the WMD and boxes ---


def _pick_up_wmd(world: World, squad: str) -> None:
    """A soldier of the squad on the square of a dropped WMD takes it (BG-4.34)."""
    wmd = world.state.wmd
    for soldier in world.soldiers(squad):
        if soldier.pos == wmd.where:
            wmd.where = soldier.id
            soldier.items.append("wmd")
            world.note(words.wmd_picked(soldier))
            return


def _reach_box(world: World, soldier: Unit) -> None:
    """A soldier stands on a closed box: ask his owner, or open it under BG-O.5."""
    if box_under(world, soldier) is None or soldier.status != "up":
        return
    if world.on("boxes_forced"):
        open_box(world, soldier)
    else:
        world.push("box", subject=soldier.id)


def box_under(field: Field, unit: Unit) -> str | None:
    """The id of the closed box in a unit's square."""
    return next((b.id for b in field.state.boxes.values() if b.pos == unit.pos), None)


def open_box(world: World, soldier: Unit) -> None:
    """Open the box under a soldier and let it take effect (BG-4.29 to BG-4.34)."""
    box = world.state.boxes[box_under(world, soldier) or ""]
    kind = box.kind or _draw_box(world, box.id)
    del world.state.boxes[box.id]
    marks = (Mark("spot", (box.pos,)),)
    text = words.box_holds(soldier, box.pos, kind)
    world.log.append(Revealed(text=text, marks=marks, cell=box.pos, what=words.BOX_FINDS[kind]))
    if kind == "booby":
        harm = world.wound(soldier)
        world.note(f"{words.title(soldier)} is {words.fate(soldier, harm)}.",
                   Mark("hit", (box.pos,)))  # fmt: skip
        return
    soldier.items.append(kind)
    if kind == "wmd":
        world.state.wmd.where = soldier.id
        world.state.wmd.found_by = soldier.squad


def _draw_box(world: World, name: str) -> str:
    """Decide what a box holds. Forced contents lie in closed boxes, each equally likely in each.

    With n undecided boxes, f forced contents among them and a mix of m others, a box holds a given
    forced content with 1/n and a given other one with (n − f)/(n·m): the same as dealing them
    face down beforehand (spec 5.5, 7.6).
    """
    state = world.state
    undecided = sum(1 for box in state.boxes.values() if not box.kind)
    forced, mix = state.box_forced, state.box_mix
    options = [k for k in forced for _ in range(len(mix) or 1)]
    options += [k for k in mix for _ in range(undecided - len(forced))]
    kind = world.entropy.draw(options, f"{name} holds")
    (forced if kind in forced else mix).remove(kind)
    return kind


# --- CLEAR ---


def mark_cleared(world: World) -> None:
    """Mark buildings whose openings are held by enough soldiers (BG-4.28, BG-O.4)."""
    state, squad = world.state, world.state.squad_turn
    counted = (squad,) if state.line == "comp" else state.playing
    squares = [u.pos for k in counted for u in world.soldiers(k)]
    for numeral, openings in world.map.openings.items():
        held = sum(1 for square in openings if square in squares)
        wanted = min(world.content.tables.limits.clearing_soldiers, len(openings))
        building = state.buildings[numeral]
        if held >= wanted:
            if not building.cleared:
                world.note(words.building_cleared(numeral, squad))
                building.cleared = True
                building.cleared_by = building.cleared_by or squad
        elif building.cleared and world.on("cleared_hold"):
            building.cleared = False
            world.note(words.building_lost(numeral))

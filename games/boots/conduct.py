"""Who conducts the insurgents, and what a human conductor is asked. Spec 8.12, 8.17; rules BG-9.8, BG-9.9.

In VERSUS and THREE the INSURGENT seat chooses among everything the event allows (`is_free`). In COMP, and
under BG-O.6, the conductor settles ties only: the options equal on the rule criteria of section 9. What
has one answer is not asked; the program carries it out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile

from games.boots import cards
from games.boots.automation import (
    Attack,
    Walk,
    closest_insurgents,
    grenade_throwers,
    hurts_squad,
    next_attack,
    placements,
    ranked_targets,
    rigged_doors,
    role_candidates,
    target_keys,
    walks,
)
from games.boots.blasts import (
    grenade_blast,
    grenade_squares,
    rpg_blast,
    rpg_squares,
    why_no_grenade,
    why_no_rpg,
)
from games.boots.field import Field
from games.boots.fire import FRONT, stand
from games.boots.model import INSURGENT, INSURGENT_SEAT, SEAT_OF, Unit
from games.boots.movement import Reach
from games.boots.world import World
from games.geometry.squares import FACINGS, Square

FREE_MODES = ("versus", "three")
RACE_SEATS = {"A": "BRAVO", "B": "ALPHA"}


@dataclass(frozen=True, slots=True)
class Order:
    """One thing a conductor may do: a verb and its slots."""

    verb: str
    picked: tuple[tuple[str, str], ...]


# --- who ---


def is_free(field: Field) -> bool:
    """Whether the conductor may choose among everything, not only ties (BG-2.8, BG-9.8)."""
    return field.state.mode in FREE_MODES


def conducting_seats(field: Field) -> tuple[str, ...]:
    """The seats that conduct in this game, whether or not they are asked now (spec 8.17)."""
    state = field.state
    if is_free(field):
        return (INSURGENT_SEAT,)
    if state.mode == "comp":
        return ("ALPHA", "BRAVO")
    if field.option("insurgent_control") == "drawer":
        return tuple(SEAT_OF[k] for k in state.playing)
    return ()


def conductor(field: Field) -> str | None:
    """The seat that conducts the card under way; None: the program does."""
    seats, squad = conducting_seats(field), field.state.squad_turn
    if not seats:
        return None
    seat = seats[0] if len(seats) == 1 else RACE_SEATS[squad]
    return None if seat in field.state.conceded else seat


def asked(field: Field) -> str | None:
    """The seat that must choose now within the card; None when the program goes on by itself."""
    state = field.state
    step, seat = state.steps[-1].step, conductor(field)
    if seat is None or step not in ("event", "fire") or state.play.auto:
        return None
    standing = state.standing.get(seat, field.option("standing"))
    if standing == "all" or (standing == "fire" and step == "fire"):
        return None
    return seat if len(list(islice(orders(field), 2))) > 1 else None


def forced(field: Field) -> Order | None:
    """The only thing a free conductor could do, which may differ from the program's choice."""
    seat = conductor(field)
    state = field.state
    if seat is None or not is_free(field) or state.play.auto:
        return None
    standing = state.standing.get(seat, field.option("standing"))
    step = state.steps[-1].step
    if step not in ("event", "fire") or standing == "all" or (standing, step) == ("fire", "fire"):
        return None
    found = list(islice(orders(field), 2))
    return found[0] if len(found) == 1 else None


def verbs_asked(field: Field) -> tuple[str, ...]:
    """The verbs a conductor is offered now, the way out included."""
    if field.state.steps[-1].step == "fire":
        return ("i_fire", "i_spread", "i_throw", "i_rpg", "auto")
    verbs = {
        "place": ("i_place",),
        "move": ("i_move", "i_stay"),
        "move_all": ("i_move", "i_stay"),
        "role": ("i_role",),
        "grenade": ("i_grenade",),
        "door_ied": ("i_door",),
    }
    return (*verbs.get(cards.current(field).event, ()), "auto")


# --- what ---


def orders(field: Field) -> Iterator[Order]:
    """Everything the conductor may do now, lazily, in no order that matters."""
    if not field.squad_units(field.state.squad_turn):
        return
    if field.state.steps[-1].step == "fire":
        yield from _fire_orders(field)
        return
    frame = field.state.steps[-1]
    if not (frame.queue or frame.count):
        return
    match cards.current(field).event:
        case "place":
            yield from (_order("i_place", square=s, face=FACINGS[f]) for s, f in places(field))
        case "move" | "move_all":
            for unit in movers(field):
                yield from _walk_orders(field, unit)
        case "role":
            yield from (_order("i_role", unit=u.id) for u in role_takers(field))
        case "grenade":
            yield from (_order("i_grenade", unit=u.id, square=s) for u, s in throws(field))
        case "door_ied":
            yield from (_order("i_door", a=a, b=b) for a, b in doors(field))
        case _:
            return


def _order(verb: str, **picked: str) -> Order:
    return Order(verb, tuple(picked.items()))


def places(field: Field) -> list[tuple[Square, int]]:
    """Squares for a new insurgent at the smallest distance, with the facings allowed there."""
    squad = field.state.squad_turn
    found = placements(field, squad, closest=True)
    if not found or field.state.steps[-1].count <= 0:
        return []
    units = field.squad_units(squad)
    options: list[tuple[Square, int]] = []
    for place in found:
        if place.keys != found[0].keys:
            break
        nearest = [u for u in units if field.grid.dist(place.square, u.pos or "") == place.keys[0]]
        options.extend((place.square, f) for f in _facings(field, place.square, nearest))
    return options


def _facings(field: Field, square: Square, nearest: list[Unit]) -> list[int]:
    """Facings toward equally close units: exactly, or (free conductor) with one in front."""
    if not is_free(field):
        return sorted(dict.fromkeys(field.direction(square, u.pos or "") for u in nearest))
    grid = field.grid
    return [
        f
        for f in field.facings
        if any(square == u.pos or grid.arc(square, f, u.pos or "") in FRONT for u in nearest)
    ]


def movers(field: Field) -> list[Unit]:
    """The selected insurgents that may be given their move now."""
    frame = field.state.steps[-1]
    if is_free(field):
        names = [*frame.queue, *(frame.either if frame.count else [])]
    else:
        names = frame.queue[:1] or (frame.either if frame.count else [])
    return [field.unit(name) for name in names]


def tied_walks(field: Field, unit: Unit) -> list[Walk]:
    """The walks equal on the rule criteria of BG-A.4."""
    found = walks(field, unit, field.state.squad_turn)
    return [walk for walk in found if walk.keys == found[0].keys]


def free_ends(field: Field, unit: Unit) -> dict[Square, int]:
    """Squares a free conductor may move a selected insurgent to, with their cost."""
    ends = Reach(field, unit, field.content.units[INSURGENT].mp[0]).costs
    if field.on("pivot_in_place") and unit.pos is not None:
        ends[unit.pos] = 0
    return ends


def _walk_orders(field: Field, unit: Unit) -> Iterator[Order]:
    if is_free(field):
        yield _order("i_stay", unit=unit.id)
        for square in free_ends(field, unit):
            for f in field.facings:
                yield _order("i_move", unit=unit.id, to=square, face=FACINGS[f])
        return
    known: list[Order] = []
    for walk in tied_walks(field, unit):
        order = (
            _order("i_stay", unit=unit.id)
            if walk.stay
            else _order("i_move", unit=unit.id, to=walk.square, face=FACINGS[walk.face])
        )
        if order not in known:
            known.append(order)
    yield from known


def role_takers(field: Field) -> list[Unit]:
    """The equally close insurgents of the first class that is not empty (BG-5.7, BG-5.9)."""
    squad = field.state.squad_turn
    found = role_candidates(field, cards.current(field).role or "hwe", squad)
    return _equally_close(field, found)


def _equally_close(field: Field, units: list[Unit]) -> list[Unit]:
    if not units:
        return []
    near = field.squad_units(field.state.squad_turn)
    best = field.distance_to(units[0].pos or "", near)
    return list(takewhile(lambda u: field.distance_to(u.pos or "", near) == best, units))


def throws(field: Field) -> list[tuple[Unit, Square]]:
    """Who may throw the event's grenade, and where."""
    squad = field.state.squad_turn
    if not is_free(field):
        able = {u.id: options for u, options in grenade_throwers(field, squad)}
        units = _equally_close(field, [field.unit(name) for name in able])
        return [
            (u, square) for u in units for score, square in able[u.id] if score == able[u.id][0][0]
        ]
    able_units = [u for u in closest_insurgents(field, squad) if harmful_squares(field, u)]
    return [
        (u, square)
        for u in _equally_close(field, able_units)
        for square in harmful_squares(field, u)
    ]


def harmful_squares(field: Field, unit: Unit) -> list[Square]:
    """Legal grenade squares that hurt a unit of the target squad, own losses or not."""
    squad = field.state.squad_turn
    return [
        square
        for square in grenade_squares(field, unit)
        if hurts_squad(field, grenade_blast(field, square).squares, squad)
        and why_no_grenade(field, unit, square) is None
    ]


def rocket_squares(field: Field, unit: Unit) -> list[Square]:
    """Legal RPG squares that hurt a unit of the target squad (BG-5.10)."""
    squad = field.state.squad_turn
    found: list[Square] = []
    for square in rpg_squares(field, unit):
        if why_no_rpg(field, unit, square) is None:
            blast = rpg_blast(field, unit.pos or "", square)
            if blast is not None and hurts_squad(field, blast.squares, squad):
                found.append(square)
    return found


def doors(field: Field) -> list[tuple[Square, Square]]:
    """The unexploded doors at the smallest distance (BG-A.7)."""
    found = rigged_doors(field, field.state.squad_turn)
    return [door.door for door in found if door.keys == found[0].keys]


# --- the FIRE step ---


def shooters(field: Field) -> list[Unit]:
    """Insurgents that have not had their part of the FIRE step."""
    return [u for u in field.insurgents() if u.id not in field.state.play.fired]


def fire_pairs(field: Field) -> list[tuple[Unit, Unit]]:
    """Who may fire at whom now: everything (free), or the ties of the insurgent in turn."""
    squad = field.state.squad_turn
    if is_free(field):
        return [(u, t) for u in shooters(field) for t in ranked_targets(field, stand(u), squad)]
    attack = next_attack(field, squad, field.state.play.fired)
    if attack is None or attack.grenade or len(attack.targets) != 1:
        return []
    unit = attack.unit
    at = stand(unit)
    best = target_keys(field, at, attack.targets[0])
    found = ranked_targets(field, at, squad)
    return [(unit, t) for t in found if target_keys(field, at, t) == best]


def spreaders(field: Field) -> list[Unit]:
    """Machine gunners of a free conductor with two or more targets (BG-5.10)."""
    if not is_free(field):
        return []
    squad, least = field.state.squad_turn, field.content.tables.limits.spread_min
    return [
        u
        for u in shooters(field)
        if u.role == "hwe" and len(ranked_targets(field, stand(u), squad)) >= least
    ]


def demo_squares(field: Field, verb: str) -> list[tuple[Unit, Square]]:
    """What a free conductor's bomb makers may throw at (`i_throw`) or shell (`i_rpg`)."""
    if not is_free(field):
        return []
    squares = harmful_squares if verb == "i_throw" else rocket_squares
    return [(u, s) for u in shooters(field) if u.role == "demo" for s in squares(field, u)]


def _fire_orders(field: Field) -> Iterator[Order]:
    for unit, target in fire_pairs(field):
        yield _order("i_fire", unit=unit.id, target=target.id)
    for unit in spreaders(field):
        yield _order("i_spread", unit=unit.id)
    for verb in ("i_throw", "i_rpg"):
        for unit, square in demo_squares(field, verb):
            yield _order(verb, unit=unit.id, square=square)


# --- carrying an order out ---


def carry_out(
    world: World, verb: str, picked: dict[str, str], targets: tuple[str, ...] = ()
) -> None:
    """Do what a conductor has chosen. `targets` are those of a spread."""
    match verb:
        case "i_place":
            cards.place_insurgent(world, picked["square"], FACINGS.index(picked["face"]))
        case "i_move":
            cards.walk_insurgent(world, world.unit(picked["unit"]), _walk(world, picked))
        case "i_stay":
            unit = world.unit(picked["unit"])
            cards.walk_insurgent(world, unit, Walk(unit.pos or "", unit.face, 0, True, (), ()))
        case "i_role":
            cards.give_role(world, world.unit(picked["unit"]))
        case "i_grenade":
            cards.throw_event_grenade(world, world.unit(picked["unit"]), picked["square"])
        case "i_door":
            cards.blow_rigged_door(world, (picked["a"], picked["b"]))
        case _:
            cards.carry_out(world, _attack(world, verb, picked, targets))


def _walk(field: Field, picked: dict[str, str]) -> Walk:
    cost = free_ends(field, field.unit(picked["unit"]))[picked["to"]]
    return Walk(picked["to"], FACINGS.index(picked["face"]), cost, False, (), ())


def _attack(field: Field, verb: str, picked: dict[str, str], targets: tuple[str, ...]) -> Attack:
    unit = field.unit(picked["unit"])
    match verb:
        case "i_fire":
            return Attack(unit, (field.unit(picked["target"]),))
        case "i_spread":
            return Attack(unit, tuple(field.unit(name) for name in targets))
        case "i_throw":
            return Attack(unit, (), grenade=picked["square"])
        case "i_rpg":
            return Attack(unit, (), rpg=picked["square"])
        case _:
            raise ValueError(f"no attack: {verb}")


def step_forced(world: World) -> bool:
    """Carry out the only thing a free conductor could do; False when the program decides."""
    order = forced(world)
    if order is None:
        return False
    carry_out(world, order.verb, dict(order.picked))
    return True

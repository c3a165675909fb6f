"""Explosions: grenades, RPGs, demo charges, bombs. No dice. Rules BG-4.6 to BG-4.13, BG-4.24, BG-5.13."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from games.boots import words
from games.boots.field import Field
from games.boots.fire import Stand, in_front
from games.boots.model import INSURGENT, DemoDoor, Unit
from games.boots.world import Harm, World
from games.geometry.squares import FACINGS, Square
from games.kernel.event import Exploded, Suffered
from games.kernel.illegal import Illegal
from games.kernel.view import Mark

SIDES = ("N", "E", "S", "W")


@dataclass(frozen=True, slots=True)
class Blast:
    """What an explosion does: squares where units are killed, squares where they are wounded."""

    killing: tuple[Square, ...]
    wounding: tuple[Square, ...]

    @property
    def squares(self) -> tuple[Square, ...]:
        """Every square it touches."""
        return (*self.killing, *self.wounding)


def units_in(field: Field, squares: tuple[Square, ...]) -> list[Unit]:
    """Units in some squares in the order hits are applied: canonical, then by creation (BG-4.13)."""
    return field.placed(lambda u: u.pos in squares)


def explode(
    world: World, title: str, detail: str, blast: Blast, spare: tuple[Unit, ...] = ()
) -> None:
    """Carry a blast out; captives and `spare` are never hurt. Stops when the game ends (BG-E.3)."""
    place = len(world.log)
    harmed: list[Suffered] = []
    hits: list[Square] = []
    for unit in units_in(world, blast.squares):
        if unit.status == "captive" or unit in spare or world.over:
            continue
        square = unit.pos or ""
        harm: Harm = world.kill(unit) if square in blast.killing else world.wound(unit)
        harmed.append(Suffered(words.badge(unit), square, words.fate(unit, harm)))
        hits.append(square)
    marks = [Mark("blast", blast.squares)]
    marks.extend(Mark("hit", (square,)) for square in hits)
    event = Exploded(
        text=words.blast_line(title, harmed),
        marks=tuple(marks),
        title=title,
        detail=detail,
        suffered=tuple(harmed),
    )
    world.log.insert(place, event)


# --- whom a blast must not touch ---


def protected(
    field: Field, thrower: Unit, squares: tuple[Square, ...], rule: str
) -> Illegal | None:
    """Why a blast is forbidden: it would hit a civilian, a captive, or (from allied units) a hostage
    or another squad (BG-4.10, BG-4.12, BG-1.3). None when it is allowed."""
    for square in squares:
        if field.civilian_at(square):
            return Illegal(rule, f"A civilian in {square} would be hit.")
        other = field.occupants.get(square)
        if other is None or other.kind == INSURGENT:
            continue
        if other.status == "captive":
            return Illegal(rule, f"The captive in {square} would be hit.")
        if thrower.kind == INSURGENT:
            continue
        if not other.is_soldier:
            return Illegal(rule, f"The hostage in {square} would be hit.")
        if other.squad != thrower.squad:
            return Illegal(rule, f"{other.id} of the other squad would be hit.")
    return None


# --- grenades ---


def grenade_blast(field: Field, square: Square) -> Blast:
    """A grenade kills in its square and wounds in the squares adjacent to it (BG-4.9)."""
    return Blast((square,), field.grid.near(square))


def grenade_squares(field: Field, thrower: Unit) -> list[Square]:
    """Squares within throwing range, near ones first, walls not yet looked at."""
    here, limits = thrower.pos or "", field.content.tables.ranges.grenade
    x, y = field.grid.xy(here)
    order = field.grid.order
    near = [
        name
        for dy in range(-limits.max, limits.max + 1)
        for dx in range(-limits.max, limits.max + 1)
        if (name := _offset(field, x + dx, y + dy)) and field.grid.dist(here, name) >= limits.min
    ]
    return sorted(near, key=lambda s: (field.grid.dist(here, s), order[s]))


def _offset(field: Field, x: int, y: int) -> Square:
    grid = field.grid
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        return ""
    return grid.squares[y * grid.width + x]


def why_no_grenade(field: Field, thrower: Unit, square: Square) -> Illegal | None:
    """Why a grenade cannot be thrown there; None when it can (BG-4.9, BG-4.10)."""
    limits = field.content.tables.ranges.grenade
    if square not in field.grid:
        return Illegal("BG-4.9", f"There is no square “{square}” on this map.")
    distance = field.grid.dist(thrower.pos or "", square)
    if not limits.min <= distance <= limits.max:
        return Illegal("BG-4.9", f"A grenade flies {limits.min} or {limits.max} squares.")
    if not field.grid.trace(thrower.pos or "", square).clear:
        return Illegal("BG-4.9", f"A wall is between {thrower.id} and {square}.")
    return protected(field, thrower, grenade_blast(field, square).squares, "BG-4.10")


def throw_grenade(world: World, thrower: Unit, square: Square) -> None:
    """Throw a grenade at a legal square."""
    line = Mark("fire", (thrower.pos or "", square))
    world.note(words.throws(thrower, square), line)
    title = words.grenade_title(square)
    explode(world, title, words.grenade_detail(thrower, square), grenade_blast(world, square))


# --- RPG ---


def rpg_squares(field: Field, shooter: Unit) -> list[Square]:
    """Building squares within RPG range, near ones first, nothing else looked at."""
    here, limits = shooter.pos or "", field.content.tables.ranges.rpg
    order = field.grid.order
    inside = [
        square
        for square in field.map.building_of
        if limits.min <= field.grid.dist(here, square) <= limits.max
    ]
    return sorted(inside, key=lambda s: (field.grid.dist(here, s), order[s]))


def rpg_blast(field: Field, shooter: Square, square: Square) -> Blast | None:
    """The squares an RPG hits: inside, outside, and beside that along the wall; None: no wall hit."""
    grid = field.grid
    path = (shooter, *grid.trace(shooter, square).path)
    if len(path) < 3:
        return None
    outside = path[-2]
    (ox, oy), (ix, iy) = grid.xy(outside), grid.xy(square)
    straight = (ox == ix) != (oy == iy)
    if not straight or outside in field.map.building_of or grid.edge(outside, square) != "wall":
        return None
    along = (0, 4) if oy == iy else (2, 6)
    beside = (grid.neighbour(outside, direction) for direction in along)
    return Blast((square,), (outside, *(b for b in beside if b and grid.passable(outside, b))))


def why_no_rpg(field: Field, shooter: Unit, square: Square) -> Illegal | None:
    """Why an RPG cannot be fired there; None when it can (BG-4.11, BG-4.12)."""
    here, limits = shooter.pos or "", field.content.tables.ranges.rpg
    if square not in field.grid or square not in field.map.building_of:
        return Illegal("BG-4.11", "An RPG is aimed at a square inside a building.")
    if here in field.map.building_of:
        return Illegal("BG-4.12", f"{shooter.id} is inside a building.")
    distance = field.grid.dist(here, square)
    if not limits.min <= distance <= limits.max:
        return Illegal("BG-4.11", f"{square} is {distance} squares away; an RPG reaches 2 to 7.")
    if not in_front(field, Stand(shooter, here, shooter.face), square):
        return Illegal("BG-4.11", f"{square} is not in the front arc of {shooter.id}.")
    blast = rpg_blast(field, here, square)
    if blast is None:
        return Illegal("BG-4.11", f"The line to {square} does not end straight through a wall.")
    return _why_no_flight(field, shooter, here, square) or protected(
        field, shooter, blast.squares, "BG-4.12"
    )


def _why_no_flight(field: Field, shooter: Unit, here: Square, square: Square) -> Illegal | None:
    grid = field.grid
    path = (here, *grid.trace(here, square).path)
    for a, b in pairwise(path[:-1]):
        if not grid.passable(a, b):
            return Illegal("BG-4.11", f"Another wall is in the way at {b}.")
    for crossed in path[1:-1]:
        other = field.occupants.get(crossed)
        blocks = other is not None and (
            other.status == "captive" or (other.kind == INSURGENT) != (shooter.kind == INSURGENT)
        )
        if blocks or field.civilian_at(crossed):
            return Illegal("BG-4.11", f"Somebody in {crossed} is in the way.")
    return None


def fire_rpg(world: World, shooter: Unit, square: Square) -> None:
    """Fire an RPG at a legal square."""
    here = shooter.pos or ""
    blast = rpg_blast(world, here, square)
    if blast is None:
        raise ValueError(f"no wall is hit on the way to {square}")
    world.note(words.fires_rpg(shooter, square), Mark("fire", (here, square)))
    explode(world, words.rpg_title(square), words.rpg_detail(shooter, square), blast)


# --- doors ---


def door_beyond(field: Field, unit: Unit, side: str) -> Square | None:
    """The square beyond one side of a unit's square, or None at the edge of the board."""
    return field.grid.neighbour(unit.pos or "", FACINGS.index(side))


def why_no_door(field: Field, unit: Unit, side: str) -> Illegal | None:
    """Why no door can be blown on that side; None when it can (BG-4.6, BG-4.7)."""
    if side not in SIDES:
        return Illegal("BG-4.6", "A door is blown to the N, E, S or W.")
    if field.squad(unit.squad).blasts_left <= 0:
        return Illegal("BG-4.7", "This squad has used its demo charges.")
    beyond = door_beyond(field, unit, side)
    if beyond is None or field.grid.edge(unit.pos or "", beyond) != "wall":
        return Illegal("BG-4.6", f"There is no wall to the {side} to blow a door through.")
    return protected(field, unit, (beyond,), "BG-4.6")


def blow_door(world: World, unit: Unit, side: str) -> None:
    """Blow a demo door; whoever stands beyond takes a wound (BG-4.6, BG-4.8)."""
    beyond, here = door_beyond(world, unit, side), unit.pos or ""
    if beyond is None:
        raise ValueError(f"no square to the {side}")
    a, b = world.grid.ordered_edge(here, beyond)
    world.state.doors.append(DemoDoor(a, b, unit.squad))
    world.squad(unit.squad).blasts_left -= 1
    world.refresh()
    title = words.door_title(here, beyond)
    explode(world, title, words.door_detail(unit), Blast((), (beyond,)))


def door_ied_blast(field: Field, door: tuple[Square, Square]) -> Blast:
    """Both squares of a door and the ones beside each along the wall, one hit each (BG-5.13)."""
    grid = field.grid
    a, b = door
    along = (0, 4) if grid.xy(a)[1] == grid.xy(b)[1] else (2, 6)
    squares: list[Square] = []
    for square in door:
        squares.append(square)
        beside = (grid.neighbour(square, direction) for direction in along)
        squares.extend(s for s in beside if s and grid.passable(square, s))
    return Blast((), tuple(squares))


def vehicle_blast(field: Field, square: Square) -> Blast:
    """A vehicle's bomb hits the squares adjacent to it; insurgents are spared by the caller (D50)."""
    return Blast((), field.grid.near(square))

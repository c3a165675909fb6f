"""How the program plays the insurgents, exactly. Rules BG-A.1 to BG-A.10 (spec section 9).

Every list is sorted by the rule's criteria first (`keys`), then by its tie-break; options equal on the
criteria are the tie set that a human conductor may choose from (BG-9.9).
"""

from __future__ import annotations

from dataclasses import dataclass

from games.boots.blasts import (
    door_ied_blast,
    grenade_blast,
    grenade_squares,
    units_in,
    why_no_grenade,
)
from games.boots.field import Field
from games.boots.fire import (
    FRONT,
    REAR,
    Stand,
    has_cover,
    insurgent_gun,
    stand,
    targets,
    why_no_shot,
)
from games.boots.model import HOSTAGE, INSURGENT, Unit, canonical
from games.boots.movement import Reach, walking_costs
from games.geometry.squares import Square

Key = tuple[int, ...]


# --- who is closest ---


def closest_insurgents(field: Field, squad: str) -> list[Unit]:
    """Insurgents that events work on, closest to the target squad first (BG-A.1); never the HVT."""
    units = field.squad_units(squad)
    if not units:
        return []
    able = [u for u in field.insurgents() if u.role != "hvt"]
    return sorted(able, key=lambda u: field.distance_to(u.pos or "", units))


# --- targets ---


def target_keys(field: Field, at: Stand, target: Unit) -> Key:
    """The rule criteria of target choice (BG-A.2, keys 1 to 3)."""
    square = target.pos or ""
    hostage = target.kind == HOSTAGE
    last = int(hostage and field.on("hostage_last"))
    if hostage:
        arc = 2
    else:
        seen = field.grid.arc(square, target.face, at.square)
        arc = 0 if seen == REAR else 2 if seen in FRONT else 1
    return (last, arc, field.grid.dist(at.square, square))


def target_ties(field: Field, at: Stand, target: Unit) -> Key:
    """The tie-break of target choice (BG-A.2, keys 4 to 6)."""
    cover = int(has_cover(field, at.square, target.pos or ""))
    return (cover, -target.hits, *canonical(target))


def ranked_targets(
    field: Field, at: Stand, squad: str, units: list[Unit] | None = None
) -> list[Unit]:
    """Legal targets of an insurgent among the target squad, best first (BG-A.2, BG-8.4).

    `units` are the squad's on the board, for callers who have them at hand.
    """
    gun = insurgent_gun(field, at.unit)
    legal = targets(field, at, gun, field.squad_units(squad) if units is None else units)
    if len(legal) < 2:
        return legal
    return sorted(legal, key=lambda t: (target_keys(field, at, t), target_ties(field, at, t)))


# --- placement ---


@dataclass(frozen=True, slots=True)
class Placement:
    """A square for a new insurgent, its facing, and how it ranks."""

    square: Square
    face: int
    keys: Key
    ties: Key


def placements(field: Field, squad: str, *, closest: bool = False) -> list[Placement]:
    """Where a new insurgent can appear, best first (BG-A.3, BG-5.2, BG-2.9).

    `closest`: only the squares at the smallest distance, among which alone there is a choice.
    """
    units = field.squad_units(squad)
    if field.state.pool <= 0 or not units:
        return []
    away = {
        square: field.distance_to(square, units)
        for building, squares in field.map.openings.items()
        if not field.state.buildings[building].cleared
        for square in squares
        if field.is_free(square)
    }
    most = min(away.values(), default=0) if closest else max(away.values(), default=0)
    found = [
        _placement(field, squad, square, distance, units)
        for square, distance in away.items()
        if distance <= most
    ]
    return sorted(found, key=lambda p: (p.keys, p.ties))


def _placement(
    field: Field, squad: str, square: Square, distance: int, units: list[Unit]
) -> Placement:
    nearest = field.closest(square, units)
    face = field.direction(square, (nearest and nearest.pos) or square)
    at = Stand(Unit("IN0", INSURGENT), square, face)
    shots = ranked_targets(field, at, squad, units)
    best = target_keys(field, at, shots[0])[:2] if shots else (9, 9)
    ties = (int(not shots), *best, field.grid.order[square])
    return Placement(square, face, (distance,), ties)


# --- movement ---


@dataclass(frozen=True, slots=True)
class Walk:
    """What a selected insurgent may do: where to, facing, cost; `stay` keeps everything."""

    square: Square
    face: int
    cost: int
    stay: bool
    keys: Key
    ties: Key


def walks(field: Field, unit: Unit, squad: str) -> list[Walk]:
    """The options of a selected insurgent that are best on the rule criteria of BG-A.4.

    They are sorted by the tie-break: the first is what the program does, and a tied conductor
    chooses among them.
    """
    units = field.squad_units(squad)
    ends = Reach(field, unit, field.content.units[INSURGENT].mp[0]).costs
    if field.on("pivot_in_place") and unit.pos is not None:
        ends[unit.pos] = 0
    found = _walks_with_shot(field, unit, squad, units, ends) or _walks_closer(
        field, unit, units, ends
    )
    best = min(walk.keys for walk in found)
    return sorted((walk for walk in found if walk.keys == best), key=lambda w: w.ties)


def _walks_with_shot(
    field: Field, unit: Unit, squad: str, units: list[Unit], ends: dict[Square, int]
) -> list[Walk]:
    """Staying or moving to fire; what is worse on the criteria than what came before is left out."""
    here = stand(unit)
    order = field.grid.order
    found = [
        _shot_walk(field, here, target, 0, stay=True)
        for target in ranked_targets(field, here, squad)
    ]
    best = min((walk.keys for walk in found), default=None)
    gun = insurgent_gun(field, unit)
    reach, dist, trace = gun.reach, field.grid.dist, field.grid.trace
    aims = [(target, target.pos or "") for target in units]
    for square in sorted(ends, key=lambda s: order[s]):
        for target, aim in aims:
            # Only short cuts: why_no_shot would say the same.
            if (reach and dist(square, aim) > reach) or not trace(square, aim).clear:
                continue
            at = Stand(unit, square, field.direction(square, aim))
            keys = target_keys(field, at, target)
            if best is not None and keys > best:
                continue
            if why_no_shot(field, at, target, gun) is None:
                best = keys
                found.append(_shot_walk(field, at, target, ends[square], stay=False))
    return found


def _shot_walk(field: Field, at: Stand, target: Unit, cost: int, *, stay: bool) -> Walk:
    cover, *rest = target_ties(field, at, target)
    ties = (cover, cost, field.grid.order[at.square], *rest)
    return Walk(at.square, at.face, cost, stay, target_keys(field, at, target), ties)


def _walks_closer(
    field: Field, unit: Unit, units: list[Unit], ends: dict[Square, int]
) -> list[Walk]:
    here, order, far = unit.pos or "", field.grid.order, 1_000_000
    costs = [walking_costs(field, u.pos or "") for u in units]

    def walk(square: Square, cost: int, *, stay: bool) -> Walk:
        nearest = field.closest(square, units)
        face = unit.face if stay else field.direction(square, (nearest and nearest.pos) or square)
        way = min((c.get(square, far) for c in costs), default=far)
        return Walk(square, face, cost, stay, (way,), (cost, order[square]))

    moves = [walk(s, cost, stay=False) for s, cost in ends.items() if s != here]
    stay = walk(here, 0, stay=True)
    if ends.get(here) == 0:  # turning is free: it looks towards the squad (BG-O.2, D55)
        turned = walk(here, 0, stay=False)
        stay = turned if turned.face != unit.face else stay
    return [stay, *moves]


# --- roles ---


def role_candidates(field: Field, role: str, squad: str) -> list[Unit]:
    """Who gets a role, the program's choice first (BG-5.7, BG-5.9, BG-A.6)."""
    plain = [u for u in closest_insurgents(field, squad) if not u.role]
    if role != "sniper":
        return plain
    silent = [u for u in plain if not ranked_targets(field, stand(u), squad)]
    distant = [u for u in silent if _has_long_shot(field, u, squad)]
    return distant or silent or plain


def _has_long_shot(field: Field, unit: Unit, squad: str) -> bool:
    marksman = Unit(unit.id, unit.kind, pos=unit.pos, face=unit.face, role="sniper")
    return bool(ranked_targets(field, stand(marksman), squad))


# --- grenades and doors ---


def grenade_score(field: Field, square: Square, squad: str) -> int:
    """What a grenade square is worth to the insurgents (BG-A.5)."""
    score = field.content.tables.grenade_score
    blast, total = grenade_blast(field, square), 0
    for unit in units_in(field, blast.squares):
        if unit.kind == INSURGENT:
            total += score.insurgent
        elif unit.squad == squad:
            total += score.target if unit.pos in blast.killing else score.beside
    return total


def hurts_squad(field: Field, squares: tuple[Square, ...], squad: str) -> bool:
    """Whether a blast over those squares hurts a unit of the squad."""
    return any(u.squad == squad for u in units_in(field, squares))


def grenade_options(field: Field, unit: Unit, squad: str) -> list[tuple[int, Square]]:
    """Squares worth a grenade with their score, best first (BG-A.5)."""
    order = field.grid.order
    found: list[tuple[int, Square]] = []
    for square in grenade_squares(field, unit):
        squares = grenade_blast(field, square).squares
        if hurts_squad(field, squares, squad) and why_no_grenade(field, unit, square) is None:
            score = grenade_score(field, square, squad)
            if score > 0:
                found.append((score, square))
    return sorted(found, key=lambda option: (-option[0], order[option[1]]))


def grenade_throwers(field: Field, squad: str) -> list[tuple[Unit, list[tuple[int, Square]]]]:
    """Insurgents able to throw at the squad, closest first, with their squares (BG-5.11)."""
    able = [(u, grenade_options(field, u, squad)) for u in closest_insurgents(field, squad)]
    return [(unit, options) for unit, options in able if options]


@dataclass(frozen=True, slots=True)
class RiggedDoor:
    """A printed door that may explode, and how it ranks (BG-A.7)."""

    door: tuple[Square, Square]
    keys: Key
    ties: Key


def rigged_doors(field: Field, squad: str) -> list[RiggedDoor]:
    """Printed doors not yet exploded, the program's choice first (BG-5.13, BG-A.7)."""
    units, grid = field.squad_units(squad), field.grid
    found: list[RiggedDoor] = []
    for a, b in field.map.printed_doors:
        if (a, b) in field.state.exploded or not units:
            continue
        near = min(field.distance_to(a, units), field.distance_to(b, units))
        hurt = units_in(field, door_ied_blast(field, (a, b)).squares)
        victims = sum(1 for u in hurt if u.squad == squad)
        upright = int(grid.xy(a)[1] != grid.xy(b)[1])
        found.append(RiggedDoor((a, b), (near,), (-victims, grid.order[a], upright)))
    return sorted(found, key=lambda d: (d.keys, d.ties))


# --- the order of fire ---


@dataclass(frozen=True, slots=True)
class Attack:
    """What one insurgent does in the FIRE step: shoot (one or more targets), throw or fire an RPG."""

    unit: Unit
    targets: tuple[Unit, ...]
    grenade: Square = ""
    rpg: Square = ""


def next_attack(field: Field, squad: str, done: list[str]) -> Attack | None:
    """The insurgent that fires next and how, or None when nobody can (BG-A.8, BG-8.3)."""
    best: tuple[Key, Attack] | None = None
    for unit in field.insurgents():
        if unit.id in done:
            continue
        attack = attack_of(field, unit, squad)
        if attack is None:
            continue
        shots = ranked_targets(field, stand(unit), squad)
        aim = (shots[0].pos if shots else attack.grenade) or ""
        key = (field.grid.dist(unit.pos or "", aim), int(unit.id[2:]))
        if best is None or key < best[0]:
            best = (key, attack)
    return best[1] if best else None


def attack_of(field: Field, unit: Unit, squad: str) -> Attack | None:
    """How the program lets one insurgent attack now; None when it cannot (BG-A.8)."""
    if unit.role == "demo":
        options = grenade_options(field, unit, squad)
        if options:
            return Attack(unit, (), options[0][1])
    shots = ranked_targets(field, stand(unit), squad)
    if not shots:
        return None
    most = field.content.tables.limits.spread_max if unit.role == "hwe" else 1
    return Attack(unit, tuple(shots[:most]))

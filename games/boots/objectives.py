"""CHECK: has the mission been won or lost? Rules BG-E.1 to BG-E.6, BG-9.11 to BG-9.13."""

from __future__ import annotations

from games.boots import words
from games.boots.field import Field
from games.boots.missions import (
    AllInZone,
    BuildingsClear,
    HostagesInZone,
    HvtAndZone,
    NoObjective,
    WmdDelivered,
)
from games.boots.model import HOSTAGE, INSURGENT, SPECIALISTS, SQUAD_NAME, Unit
from games.boots.world import World
from games.geometry.squares import Square
from games.kernel import wording


def deliver_wmd(world: World) -> None:
    """A WMD carried into an active zone is delivered for good (BG-9.12)."""
    carrier = world.state.units.get(world.state.wmd.where)
    if carrier is not None and world.in_active_zone(carrier.pos):
        world.state.wmd.where = "delivered"
        world.state.wmd.delivered_by = carrier.squad
        carrier.items.remove("wmd")
        world.note(words.wmd_delivered(carrier))


def objective_met(field: Field, squad: str) -> bool:
    """Whether the objective holds (BG-E.1), for the one squad in a race, else for all together."""
    objective = field.mission.objective.of(field.state.line)
    squads = (squad,) if field.state.line == "comp" else field.state.playing
    if _wmd_forbids(field, squads):
        return False
    match objective:
        case NoObjective():
            return False
        case AllInZone(zones=zones, min_up=least):
            soldiers = [u for k in squads for u in field.soldiers(k)]
            inside = all(_in_zones(field, u.pos, zones) for u in soldiers)
            return inside and field.originals_up(squads) >= least
        case HostagesInZone(zones=zones, count=count):
            freed = field.placed(lambda u: u.kind == HOSTAGE and u.squad in squads)
            return sum(1 for u in freed if _in_zones(field, u.pos, zones)) >= count
        case WmdDelivered():
            wmd = field.state.wmd
            return wmd.where == "delivered" and wmd.delivered_by in squads
        case BuildingsClear(buildings=buildings, count=count):
            return sum(1 for b in buildings if _clear(field, b, squad)) >= count
        case HvtAndZone(zones=zones, count=count):
            if not field.state.hvt or not _hvt_counts(field, squad):
                return False
            originals = field.placed(lambda u: u.is_original and u.squad in squads)
            return sum(1 for u in originals if _in_zones(field, u.pos, zones)) >= count


def _wmd_forbids(field: Field, squads: tuple[str, ...]) -> bool:
    """BG-9.13: a WMD that was found must be delivered first."""
    wmd = field.state.wmd
    return wmd.where != "delivered" and wmd.found_by in squads


def _in_zones(field: Field, square: Square | None, zones: tuple[str, ...]) -> bool:
    return any(square in field.zone_squares(zone) for zone in zones)


def _clear(field: Field, building: str, squad: str) -> bool:
    book = field.state.buildings[building]
    credited = bool(book.cleared_by) and (field.state.line != "comp" or book.cleared_by == squad)
    inside = field.map.buildings[building]
    return credited and not field.placed(lambda u: u.kind == INSURGENT and u.pos in inside)


def _hvt_counts(field: Field, squad: str) -> bool:
    if field.state.line != "comp":
        return True
    by = field.state.hvt_by
    return by == squad or field.squad(by).out


def failed(field: Field, squads: tuple[str, ...]) -> bool:
    """Whether the failure line holds for those squads (BG-E.2)."""
    failure = field.mission.failure.of(field.state.line)
    least = failure.up_at_most
    if least is not None and _takes_part(field) and field.originals_up(squads) <= least:
        return True
    return hostages_lost(field)


def hostages_lost(field: Field) -> bool:
    """Whether the failure line about hostages holds, which concerns every squad alike."""
    failure = field.mission.failure.of(field.state.line)
    hostages = [u for u in field.state.units.values() if u.kind == HOSTAGE]
    dead = sum(1 for u in hostages if u.status == "dead")
    match failure.hostages:
        case "none_alive":
            return bool(hostages) and dead == len(hostages)
        case "any_dead":
            return dead > 0
        case None:
            return False


def _takes_part(field: Field) -> bool:
    """A bare map set up for trying things out has no originals to lose."""
    return any(u.is_original for u in field.state.units.values())


# --- victory levels ---


def level(field: Field, squads: tuple[str, ...]) -> str:
    """The level of an allied win (BG-E.6): cards used, originals lost, the wanted man killed."""
    tables, state = field.content.tables, field.state
    given = state.cards_total or tables.grading.par_factor * (field.mission.par or 1)
    levels = tables.levels
    place = next(i for i, each in enumerate(levels) if each.reached(state.cards_used, given))
    top, bottom = tables.grading.kia_share
    units = state.units.values()
    lost = sum(u.is_original and u.squad in squads and u.status == "kia" for u in units)
    if lost * bottom >= len(squads) * len(SPECIALISTS) * top:
        place += 1
    if state.hvt == "killed":
        place += tables.grading.hvt_killed_drop
    return levels[min(place, len(levels) - 1)].title


def success(field: Field, squads: tuple[str, ...]) -> str:
    """The sentence of a win."""
    used = field.state.cards_used
    by = wording.listed([SQUAD_NAME[k] for k in squads])
    cards = f"{used} Intel card{'s' if used != 1 else ''}"
    return f"{field.mission.title}: {by} met the objective with {cards}."


def down(unit: Unit) -> bool:
    """Whether a unit is out of the game."""
    return unit.status in ("kia", "dead")

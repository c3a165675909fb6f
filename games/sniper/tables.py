"""The numbers of the game: dice, modifiers, zones, wind, counters, track, limits and campaign."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

import msgspec

from games.kernel.datafiles import DataFile

Range = Literal["long", "medium", "short"]
LocationId = Literal["jungle", "ruined_city", "desert", "countryside"]

LOCATION_IDS: Final[tuple[LocationId, ...]] = ("jungle", "ruined_city", "desert", "countryside")
ZONES: Final = 6
"""Zones of a map; the printed maps and the mat have no other number."""
MOST_HOSTILES: Final = 4
"""Largest enemy group and largest patrol."""

Positive = Annotated[int, msgspec.Meta(ge=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
Text = Annotated[str, msgspec.Meta(min_length=1)]
Strength = Annotated[int, msgspec.Meta(ge=1, le=MOST_HOSTILES)]
DieNumber = Annotated[int, msgspec.Meta(ge=2, le=6)]
"""A number needed on one d6: never sure, never impossible."""


class ByRange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number for each range box."""

    long: int = 0
    medium: int = 0
    short: int = 0

    def at(self, place: Range) -> int:
        """Return the number at a range."""
        return {"long": self.long, "medium": self.medium, "short": self.short}[place]


class Exposed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Number on the d6 of a hostile group that fires at a moving team (SK-5.4)."""

    long: DieNumber
    medium: DieNumber
    short: DieNumber

    def at(self, place: Range) -> int:
        """Return the number at a range."""
        return {"long": self.long, "medium": self.medium, "short": self.short}[place]


class WindRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one number of the wind die means (SK-8.12)."""

    name: Text
    drm: int


class KiaLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Wound counters that kill: so many in all, or so many critical ones (SK-10.4)."""

    total: Positive
    critical: Positive


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file of numbers."""

    provenance: str

    # --- set-up and zones ---

    location_roll: dict[LocationId, tuple[int, ...]]
    """Sums of 2d6 by location (SK-1.3); see `location_of`."""
    zone_morale: dict[str, Count]
    """Morale needed to enter, by zone number "2" to "6" (SK-5.2)."""
    vip_zone: int
    """Where the target is (SK-13.1)."""
    last_zone: int
    """Where the team is picked up; entered only after an attempt (SK-5.2, SK-14.1)."""
    patrol_counters: tuple[Strength, ...]
    """Strengths (SK-1.10, SK-6.2)."""
    dice_counters: tuple[Positive, ...]
    """Zone numbers (SK-1.10, SK-6.1)."""

    # --- cards drawn and held ---

    action_cards: Positive
    """Action cards a turn (SK-4.1)."""
    tactical_cards: Count
    """Tactical cards a turn (SK-4.1)."""
    tactical_limit: Positive
    """Tactical cards that may be held (SK-4.3)."""
    adrenaline_cards: Positive
    """Action cards for an Adrenaline card (SK-19.10)."""
    cache_cards: Positive
    """Action cards for the event CACHE (SK-20.4)."""
    extraction_cards: Positive
    """Movement and Crawl cards that pay the extraction (SK-14.1)."""

    # --- fire ---

    fire_actions: Positive
    """Fire actions of a fire (SK-8.2)."""
    vip_actions: Positive
    """Fire actions of a fire at the VIP, whatever the rifle (SK-8.2)."""
    vip_fires: Positive
    """Fires that may be opened on the VIP in a mission (SK-13.3)."""
    blanks_for_fire: Positive
    """Blank cards that count as one Fire card (SK-3.5)."""
    spot_tries: Positive
    """Tries to spot of a fire with a living spotter (SK-8.6)."""
    spot_tries_alone: Positive
    """Tries to spot without him (SK-8.6)."""
    spot_hit: DieNumber
    """Number on the d6 to spot (SK-8.5)."""
    hit: Annotated[int, msgspec.Meta(ge=3, le=12)]
    """Modified sum of 2d6 that kills (SK-8.15)."""
    moving_to: Annotated[int, msgspec.Meta(ge=1, le=5)]
    """The target moves on a d6 from 1 to this (SK-8.10)."""
    jam_to: Annotated[int, msgspec.Meta(ge=1, le=9)]
    """The gun jams on a d10 from 1 to this (SK-8.16)."""
    wind: tuple[WindRow, ...]
    """By the number of the d10, 1 first (SK-8.12); see `wind_row`."""
    focus_wind_dice: Positive
    """Wind dice with focus WIND, the best one counts (SK-22.5)."""
    range_drm: ByRange
    """SK-8.11."""
    moving: int
    """Modifier for a moving target (SK-8.10, SK-13.4)."""
    spotter_dead: int
    """SK-8.13."""
    steady_breath: int
    """SK-19.1."""
    overwatch: int
    """SK-19.6."""

    # --- the enemy ---

    enters_range: Range
    """Range of an enemy that the deck brings (SK-7.2, SK-7.5)."""
    first_contact_group: Strength
    """What the first-contact marker becomes with a Reserve card (SK-7.3)."""
    contact_group: Strength
    """Group of the event CONTACT (SK-20.5)."""
    contact_range: Range
    """Its range (SK-20.5)."""
    guards_range: Range
    """Range of a VIP's guards (SK-13.1)."""
    advance_boxes: Positive
    """Range boxes an enemy comes closer at a time (SK-7.7, SK-8.19, SK-19.11)."""
    enemy_sniper_dice: Positive
    """Dice of an enemy sniper (SK-7.5)."""
    enemy_sniper_hit: DieNumber
    """Number on each, cover is added (SK-7.5)."""
    sniper_patience: Positive
    """Shots at an enemy sniper until he fires and comes closer (SK-7.7)."""
    exposed: Exposed
    """SK-5.4."""
    escape_dice: Positive
    """Dice of an escape (SK-6.5)."""
    escape_hit: DieNumber
    """Number on any of them (SK-6.5)."""
    trap_to: Annotated[int, msgspec.Meta(ge=1, le=5)]
    """A trap wounds on a d6 from 1 to this (SK-20.3)."""

    # --- Close Combat and wounds ---

    cc_dice: Positive
    """Dice of the team (SK-9.2)."""
    cc_hit: DieNumber
    """Number on each (SK-9.2)."""
    cc_enemy_hit: DieNumber
    """Number on the die of each hostile, cover is added (SK-9.3)."""
    claymore_kills: Positive
    """Hostiles a Claymore kills at most (SK-9.1)."""
    cover_max: Count
    """Cover of card and gear together counts at most so much (SK-9.5)."""
    spotter_killed: Annotated[int, msgspec.Meta(ge=3, le=12)]
    """Sum of 2d6 after a wound that kills the spotter (SK-10.2)."""
    kia: KiaLimits
    """SK-10.4; options have their own."""
    heal_cards: Positive
    """Cards discarded to heal without a kit (SK-10.6)."""
    heal_wounds: Positive
    """Light wounds that one healing removes (SK-10.6, SK-20.4)."""

    # --- airstrike, track, Morale ---

    air_dice: Positive
    """Dice of an airstrike (SK-11.2)."""
    air_hit: DieNumber
    """Number on any of them (SK-11.2)."""
    air_hit_helped: DieNumber
    """The same with RELAY or focus COMMS (SK-11.2)."""
    air_morale: Count
    """SK-11.3."""
    kill_morale: Count
    """SK-15.1."""
    kills_per_point: Positive
    """Kill counters that become one Kill Point (SK-15.2)."""
    reserve_start: Positive
    """Box the track starts on (SK-1.7)."""
    reserve_low: Positive
    """Lowest box (SK-12.4)."""
    pow_box: Positive
    """Box on which the team is taken prisoner (SK-12.3)."""
    reserve_up: Positive
    """Boxes up for a Reserve card (SK-12.2)."""
    alarm_up: Positive
    """Boxes up for the event ALARM (SK-20.4)."""
    intel_down: Positive
    """Boxes down for the event INTEL (SK-20.4)."""
    informant_down: Positive
    """Boxes down for a Local Informant (SK-19.11)."""

    # --- campaign and rotation ---

    campaign_missions: Positive
    """SK-17.1."""
    campaign_failures: Positive
    """Failed missions that end a campaign (SK-17.4)."""
    minor_vp: Positive
    """Victory Points of a minor victory (SK-17.7)."""
    major_vp: Positive
    """Victory Points of a major victory (SK-17.7)."""
    rotation_least: Annotated[int, msgspec.Meta(ge=2)]
    """Players that the seats can go round (SK-22.9)."""
    rotation_most: Positive
    """SK-22.9."""

    def location_of(self, total: int) -> LocationId:
        """Return the location for a sum of 2d6 (SK-1.3). Raises KeyError for another number."""
        for location, totals in self.location_roll.items():
            if total in totals:
                return location
        raise KeyError(total)

    def wind_row(self, roll: int) -> WindRow:
        """Return the wind for a number of the d10. Raises KeyError for another number."""
        if not 1 <= roll <= len(self.wind):
            raise KeyError(roll)
        return self.wind[roll - 1]


def build_tables(file: DataFile) -> Tables:
    """Read and check the numbers.

    Raises BrokenData for sums without a location or with two, zones other than those of the maps,
    a wind table that does not fit its die, containers without counters, and limits out of order.
    """
    tables = file.convert(Tables)
    _check_location_roll(file, tables.location_roll)
    _check_zones(file, tables)
    if len(tables.wind) != _WIND_SIDES:
        raise file.broken("wind", f"{len(tables.wind)} entries, the d10 needs {_WIND_SIDES}")
    for name, counters in (
        ("patrol_counters", tables.patrol_counters),
        ("dice_counters", tables.dice_counters),
    ):
        if not counters:
            raise file.broken(name, "there is no counter to draw")
    _check_limits(file, tables)
    return tables


# --- inside -----------------------------------------------------------------------------------

_SUMS: Final = range(2, 13)
_SIDES: Final = 6
_WIND_SIDES: Final = 10
_VIP_ZONE: Final = 5


def _check_location_roll(file: DataFile, roll: Mapping[LocationId, tuple[int, ...]]) -> None:
    owner: dict[int, str] = {}
    for location, totals in roll.items():
        for place, total in enumerate(totals):
            key = f"location_roll.{location}[{place}]"
            if total not in _SUMS:
                raise file.broken(key, f"two dice cannot give {total}")
            if total in owner:
                raise file.broken(key, f"{total} leads to {owner[total]} already")
            owner[total] = location
    for total in _SUMS:
        if total not in owner:
            raise file.broken("location_roll", f"the sum {total} leads to no location")


def _check_zones(file: DataFile, tables: Tables) -> None:
    wanted = [str(zone) for zone in range(2, ZONES + 1)]
    for name in wanted:
        if name not in tables.zone_morale:
            raise file.broken(f"zone_morale.{name}", "is missing")
    for name in tables.zone_morale:
        if name not in wanted:
            raise file.broken(f"zone_morale.{name}", f"the zones to enter are 2 to {ZONES}")
    for name, zone, fixed in (
        ("vip_zone", tables.vip_zone, _VIP_ZONE),
        ("last_zone", tables.last_zone, ZONES),
    ):
        if zone != fixed:
            raise file.broken(name, f"{zone}, but the maps are drawn for zone {fixed}")


def _check_limits(file: DataFile, tables: Tables) -> None:
    if not tables.reserve_low <= tables.reserve_start < tables.pow_box:
        last = tables.pow_box - 1
        problem = f"{tables.reserve_start} is not between {tables.reserve_low} and {last}"
        raise file.broken("reserve_start", problem)
    if tables.kia.critical > tables.kia.total:
        raise file.broken("kia.critical", f"more than the {tables.kia.total} wounds in all")
    most = _SIDES - max(tables.cc_enemy_hit, tables.enemy_sniper_hit)
    if tables.cover_max > most:
        raise file.broken("cover_max", f"with more than {most} no enemy could hit any more")
    if tables.spot_tries_alone > tables.spot_tries:
        raise file.broken("spot_tries_alone", "more than with a spotter")
    if tables.air_hit_helped > tables.air_hit:
        raise file.broken("air_hit_helped", f"harder than the plain {tables.air_hit}")
    if tables.campaign_failures > tables.campaign_missions:
        problem = f"more than the {tables.campaign_missions} missions"
        raise file.broken("campaign_failures", problem)
    if tables.rotation_least > tables.rotation_most:
        raise file.broken("rotation_least", f"more than the most, {tables.rotation_most}")
    if tables.minor_vp >= tables.major_vp:
        raise file.broken("minor_vp", f"not less than the {tables.major_vp} of a major victory")

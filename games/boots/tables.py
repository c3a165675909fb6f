"""The numbers of the game: units, roles, fire chart, modifiers, ranges, counters and limits."""

from typing import Annotated, Final, Literal

import msgspec

from games.geometry.squares import STEP_COST, WINDOW_STEP_COST
from games.kernel.datafiles import DataFile
from games.kernel.wording import minus

Verdict = Literal["killed", "wounded", "nothing", "attacker_wounded"]
BoxKind = Literal["health", "grenade", "booby", "bombkit", "wmd"]
CivilianKind = Literal["friendly", "insurgent"]
VehicleKind = Literal["safe", "ied_a", "ied_b"]
RoleKind = Literal["hwe", "demo", "sniper", "hvt"]
LevelId = Literal["outstanding", "solid", "narrow"]
Ability = Literal[
    "shield",
    "treat",
    "escort",
    "self_aid",
    "door",
    "grenade",
    "rpg",
    "recon",
    "spread",
    "unlimited_range",
]

KINDS: Final = ("L", "M", "DE", "S", "HWE", "SN", "GI", "HOS", "INS")
ROLES: Final[tuple[RoleKind, ...]] = ("hwe", "demo", "sniper", "hvt")
_LEVELS: Final[tuple[LevelId, ...]] = ("outstanding", "solid", "narrow")
_MOST_DIFFERENCE: Final = 30

Positive = Annotated[int, msgspec.Meta(ge=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class UnitKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the unit table (BG-3.5, BG-4.18..4.20).

    `fire` None: never fires. `single` is the modifier of a shot at one target where it differs.
    `mp` by hits 0, 1, 2 (an insurgent has only the first). `range` in squares, 0 without limit.
    The team values are None for a kind that is never in a team.
    """

    title: str
    mp: tuple[Positive, ...]
    abilities: tuple[Ability, ...]
    team_abilities: tuple[Ability, ...]
    fire: int | None = None
    single: int | None = None
    range: Count | None = None
    team_fire: int | None = None
    team_mp: tuple[Positive, ...] | None = None
    team_range: Count | None = None


class RoleSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an insurgent with a role fires with and may do (BG-5.10, BG-9.14)."""

    title: str
    fire: int
    range: Count
    abilities: tuple[Ability, ...]
    single: int | None = None


class Wounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Hits and what a critical wound does to fire under BG-O.3 (BG-3.6, BG-10.12)."""

    hits_to_die: Positive
    mp_min: Positive
    critical_fire: int


class ChartRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the fire chart: a verdict for a span of differences, ends included."""

    verdict: Verdict
    low: int | None = msgspec.field(name="from", default=None)
    high: int | None = msgspec.field(name="to", default=None)

    @property
    def label(self) -> str:
        """The span in words: "2 or more", "0 to 1", "−4 or less"."""
        if self.low is None or self.high is None:
            if self.low is not None:
                return f"{minus(self.low)} or more"
            return "any" if self.high is None else f"{minus(self.high)} or less"
        if self.low == self.high:
            return minus(self.low)
        return f"{minus(self.low)} to {minus(self.high)}"

    def holds(self, difference: int) -> bool:
        """Whether a difference falls into this row."""
        above = self.low is None or difference >= self.low
        return above and (self.high is None or difference <= self.high)


class FireChart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The difference chart of both sides (BG-11.4.2, BG-11.4.3)."""

    allied: tuple[ChartRow, ...]
    insurgent: tuple[ChartRow, ...]

    def side(self, attacker: str) -> tuple[ChartRow, ...]:
        """Return the rows of one side, "allied" or "insurgent", as attacker.

        Raises KeyError for another side.
        """
        return {"allied": self.allied, "insurgent": self.insurgent}[attacker]

    def row(self, attacker: str, difference: int) -> int:
        """Return the place of the row that a difference (attacker minus defender) falls into."""
        rows = self.side(attacker)
        return next(place for place, row in enumerate(rows) if row.holds(difference))


class FireMods(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Die modifiers besides the units' own (BG-11.0.4, BG-11.2.3, BG-4.1)."""

    flank: int
    rear: int
    cover: int
    shield: int

    def of_arc(self, arc: int) -> int:
        """Return the attacker's bonus by the eighth of the target it stands in (BG-G.7)."""
        return {0: 0, 1: 0, 7: 0, 4: self.rear}.get(arc, self.flank)


class MoveCosts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Movement points of one step (BG-10.2)."""

    clear: Positive
    door: Positive
    demo_door: Positive
    window: Positive


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A smallest and a largest distance in squares, both included."""

    min: Count
    max: Count


class Ranges(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Ranges in squares (BG-11.3.1, BG-4.9, BG-4.11)."""

    fire: Positive
    grenade: Span
    rpg: Span


class CivilianMix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many civilian counters there are of each kind (BG-4.23)."""

    friendly: Count
    insurgent: Count

    @property
    def total(self) -> int:
        """All counters of the mix."""
        return self.friendly + self.insurgent

    def of(self, kind: CivilianKind) -> int:
        """Return the number of one kind."""
        return {"friendly": self.friendly, "insurgent": self.insurgent}[kind]


class VehicleMix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many vehicle counters there are of each kind (BG-4.24)."""

    safe: Count
    ied_a: Count
    ied_b: Count

    @property
    def total(self) -> int:
        """All counters of the mix."""
        return self.safe + self.ied_a + self.ied_b

    def of(self, kind: VehicleKind) -> int:
        """Return the number of one kind."""
        return {"safe": self.safe, "ied_a": self.ied_a, "ied_b": self.ied_b}[kind]


class BoxMix(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many lock boxes there are of each kind (BG-4.29)."""

    health: Count
    grenade: Count
    booby: Count
    bombkit: Count
    wmd: Count

    @property
    def total(self) -> int:
        """All counters of the mix."""
        return self.health + self.grenade + self.booby + self.bombkit + self.wmd

    def of(self, kind: BoxKind) -> int:
        """Return the number of one kind."""
        numbers: dict[BoxKind, int] = {
            "health": self.health,
            "grenade": self.grenade,
            "booby": self.booby,
            "bombkit": self.bombkit,
            "wmd": self.wmd,
        }
        return numbers[kind]


class Counters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The supply of counters."""

    insurgents: Positive
    gi_per_squad: Count
    doors_per_squad: Count
    civilians: CivilianMix
    vehicles: VehicleMix
    boxes: BoxMix


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Single numbers that chapters of the rules name; the file says which rule."""

    team_min: Positive
    spread_min: Positive
    spread_max: Positive
    clearing_soldiers: Positive
    reinforcements: Positive
    safety_stop: Positive
    cards_step: Positive
    cards_min: Positive
    cards_max: Positive


class GrenadeScore(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the program counts for each unit a grenade would hurt (BG-A.5)."""

    target: int
    beside: int
    insurgent: int


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A victory level; `share` (numerator, denominator) of the cards it allows, None: any."""

    id: LevelId
    title: str
    share: tuple[Positive, Positive] | None = None

    def reached(self, used: int, given: int) -> bool:
        """Whether so many cards used of so many given are good enough (BG-E.6)."""
        return self.share is None or used * self.share[1] <= given * self.share[0]


class Grading(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What else counts for a victory level (BG-E.6)."""

    par_factor: Positive
    kia_share: tuple[Positive, Positive]
    hvt_killed_drop: Count


class TourScores(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Points of a tour's mission by its end."""

    defeat: int
    narrow: int
    solid: int
    outstanding: int


class TourRating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rating of a whole tour and the points it begins at."""

    title: str
    low: int = msgspec.field(name="from")


class Tour(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Scoring of a tour of duty."""

    scores: TourScores
    kia_per_point: Positive
    no_kia_bonus: Count
    ratings: tuple[TourRating, ...]


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file of numbers."""

    provenance: str
    units: dict[str, UnitKind]
    roles: dict[str, RoleSpec]
    wounds: Wounds
    fire_chart: FireChart
    fire_mods: FireMods
    move_costs: MoveCosts
    ranges: Ranges
    counters: Counters
    limits: Limits
    grenade_score: GrenadeScore
    levels: tuple[Level, ...]
    grading: Grading
    tour: Tour

    def chart_row(self, attacker: str, difference: int) -> tuple[int, Verdict]:
        """Return the place of the fire chart's row and its verdict for a difference.

        `attacker` is "allied" or "insurgent" (KeyError otherwise), the difference its total minus
        the defender's (BG-11.4.1..11.4.3).
        """
        place = self.fire_chart.row(attacker, difference)
        return place, self.fire_chart.side(attacker)[place].verdict


def build_tables(file: DataFile) -> Tables:
    """Read and check the numbers.

    Raises BrokenData for kinds and roles missing or unknown, allowances without three values, a
    chart with holes or overlaps, mixes that are not twelve, and numbers out of order.
    """
    tables = file.convert(Tables)
    _check_units(file, tables)
    _check_chart(file, "fire_chart.allied", tables.fire_chart.allied)
    _check_chart(file, "fire_chart.insurgent", tables.fire_chart.insurgent)
    _check_numbers(file, tables)
    _check_counters(file, tables.counters)
    _check_levels(file, tables)
    return tables


# --- inside -----------------------------------------------------------------------------------

_MIX: Final = 12


def _check_units(file: DataFile, tables: Tables) -> None:
    for kind in KINDS:
        if kind not in tables.units:
            raise file.broken(f"units.{kind}", "is missing")
    for kind, unit in tables.units.items():
        if kind not in KINDS:
            raise file.broken(f"units.{kind}", f"no such kind, there are {', '.join(KINDS)}")
        hits = 1 if kind == "INS" else tables.wounds.hits_to_die
        allowances = [("mp", unit.mp)]
        if kind != "INS":
            allowances.append(("team_mp", unit.team_mp or ()))
        for name, values in allowances:
            if len(values) != hits:
                problem = f"{len(values)} allowances, one for each of {hits} states is needed"
                raise file.broken(f"units.{kind}.{name}", problem)
            if list(values) != sorted(values, reverse=True):
                raise file.broken(f"units.{kind}.{name}", "wounds cannot make a unit faster")
        if (unit.fire is None) != (unit.range is None):
            raise file.broken(f"units.{kind}.range", "fire and range go together")
        if (unit.team_fire is None) != (unit.team_range is None):
            raise file.broken(f"units.{kind}.team_range", "team_fire and team_range go together")
    for role in ROLES:
        if role not in tables.roles:
            raise file.broken(f"roles.{role}", "is missing")
    for role in tables.roles:
        if role not in ROLES:
            raise file.broken(f"roles.{role}", f"no such role, there are {', '.join(ROLES)}")


def _check_chart(file: DataFile, key: str, rows: tuple[ChartRow, ...]) -> None:
    for difference in range(-_MOST_DIFFERENCE, _MOST_DIFFERENCE + 1):
        found = [row.verdict for row in rows if row.holds(difference)]
        if len(found) != 1:
            which = " and ".join(found) if found else "no row"
            raise file.broken(key, f"the difference {difference} falls into {which}")
    if not any(row.low is None for row in rows) or not any(row.high is None for row in rows):
        raise file.broken(key, "the lowest row needs no from and the highest no to")


def _check_numbers(file: DataFile, tables: Tables) -> None:
    costs = tables.move_costs
    for name, cost, fixed in (
        ("clear", costs.clear, STEP_COST),
        ("door", costs.door, STEP_COST),
        ("demo_door", costs.demo_door, STEP_COST),
        ("window", costs.window, WINDOW_STEP_COST),
    ):
        if cost != fixed:
            problem = f"{cost}, but the board counts {fixed}; this cost cannot be changed here"
            raise file.broken(f"move_costs.{name}", problem)
    for name, span in (("grenade", tables.ranges.grenade), ("rpg", tables.ranges.rpg)):
        if span.min > span.max:
            raise file.broken(f"ranges.{name}", f"min {span.min} is more than max {span.max}")
    limits = tables.limits
    if limits.spread_min > limits.spread_max:
        raise file.broken("limits.spread_min", "it is more than spread_max")
    if limits.cards_min > limits.cards_max:
        raise file.broken("limits.cards_min", "it is more than cards_max")


def _check_counters(file: DataFile, counters: Counters) -> None:
    for name, total in (
        ("civilians", counters.civilians.total),
        ("vehicles", counters.vehicles.total),
        ("boxes", counters.boxes.total),
    ):
        if total != _MIX:
            raise file.broken(f"counters.{name}", f"the mix has {total} counters, not {_MIX}")


def _check_levels(file: DataFile, tables: Tables) -> None:
    found = tuple(level.id for level in tables.levels)
    if found != _LEVELS:
        raise file.broken("levels", f"expected {', '.join(_LEVELS)}, best first")
    for place, level in enumerate(tables.levels):
        last = place == len(tables.levels) - 1
        if (level.share is None) != last:
            raise file.broken(f"levels[{place}].share", "every level but the last has a share")
        before = tables.levels[place - 1].share if place else None
        if before and level.share and before[0] * level.share[1] >= level.share[0] * before[1]:
            raise file.broken(f"levels[{place}].share", "it allows no more than the level before")
    if tables.grading.kia_share[0] > tables.grading.kia_share[1]:
        raise file.broken("grading.kia_share", "it is more than the whole")
    lows = [rating.low for rating in tables.tour.ratings]
    if not lows or lows != sorted(dict.fromkeys(lows), reverse=True) or lows[-1] > 0:
        raise file.broken("tour.ratings", "best first, each once, the last from 0 or less")

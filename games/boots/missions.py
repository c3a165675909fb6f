"""Missions: set-up, number of cards, objective and failure as data, checked against the maps."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Annotated, Final, Generic, Literal, NoReturn, TypeVar

import msgspec

from games.boots.maps import BoardMap, rectangle
from games.boots.tables import BoxKind, Counters
from games.geometry.squares import FACINGS, Square
from games.kernel.datafiles import DataFile

T = TypeVar("T")

Line = Literal["solo", "coop", "comp"]
"""Which line of a mission a mode takes (BG-9.1..9.3)."""

LINES: Final[tuple[Line, ...]] = ("solo", "coop", "comp")

SquadId = Literal["A", "B"]

SQUADS: Final[tuple[SquadId, ...]] = ("A", "B")

Specialist = Literal["L", "M", "DE", "S", "HWE", "SN"]

SPECIALISTS: Final[tuple[Specialist, ...]] = ("L", "M", "DE", "S", "HWE", "SN")
"""The six originals of a squad in canonical order (BG-3.5)."""

FaceName = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]

Count = Annotated[int, msgspec.Meta(ge=0)]

_MISSION_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_MAX_CARDS: Final = 60


class ByLine(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True):
    """One value for each line of a mission."""

    solo: T
    coop: T
    comp: T

    def of(self, line: str) -> T:
        """Return the value of one line ("solo", "coop", "comp"; KeyError otherwise)."""
        return {"solo": self.solo, "coop": self.coop, "comp": self.comp}[line]


class Stand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where an insurgent stands at set-up and which way it looks."""

    square: Square
    face: FaceName

    @property
    def facing(self) -> int:
        """The facing as a direction 0..7."""
        return FACINGS.index(self.face)


class SquadStart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a squad sets up: its zone (a rectangle) and the default places in it."""

    zone: str
    face: FaceName
    start: dict[Specialist, Square]

    @property
    def facing(self) -> int:
        """The default facing as a direction 0..7."""
        return FACINGS.index(self.face)


class SquadStarts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up of both squads; Bravo's counts only when it plays."""

    A: SquadStart
    B: SquadStart

    def of(self, squad: str) -> SquadStart:
        """Return the set-up of one squad ("A" or "B"; KeyError otherwise)."""
        return {"A": self.A, "B": self.B}[squad]


class Insurgents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Insurgents at set-up, in order of creation: always, and more when two squads play."""

    base: tuple[Stand, ...]
    plus: tuple[Stand, ...]


class HostageStart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A captive at set-up and the lines it takes part in (BG-4.21)."""

    id: str
    square: Square
    hits: Annotated[int, msgspec.Meta(ge=0, le=2)]
    lines: tuple[Line, ...]


class NoObjective(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="none"
):
    """Nothing wins this mission."""

    text: str


class AllInZone(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="all_in_zone"
):
    """Every soldier on the board stands in the zones and `min_up` originals are alive.

    Counted over the squads that share the line; for one squad in the comp line.
    """

    zones: tuple[str, ...]
    min_up: Count
    text: str


class HostagesInZone(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag="hostages_in_zone",
):
    """`count` freed hostages stand in the zones; in the comp line hostages of that squad."""

    zones: tuple[str, ...]
    count: Count
    text: str


class WmdDelivered(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="wmd_delivered"
):
    """The WMD is delivered (BG-9.12); in the comp line by a carrier of that squad."""

    text: str


class BuildingsClear(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="buildings_clear"
):
    """`count` of the buildings are cleared and hold no insurgent.

    In the comp line the clearing must be credited to that squad.
    """

    buildings: tuple[str, ...]
    count: Count
    text: str


class HvtAndZone(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="hvt_and_zone"
):
    """The wanted man is gone and `count` originals stand in the zones.

    In the comp line: removed in that squad's turn, and its own originals (any squad once the
    other is out).
    """

    zones: tuple[str, ...]
    count: Count
    text: str


Objective = NoObjective | AllInZone | HostagesInZone | WmdDelivered | BuildingsClear | HvtAndZone


class Failure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What loses a mission; either part is enough, parts left out never do.

    `up_at_most`: so many originals or fewer are alive (of the squads that share the line, of one
    squad in the comp line). `hostages`: none is alive, or any is dead; in the comp line this
    puts both squads out.
    """

    text: str
    up_at_most: Count | None = None
    hostages: Literal["none_alive", "any_dead"] | None = None


class Mission(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A mission as written. Lists of squares are in reading order.

    `cards` 0 means a deck that never ends, `par` then is what a good game takes. `versus` is the
    number for VERSUS with one squad where it is not the solo number.
    """

    number: Count
    title: str
    briefing: str
    map: str
    cards: ByLine[Annotated[int, msgspec.Meta(ge=0, le=_MAX_CARDS)]]
    active_zones: tuple[str, ...]
    civilians: tuple[Square, ...]
    vehicles: tuple[Square, ...]
    boxes: tuple[Square, ...]
    squads: SquadStarts
    insurgents: Insurgents
    objective: ByLine[Objective]
    failure: ByLine[Failure]
    versus: Annotated[int, msgspec.Meta(ge=1, le=_MAX_CARDS)] | None = None
    par: Annotated[int, msgspec.Meta(ge=1)] | None = None
    forced_boxes: tuple[BoxKind, ...] = ()
    hvt: Stand | None = None
    hostages: tuple[HostageStart, ...] = ()
    recorded: bool = True
    """Whether the mission counts for records and tours."""

    @property
    def endless(self) -> bool:
        """Whether the deck never ends (BG-8.8)."""
        return self.par is not None

    def hostages_of(self, line: str) -> tuple[HostageStart, ...]:
        """Return the captives that take part in a line."""
        return tuple(hostage for hostage in self.hostages if line in hostage.lines)


class MissionsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The missions file as written."""

    provenance: str
    missions: dict[str, Mission]


def build_missions(
    file: DataFile, maps: Mapping[str, BoardMap], counters: Counters
) -> Mapping[str, Mission]:
    """Read and check the missions, in the order of their numbers.

    Raises BrokenData for missions that do not fit their map, the counters or themselves.
    """
    data = file.convert(MissionsData)
    numbers: dict[int, str] = {}
    for name, mission in data.missions.items():
        key = f"missions.{name}"
        if _MISSION_ID.fullmatch(name) is None:
            raise file.broken(key, "a mission's id is small letters, digits and single hyphens")
        if numbers.setdefault(mission.number, name) != name:
            other = numbers[mission.number]
            raise file.broken(f"{key}.number", f"{other} has the number {mission.number} too")
        board = maps.get(mission.map)
        if board is None:
            raise file.broken(f"{key}.map", f"there is no map {mission.map!r}")
        check_mission(file, key, mission, board, counters)
    return MappingProxyType(
        {numbers[number]: data.missions[numbers[number]] for number in sorted(numbers)}
    )


def check_mission(
    file: DataFile, key: str, mission: Mission, board: BoardMap, counters: Counters
) -> None:
    """Raise `BrokenData` for a mission that does not fit its map, the counters or itself."""
    _Checker(file, key, mission, board, counters).check()


class _Checker:
    """The checks of one mission; the first mistake raises BrokenData."""

    def __init__(
        self, file: DataFile, key: str, mission: Mission, board: BoardMap, counters: Counters
    ) -> None:
        self.file, self.key, self.mission = file, key, mission
        self.board, self.counters = board, counters
        self.taken: dict[Square, str] = {}

    def check(self) -> None:
        self._cards()
        self._zones("active_zones", self.mission.active_zones, self.board.zones)
        self._counters("civilians", self.mission.civilians, "C", self.counters.civilians.total)
        self._counters("vehicles", self.mission.vehicles, "V", self.counters.vehicles.total)
        self._counters("boxes", self.mission.boxes, "L", self.counters.boxes.total)
        self._forced_boxes()
        self._hostages()
        self._insurgents()
        self._squads()
        for line in LINES:
            self._objective(line, self.mission.objective.of(line))
            self._failure(line, self.mission.failure.of(line))

    def _fail(self, key: str, problem: str) -> NoReturn:
        raise self.file.broken(f"{self.key}.{key}", problem)

    def _cards(self) -> None:
        endless = [line for line in LINES if self.mission.cards.of(line) == 0]
        if endless and len(endless) < len(LINES):
            self._fail("cards", "0 (a deck that never ends) is for all lines or for none")
        if endless and self.mission.par is None:
            self._fail("par", "a mission whose deck never ends needs a par")
        if not endless and self.mission.par is not None:
            self._fail("par", "only a mission whose deck never ends has a par")

    def _zones(self, key: str, names: tuple[str, ...], known: Mapping[str, object]) -> None:
        for place, name in enumerate(names):
            if name not in known:
                self._fail(f"{key}[{place}]", f"{name!r} is not among {', '.join(known)}")
            if name in names[:place]:
                self._fail(f"{key}[{place}]", f"{name} stands there twice")

    def _on_board(self, key: str, square: Square) -> None:
        if square not in self.board.grid:
            self._fail(key, f"there is no square {square!r} on the map {self.board.id}")

    def _take(self, key: str, square: Square, what: str) -> None:
        """Put something into a square, which must be free for it."""
        self._on_board(key, square)
        if self.board.grid.letter(square) == "X":
            self._fail(key, f"{square} is printed cover, nobody can stand there")
        if square in self.taken:
            self._fail(key, f"{square} is taken by {self.taken[square]}")
        self.taken[square] = what

    def _counters(self, name: str, squares: tuple[Square, ...], letter: str, most: int) -> None:
        order = self.board.grid.order
        for place, square in enumerate(squares):
            key = f"{name}[{place}]"
            self._on_board(key, square)
            if self.board.grid.letter(square) != letter:
                found = self.board.grid.letter(square)
                self._fail(key, f"{square} is a {found!r} square, not {letter!r}")
            if place and order[squares[place - 1]] >= order[square]:
                self._fail(key, f"{square} is not in reading order after {squares[place - 1]}")
            if letter != "L":
                self._take(key, square, f"a counter of {name}")
        if len(squares) > most:
            self._fail(name, f"{len(squares)} squares, but there are only {most} counters")

    def _forced_boxes(self) -> None:
        forced = self.mission.forced_boxes
        if len(forced) > len(self.mission.boxes):
            self._fail("forced_boxes", "more contents than boxes")
        for kind in forced:
            if forced.count(kind) > self.counters.boxes.of(kind):
                self._fail("forced_boxes", f"there are not so many {kind} boxes")

    def _hostages(self) -> None:
        for place, hostage in enumerate(self.mission.hostages):
            key = f"hostages[{place}]"
            if hostage.id != f"HO{place + 1}":
                self._fail(f"{key}.id", f"expected HO{place + 1}: hostages are numbered in order")
            if not hostage.lines or len(hostage.lines) != len(dict.fromkeys(hostage.lines)):
                self._fail(f"{key}.lines", "name each line once, and at least one")
            self._take(f"{key}.square", hostage.square, hostage.id)

    def _stands(self) -> Iterator[tuple[str, Stand]]:
        if self.mission.hvt is not None:
            yield "hvt", self.mission.hvt
        for place, stand in enumerate(self.mission.insurgents.base):
            yield f"insurgents.base[{place}]", stand
        for place, stand in enumerate(self.mission.insurgents.plus):
            yield f"insurgents.plus[{place}]", stand

    def _insurgents(self) -> None:
        stands = list(self._stands())
        for key, stand in stands:
            self._take(f"{key}.square", stand.square, "an insurgent")
        if len(stands) > self.counters.insurgents:
            problem = f"{len(stands)} insurgents, but there are only {self.counters.insurgents}"
            self._fail("insurgents", problem)

    def _squads(self) -> None:
        zones: dict[Square, str] = {}
        for squad in SQUADS:
            start, key = self.mission.squads.of(squad), f"squads.{squad}"
            try:
                zone = rectangle(start.zone, self.board.grid)
            except ValueError as error:
                raise self.file.broken(f"{self.key}.{key}.zone", str(error).rstrip(".")) from error
            for square in zone:
                if zones.setdefault(square, squad) != squad:
                    self._fail(f"{key}.zone", f"{square} is in the zone of the other squad too")
            for unit in SPECIALISTS:
                square = start.start.get(unit)
                if square is None:
                    raise self.file.broken(f"{self.key}.{key}.start.{unit}", "is missing")
                self._on_board(f"{key}.start.{unit}", square)
                if square not in zone:
                    self._fail(f"{key}.start.{unit}", f"{square} is not in the zone {start.zone}")
                self._take(f"{key}.start.{unit}", square, f"{squad}-{unit}")

    def _objective(self, line: Line, objective: Objective) -> None:
        key = f"objective.{line}"
        active = dict.fromkeys(self.mission.active_zones)
        match objective:
            case AllInZone(zones=zones, min_up=count):
                self._target_zones(f"{key}.zones", zones, active)
                self._amount(f"{key}.min_up", count, self._originals(line))
            case HostagesInZone(zones=zones, count=count):
                self._target_zones(f"{key}.zones", zones, active)
                self._amount(f"{key}.count", count, len(self.mission.hostages_of(line)))
            case BuildingsClear(buildings=buildings, count=count):
                self._zones(f"{key}.buildings", buildings, self.board.buildings)
                self._amount(f"{key}.count", count, len(buildings))
            case HvtAndZone(zones=zones, count=count):
                self._target_zones(f"{key}.zones", zones, active)
                self._amount(f"{key}.count", count, self._originals(line))
                if self.mission.hvt is None:
                    self._fail(key, "the mission has no hvt to take")
            case WmdDelivered():
                if "wmd" not in self.mission.forced_boxes:
                    self._fail(key, "no box of the mission is sure to hold the wmd")
            case NoObjective():
                pass

    def _target_zones(self, key: str, zones: tuple[str, ...], active: Mapping[str, object]) -> None:
        if not zones:
            self._fail(key, "name at least one zone")
        self._zones(key, zones, active)

    def _originals(self, line: Line) -> int:
        return len(SPECIALISTS) * (2 if line == "coop" else 1)

    def _amount(self, key: str, count: int, most: int) -> None:
        if not 1 <= count <= most:
            self._fail(key, f"{count} is not between 1 and {most}")

    def _failure(self, line: Line, failure: Failure) -> None:
        key = f"failure.{line}"
        most = self._originals(line) - 1
        if failure.up_at_most is not None and failure.up_at_most > most:
            self._fail(f"{key}.up_at_most", f"{failure.up_at_most} would be lost from the start")
        if failure.hostages is not None and not self.mission.hostages_of(line):
            self._fail(f"{key}.hostages", "there is no hostage in this line")

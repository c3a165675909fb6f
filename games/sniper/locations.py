"""The four locations: their map pictures, zone names and decks of Location cards."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final, Literal

import msgspec

from games.kernel.datafiles import DataFile
from games.sniper.tables import LOCATION_IDS, ZONES, Count, LocationId, Tables, Text

Terrain = Literal["jungle", "ruins", "open_desert", "compound", "tall_grass", "farmhouse"]
Event = Literal["AMBUSH", "TRAP", "CACHE", "INTEL", "ALARM", "AID", "CONTACT"]
Static = Literal["NO_PATROL", "RELAY"]

MAP_ROWS: Final = 8
ZONE_COLUMNS: Final = 6
MAP_COLUMNS: Final = ZONES * ZONE_COLUMNS
ANCHORS: Final = "123S"
"""Places of a zone's counters in a map: long, medium and short range, the team."""


class LocationCard(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place in a zone (SK-20.1).

    `fire` is added to the team's shots; `move` and `crawl` are what leaving the zone costs.
    """

    id: Annotated[str, msgspec.Meta(pattern="^[A-Z][0-9]{2}$")]
    name: Text
    terrain: Terrain
    cover: Annotated[int, msgspec.Meta(ge=0, le=2)]
    fire: Annotated[int, msgspec.Meta(ge=-1, le=1)]
    move: Annotated[int, msgspec.Meta(ge=1, le=3)]
    crawl: Annotated[int, msgspec.Meta(ge=1, le=3)]
    event: Event | None = None
    static: Static | None = None


@dataclass(frozen=True, slots=True)
class Location:
    """A location: the deck its six zones are dealt from, and its map."""

    id: LocationId
    title: str
    morale: int
    """Morale at the start of a mission (SK-1.8)."""
    zone_names: tuple[str, ...]
    """Names of the zones 1 to 6."""
    deck: tuple[LocationCard, ...]
    rows: tuple[str, ...]
    """The map picture, 8 rows of 36 characters; rules do not look at it."""

    @property
    def deck_ids(self) -> tuple[str, ...]:
        """The ids of the deck's cards, one of each."""
        return tuple(card.id for card in self.deck)


class LocationData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A location as written."""

    title: Text
    morale: Count
    zone_names: tuple[Text, ...]
    rows: str
    card: tuple[LocationCard, ...]


class LocationsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The locations file as written."""

    provenance: str
    locations: dict[LocationId, LocationData]


def build_locations(
    file: DataFile, tables: Tables
) -> tuple[Mapping[str, Location], Mapping[str, LocationCard]]:
    """Read and check the locations; the second mapping has the cards of all decks by id.

    Raises BrokenData for a location missing, decks with fewer cards than zones, cards given
    twice, and maps of another size, with unknown signs, or with counters' places missing or
    doubled.
    """
    data = file.convert(LocationsData)
    cards: dict[str, LocationCard] = {}
    found: dict[str, Location] = {}
    for name in LOCATION_IDS:
        if name not in data.locations:
            raise file.broken(f"locations.{name}", "is missing")
        location, key = data.locations[name], f"locations.{name}"
        if len(location.zone_names) != ZONES:
            problem = f"{len(location.zone_names)} names, a map has {ZONES} zones"
            raise file.broken(f"{key}.zone_names", problem)
        if len(location.card) < ZONES:
            problem = f"the deck has {len(location.card)} cards, {ZONES} zones need one each"
            raise file.broken(f"{key}.card", problem)
        for place, card in enumerate(location.card):
            if card.id in cards:
                raise file.broken(f"{key}.card[{place}].id", f"there are two cards {card.id}")
            cards[card.id] = card
        rows = tuple(location.rows.strip("\n").split("\n"))
        _check_map(file, f"{key}.rows", rows, tables)
        found[name] = Location(
            name, location.title, location.morale, location.zone_names, location.card, rows
        )
    return MappingProxyType(found), MappingProxyType(cards)


# --- inside -----------------------------------------------------------------------------------

_SIGNS = re.compile(r"[.,tT~r#=sdkghf123SVX]*")
_TARGET_ROW: Final = 0
_EXIT_ROW: Final = MAP_ROWS - 1


def _check_map(file: DataFile, key: str, rows: tuple[str, ...], tables: Tables) -> None:
    if len(rows) != MAP_ROWS:
        raise file.broken(key, f"{len(rows)} rows, a map has {MAP_ROWS}")
    for number, row in enumerate(rows, 1):
        if len(row) != MAP_COLUMNS:
            problem = f"row {number} has {len(row)} characters, not {MAP_COLUMNS}"
            raise file.broken(key, problem)
        for column, sign in enumerate(row, 1):
            if _SIGNS.fullmatch(sign) is None:
                raise file.broken(key, f"row {number}, column {column}: unknown sign {sign!r}")
    for zone in range(1, ZONES + 1):
        first = (zone - 1) * ZONE_COLUMNS
        parts = [row[first : first + ZONE_COLUMNS] for row in rows]
        for anchor in ANCHORS:
            _check_count(file, key, "".join(parts), anchor, 1, zone)
        for anchor, row, home in (
            ("V", _TARGET_ROW, tables.vip_zone),
            ("X", _EXIT_ROW, tables.last_zone),
        ):
            _check_count(file, key, "".join(parts), anchor, int(zone == home), zone)
            if zone == home and anchor not in parts[row]:
                raise file.broken(key, f"zone {zone}: the {anchor} is not in row {row + 1}")


def _check_count(file: DataFile, key: str, signs: str, sign: str, wanted: int, zone: int) -> None:
    if signs.count(sign) != wanted:
        problem = f"zone {zone} has the sign {sign} {signs.count(sign)} times, not {wanted}"
        raise file.broken(key, problem)

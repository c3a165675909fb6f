"""Everything a mission of Sniper Kill Confirmed is played with: cards, locations, gear, numbers.

Read once from data/sniper, or from the tables that a session keeps; checked as a whole, so that a
mistake is a sentence naming file and key before a mission begins, never a surprise in the middle.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from games.kernel.datafiles import (
    BrokenData,
    DataFile,
    canonical_json,
    content_hash,
    open_table,
    read_tables,
)
from games.kernel.rulestext import Decision, Rule, build_rules
from games.sniper.decks import ActionCard, HostileCard, TacticalCard, Vip, build_decks
from games.sniper.gear import Gear, build_gear
from games.sniper.locations import Location, LocationCard, build_locations
from games.sniper.tables import ByRange, Tables, build_tables
from games.sniper.texts import RULES_FORM, OptionSpec, build_options

__all__ = [
    "ActionCard",
    "ByRange",
    "Content",
    "Decision",
    "Gear",
    "HostileCard",
    "Location",
    "LocationCard",
    "OptionSpec",
    "Rule",
    "Tables",
    "TacticalCard",
    "Vip",
]

_WHERE = "data/sniper"
_FILES = ("cards", "gear", "lesson", "locations", "options", "rules", "tables")


class Content:
    """The checked content of the game; immutable, shared by all sessions that pin its hash."""

    __slots__ = (
        "_tables_json",
        "action",
        "action_deck",
        "decisions",
        "gear",
        "hash",
        "hostile",
        "hostile_deck",
        "lesson_file",
        "location_cards",
        "locations",
        "options",
        "rules",
        "start_rifle",
        "tables",
        "tactical",
        "tactical_deck",
        "vip_deck",
        "vips",
    )

    action: Mapping[str, ActionCard]
    """The kinds of Action cards by id."""
    action_deck: tuple[str, ...]
    """The Action deck in play: ids, each as often as there are copies."""
    tactical: Mapping[str, TacticalCard]
    """The kinds of Tactical cards by id."""
    tactical_deck: tuple[str, ...]
    """The Tactical deck, each id as often as there are copies."""
    hostile: Mapping[str, HostileCard]
    """The kinds of Hostile cards by id."""
    hostile_deck: tuple[str, ...]
    """The Hostile deck, each id as often as there are copies."""
    vips: Mapping[str, Vip]
    """The targets by id."""
    vip_deck: tuple[str, ...]
    """The Target VIP deck, one card of each."""
    locations: Mapping[str, Location]
    """The four locations by id."""
    location_cards: Mapping[str, LocationCard]
    """The Location cards of all four decks by id."""
    gear: Mapping[str, Gear]
    """Rifles and items by id."""
    start_rifle: str
    """Id of the rifle that everybody starts with."""
    tables: Tables
    """All other numbers."""
    options: Mapping[str, OptionSpec]
    """The switches by id."""
    rules: Mapping[str, Rule]
    """The rules by id, in the order of the sections."""
    decisions: Mapping[str, Decision]
    """How doubts were settled, by id."""
    lesson_file: DataFile | None
    """The lessons as they are written down; the game, which has the verbs, checks them. None in a session
    from before there were any."""
    hash: str
    """SHA-256 of the tables."""

    def __init__(self, tables: Mapping[str, Any], where: str = _WHERE) -> None:
        """Check the tables; `where` is the folder to name in complaints.

        Raises BrokenData for the first mistake.
        """
        for name in tables:
            if name not in _FILES:
                raise BrokenData(f"{where}/{name}.toml", "", "the game has no such file")
        self._tables_json = canonical_json(tables)
        self.hash = content_hash(tables)
        self.tables = build_tables(open_table(tables, "tables", where))
        decks = build_decks(open_table(tables, "cards", where), self.tables)
        self.action, self.action_deck = decks.action, decks.action_deck
        self.tactical, self.tactical_deck = decks.tactical, decks.tactical_deck
        self.hostile, self.hostile_deck = decks.hostile, decks.hostile_deck
        self.vips, self.vip_deck = decks.vips, decks.vip_deck
        locations = open_table(tables, "locations", where)
        self.locations, self.location_cards = build_locations(locations, self.tables)
        self.gear = build_gear(open_table(tables, "gear", where), decks.med_kits)
        self.start_rifle = next(gear.id for gear in self.gear.values() if gear.price is None)
        self.rules, self.decisions = build_rules(open_table(tables, "rules", where), RULES_FORM)
        self.options = build_options(open_table(tables, "options", where), self.rules, self.tables)
        self.lesson_file = open_table(tables, "lesson", where) if "lesson" in tables else None

    @classmethod
    def load(cls, folder: Path) -> "Content":
        """Read and check the data folder. Raises BrokenData for the first mistake."""
        return cls(read_tables(folder), folder.as_posix())

    @classmethod
    def from_tables(cls, tables: Mapping[str, Any], where: str = _WHERE) -> "Content":
        """Check tables that were read before, e.g. ``json.loads(content.tables_json())``.

        Raises BrokenData for the first mistake.
        """
        return cls(tables, where)

    def tables_json(self) -> str:
        """Return the tables as canonical JSON, for a session to keep."""
        return self._tables_json

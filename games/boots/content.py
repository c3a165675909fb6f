"""Everything a game of Boots on the Ground is played with: maps, missions, cards and numbers.

Read once from data/boots, or from the tables that a session keeps; checked as a whole, so that a
mistake is a sentence naming file and key before a game begins, never a surprise in the middle.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from games.boots.lessonfile import LessonMission, build_lessons
from games.boots.maps import BoardMap, build_map, rectangle
from games.boots.missions import Mission, build_missions
from games.boots.tables import Tables, UnitKind, build_tables
from games.boots.texts import (
    DECK_SIZE,
    RULES_FORM,
    Card,
    OptionSpec,
    build_cards,
    build_options,
)
from games.geometry.squares import Square
from games.kernel.datafiles import (
    BrokenData,
    canonical_json,
    content_hash,
    open_table,
    read_tables,
)
from games.kernel.rulestext import Decision, Rule, build_rules

__all__ = [
    "BoardMap",
    "Card",
    "Content",
    "Decision",
    "Mission",
    "OptionSpec",
    "Rule",
    "Tables",
    "UnitKind",
]

_WHERE = "data/boots"
_MAPS = "maps/"
_FILES = ("intel", "lesson", "missions", "options", "rules", "tables")


class Content:
    """The checked content of the game; immutable, shared by all sessions that pin its hash."""

    __slots__ = (
        "_tables_json",
        "_zones",
        "cards",
        "decisions",
        "hash",
        "lessons",
        "maps",
        "missions",
        "options",
        "rules",
        "tables",
        "units",
    )

    maps: Mapping[str, BoardMap]
    """The boards by id."""
    missions: Mapping[str, Mission]
    """The missions by id, in the order of their numbers."""
    cards: Mapping[str, Card]
    """The sixty Intel cards by id."""
    units: Mapping[str, UnitKind]
    """The unit table by kind: L, M, DE, S, HWE, SN, GI, HOS, INS."""
    tables: Tables
    """All other numbers."""
    options: Mapping[str, OptionSpec]
    """The switches of a game by id."""
    lessons: Mapping[str, LessonMission]
    """The guided missions by slug; none in a session from before there were any."""
    rules: Mapping[str, Rule]
    """The rules by id, in the order of the rulebook."""
    decisions: Mapping[str, Decision]
    """How doubts were settled, by id."""
    hash: str
    """SHA-256 of the tables."""

    def __init__(self, tables: Mapping[str, Any], where: str = _WHERE) -> None:
        """Check the tables; `where` is the folder to name in complaints.

        Raises BrokenData for the first mistake.
        """
        for name in tables:
            if name not in _FILES and not name.startswith(_MAPS):
                raise BrokenData(f"{where}/{name}.toml", "", "the game has no such file")
        self._tables_json = canonical_json(tables)
        self.hash = content_hash(tables)
        names = sorted(name for name in tables if name.startswith(_MAPS))
        boards = [build_map(open_table(tables, name, where)) for name in names]
        self.maps = MappingProxyType({board.id: board for board in boards})
        self.tables = build_tables(open_table(tables, "tables", where))
        self.units = MappingProxyType(self.tables.units)
        self.cards = build_cards(open_table(tables, "intel", where))
        if self.tables.limits.cards_max > DECK_SIZE:
            problem = f"{self.tables.limits.cards_max}, but the deck has {DECK_SIZE} cards"
            raise open_table(tables, "tables", where).broken("limits.cards_max", problem)
        self.rules, self.decisions = build_rules(open_table(tables, "rules", where), RULES_FORM)
        self.options = build_options(open_table(tables, "options", where), self.rules)
        missions = open_table(tables, "missions", where)
        self.missions = build_missions(missions, self.maps, self.tables.counters)
        self.lessons = {}
        if "lesson" in tables:
            file = open_table(tables, "lesson", where)
            self.lessons = build_lessons(file, self.missions, self.maps, self.tables.counters)
        self._zones = {
            (name, squad): rectangle(start.zone, self.maps[mission.map].grid)
            for name, mission in self.missions.items()
            for squad, start in (("A", mission.squads.A), ("B", mission.squads.B))
        }

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

    def start_zone(self, mission: str, squad: str) -> tuple[Square, ...]:
        """Return the set-up zone of squad "A" or "B" in a mission, in reading order.

        Raises KeyError for an unknown mission or squad.
        """
        return self._zones[mission, squad]

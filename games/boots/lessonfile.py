"""The lessons' file: which counters stand on the training ground, and the coach's words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from games.boots.maps import BoardMap
from games.boots.missions import Insurgents, Mission, Stand, check_mission
from games.boots.tables import Counters
from games.geometry.squares import Square
from games.kernel.datafiles import DataFile
from games.kernel.lesson import Script


class Ground(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counters that stand on the board in a lesson, instead of the mission's own."""

    mission: str
    briefing: str
    civilians: tuple[Square, ...]
    insurgents: tuple[Stand, ...]


class LessonData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lesson as it is written down."""

    ground: Ground
    script: Script


class LessonsData(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    provenance: str
    lessons: dict[str, LessonData]


class LessonMission(msgspec.Struct, frozen=True):
    """A lesson with the mission that its ground makes of the one it names."""

    script: Script
    base: str
    mission: Mission


def build_lessons(
    file: DataFile,
    missions: Mapping[str, Mission],
    maps: Mapping[str, BoardMap],
    counters: Counters,
) -> Mapping[str, LessonMission]:
    """Read the lessons and check their ground; their scripts are checked by the game, which has the verbs.

    Raises `BrokenData` for a mission that does not exist and counters that do not fit on its map.
    """
    found: dict[str, LessonMission] = {}
    for slug, data in file.convert(LessonsData).lessons.items():
        key, ground = f"lessons.{slug}", data.ground
        base = missions.get(ground.mission)
        if base is None:
            raise file.broken(f"{key}.ground.mission", f"there is no mission “{ground.mission}”")
        mission = msgspec.structs.replace(
            base,
            briefing=ground.briefing,
            civilians=ground.civilians,
            insurgents=Insurgents(ground.insurgents, ()),
        )
        check_mission(file, f"{key}.ground", mission, maps[base.map], counters)
        found[slug] = LessonMission(data.script, ground.mission, mission)
    return MappingProxyType(found)

"""Every way to end at every kind of table has a recorded game, or a reason why it cannot happen."""

from __future__ import annotations

import pytest

from games.boots.conduct import FREE_MODES
from games.boots.setup import MODE_NAMES
from tests.games.boots.board import game
from tests.games.boots.ends import TABLES, WAYS, line, seats, why_not
from tests.games.boots.recordings import BOOTS
from tests.record_fixtures import read

CELLS = [(table, way) for table in TABLES for way in WAYS]


@pytest.mark.rule("BG-E.1", "BG-E.2", "BG-E.3", "BG-E.4", "BG-E.5")
@pytest.mark.parametrize(("table", "way"), CELLS, ids=lambda name: name.replace(" ", "-"))
def test_recorded_or_impossible(table: str, way: str) -> None:
    recorded = [w.name for w in BOOTS if (w.table, w.way) == (table, way)]
    assert bool(recorded) != bool(why_not(table, way)), recorded or "not recorded"


def test_the_tables_are_all_modes_with_all_their_goals() -> None:
    content = game().content
    assert {chosen["mode"] for chosen in TABLES.values()} == set(MODE_NAMES)
    for option in ("versus_squads", "three_goal"):
        spec = content.options[option]
        for value in spec.choices():
            chosen = {"mode": spec.modes[0], option: value.value}
            setup = {k: v for k, v in chosen.items() if v != spec.default_in(spec.modes[0])}
            assert setup in TABLES.values()


def test_every_cause_is_among_the_ways() -> None:
    causes = {text.partition(":")[0] for text in WAYS.values()}
    assert causes == {"E1", "E2", "E3", "E4", "E5"}
    named = {way.rpartition(" by ")[2] for way in WAYS if " by " in way}
    assert named == {seat for table in TABLES for seat in seats(table)}


@pytest.mark.rule("BG-9.11", "BG-9.12", "BG-9.14")
@pytest.mark.parametrize("goal", ["solo", "coop", "comp"])
def test_every_objective_is_reached_in_some_recording(goal: str) -> None:
    content = game().content
    missions = {name for name, m in content.missions.items() if m.recorded}
    won = {
        wanted.chosen["mission"]
        for wanted in BOOTS
        if line(wanted.table) == goal and wanted.way.startswith(("won", "rival"))
    }
    assert won == missions


def test_every_verb_is_used_in_some_recording() -> None:
    used = {line.action["verb"] for wanted in BOOTS for line in read(wanted.path).actions}
    assert used == set(game().verbs)


def test_human_conductors_conduct_in_the_recordings() -> None:
    for wanted in BOOTS:
        if wanted.chosen["mode"] in FREE_MODES and wanted.way.startswith("won"):
            lines = read(wanted.path).actions
            verbs = {each.action["verb"] for each in lines if each.seat == "INSURGENT"}
            assert {"i_place", "i_fire"} < verbs

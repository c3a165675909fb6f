"""The shipped content is whole, and every way to break a file is refused in words."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.boots.content import Content
from games.boots.maps import numeral_value
from games.boots.missions import AllInZone, BuildingsClear, HvtAndZone
from games.kernel.datafiles import BrokenData, content_hash, convert, read_tables

FOLDER = Path(__file__).parents[3] / "data" / "boots"
TABLES = read_tables(FOLDER)
CONTENT = Content.load(FOLDER)
Tables = dict[str, Any]


# --- what is shipped --------------------------------------------------------------------------


def test_shipped_content() -> None:
    assert list(CONTENT.maps) == ["city", "compound", "range"]
    sizes = {name: (board.grid.width, board.grid.height) for name, board in CONTENT.maps.items()}
    assert sizes == {"city": (24, 22), "compound": (16, 14), "range": (12, 10)}
    assert [mission.number for mission in CONTENT.missions.values()] == list(range(7))
    assert len(CONTENT.options) == 11
    assert len(CONTENT.decisions) == 57


def test_content_from_kept_tables_is_the_same() -> None:
    kept = Content.from_tables(json.loads(CONTENT.tables_json()))
    assert kept.hash == CONTENT.hash == content_hash(TABLES)
    assert list(kept.missions) == list(CONTENT.missions)
    assert list(kept.cards) == list(CONTENT.cards)
    for name, board in CONTENT.maps.items():
        assert list(kept.maps[name].buildings.items()) == list(board.buildings.items())
        assert list(kept.maps[name].zones) == list(board.zones)


def test_hash_follows_every_value() -> None:
    other = copy.deepcopy(TABLES)
    other["tables"]["ranges"]["fire"] = 6
    assert Content.from_tables(other).hash != CONTENT.hash


@pytest.mark.rule("BG-3.1", "BG-3.2")
def test_buildings_and_openings() -> None:
    city = CONTENT.maps["city"]
    assert list(city.buildings) == "I II III IV V VI VII VIII IX X XI XII".split()
    assert city.openings["V"] == tuple("I9 K9 M9 H10 M10 H12 M12 I13 K13 L13".split())
    assert len(city.buildings["VII"]) == 25 and city.building_of["F18"] == "VII"
    assert "A1" not in city.building_of
    for board in CONTENT.maps.values():
        for name, squares in board.buildings.items():
            order = [board.grid.order[square] for square in squares]
            assert order == sorted(order)
            assert set(board.openings[name]) <= set(squares)


@pytest.mark.rule("BG-3.2")
def test_free_standing_gates_are_doors_but_no_openings() -> None:
    compound = CONTENT.maps["compound"]
    gates = {("E7", "F7"), ("I9", "I10"), ("L6", "M6")}
    assert gates <= set(compound.printed_doors)
    outdoors = {square for gate in gates for square in gate}
    assert not outdoors & {s for squares in compound.openings.values() for s in squares}


def test_printed_doors_come_in_reading_order() -> None:
    assert CONTENT.maps["range"].printed_doors == (("E4", "F4"), ("I5", "J5"))
    for board in CONTENT.maps.values():
        order = board.grid.order
        keys = [(order[a], order[b]) for a, b in board.printed_doors]
        assert keys == sorted(keys) and all(a < b for a, b in keys)


@pytest.mark.rule("BG-3.4")
def test_printed_cover() -> None:
    assert CONTENT.maps["range"].cover == ("C4",)
    assert CONTENT.maps["city"].cover == tuple("L2 F9 N9 T12 R14 A18 H18 K21".split())


@pytest.mark.rule("BG-3.5", "BG-4.17", "BG-4.18", "BG-4.19", "BG-4.20", "BG-3.8")
def test_units() -> None:
    alone = {kind: (unit.fire, unit.mp[0]) for kind, unit in CONTENT.units.items()}
    assert alone == {
        "L": (1, 5),
        "M": (0, 4),
        "DE": (0, 4),
        "S": (-2, 7),
        "HWE": (0, 3),
        "SN": (1, 4),
        "GI": (-2, 3),
        "HOS": (None, 2),
        "INS": (0, 5),
    }
    assert CONTENT.units["HWE"].single == 2
    assert CONTENT.units["SN"].range == 0 and CONTENT.units["SN"].team_range == 5
    soldiers = [unit for kind, unit in CONTENT.units.items() if kind not in ("HOS", "INS")]
    assert all(unit.team_fire == 0 and unit.team_mp == (3, 2, 1) for unit in soldiers)


@pytest.mark.rule("BG-11.4.2", "BG-11.4.3")
@pytest.mark.parametrize(
    ("side", "difference", "verdict"),
    [
        ("allied", 9, "killed"),
        ("allied", 2, "killed"),
        ("allied", 1, "wounded"),
        ("allied", 0, "wounded"),
        ("allied", -1, "nothing"),
        ("allied", -3, "nothing"),
        ("allied", -4, "attacker_wounded"),
        ("insurgent", 4, "killed"),
        ("insurgent", 3, "wounded"),
        ("insurgent", 1, "wounded"),
        ("insurgent", 0, "nothing"),
        ("insurgent", -2, "nothing"),
        ("insurgent", -3, "attacker_wounded"),
        ("insurgent", -9, "attacker_wounded"),
    ],
)
def test_fire_chart(side: str, difference: int, verdict: str) -> None:
    row, found = CONTENT.tables.chart_row(side, difference)
    assert found == verdict == CONTENT.tables.fire_chart.side(side)[row].verdict


def test_chart_rows_have_labels() -> None:
    labels = [row.label for row in CONTENT.tables.fire_chart.allied]
    assert labels == ["2 or more", "0 to 1", "−3 to −1", "−4 or less"]


@pytest.mark.rule("BG-11.0.4")
def test_arc_bonus() -> None:
    assert [CONTENT.tables.fire_mods.of_arc(arc) for arc in range(8)] == [0, 0, 1, 1, 3, 1, 1, 0]


@pytest.mark.rule("BG-E.6")
def test_levels() -> None:
    outstanding, solid, narrow = CONTENT.tables.levels
    assert outstanding.reached(10, 20) and not outstanding.reached(11, 20)
    assert solid.reached(15, 20) and not solid.reached(16, 20)
    assert narrow.reached(99, 20)


@pytest.mark.rule("BG-3.9", "BG-8.7")
def test_deck() -> None:
    events = [card.event for card in CONTENT.cards.values()]
    assert len(events) == 60
    assert events.count("place") == 18
    assert events.count("move") + events.count("move_all") == 18
    assert events.count("role") == 8
    assert [
        events.count(e) for e in ("medivac", "take_cover", "grenade", "kia_gi", "door_ied")
    ] == [*(4, 4, 3, 2, 2)]
    assert CONTENT.cards["IC60"].event == "reinforce"


@pytest.mark.rule("BG-9.4")
def test_hot_lz() -> None:
    mission = CONTENT.missions["hot-lz"]
    assert (mission.cards.solo, mission.cards.coop, mission.cards.comp) == (20, 40, 60)
    assert mission.versus == 20
    assert mission.civilians == ("K3", "E6", "L7", "G9", "N10", "G14")
    assert mission.squads.A.start["L"] == "N15" and mission.squads.A.facing == 0
    assert mission.insurgents.base[0].square == "K13" and mission.insurgents.base[0].facing == 4
    assert mission.objective.of("coop") == AllInZone(
        zones=("GZ1",), min_up=6, text=mission.objective.coop.text
    )
    assert CONTENT.start_zone("hot-lz", "A") == tuple("N13 O13 N14 O14 N15 O15 N16 O16".split())


def test_other_missions() -> None:
    assert CONTENT.missions["yellow-rain"].forced_boxes == ("wmd",)
    clear = CONTENT.missions["block-by-block"].objective.comp
    assert isinstance(clear, BuildingsClear) and clear.count == 2
    wanted = CONTENT.missions["most-wanted"]
    assert wanted.endless and wanted.par == 20 and wanted.hvt is not None
    assert isinstance(wanted.objective.coop, HvtAndZone)
    down = CONTENT.missions["angel-down"]
    assert [hostage.id for hostage in down.hostages_of("solo")] == ["HO1"]
    assert [hostage.hits for hostage in down.hostages_of("comp")] == [1, 0]
    assert not CONTENT.missions["range"].recorded


@pytest.mark.rule("BG-O.7", "BG-O.11")
def test_options() -> None:
    delta = CONTENT.options["cards_delta"]
    assert delta.allows("-5") and delta.allows("55") and not delta.allows("3")
    assert [choice.label for choice in delta.choices()[10:13]] == ["-5", "0", "+5"]
    standing = CONTENT.options["standing"]
    assert [standing.default_in(mode) for mode in ("versus", "three", "comp", "coop")] == [
        *("ask", "ask", "fire", "fire")
    ]


@pytest.mark.parametrize(
    ("numeral", "value"), [("I", 1), ("IV", 4), ("VIII", 8), ("IX", 9), ("XII", 12), ("XL", 40)]
)
def test_numerals(numeral: str, value: int) -> None:
    assert numeral_value(numeral) == value


@pytest.mark.parametrize("numeral", ["", "IIII", "VX", "1", "i", "IXI"])
def test_other_texts_are_no_numerals(numeral: str) -> None:
    with pytest.raises(ValueError, match="no roman numeral"):
        numeral_value(numeral)


def test_files_say_where_their_values_come_from() -> None:
    for path in sorted(FOLDER.rglob("*.toml")):
        text = path.read_text(encoding="utf-8")
        assert text.startswith("# "), path
        assert "\nprovenance = " in text, path


# --- broken files -----------------------------------------------------------------------------


def put(path: str, value: Any) -> Callable[[Tables], None]:
    """Sets the value at "file|key.key[0]"; None takes it away."""
    file, _, keys = path.partition("|")

    def change(tables: Tables) -> None:
        place, parts = tables[file], [p.strip("[]") for p in re.findall(r"\[\d+\]|[^.\[\]]+", keys)]
        for part in parts[:-1]:
            place = place[int(part) if isinstance(place, list) else part]
        last: Any = int(parts[-1]) if isinstance(place, list) else parts[-1]
        if value is None:
            del place[last]
        else:
            place[last] = value

    return change


def draw(file: str, square_row: int, column: int, character: str) -> Callable[[Tables], None]:
    """Changes one character of a map's rows, both counted from 1."""

    def change(tables: Tables) -> None:
        rows = [list(row) for row in tables[file]["rows"].strip("\n").split("\n")]
        rows[square_row - 1][column - 1] = character
        tables[file]["rows"] = "\n".join("".join(row) for row in rows)

    return change


def wall_in(tables: Tables) -> None:
    """Closes A10 off on the training map."""
    draw("maps/range", 19, 2, "-")(tables)
    draw("maps/range", 20, 3, "|")(tables)


def rename_mission(tables: Tables) -> None:
    missions = tables["missions"]["missions"]
    missions["Hot LZ"] = missions.pop("hot-lz")


def drop(file: str) -> Callable[[Tables], None]:
    def change(tables: Tables) -> None:
        del tables[file]

    return change


HOT = "missions|missions.hot-lz"
WANTED = "missions|missions.most-wanted"
HOME = "missions|missions.bring-them-home"

BROKEN: list[tuple[Callable[[Tables], None], str, str, str]] = [
    # types, missing and unknown keys
    (
        put(f"{HOT}.cards.solo", "x"),
        "missions",
        "missions.hot-lz.cards.solo",
        "expected int, got str",
    ),
    (put(f"{HOT}.cards.solo", 61), "missions", "missions.hot-lz.cards.solo", "<= 60"),
    (put(f"{HOT}.briefing", None), "missions", "missions.hot-lz.briefing", "is missing"),
    (put(f"{HOT}.colour", 1), "missions", "missions.hot-lz.colour", "unknown key"),
    (put(f"{HOT}.squads.A.face", "UP"), "missions", "missions.hot-lz.squads.A.face", "UP"),
    (
        put(f"{HOT}.objective.solo.kind", "x"),
        "missions",
        "missions.hot-lz.objective.solo.kind",
        "x",
    ),
    (put("intel|card[3].event", "party"), "intel", "card[3].event", "party"),
    (put("intel|provenance", None), "intel", "provenance", "is missing"),
    (put("tables|units.L.mp[1]", True), "tables", "units.L.mp[1]", "expected int, got bool"),
    # maps
    (put("maps/range|id", "town"), "maps/range", "id", "belongs in maps/town.toml"),
    (put("maps/range|rows", "+-+"), "maps/range", "rows", "row 1: a map has 2H+1 rows"),
    (draw("maps/range", 2, 2, "Q"), "maps/range", "rows", "row 2, column 2: square A1"),
    (draw("maps/range", 2, 3, "-"), "maps/range", "rows", "row 2, column 3: an edge"),
    (draw("maps/range", 1, 2, " "), "maps/range", "rows", "the outer frame"),
    (draw("maps/range", 8, 12, "."), "maps/range", "buildings.I", "square F4 is '.'"),
    (draw("maps/range", 14, 2, ","), "maps/range", "buildings", "square A7 is ',' but in no"),
    (draw("maps/range", 14, 2, "L"), "maps/range", "buildings", "square A7 is 'L' but in no"),
    (draw("maps/range", 14, 2, "G"), "maps/range", "zones", "square A7 is 'G' but in no"),
    (draw("maps/range", 2, 2, "."), "maps/range", "zones.GZ1", "square A1 is '.'"),
    (wall_in, "maps/range", "rows", "square A10 cannot be reached from A1"),
    (put("maps/range|buildings.I[0]", "F3:Z6"), "maps/range", "buildings.I[0]", "Z6 is not on the"),
    (put("maps/range|buildings.I[0]", "I6:F3"), "maps/range", "buildings.I[0]", "upper left"),
    (put("maps/range|buildings.I[0]", "F3-I6"), "maps/range", "buildings.I[0]", "is not a square"),
    (put("maps/range|buildings.I", []), "maps/range", "buildings.I", "no rectangle"),
    (put("maps/range|buildings.II", ["F3"]), "maps/range", "buildings.II[0]", "is in I already"),
    (put("maps/range|buildings.B", ["F3"]), "maps/range", "buildings.B", "no roman numeral"),
    (put("maps/range|zones.LZ", ["A1"]), "maps/range", "zones.LZ", "called GZ and a number"),
    (put("maps/range|openings.I[0]", "H4"), "maps/range", "openings.I", "H4 has no door"),
    (put("maps/range|openings.I[4]", None), "maps/range", "openings.I", "H6 is an opening"),
    (
        put("maps/range|openings.I", ["F4", "G3", "I5", "F6", "H6"]),
        "maps/range",
        "openings.I",
        "order",
    ),
    (put("maps/range|openings.I", None), "maps/range", "openings.I", "is missing"),
    (put("maps/range|openings.V", ["F4"]), "maps/range", "openings.V", "no building V"),
    (drop("maps/range"), "missions", "missions.range.map", "no map 'range'"),
    # missions
    (put("missions|missions.Hot", {}), "missions", "missions.Hot.number", "is missing"),
    (rename_mission, "missions", "missions.Hot LZ", "small letters, digits and single hyphens"),
    (put(f"{HOT}.number", 2), "missions", "number", "has the number 2 too"),
    (put(f"{HOT}.map", "moon"), "missions", "missions.hot-lz.map", "no map 'moon'"),
    (put(f"{HOT}.cards.comp", 0), "missions", "missions.hot-lz.cards", "for all lines or for none"),
    (put(f"{HOT}.par", 9), "missions", "missions.hot-lz.par", "only a mission whose deck"),
    (put(f"{WANTED}.par", None), "missions", "missions.most-wanted.par", "needs a par"),
    (put(f"{HOT}.active_zones[0]", "GZ9"), "missions", "missions.hot-lz.active_zones[0]", "'GZ9'"),
    (put(f"{HOT}.civilians[0]", "K4"), "missions", "missions.hot-lz.civilians[0]", "not 'C'"),
    (put(f"{HOT}.civilians[0]", "K99"), "missions", "missions.hot-lz.civilians[0]", "no square"),
    (
        put(f"{HOT}.civilians[0]", "U10"),
        "missions",
        "missions.hot-lz.civilians[1]",
        "reading order",
    ),
    (put(f"{HOT}.vehicles[0]", "K3"), "missions", "missions.hot-lz.vehicles[0]", "not 'V'"),
    (put(f"{HOT}.boxes[0]", "F2"), "missions", "missions.hot-lz.boxes[0]", "not 'L'"),
    (
        put(f"{HOT}.forced_boxes", ["wmd", "wmd"]),
        "missions",
        "missions.hot-lz.forced_boxes",
        "so many",
    ),
    (
        put(f"{HOT}.squads.A.zone", "N13"),
        "missions",
        "missions.hot-lz.squads.A.start.L",
        "not in the",
    ),
    (put(f"{HOT}.squads.A.zone", "N13:Z99"), "missions", "missions.hot-lz.squads.A.zone", "Z99"),
    (put(f"{HOT}.squads.A.start.L", "N14"), "missions", "start.DE", "N14 is taken by A-L"),
    (
        put(f"{HOT}.squads.A.start.L", None),
        "missions",
        "missions.hot-lz.squads.A.start.L",
        "missing",
    ),
    (
        put(f"{HOT}.squads.B.zone", "I14:N15"),
        "missions",
        "missions.hot-lz.squads.B.zone",
        "other squad",
    ),
    (
        put(f"{HOT}.insurgents.base[0].square", "O15"),
        "missions",
        "start.M",
        "O15 is taken by an ins",
    ),
    (
        put(f"{HOT}.insurgents.plus[0].square", "L2"),
        "missions",
        "insurgents.plus[0].square",
        "cover",
    ),
    (
        put(f"{HOT}.insurgents.plus[0].square", "K13"),
        "missions",
        "insurgents.plus[0].square",
        "taken",
    ),
    (put(f"{HOME}.hostages[1].id", "HO7"), "missions", "hostages[1].id", "expected HO2"),
    (put(f"{HOME}.hostages[1].lines", []), "missions", "hostages[1].lines", "at least one"),
    (put(f"{HOME}.hostages[1].square", "I19"), "missions", "insurgents.base[0].square", "by HO2"),
    (put(f"{HOME}.objective.solo.count", 3), "missions", "objective.solo.count", "between 1 and 2"),
    (
        put(f"{HOME}.objective.solo.zones", []),
        "missions",
        "objective.solo.zones",
        "at least one zone",
    ),
    (put(f"{HOME}.objective.solo.zones[0]", "GZ1"), "missions", "objective.solo.zones[0]", "'GZ1'"),
    (
        put(f"{HOT}.failure.solo.up_at_most", 6),
        "missions",
        "failure.solo.up_at_most",
        "from the start",
    ),
    (
        put(f"{HOT}.failure.solo.hostages", "any_dead"),
        "missions",
        "failure.solo.hostages",
        "no hostage",
    ),
    (put(f"{WANTED}.hvt", None), "missions", "missions.most-wanted.objective.solo", "no hvt"),
    (
        put("missions|missions.yellow-rain.forced_boxes", []),
        *("missions", "missions.yellow-rain.objective.solo", "sure to hold the wmd"),
    ),
    (
        put("missions|missions.block-by-block.objective.solo.buildings[0]", "XX"),
        *("missions", "missions.block-by-block.objective.solo.buildings[0]", "'XX' is not among"),
    ),
    # cards
    (put("intel|card[59]", None), "intel", "card", "59 cards, not 60"),
    (put("intel|card[1].id", "IC01"), "intel", "card[1].id", "two cards IC01"),
    (put("intel|card[1].id", "X1"), "intel", "card[1].id", "not IC and two digits"),
    (put("intel|card[0].n", 5), "intel", "card[0].n", "<= 4"),
    (put("intel|card[0].n", None), "intel", "card[0].n", "needs it"),
    (put("intel|card[0].role", "hwe"), "intel", "card[0].role", "no use for it"),
    (put("intel|card[44].role", "hvt"), "intel", "card[44].role", "wanted man"),
    (put("intel|card[44].span", None), "intel", "card[44].span", "needs it"),
    # numbers
    (put("tables|counters.boxes.wmd", 2), "tables", "counters.boxes", "13 counters, not 12"),
    (put("tables|counters.civilians.friendly", 1), "tables", "counters.civilians", "5 counters"),
    (put("tables|units.GI", None), "tables", "units.GI", "is missing"),
    (put("tables|units.L.mp", [5, 4]), "tables", "units.L.mp", "2 allowances"),
    (put("tables|units.L.mp", [3, 4, 5]), "tables", "units.L.mp", "faster"),
    (put("tables|units.L.range", None), "tables", "units.L.range", "go together"),
    (put("tables|roles.hwe", None), "tables", "roles.hwe", "is missing"),
    (put("tables|fire_chart.allied[1].to", 2), "tables", "fire_chart.allied", "killed and wounded"),
    (put("tables|fire_chart.insurgent[0].from", 5), "tables", "fire_chart.insurgent", "no row"),
    (put("tables|move_costs.window", 3), "tables", "move_costs.window", "the board counts 2"),
    (put("tables|ranges.rpg.min", 8), "tables", "ranges.rpg", "more than max"),
    (put("tables|levels[0].share", [4, 5]), "tables", "levels[1].share", "no more than the level"),
    (put("tables|limits.cards_max", 65), "tables", "limits.cards_max", "the deck has 60"),
    # options and rules
    (put("options|option[0].id", "colour"), "options", "option[0].id", "no option 'colour'"),
    (put("options|option[0]", None), "options", "option", "facing_dirs is missing"),
    (put("options|option[0].default", "5"), "options", "option[0].default", "none of 8, 4"),
    (put("options|option[0].rule", "BG-O.99"), "options", "option[0].rule", "no rule BG-O.99"),
    (put("options|option[0].values", []), "options", "option[0]", "either values or a range"),
    (put("rules|rule[1].id", "BG-1.1"), "rules", "rule[1].id", "two rules BG-1.1"),
    (put("rules|rule[1].id", "XY-1"), "rules", "rule[1].id", "no rule id"),
    (put("rules|rule[1].source", "memory"), "rules", "rule[1].source", "is not like"),
    (put("rules|decision[0].rules[0]", "BG-77"), "rules", "decision[0].rules[0]", "no rule BG-77"),
    (drop("rules"), "rules", "", "the file is missing"),
    (drop("tables"), "tables", "", "the file is missing"),
]


@pytest.mark.parametrize(
    ("change", "file", "key", "reason"), BROKEN, ids=[f"{f}-{k}-{r}" for _, f, k, r in BROKEN]
)
def test_broken_files_are_refused(
    change: Callable[[Tables], None], file: str, key: str, reason: str
) -> None:
    tables = copy.deepcopy(TABLES)
    change(tables)
    with pytest.raises(BrokenData) as caught:
        Content.from_tables(tables)
    error = caught.value
    assert error.file == f"data/boots/{file}.toml"
    assert error.key == key or error.key.endswith(f".{key}")
    assert reason in error.problem
    assert str(error).endswith(". Correct the file or restore it from the release.")
    assert not re.search(r"\.\.|msgspec|Traceback", str(error))


def test_the_sentence() -> None:
    tables = copy.deepcopy(TABLES)
    tables["missions"]["missions"]["hot-lz"]["cards"]["solo"] = "20"
    with pytest.raises(BrokenData) as caught:
        Content.from_tables(tables)
    assert str(caught.value) == (
        "data/boots/missions.toml, missions.hot-lz.cards.solo: expected int, got str. "
        "Correct the file or restore it from the release."
    )


def test_unknown_files_are_refused() -> None:
    with pytest.raises(BrokenData, match="no such file"):
        Content.from_tables({**TABLES, "weather": {}})


# --- files that cannot be read ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "key", "reason"),
    [
        (b"a = 1\nb = = 2\n", "line 2", "not valid TOML"),
        (b"a = [1, 2", "end of file", "not valid TOML"),
        (b"a = '\xff'", "byte 5", "not valid UTF-8"),
        (b"[a]\nb = [1, 0.5]", "a.b[1]", "fractions"),
        (b"a = 2024-01-01", "a", "dates"),
    ],
)
def test_unreadable_files(tmp_path: Path, text: bytes, key: str, reason: str) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "x.toml").write_bytes(text)
    with pytest.raises(BrokenData) as caught:
        read_tables(tmp_path)
    assert caught.value.file == (tmp_path / "maps" / "x.toml").as_posix()
    assert caught.value.key == key
    assert reason in caught.value.problem


def test_missing_folder_and_file(tmp_path: Path) -> None:
    with pytest.raises(BrokenData, match="no such folder"):
        read_tables(tmp_path / "nowhere")
    with pytest.raises(BrokenData, match="the file is missing"):
        convert({}, "intel", dict[str, int])


def test_tables_are_keyed_by_path(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "city.toml").write_text("a = 1", encoding="utf-8")
    (tmp_path / "intel.toml").write_text("b = [true, 'x']", encoding="utf-8")
    tables = read_tables(tmp_path)
    assert tables == {"intel": {"b": [True, "x"]}, "maps/city": {"a": 1}}
    assert content_hash(tables) == content_hash(dict(reversed(tables.items())))
    assert convert(tables, "maps/city", dict[str, int]) == {"a": 1}

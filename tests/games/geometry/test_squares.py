"""Squares: names, directions, passing corners, step costs, arcs and straight lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.geometry.squares import (
    FACINGS,
    STEPS,
    Grid,
    Square,
    dir4,
    dir8,
    square_name,
    square_xy,
)
from games.kernel.datafiles import read_tables

MAPS = Path(__file__).parents[3] / "data" / "boots" / "maps"
TABLES = read_tables(MAPS)


def read_map(name: str) -> Grid:
    return Grid.parse(TABLES[name]["rows"].strip("\n").split("\n"))


GRIDS = {name: read_map(name) for name in ("city", "compound", "range")}
RANGE = GRIDS["range"]

vectors = st.tuples(st.integers(-60, 60), st.integers(-60, 60)).filter(lambda v: v != (0, 0))


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Small boards with any edges at all, closed rooms included."""
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    rows = [[" "] * (2 * width + 1) for _ in range(2 * height + 1)]
    for row in range(2 * height + 1):
        for column in range(2 * width + 1):
            if row % 2 and column % 2:
                rows[row][column] = draw(st.sampled_from(".,LCVXG"))
            elif row % 2 == 0 and column % 2 == 0:
                rows[row][column] = "+"
            else:
                wall = "-" if column % 2 else "|"
                outer = row in (0, 2 * height) or column in (0, 2 * width)
                rows[row][column] = wall if outer else draw(st.sampled_from(f" {wall}DW"))
    return Grid.parse(["".join(row) for row in rows])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Grid, Square, Square]:
    """A board, small or shipped, and two of its squares."""
    grid = draw(st.one_of(grids(), st.sampled_from(list(GRIDS.values()))))
    return grid, draw(st.sampled_from(grid.squares)), draw(st.sampled_from(grid.squares))


# --- names ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [("A1", 0, 0), ("G7", 6, 6), ("Z10", 25, 9), ("AA12", 26, 11), ("AZ1", 51, 0), ("BA1", 52, 0)],
)
def test_square_names(name: str, x: int, y: int) -> None:
    assert square_name(x, y) == name
    assert square_xy(name) == (x, y)


@given(st.integers(0, 17_000), st.integers(0, 9_998))
def test_names_round_trip(x: int, y: int) -> None:
    assert square_xy(square_name(x, y)) == (x, y)


@pytest.mark.parametrize("name", ["", "A", "7", "a1", "A0", "A01", "1A", "A1 ", " A1", "A-1", "Ä1"])
def test_malformed_names_are_refused_in_words(name: str) -> None:
    with pytest.raises(ValueError, match="is not a square: write column letters"):
        square_xy(name)


def test_negative_places_have_no_name() -> None:
    with pytest.raises(ValueError, match="column -1, row 3"):
        square_name(-1, 3)


# --- directions -------------------------------------------------------------------------------


@pytest.mark.rule("BG-G.6")
@pytest.mark.parametrize(
    ("dx", "dy", "facing"),
    [(1, -2, "NE"), (1, -3, "N"), (2, -5, "N"), (3, -7, "NE"), (-4, 2, "SW"), (0, 3, "S")],
)
def test_worked_directions(dx: int, dy: int, facing: str) -> None:
    assert FACINGS[dir8(dx, dy)] == facing


@pytest.mark.rule("BG-G.6")
def test_direction_of_one_step_is_that_step() -> None:
    assert [dir8(dx, dy) for dx, dy in STEPS] == list(range(8))


@pytest.mark.rule("BG-G.6")
@given(vectors)
def test_directions_turn_with_the_vector(vector: tuple[int, int]) -> None:
    dx, dy = vector
    assert dir8(-dy, dx) == (dir8(dx, dy) + 2) % 8
    assert dir8(-dx, -dy) == (dir8(dx, dy) + 4) % 8
    assert dir8(3 * dx, 3 * dy) == dir8(dx, dy)


@pytest.mark.rule("BG-O.1")
@pytest.mark.parametrize(
    ("dx", "dy", "facing"),
    [(-2, 1, "W"), (-2, 2, "S"), (2, -2, "N"), (3, -2, "E"), (1, 4, "S"), (0, -1, "N")],
)
def test_four_directions(dx: int, dy: int, facing: str) -> None:
    assert FACINGS[dir4(dx, dy)] == facing


@pytest.mark.parametrize("measure", [dir8, dir4])
def test_no_direction_to_itself(measure: object) -> None:
    assert callable(measure)
    with pytest.raises(ValueError, match="no direction"):
        measure(0, 0)


# --- edges and steps --------------------------------------------------------------------------


@pytest.mark.rule("BG-G.1")
def test_edges() -> None:
    assert RANGE.edge("E4", "F4") == RANGE.edge("F4", "E4") == "door"
    assert RANGE.edge("E5", "F5") == "wall"
    assert RANGE.edge("E6", "F6") == "window"
    assert RANGE.edge("A1", "A2") == "open"
    for pair in (("A1", "B2"), ("A1", "C1"), ("A1", "A1"), ("A1", "A11")):
        with pytest.raises(ValueError, match=r"share no edge|not on this board"):
            RANGE.edge(*pair)


@pytest.mark.rule("BG-G.2", "BG-G.3", "BG-G.4", "BG-2.6", "BG-10.2")
@pytest.mark.parametrize(
    ("a", "b", "cost"),
    [
        ("E5", "F4", 1),
        ("E3", "F4", 1),
        ("E3", "F3", None),
        ("E2", "F3", None),
        ("E5", "F6", 2),
        ("F6", "E7", 2),
        ("F2", "G3", 2),
        ("H6", "H7", 2),
        ("G6", "H7", 2),
        ("J4", "I5", 1),
        ("B8", "C9", 1),
        ("C8", "C9", None),
        ("J8", "K9", None),
        ("J7", "K8", 1),
        ("A1", "A3", None),
        ("A1", "A1", None),
    ],
)
def test_worked_step_costs(a: Square, b: Square, cost: int | None) -> None:
    for first, second in ((a, b), (b, a)):
        assert RANGE.step_cost(first, second) == cost
        assert RANGE.passable(first, second) is (cost is not None)
        assert RANGE.adjacent(first, second) is (cost is not None)


@pytest.mark.rule("BG-G.2", "BG-G.3", "BG-G.4")
@given(pairs())
def test_steps_are_the_same_both_ways(case: tuple[Grid, Square, Square]) -> None:
    grid, a, b = case
    assert grid.step_cost(a, b) == grid.step_cost(b, a)
    assert grid.passable(a, b) == grid.adjacent(a, b) == (b in grid.near(a))
    assert grid.step_cost(a, b) in (None, 1, 2)
    assert grid.dist(a, b) == 1 or grid.step_cost(a, b) is None


@pytest.mark.rule("BG-G.3")
def test_neighbours_come_clockwise_from_north() -> None:
    assert RANGE.near("B2") == ("B1", "C1", "C2", "C3", "B3", "A3", "A2", "A1")
    assert dict(RANGE.steps("G3")) == {
        "G2": 2,
        "H2": 2,
        "H3": 1,
        "H4": 1,
        "G4": 1,
        "F4": 1,
        "F3": 1,
        "F2": 2,
    }
    assert tuple(square for square, _ in RANGE.steps("G3")) == RANGE.near("G3")
    assert RANGE.neighbour("A1", FACINGS.index("N")) is None
    assert RANGE.neighbour("A1", FACINGS.index("SE")) == "B2"


@pytest.mark.rule("BG-G.5", "BG-11.3.1")
def test_distance_is_the_longer_difference() -> None:
    assert RANGE.dist("B10", "I10") == 7
    assert RANGE.dist("A1", "C6") == 5
    assert RANGE.dist("E4", "F4") == RANGE.dist("E3", "F3") == 1


# --- demo doors -------------------------------------------------------------------------------


@pytest.mark.rule("BG-G.1", "BG-4.8")
def test_demo_door_opens_a_wall() -> None:
    opened = RANGE.with_doors((("F5", "E5"),))
    assert opened.edge("E5", "F5") == "door"
    assert opened.printed_edge("E5", "F5") == "wall"
    assert opened.step_cost("E5", "F5") == 1
    assert opened.trace("D5", "G5").clear
    assert RANGE.step_cost("E5", "F5") is None
    assert not RANGE.trace("D5", "G5").clear


def test_same_doors_give_the_same_grid() -> None:
    one = RANGE.with_doors((("E5", "F5"), ("H3", "H2")))
    assert RANGE.with_doors((("H2", "H3"), ("F5", "E5"))) is one
    assert RANGE.with_doors((("E5", "F5"),)).with_doors((("H2", "H3"),)) is one
    assert RANGE.with_doors(()) is RANGE
    assert one.with_doors(()) is one
    assert one.with_doors((("E5", "F5"),)) is one


@pytest.mark.rule("BG-4.6")
def test_only_walls_become_doors() -> None:
    for edge in (("E4", "F4"), ("A1", "B1"), ("E6", "F6")):
        with pytest.raises(ValueError, match="is no wall"):
            RANGE.with_doors((edge,))
    with pytest.raises(ValueError, match="not on this board"):
        RANGE.with_doors((("A1", "A0"),))


# --- arcs -------------------------------------------------------------------------------------


@pytest.mark.rule("BG-G.7", "BG-11.0.3", "BG-11.0.4")
def test_worked_arcs() -> None:
    north = FACINGS.index("N")
    for square in ("D6", "F7", "G6"):
        assert RANGE.arc("E8", north, square) in (7, 0, 1)
    arcs = {square: RANGE.arc("E8", north, square) for square in ("B7", "G9", "F10", "C8", "E10")}
    assert arcs == {"B7": 6, "G9": 3, "F10": 3, "C8": 6, "E10": 4}


@pytest.mark.rule("BG-G.7")
@given(pairs(), st.integers(0, 7))
def test_every_square_is_in_one_arc(case: tuple[Grid, Square, Square], face: int) -> None:
    grid, a, b = case
    if a == b:
        return
    assert grid.arc(a, face, b) == (grid.arc(a, 0, b) - face) % 8
    assert grid.direction(a, b) == grid.arc(a, 0, b) == (grid.direction(b, a) + 4) % 8


@pytest.mark.rule("BG-G.7")
@pytest.mark.parametrize("face", range(8))
def test_adjacent_squares_are_three_front_and_five_others(face: int) -> None:
    around = [RANGE.arc("C2", face, square) for square in RANGE.near("C2")]
    assert sorted(around) == list(range(8))


# --- lines ------------------------------------------------------------------------------------


@pytest.mark.rule("BG-G.8", "BG-G.9")
@pytest.mark.parametrize(
    ("a", "b", "clear"),
    [
        ("D2", "H6", True),
        ("E2", "H6", False),
        ("C3", "G5", True),
        ("J2", "F6", False),
        ("L2", "I5", True),
        ("E7", "H5", False),
        ("G8", "H5", True),
    ],
)
def test_worked_lines(a: Square, b: Square, clear: bool) -> None:
    assert RANGE.trace(a, b).clear is clear
    assert RANGE.trace(b, a).clear is clear


@pytest.mark.rule("BG-G.8")
def test_crossed_and_touched_squares() -> None:
    line = RANGE.trace("C3", "G5")
    assert line.crossed == ("D3", "D4", "E4", "F4", "F5")
    assert line.path == (*line.crossed, "G5")
    assert line.touched == ()
    corner = RANGE.trace("C6", "E8")
    assert corner.crossed == ("D7",)
    assert corner.touched == ("D6", "C7", "E7", "D8")


@pytest.mark.rule("BG-G.8", "BG-G.9")
@given(pairs())
def test_lines_are_the_same_both_ways(case: tuple[Grid, Square, Square]) -> None:
    grid, a, b = case
    there, back = grid.trace(a, b), grid.trace(b, a)
    assert there.clear == back.clear
    assert there.crossed == tuple(reversed(back.crossed))
    assert sorted(there.touched) == sorted(back.touched)
    assert grid.trace(a, b) is there


@pytest.mark.rule("BG-G.8", "BG-G.9")
@given(pairs())
def test_lines_go_step_by_step_and_end_there(case: tuple[Grid, Square, Square]) -> None:
    grid, a, b = case
    line = grid.trace(a, b)
    stations = (a, *line.path)
    assert stations[-1] == b
    assert all(grid.dist(p, q) == 1 for p, q in zip(stations, line.path, strict=False))
    assert line.crossed == line.path[:-1]
    assert not set(line.touched) & set(stations)
    assert line.clear == all(grid.passable(p, q) for p, q in zip(stations, line.path, strict=False))


# --- boards -----------------------------------------------------------------------------------


def test_wide_boards_have_double_letters() -> None:
    frame = "+-" * 60 + "+"
    grid = Grid.parse([frame, "|" + ". " * 59 + ".|", frame])
    assert (grid.width, grid.height) == (60, 1)
    assert grid.squares[26] == "AA1" and grid.squares[-1] == "BH1"
    assert grid.trace("A1", "BH1").clear
    assert grid.xy("AA1") == (26, 0)


def test_squares_come_in_reading_order() -> None:
    assert RANGE.squares[:13] == (*(f"{c}1" for c in "ABCDEFGHIJKL"), "A2")
    assert [RANGE.order[square] for square in RANGE.squares] == list(range(120))
    assert RANGE.letter("C4") == "X" and RANGE.letter("G4") == "L"
    assert "L10" in RANGE and "M1" not in RANGE and 7 not in RANGE


def test_squares_off_the_board_are_named() -> None:
    with pytest.raises(ValueError, match="'M1' is not on this board, which ends at L10"):
        RANGE.dist("A1", "M1")


GOOD = ["+-+-+", "|. .|", "+ + +", "|. .|", "+-+-+"]


@pytest.mark.parametrize(
    ("row", "text", "place"),
    [
        (1, "|. .", "row 2, column 5"),
        (1, "|. .| ", "row 2, column 6"),
        (1, "|Q .|", "row 2, column 2: square A1"),
        (1, "|.-.|", "row 2, column 3"),
        (2, "+|+ +", "row 3, column 2"),
        (2, "+ # +", "row 3, column 3"),
        (0, "+-+ +", "row 1, column 4: the outer frame"),
        (3, " . .|", "row 4, column 1: the outer frame"),
        (3, "|. .D", "row 4, column 5: the outer frame"),
        (4, "+D+-+", "row 5, column 2: the outer frame"),
        (0, "+-+-", "row 1, column 4"),
    ],
)
def test_bad_text_grids_name_row_and_column(row: int, text: str, place: str) -> None:
    Grid.parse(GOOD)
    with pytest.raises(ValueError, match=place):
        Grid.parse([*GOOD[:row], text, *GOOD[row + 1 :]])


@pytest.mark.parametrize("rows", [[], ["+-+"], ["+-+", "|.|"], GOOD[:4]])
def test_grids_need_an_odd_number_of_rows(rows: list[str]) -> None:
    with pytest.raises(ValueError, match=f"row {len(rows)}"):
        Grid.parse(rows)

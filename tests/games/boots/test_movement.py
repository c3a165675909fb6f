"""Chapter 10 and the geometry of walking: what a move may cost and where it may end."""

from __future__ import annotations

import pytest

from games.boots.movement import Reach
from games.geometry.squares import FACINGS
from tests.games.boots.board import FIRE, QUIET, Table


def costs(t: Table, unit: str, points: int) -> dict[str, int]:
    return Reach(t.field, t.unit(unit), points).costs


# --- terrain ----------------------------------------------------------------------------------


@pytest.mark.rule("BG-10.2", "BG-G.1", "BG-G.4", "BG-3.4")
def test_tv15_costs() -> None:
    found = costs(Table("A-M@E5"), "A-M", 4)
    wanted = {"F4": 1, "F5": 2, "F6": 2, "G3": 2, "H6": 3, "I5": 4, "H7": 4, "E7": 2}
    assert {square: found.get(square) for square in wanted} == wanted
    assert "C4" not in found


@pytest.mark.rule("BG-G.2", "BG-G.3", "BG-G.4", "BG-2.6")
@pytest.mark.parametrize(
    ("a", "b", "cost"),
    [
        ("E5", "F4", 1), ("E3", "F4", 1), ("E3", "F3", None), ("E2", "F3", None), ("E5", "F6", 2),
        ("F6", "E7", 2), ("F2", "G3", 2), ("H6", "H7", 2), ("G6", "H7", 2), ("J4", "I5", 1),
        ("B8", "C9", 1), ("C8", "C9", None), ("J8", "K9", None), ("J7", "K8", 1),
    ],
)  # fmt: skip
def test_tv11_steps(a: str, b: str, cost: int | None) -> None:
    t = Table(f"A-S@{a}")
    assert t.field.grid.step_cost(a, b) == t.field.grid.step_cost(b, a) == cost
    assert t.field.is_near(a, b) == (cost is not None)
    direct = costs(t, "A-S", cost or 1)
    assert (b in direct) == (cost is not None)


@pytest.mark.rule("BG-10.3", "BG-3.4", "BG-3.3")
def test_vehicles_and_cover_are_not_entered() -> None:
    t = Table("A-S@C3", "VH1@D3 safe").alone("A-S")
    assert t.refused("move", to="D3", face="N") == "BG-10.3"
    assert t.refused("move", to="C4", face="N") == "BG-10.3"
    assert "K7" not in t.options("move")  # too far; but the printed V and C letters do nothing:
    t = Table("A-S@K6", "IN1@A1").alone("A-S")
    assert {"K7", "K3"} <= set(t.options("move"))


# --- the corridor of the compound: F4 to F8, one square wide, walls on both sides ---------------

CORRIDOR = "angel-down"


@pytest.mark.rule("BG-10.4")
def test_civilians_are_passed_through_not_stopped_on() -> None:
    t = Table("A-S@F4", "CV1@F5 friendly", mission=CORRIDOR).alone("A-S")
    assert "F5" not in t.options("move") and "F6" in t.options("move")
    assert t.refused("move", to="F5", face="S") == "BG-10.4"
    assert t.move("F6", "S").mp("A-S") == 7 - 2


@pytest.mark.rule("BG-10.4", "BG-4.21")
def test_captives_are_passed_through_not_stopped_on() -> None:
    t = Table("A-S@F4", "HO1@F5", mission=CORRIDOR).alone("A-S")
    assert t.refused("move", to="F5", face="S") == "BG-10.4"
    assert t.move("F6", "S").mp("A-S") == 7 - 2


@pytest.mark.rule("BG-10.5")
@pytest.mark.parametrize("friend", ["A-M@F5", "B-M@F5", "HO1@F5 freed"])
def test_friends_are_passed_through_not_stopped_on(friend: str) -> None:
    t = Table("A-S@F4", friend, mode="coop", mission=CORRIDOR).alone("A-S")
    assert t.refused("move", to="F5", face="S") == "BG-10.5"
    assert t.move("F6", "S").mp("A-S") == 7 - 2


@pytest.mark.rule("BG-10.6")
def test_enemies_are_not_passed() -> None:
    t = Table("A-S@F4", "IN1@F5", mission=CORRIDOR).alone("A-S")
    assert t.refused("move", to="F5", face="S") == "BG-10.6"
    assert costs(t, "A-S", 40)["F7"] > 3  # only the long way round, through the house


@pytest.mark.rule("BG-10.3")
def test_a_vehicle_closes_the_corridor() -> None:
    t = Table("A-S@F4", "VH1@F5 safe", mission=CORRIDOR)
    assert costs(t, "A-S", 40)["F7"] > 3


@pytest.mark.rule("BG-10.5", "BG-10.6", "BG-10.4")
def test_insurgents_keep_the_same_rules() -> None:
    t = Table("IN1@F4", "IN2@F5", mission=CORRIDOR)
    assert "F5" not in costs(t, "IN1", 5) and costs(t, "IN1", 5)["F6"] == 2
    t = Table("IN1@F4", "A-S@F5", mission=CORRIDOR)
    assert "F5" not in costs(t, "IN1", 40) and costs(t, "IN1", 40)["F7"] > 3
    t = Table("IN1@F4", "HO1@F5", mission=CORRIDOR)
    assert "F5" not in costs(t, "IN1", 5) and costs(t, "IN1", 5)["F6"] == 2


@pytest.mark.rule("BG-10.7", "BG-3.3")
def test_boxes_do_not_hinder() -> None:
    t = Table("A-S@F5", "LB1@G4 wmd").alone("A-S")
    assert t.move("G4", "N").where("A-S") == "G4/N"


@pytest.mark.rule("BG-10.13")
@pytest.mark.parametrize("square", ["A11", "M1", "", "A0", "wall"])
def test_nobody_leaves_the_board(square: str) -> None:
    t = Table("A-L@A10").alone("A-L")
    assert t.refused("move", to=square, face="N") == "BG-10.13"


@pytest.mark.rule("BG-10.8")
@pytest.mark.parametrize("corner", ["A1", "L1", "A10", "L10"])
def test_squares_at_the_edge_are_whole(corner: str) -> None:
    beside = {"A1": "B2", "L1": "K2", "A10": "B9", "L10": "K9"}[corner]
    t = Table(f"A-L@{beside}", "A-M@E1").alone("A-L").move(corner, "N")
    assert t.where("A-L") == f"{corner}/N" and t.mp("A-L") == 4


@pytest.mark.rule("BG-10.9", "BG-10.1")
def test_a_move_takes_the_cheapest_path() -> None:
    t = Table("A-S@E6").alone("A-S")
    # through the window 2, or round by the door: E6 E5 F4 F5 F6 = 4; never less, never more
    assert t.move("F6", "N").mp("A-S") == 5
    (event,) = [e for e in t.log if e.marks and e.marks[0].kind == "path"]
    assert event.marks[0].cells == ("E6", "F6")


# --- points -----------------------------------------------------------------------------------

INDIVIDUAL = {
    "L": (5, 4, 3), "M": (4, 3, 2), "DE": (4, 3, 2), "S": (7, 6, 5), "HWE": (3, 2, 1),
    "SN": (4, 3, 2), "GI1": (3, 2, 1),
}  # fmt: skip


@pytest.mark.rule("BG-3.5", "BG-10.12", "BG-7.3", "BG-4.18", "BG-11.6.2")
@pytest.mark.parametrize("kind", list(INDIVIDUAL))
@pytest.mark.parametrize("hits", [0, 1, 2])
def test_movement_points(kind: str, hits: int) -> None:
    unit = f"A-{kind}"
    t = Table(f"{unit}@E9 h{hits}" if hits else f"{unit}@E9", "HO1@E10 freed")
    assert t.alone(unit).mp(unit) == INDIVIDUAL[kind][hits]
    t = Table(f"{unit}@E9 h{hits}" if hits else f"{unit}@E9", "HO1@E10 freed")
    assert t.team(unit).mp(unit) == (3, 2, 1)[hits]


@pytest.mark.rule("BG-4.20", "BG-10.12")
@pytest.mark.parametrize(("hits", "points"), [(0, 2), (1, 1), (2, 1)])
def test_hostages_have_two_points_and_never_less_than_one(hits: int, points: int) -> None:
    t = Table("HO1@E9 freed", "A-M@E10").patch("units.HO1.hits", hits)
    assert t.team("HO1").mp("HO1") == points
    t = Table("HO1@E9 freed", "A-M@E10").patch("units.HO1.hits", hits).alone("HO1")
    assert t.mp("HO1") == points
    assert "E9" not in t.options("move")  # no facing, so no turning on the spot
    assert t.refused("move", to="F9", face="N") == ""  # nor anything to face
    assert t.move("F9").unit("HO1").pos == "F9"


@pytest.mark.rule("BG-10.1", "BG-7.1")
def test_points_are_never_exceeded_lent_or_saved() -> None:
    t = Table("A-HWE@E9", "A-M@E10").team("A-M").select("A-HWE")
    assert t.refused("move", to="I9", face="E") == "BG-10.2"
    t.move("F9", "E").select("A-M").move("D10", "E")
    assert t.refused("select", unit="A-HWE") == "BG-7.4"
    assert (t.mp("A-HWE"), t.mp("A-M")) == (2, 2)
    t.done(QUIET).alone("A-HWE")
    assert t.mp("A-HWE") == 3


@pytest.mark.rule("BG-10.14")
def test_healing_changes_nothing_before_the_next_activation() -> None:
    t = Table("A-M@E9 h2", "A-L@E10").team("A-M").select("A-M").do("treat", unit="A-M")
    assert (t.hits("A-M"), t.mp("A-M")) == (1, 1)
    t.done(QUIET)
    assert t.team("A-M").mp("A-M") == 2


# --- turning ----------------------------------------------------------------------------------


@pytest.mark.rule("BG-10.10", "BG-11.0.2")
def test_any_facing_with_any_step_but_none_without() -> None:
    t = Table("A-L@E9/N").alone("A-L")
    assert t.options("move", "face", to="E10") == list(FACINGS)
    assert t.refused("turn", face="S") == "BG-10.10"
    assert t.refused("move", to="E10", face="UP") == "BG-11.0.2"
    t.move("E10")  # unsaid, the facing is kept
    assert t.where("A-L") == "E10/N"


@pytest.mark.rule("BG-10.10")
def test_who_has_no_points_left_cannot_turn() -> None:
    t = Table("A-HWE@E9/N").alone("A-HWE").move("H9", "N")
    assert t.refused("move", to="H9", face="S") == "BG-10.1"


@pytest.mark.rule("BG-10.11")
def test_turning_costs_the_cheapest_step_out_and_back() -> None:
    t = Table("A-L@F6/N", "IN1@F5", "IN2@G5", "IN3@G6").alone("A-L")
    assert t.move("F6", "W").mp("A-L") == 1  # only the window is left: twice 2


@pytest.mark.rule("BG-10.11")
def test_turning_may_use_a_friends_or_civilians_square() -> None:
    around = ["A-M@A9", "CV1@B9 friendly", "HO1@B10"]
    t = Table("A-L@A10/N", *around).alone("A-L").move("A10", "E")
    assert t.where("A-L") == "A10/E" and t.mp("A-L") == 3


@pytest.mark.rule("BG-10.11", "BG-10.6")
def test_who_is_hemmed_in_cannot_even_turn() -> None:
    t = Table("A-L@A10/N", "IN1@A9", "IN2@B9", "VH1@B10 safe").alone("A-L")
    assert "move" not in t.verbs()
    assert t.refused("move", to="A10", face="E") == "BG-10.2"


# --- insurgents -------------------------------------------------------------------------------


@pytest.mark.rule("BG-3.8", "BG-8.2", "BG-8.5", "BG-8.1")
def test_insurgents_move_by_cards_alone_and_five_points() -> None:
    t = Table("A-L@A10", "IN1@L10/N")
    t.turn("A-L", FIRE)
    assert t.where("IN1") == "L10/N"
    t.turn("A-L", "IC19")
    assert t.where("IN1") == "G7/SW"  # from G7 the way is as short as from G10: reading order


@pytest.mark.rule("BG-G.5", "BG-G.6")
@pytest.mark.parametrize(
    ("dx", "dy", "face"),
    [(1, -2, "NE"), (1, -3, "N"), (2, -5, "N"), (3, -7, "NE"), (-4, 2, "SW"), (0, 3, "S")],
)
def test_tv10_directions(dx: int, dy: int, face: str) -> None:
    grid = Table(mission="hot-lz").field.grid
    a = grid.squares[10 * 24 + 10]
    b = grid.squares[(10 + dy) * 24 + 10 + dx]
    assert FACINGS[grid.direction(a, b)] == face
    assert grid.dist(a, b) == max(abs(dx), abs(dy))

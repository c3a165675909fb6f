"""The switches of a table, one by one."""

from __future__ import annotations

import pytest

from games.kernel.event import Rolled
from tests.games.boots.board import FIRE, QUIET, Table

FOUR = ["N", "E", "S", "W"]

# --- facing_dirs ------------------------------------------------------------------------------


@pytest.mark.rule("BG-O.1", "BG-11.0.2")
def test_four_facings_in_every_menu() -> None:
    t = Table("A-M@E9/N", "A-L@E10/N h1", facing_dirs="4").alone("A-M")
    assert t.options("move", "face", to="F9") == FOUR
    assert t.options("escort", "face", unit="A-L", to="F9") == FOUR
    assert t.refused("move", to="F9", face="NE") == "BG-11.0.2"
    assert t.refused("escort", unit="A-L", to="F9", face="NE") == "BG-11.0.2"
    t.done(FIRE)
    assert t.options("medivac", "face", unit="A-L", square="A1") == FOUR
    t = Table(mission="hot-lz", empty=False, facing_dirs="4")
    assert t.options("deploy", "face", unit="A-L", square="N15") == FOUR
    t = Table("A-L@E10/N", facing_dirs="4").alone("A-L").done("IC60")
    assert t.options("gi", "face", square="E9") == FOUR


@pytest.mark.rule("BG-O.1", "BG-A.4", "BG-4.23")
@pytest.mark.parametrize(
    ("civilian", "face"),
    [("D8", "S"), ("F8", "S"), ("F10", "N"), ("E10", "N"), ("D9", "E"), ("F9", "W")],
)
def test_the_program_turns_by_the_longer_component(civilian: str, face: str) -> None:
    t = Table("A-L@E9/W", f"CV1@{civilian} insurgent", facing_dirs="4").turn("A-L", 1, 2, QUIET)
    assert t.where("IN1").split("/")[1] == face


@pytest.mark.rule("BG-O.1", "BG-G.7")
def test_arcs_stay_as_they_are() -> None:
    t = Table("A-L@E9/N", "IN1@C7", "IN2@G7", "IN3@G9", facing_dirs="4").alone("A-L")
    assert t.options("fire") == ["IN1", "IN2"]


# --- pivot_in_place ---------------------------------------------------------------------------


@pytest.mark.rule("BG-O.2")
def test_a_free_turn_and_again_after_moving_or_acting() -> None:
    t = Table("A-L@E9/W", "A-M@A1", "IN1@H9/W", pivot_in_place="true").alone("A-L")
    assert t.options("turn") == ["N", "NE", "E", "SE", "S", "SW", "NW"]  # not as it stands
    assert t.refused("turn", face="W") == "BG-11.0.2"
    t.do("turn", face="E")
    assert t.where("A-L") == "E9/E" and t.mp("A-L") == 5
    assert "turn" not in t.verbs() and t.refused("turn", face="N") == "BG-O.2"
    t.fire("IN1", 3, 5).do("turn", face="N")
    assert t.refused("turn", face="S") == "BG-O.2"
    t.move("E8", "N").do("turn", face="S").move("E10", "S")
    assert t.mp("A-L") == 2
    t.move("G10", "E").do("turn", face="W")  # no points left, but turning costs none
    assert t.where("A-L") == "G10/W"


@pytest.mark.rule("BG-O.2", "BG-4.20", "BG-10.10")
def test_who_does_not_turn() -> None:
    t = Table("HO1@E9 freed", "A-M@E10", pivot_in_place="true").team("A-M").select("HO1")
    assert "turn" not in t.verbs() and t.refused("turn", face="E") == "BG-4.20"
    assert Table("A-M@E10").alone("A-M").refused("turn", face="E") == "BG-10.10"


HEMMED = ["VH1@K10 safe", "VH2@K9 safe", "VH3@L9 safe"]


@pytest.mark.rule("BG-O.2", "BG-A.4")
def test_a_selected_insurgent_turns_in_place() -> None:
    t = Table("A-L@I10/W", "IN1@L10/E", *HEMMED).turn("A-L", "IC19")
    assert t.where("IN1") == "L10/E" and not t.events(Rolled)
    t = Table("A-L@I10/W", "IN1@L10/E", *HEMMED, pivot_in_place="true").turn("A-L", "IC19", 1, 4)
    assert t.where("IN1") == "L10/W" and len(t.events(Rolled)) == 1


@pytest.mark.rule("BG-O.2", "BG-A.4")
def test_it_turns_towards_the_squad_even_without_a_shot() -> None:
    t = Table("A-L@A10/W", "IN1@L10/E", *HEMMED, pivot_in_place="true").turn("A-L", "IC19")
    assert t.where("IN1") == "L10/W"
    t = Table("A-L@A10/W", "IN1@L10/W", *HEMMED, pivot_in_place="true").turn("A-L", "IC19")
    assert t.where("IN1") == "L10/W" and "stays" in t.texts


# --- critical_effect --------------------------------------------------------------------------


@pytest.mark.rule("BG-O.3", "BG-10.12")
@pytest.mark.parametrize(
    ("effect", "hits", "alone", "team", "fire"),
    [
        ("move", 1, 4, 2, 0), ("move", 2, 3, 1, 0), ("fire", 1, 4, 2, 0), ("fire", 2, 4, 2, -2),
        ("both", 1, 4, 2, 0), ("both", 2, 3, 1, -2),
    ],
)  # fmt: skip
def test_what_a_critical_wound_costs(
    effect: str, hits: int, alone: int, team: int, fire: int
) -> None:
    here = [f"A-L@E10/E h{hits}", "IN1@H10/W"]
    t = Table(*here, critical_effect=effect).alone("A-L")
    assert t.mp("A-L") == alone
    t.fire("IN1", 3, 4)
    assert t.events(Rolled)[0].contests[0].difference == 3 + 1 + fire - 4
    t = Table(*here, "A-M@E9", critical_effect=effect).team("A-L").select("A-L")
    assert t.mp("A-L") == team
    t.fire("IN1", 4, 4)
    assert t.events(Rolled)[0].contests[0].difference == fire


@pytest.mark.rule("BG-O.3", "BG-4.16")
def test_a_critical_spread() -> None:
    t = Table("A-HWE@E9/E h2", "IN1@G8/W", "IN2@G10/W", critical_effect="both").alone("A-HWE")
    t.do("spread", 5, 6, 6, targets=("IN1", "IN2"))
    assert [c.difference for c in t.events(Rolled)[0].contests] == [-3, -3]


# --- cleared_hold, boxes_forced ---------------------------------------------------------------


@pytest.mark.rule("BG-O.4", "BG-4.28")
def test_buildings_must_be_held() -> None:
    t = Table("A-L@F4", "A-M@F6", "A-S@G3", cleared_hold="true").turn("A-L", QUIET)
    assert t["buildings.I"] == {"cleared": True, "cleared_by": "A"}
    t.turn("A-L", "IC42")
    assert t["buildings.I.cleared"] is True
    t.alone("A-L").move("D4", "E").done("IC43")
    assert t["buildings.I"] == {"cleared": False, "cleared_by": "A"}
    t.alone("A-L").move("F4", "W").done("IC44")
    assert t["buildings.I.cleared"] is True


@pytest.mark.rule("BG-O.4", "BG-E.1")
def test_the_credit_is_kept_for_the_mission() -> None:
    three = ["A-L@A19", "A-M@B19", "A-S@C19"]
    t = Table(*three, mission="block-by-block", cleared_hold="true")
    for building in ("VII", "VIII", "IX", "XI"):
        t.patch(f"buildings.{building}.cleared", True)
        t.patch(f"buildings.{building}.cleared_by", "A")
    t.turn("A-L", QUIET)
    assert t["buildings.VII.cleared"] is False and t.cause == "BG-E.1"


@pytest.mark.rule("BG-O.4", "BG-4.28")
def test_the_credit_stays_with_the_squad_that_cleared_first() -> None:
    three = ["B-L@F4", "B-M@F6", "B-S@G3"]
    t = Table("A-L@A1", *three, mode="coop", cleared_hold="true")
    t.patch("buildings.I.cleared_by", "A").bravo().patch("squad_turn", "B")
    t.turn("B-L", QUIET)
    assert t["buildings.I"] == {"cleared": True, "cleared_by": "A"}


@pytest.mark.rule("BG-O.5", "BG-4.29")
def test_every_occupied_box_is_opened() -> None:
    boxes = ["LB1@G4 booby", "LB2@H5 bombkit"]
    t = Table("A-L@G4 h2", "A-M@H5", *boxes, boxes_forced="true").turn("A-L", QUIET)
    assert t["squads.A.kia"] == ["A-L"] and t.unit("A-M").items == ["bombkit"]
    assert t.state.boxes == {}


@pytest.mark.rule("BG-O.5", "BG-E.3")
def test_a_forced_booby_trap_can_end_the_game() -> None:
    t = Table("A-L@G4 h2", "LB1@G4 booby", boxes_forced="true").turn("A-L")
    assert t.cause == "BG-E.3"

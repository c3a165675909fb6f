"""Explosions: grenades, RPGs, demo charges, rigged doors and vehicles."""

from __future__ import annotations

import random

import pytest

from games.boots.automation import grenade_options, placements, rigged_doors
from games.boots.blasts import door_ied_blast, rpg_squares, why_no_rpg
from games.boots.movement import Reach
from games.geometry.squares import FACINGS
from games.kernel.event import Exploded
from tests.games.boots.board import FIRE, QUIET, Table
from tests.games.boots.oracle import Board, dist, name, xy

# --- grenades ---------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.9")
@pytest.mark.parametrize(
    ("counters", "square", "rule"),
    [
        ((), "H9", "BG-4.9"),  # too far
        ((), "E9", "BG-4.9"),  # at his own feet
        ((), "Z99", "BG-4.9"),
        ((), "C8", "BG-4.9"),  # behind the wall
        (("CV1@F10 friendly",), "G9", "BG-4.10"),
        (("HO1@F10",), "G9", "BG-4.10"),
        (("HO1@F10 freed",), "G9", "BG-4.10"),
        (("B-M@F10",), "G9", "BG-4.10"),
        (("CV1@G9 friendly",), "G9", "BG-4.10"),
        (("B-M@G9",), "G9", "BG-4.10"),
    ],
)
def test_where_no_grenade_goes(counters: tuple[str, ...], square: str, rule: str) -> None:
    t = Table("A-DE@E9/W", *counters, mode="coop").alone("A-DE")
    assert square not in t.options("grenade")
    assert t.refused("grenade", square=square) == rule


@pytest.mark.rule("BG-4.9", "BG-4.10")
def test_a_grenade_needs_no_facing_and_flies_over_people() -> None:
    t = Table("A-DE@E9/W", "IN1@F9", "IN2@G9", "A-M@F8").alone("A-DE")
    t.do("grenade", square="G9")
    assert (t["killed"], t["pool"], t.hits("A-M"), t.hits("A-DE")) == (1, 21, 1, 0)


@pytest.mark.rule("BG-4.10", "BG-G.3")
def test_a_civilian_behind_a_wall_does_not_forbid_it() -> None:
    t = Table("A-DE@E10", "CV1@D8 friendly", "IN1@D9").alone("A-DE").do("grenade", square="D9")
    assert t["killed"] == 1 and t["civilians.CV1.pos"] == "D8"


@pytest.mark.rule("BG-4.9", "BG-4.13")
def test_the_thrower_may_be_hurt_himself() -> None:
    t = Table("A-DE@E9", "A-M@F9 h2", "IN1@F10").alone("A-DE").do("grenade", square="F9")
    assert t.hits("A-DE") == 1 and t["squads.A.kia"] == ["A-M"]  # killed outright, hits or not
    (event,) = t.events(Exploded)
    assert [s.who.code for s in event.suffered] == ["M", "DE", "1"]  # canonical, then insurgents


@pytest.mark.rule("BG-4.13", "BG-11.6.1")
def test_a_killed_soldier_is_gone_whatever_his_hits() -> None:
    t = Table("A-DE@E9", "A-M@G9").alone("A-DE").do("grenade", square="G9")
    assert t["units.A-M.status"] == "kia" and t["squads.A.kia"] == ["A-M"]


@pytest.mark.rule("BG-E.3", "BG-4.13")
def test_the_last_soldier_dies_in_the_middle_of_a_blast() -> None:
    t = Table("A-DE@E9 h2", "IN1@G9", "IN2@F9").alone("A-DE").do("grenade", square="F9")
    assert t.cause == "BG-E.3" and t.state.outcome and t.state.outcome.won == ()
    assert t.where("IN1") and t.where("IN2") and t["killed"] == 0  # it was over before their turn
    assert t.verbs() == []


@pytest.mark.rule("BG-7.8", "BG-4.13")
def test_who_blows_himself_up_ends_his_activation() -> None:
    t = Table("A-DE@E9 h2", "A-M@A1", "IN1@F9").alone("A-DE").do("grenade", QUIET, square="F9")
    assert t["squads.A.kia"] == ["A-DE"] and t["killed"] == 1 and t["activation"] is False


@pytest.mark.rule("BG-9.14", "BG-4.13")
@pytest.mark.parametrize(("square", "fate"), [("G9", "killed"), ("G8", "captured")])
def test_the_wanted_man_in_a_blast(square: str, fate: str) -> None:
    t = Table("A-DE@E9", "IN1@G9 hvt").alone("A-DE").do("grenade", square=square)
    assert t["hvt"] == fate and t.where("IN1") == ""
    assert (t["killed"], t["pool"]) == ((1, 20) if fate == "killed" else (0, 20))


@pytest.mark.rule("BG-4.10", "BG-5.10", "BG-A.5")
def test_insurgents_spare_captives_but_not_freed_hostages() -> None:
    t = Table("HO1@E8 freed", "A-M@A1", "IN1@G8/E demo").turn("A-M", FIRE)
    assert t["units.HO1.status"] == "dead" and t["units.HO1"] is False
    for friend in ("HO2@F9", "CV1@F9 friendly", "CV1@E9 friendly"):
        t = Table("A-L@E8", "IN1@G8/E demo", friend)
        assert all(square != "E8" for _, square in grenade_options(t.field, t.unit("IN1"), "A"))


# --- RPG --------------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.11", "BG-4.12")
@pytest.mark.parametrize(
    ("expert", "counters", "square", "rule"),
    [
        ("C6/E", (), "D6", "BG-4.11"),  # outdoors
        ("C6/E", (), "Q1", "BG-4.11"),
        ("C6/E", (), "F6", "BG-4.11"),  # a window
        ("C6/E", (), "G5", "BG-4.11"),  # not at the wall
        ("A10/E", (), "I6", "BG-4.11"),  # eight squares
        ("C3/SE", (), "F6", "BG-4.11"),  # a diagonal last step
        ("K9/NW", (), "I6", "BG-4.11"),  # the free-standing wall is in the way
        ("C6/E", ("IN1@E5",), "F5", "BG-4.11"),
        ("C6/E", ("IN1@D6",), "F5", "BG-4.11"),
        ("C6/E", ("CV1@D6 friendly",), "F5", "BG-4.11"),
        ("C6/E", ("HO1@D6",), "F5", "BG-4.11"),
        ("C6/E", ("CV1@F5 friendly",), "F5", "BG-4.12"),
        ("C6/E", ("CV1@E4 friendly",), "F5", "BG-4.12"),
        ("C6/E", ("HO1@F5",), "F5", "BG-4.12"),
        ("C6/E", ("HO1@F5 freed",), "F5", "BG-4.12"),
        ("C6/E", ("HO1@E6 freed",), "F5", "BG-4.12"),
        ("C6/E", ("HO1@E5 freed",), "F5", "BG-4.12"),
        ("C6/E", ("B-M@E4",), "F5", "BG-4.12"),
    ],
)
def test_where_no_rpg_goes(expert: str, counters: tuple[str, ...], square: str, rule: str) -> None:
    t = Table(f"A-DE@{expert}", *counters, mode="coop").alone("A-DE")
    refused = why_no_rpg(t.field, t.unit("A-DE"), square)
    assert refused is not None and refused.rule == rule
    assert square not in t.options("rpg")
    assert t.refused("rpg", square=square) in (rule, "BG-4.11")


@pytest.mark.rule("BG-4.11", "BG-4.12")
def test_no_rpg_from_inside_or_beside_or_behind() -> None:
    assert Table("A-DE@G5/W").alone("A-DE").refused("rpg", square="F5") == "BG-4.12"
    assert "F5" not in Table("A-DE@E5/E").alone("A-DE").options("rpg")
    assert Table("A-DE@C6/W").alone("A-DE").refused("rpg", square="F5") == "BG-4.11"
    assert Table("A-L@C6/E").alone("A-L").refused("rpg", square="F5") == "BG-4.11"


@pytest.mark.rule("BG-4.11", "BG-4.13")
def test_an_rpg_hurts_own_people_too() -> None:
    t = Table("A-DE@C6/E", "A-M@F5", "A-L@E4", "A-S@D6", "A-SN@E5").alone("A-DE")
    t.do("rpg", square="F5")
    assert t["squads.A.kia"] == ["A-M"]
    assert [t.hits(u) for u in ("A-L", "A-S", "A-SN", "A-DE")] == [1, 0, 1, 0]
    assert "fire" not in t.verbs()


@pytest.mark.rule("BG-4.11", "BG-G.2")
def test_the_blast_along_the_wall_stops_at_other_walls() -> None:
    """F3 of the compound lies in a corner: F2 is behind a wall, F4 is not."""
    t = Table("A-DE@H3/W", "IN1@F2", "IN2@F4", "IN3@E3", mission="angel-down").alone("A-DE")
    t.do("rpg", square="E3")
    assert t.where("IN1") and not t.where("IN2") and t["killed"] == 1


@pytest.mark.rule("BG-4.11", "BG-G.8")
@pytest.mark.parametrize("mission", ["range", "hot-lz", "angel-down"])
def test_rpg_lines_against_a_second_reading(mission: str) -> None:
    dice = random.Random(7)
    t = Table("A-DE@A1", mission=mission)
    board = Board(t.state)
    houses = t.field.map.building_of
    shooter = t.unit("A-DE")
    for _ in range(60):
        here = dice.choice([s for s in board.squares() if name(s) not in houses])
        shooter.pos, shooter.face = name(here), dice.randrange(8)
        wanted: list[str] = []
        for square in houses:
            b = xy(square)
            path = board.trace(here, b)
            o = path[-2]
            if not 2 <= dist(here, b) <= 7 or board.arc(here, shooter.face, b) not in (7, 0, 1):
                continue
            if (o[0] != b[0]) == (o[1] != b[1]) or name(o) in houses or o == here:
                continue
            if board.edge(o, b) != "wall":
                continue
            if all(board.cost(path[i], path[i + 1]) for i in range(len(path) - 2)):
                wanted.append(square)
        field = t.field
        found = [s for s in rpg_squares(field, shooter) if why_no_rpg(field, shooter, s) is None]
        assert sorted(found) == sorted(wanted), (name(here), FACINGS[shooter.face])


# --- demo doors -------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.6")
def test_a_charge_wounds_whoever_is_beyond() -> None:
    t = Table("A-DE@E5", "A-M@F5").alone("A-DE").do("door", dir="E")
    assert t.hits("A-M") == 1 and t["squads.A.blasts_left"] == 1
    t = Table("A-DE@E5", "IN1@F5 hvt").alone("A-DE").do("door", dir="E")
    assert t["hvt"] == "captured" and (t["pool"], t["killed"]) == (20, 0)


@pytest.mark.rule("BG-4.6")
@pytest.mark.parametrize("beyond", ["CV1@F5 friendly", "HO1@F5", "HO1@F5 freed", "B-M@F5"])
def test_whom_a_charge_must_not_hurt(beyond: str) -> None:
    t = Table("A-DE@E5", "A-M@A1", beyond, mode="coop").alone("A-DE")
    assert "door" not in t.verbs()
    assert t.refused("door", dir="E") == "BG-4.6"


@pytest.mark.rule("BG-4.6", "BG-G.1")
def test_where_doors_can_be_blown() -> None:
    assert Table("A-DE@A10").alone("A-DE").refused("door", dir="S") == "BG-4.6"  # the board's edge
    assert Table("A-DE@D9").alone("A-DE").options("door") == ["N"]
    t = Table("A-DE@F3").alone("A-DE")  # the corner of the house, from inside
    assert t.options("door") == ["N", "W"]
    assert t.refused("door", dir="S") == "BG-4.6" == t.refused("door", dir="NE")
    t = Table("A-DE@F4").alone("A-DE")  # a door is no wall
    assert "door" not in t.verbs()


@pytest.mark.rule("BG-4.7")
def test_two_doors_a_game() -> None:
    t = Table("A-DE@F3").alone("A-DE").do("door", dir="N").done(QUIET)
    t.alone("A-DE").do("door", dir="W").done("IC42")
    assert t["doors.count"] == 2 and t["squads.A.blasts_left"] == 0
    t.alone("A-DE").move("F5", "N")
    assert "door" not in t.verbs() and t.refused("door", dir="W") == "BG-4.7"


@pytest.mark.rule("BG-4.8", "BG-4.26")
def test_a_demo_door_is_a_door_for_everybody() -> None:
    t = Table("A-L@G6", "A-M@G7", "IN1@A1")
    assert "activate_team" not in t.verbs()
    t.patch("doors", [{"a": "G6", "b": "G7", "squad": "B"}])
    assert t.options("activate_team") == ["A-L"]
    t = Table("IN1@E5").patch("doors", [{"a": "E5", "b": "F5", "squad": "A"}])
    assert Reach(t.field, t.unit("IN1"), 1).costs["F5"] == 1


@pytest.mark.rule("BG-4.8", "BG-3.2", "BG-4.28")
def test_but_it_is_no_opening() -> None:
    doors = [{"a": "E5", "b": "F5", "squad": "A"}]
    t = Table("A-L@D5").patch("doors", doors)
    assert {p.square for p in placements(t.field, "A")} == {"G3", "F4", "I5", "F6", "H6"}
    assert {d.door for d in rigged_doors(t.field, "A")} == {("E4", "F4"), ("I5", "J5")}
    t = Table("A-L@F4", "A-M@F5", "A-S@F6").patch("doors", doors).turn("A-L", QUIET)
    assert t["buildings.I.cleared"] is False  # F5 does not count


# --- rigged doors -----------------------------------------------------------------------------


@pytest.mark.rule("BG-5.13")
@pytest.mark.parametrize("mission", ["range", "hot-lz", "angel-down"])
def test_every_doors_squares_against_a_second_reading(mission: str) -> None:
    t = Table(mission=mission)
    board = Board(t.state)
    cut = 0
    for a, b in t.field.map.printed_doors:
        (ax, ay), (bx, by) = xy(a), xy(b)
        step = (0, 1) if ay == by else (1, 0)
        wanted = {a, b}
        for x, y in ((ax, ay), (bx, by)):
            for way in (1, -1):
                beside = (x + way * step[0], y + way * step[1])
                if board.on(beside) and board.cost((x, y), beside):
                    wanted.add(name(beside))
        cut += len(wanted) < 6
        assert set(door_ied_blast(t.field, (a, b)).squares) == wanted
    assert mission == "range" or cut  # some doors are close to other walls


@pytest.mark.rule("BG-5.13", "BG-9.14", "BG-4.21")
def test_a_rigged_door_hits_everybody_once_but_captives() -> None:
    t = Table("A-L@A1", "A-M@E3 h2", "HO1@E5 freed", "IN1@F4 hvt", "IN2@F3", "HO2@F5")
    t.turn("A-L", "IC58")
    assert t["squads.A.kia"] == ["A-M"] and t.hits("HO1") == 1
    assert t["hvt"] == "captured" and t["pool"] == 21 and t["killed"] == 0
    assert t.hits("HO2") == 0


@pytest.mark.rule("BG-5.13", "BG-A.7")
def test_each_door_explodes_once_and_stays_a_door() -> None:
    t = Table("A-L@D5").turn("A-L", "IC58")
    assert t["exploded"] == [["E4", "F4"]]
    assert t.field.grid.step_cost("E4", "F4") == 1
    t.turn("A-L", "IC59")
    assert t["exploded"] == [["E4", "F4"], ["I5", "J5"]]
    assert rigged_doors(t.field, "A") == []


@pytest.mark.rule("BG-5.15", "BG-5.13")
def test_no_door_left_and_still_the_insurgents_fire() -> None:
    t = Table("A-L@E10/E", "IN1@H10/W").patch("exploded", [("E4", "F4"), ("I5", "J5")])
    t.turn("A-L", "IC58", 3, 3)
    assert t["cards_used"] == 1


# --- vehicles ---------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.24", "BG-4.13")
def test_a_car_bomb_hurts_allied_units_of_any_squad_and_nobody_else() -> None:
    around = ["B-M@C7", "HO1@E7 freed", "HO2@E9", "IN1@C8", "A-S@F7"]
    t = Table("A-L@D7", "B-L@A1", "VH1@D8 ied_b", *around, mode="coop").turn("A-L", QUIET)
    assert [t.hits(u) for u in ("A-L", "B-M", "HO1", "HO2", "A-S")] == [1, 1, 1, 0, 0]
    assert t.where("IN1").startswith("C8") and t["vehicles.VH1.outcome"] == "exploded"


@pytest.mark.rule("BG-4.24", "BG-4.30")
def test_any_squads_demo_expert_defuses_type_a_and_no_kit_is_asked_for() -> None:
    t = Table("A-L@D7 +bombkit", "B-DE@C7", "VH1@D8 ied_a", mode="coop").turn("A-L", QUIET)
    assert t["vehicles.VH1.outcome"] == "defused" and t.unit("A-L").items == ["bombkit"]


@pytest.mark.rule("BG-4.24", "BG-G.3")
def test_a_demo_expert_behind_a_wall_defuses_nothing() -> None:
    t = Table("A-L@D7", "A-DE@D9", "VH1@D8 ied_a").turn("A-L", QUIET)
    assert t.hits("A-L") == 1 and t.hits("A-DE") == 0


@pytest.mark.rule("BG-4.25", "BG-4.24")
def test_a_vehicle_flips_once_and_stays() -> None:
    t = Table("A-L@D7", "VH1@D8 ied_b").turn("A-L", QUIET)
    t.turn("A-L", "IC42")
    assert t.hits("A-L") == 1
    t.alone("A-L")
    assert t.refused("move", to="D8", face="N") == "BG-10.3"


@pytest.mark.rule("BG-E.3", "BG-4.24")
def test_a_car_bomb_can_end_the_game() -> None:
    t = Table("A-L@D7 h2", "VH1@D8 ied_b").turn("A-L")
    assert t.cause == "BG-E.3" and t["cards_used"] == 0

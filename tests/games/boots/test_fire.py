"""Chapter 11: range, arcs, sight, cover, dice and what they do."""

from __future__ import annotations

import pytest

from games.boots.fire import has_cover, stand, why_no_sight
from games.kernel.event import Rolled
from tests.games.boots.board import FIRE, QUIET, Table


def shot(t: Table) -> Rolled:
    (event,) = t.events(Rolled)
    return event


def difference(t: Table) -> int:
    return shot(t).contests[0].difference


# --- may it be fired? -------------------------------------------------------------------------


@pytest.mark.rule("BG-11.0.1", "BG-11.3.1")
@pytest.mark.parametrize("unit", ["A-L", "A-M", "A-DE", "A-S", "A-HWE", "A-GI1"])
def test_range_is_five_for_everybody(unit: str) -> None:
    t = Table(f"{unit}@A10/E", "IN1@F10", "IN2@G9").alone(unit)
    assert t.options("fire") == ["IN1"]
    assert t.refused("fire", target="IN2") == "BG-11.3.1"


@pytest.mark.rule("BG-4.17", "BG-11.0.3", "BG-11.2.1")
def test_the_lone_sniper_still_needs_arc_and_sight() -> None:
    t = Table("A-SN@A10/E", "IN1@L10", "IN2@A1", "IN3@H4", "IN4@J9").alone("A-SN")
    assert t.options("fire") == ["IN4", "IN1"]
    assert t.refused("fire", target="IN2") == "BG-11.0.3"
    assert t.refused("fire", target="IN3") == "BG-11.2.1"


@pytest.mark.rule("BG-11.0.3", "BG-G.7")
@pytest.mark.parametrize(
    ("square", "front"),
    [
        ("D6", True),
        ("F7", True),
        ("G6", True),
        ("C7", True),
        ("B6", True),
        ("C8", False),
        ("G7", True),
        ("G8", False),
    ],
)
def test_front_arc(square: str, front: bool) -> None:
    t = Table("A-L@E8/N", f"IN1@{square}")
    at = stand(t.unit("A-L"))
    arc = t.field.grid.arc("E8", 0, square)
    assert (arc in (7, 0, 1)) == front
    assert ("IN1" in t.alone("A-L").options("fire")) == (
        front and why_no_sight(t.field, at, square) is None
    )


@pytest.mark.rule("BG-11.0.4", "BG-G.7")
@pytest.mark.parametrize(
    ("square", "bonus"),
    [("D6", 0), ("B7", 1), ("G9", 1), ("F10", 1), ("C8", 1), ("E10", 3), ("E9", 3), ("D9", 1)],
)
def test_tv13_bonus_by_the_targets_arc(square: str, bonus: int) -> None:
    """Both ways: an insurgent at the Leader, and the Leader at an insurgent."""
    grid = Table().field.grid
    face = grid.direction(square, "E8")
    t = Table(f"A-M@{square}", "IN1@E8/N").patch("units.A-M.face", face)
    assert difference(t.alone("A-M").fire("IN1", 2, 4)) == bonus - 2
    t = Table("A-M@E8/N", f"IN1@{square}").patch("units.IN1.face", face)
    assert difference(t.turn("A-M", FIRE, 3, 3)) == bonus


@pytest.mark.rule("BG-11.1.1", "BG-G.9", "BG-11.2.1")
@pytest.mark.parametrize(
    ("a", "b", "clear"),
    [
        ("D2", "H6", True), ("E2", "H6", False), ("C3", "G5", True), ("J2", "F6", False),
        ("L2", "I5", True), ("E7", "H5", False), ("G8", "H5", True),
    ],
)  # fmt: skip
def test_tv12_walls(a: str, b: str, clear: bool) -> None:
    t = Table(f"A-SN@{a}", f"IN1@{b}")
    for here, there, unit in ((a, b, "A-SN"), (b, a, "IN1")):
        refused = why_no_sight(t.field, stand(t.unit(unit)), there)
        assert (refused is None) == clear, (here, there)
        assert refused is None or refused.rule == "BG-11.2.1"


@pytest.mark.rule("BG-G.10", "BG-11.2.2", "BG-11.3.2", "BG-11.1.1")
@pytest.mark.parametrize(
    ("between", "alpha", "insurgent"),
    [
        ("CV1@D4 friendly", "BG-11.2.2", "BG-11.2.2"),
        ("IN2@D4", "BG-11.3.2", ""),
        ("A-M@D4", "", "BG-11.3.2"),
        ("B-M@D4", "", "BG-11.3.2"),
        ("HO1@D4 freed", "", "BG-11.3.2"),
        ("HO1@D4", "BG-G.10", "BG-G.10"),
        ("VH1@D4 safe", "", ""),
        ("LB1@D4 wmd", "", ""),
        ("A-M@D3", "", ""),
    ],
)
def test_tv12_who_blocks_sight(between: str, alpha: str, insurgent: str) -> None:
    """The line C3–G5 crosses D3 D4 E4 F4 F5 (D3 is where the soldier of the last line stands)."""
    t = Table("A-SN@C3/E", "IN1@G5/W", between, mode="coop")
    if between == "A-M@D3":
        insurgent = "BG-11.3.2"
    for unit, square, rule in (("A-SN", "G5", alpha), ("IN1", "C3", insurgent)):
        refused = why_no_sight(t.field, stand(t.unit(unit)), square)
        assert (refused.rule if refused else "") == rule


@pytest.mark.rule("BG-G.8", "BG-G.10")
def test_a_square_only_touched_at_the_corner_never_blocks() -> None:
    t = Table("A-SN@C6/E", "IN1@E8/W", "IN2@D6", "CV1@C7 friendly")
    assert why_no_sight(t.field, stand(t.unit("A-SN")), "E8") is None


@pytest.mark.rule("BG-11.3.3", "BG-11.2.1")
def test_doors_and_windows_let_fire_through_both_ways() -> None:
    for a, b in (("D4", "G4"), ("C6", "G6"), ("H5", "L5")):
        t = Table(f"A-L@{a}/E", f"IN1@{b}/W")
        assert why_no_sight(t.field, stand(t.unit("A-L")), b) is None
        assert why_no_sight(t.field, stand(t.unit("IN1")), a) is None


@pytest.mark.rule("BG-11.2.1", "BG-4.8")
def test_demo_doors_let_fire_through() -> None:
    t = Table("A-L@D5/E", "IN1@G5/W")
    refused = why_no_sight(t.field, stand(t.unit("A-L")), "G5")
    assert refused is not None and refused.rule == "BG-11.2.1"
    t.patch("doors", [{"a": "E5", "b": "F5", "squad": "A"}])
    assert why_no_sight(t.field, stand(t.unit("A-L")), "G5") is None
    assert why_no_sight(t.field, stand(t.unit("IN1")), "D5") is None


@pytest.mark.rule("BG-11.3.4")
@pytest.mark.parametrize("target", ["A-M", "B-M", "HO1", "HO2", "CV1", "A-L", "IN9", "nobody"])
def test_what_is_never_a_target(target: str) -> None:
    around = ["A-M@F9", "B-M@F10", "HO1@G9", "HO2@G10 freed", "CV1@F8 friendly", "IN1@E7"]
    t = Table("A-L@E9/N", *around, mode="coop").alone("A-L")
    assert t.options("fire") == ["IN1"]
    assert t.refused("fire", target=target) == "BG-11.3.4"


@pytest.mark.rule("BG-4.20", "BG-11.3.4")
def test_hostages_never_fire_and_captives_are_never_shot() -> None:
    t = Table("HO1@E9 freed", "A-M@E10", "IN1@G9").team("A-M").select("HO1")
    assert "fire" not in t.verbs() and t.refused("fire", target="IN1") == "BG-4.20"
    t = Table("HO1@E9", "A-M@A1", "IN1@G9/W")
    t.turn("A-M", FIRE)  # no dice: the captive is no target


# --- cover ------------------------------------------------------------------------------------


@pytest.mark.rule("BG-G.11", "BG-11.2.3", "BG-3.4")
@pytest.mark.parametrize(
    ("shooter", "target", "cover"),
    [
        ("A4", "D4", True), ("A3", "D4", True), ("A6", "D3", True), ("B4", "D4", False),
        ("B4", "E4", False), ("D4", "A4", False), ("C6", "E8", True), ("L9", "J7", True),
    ],
)  # fmt: skip
def test_tv14_cover(shooter: str, target: str, cover: bool) -> None:
    t = Table("VH1@D8 safe", "VH2@K7 ied_b")
    assert has_cover(t.field, shooter, target) == cover


@pytest.mark.rule("BG-G.11", "BG-11.2.3", "BG-11.4.1")
def test_cover_counts_once_however_many_vehicles() -> None:
    t = Table("A-L@A10/E", "IN1@D10/W", "VH1@C10 safe", "VH2@C9 safe", "VH3@B9 safe").alone("A-L")
    assert difference(t.fire("IN1", 3, 3)) == 3 + 1 - 3 - 1
    assert [m.name for m in shot(t).contests[0].defender.modifiers] == ["cover"]


@pytest.mark.rule("BG-11.2.3", "BG-4.25")
def test_a_car_behind_a_wall_is_no_cover() -> None:
    """VH1@D8 and D9 are not adjacent: a wall runs between them."""
    t = Table("VH1@D8 safe")
    assert not has_cover(t.field, "D6", "D9")


# --- modifiers --------------------------------------------------------------------------------


@pytest.mark.rule("BG-3.5", "BG-2.5", "BG-4.1", "BG-4.5", "BG-4.14", "BG-4.18", "BG-11.4.1")
@pytest.mark.parametrize(
    ("unit", "alone"),
    [("A-L", 1), ("A-M", 0), ("A-DE", 0), ("A-S", -2), ("A-HWE", 2), ("A-SN", 1), ("A-GI1", -2)],
)
def test_fire_modifiers(unit: str, alone: int) -> None:
    t = Table(f"{unit}@E10/E", "IN1@H10/W").alone(unit)
    assert difference(t.fire("IN1", 2, 4)) == alone - 2
    t = Table(f"{unit}@E10/E", "HO1@E9 freed", "IN1@H10/W").team(unit).select(unit)
    assert difference(t.fire("IN1", 2, 4)) == -2


@pytest.mark.rule("BG-10.12", "BG-11.6.2")
@pytest.mark.parametrize("hits", ["h1", "h2"])
def test_wounds_do_not_spoil_the_aim(hits: str) -> None:
    t = Table(f"A-L@E10/E {hits}", "IN1@H10/W").alone("A-L")
    assert difference(t.fire("IN1", 2, 5)) == -2


@pytest.mark.rule("BG-4.19", "BG-5.10", "BG-9.14")
@pytest.mark.parametrize(("role", "bonus"), [("", 0), ("hwe", 2), ("sniper", 1), ("hvt", 1)])
def test_insurgents_modifiers(role: str, bonus: int) -> None:
    t = Table("A-M@E10/E", f"IN1@H10/W {role}").turn("A-M", FIRE, 1, 3)
    assert difference(t) == bonus - 2


@pytest.mark.rule("BG-11.4.1", "BG-4.1", "BG-11.2.3")
def test_everything_adds_up() -> None:
    """Rear +3 and marksman +1 against cover +1 and shield +1."""
    t = Table("A-L@C10/W", "A-M@D9/W", "VH1@E9 safe", "IN1@H9/W sniper")
    t.team("A-L").done(FIRE, 1, 3)
    assert difference(t) == 1 + 3 + 1 - 3 - 1 - 1
    (contest,) = shot(t).contests
    assert [(m.value) for m in contest.attacker.modifiers] == [1, 3]
    assert [m.name for m in contest.defender.modifiers] == ["cover", "Leader’s shield"]


# --- the chart --------------------------------------------------------------------------------

THROWS = [(a, d) for a in range(1, 7) for d in range(1, 7)]


@pytest.mark.rule("BG-11.4.2", "BG-3.7", "BG-11.6.1")
@pytest.mark.parametrize(("attack", "defence"), THROWS)
@pytest.mark.parametrize("rear", [0, 3])
def test_allied_chart(attack: int, defence: int, rear: int) -> None:
    t = Table("A-M@E10/E", f"IN1@H10/{'E' if rear else 'W'}")
    t.alone("A-M").fire("IN1", attack, defence)
    d = attack + rear - defence
    assert difference(t) == d
    assert t["killed"] == (d >= 2)
    assert t["pool"] == 20 + (0 <= d <= 1)
    assert (t.where("IN1") == "") == (d >= 0)
    assert t.hits("A-M") == (d <= -4)


@pytest.mark.rule("BG-11.4.3", "BG-11.6.1", "BG-8.3")
@pytest.mark.parametrize(("attack", "defence"), THROWS)
@pytest.mark.parametrize("rear", [0, 3])
def test_insurgent_chart(attack: int, defence: int, rear: int) -> None:
    t = Table("A-M@H10/E" if rear else "A-M@H10/W", "A-L@A1", "IN1@E10/E")
    t.turn("A-L", FIRE, attack, defence)
    d = attack + rear - defence
    assert difference(t) == d
    assert (t["units.A-M.status"] == "kia") == (d >= 4)
    assert t.hits("A-M") == (1 <= d <= 3)
    assert (t.where("IN1") == "") == (d <= -3)
    assert t["pool"] == 20 + (d <= -3) and t["killed"] == 0


@pytest.mark.rule("BG-3.6", "BG-4.27", "BG-11.6.1")
def test_hits_one_two_three() -> None:
    t = Table("A-M@H10/W", "A-L@A1", "IN1@D10/E")
    for number, card in enumerate(("IC53", "IC54", "IC55")):  # nobody is near enough to throw
        assert t.hits("A-M") == number
        t.turn("A-L", card, 4, 3)
    assert t["units.A-M"] is False and t["squads.A.kia"] == ["A-M"]


# --- heavy weapons ----------------------------------------------------------------------------


@pytest.mark.rule("BG-4.16", "BG-7.6")
def test_spread_has_no_bonus_but_each_target_its_own_modifiers() -> None:
    t = Table("A-HWE@E9/E", "IN1@G9/E", "IN2@H9/W", "IN3@G8/W", "VH1@G10 safe").alone("A-HWE")
    assert t.refused("spread", targets=("IN1", "IN2")) == "BG-11.3.2"  # IN1 shields IN2
    t.do("spread", 1, 4, 5, targets=("IN3", "IN1"))
    assert [c.difference for c in shot(t).contests] == [1 - 4, 1 + 3 - 5]
    assert "fire" not in t.verbs() and t.refused("fire", target="IN1") == "BG-7.5"


@pytest.mark.rule("BG-4.16")
@pytest.mark.parametrize(
    ("targets", "rule"),
    [
        (("IN1",), "BG-4.16"),
        ("IN1", "BG-4.16"),
        (("IN1", "IN1"), "BG-4.16"),
        (("IN1", "IN2", "IN3", "IN4"), "BG-4.16"),
        ((), "BG-4.16"),
        (("IN1", "IN9"), "BG-11.3.4"),
        (("IN1", "A-M"), "BG-11.3.4"),
        (("IN1", "IN5"), "BG-11.0.3"),
    ],
)
def test_spread_takes_two_or_three_different_legal_targets(
    targets: tuple[str, ...] | str, rule: str
) -> None:
    around = ["IN1@G8/W", "IN2@G9/W", "IN3@G10/W", "IN4@F7/W", "IN5@A9/W", "A-M@E10"]
    t = Table("A-HWE@E9/E", *around).alone("A-HWE")
    assert t.refused("spread", targets=targets) == rule


@pytest.mark.rule("BG-4.16", "BG-2.7")
def test_no_spread_in_a_team_nor_by_others() -> None:
    around = ["IN1@G8/W", "IN2@G9/W"]
    t = Table("A-HWE@E9/E", "A-M@E10", *around).team("A-M").select("A-HWE")
    assert "spread" not in t.verbs()
    assert t.refused("spread", targets=("IN1", "IN2")) == "BG-2.7"
    t = Table("A-L@E9/E", *around).alone("A-L")
    assert t.refused("spread", targets=("IN1", "IN2")) == "BG-4.16"


@pytest.mark.rule("BG-4.16")
def test_several_bad_shots_wound_once_and_last() -> None:
    """At two hits he dies of it, but first the third target falls."""
    around = ["IN1@G8/W", "IN2@G9/W", "IN3@G10/E"]
    t = Table("A-HWE@E9/E", "A-M@A1", *around).alone("A-HWE")
    t.do("spread", 1, 5, 6, 1, targets=("IN1", "IN2", "IN3"))
    assert t.hits("A-HWE") == 1 and t.where("IN3") == ""
    t = Table("A-HWE@E9/E h2", "A-M@A1", *around).alone("A-HWE")
    t.do("spread", 1, 5, 6, 1, QUIET, targets=("IN1", "IN2", "IN3"))
    assert t["squads.A.kia"] == ["A-HWE"]
    assert t["pool"] == 21 and t.where("IN3") == "" and t.where("IN1") and t.where("IN2")


@pytest.mark.rule("BG-4.16", "BG-5.10", "BG-A.8")
def test_machine_gunners_bad_spread_costs_him_once() -> None:
    t = Table("A-L@C10/E", "A-M@C9/E", "A-S@A1", "IN1@F9/W hwe")
    t.turn("A-S", FIRE, 1, 4, 4)
    assert t.where("IN1") == "" and t["pool"] == 21


# --- the shield -------------------------------------------------------------------------------


def shielded(t: Table) -> bool:
    return any("shield" in m.name for c in shot(t).contests for m in c.defender.modifiers)


@pytest.mark.rule("BG-4.1", "BG-2.7")
@pytest.mark.parametrize("neighbour", ["A-S@E10/E", "A-GI1@E10/E", "HO1@E10 freed"])
def test_the_shield_covers_the_whole_squad(neighbour: str) -> None:
    name = neighbour.split("@", maxsplit=1)[0]
    t = Table("A-L@D10/E", neighbour, "IN1@I10/W").team("A-L").done(FIRE, 3, 3)
    assert shielded(t) and name


@pytest.mark.rule("BG-4.1", "BG-G.3")
def test_the_shield_needs_the_leader_beside() -> None:
    t = Table("A-L@D9/E", "A-M@E10/E", "A-S@D10/E", "IN1@I10/W")
    t.team("A-L").done(FIRE, 3, 3)
    assert shielded(t)  # A-M is diagonally beside him
    t = Table("A-L@C9/E", "A-M@E10/E", "A-S@D9/E", "IN1@I10/W")
    t.team("A-L").done(FIRE, 3, 3)
    assert not shielded(t)  # in the team, but two squares away
    t = Table("A-L@D9/E", "A-M@E8/W", "A-S@D8/W", "IN1@A8/E")
    t.team("A-L").done(FIRE, 3, 3)
    assert not shielded(t)  # a wall between him and the Scout


@pytest.mark.rule("BG-4.1")
def test_the_shield_ends_with_the_next_activation_or_the_leader() -> None:
    t = Table("A-L@D10/E", "A-M@E10/E", "IN1@I10/W").team("A-L").done(QUIET)
    assert t["squads.A.leader_shield"] is True
    t.alone("A-M")
    assert t["squads.A.leader_shield"] is False
    t.done(FIRE, 3, 3)
    assert not shielded(t)
    t = Table("A-L@D10/E h2", "A-M@E10/E", "IN1@A10/E", "IN2@I10/W")
    t.patch("squads.A.gi_left", 0).team("A-L").done("IC60", 1, 3, 3, 3)
    assert t["squads.A.kia"] == ["A-L"]  # shot first, and then the shield is gone
    assert not any("shield" in m.name for m in t.events(Rolled)[1].contests[0].defender.modifiers)


@pytest.mark.rule("BG-4.1")
def test_no_shield_when_the_leader_died_in_his_teams_activation() -> None:
    t = Table("A-L@D10/E h2", "A-M@E10/E", "IN1@I10/W", "IN2@G9/W").team("A-L").select("A-L")
    t.fire("IN2", 1, 5).done(FIRE, 3, 3, 3, 3)
    assert t["squads.A.kia"] == ["A-L"] and t["squads.A.leader_shield"] is False


@pytest.mark.rule("BG-4.1", "BG-4.23")
def test_the_shield_holds_against_men_revealed_in_the_crowd() -> None:
    t = Table("A-L@D10/E", "A-M@E10/E", "CV1@F10 insurgent").team("A-L").done(3, 3, QUIET)
    assert shielded(t)


@pytest.mark.rule("BG-4.1")
def test_the_other_squads_leader_shields_nobody() -> None:
    t = Table("A-L@D10/E", "A-S@C9", "B-M@E10/E", "IN1@I10/W", mode="coop")
    t.team("A-L").done(FIRE)  # nobody of Alpha is in reach
    t.bravo().turn("B-M", "IC38", 3, 3)
    assert not shielded(t)


# --- who is shot at ---------------------------------------------------------------------------


@pytest.mark.rule("BG-8.4", "BG-2.2")
def test_only_the_squad_just_activated_is_shot_at() -> None:
    t = Table("A-L@A1", "B-L@E10/E", "IN1@G10/W", mode="coop")
    t.turn("A-L", FIRE)
    t.bravo().turn("B-L", "IC38", 3, 3)
    assert "Bravo’s Leader" in t.texts


@pytest.mark.rule("BG-4.22", "BG-11.0.4")
def test_hostages_have_no_back() -> None:
    for square in ("C10", "I10"):
        t = Table("HO1@F10 freed", "A-M@A1", f"IN1@{square}")
        t.patch("units.IN1.face", t.field.grid.direction(square, "F10"))
        t.turn("A-M", FIRE, 3, 3)
        assert difference(t) == 0


@pytest.mark.rule("BG-8.6")
def test_a_death_opens_the_next_shot() -> None:
    t = Table("A-L@H10/W", "A-M@G10/W h2", "A-S@A1", "IN1@D10/E", "IN2@C10/E")
    t.turn("A-S", "IC58", 4, 3, 4, 3)  # the door blows up with nobody near
    assert t["squads.A.kia"] == ["A-M"] and t.hits("A-L") == 1


@pytest.mark.rule("BG-8.6", "BG-8.3")
def test_nobody_fires_twice_and_there_is_no_pass() -> None:
    t = Table("A-L@F10/W", "IN1@D10/E", "IN2@C10/E").turn("A-L", FIRE, 3, 3, 3, 3)
    assert len(t.events(Rolled)) == 2

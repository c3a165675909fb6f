"""What specialists and kits can do, alone and in a team."""

from __future__ import annotations

import pytest

from games.kernel.event import Drew, Exploded, Rolled
from tests.games.boots.board import FIRE, QUIET, Table

# --- activations ------------------------------------------------------------------------------


@pytest.mark.rule("BG-2.1", "BG-2.5", "BG-7.1", "BG-4.22")
def test_any_unit_of_the_squad_any_number_of_turns() -> None:
    t = Table("A-L@E9", "A-GI1@A1", "HO1@E10 freed", "HO2@L10", "B-L@L1", mode="coop")
    assert t.options("activate") == ["A-L", "A-GI1", "HO1"]
    for name in ("B-L", "HO2", "A-M", "IN1", ""):
        assert t.refused("activate", unit=name) == "BG-7.1"
    t.turn("A-L", QUIET).bravo().turn("B-L", "IC42").alpha().turn("A-L", "IC43")  # doing nothing
    t.bravo().alone("B-L").alpha()
    assert t.refused("activate", unit="A-L") == "BG-6.3"


@pytest.mark.rule("BG-2.3", "BG-7.2", "BG-2.1")
def test_a_team_is_the_whole_chain_and_never_two_squads() -> None:
    t = Table("A-L@A10", "A-M@B10", "HO1@C10 freed", "A-S@D10", "B-L@E10", "A-DE@F10", mode="coop")
    assert t.options("activate_team") == ["A-L"]
    assert t.team("HO1").state.activation
    assert t["activation.members"] == ["A-L", "A-M", "A-S", "HO1"]  # canonical, hostages last
    assert t.options("select") == ["A-L", "A-M", "A-S", "HO1"]


@pytest.mark.rule("BG-2.3")
def test_no_team_of_one() -> None:
    t = Table("A-L@A10", "A-M@L1", "HO1@A9")  # a captive is not of the squad
    assert "activate_team" not in t.verbs()
    assert t.refused("activate_team", unit="A-L") == "BG-2.3"


@pytest.mark.rule("BG-2.4", "BG-7.4", "BG-7.6")
def test_members_act_one_at_a_time() -> None:
    t = Table("A-L@A10/E", "A-M@A9/E", "IN1@D10/W", "IN2@D9/W").team("A-L")
    assert t.refused("move", to="B10", face="E") == "BG-7.4"
    assert t.refused("fire", target="IN1") == "BG-7.4"
    t.select("A-L").fire("IN1", 3, 5).move("B10", "E")
    assert t.refused("fire", target="IN1") == "BG-7.6"
    t.select("A-M").move("B9", "E").fire("IN2", 3, 5).move("B8", "E")
    assert t.refused("select", unit="A-L") == "BG-7.4" == t.refused("select", unit="A-M")
    assert "select" not in t.verbs()


@pytest.mark.rule("BG-7.8", "BG-7.4")
def test_a_team_goes_on_without_its_dead() -> None:
    t = Table("A-L@A10/E h2", "A-M@A9/E", "IN1@D10/W").team("A-L").select("A-L")
    t.fire("IN1", 1, 5)
    assert t["activation.current"] == "" and t["activation.members"] == ["A-M"]
    assert t.refused("move", to="B9", face="E") == "BG-7.4"
    assert t.select("A-M").move("B9", "E").mp("A-M") == 2


@pytest.mark.rule("BG-7.8")
def test_a_team_may_die_out() -> None:
    t = Table("A-L@A10/E h2", "A-M@A9/E h2", "A-S@L1", "IN1@D10/W").team("A-L")
    t.select("A-L").fire("IN1", 1, 5).select("A-M").fire("IN1", 1, 5, QUIET)
    assert t["squads.A.kia"] == ["A-L", "A-M"] and t["cards_used"] == 1


@pytest.mark.rule("BG-7.5", "BG-7.6", "BG-7.7")
def test_one_action_alone_whatever_it_is() -> None:
    t = Table("A-DE@E9/E", "IN1@H9/W").alone("A-DE").do("grenade", square="G7")
    for verb, slots in (
        ("fire", {"target": "IN1"}),
        ("grenade", {"square": "G8"}),
        ("rpg", {"square": "F6"}),
        ("door", {"dir": "N"}),
    ):
        assert verb not in t.verbs()
        assert t.refused(verb, **slots) == "BG-7.5"
    assert t.move("G10", "E").mp("A-DE") == 2


@pytest.mark.rule("BG-2.7", "BG-7.3", "BG-4.5")
def test_no_special_abilities_in_a_team() -> None:
    around = ["IN1@H9/W", "IN2@H10/W", "A-L@E10 h1 +health +grenade"]
    t = Table("A-DE@E8/N", "A-S@E9", "A-HWE@D10/E", "A-M@D9", *around).team("A-L")
    tried = {
        "A-DE": [("door", {"dir": "N"}), ("grenade", {"square": "G9"}), ("rpg", {"square": "F6"})],
        "A-S": [("recon", {})],
        "A-HWE": [("spread", {"targets": ("IN1", "IN2")})],
        "A-M": [("escort", {"unit": "A-L", "to": "D8", "face": "N"})],
        "A-L": [("kit_heal", {"unit": "A-L"}), ("grenade", {"square": "G9"})],
    }
    for unit, verbs in tried.items():
        t.select(unit)
        for verb, slots in verbs:
            assert verb not in t.verbs(), unit
            assert t.refused(verb, **slots) == "BG-2.7", (unit, verb)


@pytest.mark.rule("BG-4.18", "BG-2.5")
def test_gis_have_no_ability() -> None:
    t = Table("A-GI1@E9/E", "A-M@F9 h1", "IN1@H9/W", "IN2@H10/W").alone("A-GI1")
    assert t.verbs() == ["move", "fire", "done", "concede"]


# --- the Medic --------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.2", "BG-4.21", "BG-4.27")
def test_whom_the_medic_treats() -> None:
    around = ["A-S@F9 h1", "B-L@F10 h2", "HO1@D9 freed h1", "HO2@E10 h2", "A-DE@F8", "IN1@D10 h1"]
    t = Table("A-M@E9/W h1", "A-SN@C9 h1", *around, mode="coop").alone("A-M")
    assert t.options("treat") == ["A-S", "HO1", "B-L", "HO2"]  # not himself, the hale, the distant
    for name in ("A-M", "A-DE", "A-SN", "IN1", "CV1"):
        assert t.refused("treat", unit=name) == "BG-4.2"
    t.do("treat", unit="HO2")
    assert t.hits("HO2") == 1 and t.unit("HO2").status == "captive"
    assert t.move("E8", "W").mp("A-M") == 2


@pytest.mark.rule("BG-4.2", "BG-4.27")
def test_critical_wounded_unhurt() -> None:
    t = Table("A-M@E9", "A-S@F9 h2")
    for left, card in ((1, "IC41"), (0, "IC42")):
        t.alone("A-M").do("treat", unit="A-S").done(card)
        assert t.hits("A-S") == left
    t.alone("A-M")
    assert "treat" not in t.verbs() and t.refused("treat", unit="A-S") == "BG-4.2"


@pytest.mark.rule("BG-4.2", "BG-7.5")
def test_the_medic_who_has_fired_does_not_treat() -> None:
    t = Table("A-M@E9/E", "A-S@F10 h2", "IN1@H9/W").alone("A-M").fire("IN1", 3, 5)
    assert t.refused("treat", unit="A-S") == "BG-7.5"
    t = Table("A-M@D9/N", "A-S@D8 h1").alone("A-M")  # a wall between
    assert t.refused("treat", unit="A-S") == "BG-4.2"
    t = Table("A-L@E9", "A-S@F9 h1").alone("A-L")
    assert t.refused("treat", unit="A-S") == "BG-4.2"


@pytest.mark.rule("BG-4.4")
def test_self_aid_needs_a_comrade_beside() -> None:
    t = Table("A-M@E9 h1", "A-S@E10").team("A-M").select("A-M")
    assert t.options("treat") == ["A-M"] and t.refused("treat", unit="A-S") == "BG-4.4"
    t.move("G9", "N")
    assert "treat" not in t.verbs() and t.refused("treat", unit="A-M") == "BG-4.4"
    t = Table("A-M@E9", "A-S@E10 h1").team("A-M").select("A-M")
    assert t.refused("treat", unit="A-S") == "BG-4.4" == t.refused("treat", unit="A-M")
    t = Table("A-M@E9 h1", "A-S@E10").team("A-M").select("A-M").move("F9", "N")
    assert t.options("treat") == ["A-M"]  # still beside the Scout


@pytest.mark.rule("BG-4.4")
def test_a_captive_is_no_comrade() -> None:
    t = Table("A-M@E9 h1", "A-S@E10", "HO1@H9").team("A-M").select("A-M").move("G9", "N")
    assert "treat" not in t.verbs()
    t = Table("A-M@E9 h1", "A-S@E10", "B-L@H9", mode="coop").team("A-M").select("A-M")
    assert t.move("G9", "N").options("treat") == ["A-M"]  # an allied unit of any squad is


# --- escort -----------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.3", "BG-4.20")
def test_escort_of_a_hostage() -> None:
    t = Table("A-M@E8/N", "HO1@E9 freed").alone("A-M").move("H7", "N")
    assert t.options("escort") == ["HO1"]
    assert "H7" not in t.options("escort", "to", unit="HO1")
    t.do("escort", unit="HO1", to="G8")  # no facing is asked for
    assert t.unit("HO1").pos == "G8" and t.verbs() == ["done", "concede"]


@pytest.mark.rule("BG-4.3", "BG-10.12", "BG-10.14")
def test_escort_goes_as_far_as_the_medic_could() -> None:
    t = Table("A-M@E8/N h1", "A-L@D7/N h2").alone("A-M").move("H7", "E")  # all 3 of his points
    assert t.mp("A-M") == 0
    # the Leader has 3 as well, whatever his own ladder says: G6 and G8 are 3 away, H8 is 4
    assert set(t.options("escort", "to", unit="A-L")) == {"G7", "G8"}
    assert t.refused("escort", unit="A-L", to="H8", face="N") == "BG-4.3"


@pytest.mark.rule("BG-4.3")
@pytest.mark.parametrize(
    "other",
    ["A-L@F9", "A-L@G9 h1", "HO1@F9", "B-L@F9 h1", "A-GI1@D9 h0"],
)
def test_who_is_not_escorted(other: str) -> None:
    """The unhurt, those not beside him at the start, captives, the other squad."""
    t = Table("A-M@E9/N", other.replace(" h0", ""), "B-S@A1", mode="coop").alone("A-M")
    t.move("F8", "N")
    assert "escort" not in t.verbs()
    unit = other.split("@", maxsplit=1)[0]
    assert t.refused("escort", unit=unit, to="G8", face="N") == "BG-4.3"


@pytest.mark.rule("BG-4.3", "BG-7.5")
def test_escort_is_his_action() -> None:
    t = Table("A-M@E9/E", "A-GI1@F10 h1", "IN1@H9/W").alone("A-M").fire("IN1", 3, 5)
    assert t.refused("escort", unit="A-GI1", to="F9", face="N") == "BG-7.5"
    t = Table("A-L@E9", "A-GI1@F10 h1").alone("A-L")
    assert t.refused("escort", unit="A-GI1", to="F9", face="N") == "BG-4.3"


@pytest.mark.rule("BG-4.3")
def test_an_escorted_soldier_may_face_anywhere() -> None:
    t = Table("A-M@E9/E", "A-GI1@F10/N h1").alone("A-M")
    t.do("escort", unit="A-GI1", to="D8", face="SW")
    assert t.where("A-GI1") == "D8/SW"


# --- kits -------------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.31", "BG-7.5")
def test_the_health_kit() -> None:
    t = Table("A-L@E9/E h2 +health", "A-S@F10 h1", "HO1@E10 h1", "IN1@H9/W").alone("A-L")
    assert t.options("kit_heal") == ["A-L", "A-S", "HO1"]
    assert t.refused("kit_heal", unit="IN1") == "BG-4.31"
    t.do("kit_heal", unit="A-L")
    assert t.hits("A-L") == 1 and t.unit("A-L").items == []
    assert "fire" not in t.verbs()
    t.done(QUIET).alone("A-L")
    assert t.refused("kit_heal", unit="A-L") == "BG-4.31"  # used once


@pytest.mark.rule("BG-4.31")
def test_nobody_to_heal() -> None:
    t = Table("A-L@E9/E +health", "A-S@F10").alone("A-L")
    assert "kit_heal" not in t.verbs() and t.refused("kit_heal", unit="A-S") == "BG-4.31"


@pytest.mark.rule("BG-4.32", "BG-4.9")
def test_the_grenade_kit() -> None:
    t = Table("A-L@E9/N +grenade", "IN1@G9").alone("A-L").do("grenade", square="G9")
    assert t["killed"] == 1 and t.unit("A-L").items == []
    t.done(QUIET).alone("A-L")
    assert t.refused("grenade", square="G9") in ("BG-4.9", "BG-4.32")


@pytest.mark.rule("BG-4.32", "BG-4.5")
def test_the_demo_expert_chooses_which_grenade() -> None:
    t = Table("A-DE@E9 +grenade").alone("A-DE").do("grenade", square="G9")
    assert t.unit("A-DE").items == ["grenade"]  # his own comes first
    t = Table("A-DE@E9 +grenade").alone("A-DE").do("grenade", square="G9", source="kit")
    assert t.unit("A-DE").items == []
    t = Table("A-DE@E9").alone("A-DE")
    assert t.refused("grenade", square="G9", source="kit") == "BG-4.32"


@pytest.mark.rule("BG-4.34", "BG-4.20")
def test_items_die_with_their_bearer_and_are_not_handed_over() -> None:
    t = Table("A-L@A10/E h2 +health +bombkit +wmd", "A-M@L1", "IN1@D10/W").alone("A-L")
    t.fire("IN1", 1, 6, QUIET)
    assert t.unit("A-L").items == [] and t["wmd.where"] == "A10"


# --- the Scout --------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.14", "BG-7.5", "BG-8.1")
def test_recon_is_in_addition() -> None:
    t = Table("A-S@E10/E", "IN1@I10/W").alone("A-S").fire("IN1", 3, 1).do("recon", QUIET)
    assert t.events(Drew)[0].text.startswith("Next card") and t["cards_used"] == 0
    assert t.refused("recon") == "BG-4.14"
    t.move("F10", "E").done()  # no new draw: the very card comes
    assert t["discard"] == [QUIET] and t["cards_used"] == 1


@pytest.mark.rule("BG-4.14")
def test_only_the_scout_alone_scouts() -> None:
    assert Table("A-L@E10").alone("A-L").refused("recon") == "BG-4.14"
    t = Table("A-S@E10", "A-L@E9").team("A-S").select("A-S")
    assert t.refused("recon") == "BG-2.7"


@pytest.mark.rule("BG-4.15", "BG-5.3")
def test_scouted_movers_hold_their_fire_even_those_that_stay() -> None:
    t = Table("A-S@E10/E", "IN1@D10/E", "IN2@J10/W").alone("A-S").do("recon", "IC19")
    t.done(3, 3)  # IN1 stays behind him with the best shot; IN2, not selected, fires
    assert t.where("IN1") == "D10/E" and len(t.events(Rolled)) == 1
    assert t.events(Rolled)[0].title.startswith("Insurgent 2")


@pytest.mark.rule("BG-4.15")
def test_scouting_does_not_soften_roles_grenades_or_doors() -> None:
    t = Table("A-S@E10/E", "IN1@I10/W").alone("A-S").do("recon", "IC45").done(1, 2)
    assert t.events(Rolled)[0].contests[0].difference == 1  # +2, and it fires
    t = Table("A-S@E10/E", "A-M@A1", "IN1@G10/W").alone("A-S").do("recon", "IC53").done()
    assert len(t.events(Exploded)) == 1 and t["squads.A.kia"] == ["A-S"]
    t = Table("A-S@E5", "A-M@A1").alone("A-S").do("recon", "IC58").done()
    assert t.hits("A-S") == 1


@pytest.mark.rule("BG-4.15")
def test_a_scouted_card_silences_for_that_card_only() -> None:
    t = Table("A-S@D5/E").alone("A-S").do("recon", "IC01").done()
    t.turn("A-S", "IC37", 3, 3)
    assert t.where("IN1").startswith("F4")


@pytest.mark.rule("BG-4.14", "BG-4.15")
def test_a_scouted_card_still_counts_when_only_the_scout_died() -> None:
    t = Table("A-S@D7/N h2", "A-L@D5/E", "VH1@D8 ied_b").alone("A-S").do("recon", "IC01")
    t.done()
    assert t["squads.A.kia"] == ["A-S"] and t["pool"] == 19 and not t.events(Rolled)


@pytest.mark.rule("BG-4.14", "BG-8.8")
def test_scouting_an_empty_endless_deck_reshuffles() -> None:
    three = ["A-S@A1", "A-L@A2", "A-M@B1"]
    t = Table(*three, mission="most-wanted").patch("deck", []).patch("discard", ["IC41", "IC01"])
    t.alone("A-S").do("recon", "IC41")
    assert t["next_card"] == "IC41" and t["deck"] == ["IC01"] and t["discard"] == []
    t.done()
    assert t["discard"] == ["IC41"]


# --- the Sniper -------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.17", "BG-11.3.1", "BG-5.10")
def test_only_the_lone_sniper_answers_a_distant_marksman() -> None:
    t = Table("A-SN@A10/E", "A-L@A9/E", "IN1@I10/W sniper")
    t.turn("A-L", FIRE, 3, 4)  # 3 + 1 - 4: nothing, at nine squares
    assert len(t.events(Rolled)) == 1
    assert "fire" not in t.team("A-SN").select("A-SN").verbs()
    t.done(QUIET)
    assert t.alone("A-SN").options("fire") == ["IN1"]

"""Chapters 5 and 8: the Intel cards, the FIRE step, the deck."""

from __future__ import annotations

from collections import Counter

import pytest

from games.kernel.event import Drew, Exploded, Rolled
from tests.games.boots.board import FIRE, QUIET, Table

# --- the deck ---------------------------------------------------------------------------------

CARDS = {
    ("place", 1): 6, ("place", 2): 6, ("place", 3): 4, ("place", 4): 2,
    ("move", 1): 4, ("move", 2): 5, ("move", 3): 4, ("move", 4): 2, ("move_all", None): 3,
    ("medivac", None): 4, ("take_cover", None): 4, ("role", None): 8, ("grenade", None): 3,
    ("kia_gi", None): 2, ("door_ied", None): 2, ("reinforce", None): 1,
}  # fmt: skip


@pytest.mark.rule("BG-3.9", "BG-5.1", "BG-8.7")
def test_the_sixty_cards() -> None:
    cards = Table().game.content.cards
    assert Counter((c.event, c.n) for c in cards.values()) == CARDS
    roles = Counter((c.role, c.span) for c in cards.values() if c.event == "role")
    assert roles == {
        ("hwe", "game"): 1, ("demo", "game"): 1, ("sniper", "game"): 1,
        ("hwe", "turn"): 2, ("demo", "turn"): 1, ("sniper", "turn"): 2,
    }  # fmt: skip


@pytest.mark.rule("BG-8.7", "BG-8.1", "BG-5.1")
def test_any_card_may_come_first_and_each_but_once() -> None:
    t = Table("A-L@A1")
    assert len(t["deck"]) == 60 and t["cards_total"] == 60
    t.turn("A-L", QUIET)
    assert QUIET not in t["deck"] and t["deck.count"] == 59 and t["discard"] == [QUIET]
    assert len(t.events(Drew)) == 1


@pytest.mark.rule("BG-8.9", "BG-E.4", "BG-8.7")
def test_the_deck_is_cut_to_the_missions_number() -> None:
    three = ["A-L@E20", "A-M@E19", "A-S@D20"]
    t = Table(*three, mission="hot-lz", cards_delta="-15")
    assert t["cards_total"] == 5
    for number in range(1, 6):
        assert t.cause == ""
        t.turn("A-L", ("IC41", "IC42", "IC43", "IC44", "IC56")[number - 1])
    assert t.cause == "BG-E.4" and t["cards_used"] == 5 and t["deck.count"] == 55
    assert t.verbs() == [] and t.refused("activate", unit="A-L") == ""


@pytest.mark.rule("BG-8.8")
def test_an_endless_deck_is_reshuffled_when_a_card_is_needed() -> None:
    three = ["A-L@A1", "A-M@B1", "A-S@A2"]
    t = Table(*three, mission="most-wanted").patch("deck", ["IC41"]).patch("discard", ["IC42"])
    t.turn("A-L", "IC41")
    assert t["deck"] == [] and t["discard"] == ["IC42", "IC41"]  # not before
    t.turn("A-L", "IC41")
    assert t["deck"] == ["IC42"] and t["discard"] == ["IC41"] and t.cause == ""


# --- place ------------------------------------------------------------------------------------


@pytest.mark.rule("BG-5.2", "BG-2.9", "BG-8.2")
def test_newcomers_face_the_squad_do_not_move_and_may_fire() -> None:
    t = Table("A-L@D5/E").turn("A-L", "IC01", 3, 3)
    assert t.where("IN1") == "F4/SW" and t["pool"] == 19 and len(t.events(Rolled)) == 1


@pytest.mark.rule("BG-5.2", "BG-5.15")
def test_openings_run_out() -> None:
    """F4 and F6 are held, G3 has a captive, I5 a vehicle: only H6 is left, and then nothing."""
    t = Table("A-L@F4/W", "A-M@F6/W", "HO1@G3", "VH1@I5 safe").turn("A-M", "IC17", 1, 4)
    assert t["created"] == 1 and t.where("IN1").startswith("H6")
    assert t["pool"] == 19


@pytest.mark.rule("BG-5.2", "BG-3.1", "BG-3.2")
def test_a_civilian_or_box_on_an_opening() -> None:
    t = Table("A-L@D5/E", "CV1@F4 friendly", "LB1@F6 wmd").turn("A-L", "IC01", 3, 3)
    assert t.where("IN1") == "F6/NW"  # a box does not count, a civilian does


# --- move -------------------------------------------------------------------------------------


@pytest.mark.rule("BG-5.3", "BG-A.1", "BG-8.5")
def test_as_many_as_there_are_and_no_more() -> None:
    t = Table("A-L@A10/E", "IN1@L1/N", "IN2@K3/N").turn("A-L", "IC32", 4, 6)
    assert t.where("IN1") != "L1/N" and t.where("IN2") != "K3/N"
    t = Table("A-L@A10/E", "IN1@L1/N", "IN2@K3/N").turn("A-L", "IC19", 4, 6)
    assert t.where("IN1") == "L1/N" and t.where("IN2") != "K3/N"


@pytest.mark.rule("BG-5.4", "BG-9.14")
def test_everyone_out_but_the_wanted_man() -> None:
    around = [f"IN{n}@L{n}/N" for n in range(1, 7)]
    t = Table("A-L@A10/E", *around, "IN7@L8/N hvt").turn("A-L", "IC34")
    assert all(not t.where(f"IN{n}").startswith("L") for n in range(1, 7))
    assert t.where("IN7") == "L8/N"


@pytest.mark.rule("BG-5.15", "BG-5.3")
def test_nobody_to_move() -> None:
    t = Table("A-L@A10/E", "IN1@D10/W hvt").turn("A-L", "IC19", 2, 3)
    assert t.where("IN1") == "D10/W" and len(t.events(Rolled)) == 1  # the FIRE step still comes


# --- no fire ----------------------------------------------------------------------------------


@pytest.mark.rule("BG-5.6", "BG-8.3")
@pytest.mark.parametrize("card", ["IC41", "IC42", "IC43", "IC44", "IC56", "IC57"])
def test_two_kinds_of_card_stop_all_fire(card: str) -> None:
    t = Table("A-L@E10/E", "IN1@G10/W", "IN2@H10/W hwe", "IN3@G9/W demo").turn("A-L", card)
    assert not t.events(Rolled) and not t.events(Exploded)


# --- medivac ----------------------------------------------------------------------------------


@pytest.mark.rule("BG-5.5")
def test_whom_the_helicopter_takes() -> None:
    around = ["A-S@E9 h1", "A-GI1@E8 h2 +health +wmd", "A-M@E10", "HO1@D10 freed h1"]
    t = Table("A-L@F10", *around, "B-L@L1 h1", mode="coop").alone("A-L").done(FIRE)
    assert t.options("medivac") == ["A-S", "A-GI1"]
    assert t.refused("medivac", unit="HO1") == "BG-5.5"
    assert t.refused("medivac", unit="A-GI1", square="C1", face="N") == "BG-5.5"
    assert t.refused("medivac", unit="A-GI1", square="A1", face="UP") == "BG-11.0.2"
    t.do("medivac", unit="A-GI1", square="A1", face="SE")
    assert t.where("A-GI1") == "A1/SE" and t.hits("A-GI1") == 0
    assert t["wmd.where"] == "delivered" and t.unit("A-GI1").items == ["health"]


@pytest.mark.rule("BG-5.5", "BG-5.15")
def test_no_room_in_any_zone() -> None:
    full = ["A-S@A1", "A-M@B1", "IN1@A2/N", "VH1@B2 safe"]
    t = Table("A-L@E9 h1", *full).turn("A-L", FIRE, 1, 4)
    assert "medivac" not in t.verbs() and t["cards_used"] == 1


@pytest.mark.rule("BG-5.5", "BG-9.10")
def test_the_closest_zone_for_each_patient() -> None:
    two = ["A-S@C3 h1", "A-SN@C10 h1", "A-M@E10"]
    t = Table("A-L@E9", *two, mission="most-wanted").alone("A-L").done(FIRE)
    assert t.options("medivac", "square", unit="A-S")[0] in ("A1", "B1", "A2", "B2")
    assert t.options("medivac", "square", unit="A-SN")[0] == "B11"


# --- roles ------------------------------------------------------------------------------------


@pytest.mark.rule("BG-5.7", "BG-5.10")
def test_a_role_for_the_game() -> None:
    t = Table("A-L@E10/E", "A-M@A1/N", "IN1@I10/W").turn("A-L", "IC45", 1, 6)
    assert t.where("IN1") == ""  # 1 + 2 - 6
    t = Table("A-L@E10/E", "IN1@I10/W").turn("A-L", "IC45", 1, 4)
    assert t.unit("IN1").role == "hwe" and t.unit("IN1").role_span == "game"
    t.turn("A-L", FIRE, 1, 4)
    assert t.events(Rolled)[0].contests[0].difference == -1


@pytest.mark.rule("BG-5.8")
@pytest.mark.parametrize("card", ["IC48", "IC49", "IC50", "IC51", "IC52"])
def test_a_role_for_one_card(card: str) -> None:
    t = Table("A-L@E10/E", "IN1@I10/E").turn("A-L", card)
    role = t.game.content.cards[card].role or ""
    assert {"hwe": "machine gunner", "demo": "bomb maker", "sniper": "marksman"}[role] in t.texts
    assert (t.unit("IN1").role, t.unit("IN1").role_span) == ("", "")


@pytest.mark.rule("BG-5.8", "BG-5.7")
def test_a_turn_role_does_not_touch_a_game_role() -> None:
    t = Table("A-L@E10/E", "IN1@I10/E demo", "IN2@L10/E").turn("A-L", "IC48")
    assert t.unit("IN1").role == "demo" and t.unit("IN2").role == ""


@pytest.mark.rule("BG-5.15", "BG-5.7")
def test_no_insurgent_without_a_role() -> None:
    t = Table("A-L@A10/E", "IN1@D10/W hwe", "IN2@L1 hvt").turn("A-L", "IC46", 1, 4)
    assert t.unit("IN1").role == "hwe"


@pytest.mark.rule("BG-5.9", "BG-5.10")
def test_the_marksman_stays_one() -> None:
    t = Table("A-L@A10/E", "IN1@J10/W").turn("A-L", "IC47", 3, 4)
    assert t.unit("IN1").role == "sniper"
    t.turn("A-L", FIRE, 3, 4)  # nine squares away
    assert len(t.events(Rolled)) == 1


@pytest.mark.rule("BG-3.7", "BG-5.7")
def test_a_wounded_specialist_is_an_ordinary_counter_again() -> None:
    t = Table("A-L@E10/E", "IN1@I10/W hwe").turn("A-L", FIRE, 1, 6)
    assert t.where("IN1") == "" and t["pool"] == 21
    t.turn("A-L", "IC01", 1, 3)
    assert t.unit("IN2").role == ""


# --- grenade ----------------------------------------------------------------------------------


@pytest.mark.rule("BG-5.11", "BG-8.3")
def test_the_thrower_does_not_fire_the_others_do() -> None:
    t = Table("A-L@E10/E", "A-M@E9/E", "A-S@A1", "IN1@G10/W", "IN2@I9/W")
    t.turn("A-S", "IC53", 3, 3)
    assert len(t.events(Exploded)) == 1 and len(t.events(Rolled)) == 1
    assert t["squads.A.kia"] == ["A-M"] and t.hits("A-L") == 1  # E9: 3 + 1, before E10


@pytest.mark.rule("BG-5.11", "BG-9.14", "BG-5.15")
def test_the_wanted_man_throws_nothing() -> None:
    t = Table("A-L@E10/E", "IN1@G10/W hvt").turn("A-L", "IC53", 2, 3)
    assert not t.events(Exploded) and len(t.events(Rolled)) == 1


@pytest.mark.rule("BG-5.11", "BG-A.5")
def test_a_grenade_that_is_not_worth_it_is_not_thrown() -> None:
    """IN2 stands beside the Leader: 3 - 2 = 1 at best for E10; 1 - 2 beside."""
    t = Table("A-L@E10/E", "A-M@A1", "IN1@G10/W", "IN2@D10/W").turn("A-M", "IC53")
    assert t["squads.A.kia"] == ["A-L"] and t.where("IN2") == ""
    t = Table("A-L@E10/E", "A-M@A1", "IN1@G10/W", "IN2@D10/W", "IN3@D9/W", mode="solo1")
    t.turn("A-M", "IC53", 3, 3)
    assert not t.events(Exploded)


@pytest.mark.rule("BG-8.6", "BG-A.8", "BG-5.10")
def test_a_bomb_maker_with_a_target_prefers_the_grenade() -> None:
    t = Table("A-L@E10/E", "A-M@A1", "IN1@G10/W demo").turn("A-M", FIRE)
    assert len(t.events(Exploded)) == 1 and not t.events(Rolled)
    t = Table("A-L@E10/E", "A-M@A1", "IN1@I10/W demo").turn("A-M", FIRE, 3, 3)
    assert not t.events(Exploded) and len(t.events(Rolled)) == 1


# --- G.I.s ------------------------------------------------------------------------------------


@pytest.mark.rule("BG-5.12", "BG-4.18")
def test_a_replacement_needs_a_fallen_original_a_gi_and_room() -> None:
    t = Table("A-L@E10/E", "A-GI1 kia").turn("A-L", "IC56")
    assert t["cards_used"] == 1  # a G.I. is no original
    t = Table("A-L@E10/E", "A-S kia").patch("squads.A.gi_left", 0).turn("A-L", "IC56")
    assert t["cards_used"] == 1
    shut = ["VH1@B10 safe", "IN1@A9/N", "IN2@B9/N"]
    t = Table("A-L@A10/E", "A-S kia", *shut).patch("vehicles.VH1.face_up", True).turn("A-L", "IC56")
    assert t["cards_used"] == 1
    t = Table("A-L@A10/E", "A-M@L1", "HO1@E5 freed", "A-S kia", *shut).patch(
        "vehicles.VH1.face_up", True
    )
    t.alone("A-L").done("IC56")
    assert set(t.options("gi")) == {"K1", "K2", "L2"}  # beside soldiers, not beside hostages
    assert t.refused("gi", square="E4", face="N") == "BG-5.12"
    assert t.refused("gi", square="K1", face="UP") == "BG-11.0.2"


@pytest.mark.rule("BG-5.12")
def test_each_fallen_original_is_replaced_once() -> None:
    t = Table("A-L@E10/E", "A-S kia", "A-M kia")
    t.alone("A-L").done("IC56").do("gi", square="E9", face="N")
    t.alone("A-L").done("IC57").do("gi", square="D9", face="N")
    assert t["squads.A.kia_replaced"] == 2 and t["squads.A.gi_left"] == 1
    assert t.unit("A-GI2").pos == "D9"


@pytest.mark.rule("BG-5.14", "BG-4.18")
def test_two_reinforcements_beside_the_leader_and_then_fire() -> None:
    t = Table("A-L@E10/E", "A-M@A1", "IN1@H10/W").alone("A-M").done("IC60")
    assert set(t.options("gi")) == {"D10", "F10", "D9", "E9", "F9"}
    assert t.refused("gi", square="B1", face="N") == "BG-5.14"
    t.do("gi", square="D10", face="E")
    assert "gi" in t.verbs() and "skip" in t.verbs()
    t.do("gi", 3, 3, square="E9", face="E")  # only now they fire
    assert t["squads.A.gi_left"] == 1 and [t.unit(f"A-GI{n}").squad for n in (1, 2)] == ["A", "A"]
    t.alone("A-GI1")
    assert t.mp("A-GI1") == 3


@pytest.mark.rule("BG-5.14")
def test_reinforcements_may_be_declined_or_run_out() -> None:
    t = Table("A-L@E10/E", "IN1@H10/W").alone("A-L").done("IC60")
    t.do("gi", square="D10", face="E").do("skip", 3, 3)
    assert t["squads.A.gi_left"] == 2 and t["cards_used"] == 1
    t = Table("A-L@E10/E").patch("squads.A.gi_left", 1).alone("A-L").done("IC60")
    t.do("gi", square="D10", face="E")
    assert t["cards_used"] == 1 and "activate" in t.verbs()
    t = Table("A-M@E10/E", "IN1@H10/W").turn("A-M", "IC60", 1, 4)
    assert t["cards_used"] == 1  # no Leader: fire at once


@pytest.mark.rule("BG-5.14", "BG-4.18")
def test_a_gi_beside_the_leader_behind_a_wall_is_not_beside() -> None:
    t = Table("A-L@D9/E").alone("A-L").done("IC60")
    assert "D8" not in t.options("gi") and "C8" not in t.options("gi")


# --- who is the target ------------------------------------------------------------------------


@pytest.mark.rule("BG-2.2", "BG-5.2", "BG-5.3")
def test_closest_is_measured_to_the_target_squad_alone() -> None:
    t = Table("A-L@A10", "B-L@J3", "IN1@L1/N", "IN2@F10/E", mode="coop")
    t.turn("A-L", "IC19", 1, 3)
    assert t.where("IN1") == "L1/N" and t.where("IN2") != "F10/E"


@pytest.mark.rule("BG-6.2", "BG-8.1")
def test_one_card_after_every_activation() -> None:
    t = Table("A-L@A10", "A-M@L1")
    for number, card in enumerate(("IC41", "IC42", "IC43"), start=1):
        t.turn("A-L", card)
        assert t["cards_used"] == number and t["squad_turn"] == "A"


@pytest.mark.rule("BG-6.3", "BG-6.6")
def test_two_squads_take_turns_and_an_empty_one_is_skipped() -> None:
    t = Table("A-L@A10", "B-L@L1", mode="solo2")
    t.turn("A-L", "IC41").bravo().turn("B-L", "IC42").alpha().turn("A-L", "IC43")
    t.patch("units.A-L", {"status": "kia"})
    t.bravo().turn("B-L", "IC44")
    assert t["squad_turn"] == "B" and t["cards_used"] == 4
    assert t.turn("B-L", "IC57")["cards_used"] == 5

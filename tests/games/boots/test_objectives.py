"""CHECK: objectives, failures, the end of a game and its level."""

from __future__ import annotations

import pytest

from games.boots.objectives import level
from tests.games.boots.board import QUIET, Table

ORIGINALS = ("L", "M", "DE", "S", "HWE", "SN")


def squad(*squares: str, dead: int = 0) -> list[str]:
    """Alpha's originals on these squares, the rest of the six KIA (as many as said)."""
    names = [f"A-{kind}" for kind in ORIGINALS]
    up = [f"{name}@{square}" for name, square in zip(names, squares, strict=False)]
    return up + [f"{name} kia" for name in names[len(squares) : len(squares) + dead]]


def check(t: Table) -> str:
    """Pass a turn with a quiet card; the rule that ended the game, or empty."""
    t.turn(next(u for u in t.options("activate") if u != "HO1"), QUIET)
    if t.state.outcome:
        assert (t.state.outcome.won == ("ALPHA",)) == (t.cause == "BG-E.1")
        assert (t.state.outcome.level != "") == (t.cause == "BG-E.1")
        assert t.verbs() == []
    return t.cause


HOME, ON = "BG-E.1", ""

# --- the missions -----------------------------------------------------------------------------


@pytest.mark.rule("BG-E.1", "BG-E.2", "BG-9.11")
@pytest.mark.parametrize(
    ("counters", "end"),
    [
        (squad("A1", "B2", "D4"), HOME),
        (squad("A1", "B2", "D4", dead=3), HOME),
        (squad("A1", "B2", "E4"), ON),  # one step short
        ([*squad("A1", "B2", "D4"), "A-GI1@E4"], ON),  # every soldier, not every original
        ([*squad("A1", "B2", "D4"), "HO1@E9 freed"], HOME),  # but hostages are no soldiers
        ([*squad("A1", "B2", dead=4), "A-GI1@A2"], "BG-E.2"),  # a G.I. is no original
        (squad("A1", "B2", dead=4), "BG-E.2"),
        (squad("M10", "M11", "M12", dead=3), ON),
    ],
)
def test_hot_lz(counters: list[str], end: str) -> None:
    assert check(Table(*counters, mission="hot-lz")) == end


@pytest.mark.rule("BG-E.1", "BG-E.2", "BG-9.11", "BG-4.22")
@pytest.mark.parametrize(
    ("counters", "end"),
    [
        ([*squad("A1", "A2"), "HO1@U19 freed", "HO2@J17"], HOME),
        ([*squad("A1", "A2"), "HO1@T19 freed", "HO2@J17"], ON),
        ([*squad("A1", "A2"), "HO1@U19", "HO2@J17"], ON),  # still a captive
        ([*squad("A1", "A2"), "HO1@A3 freed", "HO2@J17"], ON),  # GZ1 is not active here
        ([*squad("A1", "A2"), "HO1 dead", "HO2@J17"], ON),
        ([*squad("A1", "A2"), "HO1 dead", "HO2 dead"], "BG-E.2"),
        ([*squad("A1", dead=5), "HO1@J17", "HO2@L18"], "BG-E.2"),
        ([*squad("A1", dead=5), "HO1@U19 freed", "HO2 dead"], HOME),  # both hold: the win first
    ],
)
def test_bring_them_home(counters: list[str], end: str) -> None:
    assert check(Table(*counters, mission="bring-them-home")) == end


@pytest.mark.rule("BG-9.12", "BG-9.13", "BG-4.34")
@pytest.mark.parametrize(
    ("counters", "end"),
    [
        (["A-L@D4 +wmd", "A-M@M10"], HOME),
        (["A-L@E4 +wmd", "A-M@A1"], ON),
        (["A-L@U19 +wmd", "A-M@A1"], ON),  # not an active zone
        (["A-L@D4", "A-M@A1"], ON),  # still in its box
    ],
)
def test_yellow_rain(counters: list[str], end: str) -> None:
    t = Table(*counters, "A-S@M12", mission="yellow-rain")
    assert check(t) == end
    assert (t["wmd.where"] == "delivered") == (end == HOME)


@pytest.mark.rule("BG-4.34", "BG-9.12")
def test_a_wmd_that_lies_in_the_zone_is_not_delivered() -> None:
    t = Table("A-L@E5", "A-M@M10", mission="yellow-rain").patch("wmd.where", "D4")
    t.patch("wmd.found_by", "A")
    assert check(t) == ON and t["wmd.where"] == "D4"
    t.alone("A-L").move("D4", "N").done("IC42")
    assert t.cause == HOME  # picked up in REVEAL, delivered at CHECK


@pytest.mark.rule("BG-9.12")
def test_delivered_for_good() -> None:
    t = Table("A-S@A1 +wmd", "A-M@M10", "A-L@M11", mission="block-by-block")
    assert check(t) == ON and t["wmd.delivered_by"] == "A" and t.unit("A-S").items == []


@pytest.mark.rule("BG-E.1", "BG-E.2", "BG-4.28", "BG-9.13")
@pytest.mark.parametrize(
    ("more", "end"),
    [
        ([], HOME),
        (["IN1@F16"], ON),
        (["IN1@B14"], ON),  # inside VII
        (["IN1@M19"], ON),  # inside VIII
        (["IN1@H9"], HOME),  # inside V, which does not matter
        (["IN1@H15"], HOME),  # in the street
    ],
)
def test_block_by_block(more: list[str], end: str) -> None:
    t = Table(*squad("A19", "B19", "C19"), *more, mission="block-by-block")
    for building in ("VII", "VIII", "IX", "XI"):
        assert t["buildings"][building]["cleared"] is False
        t.patch(f"buildings.{building}.cleared", True)
        t.patch(f"buildings.{building}.cleared_by", "A")
    assert check(t) == end


@pytest.mark.rule("BG-E.1", "BG-E.2")
def test_block_by_block_needs_all_four_and_three_men() -> None:
    t = Table(*squad("A19", "B19", "C19"), mission="block-by-block")
    for building in ("VII", "VIII", "IX"):
        t.patch(f"buildings.{building}.cleared", True)
        t.patch(f"buildings.{building}.cleared_by", "A")
    assert check(t) == ON
    assert check(Table(*squad("A19", "B19", dead=4), mission="block-by-block")) == "BG-E.2"


@pytest.mark.rule("BG-E.1", "BG-E.2")
@pytest.mark.parametrize(
    ("counters", "end"),
    [
        ([*squad("F1", "G1"), "HO1@D14 freed"], HOME),
        ([*squad("F1", "G1"), "HO1@B1 freed"], ON),
        ([*squad("F1", "G1"), "HO1 dead"], "BG-E.2"),
        ([*squad("F1", dead=5), "HO1@J6"], "BG-E.2"),
        ([*squad("F1", "G1", dead=4), "HO1@J6"], ON),
    ],
)
def test_angel_down(counters: list[str], end: str) -> None:
    assert check(Table(*counters, mission="angel-down")) == end


@pytest.mark.rule("BG-E.1", "BG-E.2", "BG-9.14")
@pytest.mark.parametrize(
    ("counters", "hvt", "end"),
    [
        (squad("A11", "D14", "B1"), "captured", HOME),  # either zone, together
        (squad("A11", "D14", "B1"), "killed", HOME),
        (squad("A11", "D14", "B1"), "", ON),
        (squad("A11", "D14", "C1"), "captured", ON),
        ([*squad("A11", "D14", "C1"), "A-GI1@A1"], "captured", ON),  # originals
        (squad("A11", "D14", dead=4), "captured", "BG-E.2"),
        (squad("A11", "D14", dead=4), "", "BG-E.2"),
    ],
)
def test_most_wanted(counters: list[str], hvt: str, end: str) -> None:
    t = Table(*counters, mission="most-wanted").patch("hvt", hvt)
    assert check(t) == end


@pytest.mark.rule("BG-E.3", "BG-E.4")
def test_the_range_has_no_objective_and_no_failure() -> None:
    assert check(Table("A-GI1@A1")) == ON
    assert check(Table("A-L@A1", *squad(dead=0), "A-M kia", "A-S kia")) == ON


@pytest.mark.rule("BG-6.5", "BG-8.3")
def test_what_the_card_takes_away_does_not_count() -> None:
    """All stand in the zone, but the last card's fire leaves too few originals."""
    t = Table(*squad("A1", "B2", "D4"), "IN1@E4/W", mission="hot-lz").patch("units.A-DE.hits", 2)
    t.patch("units.A-DE.face", 0)
    t.patch("squads.A.gi_left", 0).turn("A-L", "IC60", 4, 3)
    assert t["squads.A.kia"] == ["A-DE"] and t.cause == "BG-E.2"


# --- the other ends ---------------------------------------------------------------------------


@pytest.mark.rule("BG-E.3")
def test_the_last_soldier_dies_in_fire() -> None:
    t = Table("A-L@E10/W h2", "HO1@A1 freed", "IN1@H10/W", "IN2@G9/W")
    t.patch("squads.A.gi_left", 0).turn("A-L", "IC60", 4, 3)
    assert t.cause == "BG-E.3" and t.unit("HO1").status == "captive"
    assert t.state.outcome and t.state.outcome.won == ()


@pytest.mark.rule("BG-E.3", "BG-7.8")
def test_the_last_soldier_dies_of_his_own_shot() -> None:
    t = Table("A-L@E10/E h2", "IN1@H10/W").alone("A-L").fire("IN1", 1, 6)
    assert t.cause == "BG-E.3" and t["cards_used"] == 0


@pytest.mark.rule("BG-E.5")
def test_conceding() -> None:
    for prepare in ("choose", "act", "box", "deploy"):
        t = Table("A-L@G4", "LB1@G4 health", empty=prepare != "deploy")
        if prepare in ("act", "box"):
            t.alone("A-L")
        if prepare == "box":
            t.done()
        assert "concede" in t.verbs()
        t.do("concede")
        assert t.cause == "BG-E.5" and t.state.outcome and t.state.outcome.won == ()
        assert t.refused("concede") == "" and t.verbs() == []


@pytest.mark.rule("BG-E.5", "BG-5.8")
def test_conceding_a_race_in_the_middle_of_ones_card() -> None:
    """The card is put away and its roles end, as if it had been carried out."""
    t = Table("A-L@E9 h1", "B-L@L1", "IN1@A1 hwe", mode="comp")
    t.patch("units.IN1.role_span", "turn").alone("A-L").done("IC37")
    assert "medivac" in t.verbs()
    t.do("concede")
    assert t["discard"] == ["IC37"] and t.unit("IN1").role == "" and t["squad_turn"] == "B"


# --- levels -----------------------------------------------------------------------------------


@pytest.mark.rule("BG-E.6", "BG-9.6")
@pytest.mark.parametrize(
    ("used", "name"),
    [(1, "Outstanding"), (10, "Outstanding"), (11, "Solid"), (15, "Solid"), (16, "Narrow")],
)
def test_level_by_cards(used: int, name: str) -> None:
    """Hot LZ has 20 cards; the one drawn in this turn counts."""
    t = Table(*squad("A1", "B2", "D4"), mission="hot-lz").patch("cards_used", used - 1)
    assert check(t) == HOME and t["outcome.level"] == name


@pytest.mark.rule("BG-E.6", "BG-9.5")
def test_the_level_goes_by_the_cards_given() -> None:
    t = Table(*squad("A1", "B2", "D4"), mission="hot-lz", cards_delta="10").patch("cards_used", 14)
    assert check(t) == HOME and t["outcome.level"] == "Outstanding"  # 15 of 30


@pytest.mark.rule("BG-E.6")
@pytest.mark.parametrize(
    ("dead", "used", "name"),
    [(2, 5, "Outstanding"), (3, 5, "Solid"), (3, 12, "Narrow"), (3, 20, "Narrow")],
)
def test_half_the_originals_cost_a_level(dead: int, used: int, name: str) -> None:
    squares = ("A1", "A2", "A3", "A4")[: 6 - dead]
    t = Table(*squad(*squares, dead=dead), mission="hot-lz").patch("cards_used", used - 1)
    assert check(t) == HOME and t["outcome.level"] == name


@pytest.mark.rule("BG-E.6")
def test_who_never_took_part_is_not_a_loss() -> None:
    """Absent units are neither up nor KIA."""
    t = Table(*squad("A1", "A2", "A3"), mission="hot-lz")
    assert check(t) == HOME and t["outcome.level"] == "Outstanding"


@pytest.mark.rule("BG-E.6", "BG-9.14")
@pytest.mark.parametrize(
    ("hvt", "dead", "used", "name"),
    [
        ("captured", 0, 20, "Outstanding"),  # par 20: N is 40
        ("killed", 0, 20, "Solid"),
        ("captured", 3, 20, "Solid"),
        ("killed", 3, 20, "Narrow"),  # both: two levels
        ("killed", 3, 30, "Narrow"),  # and never below
        ("captured", 0, 21, "Solid"),
        ("captured", 0, 30, "Solid"),
        ("captured", 0, 31, "Narrow"),
    ],
)
def test_level_of_the_wanted_man(hvt: str, dead: int, used: int, name: str) -> None:
    t = Table(*squad("A11", "B11", "C11", dead=dead), mission="most-wanted")
    t.patch("hvt", hvt).patch("cards_used", used - 1)
    assert check(t) == HOME and t["outcome.level"] == name
    assert level(t.field, ("A",)) == name

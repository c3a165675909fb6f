"""Ends of games with several seats: who is out of a race and when, and who gives up. BG-E.2, BG-E.5."""

from __future__ import annotations

import pytest

from games.boots import words
from games.kernel.event import Noted
from tests.games.boots.board import FIRE, QUIET, Table

ORIGINALS = ("L", "M", "DE", "S", "HWE", "SN")
QUIET_TOO = "IC42"
PLACES = ("M10", "M11", "M12", "L13", "K13", "J13")


def squad(letter: str, *squares: str) -> list[str]:
    """A squad's originals on these squares; the others of the six are KIA."""
    names = [f"{letter}-{kind}" for kind in ORIGINALS]
    up = [f"{name}@{square}" for name, square in zip(names, squares, strict=False)]
    return up + [f"{name} kia" for name in names[len(squares) :]]


def race(*counters: str, mission: str = "hot-lz", human: bool = False) -> Table:
    """A race of two squads, against a human insurgent or not."""
    if human:
        return Table(*counters, mission=mission, mode="three", three_goal="comp")
    return Table(*counters, mission=mission, mode="comp")


def out(t: Table) -> list[str]:
    """The squads that are out."""
    return [k for k in t.state.squads if t.state.squads[k].out]


def waiting(t: Table) -> list[str]:
    return [task.seat for task in t.game.tasks(t.state)]


# --- the race: BG-E.2 ---


@pytest.mark.rule("BG-E.2", "BG-6.6")
def test_a_squad_that_fails_at_its_check_leaves_the_race() -> None:
    t = race(*squad("A", *PLACES[:2]), *squad("B", "S13", "S14", "S15"), "A-GI1@M13")
    t.turn("A-L", QUIET)
    assert out(t) == ["A"] and t.cause == "" and t["squad_turn"] == "B"
    assert sorted(t["squads.A.kia"])[:2] == ["A-DE", "A-GI1"] and t.unit("A-L").status == "kia"


@pytest.mark.rule("BG-E.1", "BG-E.2", "BG-6.5")
def test_the_rivals_check_does_not_put_a_squad_out() -> None:
    """Alpha is down to one original; at its own CHECK the hostage in the zone comes first (D32)."""
    alpha = [*squad("A", "U20"), "HO1@U19 freed", "HO2@J17"]
    t = race(*alpha, *squad("B", *PLACES), mission="bring-them-home").patch("squad_turn", "B")
    t.bravo().turn("B-L", QUIET)
    assert out(t) == [] and t.cause == ""
    t.alpha().turn("A-L", QUIET_TOO)
    assert t.cause == "BG-E.1" and t["outcome.won"] == ["ALPHA"]


@pytest.mark.rule("BG-E.2")
def test_no_hostage_alive_puts_both_out() -> None:
    t = race(*squad("A", *PLACES), *squad("B", "S13", "S14", "S15"), mission="bring-them-home")
    t.put("HO1 dead").put("HO2 dead").turn("A-L", QUIET)
    assert out(t) == ["A", "B"] and t.cause == "BG-E.2" and t["outcome.won"] == []


@pytest.mark.rule("BG-E.2", "BG-E.3")
def test_the_last_squad_to_fail_ends_the_race_as_a_failure() -> None:
    """Its soldiers leave as KIA, but that is no battle lost to the last man (E2, not E3)."""
    t = race(*squad("A", *PLACES[:2]), *squad("B", "S13", "S14"))
    t.turn("A-L", QUIET).bravo().turn("B-L", QUIET_TOO)
    assert out(t) == ["A", "B"] and t.cause == "BG-E.2" and t["outcome.won"] == []
    assert t["outcome.text"] == "Two or fewer originals of a squad are alive: that squad is out."


# --- giving up: BG-E.5 ---


@pytest.mark.rule("BG-E.5", "BG-6.1")
def test_who_gives_up_before_the_race_is_not_waited_for() -> None:
    t = Table(mission="hot-lz", mode="comp", empty=False)
    t.bravo().do("concede")
    assert waiting(t) == ["ALPHA"]
    t.alpha().do("ready")
    assert waiting(t) == ["ALPHA"] and "activate" in t.verbs()


@pytest.mark.rule("BG-E.5", "BG-6.1")
def test_the_rival_still_sets_up_when_alpha_gives_up_first() -> None:
    t = Table(mission="hot-lz", mode="comp", empty=False)
    t.do("concede").bravo()
    assert waiting(t) == ["BRAVO"] and "deploy" in t.verbs()
    t.do("ready")
    assert waiting(t) == ["BRAVO"] and "activate" in t.verbs() and t["squad_turn"] == "B"


@pytest.mark.rule("BG-E.5")
@pytest.mark.parametrize("human", [False, True])
def test_a_race_that_all_gave_up(human: bool) -> None:
    t = race("A-L@A1", "B-L@L1", mission="range", human=human)
    t.do("concede").bravo().do("concede")
    assert t.cause == "BG-E.5"
    assert t["outcome.won"] == (["INSURGENT"] if human else [])


@pytest.mark.rule("BG-E.5", "BG-E.4", "BG-8.9")
@pytest.mark.parametrize(("mission", "used"), [("range", 59), ("most-wanted", 299)])
def test_giving_up_in_the_last_card_leaves_no_turn(mission: str, used: int) -> None:
    t = race("A-L@J10 h1", "B-L@I10", mission=mission).patch("cards_used", used)
    t.turn("A-L", FIRE)
    assert "medivac" in t.verbs()
    t.do("concede")
    assert t.cause == "BG-E.4" and t["outcome.won"] == [] and t["cards_used"] == used + 1


@pytest.mark.rule("BG-E.5", "BG-6.6")
def test_a_squad_out_of_the_race_does_not_leave_it_twice() -> None:
    """Its user gives up the rest, the cards against the rival, which then are the program's."""
    t = race(*squad("A", *PLACES[:2]), *squad("B", "S13", "S14", "S15")).turn("A-L", QUIET)
    t.do("concede")
    assert [e.text for e in t.events(Noted)] == [words.concedes("ALPHA")]
    assert t.cause == "" and waiting(t) == ["BRAVO"] and t.verbs() == []


@pytest.mark.rule("BG-E.5", "BG-9.7")
def test_insurgents_handed_over_win_nothing_for_who_gave_up() -> None:
    t = race("A-L@A1", "B-L@L1", mission="range", human=True)
    t.seat = "INSURGENT"
    t.do("concede")
    assert t.cause == "" and t.verbs() == []
    t.alpha().do("concede").bravo().do("concede")
    assert t.cause == "BG-E.5" and t["outcome.won"] == []


@pytest.mark.rule("BG-E.5", "BG-E.3")
@pytest.mark.parametrize(("gave_up", "end"), [(True, "BG-E.5"), (False, "")])
def test_co_op_ends_when_only_who_gave_up_is_left(gave_up: bool, end: str) -> None:
    t = Table("A-L@A1/S", "B-L@E10/E h2", "IN1@H10/W", mode="coop")
    if gave_up:
        t.do("concede")
    t.turn("A-L", QUIET).bravo().alone("B-L").fire("IN1", 1, 6)
    assert t.cause == end and out(t) == ["B"]
    if gave_up:
        assert t["outcome.won"] == []
    else:
        assert waiting(t) == ["ALPHA"]

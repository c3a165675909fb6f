"""REVEAL and CLEAR: hostages, civilians, vehicles, WMD, boxes, buildings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import pytest

from games.boots.model import Frame, State
from games.boots.reveal import open_box
from games.boots.world import World
from games.kernel.event import Revealed, Rolled
from tests.games.boots.board import FIRE, QUIET, Table, game

# --- hostages ---------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.21", "BG-7.9")
def test_a_chain_of_captives_is_freed_in_reading_order() -> None:
    t = Table("A-L@E7", "HO1@F8", "HO2@G9").turn("A-L", QUIET)
    assert [t.unit(h).status for h in ("HO1", "HO2")] == ["freed", "freed"]
    t = Table("A-L@G10", "HO1@F8", "HO2@G9").turn("A-L", QUIET)
    # F8 has its turn before G9 and is not beside the Leader: one pass only
    assert [t.unit(h).status for h in ("HO1", "HO2")] == ["captive", "freed"]
    t.turn("A-L", "IC42")
    assert t.unit("HO1").squad == "A"


@pytest.mark.rule("BG-4.21", "BG-G.3", "BG-7.9")
def test_captives_behind_walls_or_beside_others_wait() -> None:
    t = Table("A-L@D9", "B-L@A9", "HO1@D8", "HO2@B10", mode="coop").turn("A-L", QUIET)
    assert t.unit("HO1").status == "captive"  # a wall between
    assert t.unit("HO2").status == "captive"  # beside Bravo, whose turn it is not
    t.bravo().turn("B-L", "IC42")
    assert t.unit("HO2").squad == "B"


@pytest.mark.rule("BG-7.9", "BG-4.21")
def test_units_that_did_nothing_count_too() -> None:
    t = Table("A-L@A1", "A-M@E9", "HO1@E10", "CV1@F9 friendly", "VH1@D8 safe").turn("A-L", QUIET)
    assert t.unit("HO1").status == "freed" and t["civilians.CV1"] is False
    assert t["vehicles.VH1.face_up"] is True


@pytest.mark.rule("BG-4.22", "BG-E.3")
def test_a_squad_without_soldiers_loses_its_hostages() -> None:
    t = Table("A-L@D7 h2", "HO1@A10 freed", "B-L@L1", "VH1@D8 ied_b", mode="coop")
    t.turn("A-L")
    assert t.unit("HO1").status == "captive" and t.unit("HO1").squad == ""
    assert t.where("HO1").startswith("A10") and t["squad_turn"] == "B"


@pytest.mark.rule("BG-4.22", "BG-7.8")
def test_hostages_leave_a_team_whose_last_soldier_dies() -> None:
    """The last soldier falls by his own shot while a hostage of the team has yet to act."""
    t = Table("A-L@A10/E h2", "HO1@A9 freed", "B-L@L1", "IN1@D10/W", mode="coop")
    t.team("A-L").select("A-L").fire("IN1", 1, 6)
    assert t.unit("HO1").status == "captive"
    assert t["squad_turn"] == "B" and t["cards_used"] == 0 and t["activation"] is False


@pytest.mark.rule("BG-4.21", "BG-4.22")
def test_hostages_free_others_and_flip_counters_but_open_nothing() -> None:
    t = Table("A-L@A1", "HO1@G4 freed", "HO2@G5", "LB1@G4 health").turn("A-L", QUIET)
    assert t.unit("HO2").status == "freed" and t["boxes.LB1.pos"] == "G4"


# --- civilians --------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.23", "BG-7.9")
def test_a_friendly_civilian_goes() -> None:
    t = Table("A-L@E9", "CV1@E10 friendly", "CV2@G9 insurgent").turn("A-L", QUIET)
    assert t["civilians.CV1"] is False and t["civilians.CV2.pos"] == "G9"
    (event,) = t.events(Revealed)
    assert event.cell == "E10"


@pytest.mark.rule("BG-4.23", "BG-3.7", "BG-8.3")
def test_a_revealed_insurgent_fires_before_the_card_and_with_it() -> None:
    t = Table("A-L@E9/E", "CV1@F9 insurgent").turn("A-L", 3, 3, FIRE, 3, 3)
    assert len(t.events(Rolled)) == 2 and t["pool"] == 20


@pytest.mark.rule("BG-4.23", "BG-3.7")
def test_a_revealed_insurgents_bad_shot_fills_the_pool() -> None:
    t = Table("A-L@E9/E", "CV1@F9 insurgent").turn("A-L", 1, 4, FIRE)
    assert t.where("IN1") == "" and t["pool"] == 21 and t["killed"] == 0


@pytest.mark.rule("BG-4.23", "BG-A.9")
def test_several_revealed_all_stand_before_the_first_fires() -> None:
    t = Table("A-L@E9/E h1", "A-M@A1", "CV1@F8 insurgent", "CV2@F10 insurgent", "IN4@L10")
    t.turn("A-L", 4, 3, 4, 3, QUIET)
    assert t["squads.A.kia"] == ["A-L"]
    assert (t.where("IN5"), t.where("IN6")) == ("F8/SW", "F10/NW")  # the next numbers


@pytest.mark.rule("BG-4.23", "BG-A.9")
def test_one_that_has_nobody_left_to_shoot_at_does_not_fire() -> None:
    t = Table("A-L@E9/W h2", "A-M@A1", "CV1@F8 insurgent", "CV2@F10 insurgent")
    t.turn("A-L", 6, 1, QUIET)
    assert t["squads.A.kia"] == ["A-L"] and t.where("IN2")


@pytest.mark.rule("BG-4.23")
def test_a_revealed_insurgent_faces_the_closest_unit() -> None:
    t = Table("A-L@F10/E", "A-M@E9/E", "CV1@E10 insurgent").turn("A-L", 1, 2, QUIET)
    assert t.where("IN1") == "E10/E"  # both at 1: the Leader comes first


@pytest.mark.rule("BG-4.23", "BG-4.24")
def test_what_is_beside_the_other_squad_waits() -> None:
    t = Table("A-L@A1", "B-L@D7", "CV1@E7 friendly", "VH1@D8 ied_b", mode="coop")
    t.turn("A-L", QUIET)
    assert t["civilians.CV1.pos"] == "E7" and t.hits("B-L") == 0
    t.bravo().turn("B-L", "IC42")
    assert t["civilians.CV1"] is False and t.hits("B-L") == 1


@pytest.mark.rule("BG-4.23", "BG-4.24")
def test_faces_are_drawn_from_what_is_left() -> None:
    t = Table("A-L@E9", "CV1@E10", "VH1@D8")
    assert Counter(t.state.civilian_mix) == {"friendly": 8, "insurgent": 4}
    assert Counter(t.state.vehicle_mix) == {"safe": 6, "ied_a": 4, "ied_b": 2}
    t.turn("A-L", "friendly", "ied_b", QUIET)
    assert Counter(t.state.civilian_mix) == {"friendly": 7, "insurgent": 4}
    assert Counter(t.state.vehicle_mix) == {"safe": 6, "ied_a": 4, "ied_b": 1}
    assert t.hits("A-L") == 1


@pytest.mark.rule("BG-4.23", "BG-4.24", "BG-4.34", "BG-4.21")
def test_order_of_reveal() -> None:
    """Hostages, civilians, vehicles, WMD, boxes, then the fire of the revealed."""
    here = ["HO1@E8", "CV1@E10 insurgent", "VH1@D8 ied_b", "LB1@E9 health"]
    t = Table("A-L@E9/E", "A-M@E7", *here).alone("A-L").done()
    order = [t.texts.index(w) for w in ("is free", "insurgent", "car bomb")]
    assert order == sorted(order) and not t.events(Rolled)
    assert (t.hits("HO1"), t.hits("A-L"), t.hits("A-M")) == (1, 1, 1)  # freed, so hit
    t.do("open", 1, 3, QUIET, unit="A-L")
    assert t.unit("A-L").items == ["health"] and len(t.events(Rolled)) == 1


# --- vehicles and kits ------------------------------------------------------------------------


@pytest.mark.rule("BG-4.30")
def test_which_kits_count() -> None:
    far = ["A-M@A1 +bombkit", "B-M@C7 +bombkit", "A-S@D9 +bombkit"]
    t = Table("A-L@D7", *far, "VH1@D8 ied_a", mode="coop").turn("A-L", QUIET)
    assert t.hits("A-L") == 1  # too far; of the other squad; behind a wall
    t = Table("A-L@D7 +bombkit", "A-M@E7 +bombkit", "VH1@D8 ied_b").alone("A-L").done()
    assert t.options("defuse") == ["A-L", "A-M"]
    assert t.refused("defuse", unit="A-S") == "BG-4.30"
    t.do("defuse", QUIET, unit="A-M")
    assert t.unit("A-M").items == [] and t.unit("A-L").items == ["bombkit"]
    assert (t.hits("A-L"), t.hits("A-M")) == (0, 0)


@pytest.mark.rule("BG-4.30", "BG-4.24")
def test_two_bombs_one_kit() -> None:
    t = Table("A-L@E8 +bombkit", "VH1@D8 ied_a", "VH2@F8 ied_b").alone("A-L").done()
    t.do("defuse", QUIET, unit="A-L")
    assert t.hits("A-L") == 1 and t["vehicles.VH1.outcome"] == "defused"
    assert t["vehicles.VH2.outcome"] == "exploded"


# --- boxes ------------------------------------------------------------------------------------


@pytest.mark.rule("BG-4.29", "BG-4.33")
def test_boxes_one_after_the_other_and_the_owner_chooses() -> None:
    t = Table("A-L@G4", "A-M@H5", "LB1@H5 bombkit", "LB2@G4 health").alone("A-L").done()
    assert t.options("open") == ["A-L"] and t.refused("open", unit="A-M") == "BG-4.29"
    t.do("leave", unit="A-L")
    assert t.options("open") == ["A-M"]
    t.do("open", QUIET, unit="A-M")
    assert t.unit("A-M").items == ["bombkit"] and t["boxes.LB1"] is False
    assert t["boxes.LB2.pos"] == "G4"
    t.alone("A-M").done()
    assert t.options("open") == ["A-L"]  # asked again


@pytest.mark.rule("BG-4.29")
def test_only_soldiers_of_the_activated_squad_open() -> None:
    t = Table("A-L@A1", "B-L@G4", "HO1@H5 freed", "LB1@G4", "LB2@H5", mode="coop")
    t.turn("A-L", QUIET)
    assert t["boxes.LB1.pos"] == "G4"


@pytest.mark.rule("BG-4.33", "BG-E.3", "BG-3.6")
def test_a_booby_trap_hurts_the_opener_alone_and_can_kill() -> None:
    t = Table("A-L@G4 h2", "A-M@G5", "LB1@G4 booby").alone("A-L").done()
    t.do("open", QUIET, unit="A-L")
    assert t["squads.A.kia"] == ["A-L"] and t.hits("A-M") == 0
    t = Table("A-L@G4 h2", "LB1@G4 booby").alone("A-L").done().do("open", unit="A-L")
    assert t.cause == "BG-E.3" and t["cards_used"] == 0


@pytest.mark.rule("BG-4.29", "BG-4.24")
def test_the_dead_open_nothing() -> None:
    t = Table("A-L@D7 h2", "A-M@A1", "VH1@D8 ied_b", "LB1@D7 health").turn("A-L", QUIET)
    assert t["squads.A.kia"] == ["A-L"] and t["boxes.LB1.pos"] == "D7"


@pytest.mark.rule("BG-4.34")
def test_the_wmd_is_carried_dropped_and_picked_up() -> None:
    t = Table("A-L@G4 h2", "A-M@G5", "A-S@A1", "LB1@G4 wmd", "IN1@J4/W").alone("A-L").done()
    t.do("open", QUIET, unit="A-L")
    assert t["wmd"] == {"where": "A-L", "found_by": "A", "delivered_by": ""}
    t.patch("units.IN1", {"pos": "I4", "face": "W"})
    t.turn("A-S", "IC58", 6, 1)
    assert t["squads.A.kia"] == ["A-L"] and t["wmd.where"] == "G4"
    t.turn("A-S", "IC42")
    assert t["wmd.where"] == "G4"  # nobody stands on it
    t.alone("A-M").move("G4", "E").done("IC43")
    assert t["wmd.where"] == "A-M" and t.unit("A-M").items == ["wmd"]


@pytest.mark.rule("BG-4.34", "BG-4.20")
def test_hostages_do_not_pick_up_the_wmd() -> None:
    t = Table("A-L@A10", "HO1@G4 freed").patch("wmd.where", "G4").patch("wmd.found_by", "A")
    assert t.turn("A-L", QUIET)["wmd.where"] == "G4"


@pytest.mark.rule("BG-4.34", "BG-4.24")
def test_killed_by_the_bomb_before_the_wmd_is_looked_at() -> None:
    t = Table("A-L@D7 h2 +wmd", "A-M@A1", "VH1@D8 ied_b").turn("A-L", QUIET)
    assert t["wmd.where"] == "D7" and t["squads.A.kia"] == ["A-L"]


# --- what is in the boxes ---------------------------------------------------------------------


class Everything:
    """Chance that hands its options over and takes the one it is told to."""

    def __init__(self) -> None:
        self.options: Sequence[str] = ()
        self.answer = ""

    def roll(self, sides: int, label: str) -> int:
        raise AssertionError(label)

    def pick(self, options: Sequence[str], label: str) -> int:
        return list(options).index(self.draw(options, label))

    def draw(self, options: Sequence[str], label: str) -> str:
        self.options = tuple(options)
        return self.answer or options[0]


def contents(state: State, boxes: list[str], chance: Fraction, found: tuple[str, ...]) -> None:
    """Open the boxes in that order, following every possibility; fill `spread`."""
    if not boxes:
        spread[found] += chance
        return
    first, soldier = boxes[0], state.units["A-L"]
    asked = Everything()
    soldier.pos, soldier.hits = state.boxes[first].pos, 0
    trial = game().copy(state)
    open_box(World(game().content, trial, asked, []), trial.units["A-L"])
    for kind, number in Counter(asked.options).items():
        after = game().copy(state)
        told = Everything()
        told.answer = kind
        open_box(World(game().content, after, told, []), after.units["A-L"])
        contents(after, boxes[1:], chance * number / len(asked.options), (*found, kind))


spread: dict[tuple[str, ...], Fraction] = Counter()  # type: ignore[assignment]


def dealt(
    mix: dict[str, int], boxes: int, forced: tuple[str, ...]
) -> dict[tuple[str, ...], Fraction]:
    """The same by the words of the specification: deal face down, then open in order."""

    def deals(left: Counter[str], n: int) -> dict[tuple[str, ...], Fraction]:
        if not n:
            return {(): Fraction(1)}
        total, out = sum(left.values()), Counter[tuple[str, ...]]()
        for kind in left:
            if left[kind]:
                for rest, chance in deals(left - Counter([kind]), n - 1).items():
                    out[(kind, *rest)] += chance * Fraction(left[kind], total)  # type: ignore[assignment]
        return dict(out)  # type: ignore[arg-type]

    others = Counter(mix) - Counter(forced)
    result: Counter[tuple[str, ...]] = Counter()
    for hand, chance in deals(others, boxes - len(forced)).items():
        orders = list(permutations(range(boxes)))
        pool = (*hand, *forced)
        shuffled = Counter(tuple(pool[i] for i in order) for order in orders)
        for order, number in shuffled.items():
            result[order] += chance * Fraction(number, len(orders))  # type: ignore[assignment]
    return dict(result)  # type: ignore[arg-type]


MIX = {"health": 3, "grenade": 3, "booby": 3, "bombkit": 2, "wmd": 1}


@pytest.mark.rule("BG-4.29", "BG-4.34")
@pytest.mark.parametrize("order", [[1, 2, 3, 4, 5, 6], [4, 2, 6]])
def test_yellow_rain_the_wmd_is_always_there(order: list[int]) -> None:
    spread.clear()
    t = Table(mission="yellow-rain", empty=False)
    contents(t.state, [f"LB{n}" for n in order], Fraction(1), ())
    wanted: Counter[tuple[str, ...]] = Counter()
    for kinds, chance in dealt(MIX, 6, ("wmd",)).items():
        wanted[tuple(kinds[n - 1] for n in order)] += chance  # type: ignore[assignment]
    assert spread == wanted and sum(spread.values()) == 1
    if len(order) == 6:
        assert all(kinds.count("wmd") == 1 for kinds in spread)
    first = sum(c for kinds, c in spread.items() if kinds[0] == "wmd")
    assert first == Fraction(1, 6)


@pytest.mark.rule("BG-4.29")
def test_elsewhere_boxes_come_from_the_whole_mix() -> None:
    spread.clear()
    t = Table(mission="hot-lz", empty=False)
    contents(t.state, ["LB1", "LB2", "LB3", "LB4"], Fraction(1), ())
    assert spread == dealt(MIX, 4, ())


# --- cleared buildings ------------------------------------------------------------------------


@pytest.mark.rule("BG-4.28")
@pytest.mark.parametrize(
    ("units", "cleared"),
    [
        (["A-L@F4", "A-M@F6", "A-S@G3"], True),
        (["A-L@F4", "A-M@F6", "A-S@G4"], False),  # G4 is no opening
        (["A-L@F4", "A-M@F6", "HO1@G3 freed"], False),  # hostages clear nothing
        (["A-L@F4", "A-GI1@F6", "A-GI2@I5"], True),
        (["A-L@F4", "A-M@F6", "B-S@G3"], True),  # soldiers of all squads, credit to the active one
        (["A-L@F4", "A-M@F6", "A-S@G3", "IN1@H6"], True),  # insurgents may still be there
    ],
)
def test_three_soldiers_clear_a_building(units: list[str], cleared: bool) -> None:
    t = Table(*units, mode="coop").turn("A-L", QUIET)
    assert t["buildings.I"] == {"cleared": cleared, "cleared_by": "A" if cleared else ""}


@pytest.mark.rule("BG-4.28", "BG-5.2")
def test_cleared_is_cleared_for_good() -> None:
    t = Table("A-L@F4", "A-M@F6", "A-S@G3").turn("A-L", QUIET)
    t.alone("A-L").move("D4", "E").done("IC01")
    assert t["buildings.I.cleared"] is True and t["created"] == 0


@pytest.mark.rule("BG-4.28", "BG-8.1")
def test_a_squad_wiped_out_in_reveal_clears_nothing_and_draws_no_card() -> None:
    t = Table("A-L@D7 h2", "B-L@F4", "B-M@F6", "B-S@G3", "VH1@D8 ied_b", mode="coop")
    t.turn("A-L")
    assert t["buildings.I.cleared"] is False and t["cards_used"] == 0
    assert t["squad_turn"] == "B"


def test_frames_are_gone_when_the_turn_is_over() -> None:
    t = Table("A-L@G4", "LB1@G4 health", "CV1@G5 friendly").alone("A-L").done()
    t.do("open", QUIET, unit="A-L")
    assert t.state.steps == [Frame("choose")]

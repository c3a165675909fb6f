"""Set-up, the Turn Cycle, patrols, radio, reserve, ends. Rules SK-1, 2, 3, 4, 6, 11, 12, 16."""

from __future__ import annotations

from collections import Counter

import pytest

from games.kernel.entropy import ScriptedEntropy, seeded
from games.kernel.game import Setup
from games.kernel.play import begin
from games.sniper.model import State
from tests.games.sniper.field import (
    BLANKS,
    NEXT_TURN,
    OVER_THERE,
    QUIET,
    at,
    do,
    fire,
    game,
    group,
    offered,
    refused,
    turnout,
    values,
)


def fresh(*script: int | str, **options: str) -> State:
    """A new jungle mission with these draws after the location roll."""
    entropy = ScriptedEntropy([2, 3, *script])
    state = begin(game(), Setup("mission", "solo", options), entropy).state
    entropy.finish()
    return state


# --- set-up -----------------------------------------------------------------------------------


@pytest.mark.rule("SK-1.4", "SK-1.11", "SK-1.12", "SK-1.13")
def test_nothing_is_decided_before_it_comes_up() -> None:
    state = fresh("J02", *NEXT_TURN)
    assert sorted([*state.location_pile, "J02"]) == sorted(f"J{n:02}" for n in range(1, 13))
    assert state.vip.card == "" and sorted(state.vip_pile) == ["V1", "V2", "V3", "V4"]
    assert Counter(state.action_pile)["blank"] == 7 and state.hostile_discard == []


@pytest.mark.rule("SK-1.10", "SK-6.1", "SK-6.2")
def test_counters_go_back_at_once() -> None:
    state = at(phase="I")
    found = turnout(state, "end_phase", "1", "4")
    assert [(r.label, r.size) for r in found.results] == [("dice counter", 6), ("patrol", 10)]
    fields = msg(found.state)
    assert not any("counter" in name and name != "kill_counters" for name in fields)
    again = turnout(at(phase="I"), "end_phase", "1", "4")
    assert [r.size for r in again.results] == [6, 10]
    strengths = [str(n) for n in game().content.tables.patrol_counters]
    assert Counter(strengths) == {"1": 2, "2": 3, "3": 3, "4": 2}


def msg(state: State) -> list[str]:
    return list(state.__struct_fields__)


@pytest.mark.rule("SK-1.13", "SK-1.14", "SK-20.4")
def test_a_cache_at_the_start_stays_for_turn_one() -> None:
    state = fresh("J06", "fire", "crawl", *NEXT_TURN)
    assert state.turn == 1 and state.hand == ["fire", *BLANKS, "crawl"]


@pytest.mark.rule("SK-1.13", "SK-20.3", "SK-20.4")
def test_other_events_at_the_start() -> None:
    trapped = fresh("J08", 1, 6, 6, *NEXT_TURN)
    assert trapped.light == 1 and not trapped.spotter_alive and trapped.turn == 1
    assert fresh("J09", *NEXT_TURN).reserve == 2
    assert fresh("J12", *NEXT_TURN).reserve == 1
    assert fresh("J12", *NEXT_TURN, hot_zone="on").reserve == 2


@pytest.mark.rule("SK-1.6", "SK-20.5")
def test_contact_at_the_start_takes_the_place_of_the_marker() -> None:
    entropy = ScriptedEntropy([1, 3, "R04", *NEXT_TURN])
    state = begin(game(), Setup("mission", "solo"), entropy).state
    assert state.location == "ruined_city" and not state.first_contact
    assert state.enemy is not None and (state.enemy.count, state.enemy.range) == (2, "medium")


@pytest.mark.rule("SK-1.14", "SK-2.2", "SK-6.5")
def test_ambush_before_the_first_turn() -> None:
    state = fresh("J05", "4")
    assert state.turn == 0 and offered(state) == {"patrol", "abandon"}
    assert values(state, "patrol", "how") == ["escape", "fight"]
    after = do(state, "patrol", 1, 2, 3, 1, 1, *NEXT_TURN, how="escape")
    assert after.turn == 1 and after.phase == "I" and after.critical == 1 and after.first_contact
    then = do(state, "patrol", 6, 2, 3, *NEXT_TURN, how="escape", then="end_turn")
    assert (then.turn, then.phase) == (1, "I")


@pytest.mark.rule("SK-1.6", "SK-7.3", "SK-2.7")
def test_the_marker_waits_for_the_first_card_that_is_drawn() -> None:
    state = at(turn=1, phase="II", first_contact=True, hostile_pile=[])
    after = do(state, "end_phase")
    assert after.phase == "III" and after.enemy is None and after.first_contact


# --- windows and phases -----------------------------------------------------------------------


@pytest.mark.rule("SK-2.1", "SK-2.2", "SK-4.4")
def test_what_each_state_allows() -> None:
    full = {"hand": ["movement", "crawl", "medkit", "fire"], "light": 1, "morale": 20}
    window = {"move", "crawl", "heal", "end_phase", "end_turn", "abandon"}
    for phase in ("I", "II", "III"):
        assert offered(at(phase=phase, **full)) == window
    only = {"TDISCARD": "discard_tactical", "PATROL": "patrol", "IV": "radio"}
    for phase, verb in only.items():
        state = at(phase=phase, tactical=["priority_channel"] * 4, patrol=1, **full)
        assert offered(state) == {verb, "abandon"}
        refused(state, "move", "SK-2.2")
    assert offered(at(phase="VI", zone=6, **full)) == {"extract", "stay", "abandon"}


@pytest.mark.rule("SK-2.3", "SK-4.1", "SK-4.4")
def test_a_turn_start() -> None:
    state = at(
        jammed=True, turn_flags=["windage_call", "overwatch", "first_shot_done", "scan_used"],
        fire=fire(2), fire_closed=True, enemy=group(3, spotted=True), claymore_laid=True, crawl=1,
    )  # fmt: skip
    after = do(
        state, "end_phase", "blank", "h1", "fire", "crawl", "medkit", "hidden", "binocs", "ghost"
    )
    assert after.turn == 5 and not after.jammed and after.turn_flags == []
    assert after.fire is None and not after.fire_closed and after.phase == "I"
    assert after.enemy is not None and not after.enemy.spotted
    assert after.hand == ["fire", "crawl", "hidden", "binocs", "medkit"]
    assert after.claymore_laid and after.crawl == 1


@pytest.mark.rule("SK-2.4")
def test_unused_actions_are_lost_with_the_phase() -> None:
    after = do(at(phase="II", enemy=group(1), fire=fire(2), fire_closed=True), "end_phase")
    assert after.phase == "III" and after.fire is None and not after.fire_closed


@pytest.mark.rule("SK-2.5")
def test_through_is_for_phase_one() -> None:
    assert values(at(phase="I"), "end_phase", "through") == ["II", "III"]
    assert values(at(phase="II"), "end_phase", "through") == []
    plain = do(at(phase="I"), "end_phase", "2")
    assert plain.phase == "II"


@pytest.mark.rule("SK-2.7")
def test_empty_piles() -> None:
    nothing = at(hostile_pile=[], hostile_discard=[], enemy=group(2), hostile_card="h2")
    after = do(nothing, "end_phase", "blank", *NEXT_TURN)
    assert after.turn == 5 and after.hostile_discard == [] and after.hostile_card == "h2"
    shuffled = at(phase="II", hostile_pile=[], hostile_discard=["h4", "h1"])
    came = do(shuffled, "end_phase", "h1")
    assert came.hostile_pile == ["h4"] and came.hostile_discard == [] and came.hostile_card == "h1"
    silent = at(action_pile=[], action_discard=[], tactical_pile=[])
    after = do(silent, "end_phase", "h1")
    assert after.turn == 5 and after.hand == [] and after.morale == 10 and after.tactical == []
    radio = at(action_pile=[], action_discard=["fire"], hand=["blank"])
    after = do(radio, "end_phase", "blank", "h1", "fire", "blank", "ghost")
    assert after.morale == 10 and after.hand == ["fire", "blank"]


@pytest.mark.rule("SK-2.8")
def test_dice_come_in_the_order_of_the_table() -> None:
    state = at(enemy=group(3, "short", spotted=True), fire=fire(1))
    found = turnout(state, "shoot", 6, 7, 1, 1, 5, 3, 1, 1, 5, 1, 2, 1, 3, 3, 3)
    assert [r.label for r in found.results] == [
        "behaviour", "wind", "shot", "shot", "gun",
        "cc attack", "cc attack", "cc attack", "cc enemy", "cc enemy", "spotter", "spotter",
        "cc attack", "cc attack", "cc attack",
    ]  # fmt: skip


# --- cards ------------------------------------------------------------------------------------


@pytest.mark.rule("SK-3.2", "SK-3.3")
def test_the_hand_is_discarded_and_tactical_cards_stay() -> None:
    state = at(hand=["fire", "movement", "crawl"], tactical=["smoke"])
    after = do(state, "end_phase", *QUIET)
    assert after.action_discard == ["fire", "movement", "crawl", "blank"]
    assert after.hand == list(BLANKS) and after.tactical == ["smoke", "ghost"]


@pytest.mark.rule("SK-3.10", "SK-4.3")
def test_three_tactical_cards_may_be_held() -> None:
    two = at(tactical=["smoke", "ghost"])
    assert do(two, "end_phase", "blank", "h1", *BLANKS, "smoke").phase == "I"
    three = at(tactical=["smoke", "ghost", "claymore"])
    four = do(three, "end_phase", "blank", "h1", *BLANKS, "smoke")
    assert four.phase == "TDISCARD"
    assert values(four, "discard_tactical", "card") == ["smoke", "ghost", "claymore"]
    refused(four, "discard_tactical", "SK-4.3", card="overwatch")
    new = do(four, "discard_tactical", card="smoke")
    assert new.phase == "I" and new.tactical == ["ghost", "claymore", "smoke"]


@pytest.mark.rule("SK-4.2", "SK-19.11", "SK-12.4")
def test_immediate_cards_are_never_held() -> None:
    full = at(tactical=["smoke", "ghost", "claymore"], reserve=1)
    after = do(full, "end_phase", "blank", "h1", *BLANKS, "local_informant")
    assert after.phase == "I" and len(after.tactical) == 3 and after.reserve == 1
    silent = do(at(), "end_phase", "blank", "h1", *BLANKS, "dead_air")
    assert silent.turn_flags == ["dead_air"] and silent.tactical_discard == ["dead_air"]


@pytest.mark.rule("SK-3.2", "SK-11.6", "SK-11.7", "SK-19.11")
def test_dead_air_skips_the_radio_whatever_is_held() -> None:
    state = at(turn_flags=["dead_air"], tactical=["priority_channel"], hand=["fire"])
    after = do(state, "end_phase", "h1", *NEXT_TURN)
    assert after.turn == 5 and after.tactical == ["priority_channel", "ghost"]


# --- patrols ----------------------------------------------------------------------------------


@pytest.mark.rule("SK-6.1")
@pytest.mark.parametrize("number", range(1, 7))
def test_only_the_zone_s_own_number_brings_a_patrol(number: int) -> None:
    draws = [str(number), *(["1"] if number == 4 else [])]
    after = do(at(zone=4, phase="I"), "end_phase", *draws)
    assert after.phase == ("PATROL" if number == 4 else "II")


@pytest.mark.rule("SK-6.4", "SK-6.6", "SK-19.8", "SK-19.9", "SK-19.10")
def test_answers_to_a_patrol() -> None:
    waiting = {"phase": "PATROL", "return_to": "II", "patrol": 2}
    state = at(**waiting, hand=["hidden"], tactical=["ghost", "smoke", "claymore"])
    assert values(state, "patrol", "how") == ["hidden", "ghost", "smoke", "escape", "fight"]
    assert values(state, "patrol", "claymore", how="fight") == ["false", "true"]
    assert values(state, "patrol", "claymore", how="escape") == []
    for how, discard in (("ghost", "ghost"), ("smoke", "smoke")):
        after = do(state, "patrol", how=how)
        assert after.tactical_discard == [discard] and after.phase == "II" and after.patrol == 0
    blown = do(state, "patrol", how="fight", claymore=True)
    assert blown.kills == 2 and not blown.claymore_laid and "claymore" not in blown.tactical
    laid = at(**waiting, claymore_laid=True, tactical=["claymore"])
    assert values(laid, "patrol", "claymore", how="fight") == []
    assert do(laid, "patrol", how="fight").tactical == ["claymore"]
    refused(at(**waiting), "patrol", "SK-6.4", how="hidden")
    refused(at(**waiting), "patrol", "SK-6.4", how="dance")


@pytest.mark.rule("SK-6.5", "SK-18.7")
def test_escape() -> None:
    waiting = {"phase": "PATROL", "return_to": "II", "patrol": 4}
    for gear, dice, wounds in (
        ([], (6, 1, 1), 0), ([], (5, 5, 5), 1), (["ghillie"], (5, 1, 1), 0), (["ghillie"], (4, 4, 4), 1),
    ):  # fmt: skip
        after = do(at(**waiting, gear=gear), "patrol", *dice, *[1, 1] * wounds, how="escape")
        assert after.critical == wounds and after.phase == "II" and after.kills == 0


@pytest.mark.rule("SK-6.6", "SK-6.7", "SK-9.3")
def test_a_patrol_and_the_enemy_in_play_do_not_touch_each_other() -> None:
    state = at(
        phase="PATROL",
        return_to="II",
        patrol=2,
        enemy=group(4, "short", spotted=True),
        hostile_card="h4",
    )
    after = do(state, "patrol", 3, 1, 1, 6, 1, 1, 3, 1, 1, how="fight")
    assert after.kills == 2 and after.critical == 1 and after.patrol == 0
    assert after.enemy is not None and after.enemy.count == 4 and after.hostile_card == "h4"


# --- radio and reserve ------------------------------------------------------------------------


@pytest.mark.rule("SK-11.1", "SK-11.2", "SK-11.3")
def test_signals_and_airstrikes() -> None:
    for card in ("blank", "movement", "crawl", "hidden", "binocs", "medkit"):
        after = do(at(), "end_phase", card, "h1", *NEXT_TURN)
        assert after.morale == 10 and after.action_discard == [card]
    failed = do(at(enemy=group(2)), "end_phase", "fire", 5, 5, "h1", *NEXT_TURN)
    assert failed.morale == 10 and failed.enemy is not None
    alone = do(at(), "end_phase", "fire", 6, 1, "h1", *NEXT_TURN)
    assert alone.morale == 25 and alone.kills == 0


@pytest.mark.rule("SK-11.2", "SK-18.13", "SK-22.5")
def test_what_helps_an_airstrike() -> None:
    for helped in (at("group", gear=["satcom"]), at("group", turn_flags=["focus_comms"])):
        after = do(helped, "end_phase", "fire", 5, 1, "h1", *NEXT_TURN)
        assert after.morale == 25
        missed = do(helped, "end_phase", "fire", 4, 4, "h1", *NEXT_TURN)
        assert missed.morale == 10


@pytest.mark.rule("SK-11.5", "SK-19.10")
def test_priority_channel_is_a_signal_without_a_draw() -> None:
    state = at(phase="IV", tactical=["priority_channel"], enemy=group(2))
    after = do(state, "radio", 6, 1, "h1", *NEXT_TURN, priority=True)
    assert after.morale == 25 and after.kills == 2 and after.action_discard == []
    assert after.tactical == ["ghost"] and after.tactical_discard == ["priority_channel"]


@pytest.mark.rule("SK-12.1", "SK-12.2", "SK-12.3")
@pytest.mark.parametrize("card", ["h1", "h4", "enemy_sniper", "reserve"])
def test_reserve_draw(card: str) -> None:
    after = do(at(reserve=3), "end_phase", "blank", card, *NEXT_TURN)
    assert after.reserve == (4 if card == "reserve" else 3)
    assert after.enemy is None and after.hostile_discard == [card]


@pytest.mark.rule("SK-12.3", "SK-16.3")
def test_box_eight() -> None:
    after = do(at(reserve=7, kp=5, kills=25), "end_phase", "blank", "reserve")
    assert after.result == "POW" and after.reserve == 8 and after.turn == 4
    assert after.outcome is not None and after.outcome.won == () and after.outcome.level == ""
    assert after.outcome.cause == "SK-12.3" and offered(after) == set()


# --- ends -------------------------------------------------------------------------------------


@pytest.mark.rule("SK-16.1", "SK-16.2", "SK-16.5", "SK-15.3")
def test_what_a_standalone_mission_reports() -> None:
    for dead, level in ((True, "Major"), (False, "Minor")):
        state = at(
            zone=6, phase="VI", vip={**OVER_THERE, "dead": dead}, hand=["crawl"] * 2, kp=4, light=1
        )
        over = do(state, "extract")
        kept = game().record(over, "SNIPER")
        assert over.outcome is not None and over.outcome.level == level and kept is not None
        assert kept.level == level and kept.figures["Kill Points"] == 4
        assert kept.figures["Victory Points"] == 3 and "4 Kill Points" in over.outcome.text
        assert "SNIPER" in over.outcome.won and kept.won


@pytest.mark.rule("SK-16.6")
def test_giving_up_is_captivity_at_any_time() -> None:
    for phase in ("I", "II", "III", "PATROL", "TDISCARD", "IV", "VI"):
        after = do(at(phase=phase, zone=6, patrol=1, tactical=["smoke"] * 4), "abandon")
        assert after.result == "POW" and after.outcome is not None
        assert after.outcome.cause == "SK-16.6" and "given" in after.outcome.text


@pytest.mark.rule("SK-2.6")
def test_nothing_happens_after_the_end() -> None:
    over = do(at(), "abandon")
    assert over.phase == "OVER"
    for verb in game().verbs:
        refused(over, verb, "")


def test_real_missions_begin_with_the_window_of_phase_one() -> None:
    for number in range(30):
        found = begin(game(), game().read_setup({}), seeded(f"start {number}")).state
        assert found.phase in ("I", "PATROL") and found.turn == (found.phase == "I")

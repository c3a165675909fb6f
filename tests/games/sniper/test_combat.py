"""Enemies: contact, closing in, his fire, Close Combat. Rules SK-7 and SK-9."""

from __future__ import annotations

import pytest

from tests.games.sniper.field import NEXT_TURN, at, do, fire, group, shooter


@pytest.mark.rule("SK-7.1", "SK-7.2", "SK-1.6")
def test_the_first_card_names_the_first_contact() -> None:
    state = at(turn=1, phase="II", first_contact=True)
    for card, count in (("h1", 1), ("h2", 2), ("h3", 3), ("h4", 4)):
        after = do(state, "end_phase", card)
        assert after.enemy is not None and not after.first_contact
        assert (after.enemy.kind, after.enemy.count) == ("hostile", count)
        assert (after.enemy.range, after.enemy.spotted) == ("long", False)
        assert after.hostile_card == card and after.hostile_discard == []
    after = do(state, "end_phase", "enemy_sniper", 1, 2, 3)
    assert after.enemy is not None and after.enemy.kind == "sniper" and not after.first_contact


@pytest.mark.rule("SK-7.1")
@pytest.mark.parametrize("enemy", [group(1, "short"), shooter("medium", 1)])
def test_nobody_comes_while_somebody_is_there(enemy: dict[str, object]) -> None:
    after = do(at(phase="II", enemy=enemy), "end_phase")
    assert after.phase == "III" and len(after.hostile_pile) == 37
    assert after.enemy is not None and after.enemy.range == enemy["range"]


@pytest.mark.rule("SK-7.4", "SK-12.2")
def test_a_reserve_card_in_phase_three_does_not_move_the_track() -> None:
    after = do(at(phase="II", reserve=7), "end_phase", "reserve")
    assert after.reserve == 7 and after.result == "" and after.enemy is None


@pytest.mark.rule("SK-7.5", "SK-9.5", "SK-18.7", "SK-18.12")
@pytest.mark.parametrize(
    ("card", "gear", "dice", "light"),
    [
        ("J03", [], (3, 4, 4), 2),
        ("J10", [], (4, 5, 4), 1),
        ("J02", [], (5, 5, 6), 1),
        ("J10", ["ghillie"], (5, 5, 6), 1),
        ("J02", ["ghillie"], (5, 5, 6), 1),
        ("J03", ["suppressor"], (4, 3), 1),
        ("J03", ["ghillie", "suppressor"], (4, 5), 1),
    ],
)
def test_his_fire(card: str, gear: list[str], dice: tuple[int, ...], light: int) -> None:
    state = at(phase="II", location_cards__1=card, gear=gear)
    after = do(state, "end_phase", "enemy_sniper", *dice, *[1, 1] * light)
    assert after.light == light and after.critical == 0


@pytest.mark.rule("SK-7.6", "SK-7.7", "SK-7.8")
def test_shots_at_a_sniper_count_across_turns_and_jams_do_not() -> None:
    state = at(enemy=shooter(), fire=fire(2))
    once = do(state, "shoot", 6, 7, 1, 1, 5)
    jam = do(once, "shoot", 6, 7, 6, 6, 1)
    assert jam.enemy is not None and jam.enemy.shots == 1 and jam.enemy.range == "long"
    later = do(jam, "end_phase", "blank", "h1", "fire", *NEXT_TURN[1:])
    assert later.enemy is not None and later.enemy.shots == 1 and later.enemy.spotted
    opened = do(later, "fire", with_="fire", target="enemy")
    answer = do(opened, "shoot", 6, 7, 1, 1, 5, 3, 3, 3)
    assert answer.enemy is not None
    assert (answer.enemy.shots, answer.enemy.range) == (0, "medium")


@pytest.mark.rule("SK-8.15", "SK-15.1")
def test_a_sniper_is_one_kill() -> None:
    state = at(enemy=shooter(), hostile_card="enemy_sniper", fire=fire(2))
    after = do(state, "shoot", 6, 7, 6, 6, 5)
    assert after.enemy is None and after.kills == 1 and after.morale == 15
    assert after.hostile_discard == ["enemy_sniper"]


@pytest.mark.rule("SK-7.7", "SK-7.10", "SK-9.6")
def test_a_sniper_at_short_range_fires_then_comes_upon_us() -> None:
    state = at(enemy=shooter("short", 1), hostile_card="enemy_sniper", fire=fire(2))
    after = do(state, "shoot", 6, 7, 1, 1, 5, 5, 1, 1, 1, 1, 2, 2, 2, 4, 3, 1, 1)
    assert after.light == 1 and after.critical == 0 and after.kills == 1
    assert after.enemy is None and after.fire is None and after.hostile_card == ""


@pytest.mark.rule("SK-2.6", "SK-7.7", "SK-10.4")
def test_his_answer_can_kill_before_he_moves() -> None:
    state = at(enemy=shooter("short", 1), fire=fire(2), light=4)
    after = do(state, "shoot", 6, 7, 1, 1, 5, 6, 6, 6)
    assert after.result == "KIA" and after.light == 5 and after.wounds_received == 1


@pytest.mark.rule("SK-7.9")
def test_a_group_does_nothing_by_itself() -> None:
    state = at(phase="I", enemy=group(4, "short"))
    state = do(state, "end_phase", "6")
    state = do(state, "end_phase")
    state = do(state, "end_phase", "blank", "h1", *NEXT_TURN)
    assert state.turn == 5 and state.enemy is not None and state.enemy.range == "short"
    assert state.wounds_received == 0


@pytest.mark.rule("SK-7.9", "SK-7.10", "SK-19.11")
def test_spooked_birds_bring_either_kind_closer_without_a_shot() -> None:
    draws = ("blank", "h1", *["blank"] * 5, "spooked_birds")
    for enemy in (group(2), shooter("long", 1)):
        after = do(at(enemy=enemy), "end_phase", *draws)
        assert after.enemy is not None and after.enemy.range == "medium" and after.light == 0
        assert after.enemy.shots == enemy.get("shots", 0)
    upon = do(at(enemy=shooter("short", 1)), "end_phase", *draws, 3, 1, 1)
    assert upon.enemy is None and upon.kills == 1 and upon.phase == "I"
    nobody = do(at(), "end_phase", *draws)
    assert nobody.enemy is None and nobody.tactical_discard == ["spooked_birds"]


@pytest.mark.rule("SK-2.6", "SK-4.2", "SK-19.11")
def test_spooked_birds_can_end_the_mission_at_a_turn_start() -> None:
    state = at(enemy=group(3, "short"), critical=2, tactical=["smoke", "ghost", "claymore"])
    after = do(state, "end_phase", "blank", "h1", *["blank"] * 5, "spooked_birds", 1, 1, 1, 6, 6, 6)
    assert after.result == "KIA" and after.critical == 3 and after.phase == "OVER"


# --- Close Combat ---


@pytest.mark.rule("SK-9.1", "SK-19.9")
def test_a_claymore_may_leave_nobody_to_fight() -> None:
    for count in (1, 2):
        state = at(enemy=group(count, "short", spotted=True), fire=fire(1), claymore_laid=True)
        after = do(state, "shoot", 6, 7, 1, 1, 5)
        assert after.kills == count and not after.claymore_laid and after.morale == 10 + 5 * count


@pytest.mark.rule("SK-9.2", "SK-9.3", "SK-9.4", "SK-9.7")
def test_rounds_go_on_to_the_end() -> None:
    state = at(enemy=group(4, "short", spotted=True), fire=fire(1), location_cards__1="J03")
    after = do(
        state, "shoot", 6, 7, 1, 1, 5,
        3, 2, 1, 4, 3, 3, 1, 1,
        1, 1, 2, 3, 3, 3,
        6, 6, 6,
    )  # fmt: skip
    assert after.kills == 4 and after.critical == 1 and after.enemy is None


@pytest.mark.rule("SK-2.6", "SK-9.4", "SK-10.3", "SK-10.4")
def test_kia_in_the_middle_of_several_hits() -> None:
    state = at(enemy=group(4, "short", spotted=True), fire=fire(1), critical=1)
    after = do(state, "shoot", 6, 7, 1, 1, 5, 1, 1, 1, 5, 6, 5, 6, 1, 1)
    assert after.result == "KIA" and after.critical == 3 and after.wounds_received == 2
    assert after.kills == 0 and after.spotter_alive


@pytest.mark.rule("SK-18.4", "SK-18.6", "SK-9.2")
def test_knife_and_sidearm() -> None:
    state = at(enemy=group(4, "short", spotted=True), fire=fire(1))
    for gear, dice, kills in (
        (["knife"], (3, 3, 3, 3), 4),
        (["sidearm"], (2, 2, 2), 3),
        (["knife", "sidearm"], (2, 2, 2, 2), 4),
    ):
        state.gear = gear
        rest = () if kills == 4 else (1, 6, 6, 6)
        assert do(state, "shoot", 6, 7, 1, 1, 5, *dice, *rest).kills == 4


@pytest.mark.rule("SK-9.5", "SK-18.7")
def test_cover_is_never_above_two() -> None:
    state = at(
        enemy=group(1, "short", spotted=True),
        fire=fire(1),
        gear=["ghillie"],
        location_cards__1="J02",
    )
    after = do(state, "shoot", 6, 7, 1, 1, 5, 1, 1, 1, 6, 1, 1, 3, 3, 3)
    assert after.critical == 1

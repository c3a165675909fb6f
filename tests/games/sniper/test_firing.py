"""Firing: opening, spotting, the shot, the VIP, rifles. Rules SK-8, SK-13, SK-18, SK-19.1 to 19.5."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel import event
from games.sniper.model import State
from tests.games.sniper.field import at, do, fire, group, offered, refused, shooter, turnout, values

SPOTTED = group(2, "medium", spotted=True)
VIP = {"card": "V1", "revealed": True}


# --- opening a fire ---


@pytest.mark.rule("SK-3.5", "SK-8.1")
def test_what_a_fire_needs() -> None:
    refused(at(hand=["fire"]), "fire", "SK-8.1", with_="fire", target="enemy")
    refused(at(hand=["fire"], first_contact=True), "fire", "SK-8.1")
    refused(at(enemy=group(1)), "fire", "SK-8.1", with_="fire", target="enemy")
    refused(at(enemy=group(1), hand=["blank"]), "fire", "SK-3.5", with_="blanks", target="enemy")
    opened = at(enemy=group(1), hand=["fire"], fire=fire(1))
    refused(opened, "fire", "SK-8.1", with_="fire", target="enemy")
    refused(at(enemy=group(1), hand=["fire"], jammed=True), "fire", "SK-8.17")
    refused(at(enemy=group(1), hand=["fire"], phase="VI", zone=6), "fire", "SK-2.2")


@pytest.mark.rule("SK-3.1", "SK-3.4", "SK-3.5", "SK-8.2")
def test_cards_and_actions() -> None:
    state = at(enemy=group(1), hand=["fire", "blank", "blank", "blank"])
    one = do(state, "fire", with_="fire", target="enemy")
    assert one.fire is not None and one.fire.actions == 2 and one.action_discard == ["fire"]
    two = do(state, "fire", with_="blanks", target="enemy")
    assert two.fire is not None and two.fire.actions == 2
    assert two.action_discard == ["blank", "blank"] and two.hand == ["fire", "blank"]


@pytest.mark.rule("SK-8.2", "SK-18.5")
@pytest.mark.parametrize("enemy", [group(1), shooter()])
def test_m110_has_three_actions_for_a_fire_card_at_an_enemy(enemy: dict[str, object]) -> None:
    state = at(enemy=enemy, hand=["fire", "blank", "blank"], rifle="m110")
    for way, actions in (("fire", 3), ("blanks", 2)):
        after = do(state, "fire", with_=way, target="enemy")
        assert after.fire is not None and after.fire.actions == actions


@pytest.mark.rule("SK-8.2", "SK-13.3", "SK-18.5")
def test_m110_has_two_actions_at_the_vip() -> None:
    after = do(at(zone=5, vip=VIP, hand=["fire"], rifle="m110"), "fire", with_="fire", target="vip")
    assert after.fire is not None and after.fire.actions == 2


@pytest.mark.rule("SK-8.3")
def test_open_actions_bind_to_their_target() -> None:
    state = at(enemy=SPOTTED, fire=fire(1), hand=["fire", "blank", "blank"])
    refused(state, "fire", "SK-8.1", with_="blanks", target="enemy")
    assert "fire" not in offered(state) and "shoot" in offered(state)
    assert do(state, "end_phase", "blank", "h1", *["blank"] * 5, "ghost").fire is None
    closing = do(at(phase="II", enemy=SPOTTED, fire=fire(2)), "end_phase")
    assert closing.phase == "III" and closing.fire is None


@pytest.mark.rule("SK-8.18", "SK-8.20", "SK-7.2")
def test_the_last_kill_ends_the_fire_and_nobody_follows() -> None:
    state = at(
        enemy=group(1, "short", spotted=True), hostile_card="h1", fire=fire(2), hand=["fire"]
    )
    after = do(state, "shoot", 6, 7, 6, 6, 5)
    assert after.enemy is None and after.fire is None
    assert after.hostile_card == "" and after.hostile_discard == ["h1"]
    refused(after, "fire", "SK-8.1", with_="fire", target="enemy")


# --- spotting ---


@pytest.mark.rule("SK-8.4", "SK-8.5", "SK-8.6")
def test_a_group_must_be_spotted() -> None:
    state = at(enemy=group(2), hand=["fire"])
    opened = do(state, "fire", with_="fire", target="enemy")
    assert opened.fire is not None and opened.fire.spot_tries == 2
    refused(opened, "shoot", "SK-8.4")
    assert do(opened, "spot", 3).enemy.spotted  # pyright: ignore[reportOptionalMemberAccess]
    once = do(opened, "spot", 2)
    assert once.fire is not None and once.fire.spot_tries == 1 and not once.fire_closed
    refused(do(opened, "spot", 3), "spot", "SK-8.4")
    refused(state, "spot", "SK-8.5")
    refused(at(enemy=shooter(), fire=fire(2)), "spot", "SK-7.6")


@pytest.mark.rule("SK-8.5", "SK-18.9")
def test_spotting_scope() -> None:
    state = at(enemy=group(2), fire=fire(2, tries=1), gear=["scope"])
    assert do(state, "spot", 1).fire_closed
    assert not do(state, "spot", 2).fire_closed


@pytest.mark.rule("SK-3.8", "SK-8.7")
def test_binocs() -> None:
    state = at(enemy=group(2), hand=["binocs", "fire"])
    assert do(state, "binocs").enemy == do(at(enemy=group(2), hand=["binocs"]), "binocs").enemy
    opened = do(do(state, "fire", with_="fire", target="enemy"), "spot", 1)
    between = do(opened, "binocs")
    assert between.enemy is not None and between.enemy.spotted
    assert between.hand == [] and between.action_discard == ["fire", "binocs"]
    closed = at(enemy=group(2), hand=["binocs"], fire_closed=True, phase="I")
    assert do(closed, "binocs").enemy is not None
    for enemy in (None, shooter(), group(1, spotted=True)):
        refused(at(enemy=enemy or False, hand=["binocs"]), "binocs", "SK-8.7")
    refused(at(enemy=group(1)), "binocs", "SK-8.7")


@pytest.mark.rule("SK-8.8", "SK-2.4")
def test_failed_spotting_closes_fire_at_enemies_only() -> None:
    state = at(
        phase="I",
        enemy=group(1),
        fire=fire(2, tries=1),
        hand=["fire", "binocs", "movement"],
        morale=20,
    )
    after = do(state, "spot", 2)
    assert after.fire is None and after.fire_closed
    refused(after, "fire", "SK-8.8", with_="fire", target="enemy")
    assert {"binocs", "move"} <= offered(after)
    assert not do(after, "end_phase", "6").fire_closed


@pytest.mark.rule("SK-5.6", "SK-8.8", "SK-13.2")
def test_closed_fire_stays_closed_in_the_next_zone_but_not_at_the_vip() -> None:
    state = at(
        zone=4, phase="II", morale=90, enemy=group(1), fire_closed=True,
        hand=["movement", "movement", "hidden", "fire"],
    )  # fmt: skip
    after = do(state, "move", cover="hidden")
    assert after.zone == 5 and after.fire_closed
    assert values(after, "fire", "target", with_="fire") == ["vip"]


# --- the shot ---


def total(state: State, *dice: int, **slots: Any) -> int:
    """The modified total of a shot with these dice, ending in a clear gun."""
    events = turnout(state, "shoot", *dice, **slots).events
    tested = next(e for e in events if isinstance(e, event.Tested) and e.total is not None)
    assert tested.total is not None
    assert tested.total == sum(tested.throws[-2].dice) + sum(m.value for m in tested.modifiers)
    return tested.total


@pytest.mark.rule("SK-8.10", "SK-8.11", "SK-8.12", "SK-8.14", "SK-8.15")
def test_modifiers_add_up() -> None:
    open_ = fire(1)
    at_long = at(enemy=group(9 - 5, spotted=True), fire=open_)
    assert total(at_long, 4, 7, 6, 6, 5) == 10
    assert total(at_long, 3, 7, 6, 6, 5) == 9
    for wind, drm in zip(range(1, 11), (-2, -2, -1, -1, -1, 0, 0, 0, 0, 1), strict=True):
        assert total(at_long, 4, wind, 6, 6, 5) == 10 + drm
    assert total(at(enemy=group(2, "short", spotted=True), fire=open_), 4, 7, 6, 6, 5) == 12
    assert total(at(enemy=SPOTTED, fire=open_, location_cards__1="J07"), 4, 7, 6, 6, 5) == 12
    assert total(at(enemy=SPOTTED, fire=open_, location_cards__1="J01"), 4, 7, 6, 6, 5) == 10
    worst = at(
        enemy=group(1, spotted=True), fire=open_, location_cards__1="J01", spotter_alive=False
    )
    assert total(worst, 1, 1, 6, 6, 5) == 12 - 1 - 2 - 2 - 2 - 1


@pytest.mark.rule("SK-8.9", "SK-8.15", "SK-8.19")
@pytest.mark.parametrize(("dice", "left", "where"), [((3, 3), 2, "short"), ((4, 3), 1, "medium")])
def test_seven_kills(dice: tuple[int, int], left: int, where: str) -> None:
    state = at(enemy=SPOTTED, fire=fire(1), location_cards__1="J07")
    after = do(state, "shoot", 6, 7, *dice, 2).enemy
    assert after is not None and (after.count, after.range) == (left, where)


@pytest.mark.rule("SK-8.19")
def test_two_misses_move_a_group_twice() -> None:
    state = at(enemy=group(2, spotted=True), fire=fire(2))
    after = do(do(state, "shoot", 6, 7, 1, 1, 5), "shoot", 6, 7, 1, 1, 5)
    assert after.enemy is not None and after.enemy.range == "short" and after.fire is None


@pytest.mark.rule("SK-8.14", "SK-18.5", "SK-18.10")
@pytest.mark.parametrize(
    ("rifle", "gear", "drms"),
    [
        ("m40a3", [], (-2, -1, 0)),
        ("m24", [], (-1, -1, 0)),
        ("m110", [], (-2, 0, 1)),
        ("mk13", [], (-1, 0, 1)),
        ("m107", [], (0, 1, 1)),
        ("m200", [], (1, 1, 1)),
        ("m40a3", ["rangefinder"], (-1, -1, 0)),
        ("m24", ["rangefinder"], (0, -1, 0)),
        ("m107", ["rangefinder"], (1, 1, 1)),
        ("m200", ["rangefinder"], (1, 1, 1)),
    ],
)
def test_rifles(rifle: str, gear: list[str], drms: tuple[int, int, int]) -> None:
    for where, drm in zip(("long", "medium", "short"), drms, strict=True):
        state = at(enemy=group(4, where, spotted=True), fire=fire(1), rifle=rifle, gear=gear)
        assert total(state, 6, 7, 6, 6, 5) == 12 + drm


@pytest.mark.rule("SK-18.5", "SK-13.4")
@pytest.mark.parametrize(("card", "drm"), [("V1", -2), ("V2", -1)])
def test_m110_helps_at_a_vip_in_its_ranges(card: str, drm: int) -> None:
    state = at(
        zone=5, vip={"card": card, "revealed": True}, fire=fire(1, "vip"), rifle="m110",
        location_cards__5="J10",
    )  # fmt: skip
    assert total(state, 7, 6, 6, 5) == 12 + drm


@pytest.mark.rule("SK-18.11", "SK-19.5")
def test_wind_meter_and_windage_call() -> None:
    def drm(wind: int, gear: list[str], flags: list[str]) -> int:
        state = at(enemy=SPOTTED, fire=fire(1), gear=gear, turn_flags=flags)
        return total(state, 6, wind, 6, 6, 5) - 11

    assert [drm(wind, ["wind_meter"], []) for wind in (1, 3, 6, 10)] == [-1, 0, 0, 1]
    assert [drm(wind, [], ["windage_call"]) for wind in (1, 3, 6, 10)] == [0, 0, 0, 1]
    assert [drm(wind, ["wind_meter"], ["windage_call"]) for wind in (1, 10)] == [0, 1]


@pytest.mark.rule("SK-19.5")
def test_windage_call_lasts_for_the_turn() -> None:
    state = do(at(tactical=["windage_call", "windage_call"]), "tactical", card="windage_call")
    assert state.turn_flags == ["windage_call"] and state.tactical == ["windage_call"]
    refused(state, "tactical", "SK-19.5", card="windage_call")


@pytest.mark.rule("SK-8.13", "SK-8.16", "SK-8.17")
def test_a_jam_lasts_to_the_next_turn_and_open_actions_to_the_phase() -> None:
    state = at(phase="I", enemy=SPOTTED, fire=fire(2), hand=["movement"], morale=20)
    jammed = do(state, "shoot", 6, 7, 6, 6, 1)
    assert jammed.jammed and jammed.fire is not None and jammed.fire.actions == 1
    assert "move" in offered(jammed)
    later = do(jammed, "end_phase", "6")
    assert later.phase == "II" and later.jammed and later.fire is None


# --- Tactical cards on shots ---


@pytest.mark.rule("SK-8.16", "SK-19.4")
def test_a_jam_keeps_all_attached_cards() -> None:
    held = ["steady_breath", "muffled_shot", "double_tap"]
    state = at(enemy=SPOTTED, fire=fire(1), tactical=held)
    after = do(state, "shoot", 6, 7, 1, 1, 1, tactical=held)
    assert after.tactical == held and after.jammed and after.enemy == state.enemy
    assert after.fire is None


@pytest.mark.rule("SK-19.3", "SK-19.4")
def test_double_tap_stays_when_the_first_shot_hits() -> None:
    held = ["steady_breath", "double_tap"]
    state = at(enemy=SPOTTED, fire=fire(1), tactical=held)
    after = do(state, "shoot", 6, 7, 6, 6, 5, tactical=held)
    assert after.tactical == ["double_tap"] and after.tactical_discard == ["steady_breath"]
    assert after.kills == 1


@pytest.mark.rule("SK-19.3")
def test_two_misses_of_a_double_tap_are_one() -> None:
    state = at(enemy=group(2, spotted=True), fire=fire(2), tactical=["double_tap"])
    after = do(state, "shoot", 6, 7, 1, 1, 5, 6, 7, 1, 1, 5, tactical=["double_tap"])
    assert after.enemy is not None and after.enemy.range == "medium"
    assert after.fire is not None and after.fire.actions == 1 and after.tactical == []


@pytest.mark.rule("SK-19.3")
def test_a_jam_of_the_second_shot_leaves_the_gun_jammed() -> None:
    state = at(enemy=group(2, spotted=True), fire=fire(2), tactical=["double_tap"])
    after = do(state, "shoot", 6, 7, 1, 1, 5, 6, 7, 6, 6, 1, tactical=["double_tap"])
    assert after.jammed and after.kills == 0 and after.tactical == []
    assert after.enemy is not None and after.enemy.range == "medium"


@pytest.mark.rule("SK-18.14", "SK-19.3")
def test_cleaning_kit_clears_the_second_shot_too() -> None:
    state = at(
        enemy=group(2, spotted=True), fire=fire(2), tactical=["double_tap"], gear=["cleaning_kit"]
    )
    after = do(state, "shoot", 6, 7, 1, 1, 5, 6, 7, 6, 6, 1, tactical=["double_tap"])
    assert not after.jammed and after.enemy is not None and after.enemy.range == "medium"
    assert "shoot" in offered(after)
    kept = do(state, "shoot", 6, 7, 6, 6, 1, tactical=["double_tap"])
    assert kept.tactical == ["double_tap"] and kept.enemy == state.enemy and not kept.jammed


@pytest.mark.rule("SK-7.7", "SK-19.3")
def test_a_double_tap_is_one_shot_at_an_enemy_sniper() -> None:
    state = at(enemy=shooter(), fire=fire(1), tactical=["double_tap"])
    after = do(state, "shoot", 6, 7, 1, 1, 5, 6, 7, 1, 1, 5, tactical=["double_tap"])
    assert after.enemy is not None and after.enemy.shots == 1 and after.enemy.range == "long"


@pytest.mark.rule("SK-19.1", "SK-13.4")
def test_steady_breath_helps_at_the_vip() -> None:
    state = at(zone=5, vip=VIP, fire=fire(1, "vip"), tactical=["steady_breath"])
    after = do(state, "shoot", 7, 3, 3, 5, tactical=["steady_breath"])
    assert after.vip.dead  # 6 - 2 + 1 + 2 = 7


@pytest.mark.rule("SK-19.2")
def test_muffled_shot_is_for_groups_only() -> None:
    held = ["muffled_shot", "double_tap"]
    for state in (
        at(enemy=shooter(), fire=fire(1), tactical=held),
        at(zone=5, vip=VIP, fire=fire(1, "vip"), tactical=held),
    ):
        assert values(state, "shoot", "tactical") == ["double_tap"]
        refused(state, "shoot", "SK-19.4", tactical=["muffled_shot"])
    double = at(enemy=SPOTTED, fire=fire(1), tactical=["double_tap", "steady_breath"])
    refused(double, "shoot", "SK-19.4", tactical=["steady_breath", "steady_breath"])
    refused(double, "shoot", "SK-19.4", tactical=["muffled_shot"])


# --- the VIP ---


@pytest.mark.rule("SK-13.2")
def test_when_the_vip_can_be_fired_at() -> None:
    hand = ["fire", "fire"]
    refused(at(zone=4, hand=hand), "fire", "SK-8.1")
    refused(at(zone=6, hand=hand, vip=VIP), "fire", "SK-13.2")
    for enemy in (group(1), shooter()):
        state = at(zone=5, hand=hand, vip=VIP, enemy=enemy)
        refused(state, "fire", "SK-13.2", with_="fire", target="vip")
    refused(at(zone=5, hand=hand, vip={**VIP, "dead": True}), "fire", "SK-13.2")
    refused(at(zone=5, hand=hand, vip=VIP, jammed=True), "fire", "SK-8.17")
    refused(at(zone=5, hand=hand, vip={**VIP, "fire_cards_used": 2}), "fire", "SK-13.3")
    for phase in ("I", "II", "III"):
        assert "fire" in offered(at(zone=5, hand=hand, vip=VIP, phase=phase))


@pytest.mark.rule("SK-13.4", "SK-8.10")
@pytest.mark.parametrize(("card", "drm"), [("V1", -2), ("V2", -2), ("V3", -2), ("V4", -3)])
def test_base_modifiers_of_the_vips(card: str, drm: int) -> None:
    state = at(
        zone=5, vip={"card": card, "revealed": True}, fire=fire(1, "vip"), location_cards__5="J10"
    )
    assert total(state, 7, 6, 6, 5) == 12 + drm


@pytest.mark.rule("SK-13.5", "SK-15.1")
@pytest.mark.parametrize(("card", "bonus"), [("V1", 2), ("V2", 1), ("V3", 1), ("V4", 2)])
def test_what_a_vip_is_worth(card: str, bonus: int) -> None:
    state = at(zone=5, vip={"card": card, "revealed": True}, fire=fire(2, "vip"))
    after = do(state, "shoot", 7, 6, 6, 5)
    assert after.vip.dead and after.kp == bonus and after.kill_counters == 1
    assert after.morale == 15 and after.kills == 1 and after.fire is None


@pytest.mark.rule("SK-13.5", "SK-8.16")
def test_a_jam_or_a_miss_at_the_vip_moves_nothing() -> None:
    state = at(zone=5, vip=VIP, fire=fire(2, "vip"))
    for dice in ((7, 1, 1, 5), (7, 6, 6, 1)):
        after = do(state, "shoot", *dice)
        assert not after.vip.dead and after.enemy is None and after.fire is not None


@pytest.mark.rule("SK-13.3", "SK-13.6", "SK-13.7")
def test_two_fires_opened_and_never_shot() -> None:
    state = at(zone=5, phase="I", vip=VIP, hand=["fire", "blank", "blank", "fire"])
    state = do(state, "fire", with_="fire", target="vip")
    assert state.vip.attempted and state.vip.fire_cards_used == 1
    state = do(state, "end_phase", "6")
    state = do(state, "fire", with_="blanks", target="vip")
    state = do(state, "end_phase", "reserve")
    refused(state, "fire", "SK-13.3", with_="fire", target="vip")
    assert state.vip.fire_cards_used == 2 and not state.vip.dead

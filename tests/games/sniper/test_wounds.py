"""Wounds, the spotter, armour, healing. Rules SK-10."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.sniper.field import at, do, fire, group, offered, refused, shooter, values

COMING: dict[str, Any] = {"phase": "II", "location_cards__1": "J03"}
"""The end of phase II in the open."""


@pytest.mark.rule("SK-10.2", "SK-10.3", "SK-10.4", "SK-2.6")
def test_the_fifth_wound_kills_in_the_middle_of_three() -> None:
    after = do(at(**COMING, light=2, critical=1), "end_phase", "enemy_sniper", 6, 6, 6, 6, 5)
    assert after.result == "KIA" and after.light == 4 and after.wounds_received == 2
    assert after.spotter_alive


@pytest.mark.rule("SK-10.2", "SK-10.5")
def test_only_a_double_six_kills_the_spotter() -> None:
    state = at(**COMING)
    assert do(state, "end_phase", "enemy_sniper", 4, 1, 1, 6, 5).spotter_alive
    assert not do(state, "end_phase", "enemy_sniper", 4, 1, 1, 6, 6).spotter_alive


@pytest.mark.rule("SK-10.4", "SK-21.1", "SK-21.4")
@pytest.mark.parametrize(
    ("options", "light", "critical", "dies"),
    [
        ({}, 3, 0, False),
        ({}, 4, 0, True),
        ({"veteran": "on"}, 2, 0, False),
        ({"veteran": "on"}, 3, 0, True),
        ({"rookie": "on"}, 4, 0, False),
        ({"rookie": "on"}, 5, 0, True),
        ({"rookie": "on"}, 2, 3, True),
        ({"hot_zone": "on"}, 4, 0, True),
    ],
)
def test_how_many_wounds_kill(
    options: dict[str, str], light: int, critical: int, dies: bool
) -> None:
    state = at(options=options, **COMING, light=light, critical=critical)
    after = do(state, "end_phase", "enemy_sniper", 4, 1, 1, *(() if dies else (1, 1)))
    assert (after.result == "KIA") == dies


@pytest.mark.rule("SK-10.4", "SK-21.4")
def test_critical_limits() -> None:
    for options, before, dies in (
        ({}, 2, True),
        ({"rookie": "on"}, 2, False),
        ({"rookie": "on"}, 3, True),
    ):
        state = at(options=options, phase="PATROL", return_to="II", patrol=2, critical=before)
        after = do(state, "patrol", 1, 1, 1, *(() if dies else (1, 1)), how="escape")
        assert (after.result == "KIA") == dies


@pytest.mark.rule("SK-10.7", "SK-18.8")
def test_armour_turns_the_first_critical_wound_only() -> None:
    state = at(phase="PATROL", return_to="II", patrol=2, gear=["armour"])
    after = do(state, "patrol", 1, 1, 1, 1, 1, how="escape")
    assert (after.light, after.critical, after.armour_used) == (1, 0, True)
    again = at(phase="PATROL", return_to="II", patrol=2, gear=["armour"], armour_used=True)
    after = do(again, "patrol", 1, 1, 1, 1, 1, how="escape")
    assert (after.light, after.critical, after.wounds_received) == (0, 1, 1)
    light = do(at(**COMING, gear=["armour"]), "end_phase", "enemy_sniper", 4, 1, 1, 1, 1)
    assert light.light == 1 and not light.armour_used


@pytest.mark.rule("SK-10.7")
def test_armour_in_the_middle_of_close_combat() -> None:
    state = at(enemy=group(3, "short", spotted=True), fire=fire(1), gear=["armour"], critical=2)
    after = do(state, "shoot", 6, 7, 1, 1, 5, 1, 1, 1, 5, 5, 1, 1, 1)
    assert after.result == "KIA" and (after.light, after.critical) == (1, 3)


@pytest.mark.rule("SK-10.7", "SK-10.4")
def test_armour_does_not_help_against_the_fifth_wound() -> None:
    state = at(phase="PATROL", return_to="II", patrol=2, gear=["armour"], light=4)
    assert do(state, "patrol", 1, 1, 1, how="escape").result == "KIA"


@pytest.mark.rule("SK-10.1")
def test_who_wounds_how() -> None:
    light = do(at(enemy=group(1, "short"), morale=20, hand=["movement"]), "move", 4, 1, 1)
    assert (light.light, light.critical) == (1, 0)
    trap = do(at(location_cards__2="J08", morale=20, hand=["movement"]), "move", 2, 1, 1)
    assert (trap.light, trap.critical) == (1, 0)
    close = at(enemy=group(1, "short", spotted=True), fire=fire(1))
    hit = do(close, "shoot", 6, 7, 1, 1, 5, 1, 1, 1, 5, 1, 1, 6, 6, 6)
    assert (hit.light, hit.critical) == (0, 1)


@pytest.mark.rule("SK-19.6", "SK-10.5", "SK-22.5")
def test_what_ends_with_the_spotter() -> None:
    flags = ["overwatch", "windage_call", "focus_comms"]
    state = at("group", enemy=shooter("long", 1), fire=fire(2), turn_flags=flags, hand=["fire"])
    after = do(state, "shoot", 6, 7, 1, 1, 5, 5, 1, 1, 6, 6, seat="SNIPER")
    assert not after.spotter_alive and "windage_call" in after.turn_flags
    assert not {"overwatch", "focus_comms"} & set(after.turn_flags)


@pytest.mark.rule("SK-19.6")
def test_a_group_that_was_spotted_stays_spotted_without_overwatch() -> None:
    state = at(enemy=group(2), tactical=["overwatch"], hand=["fire", "fire"])
    state = do(state, "tactical", card="overwatch")
    assert state.enemy is not None and state.enemy.spotted and state.turn_flags == ["overwatch"]
    refused(
        at(tactical=["overwatch"], spotter_alive=False), "tactical", "SK-10.5", card="overwatch"
    )
    refused(
        at(tactical=["overwatch"], turn_flags=["overwatch"]),
        "tactical",
        "SK-19.6",
        card="overwatch",
    )


# --- healing ---


@pytest.mark.rule("SK-3.9", "SK-10.6", "SK-19.10")
@pytest.mark.parametrize(
    ("way", "left"),
    [("medkit", {"hand": []}), ("field_dressing", {"tactical": []}), ("kit", {"med_kits": 0})],
)
def test_ways_to_heal(way: str, left: dict[str, object]) -> None:
    state = at(light=2, critical=1, hand=["medkit"], tactical=["field_dressing"], med_kits=1)
    after = do(state, "heal", with_=way)
    assert (after.light, after.critical) == (1, 1)
    for name, value in left.items():
        assert getattr(after, name) == value


@pytest.mark.rule("SK-10.6")
def test_healing_needs_a_light_wound_and_a_window() -> None:
    full = {
        "hand": ["medkit", "fire", "fire", "fire"],
        "tactical": ["field_dressing"],
        "med_kits": 1,
    }
    for state in (at(**full), at(critical=2, **full)):
        refused(state, "heal", "SK-10.6", with_="medkit")
        assert "heal" not in offered(state)
    waiting = at(**full, light=1, phase="PATROL", return_to="II", patrol=1)
    refused(waiting, "heal", "SK-2.2", with_="medkit")
    refused(at(light=1, hand=["fire"] * 3), "heal", "SK-10.6", with_="discard")


@pytest.mark.rule("SK-10.6")
def test_any_four_cards_of_both_hands() -> None:
    state = at(light=1, hand=["fire", "fire", "blank", "medkit"], tactical=["smoke", "smoke"])
    cards = values(state, "heal", "cards", with_="discard")
    assert cards == ["fire", "fire#2", "blank", "medkit", "smoke", "smoke#2"]
    after = do(state, "heal", with_="discard", cards=["smoke#2", "fire#2", "fire", "smoke"])
    assert after.hand == ["blank", "medkit"] and after.tactical == [] and after.light == 0
    for wrong in (["fire", "fire", "blank", "medkit"], ["fire", "fire#2", "blank"], ["fire#3"] * 4):
        refused(state, "heal", "SK-10.6", with_="discard", cards=wrong)

"""Moving, Location cards, the arrival of the VIP, extraction, Morale. Rules SK-5, 13.1, 14, 15, 20."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.sniper.field import (
    NEXT_TURN,
    OVER_THERE,
    QUIET,
    at,
    do,
    fire,
    group,
    offered,
    refused,
    shooter,
    values,
)  # fmt: skip

GO = {"morale": 20, "hand": ["movement", "fire"]}


@pytest.mark.rule("SK-5.1", "SK-5.8")
def test_moves_are_for_windows_and_one_zone_at_a_time() -> None:
    state = at(morale=40, hand=["movement"] * 2, phase="II", jammed=True)
    one = do(state, "move")
    two = do(one, "move")
    assert (one.zone, two.zone) == (2, 3) and two.jammed
    refused(at(**GO, phase="PATROL", return_to="II", patrol=1), "move", "SK-2.2")


@pytest.mark.rule("SK-5.2")
@pytest.mark.parametrize(("zone", "needed"), [(1, 20), (2, 40), (3, 65), (4, 90)])
def test_morale_opens_zones(zone: int, needed: int) -> None:
    hand = ["movement"] * 3
    refused(at(zone=zone, morale=needed - 1, hand=hand), "move", "SK-5.2")
    assert do(at(zone=zone, morale=needed, hand=hand), "move").zone == zone + 1


@pytest.mark.rule("SK-5.2", "SK-13.6", "SK-13.8")
def test_zone_six_asks_for_an_attempt_and_no_morale() -> None:
    vip = {"card": "V1", "revealed": True}
    refused(at(zone=5, morale=200, vip=vip, hand=["movement"]), "move", "SK-5.2")
    state = at(zone=5, morale=0, vip={**vip, "attempted": True}, hand=["movement", "movement"])
    after = do(state, "move")
    assert after.zone == 6 and not {"move", "crawl"} & offered(after)
    refused(after, "move", "SK-5.3")


@pytest.mark.rule("SK-5.3", "SK-5.5", "SK-18.5")
def test_costs() -> None:
    refused(at(zone=4, morale=90, hand=["movement", "crawl"]), "move", "SK-5.3")
    refused(at(morale=20, hand=["movement"], rifle="m107"), "move", "SK-5.3")
    after = do(at(morale=20, hand=["movement"] * 3, rifle="m107"), "move")
    assert after.zone == 2 and after.hand == ["movement"]
    crawled = do(at(morale=20, hand=["crawl"] * 2, rifle="m107"), "crawl_on")
    assert crawled.zone == 2
    half = at(morale=20, crawl=1, hand=["crawl"])
    refused(half, "move", "SK-5.3")


@pytest.mark.rule("SK-5.4")
@pytest.mark.parametrize(
    ("where", "die", "hit"),
    [
        ("long", 5, 0),
        ("long", 6, 1),
        ("medium", 4, 0),
        ("medium", 5, 1),
        ("short", 3, 0),
        ("short", 4, 1),
    ],
)
def test_fire_at_a_move(where: str, die: int, hit: int) -> None:
    state = at(**GO, enemy=group(4, where), location_cards__1="J02")
    after = do(state, "move", die, *[1, 1] * hit)
    assert after.light == hit and after.zone == 2


@pytest.mark.rule("SK-5.4", "SK-7.5", "SK-7.8")
def test_a_sniper_fires_at_a_move_with_cover() -> None:
    state = at(**GO, enemy=shooter("short", 1), location_cards__1="J02")
    after = do(state, "move", 5, 5, 6, 1, 1)
    assert after.light == 1 and after.zone == 2 and after.enemy is None


@pytest.mark.rule("SK-5.4", "SK-2.6")
def test_who_dies_on_the_way_does_not_arrive() -> None:
    state = at(**GO, enemy=group(1, "short"), light=4)
    after = do(state, "move", 4)
    assert after.result == "KIA" and after.zone == 1 and after.hand == ["fire"]


@pytest.mark.rule("SK-3.7", "SK-5.4", "SK-19.10")
def test_cards_that_cover_a_move() -> None:
    state = at(morale=20, hand=["movement", "hidden"], tactical=["ghost"], enemy=group(1))
    assert values(state, "move", "cover") == ["none", "hidden", "ghost"]
    hidden = do(state, "move", cover="hidden")
    assert hidden.hand == [] and hidden.action_discard == ["movement", "hidden"]
    refused(at(**GO), "move", "SK-5.4", cover="hidden")
    refused(at(**GO, enemy=group(1)), "move", "SK-5.4", cover="hidden")
    alone = at(morale=20, hand=["movement", "hidden"], tactical=["ghost"])
    assert values(alone, "move", "cover") == ["none"]


@pytest.mark.rule("SK-5.5", "SK-7.9")
def test_a_crawl_draws_no_fire() -> None:
    state = at(morale=20, crawl=1, hand=["crawl"], enemy=shooter("short"))
    after = do(state, "crawl")
    assert after.zone == 2 and after.enemy is None and after.crawl == 0
    refused(at(zone=6, vip=OVER_THERE, hand=["crawl"]), "crawl", "SK-5.5")
    refused(at(morale=20), "crawl", "SK-5.5")


@pytest.mark.rule("SK-1.6", "SK-5.6", "SK-15.4", "SK-19.9")
def test_what_is_left_behind_and_what_stays() -> None:
    state = at(
        **GO, enemy=group(2, spotted=True), hostile_card="h2", first_contact=True, claymore_laid=True,
        crawl=1, fire=fire(2), fire_closed=True, jammed=True, turn_flags=["windage_call", "overwatch"],
    )  # fmt: skip
    after = do(state, "move", 1)
    assert after.enemy is None and after.hostile_discard == ["h2"] and after.kills == 0
    assert not after.first_contact and not after.claymore_laid and after.crawl == 0
    assert after.fire is None and after.fire_closed and after.jammed
    assert after.turn_flags == ["windage_call", "overwatch"]


# --- Location cards ---


def entering(card: str, place: str = "jungle", **patches: Any) -> Any:
    return at(place=place, location_cards__1="J10", location_cards__2=card, **{**GO, **patches})


@pytest.mark.rule("SK-5.7", "SK-20.1")
def test_a_zone_card_is_drawn_when_the_team_gets_there() -> None:
    state = at(**GO, location_cards=["J10", "", "", "", "", ""])
    assert len(state.location_pile) == 11
    after = do(state, "move", "J02")
    assert after.location_cards == ["J10", "J02", "", "", "", ""]
    assert "J02" not in after.location_pile
    look = after.location_cards[after.zone - 1]
    assert look == "J02"


@pytest.mark.rule("SK-20.2", "SK-6.2", "SK-2.2")
@pytest.mark.parametrize("phase", ["I", "II", "III"])
def test_ambush_comes_back_to_its_window(phase: str) -> None:
    state = do(entering("J05", phase=phase), "move", "3")
    assert state.phase == "PATROL" and state.patrol == 3 and state.zone == 2
    assert do(state, "patrol", 6, 1, 1, how="escape").phase == phase


@pytest.mark.rule("SK-20.3")
@pytest.mark.parametrize(("die", "light"), [(1, 1), (2, 1), (3, 0), (6, 0)])
def test_trap(die: int, light: int) -> None:
    assert do(entering("J08"), "move", die, *[1, 1] * light).light == light


@pytest.mark.rule("SK-20.3", "SK-2.6")
def test_a_trap_can_kill() -> None:
    after = do(entering("J08", light=4), "move", 1)
    assert after.result == "KIA" and after.zone == 2


@pytest.mark.rule("SK-20.4")
def test_cache_aid_intel_and_alarm() -> None:
    cache = do(entering("J06"), "move", "crawl", "blank")
    assert cache.hand == ["fire", "blank", "crawl"]
    for light in (0, 2):
        aid = do(entering("R09", "ruined_city", light=light), "move")
        assert aid.light == max(0, light - 1)
    assert do(entering("J12", reserve=3), "move").reserve == 2
    assert do(entering("J09", reserve=3), "move").reserve == 4


@pytest.mark.rule("SK-12.3", "SK-20.4")
def test_an_alarm_can_be_the_end() -> None:
    after = do(entering("J09", reserve=7), "move")
    assert after.result == "POW" and after.reserve == 8 and after.phase == "OVER"


@pytest.mark.rule("SK-20.5", "SK-5.6")
def test_contact_comes_instead_of_the_enemy_left_behind() -> None:
    state = entering("R04", "ruined_city", enemy=group(4), hostile_card="h4")
    after = do(state, "move", 1)
    assert after.enemy is not None and after.hostile_card == ""
    assert (after.enemy.count, after.enemy.range, after.enemy.spotted) == (2, "medium", False)
    gone = do(after, "tactical", card="smoke") if "smoke" in after.tactical else after
    assert gone.hostile_discard == ["h4"]


@pytest.mark.rule("SK-20.1", "SK-20.6", "SK-6.3")
def test_a_static_works_while_the_team_is_there() -> None:
    state = do(entering("J11", phase="I"), "move")
    assert do(state, "end_phase").phase == "II"
    gone = do(at(zone=2, location_cards__2="J11", morale=40, hand=["movement"], phase="I"), "move")
    assert do(gone, "end_phase", "3", "1").phase == "PATROL"


@pytest.mark.rule("SK-20.6", "SK-11.2")
@pytest.mark.parametrize(("card", "good"), [("R11", True), ("R02", False)])
def test_relay(card: str, good: bool) -> None:
    state = at(place="ruined_city", location_cards__1=card)
    after = do(state, "end_phase", "fire", 5, 1, "h1", *NEXT_TURN)
    assert after.morale == (25 if good else 10)


# --- Zone 5 ---


@pytest.mark.rule("SK-13.1", "SK-5.7", "SK-20.2")
def test_ambush_in_zone_five_with_guards() -> None:
    state = at(
        zone=4, phase="II", morale=90, location_cards__5="J05", vip__card="V3",
        hand=["movement", "movement", "fire"],
    )  # fmt: skip
    after = do(state, "move", "2")
    assert after.phase == "PATROL" and after.patrol == 2 and after.vip.revealed
    assert after.enemy is not None and (after.enemy.count, after.enemy.range) == (3, "medium")
    fought = do(after, "patrol", 3, 3, 1, how="fight")
    assert fought.phase == "II" and fought.kills == 2
    assert fought.enemy is not None and fought.enemy.count == 3


@pytest.mark.rule("SK-13.1", "SK-20.5")
def test_contact_in_zone_five_keeps_the_guards_away() -> None:
    state = at(
        place="ruined_city", zone=4, morale=90, location_cards__5="R04", vip__card="V3",
        hand=["movement"] * 2,
    )  # fmt: skip
    after = do(state, "move")
    assert after.enemy is not None and (after.enemy.count, after.vip.revealed) == (2, True)


@pytest.mark.rule("SK-1.12", "SK-13.1")
@pytest.mark.parametrize(("card", "guards"), [("V1", 0), ("V2", 0), ("V3", 3), ("V4", 0)])
def test_the_vip_is_decided_when_he_is_seen(card: str, guards: int) -> None:
    state = at(
        zone=4,
        morale=90,
        hand=["movement"] * 2,
        vip={"card": ""},
        vip_pile=["V1", "V2", "V3", "V4"],
    )
    after = do(state, "move", card)
    assert after.vip.card == card and after.vip.revealed and card not in after.vip_pile
    assert (after.enemy.count if after.enemy else 0) == guards


# --- extraction ---


@pytest.mark.rule("SK-14.1", "SK-14.4", "SK-16.1")
@pytest.mark.parametrize(
    ("hand", "left"),
    [
        (["movement", "movement", "crawl"], ["crawl"]),
        (["crawl", "movement"], []),
        (["crawl", "crawl", "crawl"], ["crawl"]),
    ],
)
def test_payment_movement_first(hand: list[str], left: list[str]) -> None:
    state = at(zone=6, vip={**OVER_THERE, "dead": True}, hand=hand, enemy=shooter("short", 1))
    waiting = do(state, "end_phase", "blank", "h1")
    assert waiting.phase == "VI" and waiting.hand == hand
    assert {"extract", "stay"} <= offered(waiting)
    home = do(waiting, "extract")
    assert home.hand == left and home.result == "MAJOR"


@pytest.mark.rule("SK-14.1", "SK-14.2", "SK-14.3", "SK-3.2")
def test_extraction_is_for_zone_six_only() -> None:
    state = do(at(zone=5, vip=OVER_THERE, hand=["movement", "crawl"]), "end_phase", *QUIET)
    assert state.turn == 5 and state.action_discard[:2] == ["movement", "crawl"]
    there = do(at(zone=6, vip=OVER_THERE, hand=["movement", "crawl"]), "end_phase", "blank", "h1")
    stayed = do(there, "stay", *NEXT_TURN)
    assert stayed.turn == 5 and stayed.phase == "I" and "movement" not in stayed.hand
    patrol = do(at(zone=6, vip=OVER_THERE, phase="I"), "end_phase", "6", "1")
    assert patrol.phase == "PATROL"


@pytest.mark.rule("SK-15.1", "SK-15.2", "SK-15.3")
def test_counters_become_points_and_the_rest_is_lost() -> None:
    state = at(
        kill_counters=4,
        kp=1,
        enemy=group(4, "short", spotted=True),
        fire=fire(1),
        claymore_laid=True,
    )
    after = do(state, "shoot", 6, 7, 1, 1, 5, 3, 3, 1)
    assert after.kills == 4 and after.kp == 2 and after.kill_counters == 3
    assert after.morale == 30 and after.kills_by_zone == [4, 0, 0, 0, 0, 0]
    home = at(zone=6, phase="VI", vip=OVER_THERE, hand=["crawl"] * 2, kp=2, kill_counters=4)
    assert do(home, "extract").kp == 2


@pytest.mark.rule("SK-15.4")
def test_no_kills_without_killing() -> None:
    patrol = at(phase="PATROL", return_to="II", patrol=4, hand=["hidden"], tactical=["smoke"])
    for how in ("hidden", "smoke"):
        assert do(patrol, "patrol", how=how).kills == 0
    assert do(at(enemy=group(3), tactical=["smoke"]), "tactical", card="smoke").kills == 0

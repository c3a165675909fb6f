"""Tactical cards that are played in a window. Rules SK-19.5 to 19.10."""

from __future__ import annotations

import pytest

from tests.games.sniper.field import at, do, fire, group, offered, refused, shooter, values

ALL = (
    "steady_breath", "muffled_shot", "double_tap", "windage_call", "overwatch", "rapid_clear", "smoke",
    "claymore", "priority_channel", "adrenaline", "field_dressing", "ghost",
)  # fmt: skip


@pytest.mark.rule("SK-3.10", "SK-19.5", "SK-19.6", "SK-19.7", "SK-19.8", "SK-19.9", "SK-19.10")
def test_which_cards_are_played_when() -> None:
    assert values(at(tactical=list(ALL)), "tactical", "card") == [
        "windage_call", "overwatch", "claymore", "adrenaline",
    ]  # fmt: skip
    busy = at(tactical=list(ALL), enemy=group(1), jammed=True, claymore_laid=True)
    assert values(busy, "tactical", "card") == [
        "windage_call", "overwatch", "smoke", "adrenaline", "rapid_clear",
    ]  # fmt: skip


@pytest.mark.rule("SK-3.10", "SK-19.7", "SK-19.8", "SK-19.9")
def test_cards_that_do_nothing_are_refused_with_a_reason() -> None:
    held = at(tactical=["smoke", "rapid_clear", "claymore"], claymore_laid=True)
    assert "tactical" not in offered(held)
    for card, rule in (
        ("smoke", "SK-19.8"), ("rapid_clear", "SK-19.7"), ("claymore", "SK-19.9"),
        ("overwatch", "SK-3.10"), ("nonsense", "SK-3.10"),
    ):  # fmt: skip
        assert refused(held, "tactical", rule, card=card).endswith(".")
    kept = at(tactical=["priority_channel", "ghost", "steady_breath", "field_dressing"])
    for card in kept.tactical:
        refused(kept, "tactical", "SK-3.10", card=card)
    refused(at(), "tactical", "SK-3.10")


@pytest.mark.rule("SK-19.6")
def test_overwatch() -> None:
    state = at(tactical=["overwatch"], phase="I", hand=["fire"])
    watching = do(state, "tactical", card="overwatch")
    assert watching.turn_flags == ["overwatch"]
    watching = do(do(watching, "end_phase", "6"), "end_phase", "h3")
    assert watching.enemy is not None and not watching.enemy.spotted
    opened = do(watching, "fire", with_="fire", target="enemy")
    assert opened.enemy is not None and opened.enemy.spotted and "shoot" in offered(opened)
    after = do(opened, "shoot", 6, 7, 4, 4, 5)  # 8 - 2 + 1 = 7
    assert after.kills == 1


@pytest.mark.rule("SK-19.6", "SK-13.4")
def test_overwatch_helps_at_the_vip() -> None:
    vip = {"card": "V2", "revealed": True}
    state = at(
        zone=5, vip=vip, fire=fire(1, "vip"), turn_flags=["overwatch"], location_cards__5="J10"
    )
    assert do(state, "shoot", 7, 4, 4, 5).vip.dead  # 8 - 1 - 1 + 1


@pytest.mark.rule("SK-19.6", "SK-10.5")
def test_overwatch_stops_with_the_spotter() -> None:
    state = at(
        enemy=group(2, "short"), morale=20, hand=["movement", "fire"], turn_flags=["overwatch"],
        location_cards__2="R04", place="ruined_city",
    )  # fmt: skip
    after = do(state, "move", 4, 6, 6)
    assert not after.spotter_alive and after.enemy is not None
    opened = do(after, "fire", with_="fire", target="enemy")
    assert opened.enemy is not None and not opened.enemy.spotted
    assert opened.fire is not None and opened.fire.spot_tries == 1
    refused(opened, "shoot", "SK-8.4")


@pytest.mark.rule("SK-19.7", "SK-8.17")
def test_rapid_clear_does_not_give_the_action_back() -> None:
    state = at(enemy=group(1, spotted=True), fire=fire(2), tactical=["rapid_clear"])
    jammed = do(state, "shoot", 6, 7, 6, 6, 1)
    cleared = do(jammed, "tactical", card="rapid_clear")
    assert not cleared.jammed and cleared.fire is not None and cleared.fire.actions == 1


@pytest.mark.rule("SK-19.8", "SK-15.4", "SK-7.10")
def test_smoke_hides_from_either_kind() -> None:
    for enemy, card in ((group(3, "short"), "h3"), (shooter("short", 1), "enemy_sniper")):
        state = at(enemy=enemy, hostile_card=card, tactical=["smoke"])
        after = do(state, "tactical", card="smoke")
        assert after.enemy is None and after.kills == 0 and after.hostile_discard == [card]


@pytest.mark.rule("SK-19.9", "SK-9.1", "SK-5.6")
def test_a_claymore_waits_from_turn_to_turn() -> None:
    state = do(at(tactical=["claymore", "claymore"]), "tactical", card="claymore")
    assert state.claymore_laid and state.tactical_discard == ["claymore"]
    later = do(state, "end_phase", "blank", "h1", *["blank"] * 5, "ghost")
    assert later.claymore_laid
    used = do(do(later, "end_phase", "1", "3"), "patrol", 3, 1, 1, how="fight")
    assert used.kills == 3 and not used.claymore_laid


@pytest.mark.rule("SK-19.10")
def test_adrenaline() -> None:
    state = at(tactical=["adrenaline"], hand=["fire"])
    after = do(state, "tactical", "crawl", "blank", card="adrenaline")
    assert after.hand == ["fire", "blank", "crawl"] and after.tactical_discard == ["adrenaline"]
    few = at(tactical=["adrenaline"], action_pile=["fire"], action_discard=[])
    assert do(few, "tactical", card="adrenaline").hand == ["fire"]

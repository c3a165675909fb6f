"""Two seats, focus, hold, standing orders, rotation, options. Rules SK-21 and SK-22."""

from __future__ import annotations

import pytest

from games.kernel.entropy import seeded
from games.kernel.illegal import Illegal
from games.kernel.play import begin, play
from games.kernel.random_player import proxy_action
from games.sniper import roles
from tests.games.sniper.field import (
    NEXT_TURN,
    QUIET,
    at,
    do,
    fire,
    game,
    group,
    new,
    offered,
    policy_mission,
    refused,
    shooter,
    values,
)

EVERYTHING = {
    "hand": ["fire", "blank", "blank", "movement", "crawl", "crawl", "binocs", "medkit"],
    "tactical": ["overwatch", "smoke", "rapid_clear", "field_dressing"],
    "light": 1,
    "med_kits": 1,
    "morale": 20,
    "jammed": True,
}


# --- who decides what -------------------------------------------------------------------------


@pytest.mark.rule("SK-22.1", "SK-22.2", "SK-22.3")
def test_the_verbs_of_both_seats() -> None:
    state = at("group", enemy=group(2), phase="I", **EVERYTHING)
    common = {"heal", "tactical", "abandon"}
    assert (
        offered(state, "SNIPER") == {"move", "crawl", "crawl_on", "end_phase", "end_turn"} | common
    )
    assert offered(state, "SPOTTER") == {"binocs", "focus", "hold", "orders"} | common
    clear = at("group", enemy=group(2), **{**EVERYTHING, "jammed": False})
    assert {"fire", "engage"} <= offered(clear) and "fire" not in offered(clear, "SPOTTER")
    opened = at("group", enemy=group(2), fire=fire(2, tries=2))
    assert "spot" in offered(opened, "SPOTTER") and "spot" not in offered(opened)
    spotted = at("group", enemy=group(2, spotted=True), fire=fire(2))
    assert "shoot" in offered(spotted) and "shoot" not in offered(spotted, "SPOTTER")


@pytest.mark.rule("SK-22.2", "SK-22.3", "SK-22.4")
def test_healing_and_tactical_cards_are_shared_out() -> None:
    state = at("group", enemy=group(2), **EVERYTHING)
    assert values(state, "heal", "with", "SNIPER") == ["kit", "discard"]
    assert values(state, "heal", "with", "SPOTTER") == ["medkit", "field_dressing"]
    assert values(state, "tactical", "card", "SNIPER") == ["rapid_clear"]
    assert values(state, "tactical", "card", "SPOTTER") == ["overwatch", "smoke"]
    refused(state, "heal", "SK-22.4", "SNIPER", with_="medkit")
    refused(state, "heal", "SK-22.4", "SPOTTER", with_="kit")
    refused(state, "tactical", "SK-22.4", "SNIPER", card="smoke")
    refused(state, "tactical", "SK-22.4", "SPOTTER", card="rapid_clear")
    alone = at("group", tactical=["smoke"], enemy=group(1))
    refused(alone, "tactical", "SK-22.4", "SNIPER", card="smoke")


@pytest.mark.rule("SK-22.2", "SK-22.3", "SK-22.4")
@pytest.mark.parametrize(
    ("phase", "seat", "verb"),
    [
        ("PATROL", "SPOTTER", "patrol"),
        ("TDISCARD", "SPOTTER", "discard_tactical"),
        ("IV", "SPOTTER", "radio"),
        ("VI", "SNIPER", "extract"),
    ],
)
def test_who_acts_in_each_state(phase: str, seat: str, verb: str) -> None:
    state = at("group", phase=phase, patrol=1, zone=6, tactical=["priority_channel"] * 4)
    other = "SNIPER" if seat == "SPOTTER" else "SPOTTER"
    assert [task.seat for task in game().tasks(state)] == [seat]
    assert verb in offered(state, seat) and verb not in offered(state, other)
    refused(state, verb, "SK-22.4", other)


@pytest.mark.rule("SK-22.4", "SK-5.4")
def test_cover_for_a_move_is_the_sniper_s_choice_and_against_a_patrol_the_spotter_s() -> None:
    held = {"hand": ["movement", "hidden"], "tactical": ["ghost"], "morale": 20}
    moving = at("group", enemy=group(1), **held)
    assert values(moving, "move", "cover", "SNIPER") == ["none", "hidden", "ghost"]
    waiting = at("group", phase="PATROL", return_to="II", patrol=1, **held)
    assert values(waiting, "patrol", "how", "SPOTTER")[:2] == ["hidden", "ghost"]


@pytest.mark.rule("SK-22.7", "SK-10.5")
def test_the_seat_of_a_dead_spotter_plays_on() -> None:
    state = at(
        "group", spotter_alive=False, enemy=group(2), phase="I", **{**EVERYTHING, "jammed": False}
    )
    assert {"binocs", "heal", "tactical", "hold", "orders"} <= offered(state, "SPOTTER")
    assert "focus" not in offered(state, "SPOTTER")
    assert values(state, "tactical", "card", "SPOTTER") == ["smoke"]
    given = {"with_": "fire", "target": "enemy"}
    assert values(state, "engage", "spot", "SNIPER", **given) == ["roll", "binocs", "binocs_last"]
    after = do(state, "engage", 3, 6, 7, 6, 6, 5, **given, spot="roll", until="one")
    assert after.kills == 1
    patrol = at("group", spotter_alive=False, phase="PATROL", return_to="II", patrol=1)
    assert offered(patrol, "SPOTTER") >= {"patrol"}


@pytest.mark.rule("SK-22.1", "SK-22.10")
def test_one_user_may_play_both_seats() -> None:
    """Rules know seats, not users: a mission played from one pair of hands comes to its end."""
    for number in range(5):
        over = policy_mission(new(f"both {number}", mode="group"), seeded(f"both dice {number}"))
        assert over.result in ("MAJOR", "MINOR", "KIA", "POW")
    assert "reseat" not in game().verbs


# --- focus ------------------------------------------------------------------------------------


@pytest.mark.rule("SK-22.5")
def test_focus_is_for_groups_in_phase_one_once_a_turn() -> None:
    refused(at(phase="I"), "focus", "SK-22.5", focus="WIND")
    refused(at("group", phase="II"), "focus", "SK-2.2", "SPOTTER", focus="WIND")
    refused(at("group", phase="I"), "focus", "SK-22.4", "SNIPER", focus="WIND")
    state = at("group", phase="I")
    assert values(state, "focus", "focus", "SPOTTER") == ["WIND", "SCAN", "COMMS"]
    once = do(state, "focus", seat="SPOTTER", focus="SCAN")
    refused(once, "focus", "SK-22.5", "SPOTTER", focus="COMMS")
    shot = at("group", phase="I", turn_flags=["first_shot_done"])
    assert values(shot, "focus", "focus", "SPOTTER") == ["SCAN", "COMMS"]
    spot = at("group", phase="I", turn_flags=["scan_used"])
    assert values(spot, "focus", "focus", "SPOTTER") == ["WIND", "COMMS"]


@pytest.mark.rule("SK-22.5")
def test_wind_is_for_the_first_shot_even_a_jam() -> None:
    state = at("group", enemy=group(3, spotted=True), fire=fire(3), turn_flags=["focus_wind"])
    jam = do(state, "shoot", 6, 1, 10, 6, 6, 1)
    assert jam.jammed and "first_shot_done" in jam.turn_flags
    cleared = at(
        "group",
        enemy=group(3, spotted=True),
        fire=fire(2),
        turn_flags=["focus_wind", "first_shot_done"],
    )
    assert do(cleared, "shoot", 6, 7, 6, 6, 5).kills == 1


@pytest.mark.rule("SK-22.5", "SK-18.11", "SK-19.5")
def test_the_better_wind_is_the_better_modifier() -> None:
    short = group(1, "short", spotted=True)
    state = at("group", enemy=short, fire=fire(1), turn_flags=["focus_wind"])
    assert do(state, "shoot", 6, 10, 1, 3, 3, 5).kills == 1  # 6 + 1
    medium = group(1, "medium", spotted=True)
    state = at("group", enemy=medium, fire=fire(1), turn_flags=["focus_wind"])
    for winds in ((1, 3), (3, 1)):
        assert do(state, "shoot", 6, *winds, 5, 4, 5).kills == 1  # 9 - 1 - 1
    assert do(state, "shoot", 6, 1, 2, 5, 4, 5).kills == 0


@pytest.mark.rule("SK-22.5")
def test_double_tap_has_one_focused_wind() -> None:
    state = at(
        "group",
        enemy=group(2, spotted=True),
        fire=fire(1),
        turn_flags=["focus_wind"],
        tactical=["double_tap"],
    )
    after = do(state, "shoot", 6, 7, 7, 1, 1, 5, 6, 7, 6, 6, 5, tactical=["double_tap"])
    assert after.kills == 1


@pytest.mark.rule("SK-22.5", "SK-8.5")
def test_scan_is_for_the_first_spot() -> None:
    state = at("group", enemy=group(2), fire=fire(2, tries=2), turn_flags=["focus_scan"])
    seen = do(state, "spot", seat="SPOTTER")
    assert seen.enemy is not None and seen.enemy.spotted and "scan_used" in seen.turn_flags
    used = at(
        "group", enemy=group(2), fire=fire(2, tries=2), turn_flags=["focus_scan", "scan_used"]
    )
    again = do(used, "spot", 2, seat="SPOTTER")
    assert again.enemy is not None and not again.enemy.spotted


@pytest.mark.rule("SK-22.5", "SK-2.3")
def test_focus_ends_with_the_turn() -> None:
    state = at("group", turn_flags=["focus_comms", "scan_used"])
    assert do(state, "end_phase", *QUIET).turn_flags == []


# --- hold -------------------------------------------------------------------------------------


@pytest.mark.rule("SK-22.6")
def test_hold_keeps_the_sniper_from_every_end_of_a_phase() -> None:
    state = at("group", phase="I", morale=20, hand=["movement"])
    held = do(state, "hold", seat="SPOTTER")
    assert [task.seat for task in game().tasks(held)] == ["SPOTTER"]
    for verb in ("end_phase", "end_turn"):
        refused(held, verb, "SK-22.6", "SNIPER")
    moved = do(held, "move", seat="SNIPER", then="end_turn")
    assert moved.zone == 2 and moved.turn == 4 and moved.phase == "I" and moved.hold
    refused(held, "hold", "SK-22.6", "SPOTTER")
    refused(state, "release_hold", "SK-22.6", "SPOTTER")
    refused(at(phase="I"), "hold", "SK-22.5")
    refused(at("group", phase="PATROL", return_to="II", patrol=1), "hold", "SK-2.2", "SPOTTER")
    refused(state, "hold", "SK-22.4", "SNIPER")


@pytest.mark.rule("SK-22.6")
def test_a_card_or_a_spot_of_the_spotter_releases_the_hold() -> None:
    state = at(
        "group", enemy=group(2), fire=fire(2, tries=2), light=1, hold=True,
        hand=["binocs", "medkit"], tactical=["smoke", "adrenaline"],
    )  # fmt: skip
    for verb, dice, slots in (
        ("spot", (1,), {}),
        ("binocs", (), {}),
        ("heal", (), {"with_": "medkit"}),
        ("tactical", (), {"card": "smoke"}),
        ("tactical", ("blank", "blank"), {"card": "adrenaline"}),
    ):
        after = do(state, verb, *dice, seat="SPOTTER", **slots)
        assert not after.hold and not after.hold_spent, verb
    ambush = at("group", phase="PATROL", return_to="II", patrol=2, hold=True, hand=["hidden"])
    assert not do(ambush, "patrol", seat="SPOTTER", how="hidden").hold
    assert do(ambush, "patrol", 6, 1, 1, seat="SPOTTER", how="escape").hold
    assert do(state, "orders", seat="SPOTTER", spot="roll").hold


@pytest.mark.rule("SK-22.6")
def test_the_sniper_s_cards_do_not_release_it() -> None:
    state = at("group", hold=True, jammed=True, light=1, med_kits=1, tactical=["rapid_clear"])
    assert do(state, "tactical", seat="SNIPER", card="rapid_clear").hold
    assert do(state, "heal", seat="SNIPER", with_="kit").hold


@pytest.mark.rule("SK-22.6")
def test_hold_again_only_after_another_action() -> None:
    spent = do(do(at("group", phase="I"), "hold", seat="SPOTTER"), "release_hold", seat="SPOTTER")
    assert spent.hold_spent and not spent.hold
    refused(spent, "hold", "SK-22.6", "SPOTTER")
    assert "hold" in offered(do(spent, "orders", seat="SPOTTER", spot="roll"), "SPOTTER")
    assert "hold" in offered(do(spent, "end_phase", "6", seat="SNIPER"), "SPOTTER")


# --- orders -----------------------------------------------------------------------------------


@pytest.mark.rule("SK-22.11")
def test_orders_once_a_turn_in_any_state() -> None:
    for phase in ("I", "II", "III", "PATROL", "TDISCARD", "IV", "VI"):
        state = at("group", phase=phase, patrol=1, zone=6, tactical=["priority_channel"] * 4)
        given = do(state, "orders", seat="SPOTTER", spot="binocs", focus="WIND")
        assert (given.orders.spot, given.orders.focus, given.phase) == ("binocs", "WIND", phase)
        refused(given, "orders", "SK-22.11", "SPOTTER", spot="ask")
        refused(state, "orders", "SK-22.4", "SNIPER", spot="ask")
    later = do(
        at("group", orders={"spot": "roll"}, turn_flags=["orders_given"]), "end_phase", *QUIET
    )
    assert later.orders.spot == "roll" and "orders" in offered(later, "SPOTTER")
    refused(at(), "orders", "SK-22.5")


@pytest.mark.rule("SK-22.12", "SK-23.4")
def test_an_engagement_follows_the_orders() -> None:
    given = {"with_": "fire", "target": "enemy", "until": "one"}
    hit = (6, 7, 6, 6, 5)
    both = {"enemy": group(2), "hand": ["fire", "binocs"]}
    binocs = do(at("group", orders={"spot": "binocs"}, **both), "engage", *hit, **given)
    assert binocs.kills == 1 and binocs.hand == []
    last = do(at("group", orders={"spot": "binocs_last"}, **both), "engage", 1, *hit, **given)
    assert last.kills == 1 and last.hand == []
    none = at("group", orders={"spot": "binocs"}, enemy=group(2), hand=["fire"])
    rolled = do(none, "engage", 2, 3, *hit, **given)
    assert rolled.kills == 1
    asked = do(at("group", **both), "engage", **given)
    assert [task.seat for task in game().tasks(asked)] == ["SPOTTER"]
    goes_on = do(do(asked, "binocs", seat="SPOTTER"), "engage", *hit, with_="open", until="one")
    assert goes_on.kills == 1
    refused(at("group", **both), "engage", "", "SNIPER", **given, spot="roll")


@pytest.mark.rule("SK-22.12", "SK-23.2")
def test_engaging_again_before_the_spotter_has_spotted_is_refused() -> None:
    """Decision D34: the first step would be the Spotter's."""
    state = at("group", enemy=group(2), fire=fire(2, tries=2))
    refused(state, "engage", "SK-22.12", "SNIPER", with_="open", until="one")
    assert "engage" not in offered(state)
    ordered = at("group", enemy=group(2), fire=fire(2, tries=2), orders={"spot": "roll"})
    assert [task.seat for task in game().tasks(ordered)] == ["SNIPER"]
    assert do(ordered, "engage", 4, 6, 7, 6, 6, 5, with_="open", until="one").kills == 1


@pytest.mark.rule("SK-22.13", "SK-22.5")
def test_a_focus_by_order_may_be_changed_until_it_has_worked() -> None:
    state = at("group", orders={"focus": "WIND"}, enemy=group(2, spotted=True))
    turn = do(state, "end_phase", "blank", "h1", "fire", *NEXT_TURN[1:])
    assert turn.turn_flags == ["focus_wind", "focus_by_order"]
    assert values(turn, "focus", "focus", "SPOTTER") == ["SCAN", "COMMS"]
    changed = do(turn, "focus", seat="SPOTTER", focus="SCAN")
    refused(changed, "focus", "SK-22.5", "SPOTTER", focus="COMMS")
    opened = do(turn, "fire", seat="SNIPER", with_="fire", target="enemy")
    shot = do(do(opened, "spot", 6, seat="SPOTTER"), "shoot", 6, 7, 7, 6, 6, 5)
    refused(shot, "focus", "SK-22.5", "SPOTTER", focus="COMMS")
    quiet = do(at("group", orders={"focus": "COMMS"}, spotter_alive=False), "end_phase", *QUIET)
    assert quiet.turn_flags == []


@pytest.mark.rule("SK-22.13", "SK-4.4")
def test_a_focus_by_order_waits_for_the_window() -> None:
    state = at("group", orders={"focus": "SCAN"}, tactical=["smoke", "claymore", "overwatch"])
    full = do(state, "end_phase", *QUIET, seat="SNIPER")
    assert full.phase == "TDISCARD" and full.turn_flags == []
    after = do(full, "discard_tactical", seat="SPOTTER", card="smoke")
    assert after.phase == "I" and after.turn_flags == ["focus_scan", "focus_by_order"]


# --- rotation ---------------------------------------------------------------------------------


@pytest.mark.rule("SK-22.9", "SK-21.8")
@pytest.mark.parametrize("crew", [3, 4, 5, 6])
def test_seats_go_round(crew: int) -> None:
    setup = game().read_setup({"mode": "group", "rotation": str(crew)})
    assert len(game().seats(setup)) == crew
    state = begin(game(), setup, seeded("round")).state
    for turn in range(1, 2 * crew + 1):
        state.turn = turn
        sniper, spotter = roles.sniper(state), roles.spotter(state)
        assert (sniper, spotter) == (f"P{(turn - 1) % crew + 1}", f"P{turn % crew + 1}")


@pytest.mark.rule("SK-22.9")
def test_tv_66_three_users() -> None:
    state = begin(game(), game().read_setup({"mode": "group", "rotation": "3"}), seeded("r")).state
    for turn, sniper, spotter in ((1, "P1", "P2"), (3, "P3", "P1"), (4, "P1", "P2")):
        state.turn = turn
        assert (roles.sniper(state), roles.spotter(state)) == (sniper, spotter)


@pytest.mark.rule("SK-22.9", "SK-22.4")
def test_who_is_not_on_duty_waits() -> None:
    setup = game().read_setup({"mode": "group", "rotation": "3"})
    state = begin(game(), setup, seeded("duty 1")).state
    for path, value in {"phase": "III", "turn": 2, "enemy": group(1), "patrol": 0}.items():
        game().patch(state, path, value)
    assert offered(state, "P1") == {"abandon"}
    assert "end_phase" in offered(state, "P2") and "orders" in offered(state, "P3")
    refused(state, "end_phase", "SK-22.4", "P1")
    refused(state, "end_phase", "SK-22.4", "P3")
    refused(state, "end_phase", "", "P4")
    after = do(state, "end_phase", *QUIET, seat="P2")
    assert (
        after.turn == 3 and "end_phase" in offered(after, "P3") and "orders" in offered(after, "P1")
    )


@pytest.mark.rule("SK-21.8", "SK-22.9")
@pytest.mark.parametrize(
    ("chosen", "rule"),
    [({"mode": "solo", "rotation": "3"}, "SK-21.8"), ({"mode": "group", "rotation": "2"}, "")],
)
def test_rotations_that_do_not_exist(chosen: dict[str, str], rule: str) -> None:
    with pytest.raises(Illegal) as refusal:
        game().read_setup(chosen)
    assert refusal.value.rule == rule


# --- options ----------------------------------------------------------------------------------


@pytest.mark.rule("SK-21.1", "SK-21.3", "SK-21.4", "SK-21.5")
def test_options_that_exclude_each_other() -> None:
    for chosen, rule in (
        ({"veteran": "on", "rookie": "on"}, ("SK-21.1", "SK-21.4")),
        ({"mode": "group", "lone_wolf": "on"}, ("SK-21.5",)),
        ({"no_surrender": "on"}, ("",)),
        ({"hot_zone": "perhaps"}, ("",)),
    ):
        with pytest.raises(Illegal) as refusal:
            game().read_setup(chosen)
        assert refusal.value.rule in rule and refusal.value.sentence.endswith(".")
    both = new("both", veteran="on", hot_zone="on", location="desert")
    assert both.reserve in (3, 4) and both.options == ["veteran", "hot_zone", "choose_location"]


@pytest.mark.rule("SK-21.5", "SK-8.13", "SK-10.5")
def test_lone_wolf() -> None:
    state = at(options={"lone_wolf": "on"}, enemy=shooter(), fire=fire(1), tactical=["overwatch"])
    assert not state.spotter_alive
    assert do(state, "shoot", 6, 7, 5, 5, 5).kills == 0  # 10 - 2 - 2
    assert do(state, "shoot", 6, 7, 6, 5, 5).kills == 1
    refused(state, "tactical", "SK-10.5", card="overwatch")
    hit = at(options={"lone_wolf": "on"}, phase="II", location_cards__1="J03")
    assert do(hit, "end_phase", "enemy_sniper", 4, 4, 1).light == 2


@pytest.mark.rule("SK-21.7")
@pytest.mark.parametrize(
    ("place", "morale"), [("jungle", 10), ("ruined_city", 10), ("desert", 15), ("countryside", 10)]
)
def test_the_location_may_be_named(place: str, morale: int) -> None:
    state = new("named", location=place)
    assert state.location == place and state.morale == morale


# --- somebody absent --------------------------------------------------------------------------


@pytest.mark.rule("SK-16.6", "SK-22.10", "SK-22.11")
@pytest.mark.parametrize("mode", ["solo", "group"])
def test_the_program_never_gives_up_or_gives_orders_for_somebody(mode: str) -> None:
    for number in range(4):
        chance = seeded(f"absent {mode} {number}")
        state = new(f"absent {number}", mode=mode)
        while game().result(state) is None:
            seat = game().tasks(state)[0].seat
            action = proxy_action(game(), state, seat, chance)
            assert action is not None and action.verb not in ("abandon", "orders")
            state = play(game(), state, seat, action, chance).state

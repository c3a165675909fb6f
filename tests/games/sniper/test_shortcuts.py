"""Short cuts play the single verbs, stop where they must, and do something. Rules SK-23."""

from __future__ import annotations

from typing import Any

import pytest

from games.kernel.entropy import seeded
from games.kernel.play import play
from games.sniper.model import State
from tests.games.scripts import Noting
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
    new,
    offered,
    read,
    refused,
    shooter,
    turnout,
    values,
)

MISS, HIT, JAM = (6, 7, 1, 1, 5), (6, 7, 6, 6, 5), (6, 7, 6, 6, 1)


# --- engage -----------------------------------------------------------------------------------


@pytest.mark.rule("SK-23.1", "SK-23.2", "SK-23.3")
@pytest.mark.parametrize("number", range(60))
def test_an_engagement_is_its_single_verbs(number: int) -> None:
    """Whatever the dice: the same dice in the same order through single verbs, the same state."""
    dice = seeded(f"engagement {number}")
    enemy = group(1 + number % 4, ("long", "medium", "short")[number % 3])
    hand = ["fire", "binocs"] if number % 2 else ["fire"]
    state = at(enemy=enemy, hand=hand)
    noting = Noting(dice)
    spot = "binocs_last" if number % 2 else "roll"
    whole = play(
        game(), state, "SNIPER",
        read("engage", {"with": "fire", "target": "enemy", "spot": spot, "until": "spent"}), noting,
    )  # fmt: skip
    script, singly = list(noting.script), do(state, "fire", with_="fire", target="enemy")
    wounds = 0
    while singly.fire is not None and not singly.jammed and singly.wounds_received == wounds:
        if singly.enemy is not None and not singly.enemy.spotted:
            last = singly.fire.spot_tries == 1
            verb = "binocs" if last and "binocs" in singly.hand else "spot"
        else:
            verb = "shoot"
        step = Noting(_Feed(script))
        singly = play(game(), singly, "SNIPER", read(verb, {}), step).state
    assert script == [] and game().encode(singly) == game().encode(whole.state)


class _Feed:
    """Gives a script away result by result."""

    def __init__(self, script: list[int | str]) -> None:
        self.script = script

    def roll(self, sides: int, label: str) -> int:
        value = self.script.pop(0)
        assert isinstance(value, int)
        return value

    def pick(self, options: Any, label: str) -> int:
        return list(options).index(self.script.pop(0))

    def draw(self, options: Any, label: str) -> str:
        return options[self.pick(options, label)]


@pytest.mark.rule("SK-23.5")
@pytest.mark.parametrize(
    ("until", "dice", "left"),
    [
        ("one", HIT, 1),
        ("one", MISS, 1),
        ("miss", MISS, 1),
        ("miss", (*HIT, *MISS), None),
        ("near", (*MISS, *MISS), None),
        ("spent", (*HIT, *HIT), None),
    ],
)
def test_until(until: str, dice: tuple[int, ...], left: int | None) -> None:
    state = at(enemy=group(4, spotted=True), hand=["fire"])
    after = do(state, "engage", *dice, with_="fire", target="enemy", until=until)
    assert (after.fire.actions if after.fire else None) == left


@pytest.mark.rule("SK-23.5", "SK-7.7")
def test_near_with_an_enemy_sniper_at_short_range() -> None:
    one = at(enemy=shooter("short", 1), hand=["fire"])
    stopped = do(one, "engage", with_="fire", target="enemy", until="near")
    assert stopped.fire is not None and stopped.fire.actions == 2
    none = at(enemy=shooter("short", 0), hand=["fire"])
    first = do(none, "engage", *MISS, with_="fire", target="enemy", until="near")
    assert first.fire is not None and first.fire.actions == 1
    assert first.enemy is not None and (first.enemy.shots, first.enemy.range) == ("short", 1)[::-1]
    far = at(enemy=shooter("medium", 1), hand=["fire"])
    answered = do(far, "engage", *MISS, 1, 1, 1, *MISS, with_="fire", target="enemy", until="near")
    assert answered.enemy is not None and (answered.enemy.range, answered.enemy.shots) == (
        "short",
        1,
    )
    assert answered.fire is None


@pytest.mark.rule("SK-23.3", "SK-23.5", "SK-19.2")
def test_near_with_a_muffled_first_shot() -> None:
    state = at(enemy=group(3, "short", spotted=True), hand=["fire"], tactical=["muffled_shot"])
    after = do(
        state,
        "engage",
        *MISS,
        with_="fire",
        target="enemy",
        tactical=["muffled_shot"],
        until="near",
    )
    assert after.enemy is not None and after.enemy.range == "short" and after.tactical == []
    assert after.fire is not None and after.fire.actions == 1


@pytest.mark.rule("SK-23.3")
def test_what_always_stops_an_engagement() -> None:
    unspotted = at(enemy=group(2), hand=["fire"])
    failed = do(unspotted, "engage", 1, 2, with_="fire", target="enemy", spot="roll", until="spent")
    assert failed.fire is None and failed.fire_closed
    state = at(enemy=group(2, spotted=True), hand=["fire"])
    jammed = do(state, "engage", *JAM, with_="fire", target="enemy", until="spent")
    assert jammed.jammed and jammed.fire is not None and jammed.fire.actions == 1
    alone = at(enemy=group(1, spotted=True), hand=["fire"])
    gone = do(alone, "engage", *HIT, with_="fire", target="enemy", until="spent")
    assert gone.enemy is None and gone.fire is None
    assert gone.kills == 1


@pytest.mark.rule("SK-18.14", "SK-23.3")
def test_a_cleaning_kit_lets_it_go_on() -> None:
    state = at(enemy=group(2, spotted=True), hand=["fire"], gear=["cleaning_kit"])
    after = do(state, "engage", *JAM, *HIT, with_="fire", target="enemy", until="spent")
    assert after.kills == 1 and after.fire is None and not after.jammed
    one = do(state, "engage", *JAM, *MISS, with_="fire", target="enemy", until="one")
    assert one.fire is None and one.enemy is not None and one.enemy.range == "medium"
    held = at(
        enemy=group(2, spotted=True),
        hand=["fire"],
        gear=["cleaning_kit"],
        tactical=["steady_breath"],
    )
    kept = do(
        held, "engage", *JAM, 6, 7, 3, 4, 5, with_="fire", target="enemy", tactical=["steady_breath"],
        until="spent",
    )  # fmt: skip
    assert kept.kills == 1 and kept.tactical == []


@pytest.mark.rule("SK-23.3")
def test_attached_cards_are_for_the_first_shot_only() -> None:
    held = ["steady_breath", "double_tap"]
    state = at(enemy=group(3, spotted=True), hand=["fire"], tactical=held)
    after = do(
        state, "engage", 6, 7, 3, 4, 5, 6, 7, 4, 4, 5, with_="fire", target="enemy", tactical=held,
        until="spent",
    )  # fmt: skip
    assert after.kills == 1 and after.tactical == ["double_tap"]
    assert after.enemy is not None and after.enemy.range == "medium"


@pytest.mark.rule("SK-23.2")
def test_a_wound_stops_it() -> None:
    state = at(enemy=group(1, "short", spotted=True), hand=["fire"])
    after = do(
        state,
        "engage",
        *MISS,
        1,
        1,
        1,
        5,
        1,
        1,
        3,
        1,
        1,
        with_="fire",
        target="enemy",
        until="spent",
    )
    assert after.critical == 1 and after.fire is None


@pytest.mark.rule("SK-23.4", "SK-8.7")
def test_the_spot_slot() -> None:
    state = at(enemy=group(2), hand=["fire", "binocs"])
    given = {"with_": "fire", "target": "enemy"}
    assert values(state, "engage", "spot", **given) == ["roll", "binocs", "binocs_last"]
    bare = at(enemy=group(2), hand=["fire"])
    assert values(bare, "engage", "spot", **given) == ["roll"]
    refused(bare, "engage", "SK-23.4", **given, spot="binocs", until="one")
    for known in (
        at(enemy=group(2, spotted=True), hand=["fire", "binocs"]),
        at(enemy=shooter(), hand=["fire", "binocs"]),
        at(enemy=group(2), hand=["fire", "binocs"], turn_flags=["overwatch"]),
    ):
        assert values(known, "engage", "spot", **given) == []
    at_once = do(state, "engage", *HIT, **given, spot="binocs", until="one")
    assert at_once.kills == 1 and at_once.hand == []
    lone = at(enemy=group(2), hand=["fire", "binocs"], spotter_alive=False)
    assert do(lone, "engage", *HIT, **given, spot="binocs_last", until="one").hand == []


@pytest.mark.rule("SK-19.6", "SK-23.4")
def test_overwatch_spots_for_an_engagement() -> None:
    state = at(enemy=group(2), hand=["fire"], turn_flags=["overwatch"])
    after = do(state, "engage", 6, 7, 4, 4, 5, with_="fire", target="enemy", until="one")
    assert after.kills == 1


@pytest.mark.rule("SK-23.3", "SK-13.2")
def test_engaging_the_vip() -> None:
    state = at(zone=5, vip={"card": "V1", "revealed": True}, hand=["fire"])
    after = do(state, "engage", 7, 1, 1, 5, 7, 4, 4, 5, with_="fire", target="vip", until="near")
    assert after.vip.dead and after.fire is None
    assert values(state, "engage", "spot", with_="fire", target="vip") == []


@pytest.mark.rule("SK-23.3")
def test_going_on_with_the_open_fire() -> None:
    state = at(enemy=group(2, spotted=True), fire=fire(2), hand=["fire"])
    assert values(state, "engage", "with") == ["open"]
    assert values(state, "engage", "target", with_="open") == []
    after = do(state, "engage", *HIT, *MISS, with_="open", until="spent")
    assert after.kills == 1 and after.hand == ["fire"]
    refused(state, "engage", "SK-8.1", with_="fire", target="enemy", until="one")
    jammed = at(enemy=group(2, spotted=True), fire=fire(2), jammed=True)
    refused(jammed, "engage", "SK-8.17", with_="open", until="one")
    refused(at(enemy=group(2)), "engage", "SK-8.1", with_="open", until="one")
    half = at(enemy=group(2), fire=fire(2, tries=1), hand=["binocs"])
    spotted = do(half, "engage", *HIT, with_="open", spot="binocs_last", until="one")
    assert spotted.kills == 1 and spotted.hand == []


@pytest.mark.rule("SK-23.2", "SK-23.5")
def test_an_engagement_of_the_open_fire_does_something() -> None:
    """Decision D34: no press without an effect."""
    state = at(enemy=group(2, "short", spotted=True), fire=fire(1), tactical=["muffled_shot"])
    bare = values(state, "engage", "until", with_="open", tactical=[])
    assert bare == ["one", "miss", "spent"]
    refused(state, "engage", "SK-23.5", with_="open", tactical=[], until="near")
    muffled = do(state, "engage", *MISS, with_="open", tactical=["muffled_shot"], until="near")
    assert muffled.fire is None and muffled.enemy is not None and muffled.enemy.range == "short"
    sniper = at(enemy=shooter("short", 1), fire=fire(1))
    assert "near" not in values(sniper, "engage", "until", with_="open")
    hidden = at(enemy=group(2, "short"), fire=fire(1, tries=2))
    assert "near" in values(hidden, "engage", "until", with_="open", spot="roll")
    found = do(hidden, "engage", 5, with_="open", spot="roll", until="near")
    assert found.enemy is not None and found.enemy.spotted and found.fire is not None


# --- crawl_on ---------------------------------------------------------------------------------


@pytest.mark.rule("SK-23.7")
def test_crawl_on() -> None:
    few = at(morale=20, hand=["crawl"])
    refused(few, "crawl_on", "SK-23.7")
    assert "crawl" in offered(few) and "crawl_on" not in offered(few)
    refused(at(morale=19, hand=["crawl"] * 3), "crawl_on", "SK-5.2")
    refused(at(zone=6, vip=OVER_THERE, hand=["crawl"] * 3), "crawl_on", "SK-5.3")
    ambush = at(morale=20, hand=["crawl"] * 3, location_cards__2="J05")
    after = do(ambush, "crawl_on", "2")
    assert after.phase == "PATROL" and after.zone == 2 and after.hand == ["crawl"]


# --- end_turn ---------------------------------------------------------------------------------


@pytest.mark.rule("SK-23.6", "SK-11.7")
def test_end_turn_and_the_priority_channel() -> None:
    state = at(tactical=["priority_channel"], enemy=group(2))
    assert values(state, "end_turn", "priority") == ["true", "false", "unsaid"]
    assert do(state, "end_turn").phase == "IV"
    used = do(state, "end_turn", 6, 1, "h1", *NEXT_TURN, priority=True)
    assert used.turn == 5 and used.kills == 2 and used.tactical == ["ghost"]
    kept = do(state, "end_turn", *QUIET, priority=False)
    assert kept.turn == 5 and kept.tactical == ["priority_channel", "ghost"]
    assert values(at(), "end_turn", "priority") == []
    assert values(at("group", tactical=["priority_channel"]), "end_turn", "priority") == []


@pytest.mark.rule("SK-23.6", "SK-14.1", "SK-14.2")
def test_end_turn_and_the_extraction() -> None:
    there = {"zone": 6, "vip": OVER_THERE, "hand": ["crawl", "fire", "crawl"]}
    state = at(**there)
    assert values(state, "end_turn", "extract") == ["true", "false", "unsaid"]
    assert do(state, "end_turn", "blank", "h1").phase == "VI"
    assert do(state, "end_turn", "blank", "h1", extract=False).phase == "VI"
    home = do(state, "end_turn", "blank", "h1", extract=True)
    assert home.result == "MINOR"
    poor = at(zone=6, vip=OVER_THERE, hand=["crawl"])
    assert do(poor, "end_turn", *QUIET, extract=True).turn == 5
    caught = do(at(**there, reserve=7), "end_turn", "blank", "reserve", extract=True)
    assert caught.result == "POW"
    assert values(at(zone=5), "end_turn", "extract") == []
    both = at(**there, phase="II", tactical=["priority_channel"], enemy=group(1))
    assert do(both, "end_turn", 1, 1, "h1", priority=True, extract=True).result == "MINOR"


@pytest.mark.rule("SK-23.2", "SK-23.6")
def test_end_turn_stops_when_an_enemy_comes() -> None:
    for card, dice in (("h1", ()), ("enemy_sniper", (6, 1, 1, 1, 1))):
        after = do(at(phase="I"), "end_turn", "4", card, *dice)
        assert (after.turn, after.phase) == (4, "III")
    first = do(at(phase="I", turn=1, first_contact=True), "end_turn", "4", "reserve")
    assert (first.phase, first.turn) == ("III", 1) and first.enemy is not None


@pytest.mark.rule("SK-23.6")
def test_end_turn_stops_at_the_next_turn_whatever_it_brings() -> None:
    full = at(tactical=["smoke", "ghost", "claymore"])
    assert do(full, "end_turn", "blank", "h1", *BLANKS, "smoke").phase == "TDISCARD"
    birds = do(
        at(enemy=group(1, "short")), "end_turn", "blank", "h1", *BLANKS, "spooked_birds", 3, 1, 1
    )
    assert (birds.turn, birds.phase, birds.enemy) == (5, "I", None)


# --- then -------------------------------------------------------------------------------------


@pytest.mark.rule("SK-23.8")
def test_then_follows_a_verb() -> None:
    state = at(phase="I", morale=20, hand=["movement", "fire"])
    assert values(state, "move", "then", cover="none") == ["no", "end_phase", "III", "end_turn"]
    assert do(state, "move", "6", then="end_phase").phase == "II"
    assert do(state, "move", "6", "h2", then="III").phase == "III"
    assert do(state, "move", "6", "h2", then="end_turn").phase == "III"
    assert do(state, "move", "6", "reserve", *QUIET, then="end_turn").turn == 5
    later = at(phase="II", morale=20, hand=["movement"])
    assert values(later, "move", "then", cover="none") == ["no", "end_phase", "end_turn"]


@pytest.mark.rule("SK-23.8", "SK-2.5")
def test_then_after_a_patrol_or_a_discard() -> None:
    ambush = at(phase="PATROL", return_to="I", patrol=1, hand=["hidden"])
    assert do(ambush, "patrol", "6", "h1", how="hidden", then="III").phase == "III"
    second = at(phase="PATROL", return_to="II", patrol=1, hand=["hidden"])
    assert do(second, "patrol", how="hidden", then="III").phase == "II"
    assert do(second, "patrol", "h1", how="hidden", then="end_phase").phase == "III"
    over = at(phase="TDISCARD", tactical=["smoke", "ghost", "claymore", "overwatch"])
    assert do(over, "discard_tactical", "6", "h1", card="smoke", then="III").phase == "III"
    five = at(phase="TDISCARD", tactical=["smoke"] * 5)
    assert do(five, "discard_tactical", card="smoke", then="end_turn").phase == "TDISCARD"


@pytest.mark.rule("SK-23.8")
def test_what_keeps_then_back() -> None:
    wound = at(phase="PATROL", return_to="II", patrol=1)
    assert do(wound, "patrol", 1, 1, 1, 1, 1, how="escape", then="end_turn").phase == "II"
    spotting = at(enemy=group(1), fire=fire(2, tries=1))
    assert do(spotting, "spot", 1, then="end_turn").turn == 4
    jam = at(enemy=group(2, spotted=True), fire=fire(2))
    assert do(jam, "shoot", *JAM, then="end_phase").turn == 4
    ambush = at(morale=20, hand=["movement"], location_cards__2="J05")
    assert do(ambush, "move", "1", then="end_turn").phase == "PATROL"
    exposed = at(morale=20, hand=["movement"], enemy=group(1, "short"))
    assert do(exposed, "move", 4, 1, 1, then="end_turn").turn == 4
    trap = at(morale=20, hand=["movement"], location_cards__2="J08")
    assert do(trap, "move", 1, 1, 1, then="end_turn").turn == 4
    assert do(trap, "move", 6, *QUIET, then="end_turn").turn == 5


@pytest.mark.rule("SK-23.8")
def test_then_has_the_slots_of_end_turn() -> None:
    state = at(
        zone=6, vip=OVER_THERE, hand=["crawl"] * 2, tactical=["priority_channel", "adrenaline"]
    )
    after = do(
        state, "tactical", "blank", "blank", 1, 1, "h1", card="adrenaline", then="end_turn",
        priority=True, extract=True,
    )  # fmt: skip
    assert after.result == "MINOR"
    refused(state, "tactical", "", card="adrenaline", then="end_phase", extract=True)


@pytest.mark.rule("SK-23.8", "SK-22.3")
def test_in_a_group_then_is_the_sniper_s() -> None:
    held = {"hand": ["binocs", "medkit", "fire"], "tactical": ["smoke", "rapid_clear"], "light": 1}
    state = at("group", enemy=group(2), fire=fire(2, tries=2), jammed=True, **held)
    for verb, picked in (
        ("spot", {}), ("binocs", {}), ("heal", {"with_": "medkit"}), ("tactical", {"card": "smoke"}),
    ):  # fmt: skip
        assert values(state, verb, "then", "SPOTTER", **picked) == []
        refused(state, verb, "", "SPOTTER", **picked, then="end_turn")
    assert values(state, "tactical", "then", "SNIPER", card="rapid_clear") != []
    patrol = at("group", phase="PATROL", return_to="II", patrol=1)
    assert values(patrol, "patrol", "then", "SPOTTER", how="fight") == []
    discard = at("group", phase="TDISCARD", tactical=["smoke"] * 4)
    assert values(discard, "discard_tactical", "then", "SPOTTER", card="smoke") == []
    last = at("group", zone=6, vip=OVER_THERE, light=1, hand=["medkit"])
    assert values(last, "heal", "extract", "SPOTTER", with_="medkit") == []


@pytest.mark.rule("SK-23.1")
def test_every_step_of_a_short_cut_is_told() -> None:
    state = at(enemy=group(2), hand=["fire"])
    found = turnout(
        state, "engage", 2, 4, *HIT, *MISS, with_="fire", target="enemy", spot="roll", until="spent"
    )
    told = " ".join(event.text for event in found.events)
    for words in (
        "opens fire",
        "Spotting: nothing",
        "the group is spotted",
        "hit",
        "miss",
        "closer",
    ):
        assert words in told
    assert len(found.results) == 12


@pytest.mark.rule("SK-23.1", "SK-23.6")
def test_end_turn_is_the_same_as_its_phases() -> None:
    for number in range(40):
        state: State = new(f"same {number}")
        if state.phase != "I":
            continue
        noting = Noting(seeded(f"same dice {number}"))
        whole = play(game(), state, "SNIPER", read("end_turn", {}), noting).state
        feed = _Feed(noting.script)
        singly = state
        while singly.phase in ("I", "II", "III") and singly.turn == 1 and feed.script:
            singly = play(game(), singly, "SNIPER", read("end_phase", {}), feed).state
        while game().encode(singly) != game().encode(whole):
            assert singly.phase in ("I", "II")
            singly = play(game(), singly, "SNIPER", read("end_phase", {}), feed).state
        assert feed.script == []

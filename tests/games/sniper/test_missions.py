"""Thousands of random missions and hundreds of random campaigns: all figures add up, all come to an end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from games.kernel.action import Action
from games.kernel.entropy import Entropy, seeded
from games.kernel.game import Setup
from games.kernel.play import Turnout, begin, play
from games.kernel.random_player import random_action
from games.sniper.campaign import Tour
from games.sniper.model import State
from tests.games.sniper.conservation import conserved
from tests.games.sniper.field import game

MISSIONS, SOAK_MISSIONS = 2_000, 20_000
CAMPAIGNS, SOAK_CAMPAIGNS = 200, 2_000
MOST_TURNS = 50
MOST_VERBS = {"solo": 300, "group": 450}
"""Of single verbs (spec 9.5)."""
SINGLE = {"abandon": 0, "engage": 0, "crawl_on": 0, "end_turn": 0}
"""The random player without short cuts."""
STAYING = {**SINGLE, "extract": 0}
ANY = {"abandon": 0}
FOLLOWING = ("then", "priority", "extract")

SETUPS: tuple[dict[str, str], ...] = (
    {},
    {"mode": "group"},
    {"veteran": "on"},
    {"rookie": "on", "strict_wounds": "on"},
    {"hot_zone": "on"},
    {"lone_wolf": "on"},
    {"mode": "group", "rotation": "3"},
    {"mode": "group", "rotation": "5", "rookie": "on"},
    {"location": "ruined_city"},
    {"mode": "group", "hot_zone": "on", "location": "desert"},
)


def mission(setup: Setup, dice: Entropy, weights: Mapping[str, int]) -> Iterator[Turnout[State]]:
    """A random mission, step by step; the last state is over."""
    found = begin(game(), setup, dice)
    yield found
    seats = [seat.id for seat in game().seats(setup)]
    while game().result(found.state) is None:
        seat = game().tasks(found.state)[0].seat
        if len(seats) > 1 and dice.roll(3, "partner") == 1:  # who is not waited for may act too
            seat = dice.draw([s for s in seats if _can(found.state, s, weights)], "seat")
        action = random_action(game(), found.state, seat, dice, weights)
        if weights is not ANY and "then" in action.slots:
            slots = {k: v for k, v in action.slots.items() if k not in FOLLOWING}
            action = Action(action.verb, slots)
        found = play(game(), found.state, seat, action, dice)
        yield found


def _can(state: State, seat: str, weights: Mapping[str, int]) -> bool:
    """Whether a seat, on duty or waited for or neither, has something to do."""
    return any(weights.get(offer.verb, 1) for offer in game().offers(state, seat))


@pytest.mark.rule("SK-2.6", "SK-16.3")
@pytest.mark.parametrize("part", range(8))
def test_random_missions(part: int, soak: bool) -> None:
    ends: Counter[str] = Counter()
    for number in range(part, SOAK_MISSIONS if soak else MISSIONS, 8):
        chosen = SETUPS[number % len(SETUPS)]
        setup = game().read_setup(chosen)
        single = number % 50 < 10
        state: State | None = None
        verbs = 0
        for found in mission(setup, seeded(f"mission {number}"), SINGLE if single else ANY):
            state, verbs = found.state, verbs + 1
            conserved(game(), state)
        assert state is not None and state.turn <= MOST_TURNS, number
        assert verbs <= (MOST_VERBS[setup.mode] if single else 1_000), number
        ends[state.result] += 1
    assert set(ends) == {"MAJOR", "MINOR", "KIA", "POW"}


@pytest.mark.rule("SK-12.2", "SK-14.2")
def test_missions_without_extraction_end_too(soak: bool) -> None:
    """The track is a clock: whoever stays is captured or killed."""
    setup = game().read_setup({})
    for number in range(1_000 if soak else 60):
        state: State | None = None
        turns = 0
        for found in mission(setup, seeded(f"stay {number}"), STAYING):
            state, turns = found.state, found.state.turn
        assert state is not None and state.result in ("KIA", "POW") and turns <= MOST_TURNS + 1


# --- campaigns --------------------------------------------------------------------------------


def tour() -> Tour:
    found = game().campaigns()["campaign"]
    assert isinstance(found, Tour)
    return found


def shopping(progress: dict[str, Any], dice: Entropy) -> dict[str, Any]:
    """Buys at random until there is nothing to buy, or enough."""
    while True:
        errands = {errand.name: errand for errand in tour().errands(progress)}
        if "buy" not in errands or dice.roll(4, "enough") == 1:
            return progress
        item = dice.draw([option.value for option in errands["buy"].options], "item")
        bank, price = progress["bank"], game().content.gear[item].price
        progress = tour().run(progress, "buy", item)
        assert price is not None and progress["bank"] == bank - price >= 0


def booked(before: dict[str, Any], after: dict[str, Any], state: State) -> None:
    """One mission is entered in the record as SK-17 says."""
    failed = state.result in ("KIA", "POW")
    sheet = after["log"][-1]
    assert len(after["log"]) == len(before["log"]) + 1 == before["mission_no"]
    assert after["mission_no"] == before["mission_no"] + 1
    assert after["bank"] == before["bank"] + (0 if failed else state.kp) == sheet["bank_after"]
    assert after["vp_total"] == before["vp_total"] + sheet["vp"]
    wounds = state.light + state.critical
    assert sheet["vp"] == (0 if failed else max(0, state.kp - wounds))
    assert after["failures"] == before["failures"] + failed
    assert (after["rifle"], after["gear"], after["med_kits"]) == (
        ("m40a3", [], 0) if failed else (before["rifle"], before["gear"], before["med_kits"])
    )
    assert after["shop"] == (not failed and not after["level"])


@pytest.mark.rule("SK-17.1", "SK-17.2", "SK-17.3", "SK-17.4", "SK-17.5", "SK-17.7", "SK-21.2")
@pytest.mark.parametrize("part", range(4))
def test_random_campaigns(part: int, soak: bool) -> None:
    levels: Counter[str] = Counter()
    for number in range(part, SOAK_CAMPAIGNS if soak else CAMPAIGNS, 4):
        dice = seeded(f"campaign {number}")
        options = {"no_surrender": "on"} if number % 5 == 0 else {}
        progress = tour().begin("group" if number % 3 == 0 else "solo", options)
        while (setup := tour().setup(progress)) is not None:
            state = _flown(setup, dice, clever=number // 4 % 8 == 1)
            assert state.context == "campaign" and state.mission_no == progress["mission_no"]
            assert (state.rifle, state.gear) == (progress["rifle"], progress["gear"])
            after = tour().after(progress, state)
            booked(progress, after, state)
            progress = shopping(after, dice)
        levels[progress["level"]] += 1
        _over(progress, bool(options))
    assert levels["failed"] and levels.total() == (SOAK_CAMPAIGNS if soak else CAMPAIGNS) // 4


def _flown(setup: Setup, dice: Entropy, *, clever: bool) -> State:
    """A mission flown at random, or by the policy."""
    if not clever:
        return list(mission(setup, dice, ANY))[-1].state
    state = begin(game(), setup, dice).state
    while game().result(state) is None:
        decided = game().policy(state, "standin")
        assert decided is not None
        state = play(game(), state, *decided, dice).state
    conserved(game(), state)
    return state


def _over(progress: dict[str, Any], endless: bool) -> None:
    """A campaign is over after ten missions, or three failures."""
    total, failures, played = progress["vp_total"], progress["failures"], len(progress["log"])
    assert tour().errands(progress) == () and not progress["shop"]
    if failures >= 3 and not endless:
        assert progress["level"] == "failed" and failures == 3
        assert progress["log"][-1]["result"] in ("KIA", "POW")
    else:
        assert played == 10
        wanted = "major" if total >= 50 else "minor" if total >= 30 else "failed"
        assert progress["level"] == wanted
    assert sum(sheet["vp"] for sheet in progress["log"]) == total
    spent = sum(game().content.gear[i].price or 0 for s in progress["log"] for i in s["bought"])
    earned = sum(s["kp"] for s in progress["log"] if s["result"] in ("MAJOR", "MINOR"))
    assert progress["bank"] == earned - spent
    view = tour().view(progress)
    assert view.next == "" and len(view.stages) == 10 and view.total == total

"""Sniper Kill Confirmed through real discord.py: alone and as a team, by buttons and by commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.sniping import Outpost, outpost

STANDING_BY = ["fire", "hidden", "crawl", "movement", "medkit"], ["steady_breath", "smoke"]
OTHERWISE = ["blank", "signal", "binocs", "blank", "fire"], ["claymore", "adrenaline"]
"""Two hands of the same size, Action and Tactical cards."""


@pytest.fixture
async def alone(tmp_path: Path) -> AsyncIterator[Outpost]:
    async with outpost(tmp_path, ("Robin",), "a mission alone") as running:
        yield running


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[Outpost]:
    async with outpost(tmp_path, ("Robin", "Kim"), "a mission for two") as running:
        await running.party.say("Robin", "sniper new", mode="group")
        await running.party.press("Kim", "Join Spotter")
        await running.party.press("Robin", "Start")
        yield running


async def over(post: Outpost) -> None:
    """The mission has ended by its rules, and the panel says how."""
    table = await post.table()
    outcome = table.result()
    assert table.over and outcome is not None
    assert outcome.title in post.top.words(post.top.panel)
    assert await post.top.bot.sessions.audit(table.id) == ""


# --- alone ---


async def test_a_mission_by_buttons(alone: Outpost) -> None:
    """Every decision is one press, however much it says (spec 9.5), after one that opens the panel."""
    await alone.party.say("Robin", "sniper new")
    decisions = await alone.play("buttons")
    await over(alone)
    assert alone.presses["Robin"] <= decisions + 3, alone.extra


async def test_a_mission_by_commands(alone: Outpost) -> None:
    await alone.party.say("Robin", "sniper new")
    await alone.play("commands")
    await over(alone)


@pytest.mark.rule("SK-23.3", "SK-23.6", "SK-23.7", "SK-23.8")
async def test_short_cuts_are_typed(alone: Outpost) -> None:
    await alone.party.say("Robin", "sniper new", location="jungle")
    await set_up(alone, phase="I", hand=["crawl"] * 3, morale=200, enemy=None, tactical=[])
    found = await alone.party.people["Robin"].autocomplete(
        alone.top.channel, "sniper crawl-on", "then", "end"
    )
    assert [choice["value"] for choice in found] == ["end_phase", "end_turn"]
    done = await alone.party.say("Robin", "sniper crawl-on", then="end_phase")
    table = await alone.table()
    assert table.state.zone == 2 and table.state.phase != "I", alone.party.read(done)
    enemy = {"kind": "hostile", "count": 2, "range": "long", "spotted": False, "shots": 0}
    await set_up(alone, phase="III", patrol=0, hand=["fire"], enemy=enemy, tactical=["double_tap"])
    done = await alone.party.say(
        "Robin", "sniper engage", spot="roll", tactical="double_tap", until="one"
    )
    assert (await alone.table()).state.hand == [], alone.party.read(done)
    await set_up(alone, phase="III", enemy=None, fire=None, hand=[], tactical=[])
    turn = (await alone.table()).state.turn
    await alone.party.say("Robin", "sniper end-turn")
    assert (await alone.table()).state.turn == turn + 1


async def set_up(post: Outpost, **fields: Any) -> None:
    for path, value in fields.items():
        await post.top.patch(path, value)


async def test_hand_and_odds_are_shown_to_who_asks(alone: Outpost) -> None:
    await alone.party.say("Robin", "sniper new")
    await set_up(
        alone, phase="III", hand=["fire"], tactical=["steady_breath"], jammed=False,
        enemy={"kind": "hostile", "count": 2, "range": "short", "spotted": True, "shots": 0},
    )  # fmt: skip
    assert "Odds" not in alone.top.labels(alone.top.panel)
    shown = await alone.party.press("Robin", "Play…")
    assert "-# Hand: Fire, Steady Breath" in alone.party.read(shown)
    odds = await alone.party.people["Robin"].click(shown.response, label="Odds")
    typed = await alone.party.say("Robin", "table odds")
    assert "A shot at the enemy in play: hit " in alone.party.read(odds)
    assert alone.party.read(typed) == alone.party.read(odds)
    hand = await alone.party.press("Robin", "Hand")
    typed = await alone.party.say("Robin", "table hand")
    assert "**Steady Breath**" in alone.party.read(hand) and hand.response.ephemeral
    assert alone.party.read(typed) == alone.party.read(hand)
    (alt,) = alone.top.pictures(hand.response)
    assert "Steady Breath" in alt


# --- what others see ---


async def seen(post: Outpost) -> list[Any]:
    """Everything that the public and a stranger can see or ask for."""
    await post.party.say("Kim", "table panel")
    await post.party.say("Robin", "table panel")
    top, kim = post.top, post.party.people["Kim"]
    found: list[Any] = [top.words(top.panel), top.labels(top.panel), top.pictures(top.panel)]
    for command in ("table board", "table text", "table hand", "table odds", "sniper engage"):
        told = await post.party.say("Kim", command)
        found += [post.party.read(told), top.pictures(told.response)]
    for label in ("Play…", "Hand", "Board"):
        told = await post.party.press("Kim", label)
        found += [post.party.read(told), top.pictures(told.response), top.labels(told.response)]
    log = await post.party.say("Kim", "table log")
    found.append(post.party.read(log))
    for command, slot in (("engage", "with"), ("tactical", "card"), ("heal", "with")):
        found.append(await kim.autocomplete(top.channel, f"sniper {command}", slot, ""))
    return found


async def test_nobody_else_learns_of_the_hand(alone: Outpost) -> None:
    await alone.party.say("Robin", "sniper new")
    await alone.play("buttons", most=8)
    enemy = {"kind": "hostile", "count": 2, "range": "short", "spotted": True, "shots": 0}
    views: list[list[Any]] = []
    for hand, tactical in (STANDING_BY, OTHERWISE):
        await set_up(
            alone, phase="III", light=1, enemy=enemy, fire=None, patrol=0, hand=hand,
            tactical=tactical,
        )  # fmt: skip
        views.append(await seen(alone))
    assert views[0] == views[1]
    told = str(views[0])
    assert "Steady Breath" not in told and "Hand: " not in told
    assert "You do not play at this table" in told or "no seat" in told


# --- together ---


async def test_a_mission_for_two(pair: Outpost) -> None:
    """By buttons, over a restart; each decides what is theirs."""
    decisions = await pair.play("buttons", most=12)
    await pair.party.restart()
    pair.messages.clear()
    decisions += await pair.play("buttons")
    await over(pair)
    rows = await pair.top.bot.sessions.history((await pair.table()).id)
    by = {row.name: row.seat for row in rows if row.kind == "act"}
    assert by == {"Robin": "SNIPER", "Kim": "SPOTTER"}
    # Who takes over opens the private panel anew, or finds one public button that does it.
    assert sum(pair.presses.values()) <= 1.5 * decisions, pair.extra


async def test_a_mission_for_two_by_commands(pair: Outpost) -> None:
    await pair.play("commands")
    await over(pair)


@pytest.mark.rule("SK-22.4", "SK-22.5", "SK-22.6", "SK-22.11")
async def test_what_is_the_partners(pair: Outpost) -> None:
    await set_up(pair, phase="I", hand=["fire"], tactical=["adrenaline"], patrol=0, turn_flags=[])
    for who, command in (
        ("Robin", "focus"), ("Robin", "hold"), ("Robin", "orders"), ("Kim", "end-phase"),
        ("Kim", "engage"), ("Kim", "move"),
    ):  # fmt: skip
        refused = await pair.party.say(who, f"sniper {command}")
        assert "That is your partner’s decision. (SK-22.4" in pair.party.read(refused), command
    refused = await pair.party.say("Robin", "sniper tactical", card="adrenaline")
    assert "partner’s decision" in pair.party.read(refused)
    kims = await pair.party.press("Kim", "Play…")
    labels = pair.top.labels(kims.response)
    assert {"Focus wind", "Focus scan", "Focus comms", "Hold", "Standing orders"} <= set(labels)
    assert "Play Adrenaline" in labels and "End phase" not in labels
    kims = await pair.party.people["Kim"].click(kims.response, label="Focus scan")
    kims = await pair.party.people["Kim"].click(kims.response, label="Hold")
    refused = await pair.party.say("Robin", "sniper end-phase")
    assert "has asked to hold" in pair.party.read(refused)
    assert f"<@{pair.id('Kim')}> (Spotter):** release the hold" in pair.top.words(pair.top.panel)
    kims = await pair.party.people["Kim"].click(kims.response, label="Release the hold")
    asked = await pair.party.people["Kim"].click(kims.response, label="Standing orders")
    asked = await pair.party.people["Kim"].click(asked.response, label="Roll")
    assert "Which focus each turn?" in pair.party.read(asked)
    keep = next(x for x in pair.top.labels(asked.response) if x.startswith("Keep: "))
    await pair.party.people["Kim"].click(asked.response, label=keep)
    state = (await pair.table()).state
    assert state.orders.spot == "roll" and "focus_scan" in state.turn_flags and not state.hold
    again = await pair.party.say("Kim", "sniper focus", focus="WIND")
    assert "SK-22.5" in pair.party.read(again)


@pytest.mark.rule("SK-22.9")
async def test_three_take_turns(tmp_path: Path) -> None:
    async with outpost(tmp_path, ("Robin", "Kim", "Sam"), "three take turns") as post:
        await post.party.say("Robin", "sniper new", mode="group", rotation="3")
        await post.party.press("Kim", "Join Player 2")
        await post.party.press("Sam", "Join Player 3")
        await post.party.press("Robin", "Start")
        people, parts = ("Robin", "Kim", "Sam"), dict[int, tuple[str, str]]()
        for _ in range(60):
            table = await post.table()
            turn = table.state.turn
            if table.over or turn > 4:
                break
            sniper, spotter = people[(turn - 1) % 3], people[turn % 3]
            parts[turn] = sniper, spotter
            idle = next(name for name in people if name not in (sniper, spotter))
            if table.state.in_window:
                refused = await post.party.say(idle, "sniper end-phase")
                assert "partner’s decision" in post.party.read(refused)
            seat, action = post.wish(table)
            who = post.who(table, seat)
            assert who in (sniper, spotter)
            await post.press(who, table, seat, action)
        assert len(parts) >= 3

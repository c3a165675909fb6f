"""Co-op: two squads, three people, through the lobby to the end, with real discord.py."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.party import Party, party


@pytest.fixture
async def coop(tmp_path: Path) -> AsyncIterator[Party]:
    async with party(tmp_path, ("Robin", "Kim", "Sam"), "a co-op mission") as running:
        await running.say("Robin", "boots new", mission="hot-lz", mode="coop", cards_delta="-25")
        yield running


async def seated(table: Party) -> None:
    """Alpha is Robin's; Bravo is shared by Kim and Sam."""
    await table.press("Kim", "Join Bravo")
    await table.press("Sam", "Join Bravo")
    await table.press("Robin", "Start")


async def test_the_lobby_tells_what_is_missing(coop: Party) -> None:
    words = coop.top.words(coop.top.panel)
    assert "nobody plays Bravo" in words and "Objective:" in words
    assert len(coop.top.pictures(coop.top.panel)) == 1
    assert "Start" not in coop.top.labels(coop.top.panel)
    posts = coop.top.posts()
    told = await coop.press("Kim", "Join Bravo")
    assert "You have a seat at this table now: Bravo" in coop.read(told)
    assert coop.top.posts() == posts, "the lobby’s panel changes in place"
    words = coop.top.words(coop.top.panel)
    assert f"<@{coop.people['Robin'].id}> presses “Start”" in words
    refused = await coop.press("Kim", "Start")
    assert "Only" in coop.read(refused) and "host" in coop.read(refused)
    assert (await coop.table()).lobby
    await coop.press("Robin", "Start")
    assert coop.called() == ["Kim"]
    table = await coop.table()
    assert not table.lobby and table.due() == ("ALPHA", "BRAVO")


async def test_a_lobby_survives_a_restart(coop: Party) -> None:
    await coop.press("Kim", "Join Bravo")
    await coop.restart()
    await coop.press("Sam", "Join Bravo")
    await coop.press("Kim", "Leave")
    assert f"**Bravo**: <@{coop.people['Sam'].id}>" in coop.top.words(coop.top.panel)
    await coop.press("Robin", "Leave")
    assert "Sam is the host of this table now." in coop.top.words(coop.top.panel)
    await coop.press("Robin", "Join Alpha")
    assert "Only" in coop.read(await coop.press("Robin", "Start"))
    await coop.press("Sam", "Start")
    assert coop.called() == ["Robin"]


async def test_both_squads_set_up_at_once(coop: Party) -> None:
    """A button of one seat is not made stale by what the other seat does."""
    await seated(coop)
    labels = coop.top.labels(coop.top.panel)
    assert {"Alpha: Ready", "Bravo: Ready", "Bravo: Set up a unit"} <= set(labels)
    old = coop.top.panel
    picking = await coop.people["Kim"].click(old, label="Bravo: Set up a unit")
    refused = await coop.people["Kim"].click(old, label="Alpha: Ready")
    assert "That button is for Alpha. You play Bravo." in coop.read(refused)
    await coop.say("Robin", "boots deploy", unit="A-L", square="O16")
    await coop.people["Robin"].click(old, label="Alpha: Ready")
    # Kim is still choosing, with a message from before all that.
    menu = coop.top.menu(picking.response)
    chosen = await coop.people["Kim"].select(picking.response, [menu[0]])
    assert "Where to?" in coop.read(chosen)
    square = coop.top.menu(chosen.response)[1]
    facing = await coop.people["Kim"].select(chosen.response, [square])
    await coop.people["Kim"].click(facing.response, label="↓ S")
    table = await coop.table()
    assert table.state.units[menu[0]].pos == square and table.due() == ("BRAVO",)
    # What another of the same seat has done does count.
    again = await coop.people["Kim"].click(coop.top.panel, label="Set up a unit")
    await coop.people["Sam"].click(coop.top.panel, label="Ready")
    late = await coop.people["Kim"].select(again.response, [menu[0]])
    assert "moved on" in coop.read(late)


async def test_a_whole_game(coop: Party) -> None:
    await seated(coop)
    await coop.play(6)
    await coop.restart()
    await coop.play(600)
    table = await coop.table()
    assert table.over and table.result() is not None
    assert {who for who, seat, _ in coop.log if seat == "BRAVO"} == {"Kim", "Sam"}
    assert {who for who, seat, _ in coop.log if seat == "ALPHA"} == {"Robin"}
    assert table.result().title in coop.top.words(coop.top.panel)
    assert await coop.bot.sessions.audit(table.id) == ""
    rows = await coop.bot.sessions.history(table.id)
    played = [(r.name, r.seat) for r in rows if r.kind == "act"]
    assert len(played) >= len(coop.log) and set(played) == {
        ("Robin", "ALPHA"), ("Kim", "BRAVO"), ("Sam", "BRAVO"),
    }  # fmt: skip

"""Versus: squads against a human insurgent; one person may hold two seats."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.party import Party, party


@pytest.fixture
async def versus(tmp_path: Path) -> AsyncIterator[Party]:
    async with party(tmp_path, ("Robin", "Kim"), "a game of versus") as running:
        yield running


async def test_one_squad(versus: Party) -> None:
    await versus.say("Robin", "boots new", mode="versus")
    await versus.press("Kim", "Join Insurgents")
    await versus.press("Robin", "Start")
    await versus.play(60)
    assert {seat for _, seat, _ in versus.log} == {"ALPHA", "INSURGENT"}
    table = await versus.table()
    assert await versus.bot.sessions.audit(table.id) == ""


async def test_both_squads_in_one_hand(versus: Party) -> None:
    await versus.say("Robin", "boots new", mode="versus", versus_squads="2")
    await versus.press("Robin", "Join Bravo")
    await versus.press("Kim", "Join Insurgents")
    await versus.press("Robin", "Start")
    found = await versus.people["Robin"].autocomplete(
        versus.top.channel, "boots deploy", "unit", "L"
    )
    assert {"A-L", "B-L"} <= {choice["value"] for choice in found}
    meant = await versus.say("Robin", "boots deploy", unit="B-L", square="I15", face="S")
    assert "Now" in versus.read(meant)
    which = await versus.say("Robin", "boots ready")
    assert "For which of your seats?" in versus.read(which)
    assert {"Alpha", "Bravo"} <= set(versus.top.labels(which.response))
    await versus.people["Robin"].click(which.response, label="Bravo")
    assert (await versus.table()).due() == ("ALPHA",)
    await versus.play(40)
    assert {seat for _, seat, _ in versus.log} >= {"ALPHA", "BRAVO"}
    assert await versus.bot.sessions.audit((await versus.table()).id) == ""


async def test_solo_with_two_squads_has_no_lobby(versus: Party) -> None:
    await versus.say("Robin", "boots new", mode="solo2")
    labels = versus.top.labels(versus.top.panel)
    assert {"Alpha: Ready", "Bravo: Ready"} <= set(labels)
    await versus.play(30)
    assert {who for who, _, _ in versus.log} == {"Robin"}


@pytest.mark.parametrize(
    "chosen",
    [{"mode": "comp"}, {"mode": "coop", "insurgent_control": "drawer"}],
    ids=lambda chosen: chosen["mode"],
)
async def test_players_who_conduct_too(versus: Party, chosen: dict[str, str]) -> None:
    """Ties of the insurgents are asked of a squad’s people, as questions of their own."""
    await versus.say("Robin", "boots new", mission="hot-lz", standing="ask", **chosen)
    await versus.press("Kim", "Join Bravo")
    await versus.press("Robin", "Start")
    await versus.play(90, until=lambda now: now.state.steps[-1].step in ("event", "fire"))
    await versus.play(10)
    assert {seat for _, seat, _ in versus.log} == {"ALPHA", "BRAVO"}
    assert await versus.bot.sessions.audit((await versus.table()).id) == ""

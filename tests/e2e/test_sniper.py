"""Sniper Kill Confirmed through real discord.py: alone and as a team, by buttons and by commands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.sniping import Outpost, outpost

MOST_PRESSES = 0.75


@pytest.fixture
async def alone(tmp_path: Path) -> AsyncIterator[Outpost]:
    async with outpost(tmp_path, ("Robin",), "a mission alone") as running:
        yield running


async def over(post: Outpost) -> None:
    """The mission has ended by its rules, and the panel says how."""
    table = await post.table()
    outcome = table.result()
    assert table.over and outcome is not None
    assert outcome.title in post.top.words(post.top.panel)
    assert await post.top.bot.sessions.audit(table.id) == ""


async def test_a_mission_by_buttons(alone: Outpost) -> None:
    await alone.party.say("Robin", "sniper new")
    decisions = await alone.play("buttons")
    await over(alone)
    table = await alone.table()
    print(table.state.result, table.state.turn, decisions, alone.presses, alone.extra)
    assert alone.presses["Robin"] <= decisions + 5


async def test_a_mission_by_commands(alone: Outpost) -> None:
    await alone.party.say("Robin", "sniper new")
    await alone.play("commands")
    await over(alone)

"""`/mygames` and the limit on tables, through real discord.py."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.client import create_bot
from bot.settings import read_settings
from games.registry import Registry
from tests import toygame
from tests.e2e.tabletop import Tabletop, tabletop

DAY = 86_400


@pytest.fixture
async def strict(tmp_path: Path) -> AsyncIterator[Tabletop]:
    """A bot that lets nobody open a third table while two wait for them."""
    settings = read_settings(
        None,
        DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path}/games.db",
        FIELDPOST_MOST_WAITING="2",
    )
    registry = Registry({"toy": toygame.load}, shipped=False)
    async with tabletop(tmp_path, create_bot(settings, registry=registry)) as running:
        yield running


async def test_it_lists_games_of_every_server(top: Tabletop) -> None:
    result = await top.robin.slash(top.channel, "mygames")
    assert result.ephemeral and "You play no game" in top.words(result.response)
    await top.open("solo1")
    other = top.env.create_guild()
    far = other.create_text_channel("far")
    robin = other.add_member(top.robin.user)
    with top.env.time_context():
        await top.env.advance_time(2 * DAY)
    await robin.slash(far, "toy new", mode="duel")
    told = top.words((await top.robin.slash(top.channel, "mygames")).response)
    assert "One table waits for you" in told and "Nothing to do for you" in told
    assert told.index(f"<#{top.channel.id}>") < told.index(f"<#{far.id}>")
    assert f"/{top.guild.id}/{top.channel.id}/{top.panel.id})" in told
    assert f"/{other.id}/{far.id}/" in told
    assert "Red captain · waits for you, since <t:" in told
    assert "not begun yet" in told


async def test_it_works_in_direct_messages(top: Tabletop) -> None:
    await top.open("solo1")
    result = await top.robin.user.slash("mygames")
    assert "One table waits for you" in top.words(result.response)
    result = await top.robin.user.slash("toy new", mode="solo1")
    told = top.words(result.response if result.ephemeral else result.followups[-1])
    assert "Its board and its buttons are in a direct message." in told
    result = await top.robin.user.slash("mygames")
    told = top.words(result.response)
    assert f"in <#{top.channel.id}>" in told and ") in a direct message" in told


async def test_since_when_by_the_clock(top: Tabletop) -> None:
    await top.open("duel")
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")
    begun = int(top.env.now().timestamp())
    await top.env.advance_time(3 * DAY)
    told = top.words((await top.robin.slash(top.channel, "mygames")).response)
    stamp = int(told.partition("since <t:")[2].partition(":")[0])
    assert abs(stamp - begun) <= 2
    await top.robin.slash(top.channel, "toy done")
    told = top.words((await top.kim.slash(top.channel, "mygames")).response)
    stamp = int(told.partition("since <t:")[2].partition(":")[0])
    assert abs(stamp - begun - 3 * DAY) <= 10
    told = top.words((await top.robin.slash(top.channel, "mygames")).response)
    assert "Nothing waits for you" in told and "waits for others" in told


async def test_pages_turn_in_place(top: Tabletop) -> None:
    for number in range(12):
        channel = top.guild.create_text_channel(f"room-{number}")
        await top.robin.slash(channel, "toy new", mode="duel")
    shown = await top.robin.slash(top.channel, "mygames")
    assert "Page 1 of 2, 12 games" in top.words(shown.response)
    assert top.labels(shown.response) == ["Refresh", "Page 2 of 2"]
    turned = await top.robin.click(shown.response, label="Page 2 of 2")
    assert "Page 2 of 2, 12 games" in top.words(turned.response)
    back = await top.robin.click(turned.response, label="Back")
    assert "Page 1 of 2" in top.words(back.response)


async def test_the_limit_names_mygames_and_leaves_nothing(strict: Tabletop) -> None:
    rooms = [strict.guild.create_text_channel(f"room-{n}") for n in range(3)]
    for room in rooms[:2]:
        await strict.robin.slash(room, "toy new", mode="solo1")
    refused = await strict.robin.slash(rooms[2], "toy new", mode="solo1", thread=True)
    assert "2 tables wait for you already" in strict.words(refused.response)
    assert "`/mygames`" in strict.words(refused.response)
    assert await strict.bot.sessions.in_channel(rooms[2].id) is None
    await strict.kim.slash(rooms[2], "toy new", mode="solo1")
    assert await strict.bot.sessions.in_channel(rooms[2].id) is not None


def test_it_may_be_installed_by_users() -> None:
    from cogs.mygames import MyGamesCog

    command = next(iter(MyGamesCog().get_app_commands()))
    installs, contexts = command.allowed_installs, command.allowed_contexts
    assert installs is not None and installs.guild and installs.user
    assert contexts is not None
    assert contexts.guild and contexts.dm_channel and contexts.private_channel

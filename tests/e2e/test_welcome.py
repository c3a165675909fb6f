"""The greeting in a new server, through real discord.py: once, wherever it may be posted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest
from sqlalchemy import select

from bot.client import FieldpostBot, create_bot
from bot.settings import read_settings
from bot.store import schema as db
from games.registry import Registry
from tests import toygame
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, tabletop

GREETING = "Fieldpost: wargames by post"


def greeter(folder: Path, registry: Registry | None = None) -> FieldpostBot:
    settings = read_settings(
        None,
        DATABASE_URL=f"sqlite+aiosqlite:///{folder}/games.db",
        FIELDPOST_WELCOME="true",
    )
    return create_bot(settings, registry=registry or Registry())


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Tabletop]:
    async with tabletop(tmp_path, greeter(tmp_path)) as running:
        await running.env.settle()
        yield running


def greetings(top: Tabletop, channel: Any) -> list[Any]:
    return [m for m in channel.history() if GREETING in top.words(m)]


async def kept(top: Tabletop) -> dict[str, str]:
    wanted = select(db.meta).where(db.meta.c.key.startswith("welcome:"))
    async with top.bot.store.read() as connection:
        return {row.key: row.value for row in await connection.execute(wanted)}


def newcomer(top: Tabletop, **channels: Any) -> tuple[Any, dict[str, Any]]:
    """A server that is not known to the bot until it is joined; its channels by name."""
    guild = top.env.create_guild()
    return guild, {name: guild.create_text_channel(name, **how) for name, how in channels.items()}


async def greet(top: Tabletop, guild: Any) -> None:
    """The bot is added to that server."""
    found = top.bot.get_guild(guild.id)
    assert found is not None
    await top.bot.on_guild_join(found)


async def forget(top: Tabletop) -> None:
    """As if no server were known; what has been greeted by now is through."""
    await top.env.settle()
    await top.bot.welcome.catch_up()
    async with top.bot.store.write() as connection:
        await connection.execute(db.meta.delete().where(db.meta.c.key.startswith("welcome:")))


async def test_one_message_says_what_to_do(house: Tabletop) -> None:
    guild, channels = newcomer(house, lobby={})
    await forget(house)
    before = len(greetings(house, channels["lobby"]))
    await greet(house, guild)
    shown = greetings(house, channels["lobby"])[before:]
    assert len(shown) == 1
    told = house.words(shown[0])
    assert len(told.splitlines()) <= 8
    for command in ("`/tutorial`", "`/boots new`", "`/help`"):
        assert command in told
    (alt,) = house.pictures(shown[0])
    assert "Boots on the Ground" in alt
    limits.check_message(
        house.env.backend.get_message(channels["lobby"].id, shown[0].id).components
    )
    assert (await kept(house))[f"welcome:{guild.id}"] == "done"


async def test_discords_own_event_leads_to_it(house: Tabletop) -> None:
    seen: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def joined(guild: discord.Guild) -> None:
        seen.set_result(guild.id)

    house.bot.welcome.joined = joined
    guild, _ = newcomer(house)
    await house.env.settle()
    house.bot.dispatch("guild_join", house.bot.get_guild(guild.id))
    assert await asyncio.wait_for(seen, 10) == guild.id


async def test_once_also_after_restarts(house: Tabletop, tmp_path: Path) -> None:
    guild, channels = newcomer(house, lobby={})
    await forget(house)
    await greet(house, guild)
    count = len(greetings(house, channels["lobby"]))
    await greet(house, guild)
    await house.bot.close()
    house.bot = greeter(tmp_path)
    await house.env.restart_bot(house.bot)
    await greet(house, guild)
    assert len(greetings(house, channels["lobby"])) == count


async def test_where_it_may_write_and_what_is_missing(house: Tabletop) -> None:
    guild, _ = newcomer(house)
    silent = discord.PermissionOverwrite(send_messages=False)
    bare = discord.PermissionOverwrite(attach_files=False, create_private_threads=False)
    closed = guild.create_text_channel("closed", overwrites={guild.me: silent})
    open_ = guild.create_text_channel("open", overwrites={guild.me: bare})
    await forget(house)
    await greet(house, guild)
    assert not greetings(house, closed)
    shown = greetings(house, open_)[-1]
    told = house.words(shown)
    assert "I still need “Attach files” and “Create private threads” here" in told
    assert len(told.splitlines()) <= 8 and house.pictures(shown) == []


async def test_nowhere_to_write(house: Tabletop) -> None:
    guild, _ = newcomer(house)
    silent = discord.PermissionOverwrite(send_messages=False)
    guild.create_text_channel("closed", overwrites={guild.me: silent})
    await forget(house)
    await greet(house, guild)
    assert (await kept(house))[f"welcome:{guild.id}"] == "done"


async def test_an_outage_is_made_up_for(house: Tabletop) -> None:
    guild, channels = newcomer(house, lobby={})
    await forget(house)
    count = len(greetings(house, channels["lobby"]))
    house.env.inject_error("POST", f"/channels/{channels['lobby'].id}/messages", status=503)
    await greet(house, guild)
    assert (await kept(house))[f"welcome:{guild.id}"] == "due"
    assert len(greetings(house, channels["lobby"])) == count
    await house.bot.on_ready()
    assert len(greetings(house, channels["lobby"])) == count + 1
    assert (await kept(house))[f"welcome:{guild.id}"] == "done"


async def test_its_button_begins_the_tutorial(house: Tabletop) -> None:
    guild, channels = newcomer(house, lobby={})
    kim = guild.add_member(house.env.create_user("Alex"))
    await forget(house)
    await greet(house, guild)
    shown = greetings(house, channels["lobby"])[-1]
    begun = await kim.click(shown, label="Start the tutorial")
    assert begun.ephemeral and "Your tutorial has begun" in house.words(begun.response)
    assert await house.bot.sessions.guided(kim.id) is not None


async def test_a_bot_without_lessons_or_games(tmp_path: Path) -> None:
    registry = Registry({"toy": toygame.load}, shipped=False)
    async with tabletop(tmp_path, greeter(tmp_path, registry)) as top:
        guild, channels = newcomer(top, lobby={})
        await top.env.settle()
        await forget(top)
        await greet(top, guild)
        told = top.words(greetings(top, channels["lobby"])[-1])
        assert "`/toy new`" in told and "/tutorial" not in told


async def test_it_can_be_switched_off(tmp_path: Path) -> None:
    settings = read_settings(
        None,
        DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path}/games.db",
        FIELDPOST_WELCOME="false",
    )
    async with tabletop(tmp_path, create_bot(settings, registry=Registry())) as top:
        guild, channels = newcomer(top, lobby={})
        await top.env.settle()
        await greet(top, guild)
        assert not greetings(top, channels["lobby"]) and await kept(top) == {}

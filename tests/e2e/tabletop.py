"""The whole bot on an in-memory Discord, with the toy game, and eyes to read its messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import simcord
from simcord.components import walk_components
from simcord.results import to_discord_message
from sqlalchemy import update

from bot.client import FieldpostBot, create_bot
from bot.sessions.records import digest, pack
from bot.settings import read_settings
from bot.store import schema as db
from games.registry import Registry
from tests import toygame

BUTTON, MENU, TEXT, GALLERY = 2, 3, 10, 12


def toy_bot(folder: Path, registry: Registry | None = None) -> FieldpostBot:
    """A bot over the database in `folder`."""
    settings = read_settings(None, DATABASE_URL=f"sqlite+aiosqlite:///{folder}/games.db")
    return create_bot(settings, registry=registry or Registry({"toy": toygame.load}, shipped=False))


@dataclass
class Tabletop:
    """A running bot, a server with a channel, and two people."""

    env: simcord.Env
    bot: FieldpostBot
    guild: Any
    channel: Any
    robin: Any
    kim: Any
    folder: Path

    async def open(self, mode: str = "solo1") -> Any:
        """Robin opens a game of toys."""
        return await self.robin.slash(self.channel, "toy new", mode=mode)

    @property
    def panel(self) -> Any:
        """The last public message. (`last_message` would make objects of all that were ever sent.)"""
        stored = self.env.backend.messages.get(self.channel.id, {})
        shown = [message for message in stored.values() if message.visible_to(None)]
        return to_discord_message(self.env, max(shown, key=lambda one: one.id)) if shown else None

    def wire(self, message: Any) -> list[dict[str, Any]]:
        """Every component of a message, as Discord holds it."""
        components = message.components
        if not components or not isinstance(components[0], dict):
            channel = getattr(message, "channel", None)
            channel_id = channel.id if channel is not None else self.channel.id
            components = self.env.backend.get_message(channel_id, message.id).components
        return list(walk_components(components))

    def words(self, message: Any) -> str:
        """All text of a message."""
        return "\n".join(c["content"] for c in self.wire(message) if c["type"] == TEXT)

    def labels(self, message: Any) -> list[str]:
        """The buttons that can be pressed."""
        return [
            c["label"]
            for c in self.wire(message)
            if c["type"] == BUTTON and not c.get("disabled") and "url" not in c
        ]

    def ids(self, message: Any) -> dict[str, str]:
        """Custom ids of buttons, by label."""
        return {
            c["label"]: c["custom_id"]
            for c in self.wire(message)
            if c["type"] == BUTTON and c.get("custom_id")
        }

    def menu(self, message: Any) -> list[str]:
        """The values of the menu."""
        found = [c for c in self.wire(message) if c["type"] == MENU]
        return [option["value"] for option in found[0]["options"]] if found else []

    def pictures(self, message: Any) -> list[str]:
        """The alternative texts of a message's pictures."""
        return [
            item.get("description") or ""
            for c in self.wire(message)
            if c["type"] == GALLERY
            for item in c["items"]
        ]

    def requests(self, method: str, part: str) -> list[Any]:
        """What the bot asked of Discord, by method and part of the path."""
        return [r for r in self.env.http_requests if r.method == method and part in r.path]

    def posts(self) -> int:
        """How many public messages the bot has posted."""
        return len(self.requests("POST", f"/channels/{self.channel.id}/messages"))

    async def state(self) -> Any:
        """The toy game's state as it is saved."""
        table = await self.bot.sessions.in_channel(self.channel.id)
        assert table is not None
        return table.state

    async def patch(self, path: str, value: object) -> None:
        """Change the saved state behind everybody's back; the panel is not told."""
        table = await self.bot.sessions.in_channel(self.channel.id)
        assert table is not None
        state = table.game.copy(table.state)
        table.game.patch(state, path, value)
        raw = table.game.encode(state)
        async with self.bot.store.write() as connection:
            await connection.execute(
                update(db.sessions)
                .where(db.sessions.c.id == table.id)
                .values(state=pack(raw), state_hash=digest(raw))
            )


@asynccontextmanager
async def tabletop(folder: Path, bot: FieldpostBot | None = None) -> AsyncIterator[Tabletop]:
    """Run it. The bot's own errors that no test has read fail the test at the end."""
    env = simcord.Env(bot or toy_bot(folder))
    await env.start()
    guild = env.create_guild()
    channel = guild.create_text_channel("table-1")
    robin = guild.add_member(env.create_user("Robin"))
    kim = guild.add_member(env.create_user("Kim"))
    top = Tabletop(env, cast("FieldpostBot", env.bot), guild, channel, robin, kim, folder)
    try:
        yield top
    finally:
        await top.bot.close()
        await env.shutdown()
    env._raise_errors_since(env._errors_acknowledged)  # pyright: ignore[reportPrivateUsage]

"""Somebody who learns the game from the coach alone, in the real bot: reads the panel, presses buttons."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from simcord.builders import ChannelHandle

from bot.sessions.taught import said
from games.kernel.random_player import proxy_action
from games.registry import Registry
from tests.bot import limits
from tests.e2e.party import Party
from tests.e2e.tabletop import tabletop, toy_bot
from tests.games.lessons import willing


class Pupil(Party):
    """A party of one (Robin) in a lesson; `top.channel` becomes the place where it is played."""

    async def begin(self, **given: Any) -> Any:
        """Give `/tutorial` and go where it is played."""
        result = await self.say("Robin", "tutorial", **given)
        guided = await self.bot.sessions.guided(self.top.robin.id)
        assert guided is not None, self.read(result)
        backend = self.top.env.backend
        self.top.channel = ChannelHandle(
            self.top.env, self.top.guild, backend.get_channel(guided.channel_id)
        )
        return result

    async def obey(self, *, whim: bool = False) -> None:
        """Do what the coach asks for, or (`whim`) anything."""
        table = await self.table()
        self.check(table)
        action = None
        if whim:
            action = proxy_action(table.game, table.state, "ALPHA", self.chance)
        else:
            now = said(table)
            assert now is not None
            action = willing(table.game, table.state, "ALPHA", now, self.chance)
        assert action is not None
        button = self.button(table, "ALPHA", action.verb)
        assert button is not None, f"no button for {action}"
        result = await self.people["Robin"].click(self.top.panel, custom_id=button)
        result = await self.answers("Robin", "ALPHA", result, action)
        after = await self.table()
        assert after.version == table.version + 1
        if result.ephemeral and not after.over:
            shown = self.top.words(result.response)
            assert self.coach(after) in shown, shown

    def check(self, table: Any) -> None:
        """The coach is heard, and every button he names can be pressed."""
        panel = self.top.panel
        told = self.top.words(panel)
        coach = self.coach(table)
        assert coach in told
        assert set(re.findall("“([^”]*)”", coach)) <= set(self.top.labels(panel)), coach
        limits.check_message(
            self.top.env.backend.get_message(panel.channel.id, panel.id).components
        )

    @staticmethod
    def coach(table: Any) -> str:
        now = said(table)
        assert now is not None
        return now.text

    async def rows(self) -> list[tuple[Any, ...]]:
        """What is kept about lessons."""
        from sqlalchemy import select

        from bot.store import schema as db

        async with self.bot.store.read() as connection:
            return [tuple(row) for row in await connection.execute(select(db.tutorials))]


@asynccontextmanager
async def school(folder: Path, dice: str) -> AsyncIterator[Pupil]:
    """A running bot with the real games, and the same dice in every run."""
    import hashlib

    async with tabletop(folder, toy_bot(folder, Registry())) as top:
        sessions: Any = top.bot.sessions
        sessions._secret = lambda: hashlib.sha256(dice.encode()).digest()
        yield Pupil(top, {"Robin": top.robin, "Kim": top.kim})

"""Boots on the Ground with endings that a test decides, and campaigns over a real database file."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.campaigns import Campaigns, Standing
from bot.sessions import Table
from bot.store import Store
from games.boots import flow
from games.boots.model import SEAT_OF
from games.boots.world import World
from games.registry import Registry
from tests.bot.house import KIM, ROBIN, SAM, House, sql

NAMES = {ROBIN: "Robin", KIM: "Kim", SAM: "Sam"}
LEVELS = ("Narrow", "Solid", "Outstanding")


@dataclass
class Script:
    """How the next mission ends when somebody concedes: a level, or (empty) lost."""

    level: str = "Solid"
    cards: int = 12
    killed: int = 5
    kia: tuple[str, ...] = ()

    def concede(self, world: World, seat: str) -> None:
        """In the place of `flow.concede`."""
        state = world.state
        for name in self.kia:
            unit = world.unit(name)
            unit.status, unit.pos = "kia", None
        state.cards_used, state.killed = self.cards, self.killed
        won = tuple(SEAT_OF[k] for k in state.playing) if self.level else ()
        world.end("BG-E.1", "As the test wants it.", won=won, level=self.level)


def scripted(monkeypatch: pytest.MonkeyPatch) -> Script:
    """From now on `concede` ends a mission as the script says."""
    script = Script()
    monkeypatch.setattr(flow, "concede", script.concede)
    return script


def spend(database: Path, campaign: str, bank: int) -> None:
    """Let a sniper’s campaign stand after its first mission, with so many Kill Points to spend."""
    sql(
        database,
        "UPDATE campaigns SET progress = json_set(progress, '$.shop', json('true'), '$.bank', ?), "
        "played = 1 WHERE id = ?",
        *(bank, campaign),
    )


class Club(House):
    """A house with campaigns."""

    def __init__(self, store: Store, script: Script) -> None:
        super().__init__(store, Registry())
        self.script = script
        names = itertools.count(1)
        self.campaigns = Campaigns(
            store, self.sessions, clock=self.clock, name=lambda: f"camp{next(names):04d}"
        )
        self.gone: set[int] = set()

    async def lost(self, table: Table) -> bool:
        """Whether the channel of a table is gone."""
        return table.channel_id in self.gone

    async def begin(self, mode: str = "solo1", user: int = ROBIN) -> Standing:
        return await self.campaigns.start("boots", "", mode, user_id=user, user_name=NAMES[user])

    async def next(self, standing: Standing, user: int = ROBIN, channel: int = 70) -> Table:
        return await self.campaigns.next(
            standing.id,
            guild_id=9,
            channel_id=channel,
            user_id=user,
            user_name=NAMES[user],
            interaction_id=next(self.interactions),
            gone=self.lost,
        )

    async def boots(self, mission: str = "hot-lz", mode: str = "solo1", channel: int = 80) -> Table:
        """A mission outside of any campaign."""
        return await self.sessions.open(
            game="boots",
            chosen={"mission": mission, "mode": mode},
            guild_id=9,
            channel_id=channel,
            user_id=ROBIN,
            user_name="Robin",
            interaction_id=next(self.interactions),
        )

    async def seat(self, table: Table, user: int, seat: str) -> Table:
        joined = await self.sessions.join(
            table.id, user, NAMES[user], interaction_id=next(self.interactions), seat=seat
        )
        return joined.table

    async def finish(
        self,
        table: Table,
        level: str = "Solid",
        *kia: str,
        cards: int = 12,
        user: int = ROBIN,
    ) -> Table:
        """End a mission by its rules."""
        self.script.level, self.script.kia, self.script.cards = level, kia, cards
        seat = table.seats_of(user)[0]
        return (await self.act(table, "concede", user, seat=seat)).table

    async def play(self, standing: Standing, level: str = "Solid", *kia: str) -> Table:
        """Open the next mission and end it."""
        return await self.finish(await self.next(standing), level, *kia)

"""A clock that tests move, and what the bot has planned and said by it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from bot.clock import Clock
from bot.outbox import Payload
from tests.bot.house import House, sql


class Time:
    """Sleepers that wake when the house's clock is moved."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.asleep: list[tuple[float, asyncio.Event]] = []
        house.sessions._clock = self.now  # stands still by itself
        self.clock = self.start()

    def now(self) -> int:
        return self.house.now

    def start(self) -> Clock:
        clock = Clock(self.house.sessions, clock=self.now, sleep=self.sleep)
        self.house.sessions.planned = clock.planned
        clock.start()
        return clock

    async def sleep(self, seconds: float) -> None:
        assert seconds >= 30
        alarm = asyncio.Event()
        self.asleep.append((self.house.now + seconds, alarm))
        await alarm.wait()

    async def forward(self, seconds: float) -> None:
        """Move the clock, stopping wherever somebody wants to wake."""
        end = self.house.now + seconds
        await self.clock.idle()
        while due := [pair for pair in self.asleep if pair[0] <= end]:
            first = min(due, key=lambda pair: pair[0])
            self.asleep.remove(first)
            self.house.now = max(self.house.now, int(first[0]))
            first[1].set()
            await asyncio.sleep(0)
            await self.clock.idle()
        self.house.now = int(end)


def notices(path: Path) -> list[Payload]:
    rows = sql(path, "SELECT payload FROM outbox WHERE kind = 'notice' ORDER BY id")
    return [msgspec.json.decode(row[0], type=Payload) for row in rows]


def planned(path: Path) -> list[tuple[str, str]]:
    rows = sql(path, "SELECT kind, seat FROM timers ORDER BY due, kind")
    return [(kind, seat) for kind, seat in rows]

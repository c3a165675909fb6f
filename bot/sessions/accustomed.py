"""Everybody's habits: whom reminders may reach when."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import update

from bot.sessions.core import Core
from bot.sessions.habits import Habits, habits_of
from bot.sessions.records import dumps
from bot.sessions.writing import remember_user
from bot.store import schema as db


class Accustomed(Core):
    """Everybody's habits, in their row of `users`."""

    async def habits(self, users: Iterable[int]) -> dict[int, Habits]:
        """What those people want, each with an entry."""
        async with self._store.read() as connection:
            return await habits_of(connection, users)

    async def set_habits(self, user_id: int, name: str, habits: Habits) -> None:
        """Keep what somebody wants from now on. Raises `StoreBusy`, `StoreFull`."""
        async with self._store.write() as connection:
            await remember_user(connection, (user_id, name), self._clock())
            mine = db.users.c.id == user_id
            await connection.execute(update(db.users).where(mine).values(settings=dumps(habits)))

    async def awake(self, users: Iterable[int]) -> tuple[int, ...]:
        """Those who may be mentioned now."""
        wanted, now = tuple(users), self._clock()
        known = await self.habits(wanted)
        return tuple(user for user in wanted if known[user].quiet_until(now) is None)

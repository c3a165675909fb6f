"""A user's sessions everywhere, and the rows by which they are found."""

from __future__ import annotations

import logging

from sqlalchemy import insert, select

from bot.refusals import NoSuchTable, Unreadable
from bot.sessions.core import Core
from bot.sessions.model import Table
from bot.sessions.waiting import Mine, held_by, waited_for
from bot.store import schema as db

logger = logging.getLogger(__name__)

FILLED = "waits"
"""The key in `meta` that says that sessions older than the table of waits have their rows."""

AT_ONCE = 200


class Everywhere(Core):
    """What waits for somebody, in all servers and direct messages."""

    async def mine(self, user_id: int) -> list[Mine]:
        """The sessions of a user that go on: those that wait for him, longest first, then the others."""
        async with self._store.read() as connection:
            return await held_by(connection, user_id)

    async def fill_waits(self) -> int:
        """Once per database: write who is waited for in sessions that were saved without it.

        To be called before anybody acts. Returns how many sessions were looked at.
        """
        async with self._store.read() as connection:
            known = select(db.meta.c.value).where(db.meta.c.key == FILLED)
            if (await connection.execute(known)).scalar_one_or_none() is not None:
                return 0
            wanted = select(db.sessions.c.id).where(db.sessions.c.status != db.ENDED)
            ids = list((await connection.execute(wanted.order_by(db.sessions.c.id))).scalars())
        for start in range(0, len(ids), AT_ONCE):
            tables = [
                table for name in ids[start : start + AT_ONCE] for table in await self._one(name)
            ]
            async with self._store.write() as connection:
                await waited_for(connection, tables, self._clock())
        async with self._store.write() as connection:
            await connection.execute(insert(db.meta).values(key=FILLED, value=str(len(ids))))
        if ids:
            logger.info("noted who is waited for in %d sessions", len(ids))
        return len(ids)

    async def _one(self, session_id: str) -> tuple[Table, ...]:
        try:
            return (await self.get(session_id),)
        except (NoSuchTable, Unreadable):
            return ()

"""Forgetting somebody: his seats become vacant, and nothing of a table names him any more.

One transaction for each table, so that whatever happens in between it is done wholly there or not at
all, and can be done again. The links of the log stay as they were: rows that named him are sealed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace

from sqlalchemy import delete, select, union
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import NoSuchTable, Stale, Unreadable
from bot.sessions.core import calls
from bot.sessions.departed import NOBODY
from bot.sessions.model import Acted, SeatHolder
from bot.sessions.reading import Loaded
from bot.sessions.scrubbing import nobody_else, scrub
from bot.sessions.seating import Seating, heir, names_host, plan_seats, with_seats
from bot.sessions.writing import Also
from bot.store import schema as db
from bot.store.people import SESSION_TABLES, about
from bot.texts import GONE_NAME, listed
from games.kernel.event import Event, Noted

logger = logging.getLogger(__name__)

AT_ONCE = 10
"""Tables that are looked through between two pauses."""

TRIES = 5
"""How often a step is tried while another process goes on with the game."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The ids of somebody's tables: all of them, and those that are gone."""

    tables: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()


class Forgetting(Seating):
    """Taking somebody out of all tables."""

    async def tables_about(self, user_id: int) -> list[str]:
        """The ids of all sessions in which anything is about somebody, in order.

        Looks through the whole database, a few sessions at a time: nobody waits for it.
        """
        found: list[str] = []
        ids, last = db.sessions.c.id, ""
        while True:
            async with self._store.read() as connection:
                page = select(ids).where(ids > last).order_by(ids).limit(AT_ONCE)
                some = (await connection.execute(page)).scalars().all()
                if not some:
                    return found
                here = [select(ids).where(ids > last, ids <= some[-1], about(db.sessions, user_id))]
                for table in SESSION_TABLES:
                    column = table.c.session_id
                    near = (column > last) & (column <= some[-1])
                    here.append(select(column).where(near, about(table, user_id)))
                found += sorted((await connection.execute(union(*here))).scalars().all())
            last = some[-1]
            await asyncio.sleep(0)

    async def forget_at_tables(self, user_id: int, names: Iterable[str]) -> Forgotten:
        """Take somebody out of every session; `names` are all that he was known by.

        A table at which nobody else has ever sat is deleted. Raises `StoreBusy`, `StoreFull`; what is
        done by then stays done, and the rest is done when it is called again.
        """
        known = frozenset(names)
        tables, deleted = list[str](), list[str]()
        for session_id in await self.tables_about(user_id):
            try:
                if await self._forget_at(session_id, user_id, known):
                    deleted.append(session_id)
                tables.append(session_id)
            except NoSuchTable:
                continue
            await asyncio.sleep(0)
        return Forgotten(tuple(tables), tuple(deleted))

    async def _forget_at(self, session_id: str, user_id: int, names: frozenset[str]) -> bool:
        """Take somebody out of a session; whether it is deleted by that. Raises `NoSuchTable`."""
        for left in reversed(range(TRIES)):
            try:
                async with self._locks(session_id):
                    return await self._forget_there(session_id, user_id, names)
            except Stale:  # another process, such as the bot while the operator forgets somebody
                if not left:
                    raise
        return False

    async def _forget_there(self, session_id: str, user_id: int, names: frozenset[str]) -> bool:
        async with self._store.write() as connection:
            if await nobody_else(connection, session_id, user_id):
                await connection.execute(delete(db.sessions).where(db.sessions.c.id == session_id))
                self._chains.drop(session_id)
                return True
        try:
            loaded = await self._load(session_id)
        except Unreadable:
            logger.warning("session %s cannot be read; names are taken out of it", session_id)
            loaded = None

        async def without_him(connection: AsyncConnection) -> None:
            await scrub(connection, session_id, user_id, names)

        sits = loaded is not None and (
            loaded.table.host_id == user_id or user_id in loaded.table.people()
        )
        if loaded is None or loaded.table.over or not sits:
            async with self._store.write() as connection:
                await without_him(connection)
        else:
            await self._off_all_seats(loaded, user_id, without_him)
        return False

    async def _off_all_seats(self, loaded: Loaded, user_id: int, also: Also) -> None:
        """A step after which somebody has no seat any more; `also` belongs to its transaction."""
        table, number = loaded.table, loaded.table.version + 1
        changed: list[SeatHolder] = []
        for holder in table.seats:
            if user_id in holder.user_ids:
                stay = tuple(user for user in holder.users if user.user_id != user_id)
                moment = holder.moment if stay else number
                changed.append(replace(holder, users=stay, moment=moment))
        seats = with_seats(table, changed)
        host, line = heir(seats, table.host_id)
        titles = listed([holder.title for holder in changed])
        told = f"{GONE_NAME} no longer plays {titles}." if changed else ""
        events: tuple[Event, ...] = tuple(Noted(text=one) for one in (told, line) if one)
        seat = changed[0].seat if changed else ""
        row = self._plain_row(loaded, "leave", NOBODY, None, events, seat)
        row = replace(row, action=names_host("leave", table, host))
        after = replace(table, version=number, host_id=host, seats=seats, updated=row.time)
        text = ""
        vacant = [holder.title for holder in changed if not holder.users]
        heard = (host,) if vacant and host and not table.lobby else ()
        if heard:
            are = "is" if len(vacant) == 1 else "are"
            text = (
                f"<@{host}>: {listed(vacant)} {are} vacant. Anybody can take over with the buttons "
                "below; until then `/table stand-in` lets the program act."
            )
        acted = Acted(
            after,
            events,
            handover=not table.lobby,
            calls=calls(table, after, NOBODY),
            text=text,
            told=heard,
        )
        await self._step(
            loaded,
            acted,
            row,
            session={"host_id": host},
            timers=plan_seats(table, after, (), row.time),
            also=also,
        )

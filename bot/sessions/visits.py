"""What somebody has missed: up to where he has seen a session, and how it stood then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select, update

from bot.refusals import Unreadable
from bot.sessions.core import Core
from bot.sessions.history import read_history
from bot.sessions.model import LogEntry, Table
from bot.sessions.reading import read_state
from bot.store import schema as db

MOST_MISSED = 500
"""Log rows that are told at once."""


@dataclass(frozen=True, slots=True)
class Missed:
    """What happened at a table after log row `since`, oldest first; `before` is the state then.

    `own` says that this is the user's own last row; else it is where he looked last.
    """

    table: Table
    since: int
    own: bool
    entries: tuple[LogEntry, ...]
    before: Any


class Visits(Core):
    """Catching up."""

    async def missed(self, session_id: str, user_id: int) -> Missed:
        """What a user has missed since he last acted or caught up. Raises `NoSuchTable`,
        `Unreadable`."""
        table = (await self._load(session_id)).table
        log, visits = db.log.c, db.visits.c
        acted = select(func.max(log.number)).where(
            log.session_id == session_id, log.user_id == user_id
        )
        seen = select(visits.number).where(
            visits.session_id == session_id, visits.user_id == user_id
        )
        async with self._store.read() as connection:
            own: int = (await connection.scalar(acted)) or 0
            looked: int = (await connection.scalar(seen)) or 0
            since = max(own, looked)
            entries = await read_history(connection, session_id, since, MOST_MISSED)
            stood = (
                select(log.state, log.state_hash)
                .where(
                    log.session_id == session_id,
                    log.number <= max(1, since),
                    log.state.is_not(None),
                )
                .order_by(log.number.desc())
                .limit(1)
            )
            row = (await connection.execute(stood)).one_or_none()
        if row is None:
            raise Unreadable(session_id, "its log keeps no state")
        before = read_state(table.game, session_id, row.state, row.state_hash)
        return Missed(table, since, own >= looked, tuple(entries), before)

    async def caught_up(self, session_id: str, user_id: int, number: int) -> None:
        """A user has seen what happened up to this log row."""
        visits = db.visits
        mine = (visits.c.session_id == session_id) & (visits.c.user_id == user_id)
        async with self._store.write() as connection:
            known = await connection.execute(update(visits).where(mine).values(number=number))
            if known.rowcount == 0:
                await connection.execute(
                    insert(visits).values(session_id=session_id, user_id=user_id, number=number)
                )

"""What a session's dice have shown so far: the events of its whole log, as they are stored."""

from __future__ import annotations

from dataclasses import dataclass

import msgspec
from sqlalchemy import select

from bot.sessions.core import Core
from bot.sessions.history import taken_back
from bot.sessions.records import EVENTS
from bot.store import schema as db
from games.kernel.event import Event


@dataclass(frozen=True, slots=True)
class Thrown:
    """A log row: the seat that acted, what happened (still as JSON), whether it was taken back later."""

    seat: str
    events: str
    undone: bool

    def seen_by(self, seats: tuple[str, ...]) -> tuple[Event, ...]:
        """What everybody, or one of these seats, could see; nothing where the log is damaged.

        For a worker: a long log takes its time.
        """
        try:
            told = EVENTS.decode(self.events)
        except msgspec.MsgspecError:
            return ()
        return tuple(e for e in told if e.to is None or any(seat in e.to for seat in seats))


class Throws(Core):
    """Looking at the dice of a whole game."""

    async def thrown(self, session_id: str) -> tuple[Thrown, ...]:
        """All rows of a session's log, oldest first, also those that were taken back.

        They hold private events too: show an audience only what it may see.
        """
        log = db.log.c
        wanted = select(log.number, log.kind, log.base, log.action, log.seat, log.events)
        wanted = wanted.where(log.session_id == session_id).order_by(log.number)
        async with self._store.read() as connection:
            rows = (await connection.execute(wanted)).all()
        undone = {number for row in rows if row.kind == "undo" for number in taken_back(row)}
        return tuple(Thrown(row.seat, row.events, row.number in undone) for row in rows)

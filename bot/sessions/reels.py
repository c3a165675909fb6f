"""The states of a game in the order in which they came, for a replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import select

from bot.sessions.core import Core
from bot.sessions.model import Table
from bot.sessions.reading import read_state
from bot.sessions.records import EVENTS
from bot.store import schema as db
from games.kernel.event import Event, seen_by
from games.kernel.view import View


@dataclass(frozen=True, slots=True)
class Shot:
    """A stored state: the number of its log row, and what is stored there."""

    number: int
    packed: bytes
    state_hash: str
    events: str


@dataclass(frozen=True, slots=True)
class Reel:
    """The states that led to the present one, oldest first, without what was taken back."""

    table: Table
    shots: tuple[Shot, ...]

    def view(self, shot: Shot) -> View:
        """What everybody could see then. Raises `Unreadable`. For a worker: it takes its time."""
        table = self.table
        state: Any = read_state(table.game, table.id, shot.packed, shot.state_hash)
        return table.game.view(state, None)

    @staticmethod
    def events(shot: Shot) -> tuple[Event, ...]:
        """What everybody could see happen then; nothing where the log is damaged."""
        try:
            return seen_by(EVENTS.decode(shot.events), None)
        except msgspec.MsgspecError:
            return ()


class Reels(Core):
    """Whole games."""

    async def reel(self, session_id: str) -> Reel:
        """The stored states of a game. Raises `NoSuchTable`, `Unreadable`."""
        loaded = await self._load(session_id)
        log = db.log.c
        wanted = select(log.number, log.base, log.state, log.state_hash, log.events).where(
            log.session_id == session_id, log.kind.in_(("begin", "act", "stand_in"))
        )
        async with self._store.read() as connection:
            rows = {row.number: row for row in (await connection.execute(wanted)).all()}
        shots: list[Shot] = []
        number = loaded.tip
        while number in rows:
            row = rows[number]
            if row.state is not None:
                shots.append(Shot(row.number, row.state, row.state_hash, row.events))
            number = row.base
        return Reel(loaded.table, tuple(reversed(shots)))

"""What all parts of the session service share: reading, saving a step, explaining what is in the way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import case, select
from sqlalchemy.exc import IntegrityError

from bot.refusals import ChannelTaken, Duplicate, Refused, Stale, TableOver, Unreadable
from bot.sessions.banks import banked
from bot.sessions.chance import Chains
from bot.sessions.history import audit, begun, proof, read_history
from bot.sessions.locks import Locks
from bot.sessions.model import Acted, LogEntry, SeatHolder, Table
from bot.sessions.opening import new_id, new_secret
from bot.sessions.questions import Before
from bot.sessions.reading import Loaded, load
from bot.sessions.records import LogRow, dumps
from bot.sessions.timers import Plan
from bot.sessions.upcoming import newly_next
from bot.sessions.writing import (
    WITHDRAWN,
    Also,
    Change,
    Outrun,
    payload_of,
    save,
    set_status,
)
from bot.store import Store
from bot.store import schema as db
from games.kernel.event import Event
from games.registry import Registry

logger = logging.getLogger(__name__)


class Core:
    """Reading and saving sessions; the parts of the service are built on it.

    `wake` is told the session whenever the outbox has something new for it, `planned` when the first
    of some new timers is due. `clock` gives seconds since 1970 UTC; `secret` and `name` make a new
    session's secret and id (tests want the same ones every time). Nobody opens a table while
    `most_waiting` (0: any number) wait for him.
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        *,
        clock: Callable[[], int],
        wake: Callable[[str], object] = lambda session_id: None,
        planned: Callable[[int], object] = lambda due: None,
        secret: Callable[[], bytes] = new_secret,
        name: Callable[[], str] = new_id,
        most_waiting: int = 0,
    ) -> None:
        self.registry = registry
        self.wake = wake
        self.planned = planned
        self._store = store
        self._clock = clock
        self._secret = secret
        self._name = name
        self._most_waiting = most_waiting
        self._locks = Locks()
        self._chains = Chains()
        self._saving: set[asyncio.Task[None]] = set()

    async def get(self, session_id: str) -> Table:
        """A session as it stands. Raises `NoSuchTable`, `Unreadable`."""
        return (await self._load(session_id)).table

    async def remains(self, session_id: str) -> Table:
        """A session as far as it can be read. Raises `NoSuchTable`."""
        async with self._store.read() as connection:
            return (await load(connection, self.registry, session_id, stateless=True)).table

    async def in_channel(self, channel_id: int) -> Table | None:
        """The session going on in a channel, or else the last that ended there.

        Raises `Unreadable` (with its `session_id`) when it cannot be read.
        """
        session_id = await self.id_in_channel(channel_id)
        return None if session_id is None else await self.get(session_id)

    async def id_in_channel(self, channel_id: int) -> str | None:
        """The id of the session that `in_channel` gives, whether or not it can be read."""
        columns = db.sessions.c
        wanted = (
            select(columns.id)
            .where(columns.channel_id == channel_id)
            .order_by(case((columns.status == db.ENDED, 1), else_=0), columns.updated.desc())
            .limit(1)
        )
        async with self._store.read() as connection:
            return (await connection.execute(wanted)).scalar_one_or_none()

    async def history(
        self, session_id: str, *, after: int = 0, limit: int = 1000
    ) -> list[LogEntry]:
        """The log rows after a number, oldest first. Raises `NoSuchTable`.

        They hold private events and actions too: show an audience only what it may see.
        """
        async with self._store.read() as connection:
            return await read_history(connection, session_id, after, limit)

    async def proof(self, session_id: str) -> dict[str, Any]:
        """The JSON for `games.kernel.verify`. Raises `NoSuchTable`.

        While several users play, it stops before the first roll whose meaning is private.
        """
        async with self._store.read() as connection:
            return await proof(connection, session_id)

    async def audit(self, session_id: str) -> str:
        """Check a session against its own log: `""`, or what is wrong, for the operator.

        Follows the hash chain, plays the whole game again with the recorded keys and compares every
        state. Raises `NoSuchTable`, `Unreadable`.
        """
        loaded = await self._load(session_id)
        async with self._store.read() as connection:
            return await audit(connection, loaded)

    async def _load(self, session_id: str, interaction_id: int | None = None) -> Loaded:
        """Read a session; pause one that cannot be read, let one go on that can be read again."""
        try:
            async with self._store.read() as connection:
                loaded = await load(connection, self.registry, session_id, interaction_id)
        except Unreadable as fault:
            logger.error("session %s is paused: %s", session_id, fault.why)
            with suppress(Refused):
                await set_status(self._store, session_id, db.PAUSED, fault.why)
            raise
        if loaded.table.paused:
            logger.info("session %s can be read again and goes on", session_id)
            async with self._store.read() as connection:
                status = db.RUNNING if await begun(connection, session_id) else db.LOBBY
            await set_status(self._store, session_id, status, None)
            table = replace(loaded.table, status=status, trouble="")
            loaded = replace(loaded, table=table)
        return loaded

    async def _step(
        self,
        loaded: Loaded,
        acted: Acted,
        row: LogRow,
        *,
        packed: bytes | None = None,
        session: Mapping[str, Any] | None = None,
        timers: Plan | None = None,
        user: tuple[int, str] | None = None,
        post: str = "",
        question: int = 0,
        closes: str = WITHDRAWN,
        also: Also | None = None,
    ) -> Acted:
        """Save one step and tell the outbox; returns it as it is saved.

        Raises `Stale`, `Duplicate`, `StoreBusy`, `StoreFull`. `post` is another kind of post than the
        panel, `question` the number of the question that it is about; `closes` and `also` are those of
        a `Change`.
        """
        session_id = acted.table.id
        ends = acted.table.over and not loaded.table.over
        counted = banked(loaded.table, acted.table, kind=row.kind, moved=row.seat, now=row.time)
        acted = replace(acted, table=counted)
        change = Change(
            session_id=session_id,
            acted=acted,
            row=row,
            chain=row.link(session_id, loaded.chain),
            state=packed,
            session=session or {},
            payload=payload_of(row, acted, question),
            post=post or ("ended" if acted.table.over else "panel"),
            seats=acted.table.seats,
            before=Before(loaded.table.seats, loaded.table.host_id),
            timers=Plan() if ends else timers,
            nexts=newly_next(loaded.table, acted.table),
            ends=ends,
            closes=closes,
            also=also,
        )
        try:
            await self._saved(save(self._store, change, user), change)
        except Outrun:
            raise Stale(await self.get(session_id)) from None
        if acted.table.over:
            self._chains.drop(session_id)
        return acted

    async def _saved(self, saving: Coroutine[Any, Any, None], change: Change) -> None:
        """Finish saving even if the caller is cancelled, so that what is saved is also posted."""

        async def save_and_wake() -> None:
            await saving
            self.wake(change.session_id)
            if change.timers is not None and change.timers.earliest is not None:
                self.planned(change.timers.earliest)

        task = asyncio.create_task(save_and_wake())
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)
        await asyncio.shield(task)

    def _plain_row(
        self,
        loaded: Loaded,
        kind: str,
        user_id: int,
        interaction_id: int | None,
        events: tuple[Event, ...],
        seat: str = "",
    ) -> LogRow:
        """A log row for something that is no action of the game and uses no chance."""
        return LogRow(
            number=loaded.table.version + 1,
            kind=kind,
            base=loaded.tip,
            user_id=user_id,
            seat=seat,
            action=dumps({"verb": kind}),
            events=dumps(events),
            results="[]",
            key_number=None,
            key=None,
            salts=None,
            state_hash=loaded.state_hash,
            binding=False,
            interaction_id=interaction_id,
            time=self._clock(),
        )

    async def _explain_taken(
        self, channel_id: int, interaction_id: int, fault: IntegrityError
    ) -> None:
        """Raise `Duplicate` or `ChannelTaken`; return when it was the id that was taken."""
        async with self._store.read() as connection:
            done = select(db.log.c.session_id).where(db.log.c.interaction_id == interaction_id)
            session_id = (await connection.execute(done)).scalar_one_or_none()
            if session_id is not None:
                raise Duplicate(session_id) from fault
            there = select(db.sessions.c.id).where(
                db.sessions.c.channel_id == channel_id, db.sessions.c.status != db.ENDED
            )
            session_id = (await connection.execute(there)).scalar_one_or_none()
            if session_id is not None:
                raise ChannelTaken(session_id) from fault


def going(loaded: Loaded) -> Table:
    """The table, if something can still happen there. Raises `Duplicate`, `TableOver`."""
    if loaded.repeated:
        raise Duplicate(loaded.table.id)
    if loaded.table.over:
        raise TableOver(loaded.table)
    return loaded.table


def calls(before: Table | None, after: Table, actor: int) -> tuple[int, ...]:
    """The users who must act and need not before, except whoever brought it about."""
    waited = () if before is None else before.waits_for()
    return tuple(user for user in after.waits_for() if user not in waited and user != actor)


def handover(before: Table, after: Table) -> bool:
    """Whether other seats must act than before."""
    return set(before.due()) != set(after.due())


def with_moments(before: Table, after: Table, moved: Iterable[str]) -> Table:
    """The table after a step, with a new moment for every seat whose controls are stale by it.

    These are the seats that have acted, those that must act now and need not before (or the other way
    round), and those that are asked something else or offered something else than before.
    """
    acted = set(moved)
    was = {task.seat: task.what for task in before.tasks()}
    now = {task.seat: task.what for task in after.tasks()}

    def stale(seat: str) -> bool:
        if seat in acted or was.get(seat) != now.get(seat):
            return True
        game = after.game
        return seat in now and game.offers(before.state, seat) != game.offers(after.state, seat)

    def renewed(holder: SeatHolder) -> SeatHolder:
        return replace(holder, moment=after.version) if stale(holder.seat) else holder

    return replace(after, seats=tuple(renewed(holder) for holder in after.seats))

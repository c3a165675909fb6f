"""What is due by the clock: reminders, clearing away, the program's own moves.

Everything here may be asked for twice: a timer is taken away in the transaction that carries it out.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, func, select, update

from bot.outbox import Payload, put
from bot.refusals import NoSuchTable, TableOver, Unreadable
from bot.sessions.core import going
from bot.sessions.model import SeatHolder, Table
from bot.sessions.standing import StandingIn
from bot.sessions.timers import (
    CLEAR,
    CLEAR_AFTER,
    PROGRAM,
    REMIND,
    TELL_HOST,
    WARN,
    Timer,
)
from bot.store import schema as db
from bot.texts import plain

AT_ONCE = 50
"""Timers that are looked at together."""


class Overdue(StandingIn):
    """Carries out what `bot.sessions.timers` has planned."""

    async def timers_due(self, now: int) -> list[Timer]:
        """What is due, the oldest first."""
        timers = db.timers
        wanted = select(timers).where(timers.c.due <= now).order_by(timers.c.due).limit(AT_ONCE)
        async with self._store.read() as connection:
            rows = (await connection.execute(wanted)).all()
        return [Timer(row.session_id, row.kind, row.seat, row.due) for row in rows]

    async def next_timer(self) -> int | None:
        """When the next one is due; None when nothing is planned."""
        async with self._store.read() as connection:
            return await connection.scalar(select(func.min(db.timers.c.due)))

    async def postpone(self, timer: Timer, due: int) -> None:
        """Try it again later."""
        async with self._store.write() as connection:
            await connection.execute(update(db.timers).where(_is(timer)).values(due=due))

    async def ring(self, timer: Timer) -> None:
        """Carry a timer out, unless it has no meaning any more; afterwards it is gone."""
        if timer.kind in (REMIND, TELL_HOST, WARN):
            await self._say(timer)
        elif timer.kind == CLEAR:
            await self._clear(timer)
        elif timer.kind != PROGRAM or (
            await self.program_acts(timer.session_id, timer.seat) is None
        ):
            await self._drop(timer)

    async def _drop(self, timer: Timer) -> None:
        async with self._store.write() as connection:
            await connection.execute(delete(db.timers).where(_is(timer)))

    async def _say(self, timer: Timer) -> None:
        """Post a word for somebody, in the channel."""
        async with self._locks(timer.session_id):
            try:
                table = await self.get(timer.session_id)
            except (NoSuchTable, Unreadable):
                await self._drop(timer)
                return
            told, users = _word(table, timer)
            async with self._store.write() as connection:
                gone = await connection.execute(delete(db.timers).where(_is(timer)))
                if gone.rowcount == 1 and users:
                    payload = Payload("notice", text=told, mentions=users)
                    now = self._clock()
                    await put(connection, table.id, table.version, "notice", payload, now)
        if users:
            self.wake(timer.session_id)

    async def _clear(self, timer: Timer) -> None:
        """Close a lobby that nobody started."""
        async with self._locks(timer.session_id):
            try:
                loaded = await self._load(timer.session_id)
                table = going(loaded)
            except (NoSuchTable, TableOver, Unreadable):
                await self._drop(timer)
                return
            if not table.lobby:
                await self._drop(timer)
                return
            text = "Nobody started this game within two weeks, so its table was cleared away."
            await self._close(loaded, 0, None, text)


_NOTHING: tuple[str, tuple[int, ...]] = ("", ())


def _is(timer: Timer) -> ColumnElement[bool]:
    columns = db.timers.c
    return (
        (columns.session_id == timer.session_id)
        & (columns.kind == timer.kind)
        & (columns.seat == timer.seat)
        & (columns.due == timer.due)
    )


def _word(table: Table, timer: Timer) -> tuple[str, tuple[int, ...]]:
    """What is said, and the users to be mentioned; nobody when it has no meaning any more."""
    if timer.kind == WARN:
        return _warning(table) if table.lobby else _NOTHING
    holder = table.holder(timer.seat)
    if holder is None or timer.seat not in table.due():
        return _NOTHING
    if timer.kind == REMIND:
        return _reminder(table, holder)
    if not table.host_id:
        return _NOTHING
    if table.host_id in holder.user_ids:
        return _no_host(table, holder)
    who = plain(holder.name) or "nobody"
    told = (
        f"<@{table.host_id}>: {holder.title} ({who}) has kept the game waiting for two days. You may "
        f"let the program take this one decision (`/table stand-in seat:{holder.title}`), or all of "
        "them until they are back (add `until:they return`). You may also wait, or make the seat "
        f"vacant for somebody else: `/table vacate seat:{holder.title}`."
    )
    return told, (table.host_id,)


def _reminder(table: Table, holder: SeatHolder) -> tuple[str, tuple[int, ...]]:
    what = next((task.what for task in table.tasks() if task.seat == holder.seat), "act")
    who = " and ".join(f"<@{user}>" for user in holder.user_ids)
    title = table.view(None).title
    return f"{who}: {title} waits for {holder.title} to {what.rstrip('.')}.", holder.user_ids


def _no_host(table: Table, holder: SeatHolder) -> tuple[str, tuple[int, ...]]:
    """It is the host himself who does not answer."""
    others = tuple(user for user in table.people() if user not in holder.user_ids)
    who = " ".join(f"<@{user}>" for user in others)
    told = (
        f"{who}: {holder.title} has kept the game waiting for two days, and its people host it. "
        f"A moderator can let the program act for it (`/table stand-in seat:{holder.title}`) or "
        "hand the table over (`/table host`)."
    )
    return told, others


def _warning(table: Table) -> tuple[str, tuple[int, ...]]:
    hosts = (table.host_id,) if table.host_id else ()
    people = tuple(dict.fromkeys(hosts + table.people()))
    who = " ".join(f"<@{user}>" for user in people)
    missing = " and ".join(holder.title for holder in table.vacant())
    todo = f"It needs somebody to play {missing}; then its host presses" if missing else ""
    lead = f"{who}: this" if who else "This"
    told = (
        f"{lead} game has not begun. {todo or 'Its host can press'} Start. Otherwise the table "
        f"is cleared away <t:{table.created + CLEAR_AFTER}:R>."
    )
    return told, people

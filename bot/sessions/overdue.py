"""What is due by the clock: reminders, time used up, clearing away, the program's own moves.

Everything here may be asked for twice: a timer is taken away in the transaction that carries it out.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.outbox import Payload, put
from bot.refusals import AgainstTheRules, NoSuchTable, Unreadable
from bot.sessions import reminding
from bot.sessions.departed import NOBODY, Departures
from bot.sessions.habits import habits_of
from bot.sessions.model import SeatHolder, Table
from bot.sessions.pace import FREE, HOUR, LATE, REST
from bot.sessions.pace import PROGRAM as BY_PROGRAM
from bot.sessions.reading import Loaded
from bot.sessions.reminding import NOTHING, Word
from bot.sessions.standing import StandingIn
from bot.sessions.timers import (
    CLEAR,
    PROGRAM,
    REMIND,
    TELL_HOST,
    TIME_UP,
    WAKE,
    WARN,
    Entry,
    Timer,
    put_timer,
)
from bot.store import schema as db

log = logging.getLogger(__name__)

UNREADABLE_AGAIN = 6 * HOUR
"""After which a timer of a table that cannot be read is tried again."""

MINUTE = 60

AT_ONCE = 50
"""Timers that are looked at together."""


class Overdue(StandingIn, Departures):
    """Carries out what `bot.sessions.timers` has planned."""

    async def timers_due(self, now: int) -> list[Timer]:
        """What is due, the oldest first."""
        timers = db.timers
        wanted = select(timers).where(timers.c.due <= now).order_by(timers.c.due).limit(AT_ONCE)
        async with self._store.read() as connection:
            rows = (await connection.execute(wanted)).all()
        return [Timer(row.session_id, row.kind, row.seat, row.due, row.nth) for row in rows]

    async def next_timer(self) -> int | None:
        """When the next one is due; None when nothing is planned."""
        async with self._store.read() as connection:
            return await connection.scalar(select(func.min(db.timers.c.due)))

    async def postpone(self, timer: Timer, due: int) -> None:
        """Try it again later."""
        async with self._store.write() as connection:
            await connection.execute(update(db.timers).where(_is(timer)).values(due=due))

    async def ring(self, timer: Timer) -> None:
        """Carry a timer out, unless it has no meaning any more; afterwards it is gone or later."""
        try:
            await self._rung(timer)
        except NoSuchTable:
            await self._drop(timer)
        except Unreadable:  # once it can be read again, what was planned is still there
            await self.postpone(timer, self._clock() + UNREADABLE_AGAIN)

    async def _rung(self, timer: Timer) -> None:
        await self.without_departed(timer)
        if timer.kind == CLEAR:
            await self._clear(timer)
        elif timer.kind == TIME_UP:
            await self._time_up(timer)
        elif timer.kind in (REMIND, TELL_HOST, WARN, WAKE):
            await self._say(timer)
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
            table = await self.get(timer.session_id)
            await self._post(table, timer, _word(table, timer))

    async def _post(
        self, table: Table, timer: Timer, word: Word, *also: Entry, bank: int | None = None
    ) -> None:
        """Post a word, except to those who are muted or have quiet hours; then only those timers.

        When all whom it is for have quiet hours, it comes when the first of these end; while nothing can
        be posted in the channel, when that is over. So does the `bank` that the seat is given with it.
        """
        now = self._clock()
        said = False
        async with self._store.write() as connection:
            if word.text and await _unheard(connection, table.id):
                later = now + HOUR
                await connection.execute(update(db.timers).where(_is(timer)).values(due=later))
                return
            users, later = await _reachable(connection, word, timer, table, now)
            if later is not None and not users:
                await connection.execute(update(db.timers).where(_is(timer)).values(due=later))
                return
            gone = await connection.execute(delete(db.timers).where(_is(timer)))
            if gone.rowcount != 1:
                return
            if bank is not None:
                seats = db.seats.c
                mine = (seats.session_id == table.id) & (seats.seat == timer.seat)
                await connection.execute(update(db.seats).where(mine).values(bank=bank))
            if word.text and (users or timer.kind == TIME_UP):
                payload = Payload(
                    "notice",
                    text=word.of(users),
                    mentions=users,
                    seat=timer.seat if timer.kind in (REMIND, WAKE) else "",
                )
                await put(connection, table.id, table.version, "notice", payload, now)
                said = True
                if timer.kind in (REMIND, WAKE):
                    await _told(connection, timer, table, later, now)
            for entry in (*also, *_next(table, timer, word, now)):
                await put_timer(connection, table.id, entry)
        if said:
            self.wake(timer.session_id)

    async def _time_up(self, timer: Timer) -> None:
        """A seat has used up its time: what the host has chosen is done, or everybody is told."""
        async with self._locks(timer.session_id):
            loaded = await self._load(timer.session_id)
            table, holder = loaded.table, loaded.table.holder(timer.seat)
            up = table.time_up(timer.seat)
            if holder is None or up is None or timer.seat not in table.due():
                await self._drop(timer)
                return
            async with self._store.read() as connection:
                unheard = await _unheard(connection, table.id)
            if unheard:  # its people may not even have seen the board
                await self.postpone(timer, self._clock() + HOUR)
            elif table.overtime not in (BY_PROGRAM, FREE):
                await self._post(table, timer, reminding.time_up(table, holder))
            elif self._clock() - up > LATE:  # by the seat's clock: the timer may have been put off
                await self._more_time(table, holder, timer)
            else:
                await self._by_choice(loaded, holder, timer)

    async def _by_choice(self, loaded: Loaded, holder: SeatHolder, timer: Timer) -> None:
        """What the host has chosen for a seat whose time is used up."""
        try:
            if loaded.table.overtime == FREE:
                told = reminding.freed(holder)
                await self._vacated(loaded, replace(holder, users=()), NOBODY, None, told)
            else:
                await self.time_up_acts(loaded, holder)
        except AgainstTheRules as nothing:
            log.info("session %s: %s", timer.session_id, nothing.sentence)
            await self._post(loaded.table, timer, reminding.time_up(loaded.table, holder))

    async def _more_time(self, table: Table, holder: SeatHolder, timer: Timer) -> None:
        """The time ran out while the bot was away and nobody could act: there is some more of it."""
        now = self._clock()
        until = now + table.pace.grace
        bank = until - (now if holder.since is None else holder.since)
        word = reminding.more_time(table, holder, until)
        await self._post(table, timer, word, Entry(TIME_UP, holder.seat, until), bank=bank)

    async def _clear(self, timer: Timer) -> None:
        """Close a lobby that nobody started."""
        async with self._locks(timer.session_id):
            loaded = await self._load(timer.session_id)
            if loaded.table.over or not loaded.table.lobby:
                await self._drop(timer)
                return
            text = "Nobody started this game within two weeks, so its table was cleared away."
            await self._close(loaded, NOBODY, None, text)


def _is(timer: Timer) -> ColumnElement[bool]:
    columns = db.timers.c
    return (
        (columns.session_id == timer.session_id)
        & (columns.kind == timer.kind)
        & (columns.seat == timer.seat)
        & (columns.due == timer.due)
    )


async def _unheard(connection: AsyncConnection, session_id: str) -> bool:
    """Whether an earlier post waits because Discord did not take it: words must not pile up behind it."""
    rows = db.outbox.c
    stuck = (rows.session_id == session_id) & rows.done.is_(None) & (rows.attempts > 0)
    return (await connection.execute(select(rows.id).where(stuck).limit(1))).first() is not None


async def _told(
    connection: AsyncConnection, timer: Timer, table: Table, later: int | None, now: int
) -> None:
    """A seat's people have been told that they are waited for: they are not told twice in the morning.

    Those who sleep until `later` are told then.
    """
    mine = (db.timers.c.session_id == table.id) & (db.timers.c.seat == timer.seat)
    early = mine & (db.timers.c.kind == REMIND) & (db.timers.c.due < now + REST)
    await connection.execute(update(db.timers).where(early).values(due=now + REST))
    wakes = mine & (db.timers.c.kind == WAKE) & (db.timers.c.due <= now)
    woken = (await connection.execute(delete(db.timers).where(wakes))).rowcount == 1
    holder = table.holder(timer.seat)
    if (woken or timer.kind == WAKE) and later is not None and holder is not None:
        waited = now - (now if holder.since is None else holder.since)
        await put_timer(connection, table.id, Entry(WAKE, timer.seat, later, waited // MINUTE))


async def _reachable(
    connection: AsyncConnection, word: Word, timer: Timer, table: Table, now: int
) -> tuple[tuple[int, ...], int | None]:
    """Whom a word may reach now, and when the first of the others' quiet hours end."""
    holder = table.holder(timer.seat)
    muted = holder.muted if holder is not None else ()
    wanted = [user for user in word.users if user not in muted]
    habits = await habits_of(connection, wanted)
    ends = {user: habits[user].quiet_until(now) for user in wanted}
    if timer.kind == WAKE and holder is not None and holder.since is not None:
        since = holder.since  # the others were mentioned when the wait began, or by an earlier word
        slept = {user: (habits[user].quiet_until(since) or since) - since for user in wanted}
        wanted = [user for user in wanted if slept[user] // MINUTE > timer.nth]
    awake = tuple(user for user in wanted if ends[user] is None)
    return awake, min((end for user in wanted if (end := ends[user]) is not None), default=None)


def _next(table: Table, timer: Timer, word: Word, now: int) -> tuple[Entry, ...]:
    """The reminder that follows a reminder."""
    holder = table.holder(timer.seat)
    if timer.kind != REMIND or not word.users or holder is None:
        return ()
    since = holder.since if holder.since is not None else table.updated
    pace = table.pace if table.timed(holder) else reminding.NO_PACE
    nth = timer.nth + 1
    due = pace.reminder(nth, since, pace.allowed(holder.bank), now)
    return () if due is None else (Entry(REMIND, timer.seat, due, nth),)


def _word(table: Table, timer: Timer) -> Word:
    """What is said, and to whom; `NOTHING` when it has no meaning any more."""
    if timer.kind == WARN:
        return reminding.warning(table) if table.lobby else NOTHING
    holder = table.holder(timer.seat)
    if holder is None or timer.seat not in table.due():
        return NOTHING
    if timer.kind == REMIND:
        return reminding.reminder(table, holder, timer.nth)
    if timer.kind == WAKE:
        return reminding.good_morning(table, holder)
    return reminding.to_host(table, holder)

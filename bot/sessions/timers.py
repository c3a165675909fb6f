"""What is planned at a table: reminders, clearing away, the program's own moves, as rows.

A plan is written with the step that makes it, so nothing planned is lost; `bot.clock` carries it out.
Of the reminders of a wait only the next one is planned, so none come together after an outage.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.banks import banked
from bot.sessions.habits import habits_of
from bot.sessions.model import SeatHolder, Table
from bot.sessions.pace import DAY, HOUR, NO_PACE
from bot.store import schema as db

__all__ = ["DAY", "HOUR"]

REMIND, TELL_HOST, TIME_UP = "remind", "tell_host", "time_up"
"""A seat has been waited for: its people get a word, then its host; its time is used up."""

WAKE = "wake"
"""Somebody's quiet hours end, in which his turn began."""

SOONEST_WAKE = 60
"""Seconds after which quiet hours end at the earliest (`Quiet.until`)."""

WARN, CLEAR = "warn", "clear"
"""A lobby does not start: its people get a word, then it is cleared away."""

PROGRAM = "program"
"""The program is to act for a seat."""

TELL_HOST_AFTER = 2 * DAY
"""After that the host may let the program act where no clock runs."""

WARN_AFTER = 12 * DAY
CLEAR_AFTER = 14 * DAY


@dataclass(frozen=True, slots=True)
class Timer:
    """Something to be done at a table at a time; `seat` is `""` when it is about all of it.

    `nth` counts the reminders of one wait, from 0. Of a word in the morning it is the minutes of the wait
    that have passed when those whose quiet hours had ended by then were told.
    """

    session_id: str
    kind: str
    seat: str
    due: int
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A new timer of a table."""

    kind: str
    seat: str
    due: int
    nth: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """How a table's timers change: all but those of the seats in `keep` go, `fresh` come.

    `called` are the people of seats that are waited for since `now`: those who have quiet hours are
    told when these end.
    """

    keep: tuple[str, ...] = ()
    fresh: tuple[Entry, ...] = ()
    called: tuple[SeatHolder, ...] = ()
    now: int = 0

    @property
    def earliest(self) -> int | None:
        """When the first of the new ones is due at the earliest."""
        soon = [self.now + SOONEST_WAKE] if self.called else []
        return min([*soon, *(entry.due for entry in self.fresh)], default=None)

    async def write(self, connection: AsyncConnection, session_id: str) -> None:
        """Write it, inside the caller's transaction."""
        timers = db.timers
        gone = delete(timers).where(timers.c.session_id == session_id)
        await connection.execute(gone.where(timers.c.seat.not_in(self.keep)))
        for entry in (*self.fresh, *await self._wake(connection)):
            await put_timer(connection, session_id, entry)

    async def _wake(self, connection: AsyncConnection) -> list[Entry]:
        users = {user for holder in self.called for user in holder.user_ids}
        habits = await habits_of(connection, sorted(users))
        found: list[Entry] = []
        for holder in self.called:
            ends = [habits[user].quiet_until(self.now) for user in holder.user_ids]
            known = [end for end in ends if end is not None]
            if known:
                found.append(Entry(WAKE, holder.seat, min(known)))
        return found


async def put_timer(connection: AsyncConnection, session_id: str, entry: Entry) -> None:
    """Write one timer, inside the caller's transaction."""
    await connection.execute(
        insert(db.timers).values(
            session_id=session_id,
            kind=entry.kind,
            seat=entry.seat,
            due=entry.due,
            nth=entry.nth,
        )
    )


def plan_lobby(now: int) -> Plan:
    """What is planned when a lobby opens."""
    return Plan(fresh=(Entry(WARN, "", now + WARN_AFTER), Entry(CLEAR, "", now + CLEAR_AFTER)))


def plan_step(
    before: Table | None, after: Table, acted: Iterable[str], now: int, kind: str = "act"
) -> Plan:
    """What is planned after a step of that kind in which some seats `acted`.

    A seat that is waited for as before keeps its timers. One that must act since now gets new ones,
    unless its people are alone at the table: then nobody waits for them, and nothing is planned. A seat
    for which the program has acted because its time was up (`TIME_UP`) gets no new time for what is
    left of its turn.
    """
    moved = tuple(acted)
    due, company = after.due(), len(after.people()) > 1
    waited = set(() if before is None else before.due()) - set(moved)
    overtime = kind == TIME_UP
    step, mover = "act" if overtime else kind, moved[0] if moved else ""
    keep = tuple(
        seat
        for seat in due
        if before is not None
        and company
        and seat in waited
        and not _by_program(after, seat)
        and _waits_on(before, after, seat)
    )
    later = banked(before, after, kind=step, moved=mover, now=now)
    fresh: list[Entry] = []
    called: list[SeatHolder] = []
    for seat in due:
        holder = later.holder(seat)
        if _by_program(after, seat):
            fresh.append(Entry(PROGRAM, seat, now))
        elif seat not in keep and holder is not None and company:
            if overtime and seat in moved:
                fresh.append(Entry(TIME_UP, seat, now))
                continue
            fresh += _wait(later, holder, now)
            if seat not in waited:
                called.append(holder)
    return Plan(keep, tuple(fresh), tuple(called), now)


def _waits_on(before: Table, after: Table, seat: str) -> bool:
    """Whether a seat is waited for as before a step, by others and by the same kind of clock."""
    was, now = before.holder(seat), after.holder(seat)
    if was is None or now is None or len(before.people()) < 2:
        return False
    return before.timed(was) == after.timed(now) and bool(was.users) == bool(now.users)


def _wait(table: Table, holder: SeatHolder, now: int) -> list[Entry]:
    """What is planned for a seat that is waited for since now, or by others since now."""
    pace, allowed = table.pace, table.pace.allowed(holder.bank)
    since = now if holder.since is None else holder.since
    first = pace.reminder(0, since, allowed, now) if holder.users else None
    told = Entry(TIME_UP, holder.seat, since + allowed)
    if not table.timed(holder):
        first = NO_PACE.reminder(0, now, 0, now) if holder.users else None
        told = Entry(TELL_HOST, holder.seat, now + TELL_HOST_AFTER)
    return [*([Entry(REMIND, holder.seat, first)] if first is not None else []), told]


def _by_program(table: Table, seat: str) -> bool:
    holder = table.holder(seat)
    return holder is not None and holder.stand_in is not None

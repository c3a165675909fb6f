"""What is planned at a table: reminders, clearing away, the program's own moves, as rows.

A plan is written with the step that makes it, so nothing planned is lost; `bot.clock` carries it out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.model import Table
from bot.store import schema as db

REMIND, TELL_HOST = "remind", "tell_host"
"""A seat has been waited for: its people get a word, then its host."""

WARN, CLEAR = "warn", "clear"
"""A lobby does not start: its people get a word, then it is cleared away."""

PROGRAM = "program"
"""The program is to act for a seat."""

HOUR, DAY = 3_600, 86_400
REMIND_AFTER = DAY
TELL_HOST_AFTER = 2 * DAY
WARN_AFTER = 12 * DAY
CLEAR_AFTER = 14 * DAY


@dataclass(frozen=True, slots=True)
class Timer:
    """Something to be done at a table at a time; `seat` is `""` when it is about all of it."""

    session_id: str
    kind: str
    seat: str
    due: int


@dataclass(frozen=True, slots=True)
class Plan:
    """How a table's timers change: all but those of the seats in `keep` go, `fresh` come."""

    keep: tuple[str, ...] = ()
    fresh: tuple[tuple[str, str, int], ...] = ()
    """Kind, seat, due."""

    @property
    def earliest(self) -> int | None:
        """When the first of the new ones is due."""
        return min((due for _, _, due in self.fresh), default=None)

    async def write(self, connection: AsyncConnection, session_id: str) -> None:
        """Write it, inside the caller's transaction."""
        timers = db.timers
        gone = delete(timers).where(timers.c.session_id == session_id)
        await connection.execute(gone.where(timers.c.seat.not_in(self.keep)))
        for kind, seat, due in self.fresh:
            await connection.execute(
                insert(timers).values(session_id=session_id, kind=kind, seat=seat, due=due)
            )


def plan_lobby(now: int) -> Plan:
    """What is planned when a lobby opens."""
    return Plan(fresh=((WARN, "", now + WARN_AFTER), (CLEAR, "", now + CLEAR_AFTER)))


def plan_step(before: Table | None, after: Table, acted: Iterable[str], now: int) -> Plan:
    """What is planned after a step in which some seats `acted`.

    A seat that is waited for as before keeps its timers. One that must act since now gets new ones,
    unless its people are alone at the table: then nobody waits for them.
    """
    moved = set(acted)
    due = after.due()
    waited = set(() if before is None else before.due()) - moved
    keep = tuple(seat for seat in due if seat in waited and not _by_program(after, seat))
    fresh: list[tuple[str, str, int]] = []
    for seat in due:
        if _by_program(after, seat):
            fresh.append((PROGRAM, seat, now))
        elif seat not in keep and len(after.people()) > 1:
            fresh += [
                (REMIND, seat, now + REMIND_AFTER),
                (TELL_HOST, seat, now + TELL_HOST_AFTER),
            ]
    return Plan(keep, tuple(fresh))


def _by_program(table: Table, seat: str) -> bool:
    holder = table.holder(seat)
    return holder is not None and holder.stand_in is not None

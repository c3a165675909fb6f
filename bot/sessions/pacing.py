"""What the host chooses about time, and what somebody does not want to be reminded of."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import update

from bot.refusals import NotAllowed, NotYourSeat, Refused
from bot.sessions.core import Core, going
from bot.sessions.model import Acted, SeatHolder, Table
from bot.sessions.pace import OVERTIMES, PACES, Pace
from bot.sessions.records import dumps
from bot.sessions.seating import hosts
from bot.sessions.timers import plan_step
from bot.store import schema as db
from games.kernel.event import Event, Noted


class Pacing(Core):
    """Paces, and reminders that are not wanted."""

    async def set_pace(
        self,
        session_id: str,
        user_id: int,
        *,
        pace: str | None,
        overtime: str | None,
        moderator: bool,
        interaction_id: int,
    ) -> Acted:
        """Choose a pace, and what happens when somebody's time is used up (None: as before).

        All banks are full again, and whoever is waited for has all of his from now on. Raises
        `NotAllowed` unless the user hosts the table or is a moderator, `Refused`, `Duplicate`,
        `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            hosts(table, user_id, moderator)
            new = table.pace if pace is None else PACES.get(pace)
            after_time = table.overtime if overtime is None else overtime
            if new is None or after_time not in OVERTIMES:
                raise Refused("I know no such pace: take one from the list.")
            if (new, after_time) == (table.pace, table.overtime):
                raise Refused(f"That is so already. {told(new, after_time)}")
            if not new.timed and overtime is not None:
                raise Refused(
                    "Nobody's time can be used up without a clock. Choose a pace as well: fast, "
                    "normal or slow."
                )
            events: tuple[Event, ...] = (Noted(text=told(new, after_time)),)
            row = self._plain_row(loaded, "pace", user_id, interaction_id, events)
            row = replace(
                row, action=dumps({"verb": "pace", "pace": new.name, "overtime": after_time})
            )
            now = row.time
            after = replace(table, version=row.number, pace=new, overtime=after_time, updated=now)
            seats = tuple(_filled(after, holder, now) for holder in table.seats)
            after = replace(after, seats=seats)
            acted = Acted(after, events)
            plan = (
                None
                if after.lobby
                else plan_step(None, replace(after, seats=_anew(seats)), (), now)
            )
            return await self._step(
                loaded,
                acted,
                row,
                session={"pace": new.name, "overtime": after_time},
                timers=plan,
                closes="",
            )

    async def mute(self, session_id: str, user_id: int, *, on: bool = True) -> bool:
        """Let somebody not be reminded until his seats have acted; `on` False: take that back.

        Returns whether anything has changed. Raises `NotYourSeat`, `NotAllowed` when he is not waited
        for, `TableOver`.
        """
        async with self._locks(session_id):
            table = going(await self._load(session_id))
            own = table.seats_of(user_id)
            if not own:
                raise NotYourSeat("You hold no seat at this table, so nobody reminds you of it.")
            mine = [h for h in table.seats if h.seat in own and h.seat in table.due()]
            if not mine:
                raise NotAllowed("Nobody waits for you at this table now.")
            changed = False
            async with self._store.write() as connection:
                for holder in mine:
                    muted = tuple(user for user in holder.muted if user != user_id)
                    muted = (*muted, user_id) if on else muted
                    if muted == holder.muted:
                        continue
                    changed = True
                    waits = db.waits.c
                    here = (waits.session_id == table.id) & (waits.seat == holder.seat)
                    await connection.execute(
                        update(db.waits).where(here).values(muted=dumps(muted))
                    )
            return changed


def told(pace: Pace, overtime: str) -> str:
    """A pace in a sentence."""
    if not pace.timed:
        return f"This table has {pace.told}."
    return (
        f"The pace of this table is {pace.title}: {pace.told}. When somebody's time is used up, "
        f"{OVERTIMES[overtime]}."
    )


def _filled(table: Table, holder: SeatHolder, now: int) -> SeatHolder:
    """A seat with a full bank, also for the wait that has begun, if a clock runs for it."""
    if holder.since is None or not table.timed(holder):
        return replace(holder, bank=None)
    return replace(holder, bank=table.pace.bank + max(0, now - holder.since))


def _anew(seats: tuple[SeatHolder, ...]) -> tuple[SeatHolder, ...]:
    """Seats as they are at the start of a wait."""
    return tuple(replace(holder, bank=None, since=None) for holder in seats)

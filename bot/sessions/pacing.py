"""What the host chooses about time, and what somebody does not want to be reminded of."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import update

from bot.refusals import NotAllowed, NotYourSeat, Refused
from bot.sessions.core import Core, going
from bot.sessions.model import Acted, SeatHolder, Table
from bot.sessions.records import dumps
from bot.sessions.seating import hosts
from bot.sessions.terms import Terms
from bot.sessions.timers import plan_step
from bot.store import schema as db
from games.kernel.event import Event, Noted


class Pacing(Core):
    """Paces, and reminders that are not wanted."""

    async def set_terms(
        self,
        session_id: str,
        user_id: int,
        *,
        pace: str | None = None,
        overtime: str | None = None,
        posts: str | None = None,
        moderator: bool,
        interaction_id: int,
    ) -> Acted:
        """Choose a pace, what happens when somebody's time is used up, how steps are shown (None: as
        before).

        With a new pace or overtime all banks are full again, and whoever is waited for has all of his
        from now on. Raises `NotAllowed` unless the user hosts the table or is a moderator, `Refused`,
        `Duplicate`, `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            hosts(table, user_id, moderator)
            before = Terms(table.pace, table.overtime, table.posts)
            terms = before.with_(pace, overtime, posts)
            if terms == before:
                raise Refused(f"That is so already. {terms.told}")
            events: tuple[Event, ...] = tuple(Noted(text=line) for line in terms.news(before))
            timed = (terms.pace, terms.overtime) != (before.pace, before.overtime)
            kind = "pace" if timed else "posts"
            row = self._plain_row(loaded, kind, user_id, interaction_id, events)
            row = replace(row, action=dumps({"verb": kind, **terms.columns()}))
            now = row.time
            after = replace(
                table,
                version=row.number,
                pace=terms.pace,
                overtime=terms.overtime,
                posts=terms.posts,
                updated=now,
            )
            plan = None
            if timed:
                seats = tuple(_filled(after, holder, now) for holder in table.seats)
                after = replace(after, seats=seats)
                if not after.lobby:
                    plan = plan_step(None, replace(after, seats=_anew(seats)), (), now)
            return await self._step(
                loaded,
                Acted(after, events),
                row,
                session=terms.columns(),
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


def _filled(table: Table, holder: SeatHolder, now: int) -> SeatHolder:
    """A seat with a full bank, also for the wait that has begun, if a clock runs for it."""
    if holder.since is None or not table.timed(holder):
        return replace(holder, bank=None)
    return replace(holder, bank=table.pace.bank + max(0, now - holder.since))


def _anew(seats: tuple[SeatHolder, ...]) -> tuple[SeatHolder, ...]:
    """Seats as they are at the start of a wait."""
    return tuple(replace(holder, bank=None, since=None) for holder in seats)

"""The program acts for a seat whose people are away, at the wish of the host or a moderator."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace

from bot.refusals import AgainstTheRules, NotAllowed, Refused
from bot.sessions.departed import NOBODY
from bot.sessions.model import Acted, SeatHolder, Table
from bot.sessions.playing import Playing, started_table
from bot.sessions.reading import Loaded
from bot.sessions.seating import hosts, in_office, seat_named, with_seats
from bot.sessions.timers import TELL_HOST_AFTER, plan_step
from bot.sessions.writing import Also
from games.kernel.event import Event, Noted
from games.kernel.random_player import proxy_action


class _OwnChance:
    """Chance for what the program chooses: it decides no dice, so it needs no sealed keys."""

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides."""
        return secrets.randbelow(sides) + 1

    def pick(self, options: Sequence[str], label: str) -> int:
        """A place in the sequence."""
        return secrets.randbelow(len(options))

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options."""
        return options[self.pick(options, label)]


class StandingIn(Playing):
    """The program in somebody's place."""

    async def stand_in(
        self,
        session_id: str,
        user_id: int,
        seat: str,
        *,
        moderator: bool,
        lasting: bool,
        interaction_id: int,
        user_name: str = "",
    ) -> Acted:
        """Let the program take the one decision that a seat must take now; `lasting`: also those
        that follow, until somebody of the seat acts again.

        The host may do so for a vacant seat, for one of his own, and for one that has been waited for
        two days or has used up its time; a moderator always. Raises `NotAllowed`, `Refused`,
        `AgainstTheRules`, and what `act` raises.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = started_table(loaded)
            hosts(table, user_id, moderator)
            holder = seat_named(table, seat)
            if not moderator:
                self._waited_for(table, user_id, holder)
            if lasting:
                self._somebody_left(table, holder)
            if seat in table.due():
                user = (user_id, user_name) if user_name else None
                lasts = user_id if lasting else None
                return await self._proxy(loaded, holder, user_id, interaction_id, lasts, user)
            if not lasting:
                raise Refused(f"{holder.title} need not act now, so there is nothing to do for it.")
            wish = _wish(table, user_id, user_name)
            told = f"The program will act for {holder.title}, {wish}."
            user = (user_id, user_name) if user_name else None
            return await self._wished(loaded, holder, user_id, interaction_id, told, user=user)

    async def _wished(
        self,
        loaded: Loaded,
        holder: SeatHolder,
        user_id: int,
        interaction_id: int,
        told: str,
        *,
        lead: tuple[Event, ...] = (),
        also: Also | None = None,
        user: tuple[int, str] | None = None,
    ) -> Acted:
        """Save that the program is to act for a seat. `lead` tells of how it came to that."""
        table = loaded.table
        events: tuple[Event, ...] = (*lead, Noted(text=told))
        row = self._plain_row(loaded, "wish", user_id, interaction_id, events, holder.seat)
        seats = with_seats(table, [replace(holder, stand_in=user_id)])
        after = replace(table, version=row.number, seats=seats, updated=row.time)
        acted = Acted(after, events)
        timers = plan_step(table, after, (), row.time)
        return await self._step(loaded, acted, row, timers=timers, also=also, user=user)

    async def program_acts(self, session_id: str, seat: str) -> Acted | None:
        """The program's next action for a seat for which it was asked to go on; None when it need
        not, or has nothing that it may do."""
        async with self._locks(session_id):
            loaded = await self._load(session_id)
            table = loaded.table
            holder = table.holder(seat)
            if holder is None or holder.stand_in is None or seat not in table.due():
                return None
            try:
                return await self._proxy(loaded, holder, holder.stand_in, None, holder.stand_in)
            except AgainstTheRules:
                return None

    async def time_up_acts(self, loaded: Loaded, holder: SeatHolder) -> Acted:
        """The program's action for a seat whose time is used up, at a table that wants that.

        Raises `AgainstTheRules` when there is nothing that it may do.
        """
        return await self._proxy(loaded, holder, NOBODY, None, None)

    async def _proxy(
        self,
        loaded: Loaded,
        holder: SeatHolder,
        user_id: int,
        interaction_id: int | None,
        stand_in: int | None,
        user: tuple[int, str] | None = None,
    ) -> Acted:
        table = loaded.table
        action = proxy_action(table.game, table.state, holder.seat, _OwnChance())
        if action is None:
            raise AgainstTheRules(f"There is nothing that the program could do for {holder.title}.")
        wish = _wish(table, user_id, user[1] if user else "")
        lead = Noted(text=f"The program acts for {holder.title}, {wish}.")
        return await self._play(
            loaded,
            holder.seat,
            action,
            user_id,
            interaction_id,
            kind="stand_in",
            lead=(lead,),
            stand_in=stand_in,
            user=user,
        )

    def _waited_for(self, table: Table, user_id: int, holder: SeatHolder) -> None:
        """Raise `NotAllowed` when the seat's people still have time."""
        if not holder.users or user_id in holder.user_ids or holder.stand_in is not None:
            return
        if holder.seat not in table.due():
            raise NotAllowed(f"{holder.title} need not act now, so nobody waits for it.")
        since = holder.since or table.updated
        due = table.time_up(holder.seat) or since + TELL_HOST_AFTER
        if due > self._clock():
            raise NotAllowed(
                f"{holder.title} has been waited for only since <t:{since}:R>. You may let the "
                f"program act for it from <t:{due}:f> on; a moderator may at once."
            )

    @staticmethod
    def _somebody_left(table: Table, holder: SeatHolder) -> None:
        others = [h for h in table.seats if h.seat != holder.seat]
        if all(h.stand_in is not None for h in others):
            raise Refused("The program cannot play every seat: somebody must still play here.")


def _wish(table: Table, user_id: int, user_name: str = "") -> str:
    if user_id == NOBODY:
        return "because its time is used up"
    if user_id == table.host_id:
        return "as the host wishes"
    if not user_name and user_id in table.people():
        return "as was decided at this table"  # by a vote, or a moderator who plays along
    return f"as {in_office(table, user_id, user_name)} wishes"

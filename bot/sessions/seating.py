"""Who sits where: taking a seat, leaving it, being put off it; who hosts the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.refusals import NotAllowed, NotYourSeat, Refused, WhichSeat
from bot.sessions.core import Core, calls, going
from bot.sessions.model import Acted, SeatHolder, Sitter, Table
from bot.sessions.reading import Loaded
from bot.sessions.records import dumps
from bot.sessions.timers import Plan, plan_step
from bot.texts import plain
from games.kernel.event import Event, Noted


class Seating(Core):
    """Seats and the host, before and during the game."""

    async def join(
        self,
        session_id: str,
        user_id: int,
        user_name: str,
        *,
        interaction_id: int,
        seat: str | None = None,
    ) -> Acted:
        """Take a seat (the first vacant one, unless `seat` names it); adds salt to later dice.

        In a lobby several people may share a seat; in a game only a vacant one can be taken. At a
        table without a host, whoever comes hosts it. Raises `NoSuchTable`, `Duplicate`, `TableOver`,
        `NotYourSeat` when the seat cannot be had.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            holder = _wanted(table, user_id, seat)
            number = table.version + 1
            sitter = Sitter(user_id, user_name, number)
            taken = replace(holder, users=(*holder.users, sitter))
            if not holder.users:
                taken = replace(taken, moment=number, stand_in=None)
            shown = plain(user_name)
            told = [f"{shown} plays {taken.title}."]
            if holder.users:
                told = [f"{shown} plays {taken.title}, together with {plain(holder.name)}."]
            host = table.host_id
            if not host:
                host = user_id
                told.append(f"{shown} is the host of this table now.")
            events: tuple[Event, ...] = tuple(Noted(text=line) for line in told)
            row = self._plain_row(loaded, "join", user_id, interaction_id, events, taken.seat)
            after = replace(
                table,
                version=number,
                host_id=host,
                seats=_with(table, [taken]),
                updated=row.time,
            )
            acted = Acted(
                after,
                events,
                handover=not table.lobby,
                calls=calls(table, after, user_id),
            )
            salts = dumps([*loaded.salts, str(interaction_id)])
            await self._step(
                loaded,
                acted,
                row,
                session={"salts": salts, "host_id": host},
                timers=_plan(table, after, [taken.seat], row.time),
                user=(user_id, user_name),
            )
            return acted

    async def leave(
        self, session_id: str, user_id: int, *, interaction_id: int, seat: str | None = None
    ) -> Acted:
        """Give up a seat, or (None) the only one that the user has. Nothing of the game is lost.

        When the host has no seat any more, whoever sits here longest hosts the table. Raises
        `NotYourSeat`, `WhichSeat`, `NoSuchTable`, `Duplicate`, `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            own = table.seats_of(user_id)
            if not own:
                raise NotYourSeat("You do not play at this table.")
            if seat is None and len(own) > 1:
                raise WhichSeat(table, own, ".leave")
            holder = table.holder(seat or next(iter(own)))
            if holder is None or user_id not in holder.user_ids:
                raise NotYourSeat("That is not your seat.")
            name = next(user.name for user in holder.users if user.user_id == user_id)
            stay = tuple(user for user in holder.users if user.user_id != user_id)
            return await self._vacated(
                loaded,
                replace(holder, users=stay),
                user_id,
                interaction_id,
                f"{plain(name)} leaves {holder.title}.",
            )

    async def vacate(
        self, session_id: str, user_id: int, seat: str, *, moderator: bool, interaction_id: int
    ) -> Acted:
        """Put everybody off a seat (they have left the server, or do not answer): the host, or a
        moderator. Raises `NotAllowed`, `Refused`, `NoSuchTable`, `Duplicate`, `TableOver`."""
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            hosts(table, user_id, moderator)
            holder = seat_named(table, seat)
            if not holder.users:
                raise Refused(f"{holder.title} is vacant already. Anybody can take it.")
            by = "a moderator" if user_id != table.host_id else "the host"
            return await self._vacated(
                loaded,
                replace(holder, users=()),
                user_id,
                interaction_id,
                f"{plain(holder.name)} no longer plays {holder.title}: {by} made the seat vacant.",
            )

    async def host(
        self, session_id: str, user_id: int, to: int, *, moderator: bool, interaction_id: int
    ) -> Acted:
        """Hand the host's role to somebody who sits at the table: the host, or a moderator.

        Raises `NotAllowed`, `Refused`, `NoSuchTable`, `Duplicate`, `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            hosts(table, user_id, moderator)
            if to == table.host_id:
                raise Refused(f"<@{to}> hosts this table already.")
            if to not in table.people():
                raise Refused(f"<@{to}> has no seat at this table, so cannot host it.")
            name = next(u.name for h in table.seats for u in h.users if u.user_id == to)
            events: tuple[Event, ...] = (
                Noted(text=f"{plain(name)} is the host of this table now."),
            )
            row = self._plain_row(loaded, "host", user_id, interaction_id, events)
            after = replace(table, version=row.number, host_id=to, updated=row.time)
            await self._step(loaded, Acted(after, events), row, session={"host_id": to})
            return Acted(after, events)

    async def _vacated(
        self,
        loaded: Loaded,
        holder: SeatHolder,
        user_id: int,
        interaction_id: int | None,
        told: str,
    ) -> Acted:
        """Save that people are gone from a seat, and who hosts the table now."""
        table, number = loaded.table, loaded.table.version + 1
        if not holder.users:
            holder = replace(holder, moment=number)
        seats = _with(table, [holder])
        host, lines = table.host_id, [told]
        left = sorted(
            (user for h in seats for user in h.users), key=lambda user: (user.joined, user.user_id)
        )
        if host and all(user.user_id != host for user in left):
            host = left[0].user_id if left else 0
            lines.append(
                f"{plain(left[0].name)} is the host of this table now."
                if left
                else "Nobody hosts this table now: whoever takes a seat does."
            )
        events: tuple[Event, ...] = tuple(Noted(text=line) for line in lines)
        row = self._plain_row(loaded, "leave", user_id, interaction_id, events, holder.seat)
        after = replace(table, version=number, host_id=host, seats=seats, updated=row.time)
        text, heard = "", ()
        if not holder.users and not table.lobby and host and host != user_id:
            heard = (host,)
            text = (
                f"<@{host}>: {holder.title} is vacant. Anybody can take it over with the button "
                f"below; until then `/table stand-in seat:{holder.title}` lets the program act."
            )
        acted = Acted(
            after,
            events,
            handover=not table.lobby,
            calls=calls(table, after, user_id),
            text=text,
            told=heard,
        )
        await self._step(
            loaded,
            acted,
            row,
            session={"host_id": host},
            timers=_plan(table, after, (), row.time),
        )
        return acted


def hosts(table: Table, user_id: int, moderator: bool) -> None:
    """Raise `NotAllowed` for everybody but the host and moderators."""
    if not moderator and user_id != table.host_id:
        who = f"<@{table.host_id}>, who hosts this table," if table.host_id else "its host"
        raise NotAllowed(f"Only {who} or a moderator can do that.")


def seat_named(table: Table, seat: str) -> SeatHolder:
    """A seat by its id. Raises `Refused` with the names of those that there are."""
    holder = table.holder(seat)
    if holder is None:
        names = ", ".join(h.title for h in table.seats)
        raise Refused(f"There is no such seat at this table. There are: {names}.")
    return holder


def _wanted(table: Table, user_id: int, seat: str | None) -> SeatHolder:
    """The seat that somebody may take. Raises `NotYourSeat`, `Refused`."""
    if seat is None:
        if not table.vacant():
            raise NotYourSeat("There is no vacant seat at this table.")
        return table.vacant()[0]
    holder = seat_named(table, seat)
    if user_id in holder.user_ids:
        raise NotYourSeat(f"You play {holder.title} already.")
    if holder.users and not table.lobby:
        raise NotYourSeat(
            f"{plain(holder.name)} plays {holder.title}. In a game under way only a vacant seat can be "
            "taken."
        )
    return holder


def _with(table: Table, changed: Sequence[SeatHolder]) -> tuple[SeatHolder, ...]:
    new = {holder.seat: holder for holder in changed}
    return tuple(new.get(holder.seat, holder) for holder in table.seats)


def _plan(before: Table, after: Table, seats: Sequence[str], now: int) -> Plan | None:
    """A lobby's timers go on as they are; in a game the people of `seats` get their time anew."""
    return None if after.lobby else plan_step(before, after, seats, now)

"""Who sits where: taking a seat, leaving it, being put off it; who hosts the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.refusals import NotAllowed, NotYourSeat, Refused, WhichSeat
from bot.sessions.core import Core, calls, going
from bot.sessions.model import Acted, SeatHolder, Sitter, Table
from bot.sessions.questions import named
from bot.sessions.reading import Loaded
from bot.sessions.records import dumps
from bot.sessions.timers import Plan, plan_step
from bot.sessions.writing import Also
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
            row = replace(row, action=names_host("join", table, host))
            after = replace(
                table,
                version=number,
                host_id=host,
                seats=with_seats(table, [taken]),
                updated=row.time,
            )
            acted = Acted(
                after,
                events,
                handover=not table.lobby,
                calls=calls(table, after, user_id),
            )
            salts = dumps([*loaded.salts, str(interaction_id)])
            return await self._step(
                loaded,
                acted,
                row,
                session={"salts": salts, "host_id": host},
                timers=plan_seats(table, after, [taken.seat], row.time),
                user=(user_id, user_name),
            )

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
        self,
        session_id: str,
        user_id: int,
        seat: str,
        *,
        moderator: bool,
        interaction_id: int,
        user_name: str = "",
    ) -> Acted:
        """Put everybody off a seat (they have left the server, or do not answer): the host, or a
        moderator. Raises `NotAllowed`, `Refused`, `NoSuchTable`, `Duplicate`, `TableOver`."""
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            hosts(table, user_id, moderator)
            holder = seat_named(table, seat)
            held(holder)
            by = in_office(table, user_id, user_name)
            return await self._vacated(
                loaded,
                replace(holder, users=()),
                user_id,
                interaction_id,
                f"{put_off(holder)}: {by} made the seat vacant.",
                user=(user_id, user_name) if user_name else None,
            )

    async def host(
        self,
        session_id: str,
        user_id: int,
        to: int,
        *,
        moderator: bool,
        interaction_id: int,
        user_name: str = "",
    ) -> Acted:
        """Hand the host's role to somebody who sits at the table: the host, or a moderator.

        Raises `NotAllowed`, `Refused`, `NoSuchTable`, `Duplicate`, `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            hosts(table, user_id, moderator)
            may_host(table, to)
            by = in_office(table, user_id, user_name)
            told = f"{named(table.seats, to)} is the host of this table now: {by} handed it over."
            user = (user_id, user_name) if user_name else None
            return await self._hosted(loaded, to, user_id, interaction_id, told, user=user)

    async def _hosted(
        self,
        loaded: Loaded,
        to: int,
        user_id: int,
        interaction_id: int | None,
        told: str,
        *,
        lead: tuple[Event, ...] = (),
        also: Also | None = None,
        user: tuple[int, str] | None = None,
    ) -> Acted:
        """Save that somebody else hosts the table. `lead` tells of how it came to that."""
        table = loaded.table
        events: tuple[Event, ...] = (*lead, Noted(text=told))
        row = self._plain_row(loaded, "host", user_id, interaction_id, events)
        row = replace(row, action=names_host("host", table, to))
        after = replace(table, version=row.number, host_id=to, updated=row.time)
        acted = Acted(after, events)
        return await self._step(loaded, acted, row, session={"host_id": to}, also=also, user=user)

    async def _vacated(
        self,
        loaded: Loaded,
        holder: SeatHolder,
        user_id: int,
        interaction_id: int | None,
        told: str,
        *,
        lead: tuple[Event, ...] = (),
        also: Also | None = None,
        user: tuple[int, str] | None = None,
    ) -> Acted:
        """Save that people are gone from a seat, and who hosts the table now."""
        table, number = loaded.table, loaded.table.version + 1
        if not holder.users:
            holder = replace(holder, moment=number)
        seats = with_seats(table, [holder])
        host, line = heir(seats, table.host_id)
        events: tuple[Event, ...] = (*lead, *(Noted(text=one) for one in (told, line) if one))
        row = self._plain_row(loaded, "leave", user_id, interaction_id, events, holder.seat)
        row = replace(row, action=names_host("leave", table, host))
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
        return await self._step(
            loaded,
            acted,
            row,
            session={"host_id": host},
            timers=plan_seats(table, after, (), row.time),
            also=also,
            user=user,
        )


def hosts(table: Table, user_id: int, moderator: bool) -> None:
    """Raise `NotAllowed` for everybody but the host and moderators."""
    if not moderator and user_id != table.host_id:
        who = f"<@{table.host_id}>, who hosts this table," if table.host_id else "its host"
        raise NotAllowed(f"Only {who} or a moderator can do that.")


def in_office(table: Table, user_id: int, user_name: str) -> str:
    """Who does what only the host or a moderator may do, for a sentence."""
    name = plain(user_name)
    if not name and any(user_id in holder.user_ids for holder in table.seats):
        name = named(table.seats, user_id)
    office = "the host" if user_id == table.host_id else "a moderator"
    return f"{name} ({office})" if name else office


def may_host(table: Table, user_id: int) -> None:
    """Raise `Refused` for whoever hosts a table already, or does not sit there."""
    if user_id == table.host_id:
        raise Refused(f"<@{user_id}> hosts this table already.")
    if user_id not in table.people():
        raise Refused(f"<@{user_id}> has no seat at this table, so cannot host it.")


def heir(seats: Sequence[SeatHolder], host_id: int) -> tuple[int, str]:
    """Who hosts a table whose people sit like that, with a sentence if it is somebody else now.

    A host without a seat is followed by whoever sits there longest.
    """
    people = sorted(
        (user for holder in seats for user in holder.users),
        key=lambda user: (user.joined, user.user_id),
    )
    if not host_id or any(user.user_id == host_id for user in people):
        return host_id, ""
    if not people:
        return 0, "Nobody hosts this table now: whoever takes a seat does."
    return people[0].user_id, f"{plain(people[0].name)} is the host of this table now."


def names_host(verb: str, table: Table, host_id: int) -> str:
    """The action of a row that may change the host; it names a new one."""
    return dumps({"verb": verb} if host_id == table.host_id else {"verb": verb, "host": host_id})


def held(holder: SeatHolder) -> None:
    """Raise `Refused` for a vacant seat."""
    if not holder.users:
        raise Refused(f"{holder.title} is vacant already. Anybody can take it.")


def put_off(holder: SeatHolder) -> str:
    """The beginning of a sentence about people who were put off their seat."""
    one = len(holder.users) == 1
    return f"{plain(holder.name)} no longer {'plays' if one else 'play'} {holder.title}"


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


def with_seats(table: Table, changed: Sequence[SeatHolder]) -> tuple[SeatHolder, ...]:
    """The seats of a table, some of them changed."""
    new = {holder.seat: holder for holder in changed}
    return tuple(new.get(holder.seat, holder) for holder in table.seats)


def plan_seats(before: Table, after: Table, seats: Sequence[str], now: int) -> Plan | None:
    """A lobby's timers go on as they are; in a game the people of `seats` get their time anew."""
    return None if after.lobby else plan_step(before, after, seats, now)

"""A seat changes hands in the middle of a game: somebody is asked to take it, and agrees."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import NotAllowed, NotYourSeat, Refused, Withdrawn
from bot.sessions.core import going
from bot.sessions.model import Acted, SeatHolder, Sitter, Table
from bot.sessions.questions import (
    OFFER,
    SEE_NOTICE,
    Particulars,
    Question,
    keep_question,
    named,
    open_questions,
    put_question,
    question_of,
)
from bot.sessions.reading import Loaded
from bot.sessions.records import dumps
from bot.sessions.seating import Seating, heir, names_host, plan_seats, seat_named, with_seats
from bot.store import schema as db
from bot.texts import plain
from games.kernel.event import Event, Noted

NEWER = "Somebody else has been asked since."


@dataclass(frozen=True, slots=True)
class Person:
    """A user with the name he has now."""

    user_id: int
    name: str


class Substitutes(Seating):
    """Handing a seat on. Until the other has agreed everything stays as it is."""

    async def offer_seat(
        self,
        session_id: str,
        by: Person,
        seat: str,
        to: Person,
        *,
        out: int | None = None,
        moderator: bool,
        interaction_id: int,
    ) -> Acted:
        """Ask somebody to take a place on a seat; an older question about this seat is withdrawn.

        `out` is who leaves (None: whoever asks, if he plays there, else the only one who does).
        Everybody may hand on his own place; the host and moderators anybody's. Raises `NotAllowed`,
        `Refused`, `NoSuchTable`, `Duplicate`, `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            holder = seat_named(table, seat)
            leaves = _leaves(table, holder, by.user_id, out, moderator)
            if to.user_id in holder.user_ids:
                raise Refused(f"<@{to.user_id}> plays {holder.title} already.")
            if to.user_id == by.user_id:
                raise Refused(
                    "That is yourself. To play it on your own, make the seat vacant (`/table vacate`) "
                    "and take it (`/table join`); else name somebody else."
                )
            one = Question(
                number=table.version + 1,
                kind=OFFER,
                user_id=by.user_id,
                seat=seat,
                target_id=to.user_id,
                more=Particulars(name=to.name, out=leaves),
            )
            async with self._store.read() as connection:
                known = await open_questions(connection, session_id)
            if any(one.same(other) and one.more.out == other.more.out for other in known):
                raise Refused(f"<@{to.user_id}> has been asked already and has not answered yet.")
            events: tuple[Event, ...] = (Noted(text=_asks(table, holder, by, one)),)
            row = self._plain_row(loaded, "offer", by.user_id, interaction_id, events, seat)
            row = replace(row, action=dumps({"verb": "offer", "to": to.user_id, "out": leaves}))
            after = replace(table, version=row.number, updated=row.time)
            acted = Acted(after, events, calls=(to.user_id,))

            async def keep(connection: AsyncConnection) -> None:
                columns = db.votes.c
                older = (columns.kind == OFFER) & (columns.seat == seat) & columns.closed.is_(None)
                await connection.execute(
                    update(db.votes)
                    .where(columns.session_id == session_id, older)
                    .values(closed=NEWER)
                )
                await put_question(connection, session_id, one)

            return await self._step(
                loaded,
                acted,
                row,
                post="ask",
                question=row.number,
                closes="",
                also=keep,
                user=(by.user_id, by.name),
            )

    async def take_seat(
        self, session_id: str, by: Person, number: int, *, interaction_id: int
    ) -> Acted:
        """Take the seat that one was asked to take; adds salt to later dice, as joining does.

        Raises `Withdrawn` when the question is not open any more, `NotYourSeat` for anybody else,
        `NoSuchTable`, `Duplicate`, `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            going(loaded)
            one = await self._offer(session_id, number)
            if by.user_id != one.target_id:
                raise NotYourSeat(f"Only <@{one.target_id}> is asked whether to take this seat.")
            return await self._handed(loaded, one, by, interaction_id)

    async def decline_seat(
        self, session_id: str, by: Person, number: int, *, moderator: bool, interaction_id: int
    ) -> Acted:
        """Refuse to take a seat, or (whoever asked, the host, a moderator) withdraw the question.

        Raises what `take_seat` raises.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            one = await self._offer(session_id, number)
            title = seat_named(table, one.seat).title
            if by.user_id == one.target_id:
                told = f"{plain(by.name)} does not take {title}, so everything stays as it is."
            elif moderator or by.user_id in (one.user_id, table.host_id):
                told = f"{plain(by.name)} has withdrawn this. Everything stays as it is."
            else:
                raise NotYourSeat(
                    f"Only <@{one.target_id}> is asked; <@{one.user_id}>, the host or a moderator can "
                    "withdraw this."
                )
            events: tuple[Event, ...] = (Noted(text=told),)
            row = self._plain_row(loaded, "decline", by.user_id, interaction_id, events, one.seat)
            asker = () if by.user_id == one.user_id else (one.user_id,)
            text = "".join(f"<@{user}>: " for user in asker) + told
            after = replace(table, version=row.number, updated=row.time)
            acted = Acted(after, events, calls=asker, text=text)

            async def keep(connection: AsyncConnection) -> None:
                await keep_question(connection, session_id, replace(one, closed=told))

            return await self._step(
                loaded,
                acted,
                row,
                post="notice",
                closes="",
                also=keep,
                user=(by.user_id, by.name),
            )

    async def _offer(self, session_id: str, number: int) -> Question:
        async with self._store.read() as connection:
            one = await question_of(connection, session_id, number)
        if one is None or one.closed or one.kind != OFFER:
            raise Withdrawn((one.closed if one is not None else "") or SEE_NOTICE)
        return one

    async def _handed(
        self, loaded: Loaded, one: Question, by: Person, interaction_id: int
    ) -> Acted:
        """Save that somebody sits in another's place from now on."""
        table, number = loaded.table, loaded.table.version + 1
        holder = seat_named(table, one.seat)
        stay = tuple(user for user in holder.users if user.user_id != one.more.out)
        new = Sitter(by.user_id, by.name, number)
        # Who stays is asked the same as before, so what he was picking is still good.
        moment = holder.moment if stay else number
        taken = replace(holder, users=(*stay, new), moment=moment, stand_in=None)
        seats = with_seats(table, [taken])
        host, line = heir(seats, table.host_id)
        left = named(table.seats, one.more.out)
        told = f"{plain(by.name)} plays {taken.title} now, in place of {left}."
        events: tuple[Event, ...] = tuple(Noted(text=text) for text in (told, line) if text)
        row = self._plain_row(loaded, "join", by.user_id, interaction_id, events, taken.seat)
        row = replace(row, action=names_host("join", table, host))
        after = replace(table, version=number, host_id=host, seats=seats, updated=row.time)
        acted = Acted(after, events, handover=not table.lobby)
        closed = replace(one, closed=f"{plain(by.name)} has taken the seat.")

        async def keep(connection: AsyncConnection) -> None:
            await keep_question(connection, table.id, closed)

        return await self._step(
            loaded,
            acted,
            row,
            session={"salts": dumps([*loaded.salts, str(interaction_id)]), "host_id": host},
            timers=plan_seats(table, after, [taken.seat], row.time),
            also=keep,
            user=(by.user_id, by.name),
        )


def _leaves(
    table: Table, holder: SeatHolder, user_id: int, out: int | None, moderator: bool
) -> int:
    """Who leaves a seat when somebody hands it on. Raises `NotAllowed`, `Refused`."""
    office = moderator or user_id == table.host_id
    plays = user_id in holder.user_ids
    if not office and not plays:
        raise NotAllowed(
            f"Only somebody who plays {holder.title}, the host of this table or a moderator can "
            "hand it on."
        )
    if not holder.users:
        raise Refused(
            f"{holder.title} is vacant: anybody can take it with `/table join seat:{holder.title}`."
        )
    if out is None and not plays and len(holder.users) > 1:
        raise Refused(
            f"{plain(holder.name)} play {holder.title} together. Say with `out` who of them leaves."
        )
    leaves = out if out is not None else user_id if plays else holder.user_ids[0]
    if leaves not in holder.user_ids:
        raise Refused(f"<@{leaves}> does not play {holder.title}, so cannot leave it.")
    if leaves != user_id and not office:
        raise NotAllowed(
            "You can hand on your own place only. The host or a moderator can put a substitute in "
            "for others."
        )
    return leaves


def _asks(table: Table, holder: SeatHolder, by: Person, one: Question) -> str:
    to, left = plain(one.more.name), named(table.seats, one.more.out)
    place = "their own place" if one.more.out == by.user_id else f"the place of {left}"
    return f"{plain(by.name)} asks {to} to take {place} on {holder.title}."

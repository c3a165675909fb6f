"""What the people of a table decide among themselves while its host is gone."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import NotAllowed, NotYourSeat, Refused, Withdrawn
from bot.sessions.core import going
from bot.sessions.counting import ABSENT, GRACE, count, waited_since
from bot.sessions.model import Acted, Table
from bot.sessions.playing import started_table
from bot.sessions.questions import (
    END,
    HOST,
    OFFER,
    SEE_NOTICE,
    STAND_IN,
    VACATE,
    Particulars,
    Question,
    keep_question,
    named,
    open_questions,
    put_question,
    question_of,
)
from bot.sessions.reading import Loaded
from bot.sessions.records import ACTION, dumps
from bot.sessions.seating import Seating, held, may_host, put_off, seat_named
from bot.sessions.standing import StandingIn
from bot.sessions.writing import Also
from bot.store import schema as db
from bot.texts import listed
from games.kernel.event import Event, Noted

COMMANDS = {
    HOST: "/table host",
    END: "/table end",
    VACATE: "/table vacate",
    STAND_IN: "/table stand-in",
}
"""What the host, or a moderator, does the same with at once."""

SOMETHING_ELSE = "Whoever asked wants something else now."


class Votes(StandingIn, Seating):
    """Votes of the people at a table whose host does not answer, or that has none."""

    async def call_vote(
        self,
        session_id: str,
        user_id: int,
        kind: str,
        *,
        seat: str = "",
        target_id: int = 0,
        interaction_id: int,
    ) -> Acted:
        """Ask for a vote: shall `target_id` host the table, the game end, a seat be vacant, or the
        program act for it? Whoever asks has agreed, but nothing is done before somebody presses Yes.

        It is possible once the host has not been seen for a week, or has kept the game waiting for a
        week and was not seen for a day, or where there is none. An open vote of the same user is
        withdrawn. Raises `NotYourSeat`, `NotAllowed`, `Refused`, `NotStarted`, `NoSuchTable`,
        `Duplicate`, `TableOver`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            _may_ask(table, user_id, kind)
            one = Question(table.version + 1, kind, user_id)
            one = _meant(loaded, one, seat, target_id)
            async with self._store.read() as connection:
                seen = await last_seen(connection, table) if table.host_id else 0
                known = await open_questions(connection, session_id)
            if any(one.same(other) for other in known):
                raise Refused(
                    "This vote is open already: its notice in this channel has the buttons."
                )
            one = replace(one, more=self._gone(table, one, seen), agreed=(user_id,))
            if count(table, one).passed:
                one = replace(one, agreed=())  # what one person decides takes a second press
            name = named(table.seats, user_id)
            events: tuple[Event, ...] = (
                Noted(text=f"{name} asks for a vote: {asked_for(table, one)}?"),
            )
            row = self._plain_row(loaded, "ask", user_id, interaction_id, events, one.seat)
            action = {"verb": "ask", "what": kind, "user": one.target_id}
            row = replace(row, action=dumps(action))
            after = replace(table, version=row.number, updated=row.time)
            acted = Acted(after, events, calls=tuple(u for u in table.people() if u != user_id))

            async def keep(connection: AsyncConnection) -> None:
                columns = db.votes.c
                older = (columns.kind != OFFER) & (columns.user_id == user_id)
                await connection.execute(
                    update(db.votes)
                    .where(columns.session_id == session_id, older, columns.closed.is_(None))
                    .values(closed=SOMETHING_ELSE)
                )
                await put_question(connection, session_id, one)

            return await self._step(
                loaded, acted, row, post="ask", question=row.number, closes="", also=keep
            )

    async def vote(
        self, session_id: str, user_id: int, number: int, *, agree: bool, interaction_id: int
    ) -> Acted:
        """Vote, or vote otherwise than before. With the vote that decides it is carried out.

        The host decides alone: his yes carries it, his no withdraws it; so does the no of whoever
        asked, or of who was to host the table. Raises `NotYourSeat` for those without a seat,
        `Withdrawn` when it is not open any more, `NotAllowed` for the same vote again, and what keeps
        it from being carried out.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = going(loaded)
            if user_id not in table.people():
                raise NotYourSeat("Only those who play at this table vote here.")
            async with self._store.read() as connection:
                one = await question_of(connection, session_id, number)
            if one is None or one.closed or one.kind == OFFER:
                raise Withdrawn((one.closed if one is not None else "") or SEE_NOTICE)
            again = user_id in (one.agreed if agree else one.refused)
            if again and not (agree and count(table, one).passed):  # since somebody has left
                said, other = ("yes", "No") if agree else ("no", "Yes")
                raise NotAllowed(
                    f"You have voted {said} already. While the vote is open you can change that: "
                    f"press “{other}”."
                )
            one = replace(
                one,
                agreed=_without(one.agreed, user_id) + ((user_id,) if agree else ()),
                refused=_without(one.refused, user_id) + (() if agree else (user_id,)),
            )
            name = named(table.seats, user_id)
            if not agree and (told := _withdrawn(table, one, user_id, name)):
                return await self._over(loaded, one, user_id, interaction_id, told)
            stands = count(table, one)
            if stands.passed or (agree and user_id == table.host_id):
                return await self._carried(loaded, one, user_id, interaction_id)
            if stands.hopeless:
                yes, no = len(stands.yes), len(stands.no)
                told = f"The vote is over: {yes} yes, {no} no. Everything stays as it is."
                return await self._over(loaded, one, user_id, interaction_id, told)
            events: tuple[Event, ...] = (
                Noted(text=f"{name} votes {'yes' if agree else 'no'}: {asked_for(table, one)}?"),
            )
            row = self._plain_row(loaded, "vote", user_id, interaction_id, events)
            acted = Acted(replace(table, version=row.number, updated=row.time), events)
            return await self._step(
                loaded,
                acted,
                row,
                post="ask",
                question=number,
                closes="",
                also=_keeps(session_id, one),
            )

    def _gone(self, table: Table, one: Question, seen: int) -> Particulars:
        """Why this may be voted about. Raises `NotAllowed` as long as it may not."""
        now = self._clock()
        holder = table.holder(one.seat)
        about = waited_since(table, holder.user_ids) if holder is not None else None
        stalled = about is not None and now - about >= ABSENT
        if not table.host_id:
            return Particulars(stalled=stalled)
        waited = waited_since(table, (table.host_id,))
        if now - seen >= ABSENT:
            return Particulars(seen=seen, stalled=stalled)
        possible = seen + ABSENT
        if waited is not None:
            possible = min(possible, max(waited + ABSENT, seen + GRACE))
            if now >= possible:
                return Particulars(waited=waited, stalled=stalled)
        told = (
            f"<@{table.host_id}>, who hosts this table, was here <t:{seen}:R>. A vote is possible "
            f"from <t:{possible}:f> on, if nothing is heard of them until then."
        )
        if table.guild_id is not None:
            told += f" A moderator of this server can do it at once: `{COMMANDS[one.kind]}`."
        raise NotAllowed(told)

    async def _over(
        self, loaded: Loaded, one: Question, user_id: int, interaction_id: int, told: str
    ) -> Acted:
        """Save that a vote came to nothing."""
        table = loaded.table
        events: tuple[Event, ...] = (Noted(text=told),)
        row = self._plain_row(loaded, "vote", user_id, interaction_id, events)
        asker = () if user_id == one.user_id else (one.user_id,)
        text = "".join(f"<@{user}>: " for user in asker) + told
        after = replace(table, version=row.number, updated=row.time)
        acted = Acted(after, events, calls=asker, text=text)
        also = _keeps(table.id, replace(one, closed=told))
        return await self._step(loaded, acted, row, post="notice", closes="", also=also)

    async def _carried(
        self, loaded: Loaded, one: Question, user_id: int, interaction_id: int
    ) -> Acted:
        """Do what was voted for, as the host would do it, and close the vote with it."""
        table = loaded.table
        yes = listed([named(table.seats, user) for user in count(table, one).yes])
        also = _keeps(table.id, replace(one, closed="It is decided and done."))
        lead: tuple[Event, ...] = (Noted(text=f"It is decided by a vote. Yes: {yes}."),)
        if one.kind == HOST:
            may_host(table, one.target_id)
            told = f"{named(table.seats, one.target_id)} is the host of this table now."
            return await self._hosted(
                loaded, one.target_id, user_id, interaction_id, told, lead=lead, also=also
            )
        if one.kind == END:
            told = "The game was ended before its time."
            if table.lobby:
                told = "The table was closed before the game began."
            return await self._close(loaded, user_id, interaction_id, told, lead=lead, also=also)
        holder = seat_named(table, one.seat)
        if one.kind == VACATE:
            told = f"{put_off(holder)}: the seat is vacant now."
            new = replace(holder, users=())
            return await self._vacated(
                loaded, new, user_id, interaction_id, told, lead=lead, also=also
            )
        started_table(loaded)
        self._somebody_left(table, holder)
        told = f"The program will act for {holder.title} until somebody of it acts again."
        return await self._wished(
            loaded, holder, user_id, interaction_id, told, lead=lead, also=also
        )


async def last_seen(connection: AsyncConnection, table: Table) -> int:
    """When the host of a table last did something there, or became its host."""
    log = db.log.c
    here = log.session_id == table.id
    own = select(func.max(log.time)).where(
        here, log.user_id == table.host_id, log.interaction_id.is_not(None)
    )
    seen = await connection.scalar(own)
    changes = select(log.time, log.action).where(here, log.kind.in_(("host", "leave", "join")))
    for row in (await connection.execute(changes.order_by(log.number.desc()))).all():
        if _new_host(row.action) == table.host_id:
            return max(seen or 0, row.time)
    return seen or table.created


def _new_host(action: str) -> object:
    try:
        return ACTION.decode(action).get("host")
    except msgspec.MsgspecError:  # `history` says so where the log is read
        return None


def asked_for(table: Table, one: Question) -> str:
    """What is voted about, for a sentence: “shall Kim host this table”."""
    holder = table.holder(one.seat)
    title = holder.title if holder is not None else "the seat"
    match one.kind:
        case "host":
            return f"shall {named(table.seats, one.target_id)} host this table"
        case "end":
            return "shall this game be ended"
        case "vacate":
            return f"shall {title} be vacant, so that others can take it"
        case _:
            return f"shall the program act for {title} until somebody of it acts again"


def _may_ask(table: Table, user_id: int, kind: str) -> None:
    """Raise for those who may not ask for a vote, or need not."""
    if user_id not in table.people():
        raise NotYourSeat("Only those who play at this table can ask for a vote.")
    if user_id == table.host_id:
        raise NotAllowed(
            f"You host this table, so you need no vote: `{COMMANDS[kind]}` does it at once."
        )


def _meant(loaded: Loaded, one: Question, seat: str, target_id: int) -> Question:
    """The vote with whom it is about. Raises `Refused` where that makes no sense."""
    table = loaded.table
    if one.kind == END:
        return one
    if one.kind == HOST:
        if not target_id:
            raise Refused("Say with `user` who is to host this table.")
        may_host(table, target_id)
        return replace(one, target_id=target_id)
    if not seat:
        raise Refused("Say with `seat` which seat you mean.")
    holder = seat_named(table, seat)
    held(holder)
    if one.kind == STAND_IN:
        started_table(loaded)
        if holder.stand_in is not None:
            raise Refused(f"The program acts for {holder.title} already.")
    elif holder.user_ids == (one.user_id,):
        raise Refused("That is your own seat: `/table leave` gives it up.")
    return replace(one, seat=seat)


def _withdrawn(table: Table, one: Question, user_id: int, name: str) -> str:
    """Why a no ends a vote at once; empty when it does not."""
    if user_id == table.host_id:
        return f"{name}, the host, is back and says no, so this vote is withdrawn."
    if user_id == one.user_id:
        return f"{name}, who asked for this vote, does not want it any more: it is withdrawn."
    if one.kind == HOST and user_id == one.target_id:
        return f"{name} does not want to host this table, so this vote is over."
    return ""


def _without(users: tuple[int, ...], user_id: int) -> tuple[int, ...]:
    return tuple(user for user in users if user != user_id)


def _keeps(session_id: str, one: Question) -> Also:
    async def keep(connection: AsyncConnection) -> None:
        await keep_question(connection, session_id, one)

    return keep

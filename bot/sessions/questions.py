"""Questions that stay open while the game goes on: whether somebody takes a seat, and votes.

A question is settled by its answers, or in the transaction of whatever else settles it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.model import SeatHolder, Table
from bot.sessions.records import LogRow, dumps
from bot.store import schema as db
from bot.texts import plain

logger = logging.getLogger(__name__)

OFFER = "offer"
"""A seat is offered to somebody."""

HOST, END, VACATE, STAND_IN = "host", "end", "vacate", "stand_in"
"""What may be voted about."""

SEE_NOTICE = "Its notice in this channel says how it came out."
"""For whoever answers late, when the question itself is forgotten."""

USERS = msgspec.json.Decoder(tuple[int, ...])


class Particulars(msgspec.Struct, frozen=True, omit_defaults=True):
    """What else belongs to a question.

    `name` is that of whom a seat is offered to, `out` the user whose place he takes. A vote's host has
    not been seen since `seen`, or has kept the game waiting since `waited`; `stalled` says that the
    seat it is about has kept the game waiting as long.
    """

    name: str = ""
    out: int = 0
    seen: int = 0
    waited: int = 0
    stalled: bool = False


PARTICULARS = msgspec.json.Decoder(Particulars)
PLAIN = Particulars()


@dataclass(frozen=True, slots=True)
class Question:
    """An offer of a seat, or a vote. `number` is that of its log row, `user_id` who asks.

    `seat` and `target_id` (0: nobody) are whom it is about: who is to take the seat, or to host the
    table. `agreed` and `refused` are the users who have voted so. `closed` says how it came out (empty:
    it is open). `message_id` is the notice that asks.
    """

    number: int
    kind: str
    user_id: int
    seat: str = ""
    target_id: int = 0
    more: Particulars = PLAIN
    agreed: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    closed: str = ""
    message_id: int | None = None

    def same(self, other: Question) -> bool:
        """Whether both ask for the same."""
        mine = self.kind, self.seat, self.target_id
        return mine == (other.kind, other.seat, other.target_id)


async def put_question(connection: AsyncConnection, session_id: str, one: Question) -> None:
    """Write a new question, inside the caller's transaction."""
    await connection.execute(
        insert(db.votes).values(
            session_id=session_id,
            number=one.number,
            kind=one.kind,
            seat=one.seat,
            target_id=one.target_id or None,
            user_id=one.user_id,
            told=dumps(one.more),
            agreed=dumps(one.agreed),
            refused=dumps(one.refused),
        )
    )


async def keep_question(connection: AsyncConnection, session_id: str, one: Question) -> None:
    """Write who has voted how, and how it came out, inside the caller's transaction."""
    columns = db.votes.c
    await connection.execute(
        update(db.votes)
        .where(columns.session_id == session_id, columns.number == one.number)
        .values(agreed=dumps(one.agreed), refused=dumps(one.refused), closed=one.closed or None)
    )


async def open_questions(connection: AsyncConnection, session_id: str) -> list[Question]:
    """The open questions of a session, oldest first."""
    columns = db.votes.c
    wanted = select(db.votes).where(columns.session_id == session_id, columns.closed.is_(None))
    rows = (await connection.execute(wanted.order_by(columns.number))).all()
    return readable(rows)


async def question_of(connection: AsyncConnection, session_id: str, number: int) -> Question | None:
    """A question, open or settled; None when it is forgotten."""
    columns = db.votes.c
    wanted = select(db.votes).where(columns.session_id == session_id, columns.number == number)
    row = (await connection.execute(wanted)).one_or_none()
    return next(iter(readable([] if row is None else [row])), None)


def readable(rows: Sequence[Any]) -> list[Question]:
    """The questions of some rows; one that is damaged must not stop the game, so it is left out."""
    found: list[Question] = []
    for row in rows:
        try:
            found.append(_read(row))
        except msgspec.MsgspecError as fault:
            logger.error(
                "session %s: question %d is damaged: %s", row.session_id, row.number, fault
            )
    return found


def _read(row: Any) -> Question:
    return Question(
        number=row.number,
        kind=row.kind,
        user_id=row.user_id,
        seat=row.seat,
        target_id=row.target_id or 0,
        more=PARTICULARS.decode(row.told),
        agreed=USERS.decode(row.agreed),
        refused=USERS.decode(row.refused),
        closed=row.closed or "",
        message_id=row.message_id,
    )


# --- what settles them besides their answers ---


@dataclass(frozen=True, slots=True)
class Before:
    """Who sat where, and who hosted the table, before a step."""

    seats: tuple[SeatHolder, ...] = ()
    host_id: int = 0

    def holder(self, seat: str) -> SeatHolder | None:
        """Who held a seat."""
        return next((holder for holder in self.seats if holder.seat == seat), None)


AT_FIRST = Before()
"""Before there was anything."""


async def settle_questions(
    connection: AsyncConnection, before: Before, after: Table, row: LogRow
) -> None:
    """Close the questions that a step settles, inside its transaction."""
    columns = db.votes.c
    for one in await open_questions(connection, after.id):
        if told := settled_by(one, before, after, row):
            here = (columns.session_id == after.id) & (columns.number == one.number)
            await connection.execute(update(db.votes).where(here).values(closed=told))


def settled_by(one: Question, before: Before, after: Table, row: LogRow) -> str:
    """How a step settles a question; empty when it stays open."""
    if after.over:
        return "The game has ended, so this is settled."
    was, now = before.holder(one.seat), after.holder(one.seat)
    title = was.title if was is not None else "The seat"
    users = () if was is None else was.user_ids
    if one.seat and (now is None or now.user_ids != users):
        return f"Other people play {title} now than when this was asked, so it is settled."
    return "" if one.kind == OFFER else _vote_settled(one, before, after, row, title)


def _vote_settled(one: Question, before: Before, after: Table, row: LogRow, title: str) -> str:
    host, people = before.host_id, after.people()
    if after.host_id != host:
        name = named(after.seats, after.host_id) if after.host_id else "Nobody"
        return f"{name} hosts this table now, so this vote is over."
    if host and row.user_id == host and row.interaction_id is not None:
        return f"{named(before.seats, host)}, the host, is back, so this vote is withdrawn."
    if one.user_id not in people:
        asker = named(before.seats, one.user_id)
        return f"{asker}, who asked for this vote, does not play here any more: it is withdrawn."
    if one.kind == HOST and one.target_id not in people:
        target = named(before.seats, one.target_id)
        return f"{target} does not play here any more, so this vote is withdrawn."
    if one.seat and row.kind == "act" and row.seat == one.seat:
        return f"{title} has acted, so this vote is withdrawn."
    holder = after.holder(one.seat)
    if one.kind == STAND_IN and holder is not None and holder.stand_in is not None:
        return f"The program acts for {title} now, so this is settled."
    return ""


def named(seats: Sequence[SeatHolder], user_id: int) -> str:
    """A player's name, harmless."""
    names = [user.name for h in seats for user in h.users if user.user_id == user_id]
    return plain(names[0]) if names else "Somebody"

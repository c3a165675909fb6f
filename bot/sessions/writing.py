"""Saving: one transaction holds the session row, the log row and the outbox row."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec
from sqlalchemy import Table, delete, insert, select, true, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import aftermath, outbox
from bot.outbox import Payload
from bot.refusals import Duplicate, StoreBusy
from bot.sessions.model import Acted, SeatHolder
from bot.sessions.questions import AT_FIRST, Before, settle_questions
from bot.sessions.records import LogRow, dumps, pack
from bot.sessions.taught import keep_step
from bot.sessions.timers import Plan
from bot.sessions.upcoming import tell_next
from bot.sessions.waiting import check_room, keep
from bot.store import Store
from bot.store import schema as db
from games.kernel.game import Game

WITHDRAWN = "This is withdrawn: the game has moved on."
"""How a question whether something may be taken back comes out when something else happens."""

AFTERWARDS = ("undo", "propose", "agree", "refuse")
"""Kinds of rows that may follow the end of a game."""

Also: TypeAlias = Callable[[AsyncConnection], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Change:
    """Everything that one step of a session writes.

    `session` holds the session row's changed columns, `state` the packed state for the log row,
    `seats` the seats as they are from now on and `before` how people sat, `timers` what becomes of
    what was planned (None: all of it stays), `nexts` the seats that are next from now on. An open
    question whether something may be taken back is closed with `closes` (empty: it stays open);
    `also` writes what else belongs to the step.
    """

    session_id: str
    acted: Acted
    row: LogRow
    chain: str
    state: bytes | None
    session: Mapping[str, Any]
    payload: Payload
    post: str
    seats: tuple[SeatHolder, ...] = ()
    before: Before = AT_FIRST
    timers: Plan | None = None
    nexts: tuple[SeatHolder, ...] = ()
    ends: bool = False
    closes: str = WITHDRAWN
    also: Also | None = None


@dataclass(frozen=True, slots=True)
class Opening:
    """What only a new session writes: its row, and the content of its game if it is new."""

    session: Mapping[str, Any]
    content: Game[Any]


def payload_of(row: LogRow, acted: Acted, question: int = 0) -> Payload:
    """What the post about a step tells, or about the question of that number."""
    return Payload(
        what=row.kind,
        events=acted.events,
        user_id=row.user_id,
        seat=row.seat,
        binding=acted.binding,
        handover=acted.handover,
        text=acted.text,
        mentions=acted.calls,
        told=acted.told,
        question=question,
    )


class Outrun(Exception):
    """The session has gone on between reading and saving; nothing was written."""


async def save(store: Store, change: Change, user: tuple[int, str] | None = None) -> None:
    """Write a step of a running session.

    Raises `Outrun` when it was played on an old version, `Duplicate` when the interaction is in the
    log already, `StoreBusy` or `StoreFull`; then nothing has been written.
    """
    sessions = db.sessions
    before = change.row.number - 1
    try:
        async with store.write() as connection:
            changed = await connection.execute(
                update(sessions)
                .where(
                    sessions.c.id == change.session_id,
                    sessions.c.version == before,
                    true() if change.row.kind in AFTERWARDS else sessions.c.status != db.ENDED,
                )
                .values(
                    version=change.row.number,
                    chain=change.chain,
                    updated=change.row.time,
                    **change.session,
                )
            )
            if changed.rowcount != 1:
                raise Outrun()
            await _seat(connection, change)
            await _close_proposal(connection, change)
            await settle_questions(connection, change.before, change.acted.table, change.row)
            if change.also is not None:
                await change.also(connection)
            if user is not None:
                await remember_user(connection, user, change.row.time)
            remark = ""
            if change.ends:
                await _keep_turn_boundaries(connection, change)
                remark = await aftermath.settle(connection, change.acted.table, change.row.time)
            elif change.row.kind == "undo":
                await aftermath.unsettle(connection, change.session_id, change.row.time)
            await keep_step(connection, change.acted.table, change.row.kind)
            await _append(connection, change, remark)
    except IntegrityError as fault:
        raise Duplicate(change.session_id) from fault


async def save_opening(
    store: Store,
    opening: Opening,
    change: Change,
    user: tuple[int, str],
    link: Callable[[AsyncConnection, str], Awaitable[None]] | None = None,
    *,
    most_waiting: int = 0,
) -> None:
    """Write a new session with its first log row, and what `link` writes about it elsewhere.

    Raises `IntegrityError` when its channel, interaction or id is taken, `TooManyWaiting` when
    `most_waiting` sessions (0: any number) wait for the user, `StoreBusy`, `StoreFull`; then nothing
    has been written.
    """
    async with store.write() as connection:
        # This row is locked from here on, so two openings by one user count one after the other.
        await remember_user(connection, user, change.row.time)
        await check_room(connection, user[0], most_waiting)
        known = db.contents.c.hash
        wanted = select(known).where(known == opening.content.content_hash)
        if (await connection.execute(wanted)).one_or_none() is None:
            await connection.execute(
                insert(db.contents).values(
                    hash=opening.content.content_hash,
                    game=opening.content.slug,
                    tables=pack(dumps(opening.content.tables()).encode()),
                    created=change.row.time,
                )
            )
        await connection.execute(insert(db.sessions).values(**opening.session))
        await _seat(connection, change)
        await _append(connection, change)
        if link is not None:
            await link(connection, change.session_id)


async def _seat(connection: AsyncConnection, change: Change) -> None:
    """Write what is different at a table's seats."""
    before = {holder.seat: (place, holder) for place, holder in enumerate(change.before.seats)}
    for place, holder in enumerate(change.seats):
        was = before.pop(holder.seat, None)
        if was == (place, holder):
            continue
        session, seat = change.session_id, holder.seat
        values = {
            "place": place,
            "title": holder.title,
            "moment": holder.moment,
            "stand_in": holder.stand_in,
            "bank": holder.bank,
        }
        if was is None:
            row = insert(db.seats).values(session_id=session, seat=seat, **values)
            await connection.execute(row)
        else:
            seats = db.seats.c
            mine = (seats.session_id == session) & (seats.seat == seat)
            await connection.execute(update(db.seats).where(mine).values(**values))
        if was is None or was[1].users != holder.users:
            await _unseat(connection, db.seat_users, session, seat)
            users = [
                {
                    "session_id": session,
                    "seat": seat,
                    "user_id": user.user_id,
                    "name": user.name,
                    "joined": user.joined,
                }
                for user in holder.users
            ]
            if users:
                await connection.execute(insert(db.seat_users), users)
    for seat in before:
        await _unseat(connection, db.seat_users, change.session_id, seat)
        await _unseat(connection, db.seats, change.session_id, seat)


async def _close_proposal(connection: AsyncConnection, change: Change) -> None:
    """What happens withdraws the open question whether something may be taken back."""
    if change.closes:
        proposals = db.proposals
        await connection.execute(
            update(proposals)
            .where(proposals.c.session_id == change.session_id, proposals.c.closed.is_(None))
            .values(closed=change.closes)
        )


async def _unseat(connection: AsyncConnection, table: Table, session_id: str, seat: str) -> None:
    mine = (table.c.session_id == session_id) & (table.c.seat == seat)
    await connection.execute(delete(table).where(mine))


async def _append(connection: AsyncConnection, change: Change, remark: str = "") -> None:
    await connection.execute(
        insert(db.log).values(
            session_id=change.session_id,
            chain=change.chain,
            state=change.state,
            **change.row.columns(),
        )
    )
    if change.timers is not None:
        await change.timers.write(connection, change.session_id)
    row = change.row
    await keep(connection, change.acted.table, row.time)
    payload = await tell_next(connection, change.nexts, change.payload)
    if remark:
        text = f"{payload.text}\n{remark}" if payload.text else remark
        payload = msgspec.structs.replace(payload, text=text)
    await outbox.put(
        connection,
        change.session_id,
        change.row.number,
        change.post,
        payload,
        change.row.time,
    )


async def _keep_turn_boundaries(connection: AsyncConnection, change: Change) -> None:
    """Drop the states that nobody will go back to: all but the first, the last and binding ones."""
    log = db.log
    await connection.execute(
        update(log)
        .where(
            log.c.session_id == change.session_id,
            log.c.kind != "begin",
            log.c.binding.is_(False),
            log.c.state.is_not(None),
        )
        .values(state=None)
    )


async def remember_user(connection: AsyncConnection, user: tuple[int, str], now: int) -> None:
    """Keep a user's present name."""
    users = db.users
    user_id, name = user
    known = await connection.execute(
        update(users).where(users.c.id == user_id).values(name=name, updated=now)
    )
    if known.rowcount == 0:
        await connection.execute(insert(users).values(id=user_id, name=name, updated=now))


async def set_status(store: Store, session_id: str, status: str, trouble: str | None) -> None:
    """Pause a session or let it go on. An ended one stays as it is; a busy store does not matter."""
    try:
        async with store.write() as connection:
            await connection.execute(
                update(db.sessions)
                .where(db.sessions.c.id == session_id, db.sessions.c.status != db.ENDED)
                .values(status=status, trouble=trouble)
            )
    except StoreBusy:
        return

"""Saving: one transaction holds the session row, the log row and the outbox row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import outbox
from bot.outbox import Payload
from bot.refusals import Duplicate, StoreBusy
from bot.sessions.model import Acted
from bot.sessions.records import LogRow, dumps, pack
from bot.store import Store
from bot.store import schema as db
from games.kernel.game import Game


@dataclass(frozen=True, slots=True)
class Change:
    """Everything that one step of a session writes.

    `session` holds the session row's changed columns, `state` the packed state for the log row,
    `seat` the columns of a seat that changes hands, by its id.
    """

    session_id: str
    row: LogRow
    chain: str
    state: bytes | None
    session: Mapping[str, Any]
    payload: Payload
    post: str
    seat: tuple[str, Mapping[str, Any]] | None = None
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Opening:
    """What only a new session writes: its row, its seats, the content of its game if it is new."""

    session: Mapping[str, Any]
    seats: list[dict[str, Any]]
    content: Game[Any]


def payload_of(row: LogRow, acted: Acted) -> Payload:
    """What the post about a step tells."""
    return Payload(
        what=row.kind,
        events=acted.events,
        user_id=row.user_id,
        seat=row.seat,
        binding=acted.binding,
        handover=acted.handover,
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
                    sessions.c.status != db.ENDED,
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
            if change.seat is not None:
                seat, columns = change.seat
                await connection.execute(
                    update(db.seats)
                    .where(db.seats.c.session_id == change.session_id, db.seats.c.seat == seat)
                    .values(**columns)
                )
            if user is not None:
                await remember_user(connection, user, change.row.time)
            if change.ends:
                await _keep_turn_boundaries(connection, change)
            await _append(connection, change)
    except IntegrityError as fault:
        raise Duplicate(change.session_id) from fault


async def save_opening(
    store: Store, opening: Opening, change: Change, user: tuple[int, str]
) -> None:
    """Write a new session with its first log row.

    Raises `IntegrityError` when its channel, interaction or id is taken, `StoreBusy`, `StoreFull`;
    then nothing has been written.
    """
    async with store.write() as connection:
        await remember_user(connection, user, change.row.time)
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
        await connection.execute(insert(db.seats), opening.seats)
        await _append(connection, change)


async def _append(connection: AsyncConnection, change: Change) -> None:
    await connection.execute(
        insert(db.log).values(
            session_id=change.session_id,
            chain=change.chain,
            state=change.state,
            **change.row.columns(),
        )
    )
    await outbox.put(
        connection,
        change.session_id,
        change.row.number,
        change.post,
        change.payload,
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

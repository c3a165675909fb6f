"""Which seats must act and since when, as rows: all that `/mygames` and the limit on tables need.

The rows are written in the transaction of the step that changes them, so that what waits for somebody
in every server is found by an index and no state is read for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import TooManyWaiting
from bot.sessions.model import Table
from bot.sessions.records import dumps
from bot.store import schema as db
from games.kernel.game import Setup


@dataclass(frozen=True, slots=True)
class Mine:
    """A session that goes on, as one of its people sees it from afar.

    `seats` are the titles of his seats; `since` is when the first of them began to be waited for, or
    None when none is.
    """

    session_id: str
    slug: str
    guild_id: int | None
    channel_id: int
    host_id: int
    setup: Setup
    status: str
    panel_message_id: int | None
    updated: int
    seats: tuple[str, ...]
    since: int | None


async def keep(connection: AsyncConnection, table: Table, now: int) -> None:
    """Write who is waited for since when, as it stands at a table after a step (`bot.sessions.banks`);
    since `now` where that is not known."""
    waits = db.waits
    mine = waits.c.session_id == table.id
    holders = [table.holder(seat) for seat in table.pending()]
    due = {h.seat: now if h.since is None else h.since for h in holders if h is not None}
    muted = {h.seat: dumps(h.muted) for h in holders if h is not None}
    rows = (await connection.execute(select(waits).where(mine))).all()
    same = {
        row.seat
        for row in rows
        if (due.get(row.seat), muted.get(row.seat)) == (row.since, row.muted)
    }
    gone = [row.seat for row in rows if row.seat not in same]
    fresh = [
        {"session_id": table.id, "seat": seat, "since": since, "muted": muted[seat]}
        for seat, since in due.items()
        if seat not in same
    ]
    if gone:
        await connection.execute(delete(waits).where(mine, waits.c.seat.in_(gone)))
    if fresh:
        await connection.execute(insert(waits), fresh)


async def held_by(connection: AsyncConnection, user_id: int) -> list[Mine]:
    """The sessions at which a user holds a seat and that have not ended.

    First those that wait for him, longest waiting first; then the others, latest step first. A seat
    for which the program acts waits for nobody, a paused session neither.
    """
    sessions, seats, users, waits = db.sessions.c, db.seats.c, db.seat_users.c, db.waits.c
    wanted = (
        select(
            sessions.id,
            sessions.game,
            sessions.guild_id,
            sessions.channel_id,
            sessions.host_id,
            sessions.setup,
            sessions.status,
            sessions.panel_message_id,
            sessions.updated,
            seats.title,
            seats.stand_in,
            waits.since,
        )
        .select_from(db.seat_users)
        .join(db.sessions, sessions.id == users.session_id)
        .join(db.seats, (seats.session_id == users.session_id) & (seats.seat == users.seat))
        .outerjoin(db.waits, (waits.session_id == seats.session_id) & (waits.seat == seats.seat))
        .where(users.user_id == user_id, sessions.status != db.ENDED)
        .order_by(sessions.id, seats.place)
    )
    found: dict[str, Mine] = {}
    for row in (await connection.execute(wanted)).all():
        since = _since(row, user_id)
        known = found.get(row.id)
        if known is None:
            found[row.id] = _mine(row, since)
            continue
        first = min((at for at in (known.since, since) if at is not None), default=None)
        found[row.id] = replace(known, seats=(*known.seats, row.title), since=first)
    return sorted(found.values(), key=_order)


async def check_room(connection: AsyncConnection, user_id: int, most: int) -> None:
    """Raise `TooManyWaiting` when so many sessions (0: any number) wait for the user already."""
    if not most:
        return
    held = await held_by(connection, user_id)
    waiting = sum(one.since is not None and not one.setup.lesson for one in held)
    if waiting >= most:
        raise TooManyWaiting(waiting)


async def waited_for(connection: AsyncConnection, sessions: Sequence[Table], now: int) -> None:
    """Write the rows of sessions from before there were any, as waiting since their last step."""
    for table in sessions:
        await keep(connection, table, min(table.updated, now))


def _since(row: Any, user_id: int) -> int | None:
    if row.stand_in is not None or row.status == db.PAUSED:
        return None
    if row.status == db.LOBBY and row.host_id != user_id:
        return None
    return row.since


def _mine(row: Any, since: int | None) -> Mine:
    try:
        setup = msgspec.json.decode(row.setup, type=Setup)
    except msgspec.MsgspecError:  # listed all the same: the session itself says what is wrong
        setup = Setup("", "")
    return Mine(
        session_id=row.id,
        slug=row.game,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        host_id=row.host_id,
        setup=setup,
        status=row.status,
        panel_message_id=row.panel_message_id,
        updated=row.updated,
        seats=(row.title,),
        since=since,
    )


def _order(one: Mine) -> tuple[bool, int, str]:
    return one.since is None, -one.updated if one.since is None else one.since, one.session_id

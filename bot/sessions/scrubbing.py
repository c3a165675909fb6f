"""Taking somebody out of the rows of one session, inside one transaction."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, delete, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.anonymous import Anonymous, name_in
from bot.sessions.departed import NOBODY
from bot.sessions.records import EVENTS
from bot.sessions.writing import WITHDRAWN
from bot.store import schema as db
from bot.store.parlour import deck_hands, deck_log, rolls
from bot.store.people import about
from bot.texts import GONE

PLAYED = ("begin", "act")
"""Rows that a game has told by itself: it knows seats, not people, so no name stands in them."""

LEFT = "Whoever this was about has left, so it is settled."


async def names_of(connection: AsyncConnection, user_id: int) -> frozenset[str]:
    """All names by which somebody is known now."""
    found: set[str] = set()
    for table, owner in (
        (db.users, db.users.c.id),
        (db.seat_users, db.seat_users.c.user_id),
        (rolls, rolls.c.user_id),
        (deck_hands, deck_hands.c.user_id),
        (deck_log, deck_log.c.user_id),
    ):
        wanted = select(table.c.name).where(owner == user_id).distinct()
        found |= set((await connection.execute(wanted)).scalars())
    asked = select(db.votes.c.told).where(db.votes.c.target_id == user_id)
    for raw in (await connection.execute(asked)).scalars():
        try:
            name = msgspec.json.decode(raw).get("name", "")
        except (msgspec.MsgspecError, AttributeError):
            continue
        found.add(str(name))
    return frozenset(name for name in found if name.strip())


async def nobody_else(connection: AsyncConnection, session_id: str, user_id: int) -> bool:
    """Whether nobody but him, and people who are forgotten, has ever sat or acted at a table."""
    log, users, sessions = db.log.c, db.seat_users.c, db.sessions.c
    acted = exists().where(
        log.session_id == session_id, log.user_id.not_in((user_id, NOBODY, GONE))
    )
    sits = exists().where(users.session_id == session_id, users.user_id != user_id)
    hosts = exists().where(
        sessions.id == session_id, sessions.host_id.not_in((user_id, NOBODY, GONE))
    )
    others = (await connection.execute(select(or_(acted, sits, hosts)))).scalar_one()
    return not others


async def scrub(
    connection: AsyncConnection, session_id: str, user_id: int, names: frozenset[str]
) -> None:
    """Take somebody out of all rows of a session."""
    nameless = await _nameless(connection, session_id, user_id, names)
    await _scrub_log(connection, session_id, nameless)
    await _scrub_questions(connection, session_id, nameless)
    users, seats, waits, box = db.seat_users, db.seats, db.waits, db.outbox
    for table in (users, db.visits):
        mine = (table.c.session_id == session_id) & (table.c.user_id == user_id)
        await connection.execute(delete(table).where(mine))
    await connection.execute(
        update(seats)
        .where(seats.c.session_id == session_id, seats.c.stand_in == user_id)
        .values(stand_in=GONE)
    )
    await connection.execute(
        update(db.tutorials)
        .where(db.tutorials.c.session_id == session_id, db.tutorials.c.user_id == user_id)
        .values(user_id=GONE)
    )
    first = select(users.c.user_id).where(users.c.session_id == session_id)
    first = first.order_by(users.c.joined, users.c.user_id).limit(1)
    host = await connection.scalar(first)
    await connection.execute(
        update(db.sessions)
        .where(db.sessions.c.id == session_id, db.sessions.c.host_id == user_id)
        .values(host_id=host or NOBODY)
    )
    muted = select(waits.c.seat, waits.c.muted).where(waits.c.session_id == session_id)
    for row in (await connection.execute(muted.where(about(waits, user_id)))).all():
        mine = (waits.c.session_id == session_id) & (waits.c.seat == row.seat)
        clean = nameless.json(row.muted)
        await connection.execute(update(waits).where(mine).values(muted=clean))
    posts = select(box.c.id, box.c.payload).where(box.c.session_id == session_id)
    for row in (await connection.execute(posts)).all():
        clean = _payload(nameless, row.payload)
        if clean != row.payload:
            await connection.execute(update(box).where(box.c.id == row.id).values(payload=clean))


async def _nameless(
    connection: AsyncConnection, session_id: str, user_id: int, names: frozenset[str]
) -> Anonymous:
    """What takes him out of this session: he may have had another name here, in the rows of what he
    did himself."""
    log, users = db.log.c, db.seat_users.c
    own = select(log.events).where(
        log.session_id == session_id, log.user_id == user_id, log.kind.not_in(PLAYED)
    )
    found = set(names)
    for raw in (await connection.execute(own)).scalars():
        try:
            told = [name_in(event.text) for event in EVENTS.decode(raw)[:1]]
        except msgspec.MsgspecError:
            continue
        found |= {name for name in told if name}
    sit = select(users.name).where(users.session_id == session_id, users.user_id != user_id)
    acted = (
        select(db.users.c.name)
        .join(db.log, log.user_id == db.users.c.id)
        .where(log.session_id == session_id, log.user_id != user_id)
        .distinct()
    )
    others = {
        *(await connection.execute(sit)).scalars(),
        *(await connection.execute(acted)).scalars(),
    }
    return Anonymous(user_id, found, others - found)


async def _scrub_log(connection: AsyncConnection, session_id: str, nameless: Anonymous) -> None:
    log = db.log
    here = log.c.session_id == session_id
    told: ColumnElement[bool] = log.c.kind.not_in(PLAYED) | about(log, nameless.user_id)
    wanted = select(log.c.number, log.c.kind, log.c.action, log.c.events).where(here, told)
    for row in (await connection.execute(wanted)).all():
        names = row.kind not in PLAYED
        action = nameless.json(row.action, names=names)
        events = nameless.json(row.events, names=names)
        if (action, events) != (row.action, row.events):
            await connection.execute(
                update(log)
                .where(here, log.c.number == row.number)
                .values(action=action, events=events, sealed=True)
            )
    await connection.execute(
        update(log).where(here, log.c.user_id == nameless.user_id).values(user_id=GONE, sealed=True)
    )


async def _scrub_questions(
    connection: AsyncConnection, session_id: str, nameless: Anonymous
) -> None:
    """Proposals and votes: what he asked is withdrawn, what was asked of him settled."""
    user_id, proposals, votes = nameless.user_id, db.proposals, db.votes
    for row in (
        await connection.execute(select(proposals).where(proposals.c.session_id == session_id))
    ).all():
        closed = nameless.text(row.closed) if row.closed else None
        owner = row.user_id
        if owner == user_id:
            owner, closed = GONE, closed or WITHDRAWN
        await connection.execute(
            update(proposals)
            .where(proposals.c.session_id == session_id, proposals.c.number == row.number)
            .values(user_id=owner, closed=closed)
        )
    for row in (
        await connection.execute(select(votes).where(votes.c.session_id == session_id))
    ).all():
        closed = nameless.text(row.closed) if row.closed else None
        if user_id in (row.user_id, row.target_id):
            closed = closed or LEFT
        await connection.execute(
            update(votes)
            .where(votes.c.session_id == session_id, votes.c.number == row.number)
            .values(
                user_id=GONE if row.user_id == user_id else row.user_id,
                target_id=GONE if row.target_id == user_id else row.target_id,
                told=nameless.json(row.told),
                agreed=nameless.json(row.agreed),
                refused=nameless.json(row.refused),
                closed=closed,
            )
        )


def _payload(nameless: Anonymous, raw: str) -> str:
    """A post without him. What a game tells by itself names nobody, but a remark may."""
    try:
        value: dict[str, Any] = msgspec.json.decode(raw, type=dict[str, Any])
    except msgspec.MsgspecError:
        return nameless.json(raw)
    played = value.get("what") in PLAYED
    events = value.pop("events", None)
    clean = msgspec.json.decode(nameless.json(msgspec.json.encode(value).decode()))
    if events is not None:
        told = nameless.json(msgspec.json.encode(events).decode(), names=not played)
        clean["events"] = msgspec.json.decode(told)
    before = value if events is None else {**value, "events": events}
    return raw if clean == before else msgspec.json.encode(clean).decode()

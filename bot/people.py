"""What is kept about somebody: told to himself, and deleted when he wishes. It knows no Discord."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Executable, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.parlour import decks_records, rolls_kept
from bot.sessions import Sessions
from bot.sessions.locks import Locks
from bot.sessions.questions import USERS
from bot.sessions.records import EVENTS
from bot.sessions.scrubbing import names_of
from bot.store import Store
from bot.store import schema as db
from bot.store.people import PERSONAL, SESSION_TABLES, about, metadata

logger = logging.getLogger(__name__)

PASSES = 3
"""How often the tables are looked through again for what was begun meanwhile."""

FORMAT = 1

NOTE = (
    "Everything that Fieldpost keeps about one person. Times are seconds since 1970 UTC; ids are those "
    "of Discord. What a game still hides from this person is not in it."
)

SECTIONS = {
    "name_and_settings": "your name and what you chose for reminders",
    "tables_hosted": "tables that you host or hosted",
    "seats": "seats at tables",
    "program_acts": "seats for which the program acts at your wish",
    "muted": "turns that you muted",
    "actions": "things you did at tables",
    "told_by_others": "things others did that name you",
    "looked": "tables at which you have caught up",
    "takebacks_asked": "take-backs that you asked for",
    "votes_and_offers": "votes and offers of seats that you had to do with",
    "tutorials": "tutorials",
    "posts": "posts about your tables that mention you",
    "records": "results of finished games",
    "campaigns": "campaigns",
    "rolls": "rolls of dice",
    "decks": "decks, hands of cards, and what you did with them",
}
"""The parts of what is kept, with what they are in words; the file has them in this order."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """What was deleted: tables he was taken out of, and those that are gone with him."""

    tables: int
    tables_gone: int
    anything: bool


class People:
    """Somebody's own data."""

    def __init__(self, store: Store, sessions: Sessions, *, clock: Callable[[], int]) -> None:
        self._store = store
        self._sessions = sessions
        self._clock = clock
        self._locks = Locks()

    async def about(self, user_id: int) -> dict[str, Any]:
        """Everything that is kept about somebody and that he may know, by the names of `SECTIONS`."""
        tables = await self._sessions.tables_about(user_id)
        found: dict[str, Any] = {"format": FORMAT, "note": NOTE, "user_id": user_id}
        async with self._store.read() as connection:
            found |= await _at_tables(connection, tables, user_id)
            found |= await _elsewhere(connection, user_id)
        found["rolls"] = await rolls_kept.about(self._store, user_id)
        found["decks"] = await decks_records.about(self._store, user_id)
        first = ("format", "note", "user_id", *SECTIONS)
        return {name: found[name] for name in first}

    async def counts(self, user_id: int) -> dict[str, int]:
        """How much is kept, by the names of `SECTIONS`; what is empty is left out."""
        found = await self.about(user_id)
        return {name: len(found[name]) for name in SECTIONS if found[name]}

    async def forget(self, user_id: int) -> Deleted:
        """Delete what is about somebody, or make it nobody's; then he is unknown here.

        Tables are done one by one, each in one transaction; everything else in one at the end. When
        it is stopped in between, doing it again finishes it. Raises `StoreBusy`, `StoreFull`.
        """
        async with self._locks(str(user_id)):
            tables, gone = set[str](), set[str]()
            async with self._store.read() as connection:
                names = await names_of(connection, user_id)
            for _ in range(PASSES):
                done = await self._sessions.forget_at_tables(user_id, names)
                tables, gone = tables.union(done.tables), gone.union(done.deleted)
                if not done.tables:
                    break
            async with self._store.write() as connection:
                rest = await _forget_elsewhere(connection, user_id, self._clock())
            deleted = Deleted(len(tables), len(gone), bool(tables or rest))
            logger.info("somebody is forgotten: %s", deleted)
            return deleted


# --- telling ---


async def _at_tables(
    connection: AsyncConnection, tables: Sequence[str], user_id: int
) -> dict[str, Any]:
    """What is about somebody at these sessions."""
    found: dict[str, list[dict[str, Any]]] = {}

    async def put(name: str, wanted: Callable[[str], Executable]) -> None:
        found[name] = []
        for session_id in tables:
            found[name] += await _rows(connection, wanted(session_id))
            await asyncio.sleep(0)  # with many tables this takes long, and others want to play

    sessions, seats, users, log = db.sessions.c, db.seats.c, db.seat_users.c, db.log.c
    waits, visits, proposals, lessons = db.waits.c, db.visits.c, db.proposals.c, db.tutorials.c
    posts = db.outbox.c
    of_table = (sessions.id.label("table"), sessions.game, sessions.guild_id.label("server"))
    of_table = (*of_table, sessions.channel_id.label("channel"), sessions.status)
    await put(
        "tables_hosted",
        lambda one: select(*of_table, sessions.created).where(
            sessions.id == one, sessions.host_id == user_id
        ),
    )
    await put(
        "seats",
        lambda one: (
            select(*of_table, seats.title, users.name, users.joined.label("since_row"))
            .join(db.seat_users, users.session_id == sessions.id)
            .join(db.seats, (seats.session_id == users.session_id) & (seats.seat == users.seat))
            .where(sessions.id == one, users.user_id == user_id)
        ),
    )
    await put(
        "program_acts",
        lambda one: select(seats.session_id.label("table"), seats.title).where(
            seats.session_id == one, seats.stand_in == user_id
        ),
    )
    await put(
        "muted",
        lambda one: select(waits.session_id.label("table"), waits.seat, waits.since).where(
            waits.session_id == one, about(db.waits, user_id)
        ),
    )
    told = (log.session_id.label("table"), log.number, log.kind, log.seat, log.action, log.events)
    told = (*told, log.time)
    await put(
        "actions",
        lambda one: (
            select(*told, log.interaction_id)
            .where(log.session_id == one, log.user_id == user_id)
            .order_by(log.number)
        ),
    )
    await put(
        "told_by_others",
        lambda one: (
            select(*told)
            .where(log.session_id == one, log.user_id != user_id, about(db.log, user_id))
            .order_by(log.number)
        ),
    )
    await put(
        "looked",
        lambda one: select(visits.session_id.label("table"), visits.number).where(
            visits.session_id == one, visits.user_id == user_id
        ),
    )
    await put(
        "takebacks_asked",
        lambda one: select(
            proposals.session_id.label("table"), proposals.number, proposals.told, proposals.closed
        ).where(proposals.session_id == one, proposals.user_id == user_id),
    )
    await put(
        "votes_and_offers",
        lambda one: select(db.votes).where(db.votes.c.session_id == one, about(db.votes, user_id)),
    )
    await put(
        "tutorials",
        lambda one: select(lessons.session_id.label("table"), lessons.lesson, lessons.step).where(
            lessons.session_id == one, lessons.user_id == user_id
        ),
    )
    await put(
        "posts",
        lambda one: select(
            posts.session_id.label("table"), posts.version.label("row"), posts.kind, posts.created
        ).where(posts.session_id == one, about(db.outbox, user_id)),
    )
    for row in found["actions"]:
        row["action"] = _json(row["action"])
        row["told"] = _told(row.pop("events"), row["seat"])
    for row in found["told_by_others"]:
        row["told"] = _told(row.pop("events"), None)
        del row["action"]
    for row in found["takebacks_asked"]:
        row["told"] = _json(row["told"])
    found["votes_and_offers"] = [_vote(row, user_id) for row in found["votes_and_offers"]]
    return found


def _vote(row: dict[str, Any], user_id: int) -> dict[str, Any]:
    """What he had to do with a vote or an offer; how others voted is not his."""
    agreed, refused = _users(row["agreed"]), _users(row["refused"])
    return {
        "table": row["session_id"],
        "number": row["number"],
        "kind": row["kind"],
        "seat": row["seat"],
        "asked_by_you": row["user_id"] == user_id,
        "about_you": row["target_id"] == user_id,
        "your_vote": "yes" if user_id in agreed else "no" if user_id in refused else None,
        "closed": row["closed"],
    }


def _users(raw: str) -> tuple[int, ...]:
    try:
        return USERS.decode(raw)
    except msgspec.MsgspecError:
        return ()


def _told(events: str, seat: str | None) -> list[str]:
    """What was told of a row to everybody, and to the seat that did it."""
    try:
        found = EVENTS.decode(events)
    except msgspec.MsgspecError:
        return []
    return [one.text for one in found if one.to is None or (seat and seat in one.to)]


async def _elsewhere(connection: AsyncConnection, user_id: int) -> dict[str, Any]:
    """What is about somebody apart from tables."""
    users, records, campaigns = db.users.c, db.records, db.campaigns.c
    members = db.campaign_members.c
    me = await _rows(
        connection,
        select(users.name, users.settings, users.updated).where(users.id == user_id),
    )
    for row in me:
        row["settings"] = _json(row["settings"])
    ended = await _rows(
        connection,
        select(records).where(records.c.user_id == user_id).order_by(records.c.time),
    )
    for row in ended:
        row["figures"] = _json(row["figures"])
        del row["user_id"]
    mine = await _rows(
        connection,
        select(
            campaigns.id.label("campaign"),
            campaigns.game,
            campaigns.kind,
            campaigns.mode,
            campaigns.status,
            campaigns.played,
            campaigns.progress,
            campaigns.host_id,
            members.seat,
            campaigns.created,
            campaigns.updated,
        )
        .outerjoin(
            db.campaign_members,
            (members.campaign_id == campaigns.id) & (members.user_id == user_id),
        )
        .where((members.user_id == user_id) | (campaigns.host_id == user_id))
        .order_by(campaigns.created, campaigns.id),
    )
    for row in mine:
        row["progress"] = _json(row["progress"])
        row["host"] = row.pop("host_id") == user_id
    return {"name_and_settings": me, "records": ended, "campaigns": mine}


async def _rows(connection: AsyncConnection, wanted: Executable) -> list[dict[str, Any]]:
    return [dict(row) for row in (await connection.execute(wanted)).mappings().all()]


def _json(raw: str) -> Any:
    """What a JSON column says; its text when it is damaged."""
    try:
        return msgspec.json.decode(raw)
    except msgspec.MsgspecError:
        return raw


# --- deleting ---


async def _forget_elsewhere(connection: AsyncConnection, user_id: int, now: int) -> bool:
    """Delete what is about somebody apart from tables; whether there was anything."""
    there = False
    for table in metadata.sorted_tables:
        if table.name in PERSONAL and table not in (db.sessions, *SESSION_TABLES):
            mine = select(table).where(about(table, user_id)).limit(1)
            there = there or (await connection.execute(mine)).first() is not None
    await rolls_kept.forget(connection, user_id)
    await decks_records.forget(connection, user_id, now)
    for table in (db.records, db.visits):
        await connection.execute(delete(table).where(table.c.user_id == user_id))
    await _leave_campaigns(connection, user_id, now)
    await connection.execute(delete(db.users).where(db.users.c.id == user_id))
    return there


async def _leave_campaigns(connection: AsyncConnection, user_id: int, now: int) -> None:
    """Whoever has been in a campaign longest hosts it now; one that was his alone is deleted."""
    campaigns, members = db.campaigns, db.campaign_members
    await connection.execute(delete(members).where(members.c.user_id == user_id))
    hosted = select(campaigns.c.id).where(campaigns.c.host_id == user_id)
    ids = (await connection.execute(hosted)).scalars().all()
    for campaign_id in ids:
        stay = select(members.c.user_id).where(members.c.campaign_id == campaign_id)
        stay = stay.order_by(members.c.place, members.c.user_id).limit(1)
        heir = await connection.scalar(stay)
        mine = campaigns.c.id == campaign_id
        if heir is None:
            await connection.execute(delete(campaigns).where(mine))
        else:
            await connection.execute(
                update(campaigns).where(mine).values(host_id=heir, updated=now)
            )

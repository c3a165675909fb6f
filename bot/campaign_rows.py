"""The rows of campaigns and their members; every function works inside the caller's transaction."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import schema as db


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody whose campaign it is; `seat` is the one held in the first mission, or `""`."""

    user_id: int
    name: str
    seat: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A campaign as it stands. `session_id` is the mission under way, or the one opened last."""

    id: str
    game: str
    kind: str
    mode: str
    host_id: int
    members: tuple[Member, ...]
    status: str
    stored: str
    played: int
    session_id: str | None
    created: int
    updated: int

    @property
    def progress(self) -> dict[str, Any]:
        """How far it is, as only its series reads it."""
        return msgspec.json.decode(self.stored)

    @property
    def mark(self) -> int:
        """A number of at most nine digits that is another one when the progress is."""
        return zlib.crc32(self.stored.encode()) % 1_000_000_000

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.status == db.RUNNING

    def has(self, user_id: int) -> bool:
        """Whether it is that user's."""
        return any(member.user_id == user_id for member in self.members)


@dataclass(frozen=True, slots=True)
class New:
    """A campaign that is begun at `now`."""

    id: str
    game: str
    kind: str
    mode: str
    progress: dict[str, Any]
    now: int


async def write_new(connection: AsyncConnection, new: New, members: Sequence[Member]) -> None:
    """Begin a campaign; the first of its people hosts it. Raises `IntegrityError` when one of them has
    another one of the kind under way."""
    await connection.execute(
        insert(db.campaigns).values(
            id=new.id,
            game=new.game,
            kind=new.kind,
            mode=new.mode,
            host_id=members[0].user_id,
            status=db.RUNNING,
            progress=msgspec.json.encode(new.progress).decode(),
            played=0,
            created=new.now,
            updated=new.now,
        )
    )
    rows = [
        {
            "campaign_id": new.id,
            "user_id": member.user_id,
            "place": place,
            "seat": member.seat,
            "game": new.game,
            "kind": new.kind,
            "running": True,
        }
        for place, member in enumerate(members)
    ]
    await connection.execute(insert(db.campaign_members), rows)


async def write_abandoned(connection: AsyncConnection, campaign_id: str, now: int) -> bool:
    """Give a campaign up for everybody; whether it was under way."""
    campaigns, members = db.campaigns, db.campaign_members
    changed = await connection.execute(
        update(campaigns)
        .where(campaigns.c.id == campaign_id, campaigns.c.status == db.RUNNING)
        .values(status=db.ABANDONED, updated=now)
    )
    await connection.execute(
        update(members).where(members.c.campaign_id == campaign_id).values(running=False)
    )
    return changed.rowcount == 1


async def write_again(connection: AsyncConnection, new: New, old: Standing) -> tuple[Member, ...]:
    """Begin a campaign with the people of an old one; gives those who are left out, because they have
    another one under way. Raises `IntegrityError` when the host has."""
    members = db.campaign_members.c
    busy = select(members.user_id).where(
        members.user_id.in_([member.user_id for member in old.members]),
        members.user_id != old.host_id,
        members.game == new.game,
        members.kind == new.kind,
        members.running,
    )
    others = set((await connection.execute(busy)).scalars())
    stay = [member for member in old.members if member.user_id not in others]
    stay.sort(key=lambda member: member.user_id != old.host_id)
    await write_new(connection, new, stay)
    return tuple(member for member in old.members if member.user_id in others)


def as_read(standing: Standing) -> tuple[Any, ...]:
    """The condition that a campaign’s row is still as it was read."""
    columns = db.campaigns.c
    session = columns.session_id
    return (
        columns.id == standing.id,
        columns.status == db.RUNNING,
        columns.progress == standing.stored,
        session.is_(None) if standing.session_id is None else session == standing.session_id,
    )


async def standings(connection: AsyncConnection, condition: Any) -> list[Standing]:
    """The campaigns of a condition, with their people."""
    rows: Sequence[Any] = (await connection.execute(select(db.campaigns).where(condition))).all()
    members = db.campaign_members.c
    wanted = (
        select(db.campaign_members, db.users.c.name)
        .outerjoin(db.users, db.users.c.id == members.user_id)
        .where(members.campaign_id.in_([row.id for row in rows]))
        .order_by(members.place, members.user_id)
    )
    held: dict[str, list[Member]] = {}
    for row in (await connection.execute(wanted)).all():
        member = Member(row.user_id, row.name or "somebody", row.seat)
        held.setdefault(row.campaign_id, []).append(member)
    return [
        Standing(
            id=row.id,
            game=row.game,
            kind=row.kind,
            mode=row.mode,
            host_id=row.host_id,
            members=tuple(held.get(row.id, ())),
            status=row.status,
            stored=row.progress,
            played=row.played,
            session_id=row.session_id,
            created=row.created,
            updated=row.updated,
        )
        for row in rows
    ]

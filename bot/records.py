"""Records: what each person takes away from a game that ended by its rules, and what that adds up to.

Rows are written and taken back inside the transaction of whoever ends or resumes a session.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import delete, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import schema as db
from bot.totals import EVERYWHERE, counting
from games.kernel.campaign import Grading, Record
from games.kernel.game import Game
from games.kernel.service import Entry, Service, service

if TYPE_CHECKING:
    from bot.sessions.model import Table
    from bot.store import Store

logger = logging.getLogger(__name__)

_FIGURES = msgspec.json.Decoder(dict[str, int])


async def keep(connection: AsyncConnection, table: Table, now: int) -> None:
    """Write the records of a session that has ended by the rules; nothing if they are there."""
    there = select(db.records.c.session_id).where(db.records.c.session_id == table.id).limit(1)
    if (await connection.execute(there)).scalar_one_or_none() is not None:
        return
    rows = _rows(table, now, await _late(connection, table))
    if rows:
        await connection.execute(insert(db.records), rows)


async def forget(connection: AsyncConnection, session_id: str) -> None:
    """Take the records of a session back."""
    await connection.execute(delete(db.records).where(db.records.c.session_id == session_id))


async def _late(connection: AsyncConnection, table: Table) -> set[tuple[str, int]]:
    """Seats with those of their people who came when others, or the program, had acted for them."""
    log = db.log.c
    wanted = (
        select(log.seat, log.user_id, log.kind, func.min(log.number).label("number"))
        .where(log.session_id == table.id, log.kind.in_(("act", "stand_in")))
        .group_by(log.seat, log.user_id, log.kind)
    )
    first = (await connection.execute(wanted)).all()
    return {
        (holder.seat, user.user_id)
        for holder in table.seats
        for user in holder.users
        for row in first
        if row.seat == holder.seat
        and row.number < user.joined
        and (row.kind == "stand_in" or row.user_id != user.user_id)
    }


def _rows(table: Table, now: int, late: set[tuple[str, int]]) -> list[dict[str, Any]]:
    """A row for each seat and each of its people.

    Somebody with several seats has what belongs to the whole game only once. A game that somebody won
    with one seat and lost with another, against themselves, is not counted for them; nor is one in
    which they took over what others had begun (`late`), as its figures are not theirs alone.
    """
    sides = {seat.id: seat.side for seat in table.game.seats(table.setup)}
    held = [
        (holder.seat, user, record)
        for holder in table.seats
        if (record := _record(table, holder.seat)) is not None
        for user in holder.user_ids
    ]
    outcomes: dict[int, set[bool]] = {}
    for _, user, record in held:
        outcomes.setdefault(user, set()).add(record.won)
    rows: list[dict[str, Any]] = []
    met: set[int] = set()
    for seat, user, record in held:
        figures = record.figures
        if user in met:
            figures = {name: n for name, n in figures.items() if name not in record.shared}
        met.add(user)
        rows.append(
            {
                "session_id": table.id,
                "seat": seat,
                "user_id": user,
                "guild_id": table.guild_id,
                "game": table.slug,
                "mission": record.mission,
                "mode": record.mode,
                "side": sides.get(seat, ""),
                "won": record.won,
                "level": record.level,
                "cause": record.cause,
                "figures": msgspec.json.encode(figures).decode(),
                "most": record.most,
                "par": record.par,
                "counted": record.counted and len(outcomes[user]) == 1 and (seat, user) not in late,
                "time": now,
            }
        )
    return rows


def _record(table: Table, seat: str) -> Record | None:
    try:
        return table.game.record(table.state, seat)
    except Exception:
        # A game must be able to end whatever is wrong with its statistics.
        logger.exception("session %s: no record for seat %s", table.id, seat)
        return None


# --- what they add up to ---


async def games_of(store: Store, user_id: int, guild: int | None = EVERYWHERE) -> list[str]:
    """The games of which somebody has a record, the one played last first; of a place, if one is named."""
    columns = db.records.c
    wanted = (
        select(columns.game)
        .where(columns.user_id == user_id, *counting(guild))
        .group_by(columns.game)
        .order_by(func.max(columns.time).desc())
    )
    async with store.read() as connection:
        return list((await connection.execute(wanted)).scalars())


async def service_record(
    store: Store, game: Game[Any], user_id: int, guild: int | None = EVERYWHERE
) -> Service:
    """Somebody's service record in a game; in a place (a server, None: direct messages), if one is named."""
    columns = db.records.c
    wanted = (
        select(db.records)
        .where(columns.user_id == user_id, *counting(guild, game.slug))
        .order_by(columns.time, columns.session_id, columns.seat)
    )
    async with store.read() as connection:
        rows = (await connection.execute(wanted)).all()
    titles = field_titles(game)
    modes, missions = titles.pop("mode", {}), titles.pop("mission", {})
    for other in titles.values():  # some games name a mission by what it was played with
        missions = {**missions, **{k: t for k, t in other.items() if k not in missions}}
    return service(game.title, game.grading() or Grading(), _entries(rows), missions, modes)


def _entries(rows: Sequence[Any]) -> list[Entry]:
    return [
        Entry(
            session=row.session_id,
            mission=row.mission,
            mode=row.mode,
            won=row.won,
            level=row.level,
            figures=_FIGURES.decode(row.figures),
            most=row.most,
            par=row.par,
        )
        for row in rows
    ]


def field_titles(game: Game[Any]) -> dict[str, dict[str, str]]:
    """The short titles of everything that can be chosen in a game, by field and value."""
    return {
        field.name: {option.value: option.label.partition(":")[0] for option in field.options}
        for field in game.setup_fields()
    }

"""What a session leaves behind when it ends by its rules, in the transaction that ends it.

Everybody gets their record, and the campaign that the session belongs to goes on by a mission.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import records
from bot.refusals import Refused
from bot.store import schema as db
from games.kernel.campaign import CampaignView

if TYPE_CHECKING:
    from bot.sessions.model import Table

logger = logging.getLogger(__name__)

NEXT_IS_OPEN = "The next mission of this campaign is open already, so the end of this one stands."
ANOTHER_RUNS = (
    "Somebody of this campaign has begun another one since, so the end of this one stands."
)


async def settle(connection: AsyncConnection, table: Table, now: int) -> str:
    """The table has ended: write what follows from it; a remark for everybody, or `""`.

    Does nothing for a session that was ended by somebody's decision, for a lesson, and nothing twice.
    """
    if not table.over or table.result() is None or table.setup.lesson:
        return ""
    if await _imported(connection, table.id):
        return ""
    await records.keep(connection, table, now)
    return await advance(connection, table, now)


async def unsettle(connection: AsyncConnection, session_id: str, now: int) -> None:
    """The end of a session is taken back, and what followed from it.

    Raises `Refused` when its campaign has gone on since.
    """
    await records.forget(connection, session_id)
    await _retreat(connection, session_id, now)


async def _imported(connection: AsyncConnection, session_id: str) -> bool:
    """Whether a game came here as a file: of such a game there may be any number of copies."""
    wanted = exists().where(db.log.c.session_id == session_id, db.log.c.kind == "import")
    return bool((await connection.execute(select(wanted))).scalar_one())


# --- the campaign ---


@dataclass(frozen=True, slots=True)
class _Advanced:
    progress: dict[str, Any]
    over: bool
    view: CampaignView


async def advance(connection: AsyncConnection, table: Table, now: int) -> str:
    """Count a mission in the campaign that it was opened for; a remark about it, or `""`."""
    campaigns = db.campaigns
    wanted = select(campaigns).where(
        campaigns.c.id == table.setup.campaign,
        campaigns.c.session_id == table.id,
        campaigns.c.status == db.RUNNING,
    )
    row = (await connection.execute(wanted)).one_or_none() if table.setup.campaign else None
    if row is None:
        return ""
    try:
        after = _advanced(table, row)
    except Exception:
        # A game must be able to end; the campaign takes it up when it is looked at next.
        logger.exception("campaign %s: session %s is not counted", row.id, table.id)
        return ""
    if after is None:
        logger.warning("campaign %s: session %s was played otherwise", row.id, table.id)
        return ""
    changed = await connection.execute(
        update(campaigns)
        .where(
            campaigns.c.id == row.id,
            campaigns.c.session_id == table.id,
            campaigns.c.status == db.RUNNING,
        )
        .values(
            progress=msgspec.json.encode(after.progress).decode(),
            played=row.played + 1,
            status=db.ENDED if after.over else db.RUNNING,
            session_id=None,
            last_session_id=table.id,
            before=row.progress,
            updated=now,
        )
    )
    if changed.rowcount != 1:
        return ""
    if row.played == 0:
        await _enrol(connection, row, table)
    if after.over:
        await _running(connection, row.id, running=False)
    return remark(after.view)


def _advanced(table: Table, row: Any) -> _Advanced | None:
    """The campaign after the mission; None when something else was played than it asks for."""
    series = table.game.campaigns()[row.kind]
    progress = msgspec.json.decode(row.progress)
    if series.setup(progress) != msgspec.structs.replace(table.setup, campaign=""):
        return None
    after = series.after(progress, table.state)
    return _Advanced(after, series.setup(after) is None, series.view(after))


def remark(view: CampaignView) -> str:
    """One line about the mission played last and what comes next."""
    played = [stage for stage in view.stages if stage.points is not None]
    if not played:
        return ""
    last = played[-1]
    points = f"{last.points} point" if last.points == 1 else f"{last.points} points"
    total = f"{view.total} of {view.most}" if view.most else str(view.total)
    lead = f"**{view.title}:** {points} for {last.title}, {total} in all."
    if view.next:
        return f"{lead} Next: {view.next}."
    return f"{lead} The campaign is over, with the rating **{view.rating}**."


async def _enrol(connection: AsyncConnection, row: Any, table: Table) -> None:
    """Whoever held a seat in the first mission is a member.

    Somebody who has another running campaign of the kind is left out: they may play along, but their
    own goes on.
    """
    members = db.campaign_members
    place = 1
    for holder in table.seats:
        for user in holder.user_ids:
            there = members.c.campaign_id == row.id, members.c.user_id == user
            known = (await connection.execute(select(members.c.seat).where(*there))).one_or_none()
            if known is not None:
                if not known.seat:
                    await connection.execute(update(members).where(*there).values(seat=holder.seat))
                continue
            if await _has_another(connection, row, user):
                continue
            await connection.execute(
                insert(members).values(
                    campaign_id=row.id,
                    user_id=user,
                    place=place,
                    seat=holder.seat,
                    game=row.game,
                    kind=row.kind,
                    running=True,
                )
            )
            place += 1


async def _has_another(connection: AsyncConnection, row: Any, user: int) -> bool:
    members = db.campaign_members.c
    wanted = select(members.campaign_id).where(
        members.user_id == user,
        members.game == row.game,
        members.kind == row.kind,
        members.running,
        members.campaign_id != row.id,
    )
    return (await connection.execute(wanted)).first() is not None


async def _running(connection: AsyncConnection, campaign_id: str, *, running: bool) -> None:
    members = db.campaign_members
    await connection.execute(
        update(members).where(members.c.campaign_id == campaign_id).values(running=running)
    )


async def _retreat(connection: AsyncConnection, session_id: str, now: int) -> None:
    campaigns, members = db.campaigns, db.campaign_members
    wanted = select(campaigns).where(campaigns.c.last_session_id == session_id)
    row = (await connection.execute(wanted)).one_or_none()
    if row is None or row.status == db.ABANDONED:
        return
    if row.session_id is not None:
        raise Refused(NEXT_IS_OPEN)
    if row.status == db.ENDED:
        held = select(members.c.user_id).where(members.c.campaign_id == row.id)
        for user in (await connection.execute(held)).scalars().all():
            if await _has_another(connection, row, user):
                raise Refused(ANOTHER_RUNS)
        await _running(connection, row.id, running=True)
    if row.played == 1:
        await connection.execute(
            delete(members).where(members.c.campaign_id == row.id, members.c.user_id != row.host_id)
        )
    await connection.execute(
        update(campaigns)
        .where(campaigns.c.id == row.id)
        .values(
            progress=row.before,
            played=row.played - 1,
            status=db.RUNNING,
            session_id=session_id,
            last_session_id=None,
            before=None,
            updated=now,
        )
    )

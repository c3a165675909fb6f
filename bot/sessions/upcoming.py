"""Who is next: a word for those who want one, so that they can think ahead."""

from __future__ import annotations

import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.outbox import Payload
from bot.sessions.habits import habits_of
from bot.sessions.model import SeatHolder, Table


def upcoming(table: Table) -> tuple[str, ...]:
    """The seats that will have to act when those have acted that must now."""
    if table.over or table.lobby or table.state is None:
        return ()
    due = table.due()
    return tuple(seat for seat in table.game.upcoming(table.state) if seat not in due)


def newly_next(before: Table, after: Table) -> tuple[SeatHolder, ...]:
    """The seats that are next since a step, with people who need not act now."""
    was, now = upcoming(before), upcoming(after)
    waited = after.waits_for()
    return tuple(
        holder
        for holder in after.seats
        if holder.seat in now
        and holder.seat not in was
        and holder.stand_in is None
        and any(user not in waited for user in holder.user_ids)
    )


async def tell_next(
    connection: AsyncConnection, nexts: tuple[SeatHolder, ...], payload: Payload
) -> Payload:
    """A post's payload, in which those are mentioned who are next and want to hear of it."""
    if not nexts:
        return payload
    habits = await habits_of(connection, sorted({u for h in nexts for u in h.user_ids}))
    lines, told = [payload.text] if payload.text else [], list(payload.told)
    for holder in nexts:
        users = [user for user in holder.user_ids if habits[user].next_up]
        if users:
            who = " ".join(f"<@{user}>" for user in users)
            lines.append(f"{who}: {holder.title} is next.")
            told += [user for user in users if user not in told]
    return msgspec.structs.replace(payload, text="\n".join(lines), told=tuple(told))

"""Undo: which row may be taken back by its own player, and how that is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import NothingToUndo, NotYourSeat, Unreadable
from bot.sessions.model import Table
from bot.sessions.reading import Loaded, read_state
from bot.sessions.records import ACTION, EVENTS, LogRow, read_log_row
from bot.store import schema as db
from games.kernel.event import seen_by

LONGEST = 300
"""Characters of a description."""


@dataclass(frozen=True, slots=True)
class Undoable:
    """The row that would be taken back, the state before it, and the words for it.

    `private` is for its player, `public` for everybody.
    """

    row: LogRow
    state: Any
    state_hash: str
    packed: bytes
    private: str
    public: str


async def undoable(connection: AsyncConnection, loaded: Loaded, user_id: int) -> Undoable:
    """What this user may take back now.

    Raises `NotYourSeat` for somebody without a seat, `NothingToUndo` with the reason, `Unreadable`
    when the state before it is damaged.
    """
    table = loaded.table
    if not table.seats_of(user_id):
        raise NotYourSeat("You do not play at this table.")
    row = read_log_row(await _row(connection, table.id, loaded.tip))
    if row.kind == "begin":
        raise NothingToUndo("Nothing has been done yet that could be taken back.")
    told = describe(table, row, None)
    if row.user_id != user_id:
        raise NothingToUndo(f"The last action was somebody else’s: {told}")
    if row.binding:
        raise NothingToUndo(
            "The last action brought something to light (dice, a card or a hidden counter), "
            f"so it stands: {told}"
        )
    before = await _row(connection, table.id, row.base)
    if before.state is None:
        raise Unreadable(table.id, f"log row {row.base} has no state")
    state = read_state(table.game, table.id, before.state, before.state_hash)
    return Undoable(
        row=row,
        state=state,
        state_hash=before.state_hash,
        packed=before.state,
        private=describe(table, row, row.seat),
        public=told,
    )


def describe(table: Table, row: LogRow, seat: str | None) -> str:
    """One line that names what a row did, as a seat (None: the public) may hear it.

    Raises `Unreadable` when the row is damaged.
    """
    try:
        events, action = EVENTS.decode(row.events), ACTION.decode(row.action)
    except msgspec.MsgspecError as fault:
        raise Unreadable(table.id, f"log row {row.number}: {fault}") from fault
    text = " ".join(event.text for event in seen_by(events, seat) if event.text)
    if not text:
        verb = table.game.verbs.get(str(action.get("verb")))
        text = f"{verb.label}." if verb is not None else "An action."
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


async def _row(connection: AsyncConnection, session_id: str, number: int) -> Any:
    wanted = select(db.log).where(db.log.c.session_id == session_id, db.log.c.number == number)
    row = (await connection.execute(wanted)).one_or_none()
    if row is None:
        raise Unreadable(session_id, f"log row {number} is missing")
    return row

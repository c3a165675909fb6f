"""Undo: which rows would be taken back, whether somebody must agree to it, and how that is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import NothingToUndo, NotYourSeat, Unreadable
from bot.sessions.model import SeatHolder, Table
from bot.sessions.reading import Loaded, read_state
from bot.sessions.records import ACTION, EVENTS, SALTS, LogRow, digest, pack, read_log_row
from bot.store import schema as db
from bot.texts import cut
from games.kernel.action import read_action
from games.kernel.entropy import CommittedEntropy
from games.kernel.event import seen_by
from games.kernel.play import play

LONGEST = 300
"""Characters of a description."""

MOST_STEPS = 20
"""Actions that are taken back at once."""

PLAYED = ("act", "stand_in")
"""Kinds of rows that are actions of the game."""


@dataclass(frozen=True, slots=True)
class Before:
    """A state to go back to: the row that it belongs to, and how it is stored."""

    row: int
    state: Any
    state_hash: str
    packed: bytes


@dataclass(frozen=True, slots=True)
class Takeback:
    """Actions that would be taken back, the newest first, with the words for them.

    `private` is for the one who asks, `public` for everybody. `why` says why he may not do it by
    himself (empty: he may); `asks` are the seats that must agree then, which are none where nobody
    else plays. `past` is the number of actions among them by which something came to light.
    """

    rows: tuple[LogRow, ...]
    private: tuple[str, ...]
    public: tuple[str, ...]
    why: str
    asks: tuple[SeatHolder, ...]
    past: int

    @property
    def alone(self) -> bool:
        """Whether it can be done without asking anybody."""
        return not self.why or not self.asks


async def takeback(
    connection: AsyncConnection, loaded: Loaded, user_id: int, steps: int = 1
) -> Takeback:
    """What a user would take back with the last actions of the game.

    Raises `NotYourSeat` for somebody without a seat, `NothingToUndo` when there are not so many,
    `Unreadable` when the log is damaged.
    """
    table = loaded.table
    own = table.seats_of(user_id)
    if not own:
        raise NotYourSeat("You do not play at this table.")
    rows: list[LogRow] = []
    number = loaded.tip
    while len(rows) < min(max(1, steps), MOST_STEPS):
        row = read_log_row(await stored_row(connection, table.id, number))
        if row.kind not in PLAYED:
            break
        rows.append(row)
        number = row.base
    if not rows:
        raise NothingToUndo("Nothing has been done yet that could be taken back.")
    if len(rows) < steps:
        most = f"Only {len(rows)} {'action' if len(rows) == 1 else 'actions'} can be taken back"
        where = "at once." if len(rows) == MOST_STEPS else "in this game so far."
        raise NothingToUndo(f"{most} {where}")
    public = tuple(describe(table, row, None) for row in rows)
    return Takeback(
        rows=tuple(rows),
        private=tuple(describe(table, row, row.seat if row.seat in own else None) for row in rows),
        public=public,
        why=_why(table, rows, public, user_id),
        asks=others(table, user_id),
        past=sum(row.binding for row in rows),
    )


def others(table: Table, user_id: int) -> tuple[SeatHolder, ...]:
    """The seats whose people must agree to what a user wants to take back."""
    return tuple(h for h in table.seats if h.users and user_id not in h.user_ids)


def _why(table: Table, rows: list[LogRow], told: tuple[str, ...], user_id: int) -> str:
    """Why somebody may not take these rows back by himself; empty when he may."""
    for place, (row, text) in enumerate(zip(rows, told, strict=True)):
        which = "The last action" if place == 0 else "One of these actions"
        if row.user_id != user_id:
            return f"{which} was somebody else’s: {text}"
        if row.binding:
            return (
                f"{which} brought something to light (dice, a card or a hidden counter), "
                f"so it stands: {text}"
            )
    return "The game is over by this action." if table.over else ""


async def state_before(connection: AsyncConnection, table: Table, row: LogRow) -> Before:
    """The state on which a row was played.

    Of a game that has ended only some states are kept; the others are played again with their keys.
    Raises `Unreadable`.
    """
    wanted = await stored_row(connection, table.id, row.base)
    missing: list[Any] = []
    here = wanted
    while here.state is None:
        if not table.over or here.kind not in PLAYED:
            raise Unreadable(table.id, f"log row {here.number} has no state")
        missing.append(here)
        here = await stored_row(connection, table.id, here.base)
    state = read_state(table.game, table.id, here.state, here.state_hash)
    if not missing:
        return Before(wanted.number, state, wanted.state_hash, wanted.state)
    try:
        for one in reversed(missing):
            key, salts = bytes.fromhex(one.key or ""), SALTS.decode(one.salts or "[]")
            chance = CommittedEntropy(key, table.id, salts, one.key_number or 0)
            action = read_action(ACTION.decode(one.action))
            state = play(table.game, state, one.seat, action, chance).state
    except Exception as fault:
        raise Unreadable(table.id, f"log row {wanted.number} cannot be played: {fault}") from fault
    raw = table.game.encode(state)
    if digest(raw) != wanted.state_hash:
        raise Unreadable(table.id, f"log row {wanted.number} leads to another state now")
    return Before(wanted.number, state, wanted.state_hash, pack(raw))


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
    return cut(text, LONGEST)


async def stored_row(connection: AsyncConnection, session_id: str, number: int) -> Any:
    """A log row as it is stored. Raises `Unreadable` when it is missing."""
    wanted = select(db.log).where(db.log.c.session_id == session_id, db.log.c.number == number)
    row = (await connection.execute(wanted)).one_or_none()
    if row is None:
        raise Unreadable(session_id, f"log row {number} is missing")
    return row

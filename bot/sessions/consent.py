"""Taking back: by oneself where that is free or nobody else plays, else when all others agree."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import (
    Duplicate,
    NotAllowed,
    NothingToUndo,
    NotStarted,
    NotYourSeat,
    Refused,
    Stale,
    TableOver,
    Withdrawn,
)
from bot.sessions.core import Core, calls, handover, with_moments
from bot.sessions.model import Acted, SeatHolder, Table
from bot.sessions.questions import named
from bot.sessions.reading import Loaded
from bot.sessions.records import dumps
from bot.sessions.timers import plan_step
from bot.sessions.undo import Takeback, others, state_before, takeback
from bot.sessions.writing import WITHDRAWN
from bot.store import schema as db
from games.kernel.event import Event, Noted

STRINGS = msgspec.json.Decoder(tuple[str, ...])
NUMBERS = msgspec.json.Decoder(tuple[int, ...])

CHANNEL_TAKEN = (
    "Another game has begun in this channel since, so the end of this one stands. Finish that one "
    "first."
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Somebody wants to take the last actions back. `number` is that of its log row.

    `told` names them, `rows` are their numbers, `agreed` the seats that have agreed. `closed` says
    how it came out (empty: it is open). `message_id` is the notice that asks for consent.
    """

    number: int
    user_id: int
    rows: tuple[int, ...]
    told: tuple[str, ...]
    agreed: tuple[str, ...]
    closed: str
    message_id: int | None

    def missing(self, table: Table) -> tuple[SeatHolder, ...]:
        """The seats that have yet to agree."""
        return tuple(h for h in others(table, self.user_id) if h.seat not in self.agreed)


class TakingBack(Core):
    """Undo, alone and by consent."""

    async def undo_preview(self, session_id: str, user_id: int, steps: int = 1) -> Takeback:
        """What would be taken back, and who must agree. Raises what `undo` raises, but `Stale`."""
        loaded = await self._load(session_id)
        _undoable_table(loaded)
        async with self._store.read() as connection:
            return await takeback(connection, loaded, user_id, steps)

    async def undo(
        self,
        session_id: str,
        user_id: int,
        *,
        expected_version: int | None,
        interaction_id: int,
        steps: int = 1,
    ) -> Acted:
        """Take back the last actions: one's own by which nothing came to light; any where nobody else
        plays.

        Raises what `act` raises (but `Stale` as soon as anything has happened since
        `expected_version`), and `NothingToUndo` with the reason.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            _players_table(loaded, user_id, expected_version)
            async with self._store.read() as connection:
                found = await takeback(connection, loaded, user_id, steps)
            if not found.alone:
                raise NothingToUndo(found.why)
            return await self._take_back(loaded, found, user_id, interaction_id)

    async def propose(
        self,
        session_id: str,
        user_id: int,
        steps: int = 1,
        *,
        expected_version: int | None,
        interaction_id: int,
    ) -> Acted:
        """Ask the others to agree that the last actions are taken back; an older question is withdrawn.

        Raises what `undo` raises, and `NotAllowed` when nobody need be asked.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = _players_table(loaded, user_id, expected_version)
            async with self._store.read() as connection:
                found = await takeback(connection, loaded, user_id, steps)
                if table.over:
                    await _channel_free(connection, table)
            if found.alone:
                raise NotAllowed("Nobody need agree to this: `/table undo` takes it back.")
            name = named(table.seats, user_id)
            events: tuple[Event, ...] = tuple(
                Noted(text=f"{name} asks to take back: {told}") for told in found.public
            )
            row = self._plain_row(loaded, "propose", user_id, interaction_id, events)
            rows = [one.number for one in found.rows]
            row = replace(row, action=dumps({"verb": "propose", "rows": rows}))
            after = replace(table, version=row.number, updated=row.time)
            asked = tuple(dict.fromkeys(user for h in found.asks for user in h.user_ids))
            acted = Acted(after, events, calls=asked)

            async def keep(connection: AsyncConnection) -> None:
                await connection.execute(
                    insert(db.proposals).values(
                        session_id=table.id,
                        number=row.number,
                        user_id=user_id,
                        log_rows=dumps(rows),
                        told=dumps(found.public),
                        agreed="[]",
                    )
                )

            return await self._step(loaded, acted, row, post="ask", question=row.number, also=keep)

    async def consent(
        self, session_id: str, user_id: int, number: int, *, agree: bool, interaction_id: int
    ) -> Acted:
        """Agree to a proposal or refuse it; with the last consent it is taken back.

        Raises `Withdrawn` when it is not open any more, `NotYourSeat` for those who are not asked,
        `NotAllowed` for a consent of those who have given it, and what `undo` raises.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            if loaded.repeated:
                raise Duplicate(session_id)
            table = loaded.table
            async with self._store.read() as connection:
                open_ = await open_proposal(connection, session_id)
                if open_ is None or open_.number != number:
                    raise Withdrawn()
                found = await takeback(connection, loaded, open_.user_id, len(open_.rows))
            if tuple(row.number for row in found.rows) != open_.rows:
                raise Withdrawn()
            own = table.seats_of(user_id)
            if not own:
                raise NotYourSeat("Only those who play at this table are asked.")
            if not agree:
                return await self._refuse(loaded, open_, user_id, interaction_id)
            mine = [holder.seat for holder in open_.missing(table) if holder.seat in own]
            if not mine:
                told = "You asked for it yourself" if user_id == open_.user_id else "You need not"
                told = "You have agreed already" if set(own) & set(open_.agreed) else told
                raise NotAllowed(f"{told}; the others are asked whether they agree.")
            agreed = replace(open_, agreed=(*open_.agreed, *mine))
            lead: tuple[Event, ...] = (
                Noted(text=f"{named(table.seats, user_id)} agrees that it is taken back."),
            )
            if not agreed.missing(table):
                return await self._take_back(loaded, found, user_id, interaction_id, lead)
            row = self._plain_row(loaded, "agree", user_id, interaction_id, lead, mine[0])
            after = replace(table, version=row.number, updated=row.time)

            async def keep(connection: AsyncConnection) -> None:
                columns = db.proposals.c
                here = (columns.session_id == table.id) & (columns.number == open_.number)
                await connection.execute(
                    update(db.proposals).where(here).values(agreed=dumps(agreed.agreed))
                )

            acted = Acted(after, lead)
            return await self._step(
                loaded, acted, row, post="ask", question=open_.number, also=keep, closes=""
            )

    async def _refuse(
        self, loaded: Loaded, open_: Proposal, user_id: int, interaction_id: int
    ) -> Acted:
        table = loaded.table
        name = named(table.seats, user_id)
        told = f"{name} refuses, so nothing is taken back."
        if user_id == open_.user_id:
            told = f"{name} does not want to take anything back any more."
        events: tuple[Event, ...] = (Noted(text=told),)
        row = self._plain_row(
            loaded, "refuse", user_id, interaction_id, events, table.seats_of(user_id)[0]
        )
        asker = () if user_id == open_.user_id else (open_.user_id,)
        acted = Acted(
            replace(table, version=row.number, updated=row.time),
            events,
            calls=asker,
            text="".join(f"<@{user}>: " for user in asker) + told,
        )
        return await self._step(loaded, acted, row, post="notice", closes=told)

    async def _take_back(
        self,
        loaded: Loaded,
        found: Takeback,
        user_id: int,
        interaction_id: int,
        lead: tuple[Event, ...] = (),
    ) -> Acted:
        """Append the row that takes others back. `lead` tells of the consent to it."""
        table, oldest = loaded.table, found.rows[-1]
        async with self._store.read() as connection:
            if table.over:
                await _channel_free(connection, table)
            before = await state_before(connection, table, oldest)
        past = table.takebacks + (1 if found.past else 0)
        told = [Noted(text=f"Taken back: {text}") for text in found.public]
        if found.past:
            told.append(Noted(text=f"Take-backs past a die or card in this game: {past}."))
        events: tuple[Event, ...] = (*lead, *told)
        row = self._plain_row(loaded, "undo", user_id, interaction_id, events)
        row = replace(
            row,
            base=oldest.number,
            seat=found.rows[0].seat,
            action=dumps({"verb": "undo", "rows": [one.number for one in found.rows]}),
            state_hash=before.state_hash,
        )
        after = replace(
            table,
            version=row.number,
            status=db.RUNNING,
            state=before.state,
            takebacks=past,
            updated=row.time,
        )
        after = with_moments(table, after, [holder.seat for holder in table.seats])
        acted = Acted(
            after,
            events,
            binding=bool(lead),  # everybody has waited for it, so it gets a post of its own
            handover=handover(table, after),
            calls=calls(table, after, user_id),
        )
        return await self._step(
            loaded,
            acted,
            row,
            packed=before.packed,
            session={
                "tip": before.row,
                "status": db.RUNNING,
                "state": before.packed,
                "state_hash": before.state_hash,
                "takebacks": past,
            },
            timers=plan_step(table, after, [row.seat], row.time, row.kind),
            closes="All have agreed: it is taken back." if lead else WITHDRAWN,
        )

    async def proposal(self, session_id: str) -> Proposal | None:
        """The question that is open at a table."""
        async with self._store.read() as connection:
            return await open_proposal(connection, session_id)


async def open_proposal(connection: AsyncConnection, session_id: str) -> Proposal | None:
    """The open question of a session."""
    columns = db.proposals.c
    wanted = select(db.proposals).where(columns.session_id == session_id, columns.closed.is_(None))
    row = (await connection.execute(wanted)).one_or_none()
    return None if row is None else read_proposal(row)


def read_proposal(row: Any) -> Proposal:
    """A question from its row."""
    return Proposal(
        number=row.number,
        user_id=row.user_id,
        rows=NUMBERS.decode(row.log_rows),
        told=STRINGS.decode(row.told),
        agreed=STRINGS.decode(row.agreed),
        closed=row.closed or "",
        message_id=row.message_id,
    )


def _undoable_table(loaded: Loaded) -> Table:
    """The table, if its game has begun and was not ended by decision.

    Raises `Duplicate`, `TableOver`, `NotStarted`.
    """
    if loaded.repeated:
        raise Duplicate(loaded.table.id)
    if loaded.table.lobby:
        raise NotStarted(loaded.table)
    if loaded.table.over and loaded.table.result() is None:
        raise TableOver(loaded.table)
    return loaded.table


def _players_table(loaded: Loaded, user_id: int, expected_version: int | None) -> Table:
    """The table, if somebody who plays there may take something back as he saw it.

    Raises what `_undoable_table` raises, `NotYourSeat`, `Stale`.
    """
    table = _undoable_table(loaded)
    if not table.seats_of(user_id):
        raise NotYourSeat("You do not play at this table.")
    if expected_version not in (None, table.version):
        raise Stale(table)
    return table


async def _channel_free(connection: AsyncConnection, table: Table) -> None:
    """Raise `Refused` when another game goes on where an ended one would have to go on."""
    columns = db.sessions.c
    wanted = select(columns.id).where(
        columns.channel_id == table.channel_id,
        columns.status != db.ENDED,
        columns.id != table.id,
    )
    if (await connection.execute(wanted.limit(1))).first() is not None:
        raise Refused(CHANNEL_TAKEN)

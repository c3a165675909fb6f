"""The questions of a table for whoever shows them: what is asked, and what is settled."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from sqlalchemy import delete, select

from bot.sessions.consent import Proposal, open_proposal, read_proposal
from bot.sessions.core import Core
from bot.sessions.questions import Question, open_questions, question_of, readable
from bot.store import schema as db

Asked: TypeAlias = Proposal | Question


class Asking(Core):
    """Questions about an undo, offers of seats, votes."""

    async def asked(self, session_id: str, number: int) -> Asked | None:
        """The question of that number, if it is open."""
        async with self._store.read() as connection:
            proposal = await open_proposal(connection, session_id)
            if proposal is not None and proposal.number == number:
                return proposal
            one = await question_of(connection, session_id, number)
            return one if one is not None and not one.closed else None

    async def questions(self, session_id: str) -> list[Question]:
        """The offers and votes that are open at a table."""
        async with self._store.read() as connection:
            return await open_questions(connection, session_id)

    async def settled(self, session_id: str) -> list[Asked]:
        """Questions that are settled, but whose notice may still have its buttons."""
        found: list[Asked] = []
        async with self._store.read() as connection:
            for table in (db.proposals, db.votes):
                columns = table.c
                wanted = select(table).where(
                    columns.session_id == session_id, columns.closed.is_not(None)
                )
                rows = (await connection.execute(wanted.order_by(columns.number))).all()
                found += (
                    readable(rows) if table is db.votes else [read_proposal(row) for row in rows]
                )
        return found

    async def forget(self, session_id: str, numbers: Iterable[int]) -> None:
        """Their notices are put right, so nothing more is to be done about them."""
        gone = tuple(numbers)
        async with self._store.write() as connection:
            for table in (db.proposals, db.votes):
                columns = table.c
                settled = columns.number.in_(gone) & columns.closed.is_not(None)
                await connection.execute(
                    delete(table).where(columns.session_id == session_id, settled)
                )

"""Guided games: where the lesson stands at a table, what is said about a step, and the row it is kept in.

A session whose set-up names a lesson is one. Its row in `tutorials` is written in the transaction of each
step and dropped when somebody ends it; an imported game has none, so nobody is taught there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.sessions.model import Acted, LogEntry, Table
from bot.store import schema as db
from games.kernel import lesson as teaching
from games.kernel.lesson import Lesson, Said

PLAYED = ("act", "stand_in")
MOST_ROWS = 1_000
"""Log rows that are looked at for what is known already."""


def lesson_of(table: Table) -> Lesson[Any] | None:
    """The lesson that is taught at a table; None where none is, or not any more."""
    if table.lesson_step is None or table.game is None:  # pyright: ignore[reportUnnecessaryComparison]
        return None
    return table.game.lessons().get(table.setup.lesson)


def said(table: Table, *, private: bool = True) -> Said | None:
    """What the coach says at a table now: to the learner alone, or for all to read."""
    lesson = lesson_of(table)
    if lesson is None or table.over or table.lesson_step is None:
        return None
    return teaching.now(lesson, table.game, table.state, table.lesson_step, private=private)


def taught(acted: Acted, before: Table, log: Sequence[LogEntry], verb: str) -> Acted:
    """What a step of the game becomes in a lesson: the table at its new place, a remark about the step.

    `log` are the rows before it.
    """
    lesson, step = lesson_of(before), before.lesson_step
    if lesson is None or step is None:
        return acted
    happened = [*done_in(lesson, log), (verb, lesson.signs(acted.events))]
    then, lines = teaching.follow(lesson, before.game, step, before.state, happened)
    if acted.table.over:
        lines = (*lines, lesson.script.farewell)
    text = "\n".join([*([acted.text] if acted.text else []), *lines])
    return replace(acted, table=replace(acted.table, lesson_step=then), text=text)


def done_in(lesson: Lesson[Any], log: Sequence[LogEntry]) -> list[tuple[str, tuple[str, ...]]]:
    """Verb and signs of every action in a log, also of those that were taken back."""
    return [
        (str(row.action.get("verb", "")), lesson.signs(row.events))
        for row in log
        if row.kind in PLAYED
    ]


# --- rows ---


async def step_of(connection: AsyncConnection, session_id: str) -> int | None:
    """How far somebody has come in a session's lesson; None when nobody is taught there."""
    columns = db.tutorials.c
    wanted = select(columns.step).where(columns.session_id == session_id)
    return (await connection.execute(wanted)).scalar_one_or_none()


async def keep_step(connection: AsyncConnection, table: Table, kind: str) -> None:
    """Write where the lesson stands after a log row of that kind; it is dropped when somebody ends it."""
    mine = db.tutorials.c.session_id == table.id
    if kind == "end":  # also of a session that cannot be read
        await connection.execute(delete(db.tutorials).where(mine))
    elif table.lesson_step is not None:
        await connection.execute(update(db.tutorials).where(mine).values(step=table.lesson_step))

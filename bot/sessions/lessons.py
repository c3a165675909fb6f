"""Guided games: opening one, finding it again, passing a step over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.outbox import Payload, put
from bot.refusals import NotAllowed, Refused, TableOver
from bot.sessions.core import going
from bot.sessions.model import Acted, Table
from bot.sessions.opening import Ready
from bot.sessions.playing import Playing
from bot.sessions.reading import load
from bot.sessions.taught import MOST_ROWS, done_in, keep_step, lesson_of
from bot.store import schema as db
from games.kernel import lesson as teaching
from games.kernel.game import Game
from games.kernel.lesson import Lesson


class LessonRuns(Refused):
    """The user has a guided game going on already."""

    def __init__(self) -> None:
        super().__init__("Your tutorial is going on already. `/tutorial` shows the way to it.")


@dataclass(frozen=True, slots=True)
class Guided:
    """Somebody's guided game that goes on, as far as it is needed to find it."""

    session_id: str
    guild_id: int | None
    channel_id: int
    panel_message_id: int | None


def ready_for(lesson: Lesson[Any], user_id: int, user_name: str) -> Ready:
    """What a guided game is opened with; it is refused while the user has another one."""
    return Ready(
        lesson.setup,
        ((lesson.script.seat, user_id, user_name),),
        _enrolling(lesson.slug, user_id),
    )


def _enrolling(slug: str, user_id: int) -> Callable[[AsyncConnection, str], Awaitable[None]]:
    async def enrol(connection: AsyncConnection, session_id: str) -> None:
        if await _running(connection, user_id) is not None:
            raise LessonRuns()
        await connection.execute(
            insert(db.tutorials).values(session_id=session_id, user_id=user_id, lesson=slug, step=0)
        )

    return enrol


async def _learner(connection: AsyncConnection, session_id: str) -> int | None:
    columns = db.tutorials.c
    wanted = select(columns.user_id).where(columns.session_id == session_id)
    return (await connection.execute(wanted)).scalar_one_or_none()


async def _running(connection: AsyncConnection, user_id: int) -> Guided | None:
    sessions, lessons = db.sessions.c, db.tutorials.c
    wanted = (
        select(sessions.id, sessions.guild_id, sessions.channel_id, sessions.panel_message_id)
        .join(db.tutorials, lessons.session_id == sessions.id)
        .where(lessons.user_id == user_id, sessions.status != db.ENDED)
        .order_by(sessions.created.desc(), sessions.id)
        .limit(1)
    )
    row = (await connection.execute(wanted)).one_or_none()
    return (
        None if row is None else Guided(row.id, row.guild_id, row.channel_id, row.panel_message_id)
    )


class Lessons(Playing):
    """Finding a guided game, and passing a step over."""

    def lesson(self, slug: str) -> tuple[Game[Any], Lesson[Any]] | None:
        """A game with its first lesson; None when it has none. Raises `GameUnavailable`."""
        game = self.registry.newest(slug)
        first = next(iter(game.lessons().values()), None)
        return None if first is None else (game, first)

    async def guided(self, user_id: int) -> Guided | None:
        """The guided game of a user that goes on."""
        async with self._store.read() as connection:
            return await _running(connection, user_id)

    async def taught_to(self, session_id: str, user_id: int) -> Table:
        """A guided game, for the one who is taught there or hosts it.

        Raises `NotAllowed` for everybody else, `NoSuchTable`, `Unreadable`.
        """
        table = await self.get(session_id)
        async with self._store.read() as connection:
            only_learner(table, await _learner(connection, session_id), user_id)
        return table

    async def end_lesson(self, session_id: str, user_id: int, interaction_id: int | None) -> Acted:
        """End a guided game at its player's wish; it works for one that cannot be read, too.

        Raises `NotAllowed` for everybody else, `TableOver`, `Duplicate`.
        """
        async with self._locks(session_id):
            async with self._store.read() as connection:
                loaded = await load(
                    connection, self.registry, session_id, interaction_id, stateless=True
                )
                learner = await _learner(connection, session_id)
            only_learner(going(loaded), learner, user_id)
            return await self._close(loaded, user_id, interaction_id, "The tutorial has ended.")

    async def skip_step(self, session_id: str, user_id: int, step: int) -> bool:
        """Pass a step over and have the panel posted anew; False when it is passed already.

        Raises `NotAllowed` for everybody but the learner, `TableOver`.
        """
        async with self._locks(session_id):
            table = await self.taught_to(session_id, user_id)
            lesson = lesson_of(table)
            if table.over or lesson is None:
                raise TableOver(table)
            if table.lesson_step != step or step >= lesson.last:
                return False
            log = await self.history(session_id, limit=MOST_ROWS)
            done = [name for verb, signs in done_in(lesson, log) for name in (verb, *signs)]
            then = teaching.after(lesson, step + 1, done)
            async with self._store.write() as connection:
                await keep_step(connection, replace(table, lesson_step=then), "skip")
                await put(
                    connection,
                    session_id,
                    table.version,
                    "panel",
                    Payload("repost"),
                    self._clock(),
                )
            self.wake(session_id)
            return True


def only_learner(table: Table, learner: int | None, user_id: int) -> None:
    """Raise `NotAllowed` for everybody but the one who is taught, and the table's host."""
    if user_id not in (learner, table.host_id):
        whose = (
            f"<@{learner or table.host_id}>’s" if learner or table.host_id else "somebody else’s"
        )
        raise NotAllowed(f"This is {whose} tutorial. `/tutorial` begins one of your own.")

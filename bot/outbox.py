"""What Discord has yet to hear: rows that were saved with the action, delivered in order.

A row is written in the transaction of the action itself and marked when it has been posted, so a
process that is killed at any point posts what is missing when it comes back. Between post and mark a
row may be posted again; it then carries the same nonce, and Discord shows it once.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec
from sqlalchemy import case, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import Refused, StoreBusy, StoreFull
from bot.store import Store
from bot.store import schema as db
from games.kernel.event import Event

logger = logging.getLogger(__name__)

BOARDS = ("panel", "ended")
"""Kinds that show the table as it stands, so that a newer one makes an older one superfluous."""

OPENING = ("begin", "lobby")
"""What a merged board tells of, if one of those merged does: they come with the seal of the dice."""

SHORTEST, LONGEST = 1.0, 300.0
"""Seconds before a retry when Discord is unavailable: the first, and the most."""

SLOW = 300.0
"""Seconds before a retry when the bot lacks a permission, or has a fault of its own: the first."""

SLOWEST = 6 * 3_600.0
"""Seconds between such retries at last. Discord bans who is refused again and again."""

UNAVAILABLE = "Your action is saved. Discord does not take the board now; the bot keeps trying."
LATE = "Your action is saved. The database is busy, so the board comes a little later."
FAULTY = "Your action is saved. The board could not be posted; the bot tries again later."
GOING_DOWN = "Your action is saved. The bot is going down; it posts the board when it is back."

KEPT = 7 * 86_400
"""Seconds for which delivered rows are kept."""


class Payload(msgspec.Struct, frozen=True):
    """What a post tells, besides the table itself.

    `what` is the kind of log row behind it (see `bot.sessions.model.LogEntry`) or `notice`.
    `binding`: dice or a reveal are in it; `handover`: other seats must act than before; a post with
    neither may be edited into the message before it. `text` is a remark. Of `mentions` those are
    mentioned who must still act when it is posted (in a notice: all), of `told` everybody. `question`
    is the log row of the question that a post of the kind `ask` asks.
    """

    what: str
    events: tuple[Event, ...] = ()
    user_id: int = 0
    seat: str = ""
    binding: bool = False
    handover: bool = False
    text: str = ""
    mentions: tuple[int, ...] = ()
    told: tuple[int, ...] = ()
    question: int = 0


DAMAGED = Payload(
    "repost", text="-# Part of what happened could not be posted. `/table log` shows all of it."
)
"""Stands for what a damaged row should have told."""


@dataclass(frozen=True, slots=True)
class Post:
    """One thing to deliver. `nonce` is the same whenever this post is tried again."""

    id: int
    session_id: str
    version: int
    kind: str
    payload: Payload
    nonce: str
    attempts: int

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened since the last post of this session, with audiences."""
        return self.payload.events


@dataclass(frozen=True, slots=True)
class Delivered:
    """A post is out, as this message (0: there was nothing left to be posted)."""

    message_id: int


class PosterGone(Exception):
    """The channel (or thread, or server) does not exist any more; posting is given up."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class PosterForbidden(Exception):
    """The bot lacks a permission there; the post waits until somebody has granted it."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class PosterUnavailable(Exception):
    """Discord does not answer, or with a fault of its own; the post is tried again.

    `retry_after` is what Discord asked for, in seconds. `maybe_sent=False` says that the post has
    certainly not appeared, so that it may be merged with later ones.
    """

    def __init__(self, retry_after: float | None = None, *, maybe_sent: bool = True) -> None:
        super().__init__("Discord is not available")
        self.retry_after = retry_after
        self.maybe_sent = maybe_sent


class Poster(Protocol):
    """Whoever can put a post in front of the players."""

    async def deliver(self, post: Post) -> Delivered:
        """Post it, or edit it into the panel. Raises the three `Poster…` exceptions above."""
        ...


async def put(
    connection: AsyncConnection,
    session_id: str,
    version: int,
    kind: str,
    payload: Payload,
    now: int,
) -> None:
    """Write a row inside the caller's transaction; `Outbox.wake` must follow the commit."""
    await connection.execute(
        insert(db.outbox).values(
            session_id=session_id,
            version=version,
            kind=kind,
            payload=msgspec.json.encode(payload).decode(),
            nonce=secrets.token_hex(12),
            due=now,
            created=now,
        )
    )


@dataclass(frozen=True, slots=True)
class _Hold:
    """Why a session's line does not move: a sentence for the actor, seconds until the next try
    (None: it is given up)."""

    sentence: str
    delay: float | None


@dataclass(slots=True)
class _Line:
    """One session's posts: who delivers, who waits, what is known of the oldest row."""

    drain: asyncio.Task[None] | None = None
    retry: asyncio.Task[None] | None = None
    again: bool = False
    waiters: list[asyncio.Future[str]] = field(default_factory=list[asyncio.Future[str]])
    maybe_sent: int = 0
    unmarked: tuple[Post, Delivered] | None = None
    attempts: int = 0
    refusals: int = 0


class Outbox:
    """Delivers every session's posts in order, several sessions at once.

    There is no standing task: `wake` starts one when there is something to deliver. `start` must be
    called once, before the first `wake`.
    """

    def __init__(
        self,
        store: Store,
        poster: Poster,
        *,
        clock: Callable[[], int],
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
        at_once: int = 16,
    ) -> None:
        self._store = store
        self._poster = poster
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._slots = asyncio.Semaphore(at_once)
        self._lines: dict[str, _Line] = {}
        self._stopped = False

    async def start(self) -> None:
        """Take up what an earlier process left undelivered, and forget what is long delivered."""
        async with self._store.write() as connection:
            await connection.execute(
                delete(db.outbox).where(db.outbox.c.done < self._clock() - KEPT)
            )
        oldest = select(db.outbox.c.session_id, func.min(db.outbox.c.id).label("id"))
        oldest = oldest.where(db.outbox.c.done.is_(None)).group_by(db.outbox.c.session_id)
        async with self._store.read() as connection:
            rows = (await connection.execute(oldest)).all()
        for row in rows:
            # Only the oldest can have been posted without being marked.
            self._line(row.session_id).maybe_sent = row.id
            self.wake(row.session_id)

    async def stop(self, grace: float = 5.0) -> None:
        """Stop delivering; posts on their way get `grace` seconds. What is left waits in its rows."""
        self._stopped = True
        for line in self._lines.values():
            if line.retry is not None:
                line.retry.cancel()
        running = [line.drain for line in self._lines.values() if line.drain is not None]
        if running:
            _, late = await asyncio.wait(running, timeout=grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def wake(self, session_id: str) -> None:
        """There is something new to deliver for this session; a wait for a retry is cut short."""
        if self._stopped:
            return
        line = self._line(session_id)
        if line.retry is not None:
            line.retry.cancel()
            line.retry = None
        line.again = True
        if line.drain is None:
            line.drain = asyncio.create_task(
                self._drain(session_id, line), name=f"outbox {session_id}"
            )

    async def flush(self, session_id: str) -> str:
        """Wait until this session's posts are out: `""`, or the sentence that says what hinders it."""
        if self._stopped:
            return GOING_DOWN
        line = self._line(session_id)
        if line.drain is None:
            self.wake(session_id)
        waiter: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        line.waiters.append(waiter)
        return await waiter

    async def idle(self) -> None:
        """Wait until every session's posts are out or wait for a retry."""
        while running := [line.drain for line in self._lines.values() if line.drain is not None]:
            await asyncio.wait(running)

    def _line(self, session_id: str) -> _Line:
        return self._lines.setdefault(session_id, _Line())

    async def _drain(self, session_id: str, line: _Line) -> None:
        hold: _Hold | None = None
        try:
            while line.again and not self._stopped:
                line.again = False
                try:
                    hold = await self._deliver_all(session_id, line)
                except (StoreBusy, StoreFull):
                    late = "" if line.unmarked is not None else LATE
                    hold = _Hold(late, self._backed_off(line))
                except Exception:
                    logger.exception("outbox of session %s", session_id)
                    hold = _Hold(FAULTY, self._refused(line))
        except asyncio.CancelledError:
            hold = _Hold(GOING_DOWN, None)
            raise
        finally:
            self._rest(session_id, line, hold)

    def _rest(self, session_id: str, line: _Line, hold: _Hold | None) -> None:
        """A line has come to rest: plan its retry, and tell those who wait for it."""
        line.drain = None
        if hold is None or hold.delay is None:
            del self._lines[session_id]
        elif not self._stopped:
            line.retry = asyncio.create_task(self._later(session_id, line, hold.delay))
        for waiter in line.waiters:
            if not waiter.done():
                waiter.set_result(hold.sentence if hold is not None else "")
        line.waiters.clear()

    async def _later(self, session_id: str, line: _Line, delay: float) -> None:
        await self._sleep(delay)
        line.retry = None
        self.wake(session_id)

    def _backed_off(self, line: _Line, asked: float | None = None) -> float:
        """Twice as long each time, a random part of it, never shorter than was asked."""
        line.attempts += 1
        longest = min(LONGEST, SHORTEST * 2.0 ** min(line.attempts - 1, 16))
        return max(asked or 0.0, longest * (0.5 + self._jitter() / 2))

    @staticmethod
    def _refused(line: _Line) -> float:
        """Twice as long each time: it takes a person to put that right."""
        line.refusals += 1
        return min(SLOWEST, SLOW * 2.0 ** min(line.refusals - 1, 16))

    async def _deliver_all(self, session_id: str, line: _Line) -> _Hold | None:
        """Deliver until nothing is left; what stopped it otherwise."""
        if line.unmarked is not None:
            await self._mark(line, *line.unmarked)
        while (post := await self._next(session_id, line)) is not None:
            try:
                async with self._slots:
                    delivered = await self._poster.deliver(post)
            except PosterGone as gone:
                await self._give_up(session_id, gone.sentence)
                return _Hold(gone.sentence, None)
            except PosterForbidden as refused:
                delay = self._refused(line)
                await self._note_fault(post, refused.sentence, delay)
                return _Hold(refused.sentence, delay)
            except PosterUnavailable as fault:
                if fault.maybe_sent:
                    line.maybe_sent = post.id
                delay = self._backed_off(line, fault.retry_after)
                await self._note_fault(post, "unavailable", delay)
                return _Hold(UNAVAILABLE, delay)
            except Exception:
                line.maybe_sent = post.id
                raise
            line.unmarked = post, delivered
            line.attempts = line.refusals = 0
            await self._mark(line, post, delivered)
        return None

    async def _next(self, session_id: str, line: _Line) -> Post | None:
        """The next post: the oldest row, with later boards folded into it where that is safe."""
        undone = select(db.outbox).where(
            db.outbox.c.session_id == session_id, db.outbox.c.done.is_(None)
        )
        async with self._store.read() as connection:
            rows = (await connection.execute(undone.order_by(db.outbox.c.id))).all()
        if not rows:
            return None
        posts = [_read(row) for row in rows]
        first = posts[0]
        if first.id == line.maybe_sent or first.kind not in BOARDS:
            return first
        boards = [first]
        for post in posts[1:]:
            if post.kind not in BOARDS:
                break
            boards.append(post)
        return first if len(boards) == 1 else await self._fold(boards)

    async def _fold(self, boards: Sequence[Post]) -> Post:
        """Merge boards that nobody has seen into the oldest row, for good, before it is posted."""
        first, last = boards[0], boards[-1]
        told = [post.payload.what for post in boards]
        payload = Payload(
            what=next((what for what in OPENING if what in told), last.payload.what),
            events=tuple(event for post in boards for event in post.events),
            user_id=last.payload.user_id,
            seat=last.payload.seat,
            binding=any(post.payload.binding for post in boards),
            handover=any(post.payload.handover for post in boards),
            text="\n".join(post.payload.text for post in boards if post.payload.text),
            mentions=_each_once(user for post in boards for user in post.payload.mentions),
            told=_each_once(user for post in boards for user in post.payload.told),
        )
        kind = "ended" if any(post.kind == "ended" for post in boards) else "panel"
        table = db.outbox
        async with self._store.write() as connection:
            await connection.execute(
                update(table)
                .where(table.c.id == first.id)
                .values(
                    version=last.version,
                    kind=kind,
                    payload=msgspec.json.encode(payload).decode(),
                )
            )
            await connection.execute(
                update(table)
                .where(table.c.id.in_([post.id for post in boards[1:]]))
                .values(done=self._clock(), fault=f"merged into {first.id}")
            )
        return Post(
            first.id, first.session_id, last.version, kind, payload, first.nonce, first.attempts
        )

    async def _mark(self, line: _Line, post: Post, delivered: Delivered) -> None:
        """Note that a post is out; for a board, also that it is the session's panel now."""
        async with self._store.write() as connection:
            await connection.execute(
                update(db.outbox)
                .where(db.outbox.c.id == post.id)
                .values(done=self._clock(), attempts=post.attempts + 1, fault=None)
            )
            if post.kind in BOARDS:
                await connection.execute(
                    update(db.sessions)
                    .where(db.sessions.c.id == post.session_id)
                    .values(
                        panel_message_id=delivered.message_id,
                        panel_version=post.version,
                        trouble=case((db.sessions.c.status == db.PAUSED, db.sessions.c.trouble)),
                    )
                )
            if post.kind == "ask" and delivered.message_id:
                for table in (db.proposals, db.votes):  # one of them has the row of that number
                    mine = table.c.session_id == post.session_id
                    await connection.execute(
                        update(table)
                        .where(mine, table.c.number == post.payload.question)
                        .values(message_id=delivered.message_id)
                    )
        line.unmarked = None

    async def _note_fault(self, post: Post, fault: str, delay: float) -> None:
        """Keep why and until when a row waits. Not vital: the row is undone in any case."""
        try:
            async with self._store.write() as connection:
                await connection.execute(
                    update(db.outbox)
                    .where(db.outbox.c.id == post.id)
                    .values(attempts=post.attempts + 1, fault=fault, due=self._clock() + int(delay))
                )
        except Refused:
            logger.warning("outbox of session %s: the fault could not be noted", post.session_id)

    async def _give_up(self, session_id: str, sentence: str) -> None:
        """Nobody can hear it any more: the rows are done with, the session stays."""
        async with self._store.write() as connection:
            await connection.execute(
                update(db.outbox)
                .where(db.outbox.c.session_id == session_id, db.outbox.c.done.is_(None))
                .values(done=self._clock(), fault=sentence)
            )
            await connection.execute(
                update(db.sessions)
                .where(db.sessions.c.id == session_id, db.sessions.c.status != db.PAUSED)
                .values(panel_message_id=None, panel_version=None, trouble=sentence)
            )
        logger.info("session %s: %s", session_id, sentence)


def _each_once(users: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(users))


def _read(row: Any) -> Post:
    try:
        payload = msgspec.json.decode(row.payload, type=Payload)
    except msgspec.MsgspecError as fault:
        logger.error("outbox row %d is damaged: %s", row.id, fault)
        payload = DAMAGED
    return Post(
        id=row.id,
        session_id=row.session_id,
        version=row.version,
        kind=row.kind,
        payload=payload,
        nonce=row.nonce,
        attempts=row.attempts,
    )

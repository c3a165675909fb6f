"""SQLite connections that do what is quick at once, and only what may wait in a thread.

aiosqlite sends every call through the connection's own thread: a transaction of four statements is
a dozen trips there and back, some 100 µs each, for statements that take 10 µs. Reading a few rows and
changing a few (which goes to memory until the commit) need no thread; waiting for a lock and
writing to disk do.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, cast

import aiosqlite
from sqlalchemy.engine import URL

_AT_ONCE = ("SELECT", "INSERT", "UPDATE", "DELETE")
"""Statements that wait for nobody: reading never does in a write-ahead log, and a transaction
that writes has waited for the lock when it began."""

_STILL = "BEGIN"
"""Begins a transaction that only reads; `BEGIN IMMEDIATE` may wait."""

_WRITING = ("commit", "close", "backup")
"""What a connection itself does that writes to disk, or reads all of it."""


class QuickConnection(aiosqlite.Connection):
    """An aiosqlite connection that executes quick calls in the caller's thread.

    Calls never overlap: while one is in the connection's thread (a cancelled task does not take it
    back), the next one queues behind it.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True  # as SQLAlchemy has it: an exit does not wait for it
        self._sent = self._done = 0

    def stop(self) -> asyncio.Future[None] | None:
        """End the thread, closing the connection; what is returned is done when that has happened.

        aiosqlite stops connections that failed to open, or that nobody closed, without waiting for it;
        the event loop may be closed before the thread is done.
        """
        self._running = False
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        future = loop.create_future() if loop is not None else None

        def end() -> Any:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            if loop is not None and future is not None:
                with suppress(RuntimeError):  # the loop is closed, so nobody waits
                    loop.call_soon_threadsafe(_done, future)
            return aiosqlite.core._STOP_RUNNING_SENTINEL  # pyright: ignore[reportPrivateUsage]

        queue = cast("SimpleQueue[Any]", self._tx)  # pyright: ignore[reportUnknownMemberType]
        queue.put_nowait((None, end))
        return future

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if self._sent == self._done and self._connection is not None and _quick(fn, args):
            return fn(*args, **kwargs)
        self._sent += 1

        def work() -> Any:
            try:
                return fn(*args, **kwargs)
            finally:
                self._done += 1

        try:
            return await super()._execute(work)  # pyright: ignore[reportUnknownMemberType]
        except ValueError:
            if not self._running or self._connection is None:
                self._done = self._sent  # it was refused, not sent
            raise


def _quick(call: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    name, owner = getattr(call, "__name__", ""), getattr(call, "__self__", None)
    if name not in ("execute", "executemany"):
        return isinstance(owner, sqlite3.Cursor) or name not in _WRITING
    statement = str(args[0]).lstrip()
    return statement.startswith(_AT_ONCE) or statement == _STILL


def _done(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _open(*arguments: Any, **settings: Any) -> sqlite3.Connection:
    return sqlite3.connect(*arguments, **settings)


def connecting(url: URL, **options: Any) -> Callable[[], Awaitable[aiosqlite.Connection]]:
    """What opens connections to that SQLite database, for SQLAlchemy's `async_creator`."""
    arguments, given = url.get_dialect()().create_connect_args(url)
    settings: dict[str, Any] = {**given, **options, "check_same_thread": False}

    async def connect() -> aiosqlite.Connection:
        return await QuickConnection(partial(_open, *arguments, **settings))

    return connect

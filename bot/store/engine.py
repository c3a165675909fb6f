"""Opening the database and taking connections from it, for reading and for writing."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.refusals import StoreGone, StoreUnusable
from bot.store.backup import backup
from bot.store.faults import as_refusals
from bot.store.migrate import migrate
from bot.store.quick import connecting

logger = logging.getLogger(__name__)

BUSY_MS = 5_000
"""How long a write waits for another process that holds the database."""


def read_url(address: str) -> URL:
    """A database address, with the driver we use filled in.

    Raises `ValueError` with a sentence for an address of another kind.
    """
    try:
        url = make_url(address)
    except ArgumentError:
        raise ValueError(
            "DATABASE_URL must look like sqlite+aiosqlite:///fieldpost.db "
            "or postgresql+asyncpg://user:password@host/fieldpost."
        ) from None
    drivers = {
        "sqlite": "sqlite+aiosqlite",
        "postgres": "postgresql+asyncpg",
        "postgresql": "postgresql+asyncpg",
    }
    url = url.set(drivername=drivers.get(url.drivername, url.drivername))
    if url.drivername not in drivers.values():
        raise ValueError(
            f"DATABASE_URL names “{url.drivername}”, but only sqlite+aiosqlite and "
            "postgresql+asyncpg are supported."
        )
    return url


class Store:
    """An open database whose tables are up to date.

    `read()` and `write()` give connections inside a transaction; what is written counts when the
    block ends without an exception. Both raise `StoreBusy` and `StoreFull` (`bot.refusals`), after
    which nothing of the block has happened.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        self._sqlite = engine.dialect.name == "sqlite"
        self._writing = engine.execution_options(fieldpost_write=True)
        # One process takes turns in fair order here; SQLite's own waiting is neither quick nor fair.
        self._turn: asyncio.Lock | None = asyncio.Lock() if self._sqlite else None
        self._file: tuple[str, tuple[int, int]] | None = None

    @classmethod
    async def open(cls, address: str, *, busy_ms: int = BUSY_MS) -> Store:
        """Open the database, create it if it is missing, and bring its tables up to date.

        Raises `StoreUnusable` with a sentence when that cannot be done, `ValueError` for an address
        that is none of ours.
        """
        url = read_url(address)
        shown = url.render_as_string(hide_password=True)
        store = cls(_engine(url, busy_ms))
        try:
            async with store._writing.begin() as connection:
                await connection.run_sync(migrate)
        except StoreUnusable:
            await store.close()
            raise
        except (DBAPIError, OSError) as fault:
            await store.close()
            reason = str(getattr(fault, "orig", fault)).strip().splitlines()[0]
            raise StoreUnusable(f"The database {shown} cannot be opened: {reason}.") from fault
        store._file = _file_of(url)
        return store

    async def close(self) -> None:
        """Close all connections. In SQLite this also folds the write-ahead log into the file."""
        await self.engine.dispose()

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[AsyncConnection]:
        """A connection that sees one consistent moment of the database."""
        self._still_there()
        with as_refusals():
            async with self.engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[AsyncConnection]:
        """A connection whose changes are committed, durably, when the block ends normally."""
        self._still_there()
        with as_refusals():
            async with self._turn or nullcontext(), self._writing.begin() as connection:
                yield connection

    def _still_there(self) -> None:
        """Raise `StoreGone` when the file is another one: connections would go on with the old one,
        which nobody finds again, and new ones would begin an empty one."""
        if self._file is None:
            return
        path, identity = self._file
        try:
            same = _identity(path) == identity
        except OSError:
            same = False
        if not same:
            logger.critical("the database file %s was removed or replaced", path)
            raise StoreGone()

    async def check(self) -> None:
        """Raise `StoreBusy` or `StoreFull` if the database cannot be written now."""
        async with self.write() as connection:
            await connection.execute(text("UPDATE meta SET value = value WHERE key = ''"))

    async def backup(self, path: Path) -> None:
        """Write a consistent copy to a new file while everything goes on.

        Raises `Refused` with a sentence when the file exists, cannot be written, or the database is
        not SQLite.
        """
        await backup(self.engine.url, path)


def _file_of(url: URL) -> tuple[str, tuple[int, int]] | None:
    """The file of a SQLite database and its identity; None when it is in no file."""
    path = url.database or ""
    if url.get_backend_name() != "sqlite" or not os.path.isfile(path):
        return None
    return os.path.abspath(path), _identity(path)


def _identity(path: str) -> tuple[int, int]:
    """What tells a file from any other, whatever their names."""
    found = os.stat(path)
    return found.st_dev, found.st_ino


def _engine(url: URL, busy_ms: int) -> AsyncEngine:
    if url.get_backend_name() != "sqlite":
        return create_async_engine(url, pool_pre_ping=True)
    engine = create_async_engine(url, async_creator=connecting(url, timeout=busy_ms / 1000))

    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver must not begin transactions: we do
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={busy_ms}",
            "cache_size=-4096",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    def begin(connection: Connection) -> None:
        write = connection.get_execution_options().get("fieldpost_write")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    event.listen(engine.sync_engine, "connect", prepare)
    event.listen(engine.sync_engine, "begin", begin)
    return engine

"""What runs at once on a SQLite connection, and what in its thread."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
import threading
import warnings
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy.engine import make_url

from bot.store.quick import connecting


@pytest.fixture
async def connection(tmp_path: Path) -> AsyncIterator[aiosqlite.Connection]:
    opened = await connecting(make_url(f"sqlite+aiosqlite:///{tmp_path}/quick.db"), timeout=5)()
    await opened.execute("PRAGMA journal_mode=WAL")
    await opened.execute("CREATE TABLE t (n INTEGER)")
    await opened.commit()
    yield opened
    await opened.close()


async def thread_of(connection: aiosqlite.Connection, statement: str) -> threading.Thread:
    found: list[threading.Thread] = []

    def here() -> int:
        found.append(threading.current_thread())
        return 1

    await connection.create_function("here", 0, here)
    await connection.execute(statement)
    return found[0]


@pytest.mark.parametrize(
    "statement", ["SELECT here()", "INSERT INTO t VALUES (here())", " select here()".upper()]
)
async def test_rows_are_read_and_changed_at_once(
    connection: aiosqlite.Connection, statement: str
) -> None:
    assert await thread_of(connection, statement) is threading.current_thread()


@pytest.mark.parametrize("statement", ["CREATE TABLE u AS SELECT here()", "VALUES (here())"])
async def test_anything_else_runs_in_the_thread(
    connection: aiosqlite.Connection, statement: str
) -> None:
    assert await thread_of(connection, statement) is not threading.current_thread()


async def test_waiting_for_a_lock_does_not_hold_up_the_loop(
    connection: aiosqlite.Connection, tmp_path: Path
) -> None:
    other = sqlite3.connect(tmp_path / "quick.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(_begin(connection))
    for _ in range(5):
        await asyncio.sleep(0.01)  # were the loop held up, the lock's patience would end first
    assert not waiting.done()
    other.execute("COMMIT")
    await waiting
    other.close()


async def test_calls_after_a_cancelled_one_queue_behind_it(
    connection: aiosqlite.Connection, tmp_path: Path
) -> None:
    other = sqlite3.connect(tmp_path / "quick.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(_begin(connection))
    await asyncio.sleep(0.05)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    asking = asyncio.create_task(_count(connection))
    await asyncio.sleep(0.05)
    assert not asking.done()
    other.execute("COMMIT")
    other.close()
    assert await asking == 0
    await connection.rollback()
    assert await thread_of(connection, "SELECT here()") is threading.current_thread()


async def test_a_closed_connection_says_so(connection: aiosqlite.Connection) -> None:
    await connection.close()
    with pytest.raises(ValueError, match=r"(?i)closed|no active"):
        await connection.execute("SELECT 1")


async def _begin(connection: aiosqlite.Connection) -> None:
    await connection.execute("BEGIN IMMEDIATE")


async def _count(connection: aiosqlite.Connection) -> Any:
    cursor = await connection.execute("SELECT count(*) FROM t")
    row = await cursor.fetchone()
    assert row is not None
    return row[0]


async def test_a_connection_that_nobody_closed_ends_its_thread(tmp_path: Path) -> None:
    url = make_url(f"sqlite+aiosqlite:///{tmp_path}/lost.db")
    lost = await connecting(url)()
    thread = lost._thread
    with warnings.catch_warnings(record=True):  # that it was not closed
        warnings.simplefilter("always")
        del lost
        gc.collect()
    await asyncio.to_thread(thread.join, 10)
    assert not thread.is_alive()


def test_a_loop_that_is_closed_is_told_nothing(tmp_path: Path) -> None:
    """A database that cannot be opened: its thread may be done only after `asyncio.run`."""
    url = make_url(f"sqlite+aiosqlite:///{tmp_path}/no/such/folder.db")
    opened = connecting(url)
    before = set(threading.enumerate())
    for _ in range(20):
        with pytest.raises(sqlite3.OperationalError):
            asyncio.run(_awaited(opened))
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()


async def _awaited(opened: Any) -> None:
    await opened()

"""The store beside its floor: one durable commit of as many bytes by plain sqlite3."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from time import perf_counter

from sqlalchemy import func, select

from bot.sessions import Sessions
from bot.store import Store
from bot.store import schema as db
from games.kernel.entropy import seeded
from games.kernel.random_player import random_action
from games.registry import Registry
from tests.bench.figures import Figures, Size, percentile
from tests.bench.positions import WEIGHTS

HOST = 1


class Ledger:
    """A SQLite file as the bot opens its own (WAL, `synchronous=FULL`), written without the bot."""

    def __init__(self, path: Path, size: int) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute("CREATE TABLE row (id INTEGER PRIMARY KEY, content BLOB)")
        self._content = os.urandom(size)

    def commit(self) -> float:
        """Insert a row durably; how long that took, in seconds."""
        begun = perf_counter()
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("INSERT INTO row (content) VALUES (?)", (self._content,))
        self._db.execute("COMMIT")
        return perf_counter() - begun

    def close(self) -> None:
        """Close the file."""
        self._db.close()


async def measure(figures: Figures, size: Size, folder: Path) -> int:
    """Act in a session with no Discord at all; returns the bytes that one action writes."""
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/store.db")
    sessions = Sessions(store, Registry(), clock=lambda: 1_800_000_000)
    acts: list[float] = []
    gets: list[float] = []
    number = 0
    while len(acts) < size.commits:
        number += 1
        entropy = seeded(f"store {number}")
        table = await sessions.open(
            game="boots",
            chosen={"mission": "hot-lz", "mode": "solo1"},
            guild_id=1,
            channel_id=number,
            user_id=HOST,
            user_name="Robin",
            interaction_id=1_000_000 * number,
        )
        while not table.over and len(acts) < size.commits:
            seat = table.tasks()[0].seat
            action = random_action(table.game, table.state, seat, entropy, WEIGHTS)
            begun = perf_counter()
            acted = await sessions.act(
                table.id,
                HOST,
                action,
                expected_version=table.version,
                interaction_id=1_000_000 * number + table.version,
                seat=seat,
            )
            done = perf_counter()
            table = await sessions.get(acted.table.id)
            gets.append(perf_counter() - done)
            acts.append(done - begun)
    written = await _written(store)
    await store.close()
    ledger = Ledger(folder / "ledger.db", written)
    commits = [ledger.commit() for _ in range(size.commits)]
    ledger.close()
    figures.put("commit.p50_ms", percentile(commits, 50) * 1000)
    figures.spread("store.act", acts, high=False)
    figures.spread("store.get", gets, high=False)
    return written


async def _written(store: Store) -> int:
    """Bytes of content that one action writes: session state, log row, outbox row."""
    log, outbox = db.log.c, db.outbox.c
    texts = func.length(log.action) + func.length(log.events) + func.length(log.results)
    row = func.avg(texts + 2 * func.coalesce(func.length(log.state), 0))
    async with store.read() as connection:
        logged = await connection.scalar(select(row).where(log.kind == "act"))
        posted = await connection.scalar(select(func.avg(func.length(outbox.payload))))
    return int((logged or 0) + (posted or 0))

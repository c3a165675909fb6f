"""`/mygames` and opening a table beside very many sessions, whose rows are written directly."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from time import perf_counter
from typing import Any

from bot.mygames import mine_letter
from bot.sessions import Sessions
from bot.store import Store
from bot.store import schema as db
from games.registry import Registry
from tests.bench.figures import Figures, Size, percentile

NOW = 1_800_000_000
OF_EACH = 20
"""Sessions of an ordinary user; user number 1 plays in fifteen times as many."""

BUSY, BUSY_TABLES = 1, 300
OPENER = 900_000_000
COPIED = ("sessions", "seats", "seat_users", "waits", "log")


async def measure(figures: Figures, size: Size, folder: Path) -> None:
    """With few stored sessions and with many: p50, p99, and how the median grows between them."""
    registry = Registry()
    middles: list[tuple[float, float]] = []
    for name, number in (("few", size.few), ("many", size.many)):
        looks, opens = await _timed(folder / f"{name}.db", registry, number, size.looks)
        middles.append((percentile(looks, 50), percentile(opens, 50)))
        if name == "few":
            figures.put("mygames.few_p99_ms", percentile(looks, 99) * 1000)
            figures.put("open.few_p99_ms", percentile(opens, 99) * 1000)
        else:
            figures.spread("mygames", looks)
            figures.spread("open", opens)
    (few_looks, few_opens), (looks, opens) = middles
    figures.put("mygames.growth", looks / few_looks)
    figures.put("open.growth", opens / few_opens)


async def _timed(
    path: Path, registry: Registry, number: int, looks: int
) -> tuple[list[float], list[float]]:
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    sessions = Sessions(store, registry, clock=lambda: NOW, most_waiting=10**9)
    await sessions.fill_waits()
    await _open(sessions, 1)
    await store.close()
    fill(path, number)
    store = await Store.open(f"sqlite+aiosqlite:///{path}")
    sessions = Sessions(store, registry, clock=lambda: NOW, most_waiting=10**9)
    users = max(1, (number - min(number, BUSY_TABLES)) // OF_EACH)
    chance = random.Random(7)
    seen: list[float] = []
    for turn in range(looks):
        user = BUSY if turn % 20 == 0 else BUSY + 1 + chance.randrange(users)
        begun = perf_counter()
        mine_letter(await sessions.mine(user), registry)
        seen.append(perf_counter() - begun)
    opened: list[float] = []
    for turn in range(max(2, looks // 4)):
        begun = perf_counter()
        await _open(sessions, 2 + turn)
        opened.append(perf_counter() - begun)
    await store.close()
    return seen, opened


async def _open(sessions: Sessions, number: int) -> None:
    await sessions.open(
        game="boots",
        chosen={"mission": "hot-lz", "mode": "solo1"},
        guild_id=1,
        channel_id=OPENER + number,
        user_id=OPENER,
        user_name="Robin",
        interaction_id=OPENER + number,
    )


def fill(path: Path, number: int) -> None:
    """Copy the one session in a database so many times: for most users twenty, half of them over."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("BEGIN")
        for table in COPIED:
            found = [dict(row) for row in connection.execute(f"SELECT * FROM {table}")]
            names = list(found[0])
            marks = ", ".join("?" for _ in names)
            connection.executemany(
                f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
                ([row[name] for name in names] for row in _copies(table, found, number)),
            )
        connection.execute("COMMIT")


def _copies(table: str, found: list[dict[str, Any]], number: int) -> Iterator[dict[str, Any]]:
    key = "id" if table == "sessions" else "session_id"
    for n in range(number):
        over = n % 2 == 1
        user = BUSY if n < BUSY_TABLES else BUSY + 1 + (n - BUSY_TABLES) // OF_EACH
        if table == "waits" and over:
            continue
        for row in found:
            copy = {**row, key: f"s{n:07d}"}
            if table == "sessions":
                status = db.ENDED if over else db.RUNNING
                copy |= {"channel_id": n + 10, "host_id": user, "status": status}
            elif table == "seat_users":
                copy["user_id"] = user
            elif table == "waits":
                copy["since"] = NOW - n
            elif table == "log":
                copy |= {"interaction_id": n + 10, "user_id": user}
            yield copy

"""A session service over a real database file, with the toy game, for tests."""

from __future__ import annotations

import hashlib
import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.sessions import Acted, Sessions, Table
from bot.store import Store
from games.kernel.action import Action
from games.registry import Registry
from tests import toygame

ROBIN, KIM, SAM = 501, 502, 503
"""Users."""


class House:
    """Everything below Discord: store, registry, sessions; what was woken; a clock that counts."""

    def __init__(self, store: Store, registry: Registry | None = None) -> None:
        self.store = store
        self.registry = registry or Registry({"toy": toygame.load}, shipped=False)
        self.woken: list[str] = []
        self.interactions: Iterator[int] = itertools.count(1_000)
        self.now = 1_700_000_000
        secrets, names = itertools.count(1), itertools.count(1)
        self.sessions = Sessions(
            store,
            self.registry,
            clock=self.clock,
            wake=self.woken.append,
            secret=lambda: hashlib.sha256(f"secret {next(secrets)}".encode()).digest(),
            name=lambda: f"table{next(names):03d}",
        )

    def clock(self) -> int:
        self.now += 1
        return self.now

    async def open(self, mode: str = "solo1", channel: int = 70, user: int = ROBIN) -> Table:
        return await self.sessions.open(
            game="toy",
            chosen={"mode": mode},
            guild_id=9,
            channel_id=channel,
            user_id=user,
            user_name="Robin" if user == ROBIN else "Kim",
            interaction_id=next(self.interactions),
        )

    async def duel(self, channel: int = 70) -> Table:
        """RED is Robin's, BLUE is Kim's."""
        table = await self.open("duel", channel)
        await self.sessions.join(table.id, KIM, "Kim", interaction_id=next(self.interactions))
        return await self.start(table)

    async def start(self, table: Table, user: int = ROBIN) -> Table:
        begun = await self.sessions.start(table.id, user, interaction_id=next(self.interactions))
        return begun.table

    async def act(
        self,
        table: Table,
        verb: str,
        user: int = ROBIN,
        *,
        version: int | None = None,
        interaction: int | None = None,
        seat: str | None = None,
        **slots: Any,
    ) -> Acted:
        return await self.sessions.act(
            table.id,
            user,
            Action(verb, slots),
            expected_version=version,
            interaction_id=next(self.interactions) if interaction is None else interaction,
            seat=seat,
        )

    async def undo(self, table: Table, user: int = ROBIN, *, version: int | None = None) -> Acted:
        return await self.sessions.undo(
            table.id, user, expected_version=version, interaction_id=next(self.interactions)
        )

    async def end(self, table: Table, user: int = ROBIN, *, moderator: bool = False) -> Acted:
        return await self.sessions.end(
            table.id, user, moderator=moderator, interaction_id=next(self.interactions)
        )


def address(path: Path) -> str:
    """The address of a database file."""
    return f"sqlite+aiosqlite:///{path}"


def sql(path: Path, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """Do something to a database behind the bot's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()


def snapshot(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, to show that nothing has changed."""
    names = [name for (name,) in sql(path, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: sql(path, f"SELECT * FROM {name}") for name in names}

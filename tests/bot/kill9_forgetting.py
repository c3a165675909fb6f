"""Somebody is forgotten in a process of its own that is killed on the way: see `test_forgetting`.

`python -m tests.bot.kill9_forgetting DATABASE USER NUMBER` dies when everything of transaction NUMBER
is written, but before it is committed; with 0 it comes to its end.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.people import People
from bot.sessions import Sessions
from bot.store import Store
from games.registry import Registry
from tests import toygame


async def main(database: str, user: str, number: str) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{database}")
    write, left = store.write, [int(number)]

    @asynccontextmanager
    async def deadly() -> AsyncGenerator[AsyncConnection]:
        async with write() as connection:
            yield connection
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    store.write = deadly
    registry = Registry({"toy": toygame.load}, shipped=False)
    sessions = Sessions(store, registry, clock=lambda: 2_000_000_000)
    await People(store, sessions, clock=lambda: 2_000_000_000).forget(int(user))
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

"""A bot in its own process that can be killed at a chosen point: see `test_kill9`.

`python -m tests.bot.kill9_child DATABASE CHANNEL MODE` where MODE is `play` (open a table and act,
never posting), `before` (die instead of posting), `after` (die between post and mark) or `deliver`.
CHANNEL is a file that stands for Discord: a line for every message, one for each nonce.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from bot.outbox import Delivered, Outbox, Post
from bot.sessions import Sessions
from bot.store import Store
from games.kernel.action import Action
from games.registry import Registry
from tests import toygame


def die() -> None:
    """Like kill -9 from outside: no handler runs, nothing is flushed."""
    os.kill(os.getpid(), signal.SIGKILL)


class Channel:
    """Discord's side: what is in the file has been posted."""

    def __init__(self, path: Path, mode: str) -> None:
        self._path = path
        self._mode = mode

    async def deliver(self, post: Post) -> Delivered:
        if self._mode == "before":
            die()
        lines = self._path.read_text().splitlines() if self._path.exists() else []
        nonces = [json.loads(line)["nonce"] for line in lines]
        if post.nonce not in nonces:
            line = {"nonce": post.nonce, "lines": [event.text for event in post.events]}
            with self._path.open("a") as file:
                file.write(json.dumps(line) + "\n")
            nonces.append(post.nonce)
        if self._mode == "after":
            die()
        return Delivered(nonces.index(post.nonce))


async def main(database: str, channel: str, mode: str) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{database}")
    registry = Registry({"toy": toygame.load}, shipped=False)
    outbox = Outbox(store, Channel(Path(channel), mode), clock=lambda: 1_000)
    if mode != "play":
        await outbox.start()
        await outbox.idle()
        await store.close()
        return
    sessions = Sessions(store, registry, clock=lambda: 1_000)
    table = await sessions.in_channel(1)
    if table is None:
        table = await sessions.open(
            game="toy",
            chosen={},
            guild_id=None,
            channel_id=1,
            user_id=2,
            user_name="Robin",
            interaction_id=3,
        )
    step = table.version
    to = "B2" if step % 2 else "B3"
    await sessions.act(
        table.id, 2, Action("move", {"to": to}), expected_version=step, interaction_id=10 + step
    )
    die()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

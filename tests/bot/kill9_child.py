"""A bot in its own process that can be killed at a chosen point: see `test_kill9`.

`python -m tests.bot.kill9_child DATABASE CHANNEL MODE` where MODE is `play` (open a table and act,
never posting), `before` (die instead of posting), `after` (die between post and mark), `deliver`, or
`load` (act at several tables and post, until somebody kills it; each action that was answered is
printed). CHANNEL is a file that stands for Discord: a line for every message, one for each nonce.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

from bot.outbox import Delivered, Outbox, Post
from bot.sessions import AgainstTheRules, Sessions
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
            told = [event.text for event in post.events]
            line = {"nonce": post.nonce, "session": post.session_id, "lines": told}
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
    if mode == "load":
        await load(Sessions(store, registry, clock=lambda: 1_000, wake=outbox.wake), outbox)
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


async def load(sessions: Sessions, outbox: Outbox) -> None:
    """Play at all tables at once, for ever."""
    await outbox.start()
    interactions = itertools.count(time.time_ns())

    async def sit(channel: int) -> None:
        while True:
            table = await sessions.in_channel(channel)
            number = next(interactions)
            if table is None or table.over:
                await sessions.open(
                    game="toy",
                    chosen={},
                    guild_id=None,
                    channel_id=channel,
                    user_id=2,
                    user_name="Robin",
                    interaction_id=number,
                )
            else:
                to = "B2" if table.version % 2 else "B3"
                wish = Action("draw") if number % 3 else Action("move", {"to": to})
                for action in (wish, Action("done")):
                    with suppress(AgainstTheRules):
                        await sessions.act(
                            table.id, 2, action, expected_version=None, interaction_id=number
                        )
                        break
            print(number, flush=True)

    await asyncio.gather(*(sit(channel) for channel in range(1, 5)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

"""A bot whose clock rings, in its own process, to be killed: see `test_attack_kill9`.

`python -m tests.bot.kill9_clock DATABASE CHANNEL NOW WHAT MODE`: at the time NOW (seconds) WHAT is done:
`open` (a duel with a clock; the host has made his turn), `vote` (the guest asks to host, as nobody has seen
the host, and has his way), `hand` (the guest hands his seat on to a third), `nothing` (but what is due).
Then the clock rings. MODE is that of `tests.bot.kill9_child.Channel`: `before` and `after` die at the first
post, `deliver` posts all.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bot.clock import Clock
from bot.outbox import Outbox
from bot.sessions import Sessions
from bot.sessions.substitutes import Person
from bot.store import Store
from games.kernel.action import Action
from games.registry import Registry
from tests import toygame
from tests.bot.kill9_child import Channel

HOST, GUEST, THIRD = 2, 3, 4


async def open_table(sessions: Sessions) -> None:
    table = await sessions.open(
        game="toy",
        chosen={"mode": "duel"},
        guild_id=None,
        channel_id=1,
        user_id=HOST,
        user_name="Robin",
        interaction_id=10,
    )
    await sessions.join(table.id, GUEST, "Kim", interaction_id=11)
    await sessions.set_terms(
        table.id, HOST, pace="fast", overtime="program", moderator=False, interaction_id=12
    )
    await sessions.start(table.id, HOST, interaction_id=13)
    done = Action("done")
    await sessions.act(table.id, HOST, done, expected_version=None, interaction_id=14)


async def vote(sessions: Sessions, session_id: str) -> None:
    asked = await sessions.call_vote(session_id, GUEST, "host", target_id=GUEST, interaction_id=20)
    number = asked.table.version
    await sessions.vote(session_id, GUEST, number, agree=True, interaction_id=21)


async def hand(sessions: Sessions, session_id: str) -> None:
    asked = await sessions.offer_seat(
        session_id,
        Person(GUEST, "Kim"),
        "BLUE",
        Person(THIRD, "Sam"),
        moderator=False,
        interaction_id=30,
    )
    await sessions.take_seat(
        session_id, Person(THIRD, "Sam"), asked.table.version, interaction_id=31
    )


async def main(database: str, channel: str, now: str, what: str, mode: str) -> None:
    def clock() -> int:
        return int(now)

    store = await Store.open(f"sqlite+aiosqlite:///{database}")
    outbox = Outbox(store, Channel(Path(channel), mode), clock=clock)
    registry = Registry({"toy": toygame.load}, shipped=False)
    sessions = Sessions(store, registry, clock=clock)  # nothing is posted before it is all saved
    if what == "open":
        await open_table(sessions)
    table = await sessions.in_channel(1)
    assert table is not None
    if what == "vote":
        await vote(sessions, table.id)
    if what == "hand":
        await hand(sessions, table.id)
    sessions.wake = outbox.wake
    await outbox.start()
    bell = Clock(sessions, clock=clock)
    sessions.planned = bell.planned
    bell.start()
    await bell.idle()
    await outbox.idle()
    await bell.stop()
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

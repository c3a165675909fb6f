"""Dice and cards in a process of their own that dies at a chosen point: see `test_kill9_parlour`.

`python -m tests.bot.kill9_parlour DATABASE WHAT WHEN`: WHAT is `roll` or `draw`, WHEN `inside` (before
its transaction is committed) or `after` (when it is saved, and nothing is told yet).
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from types import SimpleNamespace
from typing import Any

from bot.acknowledge import Desk
from bot.parlour import decks as deck_steps
from bot.parlour import rolls as roll_steps
from bot.parlour.decks import Decks
from bot.parlour.decks_model import Request
from bot.parlour.rolls import Rolls
from bot.store import Store
from bot.studio import Studio
from games.parlour.deck_standard import STANDARD
from tests.bot.house import ROBIN

CHANNEL = 70


class Answers(Desk):
    """Does the work, and tells nobody."""

    async def answer(self, interaction: Any, work: Any, way: Any = None) -> None:
        await work()


def wants(interaction_id: int) -> Request:
    return Request(CHANNEL, 9, ROBIN, "Robin", interaction_id)


async def roll(store: Store, interaction_id: int) -> None:
    user = SimpleNamespace(id=ROBIN, display_name="Robin")
    press: Any = SimpleNamespace(id=interaction_id, guild_id=9, channel_id=CHANNEL, user=user)
    studio = Studio()
    rolls = Rolls(store, Answers(), studio, clock=lambda: 1)
    await rolls.command(press, "20d20", secret=False, label="", times=1)
    studio.close()


async def draw(store: Store, interaction_id: int) -> None:
    await Decks(store, clock=lambda: 1).draw(wants(interaction_id), 5, "hand")


def die() -> None:
    """Like kill -9 from outside: no handler runs, nothing is flushed."""
    os.kill(os.getpid(), signal.SIGKILL)


async def main(database: str, what: str, when: str) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{database}")
    if what == "draw":
        await Decks(store, clock=lambda: 1).make(wants(1), "Cards", "Standard", STANDARD.cards)
    step = roll if what == "roll" else draw
    await step(store, 5)
    if when == "inside":
        module: Any = roll_steps.kept if what == "roll" else deck_steps
        name = "keep" if what == "roll" else "add_log"
        whole = getattr(module, name)

        async def last(*arguments: Any) -> None:
            await whole(*arguments)
            die()

        setattr(module, name, last)
    await step(store, 6)
    die()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

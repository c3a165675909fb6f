"""Rolls: reading a notation and rolling it, its picture, and all of it beside encoding and a commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter, thread_time
from typing import Any, cast

import discord

from bot.acknowledge import Desk
from bot.layout import Letter
from bot.parlour.rolls import Rolls
from bot.store import Store
from bot.studio import Studio
from games.kernel.entropy import seeded
from games.parlour.notation_reading import read
from games.parlour.roll import roll
from games.parlour.roll_words import roll_view
from renderer.tray import tray
from tests.bench.figures import Figures, Size, percentile
from tests.bench.pictures import encode, watched
from tests.bench.storing import Ledger

NOTATION = "10d6kh3+2"
BYTES = 3_000
"""What one roll writes, about: its dice, its results, its key."""


def measure(figures: Figures, size: Size) -> None:
    """CPU time of this thread: reading and rolling `NOTATION`; drawing what came of it."""
    rolled: list[float] = []
    for number in range(size.actions * 10):
        source = seeded(f"roll {number}")
        rolled.append(_timed(lambda source=source: roll(read(NOTATION), source)))
    figures.spread("roll", rolled)
    drawn: list[float] = []
    floor: list[float] = []
    for number in range(size.pictures):
        view = roll_view(roll(read(NOTATION), seeded(f"tray {number}")))
        with watched() as seen:
            tray(view)
        drawn.append(min(_timed(lambda view=view: tray(view)) for _ in range(3)))
        image = seen[0]
        floor.append(min(_timed(lambda image=image: encode(image)) for _ in range(3)))
    figures.spread("tray", drawn, high=False)
    figures.put("tray.floor_ms", percentile(floor, 50) * 1000)
    figures.ratio("tray.ratio", "tray.p50_ms", "tray.floor_ms")


class _Question:
    """As much of an interaction as a roll needs."""

    guild_id = 1
    channel_id = 2

    def __init__(self, number: int) -> None:
        self.id = number
        self.user = discord.Object(3)
        cast("Any", self.user).display_name = "Robin"


class _Answers(Desk):
    """Does the work and sends nothing."""

    async def answer(self, interaction: Any, work: Callable[[], Any], way: Any = None) -> None:
        """The letter is made and dropped."""
        letter = await work()
        assert isinstance(letter, Letter)


async def measure_answers(figures: Figures, size: Size, folder: Path) -> None:
    """Wall time of a roll: read, rolled, saved, drawn, a letter; beside encoding and a commit."""
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/rolls.db")
    studio = Studio()
    rolls = Rolls(store, _Answers(), studio, clock=lambda: 1_800_000_000)
    ledger = Ledger(folder / "rolled.db", BYTES)
    took: list[float] = []
    floor: list[float] = []
    for number in range(1, max(10, size.commits // 2) + 2):
        question = cast("Any", _Question(number))
        with watched() as seen:
            begun = perf_counter()
            await rolls.command(question, NOTATION, secret=False, label="", times=1)
            spent = perf_counter() - begun
        begun = perf_counter()
        for image in list(seen):
            encode(image)
        base = perf_counter() - begun + ledger.commit()
        if number > 1:  # the first makes the channel's keys and the stamps of its dice
            took.append(spent)
            floor.append(base)
    ledger.close()
    studio.close()
    await store.close()
    figures.spread("rolled", took)
    figures.put("rolled.floor_ms", percentile(floor, 50) * 1000)
    figures.ratio("rolled.ratio", "rolled.p50_ms", "rolled.floor_ms")


def _timed(work: Callable[[], object]) -> float:
    begun = thread_time()
    work()
    return thread_time() - begun

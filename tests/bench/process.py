"""Whole processes: how much memory the bot takes, and how long it takes to start.

`python -m tests.bench.process fill FOLDER COUNT` and `… rss FOLDER` are run by `measure`, each in
a process of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from time import monotonic

import psutil
from sqlalchemy import update

from bot.client import FieldpostBot, now
from bot.store import schema as db
from tests.bench.figures import Figures, Size, percentile
from tests.bench.rig import CHOSEN, Player, real_bot, rigged

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "http://127.0.0.1:"
PLAYED = 20
"""Sessions that are played before memory is measured."""

ACTIONS = 3


def measure(figures: Figures, size: Size, folder: Path) -> None:
    """Start the bot as a person does, and play on a database with many open sessions."""
    first, _ = _start(folder / "start")
    again = [_start(folder / "start") for _ in range(size.starts)]
    figures.put("start.first_s", first)
    figures.put("start.s", percentile([seconds for seconds, _ in again], 50))
    figures.put("start.cpu_s", percentile([cpu for _, cpu in again], 50))
    figures.put("start.floor_s", percentile([_imports() for _ in range(size.starts)], 50))
    _bench("fill", folder, str(size.stored), str(min(PLAYED, size.sessions)))
    told = json.loads(_bench("rss", folder, str(min(PLAYED, size.sessions))))
    figures.put("memory.rss_mb", told["rss"] / 1e6)


def _environment() -> dict[str, str]:
    own = {"DISCORD_TOKEN": "", "DATABASE_URL": "", "PYTHONPATH": str(ROOT)}
    return {**os.environ, **own}


def _start(folder: Path) -> tuple[float, float]:
    """Seconds until `python -m bot` prints the address of the local table, and of CPU time."""
    folder.mkdir(exist_ok=True)
    begun = monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", "--port", "0"],
        cwd=folder,
        env=_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if ADDRESS in line:
                seconds, used = monotonic() - begun, psutil.Process(process.pid).cpu_times()
                return seconds, used.user + used.system
        raise RuntimeError("the local table did not start")
    finally:
        process.terminate()
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


def _imports() -> float:
    """Seconds in which Python starts and imports the libraries that every start needs."""
    begun = monotonic()
    libraries = "import discord.ext.commands, simcord, sqlalchemy.ext.asyncio, aiosqlite, PIL.Image"
    subprocess.run([sys.executable, "-c", libraries], check=True)
    return monotonic() - begun


def _bench(*arguments: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.process", *map(str, arguments)],
        cwd=ROOT,
        env=_environment(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


async def fill(folder: Path, count: int, shown: int) -> None:
    """Open `shown` sessions in channels and as many more as make `count`, posted nowhere."""
    async with rigged(real_bot(folder), shown, folder / "world.db") as rig:
        for name in rig.world.guild.channels:
            await rig.open(rig.channel(name))
        await rig.idle()
        await _open_unseen(rig.bot, count - shown)


async def _open_unseen(bot: FieldpostBot, count: int) -> None:
    bot.sessions.wake = lambda session_id: None
    for number in range(1, count + 1):
        await bot.sessions.open(
            game="boots",
            chosen=CHOSEN,
            guild_id=1,
            channel_id=number,
            user_id=number,
            user_name=f"User {number}",
            interaction_id=number,
        )
    async with bot.store.write() as connection:
        await connection.execute(update(db.outbox).values(done=now()))


async def rss(folder: Path, shown: int) -> None:
    """Play in the sessions that are shown, then print how much memory this process holds."""
    async with rigged(real_bot(folder), shown, folder / "world.db") as rig:
        names = list(rig.world.guild.channels)
        players = [Player(rig, rig.channel(name), n) for n, name in enumerate(names)]
        for player in players:
            for _ in range(ACTIONS):
                await player.act()
                await rig.idle()
        print(json.dumps({"rss": psutil.Process().memory_info().rss}))


if __name__ == "__main__":
    what, where, *numbers = sys.argv[1:]
    work = {"fill": fill, "rss": rss}[what]
    asyncio.run(work(Path(where), *map(int, numbers)))

"""A real process, killed with SIGKILL at every point between an action and its mark in the outbox."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.sessions import Sessions
from bot.store import Store
from games.kernel.verify import check
from games.registry import Registry
from tests import toygame
from tests.bot.house import address, sql

ROOT = Path(__file__).resolve().parents[2]
EVERYTHING = ["The arena opens.", "Red captain walks A1 to B2."]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


class Machine:
    """The computer on which the bot runs; it outlives every process."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "games.db"
        self.channel = folder / "channel.jsonl"

    def run(self, mode: str) -> int:
        command = [sys.executable, "-m", "tests.bot.kill9_child"]
        done = subprocess.run(
            [*command, str(self.database), str(self.channel), mode],
            cwd=ROOT,
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        return done.returncode

    def load(self, seconds: float) -> list[int]:
        """Play for a while, then die; the interactions that were answered."""
        command = [sys.executable, "-m", "tests.bot.kill9_child"]
        with subprocess.Popen(
            [*command, str(self.database), str(self.channel), "load"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        ) as child:
            assert child.stdout is not None
            first = child.stdout.readline()
            time.sleep(seconds)
            child.kill()
            told = first + child.stdout.read()
        assert child.returncode == -signal.SIGKILL
        return [int(line) for line in told.splitlines(keepends=True) if line.endswith("\n")]

    def told(self, session_id: str) -> list[str]:
        """What one session's channel shows."""
        posts = [json.loads(line) for line in self.channel.read_text().splitlines()]
        return [line for post in posts if post["session"] == session_id for line in post["lines"]]

    def shown(self) -> list[str]:
        """All lines in the channel, in order."""
        if not self.channel.exists():
            return []
        posts = [json.loads(line) for line in self.channel.read_text().splitlines()]
        return [line for post in posts for line in post["lines"]]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    assert made.run("play") == -signal.SIGKILL
    assert made.shown() == []
    return made


def test_killed_between_commit_and_post(machine: Machine) -> None:
    assert machine.run("before") == -signal.SIGKILL
    assert machine.shown() == []
    assert machine.run("deliver") == 0
    assert machine.shown() == EVERYTHING
    assert machine.run("deliver") == 0
    assert machine.shown() == EVERYTHING


def test_killed_between_post_and_mark(machine: Machine) -> None:
    assert machine.run("after") == -signal.SIGKILL
    shown = machine.shown()
    assert shown and shown == EVERYTHING[: len(shown)]
    assert machine.run("after") == -signal.SIGKILL
    assert machine.run("deliver") == 0
    assert machine.shown() == EVERYTHING
    assert sql(machine.database, "SELECT count(*) FROM outbox WHERE done IS NULL") == [(0,)]


async def test_acts_between_two_deaths_come_once_and_in_order(machine: Machine) -> None:
    for mode in ("after", "play", "before", "play", "after"):
        assert machine.run(mode) == -signal.SIGKILL
    assert machine.run("deliver") == 0
    shown = machine.shown()
    assert shown == [
        *EVERYTHING,
        "Red captain walks B2 to B3.",
        "Red captain walks B3 to B2.",
    ]
    store = await Store.open(address(machine.database))
    registry = Registry({"toy": toygame.load}, shipped=False)
    sessions = Sessions(store, registry, clock=lambda: 0)
    table = await sessions.in_channel(1)
    assert table is not None and table.version == 4
    assert await sessions.audit(table.id) == ""
    await store.close()


async def test_killed_at_any_moment_of_a_load(tmp_path: Path, soak: bool) -> None:
    made, dice, answered = Machine(tmp_path), random.Random(9), list[int]()
    for _ in range(40 if soak else 2):
        answered += made.load(dice.uniform(0, 0.6))
    assert made.run("deliver") == 0
    known = [row for (row,) in sql(made.database, "SELECT interaction_id FROM log")]
    assert set(answered) <= set(known), "an action was answered and lost"
    assert len(known) == len(set(known))
    store = await Store.open(address(made.database))
    sessions = Sessions(store, Registry({"toy": toygame.load}, shipped=False), clock=lambda: 0)
    tables = [id for (id,) in sql(made.database, "SELECT id FROM sessions")]
    assert len(tables) >= 4
    for table in [await sessions.get(id) for id in tables]:
        rows = await sessions.history(table.id, limit=100_000)
        assert made.told(table.id) == [event.text for row in rows for event in row.events]
        assert table.panel_version == table.version
        assert await sessions.audit(table.id) == ""
        assert all(not wrong for _, wrong in check(await sessions.proof(table.id)))
    assert sql(made.database, "SELECT count(*) FROM outbox WHERE done IS NULL") == [(0,)]
    assert sql(made.database, "PRAGMA integrity_check") == [("ok",)]
    await store.close()

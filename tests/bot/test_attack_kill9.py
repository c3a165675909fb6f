"""SIGKILL while the clock rings, a vote is carried or a seat is taken: nothing is lost or done twice."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot.sessions import Sessions, Table
from bot.sessions.counting import ABSENT
from bot.sessions.model import LogEntry
from bot.sessions.pace import HOUR, TURN
from bot.store import Store
from games.registry import Registry
from tests import toygame
from tests.bot.house import address, sql
from tests.bot.kill9_clock import GUEST, THIRD
from tests.bot.test_kill9 import ROOT

START = 1_700_000_000

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")


class Bot:
    """The computer on which the bot runs; it outlives every process."""

    def __init__(self, folder: Path) -> None:
        self.database, self.channel = folder / "games.db", folder / "channel.jsonl"

    def run(self, now: int, what: str, mode: str) -> int:
        command = [sys.executable, "-m", "tests.bot.kill9_clock"]
        done = subprocess.run(
            [*command, str(self.database), str(self.channel), str(now), what, mode],
            cwd=ROOT,
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode in (0, -signal.SIGKILL), done.stderr
        return done.returncode

    def shown(self) -> list[str]:
        """All lines in the channel, in order."""
        if not self.channel.exists():
            return []
        posts = [json.loads(line) for line in self.channel.read_text().splitlines()]
        return [line for post in posts for line in post["lines"]]

    async def table(self) -> tuple[Table, list[LogEntry]]:
        store = await Store.open(address(self.database))
        sessions = Sessions(
            store, Registry({"toy": toygame.load}, shipped=False), clock=lambda: START
        )
        table = await sessions.in_channel(1)
        assert table is not None and await sessions.audit(table.id) == ""
        rows = await sessions.history(table.id)
        await store.close()
        assert sql(self.database, "SELECT count(*) FROM outbox WHERE done IS NULL") == [(0,)]
        return table, rows


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    made = Bot(tmp_path)
    assert made.run(START, "open", "deliver") == 0
    return made


@pytest.mark.parametrize("mode", ["before", "after"])
async def test_killed_while_the_program_acts_in_overtime(bot: Bot, mode: str) -> None:
    """The next process goes on with the same turn: every action once, each of them shown once."""
    late = START + TURN + 60
    for _ in range(3):
        assert bot.run(late, "nothing", mode) == -signal.SIGKILL
    assert bot.run(late, "nothing", "deliver") == 0
    table, rows = await bot.table()
    acted = [row for row in rows if row.kind == "stand_in"]
    assert acted and all((row.user_id, row.seat) == (0, "BLUE") for row in acted)
    assert table.over or table.due() == ("RED",)
    assert bot.shown() == [event.text for row in rows for event in row.events]


@pytest.mark.parametrize("what", ["vote", "hand"])
@pytest.mark.parametrize("mode", ["before", "after"])
async def test_killed_after_people_have_decided(bot: Bot, what: str, mode: str) -> None:
    """What was saved is shown by the next process, and answered once."""
    now = START + HOUR if what == "hand" else START + ABSENT
    if what == "vote":  # otherwise the program would play the whole game meanwhile
        sql(bot.database, "UPDATE sessions SET overtime = 'wait'")
    assert bot.run(now, what, mode) == -signal.SIGKILL
    bot.run(now, "nothing", mode)
    assert bot.run(now, "nothing", "deliver") == 0
    table, rows = await bot.table()
    if what == "vote":
        assert table.host_id == GUEST and [row.kind for row in rows][-2:] == ["ask", "host"]
    else:
        assert [h.user_ids for h in table.seats if h.seat == "BLUE"] == [(THIRD,)]
    told = [event.text for row in rows for event in row.events]
    assert [line for line in bot.shown() if line in told] == told
    assert len(bot.shown()) == len(told)

"""Many people with the worst names at one seat, many timers at once, databases from before paces."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from bot.ballots import notice, outcome
from bot.layout import note
from bot.panel import panel, private
from bot.sessions import Acted, Table
from bot.sessions.consent import Proposal
from bot.sessions.counting import ABSENT
from bot.sessions.pace import DAY, HOUR, TURN
from bot.sessions.reminding import Word
from bot.sessions.substitutes import Person
from bot.store import Store
from bot.store import schema as db
from tests.bot.house import KIM, ROBIN, House, address, sql
from tests.bot.limits import check_message
from tests.bot.timekeeping import Time, notices, planned

MANY = 30
WORST = [
    "\N{SLEEPING FACE}" * 32,
    "*_~`|>#[](<@501>)@everyone*_~`|>"[:32],
    "@everyone <@&1> <#2> <t:0:R> :x:"[:32],
    "\N{ARABIC LETTER BEH}\N{RIGHT-TO-LEFT OVERRIDE}" * 16,
    "[a](https://example.org/bbbbbbb)",
    "||" * 16,
]


async def packed(house: House, channel: int = 70) -> Table:
    """RED is Robin's, BLUE is held by thirty people."""
    table = await house.open("duel", channel)
    for number in range(MANY):
        acted = await house.sessions.join(
            table.id,
            10**18 + number,
            WORST[number % len(WORST)],
            interaction_id=next(house.interactions),
            seat="BLUE",
        )
        shown(acted)
    return await house.start(table)


def shown(acted: Acted) -> None:
    """What is posted about a step, and what one of its people sees alone, keeps Discord's limits."""
    for letter in (
        panel(acted.table, acted.events, (), remark=acted.text[:900]),
        private(acted.table, ROBIN),
        private(acted.table, 10**18 + 3),
    ):
        check_message(letter.screen.to_components())


def harmless(text: str) -> None:
    """No name has become a mention, a link or a format."""
    assert "@everyone" not in text and "<@&" not in text and "<#2>" not in text
    assert "](http" not in text and "\N{RIGHT-TO-LEFT OVERRIDE}" not in text


async def test_thirty_people_at_one_seat(house: House, time: Time, database: Path) -> None:
    table = await packed(house)
    blue = 10**18
    shown(await house.act(table, "done"))
    acted = await house.sessions.set_terms(
        table.id,
        ROBIN,
        pace="fast",
        overtime="wait",
        moderator=False,
        interaction_id=next(house.interactions),
    )
    shown(acted)
    acted = await house.sessions.offer_seat(
        table.id,
        Person(ROBIN, "Robin"),
        "BLUE",
        Person(KIM, WORST[1]),
        out=blue + 1,
        moderator=False,
        interaction_id=next(house.interactions),
    )
    shown(acted)
    (one,) = await house.sessions.questions(table.id)
    check_message(notice(acted.table, one).screen.to_components())
    await time.forward(ABSENT + DAY)
    assert len(notices(database)) >= 3
    for told in notices(database):
        check_message(note(told.text).screen.to_components())
        harmless(told.text)
        assert len(set(told.mentions)) == len(told.mentions) and len(told.text) < 4_000
    acted = await house.sessions.call_vote(
        table.id,
        blue,
        "vacate",
        seat="BLUE",
        interaction_id=next(house.interactions),
    )
    shown(acted)
    vote = next(one for one in await house.sessions.questions(table.id) if one.kind != "offer")
    check_message(notice(acted.table, vote).screen.to_components())
    for number in range(1, MANY):
        if (await house.sessions.asked(table.id, vote.number)) is None:
            break
        acted = await house.sessions.vote(
            table.id,
            blue + number,
            vote.number,
            agree=True,
            interaction_id=next(house.interactions),
        )
        shown(acted)
    settled = await house.sessions.settled(table.id)
    assert settled
    for question in settled:
        assert not isinstance(question, Proposal)
        check_message(outcome(acted.table, question).screen.to_components())
    for row in await house.sessions.history(table.id):
        for event in row.events:
            harmless(event.text)
    assert await house.sessions.audit(table.id) == ""


def test_a_word_to_hundreds_keeps_its_sentence() -> None:
    users = tuple(range(10**18, 10**18 + 300))
    told = Word("the game waits.", users).of(users)
    assert told.endswith("and 250 more: the game waits.") and len(told) < 1_500
    assert Word("the game waits.", users).of(()) == "the game waits."


async def test_hundreds_of_timers_after_an_outage(house: House, time: Time, database: Path) -> None:
    """The loop stays free for people between any two of them, and each is said once."""
    await time.clock.stop()
    names: list[str] = []
    table = await house.duel()
    await house.act(table, "done")
    for number in range(60):
        names.append(table.id)
        sql(database, "UPDATE sessions SET channel_id = channel_id + ?", 1_000)
        if number < 59:
            table = await house.duel(70)
            await house.act(table, "done")
    house.now += 4 * DAY
    assert sql(database, "SELECT count(*) FROM timers WHERE due <= ?", house.now) == [(120,)]
    house.woken.clear()
    time.asleep.clear()
    time.clock = time.start()
    turns = 0
    while time.clock._working():
        turns += 1
        await asyncio.sleep(0)
    assert turns > 1_000, "somebody else has a turn between any two timers"
    assert len(notices(database)) == 120
    assert len(house.woken) == 120
    assert all(seat == "BLUE" for _, seat in planned(database))


def as_of(revision: str, path: Path, source: Path) -> None:
    """A database as that migration left it, with the rows of another as far as it has their columns."""
    config = Config()
    config.set_main_option("script_location", str(Path(db.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        old.execute("PRAGMA foreign_keys = OFF")
        old.execute("ATTACH ? AS new", (str(source),))
        tables = old.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if table in ("alembic_version", "sqlite_sequence"):
                continue
            columns = ", ".join(row[1] for row in old.execute(f"PRAGMA table_info({table})"))
            old.execute(f"INSERT INTO {table} SELECT {columns} FROM new.{table}")


@pytest.mark.parametrize("revision", ["0004", "0005"])
async def test_games_from_before_there_were_paces_go_on(tmp_path: Path, revision: str) -> None:
    """Waits, timers without a number, seats without a bank: all of it is as without a clock."""
    source, path = tmp_path / "new.db", tmp_path / "old.db"
    store = await Store.open(address(source))
    house = House(store)
    table = await house.duel()
    await house.act(table, "done")
    lobby = await house.open("duel", 71)
    await store.close()
    as_of(revision, path, source)
    if revision == "0004":
        sql(path, "DELETE FROM meta WHERE key = 'waits'")
    store = await Store.open(address(path))
    again = House(store)
    again.now = house.now
    again.interactions = house.interactions
    assert await again.sessions.fill_waits() == 2
    clock = Time(again)
    now = await again.sessions.get(table.id)
    assert [h.bank for h in now.seats] == [None, None] and not now.pace.timed
    assert [h.since is not None for h in now.seats] == [False, True]
    assert [kind for kind, _ in planned(path)][:2] == ["remind", "tell_host"]
    await clock.forward(DAY + HOUR)
    assert [one.mentions for one in notices(path)] == [(KIM,)]
    assert await again.sessions.mute(table.id, KIM)
    acted = await again.sessions.set_terms(
        table.id,
        ROBIN,
        pace="fast",
        overtime="free",
        moderator=False,
        interaction_id=next(again.interactions),
    )
    assert acted.table.time_up("BLUE") == pytest.approx(again.now + TURN, abs=3)
    await again.act(table, "done", KIM)
    await clock.forward(2 * DAY)
    await clock.clock.idle()
    now = await again.sessions.get(table.id)
    assert [h.seat for h in now.vacant()] == ["RED"]
    await clock.forward(15 * DAY)
    assert (await again.sessions.get(lobby.id)).over
    for one in (table, lobby):
        assert await again.sessions.audit(one.id) == ""
    await clock.clock.stop()
    await store.close()

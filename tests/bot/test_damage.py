"""Damage behind the bot's back: each gets its sentence, and what is sound goes on."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from bot.client import run
from bot.logs import Redact
from bot.outbox import DAMAGED as LOST
from bot.outbox import SLOW, SLOWEST, PosterForbidden
from bot.refusals import Refused, StoreFull, StoreGone, Unreadable
from bot.sessions.history import DAMAGED, NO_PROOF
from bot.settings import read_settings
from bot.store import Store
from games.registry import Registry
from tests import toygame
from tests.bot.house import KIM, House, address, sql
from tests.bot.test_outbox import PostOffice


@pytest.mark.parametrize(
    "damage",
    [
        "setup = '{'",
        "setup = '{}'",
        "salts = 'x'",
        "state = x'00'",
        "state_hash = 'no'",
        "content_hash = 'no'",
        "game = 'chess'",
        "rules_version = 99",
    ],
)
async def test_a_damaged_session_is_paused_and_can_be_ended(
    house: House, database: Path, damage: str
) -> None:
    table = await house.open()
    sql(database, f"UPDATE sessions SET {damage}")
    for attempt in (house.act(table, "done"), house.undo(table), house.sessions.get(table.id)):
        with pytest.raises(Unreadable):
            await attempt
    assert sql(database, "SELECT status FROM sessions") == [("paused",)]
    assert (await house.sessions.remains(table.id)).channel_id == 70
    ended = await house.end(table)
    assert ended.table.over and ended.table.slug
    assert (await house.open()).id != table.id, "the channel is free again"


@pytest.mark.parametrize("column", ["events", "action"])
async def test_a_damaged_log_row_hinders_nothing_else(
    house: House, database: Path, column: str
) -> None:
    table = await house.open()
    moved = await house.act(table, "move", to="B2")
    sql(database, f"UPDATE log SET {column} = '[' WHERE number = 2")
    entries = await house.sessions.history(table.id)
    assert [event.text for event in entries[1].events] == [DAMAGED]
    assert entries[0].events and entries[0].events[0].text != DAMAGED
    with pytest.raises(Unreadable):
        await house.undo(table)
    assert "row 2" in await house.sessions.audit(table.id)
    again = await house.act(moved.table, "move", to="B3")
    assert again.table.version == 3


async def test_a_proof_of_a_damaged_log(house: House, database: Path) -> None:
    table = await house.open()
    await house.act(table, "draw")
    sql(database, "UPDATE log SET results = '[' WHERE number = 2")
    with pytest.raises(Refused) as refused:
        await house.sessions.proof(table.id)
    assert refused.value.sentence == NO_PROOF


async def test_dice_that_do_not_fit_their_seal_are_not_rolled(
    house: House, store: Store, database: Path
) -> None:
    table = await house.open()
    sql(database, "UPDATE sessions SET secret = x'00'")
    restarted = House(store, house.registry)
    restarted.interactions = house.interactions
    with pytest.raises(Unreadable) as refused:
        await restarted.act(table, "draw")
    assert "seal" in refused.value.why
    assert (await restarted.sessions.get(table.id)).version == 1
    assert (await restarted.end(table)).table.over


async def test_a_damaged_outbox_row_is_told_and_holds_nothing_up(
    house: House, database: Path
) -> None:
    table = await house.open()
    sql(database, "UPDATE outbox SET payload = '{'")
    moved = await house.act(table, "move", to="B2")
    office = PostOffice(house)
    await office.outbox.start()
    assert await office.outbox.flush(moved.table.id) == ""
    posts = list(office.discord.messages.values())
    assert posts[0].payload.text == LOST.text
    assert "Red captain walks A1 to B2." in office.discord.texts(table.id)


async def test_refusals_become_rare(house: House) -> None:
    office = PostOffice(house)
    office.discord.faults = [PosterForbidden("No.") for _ in range(9)]
    table = await house.open()
    for _ in range(9):
        await office.outbox.flush(table.id)
    assert office.sleeper.delays[:3] == [SLOW, 2 * SLOW, 4 * SLOW]
    assert office.sleeper.delays[-1] == SLOWEST
    assert await office.outbox.flush(table.id) == ""


def move(database: Path, *, replaced: bool) -> None:
    """Take the file away, perhaps leaving another one."""
    database.rename(database.with_name("moved.db"))
    if replaced:
        database.write_bytes(b"")


def put_back(database: Path, *, replaced: bool) -> None:
    assert database.exists() == replaced, "no empty database was begun"
    database.with_name("moved.db").rename(database)


@pytest.mark.parametrize("replaced", [False, True])
async def test_a_database_file_that_is_gone(
    house: House, store: Store, database: Path, replaced: bool, caplog: pytest.LogCaptureFixture
) -> None:
    table = await house.open()
    move(database, replaced=replaced)
    with caplog.at_level(logging.CRITICAL):
        with pytest.raises(StoreGone) as gone:
            await house.act(table, "move", to="B2")
        for attempt in (house.sessions.get(table.id), house.open(channel=71), store.check()):
            with pytest.raises(StoreFull):
                await attempt
    assert "removed or replaced" in gone.value.sentence
    assert str(database) in caplog.text
    put_back(database, replaced=replaced)
    moved = await house.act(table, "move", to="B2")
    assert moved.table.version == 2, "what is put back is good again"


async def test_a_copy_made_while_playing_is_restored_and_played_on(
    house: House, store: Store, tmp_path: Path
) -> None:
    table = await house.duel()
    moved = await house.act(table, "move", to="B2")
    await store.backup(tmp_path / "copy.db")
    done = await house.act(moved.table, "done")
    assert done.table.version == moved.table.version + 1
    copy = await Store.open(address(tmp_path / "copy.db"))
    other = House(copy, Registry({"toy": toygame.load}, shipped=False))
    other.interactions = house.interactions
    restored = await other.sessions.get(table.id)
    assert restored.version == moved.table.version
    with pytest.raises(Refused):  # a button of what was played after the copy was made
        await other.act(restored, "move", KIM, version=done.table.version, to="E6")
    again = await other.act(restored, "draw")
    await other.act(again.table, "done")
    assert await other.sessions.audit(table.id) == ""
    office = PostOffice(other)
    await office.outbox.start()
    await office.outbox.idle()
    assert any("walks A1 to B2" in line for line in office.discord.texts(table.id))
    await copy.close()


async def test_the_store_is_closed_before_the_process_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []

    class Slow:
        """A client whose own closing goes on when discord.py has disconnected already."""

        async def __aenter__(self) -> Slow:
            return self

        async def __aexit__(self, *_: object) -> None:
            closed.append("disconnected")

        async def start(self, token: str) -> None:
            assert token == "secret"

        async def close(self) -> None:
            await asyncio.sleep(0)
            closed.append("store")

    monkeypatch.setattr("bot.client.make_bot", lambda settings: Slow())
    settings = read_settings(
        None, DISCORD_TOKEN="secret", DATABASE_URL=f"sqlite:///{tmp_path}/games.db"
    )
    assert await run(settings) == 0
    assert closed == ["disconnected", "store"]


def test_a_password_is_hidden_in_every_spelling() -> None:
    given = "postgresql://bot:p%40ss%2Fwd@db/games"
    settings = read_settings(None, DATABASE_URL=given)
    redact = Redact(settings.secrets)
    for leak in (given, settings.database_url, "it is p@ss/wd", "p%40ss/wd"):
        assert "ss" not in redact.hide(leak), leak

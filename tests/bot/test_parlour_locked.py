"""Dice and cards while something else holds the database, or its disk is full: nothing is done, that is
said in a sentence, and afterwards everything goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.parlour.decks import Decks
from bot.parlour.rolls_kept import page
from bot.refusals import StoreBusy, StoreFull
from bot.store import Store
from games.parlour.deck_standard import STANDARD
from tests.bot.house import ROBIN
from tests.bot.kill9_parlour import CHANNEL, draw, roll, wants

Step = Callable[[Store, int], Awaitable[None]]


async def standing(store: Store) -> tuple[int, int]:
    """How many rolls there are, and how many cards are held."""
    async with store.read() as connection:
        listed = await page(connection, CHANNEL, ROBIN, 100)
    deck = await Decks(store, clock=lambda: 1).get(wants(0))
    return len(listed.rolls), len(deck.hand(ROBIN))


@pytest.fixture
async def table(store: Store) -> Store:
    await Decks(store, clock=lambda: 1).make(wants(1), "Cards", "Standard", STANDARD.cards)
    await roll(store, 2)
    await draw(store, 3)
    return store


@pytest.mark.parametrize("step", [roll, draw])
async def test_a_locked_database(table: Store, database: Path, step: Step) -> None:
    before = await standing(table)
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreBusy) as refused:
        await step(table, 10)
    other.execute("ROLLBACK")
    other.close()
    assert "Try again in a moment" in refused.value.sentence
    assert await standing(table) == before
    await step(table, 10)  # the same command, given again by Discord
    assert await standing(table) != before


@pytest.mark.parametrize("step", [roll, draw])
async def test_a_full_disk(table: Store, step: Step) -> None:
    before = await standing(table)
    async with table.write() as connection:
        pages = (await connection.execute(text("PRAGMA page_count"))).scalar_one()
        await connection.execute(text(f"PRAGMA max_page_count = {pages}"))
    number = 10
    with pytest.raises(StoreFull) as refused:
        for number in range(10, 500):
            await step(table, number)
            if number % 5 == 0 and step is draw:
                await Decks(table, clock=lambda: 1).shuffle(wants(number + 1_000), "everything")
    assert "disk is full" in refused.value.sentence
    full = await standing(table)
    assert full >= before if step is roll else full[0] == before[0]
    async with table.write() as connection:
        await connection.execute(text(f"PRAGMA max_page_count = {pages + 1_000}"))
    await step(table, number)
    assert await standing(table) != full

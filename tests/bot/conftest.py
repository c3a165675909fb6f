"""Fixtures for the application core: a database file and a house over it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot import logs
from bot.store import Store
from games.registry import Registry
from tests.bot.house import House, address
from tests.bot.timekeeping import Time


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
async def store(database: Path) -> AsyncIterator[Store]:
    opened = await Store.open(address(database), busy_ms=30)
    yield opened
    await opened.close()


@pytest.fixture
async def house(store: Store) -> House:
    return House(store)


@pytest.fixture(autouse=True)
def own_logging() -> Iterator[None]:
    """Commands set logging up for their whole process; here it is put back."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in logs.QUIET}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


@pytest.fixture
async def time(house: House) -> AsyncIterator[Time]:
    """The clock of the house with the toy game."""
    made = Time(house)
    yield made
    await made.clock.stop()


@pytest.fixture
async def field(store: Store) -> AsyncIterator[Time]:
    """The clock of a house with the real games."""
    made = Time(House(store, Registry()))
    yield made
    await made.clock.stop()

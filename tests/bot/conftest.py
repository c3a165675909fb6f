"""Fixtures for the application core: a database file and a house over it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store import Store
from tests.bot.house import House, address


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

"""A table with the toy game for every end-to-end test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.tabletop import Tabletop, tabletop


@pytest.fixture
async def top(tmp_path: Path) -> AsyncIterator[Tabletop]:
    async with tabletop(tmp_path) as running:
        yield running

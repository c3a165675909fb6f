"""One lock for every session that is in use, and none for those that are not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Locks:
    """Locks by name; whoever waited first goes first."""

    def __init__(self) -> None:
        self._held: dict[str, tuple[asyncio.Lock, int]] = {}

    def __len__(self) -> int:
        return len(self._held)

    @asynccontextmanager
    async def __call__(self, name: str) -> AsyncGenerator[None]:
        """Hold the lock of that name."""
        lock, users = self._held.get(name, (asyncio.Lock(), 0))
        self._held[name] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            lock, users = self._held[name]
            if users == 1:
                del self._held[name]
            else:
                self._held[name] = lock, users - 1

"""The studio: pictures and other slow work are made here, away from the event loop."""

from __future__ import annotations

import asyncio
import sys
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar, cast

SWITCH = 0.001
"""Seconds after which a thread hands the interpreter on when another one waits for it."""

P = ParamSpec("P")
T = TypeVar("T")


class Studio:
    """A bounded pool of workers, and a small memory of what they made last.

    Threads, not processes: a picture is drawn in some tens of milliseconds, most of it in Pillow
    and zlib without the interpreter lock, and a process would cost 40 MB and the copying of views.
    """

    def __init__(self, workers: int = 2, remembered: int = 32) -> None:
        # A worker that wants to go on must not keep the event loop waiting for the usual 5 ms.
        sys.setswitchinterval(min(SWITCH, sys.getswitchinterval()))
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="studio")
        self._remembered = remembered
        self._made: OrderedDict[Hashable, object] = OrderedDict()

    async def make(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` in a worker; waits while all are busy."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, partial(work, *args, **kwargs))

    async def once(
        self, key: Hashable, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Like `make`, but the result of an equal `key` is taken from memory while it is there."""
        if key in self._made:
            self._made.move_to_end(key)
            return cast(T, self._made[key])
        result = await self.make(work, *args, **kwargs)
        self._made[key] = result
        while len(self._made) > self._remembered:
            self._made.popitem(last=False)
        return result

    def close(self) -> None:
        """Stop the workers; work that waits is dropped."""
        self._pool.shutdown(wait=False, cancel_futures=True)

"""How long the event loop is held up, and by what."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from time import perf_counter, thread_time
from typing import Any

TICK = 0.001


class Watch:
    """Lateness of a timer that rings every millisecond, and the longest callback.

    `late` holds seconds beyond the millisecond: what a timer or an answer has to wait while the
    loop does something else, the interpreter lock and other programs included. `busiest` is the
    longest single callback in CPU time of the loop's thread, without garbage collections, and
    `culprit` its name; `collecting` is the longest collection, which also goes through the heap of
    Discord's double.
    """

    def __init__(self) -> None:
        self.late: list[float] = []
        self.busiest = 0.0
        self.culprit = ""
        self.collecting = 0.0
        self._collected = 0.0
        self._collection = 0.0
        self._paused = 0

    @contextmanager
    def pause(self) -> Generator[None]:
        """Measure nothing meanwhile: the bench itself is at work."""
        self._paused += 1
        try:
            yield
        finally:
            self._paused += 1

    async def ring(self) -> None:
        """The timer; runs until it is cancelled."""
        while True:
            pauses, begun = self._paused, perf_counter()
            await asyncio.sleep(TICK)
            late = perf_counter() - begun - TICK
            if pauses == self._paused and pauses % 2 == 0:
                self.late.append(max(0.0, late))

    def collects(self, phase: str, _info: object) -> None:
        """A garbage collection begins or ends."""
        if phase == "start":
            self._collection = thread_time()
            return
        taken = thread_time() - self._collection
        self._collected += taken
        if self._paused % 2 == 0:
            self.collecting = max(self.collecting, taken)

    def run(self, handle: asyncio.Handle, inner: Any) -> None:
        """Run a callback of the loop, timed."""
        pauses, collected, begun = self._paused, self._collected, thread_time()
        inner(handle)
        taken = thread_time() - begun - (self._collected - collected)
        if taken > self.busiest and pauses == self._paused and pauses % 2 == 0:
            self.busiest, self.culprit = taken, _name(handle)


def _name(handle: asyncio.Handle) -> str:
    """Which task a callback belongs to, and where that is now; else the callback itself."""
    task = getattr(getattr(handle, "_callback", None), "__self__", None)
    if not isinstance(task, asyncio.Task):
        return repr(handle)
    frames = task.get_stack(limit=1)
    where = f" at {frames[-1].f_code.co_qualname}:{frames[-1].f_lineno}" if frames else ""
    return f"{getattr(task.get_coro(), '__qualname__', task.get_name())}{where}"


@asynccontextmanager
async def watching() -> AsyncGenerator[Watch]:
    """Watch the running loop."""
    watch = Watch()
    inner: Any = asyncio.Handle._run  # pyright: ignore[reportAttributeAccessIssue]

    def run(handle: asyncio.Handle) -> None:
        watch.run(handle, inner)

    asyncio.Handle._run = run  # pyright: ignore[reportAttributeAccessIssue]
    gc.callbacks.append(watch.collects)
    timer = asyncio.create_task(watch.ring())
    try:
        yield watch
    finally:
        timer.cancel()
        gc.callbacks.remove(watch.collects)
        asyncio.Handle._run = inner  # pyright: ignore[reportAttributeAccessIssue]

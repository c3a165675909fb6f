"""Carries out in time what is planned at the tables: one dispatcher over rows with due times.

A timer is a row, so a restart forgets nothing, and what became due meanwhile is done at the start.
There is no standing task while nothing is planned; otherwise one task sleeps until the next row is
due, and is started anew when an earlier one is planned.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from bot.refusals import Refused
from bot.sessions import Sessions

log = logging.getLogger(__name__)

LONGEST = 6 * 3_600.0
"""Seconds that are slept at a stretch: a computer that was asleep is not late by more than that."""

SHORTEST = 30.0
"""Seconds that are slept at least."""

AFTER_FAULT = 300
"""Seconds until something that went wrong is tried again."""


class Clock:
    """The dispatcher. `start` must be called once; `planned` tells it of new timers."""

    def __init__(
        self,
        sessions: Sessions,
        *,
        clock: Callable[[], int],
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._sessions = sessions
        self._clock = clock
        self._sleep = sleep
        self._task: asyncio.Task[None] | None = None
        self._until: int | None = None
        self._again = False
        self._stopped = False

    def start(self) -> None:
        """Take up what is planned already."""
        self.planned(0)

    def planned(self, due: int) -> None:
        """Something new is planned for that time."""
        if self._stopped:
            return
        self._again = True
        if self._task is not None and not self._task.done():
            if self._until is None or self._until <= due:
                return  # it is working and looks again, or wakes early enough
            self._task.cancel()
        self._until = None
        self._task = asyncio.create_task(self._run(), name="clock")

    async def stop(self, grace: float = 5.0) -> None:
        """Stop; what is left waits in its rows."""
        self._stopped = True
        task = self._task
        if task is None or task.done():
            return
        if self._until is None:
            await asyncio.wait({task}, timeout=grace)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def idle(self) -> None:
        """Wait until nothing is left that is due now (for tests)."""
        while self._working():  # noqa: ASYNC110 - it signals by going to sleep
            await asyncio.sleep(0)

    def _working(self) -> bool:
        return self._task is not None and not self._task.done() and self._until is None

    async def _run(self) -> None:
        while not self._stopped:
            self._again = False
            try:
                await self._ring_all()
                due = await self._sessions.next_timer()
            except Refused as busy:
                log.warning("the clock waits: %s", busy.sentence)
                due = self._clock() + AFTER_FAULT
            except Exception:
                log.exception("the clock waits")
                due = self._clock() + AFTER_FAULT
            if due is None and not self._again:
                return
            if self._again or due is None or due <= self._clock():
                continue
            self._until = due
            await self._sleep(max(SHORTEST, min(LONGEST, due - self._clock())))
            self._until = None

    async def _ring_all(self) -> None:
        for timer in await self._sessions.timers_due(self._clock()):
            if self._stopped:
                return
            try:
                await self._sessions.ring(timer)
            except Exception:
                log.exception("timer %s of session %s", timer.kind, timer.session_id)
                await self._sessions.postpone(timer, self._clock() + AFTER_FAULT)

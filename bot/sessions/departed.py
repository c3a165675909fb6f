"""People who have left the server: their seats become vacant when they are waited for.

Discord tells a bot of leavers only with a privileged intent, which this one does without. So whoever is
about to be reminded is looked up first.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

from bot.refusals import TableOver
from bot.sessions.core import going
from bot.sessions.model import Table
from bot.sessions.reading import Loaded
from bot.sessions.seating import Seating, heir, named
from bot.sessions.timers import REMIND, TELL_HOST, TIME_UP, WARN, Timer

NOBODY = 0
"""The user of what the bot does by itself."""


async def unknown(guild_id: int, user_id: int) -> bool:
    """The answer where nobody can be asked: he is taken to be there."""
    return False


class Departures(Seating):
    """Seats of people who are gone. `absent(guild, user)` says who is; client and tests set it."""

    absent: Callable[[int, int], Awaitable[bool]] = staticmethod(unknown)

    async def without_departed(self, timer: Timer) -> None:
        """Before a word to a seat's people, the host or a lobby: put those off who have left.

        Raises `NoSuchTable`, `Unreadable`."""
        if timer.kind not in (REMIND, TELL_HOST, TIME_UP, WARN):
            return
        table = await self.get(timer.session_id)
        if table.guild_id is None or table.over:
            return
        for user in _concerned(table, timer):
            if await self.absent(table.guild_id, user):
                await self.departed(timer.session_id, user)

    async def departed(self, session_id: str, user_id: int) -> None:
        """Somebody has left the server, so he has no seat any more, and hosts nothing."""
        async with self._locks(session_id):
            while True:
                loaded = await self._load(session_id)
                try:
                    table = going(loaded)
                except TableOver:
                    return
                holder = next((h for h in table.seats if user_id in h.user_ids), None)
                if holder is None:
                    await self._unhosted(loaded, user_id)
                    return
                stay = tuple(user for user in holder.users if user.user_id != user_id)
                told = (
                    f"{named(table.seats, user_id)} has left the server, so no longer plays "
                    f"{holder.title}."
                )
                await self._vacated(loaded, replace(holder, users=stay), NOBODY, None, told)

    async def _unhosted(self, loaded: Loaded, user_id: int) -> None:
        """A host without a seat (he has brought the game from a file) has left the server."""
        table = loaded.table
        if user_id != table.host_id:
            return
        host, line = heir(table.seats, user_id)
        told = " ".join(("The host of this table has left the server.", line))
        await self._hosted(loaded, host, NOBODY, None, told)


def _concerned(table: Table, timer: Timer) -> tuple[int, ...]:
    """Whose presence matters for what is to be said."""
    holder = table.holder(timer.seat)
    users = table.people() if holder is None else holder.user_ids
    host = (table.host_id,) if table.host_id and timer.kind != REMIND else ()
    return tuple(dict.fromkeys((*users, *host)))

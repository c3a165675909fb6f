"""Who votes while a host is gone, and how many it takes: nothing is read or written here."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sessions.model import Table
from bot.sessions.questions import HOST, Question
from bot.sessions.timers import DAY

ABSENT = 7 * DAY
"""Seconds after which a host who was not seen, or who keeps the game waiting, may be voted past."""

GRACE = DAY
"""Seconds for which a host who keeps the game waiting is left alone when he has been seen."""


@dataclass(frozen=True, slots=True)
class Count:
    """How a vote stands. `needed` of the users in `deciding` must have agreed; so must one of
    `others`, if there are any, so that nobody decides alone while somebody else is there."""

    deciding: tuple[int, ...]
    needed: int
    others: tuple[int, ...]
    yes: tuple[int, ...]
    no: tuple[int, ...]

    @property
    def passed(self) -> bool:
        """Whether enough have agreed."""
        enough = sum(user in self.deciding for user in self.yes) >= self.needed
        return bool(self.yes) and enough and self._seconded(self.yes)

    @property
    def hopeless(self) -> bool:
        """Whether it cannot pass any more, unless somebody changes his vote."""
        left = [user for user in self.deciding if user not in self.no]
        seconds = tuple(user for user in self.others if user not in self.no)
        return len(left) < self.needed or not self._seconded(seconds)

    def _seconded(self, users: tuple[int, ...]) -> bool:
        return not self.others or any(user in self.others for user in users)


def count(table: Table, one: Question) -> Count:
    """How a vote stands among those who sit at the table now.

    More than half of the people must agree, the host and those whom it is about not counted. Somebody
    besides whoever asks must be among those who agree, unless there is nobody else but the host, and
    those whose seat has kept the game waiting as long.
    """
    people = table.people()
    holder = table.holder(one.seat)
    about = (one.target_id,) if one.kind == HOST else holder.user_ids if holder else ()
    deciding = tuple(u for u in people if u != table.host_id and u not in about)
    gone = about if one.more.stalled else ()
    return Count(
        deciding=deciding,
        needed=len(deciding) // 2 + 1 if deciding else 0,
        others=tuple(u for u in people if u not in (table.host_id, one.user_id) and u not in gone),
        yes=tuple(u for u in one.agreed if u in people),
        no=tuple(u for u in one.refused if u in people),
    )


def waited_since(table: Table, users: tuple[int, ...]) -> int | None:
    """Since when the game has waited for some people; None when it does not."""
    since = [
        holder.since
        for holder in table.seats
        if holder.since is not None and set(holder.user_ids) & set(users)
    ]
    return min(since, default=None)

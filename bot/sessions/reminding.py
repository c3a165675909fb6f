"""The words of reminders: what waits for whom, since when, and what others may do about it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sessions.model import SeatHolder, Table
from bot.sessions.pace import MOST_REMINDERS, NO_PACE
from bot.sessions.timers import CLEAR_AFTER
from bot.texts import plain

__all__ = ["NO_PACE"]


MOST_NAMED = 50
"""People who are mentioned in front of a word; any number may share a seat."""


@dataclass(frozen=True, slots=True)
class Word:
    """Something to be said to some users, who are mentioned in front of it."""

    text: str = ""
    users: tuple[int, ...] = ()

    def of(self, users: tuple[int, ...]) -> str:
        """The whole text with those of the users who can be reached, as many as leave room for it."""
        who = [f"<@{user}>" for user in users[:MOST_NAMED]]
        if more := len(users) - len(who):
            who.append(f"and {more} more")
        return f"{' '.join(who)}: {self.text}" if who else self.text


NOTHING = Word()


def reminder(table: Table, holder: SeatHolder, nth: int) -> Word:
    """The nth reminder (from 0) of those who keep a game waiting; the last one tells the table."""
    told = f"{_waits(table, holder)}{_clock(table, holder)}"
    if nth == MOST_REMINDERS - 1:
        told += f"\nThis was my last reminder for this turn. {_ways(table, holder)}"
    return Word(told, holder.user_ids)


def good_morning(table: Table, holder: SeatHolder) -> Word:
    """For those whose turn began in their quiet hours."""
    return Word(f"{_waits(table, holder)}{_clock(table, holder)}", holder.user_ids)


def to_host(table: Table, holder: SeatHolder) -> Word:
    """A seat has been waited for so long that the host may do something about it."""
    who = plain(holder.name)
    if not table.host_id:
        return NOTHING
    if not holder.users:
        return Word(
            f"{_waits(table, holder)} Nobody has played {holder.title} for two days. Anybody can take "
            f"it (`/table join seat:{holder.title}`); the host may also let the program act for it "
            f"(`/table stand-in seat:{holder.title}`).",
            (table.host_id,),
        )
    if table.host_id in holder.user_ids:
        others = tuple(user for user in table.people() if user not in holder.user_ids)
        return Word(
            f"{holder.title} has kept the game waiting for two days, and its people host it. "
            f"{_ways(table, holder)}",
            others,
        )
    return Word(
        f"{holder.title} ({who}) has kept the game waiting for two days. {_host_may(holder)}",
        (table.host_id,),
    )


def time_up(table: Table, holder: SeatHolder) -> Word:
    """A seat has used up its time, and nothing happens by itself."""
    users = tuple(dict.fromkeys((*holder.user_ids, *((table.host_id,) if table.host_id else ()))))
    return Word(
        f"the time of {holder.title} is used up. The game waits all the same. "
        f"{_ways(table, holder)}",
        users,
    )


def more_time(table: Table, holder: SeatHolder, until: int) -> Word:
    """The time ran out while the bot was away."""
    return Word(
        f"{_waits(table, holder)} Its time ran out while I was away, so it has until <t:{until}:f>.",
        holder.user_ids,
    )


def freed(holder: SeatHolder) -> str:
    """Everybody is put off a seat, as the host has chosen."""
    return (
        f"The time of {holder.title} is used up, so {plain(holder.name)} no longer plays it, as the "
        "host has chosen for this table. Anybody can take the seat; the same people may, too."
    )


def warning(table: Table) -> Word:
    """A lobby is going to be cleared away."""
    hosts = (table.host_id,) if table.host_id else ()
    people = tuple(dict.fromkeys(hosts + table.people()))
    missing = " and ".join(holder.title for holder in table.vacant())
    todo = f"It needs somebody to play {missing}; then its host presses" if missing else ""
    return Word(
        f"this game has not begun. {todo or 'Its host can press'} Start. Otherwise the table "
        f"is cleared away <t:{table.created + CLEAR_AFTER}:R>.",
        people,
    )


def _waits(table: Table, holder: SeatHolder) -> str:
    what = next((task.what for task in table.tasks() if task.seat == holder.seat), "act")
    return f"{table.view(None).title} waits for {holder.title} to {what.rstrip('.')}."


def _clock(table: Table, holder: SeatHolder) -> str:
    up = table.time_up(holder.seat)
    return "" if up is None else f" Its time is up <t:{up}:R>."


def _ways(table: Table, holder: SeatHolder) -> str:
    """What can be done about a seat that does not answer."""
    if table.host_id and table.host_id not in holder.user_ids:
        return f"<@{table.host_id}> hosts this table. {_host_may(holder)}"
    return (
        f"A moderator can let the program act for it (`/table stand-in seat:{holder.title}`) or hand "
        "the table over (`/table host`). A week after its host was last seen, the others here can "
        "decide among themselves: `/table vote`."
    )


def _host_may(holder: SeatHolder) -> str:
    return (
        f"The host may let the program take this one decision (`/table stand-in seat:{holder.title}`), "
        "or all of them until they are back (add `until:they return`), wait, or make the seat vacant "
        f"for somebody else (`/table vacate seat:{holder.title}`)."
    )

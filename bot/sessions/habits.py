"""What somebody wants of reminders: his time zone, quiet hours, a word when he is next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import Refused
from bot.store import schema as db

DAY_MINUTES = 24 * 60


class Quiet(msgspec.Struct, frozen=True):
    """Hours in which somebody is not mentioned: minutes after midnight, by the clocks of a zone."""

    start: int
    end: int
    zone: str

    def until(self, now: int) -> int | None:
        """When the quiet hours end in which that moment lies; None when it lies in none."""
        here, minute = self._here(now), self.minute(now)
        over_midnight = self.start > self.end
        if over_midnight:
            inside = minute >= self.start or minute < self.end
        else:
            inside = self.start <= minute < self.end
        if not inside:
            return None
        day = here.date() + timedelta(days=1 if over_midnight and minute >= self.start else 0)
        at = time(self.end // 60, self.end % 60)
        ends = datetime.combine(day, at, ZoneInfo(self.zone))
        return max(int(ends.timestamp()), now + 60)  # a clock that is put back must not stop us

    def minute(self, now: int) -> int:
        """What a clock of the zone shows, in minutes after midnight."""
        here = self._here(now)
        return here.hour * 60 + here.minute

    def _here(self, now: int) -> datetime:
        return datetime.fromtimestamp(now, ZoneInfo(self.zone))


class Habits(msgspec.Struct, frozen=True):
    """What one person wants. `next_up`: a word when his seat is the next one to act."""

    quiet: Quiet | None = None
    next_up: bool = False

    def quiet_until(self, now: int) -> int | None:
        """When he may be mentioned again; None when he may be now."""
        return None if self.quiet is None else self.quiet.until(now)


ORDINARY = Habits()


async def habits_of(connection: AsyncConnection, users: Iterable[int]) -> dict[int, Habits]:
    """What those people want, inside the caller's transaction."""
    found = dict.fromkeys(users, ORDINARY)
    if found:
        wanted = select(db.users.c.id, db.users.c.settings).where(db.users.c.id.in_(tuple(found)))
        for row in (await connection.execute(wanted)).all():
            found[row.id] = _read(row.settings)
    return found


def _read(raw: str) -> Habits:
    """Habits from their row; whoever has none that can be read is reminded like everybody."""
    try:
        habits = msgspec.json.decode(raw, type=Habits)
        if habits.quiet is not None:
            ZoneInfo(habits.quiet.zone)
            for at in (habits.quiet.start, habits.quiet.end):
                time(at // 60, at % 60)
    except (msgspec.MsgspecError, ZoneInfoNotFoundError, ValueError):
        return ORDINARY
    return habits


def quietest(habits: Mapping[int, Habits], now: int) -> int | None:
    """When the first of some people may be mentioned again; None when one may be now."""
    ends = [one.quiet_until(now) for one in habits.values()]
    known = [end for end in ends if end is not None]
    return min(known) if ends and len(known) == len(ends) else None


# --- what people type


@lru_cache(maxsize=1)
def zones() -> tuple[str, ...]:
    """The names of all time zones that mean a place: not `localtime`, which is wherever the bot runs."""
    return tuple(sorted(available_timezones() - {"localtime", "Factory", "posixrules"}))


def read_zone(typed: str) -> str:
    """A time zone by its name in any case. Raises `Refused` with names that are like it."""
    wanted = "_".join(typed.split()).casefold()
    found = [name for name in zones() if name.casefold() == wanted]
    if found:
        return found[0]
    near = find_zones(typed, 3)
    hint = f" Do you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
    raise Refused(
        f"I know no such time zone.{hint} Type the name of a large city near you, such as "
        "`Europe/Berlin` or `America/New_York`, and take one from the list."
    )


def find_zones(typed: str, most: int) -> list[str]:
    """Time zones in whose name that occurs, those of a city that begins with it first."""
    wanted = "_".join(typed.split()).casefold()
    hits = [name for name in zones() if wanted in name.casefold()]
    hits.sort(key=lambda name: not name.rpartition("/")[2].casefold().startswith(wanted))
    return hits[:most]


def read_time(typed: str) -> int:
    """Minutes after midnight from `22:00`, `22`, `22.30` or `10 pm`. Raises `Refused`."""
    text = typed.strip().casefold().replace(".", ":").replace(" ", "")
    shift = None
    for suffix, hours in (("am", 0), ("pm", 12)):
        if text.endswith(suffix):
            text, shift = text.removesuffix(suffix), hours
    hour, _, minute = text.partition(":")
    minute = minute or "0"
    plain_digits = all(
        part.isascii() and part.isdigit() and len(part) <= 2 for part in (hour, minute)
    )
    if plain_digits:
        h, m = int(hour), int(minute)
        if shift is not None and 1 <= h <= 12:
            h, shift = h % 12 + shift, None
        if shift is None and m < 60 and (h < 24 or (h, m) == (24, 0)):
            return (h * 60 + m) % DAY_MINUTES
    raise Refused("Type a time of day such as `22:00`, `7` or `10 pm`.")


def shown_time(minutes: int) -> str:
    """A time of day as people write it."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"

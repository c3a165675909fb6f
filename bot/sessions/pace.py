"""Paces: how much time a seat has, and when its people are reminded. All times in seconds.

A seat has a bank of time. It runs while the seat is waited for; when the seat need not act any more it
grows by the pace's increment, up to its cap. A turn counts 23 hours, not 24: whoever plays at the same
hour every day loses nothing. That a bank is used up takes nothing from anybody, unless the host chose so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

HOUR, DAY = 3_600, 86_400
TURN = 23 * HOUR

LEAST = HOUR
"""A seat that must act has this much, whatever its bank says: somebody who is playing is not cut off."""

REST = HOUR
"""Between two reminders, and before the first."""

MOST_REMINDERS = 3

WITHOUT_PACE = (DAY, 3 * DAY, 7 * DAY)
"""When reminders are due without a pace, after the wait began."""

LATE = 2 * HOUR
"""A timer that rings later than that was due while the bot was away."""

MOST_GRACE = 12 * HOUR
"""What a seat has left at least when the bot comes back, as far as the pace gives that much."""


@dataclass(frozen=True, slots=True)
class Pace:
    """A pace: what a bank begins with, what it grows by, and how large it may be."""

    name: str
    title: str
    told: str
    bank: int = 0
    increment: int = 0
    cap: int = 0

    @property
    def timed(self) -> bool:
        """Whether there is a clock at all."""
        return self.bank > 0

    def allowed(self, bank: int | None) -> int:
        """What a seat with that bank (None: never used) has for its wait, in all."""
        return max(self.bank if bank is None else bank, LEAST)

    def spent(self, bank: int | None, waited: int, *, done: bool) -> int:
        """The bank after a wait; `done`: the seat need not act any more, so it grows again."""
        left = max(0, (self.bank if bank is None else bank) - max(0, waited))
        return min(self.cap, left + self.increment) if done else left

    @property
    def grace(self) -> int:
        """What a seat is given when its time ran out while the bot was away."""
        return min(self.increment, MOST_GRACE)

    def reminder(self, nth: int, since: int, allowed: int, now: int) -> int | None:
        """When the nth reminder (from 0) of a wait is due; None when there are no more of them.

        With a clock at half of what the seat has, at nine tenths, and a day after it has run out: a seat
        that has more than a full bank (its clock stood still) has that in its last hours. Reminders that
        would have been due while the bot was away do not come all at once.
        """
        if nth >= MOST_REMINDERS:
            return None
        if not self.timed:
            apart = WITHOUT_PACE[nth] - WITHOUT_PACE[nth - 1] if nth else REST
            return max(since + WITHOUT_PACE[nth], now + apart)
        full = min(allowed, max(self.cap, LEAST))
        due = since + allowed + (-(full // 2), -(full // 10), DAY)[nth]
        return max(due, now + REST)


NO_PACE = Pace(
    "none",
    "no clock",
    "no clock; who keeps others waiting is reminded after one day, three and seven",
)

PACES: Mapping[str, Pace] = {
    pace.name: pace
    for pace in (
        NO_PACE,
        Pace(
            "fast",
            "fast",
            "23 hours in the bank, 6 hours more with every turn, at most 23",
            TURN,
            6 * HOUR,
            TURN,
        ),
        Pace(
            "normal",
            "normal",
            "3 × 23 hours in the bank, 23 hours more with every turn, at most 3 × 23",
            3 * TURN,
            TURN,
            3 * TURN,
        ),
        Pace(
            "slow",
            "slow",
            "7 × 23 hours in the bank, 2 × 23 hours more with every turn, at most 10 × 23",
            7 * TURN,
            2 * TURN,
            10 * TURN,
        ),
    )
}
"""By name."""

WAIT, PROGRAM, FREE = "wait", "program", "free"

OVERTIMES: Mapping[str, str] = {
    WAIT: "the game waits all the same",
    PROGRAM: "the program acts for it until its turn is over",
    FREE: "the seat becomes vacant, so that somebody else can take it",
}
"""What happens when a seat's time is used up: only what the host has chosen."""


def pace_of(name: str) -> Pace:
    """A pace by its name; one that this version does not know counts as none."""
    return PACES.get(name, NO_PACE)

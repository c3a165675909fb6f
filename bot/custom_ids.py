"""The ids of our buttons, menus and forms: all that a press needs is in them, nothing is kept.

`fp:<session>:<version>:<verb>[:<seat>]` starts a verb (names with a dot are the bot's own);
`fpp:<session>:<version>:<verb>:<seat>:<picks>:<check>:<act>` is a step of picking its slots. Seats
are numbers in the table's order. Picks are positions in the options (base 36), one part a slot:
`-` was settled without asking, `3+5` several in order, a last `+` says that more may follow.
`check` is a hash of the values meant: if the options are others now, the press is stale.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

PREFIX = "fp"
"""What all of them begin with."""

LONGEST = 100
"""What Discord allows for a custom id."""

_SESSION = r"(?P<session>[A-Za-z0-9_-]{1,40})"
_VERSION = r"(?P<version>\d{1,9})"
_VERB = r"(?P<verb>\.?[a-z0-9_]{1,32})"
PRESS_PATTERN = re.compile(rf"fp:{_SESSION}:{_VERSION}:{_VERB}(?::(?P<seat>\d{{1,2}}))?")
_STEP = (
    rf"{_SESSION}:{_VERSION}:{_VERB}:(?P<seat>\d{{1,2}}):"
    r"(?P<picks>[0-9a-z.+-]*):(?P<check>[0-9a-z]*):(?P<act>[a-z])(?P<arg>[0-9a-z]*)"
)
STEP_PATTERN = re.compile(rf"fpp:{_STEP}")
FORM_PATTERN = re.compile(rf"fpm:{_STEP}")

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


class TooLong(ValueError):
    """The picks so far do not fit into an id; only a typed command can do this."""


@dataclass(frozen=True)
class Press:
    """A button that starts something. `seat` is set where one user could act for several."""

    session: str
    version: int
    verb: str
    seat: int | None = None

    def __str__(self) -> str:
        tail = "" if self.seat is None else f":{self.seat}"
        return f"fp:{self.session}:{self.version}:{self.verb}{tail}"

    @classmethod
    def read(cls, match: re.Match[str]) -> Press:
        """From a match of `PRESS_PATTERN`."""
        seat = match["seat"]
        return cls(
            match["session"], int(match["version"]), match["verb"], int(seat) if seat else None
        )


@dataclass(frozen=True)
class Step:
    """A control of the picking message: where the picking stands (`picks`) and what it does.

    `act` is one of the letters of `bot.picking`, `arg` belongs to it.
    """

    session: str
    version: int
    verb: str
    seat: int
    picks: str = ""
    check: str = ""
    act: str = "p"
    arg: str = ""

    def id(self, act: str, arg: str = "", *, form: bool = False) -> str:
        """The custom id of a control. Raises `TooLong`."""
        text = (
            f"{'fpm' if form else 'fpp'}:{self.session}:{self.version}:{self.verb}:{self.seat}"
            f":{self.picks}:{self.check}:{act}{arg}"
        )
        if len(text) > LONGEST:
            raise TooLong(text)
        return text

    def at(self, picks: str, check: str) -> Step:
        """The same picking, standing elsewhere."""
        return replace(self, picks=picks, check=check)

    @classmethod
    def read(cls, match: re.Match[str]) -> Step:
        """From a match of `STEP_PATTERN` or `FORM_PATTERN`."""
        return cls(
            match["session"],
            int(match["version"]),
            match["verb"],
            int(match["seat"]),
            match["picks"],
            match["check"],
            match["act"],
            match["arg"],
        )


def base36(number: int) -> str:
    """A number that is not negative, in base 36."""
    digits = _DIGITS[number % 36]
    while number := number // 36:
        digits = _DIGITS[number % 36] + digits
    return digits


def checksum(values: Iterable[str]) -> str:
    """Three characters that tell one list of values from another."""
    return base36(zlib.crc32("\x1f".join(values).encode()) % 36**3)

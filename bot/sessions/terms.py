"""The terms of a table: its pace, what happens when time is used up, how its steps are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bot.refusals import Refused
from bot.sessions.model import EACH, QUIET, USUAL
from bot.sessions.pace import OVERTIMES, PACES, Pace

POSTS: Mapping[str, str] = {
    USUAL: "Dice, cards and changes of turn are posted anew; the rest is edited into the board.",
    EACH: "Every action is posted anew.",
    QUIET: "Only changes of turn are posted anew; the rest is edited into the board.",
}
"""How steps are shown, in sentences."""

UNKNOWN = "I know no such choice: take one from the list."
NO_CLOCK = (
    "Nobody's time can be used up without a clock. Choose a pace as well: fast, normal or slow."
)


@dataclass(frozen=True, slots=True)
class Terms:
    """What the host chooses for a table besides the game."""

    pace: Pace
    overtime: str
    posts: str

    def with_(self, pace: str | None, overtime: str | None, posts: str | None) -> Terms:
        """Terms in which some are others (None: as before). Raises `Refused` for what cannot be."""
        new = self.pace if pace is None else PACES.get(pace)
        terms = Terms(
            new or self.pace,
            self.overtime if overtime is None else overtime,
            self.posts if posts is None else posts,
        )
        if new is None or terms.overtime not in OVERTIMES or terms.posts not in POSTS:
            raise Refused(UNKNOWN)
        if overtime is not None and not terms.pace.timed and terms != self:
            raise Refused(NO_CLOCK)
        return terms

    @property
    def told(self) -> str:
        """All of them, in sentences."""
        return f"{self.clock} {POSTS[self.posts]}"

    @property
    def clock(self) -> str:
        """The pace in a sentence or two."""
        if not self.pace.timed:
            return f"This table has {self.pace.told}."
        return (
            f"The pace of this table is {self.pace.title}: {self.pace.told}. When somebody's time is "
            f"used up, {OVERTIMES[self.overtime]}."
        )

    def news(self, before: Terms) -> list[str]:
        """What is other than before, a line each."""
        lines: list[str] = []
        if (self.pace, self.overtime) != (before.pace, before.overtime):
            lines.append(self.clock)
        if self.posts != before.posts:
            lines.append(POSTS[self.posts])
        return lines

    def columns(self) -> dict[str, str]:
        """As they are kept."""
        return {"pace": self.pace.name, "overtime": self.overtime, "posts": self.posts}

"""What the rest of the bot sees of a session: frozen values, safe to keep and to pass on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.refusals import Unreadable
from bot.store.schema import ENDED, PAUSED
from games.kernel.event import Event
from games.kernel.game import Game, Outcome, Setup
from games.kernel.play import Turnout
from games.kernel.view import Task, View


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """A seat and the user who holds it (None: vacant)."""

    seat: str
    title: str
    user_id: int | None
    name: str


@dataclass(frozen=True, slots=True)
class Table:
    """A session as it stood at `version`. `state` belongs to the game and must not be changed.

    `version` goes up by one with everything that happens. `trouble` says why nothing can be
    posted in its channel, or `""`. The state is None only in what `Sessions.end` returns for a
    session that could not be read.
    """

    id: str
    slug: str
    game: Game[Any]
    guild_id: int | None
    channel_id: int
    host_id: int
    seats: tuple[SeatHolder, ...]
    version: int
    status: str
    setup: Setup
    state: Any
    commitment: str
    keys_used: int
    panel_message_id: int | None
    panel_version: int | None
    trouble: str
    created: int
    updated: int

    @property
    def over(self) -> bool:
        """Whether the session has ended, by the rules or by somebody's decision."""
        return self.status == ENDED

    @property
    def paused(self) -> bool:
        """Whether the session waits for the operator."""
        return self.status == PAUSED

    def seats_of(self, user_id: int) -> tuple[str, ...]:
        """The ids of the seats that a user holds, in order of play."""
        return tuple(holder.seat for holder in self.seats if holder.user_id == user_id)

    def holder(self, seat: str) -> SeatHolder | None:
        """Who holds a seat; None when the set-up has no such seat."""
        return next((holder for holder in self.seats if holder.seat == seat), None)

    def view(self, seat: str | None) -> View:
        """What a seat (None: the public) may see. Raises `Unreadable` when there is no state."""
        return self.game.view(self._state(), seat)

    def tasks(self) -> tuple[Task, ...]:
        """Seats that must act now; none once the session has ended."""
        return () if self.over or self.state is None else self.game.tasks(self.state)

    def waits_for(self) -> tuple[int, ...]:
        """The users who must act now, each once."""
        holders = (self.holder(task.seat) for task in self.tasks())
        ids = (h.user_id for h in holders if h is not None and h.user_id is not None)
        return tuple(dict.fromkeys(ids))

    def result(self) -> Outcome | None:
        """How the game came out by its rules, or None."""
        return None if self.state is None else self.game.result(self.state)

    def _state(self) -> Any:
        if self.state is None:
            raise Unreadable(self.id, "it was read without its state")
        return self.state


@dataclass(frozen=True, slots=True)
class Acted:
    """What a call changed. `table` is the session afterwards; `events` have their audiences.

    `turnout` is what the kernel returned (None for an undo, a join, an end); `binding` says that
    it cannot be taken back by oneself; `handover` that other seats must act now than before.
    """

    table: Table
    events: tuple[Event, ...]
    turnout: Turnout[Any] | None = None
    binding: bool = False
    handover: bool = False


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One row of a session's history. Its events and action may be private: filter by audience.

    `kind` is `begin`, `act`, `undo`, `join` or `end`; `undone` that a later row took it back;
    `base` the row it was played on, or the row that this undo took back.
    """

    number: int
    kind: str
    base: int
    user_id: int
    name: str
    seat: str
    action: dict[str, Any]
    events: tuple[Event, ...]
    binding: bool
    undone: bool
    time: int

"""What the rest of the bot sees of a session: frozen values, safe to keep and to pass on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from msgspec import structs

from bot.refusals import Unreadable
from bot.sessions.pace import NO_PACE, WAIT, Pace
from bot.store.schema import ENDED, LOBBY, PAUSED
from games.kernel.event import Event
from games.kernel.game import Game, Outcome, Setup
from games.kernel.play import Turnout
from games.kernel.view import Task, View

USUAL, EACH, QUIET = "usual", "each", "quiet"
"""How steps are shown (`Table.posts`): what brings dice, cards or other seats to act is posted anew;
every action is; only a change of who must act is, and the rest edited into the board."""

NOT_BEGUN = "Not begun yet: people take their seats."
STOPPED = "This game was ended."


@dataclass(frozen=True, slots=True)
class Sitter:
    """A user on a seat; `joined` is the number of the log row by which they came."""

    user_id: int
    name: str
    joined: int


@dataclass(frozen=True, slots=True)
class SeatHolder:
    """A seat and the users who hold it, in the order in which they came; vacant without any.

    `moment` is the version from which on its controls are good: what others do meanwhile does not
    change what this seat is asked. `stand_in` is the user who wished that the program acts for it
    until somebody of the seat acts again. `bank` are the seconds it had when it was last waited for
    (None: all that its pace gives); `since` is when the present wait began (None: it need not act), and
    `muted` are those who do not want to be reminded in it.
    """

    seat: str
    title: str
    users: tuple[Sitter, ...] = ()
    moment: int = 0
    stand_in: int | None = None
    bank: int | None = None
    since: int | None = None
    muted: tuple[int, ...] = ()

    @property
    def user_id(self) -> int | None:
        """Its captain: whoever came first of those who are still there."""
        return self.users[0].user_id if self.users else None

    @property
    def user_ids(self) -> tuple[int, ...]:
        """All of its users."""
        return tuple(user.user_id for user in self.users)

    @property
    def name(self) -> str:
        """The names of its users: “Robin and Kim”; empty when it is vacant."""
        names = [user.name for user in self.users]
        return (
            names[0]
            if len(names) == 1
            else f"{', '.join(names[:-1])} and {names[-1]}"
            if names
            else ""
        )


@dataclass(frozen=True, slots=True)
class Table:
    """A session as it stood at `version`. `state` belongs to the game and must not be changed.

    `version` goes up by one with everything that happens. `trouble` says why nothing can be
    posted in its channel, or `""`. `host_id` is 0 while nobody hosts it. In a lobby the state is a
    preview of how the game would begin. The state is None only in what `Sessions.end` and
    `Sessions.remains` return for a session that could not be read; the game may be None then, too.
    `takebacks` is how often something was taken back by which a die or a card had come to light.
    `overtime` says what happens when a seat has used up the time of the `pace` (`bot.sessions.pace`).
    `lesson_step` is how far its player has come in the lesson; None where nobody is taught.
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
    takebacks: int = 0
    pace: Pace = NO_PACE
    overtime: str = WAIT
    posts: str = USUAL
    lesson_step: int | None = None
    _known: dict[str, tuple[Task, ...]] = field(
        default_factory=dict[str, tuple[Task, ...]], init=False, repr=False, compare=False
    )

    @property
    def over(self) -> bool:
        """Whether the session has ended, by the rules or by somebody's decision."""
        return self.status == ENDED

    @property
    def lobby(self) -> bool:
        """Whether people are still taking their seats."""
        return self.status == LOBBY

    @property
    def paused(self) -> bool:
        """Whether the session waits for the operator."""
        return self.status == PAUSED

    def seats_of(self, user_id: int) -> tuple[str, ...]:
        """The ids of the seats that a user holds, in order of play."""
        return tuple(holder.seat for holder in self.seats if user_id in holder.user_ids)

    def people(self) -> tuple[int, ...]:
        """Everybody who sits at the table, each once."""
        return tuple(dict.fromkeys(user for holder in self.seats for user in holder.user_ids))

    def vacant(self) -> tuple[SeatHolder, ...]:
        """The seats that nobody holds."""
        return tuple(holder for holder in self.seats if not holder.users)

    def holder(self, seat: str) -> SeatHolder | None:
        """Who holds a seat; None when the set-up has no such seat."""
        return next((holder for holder in self.seats if holder.seat == seat), None)

    def view(self, seat: str | None) -> View:
        """What a seat (None: the public) may see. Raises `Unreadable` when there is no state."""
        state = self._state()
        view = self.game.view(state, seat)
        if self.lobby:
            return structs.replace(view, headline=NOT_BEGUN, tasks=())
        if self.over and self.result() is None:
            return structs.replace(view, headline=STOPPED, tasks=())
        return view

    def tasks(self) -> tuple[Task, ...]:
        """Seats that must act now; none in a lobby, and once the session has ended."""
        if self.over or self.lobby or self.state is None:
            return ()
        if "tasks" not in self._known:  # worked out once: it is asked for again and again
            self._known["tasks"] = self.game.tasks(self.state)
        return self._known["tasks"]

    def due(self) -> tuple[str, ...]:
        """The seats that must act now, each once."""
        return tuple(dict.fromkeys(task.seat for task in self.tasks()))

    def pending(self) -> tuple[str, ...]:
        """The seats that are waited for: those to act; in a full lobby the host's, who is to start."""
        if self.lobby:
            return () if self.vacant() else self.seats_of(self.host_id)[:1]
        return self.due()

    def time_up(self, seat: str) -> int | None:
        """When a seat that must act has used up its time; None when no clock runs for it."""
        holder = self.holder(seat)
        if holder is None or holder.since is None or not self.timed(holder):
            return None
        return holder.since + self.pace.allowed(holder.bank)

    def timed(self, holder: SeatHolder) -> bool:
        """Whether a clock runs for a seat while it is waited for: somebody else waits for its people."""
        if not self.pace.timed or self.lobby or not holder.users or holder.stand_in is not None:
            return False
        return len(self.people()) > 1

    def waits_for(self) -> tuple[int, ...]:
        """The users who must act now, each once."""
        holders = (self.holder(seat) for seat in self.due())
        return tuple(dict.fromkeys(u for h in holders if h is not None for u in h.user_ids))

    def result(self) -> Outcome | None:
        """How the game came out by its rules, or None."""
        return None if self.state is None or self.lobby else self.game.result(self.state)

    def _state(self) -> Any:
        if self.state is None:
            raise Unreadable(self.id, "it was read without its state")
        return self.state


@dataclass(frozen=True, slots=True)
class Acted:
    """What a call changed. `table` is the session afterwards; `events` have their audiences.

    `turnout` is what the kernel returned (None for what is no action of the game); `binding` says
    that it cannot be taken back by oneself; `handover` that other seats must act now than before.
    `calls` are the users to be mentioned, because they must act now and need not before; `text` a
    remark for everybody, in which only the users of `told` are mentioned.
    """

    table: Table
    events: tuple[Event, ...]
    turnout: Turnout[Any] | None = None
    binding: bool = False
    handover: bool = False
    calls: tuple[int, ...] = ()
    text: str = ""
    told: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One row of a session's history. Its events and action may be private: filter by audience.

    `kind` is `lobby`, `setup`, `begin`, `act`, `stand_in` (the program acted for a seat, as the
    user wished), `undo`, `propose`, `agree`, `refuse` (about an undo), `offer`, `decline` (of a
    seat), `ask`, `vote` (where the host is gone), `wish` (that the program acts from now on), `join`,
    `leave`, `host`, `pace`, `posts`, `salt`, `import` or `end`; `undone` that a later row took it back;
    `base` the row it was played on, or the oldest that this undo took back. `user_id` is 0 for what the
    bot did by itself.
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

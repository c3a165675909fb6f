"""What every game is made of: seats, set-up, verbs with slots, offers, result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from games.kernel.action import Action, Picked, Value
from games.kernel.domain import Domain, Option
from games.kernel.entropy import Entropy
from games.kernel.event import Event
from games.kernel.illegal import Illegal
from games.kernel.view import Mark, Task, View

if TYPE_CHECKING:
    from games.kernel.campaign import Campaign, Grading, Record
    from games.kernel.cards import DeckList
    from games.kernel.lesson import Lesson

S = TypeVar("S")


class Seat(msgspec.Struct, frozen=True):
    """A role at the table: its id, its title for players, the side it plays for."""

    id: str
    title: str
    side: str


class Setup(msgspec.Struct, frozen=True):
    """How a game starts.

    `roster` is what a campaign brings along, in the game's own terms, and `campaign` the id of that
    campaign, which no rule reads. `empty` leaves out every counter of the mission (tests and vectors);
    `lesson` names the lesson whose counters stand on the board instead of the mission's own.
    """

    mission: str
    mode: str
    options: dict[str, str] = {}
    map: str = ""
    empty: bool = False
    roster: dict[str, str] = {}
    campaign: str = ""
    lesson: str = ""


class SetupField(msgspec.Struct, frozen=True):
    """One thing that is chosen when a table is opened."""

    name: str
    prompt: str
    options: tuple[Option, ...]
    preset: str


class Slot(msgspec.Struct, frozen=True):
    """One part of an action: its name and the question that asks for it.

    `board` says that the values lie on the board and are best picked on a picture; `sure` that a
    player is asked even when there is only one value, because the action cannot be taken back;
    `quiet` that nobody is asked at all: the preset holds unless a value is given (a command's
    extra); `spread` that its few values are best shown as buttons of their own at once. A slot that is
    quiet and spread is not asked for either, but its other values are offered in one menu, each with
    its verb, so that a single choice does both (“Move on, then end the turn”).
    """

    name: str
    prompt: str
    board: bool = False
    sure: bool = False
    quiet: bool = False
    spread: bool = False


class Offer(msgspec.Struct, frozen=True):
    """A verb that a seat may start now, with the text of its button. `main` is the natural one."""

    verb: str
    label: str
    main: bool = False


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: `won` lists the seats that won, `level` grades it, `cause` is a rule id."""

    won: tuple[str, ...]
    title: str
    text: str
    level: str = ""
    cause: str = ""


class Verb(ABC, Generic[S]):
    """Something a seat can do. Its slots are filled one after the other, each from its domain."""

    name: str
    label: str
    summary: str
    slots: tuple[Slot, ...] = ()
    main: bool = False
    command: str = ""
    """Its name as a command within its group, where that is shorter than `name`."""
    secret: bool = False
    """Whether it depends on what only the seat may know (its hand) if the verb is on offer: such a verb is
    never shown in public."""
    group: str = ""
    """The command group it goes to when a game has more verbs than one level of commands holds."""
    confirm: bool = False
    """Whether players are asked once more before it is done, because it cannot be taken back."""
    personal: bool = False
    """Whether it is for people only: the program never does it in the place of somebody absent."""
    settles: bool = False
    """Whether it leaves a decision to the program, which does it first for somebody absent."""

    @abstractmethod
    def domain(self, state: S, seat: str, slot: str, picked: Picked) -> Domain | None:
        """The legal values of a slot, given those picked before it; None: the slot does not apply."""

    @abstractmethod
    def perform(
        self, state: S, seat: str, picked: Picked, entropy: Entropy, log: list[Event]
    ) -> None:
        """Do it, changing `state`, a private copy. All slots are legal."""

    def closed(self, state: S, seat: str) -> Illegal | None:
        """Why the verb cannot be started now although it is this seat's moment; None when it can."""
        if not self.slots:
            return None
        domain = self.domain(state, seat, self.slots[0].name, {})
        return None if domain else Illegal("", f"There is nothing to {self.label.lower()} now.")

    def explain(self, state: S, seat: str, given: Mapping[str, Value], closed: Illegal) -> Illegal:
        """The best reason for refusing a verb that is closed, given what the player had in mind."""
        return closed

    def refusal(self, state: S, seat: str, slot: str, picked: Picked, value: Value) -> Illegal:
        """Why a value is not in the slot's domain."""
        shown = value if isinstance(value, str) else ", ".join(value)
        return Illegal("", f"“{shown}” is not a choice for “{slot}” here.")


class Game(ABC, Generic[S]):
    """A game bound to its content: a value with pure methods. Its state is a msgspec struct."""

    slug: str
    title: str
    rules_version: int
    state_type: type[S]
    verbs: Mapping[str, Verb[S]]
    content_hash: str

    @abstractmethod
    def tables(self) -> dict[str, Any]:
        """The content as JSON, to pin it in a session."""

    @abstractmethod
    def setup_fields(self) -> Sequence[SetupField]:
        """What can be chosen when a table is opened."""

    @abstractmethod
    def read_setup(self, chosen: Mapping[str, str]) -> Setup:
        """A set-up from chosen fields. Raises `Illegal` for one that does not exist."""

    @abstractmethod
    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        """The seats of that set-up, in order of play."""

    def solo(self, setup: Setup) -> bool:
        """Whether one person plays all seats of that set-up, so that nobody is waited for."""
        return len(self.seats(setup)) == 1

    @abstractmethod
    def set_up(self, setup: Setup, entropy: Entropy, log: list[Event]) -> S:
        """The first state; the automation runs afterwards. Raises `Illegal` for a wrong set-up."""

    @abstractmethod
    def verbs_now(self, state: S, seat: str) -> tuple[str, ...]:
        """Names of the verbs whose moment this is for that seat, whether or not they have options."""

    @abstractmethod
    def not_now(self, state: S, seat: str, verb: str) -> Illegal:
        """Why it is not this seat's moment for that verb."""

    @abstractmethod
    def tasks(self, state: S) -> tuple[Task, ...]:
        """Seats that must act before the game goes on; empty while the automation has work."""

    def upcoming(self, state: S) -> tuple[str, ...]:
        """The seats that will have to act once those have acted that must now; none where that is open."""
        return ()

    @abstractmethod
    def step(self, state: S, entropy: Entropy, log: list[Event]) -> None:
        """One step of the automation, changing `state`. Called only while nobody must act."""

    @abstractmethod
    def result(self, state: S) -> Outcome | None:
        """How the game ended, or None."""

    @abstractmethod
    def view(self, state: S, seat: str | None) -> View:
        """What that seat (None: the public) may see."""

    @abstractmethod
    def pick_marks(self, state: S, seat: str, verb: str, picked: Picked) -> tuple[Mark, ...]:
        """Marks that help choosing the next slot, besides those of the domain itself (arcs)."""

    @abstractmethod
    def rule(self, rule: str) -> tuple[str, str] | None:
        """Title and text of a rule, or None."""

    @abstractmethod
    def rules(self) -> Sequence[tuple[str, str]]:
        """Ids and titles of all rules."""

    @abstractmethod
    def patch(self, state: S, path: str, value: object) -> None:
        """Set a field by the specification's name (vectors). Raises `KeyError` for an unknown one."""

    @abstractmethod
    def inspect(self, state: S, path: str) -> object:
        """Read a field by the specification's name, JSON-like; False when there is no such thing."""

    def campaigns(self) -> Mapping[str, Campaign[S]]:
        """The series of games that can be played, by slug; none unless the game says so."""
        return {}

    def lessons(self) -> Mapping[str, Lesson[S]]:
        """The guided games, by slug, the first one first; none unless the game says so."""
        return {}

    def decks(self) -> tuple[DeckList, ...]:
        """The game's own cards, for free use without the game; none unless the game says so."""
        return ()

    def reading_aid(self, state: S, seat: str) -> str:
        """What a player may want to know before acting (odds), as lines; empty when nothing."""
        return ""

    def policy(self, state: S, name: str) -> tuple[str, Action] | None:
        """What a registered policy does now: seat and action; None when there is no such policy."""
        return None

    def record(self, state: S, seat: str) -> Record | None:
        """What a seat takes away from a finished game; None when nothing is kept."""
        return None

    def campaign_line(self, setup: Setup) -> str:
        """How the campaign stood when this game of it was opened, as a line; empty when nothing is said."""
        return ""

    def grading(self) -> Grading | None:
        """How results compare; None when they are just won or lost."""
        return None

    def concerns(self, state: S, seat: Seat, event: Event) -> bool:
        """Whether something that happened was done to a seat, so that it is told first.

        By default what only that seat was told, what names it, and what points at its own counter.
        """
        if event.to is not None:
            return seat.id in event.to
        if seat.title.casefold() in event.text.casefold():
            return True
        own = {t.cell for t in self.view(state, seat.id).board.tokens if t.id == seat.id and t.cell}
        return any(mark.cells and mark.cells[-1] in own for mark in event.marks)

    def offers(self, state: S, seat: str) -> tuple[Offer, ...]:
        """The verbs this seat may start now."""
        verbs = (self.verbs[name] for name in self.verbs_now(state, seat))
        return tuple(
            Offer(verb.name, verb.label, verb.main)
            for verb in verbs
            if verb.closed(state, seat) is None
        )

    def encode(self, state: S) -> bytes:
        """The state as canonical JSON: equal states give equal bytes."""
        return msgspec.json.encode(state, order="deterministic")

    def decode(self, raw: bytes) -> S:
        """A state from its JSON. Raises `msgspec.ValidationError` when it cannot be read."""
        return msgspec.json.decode(raw, type=self.state_type)

    def copy(self, state: S) -> S:
        """An independent copy."""
        return self.decode(msgspec.json.encode(state))

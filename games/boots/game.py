"""Boots on the Ground as a `Game`: the rules package behind the kernel's interface."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from games.boots import conduct, flow, view, words
from games.boots import setup as setting_up
from games.boots.content import Content
from games.boots.field import Field
from games.boots.freecards import decks
from games.boots.lesson import BootsLesson, make_lessons
from games.boots.model import INSURGENT, INSURGENT_SEAT, SEAT_OF, SQUAD_OF, State
from games.boots.odds import reading_aid
from games.boots.patch import inspect, patch
from games.boots.tour import Tour, grading, record
from games.boots.verbs import STEPS, make_verbs
from games.boots.world import World
from games.kernel.action import Picked
from games.kernel.campaign import Campaign, Grading, Record
from games.kernel.cards import DeckList
from games.kernel.entropy import Entropy
from games.kernel.event import Event
from games.kernel.game import Outcome, Seat, Setup, SetupField
from games.kernel.illegal import Illegal
from games.kernel.printed import PrintedGame
from games.kernel.view import Mark, Task, View


class Boots(PrintedGame[State]):
    """Boots on the Ground, bound to its content."""

    slug = "boots"
    title = "Boots on the Ground"
    rules_version = 1
    state_type = State

    def __init__(self, content: Content) -> None:
        super().__init__(content)
        self.content = content
        self.verbs = make_verbs(content)
        self._tour = Tour(content)
        self._lessons = make_lessons(content, self.verbs)

    def setup_fields(self) -> Sequence[SetupField]:
        """Mission, mode and options."""
        return setting_up.fields(self.content)

    def read_setup(self, chosen: Mapping[str, str]) -> Setup:
        """A set-up from chosen fields. Raises `Illegal`."""
        return setting_up.read(self.content, chosen)

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        """The seats of a set-up."""
        return setting_up.seats(setup, setting_up.all_options(self.content, setup))

    def solo(self, setup: Setup) -> bool:
        """One person plays all squads of the solo modes."""
        return setup.mode in ("solo1", "solo2")

    def set_up(self, setup: Setup, entropy: Entropy, log: list[Event]) -> State:
        """The first state. Raises `Illegal`."""
        return setting_up.build(self.content, setup, log)

    def at(self, state: State) -> Field:
        """The field as it stands."""
        return Field(self.content, state)

    def verbs_now(self, state: State, seat: str) -> tuple[str, ...]:
        """The verbs of the step under way for the seat that must act; giving up for every seat."""
        if state.outcome is not None or seat not in self._seats(state):
            return ()
        field = self.at(state)
        names: tuple[str, ...] = ()
        if seat in flow.waits_for(field):
            step = state.steps[-1].step
            names = STEPS[step] if step in STEPS else conduct.verbs_asked(field)
        if seat in conduct.conducting_seats(field) and seat not in state.conceded:
            names = (*names, "standing")
        return names if seat in state.conceded else (*names, "concede")

    def _seats(self, state: State) -> tuple[str, ...]:
        squads = tuple(SEAT_OF[k] for k in state.playing)
        return (*squads, INSURGENT_SEAT) if state.mode in conduct.FREE_MODES else squads

    def not_now(self, state: State, seat: str, verb: str) -> Illegal:
        """Why it is not this seat's moment for that verb."""
        if seat not in self._seats(state):
            return Illegal("", "That seat does not play in this game.")
        if seat in state.conceded and verb == "concede":
            return Illegal("BG-E.5", "You have given up already.")
        waiting = flow.tasks(self.at(state))
        mine = [task for task in waiting if task.seat == seat]
        if mine:
            return Illegal("BG-6.2", f"Not now. You have to {mine[0].what}.")
        others = " and ".join(task.seat.title() for task in waiting)
        return Illegal("BG-6.3", f"It is not your turn: the game waits for {others}.")

    def tasks(self, state: State) -> tuple[Task, ...]:
        """Seats that must act before the game goes on."""
        return flow.tasks(self.at(state))

    def upcoming(self, state: State) -> tuple[str, ...]:
        """The squad whose turn is next."""
        return flow.upcoming(self.at(state))

    def step(self, state: State, entropy: Entropy, log: list[Event]) -> None:
        """One step of the automation."""
        flow.step(World(self.content, state, entropy, log))

    def result(self, state: State) -> Outcome | None:
        """How the game ended, or None."""
        return state.outcome

    def view(self, state: State, seat: str | None) -> View:
        """What that seat may see; in this game everybody sees the same."""
        return view.view(self.at(state))

    def concerns(self, state: State, seat: Seat, event: Event) -> bool:
        """What names one of the seat's own units, or points at it."""
        squad = SQUAD_OF.get(seat.id)
        own = [
            unit
            for unit in state.units.values()
            if (unit.kind == INSURGENT if squad is None else unit.squad == squad)
        ]
        told = event.text.casefold()
        if any(re.search(rf"\b{re.escape(words.name(u).casefold())}\b", told) for u in own):
            return True
        here = {unit.pos for unit in own if unit.pos}
        return any(mark.cells and mark.cells[-1] in here for mark in event.marks)

    def pick_marks(self, state: State, seat: str, verb: str, picked: Picked) -> tuple[Mark, ...]:
        """The front arc of the acting unit."""
        return view.arc_mark(self.at(state)) if verb in ("fire", "spread", "rpg", "move") else ()

    def campaigns(self) -> Mapping[str, Campaign[State]]:
        """The tour of duty (spec 10)."""
        return {self._tour.slug: self._tour}

    def decks(self) -> tuple[DeckList, ...]:
        """The Intel cards."""
        return decks(self.content)

    def lessons(self) -> Mapping[str, BootsLesson]:
        """The guided first mission."""
        return self._lessons

    def reading_aid(self, state: State, seat: str) -> str:
        """The odds of the acting unit's shots."""
        return reading_aid(self.at(state))

    def record(self, state: State, seat: str) -> Record | None:
        """The figures of the service record (spec 10)."""
        return record(self.content, state, seat)

    def grading(self) -> Grading:
        """Victory levels and Intel cards (spec 10)."""
        return grading(self.content)

    def patch(self, state: State, path: str, value: object) -> None:
        """Set a field by the specification's name (vectors)."""
        patch(self.at(state), path, value)

    def inspect(self, state: State, path: str) -> object:
        """Read a field by the specification's name."""
        return inspect(self.at(state), path)

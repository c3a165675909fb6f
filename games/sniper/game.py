"""Sniper Kill Confirmed as a `Game`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.kernel.action import Action, Picked
from games.kernel.campaign import Campaign, Grading, Record
from games.kernel.cards import DeckList
from games.kernel.entropy import Entropy
from games.kernel.event import Event
from games.kernel.game import Outcome, Seat, Setup, SetupField
from games.kernel.illegal import Illegal
from games.kernel.printed import PrintedGame
from games.kernel.view import Mark, Task, View
from games.sniper import roles
from games.sniper import setup as setting_up
from games.sniper import view as views
from games.sniper.campaign import Tour, campaign_line, record
from games.sniper.content import Content
from games.sniper.freecards import decks
from games.sniper.lesson import SniperLesson, make_lessons
from games.sniper.look import Look
from games.sniper.model import State
from games.sniper.odds import reading_aid
from games.sniper.patch import inspect, patch
from games.sniper.policy import decide
from games.sniper.verbs import GROUP, PHASES, make_verbs
from games.sniper.verbs.base import SniperVerb


class Sniper(PrintedGame[State]):
    """Sniper Kill Confirmed, bound to its content."""

    slug = "sniper"
    title = "Sniper Kill Confirmed"
    rules_version = 1
    state_type = State

    def __init__(self, content: Content) -> None:
        super().__init__(content)
        self.content = content
        self.verbs = make_verbs(content)
        self._campaign = Tour(content)
        self._lessons = make_lessons(content, self.verbs)

    def setup_fields(self) -> Sequence[SetupField]:
        """Mode and options."""
        return setting_up.fields(self.content)

    def read_setup(self, chosen: Mapping[str, str]) -> Setup:
        """A set-up from chosen fields. Raises `Illegal`."""
        return setting_up.read(self.content, chosen)

    def seats(self, setup: Setup) -> tuple[Seat, ...]:
        """The seats of a set-up."""
        return setting_up.seats(setup)

    def set_up(self, setup: Setup, entropy: Entropy, log: list[Event]) -> State:
        """The first state. Raises `Illegal`."""
        return setting_up.build(self.content, setup, entropy, log)

    def at(self, state: State) -> Look:
        """The mission as it stands."""
        return Look(self.content, state)

    def verbs_now(self, state: State, seat: str) -> tuple[str, ...]:
        """The verbs of the phase that are this seat's part; giving up for every seat."""
        if state.outcome is not None or seat not in roles.seats(state):
            return ()
        names = PHASES.get(state.phase, ())
        if state.mode == "group":
            if state.in_window:
                names = (*GROUP[: 3 if state.phase == "I" else 2], *names)
            names = (*names, "orders")
        mine = roles.parts(state, seat)
        return (*(name for name in names if self._is_mine(name, state, mine)), "abandon")

    def _is_mine(self, name: str, state: State, mine: str) -> bool:
        verb = self.verbs[name]
        parts = verb.parts(state) if isinstance(verb, SniperVerb) else "PQ"
        return any(part in parts for part in mine)

    def not_now(self, state: State, seat: str, verb: str) -> Illegal:
        """Why it is not this seat's moment for that verb."""
        if seat not in roles.seats(state):
            return Illegal("", "That seat does not play in this game.")
        phase_verbs = (*PHASES.get(state.phase, ()), *GROUP, "orders")
        if verb in phase_verbs and not self._is_mine(verb, state, roles.parts(state, seat)):
            return Illegal("SK-22.4", "That is your partner’s decision.")
        if verb in (*GROUP, "orders") and state.mode != "group":
            return Illegal("SK-22.5", "That exists in group missions only.")
        waiting = " ".join(
            f"{views.seat_title(state, task.seat)}: {task.what}." for task in self.tasks(state)
        )
        return Illegal("SK-2.2", f"Not in this phase. {waiting}")

    def tasks(self, state: State) -> tuple[Task, ...]:
        """The seat that must act before the mission goes on."""
        return views.tasks(self.at(state))

    def upcoming(self, state: State) -> tuple[str, ...]:
        """Whoever is the Sniper next turn, where the parts change hands (SK-22.9)."""
        if not state.crew or state.outcome is not None:
            return ()
        return (roles.next_sniper(state),)

    def step(self, state: State, entropy: Entropy, log: list[Event]) -> None:
        """Never called: every verb runs to the next decision by itself."""
        raise RuntimeError(f"a mission in phase {state.phase} waits for nobody")

    def result(self, state: State) -> Outcome | None:
        """How the mission ended, or None."""
        return state.outcome

    def view(self, state: State, seat: str | None) -> View:
        """What that seat may see."""
        return views.view(self.at(state), seat)

    def pick_marks(self, state: State, seat: str, verb: str, picked: Picked) -> tuple[Mark, ...]:
        """Nothing is picked on the board."""
        return ()

    def campaigns(self) -> Mapping[str, Campaign[State]]:
        """The campaign of ten missions (SK-17)."""
        return {self._campaign.slug: self._campaign}

    def campaign_line(self, setup: Setup) -> str:
        """Mission, Victory Points, failures and bank (spec 10)."""
        return campaign_line(self.content, setup)

    def grading(self) -> Grading:
        """The levels of a mission, from the worst."""
        return Grading(("Minor", "Major"), "Turns")

    def decks(self) -> tuple[DeckList, ...]:
        """The Action, Tactical, Hostile and VIP cards."""
        return decks(self.content)

    def lessons(self) -> Mapping[str, SniperLesson]:
        """The guided mission."""
        return self._lessons

    def reading_aid(self, state: State, seat: str) -> str:
        """The odds of the shot in the offing."""
        return reading_aid(self.at(state))

    def policy(self, state: State, name: str) -> tuple[str, Action] | None:
        """The stand-in policy of spec 9.3, by the name `standin`."""
        return decide(self.at(state)) if name == "standin" else None

    def record(self, state: State, seat: str) -> Record | None:
        """The figures of a mission for statistics (spec 10)."""
        return record(self.content, state, seat)

    def patch(self, state: State, path: str, value: object) -> None:
        """Set a field by the specification's name (vectors)."""
        patch(self.at(state), path, value)

    def inspect(self, state: State, path: str) -> object:
        """Read a field by the specification's name."""
        return inspect(self.at(state), path)

"""The world: the field plus dice and a log. Every change to counters is made here.

Harm and its consequences (BG-3.6, BG-3.7, BG-4.13, BG-4.22, BG-4.34, BG-9.14) live here, because every
way to be hurt ends in the same two: `wound` and `kill`.
"""

from __future__ import annotations

from typing import Literal

from games.boots import words
from games.boots.content import Content
from games.boots.field import Field
from games.boots.model import (
    INSURGENT,
    INSURGENT_SEAT,
    SEAT_OF,
    Activation,
    Frame,
    Part,
    State,
    Unit,
)
from games.geometry.squares import Square
from games.kernel.entropy import Entropy
from games.kernel.event import Ended, Event, Noted
from games.kernel.game import Outcome
from games.kernel.view import Mark

Harm = Literal["wounded", "critical", "killed", "to the pool", "captured", "unhurt"]
"""What became of a unit that was hurt."""


class World(Field):
    """A private copy of a state that may be changed."""

    def __init__(self, content: Content, state: State, entropy: Entropy, log: list[Event]) -> None:
        super().__init__(content, state)
        self.entropy = entropy
        self.log = log
        self.nobody_left: tuple[str, str] = ("BG-E.3", words.NOBODY_LEFT)
        """Why the game is lost, and how to say it, when the last soldier leaves the board."""

    # --- the log ---

    def note(self, text: str, *marks: Mark) -> None:
        """Tell everybody something."""
        self.log.append(Noted(text=text, marks=marks))

    # --- the sequence of play ---

    @property
    def over(self) -> bool:
        """Whether the game has ended; everything under way stops at once (BG-E.3)."""
        return self.state.outcome is not None

    def push(self, step: str, *queue: str, count: int = 0, subject: str = "") -> None:
        """Begin a step on top of the one under way."""
        self.state.steps.append(Frame(step, list(queue), count=count, subject=subject))

    def finish(self) -> None:
        """End the step under way."""
        self.state.steps.pop()

    def go(self, step: str, *queue: str) -> None:
        """End the step under way and begin another in its place."""
        self.finish()
        self.push(step, *queue)

    # --- counters ---

    def put(self, unit: Unit, square: Square, face: int | None = None) -> None:
        """Place a unit on a square, which must be free or its own."""
        unit.pos = square
        if face is not None:
            unit.face = face
        self._occupants = None

    def take_off(self, unit: Unit) -> None:
        """Take a unit off the board."""
        unit.pos = None
        self._occupants = None

    def refresh(self) -> None:
        """Forget what was derived from vehicles and demo doors after one of them has changed."""
        self._grid = None
        self.__dict__.pop("cover_squares", None)

    def create_insurgent(self, square: Square, face: int) -> Unit:
        """A new insurgent with the next number (spec section 2). The pool is the caller's affair."""
        self.state.created += 1
        unit = Unit(f"IN{self.state.created}", INSURGENT)
        self.state.units[unit.id] = unit
        self.put(unit, square, face)
        return unit

    # --- harm ---

    def wound(self, unit: Unit) -> Harm:
        """One wound result: a hit on an allied unit, the pool for an insurgent (BG-3.6, BG-3.7)."""
        if unit.kind == INSURGENT:
            return self._lose_insurgent(unit, killed=False)
        unit.hits += 1
        if unit.hits >= self.content.tables.wounds.hits_to_die:
            return self.kill(unit)
        return "critical" if unit.hits == 2 else "wounded"

    def kill(self, unit: Unit) -> Harm:
        """A kill result (BG-4.13, BG-11.6.1), with everything that follows from a death."""
        if unit.kind == INSURGENT:
            return self._lose_insurgent(unit, killed=True)
        square, squad = unit.pos, unit.squad
        unit.status = "kia" if unit.is_soldier else "dead"
        self.take_off(unit)
        self._drop(unit, square)
        if unit.is_soldier:
            book = self.squad(squad)
            book.kia.append(unit.id)
            if unit.kind == "L":
                book.leader_shield = False
        self._leave_activation(unit)
        if unit.is_soldier and not self.soldiers(squad):
            self.desert(squad)
        return "killed"

    def desert(self, squad: str) -> None:
        """A squad without soldiers is out; its freed hostages are captives again (BG-4.22, BG-6.6).

        When no squad has a soldier left the game ends at once (BG-E.3), and when all that have one
        have given up before (BG-E.5).
        """
        self.squad(squad).out = True
        if self.state.mode == "comp":
            self.state.standing[SEAT_OF[squad]] = "all"
        for hostage in self.squad_units(squad):
            hostage.status, hostage.squad = "captive", ""
            self._leave_activation(hostage)
            self.note(words.captive_again(hostage))
        if not self.all_soldiers():
            self.end(*self.nobody_left)
        elif self.given_up:
            self.end("BG-E.5", words.gave_up())

    @property
    def given_up(self) -> bool:
        """Whether every squad that is not out has given up (BG-E.5)."""
        left = [k for k in self.state.playing if not self.squad(k).out]
        return all(SEAT_OF[k] in self.state.conceded for k in left)

    def _lose_insurgent(self, unit: Unit, *, killed: bool) -> Harm:
        wanted = unit.role == "hvt"
        self.take_off(unit)
        del self.state.units[unit.id]
        if wanted:
            self.state.hvt = "killed" if killed else "captured"
            self.state.hvt_by = self.state.squad_turn
        if killed:
            self.state.killed += 1
            return "killed"
        if wanted:
            return "captured"
        self.state.pool += 1
        return "to the pool"

    def _drop(self, unit: Unit, square: Square | None) -> None:
        """What a dead unit carried is lost, but the WMD lies where it fell (BG-4.34)."""
        unit.items.clear()
        if self.state.wmd.where == unit.id and square is not None:
            self.state.wmd.where = square
            self.note(words.wmd_dropped(square))

    def _leave_activation(self, unit: Unit) -> None:
        activation = self.state.activation
        if activation is None or unit.id not in activation.members:
            return
        activation.members.remove(unit.id)
        if activation.current == unit.id:
            activation.current = ""

    # --- the end ---

    def end(self, cause: str, text: str, *, won: tuple[str, ...] = (), level: str = "") -> None:
        """End the game; `won` are the allied seats that won, `cause` the rule that ends it.

        An allied defeat is the insurgents' win where a user plays them (BG-9.7) and has not handed
        them over to the program (BG-E.5).
        """
        if self.over:
            return
        title = words.victory(level) if won else words.DEFEAT
        human = self.state.mode in ("versus", "three")
        if not won and human and INSURGENT_SEAT not in self.state.conceded:
            won = (INSURGENT_SEAT,)
        self.state.outcome = Outcome(won, title, text, level, cause)
        self.log.append(Ended(text=f"{title}. {text}", title=title))

    def begin_activation(
        self, kind: str, squad: str, members: list[str], current: str
    ) -> Activation:
        """Fix every member's allowance for this activation (BG-10.14)."""
        team = kind == "team"
        parts: dict[str, Part] = {}
        for name in members:
            mp = self.allowance(self.unit(name), team=team)
            parts[name] = Part(mp, mp)
        activation = Activation(kind, squad, members, parts, current)
        self.state.activation = activation
        return activation

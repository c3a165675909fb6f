"""Lessons: a guided game, told in steps by what the learner does and by how the game stands.

A lesson changes no rule. It names a set-up, and for each step what is learnt by doing what (`Goal`) and
what a coach says in which situation (`Cue`); a game's own `facts` fill in names and squares, its own
`signs` say what happened. Whatever the learner does instead is legal, and some cue fits afterwards.
"""

from __future__ import annotations

import string
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import msgspec

from games.kernel.action import Action, Value
from games.kernel.datafiles import DataFile
from games.kernel.event import Event
from games.kernel.game import Game, Setup

S = TypeVar("S")

MOST_REMARKS = 2
"""Remarks after one action; what is left over is told when it happens again."""


MOST_CLOSINGS, MOST_LINES = 2, 3
"""What is said about one action: of the steps that it finishes, and in all."""


class Goal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What finishes a step: one of these verbs was used, or one of these signs was seen."""

    verbs: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()

    def met(self, done: Iterable[str]) -> bool:
        """Whether something of it is among the verbs and signs so far."""
        return any(name in (*self.verbs, *self.signs) for name in done)


class Cue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the coach says while all verbs of `offers` are on offer and no fact of `knows` is empty.

    In the text `{verb}` stands for a button's name and `{fact}` for a fact. `verb` is what the learner is
    asked to do, and `slots` how far that is laid down (an empty value: not at all); the rest is his choice.
    `private` keeps it from everybody but the learner, because it speaks of what only he may know.
    """

    text: str
    offers: tuple[str, ...] = ()
    knows: tuple[str, ...] = ()
    verb: str = ""
    slots: dict[str, str] = {}
    private: bool = False


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step of a lesson: its title, its cues (the first that fits is said), and what is said at its end.

    The last step of a lesson has no goal.
    """

    title: str
    cues: tuple[Cue, ...]
    goal: Goal = Goal()
    closing: str = ""


class Remark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is said when a sign is seen for the first time."""

    sign: str
    text: str


class Script(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a lesson.

    `questions` are cues that go before those of any step (the game asks something out of turn), `else_cue`
    fits where none does, and may use the fact `task`. `detour` is said after something that was not asked
    for, `farewell` when the game is over.
    """

    title: str
    seat: str
    stages: tuple[Stage, ...]
    remarks: tuple[Remark, ...]
    questions: tuple[Cue, ...]
    else_cue: str
    detour: str
    farewell: str


class Said(msgspec.Struct, frozen=True):
    """What a coach says now: the step's place and title, the words, and the action they ask for."""

    step: int
    title: str
    text: str
    action: Action | None = None


class Lesson(ABC, Generic[S]):
    """A lesson bound to its game's content."""

    def __init__(self, slug: str, setup: Setup, script: Script) -> None:
        self.slug = slug
        self.setup = setup
        self.script = script

    @abstractmethod
    def facts(self, state: S, seat: str) -> Mapping[str, str]:
        """What cues may name now; an empty text: there is no such thing."""

    def public_facts(self, state: S, seat: str) -> Mapping[str, str]:
        """What cues may name for all to read; the same, unless the game hides something."""
        return self.facts(state, seat)

    @abstractmethod
    def signs(self, events: Sequence[Event]) -> tuple[str, ...]:
        """What happened, in this lesson's terms and in the order in which it happened."""

    @property
    def last(self) -> int:
        """The place of the last step."""
        return len(self.script.stages) - 1


def after(lesson: Lesson[Any], step: int, done: Sequence[str]) -> int:
    """The step that comes now, given all verbs and signs so far: what is known already is passed over."""
    while step < lesson.last and lesson.script.stages[step].goal.met(done):
        step += 1
    return step


def now(lesson: Lesson[S], game: Game[S], state: S, step: int, *, private: bool = True) -> Said:
    """What the coach says at a step, as the game stands: to the learner alone, or for all to read."""
    seat = lesson.script.seat
    step = min(max(step, 0), lesson.last)
    stage = lesson.script.stages[step]
    offers = [offer.verb for offer in game.offers(state, seat)]
    offered = {name for name in offers if private or not game.verbs[name].secret}
    known = lesson.facts(state, seat) if private else lesson.public_facts(state, seat)
    facts = {"task": task_of(game, state, seat), **known}
    for cue in (*lesson.script.questions, *stage.cues):
        if cue.private and not private:
            continue
        if all(verb in offered for verb in cue.offers) and all(facts[name] for name in cue.knows):
            filled = {name: told(value, game, facts) for name, value in cue.slots.items()}
            slots: dict[str, Value] = {name: value for name, value in filled.items() if value}
            action = Action(cue.verb, slots) if cue.verb in offered else None
            return Said(step, stage.title, told(cue.text, game, facts), action)
    return Said(step, stage.title, told(lesson.script.else_cue, game, facts))


def task_of(game: Game[S], state: S, seat: str) -> str:
    """What a seat must do, as a sentence without subject; empty when it need do nothing."""
    return next((task.what for task in game.tasks(state) if task.seat == seat), "")


def told(text: str, game: Game[Any], facts: Mapping[str, str]) -> str:
    """A text with the names of buttons and facts filled in."""
    names = {name: f"“{verb.label}”" for name, verb in game.verbs.items()}
    return " ".join(text.format_map({**names, **facts}).split())


def remarks(
    lesson: Lesson[Any], happened: Sequence[tuple[str, Sequence[str]]]
) -> tuple[Remark, ...]:
    """What is said about the last of all steps so far (verb and signs of each), told once."""
    known: set[str] = set()
    fresh: tuple[Remark, ...] = ()
    for _, signs in happened:
        new = [r for r in lesson.script.remarks if r.sign in signs and r.sign not in known]
        fresh = tuple(new[:MOST_REMARKS])
        known.update(remark.sign for remark in fresh)
    return fresh


def follow(
    lesson: Lesson[S],
    game: Game[S],
    step: int,
    before: S,
    happened: Sequence[tuple[str, Sequence[str]]],
) -> tuple[int, tuple[str, ...]]:
    """The step that comes after the last action, and what is said about that action.

    `before` is the state on which it was played, `happened` the verb and the signs of every action so
    far, the last one included.
    """
    verb, _ = happened[-1]
    done = [name for one, seen in happened for name in (one, *seen)]
    wanted = now(lesson, game, before, step).action
    then = after(lesson, step, done)
    lines = [remark.text for remark in remarks(lesson, happened)]
    if then > step:
        closings = [stage.closing for stage in lesson.script.stages[step:then] if stage.closing]
        lines = (closings[:MOST_CLOSINGS] + lines)[:MOST_LINES]
    elif wanted is not None and wanted.verb != verb:
        lines.insert(0, lesson.script.detour)
    return then, tuple(told(line, game, {}) for line in lines if line)


def check(
    script: Script, file: DataFile, key: str, verbs: Iterable[str], facts: Iterable[str]
) -> None:
    """Raise `BrokenData` for the first thing that a lesson names and that does not exist."""
    names, known = set(verbs), {"task", *facts}

    def text(place: str, words: str, allowed: set[str]) -> None:
        used = [field for _, field, _, _ in string.Formatter().parse(words) if field is not None]
        for field in used:
            if field not in allowed:
                raise file.broken(f"{key}.{place}", f"there is no “{field}” to fill in")

    def cue(place: str, one: Cue) -> None:
        text(f"{place}.text", one.text, names | known)
        for value in one.slots.values():
            text(f"{place}.slots", value, known)
        for verb in (*one.offers, *([one.verb] if one.verb else [])):
            if verb not in names:
                raise file.broken(f"{key}.{place}", f"there is no verb “{verb}”")
        for fact in one.knows:
            if fact not in known:
                raise file.broken(f"{key}.{place}.knows", f"there is no fact “{fact}”")

    for number, stage in enumerate(script.stages):
        text(f"stages[{number}].closing", stage.closing, names)
        for place, one in enumerate(stage.cues):
            cue(f"stages[{number}].cues[{place}]", one)
        last = number == len(script.stages) - 1
        if last == bool(stage.goal.verbs or stage.goal.signs):
            raise file.broken(f"{key}.stages[{number}].goal", "every step but the last has a goal")
        for verb in stage.goal.verbs:
            if verb not in names:
                raise file.broken(f"{key}.stages[{number}].goal", f"there is no verb “{verb}”")
    for place, one in enumerate(script.questions):
        cue(f"questions[{place}]", one)
    for place, remark in enumerate(script.remarks):
        text(f"remarks[{place}].text", remark.text, names)
    text("else_cue", script.else_cue, names | known)
    for place, words in (("detour", script.detour), ("farewell", script.farewell)):
        text(place, words, names)

"""The one gate: every action of every kind of player goes through `play`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

import msgspec

from games.kernel.action import Action, Picked, Value
from games.kernel.domain import Domain
from games.kernel.entropy import Entropy, RecordedEntropy, Result
from games.kernel.event import Event, Revealed
from games.kernel.game import Game, Setup, Slot, Verb
from games.kernel.illegal import Illegal

S = TypeVar("S")

MOST_STEPS = 10_000
"""Automation steps after one action; more means a rules fault, never a long game."""


class Stuck(RuntimeError):
    """A rules fault: nobody can act and the automation does not end."""


class Turnout(msgspec.Struct, Generic[S], frozen=True):
    """What an action led to.

    `action` is the action with every slot filled in; `results` are the dice and draws it used.
    """

    state: S
    events: tuple[Event, ...]
    results: tuple[Result, ...]
    action: Action

    @property
    def binding(self) -> bool:
        """Whether something came to light that cannot be taken back by oneself."""
        return bool(self.results) or any(isinstance(event, Revealed) for event in self.events)


def begin(game: Game[S], setup: Setup, entropy: Entropy) -> Turnout[S]:
    """Set a game up and run it to its first decision. Raises `Illegal` for a wrong set-up."""
    recorded = RecordedEntropy(entropy)
    log: list[Event] = []
    state = game.set_up(setup, recorded, log)
    _run(game, state, recorded, log)
    return Turnout(state, tuple(log), tuple(recorded.results), Action("begin"))


def play(game: Game[S], state: S, seat: str, action: Action, entropy: Entropy) -> Turnout[S]:
    """Let a seat act: check every slot, perform on a copy, run the automation.

    `state` is never changed. Raises `Illegal` when the action is not legal.
    """
    verb = started(game, state, seat, action.verb, action.slots)
    picked = fill(verb, state, seat, action)
    recorded = RecordedEntropy(entropy)
    log: list[Event] = []
    after = game.copy(state)
    verb.perform(after, seat, picked, recorded, log)
    _run(game, after, recorded, log)
    return Turnout(after, tuple(log), tuple(recorded.results), Action(action.verb, dict(picked)))


def started(
    game: Game[S], state: S, seat: str, name: str, given: Mapping[str, Value] = MappingProxyType({})
) -> Verb[S]:
    """The verb, if this seat may start it now. Raises `Illegal` otherwise, in view of what is given."""
    verb = game.verbs.get(name)
    if verb is None:
        raise Illegal("", f"{game.title} knows no “{name}”.")
    if game.result(state) is not None:
        raise Illegal("", "This game is over.")
    if name not in game.verbs_now(state, seat):
        raise game.not_now(state, seat, name)
    closed = verb.closed(state, seat)
    if closed is not None:
        raise verb.explain(state, seat, given, closed)
    return verb


def fill(verb: Verb[S], state: S, seat: str, action: Action) -> Picked:
    """Check the slots in order and fill in those that may be left out. Raises `Illegal`."""
    picked: dict[str, Value] = {}
    for slot in verb.slots:
        domain = verb.domain(state, seat, slot.name, picked)
        given = action.slots.get(slot.name)
        if domain is None:
            continue
        value = domain.default if given is None else given
        if value is None:
            raise Illegal("", f"“{verb.label}” needs {slot.name}: {slot.prompt}")
        if not domain.contains(value):
            raise verb.refusal(state, seat, slot.name, picked, value)
        picked[slot.name] = value
    for name in action.slots:
        if name not in picked:
            raise Illegal("", f"“{verb.label}” has no use for “{name}” here.")
    return picked


def next_slot(
    verb: Verb[S], state: S, seat: str, picked: Picked
) -> tuple[Slot, Domain, dict[str, Value]] | None:
    """The first slot that still needs a decision, its domain, and the picks before it.

    Slots with a single value are filled in on the way; None when nothing is left to ask. `picked` must
    hold legal values. A preset is asked for all the same: it is a suggestion, not a forced choice.
    """
    filled: dict[str, Value] = {}
    for slot in verb.slots:
        domain = verb.domain(state, seat, slot.name, filled)
        if domain is None:
            continue
        if slot.name in picked:
            filled[slot.name] = picked[slot.name]
        elif (slot.quiet and domain.default is not None) or (
            len(domain.options) == 1 and domain.default is not None and not slot.sure
        ):
            filled[slot.name] = domain.default
        else:
            return slot, domain, filled
    return None


def _run(game: Game[Any], state: Any, entropy: Entropy, log: list[Event]) -> None:
    for _ in range(MOST_STEPS):
        if game.result(state) is not None or game.tasks(state):
            return
        game.step(state, entropy, log)
    raise Stuck(f"{game.slug}: the automation does not come to an end")

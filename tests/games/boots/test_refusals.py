"""Whatever is refused changes nothing and names its rule."""

from __future__ import annotations

import random

import pytest

from games.boots.model import State
from games.kernel.action import Action, Value
from games.kernel.domain import Choices, Several
from games.kernel.entropy import ScriptedEntropy, ScriptMismatch, seeded
from games.kernel.game import Setup
from games.kernel.illegal import Illegal
from games.kernel.play import begin, next_slot, play
from tests.games.boots.board import game

FORM = ("needs", "has no use for", "knows no", "This game is over", "does not play")
"""Refusals without a rule of the game: the action is not even well put."""

JUNK: tuple[Value, ...] = (
    "", "A1", "H9", "K13", "X22", "ZZ99", "N", "NE", "UP", "A-L", "A-SN", "A-GI3", "B-L", "IN1", "IN4",
    "HO1", "CV1", "VH1", "LB1", "ability", "kit", "5", "ask", "💥", ("IN1",), ("IN1", "IN2"),
    ("A-L", "IN1", "IN1"), (),
)  # fmt: skip


def filled(state: State, seat: str, verb: str, dice: random.Random) -> dict[str, Value]:
    """A legal action of a verb that is offered, its slots picked at random."""
    picked: dict[str, Value] = {}
    while (step := next_slot(game().verbs[verb], state, seat, picked)) is not None:
        slot, domain, _ = step
        values = [option.value for option in domain.options]
        match domain:
            case Choices():
                picked[slot.name] = dice.choice(values)
            case Several():
                most = min(domain.most, len(values))
                picked[slot.name] = tuple(dice.sample(values, dice.randint(domain.least, most)))
    return picked


def attempt(state: State, seat: str, action: Action) -> None:
    """Try an action that may well be illegal. The state given must stay as it is."""
    boots = game()
    before = boots.encode(state)
    try:
        play(boots, state, seat, action, ScriptedEntropy(()))
    except Illegal as refused:
        assert refused.sentence and refused.sentence[0] != " "
        assert len(refused.sentence) < 300
        if refused.rule:
            assert refused.rule in boots.content.rules, refused
        else:
            assert any(words in refused.sentence for words in FORM), (action, refused)
    except ScriptMismatch:
        pass  # legal, and it needed dice
    assert boots.encode(state) == before, action


@pytest.mark.rule("BG-6.2")
@pytest.mark.parametrize(
    ("mission", "options"),
    [
        ("hot-lz", {}),
        ("bring-them-home", {"pivot_in_place": "true"}),
        ("yellow-rain", {"facing_dirs": "4"}),
        ("block-by-block", {"boxes_forced": "true"}),
        ("angel-down", {"hostage_last": "false"}),
        ("most-wanted", {"critical_effect": "both"}),
        ("range", {}),
    ],
)
def test_junk_is_refused_and_changes_nothing(
    mission: str, options: dict[str, str], soak: bool
) -> None:
    boots = game()
    dice = random.Random(mission)
    entropy = seeded(f"junk {mission}")
    state = begin(boots, Setup(mission, "solo1", options), entropy).state
    for _ in range(2000 if soak else 120):
        if boots.result(state) is not None:
            attempt(state, "ALPHA", Action("activate", {"unit": "A-L"}))
            state = begin(boots, Setup(mission, "solo1", options), entropy).state
        now = [offer.verb for offer in boots.offers(state, "ALPHA")]
        for verb in (*dice.sample(sorted(boots.verbs), 8), *now, "juggle"):
            slots = [slot.name for slot in boots.verbs[verb].slots] if verb in boots.verbs else []
            junk = {name: dice.choice(JUNK) for name in slots}
            attempt(state, "ALPHA", Action(verb, junk))
            attempt(state, "BRAVO", Action(verb, junk))
            attempt(state, "ALPHA", Action(verb, {**junk, "colour": "red"}))
            if verb in now and slots:  # one slot wrong, the others right
                right = filled(state, "ALPHA", verb, dice)
                attempt(
                    state, "ALPHA", Action(verb, {**right, dice.choice(slots): dice.choice(JUNK)})
                )
                right.pop(dice.choice(slots), None)
                attempt(state, "ALPHA", Action(verb, right))
        going_on = [verb for verb in now if verb != "concede"]
        verb = dice.choice(going_on + ["done"] * ("done" in going_on))
        action = Action(verb, filled(state, "ALPHA", verb, dice))
        before = boots.encode(state)
        after = play(boots, state, "ALPHA", action, entropy).state
        assert boots.encode(state) == before
        state = after


@pytest.mark.rule("BG-6.2", "BG-6.3")
def test_not_your_moment() -> None:
    boots = game()
    state = begin(boots, Setup("hot-lz", "solo2"), ScriptedEntropy(())).state
    state = play(boots, state, "ALPHA", Action("ready"), ScriptedEntropy(())).state
    state = play(boots, state, "BRAVO", Action("ready"), ScriptedEntropy(())).state
    for seat, verb, rule in (("BRAVO", "activate", "BG-6.3"), ("ALPHA", "done", "BG-6.2")):
        with pytest.raises(Illegal) as caught:
            play(boots, state, seat, Action(verb), ScriptedEntropy(()))
        assert caught.value.rule == rule

"""Whatever is refused changes nothing, names its rule, and is a whole sentence."""

from __future__ import annotations

import random

import pytest

from games.kernel.action import Action, Value
from games.kernel.domain import Choices, Several
from games.kernel.entropy import seeded
from games.kernel.illegal import Illegal
from games.kernel.play import begin, next_slot, play
from games.sniper.model import State
from tests.games.sniper.field import game
from tests.games.sniper.players import Corporal

FORM = ("needs", "has no use for", "knows no", "This game is over", "does not play")
"""Refusals without a rule of the game: the action is not even well put."""

JUNK: tuple[Value, ...] = (
    "", "fire", "blanks", "open", "enemy", "vip", "roll", "binocs", "binocs_last", "near", "hidden", "ghost",
    "smoke", "claymore", "overwatch", "adrenaline", "rapid_clear", "priority_channel", "true", "III", "WIND",
    "end_turn", "kit", "discard", "medkit", "V1", "💥", (), ("steady_breath",),
    ("muffled_shot", "double_tap"), ("fire", "fire", "fire", "fire"), ("fire",),
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


def attempt(state: State, seat: str, action: Action) -> bool:
    """Try an action that may well be illegal; whether it was refused. The state stays as it is."""
    before = game().encode(state)
    refused = False
    try:
        play(game(), state, seat, action, seeded("attempt"))
    except Illegal as illegal:
        refused = True
        sentence = illegal.sentence
        assert sentence[0].isupper() or sentence[0] == "“", sentence
        assert sentence[-1] in ".?!" and len(sentence) < 300 and "  " not in sentence
        assert "nothing to tactical" not in sentence and "None" not in sentence
        if illegal.rule:
            assert illegal.rule in game().content.rules, illegal
        else:
            assert any(words in sentence for words in FORM), (action, illegal)
    assert game().encode(state) == before, action
    return refused


@pytest.mark.rule("SK-2.2", "SK-22.4")
@pytest.mark.parametrize("chosen", [{}, {"mode": "group"}, {"mode": "group", "rotation": "3"}])
def test_junk_is_refused_and_changes_nothing(chosen: dict[str, str], soak: bool) -> None:
    refusals = 0
    for number in range(40 if soak else 4):
        dice, chance = random.Random(number), seeded(f"junk {sorted(chosen)} {number}")
        setup = game().read_setup(chosen)
        seats = [*(seat.id for seat in game().seats(setup)), "NOBODY"]
        player = Corporal(game(), wild=30)
        state = begin(game(), setup, chance).state
        while game().result(state) is None:
            for _ in range(4):
                verb = dice.choice(list(game().verbs))
                seat = dice.choice(seats)
                slots = {slot.name: dice.choice(JUNK) for slot in game().verbs[verb].slots}
                kept = {name: slots[name] for name in slots if dice.random() < 0.7}
                refusals += attempt(state, seat, Action(verb, kept))
                offers = game().offers(state, seat)
                if offers:  # a legal action with one wrong slot
                    verb = dice.choice(offers).verb
                    picked = filled(state, seat, verb, dice)
                    if picked:
                        picked[dice.choice(list(picked))] = dice.choice(JUNK)
                    refusals += attempt(state, seat, Action(verb, {**picked}))
            seat = game().tasks(state)[0].seat
            state = play(game(), state, seat, player.action(state, seat, chance), chance).state
    assert refusals > 500

"""What players are told to do names their unit and only what is left to it."""

from __future__ import annotations

import pytest

from games.boots import words
from games.boots.model import State
from games.kernel.action import Action
from games.kernel.entropy import seeded
from games.kernel.game import Setup
from games.kernel.play import begin, play
from tests.games.boots.board import game


def told(state: State) -> str:
    return game().tasks(state)[0].what


def test_prompts_of_an_activation() -> None:
    entropy = seeded("prompts")
    state = begin(game(), Setup("hot-lz", "solo1", {}), entropy).state

    def act(verb: str, **slots: str) -> str:
        nonlocal state
        state = play(game(), state, "ALPHA", Action(verb, {**slots}), entropy).state
        return told(state)

    act("ready")
    assert act("activate_team", unit="A-L").startswith("select a team member to act")
    whole = "move, fire or use an ability with the Medic (3 MP left), or finish the activation"
    assert act("select", unit="A-M") == whole
    assert act("move", to="M12", face="W") == (
        "fire or use an ability with the Medic (no MP left), or finish the activation"
    )
    assert act("fire", target="IN2") == "select the next team member, or finish the activation"


@pytest.mark.parametrize(
    ("title", "line"),
    [("Grenade!", "Intel card: Grenade! X."), ("Ambush", "Intel card: Ambush. X.")],
)
def test_a_card_title_ends_once(title: str, line: str) -> None:
    assert words.card_drawn(title, "X.") == line

"""A sensible sniper’s mission by buttons takes no more presses than the specification counts (9.5)."""

from __future__ import annotations

from collections import Counter
from statistics import mean
from typing import Any

import pytest

from bot.offers import starts
from bot.quick import MOST, entries
from bot.sessions.model import SeatHolder, Sitter, Table
from games.kernel.entropy import seeded
from games.kernel.play import begin, play
from tests.e2e.sniping import best, leads_to, sniper
from tests.games.sniper.players import Presser, complete

ROBIN = 1
MISSIONS, SOAK_MISSIONS = 6, 120


def table_of(game: Any, state: Any) -> Table:
    """A running table of one, as the panels see it."""
    fields: dict[str, Any] = dict.fromkeys(Table.__dataclass_fields__)
    del fields["_known"]
    fields |= {
        "id": "quick001", "slug": "sniper", "game": game, "state": state, "version": 1,
        "status": "running", "seats": (SeatHolder("SNIPER", "Sniper", (Sitter(ROBIN, "Robin", 0),)),),
    }  # fmt: skip
    return Table(**fields)


@pytest.mark.rule("SK-23.8")
@pytest.mark.parametrize(("then", "most"), [(False, 75), (True, 57)])
def test_presses_of_a_mission(then: bool, most: int, soak: bool) -> None:
    """One for each decision, and one to open the private panel."""
    game, presses, asked = sniper(), list[int](), Counter[str]()
    presser = Presser(game, then=then)
    for number in range(SOAK_MISSIONS if soak else MISSIONS):
        dice = seeded(f"presses {number}")
        state, count = begin(game, game.read_setup({}), dice).state, 1
        while game.result(state) is None:
            seat, short = presser.action(state)
            action = complete(game, state, seat, short)
            table = table_of(game, state)
            listed = entries(table, ROBIN)
            assert len(listed) <= MOST and len({value for _, value in listed}) == len(listed)
            buttons = [str(start.button(table).custom_id) for start in starts(table, ROBIN)]
            control = best(table, seat, action, [*buttons, *(value for _, value in listed)])
            assert control is not None, action
            at = leads_to(table, seat, control)
            assert at is not None
            count += 1
            if not at.complete:
                picks = 4 if action.verb == "heal" else 1
                count, asked = count + picks, asked + Counter({action.verb: picks})
            state = play(game, state, seat, action, dice).state
        presses.append(count)
    assert set(asked) <= {"heal"}, "only the four cards of a bandage are picked one by one"
    assert mean(presses) <= most + (0 if soak else 15), (presses, asked)

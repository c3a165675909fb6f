"""Games in which any seat may give up at any moment: nobody is stuck, nobody is asked in vain. BG-E.5."""

from __future__ import annotations

import pytest

from games.boots.model import SEAT_OF, State
from games.kernel.action import Action
from games.kernel.entropy import Entropy, seeded
from games.kernel.play import begin, play
from tests.games.boots.board import game
from tests.games.boots.chief import everybody
from tests.games.boots.conservation import conserved
from tests.games.boots.ends import TABLES, line, seats, table_of, way_of, why_not
from tests.games.wanted import Player, Story

GAMES_EACH = 14
SOAK_GAMES_EACH = 400
SELDOM = 25
"""One action in so many is that somebody gives up."""


@pytest.mark.rule("BG-E.5", "BG-6.6", "BG-4.22")
@pytest.mark.parametrize("table", TABLES)
def test_anybody_may_give_up_at_any_moment(table: str, soak: bool) -> None:
    missions = list(game().content.missions)
    ended = set[str]()
    for number in range(SOAK_GAMES_EACH if soak else GAMES_EACH):
        mission = missions[number % len(missions)]
        ended.add(played(table, {"mission": mission, **TABLES[table]}, f"{table}:{number}"))
    assert any(way.startswith("given up") for way in ended)


def played(table: str, chosen: dict[str, str], seed: str) -> str:
    """Play a game, looking at every state; the way it ended."""
    boots, player = game(), everybody(game(), wild=30)
    chance, choice = seeded(f"{seed}:chance"), seeded(f"{seed}:choice")
    turnout = begin(boots, boots.read_setup(chosen), chance)
    state, told, verbs = turnout.state, list[str](), list[str]()
    while state.outcome is None:
        check(table, state)
        seat, action = next_action(table, state, player, choice)
        turnout = play(boots, state, seat, action, chance)
        state = turnout.state
        told.extend(event.text for event in turnout.events)
        verbs.append(action.verb)
        assert len(verbs) < 1_500, seed
        conserved(boots, state)
    way = way_of(Story(state, tuple(told), tuple(verbs)))
    assert table_of(state) == table and way != "?" and not why_not(table, way), (seed, way)
    return way


def next_action(table: str, state: State, player: Player, choice: Entropy) -> tuple[str, Action]:
    """Somebody who may gives up, once in a while; else who must act does."""
    if choice.roll(SELDOM, "give up") == 1:
        seat = choice.draw(seats(table), "who")
        if seat not in state.conceded:
            return seat, Action("concede")
    seat = choice.draw([task.seat for task in game().tasks(state)], "seat")
    return seat, player(state, seat, choice)


def check(table: str, state: State) -> None:
    """Who is waited for can act; a squad is out when it has no soldier left, and only then."""
    asked = [task.seat for task in game().tasks(state)]
    assert asked, "a dead end"
    if line(table) == "comp" or "INSURGENT" in state.conceded:
        assert not set(asked) & set(state.conceded), "waiting for who gave up"
    for k, book in state.squads.items():
        alive = [u for u in state.units.values() if u.is_soldier and u.squad == k and u.pos]
        assert bool(alive) != book.out, f"{k} is out or not"
        conducts = state.steps[-1].step in ("event", "fire")
        assert alive or conducts or SEAT_OF[k] not in asked, f"{k} has nobody to act with"

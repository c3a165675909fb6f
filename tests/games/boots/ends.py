"""Every way in which a game of Boots on the Ground can end, at every kind of table.

The ways are those of the specification (section 3, BG-E.1 to BG-E.5), told apart where another part of
the rules decides. `why_not` says which of them a table cannot have, and why; of each other there is a
recording (recordings.py, test_ends.py). `way_of` looks at the game, not at what somebody calls it.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.boots import words
from games.boots.model import HOSTAGE, INSURGENT_SEAT, SEAT_OF, State
from games.boots.setup import all_options, line_of
from tests.games.boots.board import game as boots
from tests.games.wanted import Story

TABLES: Mapping[str, Mapping[str, str]] = {
    "solo1": {"mode": "solo1"},
    "solo2": {"mode": "solo2"},
    "coop": {"mode": "coop"},
    "comp": {"mode": "comp"},
    "versus-1": {"mode": "versus"},
    "versus-2": {"mode": "versus", "versus_squads": "2"},
    "three-coop": {"mode": "three"},
    "three-comp": {"mode": "three", "three_goal": "comp"},
}
"""Every mode with every number of squads and goal: spec section 4.1."""

WAYS: Mapping[str, str] = {
    "won together": "E1: the objective, for all allied seats",
    "won by ALPHA": "E1: Alpha reaches the objective first",
    "won by BRAVO": "E1: Bravo reaches the objective first",
    "rival failed": "E1: the objective after the other squad had failed (E2)",
    "rival fell": "E1: the objective after the other squad had lost its last soldier",
    "rival gave up": "E1: the objective after the other squad had given up (E5)",
    "failed, originals": "E2: too few originals left",
    "failed, hostages": "E2: the hostages dead",
    "fell": "E3: no soldier left",
    "cards out": "E4: the cards used up",
    "safety stop": "E4: three hundred cards",
    "given up by ALPHA": "E5: Alpha’s seat gives up, the last that could go on",
    "given up by BRAVO": "E5: Bravo’s seat gives up, the last that could go on",
    "given up by INSURGENT": "E5: the insurgents give up, the allies win",
    "partner fell": "E5: the one squad left had given up before",
    "handed over": "E2: no winner after the insurgents were handed over to the program (E5)",
}


def line(table: str) -> str:
    """Which line of a mission the table takes."""
    setup = boots().read_setup(TABLES[table])
    return line_of(setup, all_options(boots().content, setup))


def seats(table: str) -> list[str]:
    """The seats of a table."""
    return [s.id for s in boots().seats(boots().read_setup(TABLES[table]))]


def why_not(table: str, way: str) -> str:
    """Why a game at this table cannot end in this way; empty when it can."""
    race, solo = line(table) == "comp", "solo" in table or "versus" in table
    kind, _, who = way.partition(" by ")
    if who and who not in seats(table):
        return f"there is no seat {who}"
    if kind == "won" and not race:
        return "the allied seats win together"
    if way == "won together" and race:
        return "a race has one winner"
    if way.startswith("rival") and not race:
        return "there is no rival"
    if way == "given up by INSURGENT" and race:
        return "in a race the program takes the insurgents over, and play goes on"
    if way == "handed over" and (not race or INSURGENT_SEAT not in seats(table)):
        return "insurgents who give up end the game, or there are none"
    if way == "partner fell" and (solo or race):
        return "giving up ends the game, or that squad’s part in it, at once"
    return ""


# --- how a game ended -------------------------------------------------------------------------


def table_of(state: State) -> str:
    """The kind of table a game was played at."""
    kind = (state.mode, len(state.squads), state.line)
    return next(name for name in TABLES if kind == _kind(name))


def _kind(table: str) -> tuple[str, int, str]:
    squads = [seat for seat in seats(table) if seat != INSURGENT_SEAT]
    return TABLES[table]["mode"], len(squads), line(table)


def way_of(story: Story) -> str:
    """The way a game ended, from what it led to; the rarer one where two fit."""
    state, outcome = story.state, story.state.outcome
    match outcome.cause:
        case "BG-E.1":
            return _won(story)
        case "BG-E.2" if INSURGENT_SEAT in state.conceded:
            return "handed over" if outcome.won == () else "?"
        case "BG-E.2":
            return "failed, hostages" if _hostages_lost(state) else "failed, originals"
        case "BG-E.3":
            return "fell"
        case "BG-E.4":
            return "safety stop" if state.endless else "cards out"
        case "BG-E.5" if story.verbs[-1] != "concede":
            return "partner fell"
        case _:
            return f"given up by {state.conceded[-1]}"


def _won(story: Story) -> str:
    state = story.state
    if state.line != "comp":
        both = tuple(SEAT_OF[k] for k in state.squads)
        return "won together" if state.outcome.won == both else "?"
    (winner,) = state.outcome.won
    (rival,) = (k for k in state.squads if SEAT_OF[k] != winner)
    if not state.squads[rival].out:
        return f"won by {winner}"
    if SEAT_OF[rival] in state.conceded:
        return "rival gave up"
    return "rival failed" if words.out_of_race(rival) in story.told else "rival fell"


def _hostages_lost(state: State) -> bool:
    """Whether the hostages alone made it a failure (spec 7.6: all dead, or with a shared goal any)."""
    dead = [u.status == "dead" for u in state.units.values() if u.kind == HOSTAGE]
    lost = any(dead) if state.line == "coop" else bool(dead) and all(dead)
    limit = boots().content.missions[state.mission].failure.of(state.line).up_at_most or 0
    up = sum(1 for u in state.units.values() if u.is_original and u.status == "up")
    return lost and (up > limit or state.line == "comp")

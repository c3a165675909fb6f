"""Random complete games of every game: no fault, no dead end, an end, and all figures add up.

Every game is checked at every action: that somebody can go on, that all figures add up, that the state
given to the gate stays as it was. One of each set-up is checked in full at some of its positions: every
option of every domain is performed, and wrong values of every kind are refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from games.kernel.action import Action, Value
from games.kernel.domain import Domain
from games.kernel.entropy import Entropy, ScriptedEntropy, seeded
from games.kernel.event import Event
from games.kernel.game import Game, Verb
from games.kernel.illegal import Illegal
from games.kernel.play import Turnout, begin, fill, next_slot, play, started
from games.kernel.random_player import random_action
from games.kernel.view import (
    GROUND,
    MARK_KINDS,
    SHAPES,
    TONES,
    Badge,
    Mark,
    SquareBoard,
    View,
    ZoneBoard,
)
from games.registry import GAMES
from renderer.zone_layout import BOXES
from tests.games.all_games import CASES, Case, Player, game_of
from tests.games.scripts import Noting

GAMES_PER_MODE = 500
"""Random games of every mode of every game that ships, over all set-ups of that mode."""
GAMES_OF_THE_TOY = 18
BATCH = 18
"""Games of one test, so that the tests spread over the processors."""
SOAK_FACTOR = 10
DEEP_GAMES_EACH = 3
SOAK_DEEP_GAMES_EACH = 40
FULL_POSITIONS = 6
"""Positions of a game that are checked in full, some actions apart."""

NONSENSE: tuple[Value, ...] = (
    "", "??", "A0", "AA1", "ZZ99", "Ä", "north", "x" * 100, "IN0", "HO9", "A-XX", "0",
    (), ("",), ("IN1",), ("IN1", "IN1"), ("A1", "A2", "A3", "A4"),
)  # fmt: skip


@dataclass(frozen=True)
class Batch:
    """Some of the random games of a set-up."""

    case: Case
    first: int
    games: int

    @property
    def name(self) -> str:
        """What the test is called."""
        return f"{self.case.name}-{self.first}"


def batches(case: Case) -> Iterator[Batch]:
    """The random games of a set-up: its share of those of its mode, in batches."""
    alike = [other for other in CASES if (other.slug, other.mode) == (case.slug, case.mode)]
    games = -(-GAMES_PER_MODE // len(alike)) if case.solid else GAMES_OF_THE_TOY
    for first in range(0, games, BATCH):
        yield Batch(case, first, min(BATCH, games - first))


BATCHES = [batch for case in CASES for batch in batches(case)]


def test_every_mode_of_every_game_is_played_often_enough() -> None:
    played = Counter[tuple[str, str]]()
    for batch in BATCHES:
        played[batch.case.slug, batch.case.mode] += batch.games
    assert {slug for slug, _ in played} == {*GAMES, "toy"}
    for slug in GAMES:
        (modes,) = (f.options for f in game_of(slug).setup_fields() if f.name == "mode")
        for mode in modes:
            assert played[slug, mode.value] >= 500, mode.value


# --- whole games ------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", BATCHES, ids=lambda batch: batch.name)
def test_random_games(batch: Batch, soak: bool) -> None:
    case, factor = batch.case, SOAK_FACTOR if soak else 1
    for number in range(factor * batch.first, factor * (batch.first + batch.games)):
        weights = {} if number % 10 == 9 else case.weights
        for _ in positions(case, f"{case.name}:{number}", random_player(case, weights)):
            pass


DEEP = [case for case in CASES if case.player is not None]


@pytest.mark.parametrize("case", DEEP, ids=lambda case: case.name)
def test_games_of_a_half_sensible_player(case: Case, soak: bool) -> None:
    assert case.player is not None
    for number in range(SOAK_DEEP_GAMES_EACH if soak else DEEP_GAMES_EACH):
        for _ in positions(case, f"{case.name}:deep:{number}", case.player(case.game)):
            pass


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_game_in_full(case: Case, soak: bool) -> None:
    game, chance = case.game, seeded(f"{case.name}:full")
    player = case.player(game) if case.player else random_player(case, case.weights)
    for number in range(5 if soak else 1):
        whole = list(positions(case, f"{case.name}:full:{number}", player))
        count = 3 * FULL_POSITIONS if soak else FULL_POSITIONS
        chosen = whole[1 :: max(1, len(whole) // count)][:count]
        for state in [whole[0], *chosen, whole[-1]]:
            before = game.encode(state)
            check_views(case, state)
            for seat in seats(case):
                check_offers(game, state, seat, chance)
                check_wrong(game, state, seat, chance)
            assert game.encode(state) == before


def random_player(case: Case, weights: Mapping[str, int]) -> Player:
    """The kernel's random player with some verbs likelier than others."""
    return lambda state, seat, chance: random_action(case.game, state, seat, chance, weights)


def positions(case: Case, seed: str, player: Player) -> Iterator[Any]:
    """Play a game to its end, checking every action; yields every state on the way."""
    game, chance, choice = case.game, seeded(f"{seed}:chance"), seeded(f"{seed}:choice")
    turnout, known = begin(game, game.read_setup(case.chosen), chance), frozenset(seats(case))
    for _ in range(case.most_actions):
        state, raw = turnout.state, game.encode(turnout.state)
        check_state(case, turnout, raw, known)
        yield state
        if game.result(state) is not None:
            check_over(case, state)
            return
        seat = choice.draw([task.seat for task in game.tasks(state)], "seat")
        action = player(state, seat, choice)
        if action.verb in case.exits:
            ways = {offer.verb for offer in game.offers(state, seat)} - case.exits
            assert ways, f"{seed}: {seat} must act and can only give up"
        turnout = play(game, state, seat, action, chance)
        assert game.encode(state) == raw, f"{action} changed the state it was given"
        assert turnout.action == action
    pytest.fail(f"{seed}: no end after {case.most_actions} actions")


def seats(case: Case) -> list[str]:
    """The seats of a set-up."""
    return [seat.id for seat in case.game.seats(case.game.read_setup(case.chosen))]


# --- checks after every action ----------------------------------------------------------------


def check_state(case: Case, turnout: Turnout[Any], raw: bytes, known: frozenset[str]) -> None:
    """What holds of every state and of the events that led to it."""
    game, state = case.game, turnout.state
    case.conserved(game, state)
    again = game.decode(raw)
    assert again == state and game.encode(again) == raw
    tasks = game.tasks(state)
    assert bool(tasks) != (game.result(state) is not None), "a dead end"
    assert {task.seat for task in tasks} <= known
    for event in turnout.events:
        check_event(event, known)


def check_event(event: Event, known: frozenset[str]) -> None:
    """An event says something, to somebody, with marks that can be drawn."""
    assert event.text.strip() and "{" not in event.text, event
    assert event.to is None or (event.to and set(event.to) <= known)
    check_marks(event.marks)


def check_marks(marks: tuple[Mark, ...]) -> None:
    for mark in marks:
        assert mark.kind in MARK_KINDS and mark.cells and all(mark.cells), mark


def check_over(case: Case, state: Any) -> None:
    """When a game is over nobody can do anything, and its result makes sense."""
    game = case.game
    outcome = game.result(state)
    assert outcome is not None and outcome.title and outcome.text
    assert set(outcome.won) <= set(seats(case))
    assert outcome.cause == "" or game.rule(outcome.cause) is not None
    assert game.tasks(state) == ()
    for seat in seats(case):
        assert game.offers(state, seat) == ()
        for name in game.verbs:
            refused(game, state, seat, Action(name))


# --- checks in full ---------------------------------------------------------------------------


def check_views(case: Case, state: Any) -> None:
    """Every audience's view is complete and drawable."""
    game = case.game
    for seat in [*seats(case), None]:
        view = game.view(state, seat)
        check_view(view)
        assert view.tasks == game.tasks(state)


def check_view(view: View) -> None:
    board = view.board
    if isinstance(board, ZoneBoard):
        cells = {f"{place.number}:{box}" for place in board.places for box in BOXES}
        places = cells | {f"Zone {place.number}" for place in board.places}
        check_places(board)
    else:
        cells = places = check_squares(board)
    assert view.headline and view.title and view.turn
    ids = [token.id for token in board.tokens]
    assert len(set(ids)) == len(ids)
    for token in board.tokens:
        assert token.cell in cells and token.name
        assert token.facing is None or 0 <= token.facing <= 7
        check_badge(token.badge)
    for roster in view.rosters:
        for line in roster.lines:
            check_badge(line.badge)
            assert line.cell in places or line.cell == ""
    assert set(board.focus) <= cells


def check_squares(board: SquareBoard) -> set[str]:
    """A board of squares is complete; the names of its cells."""
    size = board.map
    cells = {f"{_column(x)}{y + 1}" for y in range(size.height) for x in range(size.width)}
    assert len(size.letters) == size.height
    assert all(len(row) == size.width for row in size.letters)
    for zone in (*board.zones, *board.rooms):
        assert set(zone.cells) <= cells
    return cells


def check_places(board: ZoneBoard) -> None:
    """The zones of a board are numbered, named and drawn on one grid; at most one is current."""
    numbers = [place.number for place in board.places]
    assert numbers == sorted(set(numbers))
    assert sum(place.current for place in board.places) <= 1
    assert len({(len(p.ground), *map(len, p.ground)) for p in board.places}) == 1
    for place in board.places:
        assert place.name
        assert set("".join(place.ground)) <= set(GROUND) | set("123SVX")


def check_badge(badge: Badge) -> None:
    assert badge.code and badge.shape in SHAPES and badge.tone in TONES, badge


def _column(x: int) -> str:
    return (chr(64 + x // 26) if x >= 26 else "") + chr(65 + x % 26)


def check_offers(game: Game[Any], state: Any, seat: str, chance: Entropy) -> None:
    """Every offered verb can be carried through with every value of every slot."""
    for offer in game.offers(state, seat):
        verb = game.verbs[offer.verb]
        assert started(game, state, seat, offer.verb) is verb
        check_walk(game, state, seat, verb, chance)
        picked: dict[str, Value] = {}
        for slot in verb.slots:
            domain = verb.domain(state, seat, slot.name, picked)
            if domain is None:
                continue
            check_domain(domain)
            check_marks(game.pick_marks(state, seat, verb.name, picked))
            for value in values_of(domain, chance):
                assert domain.contains(value)
                filled = {**picked, slot.name: value}
                perform(game, state, seat, Action(verb.name, filled), chance)
            picked[slot.name] = domain.sample(chance)
        if not picked:
            perform(game, state, seat, Action(verb.name), chance)


def values_of(domain: Domain, chance: Entropy) -> Iterator[Value]:
    """Every single value, and a few of those that hold several."""
    if hasattr(domain, "least"):
        for _ in range(10):
            yield domain.sample(chance)
        return
    yield from (option.value for option in domain.options)
    yield from getattr(domain, "also", ())


def check_domain(domain: Domain) -> None:
    """A domain that is offered has values, each once, short enough to be typed and shown."""
    assert domain
    values = [option.value for option in domain.options]
    assert len(set(values)) == len(values)
    for option in domain.options:
        assert 0 < len(option.value) <= 100 and option.label
    assert domain.default is None or domain.contains(domain.default)


def perform(game: Game[Any], state: Any, seat: str, given: Action, chance: Entropy) -> None:
    """Fill the rest of an action at random, play it, and play it again from its own results."""
    verb = game.verbs[given.verb]
    picked: dict[str, Value] = {}
    for slot in verb.slots:
        domain = verb.domain(state, seat, slot.name, picked)
        if domain is not None:
            assert domain, f"{given}: nothing can be picked for {slot.name}"
            picked[slot.name] = given.slots.get(slot.name) or domain.sample(chance)
    noting = Noting(chance)
    turnout = play(game, state, seat, Action(verb.name, picked), noting)
    script = ScriptedEntropy(noting.script)
    again = play(game, state, seat, turnout.action, script)
    script.finish()
    assert game.encode(again.state) == game.encode(turnout.state)
    assert again.events == turnout.events
    meant = [(r.label, r.size, r.meaning) for r in turnout.results]
    assert [(r.label, r.size, r.meaning) for r in again.results] == meant


def check_walk(game: Game[Any], state: Any, seat: str, verb: Verb[Any], chance: Entropy) -> None:
    """Asking slot by slot leads to the same action as giving everything at once."""
    picked: dict[str, Value] = {}
    presets: dict[str, Value] = {}
    for _ in range(len(verb.slots) + 1):
        asked = next_slot(verb, state, seat, picked)
        if asked is None:
            break
        slot, domain, filled = asked
        assert slot.name not in filled and {**filled, **picked} == filled
        assert domain == verb.domain(state, seat, slot.name, filled)
        picked = {**filled, slot.name: domain.sample(chance)}
        if domain.default is not None:
            presets[slot.name] = domain.default
    else:
        pytest.fail(f"{verb.name} never stops asking")
    whole = fill(verb, state, seat, Action(verb.name, picked))
    assert {**whole, **picked} == whole
    assert next_slot(verb, state, seat, whole) is None
    bare = {k: v for k, v in picked.items() if k not in presets}
    taken = fill(verb, state, seat, Action(verb.name, bare))
    assert {**taken, **presets} == taken and taken.keys() == whole.keys()


# --- wrong values -----------------------------------------------------------------------------


def check_wrong(game: Game[Any], state: Any, seat: str, chance: Entropy) -> None:
    """What is not legal is refused in words, whichever verb and slot it is tried on."""
    offered = {offer.verb for offer in game.offers(state, seat)}
    for name in (*game.verbs, "dance"):
        if name not in offered:
            refused(game, state, seat, Action(name))
            refused(game, state, seat, Action(name, {"unit": "A1"}))
    refused(game, state, "NOBODY", Action(next(iter(game.verbs))))
    bag = list(NONSENSE)
    view = game.view(state, seat)
    bag += [token.id for token in view.board.tokens] + [token.cell for token in view.board.tokens]
    for name in sorted(offered):
        verb, picked = game.verbs[name], {}
        for slot in verb.slots:
            domain = verb.domain(state, seat, slot.name, picked)
            if domain is None:
                refused(game, state, seat, Action(name, {**picked, slot.name: "N"}))
                continue
            wrong = [value for value in bag if not domain.contains(value)]
            for value in wrong:
                check_sentence(game, verb.refusal(state, seat, slot.name, picked, value))
            for value in wrong[:: max(1, len(wrong) // 12)]:
                refused(game, state, seat, Action(name, {**picked, slot.name: value}))
            if domain.default is None:
                refused(game, state, seat, Action(name, picked))
            picked[slot.name] = domain.sample(chance)
        refused(game, state, seat, Action(name, {**picked, "extra": "A1"}))


def refused(game: Game[Any], state: Any, seat: str, action: Action) -> None:
    """The gate refuses an action, asks for no result, and changes nothing."""
    before = game.encode(state)
    with pytest.raises(Illegal) as caught:
        play(game, state, seat, action, ScriptedEntropy(()))
    check_sentence(game, caught.value)
    assert game.encode(state) == before


def check_sentence(game: Game[Any], illegal: Illegal) -> None:
    """A refusal is a whole sentence and names a rule that exists, or none."""
    assert illegal.sentence.strip() and illegal.sentence.rstrip()[-1] in ".?!", illegal
    assert "{" not in illegal.sentence and "None" not in illegal.sentence.split(), illegal
    assert illegal.rule == "" or game.rule(illegal.rule) is not None, illegal

"""The rules: one action, and everything that a seat could do."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import thread_time
from typing import Any

from games.kernel.action import Value
from games.kernel.domain import Domain, Several
from games.kernel.entropy import seeded
from games.kernel.game import Game
from games.kernel.play import play
from tests.bench.figures import Figures, Size
from tests.bench.positions import Position, boots, set_ups, whole_game

REPEATS = 3


def measure(figures: Figures, size: Size) -> None:
    """Play games in all modes and time each action; enumerate the options of some positions.

    Figures are CPU time of this thread, the best of three: the rules wait for nothing, and other
    programs on this machine must not count. Every repetition works on a freshly decoded copy.
    """
    game = boots()
    plays: list[float] = []
    positions: list[Position] = []
    for chosen in set_ups(game):
        seed = "bench " + " ".join(chosen.values())
        for n, at in enumerate(whole_game(game, chosen, seed, size.actions)):
            plays.append(_best(game, at, lambda state, at=at, n=n: _play(game, state, at, n)))
            positions.append(at)
    some = random.Random(1).sample(positions, min(size.positions, len(positions)))
    options = [_best(game, at, lambda s, at=at: enumerate_options(game, s, at.seat)) for at in some]
    views = [_best(game, at, lambda s: game.view(s, None)) for at in some]
    figures.spread("engine.play", plays)
    figures.spread("engine.options", options)
    figures.spread("engine.view", views, high=False)


def _play(game: Game[Any], state: Any, at: Position, number: int) -> None:
    play(game, state, at.seat, at.action, seeded(f"bench {number}"))


def _best(game: Game[Any], at: Position, work: Callable[[Any], object]) -> float:
    taken: list[float] = []
    for _ in range(REPEATS):
        state = game.copy(at.state)
        begun = thread_time()
        work(state)
        taken.append(thread_time() - begun)
    return min(taken)


def enumerate_options(game: Game[Any], state: Any, seat: str) -> int:
    """Every offer, every value of its first slot, and for each the later slots' domains along
    the first value; how many domains that were."""
    asked = 0
    for offer in game.offers(state, seat):
        verb = game.verbs[offer.verb]
        slots = list(verb.slots)
        picked: dict[str, Value] = {}
        first: Domain | None = None
        while slots and first is None:
            first = verb.domain(state, seat, slots[0].name, picked)
            asked += 1
            if first is None:
                slots.pop(0)
        if first is None:
            continue
        name, *later = (slot.name for slot in slots)
        for value in _values(first):
            path = {**picked, name: value}
            for slot in later:
                domain = verb.domain(state, seat, slot, path)
                asked += 1
                if domain:
                    path[slot] = _values(domain)[0]
    return asked


def _values(domain: Domain) -> list[Value]:
    if not isinstance(domain, Several):
        return [option.value for option in domain.options]
    names = [option.value for option in domain.options]
    length = max(1, domain.least)
    return [tuple((names[n:] + names[:n])[:length]) for n in range(len(names))] or [()]

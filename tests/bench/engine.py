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


def measure(figures: Figures, size: Size) -> None:
    """Play games in all modes and time each action; enumerate the options of some positions.

    Figures are CPU time of this thread, since the rules wait for nothing and other programs on this
    machine must not count. Each works once on a freshly decoded state, as the bot does.
    """
    game = boots()
    plays: list[float] = []
    positions: list[Position] = []
    for chosen in set_ups(game):
        seed = "bench " + " ".join(chosen.values())
        for number, at in enumerate(whole_game(game, chosen, seed, size.actions)):
            entropy = seeded(f"bench {number}")
            plays.append(
                _timed(at, lambda s, at=at, e=entropy: play(game, s, at.seat, at.action, e))
            )
            positions.append(at)
    some = random.Random(1).sample(positions, min(size.positions, len(positions)))
    options = [_timed(at, lambda s, at=at: enumerate_options(game, s, at.seat)) for at in some]
    views = [_timed(at, lambda s: game.view(s, None)) for at in some]
    figures.spread("engine.play", plays)
    figures.spread("engine.options", options)
    figures.spread("engine.view", views, high=False)


def _timed(at: Position, work: Callable[[Any], object]) -> float:
    state = at.state()
    begun = thread_time()
    work(state)
    return thread_time() - begun


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

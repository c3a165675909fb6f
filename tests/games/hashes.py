"""Prints a hash for every action of some games: `python -m tests.games.hashes GAMES [pinned] [back]`.

GAMES is how many random games are played of each set-up. `pinned` plays them with the game made from
its own tables instead of the files; `back` plays the set-ups in the opposite order.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from games.kernel.entropy import seeded
from games.kernel.game import Game
from games.kernel.play import Turnout, begin, play
from games.kernel.random_player import random_action
from tests.games.all_games import SOME, Case, registry


def digest(game: Game[Any], turnout: Turnout[Any], seats: Sequence[str]) -> str:
    """A hash of a state, of the events that led to it, and of what everybody may do and see."""
    state, found = turnout.state, hashlib.sha256()
    found.update(game.encode(state))
    found.update(msgspec.json.encode([turnout.events, turnout.results, turnout.action]))
    for seat in (*seats, None):
        found.update(msgspec.json.encode(game.view(state, seat)))
    for seat in seats:
        found.update(msgspec.json.encode(game.offers(state, seat)))
        for offer in game.offers(state, seat):
            verb = game.verbs[offer.verb]
            if verb.slots:
                domain = verb.domain(state, seat, verb.slots[0].name, {})
                found.update(msgspec.json.encode(domain))
    return found.hexdigest()[:20]


def hashes(case: Case, number: int, game: Game[Any]) -> Iterator[str]:
    """The hashes of one random game, action by action."""
    seed = f"determinism:{case.name}:{number}"
    chance, choice = seeded(f"{seed}:chance"), seeded(f"{seed}:choice")
    setup = game.read_setup(case.chosen)
    seats = [seat.id for seat in game.seats(setup)]
    turnout = begin(game, setup, chance)
    yield digest(game, turnout, seats)
    player = case.player(game) if case.player and number % 2 else None
    while game.result(turnout.state) is None:
        state = turnout.state
        seat = choice.draw([task.seat for task in game.tasks(state)], "seat")
        if player is not None:
            action = player(state, seat, choice)
        else:
            action = random_action(game, state, seat, choice, case.weights)
        turnout = play(game, state, seat, action, chance)
        yield digest(game, turnout, seats)


def pinned(game: Game[Any]) -> Game[Any]:
    """The game as a session that pinned its tables gets it back."""
    return registry().pinned(game.slug, json.loads(json.dumps(game.tables())))


def main(arguments: Sequence[str]) -> int:
    """The command line."""
    count = int(arguments[0])
    for case in reversed(SOME) if "back" in arguments else SOME:
        game = pinned(case.game) if "pinned" in arguments else case.game
        for number in range(count):
            for place, found in enumerate(hashes(case, number, game)):
                print(f"{case.name} {number} {place} {found}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Play many games by a policy and count how they end: to check balance after a group edits its data.

    python -m games.simulate sniper --missions 4000 --policy standin
    python -m games.simulate boots --missions 500 --policy random --set mission=hot-lz

Policies: `random` (the random player, any game) and those that a game registers. The same seed gives the
same games on every machine.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from tqdm import tqdm

from games.kernel.entropy import seeded
from games.kernel.game import Game, Setup
from games.kernel.illegal import Illegal
from games.kernel.play import begin, play
from games.kernel.random_player import random_action
from games.registry import GameUnavailable, load

LONGEST = 50_000
"""Actions after which a game counts as endless."""


def simulate(game: Game[Any], setup: Setup, policy: str, seed: str) -> tuple[str, int]:
    """Play one game; returns how it ended and how many actions it took.

    Raises `LookupError` for a policy that the game does not know.
    """
    entropy = seeded(seed)
    state = begin(game, setup, entropy).state
    for number in range(LONGEST):
        outcome = game.result(state)
        if outcome is not None:
            return f"{outcome.title} ({outcome.cause})", number
        if policy == "random":
            seat = game.tasks(state)[0].seat
            action = random_action(game, state, seat, entropy, {"concede": 0, "abandon": 0})
        else:
            decided = game.policy(state, policy)
            if decided is None:
                raise LookupError(f"{game.title} knows no policy “{policy}”.")
            seat, action = decided
        state = play(game, state, seat, action, entropy).state
    return "endless", LONGEST


def table(ends: Mapping[str, int], actions: int) -> list[str]:
    """The results as lines: share and standard error of each end, mean number of actions."""
    total = sum(ends.values())
    lines = [f"{'end':<44}{'games':>8}{'share':>9}{'±':>7}"]
    for end, count in sorted(ends.items(), key=lambda item: (-item[1], item[0])):
        share = count / total
        error = (share * (1 - share) / total) ** 0.5
        lines.append(f"{end:<44}{count:>8}{share:>8.1%}{error:>7.1%}")
    lines.append(f"{total} games, {actions / total:.1f} actions on average")
    return lines


def main(arguments: Sequence[str]) -> int:
    """The command line; exit status 2 for wrong arguments."""
    parser = argparse.ArgumentParser(prog="python -m games.simulate", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--missions", type=int, default=1000, help="how many games")
    parser.add_argument("--policy", default="random")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE")
    options = parser.parse_args(arguments)
    if options.missions < 1:
        print("Say how many games to play: --missions needs a number of 1 or more.")
        return 2
    try:
        game = load(options.game)
        pairs = (pair.partition("=") for pair in options.set)
        setup = game.read_setup({name: value for name, _, value in pairs})
        ends: Counter[str] = Counter()
        actions = 0
        bar = tqdm(range(options.missions), unit="game", disable=None)
        for number in bar:
            end, length = simulate(game, setup, options.policy, f"{options.seed}/{number}")
            ends[end] += 1
            actions += length
    except (GameUnavailable, LookupError, Illegal) as fault:
        print(fault)
        return 2
    print("\n".join(table(ends, actions)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

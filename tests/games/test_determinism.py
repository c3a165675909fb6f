"""The same seed gives the same bytes: in every process, whatever was played before, from any source.

Compared are states, events, results, views, offers and first domains, action by action.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.all_games import CASES, SOME, Case
from tests.games.hashes import hashes, pinned

ROOT = Path(__file__).resolve().parents[2]


def printed(hash_seed: str, *arguments: str) -> list[str]:
    """What a fresh process prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.games.hashes", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_processes_with_different_hash_seeds_agree() -> None:
    first = printed("1", "2")
    assert len(first) > 20 * len(SOME)
    assert first == printed("2", "2")


def test_what_was_played_before_does_not_matter() -> None:
    both = printed("1", "2")
    alone = printed("3", "1", "back", "pinned")
    assert sorted(alone) == sorted(line for line in both if line.split()[1] == "0")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_pinned_tables_give_the_same_game(case: Case) -> None:
    game = pinned(case.game)
    assert game is not case.game
    assert game.content_hash == case.game.content_hash
    assert json.dumps(game.tables()) == json.dumps(case.game.tables())
    assert list(hashes(case, 0, game)) == list(hashes(case, 0, case.game))


@pytest.mark.parametrize("case", SOME, ids=lambda case: case.name)
def test_other_seeds_give_other_games(case: Case) -> None:
    assert list(hashes(case, 0, case.game)) != list(hashes(case, 2, case.game))

"""Recorded whole games, one for each way a game can end, replay to the very same states.

`make fixtures` records (tests/record_fixtures.py). Two processes with different hash seeds agree.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.games.all_games import CASES
from tests.games.wanted import FOLDER, Wanted
from tests.record_fixtures import ENDS, Different, Line, read, replay

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.rule("BG-E.1", "BG-E.2", "BG-E.3", "BG-E.4", "BG-E.5", "BG-E.6")
@pytest.mark.rule("SK-16.1", "SK-16.2", "SK-16.3", "SK-16.6", "SK-10.4", "SK-12.3")
@pytest.mark.parametrize("wanted", ENDS, ids=lambda wanted: f"{wanted.slug}-{wanted.name}")
def test_recorded_game(wanted: Wanted) -> None:
    recording = read(wanted.path)
    assert recording.end == wanted.end and recording.setup == dict(wanted.chosen)
    case = next(case for case in CASES if case.slug == wanted.slug)
    story, again = replay(recording, watch=lambda state: case.conserved(case.game, state))
    assert wanted.reached(story)
    assert again == recording


def test_no_recording_lies_about_unused() -> None:
    assert set(FOLDER.rglob("*.json")) == {wanted.path for wanted in ENDS}


def test_two_hash_seeds_agree() -> None:
    def replayed(seed: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "tests.record_fixtures", "--check"],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        ).stdout

    first, second = replayed("1"), replayed("2")
    assert first == second
    assert len(first.splitlines()) == len(ENDS)


def test_a_forged_recording_is_noticed() -> None:
    recording = read(ENDS[0].path)
    line = recording.actions[3]
    recording.actions[3] = Line(line.seat, line.action, line.script, "0" * 16)
    with pytest.raises(Different, match="action 4"):
        replay(recording)
    recording.actions[3] = line
    del recording.actions[-1]
    with pytest.raises(Different, match="not over"):
        replay(recording)

"""`python -m games.simulate`: arguments, policies, the table, the same games for the same seed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from games.registry import load
from games.simulate import main, simulate, table

ROOT = Path(__file__).resolve().parents[1]
Captured = pytest.CaptureFixture[str]


def test_command_line() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "games.simulate",
            "sniper",
            "--missions",
            "20",
            "--policy",
            "standin",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["end", "games", "share", "±"]
    assert lines[-1].startswith("20 games, ") and lines[-1].endswith(" actions on average")
    counts = [int(line[44:52]) for line in lines[1:-1]]
    assert sum(counts) == 20 and counts == sorted(counts, reverse=True)
    assert any(line.startswith("Major victory (SK-16.1)") for line in lines)


def test_the_same_seed_gives_the_same_games(capsys: Captured) -> None:
    def told(*arguments: str) -> str:
        assert main(["sniper", "--missions", "8", *arguments]) == 0
        return capsys.readouterr().out

    first = told("--policy", "standin", "--seed", "a")
    assert told("--policy", "standin", "--seed", "a") == first
    assert told("--policy", "standin", "--seed", "b") != first
    assert told("--policy", "random") != first


def test_options_are_passed_on(capsys: Captured) -> None:
    arguments = ["sniper", "--missions", "3", "--set", "mode=group", "--set", "rotation=3"]
    assert main(arguments) == 0
    assert "3 games" in capsys.readouterr().out


@pytest.mark.parametrize("slug", ["boots", "sniper"])
def test_every_game_can_be_played_at_random(slug: str, capsys: Captured) -> None:
    assert main([slug, "--missions", "2"]) == 0
    assert "2 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["chess"], "chess"),
        (["sniper", "--policy", "genius"], "knows no policy “genius”"),
        (["boots", "--policy", "standin"], "knows no policy “standin”"),
        (["sniper", "--set", "colour=red"], "no option “colour”"),
        (["sniper", "--set", "mode"], "“mode” cannot be"),
        (["sniper", "--set", "veteran=on", "--set", "rookie=on"], "do not go together"),
    ],
)
def test_wrong_arguments_are_a_sentence(arguments: list[str], why: str, capsys: Captured) -> None:
    assert main([*arguments, "--missions", "1"]) == 2
    assert why in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["sniper", "--missions", "many"], ["sniper", "--speed"]])
def test_malformed_arguments_are_explained(arguments: list[str], capsys: Captured) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: python -m games.simulate" in capsys.readouterr().err


def test_one_game() -> None:
    game = load("sniper")
    setup = game.read_setup({})
    assert simulate(game, setup, "standin", "x") == simulate(game, setup, "standin", "x")
    with pytest.raises(LookupError, match="genius"):
        simulate(game, setup, "genius", "x")


def test_table() -> None:
    lines = table({"Lost (B)": 1, "Won (A)": 3}, 40)
    assert lines[1].split() == ["Won", "(A)", "3", "75.0%", "21.7%"]
    assert lines[2].split() == ["Lost", "(B)", "1", "25.0%", "21.7%"]
    assert lines[3] == "4 games, 10.0 actions on average"


@pytest.mark.parametrize("number", ["0", "-3"])
def test_no_games_are_refused_in_a_sentence(
    number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sniper", "--missions", number]) == 2
    assert "--missions needs a number of 1 or more" in capsys.readouterr().out

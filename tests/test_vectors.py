"""The worked examples of tests/vectors hold, and `python -m games.vectors` says so in so many words."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from games.registry import load
from games.vectors import Vector, main, read_file, run

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "tests/vectors").glob("*.toml"))
loaded = cache(load)

CASES = [(file.game, vector) for file in map(read_file, FILES) for vector in file.vector]

HEAD = 'game = "boots"\n'
GOOD = """
[[vector]]
id = "TV-01"
rules = ["BG-4.17"]
setup = { map = "range", mode = "solo1", empty = true }
patch = { "units.A-SN" = { pos = "B10", face = "E" }, "units.IN1" = { pos = "I10", face = "W" } }
entropy = [4, 4]
do = [{ seat = "ALPHA", verb = "activate", unit = "A-SN" }, { seat = "ALPHA", verb = "fire", target = "IN1" }]
expect = { "units.IN1" = false, "killed" = 0 }
"""
BASE = """
[base]
setup = { map = "moon", mode = "solo1", empty = true }
patch = { "killed" = 7, "pool" = 3 }
"""


@pytest.mark.parametrize(("slug", "vector"), CASES, ids=[f"{g}-{v.id}" for g, v in CASES])
def test_vector(slug: str, vector: Vector) -> None:
    assert run(loaded(slug), vector) == ""


def test_vectors_have_their_own_ids() -> None:
    names = [(slug, vector.id) for slug, vector in CASES]
    assert [name for name in dict.fromkeys(names) if names.count(name) > 1] == []


def test_every_vector_checks_something() -> None:
    empty = [v.id for _, v in CASES if not (v.expect or v.offered or v.illegal)]
    assert empty == []


# --- the command line -------------------------------------------------------------------------


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_command_line(tmp_path: Path) -> None:
    second = GOOD.replace("TV-01", "TV-02").replace('"killed" = 0', '"killed" = 1')
    path = write(tmp_path, HEAD + GOOD + second)
    done = subprocess.run(
        [sys.executable, "-m", "games.vectors", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.splitlines() == [
        "ok   boots TV-01",
        "FAIL boots TV-02: killed is 0, not 1",
    ]


def test_a_base_is_below_every_vector(tmp_path: Path) -> None:
    own = GOOD.replace(', mode = "solo1", empty = true', "").replace('killed" = 0', 'killed" = 7')
    other = GOOD.replace("TV-01", "TV-02").replace("rules =", "bare = true\nrules =")
    third = GOOD.replace("TV-01", "TV-03").replace("patch = {", 'patch = { "killed" = 0, ')
    vectors = read_file(write(tmp_path, HEAD + BASE + own + other + third)).vector
    assert [run(loaded("boots"), vector) for vector in vectors] == ["", "", ""]
    assert [vector.patch.get("pool") for vector in vectors] == [3, None, 3]


def test_all_good_is_status_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(write(tmp_path, HEAD + GOOD))]) == 0
    assert capsys.readouterr().out == "ok   boots TV-01\n"


def test_without_files_it_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('game = "boots', "Unterminated string"),
        (GOOD, "game"),
        ('game = "chess"\n' + GOOD, "chess"),
        (HEAD + GOOD + 'colour = "red"\n', "colour"),
        (HEAD + GOOD.replace("rules =", "rule ="), "rule"),
        (HEAD + GOOD.replace("[4, 4]", "[4.5]"), "entropy"),
        (HEAD + GOOD.replace("setup =", "#"), "TV-01 has no setup"),
        (HEAD + "[base]\nrules = []\n" + GOOD, "rules"),
        (HEAD + BASE + GOOD.replace("setup = ", "bare = true #"), "TV-01 has no setup"),
    ],
)
def test_file_that_cannot_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, why: str
) -> None:
    path = write(tmp_path, text)
    assert main([str(path)]) == 2
    out = capsys.readouterr().out
    assert out.startswith(f"{path}: cannot be read") and why in out


def test_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "none.toml")]) == 2
    assert "cannot be read" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[4, 4]", "[4]", "the script is over"),
        ("[4, 4]", "[4, 4, 1]", "left over in the script: [1]"),
        ("[4, 4]", "[7, 4]", "needs a number from 1 to 6"),
        ("[4, 4]", '["IC01"]', "needs a number from 1 to 6"),
        ('target = "IN1"', 'target = "IN2"', "There is no unit “IN2”"),
        ('verb = "fire"', 'verb = "shoot"', "knows no “shoot”"),
        ('"killed" = 0', '"kiled" = 0', "kiled"),
        ('"killed" = 0', '"units.A-SN" = { hits = 1 }', "units.A-SN.hits is 0, not 1"),
        ('"units.IN1" = {', '"units.IN1" = { posn = "A1",', "posn"),
        ("patch = {", 'patch = { "pol.x" = 1,', "pol.x"),
        ("patch = {", 'patch = { "pol" = 1,', "pol"),
        ('map = "range"', 'map = "moon"', "There is no mission “moon”"),
        ('mode = "solo1"', 'mode = "solo9"', "There is no mode “solo9”"),
        ("empty = true", "empty = true, options = { pivot = 1 }", "no option “pivot”"),
        ("expect = {", 'illegal = "BG-11.3.1"\nexpect = {', "should be refused under BG-11.3.1"),
        ('target = "IN1" }]', 'target = "A-SN" }]\nillegal = "BG-1.1"', "refused under BG-11.3.4"),
        ("do = [{", 'illegal = "BG-1.1"\ndo = []\nnote = """[{', "none is done"),
        ("expect", 'offered = { seat = "ALPHA", verb = "fire" }\nexpect', "fire is not offered"),
        ("expect", 'offered = { seat = "ALPHA", verb = "fir", absent = true }\nexpect', "no verb"),
        (
            "expect",
            'offered = { seat = "ALPHA", verb = "move", absent = true }\nexpect',
            "move is offered",
        ),
        (
            "expect",
            'offered = { seat = "ALPHA", verb = "move", slot = "to", not = ["C10"] }\nexpect',
            "C10 is offered",
        ),
        (
            "expect",
            'offered = { seat = "ALPHA", verb = "move", slot = "to", only = ["A9"] }\nexpect',
            "C10 is offered",
        ),
        (
            "expect",
            'offered = { seat = "ALPHA", verb = "move", slot = "to", has = ["L1"] }\nexpect',
            "L1 is not offered",
        ),
    ],
)
def test_failing_vector_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, why: str
) -> None:
    assert old in GOOD
    text = GOOD.replace(old, new)
    if '"""' in text:
        text = text.replace('"IN1" }]', '"IN1" }]"""')
    assert main([str(write(tmp_path, HEAD + text))]) == 1
    line = capsys.readouterr().out
    assert line.startswith("FAIL boots TV-01: ") and why in line
    assert line.count("\n") == 1

"""Rolls as pictures: goldens of every kind, and what no roll may break."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from games.kernel.entropy import Entropy, ScriptedEntropy, seeded
from games.kernel.tray import AGAIN, DROPPED, MET, MISSED, PLAIN, RollView, TrayDie, TrayRow
from games.parlour.notation_reading import read
from games.parlour.roll import roll
from games.parlour.roll_words import roll_view
from renderer import ALT_LIMIT
from renderer.tray import HIGH, tray
from renderer.tray_dice import tray_die
from tests.renderer.test_goldens import keeps

GOLDEN = Path(__file__).parent / "golden" / "rolls"


def view(notation: str, entropy: Entropy, label: str = "", times: int = 1) -> RollView:
    return roll_view(roll(read(notation, times), entropy), label)


def scripted(*values: int) -> ScriptedEntropy:
    return ScriptedEntropy(values)


SCENES: dict[str, RollView] = {
    "plain": view("2d6+1", scripted(5, 2)),
    "kept": view("4d6kh3", scripted(5, 1, 6, 6), "Strength"),
    "advantage": view("d20 adv+5", scripted(11, 17), "Attack on the tower"),
    "exploded": view("4d6!", scripted(6, 2, 6, 3, 6, 4, 1)),
    "rerolled": view("3d8r<3+2d4", scripted(2, 1, 7, 8, 2, 4, 4, 3)),
    "counted": view("10d10>=7", scripted(2, 6, 5, 1, 9, 4, 10, 9, 8, 2)),
    "everything": view("4d6r1!kh3>=5", scripted(6, 1, 5, 3, 6, 2, 4)),
    "kinds": view("d4+d6+d8+d10+d12+d20+d%+d30+d{1,2,2,3}", seeded("kinds")),
    "fate": view("4dF+3", scripted(1, 2, 3, 3)),
    "forty": view("40d6", seeded("forty")),
    "hundred": view("100d6", seeded("hundred")),
    "thousands": view("100d1000", seeded("thousands")),
    "number": view("7*(3+4)-100/7", scripted()),
    "below-zero": view("d6*-1000000", scripted(6), "As low as it gets"),
    "repeated": view("2d6+1", seeded("repeated"), times=3),
    "several": view(
        "d20+5 # attack; 2d6+3 # damage; 4dF; 8d6>=5 # hits by fire; d%", seeded("several")
    ),
    "twenty": view("4d6kh3", seeded("twenty"), times=20),
    "crowded": view(
        f"5d6!+d%*1000-d{{1000,-1000}} # {'W' * 60}; 20d6r1!; 20d20kl5", seeded("crowded"), times=2
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_golden(name: str, update_goldens: bool) -> None:
    keeps(GOLDEN / f"{name}.png", tray(SCENES[name]).png, update_goldens)


def test_every_golden_is_drawn() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(SCENES)


@pytest.mark.parametrize("name", SCENES)
def test_size_and_words(name: str) -> None:
    picture = tray(SCENES[name])
    assert picture.width == 1000 and picture.height <= HIGH + 20
    assert len(picture.png) < 150_000
    assert 0 < len(picture.alt) <= ALT_LIMIT
    assert Image.open(io.BytesIO(picture.png)).size == (picture.width, picture.height)


def test_words_tell_what_became_of_every_die() -> None:
    assert SCENES["kept"].alt == "Strength, 4d6kh3: 5, 1 dropped, 6 and 6; total 17."
    assert SCENES["everything"].alt == (
        "4d6r1!kh3>=5: 6 exploded counted, 2 dropped, 1 rolled again, 5 counted, 3 dropped, "
        "6 exploded counted and 4 dropped; 3 successes."
    )
    assert SCENES["fate"].alt == "4dF+3: 4dF: minus, blank, plus and plus; total 4."
    assert SCENES["thousands"].alt.count(",") > 20 and "70 more" in SCENES["thousands"].alt


def test_states_differ_by_more_than_colour() -> None:
    """In grey, too, each state of a die is another picture in its shape: signs, line, hollow."""
    dice = [TrayDie("4", 6, state) for state in (PLAIN, MET, MISSED, DROPPED, AGAIN)]
    dice.append(TrayDie("4", 6, burst=True))
    shapes: set[bytes] = set()
    for die in dice:
        grey = tray_die(die, 96).convert("RGB").convert("L")
        shapes.add(grey.point([0] * 60 + [255] * 196).tobytes())
    assert len(shapes) >= len(dice) - 1  # a die that missed is told by having no tick
    assert tray_die(dice[1], 96).tobytes() != tray_die(dice[2], 96).tobytes()


def test_results_that_do_not_fit_are_counted() -> None:
    row = SCENES["forty"].rows[0]
    picture = tray(RollView((row,) * 60, "sixty"))
    assert picture.height <= HIGH + 20


def test_a_row_without_dice_and_words_is_drawn() -> None:
    assert tray(RollView((TrayRow("", "", (), "", "0"),), "nothing")).height > 100


@pytest.mark.parametrize("times", [1, 2])
def test_a_label_that_cannot_be_written_is_left_to_the_text(times: int) -> None:
    plain, labelled = (
        tray(view("2d6", scripted(*[1, 2] * times), label, times))
        for label in ("", "\u4e2d\u6587 \U0001f600")
    )
    assert plain.png == labelled.png

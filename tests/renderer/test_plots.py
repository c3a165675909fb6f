"""Plots as pictures: as kept, within their limits, the same from several threads."""

from __future__ import annotations

import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from games.kernel.luck import Die
from renderer import Picture, plots
from renderer.palette import PALETTE
from renderer.plots import FacePanel, SwingPanel
from renderer.texts import ALT_LIMIT
from tests.renderer import plot_scenes as scenes
from tests.renderer.test_goldens import keeps

FOLDER = Path(__file__).parent / "golden" / "plots"

TWENTY = tuple(Die("square", 20, 1 + n * n % 20, "hit") for n in range(60))

EVERY: dict[str, Callable[[], Picture]] = {
    "faces": lambda: plots.faces(
        scenes.face_panels(scenes.thrown(40)), "Faces", "Boots on the Ground", "Alt."
    ),
    "faces-loaded": lambda: plots.faces(
        scenes.face_panels(scenes.thrown(45, loaded=True)), "Faces", "Boots on the Ground", "Alt."
    ),
    "faces-few": lambda: plots.faces(
        scenes.face_panels(scenes.thrown(1)[:1]), "Faces", "Toy Skirmish", "Alt."
    ),
    "faces-odd": lambda: plots.faces(
        scenes.face_panels([*TWENTY, *scenes.thrown(3)], scenes.LONG), scenes.LONG, scenes.LONG, "A" * 9000
    ),
    "swings": lambda: plots.swings(
        scenes.swing_panels(scenes.thrown(40)), "Swing", "Boots on the Ground", "Alt."
    ),
    "swings-loaded": lambda: plots.swings(
        scenes.swing_panels(scenes.thrown(45, loaded=True), scenes.LONG), "Swing", "Boots", "Alt."
    ),
    "swings-one-die": lambda: plots.swings(
        scenes.swing_panels(scenes.thrown(1)[:1]), "Swing", "Toy Skirmish", "Alt."
    ),
    "player": lambda: plots.statistics(scenes.player(), "Robin", "All games", "Alt."),
    "player-first": lambda: plots.statistics(scenes.first(), "Kim", "Boots on the Ground", "Alt."),
    "player-odd": lambda: plots.statistics(scenes.odd(), scenes.LONG, scenes.LONG, "Alt."),
}  # fmt: skip


@pytest.mark.parametrize("name", EVERY)
def test_golden_plot(name: str, update_goldens: bool) -> None:
    keeps(FOLDER / f"{name}.png", EVERY[name]().png, update_goldens)


def test_every_golden_plot_is_drawn() -> None:
    assert {path.stem for path in FOLDER.glob("*.png")} == set(EVERY)


@pytest.mark.parametrize("name", EVERY)
def test_plots_keep_their_limits(name: str) -> None:
    picture = EVERY[name]()
    image = Image.open(io.BytesIO(picture.png))
    assert image.size == (picture.width, picture.height)
    assert picture.width == 1000 and 300 <= picture.height <= 2600
    assert len(picture.png) < 150_000
    assert 0 < len(picture.alt) <= ALT_LIMIT
    used = {colour for _, colour in image.convert("RGB").getcolors(1 << 16) or []}
    assert used <= set(PALETTE)


def test_threads_draw_the_same_at_once() -> None:
    names = list(EVERY) * 2
    alone = {name: EVERY[name]().png for name in EVERY}
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda name: EVERY[name]().png, names))
    assert together == [alone[name] for name in names]


def test_only_so_many_panels() -> None:
    panel = FacePanel("A", "d2, 2 dice", (("1", 1, 1.0, 0, 2), ("2", 1, 1.0, 0, 2)))
    six = plots.faces([panel] * 6, "Faces", "", "Alt.")
    assert plots.faces([panel] * 20, "Faces", "", "Alt.").png == six.png
    swing = SwingPanel("A", "d6, 1 die", "0", (0.0,), (1.7,))
    five = plots.swings([swing] * 5, "Swing", "", "Alt.")
    assert plots.swings([swing] * 20, "Swing", "", "Alt.").png == five.png

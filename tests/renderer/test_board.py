"""Boards: windows, sizes, robustness, and equal bytes for equal views."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

import renderer
from games.kernel.event import Noted
from games.kernel.view import MARK_KINDS, Mark
from renderer import layout, overlay
from renderer.cache import GROUNDS, STAMPS, Lru
from tests.renderer import scenes

PHONE = 412
ROOT = Path(__file__).resolve().parents[2]


def _image(picture: renderer.Picture) -> Image.Image:
    image = Image.open(io.BytesIO(picture.png))
    assert image.size == (picture.width, picture.height)
    return image


def test_the_city_is_a_small_file() -> None:
    picture = renderer.board(scenes.city(), events=scenes.city_events())
    assert 800 <= picture.width <= 1130
    assert len(picture.png) <= 150_000
    _image(picture)


@pytest.mark.parametrize("key", ["city", "compound", "range"])
def test_crops_show_squares_of_40_pixels_on_a_phone(key: str) -> None:
    printed, _, _ = scenes.load(key)
    for cells in (["A1"], ["L10", "K9"], ["B2", "H7"], ["L10"]):
        window = layout.closeup(printed.width, printed.height, cells)
        assert window is not None
        assert window.columns <= 10
        assert window.size * PHONE / window.width >= 40
        assert 800 <= window.width <= 1120
        for cell in cells:
            xy = layout.square_xy(cell)
            assert xy is not None and window.shows(*xy)


def test_crops_keep_a_margin_and_stay_on_the_board() -> None:
    window = layout.closeup(24, 22, ["J10", "L12"])
    assert window is not None
    assert window.left < 9 and window.left + window.columns > 12
    assert window.top < 9 and window.top + window.rows > 12
    corner = layout.closeup(24, 22, ["X22"])
    assert corner is not None
    assert (corner.left + corner.columns, corner.top + corner.rows) == (24, 22)


def test_far_cells_are_all_shown() -> None:
    window = layout.closeup(24, 22, ["A1", "X22"])
    assert window is not None
    assert (window.columns, window.rows) == (24, 22)


def test_crops_without_cells_on_the_board_show_all_of_it() -> None:
    view = scenes.firing_range()
    whole = renderer.board(view)
    for crop in ([], ["", "ZZ99", "nowhere", "7", "Q"], None):
        assert renderer.board(view, crop=crop).png == whole.png


@pytest.mark.parametrize(
    ("name", "xy"),
    [("A1", (0, 0)), ("X22", (23, 21)), ("AA1", (26, 0)), ("b2", (1, 1)), ("A0", None),
     ("", None), ("5", None), ("AB", None), ("É1", None), ("A1B", None)],
)  # fmt: skip
def test_square_names(name: str, xy: tuple[int, int] | None) -> None:
    assert layout.square_xy(name) == xy


def test_column_names_and_squares_agree() -> None:
    for x in (0, 25, 26, 51, 52, 701, 702):
        assert layout.square_xy(f"{layout.column_name(x)}7") == (x, 6)


def test_every_mark_kind_is_supported_and_visible() -> None:
    assert set(MARK_KINDS) == set(overlay.SUPPORTED)
    view = scenes.firing_range()
    plain = renderer.board(view).png
    for kind in (*MARK_KINDS, "nobody knows"):
        assert renderer.board(view, marks=[Mark(kind, ("C9", "F9"), "x")]).png != plain, kind


def test_marks_of_events_and_of_the_board_are_drawn() -> None:
    view = scenes.firing_range()
    mark = Mark("path", ("C9", "F9"))
    by_event = renderer.board(view, events=[Noted(text="", marks=(mark,))]).png
    assert by_event == renderer.board(view, marks=[mark]).png


def test_marks_off_the_board_are_ignored() -> None:
    view = scenes.firing_range()
    for kind in MARK_KINDS:
        for cells in ((), ("",), ("nowhere",), ("ZZ99",), ("C9", "nowhere"), ("C9", "C9")):
            renderer.board(view, marks=[Mark(kind, cells, "label")])
    renderer.board(view, numbered=[("ZZ99", "1"), ("", "2"), ("C9", "a very long label")])


def test_odd_views_are_drawn_all_the_same() -> None:
    picture = renderer.board(scenes.anything_odd())
    assert picture.width <= 1120
    assert len(picture.alt) <= renderer.ALT_LIMIT


def test_hidden_counters_look_alike() -> None:
    """Nothing of a hidden counter's id or note reaches the picture."""
    one, other = (
        scenes.view(
            "range",
            [scenes.unit("C9", "?", "chip", "brown", id=key, note=key, hidden=True)],
        )
        for key in ("LB1", "LB2")
    )
    assert renderer.board(one).png == renderer.board(other).png


def test_equal_views_give_equal_bytes_in_any_state_of_the_caches() -> None:
    first = renderer.board(scenes.city(), events=scenes.city_events()).png
    assert renderer.board(scenes.city(), events=scenes.city_events()).png == first
    GROUNDS.clear()
    STAMPS.clear()
    assert renderer.board(scenes.city(), events=scenes.city_events()).png == first


def test_threads_draw_the_same() -> None:
    marks, crop, numbered = scenes.choosing()

    def draw(n: int) -> str:
        if n % 5 == 0:
            GROUNDS.clear()
            STAMPS.clear()
        if n % 2:
            png = renderer.board(scenes.city(), marks=marks, crop=crop, numbered=numbered).png
        else:
            png = renderer.board(scenes.compound()).png
        return hashlib.sha256(png).hexdigest()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(draw, range(24)))
    assert len(set(found[0::2])) == 1
    assert len(set(found[1::2])) == 1


_DIGEST = """
import hashlib, renderer
from tests.renderer import scenes
marks, crop, numbered = scenes.choosing()
pictures = [
    renderer.board(scenes.city(), events=scenes.city_events()),
    renderer.board(scenes.city(), marks=marks, crop=crop, numbered=numbered),
    renderer.outcome(scenes.many()),
]
print(hashlib.sha256(b"".join(p.png for p in pictures)).hexdigest())
"""


def test_hash_seeds_do_not_matter() -> None:
    digests = set()
    for seed in ("0", "1", "31337"):
        run = subprocess.run(
            [sys.executable, "-c", _DIGEST],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        digests.add(run.stdout)
    assert len(digests) == 1


def test_caches_are_bounded() -> None:
    held: Lru[bytes] = Lru(100, len)
    for n in range(50):
        assert held.get(n, lambda: b"x" * 10) == b"x" * 10
    assert held.weight <= 100
    assert len(held) == 10
    held.get("large", lambda: b"x" * 500)
    assert len(held) == 1
    for n in range(30):
        view = scenes.view("range", [], title=f"game {n}")
        renderer.board(view, crop=[f"{layout.column_name(n % 12)}{n % 10 + 1}"])
    assert GROUNDS.weight <= 64 << 20
    assert STAMPS.weight <= 24 << 20

"""Zone boards and hands: what is drawn large, limits, robustness, words, equal bytes."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from PIL import Image

import renderer
from games.kernel.event import Noted
from games.kernel.view import GROUND, MARK_KINDS, Badge, CardFace, Mark, Token, View, ZoneBoard
from renderer import terrain
from renderer.cache import GROUNDS, STAMPS
from renderer.hand import copies
from renderer.palette import PALETTE
from renderer.pictograms import PICTURES, WORDS, pictogram
from renderer.zone_layout import BOXES, COUNTER, ZoneField, cell_of, large_zones
from tests.renderer import zone_scenes as scenes

PHONE = 412
ROOT = Path(__file__).resolve().parents[2]

VIEWS: dict[str, Callable[[], View]] = {
    "start": scenes.start, "city": scenes.city, "desert": scenes.desert, "country": scenes.country,
    "way out": scenes.way_out, "odd": scenes.odd,
}  # fmt: skip


def _board(view: View) -> ZoneBoard:
    assert isinstance(view.board, ZoneBoard)
    return view.board


def _with(view: View, *tokens: Token) -> View:
    board = msgspec.structs.replace(_board(view), tokens=tokens)
    return msgspec.structs.replace(view, board=board)


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("crop", [None, ["3:team"], ["1:team", "2:team"]])
def test_pictures_keep_their_limits(name: str, crop: list[str] | None) -> None:
    picture = renderer.board(VIEWS[name](), crop=crop)
    image = Image.open(io.BytesIO(picture.png))
    assert image.size == (picture.width, picture.height)
    assert picture.width == 1000 and 600 <= picture.height <= 2800
    assert len(picture.png) < 150_000
    assert 0 < len(picture.alt) <= renderer.ALT_LIMIT
    assert {c for _, c in image.convert("RGB").getcolors(1 << 16) or []} <= set(PALETTE)


def test_counters_can_be_read_on_a_phone() -> None:
    assert COUNTER * PHONE / 1000 >= 44
    for view in (scenes.city(), scenes.country(), scenes.desert()):
        board = _board(view)
        field = ZoneField(board, large_zones(board), 20, 0, 604, 14)
        assert all(seat.size * PHONE / 1000 >= 40 for seat in field.seats)


def test_which_zones_are_drawn_large() -> None:
    board = _board(scenes.city())
    assert large_zones(board) == (3,)
    assert large_zones(board, ["3:medium", "3:team"]) == (3,)
    assert large_zones(board, ["2:team", "3:team"]) == (2, 3)
    assert large_zones(board, ["5:vip"]) == (5,)
    assert large_zones(board, ["1:team", "3:team", "4:team", "6:exit"]) == (3, 4)
    assert large_zones(board, ["", "9:team", "A1", "3:cellar"]) == (3,)
    assert large_zones(ZoneBoard("none", (), ())) == ()


@pytest.mark.parametrize(
    ("name", "cell"),
    [("1:long", (1, 0)), ("6:exit", (6, 5)), ("12:team", (12, 3)), ("", None), ("A1", None),
     (":long", None), ("1:", None), ("1:cellar", None), ("-1:long", None), ("²:long", None)],
)  # fmt: skip
def test_names_of_cells(name: str, cell: tuple[int, int] | None) -> None:
    assert cell_of(name) == cell


def test_counters_of_a_box_stay_in_their_zone() -> None:
    for count in range(1, 9):
        for box in BOXES:
            crowd = [
                Token(f"T{n}", f"token {n}", f"5:{box}", scenes.TEAM, note="a note" * (n % 2))
                for n in range(count)
            ]
            board = msgspec.structs.replace(_board(scenes.desert()), tokens=tuple(crowd))
            field = ZoneField(board, (5,), 20, 100, 604, 14)
            for seat in field.seats:
                left, top, right, bottom = field.area(5, BOXES.index(box))
                assert left <= seat.x - seat.size / 2 and top <= seat.y <= bottom
                end = seat.label_left + seat.label.width if seat.label else seat.x + seat.size / 2
                assert end <= right + 1, (count, box)


def test_every_mark_kind_is_visible() -> None:
    view = scenes.city()
    plain = renderer.board(view, crop=["3:team"]).png
    for kind in (*MARK_KINDS, "nobody knows"):
        mark = Mark(kind, ("3:team", "3:medium"), "x")
        marked = renderer.board(view, marks=[mark], crop=["3:team"]).png
        assert marked != plain, kind
        event = Noted(text="", marks=(mark,))
        assert renderer.board(view, events=[event], crop=["3:team"]).png == marked


def test_marks_elsewhere_are_ignored() -> None:
    view = scenes.city()
    for kind in MARK_KINDS:
        for cells in ((), ("",), ("A1",), ("9:long",), ("3:team", "1:long"), ("3:team", "3:team")):
            renderer.board(view, marks=[Mark(kind, cells, "label")])
    renderer.board(view, numbered=[("9:team", "1"), ("", "2"), ("3:short", "a very long label")])


def test_a_board_without_zones_is_drawn() -> None:
    view = msgspec.structs.replace(scenes.city(), board=ZoneBoard("none", (), ()))
    assert renderer.board(view).width == 1000
    assert renderer.text_board(view)


def test_hidden_counters_look_alike() -> None:
    one, other = (
        _with(scenes.start(), Token(key, "?", "1:long", Badge("?", "diamond", "grey"), hidden=True))
        for key in ("H3", "SNIPER")
    )
    assert renderer.board(one).png == renderer.board(other).png


def test_the_hand_is_in_no_picture_but_its_own() -> None:
    view = scenes.city()
    without = msgspec.structs.replace(view, hand=())
    assert renderer.board(view).png == renderer.board(without).png
    assert renderer.hand(without) is None
    assert "Steady Breath" not in renderer.alt_text(without)
    assert "Steady Breath" not in renderer.text_board(without)
    assert "Steady Breath: +2 on one shot." in renderer.text_board(view)


def test_the_hand_in_words_and_numbers() -> None:
    picture = renderer.hand(scenes.city())
    assert picture is not None
    assert picture.width == 1000 and len(picture.png) < 150_000
    assert picture.alt.startswith("Hand: Fire ×2: Opens a fire")
    assert [copies(b) for b in ("", "×2", "×12", "2", "x3", "×", "new")] == [1, 2, 12, 1, 1, 1, 1]
    odd = renderer.hand(scenes.odd())
    assert odd is not None and len(odd.alt) <= renderer.ALT_LIMIT and len(odd.png) < 300_000
    one = renderer.hand(scenes.with_hand((CardFace("", "", ""),)))
    assert one is not None


def test_alt_text_of_a_zone_board() -> None:
    alt = renderer.alt_text(scenes.city(), scenes.shot_marks())
    assert "The shot misses; the group of 3 comes closer" in alt
    assert "Zone 3, Main Street: Radio Mast, cover 0, fire 0, move 1, crawl 2; a relay" in alt
    assert "hostile group of 3, zone 3 medium, spotted" in alt
    assert "Enemy Reserve 4 of 8; Morale 45 of 65; Wounds 2 of 5" in alt
    assert "Next is zone 4, Boulevard, needs Morale 65." in alt


def test_text_board_of_a_zone_board() -> None:
    lines = renderer.text_board(scenes.desert()).split("\n")
    assert "4 Dry Hills (passed): Rock Outcrop, cover 1, fire 0, move 1, crawl 2" in lines
    assert any(line.startswith("5 Compound (the team is here): Water Tower") for line in lines)
    assert "6 Flats (open), card face down" in lines
    assert "– The Bomb Maker, zone 5 vip, long, moving, fires left: 1" in lines
    assert "– the sniper, zone 5 team, 4 hits, with claymore" in lines
    assert "Spotter: dead" in lines
    assert "The Bomb Maker (VIP): At long range, moving; worth 2 extra KP." in lines


def test_every_terrain_letter_has_a_picture() -> None:
    assert set(GROUND) == terrain.LETTERS
    plain = terrain.terrain(("." * 6,) * 4, 0, 6, (40, 30)).tobytes()
    seen = {plain}
    for letter in GROUND.replace(".", ""):
        seen.add(terrain.terrain((letter * 6,) * 4, 0, 6, (40, 30)).tobytes())
    assert len(seen) == len(GROUND)
    assert terrain.terrain(("?" * 6,) * 4, 0, 6, (40, 30)).tobytes() == plain


def test_pictograms() -> None:
    for name in PICTURES:
        stamp = pictogram(name, 40, (0, 0, 0))
        assert stamp is not None and stamp.getbbox() is not None, name
    assert set(WORDS.values()) <= set(PICTURES)
    assert pictogram("nothing known", 40, (0, 0, 0)) is None


def test_equal_views_give_equal_bytes_in_any_state_of_the_caches() -> None:
    first = renderer.board(scenes.desert()).png
    assert renderer.board(scenes.desert()).png == first
    GROUNDS.clear()
    STAMPS.clear()
    assert renderer.board(scenes.desert()).png == first


def test_threads_draw_the_same() -> None:
    def draw(n: int) -> str:
        if n % 5 == 0:
            GROUNDS.clear()
            STAMPS.clear()
        if n % 2:
            picture = renderer.hand(scenes.city())
        else:
            picture = renderer.board(scenes.country())
        assert picture is not None
        return hashlib.sha256(picture.png).hexdigest()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(draw, range(16)))
    assert len(set(found[0::2])) == 1
    assert len(set(found[1::2])) == 1


_DIGEST = """
import hashlib, renderer
from tests.renderer import zone_scenes as scenes
pictures = [
    renderer.board(scenes.city()),
    renderer.hand(scenes.city()),
    renderer.outcome(scenes.engagement()),
]
print(hashlib.sha256(b"".join(p.png for p in pictures)).hexdigest())
"""


def test_hash_seeds_do_not_matter() -> None:
    digests = set()
    for seed in ("0", "31337"):
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

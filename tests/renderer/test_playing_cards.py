"""Pictures of cards: golden ones, suits that nobody confuses, any text."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from games.kernel.cards import JOKER, RANKS, SUITS
from games.kernel.view import CardFace
from renderer.palette import PALETTE, PAPER, contrast
from renderer.picture import Picture
from renderer.playing_cards import JOKER_COLOURS, MOST, SUIT_COLOURS, spread, spread_alt, suited
from renderer.texts import ALT_LIMIT
from tests.renderer.test_colours import APART, EYES, difference
from tests.renderer.test_goldens import keeps

GOLDEN = Path(__file__).parent / "golden" / "cards"

NAMES = {"A": "Ace", "J": "Jack", "Q": "Queen", "K": "King"}


def face(card: str, badge: str = "") -> CardFace:
    kind, _, rank = card.partition(":")
    title = f"{NAMES.get(rank, rank)} of {kind.capitalize()}"
    return CardFace(card, f"{rank.capitalize()} Joker" if kind == JOKER else title, "", badge)


TEXTS = (
    CardFace("action:fire", "Fire", "Opens a fire: two shots at one target.", "×3"),
    CardFace(
        "intel:IC07", "Two at the Windows", "Two new insurgents at the closest doors; all fire."
    ),
    CardFace("tactical:smoke", "Smoke", "Nobody sees the team until its next turn."),
    CardFace(
        "card:1", "A title of sixty characters, which is the most that it may be", "word " * 60
    ),
    CardFace("card:2", "Reserve", ""),
)
TEN = "spades:A hearts:K diamonds:Q clubs:J spades:10 hearts:7 diamonds:10 clubs:2 joker:red joker:black"

PICTURES: dict[str, Callable[[], Picture]] = {
    "one": lambda: spread([face("hearts:10")], "Robin draws", "51 left in the pile"),
    "three": lambda: spread(
        [face(card) for card in ("clubs:A", "spades:Q", "joker:red")],
        "Somebody whose name is as long as it may be draws",
        "42 left in the pile",
    ),
    "ten": lambda: spread([face(card) for card in TEN.split()], "Your hand", "10 cards"),
    "table": lambda: spread(
        [face(card) for card in ("diamonds:A", "hearts:4", "spades:9")],
        "Standard 52",
        "3 on the table",
        pile=1000,
    ),
    "empty": lambda: spread([], "Standard 52", "0 on the table", pile=0),
    "words": lambda: spread(TEXTS, "Your hand", "7 cards"),
    "mixed": lambda: spread(
        [face("hearts:10"), TEXTS[1], face("joker:black"), face("clubs:Q", "×12")],
        "Mixed",
        "44 on the table",
        pile=7,
        more=29,
    ),
}


@pytest.mark.parametrize("name", PICTURES)
def test_golden(name: str, update_goldens: bool) -> None:
    keeps(GOLDEN / f"{name}.png", PICTURES[name]().png, update_goldens)


def test_every_golden_is_drawn() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(PICTURES)


def test_suits_can_be_read_and_differ_in_more_than_colour() -> None:
    for colour in (*SUIT_COLOURS.values(), *JOKER_COLOURS.values()):
        assert contrast(colour, PAPER) >= 4.5 and colour in PALETTE
    alone: set[bytes] = set()
    for suit in SUITS:
        picture = Image.open(io.BytesIO(spread([face(f"{suit}:A")], "", "").png)).convert("L")
        alone.add(picture.point([0] * 160 + [255] * 96).tobytes())
    assert len(alone) == len(SUITS), "in black and white two suits look the same"


@pytest.mark.parametrize("eyes", EYES)
def test_four_suits_are_four_colours_for_all_eyes(eyes: str) -> None:
    for one, other in itertools.combinations(SUIT_COLOURS.values(), 2):
        assert difference(one, other, eyes) >= APART, (one, other)


def test_alternative_texts_say_what_is_shown() -> None:
    alt = PICTURES["table"]().alt
    assert alt == (
        "Standard 52, 3 on the table. The pile: 1000 face down. Ace of Diamonds. 4 of Hearts. "
        "9 of Spades."
    )
    assert "The pile is empty." in PICTURES["empty"]().alt
    assert "Fire ×3: Opens a fire" in spread_alt(TEXTS, "Your hand")
    assert len(PICTURES["words"]().alt) <= ALT_LIMIT
    assert "And 29 more." in PICTURES["mixed"]().alt


def test_more_than_ten_are_counted() -> None:
    faces = [face(f"{suit}:{rank}") for suit in SUITS for rank in RANKS]
    alt = spread(faces, "All", "").alt
    assert f"And {52 - MOST} more." in alt
    assert spread(faces, "All", "", pile=3).alt.count(" of ") == MOST - 1


def test_all_54_are_suited_and_nothing_else_is() -> None:
    assert all(suited(face(f"{suit}:{rank}")) for suit in SUITS for rank in RANKS)
    assert suited(face("joker:red")) and suited(face("joker:black"))
    for card in ("card:1", "hearts", "hearts:11", "joker:green", "", "action:fire"):
        assert not suited(CardFace(card, "Title", ""))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.text(min_size=1, max_size=60), st.text(max_size=300)), min_size=1, max_size=4
    ),
    st.text(max_size=60),
)
def test_any_text_can_be_drawn(cards: list[tuple[str, str]], title: str) -> None:
    faces = [CardFace(f"card:{n}", *card) for n, card in enumerate(cards)]
    picture = spread(faces, title, title)
    assert picture.width == 1000 and picture.height <= 1400
    assert len(picture.alt) <= ALT_LIMIT

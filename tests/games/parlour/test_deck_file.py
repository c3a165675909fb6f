"""Lists of cards as files, good and bad; the decks that games offer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kernel.cards import CardKind
from games.kernel.illegal import Illegal
from games.parlour.deck_file import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    MOST_BYTES,
    MOST_CARDS,
    MOST_KINDS,
    collect,
    read_cards,
    read_list,
)
from games.registry import Registry


def test_a_text_with_a_card_on_every_line() -> None:
    raw = (
        "\ufeff# Encounters\n\n3x Patrol | Everybody   takes cover.\r\n Sniper \n2 × Ambush|\n"
        "Patrol|Everybody takes cover.\n4x4 truck"
    )
    assert read_cards(raw.encode()) == (
        CardKind("card:1", "Patrol", "Everybody takes cover.", 4),
        CardKind("card:2", "Sniper"),
        CardKind("card:3", "Ambush", copies=2),
        CardKind("card:4", "4x4 truck"),
    )


def test_json_as_a_list_or_with_a_name() -> None:
    cards = ["Sniper", {"title": "Patrol", "text": "Run.", "copies": 3}]
    wanted = (CardKind("card:1", "Sniper"), CardKind("card:2", "Patrol", "Run.", 3))
    assert read_cards(json.dumps(cards).encode()) == wanted
    assert read_list(json.dumps({"name": "Mine", "cards": cards}).encode()) == ("Mine", wanted)


def test_names_that_would_format_or_mention_are_kept_as_they_are() -> None:
    (card,) = read_cards(b"**@everyone** <@1> [x](http://y)")
    assert card.title == "**@everyone** <@1> [x](http://y)"


def test_what_cannot_be_seen_is_left_out() -> None:
    raw = "Pa\u200btrol | Every\u202ebody\nPatrol|Everybody\n👩\u200d🚒".encode()
    assert read_cards(raw) == (
        CardKind("card:1", "Patrol", "Everybody", 2),
        CardKind("card:2", "👩\u200d🚒"),
    )


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "There is no card"),
        (b"# nothing\n\n", "There is no card"),
        (b"[]", "There is no card"),
        (b"0x Sword", "Line 1 is there 0 times"),
        (b"Shield\n100000x Sword", "100,001 cards, and a deck has at most 1,000"),
        (b"999999999999999999999999999999x Sword", "at most 1,000"),
        (b"x" * (MOST_BYTES + 1), "too large: a list of cards has at most 256 KiB"),
        (b"\xff\xfeS\0w\0", "not text in UTF-8"),
        (b"\x89PNG\r\n\x1a\n", "not text in UTF-8"),
        (b"Sword\0", "not text in UTF-8"),
        (b"| only a text", "Line 1 has no title"),
        ("\u200b".encode(), "Line 1 has no title"),
        (b"Shield\n" + b"S" * (LONGEST_TITLE + 1), "Line 2 has a title of 61 characters"),
        (b"Sword | " + b"t" * (LONGEST_TEXT + 1), "Line 1 has a text of 301 characters"),
        (b"\n".join(b"Card %d" % n for n in range(MOST_KINDS + 1)), "at most 200 kinds"),
        (b"[1, 2]", "none that I can read"),
        (b'{"cards": 3}', "none that I can read"),
        (b'{"deck": ["Sword"]}', "none that I can read"),
        (b'[{"title": "Sword", "copies": "3"}]', "none that I can read"),
        (b'[{"title": "Sword", "copies": 1.5}]', "none that I can read"),
        (b'[{"title": "Sword", "copies": -1}]', "Card 1 is there -1 times"),
        (b'[{"title": "Sword", "copies": 99999999999999999999999}]', "at most 1,000"),
        (b'[{"title": "S", "copies": ' + b"9" * 4_000 + b"}]", "more than 1,000,000 cards"),
        (b'[{"title": "S", "copies": -' + b"9" * 4_000 + b"}]", "Card 1 is there less than once"),
        ("\u3164".encode(), "Line 1 has no title"),
        ("A\n3x \u202e\u2066 | B".encode(), "Line 2 has no title"),
        (b'[{"title": ""}]', "Card 1 has no title"),
        (b'[{"title": "Sword"', "none that I can read"),
        (b"[" * 200_000, "none that I can read"),
        (b'{"a":' * 40_000, "none that I can read"),
        (b'[{"title": "a", "text": ' + b"[" * 100_000, "none that I can read"),
        (b'["\\ud800"]', "none that I can read"),
    ],
)
def test_what_is_no_list_of_cards_is_refused_with_the_reason(raw: bytes, why: str) -> None:
    with pytest.raises(Illegal) as refused:
        read_cards(raw)
    assert why in refused.value.sentence
    assert len(refused.value.sentence) < 300


@given(st.one_of(st.binary(max_size=400), st.text(max_size=300).map(lambda text: text.encode())))
def test_any_file_is_a_list_or_refused(raw: bytes) -> None:
    try:
        cards = read_cards(raw)
    except Illegal:
        return
    assert 1 <= sum(card.copies for card in cards) <= MOST_CARDS
    assert len({card.id for card in cards}) == len(cards) <= MOST_KINDS
    assert all(1 <= len(card.title) <= LONGEST_TITLE for card in cards)
    assert len({(card.title, card.text) for card in cards}) == len(cards)


@given(
    st.dictionaries(
        st.text("abcXYZ *@<é", min_size=1, max_size=20).filter(str.strip),
        st.integers(1, 9),
        min_size=1,
        max_size=20,
    )
)
def test_what_is_written_is_read(cards: dict[str, int]) -> None:
    lines = "\n".join(f"{copies}x {title}" for title, copies in cards.items())
    listed = [{"title": title, "copies": copies} for title, copies in cards.items()]
    assert read_cards(lines.encode()) == read_cards(json.dumps(listed).encode())


def test_the_number_of_cards_may_be_just_the_most() -> None:
    assert sum(card.copies for card in read_cards(b"1000x Sword")) == MOST_CARDS
    with pytest.raises(Illegal):
        read_cards(b"1000x Sword\nShield")


def test_every_shipped_game_offers_its_decks() -> None:
    registry = Registry()
    numbers = {
        f"{slug}:{deck.id}": sum(card.copies for card in deck.cards)
        for slug in registry.slugs()
        for deck in registry.newest(slug).decks()
    }
    assert {
        "boots:intel": 60,
        "sniper:action": 60,
        "sniper:tactical": 24,
        "sniper:hostile": 37,
        "sniper:target": 4,
    }.items() <= numbers.items()
    for slug in registry.slugs():
        for deck in registry.newest(slug).decks():
            assert len({card.id for card in deck.cards}) == len(deck.cards)
            for card in deck.cards:
                assert 1 <= len(card.title) <= LONGEST_TITLE, card
                assert len(card.text) <= LONGEST_TEXT and card.copies >= 1, card


def test_collect_takes_nothing_that_has_no_title() -> None:
    with pytest.raises(Illegal, match="no card"):
        collect([])

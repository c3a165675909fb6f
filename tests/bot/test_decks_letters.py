"""Nothing that is posted about decks is more than Discord takes, nor does any of it format or mention."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import discord
import pytest
from discord import app_commands
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.layout import Image, Letter
from bot.parlour import decks_letters as letters
from bot.parlour.decks_model import (
    LONGEST_NAME,
    NOT_IN_HAND,
    NOT_ON_TABLE,
    Happened,
    Standing,
    Told,
    find_cards,
    named,
    suggest_cards,
)
from bot.refusals import Refused
from cogs.deck import DeckCog
from games.kernel.cards import CardKind
from games.parlour.deck import Deck, Piles, everything
from games.parlour.deck_file import LONGEST_TEXT, LONGEST_TITLE, MOST_KINDS
from games.parlour.deck_standard import STANDARD
from tests.bot import limits

UNCLOSED = "[x](http://y"
"""A link that somebody hopes we close."""

NASTY = "**@everyone** <@1> __[x](http://y)__ `" * 3
PICTURES = tuple(Image(f"cards{n}.png", b"png", "alt " * 400) for n in range(3))


def widest() -> Standing:
    """A deck in which everything is as long and as many as it may be."""
    kinds = {
        f"card:{n}": CardKind(
            f"card:{n}", f"{n} {NASTY}"[:LONGEST_TITLE], NASTY[:LONGEST_TEXT], copies=5
        )
        for n in range(MOST_KINDS)
    }
    cards = list(kinds)
    people = range(10**18, 10**18 + 40)
    hands = dict.fromkeys(people, cards[:60])
    hands[1] = cards
    deck = Deck(Piles({}, ahead=cards[:10], table=cards, discard=cards), hands)
    names = dict.fromkeys(hands, NASTY[:32])
    name = NASTY[:LONGEST_NAME]
    return Standing("0f0f0f0f", 2, 3, 4, name, NASTY[:64], kinds, deck, 999_999_999, names)


def sly() -> Standing:
    """A deck in which every name opens a link and leaves it open."""
    kinds = {"card:1": CardKind("card:1", UNCLOSED, UNCLOSED, 9)}
    place = ["card:1"] * 2
    deck = Deck(Piles({"card:1": 1}, table=place, discard=place), {1: place, 2: place})
    return Standing(
        "0f0f0f0f", 2, 3, 4, UNCLOSED, UNCLOSED, kinds, deck, 1, {1: UNCLOSED, 2: UNCLOSED}
    )


def posted(now: Standing) -> Iterator[tuple[str, Letter]]:
    """Every message there is about a deck."""
    cards = tuple(now.kinds)
    told = Told(f"plays {named(cards, now.kinds)}", NASTY[:32])
    happened = Happened(now, told.line(NASTY[:32]), cards, cards, "f" * 64)
    aside = letters.hand_letter(now, 1, PICTURES)
    yield "public", letters.public_letter(happened, PICTURES[:1], aside, letters.NO_PICTURE)
    yield "hand", aside
    yield "no hand", letters.hand_letter(now, 77)
    yield "show", letters.show_letter(now, [happened.line] * 4, PICTURES[:1])
    yield "peek", letters.peek_letter(now, cards[:10], PICTURES[:1])
    yield "list", letters.list_letter([now] * 10)
    yield "empty list", letters.list_letter([])
    yield "removal", letters.removal_letter(now)
    yield "proof", letters.proof_letter(now, b"{}")


@pytest.mark.parametrize("name", [name for name, _ in posted(widest())])
@pytest.mark.parametrize("deck", [widest, sly])
def test_it_can_be_sent_and_harms_nobody(name: str, deck: Callable[[], Standing]) -> None:
    letter = dict(posted(deck()))[name]
    wire: list[dict[str, Any]] = letter.screen.to_components()
    limits.check_message(wire)
    shown = "\n".join(c.get("content", "") for c in limits.walk(wire))
    assert "@everyone" not in shown and "<@1>" not in shown
    assert not re.search(r"(?<!\\)\[[^\]]*\]\(https?:[^)\s]*\)", shown), "a link with another text"
    assert not re.search(r"(?<!\\)__|(?<![\\`])`(?! |$)__", shown)
    names = [one.name for one in (*letter.images, *letter.attached)]
    assert len(names) == len(set(names)) <= 10
    if letter.images:  # and without its pictures, where Discord does not take them
        bare = letter.in_words()
        wire = bare.screen.to_components()
        limits.check_message(wire)
        assert bare.images == () and "attachment://cards" not in json.dumps(wire)
        assert "could not be posted here" in json.dumps(wire)


@pytest.mark.parametrize("kinds", [25, 26])
def test_a_menu_that_is_cut_says_so(kinds: int) -> None:
    cards = {f"k{n}": CardKind(f"k{n}", f"Card {n}") for n in range(kinds)}
    deck = Deck(Piles({}), {1: list(cards)})
    now = Standing("0f0f0f0f", 2, 3, 4, "Deck", "Cards", cards, deck, 1, {1: "Me"})
    shown = json.dumps(letters.hand_letter(now, 1).screen.to_components())
    assert ("The menus hold the first 25 kinds" in shown) is (kinds == 26)


def test_a_text_that_a_picture_cuts_off_is_told_in_words() -> None:
    kinds = {
        "card:1": CardKind("card:1", "Long", "word " * 50 + "end"),
        "card:2": CardKind("card:2", "Short", "A word."),
    }
    deck = Deck(Piles({}, ahead=["card:1"]), {1: ["card:1", "card:2"]})
    now = Standing("0f0f0f0f", 2, 3, 4, "Deck", "Cards", kinds, deck, 1, {1: "Me"})
    happened = Happened(now, "**Me** plays.", ("card:1", "card:2", "card:1"))
    for letter in (
        letters.public_letter(happened),
        letters.hand_letter(now, 1),
        letters.peek_letter(now, ["card:1"]),
    ):
        shown = json.dumps(letter.screen.to_components())
        assert shown.count("word end") == 1
        assert "-# **Short" not in shown


def test_commands_can_be_registered() -> None:
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    group = DeckCog().app_command
    assert isinstance(group, app_commands.Group)
    payload = group.to_dict(tree)
    limits.check_commands([payload])
    names = {option["name"] for option in payload["options"]}
    assert names == set(
        "new list show draw hand play discard give shuffle peek return remove proof".split()
    )


def test_every_command_that_is_mentioned_exists() -> None:
    names = {command.name for command in DeckCog().walk_app_commands()}
    for _, letter in posted(widest()):
        shown = json.dumps(letter.screen.to_components())
        for part in shown.split("`/deck ")[1:]:
            assert part.split("`")[0].split(" ")[0] in names


CARDS = [card.id for card in STANDARD.cards]
ME, OTHERS = 1, (2, 3)


@settings(max_examples=40, deadline=None)
@given(st.randoms(use_true_random=False), st.lists(st.integers(0, 7), min_size=7, max_size=7))
def test_nothing_for_me_depends_on_other_hands_or_on_the_pile(
    chance: Random, sizes: list[int]
) -> None:
    """Two decks with what I may know the same, and all the rest dealt anew."""
    shuffled = chance.sample(CARDS, len(CARDS))
    mine, table, discard = ([shuffled.pop() for _ in range(size)] for size in sizes[:3])

    def deal() -> Standing:
        chance.shuffle(shuffled)
        rest = iter(shuffled)
        ahead, below, *hands = ([next(rest) for _ in range(size)] for size in sizes[3:])
        piles = Piles(dict.fromkeys(rest, 1), ahead, below, list(table), list(discard))
        held = {ME: list(mine), **dict(zip(OTHERS, hands, strict=True))}
        kinds = {card.id: card for card in STANDARD.cards}
        names = {ME: "Me", 2: "Kim", 3: "Sasha"}
        return Standing(
            "0f0f0f0f", 2, 3, ME, "Deck", "Standard", kinds, Deck(piles, held), 7, names
        )

    one, other = deal(), deal()
    assert everything(one.deck) == everything(other.deck) == Counter(CARDS)

    def told(now: Standing) -> list[Any]:
        happened = Happened(now, "**Me** draws.", tuple(table))
        found: list[Any] = [
            letters.public_letter(happened),
            letters.show_letter(now, ["**Me** draws."]),
            letters.list_letter([now]),
            letters.removal_letter(now),
            letters.hand_letter(now, ME),
        ]
        for typed in (*CARDS[::9], "#" + CARDS[3], "nonsense"):
            title = now.kinds[typed].title if typed in now.kinds else typed
            for place, missing in ((mine, NOT_IN_HAND), (table, NOT_ON_TABLE)):
                try:
                    found.append(find_cards(title, place, now.kinds, missing))
                except Refused as refused:
                    found.append(refused.sentence)
        found.append(suggest_cards("", now.hand(ME), now.kinds))
        return [one.screen.to_components() if isinstance(one, Letter) else one for one in found]

    assert told(one) == told(other)

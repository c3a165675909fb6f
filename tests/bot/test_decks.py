"""Decks of a channel in the database: every step once, nothing lost, nothing told of hands."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import pytest
from sqlalchemy import select

from bot.parlour import decks_records
from bot.parlour.decks import MOST_DECKS, SHUFFLES, Decks
from bot.parlour.decks_letters import footer, list_letter, public_letter, show_letter
from bot.parlour.decks_model import (
    DeckMoved,
    Happened,
    NoDeck,
    Request,
    Standing,
    find_cards,
    suggest_cards,
)
from bot.refusals import Duplicate, NotAllowed, Refused
from bot.store import Store
from bot.store.parlour import deck_hands, deck_log
from bot.store.parlour import decks as deck_rows
from bot.texts import GONE_NAME
from games.kernel.cards import CardKind
from games.kernel.illegal import Illegal
from games.kernel.verify import check_sealed
from games.parlour.deck import everything, seen
from games.parlour.deck_standard import STANDARD
from tests.bot.limits import walk

CHANNEL = 70
ROBIN, KIM, SASHA = 1, 2, 3
NAMES = {ROBIN: "Robin", KIM: "Kim", SASHA: "Sasha"}
FEW = (
    CardKind("a", "Alpha", "First.", 2),
    CardKind("b", "Bravo"),
    CardKind("c", "Charlie, the third"),
)
ids = count(1000)


def wants(user: int = ROBIN, **more: Any) -> Request:
    """A request, as a new interaction."""
    given: dict[str, Any] = {"channel_id": CHANNEL, "guild_id": 9, "user_id": user}
    given |= {"user_name": NAMES[user], "interaction_id": next(ids)}
    return Request(**(given | more))


@pytest.fixture
def decks(store: Store) -> Decks:
    return Decks(store, clock=lambda: 1_800_000_000)


async def cards_of(decks: Decks, request: Request | None = None) -> Counter[str]:
    return everything((await decks.get(request or wants())).deck)


def words(letter: Any) -> str:
    return "\n".join(
        c["content"] for c in walk(letter.screen.to_components()) if c.get("content") is not None
    )


async def test_a_deck_is_found_by_name_or_because_it_is_the_only_one(decks: Decks) -> None:
    with pytest.raises(NoDeck, match="`/deck new` makes one"):
        await decks.get(wants())
    await decks.make(wants(), "First", "Few", FEW)
    assert (await decks.get(wants())).name == "First"
    await decks.make(wants(), " **Second**  one ", "Few", FEW)
    with pytest.raises(NoDeck, match="Say which"):
        await decks.get(wants())
    assert (await decks.get(wants(deck="FIRST"))).name == "First"
    assert (await decks.get(wants(deck="**second** one"))).name == "**Second** one"
    with pytest.raises(NoDeck) as refused:
        await decks.get(wants(deck="@everyone"))
    assert "@everyone" not in refused.value.sentence
    assert "**Second**" not in refused.value.sentence
    with pytest.raises(NoDeck):
        await decks.get(wants(channel_id=71, deck="First"))
    other = await decks.get(wants(deck="First"))
    with pytest.raises(NoDeck, match="does not exist any more"):
        await decks.get(wants(channel_id=71, deck_id=other.id))


async def test_names_and_numbers_that_are_refused(decks: Decks) -> None:
    for name in ("", "  ", "x" * 33, "\u200b", "\u3164", "\u2800 \u202e"):
        with pytest.raises(Refused, match="1 to 32 characters"):
            await decks.make(wants(), name, "Few", FEW)
    with pytest.raises(Illegal, match="no card"):
        await decks.make(wants(), "None", "None", ())
    with pytest.raises(Illegal, match="at most 1,000"):
        await decks.make(wants(), "Many", "Many", (CardKind("a", "A", copies=100_000),))
    await decks.make(wants(), "Mine", "Few", FEW)
    with pytest.raises(Refused, match="“mine” in this channel already"):
        await decks.make(wants(), "mine", "Few", FEW)
    for alike in ("\u200bMine", "Mi\u202ene", "Ｍｉｎｅ", "ＭＩＮＥ ", "Min\u00ade"):
        with pytest.raises(Refused, match="in this channel already"):
            await decks.make(wants(), alike, "Few", FEW)
    for number in range(MOST_DECKS - 1):
        await decks.make(wants(), f"Deck {number}", "Few", FEW)
    with pytest.raises(Refused, match="There are 10 decks"):
        await decks.make(wants(), "One more", "Few", FEW)
    await decks.make(wants(channel_id=71), "One more", "Few", FEW)


async def test_the_last_card_goes_to_one_of_two(decks: Decks) -> None:
    await decks.make(wants(), "Last", "One", FEW[1:2])
    outcomes = await asyncio.gather(
        decks.draw(wants(ROBIN), 1, "hand"),
        decks.draw(wants(KIM), 1, "hand"),
        return_exceptions=True,
    )
    (won,) = [one for one in outcomes if isinstance(one, Happened)]
    (lost,) = [one for one in outcomes if isinstance(one, BaseException)]
    assert isinstance(lost, Illegal) and "The pile is empty" in lost.sentence
    assert won.own == ("b",)
    now = await decks.get(wants())
    assert sum(len(cards) for cards in now.deck.hands.values()) == 1 and now.version == 2


async def test_one_interaction_acts_once(decks: Decks) -> None:
    request = wants()
    await decks.make(request, "Once", "Few", FEW)
    with pytest.raises(Duplicate):
        await decks.make(request, "Twice", "Few", FEW)
    request = wants()
    outcomes = await asyncio.gather(
        *(decks.draw(request, 1, "table") for _ in range(4)), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in outcomes) == ["Duplicate"] * 3 + ["Happened"]
    assert (await decks.get(wants())).deck.piles.left == 3


async def test_buttons_count_once_for_a_person_and_exact_ones_only_as_it_was(decks: Decks) -> None:
    made = await decks.make(wants(), "Press", "Few", FEW)
    deck_id = made.standing.id
    for user in (ROBIN, KIM):
        await decks.draw(wants(user, deck_id=deck_id, since=1), 1, "table")
    with pytest.raises(DeckMoved, match="You have used this deck since"):
        await decks.draw(wants(KIM, deck_id=deck_id, since=1), 1, "table")
    await decks.draw(wants(SASHA, deck_id=deck_id, since=1), 1, "table")
    with pytest.raises(DeckMoved, match="Something has happened"):
        await decks.discard(wants(SASHA, deck_id=deck_id, since=3, exact=True), "all", "table")
    await decks.discard(wants(SASHA, deck_id=deck_id, since=4, exact=True), "all", "table")
    assert seen((await decks.get(wants())).deck).discard.__len__() == 3


async def test_a_refused_step_changes_nothing(decks: Decks, store: Store) -> None:
    await decks.make(wants(), "Still", "Few", FEW)
    await decks.draw(wants(), 2, "hand")
    before = await decks.get(wants())
    steps: list[Callable[[], Awaitable[Happened]]] = [
        lambda: decks.draw(wants(), 3, "table"),
        lambda: decks.peek(wants(), 3),
        lambda: decks.play(wants(), "Nothing like it"),
        lambda: decks.play(wants(KIM), "Alpha"),
        lambda: decks.discard(wants(), "all", "table"),
        lambda: decks.discard(wants(KIM), "Alpha", ""),
        lambda: decks.give(wants(), "all", (ROBIN, "Robin")),
        lambda: decks.put_back(wants(), "Zulu", "hand", top=True),
        lambda: decks.shuffle(wants(), "discard"),
        lambda: decks.shuffle(wants(KIM), "everything"),
        lambda: decks.remove(wants(KIM)),
    ]
    for step in steps:
        with pytest.raises((Refused, Illegal)):
            await step()
    assert await decks.get(wants()) == before
    async with store.read() as connection:
        assert len((await connection.execute(select(deck_log))).all()) == 2


async def test_drawing_more_than_remain_says_how_many(decks: Decks) -> None:
    await decks.make(wants(), "Short", "Few", FEW)
    with pytest.raises(Illegal, match="Only 4 cards are left in the pile, so 9"):
        await decks.draw(wants(), 9, "table")


async def test_cards_go_from_place_to_place(decks: Decks) -> None:
    await decks.make(wants(), "Way", "Few", FEW)
    drawn = await decks.draw(wants(), 4, "hand")
    assert drawn.line == "**Robin** draws 4 cards to their hand." and not drawn.shown
    played = await decks.play(wants(), "2x alpha")
    assert played.line == "**Robin** plays Alpha ×2." and played.shown == ("a", "a")
    given = await decks.give(wants(), "#c", (KIM, "*Kim*"))
    assert given.line == "**Robin** gives a card from their hand to **\\*Kim\\***."
    assert not given.shown
    back = await decks.put_back(wants(KIM), "Charlie, the third", "", top=True)
    assert back.line == "**Kim** puts a card from their hand on top of the pile."
    assert not back.shown
    peeked = await decks.peek(wants(SASHA), 1)
    assert peeked.own == ("c",) and not peeked.shown
    assert peeked.line == "**Sasha** looks at the next card of the pile."
    gone = await decks.discard(wants(), "bravo", "")
    assert gone.line == "**Robin** discards Bravo from their hand."
    cleared = await decks.discard(wants(), "Alpha", "")
    assert cleared.line == "**Robin** discards Alpha from the table."
    low = await decks.put_back(wants(), "alpha", "table", top=False)
    assert low.line == "**Robin** puts Alpha from the table below the pile."
    assert (await decks.draw(wants(), 1, "discard")).shown == ("c",)
    assert (await decks.draw(wants(), 1, "table")).shown == ("a",)
    shuffled = await decks.shuffle(wants(), "both")
    assert shuffled.line == "**Robin** shuffles table and discard pile back in (4 cards)."
    now = await decks.get(wants())
    assert now.deck.piles.left == 4 and not now.deck.hands
    assert await cards_of(decks) == Counter(a=2, b=1, c=1)


async def test_what_was_peeked_at_is_drawn(decks: Decks) -> None:
    await decks.make(wants(), "Peek", STANDARD.title, STANDARD.cards)
    looked = (await decks.peek(wants(), 5)).own
    assert (await decks.peek(wants(KIM), 3)).own == looked[:3]
    assert (await decks.draw(wants(SASHA), 6, "table")).shown[:5] == looked
    await decks.peek(wants(), 2)
    await decks.shuffle(wants(), "pile")
    assert (await decks.get(wants())).deck.piles.ahead == []


async def test_it_is_all_there_after_a_restart(decks: Decks, store: Store) -> None:
    await decks.make(wants(), "Kept", STANDARD.title, STANDARD.cards)
    await decks.draw(wants(), 5, "hand")
    await decks.draw(wants(KIM), 2, "table")
    await decks.peek(wants(), 2)
    before = await decks.get(wants())
    again = Decks(store, clock=lambda: 1_800_000_001)
    assert await again.get(wants()) == before
    assert before.names == {ROBIN: "Robin"}


async def test_random_use_by_three_people_loses_nothing(decks: Decks) -> None:
    await decks.make(wants(), "Busy", STANDARD.title, STANDARD.cards)
    whole = await cards_of(decks)
    chance = random.Random(7)

    def step(now: Standing) -> Awaitable[Happened]:
        user = chance.choice((ROBIN, KIM, SASHA))
        request = wants(user)
        hand, table = now.hand(user), now.deck.piles.table
        origin = chance.choice(("hand", "table"))
        place = hand if origin == "hand" else table
        card = f"#{chance.choice(place)}" if place else "all"
        held = f"#{chance.choice(hand)}" if hand else "all"
        other = chance.choice((ROBIN, KIM, SASHA))
        match chance.randrange(8):
            case 0 | 1:
                to = chance.choice(("table", "hand", "discard"))
                return decks.draw(request, chance.randint(1, 9), to)
            case 2:
                return decks.play(request, held)
            case 3:
                return decks.discard(request, card, origin)
            case 4:
                return decks.give(request, held, (other, NAMES[other]))
            case 5:
                return decks.put_back(request, card, origin, top=chance.random() < 0.5)
            case 6:
                return decks.peek(request, chance.randint(1, 4))
            case _:
                what = chance.choice([name for name in SHUFFLES if name != "everything"])
                return decks.shuffle(request, what)

    done = 0
    for _ in range(150):
        now = await decks.get(wants())
        outcomes = await asyncio.gather(step(now), step(now), return_exceptions=True)
        done += sum(isinstance(one, Happened) for one in outcomes)
        assert all(isinstance(one, Happened | Refused | Illegal) for one in outcomes), outcomes
        after = await decks.get(wants())
        assert everything(after.deck) == whole
    assert done > 150
    assert (await decks.get(wants())).version == done + 1


async def test_nothing_public_depends_on_hands_or_on_what_was_peeked(decks: Decks) -> None:
    """Two decks that differ in what is hidden only look the same to everybody."""
    await decks.make(wants(), "Dark", STANDARD.title, STANDARD.cards)
    await decks.draw(wants(ROBIN), 5, "hand")
    await decks.draw(wants(KIM), 4, "hand")
    steps = [
        await decks.draw(wants(SASHA), 2, "hand"),
        await decks.peek(wants(SASHA), 3),
        await decks.give(
            wants(KIM), "#" + (await decks.get(wants())).hand(KIM)[0], (ROBIN, "Robin")
        ),
        await decks.put_back(wants(ROBIN), "all", "hand", top=False),
    ]
    for happened in steps:
        now = happened.standing
        telling = {
            texts
            for place in (now.deck.piles.ahead, now.deck.piles.below, *now.deck.hands.values())
            for texts in (now.kinds[card].title for card in place)
        }
        shown = words(public_letter(happened)) + words(
            show_letter(now, await decks.told(now.id, 9))
        )
        shown += words(list_letter([now])) + footer(now, seen(now.deck))
        assert not [title for title in telling if title in shown]
        assert not happened.shown


async def test_errors_and_completion_tell_nothing_of_other_hands(decks: Decks) -> None:
    await decks.make(wants(), "Dark", "Few", FEW)
    await decks.draw(wants(ROBIN), 4, "hand")
    now = await decks.get(wants())
    for typed in ("Alpha", "Nonsense"):
        with pytest.raises(Refused) as refused:
            await decks.play(wants(KIM), typed)
        assert refused.value.sentence.startswith("You hold no card")
    assert suggest_cards("", now.hand(KIM), now.kinds) == []
    await decks.give(wants(ROBIN), "Bravo", (KIM, "Kim"))
    sentences: set[str] = set()
    for typed in ("Alpha", "Zulu"):
        with pytest.raises(Refused) as refused:
            await decks.play(wants(KIM), typed)
        sentences.add(refused.value.sentence.replace(typed, "…"))
    assert len(sentences) == 1


async def proof_of(decks: Decks) -> dict[str, Any]:
    return json.loads(await decks.proof(wants()))


async def test_the_proof_holds_and_keeps_hands_in_the_dark(
    decks: Decks, monkeypatch: pytest.MonkeyPatch
) -> None:
    await decks.make(wants(), "Proof", STANDARD.title, STANDARD.cards)
    with pytest.raises(Refused, match="nothing to prove"):
        await decks.proof(wants())
    open_ones = [await decks.draw(wants(), 2, "table"), await decks.draw(wants(KIM), 1, "discard")]
    held = await decks.draw(wants(KIM), 3, "hand")
    await decks.draw(wants(), 1, "table")  # its place in the pile would tell something of the hand
    proof = await proof_of(decks)
    assert [wrong for _, wrong in check_sealed(proof)] == ["", ""]
    meant = [[r["meaning"] for r in roll["results"]] for roll in proof["rolls"]]
    assert meant == [list(one.shown) for one in open_ones]
    assert proof["sealed"] == [3, 4]
    rolls = json.dumps(proof["rolls"])
    assert not [card for card in held.own if f'"{card}"' in rolls]
    await decks.discard(wants(KIM), "all", "hand")
    assert (await proof_of(decks))["sealed"] == [3, 4]
    await decks.shuffle(wants(), "everything")
    proof = await proof_of(decks)
    assert proof["sealed"] == [] and len(proof["rolls"]) == 4
    assert [wrong for _, wrong in check_sealed(proof)] == [""] * 4
    assert sorted(r["meaning"] for r in proof["rolls"][2]["results"]) == sorted(held.own)
    monkeypatch.setattr(decks_records, "MOST_SENT", 4_000)
    short = await proof_of(decks)
    assert 1 <= len(short["rolls"]) < 4 and short["left_out"] == 4 - len(short["rolls"])
    assert not [wrong for _, wrong in check_sealed(short) if wrong]
    proof["rolls"][0]["results"][0]["index"] ^= 1
    assert [bool(wrong) for _, wrong in check_sealed(proof)] == [True, False, False, False]


async def test_the_seal_is_told_with_the_first_draw(decks: Decks) -> None:
    made = await decks.make(wants(), "Seal", "Few", FEW)
    first = await decks.draw(wants(), 1, "table")
    second = await decks.draw(wants(), 1, "table")
    assert not made.seal and len(first.seal) == 64 and not second.seal
    assert first.seal in words(public_letter(first))
    assert (await proof_of(decks))["seals"] == [first.seal]


async def test_removing_takes_everything_away(decks: Decks, store: Store) -> None:
    made = await decks.make(wants(), "Gone", "Few", FEW)
    await decks.draw(wants(KIM), 1, "hand")
    for refused in (wants(KIM), wants(SASHA)):
        with pytest.raises(NotAllowed, match="Only whoever made this deck, or a moderator"):
            await decks.check_removal(refused)
    assert (await decks.check_removal(wants(KIM, moderator=True))).name == "Gone"
    gone = await decks.remove(wants(deck_id=made.standing.id))
    assert gone.line == "**Robin** removes the deck **Gone** with all its cards."
    with pytest.raises(NoDeck):
        await decks.remove(wants(deck_id=made.standing.id))
    async with store.read() as connection:
        for table in (deck_rows, deck_hands, deck_log):
            assert not (await connection.execute(select(table))).all()


async def test_what_is_kept_about_somebody_and_what_is_left_afterwards(
    decks: Decks, store: Store
) -> None:
    await decks.make(wants(), "Private", "Few", FEW)
    await decks.draw(wants(KIM), 2, "hand")
    await decks.draw(wants(ROBIN), 1, "hand")
    await decks.give(wants(ROBIN), "all", (KIM, "Kim"))
    kept = await decks.about(KIM)
    assert [one["what"] for one in kept] == ["hand", "deck used", "cards given to you"]
    assert kept[2]["told"] == "**Robin** gives a card from their hand to **Kim**."
    assert [one["what"] for one in await decks.about(ROBIN)] == ["deck made"] + ["deck used"] * 3
    assert await decks.about(SASHA) == []
    held = (await decks.get(wants())).hand(KIM)
    async with store.write() as connection:
        await decks.forget(connection, KIM)
        await decks.forget(connection, SASHA)
    now = await decks.get(wants())
    assert sorted(now.deck.piles.discard) == sorted(held) and not now.deck.hands
    assert await cards_of(decks) == Counter(a=2, b=1, c=1)
    told = await decks.told(now.id, 9)
    assert not [line for line in told if "Kim" in line] and len(told) == now.version == 5
    assert told[-1].startswith(f"**{GONE_NAME}** no longer holds any cards")
    assert await decks.about(KIM) == []
    async with store.write() as connection:
        await decks.forget(connection, ROBIN)
    assert await decks.about(ROBIN) == []
    await decks.remove(wants(SASHA))  # its maker is nobody: it is everybody's


def test_cards_are_meant_by_many_names() -> None:
    kinds = {card.id: card for card in (*STANDARD.cards, *FEW)}
    place = ["hearts:10", "spades:A", "spades:A", "c", "a"]

    def found(typed: str) -> list[str]:
        return find_cards(typed, place, kinds, "{typed} is not there")

    assert found("10 OF hearts") == found("10h") == found("#hearts:10") == ["hearts:10"]
    assert found("as, 10h") == ["spades:A", "hearts:10"]
    assert found("as, as") == found("2x ace of spades") == ["spades:A", "spades:A"]
    assert found("Charlie, the third") == ["c"]
    assert found("Alpha, #c") == ["a", "c"]
    assert found("ALL") == place
    for wrong in ("as, as, as", "3x AS", "0x AS", "qh", ",", " ", "2 of", "@everyone", "bravo"):
        with pytest.raises(Refused) as refused:
            found(wrong)
        assert "@everyone" not in refused.value.sentence


def test_cards_are_completed_one_after_the_other() -> None:
    kinds = {card.id: card for card in (*STANDARD.cards, *FEW)}
    place = ["hearts:10", "spades:A", "spades:A", "c", "a"]
    assert suggest_cards("", place, kinds)[0] == ("Ace of Spades ×2", "Ace of Spades")
    assert suggest_cards("10H", place, kinds) == [("10 of Hearts", "10 of Hearts")]
    pairs = suggest_cards("10h, ace", place, kinds)
    assert pairs == [("10h, Ace of Spades ×2", "10h, Ace of Spades")]
    assert ("10h, Charlie, the third", "10h, #c") in suggest_cards("10h,", place, kinds)
    assert suggest_cards("10h, 10h", place, kinds) == []
    odd = {"x": CardKind("x", "All"), "y": CardKind("y", "#x")}
    assert [value for _, value in suggest_cards("", ["x", "y"], odd)] == ["#x", "#y"]
    assert find_cards("#x", ["x", "y"], odd, "") == ["x"]
    # No title can take the place of a card that was chosen in a menu.
    sly = {
        "1": CardKind("1", "#2"),
        "2": CardKind("2", "B"),
        "3": CardKind("3", "#2, #4"),
        "4": CardKind("4", "D"),
    }
    assert find_cards("#2", list(sly), sly, "") == ["2"]
    assert find_cards("#2, #4", list(sly), sly, "") == ["2", "4"]
    with pytest.raises(Refused):
        find_cards("#2", ["1", "3"], sly, "")
    assert find_cards("＃2", ["1", "2"], sly, "") == ["2"]
    wide = {"w": CardKind("w", "Ｐａｔｒｏｌ"), "p": CardKind("p", "patrol")}
    assert [value for _, value in suggest_cards("PAT", ["w", "p"], wide)] == ["#w", "#p"]
    many = {f"k{n}": CardKind(f"k{n}", f"{n} " + "x" * 57) for n in range(60)}
    pairs = suggest_cards("", list(many), many)
    assert len(pairs) == 25 and all(len(label) <= 100 and len(v) <= 100 for label, v in pairs)

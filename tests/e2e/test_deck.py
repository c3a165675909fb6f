"""`/deck` through real discord.py: decks of a channel, hands in private, everything told in the open."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import discord
import pytest

from bot.client import create_bot
from bot.parlour.decks_desk import may_hold
from bot.refusals import Refused
from bot.settings import read_settings
from games.kernel import verify as verifier
from games.parlour.deck_file import MOST_BYTES
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot


async def said(top: Tabletop, who: Any, command: str, **options: Any) -> str:
    """Do it, and read the answer."""
    result = await who.slash(top.channel, f"deck {command}", **options)
    return top.words(result.response)


async def hand_of(top: Tabletop, who: Any, deck: str = "") -> list[str]:
    """The titles in somebody's hand, from the picture."""
    result = await who.slash(top.channel, "deck hand", **({"deck": deck} if deck else {}))
    assert result.ephemeral
    pictures = top.pictures(result.response)
    return [card.rstrip(".") for alt in pictures for card in alt.split(". ")[1:]]


async def standing(top: Tabletop) -> Any:
    (deck,) = await top.bot.decks.here(top.channel.id)
    return deck


async def test_a_deck_is_made_and_drawn_from_in_the_open(top: Tabletop) -> None:
    nothing = await top.robin.slash(top.channel, "deck draw")
    assert nothing.ephemeral and "`/deck new` makes one" in top.words(nothing.response)
    made = await top.robin.slash(top.channel, "deck new")
    assert not made.ephemeral
    assert "**Robin** makes the deck **Standard 52**" in top.words(top.panel)
    assert "52 in the pile" in top.words(top.panel)
    drawn = await top.kim.slash(top.channel, "deck draw", number=3)
    assert not drawn.ephemeral
    told = top.words(top.panel)
    assert "**Kim** draws " in told and "49 in the pile, 3 on the table" in told
    (alt,) = top.pictures(top.panel)
    assert alt.startswith("Kim draws, 49 left in the pile. ") and alt.count(" of ") == 3
    deck = await standing(top)
    assert [deck.kinds[card].title in alt for card in deck.deck.piles.table] == [True] * 3
    assert "keys that are sealed" in told
    assert top.labels(top.panel) == ["Draw one", "To my hand", "My hand", "Discard the table"]


async def test_hands_are_seen_by_their_holders_only(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new", source="jokers", name="Table *cards*")
    drawn = await top.robin.slash(top.channel, "deck draw", number=5, to="hand")
    assert not drawn.ephemeral and top.pictures(drawn.response) == []
    told = top.words(drawn.response)
    assert "**Robin** draws 5 cards to their hand." in told and "hands: Robin 5" in told
    (aside,) = drawn.followups
    assert aside.ephemeral and "You hold 5 cards of **Table \\*cards\\***" in top.words(aside)
    held = await hand_of(top, top.robin)
    assert len(held) == 5
    assert await hand_of(top, top.kim) == []
    gave = await top.robin.slash(top.channel, "deck give", user=top.kim, cards=held[0])
    assert gave.ephemeral  # or Discord would show everybody what was typed
    given = top.words(top.panel)
    assert "**Robin** gives a card from their hand to **Kim**." in given
    assert held[0] not in given and await hand_of(top, top.kim) == [held[0]]
    await top.robin.slash(top.channel, "deck return", cards=held[1], where="top")
    assert held[1] not in top.words(top.panel)
    assert "puts a card from their hand on top of the pile" in top.words(top.panel)
    peeked = await top.kim.slash(top.channel, "deck peek", number=2)
    assert top.words(peeked.response).startswith("**Kim** looks at the next 2 cards of the pile.")
    assert held[1] not in top.words(peeked.response)
    (aside,) = peeked.followups
    assert aside.ephemeral
    assert (
        f"The next 2 cards of **Table \\*cards\\***, the first one on top: {held[1]}, "
        in top.words(aside)
    )
    shown = await top.kim.slash(top.channel, "deck show")
    assert shown.ephemeral and "hands: Robin 3, Kim 1" in top.words(shown.response)
    everything = top.words(shown.response) + "".join(top.pictures(shown.response))
    for other in (top.kim, top.robin):
        choices = await other.autocomplete(top.channel, "deck play", "cards", "")
        mine = await hand_of(top, other)
        assert sorted(choice["value"] for choice in choices) == sorted(mine)
        assert not [card for card in mine if card in everything]
    await top.robin.slash(top.channel, "deck play", cards=f"{held[2]}, {held[3]}")
    assert "**Robin** plays " in top.words(top.panel) and held[3] in top.words(top.panel)
    assert len(top.pictures(top.panel)) == 1
    refused = await top.kim.slash(top.channel, "deck play", cards=held[4])
    assert refused.ephemeral and "is not in your hand" in top.words(refused.response)


async def test_cards_are_played_and_discarded_by_menu(top: Tabletop) -> None:
    await top.robin.slash(
        top.channel, "deck new", file=("few.txt", b"2x Alpha\nBravo | Second.\n2x Charlie")
    )
    drawn = await top.robin.slash(top.channel, "deck draw", number=5, to="hand")
    (mine,) = drawn.followups
    play, toss = (c["custom_id"] for c in top.wire(mine) if c["type"] == 3)
    assert top.menu(mine) == ["card:1", "card:2", "card:3"]
    played = await top.robin.select(mine, ["card:1", "card:3"], custom_id=play)
    assert not played.ephemeral
    assert "**Robin** plays Alpha and Charlie." in top.words(top.panel)
    (left,) = played.followups
    assert left.ephemeral and "You hold 3 cards of **few**: Alpha, Bravo and Charlie." in top.words(
        left
    )
    late = await top.robin.select(mine, ["card:2"], custom_id=toss)
    assert late.ephemeral and "You have used this deck since" in top.words(late.response)
    toss = [c["custom_id"] for c in top.wire(left) if c["type"] == 3][1]
    gone = await top.robin.select(left, ["card:1", "card:2", "card:3"], custom_id=toss)
    assert "discards Alpha, Bravo and Charlie from their hand" in top.words(top.panel)
    (left,) = gone.followups
    assert "You hold no card" in top.words(left)


async def test_an_answer_that_cannot_be_shown_is_saved_all_the_same(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new")
    top.env.inject_error(
        "POST", "/interactions/*/callback", status=400, code=50035, message="Invalid Form Body"
    )
    drawn = await top.robin.slash(top.channel, "deck draw", to="hand")
    assert drawn.ephemeral and "I could not show you the answer" in top.words(drawn.response)
    assert (await standing(top)).deck.piles.left == 51


async def test_the_last_card_goes_to_the_first_of_two_presses(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new", file=("one.txt", b"The only card"))
    panel = top.panel
    assert "**Robin** makes the deck **one**: 1 card (Cards of their own)." in top.words(panel)
    won = await top.robin.click(panel, label="To my hand")
    lost = await top.kim.click(panel, label="To my hand")
    assert not won.ephemeral and "draws a card to their hand" in top.words(won.response)
    assert lost.ephemeral and "The pile is empty" in top.words(lost.response)
    hands = await hand_of(top, top.robin) + await hand_of(top, top.kim)
    assert hands == ["The only card"]


async def test_buttons_act_once_and_survive_a_restart(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new")
    first = top.panel
    await top.bot.close()
    await top.env.restart_bot(toy_bot(top.folder))
    top.bot = top.env.bot  # type: ignore[assignment]
    await top.robin.click(first, label="Draw one")
    second = top.panel
    assert second.id != first.id and "**Robin** draws " in top.words(second)
    late = await top.robin.click(first, label="Draw one")
    assert late.ephemeral and "You have used this deck since" in top.words(late.response)
    await top.kim.click(first, label="Draw one")
    assert "**Kim** draws " in top.words(top.panel) and "2 on the table" in top.words(top.panel)
    stale = await top.robin.click(second, label="Discard the table")
    assert stale.ephemeral and "Something has happened" in top.words(stale.response)
    await top.robin.click(top.panel, label="Discard the table")
    assert "2 discarded" in top.words(top.panel)
    await top.kim.click(top.panel, label="Shuffle discards in")
    assert "**Kim** shuffles the discard pile back in (2 cards)." in top.words(top.panel)
    mine = await top.kim.click(top.panel, label="My hand")
    assert mine.ephemeral and "You hold no card" in top.words(mine.response)
    assert (await standing(top)).deck.piles.left == 52


async def test_several_presses_of_one_person_draw_one_card(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new")
    panel = top.panel
    results = [await top.robin.click(panel, label="Draw one") for _ in range(3)]
    assert [result.ephemeral for result in results] == [False, True, True]
    assert (await standing(top)).deck.piles.left == 51


async def test_cards_go_to_discard_and_back_by_command(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new")
    assert "draws and discards" in await said(top, top.robin, "draw", number=2, to="discard")
    refused = await top.robin.slash(top.channel, "deck draw", number=50)
    assert not refused.ephemeral
    more = await top.robin.slash(top.channel, "deck draw", number=5)
    assert more.ephemeral and "The pile is empty" in top.words(more.response)
    table = (await standing(top)).deck.piles.table
    assert len(table) == 50
    chosen = await top.robin.autocomplete(top.channel, "deck discard", "cards", "ace")
    assert chosen and all("Ace of" in choice["name"] for choice in chosen)
    told = await said(top, top.robin, "discard", cards=chosen[0]["value"], **{"from": "table"})
    assert f"discards {chosen[0]['value']} from the table" in told
    told = await said(top, top.robin, "return", cards="all", where="bottom")
    assert "shown to everybody in the next message" in told  # what was typed might be of a hand
    assert "below the pile" in top.words(top.panel)
    assert "49 in the pile, 3 discarded" in top.words(top.panel)
    shown = await said(top, top.robin, "show")
    assert "On top of the discard pile: " + chosen[0]["value"] in shown
    assert "shuffles table and discard" in await said(top, top.robin, "shuffle", what="both")
    assert "nothing to shuffle back" in await said(top, top.robin, "shuffle")
    denied = await top.kim.slash(top.channel, "deck shuffle", what="everything")
    assert denied.ephemeral and "Only whoever made this deck" in top.words(denied.response)


async def test_several_decks_need_their_names(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new", name="First")
    await top.robin.slash(top.channel, "deck new", name="Second <@1>")
    refused = await said(top, top.kim, "draw")
    assert "Say which with `deck`: “First” and “Second ‹@\u200b1›”" in refused
    names = await top.kim.autocomplete(top.channel, "deck draw", "deck", "sec")
    assert [choice["value"] for choice in names] == ["Second <@1>"]
    await top.kim.slash(top.channel, "deck draw", deck="second <@1>", to="hand")
    assert len(await hand_of(top, top.kim, "Second <@1>")) == 1
    assert await hand_of(top, top.kim, "First") == []
    listed = await top.kim.slash(top.channel, "deck list")
    assert listed.ephemeral
    assert "**First**" in top.words(listed.response) and "Kim 1" in top.words(listed.response)
    again = await said(top, top.kim, "new", name="FIRST")
    assert "There is a deck “FIRST” in this channel already" in again


async def test_lists_that_are_refused(top: Tabletop) -> None:
    for name, raw, why in (
        ("cards.txt", b"100000x Sword", "Those are 100,000 cards"),
        ("cards.txt", b"", "There is no card in that file"),
        ("cards.png", b"\x89PNG\r\n\x1a\n\0\0", "not text in UTF-8"),
        ("cards.json", b"[" * 100_000, "none that I can read"),
        ("cards.json", b'{"cards": 7}', "none that I can read"),
        ("cards.txt", b"x" * (MOST_BYTES + 1), "too large"),
    ):
        result = await top.robin.slash(top.channel, "deck new", file=(name, raw))
        assert result.ephemeral and why in top.words(result.response), name
    both = await said(top, top.robin, "new", source="standard", file=("a.txt", b"A"))
    assert "either `source` or `file`" in both
    assert "I know no cards called “tarot”" in await said(top, top.robin, "new", source="tarot")
    assert await top.bot.decks.here(top.channel.id) == []


async def test_cards_of_ones_own_cannot_mention_or_format(top: Tabletop) -> None:
    raw = b"2x **@everyone** <@1> | [here](http://x) @here"
    await top.robin.slash(top.channel, "deck new", file=("**@here**.txt", raw))
    for command, options in (("draw", {"to": "hand"}), ("play", {"cards": "all"}), ("show", {})):
        told = await said(top, top.robin, command, **options)
        assert "@everyone" not in told and "<@1>" not in told and "@here" not in told
        assert "\\*\\*@" in told
    mentions = [
        request.json["data"].get("allowed_mentions")
        for request in top.requests("POST", "/callback")
        if request.json and request.json.get("type") == 4
    ]
    assert mentions and all(one == {"parse": []} for one in mentions)


async def test_bots_hold_no_cards(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new")
    await top.robin.slash(top.channel, "deck draw", to="hand")
    (card,) = await hand_of(top, top.robin)
    bot = top.guild.add_member(top.env.create_user("Robot", bot=True))
    refused = await top.robin.slash(top.channel, "deck give", user=bot, cards=card)
    assert refused.ephemeral and "Bots hold no cards" in top.words(refused.response)
    stranger = top.env.create_user("Stranger")
    refused = await top.robin.slash(top.channel, "deck give", user=stranger, cards=card)
    assert refused.ephemeral and "is not in this server" in top.words(refused.response)
    own = await said(top, top.robin, "give", user=top.robin, cards=card)
    assert "You hold these cards already" in own
    assert await hand_of(top, top.robin) == [card]


def test_cards_are_given_to_nobody_who_cannot_see_the_channel() -> None:
    asked: Any = SimpleNamespace(guild_id=1)
    for sees in (True, False):
        rights = discord.Permissions(view_channel=sees)
        member = MagicMock(spec=discord.Member, bot=False, id=7, resolved_permissions=rights)
        if sees:
            may_hold(asked, member)
            continue
        with pytest.raises(Refused, match="<@7> cannot see this channel"):
            may_hold(asked, member)


async def test_removing_asks_first_and_takes_its_maker_or_a_moderator(top: Tabletop) -> None:
    await top.robin.slash(top.channel, "deck new")
    await top.kim.slash(top.channel, "deck draw", to="hand")
    denied = await top.kim.slash(top.channel, "deck remove")
    assert denied.ephemeral and "Only whoever made this deck" in top.words(denied.response)
    asked = await top.robin.slash(top.channel, "deck remove")
    assert asked.ephemeral and "also those in one hand" in top.words(asked.response)
    assert len(await top.bot.decks.here(top.channel.id)) == 1
    done = await top.robin.click(asked.response, label="Remove it")
    assert not done.ephemeral
    assert "**Robin** removes the deck **Standard 52**" in top.words(done.response)
    again = await top.robin.click(asked.response, label="Remove it")
    assert again.ephemeral and "does not exist any more" in top.words(again.response)
    await top.robin.slash(top.channel, "deck new")
    role = top.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    sam = top.guild.add_member(top.env.create_user("Sam"), roles=[role])
    asked = await sam.slash(top.channel, "deck remove")
    await sam.click(asked.response, label="Remove it")
    assert await top.bot.decks.here(top.channel.id) == []


async def test_the_proof_is_checked_by_the_verifier_alone(top: Tabletop, tmp_path: Path) -> None:
    await top.robin.slash(top.channel, "deck new")
    await top.robin.slash(top.channel, "deck draw", number=4)
    await top.kim.slash(top.channel, "deck draw", number=2, to="hand")
    held = await hand_of(top, top.kim)
    shown = await top.robin.slash(top.channel, "deck proof")
    assert shown.ephemeral
    (attached,) = [a for a in shown.response.attachments if a.filename.endswith(".json")]
    raw = await attached.read()
    deck = await standing(top)
    dark = {kind.id for kind in deck.kinds.values() if kind.title in held}
    assert not [card for card in dark if raw.count(f'"{card}"'.encode()) > 1]
    path = tmp_path / attached.filename
    path.write_bytes(raw)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", str(verifier.__file__), str(path), stdout=asyncio.subprocess.PIPE
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0 and b"1 OK, 0 false" in printed


async def test_it_works_in_direct_messages(top: Tabletop) -> None:
    user = top.robin.user
    await user.slash("deck new")
    drawn = await user.slash("deck draw", to="hand")
    assert "**Robin** draws a card to their hand" in top.words(drawn.response)
    assert await top.bot.decks.here(top.channel.id) == []


async def test_slow_work_is_answered_where_it_belongs(
    top: Tabletop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord is told in time; the answer is public, and a refusal is private all the same."""
    await top.robin.slash(top.channel, "deck new", file=("two.txt", b"2x Card"))
    monkeypatch.setattr(top.bot.desk, "_patience", 0.02)
    draw = top.bot.decks.draw

    async def slow(*arguments: Any) -> Any:
        await asyncio.sleep(0.06)  # of virtual time
        return await draw(*arguments)

    monkeypatch.setattr(top.bot.decks, "draw", slow)
    drawn = await top.robin.slash(top.channel, "deck draw")
    assert top.requests("POST", "/callback")[-1].json["type"] == 5
    assert drawn.ephemeral and "shown to everybody" in top.words(drawn.response)
    (told,) = drawn.followups
    assert not told.ephemeral and told.id == top.panel.id
    assert "**Robin** draws Card" in top.words(told) and len(top.pictures(told)) == 1
    pressed = await top.kim.click(top.panel, label="To my hand")
    assert pressed.ephemeral and "You hold a card" in top.words(pressed.response)
    (told,) = pressed.followups
    assert not told.ephemeral and "**Kim** draws a card to their hand" in top.words(told)
    posted = top.panel.id
    refused = await top.robin.slash(top.channel, "deck draw")
    assert refused.ephemeral and "The pile is empty" in top.words(refused.response)
    assert not refused.followups and top.panel.id == posted


async def test_without_the_right_to_attach_there_are_words(top: Tabletop) -> None:
    room = top.guild.create_text_channel(
        "bare", overwrites={top.guild.me: discord.PermissionOverwrite(attach_files=False)}
    )
    await top.robin.slash(room, "deck new")
    drawn = await top.robin.slash(room, "deck draw")
    assert "I may not attach files here" in top.words(drawn.response)
    assert top.pictures(drawn.response) == []


async def test_the_cards_of_shipped_games_are_offered(tmp_path: Path) -> None:
    settings = read_settings(None, DATABASE_URL=f"sqlite+aiosqlite:///{tmp_path}/games.db")
    async with tabletop(tmp_path, create_bot(settings)) as top:
        offered = await top.robin.autocomplete(top.channel, "deck new", "source", "")
        values = {choice["value"] for choice in offered}
        assert {"standard", "jokers", "boots:intel", "sniper:action"} <= values
        await top.robin.slash(top.channel, "deck new", source="boots:intel")
        told = top.words(top.panel)
        assert (
            "makes the deck **Intel cards**: 60 cards (Boots on the Ground: Intel cards)." in told
        )
        await top.robin.click(top.panel, label="Draw one")
        (alt,) = top.pictures(top.panel)
        assert "Robin draws, 59 left in the pile." in alt
        rest = values - {"boots:intel"}
        for number, value in enumerate(sorted(rest)):
            room = top.guild.create_text_channel(f"room-{number}")
            made = await top.robin.slash(room, "deck new", source=value)
            assert not made.ephemeral, top.words(made.response)
            drawn = await top.robin.click(made.response, label="Draw one")
            assert len(top.pictures(drawn.response)) == 1

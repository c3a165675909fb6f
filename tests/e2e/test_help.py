"""`/help` through real discord.py: what goes on here, from topic to topic, and that it names all commands."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from discord import app_commands

from bot.guide import OTHERS, grouped, in_order, topic_at
from bot.helping import TOPICS
from games.registry import Registry
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot

MENU = 3


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Tabletop]:
    """A bot with the games that ship."""
    async with tabletop(tmp_path, toy_bot(tmp_path, Registry())) as running:
        yield running


def commands(top: Tabletop) -> list[str]:
    """Every slash command, without its slash."""
    every = top.bot.tree.walk_commands()
    return [one.qualified_name for one in every if isinstance(one, app_commands.Command)]


def mentioned(text: str) -> set[str]:
    """The commands that a text names: `/table log`, also `/deck play`, `discard` of the same group."""
    found: set[str] = set()
    group = ""
    for quoted in re.findall("`([^`]+)`", text):
        words = [word for word in quoted.split() if ":" not in word]
        if quoted.startswith("/"):
            found.add(" ".join(words)[1:])
            group = words[0][1:]
        elif group and len(words) == 1 and re.fullmatch("[a-z-]+", words[0]):
            found.add(f"{group} {words[0]}")
    return found


async def test_every_command_is_explained_by_some_topic(desk: Tabletop) -> None:
    """A game's own verbs are listed; everything else is explained in words."""
    told: set[str] = set()
    for name, (_, text) in TOPICS.items():
        if name != "commands":
            told |= mentioned(text)
    games = desk.bot.registry.slugs()
    missing = [name for name in commands(desk) if name.split()[0] not in games and name not in told]
    assert missing == []
    shown = await desk.robin.slash(desk.channel, "help", topic="commands")
    listing = desk.words(shown.response)
    for name in commands(desk):
        head, _, rest = name.partition(" ")
        (line,) = [line for line in listing.splitlines() if line.startswith(f"- `/{head}`")]
        assert not rest or rest in line.split("` ")[1].split(", "), name


async def test_every_command_that_is_named_exists(desk: Tabletop) -> None:
    known = set(commands(desk))
    groups = {" ".join(name.split()[:-1]) for name in known}
    for topic in in_order():
        shown = await desk.robin.slash(desk.channel, "help", topic=topic)
        said = desk.words(shown.response)
        for quoted in re.findall("`(/[^`]+)`", said):
            words = [word for word in quoted[1:].split() if ":" not in word]
            name = " ".join(words)
            assert name in known or (topic == "commands" and name in groups), (topic, quoted)


def test_every_topic_has_its_group() -> None:
    order = in_order()
    assert sorted(order) == sorted(TOPICS) and len(order) <= 25
    assert OTHERS not in [title for title, _ in grouped()]
    assert topic_at(0) == "" == topic_at(len(order) + 1)
    assert topic_at(1) == order[0]


async def test_topics_fit_on_a_phone(desk: Tabletop) -> None:
    for topic in ("", *in_order()):
        given = {"topic": topic} if topic else {}
        shown = await desk.robin.slash(desk.channel, "help", **given)
        assert shown.ephemeral
        wire = desk.wire(shown.response)
        limits.check_message(wire_tree(desk, shown.response))
        said = desk.words(shown.response)
        assert "{" not in said
        assert len(said) <= 1500 or topic == "commands", topic
        (menu,) = [c for c in wire if c["type"] == MENU]
        assert [o["value"] for o in menu["options"]] == in_order()
        assert [o["value"] for o in menu["options"] if o.get("default")] == (
            [topic] if topic else []
        )


def wire_tree(top: Tabletop, message: object) -> list[dict[str, object]]:
    found = getattr(message, "components", None)
    assert isinstance(found, list)
    if found and isinstance(found[0], dict):
        return found
    return top.env.backend.get_message(top.channel.id, message.id).components  # type: ignore


async def test_from_topic_to_topic_in_place(desk: Tabletop) -> None:
    shown = await desk.robin.slash(desk.channel, "help")
    assert "**Play:** Learn to play · Start a game" in desk.words(shown.response)
    topic = await desk.robin.select(shown.response, ["start"])
    assert "### Start a game" in desk.words(topic.response)
    following = await desk.robin.click(topic.response, label="Next ▶")
    assert "### Take your turn" in desk.words(following.response)
    back = await desk.robin.click(following.response, label="◀ Back")
    first = await desk.robin.click(back.response, label="◀ Back")
    assert "### Learn to play" in desk.words(first.response)
    assert desk.labels(first.response) == ["Start the tutorial", "All topics", "Next ▶"]
    again = await desk.robin.click(first.response, label="All topics")
    assert "### Help" in desk.words(again.response)
    last = await desk.robin.slash(desk.channel, "help", topic=in_order()[-1])
    assert desk.labels(last.response) == ["◀ Back", "All topics"]


async def test_it_works_after_a_restart(desk: Tabletop) -> None:
    shown = await desk.robin.slash(desk.channel, "help")
    await desk.bot.close()
    desk.bot = toy_bot(desk.folder, Registry())
    await desk.env.restart_bot(desk.bot)
    topic = await desk.robin.select(shown.response, ["dice"])
    assert "### Check the dice" in desk.words(topic.response)


async def test_it_knows_what_goes_on_here(top: Tabletop) -> None:
    async def said(who: object) -> str:
        shown = await who.slash(top.channel, "help")  # type: ignore
        return top.words(shown.response)

    assert "No game is running in this channel. `/toy new`" in await said(top.robin)
    await top.open("duel")
    assert "Not begun yet" in await said(top.kim)
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")
    mine = await top.robin.slash(top.channel, "help")
    told = top.words(mine.response)
    assert "**It is your turn in this channel** (Red captain):" in told
    named = re.findall("“([^”]+)”", told.split("Press ")[1].split(" under")[0])
    assert named and set(named) <= set(top.labels(top.panel))
    links = [c["url"] for c in top.wire(mine.response) if c.get("url")]
    assert links and links[0].endswith(str(top.panel.id))
    other = await said(top.kim)
    assert f"the turn of <@{top.robin.id}> (Red captain)" in other and "need not act" in other
    sam = top.guild.add_member(top.env.create_user("Sam"))
    assert "you may watch" in await said(sam)
    await top.robin.slash(top.channel, "table end")
    asked = await top.robin.slash(top.channel, "table end")
    await top.robin.click(asked.response, label="End the game")
    assert "This game was ended" in await said(top.kim)


async def test_help_of_a_board_leads_back_to_it(top: Tabletop) -> None:
    """From the panel's button; the channel's game is known on every page."""
    await top.open("solo1")
    shown = await top.robin.click(top.panel, label="Help")
    assert shown.ephemeral and "It is your turn in this channel" in top.words(shown.response)
    topic = await top.robin.select(shown.response, ["turns"])
    back = await top.robin.click(topic.response, label="All topics")
    assert "It is your turn in this channel" in top.words(back.response)

"""`/privacy` through real discord.py: seen, taken along, deleted; the others play on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.custom_ids import Press
from bot.privacy import ASK, FILE, SURE
from bot.texts import GONE, GONE_NAME
from cogs.privacy import PrivacyCog
from games.kernel import verify
from games.kernel.action import Action
from tests.bot import limits
from tests.bot.society import traces
from tests.e2e.tabletop import Tabletop, toy_bot
from tests.e2e.test_saves import content

LABELS = ["Delete everything", "As a file", "Keep it"]


async def duel(top: Tabletop) -> Any:
    """A game of Robin (red) and Kim (blue), with something done by both."""
    await top.open("duel")
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")
    await top.robin.slash(top.channel, "table salt", words="up and over")
    await top.robin.slash(top.channel, "toy move", to="B2")
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    return table


def checked(top: Tabletop, result: Any) -> str:
    """What a private answer says; it is private and keeps Discord's limits."""
    assert result.ephemeral
    limits.check_message(top.env.backend.get_message(top.channel.id, result.response.id).components)
    return top.words(result.response)


def left(top: Tabletop) -> list[str]:
    """Where Robin still is in the database."""
    return traces(top.folder / "games.db", str(top.robin.id), "Robin")


async def test_it_is_seen_taken_along_and_deleted(top: Tabletop, tmp_path: Path) -> None:
    none = await top.robin.slash(top.channel, "privacy show")
    assert checked(top, none) == "I keep nothing about you."
    table = await duel(top)
    await top.robin.slash(top.channel, "roll", dice="2d6")
    shown = await top.robin.slash(top.channel, "privacy show")
    told = checked(top, shown)
    assert "seats at tables: **1**" in told and "rolls of dice: **1**" in told
    assert "things you did at tables: **4**" in told
    assert top.labels(shown.response) == ["As a file", "Delete everything…"]
    given = await top.robin.click(shown.response, label="As a file")
    assert "Everything I keep about you" in top.words(given.response)
    found = json.loads(content(top, given))
    assert found["user_id"] == top.robin.id and found["seats"][0]["title"] == "Red captain"
    assert [row["action"]["verb"] for row in found["actions"]][-2:] == ["salt", "move"]
    asked = await top.robin.click(shown.response, label="Delete everything…")
    question = top.words(asked.response)
    assert "your seats become vacant" in question and "What I cannot delete" in question
    assert top.labels(asked.response) == LABELS
    assert left(top)
    posts = top.posts()
    await top.robin.click(asked.response, label="Delete everything")
    assert "Everything about you is deleted" in top.words(asked.response)
    assert "Taken out of one table of others." in top.words(asked.response)
    assert left(top) == []
    await top.bot.outbox.idle()
    assert top.posts() == posts + 1
    board = top.words(top.panel)
    assert f"{GONE_NAME} no longer plays Red captain." in board
    assert "Kim is the host of this table now." in board
    assert f"<@{top.kim.id}>: Red captain is vacant." in board and f"<@{GONE}>" not in board
    log = top.words((await top.kim.slash(top.channel, "table log")).response)
    assert "Robin" not in log and f"{GONE_NAME} adds words to the dice: “up and over”." in log
    checking = await top.kim.slash(top.channel, "table verify")
    path = tmp_path / "proof.json"
    path.write_bytes(content(top, checking))
    assert verify.main([str(path)]) == 0
    await top.robin.click(top.panel, label="Play Red captain")
    await top.robin.slash(top.channel, "toy done")
    await top.kim.slash(top.channel, "toy done")
    assert await top.bot.sessions.audit(table.id) == ""
    again = checked(top, await top.robin.slash(top.channel, "privacy show"))
    assert "things you did at tables: **2**" in again and "rolls" not in again


async def test_nothing_is_deleted_before_the_second_press(top: Tabletop) -> None:
    await duel(top)
    before = left(top)
    asked = await top.robin.slash(top.channel, "privacy delete")
    assert "Delete everything about you?" in checked(top, asked)
    given = await top.robin.click(asked.response, label="As a file")
    assert json.loads(content(top, given))["name_and_settings"][0]["name"] == "Robin"
    await top.robin.click(asked.response, label="Keep it")
    assert top.words(asked.response) == "Nothing was deleted."
    assert left(top) == before


async def test_pressed_twice_it_is_done_once(top: Tabletop) -> None:
    table = await duel(top)
    asked = await top.robin.slash(top.channel, "privacy delete")
    forget = top.bot.privacy.people.forget  # what two more presses do
    await asyncio.gather(
        forget(top.robin.id),
        top.robin.click(asked.response, label="Delete everything"),
        forget(top.robin.id),
    )
    assert left(top) == []
    rows = await top.bot.sessions.history(table.id)
    assert [row.kind for row in rows].count("leave") == 1
    later = await top.robin.slash(top.channel, "privacy delete")
    await top.robin.click(later.response, label="Delete everything")
    assert "nothing about you here any more" in top.words(later.response)


async def test_the_others_play_while_it_is_done(top: Tabletop) -> None:
    table = await duel(top)
    await top.robin.slash(top.channel, "toy done")
    asked = await top.robin.slash(top.channel, "privacy delete")

    async def plays(interaction: int, verb: str) -> None:
        await top.bot.sessions.act(
            table.id,
            top.kim.id,
            Action(verb),
            expected_version=None,
            interaction_id=interaction,
        )

    await asyncio.gather(
        plays(1, "draw"),
        top.robin.click(asked.response, label="Delete everything"),
        plays(2, "draw"),
        plays(3, "done"),
    )
    assert left(top) == []
    assert await top.bot.sessions.audit(table.id) == ""
    now = await top.bot.sessions.get(table.id)
    assert now.people() == (top.kim.id,) and now.host_id == top.kim.id
    kinds = [row.kind for row in await top.bot.sessions.history(table.id)]
    assert sorted(kinds[-4:]) == ["act", "act", "act", "leave"]


async def test_a_game_of_his_alone_is_gone_and_its_buttons_say_so(top: Tabletop) -> None:
    await top.open("solo1")
    board = top.panel
    asked = await top.robin.slash(top.channel, "privacy delete")
    await top.robin.click(asked.response, label="Delete everything")
    assert "One table deleted at which nobody else had sat." in top.words(asked.response)
    assert left(top) == []
    pressed = await top.robin.click(board, label="Board")
    assert "This table does not exist any more" in top.words(pressed.response)
    await top.open("solo1")
    assert top.panel.id != board.id


async def test_what_was_asked_of_him_is_settled(top: Tabletop) -> None:
    table = await duel(top)
    sam = top.guild.add_member(top.env.create_user("Sam"))
    offered = await top.kim.slash(top.channel, "table substitute", seat="Blue captain", user=sam)
    await top.bot.outbox.idle()
    assert offered.ephemeral
    notice = top.panel
    assert "Take the seat" in top.labels(notice)
    asked = await sam.slash(top.channel, "privacy delete")
    await sam.click(asked.response, label="Delete everything")
    assert traces(top.folder / "games.db", str(sam.id), "Sam") == []
    pressed = await sam.click(notice, label="Take the seat")
    assert "This is settled already." in top.words(pressed.response)
    await top.robin.slash(top.channel, "toy done")
    await top.bot.outbox.idle()
    stored = top.env.backend.get_message(top.channel.id, notice.id)
    told = "\n".join(c["content"] for c in limits.walk(stored.components) if c["type"] == 10)
    assert told.splitlines() == [
        f"<@{top.kim.id}> would like to hand Blue captain on to {GONE_NAME}.",
        "Whoever this was about has left, so it is settled.",
    ]
    assert await top.bot.sessions.audit(table.id) == ""


async def test_it_works_in_direct_messages_and_after_a_restart(top: Tabletop) -> None:
    await duel(top)
    given = await top.robin.user.slash("privacy export")
    assert given.ephemeral and json.loads(content(top, given))["user_id"] == top.robin.id
    shown = await top.kim.slash(top.channel, "privacy export")
    found = json.loads(content(top, shown))
    assert found["user_id"] == top.kim.id and "Robin" not in json.dumps(found["seats"])
    asked = await top.robin.user.slash("privacy delete")
    assert "Delete everything about you?" in top.words(asked.response)
    await top.bot.close()
    top.bot = toy_bot(top.folder)
    await top.env.restart_bot(top.bot)
    await top.robin.user.click(asked.response, label="Delete everything")
    assert left(top) == []


@pytest.mark.parametrize("verb", [ASK, FILE, SURE])
async def test_a_button_is_only_for_whose_data_it_names(top: Tabletop, verb: str) -> None:
    await duel(top)
    before = left(top)
    asked = await top.kim.slash(top.channel, "privacy delete")
    forged = Press(str(top.robin.id), 0, verb)
    answers: list[str] = []

    class Desk:
        async def answer(self, interaction: Any, work: Any, way: Any = None) -> None:
            with pytest.raises(Exception, match="somebody else’s") as refused:
                await work()
            answers.append(str(refused.value))

    class Interaction:
        user = top.kim.user

    privacy = type(top.bot.privacy)(top.bot.privacy.people, Desk())  # type: ignore[arg-type]
    await privacy.press(Interaction(), forged)  # type: ignore[arg-type]
    assert len(answers) == 1 and left(top) == before
    assert set(top.ids(asked.response).values()) == {
        str(Press(str(top.kim.id), 0, one)) for one in (SURE, FILE, ".privacy_keep")
    }


def test_it_may_be_installed_by_users() -> None:
    group = PrivacyCog().app_command
    installs, contexts = group.allowed_installs, group.allowed_contexts  # type: ignore[union-attr]
    assert installs is not None and installs.guild and installs.user
    assert contexts is not None
    assert contexts.guild and contexts.dm_channel and contexts.private_channel

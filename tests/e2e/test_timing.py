"""Pace and reminders as people use them: `/table settings`, `/reminders`, the button under a reminder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.outbox import Delivered, Payload, Post
from bot.sessions.timers import REMIND
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, tabletop


@pytest.fixture
async def top(tmp_path: Path) -> AsyncIterator[Tabletop]:
    async with tabletop(tmp_path) as made:
        yield made


async def duel(top: Tabletop) -> Any:
    """Robin's turn against Kim."""
    await top.open("duel")
    await top.kim.slash(top.channel, "table join")
    await top.robin.click(top.panel, label="Start")
    return await top.bot.sessions.in_channel(top.channel.id)


async def remind(top: Tabletop, seat: str) -> None:
    """The clock comes to a reminder."""
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    timers = await top.bot.sessions.timers_due(2**40)
    timer = next(t for t in timers if (t.session_id, t.kind, t.seat) == (table.id, REMIND, seat))
    await top.bot.sessions.ring(timer)
    await top.bot.outbox.flush(table.id)


def mentioned(top: Tabletop) -> list[int]:
    request = top.requests("POST", f"/channels/{top.channel.id}/messages")[-1].json
    return [int(user) for user in request["allowed_mentions"].get("users", ())]


async def said(top: Tabletop, who: Any, command: str, **given: Any) -> str:
    result = await who.slash(top.channel, command, **given)
    assert result.response.ephemeral
    return top.words(result.response)


async def test_the_host_sets_the_pace_and_the_panel_shows_the_clock(top: Tabletop) -> None:
    await duel(top)
    assert "Time is up" not in top.words(top.panel)
    assert "no clock" in await said(top, top.kim, "table settings")
    told = await said(top, top.kim, "table settings", pace="fast")
    assert "who hosts this table, or a moderator can do that" in told
    told = await said(top, top.robin, "table settings", pace="fast", overtime="program")
    assert "The pace of this table is fast" in told and "until its turn is over" in told
    panel = top.words(top.panel)
    assert "-# Time is up <t:" in panel and "The pace of this table is fast" in panel
    told = await said(top, top.kim, "table settings")
    assert "Red captain: time is up <t:" in told and "Blue captain: 23 h in the bank" in told
    limits.check_message(top.env.backend.get_message(top.channel.id, top.panel.id).components)


async def test_a_reminder_can_be_muted_by_whom_it_is_for(top: Tabletop) -> None:
    await duel(top)
    await remind(top, "RED")
    notice = top.panel
    assert mentioned(top) == [top.robin.id]
    assert top.labels(notice) == ["Mute this turn"]
    refused = await top.kim.click(notice, label="Mute this turn")
    assert "Nobody waits for you" in top.words(refused.response)
    muted = await top.robin.click(notice, label="Mute this turn")
    assert "until your seat has acted" in top.words(muted.response)
    posts = top.posts()
    await remind(top, "RED")
    assert top.posts() == posts
    back = await top.robin.click(muted.response, label="Remind me after all")
    assert "remind you again" in top.words(back.response)
    await remind(top, "RED")
    assert top.posts() == posts + 1 and "my last reminder" in top.words(top.panel)
    stranger = top.guild.add_member(top.env.create_user("Sam"))
    refused = await stranger.click(top.panel, label="Mute this turn")
    assert "You hold no seat" in top.words(refused.response)


async def test_quiet_hours_silence_the_panel(top: Tabletop) -> None:
    await duel(top)
    assert "In which time zone?" in await said(
        top, top.kim, "reminders quiet", start="0:00", end="23:59"
    )
    told = await said(
        top, top.kim, "reminders quiet", start="0:00", end="23:59", zone="Europe/Atlantis"
    )
    assert "no such time zone" in told
    told = await said(top, top.kim, "reminders quiet", start="9", end="9:00", zone="UTC")
    assert "different times" in told
    told = await said(top, top.kim, "reminders quiet", start="half nine", end="9:00", zone="UTC")
    assert "Type a time of day" in told
    told = await said(top, top.kim, "reminders quiet", start="0:00", end="23:59", zone="UTC")
    assert "From 00:00 to 23:59 (UTC)" in told
    await top.robin.slash(top.channel, "toy done")
    assert f"<@{top.kim.id}>" in top.words(top.panel) and mentioned(top) == []
    assert "no quiet hours" in await said(top, top.kim, "reminders loud")
    await top.kim.slash(top.channel, "toy done")
    assert mentioned(top) == [top.robin.id]
    # With the hours the zone is forgotten.
    told = await said(top, top.kim, "reminders quiet", start="10 pm", end="7")
    assert "In which time zone?" in told


async def test_what_i_have_chosen(top: Tabletop) -> None:
    await duel(top)
    told = await said(top, top.kim, "reminders show")
    assert "no quiet hours" in told and "only when you must act" in told
    assert "seat is the next one" in await said(top, top.kim, "reminders next", on=True)
    assert "seat is the next one" in await said(top, top.kim, "reminders show")
    assert "Nobody waits for you" in await said(top, top.kim, "reminders mute")
    assert "until your seat has acted" in await said(top, top.robin, "reminders mute")
    assert "remind you again" in await said(top, top.robin, "reminders mute", on=False)


async def test_zones_are_suggested(top: Tabletop) -> None:
    found = await top.kim.autocomplete(top.channel, "reminders quiet", "zone", "new yo")
    assert "America/New_York" in [choice["value"] for choice in found]


async def test_who_has_left_the_server_is_put_off_the_seat(top: Tabletop) -> None:
    table = await duel(top)
    await top.robin.slash(top.channel, "toy done")
    assert not await top.bot.absent(table.guild_id, top.kim.id)
    assert not await top.bot.absent(1, top.kim.id), "of another server nothing is known"
    top.guild.remove_member(top.kim)
    assert await top.bot.absent(table.guild_id, top.kim.id)
    await remind(top, "BLUE")
    words = top.words(top.panel)
    assert "Kim has left the server, so no longer plays Blue captain." in words
    assert "Play Blue captain" in top.labels(top.panel)


async def test_posts_by_the_hosts_choice(top: Tabletop) -> None:
    await duel(top)
    await said(top, top.robin, "table settings", posts="each")
    posts = top.posts()
    await top.robin.slash(top.channel, "toy move", to="B2")
    assert top.posts() == posts + 1, "a step without dice has a post of its own"
    told = await said(top, top.robin, "table settings", posts="quiet")
    assert "Only changes of turn are posted anew" in told
    posts = top.posts()
    await top.robin.slash(top.channel, "toy draw")
    assert top.posts() == posts, "a card is edited into the board"
    assert "draws" in top.words(top.panel)
    await top.robin.slash(top.channel, "toy done")
    assert top.posts() == posts + 1 and mentioned(top) == [top.kim.id]
    assert "Every action" not in await said(top, top.kim, "table settings")


async def test_a_reminder_that_comes_too_late_is_not_posted(top: Tabletop) -> None:
    """It waited until Discord took posts again; meanwhile its seat has acted."""
    table = await duel(top)
    posts = top.posts()
    late = Payload("notice", text=f"<@{top.kim.id}>: wake up.", mentions=(top.kim.id,), seat="BLUE")
    post = Post(99_999, table.id, table.version, "notice", late, "nonce", 3)
    assert await top.bot.outbox._poster.deliver(post) == Delivered(0)
    assert top.posts() == posts
    said = msgspec.structs.replace(late, seat="RED")
    assert (await top.bot.outbox._poster.deliver(replace(post, payload=said))).message_id
    assert top.posts() == posts + 1

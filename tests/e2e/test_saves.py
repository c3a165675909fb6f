"""`/table salt`, `/table export` and `/table import`, through real discord.py."""

from __future__ import annotations

import json
from typing import Any

from bot.sessions.savefile import MOST_BYTES
from tests.e2e.tabletop import Tabletop

FILE = 13


def content(top: Tabletop, result: Any) -> bytes:
    """The file of a private answer."""
    (attached,) = [c for c in top.wire(result.response) if c["type"] == FILE]
    raw = top.env.backend.cdn.get(attached["file"]["url"])
    assert raw is not None
    return raw


async def test_a_game_goes_on_in_another_server(top: Tabletop) -> None:
    await top.open("solo1")
    await top.robin.slash(top.channel, "table salt", words="up, up | and over")
    await top.robin.slash(top.channel, "toy move", to="B2")
    shown = await top.robin.slash(top.channel, "table export")
    assert shown.ephemeral and "This game as a file" in top.words(shown.response)
    raw = content(top, shown)
    assert json.loads(raw)["rows"][1]["content"]["kind"] == "salt"
    other = top.env.create_guild()
    far = other.create_text_channel("far")
    kim = other.add_member(top.kim.user)
    brought = await kim.slash(far, "table import", file=("save.json", raw))
    assert "Your table is open" in top.words(brought.response)
    posted = far.last_message
    told = top.words(posted)
    assert "Kim goes on here with a game that was saved elsewhere." in told
    assert "Red captain was played by Robin." in told and "sealed by" in told
    await kim.slash(far, "toy done")
    table = await top.bot.sessions.in_channel(far.id)
    assert table is not None and table.seats[0].user_ids == (top.kim.id,)
    assert await top.bot.sessions.audit(table.id) == ""
    log = await kim.slash(far, "table log")
    assert "walks A1 to B2" in top.words(log.response)


async def test_seats_are_offered_in_a_game_of_two(top: Tabletop) -> None:
    await top.open("duel")
    await top.kim.click(top.panel, label="Join Blue captain")
    await top.robin.click(top.panel, label="Start")
    denied = await top.robin.slash(top.channel, "table export")
    assert "only a moderator who has no seat" in top.words(denied.response)
    await top.robin.slash(top.channel, "table end")
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    raw = await top.bot.sessions.save_file(table.id, None, moderator=True)
    room = top.guild.create_text_channel("room")
    await top.kim.slash(room, "table import", file=("save.json", raw))
    assert {"Play Red captain", "Play Blue captain"} <= set(top.labels(room.last_message))
    await top.robin.click(room.last_message, label="Play Red captain")
    await top.robin.slash(room, "toy done")


async def test_files_that_are_refused_leave_the_channel_free(top: Tabletop) -> None:
    for name, raw, why in (
        ("save.json", b"hello", "damaged or cut off"),
        ("save.json", b"{}", "no saved game"),
        ("save.json", b"x" * (MOST_BYTES + 1), "larger than 4 MiB"),
    ):
        result = await top.robin.slash(top.channel, "table import", file=(name, raw))
        assert why in top.words(result.response)
    assert await top.bot.sessions.in_channel(top.channel.id) is None
    nothing = await top.robin.slash(top.channel, "table export")
    assert "No game is running" in top.words(nothing.response)
    await top.open("solo1")

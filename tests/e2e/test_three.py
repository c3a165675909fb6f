"""Three sides: two squads against a human insurgent, with people who leave and stay away."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import discord
import pytest

from tests.e2e.party import Party, party

DAY = 86_400


@pytest.fixture
async def three(tmp_path: Path) -> AsyncIterator[Party]:
    async with party(tmp_path, ("Robin", "Kim", "Sam", "Ada"), "a game for three") as running:
        await running.say("Robin", "boots new", mission="hot-lz", mode="three", cards_delta="-30")
        yield running


async def seated(table: Party) -> None:
    """Alpha is Robin's, Bravo Kim's, the insurgents are Sam's."""
    await table.press("Kim", "Join Bravo")
    await table.press("Sam", "Join Insurgents")
    await table.press("Robin", "Start")


async def to_the_conductor(table: Party, most: int = 300) -> Any:
    await table.play(most, until=lambda now: now.due() == ("INSURGENT",))
    now = await table.table()
    assert now.due() == ("INSURGENT",)
    return now


async def test_the_host_changes_everything_in_the_lobby(three: Party) -> None:
    await three.press("Kim", "Join Bravo")
    await three.press("Sam", "Join Insurgents")
    refused = await three.press("Kim", "Change…")
    assert "Only" in three.read(refused)
    robin = three.people["Robin"]
    fields = await three.press("Robin", "Change…")
    assert {"mission", "mode", "three_goal"} <= set(three.top.menu(fields.response))
    assert "versus_squads" not in three.top.menu(fields.response)
    missions = await robin.select(fields.response, ["mission"])
    back = await robin.select(missions.response, ["bring-them-home"])
    assert "Bring" in three.top.words(three.top.panel)
    modes = await robin.select(back.response, ["mode"])
    await robin.select(modes.response, ["coop"])
    words = three.top.words(three.top.panel)
    assert "no Insurgents any more: Sam" in words and three.called() == ["Sam"]
    assert "Join Insurgents" not in three.top.labels(three.top.panel)
    await three.press("Robin", "Start")
    table = await three.table()
    assert table.setup.mission == "bring-them-home" and table.due() == ("ALPHA", "BRAVO")


async def test_a_whole_game(three: Party) -> None:
    await seated(three)
    await to_the_conductor(three)
    assert three.called() == ["Sam"]
    words = three.top.words(three.top.panel)
    assert f"Now <@{three.people['Sam'].id}> (Insurgents)" in words
    await three.restart()
    await three.play(700)
    table = await three.table()
    assert table.over and table.result() is not None
    assert {(who, seat) for who, seat, _ in three.log} == {
        ("Robin", "ALPHA"),
        ("Kim", "BRAVO"),
        ("Sam", "INSURGENT"),
    }
    assert await three.bot.sessions.audit(table.id) == ""


async def test_a_conductor_who_does_not_answer(three: Party) -> None:
    await seated(three)
    before = await to_the_conductor(three)
    await three.top.env.advance_time(DAY + 60)
    assert three.called() == ["Sam"] and "waits for Insurgents" in three.top.words(three.top.panel)
    early = await three.say("Robin", "table stand-in", seat="insurgents")
    assert "has been waited for only since" in three.read(early)
    await three.top.env.advance_time(DAY + 60)
    assert three.called() == ["Robin"] and "/table stand-in" in three.top.words(three.top.panel)
    stranger = await three.say("Kim", "table stand-in", seat="insurgents")
    assert "Only" in three.read(stranger)
    done = await three.say("Robin", "table stand-in", seat="insurgents")
    assert "The program acts for Insurgents" in three.read(done)
    after = await three.table()
    assert after.version == before.version + 1
    log = await three.say("Kim", "table log")
    assert "The program acts for Insurgents, as the host wishes." in three.read(log)


async def test_the_program_until_they_return(three: Party) -> None:
    await seated(three)
    await to_the_conductor(three)
    await three.top.env.advance_time(2 * DAY + 60)
    await three.say("Robin", "table stand-in", seat="INSURGENT", until="return")
    for _ in range(12):
        table = await three.table()
        if table.over:
            break
        assert "INSURGENT" not in table.due(), "the program has acted at once"
        await three.play(1)
    seats = await three.say("Kim", "table seats")
    assert "the program acts until they are back" in three.read(seats)
    rows = await three.bot.sessions.history((await three.table()).id)
    assert {row.name for row in rows if row.kind == "stand_in"} == {"Robin"}


async def test_people_come_and_go(three: Party) -> None:
    await seated(three)
    await three.play(4)
    await three.say("Kim", "table leave")
    words = three.top.words(three.top.panel)
    assert "Kim leaves Bravo" in words and three.called() == ["Robin"]
    assert "Play Bravo" in three.top.labels(three.top.panel)
    refused = await three.say("Ada", "table join", seat="alpha")
    assert "only a vacant seat" in three.read(refused)
    taken = await three.press("Ada", "Play Bravo")
    assert "You have a seat at this table now: Bravo" in three.read(taken)
    await three.say("Robin", "table leave")
    assert "Sam is the host of this table now" in three.top.words(three.top.panel) or (
        "Ada is the host of this table now" in three.top.words(three.top.panel)
    )
    table = await three.table()
    host, other = three.named(table.host_id), {"Sam", "Ada"}
    other.discard(host)
    await three.say(other.pop(), "table join")
    refused = await three.say("Kim", "table host", user=three.people["Kim"])
    assert "Only" in three.read(refused)
    await three.say(host, "table vacate", seat="insurgents")
    assert (await three.table()).holder("INSURGENT").users == ()
    await three.say("Kim", "table join", seat="insurgents")
    await three.play(5)
    assert await three.bot.sessions.audit(table.id) == ""


async def test_a_thread_for_the_game(three: Party) -> None:
    made = await three.say("Kim", "boots new", mode="coop", thread=True)
    words = three.read(made)
    thread_id = int(words.split("<#")[1].split(">")[0])
    assert thread_id != three.top.channel.id
    table = await three.bot.sessions.in_channel(thread_id)
    assert table is not None and table.lobby and table.panel_message_id
    again = await three.say("Kim", "boots new", mode="coop", thread=True, versus_squads="2")
    assert "means nothing" in three.read(again)


async def test_no_thread_without_permission(three: Party) -> None:
    guild = three.top.guild
    deny = discord.PermissionOverwrite(create_public_threads=False)
    quiet = guild.create_text_channel("quiet", overwrites={guild.me: deny})
    refused = await three.people["Kim"].slash(quiet, "boots new", mode="coop", thread=True)
    assert "Create public threads" in three.read(refused)
    assert await three.bot.sessions.in_channel(quiet.id) is None
    assert not three.top.requests("POST", f"/channels/{quiet.id}/threads")

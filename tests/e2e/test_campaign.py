"""Campaigns and service records through real discord.py: every command, every button."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from bot.store import schema as db
from games.registry import Registry
from tests.bot import limits
from tests.bot.campaigners import Script, scripted, spend
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    return scripted(monkeypatch)


@pytest.fixture
async def street(tmp_path: Path, script: Script) -> AsyncIterator[Tabletop]:
    async with tabletop(tmp_path, toy_bot(tmp_path, Registry())) as running:
        yield running


async def said(street: Tabletop, result: Any) -> str:
    """What a private answer says; it keeps Discord's limits."""
    limits.check_message(
        street.env.backend.get_message(street.channel.id, result.response.id).components
    )
    return street.words(result.response)


async def start(street: Tabletop, who: Any = None, **options: str) -> Any:
    person = who or street.robin
    return await person.slash(street.channel, "campaign start", **{"game": "boots", **options})


async def finish(street: Tabletop, level: str, script: Script, who: Any = None) -> None:
    """End the mission in the channel by the rules."""
    script.level = level
    person = who or street.robin
    asked = await person.slash(street.channel, "boots concede")
    await person.click(asked.response, label="Yes")


async def mission(street: Tabletop) -> str:
    table = await street.bot.sessions.in_channel(street.channel.id)
    assert table is not None
    return table.setup.mission


async def test_a_tour_by_buttons(street: Tabletop, script: Script) -> None:
    begun = await start(street)
    assert "Your table is open: **" in street.words(begun.response)
    assert "Hot LZ" in street.words(street.panel)
    await finish(street, "Solid", script)
    assert "5 points for Hot LZ, 5 of 36 in all. Next: Bring Them Home." in street.words(
        street.panel
    )
    assert street.labels(street.panel) == ["Next mission", "Campaign", "Undo", "Board", "Help"]
    shown = await street.robin.click(street.panel, label="Campaign")
    assert "5 of 36 points so far. Next: Bring Them Home." in street.words(shown.response)
    (alt,) = street.pictures(shown.response)
    assert alt.startswith("Tour of duty, Solo, one squad: 5 of 36 points, Green.")
    old = street.panel
    pressed = await street.robin.click(old, label="Next mission")
    assert "Bring Them Home" in street.words(street.panel)
    again = await street.robin.click(old, label="Next mission")
    assert "This mission is under way in" in street.words(again.response)
    assert pressed.acknowledged
    await finish(street, "", script)
    for level in ("Outstanding", "Narrow", "Solid"):
        await street.robin.slash(street.channel, "campaign next")
        await finish(street, level, script)
    await street.robin.click(street.panel, label="Next mission")
    await finish(street, "Solid", script)
    assert "The campaign is over, with the rating **Legend**." in street.words(street.panel)
    over = await street.robin.click(street.panel, label="Next mission")
    assert "This campaign is over" in street.words(over.response)
    listed = await street.robin.slash(street.channel, "campaign list")
    assert "Over with 25 of 36 points: **Legend**." in await said(street, listed)
    record = await street.robin.slash(street.channel, "record")
    assert "6 played, 5 won." in await said(street, record)
    (alt,) = street.pictures(record.response)
    assert alt.startswith("Boots on the Ground, service record: 6 played, 5 won.")


async def test_a_second_start_offers_a_choice(street: Tabletop, script: Script) -> None:
    await start(street)
    second = await start(street)
    assert "You have a campaign under way already: Tour of duty." in street.words(second.response)
    assert street.labels(second.response) == ["Show it", "Abandon it…"]
    shown = await street.robin.click(second.response, label="Show it")
    assert "Hot LZ is under way in" in street.words(shown.response)
    asked = await street.robin.click(second.response, label="Abandon it…")
    told = street.words(asked.response)
    assert "0 of 36 points after 0 missions" in told and "goes on as a game of its own" in told
    done = await street.robin.click(asked.response, label="Abandon it")
    assert "is abandoned" in street.words(done.response or asked.response)
    refused = await street.robin.slash(street.channel, "campaign next")
    assert "no campaign under way" in street.words(refused.response)
    await finish(street, "Solid", script)
    assert "points for" not in street.words(street.panel)
    listed = await street.robin.slash(street.channel, "campaign list")
    assert "Abandoned with 0 of 36 points." in street.words(listed.response)


async def test_a_tour_together(street: Tabletop, script: Script) -> None:
    await start(street, mode="Co-op, a squad each")
    assert "Change…" not in street.labels(street.panel)
    await street.kim.click(street.panel, label="Join Bravo")
    await street.robin.click(street.panel, label="Start")
    await finish(street, "Solid", script)
    await street.kim.click(street.panel, label="Next mission")
    words = street.words(street.panel)
    assert f"<@{street.robin.id}>" in words
    posted: Any = street.requests("POST", f"/channels/{street.channel.id}/messages")[-1]
    assert posted.json["allowed_mentions"]["users"] == [street.robin.id]
    assert "Every seat is taken" in words
    await street.kim.click(street.panel, label="Start")
    assert await mission(street) == "bring-them-home"
    await finish(street, "Narrow", script, street.kim)
    for person in (street.robin, street.kim):
        odd = await person.slash(street.channel, "record", game="**@everyone**")
        assert "There is no game “\\*\\*@\u200beveryone" in street.words(odd.response)
        record = await person.slash(street.channel, "record", game="Boots on the Ground")
        assert "2 played, 2 won." in street.words(record.response)
    asked = await street.kim.slash(street.channel, "campaign abandon")
    assert "Leave **Tour of duty**? It goes on for the others" in street.words(asked.response)
    await street.kim.click(asked.response, label="Leave it")
    shown = await street.kim.slash(street.channel, "campaign show")
    assert "You have no campaign yet" in street.words(shown.response)


async def test_somebody_elses(street: Tabletop, script: Script) -> None:
    await start(street)
    await finish(street, "Solid", script)
    refused = await street.kim.click(street.panel, label="Next mission")
    assert "somebody else’s campaign" in street.words(refused.response)
    shown = await street.kim.slash(street.channel, "campaign show", user=street.robin)
    assert "5 of 36 points so far" in street.words(shown.response)
    assert street.labels(shown.response) == []
    record = await street.kim.slash(street.channel, "record", user=street.robin)
    assert "The record of Robin" in street.words(record.response)
    listed = await street.kim.slash(street.channel, "campaign list", user=street.robin)
    assert "Campaigns of Robin" in street.words(listed.response)
    for command in ("campaign show", "campaign list", "campaign next", "campaign abandon"):
        none = await street.kim.slash(street.channel, command)
        assert "You have no" in street.words(none.response), command
    none = await street.robin.slash(street.channel, "record", user=street.kim)
    assert "Kim has no finished game yet" in street.words(none.response)
    assert not street.channel.last_message.mentions


async def test_what_cannot_be_begun(street: Tabletop) -> None:
    for options, told in (
        ({"game": "chess"}, "chess"),
        ({"game": "boots/crusade"}, "no such campaign"),
        ({"mode": "versus"}, "A tour of duty is played as"),
    ):
        refused = await start(street, **options)
        assert told in street.words(refused.response)
    refused = await street.robin.slash(street.channel, "campaign show", campaign="*nonsense*")
    assert "know nothing of this campaign" in street.words(refused.response)
    assert street.posts() == 0


async def test_a_channel_that_is_taken(street: Tabletop, script: Script) -> None:
    await street.kim.slash(street.channel, "boots new", mission="hot-lz", mode="solo1")
    begun = await start(street)
    told = street.words(begun.response)
    assert "has begun, but its first mission is not open yet" in told
    other = street.guild.create_text_channel("table-2")
    opened = await street.robin.slash(other, "campaign next")
    assert "Your table is open" in street.words(opened.response)


async def test_a_mission_whose_channel_is_gone_goes_on_here(street: Tabletop) -> None:
    await start(street)
    other = street.guild.create_text_channel("table-2")
    under_way = await street.robin.slash(other, "campaign next")
    assert "under way in" in street.words(under_way.response)
    table = await street.bot.sessions.in_channel(street.channel.id)
    assert table is not None
    async with street.bot.store.write() as connection:
        await connection.execute(update(db.sessions).values(channel_id=404_404_404))
    moved = await street.robin.slash(other, "campaign next")
    assert "Your table is open" in street.words(moved.response)
    assert "it goes on here" in street.words(other.last_message)
    there = await street.bot.sessions.in_channel(other.id)
    assert there is not None and there.id == table.id


async def test_suggestions(street: Tabletop, script: Script) -> None:
    robin = street.robin
    games = await robin.autocomplete(street.channel, "campaign start", "game", "tour")
    assert [c["value"] for c in games] == ["boots/tour"]
    modes = await robin.autocomplete(
        street.channel, "campaign start", "mode", "", game="boots/tour"
    )
    assert [c["value"] for c in modes] == ["solo1", "coop"]
    await start(street)
    mine = await robin.autocomplete(street.channel, "campaign next", "campaign", "")
    assert mine[0]["name"].startswith(
        "Tour of duty · Boots on the Ground · 0 of 36 points · Hot LZ"
    )
    records = await robin.autocomplete(street.channel, "record", "game", "boots")
    assert [c["value"] for c in records] == ["boots"]


async def test_the_way_to_a_mission_is_a_link(street: Tabletop, script: Script) -> None:
    await start(street)
    other = street.guild.create_text_channel("table-2")
    refused = await street.robin.slash(other, "campaign next")
    urls = [c["url"] for c in street.wire(refused.response) if "url" in c]
    assert urls == [
        f"https://discord.com/channels/{street.guild.id}/{street.channel.id}/{street.panel.id}"
    ]


async def test_buttons_work_after_a_restart(street: Tabletop, script: Script) -> None:
    await start(street)
    await finish(street, "Solid", script)
    await street.bot.close()
    street.bot = toy_bot(street.folder, Registry())
    await street.env.restart_bot(street.bot)
    pressed = await street.robin.click(street.panel, label="Next mission")
    assert pressed.acknowledged
    assert await mission(street) == "bring-them-home"


async def test_a_lobby_of_a_campaign_says_what_is_played(street: Tabletop) -> None:
    await start(street, mode="coop")
    assert street.labels(street.panel) == ["Join Alpha", "Join Bravo", "Leave", "Help"]
    words = street.words(street.panel)
    assert "Hot LZ" in words and "Co-op, a squad each" in words


async def test_gear_is_bought_between_two_missions(street: Tabletop) -> None:
    await start(street, game="sniper")
    table = await street.bot.sessions.in_channel(street.channel.id)
    assert table is not None and table.slug == "sniper"
    asked = await street.robin.slash(street.channel, "table end")
    await street.robin.click(asked.response, label="End the game")
    spend(street.folder / "games.db", table.setup.campaign, 20)
    pressed = await street.robin.click(street.panel, label="Next mission")
    assert "Before the next mission" in street.words(pressed.response)
    wares = street.menu(pressed.response)
    bought = await street.robin.select(pressed.response, [wares[0]])
    assert "Gear up:" in street.words(bought.response)
    stale = await street.kim.slash(street.channel, "campaign show", user=street.robin)
    assert street.menu(stale.response) == []
    await street.robin.click(bought.response, label="Next mission")
    table = await street.bot.sessions.in_channel(street.channel.id)
    assert table is not None and not table.over

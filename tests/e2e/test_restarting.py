"""`/campaign restart`, and campaign commands for somebody else’s campaign, through real discord.py."""

from __future__ import annotations

import pytest

from bot.campaigns import NOT_YOURS
from games.registry import Registry
from tests.bot.campaigners import Script
from tests.e2e.tabletop import Tabletop, toy_bot
from tests.e2e.test_campaign import (
    finish,
    mission,
    said,
    script,
    start,
    street,
)

__all__ = ["script", "street"]


async def test_a_tour_is_started_over(street: Tabletop, script: Script) -> None:
    await start(street)
    await finish(street, "Solid", script)
    asked = await street.robin.slash(street.channel, "campaign restart")
    told = await said(street, asked)
    assert "Start **Tour of duty** over?" in told and "for you" not in told
    assert "with 5 of 36 points after 1 mission, is kept as abandoned" in told
    assert street.labels(asked.response) == ["Start over"]
    listed = await street.robin.slash(street.channel, "campaign list")
    assert "Abandoned" not in await said(street, listed)
    pressed = await street.robin.click(asked.response, label="Start over")
    assert "Your table is open" in street.words(pressed.response or asked.response)
    assert await mission(street) == "hot-lz"
    told = await said(street, await street.robin.slash(street.channel, "campaign list"))
    assert "Abandoned with 5 of 36 points." in told and "Hot LZ is under way in" in told


async def test_a_tour_together_keeps_its_people_also_after_a_restart_of_the_bot(
    street: Tabletop, script: Script
) -> None:
    await start(street, mode="coop")
    await street.kim.click(street.panel, label="Join Bravo")
    await street.robin.click(street.panel, label="Start")
    refused = await street.kim.slash(street.channel, "campaign restart")
    assert "no campaign under way" in await said(street, refused)  # a member after the first one
    await finish(street, "Solid", script)
    refused = await street.kim.slash(street.channel, "campaign restart")
    assert f"Only <@{street.robin.id}>, who hosts this campaign" in await said(street, refused)
    asked = await street.robin.slash(street.channel, "campaign restart")
    assert "with the same mode and options, for you and Kim." in await said(street, asked)
    await street.bot.close()
    street.bot = toy_bot(street.folder, Registry())
    await street.env.restart_bot(street.bot)
    await street.robin.click(asked.response, label="Start over")
    assert "Every seat is taken" in street.words(street.panel)
    await street.robin.click(street.panel, label="Start")
    assert await mission(street) == "hot-lz"


async def test_while_its_mission_is_under_way_here(street: Tabletop, script: Script) -> None:
    await start(street)
    asked = await street.robin.slash(street.channel, "campaign restart")
    assert f"The mission in <#{street.channel.id}> goes on as a game of its own." in await said(
        street, asked
    )
    await street.robin.click(asked.response, label="Start over")
    told = street.words(asked.response)
    assert "has begun, but its first mission is not open yet" in told
    other = street.guild.create_text_channel("table-2")
    opened = await street.robin.slash(other, "campaign next")
    assert "Your table is open" in street.words(opened.response)


async def test_a_question_that_is_too_old_is_asked_again(street: Tabletop, script: Script) -> None:
    await start(street)
    asked = await street.robin.slash(street.channel, "campaign restart")
    await finish(street, "Solid", script)
    await street.robin.click(asked.response, label="Start over")
    told = street.words(asked.response)
    assert "has gone on since then" in told and "5 of 36 points after 1 mission" in told
    await street.robin.click(asked.response, label="Start over")
    assert await mission(street) == "hot-lz"
    again = await street.robin.slash(street.channel, "campaign restart", campaign="nonsense")
    assert "know nothing of this campaign" in await said(street, again)


@pytest.mark.parametrize("game", ["boots", "sniper"])
async def test_somebody_elses_is_refused_by_every_command(
    street: Tabletop, script: Script, game: str
) -> None:
    await start(street, game=game)
    (standing,) = await street.bot.campaigning.campaigns.of_user(street.robin.id)
    before = standing
    for command in ("restart", "abandon", "next", "gear"):
        answer = await street.kim.slash(street.channel, f"campaign {command}", campaign=standing.id)
        assert await said(street, answer) == NOT_YOURS, command
    bought = await street.kim.slash(
        street.channel, "campaign gear", campaign=standing.id, what="knife"
    )
    assert await said(street, bought) == NOT_YOURS
    assert await street.bot.campaigning.campaigns.get(standing.id) == before
    shown = await street.kim.slash(street.channel, "campaign show", campaign=standing.id)
    assert "is under way in" in await said(street, shown)
    assert not set(street.labels(shown.response)) & {"Next mission", "First mission"}


@pytest.mark.parametrize("game", ["boots", "sniper"])
async def test_all_commands_for_every_game_with_campaigns(
    street: Tabletop, script: Script, game: str
) -> None:
    await start(street, game=game)
    for command in ("list", "show", "gear"):
        answer = await street.robin.slash(street.channel, f"campaign {command}")
        assert "under way in" in await said(street, answer), command
    asked = await street.robin.slash(street.channel, "campaign restart")
    await street.robin.click(asked.response, label="Start over")
    asked = await street.robin.slash(street.channel, "campaign abandon")
    await street.robin.click(asked.response, label="Abandon it")
    told = await said(street, await street.robin.slash(street.channel, "campaign list"))
    assert told.count("Abandoned with 0") == 2
    over = await street.robin.slash(street.channel, "campaign abandon")
    assert "no campaign under way" in await said(street, over)
    mine = await street.robin.autocomplete(street.channel, "campaign restart", "campaign", "")
    assert len(mine) == 2
    refused = await street.robin.slash(
        street.channel, "campaign abandon", campaign=mine[0]["value"]
    )
    assert "This campaign is over" in await said(street, refused)

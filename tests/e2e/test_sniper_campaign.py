"""A sniper's campaign at the table: options, missions, the shop, failures, the level. Rules SK-17."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from games.registry import Registry
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot


@pytest.fixture
async def range_(tmp_path: Path) -> AsyncIterator[Tabletop]:
    async with tabletop(tmp_path, toy_bot(tmp_path, Registry())) as running:
        yield running


async def start(top: Tabletop, **options: str) -> Any:
    return await top.robin.slash(top.channel, "campaign start", game="sniper", **options)


async def win(top: Tabletop, *, kp: int = 6, wounds: int = 1, who: Any = None) -> None:
    """Make the mission in the channel as good as won, and be picked up."""
    for path, value in (
        ("zone", 6), ("phase", "VI"), ("kp", kp), ("light", wounds), ("wounds_received", wounds + 1),
        ("vip", {"card": "V1", "revealed": True, "dead": True}), ("hand", ["movement", "movement"]),
    ):  # fmt: skip
        await top.patch(path, value)
    done = await (who or top.robin).slash(top.channel, "sniper extract")
    assert "won" in words(top, done) or "victory" in words(top, done).lower()


async def fail(top: Tabletop) -> None:
    asked = await top.robin.slash(top.channel, "sniper abandon")
    await top.robin.click(asked.response, label="Yes")


def words(top: Tabletop, result: Any) -> str:
    """What a private answer says; it keeps Discord's limits."""
    stored = top.env.backend.get_message(top.channel.id, result.response.id)
    limits.check_message(stored.components)
    return top.words(result.response)


async def show(top: Tabletop) -> tuple[str, str]:
    """The log sheet in words, and what its picture says."""
    shown = await top.robin.slash(top.channel, "campaign show")
    (alt,) = top.pictures(shown.response)
    return words(top, shown), alt


async def state(top: Tabletop) -> Any:
    table = await top.bot.sessions.in_channel(top.channel.id)
    assert table is not None
    return table.state


@pytest.mark.rule("SK-21.9")
async def test_options_are_chosen_at_the_start(range_: Tabletop) -> None:
    robin, channel = range_.robin, range_.channel
    offered = await robin.autocomplete(
        channel, "campaign start", "options", "", game="sniper/campaign"
    )
    assert [c["value"] for c in offered[:4]] == ["veteran", "no_surrender", "hot_zone", "rookie"]
    listed = await robin.autocomplete(
        channel, "campaign start", "options", "veteran, loc", game="sniper"
    )
    assert {"name": "Veteran, Location: Desert", "value": "veteran, location=desert"} in listed
    for given, told in (
        ({"options": "veteran, rookie"}, "do not go together"),
        ({"options": "lone_wolf", "mode": "group"}, "“Lone wolf” is for missions played alone"),
        ({"options": "wings"}, "There is no option “wings”. There are: Veteran, No surrender"),
        ({"options": "veteran", "game": "boots"}, "is played without options"),
    ):
        refused = await robin.slash(channel, "campaign start", **{"game": "sniper", **given})
        assert told in words(range_, refused), given
    assert range_.posts() == 0
    await start(range_, options="Veteran, no surrender; location: Desert")
    mission = await state(range_)
    assert mission.location == "desert"
    assert mission.options == ["veteran", "no_surrender", "choose_location"]
    assert (
        "Campaign: mission 1 of 10 · 0 VP (minor 30, major 50) · failures 0 of 3 · bank 0 KP"
        in (range_.words(range_.panel))
    )
    await win(range_)
    named = await robin.slash(channel, "campaign gear", what="Jungle")
    assert "Name the location: Jungle." in words(range_, named)
    await robin.slash(channel, "campaign next")
    following = await state(range_)
    assert following.location == "jungle" and following.options == mission.options


@pytest.mark.rule("SK-17.2", "SK-17.5", "SK-18.3")
async def test_the_shop_by_menu_and_by_command_from_anywhere(range_: Tabletop) -> None:
    robin, channel = range_.robin, range_.channel
    nothing = await robin.slash(channel, "campaign gear")
    assert "no campaign under way" in words(range_, nothing)
    await start(range_)
    under_way = await robin.slash(channel, "campaign gear", what="knife")
    assert "is under way" in words(range_, under_way)
    await win(range_, kp=9)
    assert "8 points for" in range_.words(range_.panel)
    offered = await robin.autocomplete(channel, "campaign gear", "what", "knife")
    assert [c["value"] for c in offered] == ["buy=knife"]
    stranger = await range_.kim.autocomplete(channel, "campaign gear", "what", "")
    assert stranger == []
    other = range_.guild.create_text_channel("elsewhere")
    bought = await robin.slash(other, "campaign gear", what="buy=knife")
    assert "Gear up: Combat Knife" in range_.words(bought.response)
    dear = await robin.slash(other, "campaign gear", what="M200")
    assert "M200 costs 12 Kill Points; 7 in the bank. (SK-18.3" in range_.words(dear.response)
    twice = await robin.slash(other, "campaign gear", what="knife")
    assert "You own Combat Knife already" in range_.words(twice.response)
    await restart(range_)
    shop = await robin.slash(channel, "campaign gear")
    assert "knife" not in range_.menu(shop.response) and "m24" in range_.menu(shop.response)
    stale = await robin.slash(channel, "campaign gear")
    bought = await robin.select(shop.response, ["m24"])
    assert "Gear up: M24" in words(range_, bought)
    late = await robin.select(stale.response, ["med_kit"])
    assert "has gone on since then" in words(range_, late)
    kit = await robin.select(late.response, ["med_kit"])
    told, alt = await show(range_)
    assert "8 of 50 points so far. Next: Mission 2." in told
    assert "bank 3 KP, failures 0 of 3" in alt
    assert "bought Combat Knife, M24 SWS, Med Kit" in alt
    assert "You take along: M24 SWS, Combat Knife, Med Kit" in alt
    await robin.click(kit.response, label="Next mission")
    mission = await state(range_)
    assert (mission.rifle, mission.gear, mission.med_kits) == ("m24", ["knife"], 1)
    line = "Campaign: mission 2 of 10 · 8 VP (minor 30, major 50) · failures 0 of 3 · bank 3 KP"
    assert line in range_.words(range_.panel)


async def restart(top: Tabletop) -> None:
    await top.bot.close()
    top.bot = toy_bot(top.folder, Registry())
    await top.env.restart_bot(top.bot)


@pytest.mark.rule("SK-17.3", "SK-17.4", "SK-17.6")
async def test_the_third_failure_ends_it_and_there_is_no_shop_after_one(range_: Tabletop) -> None:
    robin, channel = range_.robin, range_.channel
    await start(range_)
    await win(range_, kp=9)
    await robin.slash(channel, "campaign gear", what="m24")
    for failures in (1, 2):
        await robin.slash(channel, "campaign next")
        await fail(range_)
        shop = await robin.slash(channel, "campaign gear")
        assert "There is nothing to buy" in words(range_, shop)
        assert range_.menu(shop.response) == []
        refused = await robin.slash(channel, "campaign gear", what="buy=knife")
        assert "only after a mission that did not fail" in words(range_, refused)
        _, alt = await show(range_)
        assert f"bank 6 KP, failures {failures} of 3" in alt
        assert "You take along: M40A3 Sniper Rifle." in alt
    await robin.slash(channel, "campaign next")
    assert (await state(range_)).rifle == "m40a3"
    await fail(range_)
    assert "The campaign is over" in range_.words(range_.panel)
    told, _ = await show(range_)
    assert "Over with 8 of 50 points" in told
    refused = await robin.slash(channel, "campaign next")
    assert "no campaign under way" in words(range_, refused)


@pytest.mark.rule("SK-17.7")
async def test_ten_missions_have_a_level(range_: Tabletop) -> None:
    await start(range_, options="no_surrender")
    for number in range(1, 11):
        if number > 1:
            await range_.robin.slash(range_.channel, "campaign next")
        if number in (2, 4, 6):
            await fail(range_)
        else:
            await win(range_, kp=6)
    words_ = range_.words(range_.panel)
    assert "5 points for" in words_ and "35 of 50 in all" in words_
    told, alt = await show(range_)
    assert "Over with 35 of 50 points: **Minor victory**" in told
    assert alt.startswith("Sniper campaign")
    listed = await range_.robin.slash(range_.channel, "campaign list")
    assert "Minor victory" in words(range_, listed)
    record = await range_.robin.slash(range_.channel, "record", game="sniper")
    assert "10 played, 7 won." in words(range_, record)


async def test_two_side_by_side_and_giving_up(range_: Tabletop) -> None:
    await start(range_)
    second = await start(range_, options="veteran")
    assert "You have a campaign under way already: Sniper campaign" in words(range_, second)
    assert range_.labels(second.response) == ["Show it", "Abandon it…"]
    asked = await range_.robin.click(second.response, label="Abandon it…")
    done = await range_.robin.click(asked.response, label="Abandon it")
    assert "is abandoned" in range_.words(done.response or asked.response)
    tour = await range_.robin.slash(range_.channel, "campaign start", game="boots")
    assert "has begun, but its first mission is not open yet" in words(range_, tour)


@pytest.mark.rule("SK-22.8")
async def test_a_team_campaign(range_: Tabletop) -> None:
    robin, kim = range_.robin, range_.kim
    await start(range_, mode="Sniper and spotter")
    await kim.click(range_.panel, label="Join Spotter")
    await robin.click(range_.panel, label="Start")
    await win(range_, kp=5)
    bought = await kim.slash(range_.channel, "campaign gear", what="scope")
    assert "Gear up: Spotting Scope" in words(range_, bought)
    shown = await kim.slash(range_.channel, "campaign show")
    (alt,) = range_.pictures(shown.response)
    assert alt.startswith("Sniper campaign, Sniper and spotter")
    assert "4 of 50 points so far" in words(range_, shown) and "Spotting Scope" in alt
    refused = await kim.slash(range_.channel, "campaign start", game="sniper")
    assert "under way already" in words(range_, refused)
    await kim.slash(range_.channel, "campaign next")
    assert f"<@{robin.id}>" in range_.words(range_.panel)
    await kim.click(range_.panel, label="Start")
    assert (await state(range_)).gear == ["scope"]

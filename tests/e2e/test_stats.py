"""`/stats` through real discord.py: one's own games, somebody else's, a server's."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from sqlalchemy import insert

from bot.store import schema as db
from games.registry import Registry
from tests.bot import limits
from tests.e2e.tabletop import Tabletop, tabletop, toy_bot

NUMBERS = itertools.count(1)


async def played(top: Tabletop, who: Any, guild: int | None, **columns: Any) -> None:
    """A finished game of somebody."""
    number = next(NUMBERS)
    row = {
        "session_id": f"s{number:05d}",
        "seat": "RED",
        "user_id": who.id,
        "guild_id": guild,
        "game": "toy",
        "mission": "arena",
        "mode": "solo1",
        "side": "red",
        "won": True,
        "level": "",
        "cause": "",
        "figures": "{}",
        "most": 0,
        "par": 0,
        "counted": True,
        "time": 1_790_000_000 + number,
        **columns,
    }
    async with top.bot.store.write() as connection:
        await connection.execute(insert(db.records), [row])


async def ask(top: Tabletop, who: Any, command: str, **given: Any) -> tuple[str, list[str]]:
    """What the private answer says, and what its picture shows in words."""
    result = await who.slash(top.channel, command, **given)
    assert result.ephemeral
    shown = result.response
    limits.check_message(top.env.backend.get_message(top.channel.id, shown.id).components)
    return top.words(shown), top.pictures(shown)


async def test_who_has_no_games_is_told_what_to_do(top: Tabletop) -> None:
    told, pictures = await ask(top, top.robin, "stats player")
    assert "You have no finished game yet that counts." in told and "`/toy new`" in told
    assert pictures == []
    told, _ = await ask(top, top.robin, "stats player", game="toy", here=True)
    assert "no finished game of Toy Skirmish in this server yet" in told
    told, _ = await ask(top, top.robin, "stats player", user=top.kim.user)
    assert "Kim has no finished game in this server yet" in told and "`/toy new`" not in told
    told, _ = await ask(top, top.robin, "stats server")
    assert "No game has been finished in this server yet" in told
    told, _ = await ask(top, top.robin, "stats server", game="chess")
    assert "There is no game “chess”. There are: Toy Skirmish." in told


async def test_ones_own_games_are_told_wholly(top: Tabletop) -> None:
    here = top.guild.id
    for guild in (here, here + 1, None):
        await played(top, top.robin, guild)
    await played(top, top.robin, here, won=False)
    told, (alt,) = await ask(top, top.robin, "stats player")
    assert "### Your statistics" in told
    assert "**Toy Skirmish**: 3 of 4 games won, 75 %" in told
    assert "in all servers and direct messages" in told
    assert alt.startswith("Robin, All games. Toy Skirmish: 3 of 4 games won")
    told, _ = await ask(top, top.robin, "stats player", here=True)
    assert "1 of 2 games won" in told and "in this server only" in told
    result = await top.robin.user.slash("stats player")
    assert "3 of 4 games won" in top.words(result.response)
    result = await top.robin.user.slash("stats player", here=True)
    assert "1 of one game won" in top.words(result.response)
    assert "in direct messages only" in top.words(result.response)


async def test_of_others_nothing_is_told_but_this_servers_games(top: Tabletop) -> None:
    here = top.guild.id
    await played(top, top.kim, here, won=False)
    before = await top.robin.slash(top.channel, "stats player", user=top.kim.user)
    words = top.words(before.response)
    files = [await a.read() for a in before.response.attachments]
    assert "Statistics of Kim" in words and "0 of one game won" in words
    for guild in (here + 1, None):
        await played(top, top.kim, guild, mission="elsewhere")
    after = await top.robin.slash(top.channel, "stats player", user=top.kim.user)
    assert top.words(after.response) == words
    assert [await a.read() for a in after.response.attachments] == files
    direct = await top.robin.user.slash("stats player", user=top.kim.user)
    told = top.words(direct.response)
    assert "I tell only your own statistics" in told and "elsewhere" not in told


async def test_a_servers_games_and_people(top: Tabletop) -> None:
    here = top.guild.id
    await top.open()  # so that Robin's name is stored
    await played(top, top.robin, here)
    await played(top, top.robin, here, won=False)
    await played(top, top.kim, here + 1)
    told, (alt,) = await ask(top, top.kim, "stats server")
    assert "**Toy Skirmish**: 2 games" in told
    assert "Most played: The arena, twice. Played by one person." in told
    assert alt.startswith("This server, All games. ")
    told, _ = await ask(top, top.kim, "stats server", game="Toy Skirmish")
    assert "**Toy Skirmish**: 2 games" in told
    direct = await top.robin.user.slash("stats server")
    assert "ask in one" in top.words(direct.response)


async def test_games_are_suggested(top: Tabletop) -> None:
    found = await top.robin.autocomplete(top.channel, "stats player", "game", "skir")
    assert [(choice["name"], choice["value"]) for choice in found] == [("Toy Skirmish", "toy")]


async def test_a_game_that_was_really_played_counts(tmp_path: Path) -> None:
    async with tabletop(tmp_path, toy_bot(tmp_path, Registry())) as top:
        await top.robin.slash(top.channel, "boots new", mission="hot-lz", mode="solo1")
        asked = await top.robin.slash(top.channel, "boots concede")
        if "Yes" in top.labels(asked.response):
            await top.robin.click(asked.response, label="Yes")
        told, (alt,) = await ask(top, top.robin, "stats player")
        assert "**Boots on the Ground**: 0 of one game won" in told
        assert "Most played: Hot LZ, once." in told and "Boots on the Ground" in alt
        told, _ = await ask(top, top.robin, "stats server")
        assert "**Boots on the Ground**: one game" in told

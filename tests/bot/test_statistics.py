"""Totals: whose games are counted where, and what is told of them."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import discord
import pytest
from discord import app_commands
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert

from bot import statistics, totals
from bot.layout import Image
from bot.statistics import Titles, letter, player_lines, server_lines
from bot.store import Store, quick
from bot.store import schema as db
from bot.totals import EVERYWHERE, Person, Played, Server, wilson
from cogs.stats import StatsCog
from games.registry import Registry
from renderer import plots
from renderer.plots import Bars, Course, Rates
from tests import toygame
from tests.bot import limits, widest
from tests.bot.house import KIM, ROBIN, SAM

HERE, THERE = 9, 10
DAY = 86_400


class Book:
    """Records written by hand."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.sessions = itertools.count(1)

    async def add(
        self,
        user: int = ROBIN,
        *,
        session: str = "",
        guild: int | None = HERE,
        seat: str = "RED",
        **columns: Any,
    ) -> str:
        name = session or f"s{next(self.sessions):04d}"
        row = {
            "session_id": name,
            "seat": seat,
            "user_id": user,
            "guild_id": guild,
            "game": "toy",
            "mission": "arena",
            "mode": "solo1",
            "side": seat.lower(),
            "won": True,
            "level": "",
            "cause": "",
            "figures": "{}",
            "most": 0,
            "par": 0,
            "counted": True,
            "time": 1_790_000_000 + DAY * int(name[1:]),
            **columns,
        }
        async with self.store.write() as connection:
            await connection.execute(insert(db.records), [row])
        return name

    async def named(self, user: int, name: str) -> None:
        async with self.store.write() as connection:
            await connection.execute(insert(db.users), [{"id": user, "name": name, "updated": 1}])


@pytest.fixture
def book(store: Store) -> Book:
    return Book(store)


@pytest.fixture
def titles() -> Titles:
    return Titles(Registry({"toy": toygame.load}, shipped=False))


async def sessions(
    book: Book, user: int, guild: int | None = EVERYWHERE, game: str = ""
) -> list[str]:
    return [one.session for one in await totals.played_by(book.store, user, guild, game)]


# --- whose games, and where ---


async def test_whose_games_are_read(book: Book) -> None:
    here = await book.add()
    there = await book.add(guild=THERE)
    direct = await book.add(guild=None)
    await book.add(KIM)
    await book.add(counted=False)
    other = await book.add(game="boots")
    assert await sessions(book, ROBIN) == [here, there, direct, other]
    assert await sessions(book, ROBIN, HERE) == [here, other]
    assert await sessions(book, ROBIN, THERE) == [there]
    assert await sessions(book, ROBIN, None) == [direct]
    assert await sessions(book, ROBIN, HERE, "toy") == [here]
    assert await sessions(book, SAM) == []


async def test_all_seats_of_somebody_are_one_game(book: Book) -> None:
    name = await book.add(won=False)
    await book.add(session=name, seat="BLUE", level="Solid")
    (one,) = await totals.played_by(book.store, ROBIN)
    assert one.won and one.result == "Solid" and one.sides == ("blue", "red")


async def test_a_server_knows_only_what_was_played_in_it(book: Book) -> None:
    await book.named(ROBIN, "Robin")
    both = await book.add(won=False)
    await book.add(KIM, session=both, seat="BLUE")
    await book.add(KIM, session=both, seat="RED2")
    await book.add(game="boots", mission="hot-lz")
    alone = await totals.server_of(book.store, HERE)
    assert alone == Server(
        games=(("boots", 1), ("toy", 1)),
        missions=(("boots", "hot-lz", 1), ("toy", "arena", 1)),
        people=(Person(ROBIN, "Robin", 2, 1), Person(KIM, "somebody", 1, 1)),
        number=2,
    )
    for guild in (THERE, None):
        await book.add(SAM, guild=guild, mission="secret")
        await book.add(guild=guild)
    await book.add(SAM, counted=False)
    assert await totals.server_of(book.store, HERE) == alone
    only = await totals.server_of(book.store, HERE, "boots")
    assert only.games == (("boots", 1),) and [one.user_id for one in only.people] == [ROBIN]
    assert (await totals.server_of(book.store, 77)).played == 0


async def test_a_servers_records_are_gone_through_in_a_thread(
    book: Book, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, real = dict[str, bool](), quick._quick

    def noted(call: Any, args: tuple[Any, ...]) -> bool:
        at_once = real(call, args)
        if args and "records" in str(args[0]):
            asked[str(args[0])] = at_once
        return at_once

    await book.add()
    monkeypatch.setattr(quick, "_quick", noted)
    assert (await totals.server_of(book.store, HERE)).played == 1
    assert len(asked) == 3 and not any(asked.values())
    await totals.played_by(book.store, ROBIN)
    assert sum(asked.values()) == 1


async def test_only_so_many_people_and_missions(book: Book) -> None:
    for user in range(900, 915):
        await book.add(user, mission=f"m{user}")
        if user % 2:
            await book.add(user, mission=f"m{user}")
    found = await totals.server_of(book.store, HERE)
    assert found.number == 15 and len(found.people) == 10 and len(found.missions) == 6
    assert [one.played for one in found.people] == [2] * 7 + [1] * 3
    assert [one.user_id for one in found.people][:3] == [901, 903, 905]


# --- the honest interval ---


@given(st.integers(1, 400), st.data())
def test_wilsons_interval_is_where_the_share_is_no_surprise(
    played: int, data: st.DataObject
) -> None:
    """Its ends are the shares from which what was seen is exactly 1.96 standard deviations away."""
    won = data.draw(st.integers(0, played))
    low, high = wilson(won, played)
    seen = won / played
    assert 0 <= low <= seen + 1e-12 and seen - 1e-12 <= high <= 1
    for end in (low, high):
        if 0 < end < 1:
            assert abs(seen - end) == pytest.approx(
                1.96 * (end * (1 - end) / played) ** 0.5, abs=1e-9
            )


def test_no_game_says_nothing_about_the_share() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(1, 1)
    assert 0.2 < low < 0.21 and high == 1


# --- what is told ---


def games(number: int = 5, **values: Any) -> list[Played]:
    found = [
        Played(
            f"s{n}", "toy", "arena", "solo1" if n % 2 else "duel", ("red",), n % 3 > 0, "", DAY * n
        )
        for n in range(number)
    ]
    return [replace(one, **values) for one in found]


def test_sections_of_one_game(titles: Titles) -> None:
    rates, course, missions, results = statistics.sections_of(games(), titles)
    assert isinstance(rates, Rates) and isinstance(course, Course)
    assert isinstance(missions, Bars) and isinstance(results, Bars)
    assert [(r.name, r.won, r.played, r.inner) for r in rates.rows] == [
        ("Toy Skirmish", 3, 5, False), ("Two players", 2, 3, True), ("Solo", 1, 2, True),
    ]  # fmt: skip
    assert course.times == (0, 0.25, 0.5, 0.75, 1) and course.first == "1 Jan 1970"
    assert [(row.name, row.told) for row in missions.rows] == [("The arena", "3 of 5")]
    assert [(row.name, row.count, row.part) for row in results.rows] == [
        ("Won", 3, 3),
        ("Lost", 2, 0),
    ]


def test_sides_are_told_when_there_are_several(titles: Titles) -> None:
    played = [*games(2), *games(2, sides=("blue", "red"))]
    sides = statistics.sections_of(played, titles)[-1]
    assert isinstance(sides, Bars) and sides.title == "Sides"
    assert [(row.name, row.count) for row in sides.rows] == [("Red", 4), ("Blue", 2)]


def test_levels_go_from_the_best(titles: Titles) -> None:
    shipped = Titles(Registry())
    played = [
        *games(1, game="boots", won=True, level="Narrow"),
        *games(1, game="boots", won=True, level="Outstanding"),
        *games(1, game="boots", won=False),
        *games(1, game="boots", won=True, level="Unheard of"),
    ]
    results = statistics.sections_of(played, shipped)[-1]
    assert isinstance(results, Bars)
    assert [row.name for row in results.rows] == ["Outstanding", "Narrow", "Lost", "Unheard of"]


def test_a_game_this_bot_does_not_know_is_told_by_its_name(titles: Titles) -> None:
    (first, *_) = statistics.sections_of(games(1, game="chess", mission="e4", mode="blitz"), titles)
    assert isinstance(first, Rates) and first.rows[0].name == "chess"
    (line,) = player_lines(games(3, game="chess", mission="e4"), titles)
    assert "**chess**: 2 of 3 games won, 67 %" in line and "Most played: e4, 3 times." in line


def test_games_at_the_same_moment_are_drawn(titles: Titles) -> None:
    course = statistics.sections_of(games(4, time=5), titles)[1]
    assert isinstance(course, Course) and course.times == (0, 1 / 3, 2 / 3, 1)


def test_what_the_lines_say(titles: Titles) -> None:
    assert player_lines(games(1), titles) == [
        "**Toy Skirmish**: 0 of one game won, 0 % (the true share is probably between 0 % and 79 %). "
        "Most played: The arena, once."
    ]
    server = Server((("toy", 2),), (("toy", "arena", 2),), (Person(1, "Robin", 2, 1),), 1)
    assert server_lines(server, titles) == [
        "**Toy Skirmish**: 2 games",
        "Most played: The arena, twice. Played by one person.",
    ]


def test_the_widest_letters_and_pictures_fit(titles: Titles) -> None:
    long = widest.LONG
    played = [
        Played(f"s{n}", f"{n % 30} {long}", long, f"{n} {long}", (long,), True, long, DAY * n)
        for n in range(300)
    ]
    told = player_lines(played, titles)
    assert len(told) == statistics.MOST_TOLD + 1 and told[-1] == "and 22 more"
    picture = plots.statistics(statistics.sections_of(played, titles), long, long, long)
    image = Image("statistics.png", picture.png, picture.alt)
    shown = letter(f"Statistics of {long[:32]}", told, (image,), statistics.SCOPES["all"])
    limits.check_message(shown.screen.to_components())
    assert len(picture.png) < 8_000_000
    server = Server(
        tuple((f"{n} {long}", n) for n in range(30)),
        tuple((f"{n}", long, n) for n in range(6)),
        tuple(Person(n, long, n, n) for n in range(1, 11)),
        5_000,
    )
    told = server_lines(server, titles)
    shown = letter("Statistics of this server", told, (image,), statistics.SCOPES["server"])
    limits.check_message(shown.screen.to_components())
    people = statistics.sections_of_server(server, titles)[-1]
    assert isinstance(people, Bars) and people.title == "People: won of played (10 of 5,000)"


async def test_the_commands_are_within_discords_limits() -> None:
    intents = discord.Intents.none()
    tree = app_commands.CommandTree(discord.Client(intents=intents))
    cog = StatsCog()
    group = cog.app_command
    assert isinstance(group, app_commands.Group)
    limits.check_commands([group.to_dict(tree)])
    assert {command.name for command in group.commands} == {"player", "server"}

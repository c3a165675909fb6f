"""`/stats`: what finished games come to, one person's or a server's, as a picture and in words.

Whose games are told where: a server's statistics know only games played in that server. What somebody
else has played is told only of the server in which it is asked; one's own games are told wholly, because
nobody else reads the answer.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeAlias, TypeVar

import discord

from bot import texts
from bot.acknowledge import Desk
from bot.layout import Image, Letter, Screen, card, gallery, text
from bot.records import field_titles
from bot.refusals import Refused
from bot.store import Store
from bot.studio import Studio
from bot.totals import (
    EVERYWHERE,
    MOST_MISSIONS,
    Played,
    Server,
    played_by,
    server_of,
    wilson,
)
from games.kernel.game import Game
from games.kernel.service import LOST, WON
from games.registry import GameUnavailable, Registry
from renderer import plots
from renderer.plots import Bar, Bars, Course, Rate, Rates
from renderer.plots.statistics import Section

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]
Person: TypeAlias = discord.User | discord.Member
K = TypeVar("K")

STATS = "statistics.png"
MOST_RATES = 9
MOST_TOLD = 8

NONE_YET = "{whose} no finished game{where} yet that counts. A game counts when it ends by its rules. {news}"
NOT_HERE = (
    "In a direct message I tell only your own statistics. Ask for {name} in a server: there I tell "
    "what was played in that server."
)
NO_SERVER = (
    "This is about a server, so ask in one. `/stats player` shows your own games everywhere."
)
EMPTY_SERVER = "No game{of} has been finished in this server yet that counts. {news}"
UNKNOWN = "There is no game “{game}”. There are: {games}."
SCOPES = {
    "all": "-# Games that ended by their rules, in all servers and direct messages. Only you see this.",
    "here": "-# Games that ended by their rules, in this server only.",
    "direct": "-# Games that ended by their rules, in direct messages only. Only you see this.",
    "server": (
        "-# Games that ended by their rules in this server. What people play elsewhere is not in it."
    ),
}
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


class Titles:
    """How games, missions and modes are called, as far as this bot knows them."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._known: dict[str, tuple[Game[Any] | None, dict[str, dict[str, str]]]] = {}

    def _of(self, slug: str) -> tuple[Game[Any] | None, dict[str, dict[str, str]]]:
        if slug not in self._known:
            try:
                game = self._registry.newest(slug)
                self._known[slug] = game, field_titles(game)
            except GameUnavailable:
                self._known[slug] = None, {}
        return self._known[slug]

    def game(self, slug: str) -> str:
        """A game’s title."""
        game, _ = self._of(slug)
        return slug if game is None else game.title

    def mode(self, slug: str, mode: str) -> str:
        """A mode’s title."""
        return self._of(slug)[1].get("mode", {}).get(mode, mode)

    def mission(self, slug: str, mission: str) -> str:
        """A mission’s title; some games name it by what it was played with."""
        _, fields = self._of(slug)
        named = [fields.get("mission", {}), *(v for k, v in fields.items() if k != "mode")]
        return next((titles[mission] for titles in named if mission in titles), mission)

    def levels(self, slug: str) -> tuple[str, ...]:
        """A game’s results from the best on."""
        game, _ = self._of(slug)
        grading = None if game is None else game.grading()
        return (*reversed(grading.levels if grading else ()), WON, LOST)


class Statistics:
    """Answers `/stats`."""

    def __init__(self, store: Store, registry: Registry, desk: Desk, studio: Studio) -> None:
        self._store = store
        self._registry = registry
        self._desk = desk
        self._studio = studio

    def games(self) -> dict[str, str]:
        """The titles of the games, by slug."""
        titles = Titles(self._registry)
        return {slug: titles.game(slug) for slug in self._registry.slugs()}

    def _meant(self, typed: str) -> str:
        """A game by its slug or title. Raises `Refused`."""
        wanted, games = typed.strip().casefold(), self.games()
        found = [s for s, title in games.items() if wanted in ("", s, title.casefold())]
        if wanted and not found:
            listed = texts.listed(list(games.values()))
            raise Refused(UNKNOWN.format(game=texts.quoted(typed), games=listed))
        return found[0] if wanted else ""

    def _news(self, slug: str) -> str:
        slug = slug or next(iter(self._registry.slugs()), "")
        return f"`/{slug} new` opens a table." if slug else ""

    async def player(
        self, interaction: Interaction, user: Person | None, game: str, here: bool
    ) -> None:
        """One person’s games, in a private message."""

        async def work() -> Letter:
            slug, who = self._meant(game), user or interaction.user
            own, guild = who.id == interaction.user.id, interaction.guild_id
            name = texts.plain(who.display_name)
            if not own and guild is None:
                raise Refused(NOT_HERE.format(name=name))
            scope = "all" if own and not here else "direct" if guild is None else "here"
            place = EVERYWHERE if scope == "all" else guild
            played = await played_by(self._store, who.id, place, slug)
            titles = Titles(self._registry)
            if not played:
                where = {"all": "", "direct": " in direct messages", "here": " in this server"}[
                    scope
                ]
                of = f" of {titles.game(slug)}" if slug else ""
                whose = "You have" if own else f"{name} has"
                news = self._news(slug) if own else ""
                raise Refused(NONE_YET.format(whose=whose, where=of + where, news=news).strip())
            subtitle = titles.game(slug) if slug else "All games"
            if scope != "all":
                subtitle += ", here"
            told = player_lines(played, titles)
            title = f"Statistics of {name}" if not own else "Your statistics"
            sections = sections_of(played, titles)
            images = await self._drawn(sections, who.display_name, subtitle, "\n".join(told))
            return letter(title, told, images, SCOPES[scope])

        await self._desk.answer(interaction, work)

    async def server(self, interaction: Interaction, game: str) -> None:
        """What was played in the server, in a private message."""

        async def work() -> Letter:
            slug, guild = self._meant(game), interaction.guild_id
            if guild is None:
                raise Refused(NO_SERVER)
            found = await server_of(self._store, guild, slug)
            titles = Titles(self._registry)
            if not found.played:
                of = f" of {titles.game(slug)}" if slug else ""
                raise Refused(EMPTY_SERVER.format(of=of, news=self._news(slug)))
            told = server_lines(found, titles)
            subtitle = titles.game(slug) if slug else "All games"
            sections = sections_of_server(found, titles)
            images = await self._drawn(sections, "This server", subtitle, "\n".join(told))
            return letter("Statistics of this server", told, images, SCOPES["server"])

        await self._desk.answer(interaction, work)

    async def _drawn(
        self, sections: Sequence[Section], title: str, subtitle: str, alt: str
    ) -> tuple[Image, ...]:
        """The picture; nothing if it cannot be drawn."""
        plain = alt.replace("**", "")
        draw = partial(plots.statistics, sections, title, subtitle, f"{title}, {subtitle}. {plain}")
        try:
            picture = await self._studio.make(draw)
        except Exception:
            log.exception("a plot (%s) could not be drawn", STATS)
            return ()
        return (Image(STATS, picture.png, picture.alt),)


def letter(title: str, told: Sequence[str], images: tuple[Image, ...], small: str) -> Letter:
    """The picture, and the same in words."""
    parts = [text(f"### {title}"), text("\n".join(told)), *gallery(images), text(small)]
    return Letter(Screen(card(*parts)), images)


# --- in words ---


def player_lines(played: Sequence[Played], titles: Titles) -> list[str]:
    """One person’s games, a line for each game."""
    lines: list[str] = []
    games = _by(played, lambda one: one.game)
    for slug, mine in list(games.items())[:MOST_TOLD]:
        won, number = sum(one.won for one in mine), len(mine)
        low, high = wilson(won, number)
        mission, often = Counter(one.mission for one in mine).most_common(1)[0]
        favourite = texts.plain(titles.mission(slug, mission))
        lines.append(
            f"**{texts.plain(titles.game(slug))}**: {won:,} of {_games(number)} won, "
            f"{_percent(won / number)} (the true share is probably between {_percent(low)} and "
            f"{_percent(high)}). Most played: {favourite}, {_times(often)}."
        )
    return _rest(lines, len(games))


def server_lines(server: Server, titles: Titles) -> list[str]:
    """What was played in a server, a line for each game, and by how many people."""
    people = "one person" if server.number == 1 else f"{server.number:,} people"
    lines: list[str] = []
    for slug, number in server.games[:MOST_TOLD]:
        lines.append(f"**{texts.plain(titles.game(slug))}**: {_games(number)}")
    lines = _rest(lines, len(server.games))
    slug, mission, number = server.missions[0]
    favourite = texts.plain(titles.mission(slug, mission))
    lines.append(f"Most played: {favourite}, {_times(number)}. Played by {people}.")
    return lines


def _rest(lines: list[str], number: int) -> list[str]:
    left = number - len(lines)
    return [*lines, f"and {left} more"] if left else lines


def _games(number: int) -> str:
    return "one game" if number == 1 else f"{number:,} games"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def _percent(share: float) -> str:
    return f"{round(100 * share)} %"


# --- as sections of a picture ---


def sections_of(played: Sequence[Played], titles: Titles) -> tuple[Section, ...]:
    """What one person's games come to. There must be one at least."""
    games = _by(played, lambda one: one.game)
    found: list[Section] = [Rates("Games won", tuple(_rates(games, titles)[:MOST_RATES]))]
    if len(played) > 1:
        found.append(_course(played))
    missions = _by(played, lambda one: (one.game, one.mission))
    rows = [_bar(titles.mission(*key), mine) for key, mine in missions.items()]
    found.append(Bars("Missions", tuple(rows[:MOST_MISSIONS])))
    if len(games) == 1:
        slug = played[0].game
        results = Counter(one.result for one in played)
        order = [level for level in titles.levels(slug) if results[level]]
        order += sorted(set(results).difference(order))
        levels = [
            Bar(r, results[r], 0 if r == LOST else results[r], f"{results[r]:,}") for r in order
        ]
        found.append(Bars("Results", tuple(levels)))
        sides = _by_side(played)
        if len(sides) > 1:
            found.append(
                Bars("Sides", tuple(_bar(side.capitalize(), mine) for side, mine in sides.items()))
            )
    return tuple(found)


def _rates(games: Mapping[str, Sequence[Played]], titles: Titles) -> list[Rate]:
    rows: list[Rate] = []
    for slug, mine in games.items():
        rows.append(_rate(titles.game(slug), mine))
        modes = _by(mine, lambda one: one.mode)
        if len(modes) > 1:
            rows += [_rate(titles.mode(slug, m), some, inner=True) for m, some in modes.items()]
    return rows


def _rate(name: str, played: Sequence[Played], *, inner: bool = False) -> Rate:
    won = sum(one.won for one in played)
    return Rate(name, len(played), won, *wilson(won, len(played)), inner)


def _bar(name: str, played: Sequence[Played]) -> Bar:
    won = sum(one.won for one in played)
    return Bar(name, len(played), won, f"{won:,} of {len(played):,}")


def _by(played: Iterable[Played], key: Callable[[Played], K]) -> dict[K, list[Played]]:
    """Games by some key, the most frequent first."""
    found: dict[K, list[Played]] = {}
    for one in played:
        found.setdefault(key(one), []).append(one)
    return dict(sorted(found.items(), key=lambda pair: -len(pair[1])))


def _by_side(played: Iterable[Played]) -> dict[str, list[Played]]:
    """Games by side; somebody who had several sides in a game has it under each."""
    found: dict[str, list[Played]] = {}
    for one in played:
        for side in one.sides:
            found.setdefault(side, []).append(one)
    return dict(sorted(found.items(), key=lambda pair: -len(pair[1])))


def _course(played: Sequence[Played]) -> Course:
    first, last = played[0].time, played[-1].time
    span = last - first
    count = len(played) - 1
    times = [(one.time - first) / span if span else n / count for n, one in enumerate(played)]
    return Course("Over time", tuple(times), tuple(p.won for p in played), day(first), day(last))


def day(time: int) -> str:
    """The day of a time, by UTC: “3 Mar 2026”."""
    at = datetime.fromtimestamp(time, UTC)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def sections_of_server(server: Server, titles: Titles) -> tuple[Section, ...]:
    """What a server's games come to. There must be one at least."""
    found: list[Section] = []
    if len(server.games) > 1:
        rows = [Bar(titles.game(slug), n, n, f"{n:,}") for slug, n in server.games[:MOST_RATES]]
        found.append(Bars("Games", tuple(rows)))
    rows = [Bar(titles.mission(slug, m), n, n, f"{n:,}") for slug, m, n in server.missions]
    found.append(Bars("Missions", tuple(rows)))
    people = [Bar(p.name, p.played, p.won, f"{p.won:,} of {p.played:,}") for p in server.people]
    title = "People: won of played"
    if server.number > len(people):
        title += f" ({len(people)} of {server.number:,})"
    found.append(Bars(title, tuple(people)))
    return tuple(found)

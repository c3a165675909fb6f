"""`/mygames`: what waits for somebody in every server, and what else goes on, in a private letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import discord

from bot import texts
from bot.acknowledge import Desk, Way
from bot.custom_ids import Press
from bot.layout import Letter, Screen, button, card, message_url, rows, text
from bot.lobby import label_of
from bot.offers import MINE
from bot.sessions import Sessions
from bot.sessions.waiting import Mine
from bot.store.schema import LOBBY, PAUSED
from bot.turns import is_private
from games.registry import GameUnavailable, Registry

Interaction: TypeAlias = discord.Interaction[Any]

ON_PAGE = 10
LONGEST_TITLE, LONGEST_SEATS = 80, 60

NONE = "You play no game at the moment. {news}"
NOTHING_WAITS = "Nothing waits for you."
CHANNEL_URL = "https://discord.com/channels/{guild}/{channel}"


class MyGames:
    """The list of one's own sessions, by command and by button."""

    def __init__(self, sessions: Sessions, desk: Desk) -> None:
        self._sessions = sessions
        self._desk = desk

    async def show(self, interaction: Interaction, page: int = 1) -> None:
        """A page of them; a number beyond the last gives the last."""

        async def work() -> Letter:
            found = await self._sessions.mine(interaction.user.id)
            return mine_letter(found, self._sessions.registry, page)

        way = Way.CHANGE if is_private(interaction) else Way.NEW
        await self._desk.answer(interaction, work, way)


def mine_letter(found: Sequence[Mine], registry: Registry, page: int = 1) -> Letter:
    """The list, in the order given: those that wait first."""
    if not found:
        slug = next(iter(registry.slugs()), "")
        news = f"`/{slug} new` opens one in a channel." if slug else ""
        return Letter(Screen(card(text(NONE.format(news=news).strip()))))
    pages = -(-len(found) // ON_PAGE)
    page = min(max(1, page), pages)
    shown = found[(page - 1) * ON_PAGE : page * ON_PAGE]
    waiting = sum(one.since is not None for one in found)
    order = ", longest waiting first" if waiting > 1 else ""
    head = "### Your games\n" + (
        f"{_counted(waiting)} for you{order}." if waiting else NOTHING_WAITS
    )
    parts = [head]
    due = [_line(one, registry) for one in shown if one.since is not None]
    others = [_line(one, registry) for one in shown if one.since is None]
    if due:
        parts.append("**Waiting for you**\n" + "\n".join(due))
    if others:
        parts.append("**Nothing to do for you**\n" + "\n".join(others))
    items = [text(part) for part in parts]
    turn = [
        button("Back", _press(page - 1), disabled=page == 1),
        button("Refresh", _press(page)),
        button(f"Page {page + 1} of {pages}", _press(page + 1), disabled=page == pages),
    ]
    if pages == 1:
        turn = [turn[1]]
    else:
        items.append(text(f"-# Page {page} of {pages}, {len(found)} games."))
    return Letter(Screen(card(*items, *rows(turn))))


def _press(page: int) -> str:
    return str(Press("mine", page, MINE))


def _counted(number: int) -> str:
    return "One table waits" if number == 1 else f"{number} tables wait"


def _line(one: Mine, registry: Registry) -> str:
    """One session: the way to it, the seat, since when it waits or how it stands."""
    where = texts.place(one.channel_id, one.guild_id)
    seats = texts.clip(texts.plain(texts.listed(one.seats)), LONGEST_SEATS)
    title = texts.plain(texts.clip(_title(one, registry), LONGEST_TITLE))
    title = title.replace("[", "(").replace("]", ")")  # it is the text of a link
    return f"- [{title}]({_url(one)}) in {where}\n  {seats} · {_standing(one)}"


def _standing(one: Mine) -> str:
    if one.since is not None:
        what = "everybody is there: start the game" if one.status == LOBBY else "waits for you"
        return f"{what}, since <t:{one.since}:R>"
    if one.status == LOBBY:
        return f"not begun yet, last change <t:{one.updated}:R>"
    if one.status == PAUSED:
        return "paused: it cannot be read, and waits for whoever runs this bot"
    return f"waits for others, last step <t:{one.updated}:R>"


def _title(one: Mine, registry: Registry) -> str:
    """Game and mission, as far as this bot knows them."""
    try:
        game = registry.newest(one.slug)
    except GameUnavailable:
        return f"{one.slug}: {one.setup.mission}"
    if one.setup.lesson:
        return f"{game.title}: tutorial"
    mission = next((f for f in game.setup_fields() if f.name == "mission"), None)
    label = label_of(mission, one.setup.mission) if mission else one.setup.mission
    return f"{game.title}: {label}" if label else game.title


def _url(one: Mine) -> str:
    """The board's address; that of its channel while no board is posted."""
    if one.panel_message_id is None:
        return CHANNEL_URL.format(guild=one.guild_id or "@me", channel=one.channel_id)
    return message_url(one.guild_id, one.channel_id, one.panel_message_id)

"""`/help`: an overview that knows what goes on in the channel, and the topics, one step from each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

from bot import texts
from bot.coaching import FIRST
from bot.custom_ids import Press
from bot.helping import TOPICS, filled, games_by_slug, news
from bot.layout import Item, Letter, Screen, Style, button, card, link, message_url, rows, text
from bot.lobby import state_of
from bot.offers import HELP_AT, HELP_TOPIC, acting, starts, who_acts
from bot.panel import to_act
from bot.sessions.model import Table
from games.registry import Registry

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Play", ("tutorial", "start", "turns", "board", "rules", "commands")),
    ("At the table", ("seats", "time", "mygames", "past", "undo", "saves", "end")),
    ("Dice and cards", ("dice", "roll", "deck")),
    ("Campaigns and statistics", ("campaigns", "stats")),
    ("Privacy and host", ("privacy", "host")),
)
"""Where the topics stand in the overview; one that is named nowhere comes at the end, under “More”."""

OTHERS = "More"
NOWHERE = "help"
"""Stands for the session in a control of help that was asked for where no game is."""

OVERVIEW = 0
"""The place of the overview; the topics have theirs from 1 on, in the order of the groups."""

HEAD = (
    "I run wargames by post: everybody plays when they have time, I keep to the rules, roll the dice "
    "and draw the board."
)
MOST_BUTTONS = 5
YOUR_TURN = "**It is your turn in this channel**{seat}: {what}. {how}"
PRESS = "Press {buttons} under the board."
NOT_YOUR_TURN = "**In this channel it is the turn of {who}.** You hold a seat and need not act now."
WATCHING = "**In this channel it is the turn of {who}.** You hold no seat, so you may watch."


def grouped() -> list[tuple[str, list[str]]]:
    """The groups with the topics that there are."""
    found = [(title, [name for name in names if name in TOPICS]) for title, names in GROUPS]
    named = [name for _, names in found for name in names]
    found.append((OTHERS, [name for name in TOPICS if name not in named]))
    return [(title, names) for title, names in found if names]


def in_order() -> list[str]:
    """All topics in the order of the groups."""
    return [name for _, names in grouped() for name in names]


def topic_at(place: int) -> str:
    """The topic at a place; empty for the overview, and for a place that there is not."""
    order = in_order()
    return order[place - 1] if 1 <= place <= len(order) else ""


def help_letter(
    registry: Registry,
    topic: str,
    table: Table | None = None,
    user_id: int = 0,
    commands: Sequence[str] = (),
) -> Letter:
    """Help on one topic, or the overview (`topic` empty or unknown).

    `table` is the one in the channel, `commands` are the names of all commands without their slash.
    """
    if topic not in TOPICS:
        return _overview(registry, table, user_id)
    games = games_by_slug(registry)
    slug = table.slug if table is not None else next(iter(games), "")
    told = filled(TOPICS[topic][1], games, games.get(slug), commands)
    items: list[Item] = [text(f"### {TOPICS[topic][0]}\n{told}")]
    taught = next((one for one, game in games.items() if game.lessons()), "")
    if topic == "tutorial" and taught:
        items += rows([button("Start the tutorial", str(Press(taught, 0, FIRST)), Style.primary)])
    return Letter(Screen(card(*items, *_ways(table, topic))))


def _overview(registry: Registry, table: Table | None, user_id: int) -> Letter:
    here = situation(table, user_id) or _nothing_here(registry)
    lines = [
        f"**{title}:** " + " · ".join(TOPICS[name][0] for name in names)
        for title, names in grouped()
    ]
    items: list[Item] = [text(f"### Help\n{here}"), *_board(table, user_id)]
    items += [text(HEAD + "\n" + "\n".join(lines))]
    return Letter(Screen(card(*items, *_ways(table, ""))))


def _nothing_here(registry: Registry) -> str:
    games = games_by_slug(registry)
    lines = [f"No game is running in this channel. {news(games)}"]
    if any(game.lessons() for game in games.values()):
        lines.append("New here? `/tutorial` teaches you to play.")
    return "\n".join(lines)


def situation(table: Table | None, user_id: int) -> str:
    """Whose turn it is in the channel, and what somebody can do now; empty where no game is."""
    if table is None:
        return ""
    if table.over:
        return to_act(table)
    if table.lobby:
        return state_of(table)
    due, mine = acting(table, user_id), table.seats_of(user_id)
    if not due:
        told = NOT_YOUR_TURN if mine else WATCHING
        return told.format(who=who_acts(table))
    what = next((task.what.rstrip(".") for task in table.tasks() if task.seat in due), "")
    titles = [holder.title for holder in table.seats if holder.seat in due]
    seat = f" ({texts.listed(titles)})" if len(table.seats) > 1 else ""
    labels = [f"“{start.label}”" for start in starts(table, user_id) if not start.confirm]
    how = PRESS.format(buttons=texts.listed(labels[:MOST_BUTTONS], last="or")) if labels else ""
    return texts.clip(YOUR_TURN.format(seat=seat, what=what, how=how), 600)


def _board(table: Table | None, user_id: int) -> list[Item]:
    """The way to the board, for somebody who must act there."""
    if table is None or not table.panel_message_id or not acting(table, user_id):
        return []
    url = message_url(table.guild_id, table.channel_id, table.panel_message_id)
    return rows([link("Go to the board", url)])


def _ways(table: Table | None, topic: str) -> list[Item]:
    """The menu of topics, and from a topic the ways on, back and up."""
    session = NOWHERE if table is None else table.id
    options = [
        discord.SelectOption(
            label=texts.clip(TOPICS[name][0], 100),
            value=name,
            description=title,
            default=name == topic,
        )
        for title, names in grouped()
        for name in names
    ]
    menu: ui.Select[Any] = ui.Select(
        custom_id=str(Press(session, 0, HELP_TOPIC)),
        placeholder="Choose a topic",
        options=options[:25],
    )
    if not topic:
        return [ui.ActionRow(menu)]
    order = in_order()
    place = order.index(topic) + 1

    def way(label: str, to: int, *, off: bool = False, seat: int) -> ui.Button[Any]:
        # The last number only tells the three apart when two lead to the same place.
        return button(label, str(Press(session, to, HELP_AT, seat)), disabled=off)

    ways = [
        way("◀ Back", max(1, place - 1), off=place == 1, seat=0),
        way("All topics", OVERVIEW, seat=1),
        way("Next ▶", min(len(order), place + 1), off=place == len(order), seat=2),
    ]
    return [ui.ActionRow(menu), *rows(ways)]

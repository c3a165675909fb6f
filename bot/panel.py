"""The panel: the one public message that shows how a game stands, and its private small sister.

Pure: a table, events and pictures go in, a letter comes out. `bot.poster` sends it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import discord
from discord import ui

from bot import coaching, lobby, quick, texts
from bot.custom_ids import Press
from bot.layout import (
    AMBER,
    GREY,
    MOST_IN_ROW,
    Image,
    Item,
    Letter,
    Screen,
    Style,
    button,
    card,
    gallery,
    link,
    message_url,
    note,
    rows,
    text,
)
from bot.offers import (
    BOARD,
    CAMPAIGN_NEXT,
    CAMPAIGN_SHOW,
    CATCH_UP,
    HAND,
    HELP,
    JOIN,
    MORE,
    ODDS,
    UNDO,
    acting,
    has_secrets,
    mentioned,
    not_your_moment,
    place,
    starts,
)
from bot.refusals import NotStarted, Refused, Stale, TableOver, WhichSeat
from bot.sessions.model import Table
from games.kernel.event import Event, seen_by

MOST_LINES = 12
MOST_VERBS = 15
"""Verb buttons on the panel, three rows; what is left over is behind “More…”."""

MOST_PRIVATE = 25
PLAY = "Play…"
"""Opens the private panel, where a seat sees what its hand allows."""

TAKEBACKS = "\n-# Take-backs past a die or card in this game: {n}."
ROOM_FOR_LINES = 2400
REST = "… and {n} more: `/table log` shows them all."

Mentions = discord.AllowedMentions


def headline(table: Table) -> str:
    """The game, its turn, and who must act."""
    if table.lobby:
        return lobby.headline(table)
    view = table.view(None)
    title = texts.clip(view.title, 200)
    turn = f"\n{texts.clip(view.turn, 200)}" if view.turn else ""
    told = texts.clip(table.game.campaign_line(table.setup), 200)
    line = f"\n-# {told}" if told else ""
    return f"### {title}{turn}{line}\n{to_act(table)}"


def to_act(table: Table) -> str:
    """One line for each seat that must act; how the game came out when nobody must."""
    outcome = table.result()
    if outcome is not None:
        told = f"{outcome.text.rstrip('.')}." if outcome.text else ""
        rule = f" ({outcome.cause})" if outcome.cause else ""
        graded = outcome.level and outcome.level not in outcome.title
        level = f" · {outcome.level}" if graded else ""
        back = TAKEBACKS.format(n=table.takebacks) if table.takebacks else ""
        again = "" if table.setup.campaign else f"\n`/{table.slug} new` opens another game."
        return texts.clip(f"**{outcome.title}{level}** {told}{rule}", 600) + again + back
    if table.over:
        return f"**This game was ended.** `/{table.slug} new` opens another one."
    if table.lobby:
        return lobby.state_of(table)
    lines: list[str] = []
    for task in table.tasks():
        holder = table.holder(task.seat)
        who = f"{mentioned(holder)} ({holder.title})" if holder else task.seat
        if holder is not None and not holder.users:
            who = f"{holder.title} ({texts.NOBODY})"
        elif holder is not None and holder.stand_in is not None:
            who = f"{holder.title} (the program acts for it)"
        up = table.time_up(task.seat)
        clock = f"\n-# Time is up <t:{up}:R>." if up is not None else ""
        lines.append(texts.clip(f"**Now {who}:** {task.what.rstrip('.')}.", 300) + clock)
    return "\n".join(lines[:8]) or texts.clip(table.view(None).headline, 300)


def happened(events: Iterable[Event], seat: str | None = None, *, most: int = MOST_LINES) -> str:
    """What happened, as lines for one audience; empty when it may know of nothing."""
    told = [event.text for event in seen_by(tuple(events), seat)]
    return texts.lines_of(told, most=most, room=ROOM_FOR_LINES, rest=REST)


def controls(table: Table) -> list[Item]:
    """The buttons of the seats to act, and the panel's own."""
    if table.lobby:
        return lobby.controls(table)
    own = [
        _own(table, "Undo", UNDO),
        _own(table, "Board", BOARD),
        _own(table, "Help", HELP),
    ]
    if table.over:
        undo = own[:1] if table.result() is not None else []  # an end by decision stands
        return rows([*_onward(table), *undo, *own[1:]])
    own[1:1] = _glances(table, private=False)
    offered = starts(table)
    shown = [start for start in offered if not start.confirm][:MOST_VERBS]
    buttons = [start.button(table) for start in shown]
    if has_secrets(table):
        buttons.insert(0, _own(table, PLAY, MORE, style=Style.primary))
    elif len(shown) < len(offered):
        own.append(_own(table, "More…", MORE))
    free = [n for n, holder in enumerate(table.seats) if not holder.users]
    join = [_own(table, f"Play {table.seats[n].title}", JOIN, n) for n in free]
    return [*rows(buttons), *rows(join[:MOST_IN_ROW]), *rows(own)]


def _glances(table: Table, *, private: bool) -> list[ui.Button[Any]]:
    """What can be looked at: one's hand, the odds of what is on offer (which may tell of a hand)."""
    seats = [holder.seat for holder in table.seats]
    found: list[ui.Button[Any]] = []
    if has_secrets(table) or any(table.view(seat).hand for seat in seats):
        found.append(_own(table, "Hand", HAND))
    if has_secrets(table) and not private:
        return found
    if any(table.game.reading_aid(table.state, seat) for seat in acting(table)):
        found.append(_own(table, "Odds", ODDS))
    return found


def _onward(table: Table) -> list[ui.Button[Any]]:
    """What a mission of a campaign leads to."""
    campaign = table.setup.campaign
    if not campaign:
        return []
    return [
        button("Next mission", str(Press(campaign, 0, CAMPAIGN_NEXT)), Style.primary),
        button("Campaign", str(Press(campaign, 0, CAMPAIGN_SHOW))),
    ]


def _own(
    table: Table, label: str, verb: str, seat: int | None = None, style: Style = Style.secondary
) -> ui.Button[Any]:
    return button(label, str(Press(table.id, table.version, verb, seat)), style)


def panel(
    table: Table, events: Sequence[Event], images: Sequence[Image], *, remark: str = ""
) -> Letter:
    """The panel as it is posted: headline, what happened, pictures, buttons."""
    body = body_of(table, events, images, remark=remark)
    colour = GREY if table.over else AMBER
    below = [*coaching.spoken(table), *controls(table), *coaching.controls(table)]
    return Letter(Screen(card(*body, *below, colour=colour)), tuple(images))


def disarmed(head: str, lines: str, images: Sequence[Image] = (), *, remark: str = "") -> Screen:
    """An older panel: its text and its pictures stay, its buttons go."""
    items: list[Item] = [text(head)]
    items += [text(part) for part in (lines, remark) if part]
    return Screen(card(*items, *gallery(images), colour=GREY))


def body_of(
    table: Table, events: Sequence[Event], images: Sequence[Image], *, remark: str = ""
) -> list[Item]:
    """The panel without its buttons."""
    items: list[Item] = [text(headline(table))]
    items += [text(part) for part in (happened(events), remark) if part]
    return [*items, *gallery(images)]


def private(
    table: Table, user_id: int, lead: str = "", *, more: bool = False, linked: bool = False
) -> Letter:
    """A private panel for one user: what they should know, and the buttons of their seats.

    `more` shows every verb on offer, also those that the public panel leaves out; `linked` adds the
    way to the public panel.
    """
    parts = [lead] if lead else []
    offered = starts(table, user_id)
    plain = acting(table, user_id) or table.over or table.lobby
    parts.append(to_act(table) if plain else not_your_moment(table))
    buttons = [start.button(table) for start in offered if more or not start.confirm][:MOST_PRIVATE]
    mine = table.seats_of(user_id)
    looks = _glances(table, private=True) if mine and not table.over and not table.lobby else []
    if mine and not table.lobby:
        looks.append(_own(table, "Catch up", CATCH_UP))
    parts += _in_hand(table, mine)
    told = coaching.words(table, private=True) if mine else ""
    parts += [told] if told else []
    items: list[Item] = [text("\n".join(parts)), *rows(buttons)]
    combined = quick.menu(table, user_id)
    items += [combined] if combined is not None else []
    items += rows(looks)
    if linked:
        items += rows(to_board(table))
    return Letter(Screen(card(*items, colour=GREY if table.over else AMBER)))


def to_board(table: Table) -> list[ui.Button[Any]]:
    """The way to the board; nothing while none is posted."""
    if not table.panel_message_id:
        return []
    url = message_url(table.guild_id, table.channel_id, table.panel_message_id)
    return [link("Go to the board", url)]


def _in_hand(table: Table, seats: Sequence[str]) -> list[str]:
    """A line with the cards that somebody's seats hold, each hand once."""
    if table.over or table.lobby:
        return []
    lines: dict[str, None] = {}
    for seat in seats:
        names = [f"{face.title} {face.badge}".strip() for face in table.view(seat).hand]
        if names:
            lines.setdefault(texts.clip(f"-# Hand: {texts.plain(', '.join(names))}", 500))
    return list(lines)


async def explain(error: Refused, interaction: discord.Interaction[Any]) -> Letter | None:
    """A letter that helps more than the refusal's sentence alone: the game as it stands now."""
    match error:
        case Stale(table=table):
            return private(table, interaction.user.id, texts.MOVED_ON, linked=True)
        case TableOver(table=Table() as table):
            return private(table, interaction.user.id, texts.GAME_OVER, linked=True)
        case WhichSeat(table=table, seats=seats, verb=verb):
            ask = [_own(table, table.seats[n].title, verb, n)
                   for n in (place(table, seat) for seat in seats)]  # fmt: skip
            return note("For which of your seats?", *ask)
        case NotStarted(table=Table() as table):
            return private(table, interaction.user.id, linked=True)
        case _:
            return None

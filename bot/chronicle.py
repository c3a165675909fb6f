"""Looking back: the log by pages, and what somebody has missed since he last acted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import discord
from discord import ui

from bot import texts
from bot.acknowledge import Way
from bot.around import eyes
from bot.custom_ids import Press
from bot.layout import (
    AMBER,
    GREY,
    Image,
    Item,
    Letter,
    Screen,
    button,
    card,
    gallery,
    note,
    rows,
    text,
)
from bot.offers import LOG, LOG_JUMP, LOG_UP
from bot.panel import to_act
from bot.sessions import LogEntry
from bot.sessions.model import Table
from bot.sessions.visits import Missed
from bot.turns import Turns, is_private
from bot.views import log_block
from games.kernel.event import Event, seen_by
from games.kernel.game import Seat

Interaction: TypeAlias = discord.Interaction[Any]

ROOM = 3500
"""Characters of a page of the log."""

ROWS = 40
"""Log rows that are read for a page."""

BLOCKS = 20
"""Entries that a page shows at most."""

JUMPS = 25
"""Places to jump to, as many as a menu of Discord holds."""

LINES, ROOM_FOR_LINES = 14, 1600
REST = "… and {n} more: `/table log` shows them all."
SINCE_ACTED = "### Since you last acted"
SINCE_LOOKED = "### Since you last looked"
NOTHING_NEW = "Nothing has happened since you last {what}. `/table log` shows everything before."


class Chronicle:
    """What somebody can read about the past of a table."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.sessions = turns.sessions
        self.desk = turns.desk
        self.pictures = turns.pictures

    async def log(self, interaction: Interaction, entry: int) -> None:
        """The log from an entry on; 0: its newest part."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            return await self._page(table, interaction.user.id, entry or table.version, entry > 0)

        await self.desk.answer(interaction, work)

    async def turn_page(
        self, interaction: Interaction, press: Press, values: Sequence[str] = ()
    ) -> None:
        """A button or the menu under a page."""

        async def work() -> Letter:
            table = await self.sessions.get(press.session)
            number = next((int(v) for v in values if v.isdecimal()), press.version)
            return await self._page(table, interaction.user.id, number, press.verb != LOG)

        await self.desk.answer(interaction, work, Way.CHANGE)

    async def _page(self, table: Table, user_id: int, number: int, upwards: bool) -> Letter:
        """The page that begins (`upwards`) or ends with a log row."""
        number = min(max(1, number), table.version)
        first = number if upwards else max(1, number - ROWS + 1)
        most = ROWS if upwards else number - first + 1
        entries = await self.sessions.history(table.id, after=first - 1, limit=most)
        return log_letter(table, entries, eyes(table, user_id), upwards=upwards)

    async def catch_up(self, interaction: Interaction, session: str | None = None) -> None:
        """What happened since the user last acted or caught up, with pictures of then and now."""

        async def work() -> Letter:
            if session is None:
                table = await self.turns.table_here(interaction)
                found = await self.sessions.missed(table.id, interaction.user.id)
            else:
                found = await self.sessions.missed(session, interaction.user.id)
            table = found.table
            seat = eyes(table, interaction.user.id)
            events = events_of(found, seat)
            if not events:
                what = "acted" if found.own else "looked"
                return note(f"{NOTHING_NEW.format(what=what)}\n{to_act(table)}")
            images: tuple[Image, ...] = ()
            if not table.lobby:
                images = await self.pictures.of_change(table, found.before, seat, events)
            await self.sessions.caught_up(table.id, interaction.user.id, table.version)
            return missed_letter(found, interaction.user.id, events, images)

        way = Way.CHANGE if is_private(interaction) else Way.NEW
        await self.desk.answer(interaction, work, way)


def log_letter(
    table: Table, entries: Sequence[LogEntry], seat: str | None, *, upwards: bool = False
) -> Letter:
    """A page of the log, the newest last, as that seat may know it, and the way to the others.

    It begins with the first of the entries (`upwards`) or ends with the last, and holds as many as
    there is room for.
    """
    shown: list[LogEntry] = []
    blocks: list[str] = []
    room = ROOM
    for entry in entries if upwards else reversed(entries):
        block = log_block(entry, seat)
        if block and (len(block) + 1 > room or len(blocks) == BLOCKS):
            break
        shown.append(entry)
        if block:
            room -= len(block) + 1
            blocks.append(block)
    told = "\n".join(blocks if upwards else reversed(blocks)) or "Nothing has happened yet."
    items: list[Item] = [
        text(f"### What happened · {texts.clip(table.view(None).title, 100)}"),
        text(told),
    ]
    if shown:
        first, last = sorted((shown[0].number, shown[-1].number))
        items += _ways(table, first, last)
    return Letter(Screen(card(*items)))


def _ways(table: Table, first: int, last: int) -> list[Item]:
    """The buttons under a page that shows these rows, and the menu to jump."""
    if first <= 1 and last >= table.version:
        return []
    at_first, at_last = first <= 1, last >= table.version

    def way(label: str, verb: str, number: int, disabled: bool) -> ui.Button[Any]:
        return button(label, str(Press(table.id, number, verb)), disabled=disabled)

    found = rows(
        [
            way("Oldest", LOG_UP, 1, at_first),
            way("Older", LOG, max(0, first - 1), at_first),
            way("Newer", LOG_UP, last + 1, at_last),
            way("Newest", LOG, table.version, at_last),
        ]
    )
    step = max(10, -(-table.version // JUMPS))
    options = [
        discord.SelectOption(label=f"From entry {number}", value=str(number))
        for number in range(1, table.version + 1, step)
    ][:JUMPS]
    if len(options) > 2:
        menu = ui.Select[Any](
            custom_id=str(Press(table.id, table.version, LOG_JUMP)),
            placeholder=f"Entries {first} to {last} of {table.version}. Jump to …",
            options=options,
        )
        found.append(ui.ActionRow(menu))
    return found


def events_of(found: Missed, seat: str | None) -> tuple[Event, ...]:
    """What the audience may know of what was missed, without what was taken back since."""
    entries = [one for one in found.entries if not one.undone]
    return tuple(event for one in entries for event in seen_by(one.events, seat))


def missed_letter(
    found: Missed, user_id: int, events: Sequence[Event], images: Sequence[Image]
) -> Letter:
    """What was done to the user's seats first, then the rest, then the board before and after."""
    table = found.table
    mine, others = split(table, user_id, events)
    items: list[Item] = [text(SINCE_ACTED if found.own else SINCE_LOOKED)]
    for title, part in (("**What concerned you**", mine), ("**What else happened**", others)):
        told = texts.lines_of(
            (event.text for event in part), most=LINES, room=ROOM_FOR_LINES, rest=REST
        )
        if told:
            items.append(text(f"{title}\n{told}" if mine else told))
    if images:
        items += [text("**Then, and now**"), *gallery(images)]
    items.append(text(to_act(table)))
    return Letter(Screen(card(*items, colour=GREY if table.over else AMBER)), tuple(images))


def split(
    table: Table, user_id: int, events: Sequence[Event]
) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """What was done to a user's seats, and everything else, each in order."""
    own = table.seats_of(user_id)
    seats = [Seat(h.seat, h.title, "") for h in table.seats if h.seat in own]
    told = [
        any(table.game.concerns(table.state, seat, event) for seat in seats) for event in events
    ]
    return (
        tuple(event for event, mine in zip(events, told, strict=True) if mine),
        tuple(event for event, mine in zip(events, told, strict=True) if not mine),
    )

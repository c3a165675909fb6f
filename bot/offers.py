"""Which buttons a table shows: the verbs that seats may start now, sorted and told apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from discord import ui

from bot.custom_ids import Press
from bot.layout import Style, button
from bot.refusals import NotYourSeat, Stale, TableOver
from bot.sessions.model import Table
from bot.texts import NOT_YOUR_MOMENT, STRANGER, TABLE_OVER, listed

MORE = ".more"
UNDO = ".undo"
BOARD = ".board"
HELP = ".help"
JOIN = ".join"
UNDONE = ".undone"
"""Undo, after the question."""
ENDED = ".ended"
"""End the game, after the question."""


@dataclass(frozen=True)
class Start:
    """A verb that can be started by a button. `seat` is a place in the table's order, or None
    when whoever presses it can mean only one seat."""

    verb: str
    label: str
    main: bool
    confirm: bool
    slots: bool
    seat: int | None = None

    def button(self, table: Table) -> ui.Button[Any]:
        """The button that starts it."""
        style = Style.danger if self.confirm else Style.primary if self.main else Style.secondary
        press = Press(table.id, table.version, self.verb, self.seat)
        return button(self.label, str(press), style)


def place(table: Table, seat: str) -> int:
    """A seat's place in the table's order, as the ids of buttons name it."""
    return [holder.seat for holder in table.seats].index(seat)


def acting(table: Table, user_id: int | None = None) -> tuple[str, ...]:
    """Seats that must act now (only that user's, if one is named), in the order of the tasks."""
    seats = dict.fromkeys(task.seat for task in table.tasks())
    mine = None if user_id is None else table.seats_of(user_id)
    return tuple(seat for seat in seats if mine is None or seat in mine)


def starts(table: Table, user_id: int | None = None) -> list[Start]:
    """The verbs on offer to the seats to act, the natural ones first, what ends things last.

    Seats that offer the same verb share a button, unless one user holds two of them.
    """
    found: dict[str, list[str]] = {}
    offers: dict[str, tuple[str, bool]] = {}
    for seat in acting(table, user_id):
        for offer in table.game.offers(table.state, seat):
            found.setdefault(offer.verb, []).append(seat)
            label, main = offers.get(offer.verb, (offer.label, False))
            offers[offer.verb] = (label, main or offer.main)
    result: list[Start] = []
    for name, seats in found.items():
        label, main = offers[name]
        verb = table.game.verbs[name]
        confirm = verb.confirm
        holders = [holder.user_id for seat in seats if (holder := table.holder(seat)) is not None]
        if len(set(holders)) == len(holders):
            result.append(Start(name, label, main, confirm, bool(verb.slots)))
            continue
        for seat in seats:
            holder = table.holder(seat)
            title = holder.title if holder else seat
            number = place(table, seat)
            result.append(Start(name, f"{title}: {label}", main, confirm, bool(verb.slots), number))
    return sorted(result, key=lambda start: (start.confirm, not start.main))


def seat_for(table: Table, user_id: int, verb: str, seat: int | None = None) -> str:
    """The seat that a user means by starting a verb.

    Raises `NotYourSeat` for somebody without one, or without the one named, and `TableOver`.
    """
    mine = table.seats_of(user_id)
    if not mine:
        raise NotYourSeat(STRANGER)
    if table.over:
        raise TableOver(table)
    if seat is not None:
        named = table.seats[seat].seat if seat < len(table.seats) else ""
        if named not in mine:
            raise NotYourSeat(STRANGER)
        return named
    able = [
        one
        for one in mine
        if any(offer.verb == verb for offer in table.game.offers(table.state, one))
    ]
    due = [one for one in mine if one in acting(table)]
    return (able or due or list(mine))[0]


def must_be_current(table: Table, version: int) -> None:
    """Raises `Stale` when a control was made for another version, and `TableOver`."""
    if table.over:
        raise TableOver(table)
    if table.version != version:
        raise Stale(table)


def who_acts(table: Table) -> str:
    """The users or titles of the seats to act, for a sentence: “@Robin (Alpha)”."""
    names: list[str] = []
    for seat in acting(table):
        holder = table.holder(seat)
        if holder is not None:
            who = f"<@{holder.user_id}>" if holder.user_id is not None else "nobody yet"
            names.append(f"{who} ({holder.title})")
    return listed(names) or "nobody"


def not_your_moment(table: Table) -> str:
    """What somebody reads who holds a seat that need not act now."""
    if table.over:
        return TABLE_OVER.format(slug=table.slug)
    return NOT_YOUR_MOMENT.format(who=who_acts(table))

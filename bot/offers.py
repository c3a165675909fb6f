"""Which buttons a table shows: the verbs that seats may start now, sorted and told apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from discord import ui

from bot.custom_ids import Press, Step, base36, checksum
from bot.layout import Style, button
from bot.picks import walk
from bot.refusals import NotStarted, NotYourSeat, Stale, TableOver, WhichSeat
from bot.sessions.model import SeatHolder, Table
from bot.sessions.playing import able, fresh
from bot.texts import (
    NOBODY,
    NOT_YOUR_MOMENT,
    NOT_YOUR_TURN,
    NOT_YOURS,
    STRANGER,
    TABLE_OVER,
    listed,
)
from games.kernel.domain import Several

MOST_SPREAD = 5
"""Values of a first slot that become buttons of their own."""

MOST_MENTIONED = 8
"""People of one seat who are named; any number may hold it."""

MORE = ".more"
UNDO = ".undo"
BOARD = ".board"
HELP = ".help"
HELP_TOPIC = ".help_topic"
"""A topic of help was chosen in the menu."""
HELP_AT = ".help_at"
"""A topic of help; its place is in the place of the version."""
HAND = ".hand"
ODDS = ".odds"
JOIN = ".join"
LEAVE = ".leave"
START = ".start"
CHANGE = ".change"
FIELD = ".field"
"""A field of the set-up was chosen, to be changed."""
SET = ".set"
"""A field's new value was chosen."""
UNDONE = ".undone"
"""Undo, after the question; the number of actions is in the place of the seat."""
ASK = ".ask"
"""Ask the others whether something may be taken back; likewise."""
AGREE = ".agree"
"""Agree to it; the number of the proposal's log row is in the place of the version."""
REFUSE = ".refuse"
TAKE = ".take"
"""Take the seat that one was asked to take; the number of the question's log row likewise."""
DECLINE = ".decline"
YES = ".yes"
"""Vote; the number of the vote's log row likewise."""
NO = ".no"
LOG = ".log"
"""A page of the log; the last entry that it shows is in the place of the version."""
LOG_UP = ".log_up"
"""Likewise, with the first entry."""
LOG_JUMP = ".log_jump"
"""The first entry was chosen in a menu."""
CATCH_UP = ".catch_up"
MUTE = ".mute"
"""No more reminders for the present turn."""
UNMUTE = ".unmute"
ENDED = ".ended"
"""End the game, after the question."""

MINE = ".mine"
"""A page of somebody's own sessions; its number is in the place of the version."""

CAMPAIGN = ".camp_"
"""Beginning of what is done with a campaign, whose id is in the place of the session's."""
CAMPAIGN_NEXT = ".camp_next"
CAMPAIGN_SHOW = ".camp_show"
CAMPAIGN_ERRAND = ".camp_errand"
"""An errand's answer was chosen; the errand's number is in the place of the seat."""
CAMPAIGN_DROP = ".camp_drop"
CAMPAIGN_RESTARTED = ".camp_again"
"""Start it over, after the question; the mark of its standing is in the place of the version."""
CAMPAIGN_DROPPED = ".camp_dropped"
"""Abandon it, after the question."""


@dataclass(frozen=True)
class Start:
    """A verb that can be started by a button. `seat` is a place in the table's order, or None
    at a table with one seat. `step` is the id of the button where it picks the first slot as well."""

    verb: str
    label: str
    main: bool
    confirm: bool
    slots: bool
    seat: int | None = None
    step: str = ""

    def button(self, table: Table) -> ui.Button[Any]:
        """The button that starts it."""
        style = Style.danger if self.confirm else Style.primary if self.main else Style.secondary
        press = Press(table.id, table.version, self.verb, self.seat)
        return button(self.label, self.step or str(press), style)


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

    Each button is one seat's. When there are several seats, it names its seat. In public (no user)
    nothing is shown that would tell of a seat's hand. A user's own seats that may act, but need not,
    come last.
    """
    discreet = user_id is None and has_secrets(table)
    result: list[Start] = []
    for seat, title in able_seats(table, user_id):
        number = place(table, seat) if len(table.seats) > 1 else None
        for offer in table.game.offers(table.state, seat):
            verb = table.game.verbs[offer.verb]
            if discreet and verb.secret:
                continue
            label = f"{title}{offer.label}"
            start = Start(offer.verb, label, offer.main, verb.confirm, bool(verb.slots), number)
            result += ([] if discreet else _spread(table, seat, start, title)) or [start]
    return sorted(result, key=lambda start: (start.confirm, not start.main))


def able_seats(table: Table, user_id: int | None = None) -> list[tuple[str, str]]:
    """The seats with buttons, each with what its labels begin with: those that must act, then those of
    the user that may."""
    due = acting(table, user_id)
    seats = dict.fromkeys(due)
    if user_id is not None and not table.lobby and not table.over:
        for seat in table.seats_of(user_id):
            if any(
                not table.game.verbs[o.verb].confirm for o in table.game.offers(table.state, seat)
            ):
                seats.setdefault(seat)
    titles = {holder.seat: holder.title for holder in table.seats}
    return [(seat, f"{titles.get(seat, seat)}: " if len(seats) > 1 else "") for seat in seats]


def has_secrets(table: Table) -> bool:
    """Whether the game has verbs that must not be shown in public."""
    return any(verb.secret for verb in table.game.verbs.values())


def _spread(table: Table, seat: str, start: Start, title: str) -> list[Start]:
    """A button for each value of a first slot that is best picked at once; none where it is not."""
    verb = table.game.verbs[start.verb]
    first = verb.slots[0] if verb.slots else None
    if first is None or not first.spread or verb.confirm:
        return []
    domain = verb.domain(table.state, seat, first.name, {})
    step = Step(table.id, table.version, verb.name, place(table, seat))
    if isinstance(domain, Several):
        return _spread_lists(table, seat, start, domain, step)
    least = 1 if first.sure else 2
    if first.quiet or domain is None or not least <= len(domain.options) <= MOST_SPREAD:
        return []
    return [
        replace(
            start, label=f"{title}{option.label}", step=step.id("o", choice(number, option.value))
        )
        for number, option in enumerate(domain.options)
    ]


def _spread_lists(
    table: Table, seat: str, start: Start, domain: Several, step: Step
) -> list[Start]:
    """A button for nothing, for each value alone and for all together."""
    verb = table.game.verbs[start.verb]
    found: list[Start] = []
    for values, label in lists_of(domain):
        at = walk(table.state, seat, verb, {verb.slots[0].name: values})
        if not at.complete:
            return []
        name = f"{start.label} · {label}" if label else start.label
        found.append(replace(start, label=name, step=step.at(at.picks, at.check).id("y")))
    return found if len(found) <= MOST_SPREAD else []


def lists_of(domain: Several) -> list[tuple[tuple[str, ...], str]]:
    """The lists that are named at once: nothing, each value alone, all together; with their names."""
    every = tuple(option.value for option in domain.options)
    named: list[tuple[tuple[str, ...], str]] = [((), "")]
    named += [((option.value,), option.label) for option in domain.options]
    if len(every) > 1:
        named.append((every, ", ".join(option.label for option in domain.options)))
    return [(values, label) for values, label in named if domain.contains(values)]


def choice(number: int, value: str, how: str = "p") -> str:
    """The argument of a choice by button: where the option stands, and a mark of its value."""
    return f"{how}{base36(number)}{checksum([value]).zfill(3)}"


def seats_for(table: Table, user_id: int, verb: str) -> tuple[str, ...]:
    """The seats that a user may mean by starting a verb; never empty.

    Raises `NotYourSeat` for somebody without a seat, `TableOver`, `NotStarted`.
    """
    mine = table.seats_of(user_id)
    if not mine:
        raise NotYourSeat(STRANGER)
    if table.over:
        raise TableOver(table)
    if table.lobby:
        raise NotStarted(table)
    return able(table, mine, verb)


def seat_for(table: Table, user_id: int, verb: str, seat: int | None = None) -> str:
    """The seat that a user means by starting a verb.

    Raises what `seats_for` raises, `NotYourSeat` for a seat that is somebody else's, and `WhichSeat`
    when it could be several.
    """
    able_now = seats_for(table, user_id, verb)
    if seat is None:
        if len(able_now) != 1:
            raise WhichSeat(table, able_now, verb)
        return able_now[0]
    named = table.seats[seat] if seat < len(table.seats) else None
    if named is None or user_id not in named.user_ids:
        titles = [h.title for h in table.seats if user_id in h.user_ids]
        whose = named.title if named is not None else "another seat"
        told = NOT_YOURS if acting(table, user_id) else NOT_YOUR_TURN
        raise NotYourSeat(told.format(seat=whose, own=listed(titles)))
    return named.seat


def must_be_current(table: Table, version: int, seat: str | None = None) -> None:
    """Raises `Stale` when a control is not good any more, and `TableOver`.

    A seat's control is good as long as that seat is asked the same; one that belongs to no seat only
    until anything happens.
    """
    if table.over:
        raise TableOver(table)
    if seat is not None:
        fresh(table, version, seat)
    elif table.version != version:
        raise Stale(table)


def mentioned(holder: SeatHolder) -> str:
    """Who holds a seat, as mentions: “@Robin or @Kim”."""
    shown = [f"<@{user}>" for user in holder.user_ids[:MOST_MENTIONED]]
    if more := len(holder.user_ids) - len(shown):
        shown.append(f"{more} more")
    return listed(shown, last="or") or NOBODY


def who_acts(table: Table) -> str:
    """The users or titles of the seats to act, for a sentence: “@Robin (Alpha)”."""
    names: list[str] = []
    for seat in acting(table):
        holder = table.holder(seat)
        if holder is not None:
            names.append(f"{mentioned(holder)} ({holder.title})")
    return listed(names) or "nobody"


def not_your_moment(table: Table) -> str:
    """What somebody reads who holds a seat that need not act now."""
    if table.over:
        return TABLE_OVER.format(slug=table.slug)
    if table.lobby:
        return NotStarted(table).sentence
    return NOT_YOUR_MOMENT.format(who=who_acts(table))

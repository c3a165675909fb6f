"""The menu of a private panel that says two things at once: a verb, and what is quietly left out else.

A slot that is quiet and spread is not asked for. Its other values stand here, each with its verb:
“Engage: Fire card · end the turn”. Every entry is an action that is complete, so it is one choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord import ui

from bot import texts
from bot.custom_ids import STEP_PATTERN, Press, Step, TooLong
from bot.offers import MOST_SPREAD, able_seats, lists_of, place
from bot.picks import walk
from bot.sessions.model import Table
from games.kernel.action import Value
from games.kernel.domain import Domain, Several
from games.kernel.game import Verb
from games.kernel.illegal import Illegal

QUICK = ".quick"
"""Something was chosen in the menu; its value is the id of a step."""

MOST = 25
MOST_EXTRAS = 2
"""How many slots an entry fills that would be left out else."""

PROMPT = "In one go: with a card, or with what follows"

Given = dict[str, Value]


def menu(table: Table, user_id: int) -> ui.ActionRow[Any] | None:
    """The menu for a user's seats; None when there is nothing to combine."""
    found = entries(table, user_id)
    if not found:
        return None
    options = [
        discord.SelectOption(label=texts.clip(label, 100), value=value) for label, value in found
    ]
    press = Press(table.id, table.version, QUICK)
    return ui.ActionRow(ui.Select[Any](custom_id=str(press), placeholder=PROMPT, options=options))


def read(value: str) -> Step | None:
    """The step that a chosen entry stands for."""
    match = STEP_PATTERN.fullmatch(value)
    return Step.read(match) if match else None


def entries(table: Table, user_id: int) -> list[tuple[str, str]]:
    """Label and step of every entry, those that fill one slot only first; at most 25."""
    found: list[tuple[int, str, str]] = []
    for seat, title in able_seats(table, user_id):
        for offer in table.game.offers(table.state, seat):
            verb = table.game.verbs[offer.verb]
            if verb.confirm or not any(slot.quiet and slot.spread for slot in verb.slots):
                continue
            found += _of_verb(table, seat, verb, title)
    found.sort(key=lambda entry: entry[0])
    return [(label, value) for _, label, value in found[:MOST]]


def _of_verb(table: Table, seat: str, verb: Verb[Any], title: str) -> list[tuple[int, str, str]]:
    step = Step(table.id, table.version, verb.name, place(table, seat))
    first = verb.slots[0]
    shown = isinstance(verb.domain(table.state, seat, first.name, {}), Several)
    found: list[tuple[int, str, str]] = []
    for lead, label in _leads(table, seat, verb):
        for given, extras in _grown(table, seat, verb, lead, ()):
            if not extras:
                continue
            try:
                at = walk(table.state, seat, verb, given)
                value = step.at(at.picks, at.check).id("y")
            except (Illegal, TooLong):
                continue
            if at.complete and not (shown and first.name in given and len(extras) == 1):
                found.append((len(extras), f"{title}{' · '.join((label, *extras))}", value))
    return found


def _leads(table: Table, seat: str, verb: Verb[Any]) -> Iterator[tuple[Given, str]]:
    """The verb as its buttons start it: each value of a first slot that is spread, else bare."""
    first = verb.slots[0]
    domain = verb.domain(table.state, seat, first.name, {})
    if first.quiet or not first.spread or domain is None:
        yield {}, verb.label
    elif not isinstance(domain, Several) and len(domain.options) <= MOST_SPREAD:
        for option in domain.options:
            yield {first.name: option.value}, option.label


def _grown(
    table: Table, seat: str, verb: Verb[Any], given: Given, extras: tuple[str, ...]
) -> Iterator[tuple[Given, tuple[str, ...]]]:
    """What was given, and that with one more slot filled, and so on."""
    yield given, extras
    if len(extras) == MOST_EXTRAS:
        return
    try:
        filled = walk(table.state, seat, verb, given).filled
    except Illegal:
        return
    names = [slot.name for slot in verb.slots]
    last = max((names.index(name) for name in given), default=-1)
    for number, slot in enumerate(verb.slots):
        if number <= last or not (slot.quiet and slot.spread):
            continue
        before = {name: filled[name] for name in names[:number] if name in filled}
        domain = verb.domain(table.state, seat, slot.name, before)
        for value, label in _others(domain):
            yield from _grown(table, seat, verb, {**given, slot.name: value}, (*extras, label))


def _others(domain: Domain | None) -> list[tuple[Value, str]]:
    """The values besides the one that is taken without a word, with their names."""
    if domain is None:
        return []
    if isinstance(domain, Several):
        return [(values, label) for values, label in lists_of(domain) if values != domain.default]
    return [(o.value, o.label) for o in domain.options if o.value != domain.default]

"""Suggestions for a command's options, from the same domains as the buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot import texts
from bot.picks import read_all
from bot.sessions.model import Table
from games.kernel.action import Value
from games.kernel.domain import Domain, Option, Several

MOST = 25
"""Suggestions that Discord shows."""

OPEN = "?"
"""The value of a suggestion that only says something; as an option it counts as not given."""

LONGEST = 100


def suggest(
    table: Table, seat: str, name: str, slot: str, before: Mapping[str, str], current: str
) -> list[tuple[str, str]]:
    """(label, value) of what a slot may be, given the values typed for the slots before it.

    Raises `Illegal` when a value typed before has no use.
    """
    verb = table.game.verbs[name]
    given = read_all(table.state, seat, verb, before)
    filled: dict[str, Value] = {}
    for part in verb.slots:
        domain = verb.domain(table.state, seat, part.name, filled)
        if part.name == slot:
            return _for(domain, current)
        if domain is None:
            continue
        value = given.get(part.name, domain.default)
        if value is None:
            return [says(f"Fill in “{part.name}” first: {part.prompt}")]
        if not domain.contains(value):
            why = verb.refusal(table.state, seat, part.name, filled, value)
            return [says(f"{part.name}: {why.sentence}")]
        filled[part.name] = value
    return []


def says(sentence: str) -> tuple[str, str]:
    """A suggestion that is a remark and no value."""
    return texts.clip(sentence.replace("`", ""), LONGEST), OPEN


def _for(domain: Domain | None, current: str) -> list[tuple[str, str]]:
    if domain is None or not domain.options:
        return [says("There is nothing to choose here: leave it out.")]
    if isinstance(domain, Several):
        return _several(domain, current)
    found = matching(domain.options, current)
    return [(name_of(option), option.value) for option in found[:MOST]]


def _several(domain: Several, current: str) -> list[tuple[str, str]]:
    """Lists that go on from what was typed: “IN1, IN3”."""
    *done, rest = [part.strip() for part in current.split(",")]
    known = {option.value.casefold(): option for option in domain.options}
    taken = [known[part.casefold()] for part in done if part.casefold() in known]
    if rest.casefold() in known and known[rest.casefold()] not in taken:
        taken.append(known[rest.casefold()])
        rest = ""
    result: list[tuple[str, str]] = []
    if domain.least <= len(taken) <= domain.most and taken:
        result.append(_list(taken))
    if len(taken) < domain.most:
        left = [option for option in domain.options if option not in taken]
        result += [_list([*taken, option]) for option in matching(left, rest)]
    return [pair for pair in result if len(pair[1]) <= LONGEST][:MOST]


def _list(options: Sequence[Option]) -> tuple[str, str]:
    label = ", ".join(option.label for option in options)
    return texts.clip(label, LONGEST), ", ".join(option.value for option in options)


def matching(options: Sequence[Option], typed: str) -> list[Option]:
    """The options that begin with what was typed, then those that contain it, in their order."""
    wanted = typed.strip().casefold()
    if not wanted:
        return list(options)
    begins: list[Option] = []
    contains: list[Option] = []
    for option in options:
        names = (option.value.casefold(), option.label.casefold())
        if any(name.startswith(wanted) for name in names):
            begins.append(option)
        elif any(wanted in name for name in names):
            contains.append(option)
    return begins + contains


def name_of(option: Option) -> str:
    """An option's line in a list of suggestions: its label, and its note where there is room."""
    shown = f"{option.label} · {option.note}" if option.note else option.label
    return texts.clip(shown, LONGEST)

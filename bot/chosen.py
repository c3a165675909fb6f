"""What is chosen by typing for a campaign: its options at the start, an errand between two missions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot import texts
from bot.refusals import Refused
from games.kernel.campaign import Campaign, Errand
from games.kernel.domain import Option

LONGEST = 100
MOST = 25

NO_OPTIONS = "{title} is played without options."
NO_ERRAND = "There is nothing to buy or to decide before the next mission."
UNKNOWN = "There is no option “{typed}”. There are: {all}."


@dataclass(frozen=True, slots=True)
class Switch:
    """A value of an option that is not the usual one, as it is typed and read."""

    field: str
    value: str
    key: str
    label: str

    def means(self, typed: str) -> bool:
        """Whether somebody means this one."""
        wanted = typed.strip().casefold().replace(" = ", "=").replace(": ", "=")
        return wanted in (self.key.casefold(), self.label.casefold().replace(": ", "="))


def switches(series: Campaign[Any], mode: str) -> list[Switch]:
    """Everything that can be chosen when a campaign is begun in a mode (empty: its first)."""
    found: list[Switch] = []
    for field in series.fields(mode or series.modes[0]):
        others = [option for option in field.options if option.value != field.preset]
        for option in others:
            if len(others) == 1:
                found.append(Switch(field.name, option.value, field.name, field.prompt))
                continue
            name = field.name.replace("_", " ").capitalize()
            key = f"{field.name}={option.value}"
            found.append(Switch(field.name, option.value, key, f"{name}: {option.label}"))
    return found


def read(series: Campaign[Any], mode: str, typed: str) -> dict[str, str]:
    """Options from a list with commas. Raises `Refused` for one that does not exist in any mode."""
    modes = sorted(series.modes, key=lambda other: other != mode)
    there = list(dict.fromkeys(switch for one in modes for switch in switches(series, one)))
    chosen: dict[str, str] = {}
    for part in (part.strip() for part in typed.replace(";", ",").split(",")):
        if not part:
            continue
        found = next((switch for switch in there if switch.means(part)), None)
        if found is None and not there:
            raise Refused(NO_OPTIONS.format(title=series.title))
        if found is None:
            every = texts.listed([switch.label for switch in there])
            raise Refused(UNKNOWN.format(typed=texts.quoted(part), all=every))
        chosen[found.field] = found.value
    return chosen


def suggest(series: Campaign[Any], mode: str, current: str) -> list[tuple[str, str]]:
    """Lists that go on from what was typed: label and value."""
    *done, rest = [part.strip() for part in current.split(",")]
    there = switches(series, mode)
    taken = [s for part in done for s in there if s.means(part)]
    exact = next((s for s in there if s.means(rest)), None)
    if exact is not None and exact.field not in {s.field for s in taken}:
        taken, rest = [*taken, exact], ""
    wanted = rest.casefold()
    lists = [taken] if taken and not rest else []
    fields = {s.field for s in taken}
    lists += [[*taken, s] for s in there if s.field not in fields and wanted in s.label.casefold()]
    pairs = [(", ".join(s.label for s in one), ", ".join(s.key for s in one)) for one in lists]
    return [(texts.clip(a, LONGEST), b) for a, b in pairs if len(b) <= LONGEST][:MOST]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer to one errand."""

    name: str
    title: str
    option: Option

    @property
    def key(self) -> str:
        """Its form as a command's value."""
        return f"{self.name}={self.option.value}"[:LONGEST]

    @property
    def label(self) -> str:
        """Its line among the suggestions."""
        note = f" · {self.option.note}" if self.option.note else ""
        return texts.clip(f"{self.title}: {self.option.label}{note}", LONGEST)

    def means(self, typed: str) -> bool:
        """Whether somebody means this one."""
        name = self.option.label.partition(" · ")[0]
        known = (self.key, self.option.value, self.option.label, name)
        return typed.strip().casefold() in {word.casefold() for word in known}


def errands(found: Sequence[Errand]) -> list[Answer]:
    """Every answer to every errand."""
    return [Answer(e.name, e.label, option) for e in found for option in e.options]


def typed(found: Sequence[Errand], what: str) -> tuple[str, str]:
    """An errand and a value that is not on offer, for the rules to say why not.

    Raises `Refused` when there is no errand at all.
    """
    name, _, value = what.rpartition("=")
    if not name and not found:
        raise Refused(NO_ERRAND)
    return name.strip() or found[0].name, value.strip().casefold().replace(" ", "_")

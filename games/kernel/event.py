"""Events: what happened, in order, each with its audience.

Lines of text, outcome pictures and the marks on the board are all made from events, so nothing that is
not addressed to an audience can reach it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from games.kernel.view import Badge, CardFace, Mark


class Modifier(msgspec.Struct, frozen=True):
    """A named addition to a die."""

    name: str
    value: int


class Roll(msgspec.Struct, frozen=True):
    """One side of a throw: who, which dice, what was added, the total."""

    who: Badge
    dice: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    total: int


class Contest(msgspec.Struct, frozen=True):
    """An attack against a defence: the chart row that `difference` lights, and the verdict."""

    attacker: Roll
    defender: Roll
    difference: int
    row: int
    verdict: str


class Chart(msgspec.Struct, frozen=True):
    """A results chart: its title and rows of (condition, result)."""

    title: str
    rows: tuple[tuple[str, str], ...]


class Suffered(msgspec.Struct, frozen=True):
    """What one unit suffered from something that used no dice."""

    who: Badge
    where: str
    what: str


class _Event(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What all events share: a line of text, the audience (None: everybody), marks on the board."""

    text: str
    to: tuple[str, ...] | None = None
    marks: tuple[Mark, ...] = ()


class Moved(_Event, frozen=True, kw_only=True):
    """A unit moved or turned."""

    who: Badge


class Rolled(_Event, frozen=True, kw_only=True):
    """Dice were thrown. One contest a target; the attacker's die may be shared."""

    title: str
    detail: str
    contests: tuple[Contest, ...]
    chart: Chart


class Throw(msgspec.Struct, frozen=True):
    """Dice thrown together for one purpose: `need` is what each must show (0: they are read or added).

    `note` says what came of them (“crosswind −1”, “1 hit”).
    """

    name: str
    dice: tuple[int, ...]
    sides: int
    need: int = 0
    note: str = ""


class Tested(_Event, frozen=True, kw_only=True):
    """Dice against a number: every throw, every modifier by name, total and target where they add up.

    `good`: whether it went well for the players; None when it is neither.
    """

    title: str
    detail: str
    throws: tuple[Throw, ...]
    modifiers: tuple[Modifier, ...] = ()
    total: int | None = None
    target: int | None = None
    verdict: str
    good: bool | None = None


class Drew(_Event, frozen=True, kw_only=True):
    """A card came up."""

    card: CardFace


class Revealed(_Event, frozen=True, kw_only=True):
    """A hidden counter was turned over."""

    cell: str
    what: str


class Exploded(_Event, frozen=True, kw_only=True):
    """Something went off: what each unit suffered."""

    title: str
    detail: str
    suffered: tuple[Suffered, ...]


class Noted(_Event, frozen=True, kw_only=True):
    """Anything else worth a line."""


class Ended(_Event, frozen=True, kw_only=True):
    """The game is over."""

    title: str


Event: TypeAlias = Moved | Rolled | Tested | Drew | Revealed | Exploded | Noted | Ended

NEEDS_A_POST = (Rolled, Tested, Drew, Revealed, Exploded, Ended)
"""Kinds that players want to see again later: they are posted, not edited into an older message."""


def seen_by(events: tuple[Event, ...], seat: str | None) -> tuple[Event, ...]:
    """The events that seat may see (None: the public)."""
    return tuple(e for e in events if e.to is None or (seat is not None and seat in e.to))

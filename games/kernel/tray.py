"""A roll of dice as it is shown: what a renderer draws, without knowing what was rolled for."""

from __future__ import annotations

from typing import Final

import msgspec

PLAIN: Final = "plain"
MET: Final = "met"
"""It is counted, because it met what was asked."""
MISSED: Final = "missed"
"""It is not counted, because it did not."""
DROPPED: Final = "dropped"
"""Others were kept."""
AGAIN: Final = "again"
"""It was rolled again, so it counts no more."""


class TrayDie(msgspec.Struct, frozen=True):
    """One die: what it shows, the number of its sides (0: one with signs of its own), its state.

    `burst`: it exploded; `extra`: it came of the explosion of the die before it.
    """

    shows: str
    sides: int
    state: str = PLAIN
    burst: bool = False
    extra: bool = False


class TrayThrow(msgspec.Struct, frozen=True):
    """Dice that were thrown together, how they are written, and what they are worth."""

    name: str
    dice: tuple[TrayDie, ...]
    worth: str


class TrayRow(msgspec.Struct, frozen=True):
    """One result: how it is written, what it is for (or `""`), how it was added up (or `""`), the total,
    and what the total counts (“successes”, or `""`)."""

    written: str
    label: str
    throws: tuple[TrayThrow, ...]
    sum: str
    total: str
    counts: str = ""


class RollView(msgspec.Struct, frozen=True):
    """A whole roll: its results in order, and the same in words for those who cannot see."""

    rows: tuple[TrayRow, ...]
    alt: str

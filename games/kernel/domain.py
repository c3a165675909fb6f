"""Domains: the legal values of a slot, for menus, autocompletion, typed commands and random play."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from games.kernel.action import Value
from games.kernel.entropy import Entropy


class Option(msgspec.Struct, frozen=True):
    """One legal value.

    `label` names it in a menu (at most 100 characters), `note` is a short description there,
    `cell` the board cell it lies on and `mark` the few characters written on that cell while a
    player chooses (a movement cost, a bonus).
    """

    value: str
    label: str
    note: str = ""
    cell: str = ""
    mark: str = ""


class Choices(msgspec.Struct, frozen=True):
    """Exactly one of the listed options, the most interesting (usually nearest) first.

    `preset` is the value taken when the player names none; `also` are further legal values that mean
    the same as a listed one (any member of a team names the team).
    """

    options: tuple[Option, ...]
    preset: str = ""
    also: tuple[str, ...] = ()

    def contains(self, value: Value) -> bool:
        """Whether the value is legal. This, and not any menu, decides."""
        return any(option.value == value for option in self.options) or value in self.also

    def sample(self, entropy: Entropy) -> Value:
        """Some legal value. The domain must not be empty."""
        return entropy.draw([option.value for option in self.options], "sample")

    @property
    def default(self) -> Value | None:
        """The value that may be left out: the preset, or the only one there is."""
        if self.preset:
            return self.preset
        return self.options[0].value if len(self.options) == 1 else None

    def __bool__(self) -> bool:
        return bool(self.options)


class Several(msgspec.Struct, frozen=True):
    """Between `least` and `most` distinct options, in an order that matters.

    `preset` are the values taken when the player names none; None: they must be named.
    """

    options: tuple[Option, ...]
    least: int
    most: int
    preset: tuple[str, ...] | None = None

    def contains(self, value: Value) -> bool:
        """Whether the values are distinct, legal, and of a legal number."""
        if isinstance(value, str) or not self.least <= len(value) <= self.most:
            return False
        legal = [option.value for option in self.options]
        return all(part in legal and value.count(part) == 1 for part in value)

    def sample(self, entropy: Entropy) -> Value:
        """Some legal choice. The domain must not be empty."""
        left = [option.value for option in self.options]
        most = min(self.most, len(left))
        wanted = self.least + entropy.roll(most - self.least + 1, "sample") - 1
        taken: list[str] = []
        for _ in range(wanted):
            taken.append(entropy.draw(left, "sample"))
            left.remove(taken[-1])
        return tuple(taken)

    @property
    def default(self) -> Value | None:
        """The values that may be left out; None when nothing is chosen for the player."""
        return self.preset

    def __bool__(self) -> bool:
        return len(self.options) >= self.least


Domain: TypeAlias = Choices | Several

NOTHING = Choices(())
"""The empty domain: the slot cannot be filled now."""

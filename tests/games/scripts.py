"""Entropy that keeps its results as a script, to be played again."""

from __future__ import annotations

from collections.abc import Sequence

from games.kernel.entropy import Entropy


class Noting:
    """Passes on another source's results and notes them as `ScriptedEntropy` reads them."""

    def __init__(self, source: Entropy) -> None:
        self._source = source
        self.script: list[int | str] = []

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides."""
        value = self._source.roll(sides, label)
        self.script.append(value)
        return value

    def pick(self, options: Sequence[str], label: str) -> int:
        """A place in the sequence."""
        place = self._source.pick(options, label)
        self.script.append(options[place])
        return place

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options."""
        return options[self.pick(options, label)]

"""Chance: dice and draws, from a committed key in play, from a script in tests.

Rules code asks for results in a fixed order and never sees where they come from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from games.kernel.verify import derive, hash_key, place_of

CHAIN_LENGTH = 1 << 14
"""Keys in one session's chain: one for each action that uses chance."""


class Entropy(Protocol):
    """Where results come from."""

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides. `label` says what for, in the log and the proof."""
        ...

    def pick(self, options: Sequence[str], label: str) -> int:
        """A place in the sequence, each equally likely. The sequence must not be empty."""
        ...

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options: what stands in the place that `pick` gives."""
        ...


class Result(msgspec.Struct, frozen=True):
    """One result that was asked for: `index` of `size` possibilities, and what it meant."""

    label: str
    size: int
    index: int
    meaning: str


class CommittedEntropy:
    """Results fixed by one link of the session's key chain (see `games.kernel.verify`)."""

    def __init__(self, key: bytes, session: str, salts: Sequence[str], number: int) -> None:
        self._key = key
        self._place = place_of(session, salts, number)
        self._counter = 0

    def _next(self, size: int, label: str) -> int:
        index = derive(self._key, self._place, self._counter, label, size)
        self._counter += 1
        return index

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides."""
        return self._next(sides, label) + 1

    def pick(self, options: Sequence[str], label: str) -> int:
        """A place in the sequence."""
        return self._next(len(options), label)

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options."""
        return options[self.pick(options, label)]


class RecordedEntropy:
    """Passes on another source's results and keeps what was asked and answered."""

    def __init__(self, source: Entropy) -> None:
        self._source = source
        self.results: list[Result] = []

    def roll(self, sides: int, label: str) -> int:
        """One die: 1..sides."""
        value = self._source.roll(sides, label)
        self.results.append(Result(label, sides, value - 1, str(value)))
        return value

    def pick(self, options: Sequence[str], label: str) -> int:
        """A place in the sequence."""
        place = self._source.pick(options, label)
        self.results.append(Result(label, len(options), place, options[place]))
        return place

    def draw(self, options: Sequence[str], label: str) -> str:
        """One of the options."""
        return options[self.pick(options, label)]


class ScriptMismatch(AssertionError):
    """A script of results does not fit what the rules asked for."""


class ScriptedEntropy:
    """Results written down beforehand: numbers for dice, ids for what is drawn.

    A result of the wrong kind or out of range fails at once; `finish` fails on leftovers. A draw from a
    single possibility takes nothing from the script unless the script names it.
    """

    def __init__(self, script: Iterable[int | str]) -> None:
        self._script = list(script)

    def _take(self, wanted: str) -> int | str:
        if not self._script:
            raise ScriptMismatch(f"the script is over, but {wanted} is needed")
        return self._script.pop(0)

    def roll(self, sides: int, label: str) -> int:
        """The next number of the script."""
        value = self._take(f"a die for {label}")
        if not isinstance(value, int) or not 1 <= value <= sides:
            raise ScriptMismatch(
                f"{label} needs a number from 1 to {sides}, the script has {value!r}"
            )
        return value

    def pick(self, options: Sequence[str], label: str) -> int:
        """The first place of the next id of the script."""
        return options.index(self.draw(options, label))

    def draw(self, options: Sequence[str], label: str) -> str:
        """The next id of the script."""
        if len(options) == 1 and (not self._script or self._script[0] != options[0]):
            return options[0]
        value = str(self._take(f"one of {', '.join(dict.fromkeys(options))} for {label}"))
        if value not in options:
            raise ScriptMismatch(
                f"{label}: {value!r} is not one of {', '.join(dict.fromkeys(options))}"
            )
        return value

    def finish(self) -> None:
        """Raises `ScriptMismatch` if results are left over."""
        if self._script:
            raise ScriptMismatch(f"left over in the script: {self._script}")


class KeyChain:
    """A session's secret keys: `key(0)` is posted, `key(n)` decides its n-th action with chance."""

    _STRIDE = 128

    def __init__(self, secret: bytes, length: int = CHAIN_LENGTH) -> None:
        self._length = length
        self._kept: dict[int, bytes] = {length: secret}
        key, number = secret, length
        sha256 = hashlib.sha256  # `hash_key` without a call: this is most of opening a table
        while number:
            start = (number - 1) // self._STRIDE * self._STRIDE
            for _ in range(number - start):
                key = sha256(key).digest()
            self._kept[start], number = key, start

    def key(self, number: int) -> bytes:
        """The key with that number. Raises `IndexError` when the chain is used up."""
        if not 0 <= number <= self._length:
            raise IndexError(f"the chain has keys 0 to {self._length}")
        start = min(self._length, -(-number // self._STRIDE) * self._STRIDE)
        key = self._kept[start]
        for _ in range(start - number):
            key = hash_key(key)
        return key


def seeded(seed: str) -> CommittedEntropy:
    """Reproducible results for tests, load generation and simulation; not for play."""
    return CommittedEntropy(hashlib.sha256(seed.encode()).digest(), "seeded", (), 0)

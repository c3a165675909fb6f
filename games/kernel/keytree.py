"""A sealed set of keys, any of which can be shown without telling anything about the others.

In a game a chain of keys does: its keys come to light in order. In a channel secret rolls and private
hands lie between open ones, so there every key is a leaf of a tree of hashes, and the root is the seal
that is posted. A key is shown with its path: the hashes that lead from it to the root.
"""

from __future__ import annotations

import hashlib

from games.kernel.verify import DEPTH, leaf_of, node_of

KEYS = 1 << DEPTH
"""Keys under one seal."""


def key_of(secret: bytes, number: int) -> bytes:
    """The key with that number (from 1), of all that a secret of 32 bytes stands for."""
    return hashlib.blake2b(f"key {number}".encode(), key=secret, digest_size=32).digest()


def seal_number(number: int) -> int:
    """Under which seal a key lies: 0 for keys 1 to `KEYS`, and so on."""
    return (number - 1) // KEYS


class KeyTree:
    """The tree over the keys of one seal. Making it takes some ten milliseconds."""

    def __init__(self, secret: bytes, seal: int = 0) -> None:
        first = seal * KEYS + 1
        level = [leaf_of(key_of(secret, first + place)) for place in range(KEYS)]
        self._levels = [level]
        while len(level) > 1:
            pairs = zip(level[::2], level[1::2], strict=True)
            level = [node_of(left, right) for left, right in pairs]
            self._levels.append(level)
        self._first = first

    @property
    def root(self) -> bytes:
        """The seal of all its keys."""
        return self._levels[-1][0]

    def path(self, number: int) -> list[bytes]:
        """The hashes beside the way from a key to the root. Raises `IndexError` for another's key."""
        place = number - self._first
        if not 0 <= place < KEYS:
            raise IndexError(f"this tree has keys {self._first} to {self._first + KEYS - 1}")
        beside: list[bytes] = []
        for level in self._levels[:-1]:
            beside.append(level[place ^ 1])
            place //= 2
        return beside

"""A small thread-safe cache for pictures, bounded by weight."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from PIL import Image

T = TypeVar("T")


class Lru(Generic[T]):
    """Keeps the values used last, up to a total weight (for images: bytes)."""

    def __init__(self, most: int, weigh: Callable[[T], int]) -> None:
        self._most = most
        self._weigh = weigh
        self._held: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._weight = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value for `key`, made by `make` when absent.

        Two threads may make the same value at once; both are equal, one is kept. Nobody waits for
        another's drawing.
        """
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
                return found[0]
        value = make()
        weight = self._weigh(value)
        with self._lock:
            if key not in self._held:
                self._held[key] = (value, weight)
                self._weight += weight
            while self._weight > self._most and len(self._held) > 1:
                _, (_, gone) = self._held.popitem(last=False)
                self._weight -= gone
        return value

    def clear(self) -> None:
        """Forget everything (tests and measurements)."""
        with self._lock:
            self._held.clear()
            self._weight = 0

    @property
    def weight(self) -> int:
        """Total weight held."""
        return self._weight

    def __len__(self) -> int:
        return len(self._held)


def image_bytes(image: Image.Image) -> int:
    """What an image weighs in memory: Pillow keeps RGB in four bytes, too."""
    return image.width * image.height * (1 if len(image.getbands()) == 1 else 4)


STAMPS: Lru[Image.Image] = Lru(24 << 20, image_bytes)
"""Counters, arrows, labels: small images pasted onto boards and strips."""

GROUNDS: Lru[Image.Image] = Lru(24 << 20, image_bytes)
"""Printed boards without counters, per map, state of rooms and zones, and window.

Room for a whole board and half a dozen parts: a part is drawn anew in 3 ms, a whole board in 10."""

"""Pictures beside their floor: encoding the same pixels in the same way."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import thread_time

from PIL import Image

import renderer
from bot.pictures import action_cells
from renderer import cache, picture
from tests.bench.figures import Figures, Size, percentile
from tests.bench.positions import boots, whole_game

REPEATS = 3

_encode = picture.encode
"""The encoder itself, whatever is put in its place for a time."""


def encode(image: Image.Image) -> bytes:
    """The floor of a picture: its finished RGB pixels to the PNG that is posted.

    It is the renderer's own last step and nothing else: each pixel to the nearest colour of the
    fixed palette, then a palette PNG at the same level of compression.
    """
    return _encode(image)


@contextmanager
def watched() -> Generator[list[Image.Image]]:
    """A list that fills with the RGB images which the renderer encodes meanwhile."""
    seen: list[Image.Image] = []

    def watch(image: Image.Image) -> bytes:
        seen.append(image)
        return _encode(image)

    picture.encode = watch
    try:
        yield seen
    finally:
        picture.encode = _encode


@dataclass
class _Kind:
    """The measurements of one kind of picture."""

    name: str
    drawn: list[float] = field(default_factory=list[float])
    floor: list[float] = field(default_factory=list[float])
    sizes: list[int] = field(default_factory=list[int])

    def take(self, draw: Callable[[], renderer.Picture | None]) -> None:
        with watched() as seen:
            made = draw()
        if made is None:
            return
        self.sizes.append(len(made.png))
        self.drawn.append(min(timed(draw) for _ in range(REPEATS)))
        image = seen[0]
        self.floor.append(min(timed(lambda: encode(image)) for _ in range(REPEATS)))

    def tell(self, figures: Figures, *, high: bool = False) -> None:
        figures.spread(self.name, self.drawn, high=high)
        figures.put(f"{self.name}.floor_ms", percentile(self.floor, 50) * 1000)
        figures.put(f"{self.name}.bytes", max(self.sizes))
        figures.ratio(f"{self.name}.ratio", f"{self.name}.p50_ms", f"{self.name}.floor_ms")


def measure(figures: Figures, size: Size) -> None:
    """Draw what the bot posts in random games of Hot LZ: the map, the closeup, the outcome.

    CPU time of this thread, the best of three after a first time that fills the caches (as a
    running bot has them); `picture.cold_ms` is the very first.
    """
    game = boots()
    whole, close, outcome = _Kind("picture"), _Kind("closeup"), _Kind("outcome")
    cold: list[float] = []
    seed = 0
    while len(whole.drawn) < size.pictures or len(outcome.drawn) < size.pictures:
        seed += 1
        for at in whole_game(game, {"mission": "hot-lz", "mode": "solo1"}, f"picture {seed}"):
            events = at.events

            def board(at=at, events=events) -> renderer.Picture:
                return renderer.board(game.view(at.state(), None), events=events)

            def closeup(at=at, events=events) -> renderer.Picture:
                view = game.view(at.state(), None)
                crop = action_cells(view, events) or None
                return renderer.board(view, events=events, crop=crop)

            if len(cold) < 3:
                cache.STAMPS.clear()
                cache.GROUNDS.clear()
                cold.append(timed(board))
            if len(whole.drawn) < size.pictures:
                whole.take(board)
                close.take(closeup)
            if len(outcome.drawn) < size.pictures:
                outcome.take(lambda events=events: renderer.outcome(events))
    whole.tell(figures, high=True)
    close.tell(figures)
    outcome.tell(figures)
    figures.put("picture.cold_ms", percentile(cold, 50) * 1000)


def timed(work: Callable[[], object]) -> float:
    """CPU time of this thread for some work, in seconds."""
    begun = thread_time()
    work()
    return thread_time() - begun

"""A moving picture: public views one after the other, in the fixed palette, as a GIF."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image

from games.kernel.event import Event
from games.kernel.view import View
from renderer.board import drawn
from renderer.picture import to_palette

PAUSE = 700
"""Milliseconds that a frame is shown."""

LAST = 4_000
"""Milliseconds that the last frame is shown."""


def frame(view: View, events: Sequence[Event] = (), *, shrink: int = 1) -> Image.Image:
    """The whole board as one frame, its sides divided by `shrink`."""
    image = drawn(view, events=events)
    return to_palette(image.reduce(shrink) if shrink > 1 else image)


class Film:
    """Frames in order, and the GIF made of them."""

    def __init__(self) -> None:
        self.frames: list[Image.Image] = []

    def add(self, frames: Sequence[Image.Image]) -> None:
        """Put frames at its end."""
        self.frames += frames

    def gif(self) -> bytes:
        """The film, without end. Frames of several sizes share the largest.

        Raises `ValueError` for a film without frames.
        """
        if not self.frames:
            raise ValueError("a film needs a frame")
        size = max(f.width for f in self.frames), max(f.height for f in self.frames)
        first, *others = [_padded(f, size) for f in self.frames]
        out = io.BytesIO()
        first.save(
            out,
            "GIF",
            save_all=True,
            append_images=others,
            duration=[*[PAUSE] * len(others), LAST],
            loop=0,
            optimize=False,
            disposal=1,
        )
        return out.getvalue()


def _padded(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    if image.size == size:
        return image
    canvas = to_palette(Image.new("RGB", size))
    canvas.paste(image, (0, 0))
    return canvas

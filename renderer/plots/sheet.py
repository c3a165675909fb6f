"""A sheet with plots on it: matplotlib draws the marks, our own fonts the words.

No state is shared: each picture has a figure of its own, so several threads may draw at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from PIL import Image

from renderer.palette import DIM, PANEL, Colour, blend
from renderer.picture import Picture, finish
from renderer.record import heading
from renderer.sheet import WIDTH, Sheet
from renderer.texts import ALT_LIMIT, cut

DPI: Final = 100
LEAST: Final = 24
"""The least em of any text, so that it can be read on a phone."""

RANGE: Final = blend(PANEL, DIM, 0.35)
"""The colour of what is to be expected."""

POINT: Final = 72 / DPI
"""Points of a pixel: matplotlib's line widths are in points."""


def load() -> None:
    """Load matplotlib, which takes most of a second the first time."""
    import_module("matplotlib.backends.backend_agg")
    import_module("matplotlib.figure")


def share(colour: Colour) -> tuple[float, float, float]:
    """A colour as matplotlib takes it."""
    return (colour[0] / 255, colour[1] / 255, colour[2] / 255)


@dataclass(frozen=True, slots=True)
class Plot:
    """A rectangle of the sheet, in pixels, and the values at its edges. `axes` takes matplotlib's marks."""

    axes: Any
    left: int
    top: int
    right: int
    bottom: int
    x: tuple[float, float]
    y: tuple[float, float]

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """Where on the sheet a point is."""
        across = (x - self.x[0]) / (self.x[1] - self.x[0])
        up = (y - self.y[0]) / (self.y[1] - self.y[0])
        return (
            self.left + across * (self.right - self.left),
            self.bottom - up * (self.bottom - self.top),
        )


class PlotSheet(Sheet):
    """A sheet with plots. Words that may lie over a plot are written after `ink`."""

    def __init__(self, height: int, title: str, subtitle: str) -> None:
        super().__init__(height)
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure: Any = Figure(figsize=(WIDTH / DPI, height / DPI), dpi=DPI, frameon=False)
        self._figure = figure
        self._canvas: Any = FigureCanvasAgg(figure)
        heading(self, title, subtitle)

    def plot(
        self,
        box: tuple[int, int, int, int],
        x: tuple[float, float],
        y: tuple[float, float],
    ) -> Plot:
        """A plot in the box (left, top, right, bottom) that reaches from the first to the second values."""
        left, top, right, bottom = box
        height = self.image.height
        place = (
            left / WIDTH,
            1 - bottom / height,
            (right - left) / WIDTH,
            (bottom - top) / height,
        )
        axes: Any = self._figure.add_axes(place)
        axes.set_axis_off()
        axes.set_xlim(*x)
        axes.set_ylim(*y)
        return Plot(axes, left, top, right, bottom, x, y)

    def ink(self) -> None:
        """Put all plots onto the sheet."""
        self._canvas.draw()
        size = (WIDTH, self.image.height)
        drawn = Image.frombuffer("RGBA", size, self._canvas.buffer_rgba(), "raw", "RGBA", 0, 1)
        self.image.paste(drawn, (0, 0), drawn)

    def picture(self, alt: str) -> Picture:
        """The finished picture."""
        return finish(self.image, cut(alt, ALT_LIMIT))

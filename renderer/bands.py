"""The bands above and below a board: what game and turn it is, who must act, and short facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from games.kernel.view import View
from renderer import fonts
from renderer.palette import DIM, INK, NIGHT, PAPER, WHITE, YELLOW, Colour

SIDE: Final = 20
"""Free pixels left and right of a band's text."""


class Head:
    """The dark band on top: title and turn small, the headline large in at most two lines."""

    def __init__(self, view: View, width: int) -> None:
        self.width = width
        self.room = width - 2 * SIDE
        self.small = max(19, width // 44)
        self.large = max(24, width // 32)
        self.first = (view.title, view.turn)
        self.lines = fonts.wrap(view.headline, fonts.BOLD, self.large, self.room - 16, 2)
        self.height = round(self.small * 1.75) + round(len(self.lines) * self.large * 1.22) + 12

    def draw(self, image: Image.Image, top: int) -> None:
        """Draw the band onto the picture from row `top` on."""
        pen = ImageDraw.Draw(image)
        pen.rectangle((0, top, self.width - 1, top + self.height - 1), NIGHT)
        title, turn = self.first
        y = top + round(self.small * 1.32)
        turn = fonts.shorten(fonts.clean(turn), fonts.BOLD, self.small, self.room * 6 // 10)
        used = fonts.write(image, (self.width - SIDE, y), turn, fonts.BOLD, self.small, WHITE, "rs")
        title = fonts.shorten(
            fonts.clean(title), fonts.REGULAR, self.small, self.room - used - self.small
        )
        fonts.write(image, (SIDE, y), title, fonts.REGULAR, self.small, DIM)
        y = top + round(self.small * 1.75)
        high = round(self.large * 1.22)
        pen.rectangle((SIDE, y + 4, SIDE + 6, y + len(self.lines) * high - 2), YELLOW)
        for line in self.lines:
            base = y + round(self.large * 0.98)
            fonts.write(image, (SIDE + 18, base), line, fonts.BOLD, self.large, WHITE)
            y += high


class Foot:
    """The last lines: facts in a row, parted by dots, on up to three lines."""

    def __init__(self, facts: Sequence[str], width: int) -> None:
        self.width = width
        self.px = max(19, width // 44)
        self.gap = round(self.px * 1.1)
        self.lines = self._lines([fonts.clean(f) for f in facts if f])
        self.step = round(self.px * 1.36)
        self.height = len(self.lines) * self.step + (round(self.px * 0.7) if self.lines else 0)

    def _lines(self, facts: Sequence[str]) -> list[list[str]]:
        room = self.width - 2 * SIDE
        lines: list[list[str]] = []
        used = 0
        for fact in facts:
            fact = fonts.shorten(fact, fonts.BOLD, self.px, room)
            wide = fonts.width(fact, fonts.BOLD, self.px)
            if lines and used + self.gap + wide <= room:
                lines[-1].append(fact)
                used += self.gap + wide
            elif len(lines) < 3:
                lines.append([fact])
                used = wide
        return lines

    def draw(self, image: Image.Image, top: int, ground: Colour = PAPER, ink: Colour = INK) -> None:
        """Draw the facts onto the picture from row `top` on."""
        if not self.lines:
            return
        pen = ImageDraw.Draw(image)
        pen.rectangle((0, top, self.width - 1, top + self.height - 1), ground)
        y = top + self.px
        for line in self.lines:
            x = SIDE
            for n, fact in enumerate(line):
                if n:
                    r = max(2, self.px // 9)
                    middle, high = x + self.gap // 2, y - round(self.px * 0.35)
                    pen.ellipse((middle - r, high - r, middle + r, high + r), ink)
                    x += self.gap
                x += fonts.write(image, (x, y), fact, fonts.BOLD, self.px, ink)
            y += self.step

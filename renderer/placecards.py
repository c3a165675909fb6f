"""Cards that describe a place: large beside its zone, small under the strip, or as a back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image

from games.kernel.view import Place, PlaceCard
from renderer import fonts
from renderer.cache import STAMPS
from renderer.palette import DIM, INK, PANEL, PANEL_EDGE, PAPER, WHITE, Colour
from renderer.pictograms import pictogram
from renderer.shapes import Pen
from renderer.sheet import Sheet

TITLE: Final = 33
REMARK: Final = 27
"""Ems of a large card's name and remarks."""


def face(sheet: Sheet, left: int, top: int, right: int, bottom: int) -> None:
    """The paper of a card that lies face up."""
    sheet.panel(left, top, right, bottom, INK, 14)
    sheet.panel(left + 3, top + 3, right - 3, bottom - 3, PAPER, 11)


def back(sheet: Sheet, left: int, top: int, right: int, bottom: int) -> None:
    """The back of a card."""
    stamp = _back(right - left, bottom - top)
    sheet.image.paste(stamp, (left, top), stamp)


def _back(wide: int, high: int) -> Image.Image:
    def make() -> Image.Image:
        pen = Pen(wide, high)
        x, y = wide / 2, high / 2
        pen.round_box(-x, -y, x, y, 13, INK)
        pen.round_box(-x + 5, -y + 5, x - 5, y - 5, 9, PANEL_EDGE)
        inner = Pen(wide, high)
        inner.round_box(-x + 8, -y + 8, x - 8, y - 8, 7, PANEL)
        lines = Pen(wide, high)
        at = -x - high
        while at < x + high:
            lines.line([(at, y), (at + high, -y)], PANEL_EDGE, 3)
            lines.line([(at, -y), (at + high, y)], PANEL_EDGE, 3)
            at += 22
        inner.through(inner.image.getchannel("A"), lines)
        pen.through(inner.image.getchannel("A"), inner)
        r = min(wide, high) * 0.26
        pen.disc((0, 0), r, INK)
        pen.text((0, 0), "?", fonts.BLACK, r * 1.3, DIM)
        return pen.done()

    return STAMPS.get(("card back", wide, high), make)


class LargeCard:
    """A place's card in full: name, figures two by two or in one row, remarks."""

    def __init__(self, place: Place, width: int, *, flat: bool) -> None:
        self.card = place.card
        self.width = width
        self.flat = flat
        self.name: tuple[str, ...] = ()
        self.remarks: tuple[str, ...] = ()
        self.height = 116
        if self.card is None:
            return
        room = width - 40
        self.name = fonts.wrap(self.card.name, fonts.BLACK, TITLE, room, 1 if flat else 2)
        for remark in self.card.remarks[:3]:
            self.remarks += fonts.wrap(remark, fonts.BOLD, REMARK, room, 2 if flat else 3)
        self.remarks = self.remarks[:6]
        self.across = min(4, max(1, len(self.card.figures))) if flat else 2
        rows = -(-len(self.card.figures) // self.across)
        self.height = 20 + 38 * len(self.name) + 58 * rows + 14
        self.height += 31 * len(self.remarks) + (14 if self.remarks else 0)

    def draw(self, sheet: Sheet, left: int, top: int) -> None:
        """Draw with its upper left corner there."""
        right, bottom = left + self.width, top + self.height
        if self.card is None:
            back(sheet, left, top, right, bottom)
            return
        face(sheet, left, top, right, bottom)
        y = top + 20
        for line in self.name:
            sheet.text((left + 20, y + 16), line, TITLE, INK, weight=fonts.BLACK)
            y += 38
        y += 2
        wide = (self.width - 32) // self.across
        for n, (name, value) in enumerate(self.card.figures):
            x = left + 18 + (n % self.across) * wide
            middle = y + 29 + (n // self.across) * 58
            large_figure(sheet, x, middle, wide, name, value, words=not self.flat)
        y += 58 * -(-len(self.card.figures) // self.across) + 4
        if self.remarks:
            sheet.pen.line((left + 20, y, right - 21, y), DIM, 2)
            y += 10
        for line in self.remarks:
            sheet.text((left + 20, y + 15), line, REMARK, INK)
            y += 31


def large_figure(
    sheet: Sheet, left: int, middle: float, wide: int, name: str, value: str, *, words: bool
) -> None:
    """A figure: its picture, the number large, and its name where there is room."""
    stamp = pictogram(name, 40, INK)
    x = left
    if stamp is not None:
        sheet.stamp(stamp, (x + 20, middle))
        x += 47
    x += sheet.text((x, middle), value, 38, INK, weight=fonts.BLACK, room=wide // 2, least=20)
    room = left + wide - x - 12
    if (words or stamp is None) and room > 20:
        sheet.text((x + 7, middle + 4), name, 24, INK, weight=fonts.REGULAR, room=room, least=16)


def small_card(
    sheet: Sheet, card: PlaceCard | None, left: int, top: int, right: int, bottom: int
) -> None:
    """A card under its zone in the strip: name and figures, or a back."""
    if card is None:
        back(sheet, left, top, right, bottom)
        return
    face(sheet, left, top, right, bottom)
    room = right - left - 20
    lines = fonts.wrap(card.name, fonts.BLACK, 23, room, 2)
    y = top + 12
    for line in lines:
        sheet.text((left + 11, y + 12), line, 23, INK, weight=fonts.BLACK)
        y += 26
    _small_figures(sheet, card.figures, left + 10, bottom - 72, room)


def _small_figures(
    sheet: Sheet, figures: Sequence[tuple[str, str]], left: int, top: int, room: int
) -> None:
    for n, (name, value) in enumerate(figures[:4]):
        x = left + (n % 2) * room // 2
        middle = top + 17 + (n // 2) * 32
        stamp = pictogram(name, 26, INK)
        if stamp is not None:
            sheet.stamp(stamp, (x + 13, middle))
        else:
            sheet.text((x, middle), name[:1], 24, INK, weight=fonts.REGULAR)
        sheet.text((x + 32, middle), value, 25, INK, weight=fonts.BLACK, room=room // 2 - 34)


def tag(
    sheet: Sheet, left: float, middle: float, text: str, px: int, ground: Colour, ink: Colour
) -> int:
    """A pill with a word; returns its width."""
    wide = fonts.width(text, fonts.BOLD, px) + round(px * 0.9)
    half = round(px * 0.68)
    box = (round(left), round(middle) - half, round(left) + wide, round(middle) + half)
    sheet.panel(*box, ground, half)
    sheet.text((left + wide / 2, middle), text, px, ink, anchor="mm")
    return wide


def number_disc(number: int, size: int, fill: Colour, ink: Colour) -> Image.Image:
    """A zone's number on a disc."""

    def make() -> Image.Image:
        pen = Pen(size + 4, size + 4)
        pen.disc((0, 0), size / 2 + 1, WHITE)
        pen.disc((0, 0), size / 2, INK)
        pen.disc((0, 0), size / 2 - 2.5, fill)
        pen.text((0, 0), str(number), fonts.BLACK, size * 0.62, ink)
        return pen.done()

    return STAMPS.get(("number disc", number, size, fill, ink), make)

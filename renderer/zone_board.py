"""The picture of a zone board: the strip of zones, the zone where things happen large, the mat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from games.kernel.event import Event
from games.kernel.view import Mark, Place, View, ZoneBoard
from renderer import fonts
from renderer.bands import Foot, Head
from renderer.cache import GROUNDS
from renderer.counters import counter
from renderer.mat import Mat
from renderer.overlay import Overlay
from renderer.palette import GROUND, INK, NIGHT, PAPER, WHITE, YELLOW
from renderer.pictograms import pictogram
from renderer.placecards import LargeCard, number_disc
from renderer.sheet import WIDTH, Sheet
from renderer.terrain import terrain
from renderer.zone_layout import (
    BAND,
    BANDS,
    BOXES,
    LINE,
    Box,
    Seat,
    ZoneField,
    large_zones,
)
from renderer.zone_strip import Strip, next_panel, rows_of

LEFT: Final = 20
ROOM: Final = 960
GAP: Final = 14
ONE: Final = 604
"""Width of a zone drawn large when it is the only one; its card stands beside it."""

CORNERS: Final = {"vip": ("V", "VIP"), "exit": ("X", "out")}
"""Boxes with a corner of their own: the sign on the map, and the name on the picture."""

INSET: Final = 10

TITLE: Final = 62
"""Height of the line with a large zone's number and name."""


def zone_board(
    view: View,
    board: ZoneBoard,
    *,
    events: Sequence[Event] = (),
    marks: Sequence[Mark] = (),
    crop: Sequence[str] | None = None,
    numbered: Sequence[tuple[str, str]] = (),
) -> Image.Image:
    """Draw a view of a zone board, 1,000 pixels wide.

    The whole board has the strip with maps and cards, the current zone large, and the whole mat. A crop
    has the strip's heads only, the zones of its cells large (two side by side at most), and the mat
    without open cards.
    """
    seen = [*board.marks, *(m for e in events for m in e.marks), *marks]
    zones = large_zones(board, crop or ())
    head = Head(view, WIDTH)
    strip = Strip(board, full=not crop)
    large = _Large(board, zones)
    mat = Mat(view, full=not crop)
    foot = Foot(view.footer, WIDTH)
    height = head.height + strip.height + large.height + mat.height + foot.height
    sheet = Sheet(height, PAPER)
    head.draw(sheet.image, 0)
    y = head.height
    large.draw(sheet, y + strip.height, seen, numbered)
    strip.draw(sheet, y)
    y += strip.height + large.height
    mat.draw(sheet, y)
    foot.draw(sheet.image, y + mat.height, NIGHT, WHITE)
    return sheet.image


class _Large:
    """The zones drawn large: one with its card beside it, or two with their cards below."""

    def __init__(self, board: ZoneBoard, zones: Sequence[int]) -> None:
        self.board = board
        self.zones = zones
        self.places = [p for p in board.places if p.number in zones]
        self.single = len(self.places) == 1
        self.height = 0
        map_high = BAND * len(BANDS)
        if self.single:
            self.cards = [LargeCard(self.places[0], ROOM - ONE - GAP, flat=False)]
            self.height = max(map_high, TITLE + self.cards[0].height + 100) + 18
        elif self.places:
            wide = (ROOM - GAP) // 2
            self.cards = [LargeCard(p, wide, flat=True) for p in self.places]
            self.height = TITLE + map_high + 12 + max(c.height for c in self.cards) + 18

    def draw(
        self, sheet: Sheet, top: int, marks: Sequence[Mark], numbered: Sequence[tuple[str, str]]
    ) -> None:
        """Draw from row `top` on."""
        if not self.places:
            return
        if self.single:
            field = ZoneField(self.board, self.zones, LEFT, top, ONE, GAP)
            self._beside(sheet, top, LEFT + ONE + GAP)
        else:
            field = ZoneField(self.board, self.zones, LEFT, top + TITLE, ROOM, GAP)
            below = top + TITLE + field.high + 12
            for place, card in zip(self.places, self.cards, strict=True):
                left = field.lefts[place.number]
                _title(sheet, place, left, top, field.wide)
                card.draw(sheet, left, below)
        draw_zones(sheet.image, field, marks, numbered)

    def _beside(self, sheet: Sheet, top: int, left: int) -> None:
        place, card = self.places[0], self.cards[0]
        _title(sheet, place, left, top - 4, LEFT + ROOM - left)
        card.draw(sheet, left, top + TITLE)
        ahead = next((p for p in self.board.places if p.number == place.number + 1), None)
        bottom = top + self.height - 18
        if ahead is not None:
            next_panel(sheet, ahead, left, bottom - 88, LEFT + ROOM, bottom)


def _title(sheet: Sheet, place: Place, left: int, top: int, room: int) -> None:
    fill = YELLOW if place.current else PAPER
    sheet.stamp(number_disc(place.number, 48, fill, INK), (left + 26, top + 30))
    at = (left + 62, top + 30)
    sheet.text(at, place.name, 42, INK, weight=fonts.BLACK, room=room - 70, least=26)


# ------------------------------------------------------------------ the zones drawn large


def draw_zones(
    image: Image.Image,
    field: ZoneField,
    marks: Sequence[Mark],
    numbered: Sequence[tuple[str, str]],
) -> None:
    """The zones of a field with their counters, words, marks and pick labels."""
    for number in field.zones:
        printed = _printed(field, number)
        image.paste(printed, (field.lefts[number], field.top))
    overlay = Overlay(image, field, [s.token.cell for s in field.seats])
    overlay.lift = 0.56
    overlay.under(marks)
    for number in field.zones:
        _plates(image, field, number)
    for seat in sorted(field.seats, key=lambda s: s.token.current):
        sprite = counter(seat.token, seat.size)
        spot = (round(seat.x - sprite.width / 2), round(seat.y - sprite.height / 2))
        image.paste(sprite, spot, sprite)
    overlay.over(marks)
    for seat in field.seats:
        _words(image, seat)
    overlay.labels(marks, [cell for cell, _ in numbered])
    overlay.numbers(numbered)


def _words(image: Image.Image, seat: Seat) -> None:
    """The pill with a counter's name and note."""
    if seat.label is None:
        return
    half = seat.label.height // 2
    left, right = round(seat.label_left), round(seat.label_left + seat.label.width)
    box = (left, round(seat.y) - half, right, round(seat.y) + half)
    ImageDraw.Draw(image).rounded_rectangle(box, 12, PAPER, INK, 2)
    y = seat.y - LINE * (len(seat.label.lines) - 1) / 2
    for text, weight, px in seat.label.lines:
        fonts.write(image, (seat.label_left + 12, y), text, weight, px, INK, "lm")
        y += LINE


def _printed(field: ZoneField, number: int) -> Image.Image:
    """The printed part of a large zone: ground, bands, their names, the special corners."""
    board = field.board
    order = [p.number for p in board.places].index(number)
    place = board.places[order]
    rows = rows_of(board)
    left, top = field.lefts[number], field.top
    corners = {
        box: _moved(field.area(number, BOXES.index(box)), left, top)
        for box, (sign, _) in CORNERS.items()
        if any(sign in row for row in place.ground)
    }
    key = ("zone", board.key, rows, order, place.current, field.wide, tuple(corners.items()))
    return GROUNDS.get(key, lambda: _print(field, place, order, rows, corners))


def _moved(box: Box, left: int, top: int) -> Box:
    return (box[0] - left, box[1] - top, box[2] - left, box[3] - top)


def _print(
    field: ZoneField, place: Place, order: int, rows: tuple[str, ...], corners: dict[str, Box]
) -> Image.Image:
    wide, high = field.wide, field.high
    image = Image.new("RGB", (wide, high), GROUND)
    columns = max((len(row) for row in place.ground), default=0)
    if columns:
        cell = (-(-wide // columns), -(-high // len(rows)))
        image.paste(terrain(rows, order * columns, columns, cell), (0, 0))
    pen = ImageDraw.Draw(image)
    for n in range(1, len(BANDS)):
        y = n * BAND
        for x in range(6, wide, 26):
            pen.rectangle((x, y - 2, x + 15, y + 1), PAPER)
    for name, (left, top, right, bottom) in corners.items():
        pen.rounded_rectangle(
            (left + INSET, top + INSET, right - INSET, bottom - INSET), 16, None, PAPER, 4
        )
        if name == "exit":
            stamp = pictogram("out", 52, INK)
            if stamp is not None:
                at = (round((left + right) / 2 - 26), round((top + bottom) / 2 - 34))
                image.paste(stamp, at, stamp)
    edge = 5 if place.current else 3
    for n in range(edge):
        pen.rectangle((n, n, wide - 1 - n, high - 1 - n), None, INK)
    return image


def _plates(image: Image.Image, field: ZoneField, number: int) -> None:
    """The names of a zone's boxes, over tints and below counters; of its corners while they are empty."""
    for n, name in enumerate(BANDS):
        _name(image, field.lefts[number] + 12, field.top + n * BAND + 40, name, right=False)
    for box, (sign, words) in CORNERS.items():
        taken = any(s.token.cell == f"{number}:{box}" for s in field.seats)
        if not taken and any(sign in row for row in field.places[number].ground):
            _, _, right, bottom = field.area(number, BOXES.index(box))
            _name(image, right - INSET - 8, bottom - INSET - 4, words, right=True)


def _name(image: Image.Image, x: int, y: int, name: str, *, right: bool) -> None:
    """A box's name on a small plate, its foot at row `y`."""
    px = 25
    wide = fonts.width(name, fonts.BLACK, px) + 18
    left = x - wide if right else x
    box = (left, y - 30, left + wide, y)
    ImageDraw.Draw(image).rounded_rectangle(box, 8, PAPER)
    fonts.write(image, (left + 9, y - 7), name, fonts.BLACK, px, INK)

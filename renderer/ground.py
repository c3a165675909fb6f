"""The printed board of squares: ground, floors, zones, walls, openings, numerals, coordinates.

It is drawn once for a map, the state of its rooms and zones, and a window, and kept. All lines are
upright, so nothing needs smoothing but letters and a few stamps.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PIL import Image, ImageDraw

from games.kernel.view import EdgeLine, SquareBoard, SquareMap, Zone
from renderer import fonts
from renderer.cache import GROUNDS, STAMPS
from renderer.layout import Window, column_name, square_xy
from renderer.palette import (
    COVER,
    COVER_EDGE,
    DOOR,
    FLOOR,
    FLOOR_LINE,
    GROUND,
    GROUND_ALT,
    GROUND_LINE,
    INK,
    LETTER,
    PAPER,
    WHITE,
    WINDOW,
    WINDOW_LIGHT,
    ZONE,
    ZONE_ALT,
    ZONE_IDLE,
    ZONE_IDLE_ALT,
    ZONE_LINE,
    Colour,
    tone,
)
from renderer.rooms import Numeral, numerals
from renderer.shapes import Pen, burst

_EMPTY: Final = ".,GX "
"""Square letters that are not written."""


def ground(board: SquareBoard, window: Window) -> Image.Image:
    """The printed part of the board in that window, RGB; do not draw on it, it is shared."""
    printed = board.map
    key = (printed.key, printed.width, printed.height, printed.letters, len(printed.edges),
           board.rooms, board.zones, board.breaches, window)  # fmt: skip
    return GROUNDS.get(key, lambda: _Ground(board, window).draw())


class _Ground:
    def __init__(self, board: SquareBoard, window: Window) -> None:
        self.board = board
        self.window = window
        self.image = Image.new("RGB", (window.width, window.height), PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.wall = max(3, round(window.size * 0.11))
        self.zone_at = _zones(board.zones)
        self.indoors = {square_xy(cell) for room in board.rooms for cell in room.cells}

    def draw(self) -> Image.Image:
        self._squares()
        for zone in self.board.zones:
            self._zone(zone)
        for numeral in numerals(self.board, self.window):
            self._numeral(numeral)
        self._letters()
        edges = self.board.map.edges
        for kind in ("wall", "window", "door"):
            for edge in edges:
                if edge.kind == kind:
                    self._edge(edge)
        for edge in edges:
            if edge.kind not in ("wall", "window", "door"):
                self._edge(edge)
        for edge in self.board.breaches:
            self._edge(edge)
        self._frame()
        self._coordinates()
        return self.image

    def _squares(self) -> None:
        w = self.window
        for y in range(w.top, w.top + w.rows):
            for x in range(w.left, w.left + w.columns):
                inside = _letter(self.board.map, x, y) in ",L" or (x, y) in self.indoors
                zone = self.zone_at.get((x, y))
                odd = (x + y) % 2 == 1
                fill, line = (GROUND_ALT if odd else GROUND), GROUND_LINE
                if inside:
                    fill, line = FLOOR, FLOOR_LINE
                if zone is not None and zone.active:
                    fill = ZONE_ALT if odd else ZONE
                elif zone is not None:
                    fill = ZONE_IDLE_ALT if odd else ZONE_IDLE
                left, top = w.corner(x, y)
                box = (left, top, left + w.size - 1, top + w.size - 1)
                self.pen.rectangle(box, fill)
                if inside:
                    self.pen.line((left, top, left + w.size - 1, top), line)
                    self.pen.line((left, top, left, top + w.size - 1), line)
                if _letter(self.board.map, x, y) == "X":
                    self.image.paste(_cover(w.size), (left, top), _cover(w.size))

    def _zone(self, zone: Zone) -> None:
        """The zone's border (broken while it is not active) and its name in a corner."""
        w = self.window
        cells = [xy for xy in map(square_xy, zone.cells) if xy is not None]
        held = set(cells)
        thick = max(2, round(w.size * (0.09 if zone.active else 0.05)))
        for x, y in cells:
            if not w.shows(x, y):
                continue
            left, top = w.corner(x, y)
            right, bottom = left + w.size, top + w.size
            for dx, dy, box in (
                (0, -1, (left, top, right - 1, top + thick - 1)),
                (0, 1, (left, bottom - thick, right - 1, bottom - 1)),
                (-1, 0, (left, top, left + thick - 1, bottom - 1)),
                (1, 0, (right - thick, top, right - 1, bottom - 1)),
            ):
                if (x + dx, y + dy) not in held:
                    self._border(box, broken=not zone.active)
        shown = [(y, x) for x, y in cells if w.shows(x, y)]
        if not shown:
            return
        y, x = min(shown)
        left, top = w.corner(x, y)
        px = max(10, round(w.size * 0.3))
        run = 0
        while (x + run, y) in held and w.shows(x + run, y):
            run += 1
        name, px = fonts.fit(zone.name, fonts.BLACK, px, run * w.size - 2 * thick - 4, 8)
        at = (left + thick + px * 0.3, top + thick + px * 1.0)
        fonts.write(self.image, at, name, fonts.BLACK, px, ZONE_LINE)

    def _border(self, box: tuple[int, int, int, int], *, broken: bool) -> None:
        if not broken:
            self.pen.rectangle(box, ZONE_LINE)
            return
        left, top, right, bottom = box
        step = max(4, self.window.size // 4)
        flat = right - left > bottom - top
        start, end = (left, right) if flat else (top, bottom)
        for at in range(start, end, step):
            stop = min(end, at + step // 2)
            self.pen.rectangle(
                (at, top, stop, bottom) if flat else (left, at, right, stop), ZONE_LINE
            )

    def _numeral(self, numeral: Numeral) -> None:
        fonts.write(
            self.image, numeral.at, numeral.text, fonts.BLACK, numeral.px, numeral.colour, "mm"
        )
        wide = fonts.width(numeral.text, fonts.BLACK, numeral.px) / 2 + numeral.px * 0.05
        thick = max(2, numeral.px // 14)
        for side in (-1, 1):
            x, y = numeral.at
            y += side * numeral.px * 0.40
            box = (round(x - wide), round(y - thick / 2), round(x + wide), round(y + thick / 2))
            self.pen.rectangle(box, numeral.colour)
        if numeral.badge:
            stamp = _cleared(numeral.badge, numeral.tone, self.window.size)
            x, y = numeral.badge_at
            at = (round(x - stamp.width / 2), round(y - stamp.height / 2))
            self.image.paste(stamp, at, stamp)

    def _letters(self) -> None:
        w = self.window
        px = max(10, round(w.size * 0.34))
        for y in range(w.top, w.top + w.rows):
            for x in range(w.left, w.left + w.columns):
                letter = _letter(self.board.map, x, y)
                if letter in _EMPTY:
                    continue
                at = w.centre(x, y)
                fonts.write(self.image, at, letter, fonts.BOLD, px, LETTER, "mm")

    def _edge(self, edge: EdgeLine) -> None:
        a, b = square_xy(edge.a), square_xy(edge.b)
        if a is None or b is None or abs(a[0] - b[0]) + abs(a[1] - b[1]) != 1:
            return
        w = self.window
        if not (w.shows(*a) or w.shows(*b)):
            return
        x, y = max(a, b)
        flat = a[0] == b[0]
        left, top = w.corner(x, y)
        if edge.kind == "breach":
            self._breach(edge, left, top, flat=flat)
            return
        self._bar(left, top, 0, w.size, self.wall, INK, flat=flat, caps=True)
        if edge.kind == "wall":
            return
        colour = {"door": DOOR, "window": WINDOW}.get(edge.kind, tone(edge.tone or "?").fill)
        start, stop = round(w.size * 0.16), w.size - round(w.size * 0.16)
        thick = self.wall + 2 * max(1, round(w.size * 0.035))
        self._bar(left, top, start - 1, stop + 1, thick + 2, WHITE, flat=flat)
        self._bar(left, top, start, stop, thick, colour, flat=flat)
        if edge.kind == "window":
            glass = max(2, round(thick * 0.42))
            self._bar(left, top, start + 2, stop - 2, glass, WINDOW_LIGHT, flat=flat)

    def _bar(
        self,
        left: int,
        top: int,
        start: int,
        stop: int,
        thick: int,
        colour: Colour,
        *,
        flat: bool,
        caps: bool = False,
    ) -> None:
        """A bar on the upper (flat) or left edge of a square, from `start` to `stop` along it."""
        low = thick // 2
        high = thick - low - 1
        if caps:
            start, stop = start - low, stop + high
        if flat:
            box = (left + start, top - low, left + stop, top + high)
        else:
            box = (left - low, top + start, left + high, top + stop)
        self.pen.rectangle(box, colour)

    def _breach(self, edge: EdgeLine, left: int, top: int, *, flat: bool) -> None:
        size = self.window.size
        stamp = _breach(edge.tone, size, flat=flat)
        x, y = (left + size / 2, top) if flat else (left, top + size / 2)
        at = (round(x - stamp.width / 2), round(y - stamp.height / 2))
        self.image.paste(stamp, at, stamp)

    def _frame(self) -> None:
        """The board's edge, thick; where the window cuts the board only a thin line."""
        w, printed = self.window, self.board.map
        left, top = w.margin, w.margin
        right, bottom = left + w.columns * w.size, top + w.rows * w.size
        thick, thin = self.wall, 2
        for box in (
            (0, 0, w.width, top - 1),
            (0, bottom, w.width, w.height),
            (0, 0, left - 1, w.height),
            (right, 0, w.width, w.height),
        ):
            self.pen.rectangle(box, PAPER)
        ends = (thick if w.left == 0 else thin,
                thick if w.left + w.columns >= printed.width else thin)  # fmt: skip
        for edge, flat, at, side in (
            (w.top == 0, True, top, -1),
            (w.top + w.rows >= printed.height, True, bottom, 1),
            (w.left == 0, False, left, -1),
            (w.left + w.columns >= printed.width, False, right, 1),
        ):
            grow = thick if edge else thin
            near, far = (at - grow, at - 1) if side < 0 else (at, at + grow - 1)
            if flat:
                self.pen.rectangle((left - ends[0], near, right + ends[1] - 1, far), INK)
            else:
                self.pen.rectangle((near, top - thin, far, bottom + thin - 1), INK)

    def _coordinates(self) -> None:
        w = self.window
        px = round(w.margin * 0.66)
        room = w.margin - 8
        for x in range(w.left, w.left + w.columns):
            name, small = fonts.fit(column_name(x), fonts.BLACK, px, w.size - 2, 8)
            middle = w.centre(x, w.top)[0]
            for y in (w.margin / 2 - 2, w.height - w.margin / 2 + 2):
                fonts.write(self.image, (middle, y), name, fonts.BLACK, small, INK, "mm")
        for y in range(w.top, w.top + w.rows):
            name, small = fonts.fit(str(y + 1), fonts.BLACK, px, room, 8)
            middle = w.centre(w.left, y)[1]
            for x in (w.margin / 2 - 2, w.width - w.margin / 2 + 2):
                fonts.write(self.image, (x, middle), name, fonts.BLACK, small, INK, "mm")


def _letter(printed: SquareMap, x: int, y: int) -> str:
    if 0 <= y < len(printed.letters) and 0 <= x < len(printed.letters[y]):
        return printed.letters[y][x]
    return "."


def _zones(zones: Iterable[Zone]) -> dict[tuple[int, int], Zone]:
    found: dict[tuple[int, int], Zone] = {}
    for zone in sorted(zones, key=lambda z: z.active):
        for cell in zone.cells:
            xy = square_xy(cell)
            if xy is not None:
                found[xy] = zone
    return found


def _cover(size: int) -> Image.Image:
    """Printed cover: a red-edged block with a cross."""

    def make() -> Image.Image:
        pen = Pen(size, size)
        h = size * 0.38
        pen.round_box(-h, -h * 0.86, h, h * 0.86, size * 0.1, COVER_EDGE)
        e = h - max(1.5, size * 0.055)
        f = h * 0.86 - max(1.5, size * 0.055)
        pen.round_box(-e, -f, e, f, size * 0.06, COVER)
        for sign in (-1, 1):
            pen.line(
                [(-e * 0.5, sign * f * 0.5), (e * 0.5, -sign * f * 0.5)], COVER_EDGE, size * 0.05
            )
        return pen.done()

    return STAMPS.get(("cover", size), make)


def _breach(name: str, size: int, *, flat: bool) -> Image.Image:
    """A door blown into a wall: a gap in the ground's colour with a burst in the squad's tone."""

    def make() -> Image.Image:
        pen = Pen(size, size)
        pen.polygon(burst(8, size * 0.42, size * 0.25), INK)
        pen.polygon(burst(8, size * 0.385, size * 0.23), WHITE)
        pen.polygon(burst(8, size * 0.34, size * 0.205), tone(name).fill)
        a, b = size * 0.085, size * 0.2
        if flat:
            a, b = b, a
        pen.round_box(-a, -b, a, b, size * 0.05, WHITE)
        return pen.done()

    return STAMPS.get(("breach", name, size, flat), make)


def _cleared(name: str, colour: str, size: int) -> Image.Image:
    """The badge of a building: a pill in the squad's tone with a tick and the word."""

    def make() -> Image.Image:
        look = tone(colour or "green")
        px = max(9.0, size * 0.27)
        text = fonts.clean(name).strip()
        wide = fonts.width(text, fonts.BLACK, round(px * 4)) / 4 + px * (1.9 if text else 1.6)
        pen = Pen(wide + 4, px * 1.6 + 4)
        half, high = wide / 2, px * 0.78
        pen.round_box(-half - 1.5, -high - 1.5, half + 1.5, high + 1.5, high, WHITE)
        pen.round_box(-half, -high, half, high, high, look.fill)
        x = -half + px * (0.85 if text else 0.8)
        tick = [(x - px * 0.3, 0.0), (x - px * 0.06, px * 0.27), (x + px * 0.36, -px * 0.27)]
        pen.line(tick, look.text, px * 0.18)
        pen.text((px * 0.5, 0), text, fonts.BLACK, px, look.text)
        return pen.done()

    return STAMPS.get(("cleared", name, colour, size), make)

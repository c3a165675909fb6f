"""The mat: tracks as tiles with boxes or numbers, the lines of the rosters, the cards that lie open.

It is dark, like outcome pictures, so that the board above it stands out. All lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kernel.view import CardFace, RosterLine, Track, View
from renderer import fonts
from renderer.palette import CRIT, DIM, INK, NIGHT, PANEL, PANEL_EDGE, PAPER, WHITE, YELLOW
from renderer.placecards import tag
from renderer.sheet import Sheet

LEFT: Final = 20
RIGHT: Final = 980
ROOM: Final = RIGHT - LEFT
GAP: Final = 10
TILE: Final = 98
NAME: Final = 26
WORD: Final = 27
LINE: Final = 44
BOX: Final = 34
BOX_GAP: Final = 7
CARD_TEXT: Final = 26

MOST_BOXES: Final = 16


class Mat:
    """The dark part below a zone board; `full` shows the open cards too."""

    def __init__(self, view: View, *, full: bool) -> None:
        self.rows = _rows([_Tile(track) for track in view.tracks])
        self.lines = _lines([line for roster in view.rosters for line in roster.lines][:12])
        self.cards = [_Open(card) for card in view.cards[:4]] if full else []
        self.height = 0
        if self.rows or self.lines or self.cards:
            self.height = 16 + len(self.rows) * (TILE + GAP)
            self.height += sum(c.height + GAP for c in self.cards)
            self.height += LINE * len(self.lines) + (18 if self.lines else 0)

    def draw(self, sheet: Sheet, top: int) -> None:
        """Draw from row `top` on."""
        if not self.height:
            return
        sheet.pen.rectangle((0, top, sheet.image.width - 1, top + self.height - 1), NIGHT)
        y = top + 16
        for row in self.rows:
            _draw_row(sheet, row, y)
            y += TILE + GAP
        for card in self.cards:
            card.draw(sheet, y)
            y += card.height + GAP
        if self.lines:
            sheet.panel(LEFT, y, RIGHT, y + LINE * len(self.lines) + 12, PANEL)
            y += 6
        for row in self.lines:
            _draw_line(sheet, row, y)
            y += LINE


# ------------------------------------------------------------------ tracks


class _Tile:
    """A track: its name, and boxes or a number below it."""

    def __init__(self, track: Track) -> None:
        self.track = track
        self.boxes = max(0, min(MOST_BOXES, track.boxes))
        if self.boxes:
            self.value = f"{track.value} of {track.most or track.boxes}"
            body = self.boxes * (BOX + BOX_GAP) - BOX_GAP
            head = _wide(track.name, NAME) + 16 + _wide(self.value, NAME)
        else:
            self.value = track.value
            of = f"of {track.most}" if track.most else ""
            body = fonts.width(self.value, fonts.BLACK, 44) + (12 + _wide(of, NAME) if of else 0)
            head = _wide(track.name, NAME)
        self.width = max(body, head) + 36

    def draw(self, sheet: Sheet, left: int, right: int, y: int) -> None:
        """Draw between two columns from row `y` on."""
        track = self.track
        sheet.panel(left, y, right, y + TILE, PANEL)
        x, end = left + 18, right - 18
        if not self.boxes:
            sheet.text((x, y + 27), track.name, NAME, DIM, room=end - x, least=18)
            used = sheet.text(
                (x, y + 68), self.value, 44, WHITE, weight=fonts.BLACK, room=end - x, least=24
            )
            if track.most:
                at = (x + used + 12, y + 72)
                room = end - x - used - 12
                sheet.text(at, f"of {track.most}", NAME, DIM, room=room, least=16)
            return
        used = sheet.text((end, y + 27), self.value, NAME, WHITE, anchor="rm")
        sheet.text((x, y + 27), track.name, NAME, DIM, room=end - x - used - 10, least=16)
        filled = _number(track.value)
        step = min((end - x + BOX_GAP) / self.boxes, 2.0 * BOX + BOX_GAP)
        for n in range(self.boxes):
            start = round(x + n * step)
            stop = max(start + 6, round(x + (n + 1) * step) - BOX_GAP)
            last = track.danger and n == self.boxes - 1
            _box(sheet, start, y + 50, stop, filled=n < filled, danger=track.danger, last=last)


def _box(
    sheet: Sheet, left: int, top: int, right: int, *, filled: bool, danger: bool, last: bool
) -> None:
    """One box of a track: hollow, or full in yellow, or in red where it warns."""
    bottom = top + BOX
    middle = ((left + right) / 2, (top + bottom) / 2)
    if not filled:
        sheet.panel(left, top, right, bottom, DIM if last else PANEL_EDGE, 7)
        sheet.panel(left + 3, top + 3, right - 3, bottom - 3, PANEL, 5)
        if last:
            sheet.text(middle, "!", 26, DIM, weight=fonts.BLACK, anchor="mm")
        return
    sheet.panel(left, top, right, bottom, WHITE if danger else YELLOW, 7)
    if danger:
        sheet.panel(left + 3, top + 3, right - 3, bottom - 3, CRIT, 5)
        if last:
            sheet.text(middle, "!", 26, WHITE, weight=fonts.BLACK, anchor="mm")


def _number(value: str) -> int:
    digits = value.strip().removeprefix("+")
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 6 else 0


def _wide(text: str, px: int) -> int:
    return fonts.width(text, fonts.BOLD, px)


def _rows(tiles: Sequence[_Tile]) -> list[list[_Tile]]:
    """Tiles in their order, as many to a row as fit."""
    rows: list[list[_Tile]] = []
    used = 0
    for tile in tiles:
        wide = min(tile.width, ROOM)
        if rows and used + GAP + wide <= ROOM:
            rows[-1].append(tile)
            used += GAP + wide
        else:
            rows.append([tile])
            used = wide
    return rows


def _draw_row(sheet: Sheet, row: Sequence[_Tile], y: int) -> None:
    """A row of tiles, its spare room shared out in proportion."""
    room = ROOM - GAP * (len(row) - 1)
    total = sum(min(t.width, ROOM) for t in row)
    taken, left = 0, LEFT
    for n, tile in enumerate(row):
        taken += min(tile.width, ROOM)
        right = LEFT + round(taken * room / total) + GAP * n
        tile.draw(sheet, left, right, y)
        left = right + GAP


# ------------------------------------------------------------------ rosters


def _lines(lines: Sequence[RosterLine]) -> list[list[tuple[RosterLine, int]]]:
    """Lines of the rosters with their widths: two in a row where both are short."""
    rows: list[list[tuple[RosterLine, int]]] = []
    half = (ROOM - 28) // 2
    for line in lines:
        short = 46 + _wide(f"{line.name}  {_state(line)}", WORD) + 20 <= half
        mate = rows[-1] if rows and len(rows[-1]) == 1 and rows[-1][0][1] == half else None
        if short and mate is not None:
            mate.append((line, half))
        else:
            rows.append([(line, half if short else ROOM - 28)])
    return rows


def _state(line: RosterLine) -> str:
    return line.state or ("out" if line.out else "")


def _draw_line(sheet: Sheet, row: Sequence[tuple[RosterLine, int]], y: int) -> None:
    middle = y + LINE / 2
    x = LEFT + 14
    for line, wide in row:
        sheet.badge(line.badge, (x + 18, middle), 40)
        ink = DIM if line.out else WHITE
        used = sheet.text((x + 46, middle), line.name, WORD, DIM, room=wide // 2, least=20)
        start = x + 46 + used + 14
        sheet.text((start, middle), _state(line), WORD, ink, room=x + wide - start - 12, least=19)
        if line.out:
            sheet.pen.line((x + 44, middle + 1, x + 48 + used, middle + 1), DIM, 3)
        x += wide


# ------------------------------------------------------------------ open cards


class _Open:
    """A card that lies open: its remark, title and words on paper."""

    def __init__(self, card: CardFace) -> None:
        self.card = card
        self.lines = fonts.wrap(card.text, fonts.REGULAR, CARD_TEXT, ROOM - 40, 2)
        self.height = 56 + 32 * len(self.lines) + 8

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` on."""
        sheet.panel(LEFT, y, RIGHT, y + self.height, PAPER, 12)
        room = ROOM - 40
        if self.card.badge:
            badge = fonts.shorten(fonts.clean(self.card.badge), fonts.BOLD, 24, 240)
            wide = fonts.width(badge, fonts.BOLD, 24) + 22
            tag(sheet, RIGHT - 18 - wide, y + 30, badge, 24, INK, YELLOW)
            room -= wide + 14
        sheet.text(
            (LEFT + 20, y + 31), self.card.title, 32, INK, weight=fonts.BLACK, room=room, least=22
        )
        base = y + 68
        for line in self.lines:
            sheet.text((LEFT + 20, base), line, CARD_TEXT, INK, weight=fonts.REGULAR)
            base += 32

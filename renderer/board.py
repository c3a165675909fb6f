"""The picture of a view: the printed board, its counters, what just happened, what can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image

from games.kernel.event import Event
from games.kernel.view import Mark, SquareBoard, Token, View, ZoneBoard
from renderer.bands import Foot, Head
from renderer.counters import counter
from renderer.ground import ground
from renderer.layout import Window, closeup, square_xy, whole
from renderer.overlay import Overlay
from renderer.picture import Picture, finish
from renderer.texts import alt_text
from renderer.zone_board import zone_board


def board(
    view: View,
    *,
    events: Sequence[Event] = (),
    marks: Sequence[Mark] = (),
    crop: Sequence[str] | None = None,
    numbered: Sequence[tuple[str, str]] = (),
) -> Picture:
    """Draw a view: the whole board, or the part around the cells of `crop`.

    `events` add their marks (the last action), `marks` are an overlay while choosing, `numbered` puts
    large pick labels (cell, text) on squares. Pictures are about 800 to 1120 pixels wide. Cells that
    are not on the board are ignored; a crop without any shows the whole board.
    """
    image = drawn(view, events=events, marks=marks, crop=crop, numbered=numbered)
    return finish(image, alt_text(view, events))


def drawn(
    view: View,
    *,
    events: Sequence[Event] = (),
    marks: Sequence[Mark] = (),
    crop: Sequence[str] | None = None,
    numbered: Sequence[tuple[str, str]] = (),
) -> Image.Image:
    """The pixels of `board`, in full colour."""
    squares = view.board
    if isinstance(squares, ZoneBoard):
        return zone_board(view, squares, events=events, marks=marks, crop=crop, numbered=numbered)
    window = closeup(squares.map.width, squares.map.height, crop) if crop else None
    if window is None:
        window = whole(squares.map.width, squares.map.height)
    seen = [*squares.marks, *(m for e in events for m in e.marks), *marks]
    head = Head(view, window.width)
    foot = Foot(view.footer or [_fact(t.name, t.value, t.most) for t in view.tracks], window.width)
    image = Image.new("RGB", (window.width, head.height + window.height + foot.height))
    printed = ground(squares, window)
    image.paste(printed, (0, head.height))
    window = window._replace(above=head.height)
    _squares(image, printed, squares, window, seen, numbered)
    head.draw(image, 0)
    foot.draw(image, head.height + window.height)
    return image


def _fact(name: str, value: str, most: str) -> str:
    return f"{name} {value} of {most}" if most else f"{name} {value}"


def _squares(
    image: Image.Image,
    printed: Image.Image,
    squares: SquareBoard,
    window: Window,
    marks: Sequence[Mark],
    numbered: Sequence[tuple[str, str]],
) -> None:
    overlay = Overlay(image, window, [t.cell for t in squares.tokens])
    overlay.under(marks)
    for x, y, token, size in _places(squares.tokens, window):
        sprite = counter(token, size)
        spot = (round(x - sprite.width / 2), round(y - sprite.height / 2))
        image.paste(sprite, spot, sprite)
    overlay.over(marks)
    _restore(image, printed, window)
    overlay.labels(marks, [cell for cell, _ in numbered])
    overlay.numbers(numbered)


def _restore(image: Image.Image, printed: Image.Image, window: Window) -> None:
    """Give the coordinates back what rings and wedges at the board's edge have covered."""
    wide, high, strip = window.width, window.height, window.margin - 6
    for box in (
        (0, 0, wide, strip),
        (0, high - strip, wide, high),
        (0, strip, strip, high - strip),
        (wide - strip, strip, wide, high - strip),
    ):
        image.paste(printed.crop(box), (box[0], box[1] + window.above))


def _places(tokens: Sequence[Token], window: Window) -> list[tuple[float, float, Token, int]]:
    """Middle (pixels) and size of every counter in the window, in the order of drawing.

    One unit fills its square. A face-down chip under a unit peeps out of a lower corner; several units
    share the square in quarters. The current unit comes last, so that nothing covers its ring.
    """
    by_cell: dict[tuple[int, int], list[Token]] = {}
    for token in tokens:
        xy = square_xy(token.cell)
        if xy is not None and window.shows(*xy):
            by_cell.setdefault(xy, []).append(token)
    placed: list[tuple[float, float, Token, int]] = []
    size = window.size
    for xy, here in by_cell.items():
        x, y = window.centre(*xy)
        units = [t for t in here if not t.hidden]
        chips = [t for t in here if t.hidden]
        if not units:
            units, chips = chips, []
        if len(units) == 1:
            placed.append((x, y, units[0], size))
        else:
            for n, token in enumerate(units[:4]):
                dx, dy = (n % 2) - 0.5, (n // 2) - (0.5 if len(units) > 2 else 0.0)
                placed.append((x + dx * size * 0.5, y + dy * size * 0.5, token, round(size * 0.55)))
        for n, token in enumerate(chips[:2]):
            side = 0.33 if n == 0 else -0.33
            placed.append((x + side * size, y + size * 0.33, token, round(size * 0.62)))
    placed.sort(key=lambda p: (p[2].current, not p[2].hidden and p[3] == size))
    return placed

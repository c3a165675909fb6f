"""Luck as pictures: how often each face came up, and how far the sum is from what was to be expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from games.kernel.wording import signed
from renderer import fonts
from renderer.palette import DIM, FIRE, INK, PANEL, WHITE, YELLOW
from renderer.picture import Picture
from renderer.plots.sheet import LEAST, POINT, RANGE, PlotSheet, share
from renderer.record import HEAD
from renderer.sheet import INNER, PAD, WIDTH

MOST_PANELS: Final = 6
MOST_SWINGS: Final = 5

GAP: Final = 14
_FACES: Final = 372
_SWING: Final = 250
_KEY: Final = 48


Face: TypeAlias = tuple[str, int, float, int, int]
"""A face's name, how often it came up, how often that was to be expected, the least and most in fair
games."""


@dataclass(frozen=True, slots=True)
class FacePanel:
    """The faces of some dice."""

    title: str
    detail: str
    bars: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class SwingPanel:
    """How far some dice are from their expectation after each of them, and the standard deviation
    that fair dice have; `told` is the last value in words."""

    title: str
    detail: str
    told: str
    values: tuple[float, ...]
    deviations: tuple[float, ...]


# --- faces ---


def faces(panels: Sequence[FacePanel], title: str, subtitle: str, alt: str) -> Picture:
    """At most six panels, two beside each other; what was to be expected lies behind the bars."""
    placed, y = _placed(panels[:MOST_PANELS])
    sheet = PlotSheet(y + 2 * _KEY + PAD - GAP, title, subtitle)
    for panel, left, top, across in placed:
        _bars(sheet, panel, left, top, across)
    sheet.ink()
    for panel, left, top, across in placed:
        _names(sheet, panel, left, top, across)
    _key(sheet, y, any(_outside(bar) for panel, *_ in placed for bar in panel.bars))
    return sheet.picture(alt)


def _placed(panels: Sequence[FacePanel]) -> tuple[list[tuple[FacePanel, int, int, int]], int]:
    """Each panel with its left, top and width, and where the last row ends.

    Two panels stand beside each other, but for those whose names are too long for that.
    """
    half = (INNER - GAP) // 2
    rows: list[list[FacePanel]] = []
    alone: FacePanel | None = None
    for panel in panels:
        each = (half - 44) / len(panel.bars)
        if any(fonts.width(bar[0], fonts.BLACK, 32) > each for bar in panel.bars):
            rows.append([panel])
        elif alone is None:
            alone = panel
        else:
            rows.append([alone, panel])
            alone = None
    if alone is not None:
        rows.append([alone])
    placed: list[tuple[FacePanel, int, int, int]] = []
    for n, row in enumerate(rows):
        top, wide = HEAD + n * (_FACES + GAP), INNER if len(row) == 1 else half
        placed += [(panel, PAD + k * (wide + GAP), top, wide) for k, panel in enumerate(row)]
    return placed, HEAD + len(rows) * (_FACES + GAP)


def _outside(face: Face) -> bool:
    _, count, _, least, most = face
    return not least <= count <= most


def _edges(left: int, top: int, wide: int) -> tuple[int, int, int, int]:
    return left + 22, top + 100, left + wide - 22, top + _FACES - 88


def _bars(sheet: PlotSheet, panel: FacePanel, left: int, top: int, wide: int) -> None:
    sheet.panel(left, top, left + wide, top + _FACES, PANEL)
    number = len(panel.bars)
    high = max([1, *(max(count, most) for _, count, _, _, most in panel.bars)])
    plot = sheet.plot(_edges(left, top, wide), (-0.5, number - 0.5), (0, high * 1.02))
    places = range(number)
    least = [bar[3] for bar in panel.bars]
    plot.axes.bar(places, [bar[4] - bar[3] for bar in panel.bars], 0.84, least, color=share(RANGE))
    outside = [_outside(bar) for bar in panel.bars]
    plot.axes.bar(
        places,
        [bar[1] for bar in panel.bars],
        0.46,
        color=[share(FIRE if out else YELLOW) for out in outside],
        edgecolor=[share(WHITE if out else YELLOW) for out in outside],
        hatch=["//" if out else "" for out in outside],
        linewidth=0,
    )
    for place, bar in enumerate(panel.bars):
        ends = (place - 0.42, place + 0.42)
        plot.axes.hlines(bar[2], *ends, colors=[share(INK)], linewidth=8 * POINT)
        plot.axes.hlines(bar[2], *ends, colors=[share(WHITE)], linewidth=4 * POINT)


def _names(sheet: PlotSheet, panel: FacePanel, left: int, top: int, wide: int) -> None:
    room = wide - 44
    sheet.text(
        (left + 22, top + 36), panel.title, 34, WHITE, weight=fonts.BLACK, room=room, least=LEAST
    )
    sheet.text((left + 22, top + 74), panel.detail, 27, DIM, room=room, least=LEAST)
    start, _, end, bottom = _edges(left, top, wide)
    each = (end - start) / len(panel.bars)
    wordy = max(fonts.width(bar[0], fonts.BLACK, 32) for bar in panel.bars) > each - 4
    for n, bar in enumerate(panel.bars):
        name, count, out = bar[0], bar[1], _outside(bar)
        x = start + (n + 0.5) * each
        px = LEAST if wordy else 32
        sheet.text(
            (x, bottom + 26),
            name,
            px,
            WHITE,
            weight=fonts.BLACK,
            anchor="mm",
            room=round(each),
            least=18,
        )
        sheet.text(
            (x, bottom + 62),
            f"{count}{'!' if out else ''}",
            LEAST,
            YELLOW if out else DIM,
            anchor="mm",
        )


def _key(sheet: PlotSheet, y: int, outside: bool) -> None:
    """What the parts of the panels mean."""
    middle = y + _KEY // 2
    sheet.panel(PAD + 4, middle - 15, PAD + 30, middle + 15, YELLOW, 4)
    used = sheet.text((PAD + 44, middle), "came up", 26, WHITE)
    x = PAD + 44 + used + 40
    sheet.pen.rectangle((x, middle - 2, x + 40, middle + 1), WHITE)
    used = sheet.text((x + 54, middle), "expected", 26, WHITE)
    x += 54 + used + 40
    if outside:
        sheet.pen.rectangle((x, middle - 15, x + 30, middle + 14), FIRE)
        sheet.text((x + 44, middle), "outside its range (!)", 26, WHITE)
    middle += _KEY
    sheet.panel(PAD + 4, middle - 15, PAD + 30, middle + 15, RANGE, 4)
    told = "range: in at least 19 of 20 fair games every bar ends inside"
    sheet.text((PAD + 44, middle), told, 26, WHITE, room=INNER - 44, least=LEAST)


# --- swings ---


def swings(panels: Sequence[SwingPanel], title: str, subtitle: str, alt: str) -> Picture:
    """At most five panels below each other, each with its own scale."""
    shown = panels[:MOST_SWINGS]
    sheet = PlotSheet(HEAD + len(shown) * (_SWING + GAP) + _KEY + PAD - GAP, title, subtitle)
    for n, panel in enumerate(shown):
        _swing(sheet, panel, HEAD + n * (_SWING + GAP))
    sheet.ink()
    middle = HEAD + len(shown) * (_SWING + GAP) + _KEY // 2
    sheet.panel(PAD + 4, middle - 15, PAD + 30, middle + 15, RANGE, 4)
    told = "two standard deviations: at any time about 19 of 20 fair games are inside"
    sheet.text((PAD + 44, middle), told, 26, WHITE, room=INNER - 44, least=LEAST)
    return sheet.picture(alt)


def _swing(sheet: PlotSheet, panel: SwingPanel, top: int) -> None:
    right, number = WIDTH - PAD, len(panel.values)
    sheet.panel(PAD, top, right, top + _SWING, PANEL)
    used = sheet.text(
        (right - 22, top + 36), panel.told, 34, YELLOW, weight=fonts.BLACK, anchor="rm"
    )
    room = INNER - used - 70
    wide = sheet.text(
        (PAD + 22, top + 36), panel.title, 34, WHITE, weight=fonts.BLACK, room=room, least=LEAST
    )
    if room - wide > 120:
        sheet.text(
            (PAD + 22 + wide + 18, top + 37),
            panel.detail,
            27,
            DIM,
            room=room - wide - 18,
            least=LEAST,
        )
    outer = [2 * deviation for deviation in panel.deviations]
    high = max(*outer, *(abs(value) for value in panel.values)) * 1.08
    plot = sheet.plot(
        (PAD + 96, top + 66, right - 34, top + _SWING - 20), (0, number), (-high, high)
    )
    places, path = range(number + 1), (0.0, *panel.values)
    bound = (0.0, *outer)
    plot.axes.fill_between(
        places, [-value for value in bound], bound, color=share(RANGE), linewidth=0
    )
    plot.axes.hlines(0, 0, number, colors=[share(DIM)], linewidth=2 * POINT)
    plot.axes.plot(
        places, path, color=share(YELLOW), linewidth=5 * POINT,
        solid_joinstyle="round", solid_capstyle="round", clip_on=False,
    )  # fmt: skip
    plot.axes.plot(
        [number], [path[-1]], "o", color=share(YELLOW), markersize=16 * POINT,
        markeredgecolor=share(INK), markeredgewidth=3 * POINT, clip_on=False,
    )  # fmt: skip
    near = plot.spot(0, 0)[1] - plot.spot(0, outer[-1])[1] < 34
    mark = _round(0.9 * high if near else outer[-1])
    for value, name in ((mark, _short(mark)), (0, "0"), (-mark, _short(-mark))):
        sheet.text((plot.left - 12, plot.spot(0, value)[1]), name, LEAST, DIM, anchor="rm")


def _round(value: float) -> float:
    """A mark on the scale: a whole number, or a tenth where there is hardly anything."""
    return float(round(value)) if value >= 2 else round(value, 1)


def _short(value: float) -> str:
    """A value with its sign, without needless decimals."""
    if value == int(value):
        return signed(int(value))
    return f"{'+' if value > 0 else '−'}{abs(value):.1f}"

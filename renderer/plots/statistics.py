"""Statistics as pictures: how often somebody wins, how it went over time, what is played most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from renderer import fonts
from renderer.palette import DIM, INK, PANEL, PANEL_EDGE, WHITE, YELLOW
from renderer.picture import Picture
from renderer.plots.sheet import LEAST, POINT, PlotSheet, share
from renderer.record import HEAD, INSIDE
from renderer.sheet import INNER, PAD, WIDTH

GAP: Final = 14
ROW: Final = 54
TITLE: Final = 66
LEFT: Final = PAD + INSIDE
RIGHT: Final = WIDTH - PAD - INSIDE
START: Final = 400
END: Final = RIGHT - 178
"""Between these columns lie the marks of rows; names are to the left, numbers to the right."""

_COURSE: Final = 290
_ROOM: Final = 1.03
"""Where the plot of the time ends: a little after the last game, so that it is seen."""

_SCALE: Final = 44
_KEY: Final = 48


@dataclass(frozen=True, slots=True)
class Rate:
    """How many of some games were won, and between which shares the true one probably lies."""

    name: str
    played: int
    won: int
    low: float
    high: float
    inner: bool = False


@dataclass(frozen=True, slots=True)
class Rates:
    """Shares of games won, below each other on one scale."""

    title: str
    rows: tuple[Rate, ...]
    key: str = "line: the true share lies on it in about 19 of 20 cases"

    @property
    def height(self) -> int:
        """Pixels."""
        return TITLE + ROW * len(self.rows) + _SCALE + _KEY

    def marks(self, sheet: PlotSheet, top: int) -> None:
        """What matplotlib draws."""
        number = len(self.rows)
        box = (START, top + TITLE, END, top + TITLE + ROW * number)
        plot = sheet.plot(box, (0, 1), (number - 0.5, -0.5))
        plot.axes.vlines(
            (0, 0.5, 1), -0.5, number - 0.5, colors=[share(PANEL_EDGE)], linewidth=3 * POINT
        )
        for n, row in enumerate(self.rows):
            plot.axes.hlines(n, row.low, row.high, colors=[share(DIM)], linewidth=8 * POINT)
            plot.axes.vlines(
                (row.low, row.high), n - 0.22, n + 0.22, colors=[share(DIM)], linewidth=5 * POINT
            )
            plot.axes.plot(
                [row.won / row.played], [n], "D" if row.inner else "o", color=share(YELLOW),
                markersize=(17 if row.inner else 23) * POINT, markeredgecolor=share(INK),
                markeredgewidth=4 * POINT, clip_on=False,
            )  # fmt: skip

    def words(self, sheet: PlotSheet, top: int) -> None:
        """Names and numbers."""
        y = top + TITLE
        for row in self.rows:
            indent = 30 if row.inner else 0
            sheet.text(
                (LEFT + indent, y + ROW / 2), row.name, 29, DIM if row.inner else WHITE,
                weight=fonts.BOLD, room=START - LEFT - indent - 26, least=LEAST,
            )  # fmt: skip
            told = f"{row.won:,} of {row.played:,}"
            sheet.text((RIGHT, y + ROW / 2), told, 29, WHITE, anchor="rm", room=150, least=20)
            y += ROW
        for value, name in ((0, "0 %"), (0.5, "50 %"), (1, "100 %")):
            at = (START + value * (END - START), y + _SCALE / 2)
            sheet.text(at, name, LEAST, DIM, anchor="mm")
        sheet.text(
            (LEFT, y + _SCALE + 18),
            self.key,
            LEAST,
            DIM,
            weight=fonts.REGULAR,
            room=INNER - 48,
            least=20,
        )


@dataclass(frozen=True, slots=True)
class Course:
    """Games one after the other: times as shares of the whole time (ascending), which were won, and
    the names of both ends of the time."""

    title: str
    times: tuple[float, ...]
    won: tuple[bool, ...]
    first: str
    last: str

    @property
    def height(self) -> int:
        """Pixels."""
        return TITLE + _COURSE

    def marks(self, sheet: PlotSheet, top: int) -> None:
        """What matplotlib draws."""
        number = len(self.times)
        box = (LEFT + 8, top + TITLE + 8, END + 10, top + TITLE + _COURSE - 62)
        plot = sheet.plot(box, (0, _ROOM), (0, number))
        wins = [0]
        for won in self.won:
            wins.append(wins[-1] + won)
        places, last = (0.0, *self.times, _ROOM), number
        played = (*range(number + 1), last)
        plot.axes.hlines(0, 0, _ROOM, colors=[share(DIM)], linewidth=3 * POINT)
        plot.axes.fill_between(
            places, (*wins, wins[-1]), step="post", facecolor=share(YELLOW), alpha=1, linewidth=0
        )
        plot.axes.step(
            places, played, where="post", color=share(WHITE), linewidth=5 * POINT, clip_on=False
        )

    def words(self, sheet: PlotSheet, top: int) -> None:
        """The ends of the lines and of the time."""
        number, wins = len(self.times), sum(self.won)
        upper, lower = top + TITLE + 8, top + TITLE + _COURSE - 62
        x = END + 28
        high, low = float(upper + 8), lower - (lower - upper) * wins / max(1, number)
        low = max(low, high + 42)
        low = min(low, float(lower - 12))
        sheet.text((x, high), f"{number:,} played", 29, WHITE, room=RIGHT - x, least=20)
        sheet.text((x, low), f"{wins:,} won", 29, YELLOW, room=RIGHT - x, least=20)
        y = lower + 32
        sheet.text((LEFT + 8, y), self.first, LEAST, DIM)
        sheet.text((END + 10, y), self.last, LEAST, DIM, anchor="rm")


@dataclass(frozen=True, slots=True)
class Bar:
    """A number with its name; `part` of it is filled, the rest hollow."""

    name: str
    count: int
    part: int
    told: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Numbers below each other on one scale."""

    title: str
    rows: tuple[Bar, ...]

    @property
    def height(self) -> int:
        """Pixels."""
        return TITLE + ROW * len(self.rows) + 12

    def marks(self, sheet: PlotSheet, top: int) -> None:
        """What matplotlib draws."""
        number = len(self.rows)
        box = (START, top + TITLE, END, top + TITLE + ROW * number)
        most = max(row.count for row in self.rows)
        plot = sheet.plot(box, (0, max(1, most)), (number - 0.5, -0.5))
        places = range(number)
        plot.axes.barh(
            places, [row.count for row in self.rows], 0.6, facecolor=share(PANEL),
            edgecolor=share(DIM), linewidth=4 * POINT,
        )  # fmt: skip
        plot.axes.barh(
            places, [row.part for row in self.rows], 0.6, color=share(YELLOW), linewidth=0
        )

    def words(self, sheet: PlotSheet, top: int) -> None:
        """Names and numbers."""
        y = top + TITLE + ROW / 2
        for row in self.rows:
            sheet.text((LEFT, y), row.name, 29, WHITE, room=START - LEFT - 26, least=LEAST)
            sheet.text(
                (RIGHT, y), row.told, 29, WHITE, anchor="rm", room=RIGHT - END - 16, least=20
            )
            y += ROW


Section: TypeAlias = Rates | Course | Bars


def statistics(sections: Sequence[Section], title: str, subtitle: str, alt: str) -> Picture:
    """The sections below each other."""
    height = HEAD + sum(section.height + GAP for section in sections) + PAD - GAP
    sheet = PlotSheet(height, title, subtitle)
    y, tops = HEAD, list[int]()
    for section in sections:
        tops.append(y)
        sheet.panel(PAD, y, WIDTH - PAD, y + section.height, PANEL)
        section.marks(sheet, y)
        y += section.height + GAP
    sheet.ink()
    for section, top in zip(sections, tops, strict=True):
        sheet.text(
            (LEFT, top + 36),
            section.title,
            34,
            WHITE,
            weight=fonts.BLACK,
            room=INNER - 48,
            least=LEAST,
        )
        section.words(sheet, top)
    return sheet.picture(alt)

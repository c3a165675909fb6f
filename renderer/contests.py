"""Throws as pictures: one large duel, or compact rows under one chart.

Both read from left to right as a sentence: who with which die and which additions, against whom, the
difference, and what comes of it on yellow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kernel.event import Chart, Contest, Modifier, Roll, Rolled
from renderer import fonts
from renderer.palette import DIM, GAIN, INK, LOSS, PANEL, PANEL_EDGE, WHITE, YELLOW
from renderer.sheet import INNER, PAD, WIDTH, Sheet

NOTHING: Final = ("no effect", "nothing", "miss", "missed", "none", "–", "-", "")
"""Results of chart rows that are not worth the accent colour."""

LINE: Final = 34
ROW: Final = 78
ROW_GAP: Final = 6
CHART_ROW: Final = 44


def signed(value: int) -> str:
    """A number with its sign, as printed on charts."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"


def matters(contest: Contest, chart: Chart) -> bool:
    """Whether the lit row did something, as far as its words tell."""
    if 0 <= contest.row < len(chart.rows):
        return chart.rows[contest.row][1].strip().lower() not in NOTHING
    return True


# ------------------------------------------------------------------ one duel, large


class Duel:
    """One contest: two sums like receipts, the chart with its lit row, the consequence on yellow."""

    def __init__(self, event: Rolled) -> None:
        self.event = event
        self.contest = event.contests[0]
        sums = max(len(r.modifiers) for r in (self.contest.attacker, self.contest.defender))
        receipt = 116 + (sums + 1) * LINE + 62
        rows = len(event.chart.rows)
        self.panel = max(receipt, 124 + rows * CHART_ROW + 14)
        self.verdict = fonts.wrap(self.contest.verdict, fonts.BLACK, 36, INNER - 190, 2)
        self.strip = 26 + 44 * max(1, len(self.verdict))
        self.top = 88 if event.detail else 54
        self.height = self.top + self.panel + 14 + self.strip

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` of the sheet on."""
        event = self.event
        sheet.text((PAD, y + 20), event.title, 38, WHITE, weight=fonts.BLACK, room=INNER, least=28)
        if event.detail:
            sheet.text((PAD, y + 62), event.detail, 27, DIM, weight=fonts.REGULAR, room=INNER)
        y += self.top
        wide = 288
        self._sum(sheet, PAD, y, wide, self.contest.attacker)
        self._sum(sheet, PAD + wide + 12, y, wide, self.contest.defender)
        self._chart(sheet, PAD + 2 * wide + 24, y)
        y += self.panel + 14
        lit = matters(self.contest, event.chart)
        fill, ink = (YELLOW, INK) if lit else (PANEL_EDGE, WHITE)
        sheet.panel(PAD, y, WIDTH - PAD, y + self.strip, fill)
        middle = y + self.strip / 2
        sheet.text((PAD + 22, middle), signed(self.contest.difference), 50, ink, weight=fonts.BLACK)
        step = 44
        first = middle - step * (len(self.verdict) - 1) / 2
        for n, line in enumerate(self.verdict):
            at = (PAD + 132, first + n * step)
            sheet.text(at, line, 36, ink, weight=fonts.BLACK)

    def _sum(self, sheet: Sheet, left: int, top: int, wide: int, roll: Roll) -> None:
        right = left + wide
        sheet.panel(left, top, right, top + self.panel, PANEL)
        sheet.badge(roll.who, (left + 66, top + 60), 100)
        sheet.dice(roll.dice, roll.who, left + 130, top + 60, 88, wide - 150)
        x, end = left + 20, right - 20
        y = top + 116 + LINE / 2
        name = "die" if len(roll.dice) == 1 else "dice"
        sheet.text((x, y), name, 26, DIM, weight=fonts.REGULAR)
        sheet.text((end, y), str(sum(roll.dice)), 28, WHITE, anchor="rm")
        for modifier in roll.modifiers:
            y += LINE
            colour = GAIN if modifier.value >= 0 else LOSS
            used = sheet.text((end, y), signed(modifier.value), 28, colour, anchor="rm")
            sheet.text((x, y), modifier.name, 26, colour, room=end - x - used - 12, least=20)
        y = top + self.panel - 62
        sheet.pen.line((x, y, end, y), PANEL_EDGE, 2)
        sheet.text((x, y + 32), "total", 26, DIM, weight=fonts.REGULAR)
        sheet.text((end, y + 32), str(roll.total), 46, WHITE, weight=fonts.BLACK, anchor="rm")

    def _chart(self, sheet: Sheet, left: int, top: int) -> None:
        right = WIDTH - PAD
        sheet.panel(left, top, right, top + self.panel, PANEL)
        c, chart = self.contest, self.event.chart
        x, end = left + 20, right - 20
        gap = f"{c.attacker.total} − {c.defender.total} ="
        used = sheet.text((x, top + 48), gap, 34, WHITE, weight=fonts.BOLD)
        sheet.text((x + used + 12, top + 46), signed(c.difference), 52, YELLOW, weight=fonts.BLACK)
        sheet.text((x, top + 102), chart.title, 24, DIM, weight=fonts.REGULAR, room=end - x)
        y = top + 124
        for n, (condition, result) in enumerate(chart.rows):
            middle = y + CHART_ROW / 2
            colour, weight = (INK, fonts.BLACK) if n == c.row else (DIM, fonts.BOLD)
            if n == c.row:
                sheet.panel(left + 10, y + 1, right - 10, y + CHART_ROW - 1, YELLOW, 9)
            half = (end - x) // 2
            used = sheet.text(
                (x, middle), condition, 25, colour, weight=weight, room=half, least=18
            )
            room = end - x - used - 14
            sheet.text(
                (end, middle), result, 25, colour, weight=weight, anchor="rm", room=room, least=18
            )
            y += CHART_ROW


# ------------------------------------------------------------------ many, compact


class Rows:
    """Several contests: a heading, the chart once with every row that was hit lit, a row for each.

    `events` share a chart. Contests of one event share the attacker's die, which is drawn once.
    """

    def __init__(self, events: Sequence[Rolled], room: int) -> None:
        self.chart = events[0].chart
        contests = sum(len(e.contests) for e in events)
        one = len(events) == 1
        self.title = events[0].title if one else f"{self.chart.title}: {contests} rolls"
        self.detail = events[0].detail if one else ""
        self.top = 88 if self.detail else 54
        self.strip = 84 if self.chart.rows else 0
        self.lines = [(e, c, n) for e in events for n, c in enumerate(e.contests)]
        most = (room - self.top - self.strip - 40) // (ROW + ROW_GAP)
        self.more = 0
        if len(self.lines) > max(1, most):
            self.more = len(self.lines) - max(1, most)
        self.shown = self.lines[: len(self.lines) - self.more]
        rows = len(self.shown) * (ROW + ROW_GAP) - ROW_GAP
        self.height = self.top + self.strip + rows + (44 if self.more else 0)

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` of the sheet on."""
        sheet.text((PAD, y + 20), self.title, 36, WHITE, weight=fonts.BLACK, room=INNER, least=26)
        if self.detail:
            sheet.text((PAD, y + 62), self.detail, 26, DIM, weight=fonts.REGULAR, room=INNER)
        y += self.top
        if self.strip:
            self._chart(sheet, y)
            y += self.strip
        for n, (event, contest, place) in enumerate(self.shown):
            left = sum(1 for e, _, _ in self.shown[n:] if e is event) if place == 0 else 0
            self._row(sheet, y, contest, shared=place > 0, span=left)
            y += ROW + ROW_GAP
        if self.more:
            text = f"and {self.more} more: see /table log"
            sheet.text((PAD + 4, y + 20), text, 26, DIM)

    def _chart(self, sheet: Sheet, y: int) -> None:
        """The chart lying on its side; lit cells carry how often they came up."""
        rows = self.chart.rows
        gap = 6
        wide = (INNER - gap * (len(rows) - 1)) / len(rows)
        counts = [sum(1 for _, c, _ in self.lines if c.row == n) for n in range(len(rows))]
        for n, (condition, result) in enumerate(rows):
            left = round(PAD + n * (wide + gap))
            right = round(PAD + n * (wide + gap) + wide)
            lit = counts[n] > 0
            sheet.panel(left, y, right, y + 72, YELLOW if lit else PANEL, 10)
            times = f" ×{counts[n]}" if counts[n] > 1 else ""
            middle = (left + right) / 2
            room = right - left - 12
            colour = INK if lit else DIM
            sheet.text((middle, y + 21), condition, 24, colour, anchor="mm", room=room, least=15)
            weight = fonts.BLACK if lit else fonts.REGULAR
            sheet.text(
                (middle, y + 50),
                result + times,
                24,
                colour,
                weight=weight,
                anchor="mm",
                room=room,
                least=15,
            )

    def _row(self, sheet: Sheet, y: int, contest: Contest, *, shared: bool, span: int) -> None:
        left, right = PAD, WIDTH - PAD
        middle = y + ROW / 2
        first = left + 124
        sheet.panel(first if shared or span > 1 else left, y, right, y + ROW, PANEL, 12)
        attacker, defender = contest.attacker, contest.defender
        if not shared:
            bottom = y + span * (ROW + ROW_GAP) - ROW_GAP
            if span > 1:
                sheet.panel(left, y, first + 12, bottom, PANEL, 12)
            centre = (y + bottom) / 2 if span > 1 else middle
            sheet.badge(attacker.who, (left + 36, centre), 62)
            sheet.dice(attacker.dice, attacker.who, left + 70, centre, 48, 56)
        self._additions(sheet, attacker.modifiers, first + 8, middle, 120)
        sheet.text((first + 148, middle), str(attacker.total), 38, WHITE, weight=fonts.BLACK,
                   anchor="mm")  # fmt: skip
        sheet.text((first + 180, middle), "−", 34, DIM, anchor="mm")
        x = first + 200
        sheet.badge(defender.who, (x + 34, middle), 62)
        sheet.dice(defender.dice, defender.who, x + 68, middle, 48, 56)
        self._additions(sheet, defender.modifiers, x + 132, middle, 104)
        sheet.text((x + 258, middle), str(defender.total), 38, WHITE, weight=fonts.BLACK,
                   anchor="mm")  # fmt: skip
        sheet.text((x + 288, middle), "=", 32, DIM, anchor="mm")
        lit = matters(contest, self.chart)
        fill, ink = (YELLOW, INK) if lit else (PANEL_EDGE, WHITE)
        box = x + 308
        sheet.panel(box, y + 6, right - 6, y + ROW - 6, fill, 10)
        sheet.text((box + 36, middle), signed(contest.difference), 34, ink, weight=fonts.BLACK,
                   anchor="mm")  # fmt: skip
        room = right - 6 - box - 72 - 10
        lines = fonts.wrap(contest.verdict, fonts.BOLD, 25, room, 2)
        for n, line in enumerate(lines):
            at = (box + 72, middle + 29 * (n - (len(lines) - 1) / 2))
            sheet.text(at, line, 25, ink)

    def _additions(
        self, sheet: Sheet, modifiers: Sequence[Modifier], x: float, middle: float, room: int
    ) -> None:
        shown = list(modifiers)
        if len(shown) > 3:
            rest = sum(m.value for m in shown[2:])
            shown = [*shown[:2], Modifier("others", rest)]
        step = 24
        for n, modifier in enumerate(shown):
            y = middle + step * (n - (len(shown) - 1) / 2)
            colour = GAIN if modifier.value >= 0 else LOSS
            text = f"{modifier.name} {signed(modifier.value)}"
            sheet.text((x, y), text, 22, colour, room=room, least=16)

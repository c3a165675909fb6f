"""Throws as pictures: one large duel, or compact rows under one chart.

Both read from left to right as a sentence: who with which die and which additions, against whom, the
difference, and what comes of it on yellow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from games.kernel.event import Chart, Contest, Modifier, Roll, Rolled
from games.kernel.wording import signed
from renderer import fonts
from renderer.palette import DIM, GAIN, INK, LOSS, PANEL, PANEL_EDGE, WHITE, YELLOW
from renderer.sheet import INNER, PAD, WIDTH, Sheet

NOTHING: Final = ("no effect", "nothing", "miss", "missed", "none", "–", "-", "")
"""Results of chart rows that are not worth the accent colour."""

LINE: Final = 34
ROW: Final = 72
ROW_GAP: Final = 5
CHART_ROW: Final = 44


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
            sheet.text((x, y), modifier.name, 26, colour, room=end - x - used - 10, least=17)
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
        self.title = events[0].title if one else f"{self.chart.title} · {contests} rolls"
        self.detail = events[0].detail if one else ""
        self.top = 88 if self.detail else 54
        self.strip = 84 if self.chart.rows else 0
        self.lines = [(e, c, n) for e in events for n, c in enumerate(e.contests)]
        free = room - self.top - self.strip + ROW_GAP
        self.more = 0
        if len(self.lines) * (ROW + ROW_GAP) > free:
            most = max(1, (free - 44) // (ROW + ROW_GAP))
            self.more = len(self.lines) - most
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
            quiet = result.strip().lower() in NOTHING
            fill = PANEL if not lit else DIM if quiet else YELLOW
            sheet.panel(left, y, right, y + 72, fill, 10)
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
        first = left + 128
        alone = not shared and span <= 1
        sheet.panel(left if alone else first, y, right, y + ROW, PANEL, 12)
        attacker, defender = contest.attacker, contest.defender
        if not shared:
            bottom = y + span * (ROW + ROW_GAP) - ROW_GAP
            if not alone:
                sheet.panel(left, y, first - 6, bottom, PANEL, 12)
            centre = middle if alone else (y + bottom) / 2
            sheet.badge(attacker.who, (left + 36, centre), 62)
            sheet.dice(attacker.dice, attacker.who, left + 68, centre, 48, 52)
        x = first
        self._additions(sheet, attacker.modifiers, x + 6, middle, 146)
        self._total(sheet, attacker, x + 176, middle)
        sheet.text((x + 208, middle), "−", 34, DIM, anchor="mm")
        x += 222
        sheet.badge(defender.who, (x + 34, middle), 62)
        sheet.dice(defender.dice, defender.who, x + 66, middle, 48, 52)
        self._additions(sheet, defender.modifiers, x + 132, middle, 134)
        self._total(sheet, defender, x + 291, middle)
        sheet.text((x + 322, middle), "=", 32, DIM, anchor="mm")
        self._verdict(sheet, contest, x + 338, y)

    def _total(self, sheet: Sheet, roll: Roll, x: float, middle: float) -> None:
        sheet.text((x, middle), str(roll.total), 38, WHITE, weight=fonts.BLACK, anchor="mm")

    def _verdict(self, sheet: Sheet, contest: Contest, left: int, y: int) -> None:
        lit = matters(contest, self.chart)
        fill, ink = (YELLOW, INK) if lit else (PANEL_EDGE, WHITE)
        right, middle = WIDTH - PAD - 6, y + ROW / 2
        sheet.panel(left, y + 6, right, y + ROW - 6, fill, 10)
        gap = signed(contest.difference)
        sheet.text((left + 32, middle), gap, 32, ink, weight=fonts.BLACK, anchor="mm")
        room = right - left - 72
        lines, px = fonts.wrap(contest.verdict, fonts.BOLD, 25, room, 1), 25
        if lines and lines[0].endswith(fonts.ELLIPSIS):
            lines, px = fonts.wrap(contest.verdict, fonts.BOLD, 23, room, 2), 23
        for n, line in enumerate(lines):
            at = (left + 64, middle + 27 * (n - (len(lines) - 1) / 2))
            sheet.text(at, line, px, ink)

    def _additions(
        self, sheet: Sheet, modifiers: Sequence[Modifier], x: float, middle: float, room: int
    ) -> None:
        """Named additions under each other; a name is shortened, its value never."""
        shown = list(modifiers)
        if len(shown) > 3:
            rest = sum(m.value for m in shown[2:])
            shown = [*shown[:2], Modifier("others", rest)]
        if len(shown) == 1 and fonts.width(shown[0].name, fonts.BOLD, 20) + 40 > room:
            colour = GAIN if shown[0].value >= 0 else LOSS
            lines = list(fonts.wrap(shown[0].name, fonts.BOLD, 20, room - 34, 2))
            lines[-1] = f"{lines[-1]} {signed(shown[0].value)}"
            for n, line in enumerate(lines):
                at = (x, middle + 24 * (n - (len(lines) - 1) / 2))
                sheet.text(at, line, 20, colour)
            return
        for n, modifier in enumerate(shown):
            y = middle + 22 * (n - (len(shown) - 1) / 2)
            colour = GAIN if modifier.value >= 0 else LOSS
            value = signed(modifier.value)
            px = 22 if len(shown) < 3 else 20
            space = room - fonts.width(value, fonts.BOLD, px) - 6
            used = sheet.text((x, y), modifier.name, px, colour, room=space, least=15)
            sheet.text((x + used + 6, y), value, px, colour)

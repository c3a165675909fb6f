"""The log of a campaign as a picture: its missions in order, the points, and what they amount to."""

from __future__ import annotations

from typing import Final

from games.kernel.campaign import CampaignView, Stage
from renderer import fonts
from renderer.palette import DIM, INK, NIGHT, PANEL, PANEL_EDGE, WHITE, YELLOW, Colour
from renderer.picture import Picture, finish
from renderer.record import GAP, HEAD, INSIDE, RIGHT, SMALL, heading
from renderer.sheet import INNER, PAD, Sheet
from renderer.texts import ALT_LIMIT, cut


def campaign_log(view: CampaignView, subtitle: str = "") -> Picture:
    """The missions of a campaign in order, with result, points and figures; the total; what is next.

    1,000 pixels wide. The alternative text says the same.
    """
    rows = [_Row(number, stage, stage.title == view.next) for number, stage in _numbered(view)]
    height = HEAD + sum(row.height + GAP for row in rows) + _Total.height + PAD
    sheet = Sheet(height)
    heading(sheet, view.title, subtitle)
    y = HEAD
    for row in rows:
        row.draw(sheet, y)
        y += row.height + GAP
    _Total(view).draw(sheet, y)
    return finish(sheet.image, cut(campaign_alt(view, subtitle), ALT_LIMIT))


def campaign_alt(view: CampaignView, subtitle: str = "") -> str:
    """A campaign in words."""
    head = f"{view.title}, {subtitle}" if subtitle else view.title
    parts = [f"{head}: {view.total} of {view.most} points, {view.rating}."]
    for number, stage in _numbered(view):
        if stage.points is None:
            continue
        figures = ", ".join(f"{name} {value}" for name, value in stage.figures.items())
        told = f"{number}. {stage.title}: {stage.result}, {_points(stage.points)}"
        parts.append(f"{told}, {figures}." if figures else f"{told}.")
    if view.next:
        note = next((stage.note for stage in view.stages if stage.note), "")
        parts.append(f"Next: {view.next}. {note}".strip())
    else:
        parts.append("All missions are played.")
    return " ".join(parts)


def _numbered(view: CampaignView) -> list[tuple[int, Stage]]:
    return list(enumerate(view.stages, start=1))


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


class _Row:
    """One mission: number, title, result and figures, points as a bar of blocks."""

    def __init__(self, number: int, stage: Stage, ahead: bool) -> None:
        self.number = number
        self.stage = stage
        self.ahead = ahead
        room = INNER - 120 - INSIDE
        self.notes = fonts.wrap(stage.note, fonts.REGULAR, SMALL, room, 4) if ahead else ()
        if stage.points is not None:
            self.height = 136
        elif ahead:
            self.height = 104 + 38 * len(self.notes) + (8 if self.notes else 0)
        else:
            self.height = 72

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` on."""
        bottom = y + self.height
        if self.ahead:
            sheet.panel(PAD, y, RIGHT, bottom, YELLOW)
            sheet.panel(PAD + 5, y + 5, RIGHT - 5, bottom - 5, PANEL, 10)
        elif self.stage.points is not None:
            sheet.panel(PAD, y, RIGHT, bottom, PANEL)
        if self.stage.points is not None:
            self._played(sheet, y)
        elif self.ahead:
            self._next(sheet, y)
        else:
            self._number(sheet, y + 36, NIGHT, DIM, PANEL_EDGE)
            sheet.text((PAD + 120, y + 36), self.stage.title, 34, DIM, room=INNER - 144, least=26)

    def _number(self, sheet: Sheet, y: float, fill: Colour, ink: Colour, edge: Colour) -> None:
        middle, half = PAD + 62, 32
        box = (middle - half, round(y) - half, middle + half, round(y) + half)
        sheet.panel(*box, edge, half)
        inner = (box[0] + 4, box[1] + 4, box[2] - 4, box[3] - 4)
        sheet.panel(*inner, fill, half - 4)
        sheet.text(
            (middle, y),
            str(self.number),
            36,
            ink,
            weight=fonts.BLACK,
            anchor="mm",
            room=52,
            least=20,
        )

    def _played(self, sheet: Sheet, y: int) -> None:
        stage, points = self.stage, self.stage.points or 0
        won = points > 0
        self._number(sheet, y + 68, *((YELLOW, INK, YELLOW) if won else (PANEL, WHITE, DIM)))
        left = PAD + 120
        sheet.text((left, y + 42), stage.title, 38, WHITE, weight=fonts.BLACK, room=480, least=26)
        used = _pill(sheet, left, y + 96, stage.result, won)
        told = " · ".join(f"{name} {value}" for name, value in stage.figures.items())
        at = (left + used + 16, y + 96)
        sheet.text(at, told, SMALL, WHITE, weight=fonts.REGULAR, room=INNER - 150 - used, least=22)
        most = max(stage.most, points, 1)
        _blocks(sheet, 650, y + 22, 222, 40, points, most)
        sheet.text(
            (RIGHT - INSIDE, y + 42), str(points), 52, YELLOW if won else DIM,
            weight=fonts.BLACK, anchor="rm",
        )  # fmt: skip

    def _next(self, sheet: Sheet, y: int) -> None:
        self._number(sheet, y + 54, PANEL, YELLOW, YELLOW)
        used = _pill(sheet, 0, 0, "Next", True, only_width=True)
        sheet.text(
            (PAD + 120, y + 54), self.stage.title, 38, WHITE,
            weight=fonts.BLACK, room=INNER - 144 - INSIDE - used, least=26,
        )  # fmt: skip
        _pill(sheet, RIGHT - INSIDE - used, y + 54, "Next", True)
        for n, line in enumerate(self.notes):
            at = (PAD + 120, y + 112 + 38 * n)
            sheet.text(at, line, SMALL, WHITE, weight=fonts.REGULAR)


def _pill(
    sheet: Sheet, left: int, middle: int, text: str, good: bool, *, only_width: bool = False
) -> int:
    """A word on a pill; returns its width in pixels."""
    text = fonts.shorten(fonts.clean(text), fonts.BLACK, 26, 260)
    wide = fonts.width(text, fonts.BLACK, 26) + 36
    if only_width:
        return wide
    sheet.panel(left, middle - 22, left + wide, middle + 22, YELLOW if good else DIM, 22)
    if not good:
        sheet.panel(left + 3, middle - 19, left + wide - 3, middle + 19, PANEL, 19)
    sheet.text(
        (left + wide / 2, middle), text, 26, INK if good else WHITE, weight=fonts.BLACK, anchor="mm"
    )
    return wide


def _blocks(
    sheet: Sheet, left: int, top: int, room: int, high: int, number: int, most: int
) -> None:
    """So many blocks of so many; a plain bar when there are too many to count."""
    if most > 12:
        sheet.panel(left, top, left + room, top + high, PANEL_EDGE, 8)
        if number:
            sheet.panel(left, top, left + max(8, room * number // most), top + high, YELLOW, 8)
        return
    gap = 6
    wide = (room - gap * (most - 1)) / most
    for n in range(most):
        x = left + n * (wide + gap)
        full = n < number
        box = (round(x), top, round(x + wide), top + high)
        sheet.panel(*box, YELLOW if full else PANEL_EDGE, 6)
        if not full:
            sheet.panel(box[0] + 3, box[1] + 3, box[2] - 3, box[3] - 3, PANEL, 4)


class _Total:
    """The total and what it amounts to, on a scale of all ratings."""

    height: Final = 236

    def __init__(self, view: CampaignView) -> None:
        self.view = view

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` on."""
        view = self.view
        sheet.panel(PAD, y, RIGHT, y + self.height, PANEL)
        left, right = PAD + INSIDE, RIGHT - INSIDE
        used = sheet.text((left, y + 54), str(view.total), 76, WHITE, weight=fonts.BLACK)
        sheet.text((left + used + 16, y + 60), f"of {view.most} points", 32, DIM)
        label = "so far" if view.next else "rating"
        wide = sheet.text((right, y + 54), view.rating, 58, YELLOW, weight=fonts.BLACK, anchor="rm")
        sheet.text((right - wide - 18, y + 60), label, 32, DIM, anchor="rm")
        self._scale(sheet, left, right, y + 118)

    def _scale(self, sheet: Sheet, left: int, right: int, top: int) -> None:
        view, high = self.view, 34
        most = max(view.most, view.total, 1)

        def x(points: int) -> int:
            return left + (right - left) * min(points, most) // most

        sheet.panel(left, top, right, top + high, PANEL_EDGE, 10)
        if view.total:
            sheet.panel(left, top, max(x(view.total), left + 12), top + high, YELLOW, 10)
        for n, (start, title) in enumerate(view.ratings):
            begins = x(start)
            end = x(view.ratings[n + 1][0]) if n + 1 < len(view.ratings) else right
            if start:
                sheet.pen.rectangle((begins - 2, top - 6, begins + 1, top + high + 44), WHITE)
            reached = title == view.rating
            colour = YELLOW if reached else DIM
            room = end - begins - 18
            if room < 60:
                continue
            at = (begins + (10 if start else 0), top + high + 30)
            sheet.text(at, title, 30, colour, room=room, least=20)
            if start:
                number = str(start)
                at = (begins + 10, top + high + 64)
                sheet.text(at, f"from {number}", 26, DIM, weight=fonts.REGULAR, room=room, least=18)

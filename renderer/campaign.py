"""The log of a campaign as a picture: its missions in order, the points, and what they amount to."""

from __future__ import annotations

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
    ahead = _ahead(view)
    most = max((stage.most or stage.points or 0 for stage in view.stages), default=0)
    rows = [_Row(number, stage, stage is ahead, most) for number, stage in _numbered(view)]
    total = _Total(view)
    height = HEAD + sum(row.height + GAP for row in rows) + total.height + PAD
    sheet = Sheet(height)
    heading(sheet, view.title, subtitle)
    y = HEAD
    for row in rows:
        row.draw(sheet, y)
        y += row.height + GAP
    total.draw(sheet, y)
    return finish(sheet.image, cut(campaign_alt(view, subtitle), ALT_LIMIT))


def campaign_alt(view: CampaignView, subtitle: str = "") -> str:
    """A campaign in words."""
    head = f"{view.title}, {subtitle}" if subtitle else view.title
    parts = [f"{head}: {_of(view)}, {view.rating}."]
    for number, stage in _numbered(view):
        if stage.points is None:
            continue
        figures = ", ".join(f"{name} {value}" for name, value in stage.figures.items())
        told = f"{number}. {stage.title}: {stage.result}, {_points(stage.points)}"
        told = f"{told}, {figures}" if figures else told
        parts.append(f"{told}; {stage.note.rstrip('.')}." if stage.note else f"{told}.")
    ahead = _ahead(view)
    if view.next:
        parts.append(f"Next: {view.next}. {ahead.note if ahead else ''}".strip())
    else:
        parts.append("The campaign is over.")
    return " ".join(parts)


def _ahead(view: CampaignView) -> Stage | None:
    """The stage that is played next."""
    coming = (stage for stage in view.stages if stage.points is None)
    return next(coming, None) if view.next else None


def _of(view: CampaignView) -> str:
    return f"{view.total} of {view.most} points" if view.most else _points(view.total)


def _numbered(view: CampaignView) -> list[tuple[int, Stage]]:
    return list(enumerate(view.stages, start=1))


def _points(number: int) -> str:
    return f"{number} point" if number == 1 else f"{number} points"


class _Row:
    """One mission: number, title, result and figures, points as a bar of blocks."""

    def __init__(self, number: int, stage: Stage, ahead: bool, most: int) -> None:
        self.number = number
        self.stage = stage
        self.ahead = ahead
        self.most = most
        room = INNER - 120 - INSIDE
        coming = stage.points is None and not ahead
        self.notes = () if coming else fonts.wrap(stage.note, fonts.REGULAR, SMALL, room, 4)
        base = 72 if coming else 104 if ahead else 136
        self.height = base + 38 * len(self.notes) + (8 if self.notes else 0)

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
        most = max(stage.most or self.most, points, 1)
        _blocks(sheet, 650, y + 22, 222, 40, points, most)
        sheet.text(
            (RIGHT - INSIDE, y + 42), str(points), 52, YELLOW if won else DIM,
            weight=fonts.BLACK, anchor="rm",
        )  # fmt: skip

        self._notes(sheet, y + 144)

    def _notes(self, sheet: Sheet, y: int) -> None:
        for n, line in enumerate(self.notes):
            sheet.text((PAD + 120, y + 38 * n), line, SMALL, WHITE, weight=fonts.REGULAR)

    def _next(self, sheet: Sheet, y: int) -> None:
        self._number(sheet, y + 54, PANEL, YELLOW, YELLOW)
        used = _pill(sheet, 0, 0, "Next", True, only_width=True)
        sheet.text(
            (PAD + 120, y + 54), self.stage.title, 38, WHITE,
            weight=fonts.BLACK, room=INNER - 144 - INSIDE - used, least=26,
        )  # fmt: skip
        _pill(sheet, RIGHT - INSIDE - used, y + 54, "Next", True)
        self._notes(sheet, y + 112)


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

    def __init__(self, view: CampaignView) -> None:
        self.view = view
        self.beside = fonts.width(view.rating, fonts.BLACK, 58) <= 430
        lines = () if self.beside else fonts.wrap(view.rating, fonts.BOLD, 32, INNER - 48, 3)
        self.lines = lines
        self.height = 118 + 42 * len(lines) + (118 if view.ratings else 0)

    def draw(self, sheet: Sheet, y: int) -> None:
        """Draw from row `y` on."""
        view = self.view
        sheet.panel(PAD, y, RIGHT, y + self.height, PANEL)
        left, right = PAD + INSIDE, RIGHT - INSIDE
        used = sheet.text((left, y + 54), str(view.total), 76, WHITE, weight=fonts.BLACK)
        told = _of(view).removeprefix(f"{view.total} ")
        sheet.text((left + used + 16, y + 60), told, 32, DIM)
        label = "so far" if view.next else "rating"
        if self.beside:
            wide = sheet.text(
                (right, y + 54), view.rating, 58, YELLOW, weight=fonts.BLACK, anchor="rm"
            )
            sheet.text((right - wide - 18, y + 60), label, 32, DIM, anchor="rm")
        else:
            sheet.text((right, y + 60), label, 32, DIM, anchor="rm")
        for n, line in enumerate(self.lines):
            sheet.text((left, y + 118 + 42 * n), line, 32, YELLOW)
        if view.ratings:
            self._scale(sheet, left, right, y + 118 + 42 * len(self.lines))

    def _scale(self, sheet: Sheet, left: int, right: int, top: int) -> None:
        view, high = self.view, 34
        last = view.ratings[-1][0]
        most = max(view.most if view.most > last else last * 5 // 4, view.total, 1)
        reached = max(
            n for n, (start, _) in enumerate(view.ratings) if start <= view.total or not n
        )

        def x(points: int) -> int:
            return left + (right - left) * min(points, most) // most

        sheet.panel(left, top, right, top + high, PANEL_EDGE, 10)
        if view.total > 0:
            sheet.panel(left, top, max(x(view.total), left + 12), top + high, YELLOW, 10)
        for n, (start, title) in enumerate(view.ratings):
            begins = x(start)
            end = x(view.ratings[n + 1][0]) if n + 1 < len(view.ratings) else right
            if start:
                sheet.pen.rectangle((begins - 2, top - 6, begins + 1, top + high + 44), WHITE)
            room = end - begins - 18
            if room < 60:
                continue
            at = (begins + (10 if start else 0), top + high + 30)
            sheet.text(at, title, 30, YELLOW if n == reached else DIM, room=room, least=20)
            if start:
                at = (begins + 10, top + high + 64)
                sheet.text(at, f"from {start}", 26, DIM, weight=fonts.REGULAR, room=room, least=18)

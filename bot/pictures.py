"""The pictures of a table, drawn in the studio. A picture that fails is left out, never the game."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence

import renderer
from bot.layout import Image
from bot.picking import Sheet
from bot.sessions.model import Table
from bot.studio import Studio
from games.kernel.event import Event, seen_by
from games.kernel.view import View

log = logging.getLogger(__name__)

BOARD = "board.png"
OUTCOME = "outcome.png"


class Pictures:
    """Draws what a table, a choice or an outcome looks like."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio

    async def of_panel(self, table: Table, events: Sequence[Event]) -> tuple[Image, ...]:
        """The outcome of what happened, if it has a picture, and the board around the action."""
        public = seen_by(tuple(events), None)
        return await self._studio.make(_panel, table, public)

    async def of_board(self, table: Table, seat: str | None = None) -> tuple[Image, ...]:
        """The whole map as that seat (None: the public) sees it."""
        key = (table.id, table.version, table.state is None, seat)
        return await self._studio.once(key, _board, table, seat, None)

    async def of_cells(
        self, table: Table, seat: str | None, cells: Sequence[str]
    ) -> tuple[Image, ...]:
        """The map around some cells."""
        return await self._studio.make(_board, table, seat, tuple(cells))

    async def of_choice(self, sheet: Sheet) -> tuple[Image, ...]:
        """The map around the options of a choice, each marked; nothing for a choice in words."""
        return await self._studio.make(_choice, sheet) if sheet.pictured else ()


def action_cells(view: View, events: Iterable[Event]) -> tuple[str, ...]:
    """Where things happen: the cells of the last marks, the game's focus, the unit that acts."""
    cells = [cell for event in events for mark in event.marks for cell in mark.cells]
    cells += view.board.focus
    cells += [token.cell for token in view.board.tokens if token.current and token.cell]
    return tuple(dict.fromkeys(cells))


def _panel(table: Table, events: tuple[Event, ...]) -> tuple[Image, ...]:
    def draw_board() -> renderer.Picture:
        view = table.view(None)
        return renderer.board(view, events=events, crop=action_cells(view, events) or None)

    made = (
        _safely(OUTCOME, lambda: renderer.outcome(events)),
        _safely(BOARD, draw_board),
    )
    return tuple(image for image in made if image is not None)


def _board(table: Table, seat: str | None, cells: tuple[str, ...] | None) -> tuple[Image, ...]:
    image = _safely(BOARD, lambda: renderer.board(table.view(seat), crop=cells))
    return () if image is None else (image,)


def _choice(sheet: Sheet) -> tuple[Image, ...]:
    def draw() -> renderer.Picture:
        view = sheet.table.view(sheet.seat)
        marks = sheet.marks()
        cells = [c for mark in marks if mark.kind != "arc" for c in mark.cells]
        cells = cells or list(action_cells(view, ()))
        current = [token.cell for token in view.board.tokens if token.current and token.cell]
        return renderer.board(
            view, marks=marks, crop=(*cells, *current) or None, numbered=sheet.numbered()
        )

    image = _safely(BOARD, draw)
    return () if image is None else (image,)


def _safely(name: str, work: Callable[[], renderer.Picture | None]) -> Image | None:
    try:
        picture = work()
    except Exception:
        log.exception("a picture (%s) could not be drawn", name)
        return None
    return None if picture is None else Image(name, picture.png, picture.alt)

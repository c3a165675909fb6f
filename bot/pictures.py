"""The pictures of a table, drawn in the studio. A picture that fails is left out, never the game."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import renderer
from bot.layout import Image
from bot.picking import Sheet
from bot.sessions.model import Table
from bot.studio import Studio
from games.kernel.event import Event, seen_by
from games.kernel.view import View

log = logging.getLogger(__name__)

BOARD = "board.png"
HAND = "hand.png"
OUTCOME = "outcome.png"
BEFORE, AFTER = "before.png", "after.png"


MOST_FORESEEN = 64


@dataclass(frozen=True)
class _Foreseen:
    """Pictures that are being drawn already, and of what."""

    events: tuple[Event, ...]
    task: asyncio.Task[tuple[Image, ...]]


class Pictures:
    """Draws what a table, a choice or an outcome looks like."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._foreseen: OrderedDict[tuple[str, int], _Foreseen] = OrderedDict()

    def foresee(self, table: Table, events: Sequence[Event]) -> None:
        """Start to draw what `of_panel` will be asked for, while the outbox gets ready to ask."""
        public = seen_by(tuple(events), None)
        task = asyncio.create_task(self._panel(table, public))
        self._foreseen[table.id, table.version] = _Foreseen(public, task)
        while len(self._foreseen) > MOST_FORESEEN:
            self._foreseen.popitem(last=False)[1].task.cancel()

    async def of_panel(self, table: Table, events: Sequence[Event]) -> tuple[Image, ...]:
        """The outcome of what happened, if it has a picture, and the board around the action.

        In a lobby, the whole board as it would be at the beginning.
        """
        if table.lobby:
            key = (table.id, repr(table.setup))
            return await self._studio.once(key, _board, table, None, None)
        public = seen_by(tuple(events), None)
        foreseen = self._foreseen.pop((table.id, table.version), None)
        if foreseen is not None and foreseen.events == public:
            return await foreseen.task
        return await self._panel(table, public)

    async def _panel(self, table: Table, events: tuple[Event, ...]) -> tuple[Image, ...]:
        outcome, board = await asyncio.gather(
            self._studio.make(_outcome, events), self._studio.make(_action, table, events)
        )
        return (*outcome, *board)

    async def of_board(self, table: Table, seat: str | None = None) -> tuple[Image, ...]:
        """The whole map as that seat (None: the public) sees it."""
        key = (table.id, table.version, table.state is None, seat)
        return await self._studio.once(key, _board, table, seat, None)

    async def of_hand(self, view: View) -> tuple[Image, ...]:
        """The audience's own cards; nothing when there are none."""
        return await self._studio.make(_hand, view)

    async def of_change(
        self, table: Table, before: Any, seat: str | None, events: Sequence[Event]
    ) -> tuple[Image, ...]:
        """The map around what happened, as it was and as it is, as that seat may see it."""
        was = replace(table, state=before)
        cells = action_cells(table.view(seat), events)
        old, new = await asyncio.gather(
            self._studio.make(_board, was, seat, cells or None, (), BEFORE),
            self._studio.make(_board, table, seat, cells or None, tuple(events), AFTER),
        )
        return (*old, *new)

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


def _outcome(events: tuple[Event, ...]) -> tuple[Image, ...]:
    return _safely(OUTCOME, lambda: renderer.outcome(events))


def _action(table: Table, events: tuple[Event, ...]) -> tuple[Image, ...]:
    def draw() -> renderer.Picture:
        view = table.view(None)
        return renderer.board(view, events=events, crop=action_cells(view, events) or None)

    return _safely(BOARD, draw)


def _board(
    table: Table,
    seat: str | None,
    cells: tuple[str, ...] | None,
    events: tuple[Event, ...] = (),
    name: str = BOARD,
) -> tuple[Image, ...]:
    return _safely(name, lambda: renderer.board(table.view(seat), crop=cells, events=events))


def _hand(view: View) -> tuple[Image, ...]:
    return _safely(HAND, lambda: renderer.hand(view))


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

    return _safely(BOARD, draw)


def _safely(name: str, work: Callable[[], renderer.Picture | None]) -> tuple[Image, ...]:
    try:
        picture = work()
    except Exception:
        log.exception("a picture (%s) could not be drawn", name)
        return ()
    return () if picture is None else (Image(name, picture.png, picture.alt),)

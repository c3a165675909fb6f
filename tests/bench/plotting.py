"""Plots of `/table luck` and `/stats`, beside encoding their pixels; loading matplotlib once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from bot.luck import luck_of, pictures
from bot.sessions import Table
from bot.sessions.model import SeatHolder
from bot.sessions.records import dumps
from bot.sessions.throws import Thrown
from bot.statistics import Titles, sections_of
from bot.totals import Played
from games.kernel.event import Event
from games.registry import Registry
from renderer import plots
from tests.bench.figures import Figures, Size, percentile
from tests.bench.pictures import encode, timed, watched
from tests.bench.positions import boots, whole_game

ROOT = Path(__file__).resolve().parents[2]
GAMES = 300
"""Games of the person whose statistics are drawn."""

LOAD = """
import sys, time
import renderer.plots
begun = time.perf_counter()
renderer.plots.load()
print(time.perf_counter() - begun)
"""


def measure(figures: Figures, size: Size) -> None:
    """CPU time of this thread, figures and pictures together, with matplotlib loaded.

    `plots.load_ms` is loading it in a process of its own, its files being in the system's cache.
    """
    command = [sys.executable, "-c", LOAD]
    loads = [
        float(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout)
        for _ in range(size.starts + 1)
    ]
    figures.put("plots.load_ms", percentile(loads[1:], 50) * 1000)
    plots.load()
    _both(figures, "luck", _luck(), size)
    _both(figures, "stats", _stats(), size)


def _both(figures: Figures, name: str, draw: Callable[[], object], size: Size) -> None:
    with watched() as seen:
        draw()
    number = max(3, size.pictures)
    figures.spread(name, [timed(draw) for _ in range(number)], high=False)

    def floor() -> None:
        for image in seen:
            encode(image)

    figures.put(f"{name}.floor_ms", percentile([timed(floor) for _ in range(number)], 50) * 1000)


def _luck() -> Callable[[], object]:
    """A whole random game of Hot LZ."""
    game = boots()
    chosen = {"mission": "hot-lz", "mode": "coop"}
    rows, last = list[Thrown](), None
    for at in whole_game(game, chosen, "luck"):
        events: tuple[Event, ...] = at.events
        rows.append(Thrown(at.seat, dumps(events), False))
        last = at
    state = None if last is None else last.state()
    held = tuple(SeatHolder(s.id, s.title) for s in game.seats(game.read_setup(chosen)))
    table = cast("Table", _At(game, held, state))
    return lambda: pictures(luck_of(table, rows, ()))


class _At:
    """As much of a table as the figures of luck look at."""

    def __init__(self, game: Any, seats: tuple[SeatHolder, ...], state: Any) -> None:
        self.game, self.seats, self._state = game, seats, state

    def view(self, seat: str | None) -> Any:
        """What a seat sees."""
        return self.game.view(self._state, seat)


def _stats() -> Callable[[], object]:
    """Somebody with many games of two kinds."""
    one = Played("", "boots", "hot-lz", "solo1", ("allied",), True, "Solid", 1_700_000_000)
    played = [
        replace(
            one,
            session=f"s{n}",
            game="sniper" if n % 5 == 0 else "boots",
            mission=("hot-lz", "angel-down", "most-wanted")[n % 3],
            mode=("solo1", "coop")[n % 2],
            won=n % 7 > 2,
            time=1_700_000_000 + n * n * 700,
        )
        for n in range(GAMES)
    ]
    titles = Titles(Registry())
    return lambda: plots.statistics(sections_of(played, titles), "Robin", "All games", "Alt.")

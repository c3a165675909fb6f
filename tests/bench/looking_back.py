"""A replay of 200 states, and catching up, beside the encoding of its two pictures."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import renderer
from bot.chronicle import events_of, missed_letter
from bot.pictures import Pictures
from bot.sessions import Sessions
from bot.store import Store
from bot.studio import Studio
from games.kernel.entropy import seeded
from games.kernel.random_player import random_action
from games.registry import Registry
from tests.bench.figures import Figures, Size, percentile
from tests.bench.pictures import encode, watched
from tests.bench.positions import WEIGHTS, boots, whole_game

STATES = 200
READER, PLAYER = 2, 1
BACK = 12
"""Log rows that somebody has missed."""


async def measure(figures: Figures, size: Size, folder: Path) -> None:
    """CPU time: of this thread for the replay, of the process for catching up (its studio too)."""
    _replay(figures, min(STATES, size.pictures * 5))
    await _catch_up(figures, size, folder)


def _replay(figures: Figures, states: int) -> None:
    game = boots()
    kept: list[tuple[bytes, tuple[object, ...]]] = []
    seed = 0
    while len(kept) < states:
        seed += 1
        for at in whole_game(game, {"mission": "hot-lz", "mode": "solo1"}, f"replay {seed}"):
            kept.append((at.raw, at.events))
    begun = process_time()
    film = renderer.Film()
    for raw, events in kept[:states]:
        view = game.view(game.decode(raw), None)
        film.add([renderer.frame(view, events, shrink=2)])  # type: ignore[arg-type]
    gif = film.gif()
    figures.put("replay.fps", states / (process_time() - begun))
    figures.put("replay.bytes", len(gif))


async def _catch_up(figures: Figures, size: Size, folder: Path) -> None:
    store = await Store.open(f"sqlite+aiosqlite:///{folder}/missed.db")
    sessions = Sessions(store, Registry(), clock=lambda: 1_800_000_000)
    studio = Studio()
    pictures = Pictures(studio)
    entropy = seeded("missed")
    table = await sessions.open(
        game="boots",
        chosen={"mission": "hot-lz", "mode": "solo1"},
        guild_id=1,
        channel_id=1,
        user_id=PLAYER,
        user_name="Robin",
        interaction_id=1,
    )
    took: list[float] = []
    floor: list[float] = []
    while not table.over and len(took) < max(3, size.pictures):
        seat = table.tasks()[0].seat
        action = random_action(table.game, table.state, seat, entropy, WEIGHTS)
        acted = await sessions.act(
            table.id,
            PLAYER,
            action,
            expected_version=table.version,
            interaction_id=1 + table.version,
            seat=seat,
        )
        table = acted.table
        await sessions.caught_up(table.id, READER, max(1, table.version - BACK))
        with watched() as seen:
            begun = process_time()
            found = await sessions.missed(table.id, READER)
            events = events_of(found, None)
            images = await pictures.of_change(found.table, found.before, None, events)
            await sessions.caught_up(table.id, READER, table.version)
            missed_letter(found, READER, events, images)
            took.append(process_time() - begun)
        begun = process_time()
        for image in list(seen):
            encode(image)
        floor.append(process_time() - begun)
    studio.close()
    await store.close()
    figures.put("catchup.p50_ms", percentile(took, 50) * 1000)
    figures.put("catchup.floor_ms", percentile(floor, 50) * 1000)

"""From the press of a button to the finished answer, beside its floor."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import discord
from PIL import Image

from bot.layout import Letter
from bot.panel import panel
from bot.pictures import Pictures
from bot.studio import Studio
from games.kernel.event import Drew, Rolled
from tests.bench import pictures
from tests.bench.figures import Figures, Size, percentile
from tests.bench.lag import Watch, watching
from tests.bench.rig import Player, Rig, buttons, real_bot, rigged
from tests.bench.storing import Ledger


@dataclass
class _Presses:
    """Durations of presses, each with the floor measured right after it."""

    taken: list[float] = field(default_factory=list[float])
    cpu: list[float] = field(default_factory=list[float])
    floor: list[float] = field(default_factory=list[float])

    def tell(self, figures: Figures, name: str) -> None:
        figures.spread(name, self.taken)
        figures.put(f"{name}.floor_ms", percentile(self.floor, 50) * 1000)


async def measure(figures: Figures, size: Size, folder: Path, written: int) -> str:
    """Play by buttons: one session, fifty in turn, fifty at once; returns who held up the loop."""
    ledger = Ledger(folder / "floor.db", written)
    one, ask, fifty = _Presses(), _Presses(), _Presses()
    async with rigged(real_bot(folder), size.sessions) as rig, watching() as watch:
        names = [f"table-{n + 1}" for n in range(size.sessions)]
        players = [Player(rig, rig.channel(name), n) for n, name in enumerate(names)]
        with watch.pause():
            for player in players:
                await rig.open(player.channel)
            await rig.idle()
            await _run(
                rig, players[:1], watch, ledger, _Presses(), _Presses(), min(5, size.presses)
            )
        await _run(rig, players[:1], watch, ledger, one, ask, size.presses)
        await _run(rig, players, watch, ledger, fifty, _Presses(), size.presses_50)
        begun = perf_counter()
        burst = await asyncio.gather(*(player.act() for player in players))
        took = perf_counter() - begun
        await rig.idle()
        letter = await _letter(rig)
    ledger.close()
    one.tell(figures, "press")
    ask.tell(figures, "ask")
    fifty.tell(figures, "press50")
    figures.put("press.cpu_ms", percentile(one.cpu, 50) * 1000)
    figures.ratio("press.ratio", "press.p50_ms", "press.floor_ms")
    figures.ratio("press50.ratio", "press50.p50_ms", "press50.floor_ms")
    figures.spread("burst50", [pressed.seconds for pressed in burst], high=False)
    figures.put("burst50.max_ms", max(pressed.seconds for pressed in burst) * 1000)
    figures.put("burst50.per_s", len(burst) / took)
    figures.put("loop.lag_max_ms", max(watch.late) * 1000)
    figures.put("loop.lag_p99_ms", percentile(watch.late, 99) * 1000)
    figures.put("loop.busiest_ms", watch.busiest * 1000)
    figures.put("loop.gc_max_ms", watch.collecting * 1000)
    simcord = await _trivial(letter, size.presses)
    figures.put("press.simcord_ms", percentile(simcord, 50) * 1000)
    net = figures.values["press.p50_ms"] - figures.values["press.simcord_ms"]
    figures.put("press.net_ms", net)
    figures.ratio("press.net_ratio", "press.net_ms", "press.floor_ms")
    return watch.culprit


async def _run(
    rig: Rig,
    players: Sequence[Player],
    watch: Watch,
    ledger: Ledger,
    acts: _Presses,
    asks: _Presses,
    wanted: int,
) -> None:
    """One action after the other, the players in turn, until so many presses have acted.

    And until one has asked on; there is a floor of each kind.
    """
    with pictures.watched() as seen:
        n = 0
        while len(acts.taken) < wanted or not asks.taken:
            n += 1
            acted = False
            while not acted:
                seen.clear()
                pressed = await players[n % len(players)].press()
                acted = pressed.acted
                await rig.idle()
                kind = acts if acted else asks
                with watch.pause():
                    kind.taken.append(pressed.seconds)
                    kind.cpu.append(pressed.cpu)
                    kind.floor.append(_floor(seen) + (ledger.commit() if acted else 0.0))


def _floor(seen: Sequence[Image.Image]) -> float:
    begun = perf_counter()
    for image in seen:
        pictures.encode(image)
    return perf_counter() - begun


async def _letter(rig: Rig) -> Letter:
    """A typical panel: that of an action with two pictures, or else the last one's."""
    sessions = rig.bot.sessions
    table = None
    for name in rig.world.guild.channels:
        table = await sessions.in_channel(rig.channel(name).id) or table
    assert table is not None
    rows = await sessions.history(table.id)
    told = [row.events for row in rows if any(isinstance(e, Rolled | Drew) for e in row.events)]
    events = (told or [rows[-1].events])[-1]
    studio = Studio()
    try:
        return panel(table, events, await Pictures(studio).of_panel(table, events))
    finally:
        studio.close()


class _Trivial(discord.Client):
    """A bot that answers every press with the same message, made beforehand."""

    def __init__(self, letter: Letter) -> None:
        super().__init__(intents=discord.Intents.none())
        self._letter = letter

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer()
        await self.post(interaction.channel_id or 0)

    async def post(self, channel_id: int) -> None:
        channel = self.get_partial_messageable(channel_id)
        await channel.send(view=self._letter.screen, files=self._letter.files())


async def _trivial(letter: Letter, presses: int) -> list[float]:
    """What Discord's double and discord.py take for the same messages."""
    bot = _Trivial(letter)
    taken: list[float] = []
    async with rigged(bot, 1) as rig:
        channel = rig.channel("table-1")
        with rig.world._bot_scope():
            await bot.post(channel.id)
        for _ in range(presses):
            message = rig.panel(channel)
            assert message is not None
            pressed, _ = await rig.press(message, buttons(message.components)[0])
            taken.append(pressed.seconds)
    return taken

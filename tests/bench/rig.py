"""The real bot on an in-memory Discord in real time, and a player who presses its buttons."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, cast

import discord
from simcord.backend.models import Interaction, Message
from simcord.builders import ChannelHandle
from simcord.components import walk_components
from simcord.results import InteractionResult, ResponseMessage

from bot.client import FieldpostBot, make_bot
from bot.custom_ids import PRESS_PATTERN, STEP_PATTERN
from bot.local.memory import Memory
from bot.local.world import World
from bot.settings import read_settings
from tests.bench.positions import WEIGHTS

BUTTON, MENU = 2, 3
PATIENCE = 20.0
"""Seconds after which an answer that does not come is an error."""

DEFERRALS = (5, 6)
PICKS = "sody"
"""What a picking's controls may do on the way to an action: no paging, no going back."""

CHOSEN = {"mission": "hot-lz", "mode": "solo1"}


@dataclass(frozen=True)
class Pressed:
    """One press: how long until its answer was there, and whether that was the panel.

    `cpu` is what the whole process, its drawing threads included, has worked meanwhile.
    """

    seconds: float
    cpu: float
    acted: bool


Moment = tuple[float, float]
"""The clock and the CPU time of this process, in seconds."""


def moment() -> Moment:
    """Now."""
    return perf_counter(), process_time()


def pressed(begun: Moment, done: Moment, *, acted: bool) -> Pressed:
    """The press between two moments."""
    return Pressed(done[0] - begun[0], done[1] - begun[1], acted)


class Rig:
    """A world with a bot, and the moments at which its answers arrive.

    A press is measured from the dispatch of its interaction to the bot until Discord has taken the
    panel message (posted or edited) or, for a press that asks on, the private question.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.person = world.people["Robin"]
        self._dispatched: dict[int, Moment] = {}
        self._waiting: dict[tuple[str, int], asyncio.Future[Moment]] = {}
        self._last: object = None
        world._register_dispatch_observer(self._note)
        world.watch(self._look)

    @property
    def bot(self) -> FieldpostBot:
        """The bot."""
        return cast("FieldpostBot", self.world.bot)

    def channel(self, name: str) -> ChannelHandle:
        """A channel by its name."""
        return self.world.guild.channels[name]

    def _note(self, interaction: Interaction) -> None:
        self._dispatched[interaction.channel_id] = moment()

    def _look(self) -> None:
        """Called after every request of the bot's."""
        requests = self.world.backend.http_requests
        if not requests or requests[-1] is self._last:
            return
        now = moment()
        entry = self._last = requests[-1]
        parts = entry.path.strip("/").split("/")
        body = cast("Mapping[str, Any]", entry.json if isinstance(entry.json, dict) else {})
        if parts[0] == "channels" and parts[2:3] == ["messages"]:
            if entry.method in ("POST", "PATCH") and armed(body.get("components") or ()):
                self._arrived(("panel", int(parts[1])), now)
        elif parts[0] == "interactions" and body.get("type") not in DEFERRALS:
            self._arrived(("answer", int(parts[1])), now)
        elif parts[0] == "webhooks" and entry.method in ("POST", "PATCH"):
            known = self.world.backend.interaction_tokens.get(parts[2])
            number = getattr(known, "id", known)
            if isinstance(number, int):
                self._arrived(("answer", number), now)

    def _arrived(self, key: tuple[str, int], now: Moment) -> None:
        future = self._waiting.get(key)
        if future is not None and not future.done():
            future.set_result(now)

    def _expect(self, kind: str, number: int) -> asyncio.Future[Moment]:
        future: asyncio.Future[Moment] = asyncio.get_running_loop().create_future()
        self._waiting[(kind, number)] = future
        return future

    async def open(self, channel: ChannelHandle) -> None:
        """Open a game in a channel and wait for its panel."""
        panel = self._expect("panel", channel.id)
        await self.person.slash(channel, "boots new", **CHOSEN)
        await asyncio.wait_for(panel, PATIENCE)

    def panel(self, channel: ChannelHandle) -> Message | None:
        """The last public message with buttons of a game."""
        stored = self.world.backend.messages.get(channel.id, {})
        for message in reversed(list(stored.values())):
            if not message.is_ephemeral and armed(message.components):
                return message
        return None

    async def press(
        self, message: Message, custom_id: str, values: Sequence[str] = ()
    ) -> tuple[Pressed, Message | None]:
        """Press a button (or choose in a menu) and wait for what comes of it.

        Returns the next question, if there is one. Raises `TimeoutError`.
        """
        shown = ResponseMessage(self.world, message)
        actor = cast("Any", self.person)
        panel = self._expect("panel", message.channel_id)
        if values:
            result = await actor.select(cast("Any", shown), list(values), custom_id=custom_id)
        else:
            result = await actor.click(cast("Any", shown), custom_id=custom_id)
        return await self._outcome(result, message.channel_id, panel)

    async def _outcome(
        self, result: InteractionResult, channel_id: int, panel: asyncio.Future[Moment]
    ) -> tuple[Pressed, Message | None]:
        interaction = result._interaction
        begun = self._dispatched[channel_id]
        answer = self._expect("answer", interaction.id)
        try:
            if result.acknowledged and not result.deferred and not panel.done():
                self._arrived(("answer", interaction.id), moment())
            done, _ = await asyncio.wait(
                {panel, answer}, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                raise TimeoutError("a press was not answered")
            if answer in done:
                asked = self._asked(interaction)
                if asked is not None:
                    return pressed(begun, answer.result(), acted=False), asked
            await asyncio.wait_for(panel, PATIENCE)
            return pressed(begun, panel.result(), acted=True), None
        finally:
            self._waiting.pop(("answer", interaction.id), None)
            self._waiting.pop(("panel", channel_id), None)

    def _asked(self, interaction: Interaction) -> Message | None:
        """The question that answered an interaction: a new message, one after a pause, or the
        message that the control was on."""
        there = self.world.backend.messages.get(interaction.channel_id, {})
        first, last = interaction.message_id, interaction.source_message_id
        for number in (first, *reversed(interaction.followup_ids), last):
            stored = there.get(number or 0)
            if stored is not None and list(controls(stored)):
                return stored
        return None

    async def idle(self) -> None:
        """Wait until the bot has finished everything, old panels' disarming included."""
        await self.bot.desk.finish()
        await self.bot.outbox.idle()


class Player:
    """Plays a game in one channel by its buttons, at random but always the same way."""

    def __init__(self, rig: Rig, channel: ChannelHandle, seed: int) -> None:
        self.rig = rig
        self.channel = channel
        self._random = random.Random(seed)
        self._asked: Message | None = None

    async def press(self) -> Pressed:
        """Press one thing, opening a new game when the last one is over."""
        if self._asked is not None:
            message, asked = self._asked, self._asked
            custom_id, values = self._random.choice(list(controls(asked)))
            picked = (self._random.choice(values),) if values else ()
        else:
            message, starts = self._panel()
            if not starts:
                await self.rig.open(self.channel)
                await self.rig.idle()
                message, starts = self._panel()
            weights = [WEIGHTS.get(verb, 1) for verb, _ in starts]
            custom_id, picked = self._random.choices(starts, weights)[0][1], ()
        pressed, self._asked = await self.rig.press(message, custom_id, picked)
        return pressed

    async def act(self, before: Callable[[], None] = lambda: None) -> Pressed:
        """Press until something is done; the last press."""
        while True:
            before()
            pressed = await self.press()
            if pressed.acted:
                return pressed

    def _panel(self) -> tuple[Message, list[tuple[str, str]]]:
        message = self.rig.panel(self.channel)
        if message is None:
            raise RuntimeError("there is no panel")
        found: list[tuple[str, str]] = []
        for part in _walk(message.components):
            match = PRESS_PATTERN.fullmatch(str(part.get("custom_id", "")))
            if match and not match["verb"].startswith(".") and not part.get("disabled"):
                found.append((match["verb"], str(part["custom_id"])))
        return message, found


def controls(message: Message) -> Iterator[tuple[str, list[str]]]:
    """The controls of a picking that lead on: custom id, and the values if it is a menu."""
    for part in _walk(message.components):
        match = STEP_PATTERN.fullmatch(str(part.get("custom_id", "")))
        if match is None or part.get("disabled") or match["act"] not in PICKS:
            continue
        if part["type"] == MENU:
            yield str(part["custom_id"]), [str(o["value"]) for o in part["options"]]
        elif match["act"] != "s":
            yield str(part["custom_id"]), []


def buttons(components: Sequence[Any]) -> list[str]:
    """The custom ids of a panel's buttons."""
    ids = (str(part.get("custom_id", "")) for part in _walk(components))
    return [custom_id for custom_id in ids if custom_id.startswith("fp:")]


def armed(components: Sequence[Any]) -> bool:
    """Whether a message has buttons of a game, as a panel that stands has."""
    return bool(buttons(components))


def _walk(components: Sequence[Any]) -> Iterator[dict[str, Any]]:
    return cast("Iterator[dict[str, Any]]", walk_components(list(components)))


def real_bot(folder: Path) -> FieldpostBot:
    """The bot as it runs, its database in the folder."""
    address = f"sqlite+aiosqlite:///{folder}/fieldpost.db"
    return make_bot(read_settings(None, DATABASE_URL=address, FIELDPOST_MOST_WAITING="0"))


@asynccontextmanager
async def rigged(
    bot: discord.Client, channels: int, memory: Path | None = None
) -> AsyncGenerator[Rig]:
    """Run a bot in a world with so many channels, `table-1` and so on."""
    names = [f"table-{n + 1}" for n in range(channels)]
    kept = Memory(memory)
    world = World(bot, kept, people=["Robin"], channels=names)
    try:
        await world.start()
        yield Rig(world)
    finally:
        await world.shutdown()
        kept.close()

# This module fits simcord's parts together in a way that simcord itself does not offer, so it
# names some of its private parts; the version is pinned, and tests/bot/test_local.py covers them.
# pyright: reportPrivateUsage=false
"""A Discord that runs in real time inside this process, and remembers.

simcord's own environment runs on virtual time and waits after every action until the bot has
nothing left to do: right for tests, wrong for people, whose reminders must come by the clock and
whose bot always has something in the background. ``World`` keeps simcord's backend, its HTTP and
gateway stand-ins and its actors, and leaves the event loop alone.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from zlib import crc32

import discord
import simcord
from simcord import _dpy_internals as internals
from simcord._clock import Clock
from simcord.actors import MemberActor
from simcord.backend import Backend, serializers
from simcord.backend.access import channel_accessible
from simcord.backend.models import Channel, Interaction
from simcord.builders import ChannelHandle, GuildHandle, UserHandle
from simcord.enums import ChannelType
from simcord.gateway import ShardRouter
from simcord.http import FakeHTTPClient, FakeWebhookAdapter

from .memory import Memory, StoredCdn, attachment_urls

__all__ = ["World"]

_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
_LOADING = 1 << 7  # message flag: the bot "is thinking"
_LOG_LENGTH = 2000
_READY_SECONDS = 30.0


class WallClock(Clock):
    """simcord's clock, showing the real time.

    ``pinned`` stops it for the moment in which something with a lasting id is made: simcord
    derives ids from the clock, so the same pin gives the same id in every run.
    """

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._pin: datetime | None = _BEGINNING

    @property
    def elapsed(self) -> float:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Seconds since the start."""
        return time.monotonic() - self._started

    def now(self) -> datetime:
        """The present instant, UTC."""
        return datetime.now(UTC) if self._pin is None else self._pin

    def advance(self, seconds: float) -> None:
        """Do nothing: real time advances by itself."""

    @contextmanager
    def pinned(self, *key: str) -> Generator[None]:
        """Stop the clock at an instant of 2026 that depends on ``key`` only."""
        before = self._pin
        self._pin = _BEGINNING + timedelta(milliseconds=1000 + crc32("/".join(key).encode()))
        try:
            yield
        finally:
            self._pin = before

    def release(self) -> None:
        """Let the clock run."""
        self._pin = None


class _Http(FakeHTTPClient):
    """The bot's REST client; tells the page after each call."""

    changed: Callable[[], None]

    async def request(self, route: Any, **options: Any) -> Any:
        try:
            return await super().request(route, **options)
        finally:
            self.changed()


class _Answers(FakeWebhookAdapter):
    """The bot's way to answer interactions; tells the page after each call."""

    changed: Callable[[], None]

    async def request(self, route: Any, session: Any, **options: Any) -> Any:
        try:
            return await super().request(route, session, **options)
        finally:
            self.changed()


class World(simcord.Env):
    """One guild, its channels and people, around one bot, in real time.

    Ids of the guild, the channels, the people and their direct messages depend on their names
    only; everything else is read back from ``memory``. The first person owns the guild.
    """

    def __init__(
        self,
        bot: discord.Client,
        memory: Memory,
        *,
        people: Sequence[str],
        guild: str = "Local table",
        channels: Sequence[str] = ("table-1", "table-2"),
        bot_name: str = "Fieldpost",
    ) -> None:
        count: int | None = bot.shard_count  # None until Discord has told it
        sharded = isinstance(bot, discord.AutoShardedClient) and count is None
        super().__init__(bot, check_errors=False, shard_count=1 if sharded else None)
        self._clock = WallClock()
        self._memory = memory
        self._listeners: list[Callable[[], None]] = []
        self.backend = Backend(clock=self._clock)
        self.backend.cdn = StoredCdn(memory)
        # Days of play must not fill the memory with logs that only tests read.
        self.backend.transcript = cast("list[Any]", deque[Any](maxlen=_LOG_LENGTH))
        self.backend.http_requests = cast("list[Any]", deque[Any](maxlen=_LOG_LENGTH))
        self.backend.bot_user.name = bot_name
        self.people: dict[str, MemberActor] = {}
        self._furnish(guild, channels, people)
        self._clock.release()
        self.backend.subscribers.append(self._on_event)

    # ------------------------------------------------------------ building

    def _furnish(self, guild_name: str, channels: Sequence[str], people: Sequence[str]) -> None:
        backend = self.backend
        for name in people:
            with self._clock.pinned("person", name):
                user = backend.make_user(name.casefold().replace(" ", "_"), global_name=name)
            self._memory.keep_person(user)
        offered = list(backend.users.values())[1:]  # the first user is the bot
        with self._clock.pinned("guild", guild_name):
            guild = backend.create_guild(guild_name, owner_id=offered[0].id)
        handle = GuildHandle(self, guild)
        self._guilds.append(handle)
        for user in self._memory.people():  # those of earlier runs wrote messages, too
            backend.users.setdefault(user.id, user)
            backend.add_member(guild.id, user.id)
        for name in channels:
            with self._clock.pinned("channel", name):
                backend.create_channel(guild.id, name)
        for user in offered:
            with self._clock.pinned("direct", user.name):
                backend.get_dm_channel(user.id)
        for user, name in zip(offered, people, strict=True):
            self.people[name] = MemberActor(self, handle, UserHandle(self, user))
        self._remember(guild.id)

    def _remember(self, guild_id: int) -> None:
        backend = self.backend
        guild = backend.guilds[guild_id]
        for channel in self._memory.channels():
            known = backend.channels.get(channel.id)
            if channel.guild_id not in (None, guild_id):
                continue
            backend.channels[channel.id] = channel
            backend.messages.setdefault(channel.id, {})
            backend._reserved_ids.add(channel.id)
            if known is not None:
                continue
            if channel.guild_id is None:
                for user_id in channel.recipient_ids:
                    backend.dm_channels[user_id] = channel.id
            else:
                ids = guild.thread_ids if channel.is_thread else guild.channel_ids
                ids.append(channel.id)
        shown = [
            message
            for message in self._memory.messages()
            if message.channel_id in backend.channels
            and message.author_id in backend.users
            and not message.flags & _LOADING
        ]
        for message in shown:
            backend.messages[message.channel_id][message.id] = message
            backend._reserved_ids.add(message.id)
        for channel in backend.channels.values():
            self._memory.keep_channel(channel)
        self._memory.drop_files_except(attachment_urls(shown))

    def _on_event(self, event: str, payload: Mapping[str, Any]) -> None:
        """Keep what Discord would keep, and tell the page."""
        backend = self.backend
        if event == "MESSAGE_DELETE":
            self._memory.drop_message(int(payload["id"]))
        elif event == "MESSAGE_DELETE_BULK":
            for identity in payload["ids"]:
                self._memory.drop_message(int(identity))
        elif event.startswith("MESSAGE_"):
            channel_id = int(payload["channel_id"])
            key = int(payload.get("message_id") or payload["id"])
            if (message := backend.messages.get(channel_id, {}).get(key)) is not None:
                self._memory.keep_message(message)
            if (channel := backend.channels.get(channel_id)) is not None:
                self._memory.keep_channel(channel)
        elif event.startswith(("CHANNEL_", "THREAD_")):
            identity = int(payload.get("id") or payload.get("channel_id") or 0)
            if (channel := backend.channels.get(identity)) is not None:
                self._memory.keep_channel(channel)
            elif event.endswith("_DELETE"):
                self._memory.drop_channel(identity)
        self.changed()

    # -------------------------------------------------------------- running

    async def start(self) -> None:
        """Log the bot in on this world and wait until it is ready."""
        bot = self.bot
        self._loop = asyncio.get_running_loop()
        self._started = True
        self._generation += 1
        self._shard_count, self._shard_ids = self._resolve_shards(bot)
        http = _Http(self.backend, self._loop)
        http.changed = self.changed
        answers = _Answers(self.backend)
        answers.changed = self.changed
        internals.install_http(bot, http)
        internals.set_guild_ready_timeout(bot, 0.0)
        self._webhook_adapter = answers
        state = internals.get_state(bot)
        self._message_states.add(state)
        state.shard_count = self._shard_count
        state.shard_ids = list(self._shard_ids)
        router = ShardRouter(self.backend, state, bot.dispatch, self._shard_count, self._shard_ids)

        def feed(event: str, payload: Mapping[str, Any]) -> None:
            with self._bot_scope():  # interactions are answered through ``answers``
                router.feed(event, payload)

        self._gateway_feed = feed
        self.backend.subscribers.append(feed)
        if not isinstance(bot, discord.AutoShardedClient):
            internals.install_websocket(bot, router.websockets[0])
        self._capture_errors()
        with self._bot_scope():
            await bot.login("local-table")
            if isinstance(bot, discord.AutoShardedClient):
                bot.shard_count = self._shard_count
                internals.install_shards(bot, router.shards)
            for shard_id in self._shard_ids:
                router.identify(shard_id)
            for guild in list(self.backend.guilds.values()):
                payload = serializers.guild_create_payload(self.backend, guild)
                self.backend.emit("GUILD_CREATE", cast("Mapping[str, Any]", payload))
            tree = getattr(bot, "tree", None)
            if tree is not None and not any(self.backend.commands.values()):
                await tree.sync()
        await asyncio.wait_for(bot.wait_until_ready(), _READY_SECONDS)

    async def shutdown(self) -> None:
        """Close the bot and cut it off from this world."""
        if not self._started:
            return
        self._started = False
        try:
            await self.bot.close()
        finally:
            self.backend.subscribers.clear()
            self._listeners.clear()

    # ------------------------------------ simcord's settling, made harmless

    def _begin_operation(self, label: str) -> None:
        """Allow any number of actions at once."""

    def _end_operation(self) -> None:
        """Nothing was begun."""

    async def _settle_internal(self, **_options: Any) -> None:
        """Do not wait for the bot: give it one turn of the loop."""
        await asyncio.sleep(0)

    # ------------------------------------------------------------- watching

    def watch(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call ``listener`` after each change; the returned function ends it."""
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    def changed(self) -> None:
        """Tell every watcher that something may look different now."""
        for listener in tuple(self._listeners):
            listener()

    @contextmanager
    def invoking(self, command: str) -> Generator[None]:
        """Let the answers say which command was used, subcommand included, as Discord does."""

        def name(interaction: Interaction) -> None:
            interaction.command_name = command

        done = self._register_dispatch_observer(name)
        try:
            yield
        finally:
            done()

    def forget(self, interaction: Interaction) -> None:
        """Drop a finished interaction, such as a completion, that nobody will look up again."""
        self.backend.interactions.pop(interaction.id, None)
        self.backend.interaction_tokens.pop(interaction.token, None)

    # -------------------------------------------------------------- looking

    def actor(self, person: MemberActor, channel_id: int) -> MemberActor | UserHandle:
        """Who acts for ``person`` in that channel: the member, or in direct messages the user."""
        channel = self.backend.get_channel(channel_id)
        return person if channel.guild_id is not None else person.user

    def channel(self, channel_id: int) -> ChannelHandle:
        """The channel with that id.

        Raises:
            simcord.backend.errors.BackendError: there is none.
        """
        channel = self.backend.get_channel(channel_id)
        guild = self.guild if channel.guild_id is not None else None
        return ChannelHandle(self, guild, channel)

    def channels_of(self, person: MemberActor) -> list[Channel]:
        """The channels that person can open, in the order of the side bar."""
        backend = self.backend
        guild = backend.guilds[self.guild.id]
        listed: list[Channel] = []
        for channel_id in sorted(guild.channel_ids, key=lambda i: backend.channels[i].position):
            channel = backend.channels[channel_id]
            if channel.type not in (ChannelType.TEXT, ChannelType.NEWS):
                continue
            listed.append(channel)
            listed += [
                backend.channels[thread_id]
                for thread_id in guild.thread_ids
                if backend.channels[thread_id].parent_id == channel_id
            ]
        open_to = [c for c in listed if channel_accessible(backend, c.id, person.id)]
        return [*open_to, backend.get_dm_channel(person.id)]

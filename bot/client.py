"""The bot: one discord.py client with everything it needs, for Discord, local table and tests."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import hashlib
import importlib.util
import json
import logging
import signal
import sys
from typing import Any

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands
from sqlalchemy import delete, insert, select

from bot import panel, texts
from bot.acknowledge import Desk, unexpected
from bot.around import Around
from bot.buttons import ITEMS, read_form
from bot.campaigning import Campaigning
from bot.campaigns import Campaigns
from bot.chronicle import Chronicle
from bot.clock import Clock
from bot.commands import game_commands
from bot.layout import RED, note
from bot.luck import Lucks
from bot.mygames import MyGames
from bot.outbox import Outbox
from bot.parlour.decks import Decks
from bot.parlour.decks_desk import Decking
from bot.parlour.rolls import Rolls
from bot.people import People
from bot.pictures import Pictures
from bot.poster import PanelPoster
from bot.privacy import Privacy
from bot.refusals import Refused
from bot.replaying import Replaying
from bot.saves import Saves
from bot.seats import Seats
from bot.sessions import Sessions
from bot.settings import Settings
from bot.statistics import Statistics
from bot.store import Store
from bot.store import schema as db
from bot.studio import Studio
from bot.timing import Timing
from bot.turns import Turns
from bot.tutoring import Tutoring
from bot.undoing import Undoing
from bot.voting import Voting
from bot.welcome import Welcome
from games.registry import GameUnavailable, Registry

log = logging.getLogger(__name__)

EXTENSIONS = (
    "cogs.table",
    "cogs.help",
    "cogs.campaign",
    "cogs.mygames",
    "cogs.tutorial",
    "cogs.stats",
    "cogs.deck",
    "cogs.roll",
    "cogs.reminders",
    "cogs.privacy",
)


NO_MEMBER = (10007, 10013)
"""Discord's codes for somebody who is not in a server, or nowhere."""


def now() -> int:
    """Seconds since 1970 UTC, by the clock that tests can move."""
    return int(discord.utils.utcnow().timestamp())


class FieldpostBot(commands.Bot):
    """The client. Its parts are made in `setup_hook`, once it is logged in."""

    store: Store
    sessions: Sessions
    outbox: Outbox
    clock: Clock
    turns: Turns
    around: Around
    campaigning: Campaigning
    seats: Seats
    timing: Timing
    undoing: Undoing
    voting: Voting
    mygames: MyGames
    tutoring: Tutoring
    welcome: Welcome
    chronicle: Chronicle
    replaying: Replaying
    luck: Lucks
    statistics: Statistics
    saves: Saves
    decks: Decks
    rolls: Rolls
    decking: Decking
    privacy: Privacy

    def __init__(self, settings: Settings, registry: Registry) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            tree_cls=Tree,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            max_messages=None,
            chunk_guilds_at_startup=False,
        )
        self.settings = settings
        self.registry = registry
        self.studio = Studio()
        self.desk = Desk(panel.explain)
        self._opened = False
        self._closing: asyncio.Task[None] | None = None

    async def setup_hook(self) -> None:
        """Open the store, make the parts, load the commands, take up what was left undelivered."""
        self.store = await Store.open(self.settings.database_url)
        self._opened = True
        pictures = Pictures(self.studio)
        self.sessions = Sessions(
            self.store, self.registry, clock=now, most_waiting=self.settings.most_waiting
        )
        await self.sessions.fill_waits()
        self.outbox = Outbox(self.store, PanelPoster(self, self.sessions, pictures), clock=now)
        self.clock = Clock(self.sessions, clock=now)
        self.sessions.wake = self.outbox.wake
        self.sessions.planned = self.clock.planned
        self.sessions.absent = self.absent
        self.turns = Turns(self.sessions, pictures, self.desk)
        self.seats = Seats(self.turns)
        self.timing = Timing(self.turns)
        self.undoing = Undoing(self.turns)
        self.voting = Voting(self.turns)
        self.mygames = MyGames(self.sessions, self.desk)
        self.chronicle = Chronicle(self.turns)
        self.replaying = Replaying(self.turns, self.studio)
        self.luck = Lucks(self.turns, self.studio)
        self.statistics = Statistics(self.store, self.registry, self.desk, self.studio)
        self.saves = Saves(self.turns, self.outbox)
        self.rolls = Rolls(self.store, self.desk, self.studio, clock=now)
        self.decks = Decks(self.store, clock=now)
        self.privacy = Privacy(People(self.store, self.sessions, clock=now), self.desk)
        self.decking = Decking(self.decks, self.desk, self.studio, self.registry)
        self.around = Around(self.turns, self.studio, self.outbox, self.store)
        self.tutoring = Tutoring(self.around, self.outbox)
        self.welcome = Welcome(self, self.registry, self.store, self.studio)
        self.campaigning = Campaigning(
            self,
            Campaigns(self.store, self.sessions, clock=now),
            self.store,
            self.desk,
            self.studio,
            self.outbox,
        )
        self.add_dynamic_items(*ITEMS)
        for extension in EXTENSIONS:
            await self.load_extension(extension)
        for slug in self.registry.slugs():
            cog = f"cogs.{slug}"
            if importlib.util.find_spec(cog) is not None:
                await self.load_extension(cog)
            else:
                self.add_game(slug)
        await self.sync_commands()
        await self.outbox.start()
        self.clock.start()

    def add_game(self, slug: str) -> None:
        """Add a game's commands. A game whose content is broken is left out, loudly."""
        try:
            game = self.registry.newest(slug)
        except GameUnavailable as fault:
            log.error("%s Its commands are left out.", fault.sentence)
            return
        self.tree.add_command(game_commands(game))

    async def sync_commands(self) -> None:
        """Tell Discord our commands, but only when they are not those it was told last."""
        ours = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(ours, sort_keys=True).encode()).hexdigest()
        key = f"commands:{self.application_id}"
        column = db.meta.c
        async with self.store.read() as connection:
            told = await connection.scalar(select(column.value).where(column.key == key))
        if told == digest and len(await self.tree.fetch_commands()) == len(ours):
            return
        await self.tree.sync()
        async with self.store.write() as connection:
            await connection.execute(delete(db.meta).where(column.key == key))
            await connection.execute(insert(db.meta).values(key=key, value=digest))
        log.info("told Discord %d commands", len(ours))

    async def absent(self, guild_id: int, user_id: int) -> bool:
        """Whether somebody is no member of a server; False when that cannot be known now."""
        try:
            await self.http.get_member(guild_id, user_id)
        except discord.NotFound as error:
            return error.code in NO_MEMBER
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("not known whether somebody is still in server %s: %s", guild_id, error)
        return False

    async def on_ready(self) -> None:
        """Connected."""
        log.info("connected as %s, in %d servers", self.user, len(self.guilds))
        if self.settings.welcome:
            await self.welcome.catch_up()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Added to a server."""
        if self.settings.welcome:
            await self.welcome.joined(guild)

    async def on_interaction(self, interaction: discord.Interaction[FieldpostBot]) -> None:
        """Forms; everything else is dispatched by discord.py."""
        await read_form(interaction)

    async def close(self) -> None:
        """Finish what is being answered and posted, then disconnect and close the store."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        try:
            await self.desk.finish()
            if self._opened and hasattr(self, "outbox"):
                await self.welcome.stop()
                await self.clock.stop()
                await self.outbox.stop()
        finally:
            await super().close()
            self.studio.close()
            if self._opened:
                self._opened = False
                await self.store.close()


class Tree(app_commands.CommandTree[FieldpostBot]):
    """The command tree, with errors answered like all others."""

    async def on_error(
        self,
        interaction: discord.Interaction[FieldpostBot],
        error: app_commands.AppCommandError,
        /,
    ) -> None:
        """A command that this version does not know, or an error that nobody expected."""
        if interaction.type is discord.InteractionType.autocomplete:
            log.error("an autocompletion failed", exc_info=error)
            return
        known = isinstance(
            error, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch
        )

        async def work() -> Any:
            if known:
                return note(texts.OLD_COMMAND, colour=RED)
            return unexpected(error, interaction)

        await interaction.client.desk.answer(interaction, work)


def create_bot(settings: Settings, *, registry: Registry | None = None) -> FieldpostBot:
    """A bot that is not logged in yet. `registry` is for tests: other games than those shipped."""
    return FieldpostBot(settings, registry or Registry(data=settings.data))


def make_bot(settings: Settings) -> FieldpostBot:
    """The bot of a process that does nothing else.

    What is in memory once it is connected stays there: libraries, content, commands. The garbage
    collector need not go through it again and again, which held up the loop for 100 ms.
    """
    bot = create_bot(settings)

    async def spare_collector() -> None:
        if not gc.get_freeze_count():  # "ready" comes again after a reconnect
            gc.collect()
            gc.freeze()

    bot.add_listener(spare_collector, "on_ready")
    return bot


async def run(settings: Settings) -> int:
    """Run on Discord until it is stopped; the exit status. Faults are one sentence each."""
    token = settings.discord_token
    if token is None:
        return _fail("DISCORD_TOKEN is not set.")
    bot = make_bot(settings)
    loop = asyncio.get_running_loop()
    stopping: set[asyncio.Task[None]] = set()

    def stop() -> None:
        stopping.add(asyncio.create_task(bot.close()))

    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            loop.add_signal_handler(number, stop)
    try:
        async with bot:
            await bot.start(token.get_secret_value())
    except Exception as error:
        sentence = fault(error)
        if sentence is None:
            raise
        return _fail(sentence)
    finally:
        await bot.close()  # a signal has begun it perhaps; the store must be closed at the end
    return 0


def fault(error: BaseException) -> str | None:
    """One sentence that says why the bot cannot run and what to do; None for an unknown reason."""
    match error:
        case commands.ExtensionFailed():
            return fault(error.original)
        case Refused():
            return error.sentence
        case discord.LoginFailure():
            return (
                "Discord does not accept the token in DISCORD_TOKEN: copy it again from the Bot "
                "page of your application in Discord's developer portal (“Reset token” makes a "
                "new one)."
            )
        case discord.PrivilegedIntentsRequired():
            return "Discord refuses the connection because of intents; this bot needs none of them."
        case discord.ConnectionClosed():
            return f"Discord closed the connection (code {error.code}); start the bot again."
        case discord.Forbidden():
            return (
                "Discord does not let the bot register its commands: invite it with the scopes "
                "“bot” and “applications.commands”."
            )
        case discord.GatewayNotFound():
            return "Discord's gateway is down at the moment; try again in a few minutes."
        case discord.HTTPException() if error.status >= 500 or error.status == 429:
            return (
                f"Discord does not answer properly at the moment (status {error.status}); try "
                "again in a few minutes."
            )
        case aiohttp.ClientError() | OSError():
            return (
                "Discord cannot be reached: check this machine's network connection and proxy "
                f"({error})."
            )
        case _:
            return None


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1

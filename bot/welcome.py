"""What the bot says when it comes to a server: once, and also if Discord or the bot was down meanwhile.

That a server is to be greeted is a row in `meta`, written before anything is posted; it says `due` until
the greeting is out, or there is nowhere to post it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import Iterable, Sequence
from typing import Any

import aiohttp
import discord
from msgspec import structs
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

import renderer
from bot import texts
from bot.coaching import FIRST
from bot.custom_ids import Press
from bot.helping import all_games
from bot.layout import Image, Letter, Screen, Style, button, card, gallery, rows, text
from bot.refusals import StoreBusy
from bot.sessions.opening import preview
from bot.store import Store
from bot.store import schema as db
from bot.studio import Studio
from games.kernel.game import Game
from games.registry import Registry

log = logging.getLogger(__name__)

KEY = "welcome:{guild}"
DUE, DONE = "due", "done"

PICTURE = "welcome.png"
LOOK = "This is what a board looks like."

HELLO = (
    "### Fieldpost: wargames by post\n"
    "I run turn-based wargames in this server. Everybody plays when they have time; I keep to the "
    "rules, roll the dice and draw the board."
)
MISSING = (
    "-# To do all this I still need {rights} here. Somebody who manages the server can allow it, in the "
    "settings of the server or of this channel."
)

NEEDED = {
    "attach_files": "“Attach files”",
    "read_message_history": "“Read message history”",
    "create_public_threads": "“Create public threads”",
    "create_private_threads": "“Create private threads”",
    "send_messages_in_threads": "“Send messages in threads”",
}
"""What the bot uses besides seeing a channel and writing there."""

NETWORK = (aiohttp.ClientError, OSError, TimeoutError)


def welcome_letter(
    games: Sequence[Game[Any]], missing: Iterable[str] = (), images: Sequence[Image] = ()
) -> Letter:
    """The greeting: what this is, three commands to begin with, the permissions that are missing."""
    lines: list[str] = []
    taught = next((game for game in games if game.lessons()), None)
    if taught is not None:
        lines.append("- `/tutorial` teaches you to play, in ten minutes and on your own")
    if games:
        news = texts.listed([f"`/{game.slug} new`" for game in games[:3]], last="or")
        lines.append(f"- {news} opens a game in the channel where you give it")
    lines.append("- `/help` tells the rest")
    items = [text(f"{HELLO}\n" + "\n".join(lines)), *gallery(images)]
    if rights := texts.listed([NEEDED[right] for right in missing]):
        items.append(text(MISSING.format(rights=rights)))
    if taught is not None:
        items += rows(
            [button("Start the tutorial", str(Press(taught.slug, 0, FIRST)), Style.primary)]
        )
    return Letter(Screen(card(*items)), tuple(images))


def missing_in(channel: discord.TextChannel) -> list[str]:
    """The permissions that the bot lacks in a channel."""
    rights = channel.permissions_for(channel.guild.me)
    return [right for right in NEEDED if not getattr(rights, right)]


def where_to_greet(guild: discord.Guild) -> discord.TextChannel | None:
    """The system channel, or else the first text channel where the bot may write."""
    system = guild.system_channel
    for channel in ([system] if system is not None else []) + guild.text_channels:
        rights = channel.permissions_for(guild.me)
        if rights.view_channel and rights.send_messages:
            return channel
    return None


class Welcome:
    """Greets servers."""

    def __init__(
        self, client: discord.Client, registry: Registry, store: Store, studio: Studio
    ) -> None:
        self._client = client
        self._registry = registry
        self._store = store
        self._studio = studio
        self._lock = asyncio.Lock()
        self._stopped = False

    async def joined(self, guild: discord.Guild) -> None:
        """The bot was added to a server; one that it knows already is not greeted again."""
        key = KEY.format(guild=guild.id)
        try:
            async with self._store.write() as connection:
                await connection.execute(insert(db.meta).values(key=key, value=DUE))
        except IntegrityError:
            return
        await self.catch_up()

    async def catch_up(self) -> None:
        """Greet the servers that could not be greeted before."""
        async with self._lock:
            for guild_id in await self._due():
                guild = self._client.get_guild(guild_id)
                if self._stopped or guild is None or guild.unavailable:
                    continue
                try:
                    if await self._greet(guild):
                        await self._done(guild_id)
                except StoreBusy:
                    log.warning("server %s: the greeting could not be noted down", guild_id)

    async def stop(self, seconds: float = 5.0) -> None:
        """Greet nobody any more; a greeting under way may take so long, then it stays due."""
        self._stopped = True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._lock:
                pass

    async def picture(self) -> tuple[Image, ...]:
        """A board of the first game, as it stands at the beginning."""
        games = all_games(self._registry)
        return await self._studio.make(_picture, games[0]) if games else ()

    async def _due(self) -> list[int]:
        columns = db.meta.c
        wanted = select(columns.key).where(
            columns.key.startswith(KEY.format(guild="")), columns.value == DUE
        )
        async with self._store.read() as connection:
            keys = (await connection.execute(wanted.order_by(columns.key))).scalars().all()
        return [int(number) for key in keys if (number := key.partition(":")[2]).isdigit()]

    async def _done(self, guild_id: int) -> None:
        key = KEY.format(guild=guild_id)
        async with self._store.write() as connection:
            await connection.execute(update(db.meta).where(db.meta.c.key == key).values(value=DONE))

    async def _greet(self, guild: discord.Guild) -> bool:
        """Post the greeting; False when it is to be tried again."""
        channel = where_to_greet(guild)
        if channel is None:
            log.info(
                "server %s: there is no channel where I may write, so nobody is greeted", guild.id
            )
            return True
        missing = missing_in(channel)
        images = () if "attach_files" in missing else await self.picture()
        letter = welcome_letter(all_games(self._registry), missing, images)
        nonce = hashlib.sha256(KEY.format(guild=guild.id).encode()).hexdigest()[:24]
        try:
            await channel.send(
                view=letter.screen,
                files=letter.files(),
                nonce=nonce,
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            log.info("server %s: the greeting was not taken: %s", guild.id, error)
            return error.status < 500 and error.status != 429
        except NETWORK as error:
            log.info("server %s: the greeting is not out: %s", guild.id, error)
            return False
        log.info("greeted server %s in channel %s", guild.id, channel.id)
        return True


def _picture(game: Game[Any]) -> tuple[Image, ...]:
    try:
        view = game.view(preview(game, game.read_setup({}), "welcome").state, None)
        view = structs.replace(view, headline=LOOK, turn="", tasks=())
        picture = renderer.board(view, crop=view.board.focus or None)
    except Exception:
        log.exception("the picture of the greeting could not be drawn")
        return ()
    return (Image(PICTURE, picture.png, picture.alt),)

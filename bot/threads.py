"""A thread for a game, opened from the channel where the command was given."""

from __future__ import annotations

import contextlib
import logging
from typing import Any, TypeAlias

import discord

from bot import texts
from bot.refusals import Refused

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]

NO_THREADS_HERE = (
    "There can be no thread here. Give the command in a text channel of a server, or leave `thread` "
    "out: then the game is played in this channel."
)
NOT_ALLOWED = (
    "I may not open a thread here. Somebody who manages the server can allow me {missing}; or leave "
    "`thread` out, and the game is played in this channel."
)
FAILED = "Discord did not let me open a thread. Try again, or leave `thread` out."
NEEDED = {
    "create_public_threads": "“Create public threads”",
    "send_messages_in_threads": "“Send messages in threads”",
}


async def open_thread(interaction: Interaction, title: str) -> discord.Thread:
    """A new public thread in the interaction's channel. Raises `Refused`; then there is none."""
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        raise Refused(NO_THREADS_HERE)
    rights = interaction.app_permissions
    missing = [name for right, name in NEEDED.items() if not getattr(rights, right)]
    if missing:
        raise Refused(NOT_ALLOWED.format(missing=texts.listed(missing)))
    try:
        return await channel.create_thread(
            name=texts.clip(title, 100) or "A game", type=discord.ChannelType.public_thread
        )
    except discord.Forbidden:
        raise Refused(NOT_ALLOWED.format(missing=texts.listed(list(NEEDED.values())))) from None
    except discord.HTTPException as error:
        log.info("no thread in channel %s: %s", channel.id, error)
        raise Refused(FAILED) from None


async def remove_thread(thread: discord.Thread) -> None:
    """Take a thread away again in which nothing has been done."""
    with contextlib.suppress(discord.HTTPException):
        try:
            await thread.delete()
        except discord.Forbidden:
            await thread.edit(archived=True)

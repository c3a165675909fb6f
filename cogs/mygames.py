"""`/mygames`: private, in servers, direct messages and wherever a user has installed the bot."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Range
from discord.ext import commands

from bot.client import FieldpostBot

Interaction: TypeAlias = discord.Interaction[FieldpostBot]


class MyGamesCog(commands.Cog):
    """One's own games everywhere."""

    @app_commands.command(
        name="mygames", description="Your games in every server, what waits for you first"
    )
    @app_commands.describe(page="1 is what waits longest")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def mygames(self, interaction: Interaction, page: Range[int, 1, 999] = 1) -> None:
        """The list, seen by oneself only."""
        await interaction.client.mygames.show(interaction, page)


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    await bot.add_cog(MyGamesCog())

"""`/tutorial`: a guided first mission."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice
from discord.ext import commands

from bot.client import FieldpostBot

Interaction: TypeAlias = discord.Interaction[FieldpostBot]


class TutorialCog(commands.Cog):
    """Learning by playing."""

    @app_commands.command(
        name="tutorial", description="Play a guided first mission, step by step, on your own"
    )
    @app_commands.describe(game="Which game? Without it, the first that has a tutorial")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def tutorial(self, interaction: Interaction, game: str = "") -> None:
        """Begin a tutorial, or show the way to the one that goes on."""
        await interaction.client.tutoring.start(interaction, game.strip())

    @tutorial.autocomplete("game")
    async def games(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The games that have a tutorial."""
        typed = current.strip().casefold()
        return [
            Choice(name=title, value=slug)
            for slug, title in interaction.client.tutoring.offered()
            if typed in title.casefold() or typed in slug
        ][:25]


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    await bot.add_cog(TutorialCog())

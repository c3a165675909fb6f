"""`/privacy …`: what is kept about oneself; private everywhere."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import FieldpostBot

Interaction: TypeAlias = discord.Interaction[FieldpostBot]


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class PrivacyCog(
    commands.GroupCog,
    group_name="privacy",
    group_description="What I keep about you: see it, get it as a file, delete it",
):
    """Somebody's own data."""

    @app_commands.command(name="show", description="See what I keep about you (only you see it)")
    async def show(self, interaction: Interaction) -> None:
        """How much of each kind."""
        await interaction.client.privacy.show(interaction)

    @app_commands.command(name="export", description="Get everything about you as a file")
    async def export(self, interaction: Interaction) -> None:
        """All of it."""
        await interaction.client.privacy.export(interaction)

    @app_commands.command(name="delete", description="Delete everything about you (I ask first)")
    async def delete(self, interaction: Interaction) -> None:
        """The question."""
        await interaction.client.privacy.delete(interaction, sure=False)


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    await bot.add_cog(PrivacyCog())

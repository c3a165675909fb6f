"""`/stats …`: what finished games come to, for one person or for a server. For all games."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import FieldpostBot
from bot.commands import CONTEXTS

Interaction: TypeAlias = discord.Interaction[FieldpostBot]
Text: TypeAlias = Range[str, 1, 80]

MOST_SUGGESTIONS = 25


class StatsCog(
    commands.GroupCog,
    group_name="stats",
    group_description="How often games were played and won, with plots",
):
    """Statistics of all games."""

    @app_commands.command(
        name="player", description="Your finished games, or somebody's in this server"
    )
    @app_commands.describe(
        user="Whose? Yours, if you leave it out",
        game="Only which game?",
        here="Only what was played in this server?",
    )
    async def player(
        self,
        interaction: Interaction,
        user: discord.User | None = None,
        game: Text = "",
        here: bool = False,
    ) -> None:
        """One person’s statistics."""
        await interaction.client.statistics.player(interaction, user, game, here)

    @app_commands.command(name="server", description="What is played in this server, and by whom")
    @app_commands.describe(game="Only which game?")
    async def server(self, interaction: Interaction, game: Text = "") -> None:
        """A server’s statistics."""
        await interaction.client.statistics.server(interaction, game)

    @player.autocomplete("game")
    @server.autocomplete("game")
    async def games(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The games by title."""
        wanted = current.strip().casefold()
        games = interaction.client.statistics.games()
        hits = [(slug, title) for slug, title in games.items() if wanted in title.casefold()]
        return [Choice(name=title[:100], value=slug) for slug, title in hits[:MOST_SUGGESTIONS]]


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    cog = StatsCog()
    group = cog.app_command
    if isinstance(group, app_commands.Group):
        group.allowed_contexts = CONTEXTS
    await bot.add_cog(cog)

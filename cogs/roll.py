"""`/roll` and `/rolls`: dice for everybody, in servers, direct messages and wherever a user has
installed the bot."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import FieldpostBot
from games.parlour.notation import LONGEST, LONGEST_LABEL, MOST_LINES

Interaction: TypeAlias = discord.Interaction[FieldpostBot]


class RollCog(commands.Cog):
    """Dice without a game."""

    @app_commands.command(name="roll", description="Roll dice")
    @app_commands.describe(
        dice="For example 2d6+1, 4d6kh3, d20 adv+5, 5d6>=4, 3d6!; several with ; between",
        secret="Only you see the result; the channel reads that you rolled",
        label="What for?",
        times="How often?",
    )
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def roll(
        self,
        interaction: Interaction,
        dice: Range[str, 1, LONGEST],
        secret: bool = False,
        label: Range[str, 1, LONGEST_LABEL] = "",
        times: Range[int, 1, MOST_LINES] = 1,
    ) -> None:
        """A roll."""
        await interaction.client.rolls.command(
            interaction, dice, secret=secret, label=label, times=times
        )

    @roll.autocomplete("dice")
    async def dice(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """What is being typed, with its average, and own rolls that begin so."""
        pairs = await interaction.client.rolls.suggest(interaction.user.id, current)
        return [Choice(name=label, value=value) for label, value in pairs]

    @app_commands.command(
        name="rolls", description="The last rolls in this channel, and their proof"
    )
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def rolls(self, interaction: Interaction) -> None:
        """The list, seen by oneself only."""
        await interaction.client.rolls.history(interaction)


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    await bot.add_cog(RollCog())

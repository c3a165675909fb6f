"""`/reminders …`: when somebody wants to be mentioned, in all servers; private everywhere."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import FieldpostBot
from bot.sessions.habits import find_zones

Interaction: TypeAlias = discord.Interaction[FieldpostBot]

MOST_SUGGESTIONS = 25


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class RemindersCog(
    commands.GroupCog,
    group_name="reminders",
    group_description="When I mention you, and when I leave you alone",
):
    """What one person wants of reminders."""

    @app_commands.command(name="show", description="See what you have chosen")
    async def show(self, interaction: Interaction) -> None:
        """The present choices."""
        await interaction.client.timing.show(interaction)

    @app_commands.command(
        name="quiet", description="Hours of the day in which I mention you nowhere"
    )
    @app_commands.describe(
        start="From when on, such as 22:00",
        end="Until when, such as 7:00",
        zone="A large city near you; needed the first time",
    )
    async def quiet(
        self,
        interaction: Interaction,
        start: Range[str, 1, 10],
        end: Range[str, 1, 10],
        zone: Range[str, 0, 60] = "",
    ) -> None:
        """Quiet hours."""
        await interaction.client.timing.quiet(interaction, start, end, zone)

    @quiet.autocomplete("zone")
    async def zone_names(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Time zones by what was typed of them."""
        found = find_zones(current, MOST_SUGGESTIONS)
        return [Choice(name=name.replace("_", " "), value=name) for name in found]

    @app_commands.command(name="loud", description="No quiet hours any more")
    async def loud(self, interaction: Interaction) -> None:
        """Mentioned at any hour."""
        await interaction.client.timing.loud(interaction)

    @app_commands.command(name="next", description="Shall I also mention you when you are next?")
    async def next(self, interaction: Interaction, on: bool) -> None:
        """A word beforehand."""
        await interaction.client.timing.next_up(interaction, on=on)

    @app_commands.command(
        name="mute", description="No more reminders for your present turn in this channel’s game"
    )
    @app_commands.describe(on="False: remind me again")
    async def mute(self, interaction: Interaction, on: bool = True) -> None:
        """Silence for one turn."""
        await interaction.client.timing.mute(interaction, None, on=on)


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    await bot.add_cog(RemindersCog())

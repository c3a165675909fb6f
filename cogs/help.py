"""`/help` by topic and `/rule` by number, both private."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import FieldpostBot
from bot.guide import in_order
from bot.helping import TOPICS, all_games, find_rules, rule_letter
from bot.layout import Letter
from bot.refusals import Refused
from games.kernel.game import Game

Interaction: TypeAlias = discord.Interaction[FieldpostBot]


class HelpCog(commands.Cog):
    """What to do, and why something cannot be done."""

    @app_commands.command(name="help", description="How to play here")
    @app_commands.describe(topic="What you want to know")
    @app_commands.choices(topic=[Choice(name=TOPICS[name][0], value=name) for name in in_order()])
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def help(self, interaction: Interaction, topic: str = "") -> None:
        """Help on a topic, or the list of topics."""
        await interaction.client.around.help(interaction, None, topic)

    @app_commands.command(name="rule", description="Read a rule")
    @app_commands.describe(id="Its number, or a word of its title")
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def rule(self, interaction: Interaction, id: Range[str, 1, 100]) -> None:
        """The text of a rule."""

        async def work() -> Letter:
            return rule_letter(await _games(interaction), id)

        await interaction.client.desk.answer(interaction, work)

    @rule.autocomplete("id")
    async def rule_ids(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Rules by number and title."""
        found = find_rules(await _games(interaction), current)
        return [Choice(name=label, value=rule) for label, rule in found]


async def _games(interaction: Interaction) -> list[Game[object]]:
    """The game of this channel first, then the others."""
    games = all_games(interaction.client.registry)
    try:
        here = await interaction.client.turns.table_here(interaction)
    except Refused:
        return games
    return [here.game, *(game for game in games if game.slug != here.slug)]


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    await bot.add_cog(HelpCog())

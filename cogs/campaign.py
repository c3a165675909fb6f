"""`/campaign …` and `/record`: series of games, and what they leave behind. For all games."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import FieldpostBot
from bot.commands import CONTEXTS
from bot.refusals import Refused
from games.registry import GameUnavailable

Interaction: TypeAlias = discord.Interaction[FieldpostBot]
Text: TypeAlias = Range[str, 1, 80]
List: TypeAlias = Range[str, 1, 200]

MOST_SUGGESTIONS = 25


class CampaignCog(
    commands.GroupCog,
    group_name="campaign",
    group_description="Series of games: begin one, go on with it, see how it stands",
):
    """Campaigns of all games."""

    @app_commands.command(name="start", description="Begin a campaign with its first mission here")
    @app_commands.describe(
        game="Which game, and which campaign?",
        mode="Alone or together?",
        options="What is special about it? Several with commas",
    )
    async def start(
        self, interaction: Interaction, game: Text, mode: Text = "", options: List = ""
    ) -> None:
        """A new campaign."""
        campaigning = interaction.client.campaigning
        series = campaigning.series()
        wanted = next((key for key, title in series.items() if _means(key, title, game)), game)
        mode = _mode(interaction.client, wanted, mode)
        await campaigning.start(interaction, wanted, mode, options)

    @start.autocomplete("game")
    async def games(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Every series of every game."""
        return _choices(interaction.client.campaigning.series(), current)

    @start.autocomplete("mode")
    async def modes(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The modes of the series that was chosen, or of the first there is."""
        campaigning = interaction.client.campaigning
        chosen = interaction.namespace.game or next(iter(campaigning.series()), "")
        try:
            return _choices(campaigning.modes(str(chosen)), current)
        except Refused:
            return []

    @start.autocomplete("options")
    async def options(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Lists of the options of the series that was chosen."""
        game, mode = str(interaction.namespace.game or ""), str(interaction.namespace.mode or "")
        series = interaction.client.campaigning.series()
        wanted = next((key for key, title in series.items() if _means(key, title, game)), game)
        mode = _mode(interaction.client, wanted, mode)
        found = interaction.client.campaigning.suggest_options(wanted, mode, current)
        return [Choice(name=label, value=value) for label, value in found]

    @app_commands.command(name="gear", description="Buy gear before your next mission")
    @app_commands.describe(
        what="What do you buy or decide? Leave it out to see everything",
        campaign="Which one, if you have several",
    )
    async def gear(self, interaction: Interaction, what: Text = "", campaign: Text = "") -> None:
        """The shop, and whatever else there is to do between two missions."""
        await interaction.client.campaigning.gear(interaction, what, campaign)

    @gear.autocomplete("what")
    async def wares(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """What may be done now."""
        campaign = str(interaction.namespace.campaign or "")
        me = interaction.user.id
        try:
            found = await interaction.client.campaigning.suggest_gear(me, campaign, current)
        except Refused:
            return []
        return [Choice(name=label, value=value) for label, value in found]

    @app_commands.command(name="next", description="Open your next mission in this channel")
    @app_commands.describe(campaign="Which one, if you have several")
    async def next(self, interaction: Interaction, campaign: Text = "") -> None:
        """The next mission."""
        await interaction.client.campaigning.next(interaction, campaign)

    @app_commands.command(name="show", description="See how a campaign stands (only you see it)")
    @app_commands.describe(user="Whose? Yours, if you leave it out", campaign="Which one")
    async def show(
        self, interaction: Interaction, user: discord.User | None = None, campaign: Text = ""
    ) -> None:
        """A campaign's log."""
        await interaction.client.campaigning.show(interaction, campaign, user)

    @app_commands.command(name="list", description="All your campaigns, or somebody else's")
    @app_commands.describe(user="Whose? Yours, if you leave it out")
    async def list(self, interaction: Interaction, user: discord.User | None = None) -> None:
        """All campaigns of somebody."""
        await interaction.client.campaigning.list(interaction, user)

    @app_commands.command(name="abandon", description="Give a campaign up (I ask first)")
    @app_commands.describe(campaign="Which one, if you have several")
    async def abandon(self, interaction: Interaction, campaign: Text = "") -> None:
        """The end of a campaign before its time."""
        await interaction.client.campaigning.abandon(interaction, campaign, sure=False)

    @app_commands.command(name="restart", description="Start a campaign over (I ask first)")
    @app_commands.describe(campaign="Which one? The one under way, if you leave it out")
    async def restart(self, interaction: Interaction, campaign: Text = "") -> None:
        """The same kind of campaign with the same people, from its beginning."""
        await interaction.client.campaigning.restarting.ask(interaction, campaign)

    @next.autocomplete("campaign")
    @gear.autocomplete("campaign")
    @restart.autocomplete("campaign")
    @abandon.autocomplete("campaign")
    async def mine(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """One's own campaigns."""
        return await _campaigns(interaction, interaction.user.id, current)

    @show.autocomplete("campaign")
    async def theirs(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The campaigns of the user that was chosen, or one's own."""
        user = interaction.namespace.user
        whose = user.id if isinstance(user, discord.abc.Snowflake) else interaction.user.id
        return await _campaigns(interaction, whose, current)


class RecordCog(commands.Cog):
    """Service records."""

    @app_commands.command(name="record", description="See a service record (only you see it)")
    @app_commands.describe(
        user="Whose? Yours, if you leave it out", game="In which game? The one played last"
    )
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
    async def record(
        self, interaction: Interaction, user: discord.User | None = None, game: Text = ""
    ) -> None:
        """What somebody has done in a game."""
        titles = _games(interaction.client)
        wanted = next((key for key, title in titles.items() if _means(key, title, game)), game)
        await interaction.client.campaigning.record(interaction, user, wanted)

    @record.autocomplete("game")
    async def games(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The games."""
        return _choices(_games(interaction.client), current)


async def _campaigns(interaction: Interaction, user_id: int, current: str) -> list[Choice[str]]:
    try:
        found = await interaction.client.campaigning.suggest(user_id, current)
    except Refused:
        return []
    return [Choice(name=label, value=value) for label, value in found]


def _games(bot: FieldpostBot) -> dict[str, str]:
    """The games with their titles."""
    found: dict[str, str] = {}
    for slug in bot.registry.slugs():
        try:
            game = bot.registry.newest(slug)
        except GameUnavailable:
            continue
        found[slug] = game.title
    return found


def _mode(bot: FieldpostBot, game: str, typed: str) -> str:
    """A mode by its value or title; as it stands when there is no such mode."""
    try:
        modes = bot.campaigning.modes(game)
    except Refused:
        return typed
    return next((key for key, title in modes.items() if _means(key, title, typed)), typed)


def _means(key: str, title: str, typed: str) -> bool:
    wanted = typed.strip().casefold()
    return bool(wanted) and wanted in (key, key.partition("/")[0], title.casefold())


def _choices(titles: dict[str, str], current: str) -> list[Choice[str]]:
    wanted = current.strip().casefold()
    hits = [(key, title) for key, title in titles.items() if wanted in title.casefold()]
    return [Choice(name=title[:100], value=key) for key, title in hits[:MOST_SUGGESTIONS]]


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    cog = CampaignCog()
    group = cog.app_command
    if isinstance(group, app_commands.Group):
        group.allowed_contexts = CONTEXTS
    await bot.add_cog(cog)
    await bot.add_cog(RecordCog())

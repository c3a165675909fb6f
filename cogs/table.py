"""`/table …`: look at a game, its seats, take something back, check the dice, end it."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.around import cells_of, eyes, moderates
from bot.client import FieldpostBot
from bot.commands import CONTEXTS
from bot.refusals import Refused
from bot.seats import UNTIL_RETURN
from bot.sessions.undo import MOST_STEPS
from bot.timing import OVERTIME_CHOICES, PACE_CHOICES, POST_CHOICES
from bot.voting import VOTES

Interaction: TypeAlias = discord.Interaction[FieldpostBot]

MOST_SUGGESTIONS = 25


class TableCog(
    commands.GroupCog,
    group_name="table",
    group_description="The game in this channel: see it, take back, check, end",
):
    """What can be done around a table besides playing."""

    @app_commands.command(name="board", description="See the whole map (only you see it)")
    async def board(self, interaction: Interaction) -> None:
        """The whole map."""
        await interaction.client.around.board(interaction)

    @app_commands.command(name="zoom", description="See the map around a square or a unit")
    @app_commands.describe(cell="A square such as G7, or a unit")
    async def zoom(self, interaction: Interaction, cell: Range[str, 1, 60]) -> None:
        """Part of the map, larger."""
        await interaction.client.around.zoom(interaction, cell)

    @zoom.autocomplete("cell")
    async def zoom_cells(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """Units by name, then squares."""
        try:
            table = await interaction.client.turns.table_here(interaction)
        except Refused:
            return []
        seat = eyes(table, interaction.user.id)
        wanted = current.strip().casefold()
        found: dict[str, str] = {}
        for token in table.view(seat).board.tokens:
            if token.cell and not token.hidden:
                found.setdefault(f"{token.name} · {token.cell}"[:100], token.cell)
        found |= {cell: cell for cell in cells_of(table, seat)}
        hits = [(name, cell) for name, cell in found.items() if wanted in name.casefold()]
        hits.sort(key=lambda pair: not pair[0].casefold().startswith(wanted))
        return [Choice(name=name, value=cell) for name, cell in hits[:MOST_SUGGESTIONS]]

    @app_commands.command(name="hand", description="See your own cards (only you see them)")
    async def hand(self, interaction: Interaction) -> None:
        """One's own cards."""
        await interaction.client.around.hand(interaction)

    @app_commands.command(name="odds", description="The odds of the shots you may take now")
    async def odds(self, interaction: Interaction) -> None:
        """The reading aid."""
        await interaction.client.around.odds(interaction)

    @app_commands.command(name="text", description="Read the board in words")
    async def text(self, interaction: Interaction) -> None:
        """The board without a picture."""
        await interaction.client.around.in_words(interaction)

    @app_commands.command(name="log", description="Read what happened so far")
    @app_commands.describe(entry="From which entry on? The newest part, if you leave this out")
    async def log(self, interaction: Interaction, entry: Range[int, 0, 999_999] = 0) -> None:
        """The history."""
        await interaction.client.chronicle.log(interaction, entry)

    @app_commands.command(
        name="catchup", description="See what happened since you last acted (only you see it)"
    )
    async def catchup(self, interaction: Interaction) -> None:
        """What was missed."""
        await interaction.client.chronicle.catch_up(interaction)

    @app_commands.command(
        name="replay", description="See the game as a moving picture (only you see it)"
    )
    @app_commands.describe(turns="Only the last so many turns")
    async def replay(self, interaction: Interaction, turns: Range[int, 0, 9_999] = 0) -> None:
        """The game so far, moving."""
        await interaction.client.replaying.replay(interaction, turns)

    @app_commands.command(name="panel", description="Post the board and its buttons again")
    async def panel(self, interaction: Interaction) -> None:
        """A new panel."""
        await interaction.client.around.panel(interaction)

    @app_commands.command(name="undo", description="Take back the last actions (I ask first)")
    @app_commands.describe(steps="How many actions? One, if you leave this out")
    async def undo(self, interaction: Interaction, steps: Range[int, 1, MOST_STEPS] = 1) -> None:
        """Undo."""
        await interaction.client.undoing.undo(interaction, None, steps)

    @app_commands.command(name="end", description="End the game before its time (I ask first)")
    async def end(self, interaction: Interaction) -> None:
        """The end."""
        await interaction.client.around.end(interaction, None, sure=False)

    @app_commands.command(name="verify", description="Get the file that proves the dice")
    async def verify(self, interaction: Interaction) -> None:
        """The proof."""
        await interaction.client.around.verify(interaction)

    @app_commands.command(name="luck", description="See whether the dice of this game are fair")
    async def luck(self, interaction: Interaction) -> None:
        """The figures of the dice, with plots."""
        await interaction.client.luck.show(interaction)

    @app_commands.command(name="salt", description="Add words of your own to the dice to come")
    @app_commands.describe(words="Anything; it is shown to everybody and goes into every roll")
    async def salt(self, interaction: Interaction, words: Range[str, 1, 100]) -> None:
        """Words for the dice."""
        await interaction.client.around.salt(interaction, words)

    @app_commands.command(name="export", description="Get this game as a file")
    async def export(self, interaction: Interaction) -> None:
        """The game as a file."""
        await interaction.client.saves.export(interaction)

    @app_commands.command(name="import", description="Go on here with a game from a file")
    @app_commands.describe(file="What /table export gave, at most 4 MiB")
    async def bring(self, interaction: Interaction, file: discord.Attachment) -> None:
        """A game from a file."""
        await interaction.client.saves.bring(interaction, file)

    @app_commands.command(name="seats", description="See who plays here")
    async def seats(self, interaction: Interaction) -> None:
        """The seats."""
        await interaction.client.seats.show(interaction)

    @app_commands.command(name="join", description="Take a vacant seat at the game in this channel")
    @app_commands.describe(seat="Which seat? The first vacant one if you leave this out")
    async def join(self, interaction: Interaction, seat: str = "") -> None:
        """Join."""
        await interaction.client.seats.join(interaction, seat)

    @app_commands.command(name="leave", description="Give up your seat; the game goes on")
    @app_commands.describe(seat="Which of your seats?")
    async def leave(self, interaction: Interaction, seat: str = "") -> None:
        """Leave."""
        await interaction.client.seats.leave(interaction, seat)

    @app_commands.command(
        name="vacate", description="Host: make a seat vacant, so that others can take it"
    )
    @app_commands.describe(seat="Which seat?")
    async def vacate(self, interaction: Interaction, seat: str) -> None:
        """Put the people of a seat off it."""
        moderator = moderates(interaction)
        await interaction.client.seats.vacate(interaction, seat, moderator=moderator)

    @app_commands.command(
        name="stand-in", description="Host: let the program act for somebody who does not answer"
    )
    @app_commands.describe(
        seat="For which seat?", until="For one decision, or until somebody of the seat acts again"
    )
    @app_commands.choices(until=[Choice(name="they return", value=UNTIL_RETURN)])
    async def stand_in(self, interaction: Interaction, seat: str, until: str = "") -> None:
        """The program acts."""
        await interaction.client.seats.stand_in(
            interaction,
            seat,
            lasting=until == UNTIL_RETURN,
            moderator=moderates(interaction),
        )

    @app_commands.command(
        name="settings", description="See or (host) set the pace, and what is posted anew"
    )
    @app_commands.describe(
        pace="How much time a seat has",
        overtime="What happens when it is used up",
        posts="What is posted anew, and what is edited into the board",
    )
    @app_commands.choices(
        pace=[Choice(name=label, value=value) for label, value in PACE_CHOICES],
        overtime=[Choice(name=label, value=value) for label, value in OVERTIME_CHOICES],
        posts=[Choice(name=label, value=value) for label, value in POST_CHOICES],
    )
    async def settings(
        self,
        interaction: Interaction,
        pace: str | None = None,
        overtime: str | None = None,
        posts: str | None = None,
    ) -> None:
        """The clock, and the posts."""
        await interaction.client.timing.settings(
            interaction, pace=pace, overtime=overtime, posts=posts
        )

    @app_commands.command(name="host", description="Host: hand this table over to another player")
    @app_commands.describe(user="Who shall host it?")
    async def host(self, interaction: Interaction, user: discord.User) -> None:
        """Another host."""
        moderator = moderates(interaction)
        await interaction.client.seats.host(interaction, user.id, moderator=moderator)

    @app_commands.command(
        name="substitute", description="Hand a seat on to somebody else, who must agree"
    )
    @app_commands.describe(
        seat="Which seat?",
        user="Who shall take it?",
        out="Whose place, if several play it? Your own, if you leave this out",
    )
    async def substitute(
        self,
        interaction: Interaction,
        seat: str,
        user: discord.User,
        out: discord.User | None = None,
    ) -> None:
        """Another person on a seat."""
        await interaction.client.voting.substitute(interaction, seat, user, out)

    @app_commands.command(
        name="vote", description="Ask the others to decide, when the host does not answer"
    )
    @app_commands.describe(
        what="What shall be decided?", user="A new host: who?", seat="About a seat: which?"
    )
    @app_commands.choices(what=[Choice(name=name, value=kind) for kind, name in VOTES.items()])
    async def vote(
        self,
        interaction: Interaction,
        what: str,
        user: discord.User | None = None,
        seat: str = "",
    ) -> None:
        """A vote."""
        await interaction.client.voting.call(interaction, what, user, seat)

    @substitute.autocomplete("seat")
    @vote.autocomplete("seat")
    @join.autocomplete("seat")
    @leave.autocomplete("seat")
    @vacate.autocomplete("seat")
    @stand_in.autocomplete("seat")
    async def seat_names(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The seats by title, with their people."""
        try:
            table = await interaction.client.turns.table_here(interaction)
        except Refused:
            return []
        wanted = current.strip().casefold()
        found = [
            Choice(name=f"{h.title} ({h.name or 'nobody'})"[:100], value=h.seat)
            for h in table.seats
            if wanted in h.title.casefold() or wanted in h.seat.casefold()
        ]
        return found[:MOST_SUGGESTIONS]


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    cog = TableCog()
    group = cog.app_command
    if isinstance(group, app_commands.Group):
        group.allowed_contexts = CONTEXTS
    await bot.add_cog(cog)

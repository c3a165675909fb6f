"""`/deck …`: decks of cards for everybody, in any channel."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range
from discord.ext import commands

from bot.client import FieldpostBot
from bot.commands import CONTEXTS

Interaction: TypeAlias = discord.Interaction[FieldpostBot]
Name: TypeAlias = Range[str, 1, 64]
Cards: TypeAlias = Range[str, 1, 400]

MOST_SUGGESTIONS = 25
MOST_AT_ONCE, MOST_PEEKED = 50, 10

WHICH_DECK = "Which deck? Only needed where there are several"
WHICH_CARDS = "Which cards? Several with commas, or “all”"
FROM_WHERE = "From where? Your hand, if you leave this out and hold any"
TO = [
    Choice(name="The table", value="table"),
    Choice(name="My hand", value="hand"),
    Choice(name="The discard pile, at once", value="discard"),
]
FROM = [Choice(name="My hand", value="hand"), Choice(name="The table", value="table")]
WHERE = [Choice(name="On top", value="top"), Choice(name="Below all others", value="bottom")]
SHUFFLED = [
    Choice(name="The discard pile back in", value="discard"),
    Choice(name="The table back in", value="table"),
    Choice(name="Table and discard pile back in", value="both"),
    Choice(name="Only the pile", value="pile"),
    Choice(name="Everything, all hands too (its maker, or a moderator)", value="everything"),
]


class DeckCog(
    commands.GroupCog, group_name="deck", group_description="Decks of cards for this channel"
):
    """Decks of a channel."""

    @app_commands.command(
        name="new", description="Make a deck: standard 52, a game's, your own list"
    )
    @app_commands.describe(
        source="Which cards? The standard 52, if you leave this out",
        name="What shall it be called?",
        file="A list of your own: text with a card on every line, or JSON",
    )
    async def new(
        self,
        interaction: Interaction,
        source: Name = "",
        name: Name = "",
        file: discord.Attachment | None = None,
    ) -> None:
        """A new deck."""
        await interaction.client.decking.make(interaction, source, name, file)

    @app_commands.command(name="list", description="See the decks of this channel")
    async def list(self, interaction: Interaction) -> None:
        """All decks here."""
        await interaction.client.decking.show_all(interaction)

    @app_commands.command(name="show", description="See where a deck's cards are (only you see it)")
    @app_commands.describe(deck=WHICH_DECK)
    async def show(self, interaction: Interaction, deck: Name = "") -> None:
        """How it stands."""
        await interaction.client.decking.show(interaction, deck)

    @app_commands.command(name="draw", description="Draw cards")
    @app_commands.describe(
        number="How many? One, if you leave this out", to="Where to?", deck=WHICH_DECK
    )
    @app_commands.choices(to=TO)
    async def draw(
        self,
        interaction: Interaction,
        number: Range[int, 1, MOST_AT_ONCE] = 1,
        to: str = "table",
        deck: Name = "",
    ) -> None:
        """Cards from the pile."""
        await interaction.client.decking.draw(interaction, number, to, deck)

    @app_commands.command(name="hand", description="See your hand (only you see it)")
    @app_commands.describe(deck=WHICH_DECK)
    async def hand(self, interaction: Interaction, deck: Name = "") -> None:
        """One's own hand."""
        await interaction.client.decking.hand(interaction, deck)

    @app_commands.command(name="play", description="Play cards from your hand to the table")
    @app_commands.describe(cards=WHICH_CARDS, deck=WHICH_DECK)
    async def play(self, interaction: Interaction, cards: Cards, deck: Name = "") -> None:
        """Cards to the table."""
        await interaction.client.decking.play(interaction, cards, deck)

    @app_commands.command(name="discard", description="Discard cards from your hand or the table")
    @app_commands.describe(cards=WHICH_CARDS, origin=FROM_WHERE, deck=WHICH_DECK)
    @app_commands.rename(origin="from")
    @app_commands.choices(origin=FROM)
    async def discard(
        self, interaction: Interaction, cards: Cards, origin: str = "", deck: Name = ""
    ) -> None:
        """Cards to the discard pile."""
        await interaction.client.decking.discard(interaction, cards, origin, deck)

    @app_commands.command(
        name="give", description="Give cards of your hand to somebody else's hand"
    )
    @app_commands.describe(user="Whom?", cards=WHICH_CARDS, deck=WHICH_DECK)
    async def give(
        self, interaction: Interaction, user: discord.User, cards: Cards, deck: Name = ""
    ) -> None:
        """Cards to another hand."""
        await interaction.client.decking.give(interaction, user, cards, deck)

    @app_commands.command(name="shuffle", description="Shuffle cards back into the pile")
    @app_commands.describe(what="Which? The discard pile, if you leave this out", deck=WHICH_DECK)
    @app_commands.choices(what=SHUFFLED)
    async def shuffle(
        self, interaction: Interaction, what: str = "discard", deck: Name = ""
    ) -> None:
        """Cards back into the pile."""
        await interaction.client.decking.shuffle(interaction, what, deck)

    @app_commands.command(name="peek", description="Look at the next cards; everybody is told so")
    @app_commands.describe(number="How many? One, if you leave this out", deck=WHICH_DECK)
    async def peek(
        self, interaction: Interaction, number: Range[int, 1, MOST_PEEKED] = 1, deck: Name = ""
    ) -> None:
        """The next cards."""
        await interaction.client.decking.peek(interaction, number, deck)

    @app_commands.command(
        name="return", description="Put cards back into the pile, on top or below"
    )
    @app_commands.describe(
        cards=WHICH_CARDS, where="On top or below?", origin=FROM_WHERE, deck=WHICH_DECK
    )
    @app_commands.rename(origin="from")
    @app_commands.choices(where=WHERE, origin=FROM)
    async def put_back(
        self,
        interaction: Interaction,
        cards: Cards,
        where: str,
        origin: str = "",
        deck: Name = "",
    ) -> None:
        """Cards back into the pile."""
        top = where == "top"
        await interaction.client.decking.put_back(interaction, cards, origin, deck, top=top)

    @app_commands.command(
        name="remove", description="Remove a deck with all its cards (I ask first)"
    )
    @app_commands.describe(deck=WHICH_DECK)
    async def remove(self, interaction: Interaction, deck: Name = "") -> None:
        """The end of a deck."""
        await interaction.client.decking.remove(interaction, deck)

    @app_commands.command(name="proof", description="Get the file that proves a deck's draws")
    @app_commands.describe(deck=WHICH_DECK)
    async def proof(self, interaction: Interaction, deck: Name = "") -> None:
        """The proof."""
        await interaction.client.decking.proof(interaction, deck)

    @new.autocomplete("source")
    async def sources(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The lists of cards there are."""
        wanted = current.strip().casefold()
        titles = {key: title for key, (title, _) in interaction.client.decking.sources().items()}
        found = [Choice(name=t[:100], value=k) for k, t in titles.items() if wanted in t.casefold()]
        return found[:MOST_SUGGESTIONS]

    @show.autocomplete("deck")
    @draw.autocomplete("deck")
    @hand.autocomplete("deck")
    @play.autocomplete("deck")
    @discard.autocomplete("deck")
    @give.autocomplete("deck")
    @shuffle.autocomplete("deck")
    @peek.autocomplete("deck")
    @put_back.autocomplete("deck")
    @remove.autocomplete("deck")
    @proof.autocomplete("deck")
    async def names(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The decks of the channel."""
        found = await interaction.client.decking.suggest_decks(interaction, current)
        return [Choice(name=name, value=name) for name in found[:MOST_SUGGESTIONS]]

    @play.autocomplete("cards")
    @give.autocomplete("cards")
    async def held(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The cards of one's own hand."""
        return await _cards(interaction, current, "hand")

    @discard.autocomplete("cards")
    @put_back.autocomplete("cards")
    async def there(self, interaction: Interaction, current: str) -> list[Choice[str]]:
        """The cards of one's own hand, or those on the table."""
        origin = getattr(interaction.namespace, "from", None)
        return await _cards(interaction, current, str(origin or ""))


async def _cards(interaction: Interaction, current: str, origin: str) -> list[Choice[str]]:
    deck = str(interaction.namespace.deck or "")
    found = await interaction.client.decking.suggest(interaction, current, deck, origin)
    return [Choice(name=label, value=value) for label, value in found]


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    cog = DeckCog()
    group = cog.app_command
    if isinstance(group, app_commands.Group):
        group.allowed_contexts = CONTEXTS
    await bot.add_cog(cog)

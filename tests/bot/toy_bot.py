"""A bot of one panel, to prove the local table with; no part of Fieldpost."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands, tasks
from PIL import Image, ImageDraw

made: list[Toy] = []


def picture() -> bytes:
    """A board, the same bytes each time."""
    image = Image.new("RGB", (900, 600), "#2f6f6a")
    pen = ImageDraw.Draw(image)
    for step in range(0, 901, 75):
        pen.line([(step, 0), (step, 600)], fill="#3f827c", width=2)
        pen.line([(0, step), (900, step)], fill="#3f827c", width=2)
    pen.ellipse([420, 255, 480, 315], fill="#f2c14e", outline="#222", width=4)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


class Act(ui.DynamicItem[ui.Button[ui.LayoutView]], template=r"toy:(?P<verb>[a-z]+)"):
    """A stateless button of the panel."""

    LABELS = {"fire": "Fire", "thread": "Open a thread", "end": "End turn"}  # noqa: RUF012

    def __init__(self, verb: str) -> None:
        style = discord.ButtonStyle.primary if verb == "fire" else discord.ButtonStyle.secondary
        super().__init__(ui.Button(label=self.LABELS[verb], custom_id=f"toy:{verb}", style=style))
        self.verb = verb

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any) -> Act:
        return cls(match["verb"])

    async def callback(self, interaction: discord.Interaction) -> None:
        if self.verb == "fire":
            await interaction.response.send_message(view=Target(), ephemeral=True)
        elif self.verb == "thread":
            message = interaction.message
            assert message is not None
            await interaction.response.defer()
            thread = await message.create_thread(name="Boots: night patrol")
            await thread.send("The game goes on in the thread")
            await interaction.followup.send("In the thread", ephemeral=True)
        else:
            await interaction.response.send_message(
                f"{interaction.user.mention} ends the turn. Next: **Kim**, "
                f"<t:{int(discord.utils.utcnow().timestamp()) - 125}:R>."
            )


class Panel(ui.LayoutView):
    """The board with its buttons."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        box: ui.Container[Panel] = ui.Container(accent_colour=0x2F6F6A)
        box.add_item(ui.TextDisplay("## Turn 1: the ridge\n**Robin** and **Kim** to act"))
        box.add_item(
            ui.TextDisplay(
                "- Rolled `4 + 2` = **6**, hit\n- A-SCT moved to *G7*\n-# Board as of now"
            )
        )
        box.add_item(
            ui.MediaGallery(
                discord.MediaGalleryItem("attachment://board.png", description="A teal board")
            )
        )
        box.add_item(ui.Separator())
        row: ui.ActionRow[Panel] = ui.ActionRow()
        for verb in ("fire", "thread", "end"):
            row.add_item(Act(verb))
        box.add_item(row)
        self.add_item(box)


class Target(ui.LayoutView):
    """The private choice of a target."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        self.text: ui.TextDisplay[Target] = ui.TextDisplay("### Choose a target")
        self.add_item(self.text)
        chooser: ui.ActionRow[Target] = ui.ActionRow()
        select: ui.Select[Target] = ui.Select(
            placeholder="Nearest first",
            custom_id="target",
            options=[
                discord.SelectOption(label="Insurgent 1", value="IN1", description="3 squares"),
                discord.SelectOption(label="Insurgent 2", value="IN2", description="5 squares"),
            ],
        )

        async def chosen(interaction: discord.Interaction) -> None:
            self.text.content = f"### Target: {select.values[0]}"
            await interaction.response.edit_message(view=self)

        select.callback = chosen
        chooser.add_item(select)
        self.add_item(chooser)
        row: ui.ActionRow[Target] = ui.ActionRow()
        button: ui.Button[Target] = ui.Button(label="Type a cell", custom_id="cell")

        async def typed(interaction: discord.Interaction) -> None:
            await interaction.response.send_modal(Where())

        button.callback = typed
        row.add_item(button)
        self.add_item(row)


class Where(ui.Modal, title="Where to?"):
    """A cell, typed."""

    cell: ui.Label[Where] = ui.Label(
        text="Cell",
        description="A letter and a number, such as G7",
        component=ui.TextInput(custom_id="cell", max_length=4, placeholder="G7"),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        field = self.cell.component
        assert isinstance(field, ui.TextInput)
        await interaction.response.send_message(
            f"{interaction.user.display_name} fires at {field.value}"
        )


class Toy(commands.Bot):
    """The bot: commands, a standing worker on a queue, a fast loop."""

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents.default())
        self.ticks = 0
        self.queue: asyncio.Queue[str] = asyncio.Queue()
        self._work: list[asyncio.Task[None]] = []

    async def setup_hook(self) -> None:
        self.add_dynamic_items(Act)
        add_commands(self)
        self._work.append(asyncio.create_task(self._post()))
        self.tick.start()

    @tasks.loop(seconds=0.1)
    async def tick(self) -> None:
        self.ticks += 1

    async def _post(self) -> None:
        while True:
            text = await self.queue.get()
            channel = discord.utils.get(self.get_all_channels(), name="table-1")
            assert isinstance(channel, discord.TextChannel)
            await channel.send(text)

    async def close(self) -> None:
        self.tick.cancel()
        for task in self._work:
            task.cancel()
        await super().close()


def add_commands(bot: Toy) -> None:
    """The toy's slash commands."""

    @bot.tree.command(name="open", description="Open a table with its panel")
    async def open_(interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        await interaction.followup.send(
            view=Panel(), file=discord.File(io.BytesIO(picture()), "board.png")
        )

    unit = app_commands.Group(name="unit", description="Units")

    @unit.command(name="move", description="Move a unit across the board")
    @app_commands.describe(unit="Which unit moves", to="The cell it moves to")
    async def move(interaction: discord.Interaction, unit: str, to: str = "G6") -> None:
        await interaction.response.send_message(f"{unit} moves to {to}")

    @move.autocomplete("unit")
    async def units(
        interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        to = getattr(interaction.namespace, "to", None) or "G6"
        return [
            app_commands.Choice(
                name=f"{name} to {to} ({interaction.user.display_name})", value=name.casefold()
            )
            for name in ("Alpha", "Bravo", "Charlie")
            if current.casefold() in name.casefold()
        ]

    bot.tree.add_command(unit)

    @bot.tree.command(description="Post something after a while")
    async def later(
        interaction: discord.Interaction, seconds: app_commands.Range[float, 0, 60]
    ) -> None:
        await interaction.response.send_message("Wait…", ephemeral=True)
        await asyncio.sleep(seconds)
        await interaction.followup.send("It is time")

    @bot.tree.command(description="Choose how to play, and with whom")
    @app_commands.choices(
        pace=[app_commands.Choice(name=n, value=n) for n in ("slow", "normal", "fast")]
    )
    async def settings(
        interaction: discord.Interaction,
        pace: str,
        partner: discord.Member | None = None,
        quiet: bool = False,
    ) -> None:
        name = partner.display_name if partner else "nobody"
        await interaction.response.send_message(f"Pace {pace} with {name}, quiet {quiet}")

    @bot.tree.command(description="Do not answer")
    async def silence(interaction: discord.Interaction) -> None:
        await asyncio.sleep(0)


def make_bot() -> Toy:
    """A new toy bot, not logged in."""
    made.append(Toy())
    return made[-1]

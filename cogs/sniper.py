"""`/sniper …`: Sniper Kill Confirmed. All its commands come from the game's own declarations."""

from __future__ import annotations

from bot.client import FieldpostBot

SLUG = "sniper"


async def setup(bot: FieldpostBot) -> None:
    """Called by discord.py when the bot loads its extensions."""
    bot.add_game(SLUG)

"""Whether somebody who was named in a command can take part in what goes on in a channel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import discord

from bot.refusals import Refused

Interaction: TypeAlias = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The sentences for bots, for people who are not in the server, and for those who cannot see the
    channel; `{user}` is the id of whoever was named."""

    bot: str
    stranger: str
    blind: str


def check_reach(interaction: Interaction, user: discord.User | discord.Member, why: WhyNot) -> None:
    """Raise `Refused` for a bot, and for whoever is not in the server or cannot see its channel.

    Discord sends a user who was chosen as a member, with his rights in the channel, if he is one.
    """
    if user.bot:
        raise Refused(why.bot)
    if interaction.guild_id is None:
        return
    if not isinstance(user, discord.Member):
        raise Refused(why.stranger.format(user=user.id))
    rights = user.resolved_permissions
    if rights is not None and not rights.view_channel:
        raise Refused(why.blind.format(user=user.id))

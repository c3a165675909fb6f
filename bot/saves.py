"""`/table export` and `/table import`: a game as a file, and a file as a game."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord

from bot import texts
from bot.around import can_post, moderates
from bot.layout import Attached, Letter, Screen, card, download, text
from bot.outbox import Outbox
from bot.refusals import Refused
from bot.sessions.carrying import TOO_LONG, Arrival, importable
from bot.sessions.savefile import MOST_BYTES, TOO_LARGE
from bot.turns import Turns
from bot.views import opened_letter

Interaction: TypeAlias = discord.Interaction[Any]

EXPORTED = (
    "### This game as a file\n"
    "All of it: what happened, its dice with their keys, how it stands. `/table import` goes on with it "
    "in another channel or server, with new keys for the dice to come; the game here stays as it is, and "
    "games that were imported count in no record. The file shows hidden things, too."
)
NOT_FETCHED = "Discord does not give me that file. Attach it again, please."
TOO_LARGE_TO_SEND = (
    "This game's file is too large to be sent here. Whoever runs the bot can write it with "
    "`python -m bot export {id} FILE`."
)
MOST_SENT = 8 * 1024 * 1024


class Saves:
    """Carrying games from place to place."""

    def __init__(self, turns: Turns, outbox: Outbox) -> None:
        self._turns = turns
        self._sessions = turns.sessions
        self._desk = turns.desk
        self._outbox = outbox

    async def export(self, interaction: Interaction) -> None:
        """The file of this channel's game, seen by oneself only."""

        async def work() -> Letter:
            channel = interaction.channel_id
            # By its id, because a game that cannot be read must be exportable too.
            session = None if channel is None else await self._sessions.id_in_channel(channel)
            if session is None:
                raise Refused(self._turns.no_table())
            raw = await self._sessions.save_file(
                session, interaction.user.id, moderator=moderates(interaction)
            )
            if len(raw) > MOST_SENT:
                raise Refused(TOO_LARGE_TO_SEND.format(id=session))
            told = EXPORTED if importable(raw) else f"{EXPORTED}\n{TOO_LONG}"
            attached = Attached(f"fieldpost-{session}-save.json", raw)
            return Letter(Screen(card(text(told), download(attached.name))), (), (attached,))

        await self._desk.answer(interaction, work)

    async def bring(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Go on here with the game in a file."""

        async def work() -> Letter:
            channel = interaction.channel_id
            if channel is None or not can_post(interaction):
                raise Refused(texts.CANNOT_POST)
            if file.size > MOST_BYTES:
                raise Refused(TOO_LARGE)
            try:
                raw = await file.read()
            except discord.HTTPException as fault:
                raise Refused(NOT_FETCHED) from fault
            user = interaction.user
            table = await self._sessions.take_in(
                raw,
                Arrival(interaction.guild_id, channel, user.id, user.display_name, interaction.id),
            )
            trouble = await self._outbox.flush(table.id)
            return opened_letter(await self._sessions.get(table.id), trouble)

        await self._desk.answer(interaction, work)

"""What people decide together: a seat is handed on, a table goes on without its host."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord

from bot.acknowledge import Way
from bot.around import moderates
from bot.custom_ids import Press
from bot.layout import Letter, note
from bot.members import WhyNot, check_reach
from bot.offers import TAKE, YES
from bot.panel import private
from bot.seats import seat_meant
from bot.sessions.questions import END, HOST, STAND_IN, VACATE
from bot.sessions.substitutes import Person
from bot.turns import Turns

Interaction: TypeAlias = discord.Interaction[Any]

VOTES = {
    HOST: "new host",
    END: "end the game",
    VACATE: "make a seat vacant",
    STAND_IN: "let the program act for a seat",
}
"""What may be voted about, as `/table vote` lists it."""

NO_SEAT = WhyNot(
    "A bot cannot play. Name a person of this server.",
    "<@{user}> is not in this server, so cannot play here. Invite them first.",
    "<@{user}> cannot see this channel, so could not play here. Let them in first.",
)


class Voting:
    """Offers of seats and votes, for all games."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.sessions = turns.sessions
        self.desk = turns.desk

    async def substitute(
        self,
        interaction: Interaction,
        seat: str,
        user: discord.User | discord.Member,
        out: discord.User | discord.Member | None,
    ) -> None:
        """Ask somebody to take a seat in somebody's place."""

        async def work() -> Letter:
            may_sit(interaction, user)
            table = await self.turns.table_here(interaction)
            meant = seat_meant(table, seat)
            await self.sessions.offer_seat(
                table.id,
                _person(interaction.user),
                meant,
                _person(user),
                out=None if out is None else out.id,
                moderator=moderates(interaction),
                interaction_id=interaction.id,
            )
            return note(
                f"I have asked <@{user.id}>. Until they take the seat everything stays as it is; "
                "“No, thanks” on the notice withdraws it."
            )

        await self.desk.answer(interaction, work)

    async def answer(self, interaction: Interaction, press: Press) -> None:
        """Somebody takes a seat, or does not."""

        async def work() -> Letter | None:
            by = _person(interaction.user)
            if press.verb != TAKE:
                await self.sessions.decline_seat(
                    press.session,
                    by,
                    press.version,
                    moderator=moderates(interaction),
                    interaction_id=interaction.id,
                )
                return None
            acted = await self.sessions.take_seat(
                press.session, by, press.version, interaction_id=interaction.id
            )
            own = [h.title for h in acted.table.seats if by.user_id in h.user_ids]
            lead = f"You have a seat at this table now: {' and '.join(own)}."
            return private(acted.table, by.user_id, lead)

        await self.desk.answer(interaction, work, Way.QUIET)

    async def call(
        self,
        interaction: Interaction,
        what: str,
        user: discord.User | discord.Member | None,
        seat: str,
    ) -> None:
        """Ask for a vote."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            await self.sessions.call_vote(
                table.id,
                interaction.user.id,
                what,
                seat=seat_meant(table, seat) if seat else "",
                target_id=0 if user is None else user.id,
                interaction_id=interaction.id,
            )
            return note("I have asked everybody at this table, in this channel.")

        await self.desk.answer(interaction, work)

    async def vote(self, interaction: Interaction, press: Press) -> None:
        """Somebody votes."""

        async def work() -> Letter | None:
            await self.sessions.vote(
                press.session,
                interaction.user.id,
                press.version,
                agree=press.verb == YES,
                interaction_id=interaction.id,
            )
            return None

        await self.desk.answer(interaction, work, Way.QUIET)


def may_sit(interaction: Interaction, user: discord.User | discord.Member) -> None:
    """Raise `Refused` for bots, and for those who are not in the server or cannot see its channel."""
    check_reach(interaction, user, NO_SEAT)


def _person(user: discord.User | discord.Member) -> Person:
    return Person(user.id, user.display_name)

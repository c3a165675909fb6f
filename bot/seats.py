"""What people do about seats: take one, leave it, make it vacant, host, start, let the program act."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord

from bot import lobby
from bot.acknowledge import Way
from bot.custom_ids import Press
from bot.layout import Letter, note
from bot.offers import mentioned
from bot.panel import private
from bot.refusals import Refused, Stale
from bot.sessions import Acted, Table
from bot.sessions.lobby import only_host
from bot.sessions.playing import fresh
from bot.turns import Turns, is_private

Interaction: TypeAlias = discord.Interaction[Any]

UNTIL_RETURN = "return"


class Seats:
    """The people at a table, for all games."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.sessions = turns.sessions
        self.desk = turns.desk

    async def show(self, interaction: Interaction) -> None:
        """Who sits where."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            return note(seats_text(table))

        await self.desk.answer(interaction, work)

    async def join(self, interaction: Interaction, press: Press | str) -> None:
        """Take a seat, by a button or by its name."""

        async def work() -> Letter:
            table, seat = await self._meant(interaction, press)
            acted = await self.sessions.join(
                table.id,
                interaction.user.id,
                interaction.user.display_name,
                interaction_id=interaction.id,
                seat=seat,
            )
            own = [h.title for h in acted.table.seats if interaction.user.id in h.user_ids]
            lead = f"You have a seat at this table now: {' and '.join(own)}."
            return private(acted.table, interaction.user.id, lead)

        await self.desk.answer(interaction, work)

    async def leave(self, interaction: Interaction, press: Press | str) -> None:
        """Give a seat up; which one is asked if there are several."""

        async def work() -> Letter:
            table, seat = await self._meant(interaction, press)
            acted = await self.sessions.leave(
                table.id, interaction.user.id, interaction_id=interaction.id, seat=seat
            )
            return note(_told(acted))

        await self.desk.answer(
            interaction, work, Way.CHANGE if is_private(interaction) else Way.NEW
        )

    async def vacate(self, interaction: Interaction, seat: str, *, moderator: bool) -> None:
        """Make a seat vacant."""

        async def work() -> Letter:
            table, meant = await self._meant(interaction, seat)
            acted = await self.sessions.vacate(
                table.id,
                interaction.user.id,
                meant or "",
                moderator=moderator,
                interaction_id=interaction.id,
                user_name=interaction.user.display_name,
            )
            return note(_told(acted))

        await self.desk.answer(interaction, work)

    async def stand_in(
        self, interaction: Interaction, seat: str, *, lasting: bool, moderator: bool
    ) -> None:
        """Let the program act for a seat."""

        async def work() -> Letter:
            table, meant = await self._meant(interaction, seat)
            acted = await self.sessions.stand_in(
                table.id,
                interaction.user.id,
                meant or "",
                moderator=moderator,
                lasting=lasting,
                interaction_id=interaction.id,
                user_name=interaction.user.display_name,
            )
            return note(_told(acted))

        await self.desk.answer(interaction, work)

    async def host(self, interaction: Interaction, user: int, *, moderator: bool) -> None:
        """Hand the host's role over."""

        async def work() -> Letter:
            table = await self.turns.table_here(interaction)
            acted = await self.sessions.host(
                table.id,
                interaction.user.id,
                user,
                moderator=moderator,
                interaction_id=interaction.id,
                user_name=interaction.user.display_name,
            )
            return note(_told(acted))

        await self.desk.answer(interaction, work)

    async def start(self, interaction: Interaction, press: Press) -> None:
        """Begin the game."""

        async def work() -> Letter | None:
            await self.sessions.start(
                press.session, interaction.user.id, interaction_id=interaction.id
            )
            return None

        await self.desk.answer(interaction, work, Way.QUIET)

    async def change(self, interaction: Interaction, press: Press, values: list[str]) -> None:
        """The host's menus: what to change, to which value, and changing it."""

        async def work() -> Letter:
            table = await self.sessions.get(press.session)
            if not table.lobby:
                raise Refused("This game has begun already, so nothing of it can be changed.")
            only_host(table, interaction.user.id)
            if not values:
                return lobby.change_letter(table)
            if press.seat is None:
                return lobby.field_letter(table, values[0])
            fields = table.game.setup_fields()
            name = fields[press.seat].name if press.seat < len(fields) else ""
            acted = await self.sessions.change(
                table.id,
                interaction.user.id,
                {name: values[0]},
                interaction_id=interaction.id,
            )
            return lobby.change_letter(acted.table, _told(acted))

        await self.desk.answer(
            interaction, work, Way.CHANGE if is_private(interaction) else Way.NEW
        )

    async def _meant(
        self, interaction: Interaction, press: Press | str
    ) -> tuple[Table, str | None]:
        """The table and the seat of a button, or of a typed seat. Raises `Refused`."""
        if isinstance(press, Press):
            table = await self.sessions.get(press.session)
            seats = table.seats
            if press.seat is None:
                return table, None
            if press.seat >= len(seats):
                raise Stale(table)
            if table.lobby:  # its seats may be others than when the button was shown
                fresh(table, press.version, seats[press.seat].seat)
            return table, seats[press.seat].seat
        table = await self.turns.table_here(interaction)
        return table, seat_meant(table, press) if press else None


def seat_meant(table: Table, typed: str) -> str:
    """The seat that somebody means, by id or title in any case; what was typed if there is none."""
    wanted = typed.strip().casefold()
    for holder in table.seats:
        if wanted in (holder.seat.casefold(), holder.title.casefold()):
            return holder.seat
    return typed.strip()


def seats_text(table: Table) -> str:
    """Who sits where, for whom the program acts, who hosts."""
    lines = ["### Who plays here"]
    for holder in table.seats:
        extra = " · the program acts until they are back" if holder.stand_in is not None else ""
        due = " · must act now" if holder.seat in table.due() else ""
        lines.append(f"- **{holder.title}**: {mentioned(holder)}{due}{extra}")
    host = f"<@{table.host_id}>" if table.host_id else "nobody: whoever takes a seat"
    lines.append(
        f"-# Host: {host}. `/table join` takes a vacant seat, `/table leave` gives one up, "
        "`/table substitute` asks somebody to take yours."
    )
    return "\n".join(lines)


def _told(acted: Acted) -> str:
    return "\n".join(event.text for event in acted.events if event.to is None and event.text)

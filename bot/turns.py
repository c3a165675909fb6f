"""From a press, a menu or a command to an action, or to the next question.

Everything a player does in the game goes through `Turns`: it finds the table and the seat, checks
that the control is not stale, and asks, acts, or says why not. How answers are sent is `Desk`'s.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import discord

from bot import texts
from bot.acknowledge import Desk, Way
from bot.commands import command_path
from bot.custom_ids import Press, Step, TooLong
from bot.layout import Letter, note
from bot.offers import must_be_current, seat_for, seats_for
from bot.panel import happened, private
from bot.picking import Sheet, cancelled, form, page_of, picked_by, sheet
from bot.picks import Changed, back, find, finish, pick, read_all, unpack, walk, why_not
from bot.pictures import Pictures
from bot.refusals import Refused, Stale, WhichSeat
from bot.sessions import Sessions, Table
from bot.suggesting import MOST, OPEN, says, suggest
from games.kernel.action import Action
from games.kernel.illegal import Illegal
from games.kernel.play import started

Interaction: TypeAlias = discord.Interaction[Any]


class Turns:
    """What players do, at all tables."""

    def __init__(self, sessions: Sessions, pictures: Pictures, desk: Desk) -> None:
        self.sessions = sessions
        self.pictures = pictures
        self.desk = desk

    async def start(self, interaction: Interaction, press: Press) -> None:
        """A verb's button: act at once, or open the picking."""
        on_private = is_private(interaction)

        async def work() -> Letter | None:
            table = await self.sessions.get(press.session)
            seat = seat_for(table, interaction.user.id, press.verb, press.seat)
            must_be_current(table, press.version, seat)
            verb = started(table.game, table.state, seat, press.verb)
            here = Sheet(table, seat, walk(table.state, seat, verb, {}))
            if not here.at.complete or verb.confirm:
                return await self._ask(here)
            return await self._act(interaction, here, quiet=not on_private)

        await self.desk.answer(interaction, work, _way(interaction))

    async def step(self, interaction: Interaction, step: Step, values: list[str]) -> None:
        """A control of the picking message."""
        if step.act == "t":
            await self._open_form(interaction, step)
            return
        work = partial(self._step, interaction, step, values)
        await self.desk.answer(interaction, work, _way(interaction))

    async def typed(self, interaction: Interaction, step: Step, text: str) -> None:
        """The form of the picking message was submitted."""

        async def work() -> Letter | None:
            here = await self._resume(step, interaction.user.id)
            table, seat, at = here.table, here.seat, here.at
            option = find(at.left, text)
            if option is None:
                why = why_not(table.state, seat, at, text.strip())
                return await self._ask(here, texts.refusal(why.sentence, why.rule))
            at = pick(table.state, seat, at, option.value)
            return await self._proceed(interaction, Sheet(table, seat, at))

        await self.desk.answer(interaction, work, _way(interaction))

    async def command(
        self, interaction: Interaction, slug: str, name: str, typed: Mapping[str, str]
    ) -> None:
        """A verb's slash command: what was not typed is asked for."""

        async def work() -> Letter | None:
            table = await self.table_here(interaction, slug)
            seat = _seat_meant(table, interaction.user.id, name, typed)
            verb = started(table.game, table.state, seat, name)
            given = read_all(table.state, seat, verb, typed)
            at = walk(table.state, seat, verb, given, settle_presets=True)
            here = Sheet(table, seat, at)
            if not at.complete or verb.confirm:
                return await self._ask(here)
            return await self._act(interaction, here, quiet=False)

        await self.desk.answer(interaction, work)

    async def suggest(
        self,
        interaction: Interaction,
        slug: str,
        name: str,
        slot: str,
        typed: Mapping[str, str],
        current: str,
    ) -> list[tuple[str, str]]:
        """Label and value of what a slot may be, given what was typed for the slots before it."""
        try:
            table = await self.table_here(interaction, slug)
            before = {k: v for k, v in typed.items() if k != slot and v and v != OPEN}
            found: dict[tuple[str, str], None] = {}
            for seat in _seats_fitting(table, interaction.user.id, name, before):
                verb = started(table.game, table.state, seat, name)
                found |= dict.fromkeys(suggest(table, seat, verb.name, slot, before, current))
            return list(found)[:MOST]
        except (Refused, Illegal) as refusal:
            return [says(refusal.sentence)]

    async def table_here(self, interaction: Interaction, slug: str = "") -> Table:
        """The table of the channel. Raises `Refused` when there is none, or one of another game."""
        channel = interaction.channel_id
        table = None if channel is None else await self.sessions.in_channel(channel)
        if table is None:
            raise Refused(self.no_table())
        if slug and table.slug != slug:
            raise Refused(texts.OTHER_GAME.format(title=table.game.title, slug=table.slug))
        return table

    def no_table(self) -> str:
        """What somebody reads in a channel without a game."""
        slugs = self.sessions.registry.slugs()
        return texts.NO_TABLE_HERE.format(slug=slugs[0] if slugs else "game")

    async def _step(self, interaction: Interaction, step: Step, values: list[str]) -> Letter | None:
        if step.act == "x":
            return cancelled()
        here = await self._resume(step, interaction.user.id)
        state, seat, at = here.table.state, here.seat, here.at
        try:
            match step.act:
                case "s":
                    at = pick(state, seat, at, values[0] if values else "")
                case "o":
                    at = pick(state, seat, at, picked_by(at, step.arg))
                case "d":
                    at = finish(state, seat, at)
                case "b":
                    return await self._ask(Sheet(here.table, seat, back(state, seat, at)))
                case "g":
                    return await self._ask(Sheet(here.table, seat, at, page_of(step.arg)))
                case "y" if at.complete:
                    return await self._done(interaction, here)
                case _:
                    pass
        except Changed:
            raise Stale(here.table) from None
        return await self._proceed(interaction, Sheet(here.table, seat, at))

    async def _resume(self, step: Step, user_id: int) -> Sheet:
        """The picking as its control left it. Raises `Stale` when the game has gone on."""
        table = await self.sessions.get(step.session)
        seat = seat_for(table, user_id, step.verb, step.seat)
        must_be_current(table, step.version, seat)
        verb = started(table.game, table.state, seat, step.verb)
        try:
            at = unpack(table.state, seat, verb, step.picks, step.check)
        except Changed:
            raise Stale(table) from None
        return Sheet(table, seat, at)

    async def _open_form(self, interaction: Interaction, step: Step) -> None:
        """A form must be the first answer, so nothing slow may come before it."""
        try:
            modal = form(await self._resume(step, interaction.user.id))
        except Exception as error:
            await self.desk.answer(interaction, _raiser(error), _way(interaction))
        else:
            await self.desk.open_form(interaction, modal)

    async def _proceed(self, interaction: Interaction, here: Sheet) -> Letter | None:
        if here.at.complete and not here.at.verb.confirm:
            return await self._done(interaction, here)
        return await self._ask(here)

    async def _ask(self, here: Sheet, remark: str = "") -> Letter:
        try:
            return sheet(here, await self.pictures.of_choice(here), remark)
        except TooLong:
            command = command_path(here.table.game, here.at.verb)
            raise Refused(texts.TOO_MUCH_TO_PICK.format(command=command)) from None

    async def _done(self, interaction: Interaction, here: Sheet) -> Letter | None:
        """Act; on the public panel the new panel tells enough."""
        return await self._act(interaction, here, quiet=not is_private(interaction))

    async def _act(self, interaction: Interaction, here: Sheet, *, quiet: bool) -> Letter | None:
        """Act. `quiet` leaves the telling to the panel, except for what only this seat may know."""
        acted = await self.sessions.act(
            here.table.id,
            interaction.user.id,
            Action(here.at.verb.name, dict(here.at.filled)),
            expected_version=here.table.version,
            interaction_id=interaction.id,
            seat=here.seat,
        )
        self.pictures.foresee(acted.table, acted.events)
        if quiet:
            secret = [event for event in acted.events if event.to is not None]
            told = happened(secret, here.seat)
            return note(told) if told else None
        return private(acted.table, interaction.user.id, happened(acted.events, here.seat, most=8))


def _seats_fitting(
    table: Table, user_id: int, name: str, typed: Mapping[str, str]
) -> tuple[str, ...]:
    """The seats that a user may mean by a command, as far as what was typed fits; never empty."""
    seats = seats_for(table, user_id, name)
    if len(seats) == 1:
        return seats
    fitting: list[str] = []
    for seat in seats:
        try:
            verb = started(table.game, table.state, seat, name)
            walk(table.state, seat, verb, read_all(table.state, seat, verb, typed))
        except Illegal:
            continue
        fitting.append(seat)
    return tuple(fitting or seats)


def _seat_meant(table: Table, user_id: int, name: str, typed: Mapping[str, str]) -> str:
    """The one seat that a command is for. Raises `WhichSeat` when it could be several."""
    seats = _seats_fitting(table, user_id, name, typed)
    if len(seats) != 1:
        raise WhichSeat(table, seats, name)
    return seats[0]


def is_private(interaction: Interaction) -> bool:
    """Whether a control sits on a message that only its user sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


def _way(interaction: Interaction) -> Way:
    """How a control's success is shown: in its own private message, or (on the panel) by the panel."""
    return Way.CHANGE if is_private(interaction) else Way.QUIET


def _raiser(error: Exception) -> Callable[[], Awaitable[Letter | None]]:
    async def work() -> Letter | None:
        raise error

    return work

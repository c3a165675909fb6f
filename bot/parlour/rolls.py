"""`/roll` and `/rolls`: dice for everybody, saved before they are shown, provable afterwards."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, TypeAlias

import discord
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.acknowledge import Desk, Way
from bot.custom_ids import Press
from bot.layout import Image, Letter
from bot.parlour import rolls_kept as kept
from bot.parlour import rolls_letters as letters
from bot.parlour.chance import take
from bot.parlour.rolls_kept import Kept
from bot.refusals import Duplicate, NotAllowed, Refused
from bot.store import Store
from bot.studio import Studio
from bot.turns import is_private
from games.parlour.notation import Fault, Notation
from games.parlour.notation_reading import read
from games.parlour.roll import Outcome, roll
from games.parlour.roll_words import roll_view
from renderer.tray import tray

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]

PICTURE = "roll.png"
NOT_YOURS = "Only whoever made a secret roll can show it."
SHOWN = "Everybody can see this roll already. `/rolls` lists it."
NO_CHANNEL = "I cannot tell which channel this is, so nothing was rolled. Try it in another one."


class Rolls:
    """Rolls of dice in any channel, by command and by button."""

    def __init__(
        self, store: Store, desk: Desk, studio: Studio, *, clock: Callable[[], int]
    ) -> None:
        self._store = store
        self._desk = desk
        self._studio = studio
        self._clock = clock

    async def command(
        self, interaction: Interaction, dice: str, *, secret: bool, label: str, times: int
    ) -> None:
        """Roll what was typed, for everybody or in secret."""

        async def work() -> Letter:
            try:
                notation = read(dice, times)
            except Fault as fault:
                raise letters.refused(fault) from None
            return await self._roll(interaction, notation, " ".join(label.split()), secret)

        await self._desk.answer(interaction, work, Way.VEILED if secret else Way.OPEN)

    async def press(self, interaction: Interaction, press: Press) -> None:
        """A button under a roll, or under the list of them; `press.version` is the roll's id."""
        match press.verb:
            case letters.AGAIN:
                await self._again(interaction, press.version)
            case letters.SHOW:
                await self._show(interaction, press.version)
            case letters.NEWER:
                await self.history(interaction, after=press.version)
            case letters.PROOF:
                await self._proof(interaction)
            case _:
                await self.history(interaction, before=press.version)

    async def history(
        self, interaction: Interaction, *, before: int | None = None, after: int | None = None
    ) -> None:
        """The rolls of the channel, seen by oneself only: the last ones, or those around one."""

        async def work() -> Letter:
            async with self._store.read() as connection:
                page = await kept.page(
                    connection,
                    _channel(interaction),
                    interaction.user.id,
                    letters.ON_PAGE,
                    before=before,
                    after=after,
                )
            return letters.page_letter(page)

        await self._desk.answer(
            interaction, work, Way.CHANGE if is_private(interaction) else Way.NEW
        )

    async def suggest(self, user_id: int, typed: str) -> list[tuple[str, str]]:
        """(label, value) of what somebody who types a notation may mean."""
        async with self._store.read() as connection:
            return letters.hints(typed, await kept.lately(connection, user_id))

    async def about(self, user_id: int) -> list[dict[str, Any]]:
        """Everything that is kept about the rolls of a user, the oldest first."""
        return await kept.about(self._store, user_id)

    async def forget(self, connection: AsyncConnection, user_id: int) -> None:
        """Take away all rolls of a user, inside the caller's transaction."""
        await kept.forget(connection, user_id)

    async def _again(self, interaction: Interaction, roll_id: int) -> None:
        """The same roll by whoever presses; a secret one in secret."""

        async def work() -> Letter:
            before = await self._get(interaction, roll_id)
            secret = is_private(
                interaction
            )  # the button of a secret roll lies where only one sees it
            return await self._roll(interaction, letters.again(before), before.label, secret)

        await self._desk.answer(interaction, work, Way.OPEN)

    async def _show(self, interaction: Interaction, roll_id: int) -> None:
        """Show a secret roll to everybody."""

        async def work() -> Letter:
            made = await self._get(interaction, roll_id)
            if made.user_id != interaction.user.id:
                raise NotAllowed(NOT_YOURS)
            async with self._store.write() as connection:
                if not await kept.reveal(connection, roll_id):
                    raise Refused(SHOWN)
            return letters.roll_letter(
                made, await self._pictures(made.outcome, made.label), shown=True
            )

        await self._desk.answer(interaction, work, Way.OPEN)

    async def _proof(self, interaction: Interaction) -> None:
        async def work() -> Letter:
            channel = _channel(interaction)
            raw, count = await kept.proof(self._store, channel, interaction.user.id)
            return letters.proof_letter(raw, count, channel)

        await self._desk.answer(interaction, work)

    async def _get(self, interaction: Interaction, roll_id: int) -> Kept:
        """A roll of the channel; somebody else's secret one is as good as gone."""
        async with self._store.read() as connection:
            found = await kept.get(connection, roll_id, _channel(interaction))
        if found.secret and found.user_id != interaction.user.id:
            raise Refused(kept.GONE)
        return found

    async def _roll(
        self, interaction: Interaction, notation: Notation, label: str, secret: bool
    ) -> Letter:
        """Roll and save; the letter for everybody, with what only the roller may see as its aside."""
        made, seal, drawing = await self._save(interaction, notation, label, secret)
        pictures = await drawing
        if not secret:
            return letters.roll_letter(made, pictures, seal=seal)
        notice = letters.secret_notice(made, seal)
        return Letter(notice.screen, aside=letters.secret_letter(made, pictures))

    async def _save(
        self, interaction: Interaction, notation: Notation, label: str, secret: bool
    ) -> tuple[Kept, str, asyncio.Task[tuple[Image, ...]]]:
        """The roll as it is saved, the seal if it is the first under it, and its picture, which is
        drawn while the roll is being saved; nothing is shown before.

        Raises `Duplicate` for an interaction that was rolled for already, `Refused`.
        """
        channel, now = _channel(interaction), self._clock()
        async with self._store.write() as connection:
            if await kept.known(connection, interaction.id):
                raise Duplicate("")
            chance = await take(connection, channel, now, kept.salts(interaction.id))
            try:
                outcome = roll(notation, chance.entropy)
            except Fault as fault:
                raise letters.refused(fault) from None
            drawing = asyncio.create_task(self._pictures(outcome, label))
            made = await kept.keep(
                connection,
                Kept(
                    id=0,
                    channel_id=channel,
                    guild_id=interaction.guild_id,
                    user_id=interaction.user.id,
                    name=interaction.user.display_name,
                    notation=str(notation),
                    label=label,
                    outcome=outcome,
                    secret=secret,
                    key_number=chance.number,
                    key=chance.key,
                    interaction_id=interaction.id,
                    time=now,
                ),
            )
        return made, chance.commitment if chance.fresh else "", drawing

    async def _pictures(self, outcome: Outcome, label: str) -> tuple[Image, ...]:
        """The picture of a roll. One that fails is left out, never the roll."""
        view = roll_view(outcome, label)
        try:
            picture = await self._studio.make(tray, view)
        except Exception:
            log.exception("no picture of %s", [line.written for line in outcome.lines])
            return ()
        return (Image(PICTURE, picture.png, picture.alt),)


def _channel(interaction: Interaction) -> int:
    """The channel's id. Raises `Refused` when Discord does not tell."""
    if interaction.channel_id is None:
        raise Refused(NO_CHANNEL)
    return interaction.channel_id

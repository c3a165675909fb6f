"""The stateless controls: they work by their ids alone, also after a restart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import discord
from discord import ui

from bot import offers, texts
from bot.coaching import TEACH
from bot.custom_ids import FORM_PATTERN, PREFIX, PRESS_PATTERN, STEP_PATTERN, Press, Step
from bot.guide import NOWHERE, topic_at
from bot.layout import RED, Letter, note
from bot.parlour.decks_letters import DECK
from bot.parlour.rolls_letters import ROLL
from bot.privacy import PRIVACY
from bot.quick import QUICK, read

if TYPE_CHECKING:
    from bot.client import FieldpostBot

Interaction: TypeAlias = "discord.Interaction[FieldpostBot]"


class PressItem(ui.DynamicItem[ui.Item[Any]], template=PRESS_PATTERN):
    """A button that starts a verb, or one of the bot's own controls."""

    def __init__(self, item: ui.Item[Any], press: Press) -> None:
        super().__init__(item)
        self.press = press

    @classmethod
    async def from_custom_id(  # pyright: ignore[reportIncompatibleMethodOverride]
        cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> PressItem:
        """Made by discord.py for every press."""
        return cls(item, Press.read(match))

    async def callback(self, interaction: Interaction) -> None:  # pyright: ignore
        """The press."""
        bot, press = interaction.client, self.press
        match press.verb:
            case offers.BOARD:
                await bot.around.board(interaction, press.session)
            case offers.HELP:
                await bot.around.help(interaction, press.session)
            case offers.HELP_TOPIC | offers.HELP_AT:
                chosen = "".join(_values(interaction)[:1]) or topic_at(press.version)
                session = None if press.session == NOWHERE else press.session
                await bot.around.help(interaction, session, chosen)
            case offers.HAND:
                await bot.around.hand(interaction, press.session)
            case offers.ODDS:
                await bot.around.odds(interaction, press.session)
            case offers.MORE:
                await bot.around.more(interaction, press)
            case verb if verb == QUICK:
                step = read("".join(_values(interaction)))
                if step is None:
                    await bot.desk.answer(interaction, _unknown)
                else:
                    await bot.turns.step(interaction, step, [])
            case offers.JOIN:
                await bot.seats.join(interaction, press)
            case offers.LEAVE:
                await bot.seats.leave(interaction, press)
            case offers.START:
                await bot.seats.start(interaction, press)
            case offers.CHANGE | offers.FIELD:
                await bot.seats.change(interaction, press, _values(interaction))
            case verb if verb.startswith(offers.SET):
                await bot.seats.change(interaction, press, _values(interaction))
            case offers.UNDO:
                await bot.undoing.undo(interaction, press)
            case offers.UNDONE:
                await bot.undoing.take_back(interaction, press)
            case offers.ASK:
                await bot.undoing.ask(interaction, press)
            case offers.LOG | offers.LOG_UP | offers.LOG_JUMP:
                await bot.chronicle.turn_page(interaction, press, _values(interaction))
            case offers.CATCH_UP:
                await bot.chronicle.catch_up(interaction, press.session)
            case offers.AGREE | offers.REFUSE:
                await bot.undoing.consent(interaction, press)
            case offers.MUTE | offers.UNMUTE:
                await bot.timing.mute(interaction, press, on=press.verb == offers.MUTE)
            case offers.TAKE | offers.DECLINE:
                await bot.voting.answer(interaction, press)
            case offers.YES | offers.NO:
                await bot.voting.vote(interaction, press)
            case offers.MINE:
                await bot.mygames.show(interaction, press.version)
            case verb if verb.startswith(ROLL):
                await bot.rolls.press(interaction, press)
            case verb if verb.startswith(TEACH):
                await bot.tutoring.press(interaction, press)
            case verb if verb.startswith(DECK):
                await bot.decking.press(interaction, press, _values(interaction))
            case verb if verb.startswith(PRIVACY):
                await bot.privacy.press(interaction, press)
            case verb if verb.startswith(offers.CAMPAIGN):
                await bot.campaigning.press(interaction, press, _values(interaction))
            case offers.ENDED:
                await bot.around.end(interaction, press.session, sure=True)
            case _:
                await bot.turns.start(interaction, press)


class StepItem(ui.DynamicItem[ui.Item[Any]], template=STEP_PATTERN):
    """A button or a menu of the picking message."""

    def __init__(self, item: ui.Item[Any], step: Step) -> None:
        super().__init__(item)
        self.step = step

    @classmethod
    async def from_custom_id(  # pyright: ignore[reportIncompatibleMethodOverride]
        cls, interaction: Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> StepItem:
        """Made by discord.py for every press."""
        return cls(item, Step.read(match))

    async def callback(self, interaction: Interaction) -> None:  # pyright: ignore
        """The press, or the choice made in the menu."""
        await interaction.client.turns.step(interaction, self.step, _values(interaction))


ITEMS: tuple[type[ui.DynamicItem[Any]], ...] = (PressItem, StepItem)


async def read_form(interaction: Interaction) -> None:
    """Handle a submitted form of ours; discord.py forgets forms at a restart, their ids do not.

    A control that no template fits (another version of the bot made it) is answered here, too.
    """
    data = cast("Mapping[str, Any]", interaction.data or {})
    custom_id = str(data.get("custom_id", ""))
    match interaction.type:
        case discord.InteractionType.modal_submit:
            match = FORM_PATTERN.fullmatch(custom_id)
        case discord.InteractionType.component:
            match = PRESS_PATTERN.fullmatch(custom_id) or STEP_PATTERN.fullmatch(custom_id)
            if match is not None:
                return  # discord.py dispatches it
        case _:
            return
    if match is not None:
        text = next(_inputs(data.get("components", ())), "")
        await interaction.client.turns.typed(interaction, Step.read(match), text)
    elif custom_id.startswith(PREFIX):
        await interaction.client.desk.answer(interaction, _unknown)


async def _unknown() -> Letter:
    return note(texts.OLD_CONTROL, colour=RED)


def _values(interaction: Interaction) -> list[str]:
    """What was chosen in a menu; nothing for a button."""
    data = cast("Mapping[str, Any]", interaction.data or {})
    return [str(value) for value in data.get("values", ())]


def _inputs(components: Any) -> Iterator[str]:
    """What was typed into the text inputs of a form."""
    for component in components:
        if "value" in component:
            yield str(component["value"])
        if "component" in component:
            yield from _inputs([component["component"]])
        yield from _inputs(component.get("components", ()))

"""Taking something back: the question before it, the consent of the others, the answers."""

from __future__ import annotations

from typing import Any, TypeAlias

import discord

from bot import texts
from bot.acknowledge import Way
from bot.custom_ids import Press
from bot.layout import (
    AMBER,
    GREY,
    Letter,
    Screen,
    Style,
    button,
    card,
    note,
    text,
)
from bot.layout import rows as rows_of
from bot.offers import AGREE, ASK, REFUSE, UNDONE, mentioned
from bot.panel import private, to_board
from bot.refusals import NotYourSeat, Stale
from bot.sessions.consent import Proposal
from bot.sessions.model import SeatHolder, Table
from bot.sessions.undo import Takeback
from bot.turns import Turns, is_private

Interaction: TypeAlias = discord.Interaction[Any]

ROOM = 2400
REST = "… and {n} more"
NEW_KEYS = "Dice that are taken back never come again: new ones are rolled."
COUNTED = (
    "By {what} something came to light (dice, a card or a hidden counter). Nobody else plays here, so "
    "nobody need agree; the game counts it, and says so at its end. So far: {n}."
)


class Undoing:
    """What players do to take something back, at all tables."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.sessions = turns.sessions
        self.desk = turns.desk

    async def undo(self, interaction: Interaction, press: Press | None, steps: int = 1) -> None:
        """Name what would be taken back, and ask whether it shall be, or who must agree."""

        async def work() -> Letter:
            if press is None:
                table = await self.turns.table_here(interaction)
            else:
                table = await self.sessions.get(press.session)
                if table.seats_of(interaction.user.id) and press.version < _shown(table):
                    raise Stale(table)
            if not table.seats_of(interaction.user.id):
                raise NotYourSeat(texts.STRANGER)
            found = await self.sessions.undo_preview(table.id, interaction.user.id, steps)
            return ask_letter(table, found)

        way = Way.CHANGE if is_private(interaction) else Way.NEW
        await self.desk.answer(interaction, work, way)

    async def take_back(self, interaction: Interaction, press: Press) -> None:
        """Do it, after the question."""

        async def work() -> Letter:
            acted = await self.sessions.undo(
                press.session,
                interaction.user.id,
                expected_version=press.version,
                interaction_id=interaction.id,
                steps=press.seat or 1,
            )
            told = [event.text for event in acted.events if event.text.startswith("Take-backs")]
            return private(acted.table, interaction.user.id, " ".join(["Taken back.", *told]))

        await self.desk.answer(interaction, work, Way.CHANGE)

    async def ask(self, interaction: Interaction, press: Press) -> None:
        """Ask the others, in public."""

        async def work() -> Letter:
            acted = await self.sessions.propose(
                press.session,
                interaction.user.id,
                press.seat or 1,
                expected_version=press.version,
                interaction_id=interaction.id,
            )
            asked = _all(acted.table, interaction.user.id)
            return note(
                f"I have asked {asked}. It is withdrawn when the game goes on or somebody refuses; "
                "you can withdraw it with “Refuse”."
            )

        await self.desk.answer(interaction, work, Way.CHANGE)

    async def consent(self, interaction: Interaction, press: Press) -> None:
        """Somebody agrees, or refuses."""

        async def work() -> Letter | None:
            await self.sessions.consent(
                press.session,
                interaction.user.id,
                press.version,
                agree=press.verb == AGREE,
                interaction_id=interaction.id,
            )
            return None

        await self.desk.answer(interaction, work, Way.QUIET)


def ask_letter(table: Table, found: Takeback) -> Letter:
    """What would be taken back, and the button for it."""
    steps = len(found.rows)
    one = steps == 1
    lead = f"The last {steps} actions were:\n{_lines(found.private)}"
    if one:
        whose = "Your last action" if found.alone else "The last action"
        lead = f"{whose} was: {found.private[0]}"
    if not found.why:
        press = Press(table.id, table.version, UNDONE, steps)
        ask = "Take it back?" if one else "Take them back?"
        return note(f"{lead}\n{ask}", button("Take it back", str(press), Style.danger))
    if not found.asks:
        what = "it" if one else "them"
        told = [COUNTED.format(what=what, n=table.takebacks), NEW_KEYS] if found.past else []
        press = Press(table.id, table.version, UNDONE, steps)
        ask = " ".join([*told, f"Take {what} back?"])
        return note(f"{lead}\n{ask}", button("Take it back", str(press), Style.danger))
    who = texts.listed([_who(holder) for holder in found.asks])
    told = [lead, found.why] if not one else [found.why]
    told.append(f"To take {'it' if one else 'them'} back, {who} must agree. {NEW_KEYS}")
    press = Press(table.id, table.version, ASK, steps)
    return note("\n".join(told), button("Ask whether they agree", str(press), Style.primary))


def question(table: Table, asked: Proposal) -> Letter:
    """The public notice that asks for consent, with its buttons."""
    what = "this action" if len(asked.rows) == 1 else f"these {len(asked.rows)} actions"
    lines = [
        f"**<@{asked.user_id}> asks to take back {what}:**",
        _lines(asked.told),
        f"To agree: {texts.listed([_who(holder) for holder in asked.missing(table)])}.",
    ]
    yes = [h.title for h in table.seats if h.seat in asked.agreed]
    if yes:
        lines.append(f"Agreed: {texts.listed(yes)}.")
    lines.append(f"-# It is withdrawn when the game goes on or somebody refuses. {NEW_KEYS}")
    buttons = [
        button("Agree", str(Press(table.id, asked.number, AGREE)), Style.success),
        button("Refuse", str(Press(table.id, asked.number, REFUSE)), Style.secondary),
    ]
    told = text("\n".join(lines))
    return Letter(Screen(card(told, *rows_of([*buttons, *to_board(table)]), colour=AMBER)))


def answered(asked: Proposal) -> Letter:
    """The notice once it is settled: how it came out, and no buttons."""
    what = "this action" if len(asked.rows) == 1 else f"these {len(asked.rows)} actions"
    lines = [f"<@{asked.user_id}> asked to take back {what}:", _lines(asked.told), asked.closed]
    return note("\n".join(lines), colour=GREY)


def _shown(table: Table) -> int:
    """The version of the board that is there: what has happened since is no action of the game."""
    return table.version if table.panel_version is None else table.panel_version


def _lines(told: tuple[str, ...]) -> str:
    return texts.lines_of(told, most=20, room=ROOM, rest=REST)


def _who(holder: SeatHolder) -> str:
    return f"{mentioned(holder)} ({holder.title})"


def _all(table: Table, user_id: int) -> str:
    names = [_who(h) for h in table.seats if h.users and user_id not in h.user_ids]
    return texts.listed(names) or "the others"

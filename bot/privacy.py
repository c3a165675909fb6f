"""`/privacy`: what is kept about somebody, shown, given as a file, deleted. Only he sees any of it."""

from __future__ import annotations

import asyncio
import gzip
import json
from typing import Any, TypeAlias

import discord

from bot.acknowledge import Desk, Way
from bot.custom_ids import Press
from bot.layout import (
    GREY,
    RED,
    Attached,
    Letter,
    Screen,
    Style,
    button,
    card,
    download,
    note,
    rows,
    text,
)
from bot.people import SECTIONS, Deleted, People
from bot.refusals import NotAllowed, Refused
from bot.texts import GONE_NAME
from bot.turns import is_private

Interaction: TypeAlias = discord.Interaction[Any]

PRIVACY = ".privacy_"
"""Beginning of our verbs; the user is in the place of the session."""
FILE, ASK, SURE, KEEP = (f"{PRIVACY}{name}" for name in ("file", "ask", "sure", "keep"))

MOST_SENT = 8 * 1024 * 1024
NAME = "fieldpost-about-you.json"

NOTHING = "I keep nothing about you."
SHOWN = "-# Only you see this. `/help topic:privacy` says what each is for and how long it is kept."
GIVEN = (
    "### Everything I keep about you\n"
    "One JSON file. Times are seconds since 1970 UTC. What a game still hides from you is not in it, "
    "nor are the keys of dice to come."
)
TOO_LARGE = (
    "The file about you is too large to be sent here. Whoever runs this bot can write it with "
    "`python -m bot about {user} FILE`."
)
QUESTION = """### Delete everything about you?
- **Games under way** go on without you: your seats become vacant, others can take them, and where you \
were the host somebody else is.
- **Tables at which nobody else has ever sat** are deleted wholly, with their logs.
- **At all other tables** what you did stays in the log, but “{gone}” did it. Those rows can no longer be \
shown in proofs; their dice, and all that others did, can be proved as before.
- **Deleted:** your name, your reminders, results, rolls, tutorials, votes and visits. Cards in your hand \
go to the discard piles. Campaigns go on for the others in them; the rest are deleted.
- **What I cannot delete:** messages already in Discord (you or a moderator can), files and proofs that \
others have saved, and words you added to dice with `/table salt`: every later roll was made from them.

This cannot be taken back. “As a file” gives you all of it first."""
KEPT = "Nothing was deleted."
GONE_NOW = "There was nothing about you here any more."
DONE = (
    "### Everything about you is deleted\n{tables}\n"
    "Messages already in Discord are still there, and so are words you added to dice. Use me again "
    "whenever you like: I do not know you any more, and begin anew."
)
NOT_YOURS = "That button is somebody else’s. `/privacy show` shows what I keep about you."


class Privacy:
    """Answers about somebody's own data."""

    def __init__(self, people: People, desk: Desk) -> None:
        self.people = people
        self._desk = desk

    async def press(self, interaction: Interaction, press: Press) -> None:
        """One of our buttons."""
        if press.session != str(interaction.user.id):

            async def refuse() -> Letter:
                raise NotAllowed(NOT_YOURS)

            await self._desk.answer(interaction, refuse)
            return
        match press.verb:
            case verb if verb == FILE:
                await self.export(interaction)
            case verb if verb == SURE:
                await self.delete(interaction, sure=True)
            case verb if verb == KEEP:
                await self._keep(interaction)
            case _:
                await self.delete(interaction, sure=False)

    async def show(self, interaction: Interaction) -> None:
        """How much is kept, of each kind."""
        user = interaction.user.id

        async def work() -> Letter:
            return shown(user, await self.people.counts(user))

        await self._desk.answer(interaction, work)

    async def export(self, interaction: Interaction) -> None:
        """All of it as a file."""
        user = interaction.user.id

        async def work() -> Letter:
            found = await self.people.about(user)
            name, raw = await asyncio.to_thread(as_file, found)
            if len(raw) > MOST_SENT:
                raise Refused(TOO_LARGE.format(user=user))
            return Letter(Screen(card(text(GIVEN), download(name))), (), (Attached(name, raw),))

        await self._desk.answer(interaction, work)

    async def delete(self, interaction: Interaction, *, sure: bool) -> None:
        """Ask whether all of it is to be deleted; `sure` deletes it."""
        user = interaction.user.id

        async def work() -> Letter:
            if sure:
                return done(await self.people.forget(user))
            return question(user)

        await self._desk.answer(
            interaction, work, Way.CHANGE if is_private(interaction) else Way.NEW
        )

    async def _keep(self, interaction: Interaction) -> None:
        async def work() -> Letter:
            return note(KEPT, colour=GREY)

        await self._desk.answer(interaction, work, Way.CHANGE)


def as_json(found: dict[str, Any]) -> bytes:
    """What is kept, to be read by people, too."""
    return json.dumps(found, indent=1, ensure_ascii=False).encode()


def as_file(found: dict[str, Any]) -> tuple[str, bytes]:
    """A name, and the JSON of what is kept; compressed when it would be too large to be sent."""
    raw = as_json(found)
    if len(raw) <= MOST_SENT:
        return NAME, raw
    return f"{NAME}.gz", gzip.compress(raw, mtime=0)


def shown(user_id: int, counts: dict[str, int]) -> Letter:
    """How much is kept."""
    if not counts:
        return note(NOTHING)
    lines = [
        f"- {label}: **{counts[name]:,}**" for name, label in SECTIONS.items() if name in counts
    ]
    told = "\n".join(["### What I keep about you", *lines, SHOWN])
    return note(
        told,
        button("As a file", _id(user_id, FILE), Style.primary),
        button("Delete everything…", _id(user_id, ASK), Style.danger),
    )


def question(user_id: int) -> Letter:
    """What will happen, and the button that does it."""
    buttons = [
        button("Delete everything", _id(user_id, SURE), Style.danger),
        button("As a file", _id(user_id, FILE)),
        button("Keep it", _id(user_id, KEEP)),
    ]
    return Letter(Screen(card(text(QUESTION.format(gone=GONE_NAME)), *rows(buttons), colour=RED)))


def done(gone: Deleted) -> Letter:
    """What was deleted."""
    if not gone.anything:
        return note(GONE_NOW, colour=GREY)
    return note(DONE.format(tables=at_tables(gone)).replace("\n\n", "\n"), colour=GREY)


def at_tables(gone: Deleted) -> str:
    """What became of his tables, in a sentence; empty when he had none."""
    stay = gone.tables - gone.tables_gone
    parts: list[str] = []
    if stay:
        parts.append(f"taken out of {_tables(stay)} of others")
    if gone.tables_gone:
        parts.append(f"{_tables(gone.tables_gone)} deleted at which nobody else had sat")
    sentence = "; ".join(parts)
    return f"{sentence[:1].upper()}{sentence[1:]}." if sentence else ""


def _tables(number: int) -> str:
    return "one table" if number == 1 else f"{number:,} tables"


def _id(user_id: int, verb: str) -> str:
    return str(Press(str(user_id), 0, verb))

"""The one place where interactions are acknowledged and answered.

Discord waits three seconds for a first answer. Work that is done within `PATIENCE` is answered
directly; otherwise the interaction is deferred and answered when the work is done. Whatever goes
wrong becomes a private sentence that says what to do next; what nobody expected also gets a short
reference that stands in the log beside the traceback.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Any, TypeAlias

import aiohttp
import discord

from bot import texts
from bot.layout import GREY, RED, Letter, Screen, card, note, text
from bot.refusals import Duplicate, NoSuchTable, Refused, Stale, TableOver
from games.kernel.illegal import Illegal

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]
Work: TypeAlias = Callable[[], Awaitable[Letter | None]]
Send: TypeAlias = Callable[[Letter], Awaitable[object]]
Explain: TypeAlias = Callable[[Refused, Interaction], Awaitable[Letter | None]]

PATIENCE = 1.5
"""Seconds until an interaction is deferred."""

RETRIES = (0.4, 1.2)
"""Seconds between attempts to answer while Discord fails (5xx)."""

LATE = {10062, 10015, 10008, 50027}
"""Unknown interaction, webhook or message, expired token: nobody is there to read an answer."""

ANSWERED = 40060
"""Somebody (another process of ours, or an attempt thought lost) has acknowledged it already."""


class Way(Enum):
    """How a success is shown."""

    NEW = "a new private message"
    CHANGE = "the private message that the control belongs to is changed"
    QUIET = "nothing is shown, unless there is something to read: then a new private message"
    OPEN = "a new public message, and its aside, if it has one, after it in private"
    # Discord shows everybody what was typed into a command whose first answer is public.
    VEILED = "the aside in private, then the public message: what was typed stays private, too"


_TO_ALL = (Way.OPEN, Way.VEILED)


class _Nobody(Exception):
    """The interaction cannot be answered any more."""


class _Rejected(Exception):
    """Discord does not take this answer (4xx)."""


class Desk:
    """Answers interactions, and knows which answers are still being worked on.

    `explain` may make a better letter of a refusal than its sentence alone.
    """

    def __init__(self, explain: Explain | None = None, *, patience: float = PATIENCE) -> None:
        self._explain = explain
        self._patience = patience
        self._busy: set[asyncio.Task[Any]] = set()

    async def answer(self, interaction: Interaction, work: Work, way: Way = Way.NEW) -> None:
        """Do the work and answer with its letter, or with the reason why it was refused.

        The work is done even when the interaction cannot be answered any more.
        """
        handler = asyncio.current_task()
        if handler is not None:
            self._busy.add(handler)
        try:
            await self._answer(interaction, work, way)
        except (_Nobody, _Rejected) as error:
            log.info("interaction %s cannot be answered (%s)", interaction.id, error or "too late")
        finally:
            if handler is not None:
                self._busy.discard(handler)

    async def open_form(self, interaction: Interaction, form: discord.ui.Modal) -> None:
        """Answer with a form to fill in."""
        try:
            await _attempt(lambda: interaction.response.send_modal(form))
        except (_Nobody, _Rejected) as error:
            log.info("interaction %s: the form cannot be shown (%s)", interaction.id, error)

    async def finish(self, seconds: float = 5.0) -> None:
        """Wait for the answers in work, at most so long."""
        busy = {task for task in self._busy if task is not asyncio.current_task()}
        if busy:
            await asyncio.wait(busy, timeout=seconds)

    async def _answer(self, interaction: Interaction, work: Work, way: Way) -> None:
        if way is Way.CHANGE and not _on_private_message(interaction):
            way = Way.NEW  # what one person reads must never take the place of a public message
        task = asyncio.ensure_future(work())
        done, _ = await asyncio.wait({task}, timeout=self._patience)
        there = True
        if not done:
            try:
                await _defer(interaction, way)
            except (_Nobody, _Rejected):
                there = False
        try:
            letter = await task
        except Duplicate:
            letter = None  # the first press is being answered; this one just stops spinning
            way = Way.QUIET if interaction.type is not _COMMAND else way
        except Exception as error:
            letter = await self._apology(error, interaction)
            if way in _TO_ALL:
                way = Way.NEW  # what goes wrong is between the two of us
            elif way is Way.CHANGE and not replaces(error):
                way = Way.QUIET
            elif way is Way.QUIET and _on_private_message(interaction) and replaces(error):
                way = Way.CHANGE
        if not there:
            raise _Nobody
        try:
            await _show(interaction, letter, way)
        except _Rejected as error:
            way = Way.NEW if way in _TO_ALL else way
            await _show(interaction, unexpected(error, interaction, done=True), way)

    async def _apology(self, error: Exception, interaction: Interaction) -> Letter:
        match error:
            case Refused():
                better = None
                if self._explain is not None:
                    try:
                        better = await self._explain(error, interaction)
                    except Exception:
                        log.exception("no better explanation for %r", error)
                return better or note(texts.refusal(error.sentence, error.rule), colour=RED)
            case Illegal():
                return note(texts.refusal(error.sentence, error.rule), colour=RED)
            case _:
                return unexpected(error, interaction)


def replaces(error: Exception) -> bool:
    """Whether a refusal makes the message that was used useless, so that it may be replaced."""
    return isinstance(error, Stale | TableOver | NoSuchTable)


def unexpected(
    error: Exception, interaction: Interaction | None = None, *, done: bool = False
) -> Letter:
    """The apology for an error that nobody expected; it is logged under the same reference.

    `done` says that the work itself succeeded and only its answer cannot be shown.
    """
    reference = secrets.token_hex(3).upper()
    where = ""
    if interaction is not None:
        data: dict[str, Any] = dict(interaction.data or {})
        command = getattr(interaction.command, "qualified_name", None)
        name = data.get("custom_id") or command or data.get("name")
        where = f" in {name} (channel {interaction.channel_id}, user {interaction.user.id})"
    log.error("reference %s: unexpected error%s", reference, where, exc_info=error)
    sentence = texts.UNSHOWN if done else texts.UNEXPECTED
    return Letter(Screen(card(text(sentence.format(reference=reference)), colour=RED)))


_COMMAND = discord.InteractionType.application_command


def _on_private_message(interaction: Interaction) -> bool:
    return interaction.message is not None and interaction.message.flags.ephemeral


async def _defer(interaction: Interaction, way: Way) -> None:
    thinking = way in (Way.NEW, *_TO_ALL) or interaction.type is _COMMAND
    # Private even where the answer will be public: it may turn out to be a refusal, and what takes
    # the place of this can only be as private or as public as this is.
    await _attempt(lambda: interaction.response.defer(ephemeral=True, thinking=thinking))


async def _show(interaction: Interaction, letter: Letter | None, way: Way) -> None:
    if letter is None:
        await _close(interaction)
        return
    if way in _TO_ALL:
        await _publish(interaction, letter, veiled=way is Way.VEILED)
        return
    response = interaction.response
    deferred = response.is_done()
    fresh = way is not Way.CHANGE or interaction.type is _COMMAND
    if not deferred:
        if fresh:
            await _deliver(letter, _at_once(interaction, alone=True))
        else:
            await _deliver(
                letter,
                lambda one: response.edit_message(view=one.screen, attachments=one.files()),
            )
        return
    spinning = response.type is discord.InteractionResponseType.deferred_channel_message
    if spinning or not fresh:
        await _deliver(letter, _in_place(interaction))
    else:
        await _deliver(letter, _after(interaction, ephemeral=True))


async def _publish(interaction: Interaction, letter: Letter, *, veiled: bool) -> None:
    """Show a letter to everybody in the channel, and its aside to whoever acted; that first if what
    was typed is `veiled`."""
    aside, response = letter.aside, interaction.response
    if veiled or response.is_done():
        mine = aside or note(texts.SHOWN_TO_ALL, colour=GREY)
        first = _in_place(interaction) if response.is_done() else _at_once(interaction, alone=True)
        await _deliver(mine, first)
        await _deliver(letter, _after(interaction))
        return
    await _deliver(letter, _at_once(interaction))
    if aside is not None:
        await _deliver(aside, _after(interaction, ephemeral=True))


def _at_once(interaction: Interaction, *, alone: bool = False) -> Send:
    """Answer with a letter; `alone`: only whoever acted sees it."""
    return lambda one: interaction.response.send_message(
        view=one.screen, files=one.files(), ephemeral=alone
    )


def _in_place(interaction: Interaction) -> Send:
    """Put a letter in the place of the first answer."""
    return lambda one: interaction.edit_original_response(view=one.screen, attachments=one.files())


def _after(interaction: Interaction, *, ephemeral: bool = False) -> Send:
    """Send a letter after the first answer."""
    return lambda one: interaction.followup.send(
        view=one.screen, files=one.files(), ephemeral=ephemeral
    )


async def _deliver(letter: Letter, send: Send) -> None:
    """Send a letter; without its pictures if Discord does not take it with them."""
    try:
        await _attempt(lambda: send(letter))
    except _Rejected as error:
        if not letter.images:
            raise
        log.warning("a picture could not be posted (%s)", error)
        await _attempt(lambda: send(letter.in_words()))


async def _close(interaction: Interaction) -> None:
    """Stop the client's waiting without showing anything."""
    response = interaction.response
    if interaction.type is _COMMAND:
        if not response.is_done():
            await _attempt(lambda: response.defer(ephemeral=True, thinking=True))
        await _attempt(interaction.delete_original_response)
    elif not response.is_done():
        await _attempt(response.defer)
    elif response.type is discord.InteractionResponseType.deferred_channel_message:
        await _attempt(interaction.delete_original_response)


async def _attempt(request: Callable[[], Awaitable[object]]) -> None:
    """Make a request to Discord, again while Discord fails. Raises `_Nobody` if it is in vain."""
    for pause in (*RETRIES, None):
        try:
            await request()
            return
        except discord.InteractionResponded:
            log.info("an interaction was acknowledged twice")
            raise _Nobody from None
        except discord.HTTPException as error:
            if error.code in LATE or error.code == ANSWERED:
                raise _Nobody from None
            if error.status < 500:
                raise _Rejected(str(error)) from error
            fault: Exception = error
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            fault = error
        if pause is None:
            log.warning("an answer could not be sent: %s", fault)
            raise _Nobody
        await asyncio.sleep(pause)

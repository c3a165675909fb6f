"""`/tutorial`: a guided first mission, in a private thread where there can be one."""

from __future__ import annotations

import contextlib
import logging
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import discord

from bot import texts
from bot.acknowledge import Way
from bot.around import Around, can_post
from bot.coaching import AGAIN, END, ENDED, FIRST, SKIP
from bot.custom_ids import Press
from bot.layout import Letter, Style, button, link, message_url, note
from bot.mygames import CHANNEL_URL
from bot.outbox import Outbox
from bot.refusals import ChannelTaken, NoSuchTable, Refused, TableOver, Unreadable
from bot.sessions import Table
from bot.sessions.lessons import Guided, ready_for
from bot.sessions.taught import lesson_of
from bot.threads import remove_thread
from bot.turns import is_private
from games.registry import GameUnavailable

log = logging.getLogger(__name__)

Interaction: TypeAlias = discord.Interaction[Any]

NONE = "There is no tutorial for {title} yet. `/{slug} new` opens a game, and `/help` explains the rest."
NO_LESSONS = "No game here has a tutorial. `/help` explains how to play."
NO_GAME = "There is no game “{slug}” here. There are: {games}."
BEGUN = "Your tutorial has begun in {place}. It takes about ten minutes, whenever you have them."
HERE = (
    "Your tutorial has begun: read what stands under the picture, then press the button it names."
)
NO_THREAD = (
    "It is played in this channel, where others can watch, because I may not open a private thread "
    "here (that takes {needed})."
)
NO_PRIVACY = (
    "It is played right here, where others can watch: there can be no private thread in this place."
)
TAKEN = (
    "A game is going on in this channel, and I may not open a private thread beside it (that takes "
    "{needed}). Use `/tutorial` in another channel, or in a direct message with me."
)
TAKEN_DIRECT = (
    "A game is going on in this conversation. Finish it, end it with `/table end`, or use `/tutorial` "
    "in a server."
)
RUNS = "Your tutorial is going on in <#{channel}>. Go on there, or start over from the beginning."
RUNS_DIRECT = "Your tutorial is going on in our direct messages. Go on there, or start over."
REALLY = (
    "End your tutorial? Nothing is lost by it, and `/tutorial game:{slug}` begins it again whenever you "
    "like."
)
OVER = (
    "Your tutorial has ended. `/{slug} new` opens a real game, `/help` tells what else I can do, and "
    "`/tutorial game:{slug}` begins again."
)

RIGHTS = {
    "create_private_threads": "“Create private threads”",
    "send_messages_in_threads": "“Send messages in threads”",
}


@dataclass(frozen=True)
class _Place:
    """Where a lesson is played: a thread made for it, or a channel, and then why no thread."""

    guild_id: int | None
    channel_id: int
    thread: discord.Thread | None = None
    remark: str = ""


class Tutoring:
    """Guided games, by command and by button."""

    def __init__(self, around: Around, outbox: Outbox) -> None:
        self._around = around
        self._sessions = around.sessions
        self._desk = around.desk
        self._outbox = outbox

    async def start(self, interaction: Interaction, slug: str = "") -> None:
        """Begin one, or show the way to the one that goes on."""

        async def work() -> Letter:
            running = await self._sessions.guided(interaction.user.id)
            if running is not None:
                return _running_letter(running)
            return await self._begin(interaction, slug)

        await self._desk.answer(interaction, work)

    async def press(self, interaction: Interaction, press: Press) -> None:
        """A button of a lesson."""
        match press.verb:
            case verb if verb == SKIP:
                await self._skip(interaction, press)
            case verb if verb == AGAIN:
                await self._again(interaction, press.session)
            case verb if verb == FIRST:
                await self.start(interaction, press.session)
            case _:
                await self._end(interaction, press)

    def offered(self) -> list[tuple[str, str]]:
        """Slug and title of every game that has a lesson."""
        found: list[tuple[str, str]] = []
        for slug in self._sessions.registry.slugs():
            with contextlib.suppress(GameUnavailable):
                taught = self._sessions.lesson(slug)
                if taught is not None:
                    found.append((slug, taught[0].title))
        return found

    async def _begin(
        self, interaction: Interaction, slug: str, place: _Place | None = None
    ) -> Letter:
        if not can_post(interaction) or interaction.channel_id is None:
            raise Refused(texts.CANNOT_POST)
        offered = self.offered()
        slug = slug or next((one for one, _ in offered), "")
        typed = slug.casefold()
        slug = next((one for one, title in offered if typed in (one, title.casefold())), slug)
        if not slug:
            raise Refused(NO_LESSONS)
        if slug not in self._sessions.registry.slugs():
            games = texts.listed([title for _, title in offered])
            raise Refused(NO_GAME.format(slug=texts.quoted(slug), games=games))
        try:
            taught = self._sessions.lesson(slug)
        except GameUnavailable as fault:
            raise Refused(fault.sentence) from fault
        if taught is None:
            title = self._sessions.registry.newest(slug).title
            raise Refused(NONE.format(title=title, slug=slug))
        game, lesson = taught
        user = interaction.user
        where = place or await _place(interaction, f"{game.title}: tutorial")
        try:
            table = await self._sessions.open(
                game=slug,
                chosen={},
                guild_id=where.guild_id,
                channel_id=where.channel_id,
                user_id=user.id,
                user_name=user.display_name,
                interaction_id=interaction.id,
                ready=ready_for(lesson, user.id, user.display_name),
            )
        except Exception as error:
            if where.thread is not None:
                await remove_thread(where.thread)
            if isinstance(error, ChannelTaken):
                told = TAKEN_DIRECT if where.guild_id is None else TAKEN.format(needed=_needed())
                raise Refused(told) from error
            raise
        trouble = await self._outbox.flush(table.id)
        return _begun_letter(await self._sessions.get(table.id), where, interaction, trouble)

    async def _skip(self, interaction: Interaction, press: Press) -> None:
        async def work() -> None:
            await self._sessions.skip_step(press.session, interaction.user.id, press.version)

        await self._desk.answer(interaction, work, Way.QUIET)

    async def _end(self, interaction: Interaction, press: Press) -> None:
        ended: list[Table] = []

        async def work() -> Letter:
            table = await self._sessions.taught_to(press.session, interaction.user.id)
            if table.over:
                raise TableOver(table)
            lesson = lesson_of(table)
            at_the_end = lesson is None or table.lesson_step == lesson.last
            if press.verb == END and not at_the_end:
                yes = str(Press(table.id, press.version, ENDED))
                told = REALLY.format(slug=table.slug)
                return note(told, button("End the tutorial", yes, Style.danger))
            ended.append(await self._finish(interaction, table.id))
            return note(OVER.format(slug=table.slug))

        way = Way.CHANGE if is_private(interaction) else Way.NEW
        await self._desk.answer(interaction, work, way)
        for table in ended:
            await self._put_away(interaction, table)

    async def _finish(self, interaction: Interaction, session_id: str) -> Table:
        """End the session, and post that it has ended."""
        acted = await self._sessions.end_lesson(session_id, interaction.user.id, interaction.id)
        await self._outbox.flush(session_id)
        return acted.table

    async def _put_away(self, interaction: Interaction, table: Table) -> None:
        """Archive the thread that was made for a lesson."""
        client = interaction.client
        try:
            channel = await client.fetch_channel(table.channel_id)
            private = isinstance(channel, discord.Thread) and channel.is_private()
            if private and client.user is not None and channel.owner_id == client.user.id:
                await channel.edit(archived=True)
        except discord.HTTPException as error:
            log.info("the thread of session %s stays open: %s", table.id, error)

    async def _again(self, interaction: Interaction, session_id: str) -> None:
        """Start over, in the same place if it is still there."""

        async def work() -> Letter:
            running = await self._sessions.guided(interaction.user.id)
            if running is None:
                return await self._begin(interaction, "")
            if running.session_id != session_id:
                return _running_letter(running)
            try:
                slug = (await self._sessions.get(session_id)).slug
            except (NoSuchTable, Unreadable):
                slug = ""
            place = await self._same_place(interaction, running)
            # The interaction's id is unique in the log: the new game's first row has it, so that a
            # second press finds the new game and does nothing to it.
            await self._sessions.end_lesson(session_id, interaction.user.id, None)
            if place is None:
                return await self._begin(interaction, slug)
            await self._outbox.flush(session_id)
            return await self._begin(interaction, slug, place)

        way = Way.CHANGE if is_private(interaction) else Way.NEW
        await self._desk.answer(interaction, work, way)

    async def _same_place(self, interaction: Interaction, running: Guided) -> _Place | None:
        """Where the lesson is going on; None when that channel is gone, or closed to the bot."""
        if running.guild_id is None:
            return _Place(None, running.channel_id)
        try:
            await interaction.client.fetch_channel(running.channel_id)
        except discord.HTTPException:
            return None
        return _Place(running.guild_id, running.channel_id)


async def _place(interaction: Interaction, title: str) -> _Place:
    """A private thread of the channel, or the channel itself."""
    channel, rights = interaction.channel, interaction.app_permissions
    here = _Place(interaction.guild_id, interaction.channel_id or 0)
    if interaction.guild_id is None:
        return here
    if isinstance(channel, discord.TextChannel) and all(getattr(rights, r) for r in RIGHTS):
        thread = await _thread(channel, interaction.user, title)
        if thread is not None:
            return _Place(interaction.guild_id, thread.id, thread)
        return replace(here, remark=NO_THREAD.format(needed=_needed()))
    if isinstance(channel, discord.TextChannel):
        return replace(here, remark=NO_THREAD.format(needed=_needed()))
    return replace(here, remark=NO_PRIVACY)


async def _thread(
    channel: discord.TextChannel, user: discord.abc.Snowflake, title: str
) -> discord.Thread | None:
    """A private thread with that user in it, or None; then there is no thread."""
    thread = None
    try:
        thread = await channel.create_thread(
            name=texts.clip(title, 100),
            type=discord.ChannelType.private_thread,
            invitable=False,
        )
        await thread.add_user(user)
    except discord.HTTPException as error:
        log.info("no private thread in channel %s: %s", channel.id, error)
        if thread is not None:
            await remove_thread(thread)
        return None
    return thread


def _needed() -> str:
    return texts.listed(list(RIGHTS.values()))


def _begun_letter(table: Table, where: _Place, interaction: Interaction, trouble: str) -> Letter:
    here = table.channel_id == interaction.channel_id
    told = HERE if here else BEGUN.format(place=texts.place(table.channel_id, table.guild_id))
    lines = [line for line in (told, where.remark, trouble) if line]
    way = [] if here or not table.panel_message_id else [
        link("Go to the tutorial", message_url(table.guild_id, table.channel_id, table.panel_message_id))
    ]  # fmt: skip
    return note("\n".join(lines), *way)


def _running_letter(running: Guided) -> Letter:
    url = CHANNEL_URL.format(guild=running.guild_id or "@me", channel=running.channel_id)
    if running.panel_message_id:
        url = message_url(running.guild_id, running.channel_id, running.panel_message_id)
    return note(
        RUNS.format(channel=running.channel_id) if running.guild_id else RUNS_DIRECT,
        link("Go to the tutorial", url),
        button("Start over", str(Press(running.session_id, 0, AGAIN))),
    )

"""Puts panels in front of the players: posts a new one, or edits the one that is there.

A step without dice inside one activation is edited into the last panel; whatever players want to
see again (dice, cards, reveals, another seat's turn) is a new message, and the message before it
keeps its text and pictures but loses its buttons.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord

from bot import texts
from bot.ballots import notice, outcome
from bot.custom_ids import Press
from bot.layout import (
    GREY,
    Image,
    Letter,
    Screen,
    button,
    card,
    gallery,
    note,
    text,
)
from bot.offers import MUTE
from bot.outbox import Delivered, Post, PosterForbidden, PosterGone, PosterUnavailable
from bot.panel import disarmed, happened, headline, panel, to_board
from bot.pictures import Pictures
from bot.refusals import NoSuchTable, Unreadable
from bot.sessions import Sessions, Table
from bot.sessions.asking import Asked
from bot.sessions.consent import Proposal
from bot.sessions.model import EACH, QUIET
from bot.undoing import answered, question
from games.kernel.event import NEEDS_A_POST, Event

log = logging.getLogger(__name__)

UNKNOWN_MESSAGE = 10008
ARCHIVED = 50083
MOST_MENTIONED = 100
"""Users whom Discord lets one message mention."""

REMEMBERED = 256
"""Panels whose text is kept in memory, to be disarmed without asking Discord for it."""

PLAYED = ("act", "stand_in")
"""What may be added to the panel that is there, if nothing in it is worth a post of its own."""

SEATED = ("join", "leave", "host", "setup")
"""What changes the panel of a lobby in place."""

NETWORK = (aiohttp.ClientError, OSError, TimeoutError)


@dataclass(frozen=True)
class _Shown:
    """What a panel message shows, and whether it must be left as it is."""

    message_id: int
    head: str
    events: tuple[Event, ...]
    images: tuple[Image, ...]
    remark: str

    @property
    def lasting(self) -> bool:
        return any(isinstance(event, NEEDS_A_POST) for event in self.events)


class _Refused(Exception):
    """Discord does not take the post for a reason of its own (4xx)."""

    def __init__(self, error: discord.HTTPException) -> None:
        super().__init__(str(error))
        self.error = error


class PanelPoster:
    """Implements `bot.outbox.Poster` with a Discord client."""

    def __init__(self, client: discord.Client, sessions: Sessions, pictures: Pictures) -> None:
        self._client = client
        self._sessions = sessions
        self._pictures = pictures
        self._shown: OrderedDict[str, _Shown] = OrderedDict()
        self._later: set[asyncio.Task[None]] = set()

    async def deliver(self, post: Post) -> Delivered:
        """Post it, or edit it into the panel. Raises the `Poster…` exceptions of `bot.outbox`."""
        try:
            table = await self._sessions.get(post.session_id)
        except NoSuchTable as gone:
            raise PosterGone(gone.sentence) from gone
        except Unreadable as damaged:
            if post.kind != "ended":
                raise PosterForbidden(damaged.sentence) from damaged
            return await self._farewell(post)
        if post.kind == "ask":
            return await self._ask(table, post)
        if post.kind == "notice":
            delivered = await self._notice(table, post)
        else:
            delivered = await self._panel(table, post)
        await self._tidy(table)
        return delivered

    async def _farewell(self, post: Post) -> Delivered:
        """The end of a game of which there is nothing to be shown."""
        table = await self._sessions.remains(post.session_id)
        letter = note(happened(post.events) or texts.GAME_OVER, colour=GREY)
        delivered = await self._send(table, letter, post.nonce, ())
        if table.panel_message_id is not None:
            await self._disarm(table, _Shown(table.panel_message_id, "", (), (), ""))
        return delivered

    async def _notice(self, table: Table, post: Post) -> Delivered:
        controls, seat = to_board(table), post.payload.seat
        if post.payload.what == "notice" and seat and seat not in table.due():
            return Delivered(0)  # Discord took it so late that nobody waits for the seat any more
        if seat in table.due():
            controls.append(button("Mute this turn", str(Press(table.id, table.version, MUTE))))
        letter = note(post.payload.text or "…", *controls)
        mentions = await self._sessions.awake(post.payload.mentions)
        return await self._send(table, letter, post.nonce, mentions)

    async def _ask(self, table: Table, post: Post) -> Delivered:
        """A question: whether something may be taken back, or somebody takes a seat; a vote."""
        await self._tidy(table)
        asked = await self._sessions.asked(table.id, post.payload.question)
        if asked is None:
            return Delivered(0)
        letter = question(table, asked) if isinstance(asked, Proposal) else notice(table, asked)
        if asked.message_id is not None and await self._edit(table, asked.message_id, letter):
            return Delivered(asked.message_id)
        mentions = await self._sessions.awake(post.payload.mentions)
        return await self._send(table, letter, post.nonce, mentions)

    async def _tidy(self, table: Table) -> None:
        """Questions that are settled lose their buttons."""
        settled = await self._sessions.settled(table.id)
        for asked in settled:
            if asked.message_id is not None:
                try:
                    await self._edit(table, asked.message_id, _settled(table, asked))
                except PosterUnavailable:
                    log.info("session %s: a settled question keeps its buttons", table.id)
        if settled:
            await self._sessions.forget(table.id, [asked.number for asked in settled])

    async def _panel(self, table: Table, post: Post) -> Delivered:
        before = await self._before(table)
        lasting = before is not None and before.lasting and table.posts != QUIET
        edits = before is not None and not self._wants_own(table, post) and not lasting
        events = post.events
        gathers = edits and before is not None and post.payload.what in PLAYED
        if gathers and before is not None:
            events = (*before.events, *events)
        images = await self._pictures.of_panel(table, post.events)
        remark = texts.clip(post.payload.text, 900)
        if post.payload.what in ("begin", "lobby"):
            remark = texts.SEAL.format(commitment=table.commitment)
        elif edits and before is not None and not remark:
            remark = before.remark
        if edits and before is not None:
            letter = panel(table, events, images, remark=remark)
            if await self._edit(table, before.message_id, letter):
                self._remember(table, before.message_id, events, images, remark)
                return Delivered(before.message_id)
            events = post.events
        letter = panel(table, events, images, remark=remark)
        # Whoever has quiet hours hears of it when they end (`bot.sessions.timers`).
        mentions = await self._sessions.awake(self._pings(table, post))
        try:
            delivered = await self._send(table, letter, post.nonce, mentions)
        except _Refused as refused:
            # Mostly a missing “Attach files”; whatever it is, the game must go on in words.
            log.warning("session %s: no pictures in its channel: %s", table.id, refused)
            images, remark = (), texts.NO_FILES
            letter = panel(table, events, images, remark=remark)
            try:
                delivered = await self._send(table, letter, post.nonce, mentions)
            except _Refused as again:
                raise self._why(table, again.error) from again
        old = before
        if old is None and table.panel_message_id not in (None, delivered.message_id):
            old = _Shown(table.panel_message_id or 0, "", (), (), "")
        self._remember(table, delivered.message_id, events, images, remark)
        if old is not None and old.message_id != delivered.message_id:
            await self._disarm(table, old)
        return delivered

    @staticmethod
    def _wants_own(table: Table, post: Post) -> bool:
        payload = post.payload
        if table.lobby:
            return payload.what not in SEATED or bool(payload.told)
        if table.posts == QUIET and payload.what in PLAYED:
            return payload.handover or table.over or bool(payload.told)
        if table.posts == EACH:
            return True
        if payload.binding or payload.handover or payload.what not in (*PLAYED, "undo"):
            return True
        return any(isinstance(event, NEEDS_A_POST) for event in post.events if event.to is None)

    @staticmethod
    def _pings(table: Table, post: Post) -> tuple[int, ...]:
        """Those who must act now and need not before, as far as they still must; and those who
        are told something."""
        waiting = table.waits_for()
        called = [user for user in post.payload.mentions if user in waiting]
        return tuple(dict.fromkeys((*called, *post.payload.told)))

    async def _before(self, table: Table) -> _Shown | None:
        """The panel that stands in the channel; None when there is none or nothing is known."""
        if table.panel_message_id is None:
            return None
        shown = self._shown.get(table.id)
        if shown is not None and shown.message_id == table.panel_message_id:
            return shown
        if table.panel_version is None:
            return None
        rows = await self._sessions.history(table.id, after=table.panel_version - 1, limit=1)
        events = tuple(e for row in rows for e in row.events if e.to is None)
        seal = texts.SEAL.format(commitment=table.commitment)
        begun = bool(rows) and rows[0].kind in ("begin", "lobby", *SEATED)
        return _Shown(table.panel_message_id, "", events, (), seal if begun else "")

    def _remember(
        self,
        table: Table,
        message_id: int,
        events: Sequence[Event],
        images: Sequence[Image],
        remark: str,
    ) -> None:
        light = tuple(Image(image.name, b"", image.alt) for image in images)
        public = tuple(event for event in events if event.to is None)
        self._shown[table.id] = _Shown(message_id, headline(table), public, light, remark)
        self._shown.move_to_end(table.id)
        while len(self._shown) > REMEMBERED:
            self._shown.popitem(last=False)

    async def _send(
        self, table: Table, letter: Letter, nonce: str, mentions: Sequence[int]
    ) -> Delivered:
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        allowed = discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(user) for user in mentions[:MOST_MENTIONED]],
        )
        try:
            message = await channel.send(
                view=letter.screen, files=letter.files(), nonce=nonce, allowed_mentions=allowed
            )
        except discord.HTTPException as error:
            if letter.images and 400 <= error.status < 500 and error.status not in (404, 429):
                raise _Refused(error) from error
            raise self._why(table, error) from error
        except NETWORK as error:
            raise PosterUnavailable from error
        return Delivered(message.id)

    async def _edit(self, table: Table, message_id: int, letter: Letter) -> bool:
        """Edit the panel; False when it is not there any more or may not be edited."""
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        try:
            await channel.get_partial_message(message_id).edit(
                view=letter.screen,
                attachments=letter.files(),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except discord.HTTPException as error:
            if error.status in (400, 403) or error.code == UNKNOWN_MESSAGE:
                return False
            raise self._why(table, error) from error
        except NETWORK as error:
            raise PosterUnavailable from error
        return True

    async def _disarm(self, table: Table, old: _Shown) -> None:
        """Take the buttons off an older panel. If that fails, its buttons are stale all the same."""
        channel = self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)
        message = channel.get_partial_message(old.message_id)
        none = discord.AllowedMentions.none()
        try:
            if old.head:
                lines = happened(old.events)
                screen = disarmed(old.head, lines, old.images, remark=old.remark)
            else:
                screen = _without_buttons(await message.fetch())
            await message.edit(view=screen, allowed_mentions=none)
        except (discord.HTTPException, *NETWORK) as error:
            log.info("session %s: an older panel keeps its buttons: %s", table.id, error)

    def _why(self, table: Table, error: discord.HTTPException) -> Exception:
        """What a refusal of Discord's means for the outbox."""
        if error.status == 404:
            return PosterGone(texts.GONE_CHANNEL)
        if error.status == 403 or error.code == ARCHIVED:
            return PosterForbidden(texts.FORBIDDEN_CHANNEL.format(channel=table.channel_id))
        if error.status == 429 or error.status >= 500:
            wait = error.response.headers.get("Retry-After") if error.status == 429 else None
            return PosterUnavailable(float(wait) if wait else None, maybe_sent=error.status != 429)
        return error


def _settled(table: Table, asked: Asked) -> Letter:
    """A question's notice once it is settled."""
    return answered(asked) if isinstance(asked, Proposal) else outcome(table, asked)


def _without_buttons(message: discord.Message) -> Screen:
    """A panel as Discord holds it, without its buttons."""
    items: list[Any] = []
    for component in _inside(message.components):
        if isinstance(component, discord.TextDisplay):
            items.append(text(component.content))
        elif isinstance(component, discord.MediaGalleryComponent):
            names = [item.media.url.split("?")[0].rpartition("/")[2] for item in component.items]
            alts = [item.description or "" for item in component.items]
            items += gallery(Image(name, b"", alt) for name, alt in zip(names, alts, strict=True))
    return Screen(card(*(items or [text("…")]), colour=GREY))


def _inside(components: Sequence[Any]) -> list[Any]:
    flat: list[Any] = []
    for component in components:
        nested = isinstance(component, discord.Container)
        flat += _inside(component.children) if nested else [component]
    return flat

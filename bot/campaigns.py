"""Campaigns of all games: begun, played mission by mission in any channel, shown, given up.

It knows no Discord. How a campaign goes on when a mission ends is in `bot.aftermath`.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import aftermath, texts
from bot.campaign_rows import (
    Member,
    New,
    Standing,
    as_read,
    standings,
    write_abandoned,
    write_again,
    write_new,
)
from bot.outbox import Payload, put
from bot.refusals import AgainstTheRules, ChannelTaken, NoSuchTable, NotAllowed, Refused
from bot.sessions import Sessions, Table
from bot.sessions.locks import Locks
from bot.sessions.opening import Ready, new_id
from bot.sessions.writing import remember_user
from bot.store import Store
from bot.store import schema as db
from games.kernel.campaign import Campaign, CampaignView, Errand
from games.kernel.game import Game, Setup
from games.kernel.illegal import Illegal
from games.registry import GameUnavailable, Registry

logger = logging.getLogger(__name__)

Gone = Callable[[Table], Awaitable[bool]]
"""Whether the channel of a table does not exist any more, or is closed to us."""

NOT_YOURS = "This is somebody else’s campaign. `/campaign start` begins your own."
NONE_RUNNING = "You have no campaign under way. `/campaign start` begins one."
NO_SUCH = "I know nothing of this campaign any more. `/campaign list` shows yours."
OVER = (
    "This campaign is over: `/campaign show` shows how it went, `/campaign start` begins another."
)
NO_GAME = "There is no game “{typed}”. Leave `game` out, or choose one from the list."
NO_SERIES = "{title} has no campaigns."
SEVERAL = "You have several campaigns under way. Say which one with the option `campaign`."
QUICKER = "Somebody was quicker. `/campaign show` shows how the campaign stands now."
ONLY_HOST = (
    "Only <@{host}>, who hosts this campaign, can start it over. You can leave it with "
    "`/campaign abandon`."
)
MOVED = "The channel of this mission is gone; it goes on here."


class AlreadyRunning(Refused):
    """The user has a campaign of that game and kind under way already: `standing`."""

    def __init__(self, standing: Standing, title: str) -> None:
        super().__init__(
            f"You have a campaign under way already: {title}. Go on with it, or abandon it first."
        )
        self.standing = standing


class UnderWay(Refused):
    """The next mission cannot be opened because this one, `table`, is being played."""

    def __init__(self, table: Table) -> None:
        place = texts.place(table.channel_id, table.guild_id)
        super().__init__(f"This mission is under way in {place}.")
        self.table = table


@dataclass(frozen=True, slots=True)
class Restarted:
    """A campaign that was begun anew, and those of the old one who are not in it."""

    standing: Standing
    left_out: tuple[Member, ...]


class Campaigns:
    """All campaigns. Every method may raise `StoreBusy` or `StoreFull`; every refusal is a `Refused`
    whose sentence is for the player, and leaves everything as it was."""

    def __init__(
        self,
        store: Store,
        sessions: Sessions,
        *,
        clock: Callable[[], int],
        name: Callable[[], str] = new_id,
    ) -> None:
        self.sessions = sessions
        self._store = store
        self._clock = clock
        self._name = name
        self._locks = Locks()

    @property
    def registry(self) -> Registry:
        """The games."""
        return self.sessions.registry

    # --- looking ---

    async def get(self, campaign_id: str) -> Standing:
        """A campaign as it stands; one whose last mission has ended uncounted is brought up to date.

        Raises `Refused` when there is none.
        """
        standing = await self._read(campaign_id)
        table = await self._mission(standing)
        if table is not None and table.over and table.result() is not None:
            async with self._store.write() as connection:
                await aftermath.settle(connection, table, self._clock())
            standing = await self._read(campaign_id)
        return standing

    async def of_user(self, user_id: int) -> list[Standing]:
        """The campaigns that somebody belongs to: those under way first, then the newest first."""
        members = db.campaign_members.c
        async with self._store.read() as connection:
            mine = select(members.campaign_id).where(members.user_id == user_id)
            found = await standings(connection, db.campaigns.c.id.in_(mine))
        return sorted(found, key=lambda one: (not one.running, -one.updated, one.id))

    async def running(self, user_id: int) -> Standing:
        """The one campaign that somebody has under way. Raises `Refused` for none and several."""
        running = [one for one in await self.of_user(user_id) if one.running]
        if not running:
            raise Refused(NONE_RUNNING)
        if len(running) > 1:
            raise Refused(SEVERAL)
        return running[0]

    def game(self, slug: str) -> Game[Any]:
        """A game with its present content. Raises `Refused`."""
        if slug not in self.registry.slugs():
            raise Refused(NO_GAME.format(typed=texts.quoted(slug)))
        try:
            return self.registry.newest(slug)
        except GameUnavailable as fault:
            raise Refused(fault.sentence) from fault

    def series(self, slug: str, kind: str = "") -> Campaign[Any]:
        """A series of a game, its first one if `kind` is empty. Raises `Refused`."""
        game = self.game(slug)
        found = game.campaigns()
        if not found:
            raise Refused(NO_SERIES.format(title=game.title))
        if kind and kind not in found:
            there = ", ".join(f"“{name}”" for name in found)
            raise Refused(f"{game.title} has no such campaign. There are: {there}.")
        return found[kind or next(iter(found))]

    def view(self, standing: Standing) -> CampaignView:
        """How a campaign stands, to be shown."""
        return self.series(standing.game, standing.kind).view(standing.progress)

    async def mission(self, standing: Standing) -> Table | None:
        """The mission that is being played (or gathers its people), None between missions.

        Raises `Unreadable`.
        """
        table = await self._mission(standing) if standing.running else None
        return None if table is None or table.over else table

    async def errands(self, standing: Standing) -> tuple[Errand, ...]:
        """What may be done now, between two missions."""
        if not standing.running or await self.mission(standing) is not None:
            return ()
        return self.series(standing.game, standing.kind).errands(standing.progress)

    # --- doing ---

    async def start(
        self,
        slug: str,
        kind: str,
        mode: str,
        *,
        user_id: int,
        user_name: str,
        options: Mapping[str, str] = {},
    ) -> Standing:
        """Begin a campaign; `kind` and `mode` may be empty for a game's first.

        Raises `AlreadyRunning`, `AgainstTheRules` for a mode it is not played in and for options that
        do not go together, `Refused`.
        """
        series = self.series(slug, kind)
        try:
            progress = series.begin(mode or series.modes[0], options)
        except Illegal as illegal:
            raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
        campaign_id, now = self._name(), self._clock()
        try:
            async with self._store.write() as connection:
                await remember_user(connection, (user_id, user_name), now)
                new = New(campaign_id, slug, series.slug, mode or series.modes[0], progress, now)
                await write_new(connection, new, [Member(user_id, user_name, "")])
        except IntegrityError as fault:
            raise await self._taken(user_id, slug, series) from fault
        return await self._read(campaign_id)

    async def next(
        self,
        campaign_id: str,
        *,
        guild_id: int | None,
        channel_id: int,
        user_id: int,
        user_name: str,
        interaction_id: int,
        gone: Gone,
    ) -> Table:
        """Open the next mission in a channel, or bring one there whose channel is gone.

        Any member may. Raises `UnderWay`, `NotAllowed` for somebody else's, `ChannelTaken`,
        `Duplicate`, and `Refused` when the campaign is over.
        """
        async with self._locks(campaign_id):
            standing = await self.get(campaign_id)
            must_be_member(standing, user_id)
            setup = self.series(standing.game, standing.kind).setup(standing.progress)
            if not standing.running or setup is None:
                raise Refused(OVER)
            table = await self.mission(standing)
            if table is not None:
                if table.channel_id == channel_id or not await gone(table):
                    raise UnderWay(table)
                await self._move(table, guild_id, channel_id)
                return await self.sessions.get(table.id)
            return await self.sessions.open(
                game=standing.game,
                chosen={},
                guild_id=guild_id,
                channel_id=channel_id,
                user_id=user_id,
                user_name=user_name,
                interaction_id=interaction_id,
                ready=self._ready(standing, setup),
            )

    async def run(
        self, campaign_id: str, user_id: int, errand: str, value: str, *, mark: int
    ) -> Standing:
        """Do something between two missions, such as buying gear: any member may.

        `mark` is that of the standing it was chosen at, so that a repeated press does nothing. Raises
        `AgainstTheRules` when it is not possible, `UnderWay`, `NotAllowed`, `Refused`.
        """
        async with self._locks(campaign_id):
            standing = await self.get(campaign_id)
            must_be_member(standing, user_id)
            if not standing.running:
                raise Refused(OVER)
            table = await self.mission(standing)
            if table is not None:
                raise UnderWay(table)
            if mark != standing.mark:
                raise Refused(QUICKER)
            series = self.series(standing.game, standing.kind)
            try:
                progress = series.run(standing.progress, errand, value)
            except Illegal as illegal:
                raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
            campaigns = db.campaigns
            async with self._store.write() as connection:
                changed = await connection.execute(
                    update(campaigns)
                    .where(*as_read(standing))
                    .values(progress=msgspec.json.encode(progress).decode(), updated=self._clock())
                )
                if changed.rowcount != 1:
                    raise Refused(QUICKER)
            return await self._read(campaign_id)

    async def abandon(self, campaign_id: str, user_id: int) -> Standing:
        """Give a campaign up: its host for everybody, another member for themselves.

        A mission under way goes on as a game of its own. Raises `NotAllowed`, `Refused`.
        """
        async with self._locks(campaign_id):
            standing = await self._read(campaign_id)
            must_be_member(standing, user_id)
            if not standing.running:
                raise Refused(OVER)
            members = db.campaign_members
            async with self._store.write() as connection:
                if user_id != standing.host_id:
                    await connection.execute(
                        delete(members).where(
                            members.c.campaign_id == campaign_id, members.c.user_id == user_id
                        )
                    )
                else:
                    await write_abandoned(connection, campaign_id, self._clock())
            return await self._read(campaign_id)

    async def restart(self, campaign_id: str, user_id: int, *, mark: int) -> Restarted:
        """Begin a campaign anew with the same people, mode and options: its host may.

        The old one is kept: as abandoned if it was under way, else as it ended. Whoever has begun
        another one of the kind since is left out. `mark` is that of the standing that was shown.
        Raises `NotAllowed`, `AlreadyRunning`, `AgainstTheRules`, `Refused`.
        """
        async with self._locks(campaign_id):
            standing = await self.get(campaign_id)
            may_restart(standing, user_id)
            if mark != standing.mark:
                raise Refused(QUICKER)
            series = self.series(standing.game, standing.kind)
            try:
                progress = series.again(standing.progress)
            except Illegal as illegal:
                raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
            new_id, now = self._name(), self._clock()
            new = New(new_id, standing.game, standing.kind, standing.mode, progress, now)
            try:
                async with self._store.write() as connection:
                    if standing.running and not await write_abandoned(connection, campaign_id, now):
                        raise Refused(QUICKER)
                    left_out = await write_again(connection, new, standing)
            except IntegrityError as fault:
                raise await self._taken(user_id, standing.game, series) from fault
            return Restarted(await self._read(new_id), left_out)

    async def _taken(self, user_id: int, slug: str, series: Campaign[Any]) -> Refused:
        """Why a campaign could not be written: the user has another one under way."""
        for other in await self.of_user(user_id):
            if other.running and (other.game, other.kind) == (slug, series.slug):
                return AlreadyRunning(other, series.title)
        return Refused("The campaign could not be begun. Try again.")

    def _ready(self, standing: Standing, setup: Setup) -> Ready:
        """What the next mission is opened with: set-up, people, and the campaign's own row."""

        async def link(connection: AsyncConnection, session_id: str) -> None:
            campaigns = db.campaigns
            linked = await connection.execute(
                update(campaigns)
                .where(*as_read(standing))
                .values(session_id=session_id, updated=self._clock())
            )
            if linked.rowcount != 1:
                raise Refused(QUICKER)

        people = tuple((m.seat, m.user_id, m.name) for m in standing.members if m.seat)
        return Ready(msgspec.structs.replace(setup, campaign=standing.id), people, link)

    async def _move(self, table: Table, guild_id: int | None, channel_id: int) -> None:
        """Take a mission to another channel. Raises `ChannelTaken`."""
        sessions = db.sessions
        try:
            async with self._store.write() as connection:
                await connection.execute(
                    update(sessions)
                    .where(sessions.c.id == table.id, sessions.c.status != db.ENDED)
                    .values(
                        guild_id=guild_id,
                        channel_id=channel_id,
                        panel_message_id=None,
                        panel_version=None,
                        trouble=None,
                    )
                )
                payload = Payload("repost", text=MOVED)
                await put(connection, table.id, table.version, "panel", payload, self._clock())
        except IntegrityError as fault:
            there = await self.sessions.id_in_channel(channel_id)
            raise ChannelTaken(there or "") from fault
        logger.info("session %s goes on in channel %s", table.id, channel_id)
        self.sessions.wake(table.id)

    async def _mission(self, standing: Standing) -> Table | None:
        if standing.session_id is None or not standing.running:
            return None
        try:
            return await self.sessions.get(standing.session_id)
        except NoSuchTable:
            return None

    async def _read(self, campaign_id: str) -> Standing:
        async with self._store.read() as connection:
            found = await standings(connection, db.campaigns.c.id == campaign_id)
        if not found:
            raise Refused(NO_SUCH)
        return found[0]


def may_restart(standing: Standing, user_id: int) -> None:
    """Raise `NotAllowed` for everybody but the host of a campaign."""
    must_be_member(standing, user_id)
    if user_id != standing.host_id:
        raise NotAllowed(ONLY_HOST.format(host=standing.host_id))


def must_be_member(standing: Standing, user_id: int) -> None:
    """Raise `NotAllowed` for somebody else’s campaign."""
    if not standing.has(user_id):
        raise NotAllowed(NOT_YOURS)

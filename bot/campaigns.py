"""Campaigns of all games: begun, played mission by mission in any channel, shown, given up.

It knows no Discord. How a campaign goes on when a mission ends is in `bot.aftermath`.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import aftermath
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
NO_SERIES = "{title} has no campaigns."
SEVERAL = "You have several campaigns under way. Say which one with the option `campaign`."
QUICKER = "Somebody was quicker. `/campaign show` shows how the campaign stands now."
MOVED = "The channel of this mission is gone; it goes on here."


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody whose campaign it is; `seat` is the one held in the first mission, or `""`."""

    user_id: int
    name: str
    seat: str


@dataclass(frozen=True, slots=True)
class Standing:
    """A campaign as it stands. `session_id` is the mission under way, or the one opened last."""

    id: str
    game: str
    kind: str
    mode: str
    host_id: int
    members: tuple[Member, ...]
    status: str
    stored: str
    played: int
    session_id: str | None
    created: int
    updated: int

    @property
    def progress(self) -> dict[str, Any]:
        """How far it is, as only its series reads it."""
        return msgspec.json.decode(self.stored)

    @property
    def mark(self) -> int:
        """A number of at most nine digits that is another one when the progress is."""
        return zlib.crc32(self.stored.encode()) % 1_000_000_000

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.status == db.RUNNING

    def has(self, user_id: int) -> bool:
        """Whether it is that user's."""
        return any(member.user_id == user_id for member in self.members)


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
        super().__init__(f"This mission is under way in <#{table.channel_id}>.")
        self.table = table


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
            found = await _standings(connection, db.campaigns.c.id.in_(mine))
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
                await connection.execute(
                    insert(db.campaigns).values(
                        id=campaign_id,
                        game=slug,
                        kind=series.slug,
                        mode=mode or series.modes[0],
                        host_id=user_id,
                        status=db.RUNNING,
                        progress=msgspec.json.encode(progress).decode(),
                        played=0,
                        created=now,
                        updated=now,
                    )
                )
                await connection.execute(
                    insert(db.campaign_members).values(
                        campaign_id=campaign_id,
                        user_id=user_id,
                        place=0,
                        seat="",
                        game=slug,
                        kind=series.slug,
                        running=True,
                    )
                )
        except IntegrityError as fault:
            for other in await self.of_user(user_id):
                if other.running and (other.game, other.kind) == (slug, series.slug):
                    raise AlreadyRunning(other, series.title) from fault
            raise Refused("The campaign could not be begun. Try again.") from fault
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
            _must_be_member(standing, user_id)
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
            _must_be_member(standing, user_id)
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
                    .where(*_as_read(standing))
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
            _must_be_member(standing, user_id)
            if not standing.running:
                raise Refused(OVER)
            campaigns, members = db.campaigns, db.campaign_members
            async with self._store.write() as connection:
                if user_id != standing.host_id:
                    await connection.execute(
                        delete(members).where(
                            members.c.campaign_id == campaign_id, members.c.user_id == user_id
                        )
                    )
                else:
                    await connection.execute(
                        update(campaigns)
                        .where(campaigns.c.id == campaign_id, campaigns.c.status == db.RUNNING)
                        .values(status=db.ABANDONED, updated=self._clock())
                    )
                    await connection.execute(
                        update(members)
                        .where(members.c.campaign_id == campaign_id)
                        .values(running=False)
                    )
            return await self._read(campaign_id)

    def _ready(self, standing: Standing, setup: Setup) -> Ready:
        """What the next mission is opened with: set-up, people, and the campaign's own row."""

        async def link(connection: AsyncConnection, session_id: str) -> None:
            campaigns = db.campaigns
            linked = await connection.execute(
                update(campaigns)
                .where(*_as_read(standing))
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
            found = await _standings(connection, db.campaigns.c.id == campaign_id)
        if not found:
            raise Refused(NO_SUCH)
        return found[0]


def _as_read(standing: Standing) -> tuple[Any, ...]:
    """The condition that a campaign’s row is still as it was read."""
    columns = db.campaigns.c
    session = columns.session_id
    return (
        columns.id == standing.id,
        columns.status == db.RUNNING,
        columns.progress == standing.stored,
        session.is_(None) if standing.session_id is None else session == standing.session_id,
    )


def _must_be_member(standing: Standing, user_id: int) -> None:
    if not standing.has(user_id):
        raise NotAllowed(NOT_YOURS)


async def _standings(connection: AsyncConnection, condition: Any) -> list[Standing]:
    rows: Sequence[Any] = (await connection.execute(select(db.campaigns).where(condition))).all()
    members = db.campaign_members.c
    wanted = (
        select(db.campaign_members, db.users.c.name)
        .outerjoin(db.users, db.users.c.id == members.user_id)
        .where(members.campaign_id.in_([row.id for row in rows]))
        .order_by(members.place, members.user_id)
    )
    held: dict[str, list[Member]] = {}
    for row in (await connection.execute(wanted)).all():
        member = Member(row.user_id, row.name or "somebody", row.seat)
        held.setdefault(row.campaign_id, []).append(member)
    return [
        Standing(
            id=row.id,
            game=row.game,
            kind=row.kind,
            mode=row.mode,
            host_id=row.host_id,
            members=tuple(held.get(row.id, ())),
            status=row.status,
            stored=row.progress,
            played=row.played,
            session_id=row.session_id,
            created=row.created,
            updated=row.updated,
        )
        for row in rows
    ]

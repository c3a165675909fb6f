"""The session service: opening tables, acting at them, ending them. It knows no Discord."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import case, select
from sqlalchemy.exc import IntegrityError

from bot.refusals import (
    AgainstTheRules,
    ChannelTaken,
    Duplicate,
    NotAllowed,
    NotYourSeat,
    Refused,
    Stale,
    TableOver,
    Unreadable,
)
from bot.sessions.chance import Chains, Chance
from bot.sessions.history import audit, proof, read_history
from bot.sessions.locks import Locks
from bot.sessions.model import Acted, LogEntry, Table
from bot.sessions.opening import Wanted, new_id, new_secret, opened
from bot.sessions.reading import Loaded, load
from bot.sessions.records import LogRow, digest, dumps, pack
from bot.sessions.undo import undoable
from bot.sessions.writing import Change, Outrun, payload_of, save, save_opening, set_status
from bot.store import Store
from bot.store import schema as db
from games.kernel.action import Action
from games.kernel.event import Ended, Event, Noted
from games.kernel.illegal import Illegal
from games.kernel.play import Turnout, play
from games.registry import GameUnavailable, Registry

logger = logging.getLogger(__name__)


class Sessions:
    """All sessions of one bot.

    Every method may raise `StoreBusy` or `StoreFull`; every refusal is a `Refused` whose sentence is
    for the player, and leaves everything as it was. `wake` is told the session whenever the outbox
    has something new for it. `clock` gives seconds since 1970 UTC; `secret` and `name` make a new
    session's secret and id (tests want the same ones every time).
    """

    def __init__(
        self,
        store: Store,
        registry: Registry,
        *,
        clock: Callable[[], int],
        wake: Callable[[str], object] = lambda session_id: None,
        secret: Callable[[], bytes] = new_secret,
        name: Callable[[], str] = new_id,
    ) -> None:
        self.registry = registry
        self.wake = wake
        self._store = store
        self._clock = clock
        self._secret = secret
        self._name = name
        self._locks = Locks()
        self._chains = Chains()
        self._saving: set[asyncio.Task[None]] = set()

    async def open(
        self,
        *,
        game: str,
        chosen: Mapping[str, str],
        guild_id: int | None,
        channel_id: int,
        user_id: int,
        user_name: str,
        interaction_id: int,
    ) -> Table:
        """Begin a game in a channel; the user hosts it and takes its first seat.

        Raises `AgainstTheRules` for a set-up that does not exist, `ChannelTaken`, `Duplicate`.
        """
        try:
            played = self.registry.newest(game)
        except GameUnavailable as fault:
            raise Refused(fault.sentence) from fault
        wanted = Wanted(chosen, guild_id, channel_id, user_id, user_name, interaction_id)
        for _ in range(3):
            session_id, secret = self._name(), self._secret()
            await self._chains.warm(session_id, secret)
            table, opening, change = opened(
                played, wanted, self._chains, session_id, secret, self._clock()
            )
            saving = save_opening(self._store, opening, change, (user_id, user_name))
            try:
                await self._saved(saving, table.id)
            except IntegrityError as fault:
                await self._explain_taken(channel_id, interaction_id, fault)
                continue
            return table
        raise Refused("The table could not be opened. Try again.")

    async def get(self, session_id: str) -> Table:
        """A session as it stands. Raises `NoSuchTable`, `Unreadable`."""
        return (await self._load(session_id)).table

    async def in_channel(self, channel_id: int) -> Table | None:
        """The session going on in a channel, or else the last that ended there.

        Raises `Unreadable` (with its `session_id`) when it cannot be read.
        """
        session_id = await self.id_in_channel(channel_id)
        return None if session_id is None else await self.get(session_id)

    async def id_in_channel(self, channel_id: int) -> str | None:
        """The id of the session that `in_channel` gives, whether or not it can be read."""
        columns = db.sessions.c
        wanted = (
            select(columns.id)
            .where(columns.channel_id == channel_id)
            .order_by(case((columns.status == db.ENDED, 1), else_=0), columns.updated.desc())
            .limit(1)
        )
        async with self._store.read() as connection:
            return (await connection.execute(wanted)).scalar_one_or_none()

    async def act(
        self,
        session_id: str,
        user_id: int,
        action: Action,
        *,
        expected_version: int | None,
        interaction_id: int,
        seat: str | None = None,
    ) -> Acted:
        """Let a user act for a seat; without `seat`, for the one of his that can do this now.

        Raises `NoSuchTable`, `Duplicate` (this interaction has acted), `TableOver`, `NotYourSeat`,
        `Stale` (not at `expected_version` any more), `AgainstTheRules`, `Unreadable`.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = _going(loaded)
            seat = _seat_for(table, user_id, action, seat)
            _fresh(table, expected_version)
            await self._chains.warm(table.id, loaded.secret)
            chance = Chance(self._chains, table.id, loaded.secret, loaded.salts, table.keys_used)
            try:
                turnout: Turnout[Any] = play(table.game, table.state, seat, action, chance)
            except Illegal as illegal:
                raise AgainstTheRules(illegal.sentence, illegal.rule) from illegal
            over = table.game.result(turnout.state) is not None
            raw = table.game.encode(turnout.state)
            packed, state_hash = pack(raw), digest(raw)
            number = table.version + 1
            row = LogRow(
                number=number,
                kind="act",
                base=loaded.tip,
                user_id=user_id,
                seat=seat,
                action=dumps(turnout.action.to_json()),
                events=dumps(turnout.events),
                **chance.columns(),
                state_hash=state_hash,
                binding=turnout.binding,
                interaction_id=interaction_id,
                time=self._clock(),
            )
            after = replace(
                table,
                version=number,
                status=db.ENDED if over else db.RUNNING,
                state=turnout.state,
                keys_used=table.keys_used + (1 if chance.key else 0),
                updated=row.time,
            )
            acted = Acted(after, turnout.events, turnout, turnout.binding, _handover(table, after))
            await self._step(
                loaded,
                acted,
                row,
                packed,
                {
                    "tip": number,
                    "status": after.status,
                    "state": packed,
                    "state_hash": state_hash,
                    "keys_used": after.keys_used,
                },
            )
            return acted

    async def undo_preview(self, session_id: str, user_id: int) -> str:
        """Name what `undo` would take back. Raises what `undo` raises."""
        loaded = await self._load(session_id)
        _going(loaded)
        async with self._store.read() as connection:
            return (await undoable(connection, loaded, user_id)).private

    async def undo(
        self,
        session_id: str,
        user_id: int,
        *,
        expected_version: int | None,
        interaction_id: int,
    ) -> Acted:
        """Take back the user's own last action, if nothing came to light by it.

        Raises what `act` raises, and `NothingToUndo` with the reason.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = _going(loaded)
            if not table.seats_of(user_id):
                raise NotYourSeat("You do not play at this table.")
            _fresh(table, expected_version)
            async with self._store.read() as connection:
                found = await undoable(connection, loaded, user_id)
            events: tuple[Event, ...] = (Noted(text=f"Taken back: {found.public}"),)
            row = self._plain_row(loaded, "undo", user_id, interaction_id, events)
            row = replace(
                row, base=found.row.number, seat=found.row.seat, state_hash=found.state_hash
            )
            after = replace(table, version=row.number, state=found.state, updated=row.time)
            acted = Acted(after, events, handover=_handover(table, after))
            await self._step(
                loaded,
                acted,
                row,
                found.packed,
                {
                    "tip": found.row.base,
                    "state": found.packed,
                    "state_hash": found.state_hash,
                },
            )
            return acted

    async def join(
        self,
        session_id: str,
        user_id: int,
        user_name: str,
        *,
        interaction_id: int,
        seat: str | None = None,
    ) -> Acted:
        """Take a vacant seat (the first one, unless `seat` names it); adds salt to later dice.

        Raises `NoSuchTable`, `Duplicate`, `TableOver`, `NotYourSeat` when none is vacant.
        """
        async with self._locks(session_id):
            loaded = await self._load(session_id, interaction_id)
            table = _going(loaded)
            vacant = [h for h in table.seats if h.user_id is None and seat in (None, h.seat)]
            if not vacant:
                raise NotYourSeat("There is no vacant seat at this table.")
            taken = replace(vacant[0], user_id=user_id, name=user_name)
            events: tuple[Event, ...] = (Noted(text=f"{user_name} plays {taken.title}."),)
            row = self._plain_row(loaded, "join", user_id, interaction_id, events)
            row = replace(row, seat=taken.seat)
            holders = tuple(taken if h.seat == taken.seat else h for h in table.seats)
            after = replace(table, version=row.number, seats=holders, updated=row.time)
            acted = Acted(after, events, handover=True)
            salts = dumps([*loaded.salts, str(interaction_id)])
            await self._step(
                loaded,
                acted,
                row,
                None,
                {"salts": salts},
                seat=(taken.seat, {"user_id": user_id, "name": user_name}),
                user=(user_id, user_name),
            )
            return acted

    async def end(
        self, session_id: str, user_id: int, *, moderator: bool, interaction_id: int
    ) -> Acted:
        """End a session by decision. Works for one that cannot be read, too.

        Raises `NotAllowed` unless the user hosts it or is a moderator, `NoSuchTable`, `Duplicate`,
        `TableOver`; `Unreadable` only when not even its game is known.
        """
        async with self._locks(session_id):
            async with self._store.read() as connection:
                loaded = await load(
                    connection, self.registry, session_id, interaction_id, stateless=True
                )
            table = _going(loaded)
            if not moderator and user_id != table.host_id:
                raise NotAllowed("Only the host of this table or a moderator can end it.")
            events: tuple[Event, ...] = (
                Ended(text="The game was ended before its time.", title="Ended"),
            )
            row = self._plain_row(loaded, "end", user_id, interaction_id, events)
            after = replace(table, version=row.number, status=db.ENDED, updated=row.time)
            acted = Acted(after, events, binding=True, handover=True)
            await self._step(loaded, acted, replace(row, binding=True), None, {"status": db.ENDED})
            return acted

    async def history(
        self, session_id: str, *, after: int = 0, limit: int = 1000
    ) -> list[LogEntry]:
        """The log rows after a number, oldest first. Raises `NoSuchTable`.

        They hold private events and actions too: show an audience only what it may see.
        """
        async with self._store.read() as connection:
            return await read_history(connection, session_id, after, limit)

    async def proof(self, session_id: str) -> dict[str, Any]:
        """The JSON for `games.kernel.verify`. Raises `NoSuchTable`.

        While several users play, it stops before the first roll whose meaning is private.
        """
        async with self._store.read() as connection:
            return await proof(connection, session_id)

    async def audit(self, session_id: str) -> str:
        """Check a session against its own log: `""`, or what is wrong, for the operator.

        Follows the hash chain, plays the whole game again with the recorded keys and compares every
        state. Raises `NoSuchTable`, `Unreadable`.
        """
        loaded = await self._load(session_id)
        async with self._store.read() as connection:
            return await audit(connection, loaded)

    async def _load(self, session_id: str, interaction_id: int | None = None) -> Loaded:
        """Read a session; pause one that cannot be read, let one go on that can be read again."""
        try:
            async with self._store.read() as connection:
                loaded = await load(connection, self.registry, session_id, interaction_id)
        except Unreadable as fault:
            logger.error("session %s is paused: %s", session_id, fault.why)
            with suppress(Refused):
                await set_status(self._store, session_id, db.PAUSED, fault.why)
            raise
        if loaded.table.paused:
            logger.info("session %s can be read again and goes on", session_id)
            await set_status(self._store, session_id, db.RUNNING, None)
            table = replace(loaded.table, status=db.RUNNING, trouble="")
            loaded = replace(loaded, table=table)
        return loaded

    async def _step(
        self,
        loaded: Loaded,
        acted: Acted,
        row: LogRow,
        packed: bytes | None,
        session: Mapping[str, Any],
        *,
        seat: tuple[str, Mapping[str, Any]] | None = None,
        user: tuple[int, str] | None = None,
    ) -> None:
        """Save one step and tell the outbox. Raises `Stale`, `Duplicate`, `StoreBusy`, `StoreFull`."""
        session_id = acted.table.id
        change = Change(
            session_id=session_id,
            row=row,
            chain=row.link(session_id, loaded.chain),
            state=packed,
            session=session,
            payload=payload_of(row, acted),
            post="ended" if acted.table.over else "panel",
            seat=seat,
            ends=acted.table.over,
        )
        try:
            await self._saved(save(self._store, change, user), session_id)
        except Outrun:
            raise Stale(await self.get(session_id)) from None
        if acted.table.over:
            self._chains.drop(session_id)

    async def _saved(self, saving: Coroutine[Any, Any, None], session_id: str) -> None:
        """Finish saving even if the caller is cancelled, so that what is saved is also posted."""

        async def save_and_wake() -> None:
            await saving
            self.wake(session_id)

        task = asyncio.create_task(save_and_wake())
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)
        await asyncio.shield(task)

    def _plain_row(
        self,
        loaded: Loaded,
        kind: str,
        user_id: int,
        interaction_id: int,
        events: tuple[Event, ...],
    ) -> LogRow:
        """A log row for something that is no action of the game and uses no chance."""
        return LogRow(
            number=loaded.table.version + 1,
            kind=kind,
            base=loaded.tip,
            user_id=user_id,
            seat="",
            action=dumps({"verb": kind}),
            events=dumps(events),
            results="[]",
            key_number=None,
            key=None,
            salts=None,
            state_hash=loaded.state_hash,
            binding=False,
            interaction_id=interaction_id,
            time=self._clock(),
        )

    async def _explain_taken(
        self, channel_id: int, interaction_id: int, fault: IntegrityError
    ) -> None:
        """Raise `Duplicate` or `ChannelTaken`; return when it was the id that was taken."""
        async with self._store.read() as connection:
            done = select(db.log.c.session_id).where(db.log.c.interaction_id == interaction_id)
            session_id = (await connection.execute(done)).scalar_one_or_none()
            if session_id is not None:
                raise Duplicate(session_id) from fault
            there = select(db.sessions.c.id).where(
                db.sessions.c.channel_id == channel_id, db.sessions.c.status != db.ENDED
            )
            session_id = (await connection.execute(there)).scalar_one_or_none()
            if session_id is not None:
                raise ChannelTaken(session_id) from fault


def _going(loaded: Loaded) -> Table:
    """The table, if something can still happen there. Raises `Duplicate`, `TableOver`."""
    if loaded.repeated:
        raise Duplicate(loaded.table.id)
    if loaded.table.over:
        raise TableOver(loaded.table)
    return loaded.table


def _fresh(table: Table, expected_version: int | None) -> None:
    if expected_version is not None and expected_version != table.version:
        raise Stale(table)


def _seat_for(table: Table, user_id: int, action: Action, seat: str | None) -> str:
    """The seat a user acts for. Raises `NotYourSeat`."""
    own = table.seats_of(user_id)
    if seat is not None:
        holder = table.holder(seat)
        if holder is None:
            raise NotYourSeat("There is no such seat at this table.")
        if seat not in own:
            raise NotYourSeat(f"{holder.title} is not your seat.")
        return seat
    if not own:
        names = [holder.name for holder in table.seats if holder.name]
        players = " and ".join(names) or "nobody yet"
        raise NotYourSeat(f"You do not play at this table; it is played by {players}.")
    can = [s for s in own if action.verb in table.game.verbs_now(table.state, s)]
    return (can or list(own))[0]


def _handover(before: Table, after: Table) -> bool:
    """Whether other seats must act than before."""
    return {task.seat for task in before.tasks()} != {task.seat for task in after.tasks()}

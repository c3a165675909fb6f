"""From rows to a `Table`: the session, its seats, its pinned game, its state."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import exists, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import NoSuchTable, Refused, Unreadable
from bot.sessions.model import EACH, QUIET, USUAL, SeatHolder, Sitter, Table
from bot.sessions.pace import OVERTIMES, WAIT, pace_of
from bot.sessions.records import SALTS, digest, unpack
from bot.sessions.taught import step_of
from bot.store import schema as db
from games.kernel.game import Game, Setup
from games.registry import GameUnavailable, Registry


@dataclass(frozen=True, slots=True)
class Loaded:
    """A table with what only the session service needs to know of it.

    `repeated`: the interaction that is being handled is in the log already.
    """

    table: Table
    tip: int
    chain: str
    secret: bytes
    salts: tuple[str, ...]
    state_hash: str
    repeated: bool


async def load(
    connection: AsyncConnection,
    registry: Registry,
    session_id: str,
    interaction_id: int | None = None,
    *,
    stateless: bool = False,
) -> Loaded:
    """Read a session. `stateless` forgives what cannot be read and leaves it out.

    Raises `NoSuchTable`, and `Unreadable` when its state, its content or its row cannot be used.
    """
    known = exists().where(db.log.c.interaction_id == interaction_id)
    wanted = select(db.sessions, known.label("repeated")).where(db.sessions.c.id == session_id)
    row: Any = (await connection.execute(wanted)).one_or_none()
    if row is None:
        raise NoSuchTable()
    holders = await _holders(connection, session_id)
    game: Any = None
    state: Any = None
    setup, salts = Setup("", ""), list[str]()
    try:
        game = await _game(connection, registry, row)
        setup, salts = _columns(row)
        state = read_state(game, row.id, row.state, row.state_hash)
    except Unreadable:
        if not stateless:
            raise
    table = Table(
        id=row.id,
        slug=row.game,
        game=game,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        host_id=row.host_id,
        seats=holders,
        version=row.version,
        status=row.status,
        setup=setup,
        state=state,
        commitment=row.commitment,
        keys_used=row.keys_used,
        panel_message_id=row.panel_message_id,
        panel_version=row.panel_version,
        trouble=row.trouble or "",
        created=row.created,
        updated=row.updated,
        takebacks=row.takebacks,
        pace=pace_of(row.pace),
        overtime=row.overtime if row.overtime in OVERTIMES else WAIT,
        posts=row.posts if row.posts in (EACH, QUIET) else USUAL,
        lesson_step=await step_of(connection, row.id) if setup.lesson else None,
    )
    return Loaded(
        table=table,
        tip=row.tip,
        chain=row.chain,
        secret=row.secret,
        salts=tuple(salts),
        state_hash=row.state_hash,
        repeated=interaction_id is not None and bool(row.repeated),
    )


def _columns(row: Any) -> tuple[Setup, list[str]]:
    """The set-up and the salts of a session's row. Raises `Unreadable`."""
    try:
        return msgspec.json.decode(row.setup, type=Setup), SALTS.decode(row.salts)
    except msgspec.MsgspecError as fault:
        raise Unreadable(row.id, f"set-up or salts: {fault}") from fault


async def _holders(connection: AsyncConnection, session_id: str) -> tuple[SeatHolder, ...]:
    seats, users, waits = db.seats.c, db.seat_users.c, db.waits.c
    wanted = (
        select(db.seats, users.user_id, users.name, users.joined, waits.since, waits.muted)
        .outerjoin(
            db.seat_users,
            (users.session_id == seats.session_id) & (users.seat == seats.seat),
        )
        .outerjoin(db.waits, (waits.session_id == seats.session_id) & (waits.seat == seats.seat))
        .where(seats.session_id == session_id)
        .order_by(seats.place, users.joined, users.user_id)
    )
    found: dict[str, SeatHolder] = {}
    for row in (await connection.execute(wanted)).all():
        empty = SeatHolder(
            seat=row.seat,
            title=row.title,
            moment=row.moment,
            stand_in=row.stand_in,
            bank=row.bank,
            since=row.since,
            muted=_muted(row.muted),
        )
        holder = found.setdefault(row.seat, empty)
        if row.user_id is not None:
            sitter = Sitter(row.user_id, row.name, row.joined)
            found[row.seat] = replace(holder, users=(*holder.users, sitter))
    return tuple(found.values())


def _muted(raw: str | None) -> tuple[int, ...]:
    """Who is not to be reminded; nobody when the row is missing or damaged."""
    try:
        return msgspec.json.decode(raw, type=tuple[int, ...]) if raw else ()
    except msgspec.MsgspecError:
        return ()


def read_state(game: Game[Any], session_id: str, packed: bytes, state_hash: str) -> Any:
    """A state from its stored bytes. Raises `Unreadable` when they are damaged or not understood."""
    try:
        raw = unpack(packed)
        if digest(raw) != state_hash:
            raise ValueError("the state does not have the hash that was saved with it")
        return game.decode(raw)
    except Exception as fault:
        raise Unreadable(session_id, f"state: {fault}") from fault


async def _game(connection: AsyncConnection, registry: Registry, row: Any) -> Game[Any]:
    """The game with the content that the session began with. Raises `Unreadable`."""
    try:
        game = registry.known(row.game, row.content_hash)
        if game is None:
            wanted = select(db.contents.c.tables).where(db.contents.c.hash == row.content_hash)
            packed = (await connection.execute(wanted)).scalar_one_or_none()
            if packed is None:
                raise GameUnavailable("The content it began with is missing.")
            game = registry.pinned(row.game, msgspec.json.decode(unpack(packed)))
            if game.content_hash != row.content_hash:
                raise GameUnavailable("The content it began with is damaged.")
    except Refused:
        raise
    except Exception as fault:
        raise Unreadable(row.id, f"content: {fault}") from fault
    if row.rules_version > game.rules_version:
        raise Unreadable(
            row.id,
            f"it was played with version {row.rules_version} of the rules, and this bot has "
            f"version {game.rules_version}",
        )
    return game

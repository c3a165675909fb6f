"""Games as files: written out with everything that is known, taken in as a new session elsewhere."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import structs
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import NotAllowed, Refused
from bot.sessions.core import Core
from bot.sessions.history import proof, replay
from bot.sessions.model import Acted, SeatHolder, Sitter, Table
from bot.sessions.opening import seated
from bot.sessions.reading import load
from bot.sessions.records import LogRow, digest, dumps, pack, unpack
from bot.sessions.savefile import FORMAT, MOST_BYTES, NOTE, TAMPERED, Save, read_save
from bot.sessions.terms import Terms
from bot.sessions.timers import plan_step
from bot.sessions.writing import Change, Opening, payload_of, save_opening
from bot.store import schema as db
from bot.texts import clip, plain
from games.kernel.event import Event, Noted
from games.kernel.game import Game
from games.kernel.illegal import Illegal
from games.registry import GameUnavailable

SECRETS = (
    "The file of a game under way shows all that is hidden in it. As long as several people play, only "
    "a moderator who has no seat can have it; so can whoever runs this bot (`python -m bot export`), "
    "and everybody when the game is over."
)
NOT_HERE = "Only those who play at this table, or a moderator, can export it."
UNKNOWN = "This bot has no game “{slug}”, so it cannot go on with that one."
NEWER_RULES = (
    "That game was played with version {theirs} of the rules of {title}, and this bot has version "
    "{ours}. Update the bot first."
)
OVER = "The game in that file is over, so there is nothing to go on with."
LOBBY = "The game in that file had not begun. `/{slug} new` opens a new one."
WORN = "The content or the state in that file cannot be read: {why}."
TOO_LONG = "This game has grown larger than the 4 MiB that can be imported again."


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where an imported game goes on, and who hosts it."""

    guild_id: int | None
    channel_id: int
    user_id: int
    user_name: str
    interaction_id: int


@dataclass(frozen=True, slots=True)
class _Checked:
    save: Save
    game: Game[Any]
    state: Any


class Carrying(Core):
    """Export and import."""

    async def save_file(self, session_id: str, user_id: int | None, *, moderator: bool) -> bytes:
        """A session as a file; `user_id` None: for whoever runs the bot, who may have all.

        Works for one that cannot be read, too. Raises `NoSuchTable`, `NotAllowed`, `Refused` when it is
        damaged beyond that.
        """
        async with self._store.read() as connection:
            loaded = await load(connection, self.registry, session_id, stateless=True)
            table = loaded.table
            if user_id is not None:
                await _may_export(connection, table, user_id, moderator)
            return await _written(connection, table)

    async def take_in(self, raw: bytes, to: Arrival) -> Table:
        """Go on with a game from a file, as a new session whose host is the one who brings it.

        Somebody who brings a game that one person plays sits on all its seats; else they are vacant.
        Raises `Refused` with the reason why a file is not taken, `ChannelTaken`, `Duplicate`,
        `TooManyWaiting`; then nothing has been written.
        """
        checked = await asyncio.to_thread(self._checked, raw)
        for _ in range(3):
            session_id, secret = self._name(), self._secret()
            await self._chains.warm(session_id, secret)
            commitment = self._chains.chain(session_id, secret).key(0).hex()
            table, opening, change, old = _arrived(
                checked, to, session_id, secret, commitment, self._clock()
            )

            async def history(connection: AsyncConnection, _: str, old: Any = old) -> None:
                await connection.execute(insert(db.log), old)

            saving = save_opening(
                self._store,
                opening,
                change,
                (to.user_id, to.user_name),
                history,
                most_waiting=self._most_waiting,
            )
            try:
                await self._saved(saving, change)
            except IntegrityError as fault:
                await self._explain_taken(to.channel_id, to.interaction_id, fault)
                continue
            return table
        raise Refused("The table could not be opened. Try again.")

    def _checked(self, raw: bytes) -> _Checked:
        """A file's game and state, played again from its beginning. Raises `Refused`."""
        save = read_save(raw)
        if save.game not in self.registry.slugs():
            raise Refused(UNKNOWN.format(slug=plain(clip(save.game, 40))))
        kinds = {row.told.kind for row in save.rows}
        if save.status == db.ENDED or "end" in kinds:
            raise Refused(OVER)
        if save.status == db.LOBBY or "begin" not in kinds:
            raise Refused(LOBBY.format(slug=save.game))
        game = self._game_of(save)
        try:
            if save.state is None:
                raise ValueError("it was saved from a game that could not be read")
            state = game.decode(save.state.encode())
            if game.encode(state) != save.state.encode() and (
                save.rules_version == game.rules_version
            ):
                raise ValueError("its state is not written as this bot writes it")
            seats = [seat.id for seat in game.seats(save.setup)]
            over = game.result(state) is not None
            tasks = {task.seat for task in game.tasks(state)}
            for seat in (None, *seats):
                game.view(state, seat)
        except Exception as fault:
            raise Refused(WORN.format(why=plain(clip(str(fault), 120).rstrip(".")))) from fault
        if over:
            raise Refused(OVER)
        if seats != [seat.seat for seat in save.seats] or not tasks <= set(seats):
            raise Refused(TAMPERED.format(why="its seats are not those of its set-up"))
        if save.rules_version == game.rules_version:
            _possible(save, game)
            _replayed(save, game, state)
        return _Checked(save, game, state)

    def _game_of(self, save: Save) -> Game[Any]:
        """The game with the file's content. Raises `Refused`."""
        try:
            newest = self.registry.newest(save.game)
            if save.rules_version < 1:
                raise Refused(TAMPERED.format(why="there never was such a version of its rules"))
            if save.rules_version > newest.rules_version:
                raise Refused(
                    NEWER_RULES.format(
                        theirs=save.rules_version, title=newest.title, ours=newest.rules_version
                    )
                )
            game = self.registry.known(save.game, save.content_hash)
            if game is None:
                if save.tables is None:
                    raise ValueError("it holds no content")
                game = self.registry.pinned(save.game, save.tables)
            if game.content_hash != save.content_hash:
                raise Refused(TAMPERED.format(why="its content is not the one that was saved"))
            return game
        except Refused:
            raise
        except GameUnavailable as fault:
            raise Refused(fault.sentence) from fault
        except Exception as fault:
            raise Refused(WORN.format(why=plain(clip(str(fault), 120).rstrip(".")))) from fault


def _possible(save: Save, game: Game[Any]) -> None:
    """Raise `Refused` for a set-up that nobody could have chosen; a campaign chooses by itself."""
    setup = save.setup
    if setup.lesson and setup.lesson not in game.lessons():
        raise Refused(TAMPERED.format(why="its set-up cannot be chosen"))
    if setup.campaign or setup.roster or setup.lesson:
        return
    names = {field.name for field in game.setup_fields()}
    chosen = {"mission": setup.mission, "mode": setup.mode, **setup.options}
    try:
        read = game.read_setup({name: value for name, value in chosen.items() if name in names})
    except Illegal as illegal:
        raise Refused(TAMPERED.format(why="its set-up cannot be chosen")) from illegal
    if (read.mission, read.mode) != (setup.mission, setup.mode):
        raise Refused(TAMPERED.format(why="its set-up cannot be chosen"))


def _replayed(save: Save, game: Game[Any], state: Any) -> None:
    """Raise `Refused` when the log, played again, does not lead to the file's state."""
    table = _table(save, game, state, save.session, (), save.commitment)
    rows = [row.told.row() for row in save.rows]
    try:
        wrong = replay(table, save.tip, save.state_hash, rows)
    except Exception as fault:
        raise Refused(TAMPERED.format(why="its log cannot be played again")) from fault
    if wrong:
        raise Refused(TAMPERED.format(why=wrong))


async def _may_export(
    connection: AsyncConnection, table: Table, user_id: int, moderator: bool
) -> None:
    """Raise `NotAllowed` for strangers, and for players while others hide something from them."""
    users = select(db.log.c.user_id).where(db.log.c.session_id == table.id).distinct()
    people = {*(await connection.execute(users)).scalars(), *table.people()} - {0}
    if user_id not in people and not moderator:
        raise NotAllowed(NOT_HERE)
    if table.over or people <= {user_id}:
        return
    if not moderator or user_id in people:
        raise NotAllowed(SECRETS)


async def _written(connection: AsyncConnection, table: Table) -> bytes:
    """The file of a session. Raises `Refused` when its log is damaged."""
    found = select(db.sessions, db.contents.c.tables).outerjoin(
        db.contents, db.contents.c.hash == db.sessions.c.content_hash
    )
    row: Any = (await connection.execute(found.where(db.sessions.c.id == table.id))).one()
    proved = await proof(connection, table.id, whole=True)
    save = {
        **proved,
        "format": FORMAT,
        "note": NOTE,
        "rules_version": row.rules_version,
        "status": db.RUNNING if row.status == db.PAUSED else row.status,
        "setup": _json(row.setup),
        "content_hash": row.content_hash,
        "tables": _json(_text(row.tables) or "null"),
        "seats": [
            {"seat": h.seat, "title": h.title, "names": [user.name for user in h.users]}
            for h in table.seats
        ],
        "tip": row.tip,
        "terms": Terms(table.pace, table.overtime, table.posts).columns(),
        "state": _text(row.state),
        "state_hash": row.state_hash,
        "trouble": row.trouble or "",
    }
    return msgspec.json.format(msgspec.json.encode(save), indent=1)


def _text(packed: bytes | None) -> str | None:
    """What was packed; None when it is damaged."""
    try:
        return None if packed is None else unpack(packed).decode()
    except Exception:
        return None


def _json(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.MsgspecError:
        return None


def importable(raw: bytes) -> bool:
    """Whether a file is small enough to be taken in again."""
    return len(raw) <= MOST_BYTES


def _table(
    save: Save,
    game: Game[Any],
    state: Any,
    session_id: str,
    seats: tuple[SeatHolder, ...],
    commitment: str,
    *,
    to: Arrival | None = None,
    now: int = 0,
) -> Table:
    terms = save.terms.read()
    return Table(
        id=session_id,
        slug=game.slug,
        game=game,
        guild_id=to.guild_id if to else None,
        channel_id=to.channel_id if to else 0,
        host_id=to.user_id if to else 0,
        seats=seats,
        version=len(save.rows) + 1,
        status=db.RUNNING,
        setup=structs.replace(save.setup, campaign=""),
        state=state,
        commitment=commitment,
        keys_used=0,
        panel_message_id=None,
        panel_version=None,
        trouble="",
        created=now,
        updated=now,
        pace=terms.pace,
        overtime=terms.overtime,
        posts=terms.posts,
    )


def _arrived(
    checked: _Checked, to: Arrival, session_id: str, secret: bytes, commitment: str, now: int
) -> tuple[Table, Opening, Change, list[dict[str, Any]]]:
    """All rows of the new session: its own, its step, and the older log rows."""
    save, game = checked.save, checked.game
    number = len(save.rows) + 1
    sitter = Sitter(to.user_id, to.user_name, number)
    users = [sitter] if game.solo(save.setup) else []
    seats = seated(game, save.setup, users, number)
    table = _table(save, game, checked.state, session_id, seats, commitment, to=to, now=now)
    raw = game.encode(checked.state)
    packed, state_hash = pack(raw), digest(raw)
    old, link = _older(save, session_id, packed)
    events = _told(save, to)
    origin = {"session": save.session, "commitment": save.commitment, "chain": save.chain}
    row = LogRow(
        number=number,
        kind="import",
        base=save.tip,
        user_id=to.user_id,
        seat="",
        action=dumps({"verb": "import", **origin}),
        events=dumps(events),
        results="[]",
        key_number=None,
        key=None,
        salts=None,
        state_hash=state_hash,
        binding=True,
        interaction_id=to.interaction_id,
        time=now,
    )
    text = f"-# The dice go on with new keys, sealed by `{commitment}`."
    acted = Acted(table, events, binding=True, handover=True, text=text)
    change = Change(
        session_id=session_id,
        acted=acted,
        row=row,
        chain=row.link(session_id, link),
        state=packed,
        session={},
        payload=payload_of(row, acted),
        post="panel",
        seats=seats,
        timers=plan_step(None, table, (), now),
    )
    session = {
        "id": session_id,
        "game": game.slug,
        "guild_id": to.guild_id,
        "channel_id": to.channel_id,
        "host_id": to.user_id,
        "setup": dumps(table.setup),
        "content_hash": game.content_hash,
        "rules_version": save.rules_version,
        "version": number,
        "tip": number,
        "status": table.status,
        "state": packed,
        "state_hash": state_hash,
        "chain": change.chain,
        "secret": secret,
        "commitment": commitment,
        "salts": dumps([str(to.interaction_id)]),
        "keys_used": 0,
        **save.terms.read().columns(),
        "created": now,
        "updated": now,
    }
    return table, Opening(session, game), change, old


def _older(save: Save, session_id: str, packed: bytes) -> tuple[list[dict[str, Any]], str]:
    """The log rows of the file as rows of the new session, and the last one's link."""
    rows: list[dict[str, Any]] = []
    link: str | None = None
    for saved in save.rows:
        row = saved.told.row()
        link = row.link(session_id, link)
        state = packed if row.number == save.tip else None
        rows.append({"session_id": session_id, **row.columns(), "chain": link, "state": state})
    return rows, link or ""


def _told(save: Save, to: Arrival) -> tuple[Event, ...]:
    lines = [f"{plain(to.user_name)} goes on here with a game that was saved elsewhere."]
    lines += [
        f"{plain(seat.title)} was played by {plain(clip(', '.join(seat.names), 120))}."
        for seat in save.seats
        if seat.names
    ]
    return tuple(Noted(text=line) for line in lines)

"""The log read back: as history, as a proof of the dice, as a check of the session itself."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import exists, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.refusals import NoSuchTable, Refused
from bot.sessions.model import LogEntry, Table
from bot.sessions.opening import preview
from bot.sessions.reading import Loaded
from bot.sessions.records import ACTION, EVENTS, RESULTS, SALTS, LogRow, digest, read_log_row
from bot.sessions.undo import PLAYED
from bot.store import schema as db
from bot.texts import GONE, GONE_NAME
from games.kernel.action import read_action
from games.kernel.entropy import CommittedEntropy, RecordedEntropy
from games.kernel.event import Event, Noted
from games.kernel.game import Setup
from games.kernel.play import begin, play
from games.kernel.verify import hash_key

logger = logging.getLogger(__name__)

DAMAGED = "This entry of the log is damaged. Please tell whoever runs this bot."
NO_PROOF = (
    "The log of this game is damaged, so its dice cannot be proved any more. Please tell whoever "
    "runs this bot."
)


async def read_history(
    connection: AsyncConnection, session_id: str, after: int, limit: int
) -> list[LogEntry]:
    """Log rows after a number, oldest first. Raises `NoSuchTable`."""
    await _session(connection, session_id)
    log = db.log.c
    undos = select(log.base, log.action).where(log.session_id == session_id, log.kind == "undo")
    undone = {n for row in (await connection.execute(undos)).all() for n in taken_back(row)}
    wanted = (
        select(db.log, db.users.c.name)
        .outerjoin(db.users, db.users.c.id == log.user_id)
        .where(log.session_id == session_id, log.number > after)
        .order_by(log.number)
        .limit(limit)
    )
    rows = (await connection.execute(wanted)).all()
    return [_entry(row, undone=row.number in undone) for row in rows]


def taken_back(undo: Any) -> list[int]:
    """The numbers of the rows that an undo took back."""
    try:
        rows = ACTION.decode(undo.action).get("rows", ())
    except msgspec.MsgspecError:
        rows = ()
    return [undo.base, *rows]


def _entry(row: Any, *, undone: bool) -> LogEntry:
    """A log row for reading; one that is damaged says so."""
    action: dict[str, Any] = {}
    events: tuple[Event, ...] = (Noted(text=DAMAGED),)
    try:
        action, events = ACTION.decode(row.action), EVENTS.decode(row.events)
    except msgspec.MsgspecError as fault:
        logger.error("session %s: log row %d is damaged: %s", row.session_id, row.number, fault)
    return LogEntry(
        number=row.number,
        kind=row.kind,
        base=row.base,
        user_id=row.user_id,
        name=GONE_NAME if row.user_id == GONE else row.name or "",
        seat=row.seat,
        action=action,
        events=events,
        binding=row.binding,
        undone=undone,
        time=row.time,
    )


async def proof(
    connection: AsyncConnection, session_id: str, *, whole: bool = False
) -> dict[str, Any]:
    """What `games.kernel.verify` checks. Raises `NoSuchTable`, and `Refused` for a damaged log.

    The meaning of a private result must not get out while somebody else plays against it. Since
    each key gives away those before it, the proof then ends before the first such roll;
    `whole` is for those who may know everything.
    """
    session = await _session(connection, session_id)
    log = db.log.c
    wanted = select(log.number, log.events, log.results, log.key_number, log.key, log.salts)
    wanted = wanted.where(log.session_id == session_id, log.key.is_not(None))
    # What came before in another session belongs to that one's seal, and is in the imported file.
    taken_over = select(func.max(log.number))
    taken_over = taken_over.where(log.session_id == session_id, log.kind == "import")
    wanted = wanted.where(log.number > (await connection.scalar(taken_over) or 0))
    people = select(func.count(log.user_id.distinct()))
    people = people.where(log.session_id == session_id, log.user_id != 0)
    alone = whole or (await connection.execute(people)).scalar_one() == 1
    rolls: list[dict[str, Any]] = []
    for row in (await connection.execute(wanted.order_by(log.number))).all():
        try:
            if session.status != db.ENDED and not alone and _private(EVENTS.decode(row.events)):
                break
            rolls.append(_roll(row))
        except msgspec.MsgspecError as fault:
            logger.error("session %s: log row %d is damaged: %s", session_id, row.number, fault)
            raise Refused(NO_PROOF) from fault
    return {
        "game": session.game,
        "session": session_id,
        "commitment": session.commitment,
        "rolls": rolls,
        "rows": await _links(
            connection, session_id, contents=alone or session.status == db.ENDED, whole=whole
        ),
        "chain": session.chain,
    }


async def _links(
    connection: AsyncConnection, session_id: str, *, contents: bool, whole: bool
) -> list[dict[str, Any]]:
    """The chain of the log. `contents`: with what each row holds, private things too.

    A row from which somebody was taken out has its link, but not the content that it was made from;
    `whole` gives what is left of that, so that the game can be played again.
    """
    wanted = select(db.log).where(db.log.c.session_id == session_id).order_by(db.log.c.number)
    listed: list[dict[str, Any]] = []
    for row in (await connection.execute(wanted)).all():
        told: dict[str, Any] = {"number": row.number, "chain": row.chain}
        if row.sealed:
            told["forgotten"] = read_log_row(row).columns() if whole else True
        elif contents:
            told["content"] = read_log_row(row).columns()
        listed.append(told)
    return listed


def _roll(row: Any) -> dict[str, Any]:
    """What a proof says about one action."""
    results = RESULTS.decode(row.results)
    return {
        "number": row.key_number,
        "row": row.number,
        "key": row.key,
        "salts": SALTS.decode(row.salts or "[]"),
        "results": [msgspec.to_builtins(result) for result in results],
    }


async def begun(connection: AsyncConnection, session_id: str) -> bool:
    """Whether a session has left its lobby."""
    wanted = exists().where(db.log.c.session_id == session_id, db.log.c.kind == "begin")
    return bool((await connection.execute(select(wanted))).scalar_one())


async def _session(connection: AsyncConnection, session_id: str) -> Any:
    """A session's row. Raises `NoSuchTable`."""
    wanted = select(db.sessions).where(db.sessions.c.id == session_id)
    row = (await connection.execute(wanted)).one_or_none()
    if row is None:
        raise NoSuchTable()
    return row


def _private(events: Sequence[Event]) -> bool:
    return any(event.to is not None for event in events)


async def audit(connection: AsyncConnection, loaded: Loaded) -> str:
    """Check the log's chain and play it again; returns what is wrong, or `""`."""
    table = loaded.table
    wanted = select(db.log).where(db.log.c.session_id == table.id).order_by(db.log.c.number)
    rows = (await connection.execute(wanted)).all()
    previous: str | None = None
    for number, row in enumerate(rows, start=1):
        # What a sealed row held is gone, so only its link is there; it is played again like all.
        link = row.chain if row.sealed else read_log_row(row).link(table.id, previous)
        if row.number != number or link != row.chain:
            return f"the chain of log rows breaks at row {number}"
        previous = row.chain
    if previous != loaded.chain or len(rows) != table.version:
        return "the session does not end where its log ends"
    return replay(table, loaded.tip, loaded.state_hash, [read_log_row(row) for row in rows])


def replay(table: Table, tip: int, state_hash: str, rows: Sequence[LogRow]) -> str:
    """Play the rows of a log again, with their keys; returns what is wrong, or `""`."""
    game, states, here = table.game, dict[int, Any](), 0
    origins = [*_origins(rows), (table.id, table.commitment)]
    session, last_key = origins[0][0], bytes.fromhex(origins[0][1])
    bases = {row.number: row.base for row in rows if row.kind in PLAYED}
    for row in rows:
        salts: list[str] = []
        if row.key is not None:
            key = bytes.fromhex(row.key)
            if hash_key(key) != last_key:
                return f"the key of row {row.number} does not belong to the chain"
            last_key, salts = key, SALTS.decode(row.salts or "[]")
        # A row without a key has no results either, so one that asks for chance is found out.
        source = CommittedEntropy(bytes.fromhex(row.key or ""), session, salts, row.key_number or 0)
        entropy = RecordedEntropy(source)
        if row.kind in ("lobby", "setup"):
            setup = msgspec.convert(ACTION.decode(row.action)["setup"], Setup)
            states[row.number] = preview(game, setup, session).state
            here = row.number
        elif row.kind == "begin":
            if row.base != here:
                return f"row {row.number} begins on row {row.base} instead of {here}"
            states[row.number] = begin(game, table.setup, entropy).state
            here = row.number
        elif row.kind in ("act", "stand_in"):
            if row.base != here:
                return f"row {row.number} was played on row {row.base} instead of {here}"
            action = read_action(ACTION.decode(row.action))
            states[row.number] = play(game, states[here], row.seat, action, entropy).state
            here = row.number
        elif row.kind == "undo":
            line = _line(bases, here, row.base)
            if not line:
                return f"row {row.number} takes back row {row.base}, which does not lead to {here}"
            if set(line) != set(taken_back(row)):
                return f"row {row.number} does not name what it takes back"
            here = bases[row.base]
        elif row.kind == "import":
            if row.base != here:
                return f"row {row.number} goes on from row {row.base} instead of {here}"
            states[row.number], here = states[here], row.number
            origins.pop(0)
            session, last_key = origins[0][0], bytes.fromhex(origins[0][1])
        if entropy.results != list(RESULTS.decode(row.results)):
            return f"the dice and draws of row {row.number} are not what its key gives"
        if digest(game.encode(states[here])) != row.state_hash:
            return f"row {row.number} ({row.kind}) leads to another state than was saved"
    if here != tip or digest(game.encode(states[here])) != state_hash:
        return "the session is not in the state that its log leads to"
    return ""


def _origins(rows: Sequence[LogRow]) -> list[tuple[str, str]]:
    """The sessions in which a game was played before it was imported, with their seals."""
    told = (ACTION.decode(row.action) for row in rows if row.kind == "import")
    return [(str(action["session"]), str(action["commitment"])) for action in told]


def _line(bases: Mapping[int, int], tip: int, oldest: int) -> list[int]:
    """The actions from the tip back to an older one; nothing when they do not lead there."""
    line = [tip]
    while line[-1] != oldest:
        base = bases.get(line[-1], 0)
        if base < oldest:
            return []
        line.append(base)
    return line if tip in bases else []

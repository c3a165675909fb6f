"""Reading and writing the rows of decks; every function works inside the caller's transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import texts
from bot.parlour.decks_model import (
    DeckMoved,
    NoDeck,
    Request,
    Standing,
    Told,
    pack,
    read_standing,
)
from bot.refusals import Duplicate
from bot.store.parlour import deck_hands, deck_log, decks
from games.parlour.deck_file import folded

NONE_HERE = "There is no deck in this channel. `/deck new` makes one."
NO_SUCH = "There is no deck “{name}” in this channel. There are: {names}."
WHICH = "There are several decks in this channel. Say which with `deck`: {names}."
REMOVED = "That deck does not exist any more. `/deck list` shows those of this channel."
USED_SINCE = (
    "You have used this deck since that button was shown, so nothing was done now. Press the one under "
    "the newest message, or use `/deck`."
)
MOVED = (
    "Something has happened to this deck since that button was shown, so nothing was done. `/deck show` "
    "shows how it stands."
)


async def rows_of(connection: AsyncConnection, channel_id: int) -> Sequence[Row[Any]]:
    """The decks of a channel, by name."""
    chosen = select(decks).where(decks.c.channel_id == channel_id).order_by(decks.c.name)
    return (await connection.execute(chosen)).all()


async def whole(connection: AsyncConnection, row: Row[Any]) -> Standing:
    """A deck with its hands."""
    chosen = select(deck_hands).where(deck_hands.c.deck_id == row.id)
    hands = await connection.execute(chosen.order_by(deck_hands.c.user_id))
    return read_standing(row, hands.all())


async def find(connection: AsyncConnection, wanted: Request, *, hold: bool = False) -> Standing:
    """The deck that is meant; `hold` keeps others from changing it. Raises `NoDeck`."""
    deck_id = wanted.deck_id or await _meant(connection, wanted)
    # By channel too: a button's id must not lead to the deck of another one.
    mine = (decks.c.id == deck_id) & (decks.c.channel_id == wanted.channel_id)
    chosen = select(decks).where(mine)
    row = (await connection.execute(chosen.with_for_update() if hold else chosen)).one_or_none()
    if row is None:
        raise NoDeck(REMOVED)
    return await whole(connection, row)


async def _meant(connection: AsyncConnection, wanted: Request) -> str:
    """The id of the deck of that name, or of the only one. Raises `NoDeck`."""
    chosen = select(decks.c.id, decks.c.name).where(decks.c.channel_id == wanted.channel_id)
    rows = (await connection.execute(chosen.order_by(decks.c.name))).all()
    if not rows:
        raise NoDeck(NONE_HERE)
    names = texts.listed([f"“{texts.plain(row.name)}”" for row in rows])
    name = folded(wanted.deck)
    if name:
        rows = [row for row in rows if folded(row.name) == name]
        if not rows:
            raise NoDeck(NO_SUCH.format(name=texts.quoted(wanted.deck), names=names))
    elif len(rows) > 1:
        raise NoDeck(WHICH.format(names=names))
    return str(rows[0].id)


def by_id(wanted: Request, deck_id: str) -> Request:
    """The same request for that very deck."""
    return replace(wanted, deck_id=deck_id)


async def not_twice(connection: AsyncConnection, wanted: Request) -> None:
    """Raise `Duplicate` when this very interaction has been carried out."""
    chosen = select(deck_log.c.deck_id).where(deck_log.c.interaction_id == wanted.interaction_id)
    found = await connection.scalar(chosen)
    if found is not None:
        raise Duplicate(str(found))


async def check_seen(connection: AsyncConnection, wanted: Request, now: Standing) -> None:
    """Raise `DeckMoved` when a button is too old: the deck must be as it was then (`exact`), or the
    actor at least must have done nothing with it since."""
    if wanted.since is None or wanted.since == now.version:
        return
    if wanted.exact:
        raise DeckMoved(MOVED)
    column = deck_log.c
    since = (column.deck_id == now.id) & (column.number > wanted.since)
    mine = select(column.number).where(since & (column.user_id == wanted.user_id)).limit(1)
    if await connection.scalar(mine) is not None:
        raise DeckMoved(USED_SINCE)


async def save(
    connection: AsyncConnection, now: Standing, held: Mapping[int, tuple[str, ...]], time: int
) -> None:
    """Write a deck; `held` are the hands as they were read."""
    changed = await connection.execute(
        update(decks)
        .where(decks.c.id == now.id, decks.c.version == now.version - 1)
        .values(state=pack(now.deck.piles), version=now.version, updated=time)
    )
    if changed.rowcount != 1:
        raise DeckMoved(MOVED)
    for user in sorted({*held, *now.deck.hands}):
        cards = now.deck.hands.get(user, [])
        if held.get(user, ()) == tuple(cards):
            continue
        mine = (deck_hands.c.deck_id == now.id) & (deck_hands.c.user_id == user)
        values = {"name": now.names[user], "cards": pack(cards)}
        if not cards:
            await connection.execute(delete(deck_hands).where(mine))
        elif user in held:
            await connection.execute(update(deck_hands).where(mine).values(**values))
        else:
            row = insert(deck_hands).values(deck_id=now.id, user_id=user, **values)
            await connection.execute(row)


async def add_log(
    connection: AsyncConnection,
    deck_id: str,
    number: int,
    wanted: Request,
    kind: str,
    told: Told,
    time: int,
) -> None:
    """Write what was done. Raises `IntegrityError` when the interaction is in the log."""
    await connection.execute(
        insert(deck_log).values(
            deck_id=deck_id,
            number=number,
            user_id=wanted.user_id,
            name=wanted.user_name,
            kind=kind,
            told=pack(told),
            interaction_id=wanted.interaction_id,
            time=time,
        )
    )


def read_told(raw: str) -> Told:
    """What a log row tells."""
    return msgspec.json.decode(raw, type=Told)

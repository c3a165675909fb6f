"""The rows of `rolls`: what was rolled in a channel, as it is kept, found, shown and forgotten."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.parlour.chance import place_name
from bot.refusals import Refused
from bot.store import Store
from bot.store.parlour import chances, rolls
from games.kernel.keytree import KeyTree, seal_number
from games.parlour.roll import Outcome

MOST_PROVED = 1_000
"""Rolls in a proof file, the last ones."""

MOST_LATELY = 60
"""Rolls of a user that are looked through for what to suggest."""

GONE = "That roll is not kept any more. Make a new one with `/roll`."

_OUTCOME = msgspec.json.Decoder(Outcome)


@dataclass(frozen=True, slots=True)
class Kept:
    """A roll as it is kept. `notation` can be read again; `interaction_id` went into its results."""

    id: int
    channel_id: int
    guild_id: int | None
    user_id: int
    name: str
    notation: str
    label: str
    outcome: Outcome
    secret: bool
    key_number: int
    key: str
    interaction_id: int | None
    time: int


async def keep(connection: AsyncConnection, roll: Kept) -> Kept:
    """Write a roll down; the same with its id."""
    values = _columns(roll)
    result = await connection.execute(insert(rolls).values(**values).returning(rolls.c.id))
    return replace(roll, id=int(result.scalar_one()))


def _columns(roll: Kept) -> dict[str, Any]:
    names = [name for name in Kept.__dataclass_fields__ if name != "id"]
    values = {name: getattr(roll, name) for name in names}
    values["outcome"] = msgspec.json.encode(roll.outcome).decode()
    return values


def _read(row: Any) -> Kept:
    values: dict[str, Any] = {name: getattr(row, name) for name in Kept.__dataclass_fields__}
    values |= {"outcome": _OUTCOME.decode(row.outcome), "secret": bool(row.secret)}
    return Kept(**values)


async def known(connection: AsyncConnection, interaction_id: int) -> bool:
    """Whether an interaction has been rolled for already."""
    column = rolls.c.interaction_id
    found = await connection.execute(select(rolls.c.id).where(column == interaction_id))
    return found.first() is not None


async def get(connection: AsyncConnection, roll_id: int, channel_id: int) -> Kept:
    """A roll of a channel. Raises `Refused` when it is not there."""
    chosen = select(rolls).where(rolls.c.id == roll_id, rolls.c.channel_id == channel_id)
    row = (await connection.execute(chosen)).one_or_none()
    if row is None:
        raise Refused(GONE)
    return _read(row)


async def reveal(connection: AsyncConnection, roll_id: int) -> bool:
    """Make a secret roll open; False if it is open already."""
    changed = await connection.execute(
        update(rolls).where(rolls.c.id == roll_id, rolls.c.secret.is_(True)).values(secret=False)
    )
    return changed.rowcount == 1


def _seen(channel_id: int, user_id: int) -> Any:
    """The rolls of a channel that a user may see: open ones, and their own."""
    mine = rolls.c.user_id == user_id
    return (rolls.c.channel_id == channel_id) & or_(rolls.c.secret.is_(False), mine)


@dataclass(frozen=True)
class Page:
    """Some rolls of a channel, the newest first, whether there are newer and older ones, and the seal
    of the channel's dice (empty before the first)."""

    rolls: tuple[Kept, ...]
    newer: bool
    older: bool
    seal: str = ""


async def page(
    connection: AsyncConnection,
    channel_id: int,
    user_id: int,
    most: int,
    *,
    before: int | None = None,
    after: int | None = None,
) -> Page:
    """The rolls before or after one (by id), or the last ones."""
    seen = _seen(channel_id, user_id)
    chosen = select(rolls).where(seen).limit(most)
    if after is not None:
        chosen = chosen.where(rolls.c.id > after).order_by(rolls.c.id)
    elif before is not None:
        chosen = chosen.where(rolls.c.id < before).order_by(rolls.c.id.desc())
    else:
        chosen = chosen.order_by(rolls.c.id.desc())
    found = sorted((_read(row) for row in await connection.execute(chosen)), key=lambda k: -k.id)
    seal = await connection.scalar(
        select(chances.c.commitment).where(chances.c.channel_id == channel_id)
    )
    if not found:
        if before is None and after is None:
            return Page((), False, False, seal or "")
        return await page(connection, channel_id, user_id, most)  # those asked for are gone
    newer = select(rolls.c.id).where(seen, rolls.c.id > found[0].id).limit(1)
    older = select(rolls.c.id).where(seen, rolls.c.id < found[-1].id).limit(1)
    return Page(
        tuple(found),
        (await connection.execute(newer)).first() is not None,
        (await connection.execute(older)).first() is not None,
        seal or "",
    )


async def lately(connection: AsyncConnection, user_id: int) -> list[str]:
    """What a user has rolled lately, in any channel, the last first, each once."""
    chosen = select(rolls.c.notation).where(rolls.c.user_id == user_id)
    found = await connection.execute(chosen.order_by(rolls.c.id.desc()).limit(MOST_LATELY))
    return list(dict.fromkeys(found.scalars()))


async def proof(store: Store, channel_id: int, user_id: int) -> tuple[bytes, int]:
    """The file that proves the rolls of a channel which a user may see, and how many are in it.

    `games.kernel.verify` checks it. Keys of anybody's secret rolls are not in it, and cannot be worked
    out from what is.
    """
    async with store.read() as connection:
        chosen = select(rolls).where(_seen(channel_id, user_id))
        found = await connection.execute(chosen.order_by(rolls.c.id.desc()).limit(MOST_PROVED))
        listed = sorted((_read(row) for row in found), key=lambda one: one.key_number)
        secret = await connection.scalar(
            select(chances.c.secret).where(chances.c.channel_id == channel_id)
        )
    if not listed or secret is None:
        raise Refused("Nothing was rolled here that could be proved. `/roll` rolls dice.")
    return await asyncio.to_thread(_proof, channel_id, bytes(secret), listed), len(listed)


def _proof(channel_id: int, secret: bytes, listed: list[Kept]) -> bytes:
    last = seal_number(listed[-1].key_number)
    trees = [KeyTree(secret, seal) for seal in range(last + 1)]
    told = {
        "session": place_name(channel_id),
        "seals": [tree.root.hex() for tree in trees],
        "rolls": [
            {
                "number": one.key_number,
                "who": one.name,
                "notation": one.notation,
                "totals": [line.total for line in one.outcome.lines],
                "time": one.time,
                "key": one.key,
                "path": [
                    beside.hex()
                    for beside in trees[seal_number(one.key_number)].path(one.key_number)
                ],
                "salts": salts(one.interaction_id),
                "results": [msgspec.to_builtins(result) for result in one.outcome.results],
            }
            for one in listed
        ],
    }
    return json.dumps(told, indent=1, ensure_ascii=False).encode()


def salts(interaction_id: int | None) -> list[str]:
    """What goes into a roll's results besides the channel's key."""
    return [] if interaction_id is None else [str(interaction_id)]


async def about(store: Store, user_id: int) -> list[dict[str, Any]]:
    """Everything that is kept about the rolls of a user, the oldest first."""
    async with store.read() as connection:
        chosen = select(rolls).where(rolls.c.user_id == user_id).order_by(rolls.c.id)
        found = (await connection.execute(chosen)).mappings().all()
    return [{**row, "outcome": json.loads(row["outcome"])} for row in found]


async def forget(connection: AsyncConnection, user_id: int) -> None:
    """Take away all rolls of a user; the channels' other rolls can be proved as before."""
    await connection.execute(delete(rolls).where(rolls.c.user_id == user_id))

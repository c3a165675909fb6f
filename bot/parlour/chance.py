"""A channel's chance: a sealed key for every roll and every draw that happens in it.

The keys are leaves of a tree whose root is the seal (`games.kernel.keytree`), so that a roll can be
proved without telling what was rolled in secret, or drawn to a hand, before or after it. The seal comes
with the first result, because nobody can be told of it earlier in a channel that has never rolled; a
result depends, besides, on the id that Discord gives its command, which nobody can choose.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.parlour import chances
from games.kernel.entropy import CommittedEntropy
from games.kernel.keytree import KeyTree, key_of, seal_number

SECRET_BYTES = 32


@dataclass(frozen=True)
class Chance:
    """A key of a channel that was never used before and never will be again.

    `number` counts the channel's keys, `key` is hexadecimal, `commitment` the seal it lies under.
    `fresh`: it is the first under this seal, so the seal should be shown with it.
    """

    number: int
    key: str
    commitment: str
    entropy: CommittedEntropy
    fresh: bool = False


def place_name(channel_id: int) -> str:
    """What stands for the channel in its results and proofs."""
    return f"channel {channel_id}"


async def take(
    connection: AsyncConnection, channel_id: int, now: int, salts: Sequence[str] = ()
) -> Chance:
    """The next key of the channel, taken inside the caller's write transaction.

    `salts` goes into the results: the id of the interaction, where there is one. The first use makes
    the channel's keys; when those under a seal are used up, the next come under another seal.
    """
    chosen = select(chances.c.secret, chances.c.commitment, chances.c.keys_used)
    found = await connection.execute(
        chosen.where(chances.c.channel_id == channel_id).with_for_update()
    )
    row: Any = found.one_or_none()
    if row is None:
        secret, number, seal, fresh = secrets.token_bytes(SECRET_BYTES), 1, "", True
    else:
        secret, number, seal = bytes(row.secret), int(row.keys_used) + 1, str(row.commitment)
        fresh = seal_number(number) != seal_number(number - 1)
    if fresh:
        seal = await sealed(secret, number)
    if row is None:
        made = {"channel_id": channel_id, "secret": secret, "created": now}
        await connection.execute(insert(chances).values(**made, commitment=seal, keys_used=number))
    else:
        await connection.execute(
            update(chances)
            .where(chances.c.channel_id == channel_id)
            .values(commitment=seal, keys_used=number)
        )
    key = key_of(secret, number)
    entropy = CommittedEntropy(key, place_name(channel_id), salts, number)
    return Chance(number, key.hex(), seal, entropy, fresh)


async def sealed(secret: bytes, number: int) -> str:
    """The seal that a key lies under, hexadecimal. Made in a thread: it takes too long for the loop."""
    tree = await asyncio.to_thread(KeyTree, secret, seal_number(number))
    return tree.root.hex()

"""What is kept about decks and people: proofs of what was drawn, and somebody's own data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.parlour.chance import place_name
from bot.parlour.decks_model import Drawn, Request, Standing, Told, pack
from bot.parlour.decks_rows import find, read_told, save, whole
from bot.refusals import Refused
from bot.store import Store
from bot.store.parlour import chances, deck_hands, deck_log, decks
from bot.texts import GONE, GONE_NAME
from games.kernel.keytree import KeyTree, seal_number
from games.parlour.deck import take

NOTHING_DRAWN = (
    "Nothing has been drawn from this deck by chance yet, so there is nothing to prove. Draw a card "
    "first."
)
MOST_SENT = 8 * 1024 * 1024
"""Bytes of a proof; the oldest draws are left out of a larger one, and counted."""

GATHER = "gather"
"""Kind of the steps that shuffle everything together: what was secret before is over."""


async def proof(store: Store, wanted: Request) -> bytes:
    """The file that proves a deck's draws (`python -m games.kernel.verify`).

    A draw is told when its place in the pile tells nothing of what is in the dark, or after all cards
    were gathered. The others are only counted. Raises `Refused`.
    """
    async with store.read() as connection:
        now = await find(connection, wanted)
        column = deck_log.c
        chosen = select(column.number, column.kind, column.told, column.time)
        rows = (
            await connection.execute(chosen.where(column.deck_id == now.id).order_by(column.number))
        ).all()
        secret = await connection.scalar(
            select(chances.c.secret).where(chances.c.channel_id == now.channel_id)
        )
    drawn = [(row.number, row.time, read_told(row.told).chance, row.kind == GATHER) for row in rows]
    steps = [(number, time, key) for number, time, key, _ in drawn if key is not None]
    if not steps or secret is None:
        raise Refused(NOTHING_DRAWN)
    over = max((number for number, _, _, gathered in drawn if gathered), default=0)
    return await asyncio.to_thread(_proof, now, steps, over, bytes(secret))


def _proof(now: Standing, steps: list[tuple[int, int, Drawn]], over: int, secret: bytes) -> bytes:
    shown = [step for step in steps if step[0] <= over or not step[2].veiled]
    sealed = sorted({key.number for _, _, key in steps} - {key.number for _, _, key in shown})
    last = max(seal_number(key.number) for _, _, key in steps)
    trees = [KeyTree(secret, seal) for seal in range(last + 1)]
    found: dict[str, Any] = {
        "deck": now.name,
        "session": place_name(now.channel_id),
        "seals": [tree.root.hex() for tree in trees],
        "cards": {kind.id: kind.title for kind in now.kinds.values()},
        "sealed": sealed,
        "left_out": 0,
        "rolls": [_roll(step, trees) for step in shown],
    }
    while len(raw := json.dumps(found, ensure_ascii=False).encode()) > MOST_SENT:
        less = len(found["rolls"]) // 2 + 1
        found["rolls"] = found["rolls"][less:]
        found["left_out"] += less
    return raw


def _roll(step: tuple[int, int, Drawn], trees: Sequence[KeyTree]) -> dict[str, Any]:
    """One draw, as the verifier reads it."""
    number, time, key = step
    path = trees[seal_number(key.number)].path(key.number)
    return {
        "step": number,
        "time": time,
        "number": key.number,
        "key": key.key,
        "path": [beside.hex() for beside in path],
        "salts": list(key.salts),
        "results": [
            {"label": r.label, "size": r.size, "index": r.index, "meaning": r.meaning}
            for r in key.results
        ],
    }


async def about(store: Store, user_id: int) -> list[dict[str, Any]]:
    """Everything that is kept about somebody: decks made, cards held, steps taken."""
    found: list[dict[str, Any]] = []
    async with store.read() as connection:
        made = select(decks).where(decks.c.user_id == user_id).order_by(decks.c.created)
        for row in (await connection.execute(made)).all():
            found.append(
                {
                    "what": "deck made",
                    "deck": row.name,
                    "channel": row.channel_id,
                    "server": row.guild_id,
                    "source": row.source,
                    "cards": json.loads(row.cards),
                    "time": row.created,
                }
            )
        held = (
            select(decks.c.name, decks.c.channel_id, decks.c.guild_id, deck_hands.c.cards)
            .join(decks, decks.c.id == deck_hands.c.deck_id)
            .where(deck_hands.c.user_id == user_id)
            .order_by(decks.c.id)
        )
        for row in (await connection.execute(held)).all():
            found.append(
                {
                    "what": "hand",
                    "deck": row.name,
                    "channel": row.channel_id,
                    "server": row.guild_id,
                    "cards": json.loads(row.cards),
                }
            )
        column = deck_log.c
        done = (
            select(column.name, column.user_id, column.kind, column.told, column.time)
            .add_columns(decks.c.name.label("deck"), decks.c.channel_id, decks.c.guild_id)
            .join(decks, decks.c.id == column.deck_id)
            .where((column.user_id == user_id) | column.told.contains(_to(user_id)))
            .order_by(column.deck_id, column.number)
        )
        for row in (await connection.execute(done)).all():
            told = read_told(row.told)
            if user_id not in (row.user_id, told.to_id):
                continue
            found.append(
                {
                    "what": "deck used" if row.user_id == user_id else "cards given to you",
                    "deck": row.deck,
                    "channel": row.channel_id,
                    "server": row.guild_id,
                    "kind": row.kind,
                    "told": told.line(row.name),
                    "time": row.time,
                }
            )
    return found


async def forget(connection: AsyncConnection, user_id: int, time: int) -> None:
    """Delete what is kept about somebody, in the caller's transaction.

    Cards in hand go to the discard piles, in the open; decks stay, and are everybody's.
    """
    held = select(deck_hands.c.deck_id).where(deck_hands.c.user_id == user_id)
    ids = sorted((await connection.execute(held)).scalars().all())
    for deck_id in ids:
        chosen = select(decks).where(decks.c.id == deck_id).with_for_update()
        now = await whole(connection, (await connection.execute(chosen)).one())
        before = {user: tuple(cards) for user, cards in now.deck.hands.items()}
        cards = now.hand(user_id)
        take(now.deck.hands[user_id], cards)
        now.deck.piles.discard += cards
        now.version += 1
        await save(connection, now, before, time)
        told = Told("no longer holds any cards: their hand is discarded")
        row = {"deck_id": deck_id, "number": now.version, "user_id": GONE, "name": GONE_NAME}
        await connection.execute(
            deck_log.insert().values(
                **row, kind="forget", told=pack(told), interaction_id=None, time=time
            )
        )
    await connection.execute(update(decks).where(decks.c.user_id == user_id).values(user_id=GONE))
    await connection.execute(
        update(deck_log)
        .where(deck_log.c.user_id == user_id)
        .values(user_id=GONE, name=GONE_NAME, interaction_id=None)
    )
    column = deck_log.c
    given = select(column.deck_id, column.number, column.told)
    rows = await connection.execute(given.where(column.told.contains(_to(user_id))))
    for row in rows.all():
        told = read_told(row.told)
        if told.to_id != user_id:
            continue
        anonymous = Told(told.text, GONE_NAME, GONE, told.chance)
        await connection.execute(
            update(deck_log)
            .where(column.deck_id == row.deck_id, column.number == row.number)
            .values(told=pack(anonymous))
        )


def _to(user_id: int) -> str:
    """What the log has somewhere in it when cards went to that user."""
    return f'"to_id":{user_id}'

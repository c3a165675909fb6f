"""A channel's keys: one for each use, never twice, under seals that tell nothing beforehand."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec import to_builtins
from sqlalchemy import select, update

from bot.parlour.chance import Chance, place_name, sealed, take
from bot.store import Store
from bot.store.parlour import chances
from games.kernel.keytree import KEYS, KeyTree, key_of
from games.kernel.verify import check_sealed

CHANNEL = 77


async def test_every_use_has_its_own_key_under_one_seal(store: Store) -> None:
    taken = []
    for now in range(5):
        async with store.write() as connection:
            taken += [await take(connection, CHANNEL, now), await take(connection, 78, now)]
    mine = taken[::2]
    assert [one.number for one in mine] == [1, 2, 3, 4, 5]
    assert len({one.key for one in taken}) == 10
    assert len({one.commitment for one in mine}) == 1
    assert mine[0].commitment != taken[1].commitment
    assert [one.fresh for one in mine] == [True, False, False, False, False]
    async with store.read() as connection:
        row = (
            await connection.execute(select(chances).where(chances.c.channel_id == CHANNEL))
        ).one()
    assert (row.keys_used, row.created, row.commitment) == (5, 0, mine[0].commitment)


async def test_what_is_rolled_back_was_never_there(store: Store) -> None:
    with pytest.raises(RuntimeError):
        async with store.write() as connection:
            await take(connection, CHANNEL, 0)
            raise RuntimeError
    async with store.write() as connection:
        assert (await take(connection, CHANNEL, 0)).number == 1


async def test_many_at_once_each_have_their_own_key(store: Store) -> None:
    async def one(now: int) -> Chance:
        async with store.write() as connection:
            return await take(connection, CHANNEL, now)

    taken = await asyncio.gather(*map(one, range(12)))
    assert sorted(chance.number for chance in taken) == list(range(1, 13))
    assert len({chance.key for chance in taken}) == 12
    assert len({chance.commitment for chance in taken}) == 1


async def test_a_used_up_seal_is_followed_by_another(store: Store) -> None:
    async with store.write() as connection:
        first = await take(connection, CHANNEL, 0)
        await connection.execute(update(chances).values(keys_used=KEYS - 1))
        last, next_ = [await take(connection, CHANNEL, 0) for _ in range(2)]
        secret = (await connection.execute(select(chances.c.secret))).scalar_one()
    assert (last.number, next_.number) == (KEYS, KEYS + 1)
    assert first.commitment == last.commitment != next_.commitment
    assert next_.fresh and not last.fresh
    assert next_.commitment == await sealed(secret, KEYS + 1)


def proof(secret: bytes, numbers: list[int], salts: list[str]) -> dict[str, Any]:
    """A proof of one large die for each key, as a channel's file has it."""
    from games.kernel.entropy import CommittedEntropy, RecordedEntropy

    trees = [KeyTree(secret, seal) for seal in range(2)]
    rolls: list[dict[str, Any]] = []
    for number in numbers:
        key = key_of(secret, number)
        dice = RecordedEntropy(CommittedEntropy(key, place_name(CHANNEL), salts, number))
        dice.roll(1_000, "d1000")
        results = [to_builtins(result) for result in dice.results]
        path = [beside.hex() for beside in trees[(number - 1) // KEYS].path(number)]
        told = {"number": number, "key": key.hex(), "path": path}
        rolls.append({**told, "salts": salts, "results": results})
    seals = [tree.root.hex() for tree in trees]
    return {"session": place_name(CHANNEL), "seals": seals, "rolls": rolls}


def test_a_proof_holds_and_every_change_is_seen() -> None:
    secret = bytes(range(32))
    good = proof(secret, [1, 7, KEYS, KEYS + 1, 2 * KEYS], ["12"])
    assert [wrong for _, wrong in check_sealed(good)] == [""] * 5
    changes: list[tuple[str, Any]] = [
        ("number", 8),
        ("number", 1),
        ("number", KEYS + 7),
        ("key", key_of(secret, 8).hex()),
        ("salts", ["13"]),
        ("results", [{**good["rolls"][1]["results"][0], "size": 999}]),
        ("path", good["rolls"][1]["path"][:-1]),
        ("path", good["rolls"][0]["path"]),
    ]
    for name, value in changes:
        rolls = [dict(roll) for roll in good["rolls"]]
        rolls[1][name] = value
        verdicts = check_sealed({**good, "rolls": rolls})
        assert [bool(wrong) for _, wrong in verdicts] == [False, True, False, False, False], name
    index = good["rolls"][1]["results"][0]["index"]
    rolls = [dict(roll) for roll in good["rolls"]]
    other = (index + 1) % 1_000
    told = {"label": "d1000", "size": 1_000, "index": other, "meaning": str(other + 1)}
    rolls[1]["results"] = [told]
    wrong = check_sealed({**good, "rolls": rolls})[1][1]
    assert wrong == "result 1 (d1000) is not what the key gives"
    for name, value in (("meaning", str(index + 2)), ("label", "d%"), ("size", 100)):
        rolls[1]["results"] = [{**good["rolls"][1]["results"][0], name: value}]
        assert check_sealed({**good, "rolls": rolls})[1][1], name


def test_a_shown_key_leads_to_no_other() -> None:
    """What a proof shows of a key is its path: hashes, never another key."""
    secret = bytes(range(32))
    tree = KeyTree(secret)
    keys = {key_of(secret, number) for number in range(1, KEYS + 1)}
    assert len(keys) == KEYS
    assert not keys & {beside for number in (1, 2, 100) for beside in tree.path(number)}
    with pytest.raises(IndexError):
        tree.path(KEYS + 1)

"""Who waits for whom since when, across all sessions, and the limit on opening more."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.mygames import ON_PAGE, mine_letter
from bot.refusals import TooManyWaiting
from bot.sessions import Sessions, Table
from bot.sessions.waiting import Mine
from bot.store import Store
from bot.store import schema as db
from games.kernel.game import Setup
from tests.bot import limits
from tests.bot.house import KIM, ROBIN, SAM, House, address, sql
from tests.bot.test_limits import wire

DAY = 86_400


async def since(house: House, user: int) -> dict[str, int | None]:
    return {one.session_id: one.since for one in await house.sessions.mine(user)}


def rows(database: Path) -> list[tuple[str, str, int]]:
    return [(a, b, c) for a, b, c in sql(database, "SELECT session_id, seat, since FROM waits")]


async def test_a_seat_waits_since_the_step_that_called_it(house: House, database: Path) -> None:
    table = await house.duel()
    begun = table.updated
    assert rows(database) == [(table.id, "RED", begun)]
    house.now += 5 * DAY
    acted = await house.act(table, "move", to="B2")
    assert rows(database) == [(table.id, "RED", acted.table.updated)]  # it has just moved
    house.now += DAY
    acted = await house.act(table, "done")
    assert rows(database) == [(table.id, "BLUE", acted.table.updated)]
    assert await since(house, ROBIN) == {table.id: None}
    assert await since(house, KIM) == {table.id: acted.table.updated}


async def test_what_others_do_does_not_shorten_the_wait(house: House, database: Path) -> None:
    table = await house.duel()
    before = rows(database)
    house.now += DAY
    await house.sessions.leave(table.id, KIM, interaction_id=next(house.interactions))
    assert rows(database) == before
    await house.sessions.join(table.id, SAM, "Sam", interaction_id=next(house.interactions))
    assert rows(database) == before
    await house.sessions.host(
        table.id, ROBIN, SAM, moderator=False, interaction_id=next(house.interactions)
    )
    assert rows(database) == before


async def test_whoever_takes_a_seat_is_waited_for_since_then(house: House) -> None:
    table = await house.duel()
    await house.act(table, "done")
    house.now += 9 * DAY
    await house.sessions.leave(table.id, KIM, interaction_id=next(house.interactions))
    joined = await house.sessions.join(
        table.id, SAM, "Sam", interaction_id=next(house.interactions)
    )
    assert await since(house, SAM) == {table.id: joined.table.updated}
    assert await since(house, KIM) == {}


async def test_an_undo_gives_the_turn_back(house: House) -> None:
    table = await house.duel()
    await house.act(table, "done")
    house.now += DAY
    undone = await house.undo(table)
    assert await since(house, ROBIN) == {table.id: undone.table.updated}
    assert await since(house, KIM) == {table.id: None}


async def test_a_full_lobby_waits_for_its_host_alone(house: House, database: Path) -> None:
    table = await house.open("duel")
    assert await since(house, ROBIN) == {table.id: None} and rows(database) == []
    joined = await house.sessions.join(
        table.id, KIM, "Kim", interaction_id=next(house.interactions)
    )
    assert await since(house, ROBIN) == {table.id: joined.table.updated}
    assert await since(house, KIM) == {table.id: None}
    await house.sessions.join(
        table.id, SAM, "Sam", seat="RED", interaction_id=next(house.interactions)
    )
    assert await since(house, SAM) == {table.id: None}  # on the host's seat, but no host
    await house.sessions.leave(table.id, KIM, interaction_id=next(house.interactions))
    assert rows(database) == []


async def test_an_ended_session_is_no_ones(house: House, database: Path) -> None:
    table = await house.duel()
    await house.end(table)
    assert rows(database) == []
    assert await since(house, ROBIN) == {} and await since(house, KIM) == {}


async def test_a_seat_of_the_programs_waits_for_nobody(house: House) -> None:
    table = await house.duel()
    await house.sessions.stand_in(
        table.id, ROBIN, "BLUE", moderator=True, lasting=True, interaction_id=1
    )
    await house.act(table, "done")
    assert await since(house, KIM) == {table.id: None}


async def test_longest_waiting_first_then_the_latest(house: House) -> None:
    ids: list[str] = []
    for channel in range(1, 5):
        house.now += DAY
        ids.append((await house.duel(channel)).id)
    await house.act(await house.sessions.get(ids[0]), "done")
    await house.act(await house.sessions.get(ids[2]), "done")
    assert list(await since(house, ROBIN)) == [ids[1], ids[3], ids[2], ids[0]]
    assert list(await since(house, KIM)) == [ids[0], ids[2], ids[3], ids[1]]


async def test_one_line_for_several_seats(house: House) -> None:
    table = await house.duel()
    await house.sessions.leave(table.id, KIM, interaction_id=next(house.interactions))
    await house.sessions.join(table.id, ROBIN, "Robin", interaction_id=next(house.interactions))
    (one,) = await house.sessions.mine(ROBIN)
    assert one.seats == ("Red captain", "Blue captain") and one.since is not None


async def test_a_paused_session_is_listed_and_waits_for_nobody(
    house: House, database: Path
) -> None:
    table = await house.open()
    sql(database, "UPDATE sessions SET state = x'00', setup = '{' WHERE id = ?", table.id)
    sql(database, "UPDATE sessions SET status = 'paused' WHERE id = ?", table.id)
    (one,) = await house.sessions.mine(ROBIN)
    assert one.since is None and one.status == "paused"
    assert "paused" in str(wire(mine_letter([one], house.registry)))


async def test_rows_of_older_databases_are_filled_in_once(
    house: House, database: Path, store: Store
) -> None:
    duel, lobby = await house.duel(1), await house.open("duel", 2)
    over = await house.open(channel=3)
    await house.end(over)
    wrong = await house.open(channel=4)
    sql(database, "UPDATE sessions SET state = x'00' WHERE id = ?", wrong.id)
    sql(database, "DELETE FROM waits")
    assert await house.sessions.fill_waits() == 3
    assert rows(database) == [(duel.id, "RED", duel.updated)]
    sql(database, "DELETE FROM waits")
    assert await house.sessions.fill_waits() == 0
    assert rows(database) == [] and lobby.lobby


async def test_the_rows_follow_from_the_state_after_every_step(
    house: House, database: Path
) -> None:
    table = await house.duel()
    steps: tuple[tuple[str, int, dict[str, Any]], ...] = (
        ("move", ROBIN, {"to": "C3"}),
        ("draw", ROBIN, {}),
        ("done", ROBIN, {}),
        ("move", KIM, {"to": "D4"}),
        ("done", KIM, {}),
    )
    for verb, user, slots in steps:
        acted = await house.act(table, verb, user, **slots)
        assert [seat for _, seat, _ in rows(database)] == list(acted.table.pending())


# --- the limit


def limited(house: House, most: int) -> None:
    house.sessions._most_waiting = most


async def test_nobody_opens_more_than_so_many(house: House, database: Path) -> None:
    limited(house, 3)
    tables = [await house.open(channel=n) for n in range(3)]
    with pytest.raises(TooManyWaiting, match=r"^3 tables wait for you .*`/mygames`"):
        await house.open(channel=9)
    assert sql(database, "SELECT count(*) FROM sessions") == [(3,)]
    await house.open(channel=9, user=KIM)
    await house.end(tables[0])
    await house.open(channel=10)


async def test_only_what_waits_counts(house: House) -> None:
    limited(house, 2)
    for channel in range(4):
        table = await house.open("duel", channel)
        assert table.lobby
    await house.open(channel=8)
    await house.open(channel=9)
    with pytest.raises(TooManyWaiting):
        await house.open("duel", 10)


async def test_openings_at_once_cannot_pass_the_limit(house: House, database: Path) -> None:
    limited(house, 4)
    done = await asyncio.gather(*(house.open(channel=n) for n in range(10)), return_exceptions=True)
    opened = [one for one in done if isinstance(one, Table)]
    assert len(opened) == 4
    assert all(isinstance(one, Table | TooManyWaiting) for one in done)
    assert sql(database, "SELECT count(*) FROM sessions") == [(4,)]


async def test_the_limit_holds_between_processes(house: House, database: Path) -> None:
    other_store = await Store.open(address(database))
    other = House(other_store, house.registry)
    other.sessions = Sessions(other_store, house.registry, clock=other.clock, most_waiting=1)
    other.interactions = iter(range(5_000, 6_000))
    limited(house, 1)
    await house.open(channel=1)
    with pytest.raises(TooManyWaiting, match=r"^One table waits"):
        await other.open(channel=2)
    await other_store.close()


# --- the letter


def some(number: int, waiting: int, registry: object = None) -> list[Mine]:
    one = Mine("table001", "toy", 9, 70, ROBIN, Setup("arena", "duel"), db.RUNNING, 5, 1_000,
               ("Red captain",), None)  # fmt: skip
    return [
        replace(one, session_id=f"table{n:03d}", since=2_000 + n if n < waiting else None)
        for n in range(number)
    ]


def test_no_game_at_all(house: House) -> None:
    assert "You play no game" in str(wire(mine_letter([], house.registry)))


@pytest.mark.parametrize(("number", "waiting"), [(1, 0), (1, 1), (10, 4), (11, 11), (137, 50)])
def test_every_page_keeps_the_limits_and_shows_each_once(
    house: House, number: int, waiting: int
) -> None:
    found = some(number, waiting)
    found = [replace(o, panel_message_id=10_000 + n) for n, o in enumerate(found)]
    pages = -(-number // ON_PAGE)
    seen: list[str] = []
    for page in range(1, pages + 1):
        parts = wire(mine_letter(found, house.registry, page))
        limits.check_message(parts)
        told = str(parts)
        seen += [f"/{10_000 + n})" for n in range(number) if f"/{10_000 + n})" in told]
    assert len(seen) == number
    for beyond in (0, pages + 1, 999):
        limits.check_message(wire(mine_letter(found, house.registry, beyond)))


def test_hostile_names_are_harmless(house: House) -> None:
    one = replace(some(1, 1)[0], slug="nogame", setup=Setup("](http://x) @everyone", ""))
    told = str(wire(mine_letter([one], house.registry)))
    assert "@everyone" not in told and "](http://x)" not in told


def test_the_longest_lines_fit(house: House) -> None:
    one = replace(some(1, 1)[0], setup=Setup("m" * 300, ""), seats=("S" * 90,) * 30, guild_id=2**63)
    letter = mine_letter([replace(one, since=n) for n in range(ON_PAGE)], house.registry)
    limits.check_message(wire(letter))
    assert str(wire(letter)).count("waits for you") == ON_PAGE

"""Records: written with the end of a session, once, for everybody on a seat; and what they add up to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot import aftermath, records
from bot.sessions import Stale, TableOver
from bot.store import Store
from games.kernel.campaign import Record
from tests.bot.campaigners import Club, scripted
from tests.bot.house import KIM, ROBIN, SAM, House, sql


@pytest.fixture
async def club(store: Store, monkeypatch: pytest.MonkeyPatch) -> Club:
    return Club(store, scripted(monkeypatch))


def rows(database: Path, columns: str = "session_id, seat, user_id, won, level") -> list[Any]:
    return sql(database, f"SELECT {columns} FROM records ORDER BY session_id, seat, user_id")


async def coop(club: Club, mode: str = "coop") -> Any:
    """ALPHA is Robin’s, BRAVO Kim’s and Sam’s."""
    table = await club.boots(mode=mode)
    table = await club.seat(table, KIM, "BRAVO")
    table = await club.seat(table, SAM, "BRAVO")
    return await club.start(table)


async def test_the_end_by_the_rules_leaves_a_record(club: Club, database: Path) -> None:
    table = await club.boots()
    assert rows(database) == []
    await club.finish(table, "Solid", "A-M", cards=9)
    columns = "game, mission, mode, side, won, level, cause, most, par, counted, guild_id, figures"
    assert rows(database, columns) == [
        (
            *("boots", "hot-lz", "solo1", "allied", 1, "Solid", "BG-E.1", 20, 0, 1, 9),
            '{"Intel cards":9,"Insurgents killed":5,"Own KIA":1,"Hostages saved":0}',
        )
    ]


async def test_everybody_on_a_seat_has_a_record(club: Club, database: Path) -> None:
    table = await coop(club)
    await club.finish(table, "Narrow", "B-L")
    assert rows(database) == [
        (table.id, "ALPHA", ROBIN, 1, "Narrow"),
        (table.id, "BRAVO", KIM, 1, "Narrow"),
        (table.id, "BRAVO", SAM, 1, "Narrow"),
    ]
    found = await records.service_record(club.store, table.game, SAM)
    assert found.figures["Own KIA"] == 1


async def test_giving_up_counts(store: Store, database: Path) -> None:
    house = House(store, Club(store, None).registry)  # pyright: ignore[reportArgumentType]
    table = await house.sessions.open(
        game="boots",
        chosen={"mission": "hot-lz", "mode": "solo1"},
        guild_id=9,
        channel_id=70,
        user_id=ROBIN,
        user_name="Robin",
        interaction_id=1,
    )
    await house.act(table, "concede")
    assert rows(database, "won, level, cause, counted") == [(0, "", "BG-E.5", 1)]


async def test_an_end_by_decision_does_not_count(club: Club, database: Path) -> None:
    table = await club.boots()
    await club.end(table)
    assert rows(database) == []


async def test_the_range_does_not_count(club: Club, database: Path) -> None:
    table = await club.boots("range")
    await club.finish(table)
    assert rows(database, "counted") == [(0,)]
    assert await records.games_of(club.store, ROBIN) == []
    found = await records.service_record(club.store, table.game, ROBIN)
    assert found.played == 0


async def test_a_game_without_records_leaves_none(house: House, database: Path) -> None:
    table = await house.open()
    async with house.store.write() as connection:
        await records.keep(connection, table, 1)
    assert rows(database) == []
    assert (await records.service_record(house.store, table.game, ROBIN)).played == 0


async def test_ending_twice_at_once_ends_once(club: Club, database: Path) -> None:
    table = await coop(club)
    results = await asyncio.gather(
        club.finish(table), club.finish(table, user=KIM), return_exceptions=True
    )
    refused = [r for r in results if isinstance(r, BaseException)]
    assert len(refused) == 1 and isinstance(refused[0], (TableOver, Stale))
    assert len(rows(database)) == 3


async def test_settling_twice_changes_nothing(club: Club, database: Path) -> None:
    table = await club.finish(await club.boots())
    before = rows(database, "*")
    async with club.store.write() as connection:
        assert await aftermath.settle(connection, table, 99) == ""
    assert rows(database, "*") == before


async def test_a_refused_save_leaves_no_record(club: Club, database: Path) -> None:
    table = await club.boots()
    sql(
        database,
        "CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(FAIL, 'full'); END",
    )
    with pytest.raises(Exception, match=r"full|done already"):
        await club.finish(table)
    assert rows(database) == []
    assert not (await club.sessions.get(table.id)).over


async def test_taking_the_end_back_takes_the_record_back(club: Club, database: Path) -> None:
    table = await club.finish(await club.boots())
    async with club.store.write() as connection:
        await aftermath.unsettle(connection, table.id, 99)
    assert rows(database) == []
    async with club.store.write() as connection:
        await aftermath.settle(connection, table, 99)
    assert len(rows(database)) == 1


async def test_a_fault_in_the_statistics_does_not_hinder_the_end(
    club: Club, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await club.boots()

    def broken(state: object, seat: str) -> Record:
        raise ZeroDivisionError

    monkeypatch.setattr(table.game, "record", broken)
    assert (await club.finish(table)).over
    assert rows(database) == []


async def test_who_held_two_seats_has_the_shared_figures_once(club: Club) -> None:
    table = await club.boots(mode="solo2")
    assert len(table.seats_of(ROBIN)) == 2
    await club.finish(table, "Solid", "A-L", "B-L", "B-M")
    found = await records.service_record(club.store, table.game, ROBIN)
    assert (found.played, found.won) == (1, 1)
    assert found.figures == {"Insurgents killed": 5, "Own KIA": 3, "Hostages saved": 0}
    assert found.missions[0].bests[0].value == 12


async def test_playing_against_oneself_is_not_counted(club: Club, database: Path) -> None:
    table = await club.boots(mode="versus")
    table = await club.seat(table, ROBIN, "INSURGENT")
    for seat in [holder.seat for holder in table.vacant()]:
        table = await club.seat(table, KIM, seat)
    await club.finish(await club.start(table))
    assert {(user, counted) for user, counted in rows(database, "user_id, counted")} >= {(ROBIN, 0)}
    assert await records.games_of(club.store, ROBIN) == []


async def test_winners_and_losers_of_a_versus_game(club: Club) -> None:
    table = await club.boots(mode="versus")
    for seat in [holder.seat for holder in table.vacant()]:
        table = await club.seat(table, KIM if seat == "INSURGENT" else ROBIN, seat)
    table = await club.finish(await club.start(table), "Narrow", "A-L")
    robin = await records.service_record(club.store, table.game, ROBIN)
    kim = await records.service_record(club.store, table.game, KIM)
    assert [(m.title, m.played, m.won) for m in robin.modes] == [("Versus", 1, 1)]
    assert [(m.title, m.played, m.won) for m in kim.modes] == [("Versus", 1, 0)]
    assert kim.figures == {"Soldiers killed": 1}
    assert "Own KIA" in robin.figures


async def test_a_service_record_adds_up(club: Club) -> None:
    for level, cards in (("Solid", 14), ("Outstanding", 8), ("", 20)):
        await club.finish(await club.boots(), level, cards=cards)
    await club.finish(await club.boots("most-wanted"), "Narrow", cards=31)
    assert await records.games_of(club.store, ROBIN) == ["boots"]
    assert await records.games_of(club.store, KIM) == []
    boots = club.registry.newest("boots")
    assert await records.games_of(club.store, ROBIN, 9) == ["boots"]
    assert await records.games_of(club.store, ROBIN, 10) == [], "what was played elsewhere"
    assert (await records.service_record(club.store, boots, ROBIN, 10)).played == 0
    assert (await records.service_record(club.store, boots, ROBIN, None)).played == 0
    found = await records.service_record(club.store, boots, ROBIN)
    assert (found.played, found.won) == (4, 3)
    assert dict(zip(found.results, found.counts, strict=True)) == {
        "Lost": 1, "Narrow": 1, "Solid": 1, "Outstanding": 1,
    }  # fmt: skip
    hot, wanted = found.missions
    assert (hot.title, hot.bests[0].mode, hot.bests[0].value, hot.bests[0].most) == (
        "Hot LZ", "Solo, one squad", 8, 20,
    )  # fmt: skip
    assert (wanted.bests[0].value, wanted.bests[0].most, wanted.bests[0].par) == (31, 0, 20)

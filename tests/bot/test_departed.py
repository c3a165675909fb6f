"""People who leave the server in the middle of a game, a turn or a lobby."""

from __future__ import annotations

from pathlib import Path

from bot.sessions import Table
from bot.sessions.pace import DAY, HOUR
from tests.bot.house import KIM, ROBIN, SAM, House
from tests.bot.test_lobby import join
from tests.bot.test_saves import exported, take_in
from tests.bot.timekeeping import Time, notices


def gone(house: House, *users: int) -> list[int]:
    """From now on those are not in the server; who was asked after."""
    asked: list[int] = []

    async def absent(guild_id: int, user_id: int) -> bool:
        assert guild_id == 9
        asked.append(user_id)
        return user_id in users

    house.sessions.absent = absent
    return asked


async def people(house: House, table: Table) -> dict[str, tuple[int, ...]]:
    now = await house.sessions.get(table.id)
    return {holder.seat: holder.user_ids for holder in now.seats}


async def test_whoever_has_left_loses_the_seat_instead_of_being_reminded(
    house: House, time: Time, database: Path
) -> None:
    table = await house.duel()
    await house.act(table, "done")
    asked = gone(house, KIM)
    await time.forward(DAY + HOUR)
    assert await people(house, table) == {"RED": (ROBIN,), "BLUE": ()}
    assert asked == [KIM] and notices(database) == []
    row = (await house.sessions.history(table.id))[-1]
    assert (row.kind, row.user_id) == ("leave", 0)
    assert row.events[0].text == "Kim has left the server, so no longer plays Blue captain."
    await join(house, table, SAM, "BLUE")
    assert await house.sessions.audit(table.id) == ""


async def test_a_host_who_has_left_hosts_nothing(house: House, time: Time, database: Path) -> None:
    table = await house.duel()
    gone(house, ROBIN)
    await time.forward(DAY + HOUR)
    now = await house.sessions.get(table.id)
    assert now.host_id == KIM and [h.seat for h in now.vacant()] == ["RED"]


async def test_all_seats_of_a_leaver_become_vacant(
    house: House, time: Time, database: Path
) -> None:
    table = await house.open("duel")
    await join(house, table, ROBIN, "BLUE")
    await join(house, table, KIM, "RED")
    gone(house, ROBIN)
    await time.forward(13 * DAY)
    assert await people(house, table) == {"RED": (KIM,), "BLUE": ()}
    assert (await house.sessions.get(table.id)).host_id == KIM
    (warning,) = notices(database)
    assert warning.mentions == (KIM,)


async def test_who_is_there_keeps_the_seat(house: House, time: Time, database: Path) -> None:
    table = await house.duel()
    gone(house)
    await time.forward(30 * DAY)
    assert await people(house, table) == {"RED": (ROBIN,), "BLUE": (KIM,)}
    assert notices(database)


async def test_a_host_without_a_seat_hosts_nothing_either(
    house: House, time: Time, database: Path
) -> None:
    """He has brought the game from a file, took no seat in it and left."""
    table = await take_in(house, await exported(house, await house.duel()), user=SAM)
    await join(house, table, ROBIN, "RED")
    await join(house, table, KIM, "BLUE")
    gone(house, SAM)
    await time.forward(3 * DAY)
    assert (await house.sessions.get(table.id)).host_id == ROBIN
    row = (await house.sessions.history(table.id))[-1]
    assert (row.kind, row.user_id) == ("host", 0)
    assert row.events[0].text == (
        "The host of this table has left the server. Robin is the host of this table now."
    )
    here = [one for one in notices(database) if SAM in one.mentions]
    assert here == [] and await house.sessions.audit(table.id) == ""

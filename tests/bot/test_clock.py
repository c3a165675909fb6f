"""Reminders, clearing away and the program in somebody's place: by rows, in virtual time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.refusals import NotAllowed, Refused, StoreBusy
from bot.sessions import Table
from bot.sessions.timers import CLEAR, DAY, HOUR, REMIND, TELL_HOST, WARN, Timer
from tests.bot.house import KIM, ROBIN, SAM, House
from tests.bot.test_lobby import boots, join, people
from tests.bot.timekeeping import Time, notices, planned


async def test_three_reminders_and_a_word_to_the_host(
    house: House, time: Time, database: Path
) -> None:
    table = await house.duel()
    await house.act(table, "done")
    assert planned(database) == [(REMIND, "BLUE"), (TELL_HOST, "BLUE")]
    await time.forward(DAY - HOUR)
    assert notices(database) == []
    await time.forward(2 * HOUR)
    (reminder,) = notices(database)
    assert reminder.mentions == (KIM,) and f"<@{KIM}>" in reminder.text
    assert "waits for Blue captain to move" in reminder.text
    await time.forward(DAY)
    told = notices(database)[1]
    assert told.mentions == (ROBIN,) and "/table stand-in seat:Blue captain" in told.text
    await time.forward(30 * DAY)
    second, last = notices(database)[2:]
    assert second.mentions == last.mentions == (KIM,) and "last reminder" not in second.text
    assert "my last reminder" in last.text and "/table vacate seat:Blue captain" in last.text
    assert planned(database) == []


async def test_whoever_acts_is_not_reminded(house: House, time: Time, database: Path) -> None:
    table = await house.duel()
    await house.act(table, "done")
    await time.forward(DAY - HOUR)
    await house.act(table, "move", KIM, to="E5")
    await time.forward(DAY - HOUR)
    assert notices(database) == []
    await house.act(table, "done", KIM)
    assert planned(database) == [(REMIND, "RED"), (TELL_HOST, "RED")]


async def test_who_is_waited_for_keeps_the_time_when_others_act(
    field: Time, database: Path
) -> None:
    house = field.house
    table = await boots(house, mode="coop")
    await join(house, table, KIM, "BRAVO")
    await house.start(table)
    await field.forward(DAY - HOUR)
    await house.act(table, "ready", ROBIN)
    await field.forward(2 * HOUR)
    assert [notice.mentions for notice in notices(database)] == [(KIM,)]


async def test_nobody_is_reminded_alone(house: House, time: Time, database: Path) -> None:
    await house.open()
    assert planned(database) == []
    await time.forward(30 * DAY)
    assert notices(database) == []


async def test_a_lobby_is_cleared_away_after_a_warning(
    house: House, time: Time, database: Path
) -> None:
    table = await house.open("duel")
    assert planned(database) == [(WARN, ""), (CLEAR, "")]
    await time.forward(12 * DAY - HOUR)
    await join(house, table, SAM, "RED")
    assert notices(database) == []
    await time.forward(2 * HOUR)
    (warning,) = notices(database)
    assert warning.mentions == (ROBIN, SAM)
    assert "play Blue captain" in warning.text
    assert f"<t:{table.created + 14 * DAY}:R>" in warning.text
    await time.forward(2 * DAY)
    after = await house.sessions.get(table.id)
    assert after.over
    rows = await house.sessions.history(table.id)
    assert rows[-1].user_id == 0 and "within two weeks" in rows[-1].events[0].text
    assert planned(database) == []
    assert await house.sessions.audit(table.id) == ""
    await house.open()


async def test_a_lobby_that_starts_is_left_alone(house: House, time: Time, database: Path) -> None:
    table = await house.duel()
    assert planned(database) == [(REMIND, "RED"), (TELL_HOST, "RED")]
    await time.forward(15 * DAY)
    assert not (await house.sessions.get(table.id)).over


async def test_an_ended_game_plans_nothing(house: House, time: Time, database: Path) -> None:
    await house.end(await house.duel())
    assert planned(database) == []


async def test_a_restart_forgets_nothing(house: House, time: Time, database: Path) -> None:
    table = await house.duel()
    await house.act(table, "done")
    await time.clock.stop()
    time.asleep.clear()
    house.now += 3 * DAY
    time.clock = time.start()
    await time.clock.idle()
    assert [notice.mentions for notice in notices(database)] == [(KIM,), (ROBIN,)]


async def test_ringing_twice_says_it_once(house: House, time: Time, database: Path) -> None:
    table = await house.duel()
    await house.act(table, "done")
    timer = (await house.sessions.timers_due(house.now + DAY))[0]
    await asyncio.gather(house.sessions.ring(timer), house.sessions.ring(timer))
    await house.sessions.ring(Timer("nowhere", REMIND, "BLUE", 0))
    assert len(notices(database)) == 1


async def test_a_fault_is_tried_again(
    house: House, time: Time, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.duel()
    await house.act(table, "done")
    real, faults = house.sessions.ring, [StoreBusy(), ValueError("odd")]

    async def ring(timer: Timer) -> None:
        if faults:
            raise faults.pop()
        await real(timer)

    monkeypatch.setattr(house.sessions, "ring", ring)
    await time.forward(DAY + HOUR)
    assert faults == [] and len(notices(database)) == 1


# --- the program in somebody's place


async def stand_in(house: House, table: Table, seat: str, user: int = ROBIN, **how: Any) -> Any:
    how = {"moderator": False, "lasting": False, **how}
    return await house.sessions.stand_in(
        table.id, user, seat, interaction_id=next(house.interactions), **how
    )


def wishes(table: Table) -> list[int | None]:
    """At whose wish the program acts, for each seat."""
    return [holder.stand_in for holder in table.seats]


async def test_the_host_must_wait_two_days(house: House, time: Time, database: Path) -> None:
    table = await house.duel()
    await house.act(table, "done")
    with pytest.raises(NotAllowed, match="only since <t:"):
        await stand_in(house, table, "BLUE")
    with pytest.raises(NotAllowed, match="or a moderator can do that"):
        await stand_in(house, table, "BLUE", KIM)
    await time.forward(2 * DAY + HOUR)
    acted = await stand_in(house, table, "BLUE")
    assert acted.events[0].text == "The program acts for Blue captain, as the host wishes."
    row = (await house.sessions.history(table.id))[-1]
    assert (row.kind, row.user_id, row.seat) == ("stand_in", ROBIN, "BLUE")
    assert await house.sessions.audit(table.id) == ""


async def test_a_moderator_need_not_wait(house: House, time: Time) -> None:
    table = await house.duel()
    with pytest.raises(Refused, match="need not act now"):
        await stand_in(house, table, "BLUE", 999, moderator=True)
    acted = await stand_in(house, table, "RED", 999, moderator=True)
    assert acted.table.version == table.version + 1
    assert acted.events[0].text == "The program acts for Red captain, as a moderator wishes."


async def test_until_they_return(house: House, time: Time, database: Path) -> None:
    table = await house.duel()
    await house.sessions.leave(table.id, KIM, interaction_id=1)
    await stand_in(house, table, "BLUE", lasting=True)
    for _ in range(3):
        if (await house.sessions.get(table.id)).over:
            break
        await house.act(table, "done")
        await time.clock.idle()
        now = await house.sessions.get(table.id)
        assert now.over or now.due() == ("RED",)
    rows = await house.sessions.history(table.id)
    assert {row.user_id for row in rows if row.kind == "stand_in"} == {ROBIN}
    assert all(row.seat == "BLUE" for row in rows if row.kind == "stand_in")
    assert await house.sessions.audit(table.id) == ""


async def test_it_ends_when_somebody_of_the_seat_acts(
    house: House, time: Time, database: Path
) -> None:
    table = await house.duel()
    await house.sessions.stand_in(
        table.id, 999, "BLUE", moderator=True, lasting=True, interaction_id=1
    )
    assert wishes(await house.sessions.get(table.id)) == [None, 999]
    time.clock._stopped = True  # the bot is down when it would be the program's turn
    await house.act(table, "done")
    assert planned(database) == [("program", "BLUE")]
    acted = await house.act(table, "move", KIM, to="E5")
    assert wishes(acted.table) == [None, None]
    assert planned(database) == [(REMIND, "BLUE"), (TELL_HOST, "BLUE")]


async def test_the_program_goes_on_after_a_restart(
    house: House, time: Time, database: Path
) -> None:
    table = await house.duel()
    await stand_in(house, table, "BLUE", 999, moderator=True, lasting=True)
    await time.clock.stop()
    await house.act(table, "done")
    assert (await house.sessions.get(table.id)).due() == ("BLUE",)
    time.clock = time.start()
    await time.clock.idle()
    now = await house.sessions.get(table.id)
    assert now.over or now.due() == ("RED",)


async def test_the_program_never_plays_alone(house: House, time: Time) -> None:
    table = await house.duel()
    await stand_in(house, table, "BLUE", 999, moderator=True, lasting=True)
    with pytest.raises(Refused, match="somebody must still play"):
        await stand_in(house, table, "RED", 999, moderator=True, lasting=True)


async def test_a_conductor_is_replaced_by_the_program(field: Time) -> None:
    """What settles a card is preferred; nobody is made to give up or to change his orders."""
    house = field.house
    table = await boots(house, mode="three")
    await join(house, table, KIM, "BRAVO")
    await join(house, table, SAM, "INSURGENT")
    await house.start(table)
    with pytest.raises(Refused, match="need not act"):
        await stand_in(house, table, "INSURGENT", 999, moderator=True)
    seen: set[str] = set()
    for _ in range(400):
        now = await house.sessions.get(table.id)
        if now.over or len(seen) == 3:
            break
        seat = now.due()[0]
        acted = await stand_in(house, table, seat, 999, moderator=True)
        row = (await house.sessions.history(table.id, after=acted.table.version - 1))[0]
        assert row.action["verb"] not in ("concede", "standing")
        if seat == "INSURGENT":
            assert row.action["verb"] == "auto"
        seen.add(seat)
    assert seen == {"ALPHA", "BRAVO", "INSURGENT"}
    assert people(await house.sessions.get(table.id))["INSURGENT"] == (SAM,)

"""The clock attacked: company that comes and goes, outages, faults, night, tables that cannot be read."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.refusals import StoreBusy, Unreadable
from bot.sessions.habits import Habits, Quiet
from bot.sessions.pace import DAY, HOUR, PACES, TURN
from bot.sessions.timers import Timer
from tests.bot.house import KIM, ROBIN, SAM, House, sql
from tests.bot.test_lobby import join
from tests.bot.test_pace import choose, paced
from tests.bot.test_reminders import BERLIN, NIGHT, moment, wants
from tests.bot.test_saves import exported, take_in
from tests.bot.timekeeping import Time, notices, planned

GRACE = PACES["fast"].grace


async def outage(time: Time, seconds: int) -> None:
    """The bot is away so long, then comes back."""
    await time.clock.stop()
    time.asleep.clear()
    time.house.now += seconds
    time.clock = time.start()
    await time.clock.idle()


async def leave(house: House, session_id: str, user: int) -> None:
    await house.sessions.leave(session_id, user, interaction_id=next(house.interactions))


# --- company


async def test_whoever_is_left_alone_is_not_reminded(
    house: House, time: Time, database: Path
) -> None:
    table = await house.duel()
    await leave(house, table.id, KIM)
    assert planned(database) == []
    await time.forward(30 * DAY)
    assert notices(database) == []


async def test_time_runs_anew_when_company_comes(house: House, time: Time, database: Path) -> None:
    table = await paced(house, "fast", "free")
    await house.act(table, "done", KIM)
    await leave(house, table.id, KIM)
    await time.forward(3 * DAY)
    await join(house, table, SAM, "BLUE")
    now = await house.sessions.get(table.id)
    assert planned(database) == [("remind", "RED"), ("time_up", "RED")]
    assert now.time_up("RED") == pytest.approx(house.now + TURN, abs=5)
    await time.forward(TURN - HOUR)
    assert (await house.sessions.get(table.id)).vacant() == ()
    await time.forward(2 * HOUR)
    assert [h.seat for h in (await house.sessions.get(table.id)).vacant()] == ["RED"]


async def test_in_an_imported_game_whoever_came_first_is_reminded_too(
    house: House, time: Time, database: Path
) -> None:
    raw = await exported(house, await house.duel())
    table = await take_in(house, raw)
    await join(house, table, ROBIN, "RED")
    assert planned(database)[-1:] != [("remind", "RED")]
    await join(house, table, KIM, "BLUE")
    mine = sql(database, "SELECT kind FROM timers WHERE session_id = ? AND seat = 'RED'", table.id)
    assert sorted(kind for (kind,) in mine) == ["remind", "tell_host"]


async def test_a_seat_that_became_free_is_told_once(
    house: House, time: Time, database: Path
) -> None:
    table = await house.open("duel")
    await join(house, table, SAM, "RED")
    await join(house, table, KIM, "BLUE")
    await house.start(table)
    await house.act(table, "done")
    await choose(house, table, "fast", "free")
    await time.forward(TURN + 60)
    assert [h.seat for h in (await house.sessions.get(table.id)).vacant()] == ["BLUE"]
    assert not any(ROBIN in one.mentions for one in notices(database))
    await time.forward(3 * DAY)
    (told,) = [one for one in notices(database) if ROBIN in one.mentions]
    assert "Nobody has played Blue captain for two days" in told.text
    assert "/table join seat:Blue captain" in told.text and "vacate" not in told.text


# --- night


async def test_a_new_pace_by_night_does_not_swallow_the_word_in_the_morning(
    house: House, time: Time, database: Path
) -> None:
    await wants(house, KIM, Habits(NIGHT))
    house.now = moment("2026-12-01T23:00")
    table = await house.duel()
    await house.act(table, "done")
    await choose(house, table, "normal")
    await time.forward(moment("2026-12-02T07:01") - house.now)
    assert [one.mentions for one in notices(database)] == [(KIM,)]


async def test_in_the_morning_one_word_is_enough(house: House, time: Time, database: Path) -> None:
    """Half of a small bank is used up in the night, so a reminder and the morning's word meet."""
    house.now = moment("2026-12-01T23:00")
    table = await paced(house, "fast")
    await wants(house, KIM, Habits(NIGHT))
    sql(database, "UPDATE seats SET bank = ?", 12 * HOUR)
    await house.act(table, "move", KIM, to="E5")
    await time.forward(moment("2026-12-02T07:30") - house.now)
    assert [one.mentions for one in notices(database)] == [(KIM,)]
    await time.forward(3 * HOUR)
    assert [one.mentions for one in notices(database)] == [(KIM,), (KIM,)]


async def test_the_morning_comes_on_time_whatever_else_is_planned(
    house: House, time: Time, database: Path
) -> None:
    """Another table's bell within the hour must not make the word late."""
    await wants(house, KIM, Habits(NIGHT))
    house.now = moment("2026-12-01T07:30")
    await house.act(
        await house.duel(71), "done"
    )  # its reminder is due a day later, at half past seven
    await time.forward(moment("2026-12-02T06:45") - house.now)
    table = await house.duel()
    await house.act(table, "done")
    await time.forward(moment("2026-12-02T07:02") - house.now)
    said = [one for one in notices(database) if one.mentions == (KIM,)]
    assert len(said) == 1


async def test_who_sleeps_longer_is_told_later(house: House, time: Time, database: Path) -> None:
    """Two share a seat; each is told when his own night ends, and once."""
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    await join(house, table, SAM, "BLUE")
    await wants(house, KIM, Habits(NIGHT))
    await wants(house, SAM, Habits(Quiet(22 * 60, 9 * 60, BERLIN)))
    house.now = moment("2026-12-01T23:00")
    await house.start(table)
    await house.act(table, "done")
    await time.forward(moment("2026-12-02T08:00") - house.now)
    assert [one.mentions for one in notices(database)] == [(KIM,)]
    await time.forward(2 * HOUR)
    assert [one.mentions for one in notices(database)] == [(KIM,), (SAM,)]
    await time.forward(8 * HOUR)
    assert len(notices(database)) == 2


@pytest.mark.parametrize("overtime", ["program", "free"])
async def test_time_given_at_night_is_really_given(
    house: House, time: Time, database: Path, overtime: str
) -> None:
    """The quiet hours end long before the time that was given does."""
    house.now = moment("2026-12-01T06:00")
    table = await paced(house, "fast", overtime)
    await wants(house, KIM, Habits(NIGHT))
    await outage(time, moment("2026-12-05T06:30") - house.now)
    assert all(KIM not in one.mentions for one in notices(database))
    await time.forward(HOUR)
    until = moment("2026-12-05T07:00") + GRACE
    assert (await house.sessions.get(table.id)).time_up("BLUE") == pytest.approx(until, abs=60)
    await time.forward(until - HOUR - house.now)
    now = await house.sessions.get(table.id)
    assert now.due() == ("BLUE",) and not now.vacant() and now.version == table.version
    said = [one for one in notices(database) if KIM in one.mentions]
    assert said and all("away" in one.text or "Its time is up" in one.text for one in said)
    await time.forward(2 * HOUR)
    now = await house.sessions.get(table.id)
    assert now.over or now.due() != ("BLUE",) or bool(now.vacant())


async def test_a_day_with_one_loud_minute(house: House, time: Time, database: Path) -> None:
    quiet = Habits(Quiet(0, 23 * 60 + 59, BERLIN))
    house.now = moment("2026-12-01T12:00")
    for user in (ROBIN, KIM):
        await wants(house, user, quiet)
    table = await house.duel()
    await house.act(table, "done")
    await time.forward(40 * DAY)
    said = notices(database)
    assert [one.mentions for one in said].count((KIM,)) == 4  # in the evening, and three reminders
    assert [one.mentions for one in said].count((ROBIN,)) == 1
    for (at,) in sql(database, "SELECT created FROM outbox WHERE kind = 'notice'"):
        assert quiet.quiet_until(at) is None


# --- faults


async def test_nobody_loses_his_seat_because_the_store_was_full(
    house: House, time: Time, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody could act meanwhile, so it is like an outage."""
    table = await paced(house, "fast", "free")
    real, fixed = house.sessions.ring, house.now + 3 * DAY

    async def ring(timer: Timer) -> None:
        if house.now < fixed:
            raise StoreBusy()
        await real(timer)

    monkeypatch.setattr(house.sessions, "ring", ring)
    await time.forward(3 * DAY + HOUR)
    now = await house.sessions.get(table.id)
    assert not now.vacant()
    assert any("ran out" in one.text for one in notices(database))


async def test_a_table_that_can_be_read_again_keeps_what_was_planned(
    house: House, time: Time, database: Path
) -> None:
    table = await paced(house, "fast", "free")
    before = planned(database)
    (state,) = sql(database, "SELECT state FROM sessions")[0]
    sql(database, "UPDATE sessions SET state = x'00'")
    await time.forward(3 * DAY)
    with pytest.raises(Unreadable):
        await house.sessions.get(table.id)
    assert sorted(planned(database)) == sorted(before) and notices(database) == []
    sql(database, "UPDATE sessions SET state = ?", state)
    await time.forward(DAY)
    now = await house.sessions.get(table.id)
    assert not now.paused and notices(database) != []
    assert not now.vacant() or house.now > (now.created + 3 * DAY + GRACE)
    await time.forward(3 * DAY)
    assert (await house.sessions.get(table.id)).vacant()


async def test_killed_between_the_time_that_is_given_and_its_word(
    house: House, time: Time, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are one transaction: without the word the bank is as it was."""
    table = await paced(house, "fast", "free")
    await time.clock.stop()
    house.now += 3 * DAY
    (timer,) = [one for one in await house.sessions.timers_due(house.now) if one.kind == "time_up"]

    async def dies(*_: object, **__: object) -> None:
        raise StoreBusy()

    monkeypatch.setattr("bot.sessions.overdue.put", dies)
    was = sql(database, "SELECT seat, bank FROM seats")
    with pytest.raises(StoreBusy):
        await house.sessions.ring(timer)
    assert sql(database, "SELECT seat, bank FROM seats") == was
    assert ("time_up", "BLUE") in planned(database)
    assert (await house.sessions.get(table.id)).version == table.version


@pytest.mark.parametrize("overtime", ["wait", "free"])
async def test_words_do_not_pile_up_while_discord_takes_none(
    house: House, time: Time, database: Path, overtime: str
) -> None:
    """The bot may not post there for weeks, say; when it may again, there is no burst."""
    table = await paced(house, "fast", overtime)
    sql(database, "UPDATE outbox SET attempts = 1")
    await time.forward(20 * DAY)
    assert notices(database) == []
    sql(database, "UPDATE outbox SET done = 1")
    await time.forward(2 * HOUR)
    told = notices(database)
    assert 1 <= len(told) <= 3 and all(one.mentions[0] == KIM for one in told)
    assert len({one.text for one in told if "is used up" in one.text or "away" in one.text}) == 1
    assert not (await house.sessions.get(table.id)).vacant()


# --- clocks that are wrong


async def test_a_clock_that_jumps(house: House, time: Time, database: Path) -> None:
    """Ten years forward and back: nothing is lost, nobody is called twice, the game goes on."""
    table = await paced(house, "fast", "free")
    now = house.now
    await outage(time, 3_650 * DAY)
    assert not (await house.sessions.get(table.id)).vacant()
    await time.clock.stop()
    time.asleep.clear()
    house.now = now + HOUR
    time.clock = time.start()
    await time.clock.idle()
    acted = await house.act(table, "done", KIM)
    assert acted.table.due() == ("RED",)
    blue = acted.table.holder("BLUE")
    assert blue is not None and 0 <= (blue.bank or 0) <= PACES["fast"].cap
    assert all(seat == "RED" for _, seat in planned(database))
    assert await house.sessions.audit(table.id) == ""


# --- who may not be stood in for, and races


@pytest.mark.parametrize("kind", ["overtime", "wish"])
async def test_a_seat_that_only_people_may_play(
    house: House, time: Time, database: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """The program has nothing that it may do: it is said once, nobody is put off, nothing spins."""

    def nothing(*_: object) -> None:
        return None

    table = await paced(house, "fast", "program")
    if kind == "wish":
        now = await house.sessions.get(table.id)
        assert now.due() == ("BLUE",)
        sql(database, "UPDATE seats SET stand_in = 501 WHERE seat = 'BLUE'")
        sql(database, "DELETE FROM timers")
        sql(
            database,
            "INSERT INTO timers VALUES (?, 'program', 'BLUE', ?, 0)",
            table.id,
            house.now,
        )
    monkeypatch.setattr("bot.sessions.standing.proxy_action", nothing)
    await outage(time, 0)
    await time.forward(TURN + 60)
    now = await house.sessions.get(table.id)
    assert now.version == table.version and not now.vacant()
    used_up = [one for one in notices(database) if "is used up" in one.text]
    assert len(used_up) == (1 if kind == "overtime" else 0)
    assert ("time_up", "BLUE") not in planned(database)
    assert ("program", "BLUE") not in planned(database)
    await house.act(table, "done", KIM)
    assert [h.stand_in for h in (await house.sessions.get(table.id)).seats] == [None, None]


@pytest.mark.parametrize("overtime", ["wait", "program", "free"])
async def test_a_seat_is_given_up_while_its_bell_rings(
    house: House, time: Time, database: Path, overtime: str
) -> None:
    table = await paced(house, "fast", overtime)
    await time.clock.stop()
    house.now += TURN + 60
    timers = await house.sessions.timers_due(house.now)
    await asyncio.gather(
        leave(house, table.id, KIM),
        *(house.sessions.ring(timer) for timer in timers),
        return_exceptions=True,
    )
    now = await house.sessions.get(table.id)
    assert [h.seat for h in now.vacant()] == ["BLUE"] or now.due() == ("RED",)
    assert planned(database) == []  # Robin is alone now
    assert await house.sessions.audit(table.id) == ""


async def test_habits_that_nobody_can_have_are_as_none(house: House, database: Path) -> None:
    await wants(house, KIM, Habits(NIGHT))
    for raw in (
        '{"quiet":{"start":5000,"end":3,"zone":"UTC"}}',
        '{"quiet":{"start":-1,"end":3,"zone":"UTC"}}',
        '{"quiet":{"start":1,"end":1440,"zone":"UTC"}}',
        '{"quiet":{"start":1,"end":3,"zone":"../../etc/passwd"}}',
    ):
        sql(database, "UPDATE users SET settings = ?", raw)
        assert await house.sessions.awake([KIM]) == (KIM,)

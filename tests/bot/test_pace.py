"""Paces: banks of time over weeks of virtual time, reminders, and what happens when time is up."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.refusals import NotAllowed, NotYourSeat, Refused
from bot.sessions import Table
from bot.sessions.pace import DAY, HOUR, LEAST, MOST_REMINDERS, NO_PACE, PACES, TURN, Pace
from tests.bot.house import KIM, ROBIN, SAM, House, sql
from tests.bot.test_lobby import join
from tests.bot.timekeeping import Time, notices, planned

paces = st.sampled_from([pace for pace in PACES.values() if pace.timed])


async def paced(house: House, pace: str = "fast", overtime: str | None = None) -> Table:
    """A duel in which it is Kim's turn, with a pace chosen just now."""
    table = await house.duel()
    await house.act(table, "done")
    acted = await choose(house, table, pace, overtime)
    return acted.table


async def choose(
    house: House, table: Table, pace: str | None, overtime: str | None = None, user: int = ROBIN
) -> Any:
    return await house.sessions.set_terms(
        table.id,
        user,
        pace=pace,
        overtime=overtime,
        moderator=False,
        interaction_id=next(house.interactions),
    )


def banks(path: Path) -> dict[str, int | None]:
    return dict(sql(path, "SELECT seat, bank FROM seats ORDER BY place"))  # pyright: ignore


# --- the figures


@given(pace=paces, waits=st.lists(st.integers(0, 20 * DAY), max_size=30))
def test_a_bank_is_never_below_nothing_or_over_its_cap(pace: Pace, waits: list[int]) -> None:
    bank: int | None = None
    for waited in waits:
        before = pace.bank if bank is None else bank
        bank = pace.spent(bank, waited, done=True)
        assert pace.increment <= bank <= pace.cap
        assert bank == min(pace.cap, max(0, before - waited) + pace.increment)


@given(pace=paces, turns=st.integers(1, 50))
def test_whoever_plays_at_the_same_hour_every_day_never_runs_out(pace: Pace, turns: int) -> None:
    """A turn is 23 hours: one a day, with somebody else's turn between, costs nothing in the end."""
    if pace.increment < TURN:
        return  # the fast pace wants more than one turn a day
    bank: int | None = None
    for _ in range(turns):
        bank = pace.spent(bank, TURN, done=True)
    assert bank is not None and bank >= pace.bank


@given(
    pace=st.sampled_from(list(PACES.values())),
    bank=st.none() | st.integers(0, 10 * TURN),
    away=st.integers(0, 100 * DAY),
)
def test_reminders_come_one_by_one_whatever_the_outage(
    pace: Pace, bank: int | None, away: int
) -> None:
    since, allowed = 1_700_000_000, pace.allowed(bank)
    now, rung = since, list[int]()
    nth = 0
    while (due := pace.reminder(nth, since, allowed, now)) is not None:
        assert due >= now + HOUR
        now = max(due, since + away)  # the bot may be away when it is due
        rung.append(now)
        nth += 1
    assert len(rung) == MOST_REMINDERS
    assert all(later - sooner >= HOUR for sooner, later in pairwise(rung))


def test_the_fractions_of_the_time_that_is_left() -> None:
    pace = PACES["normal"]
    since = 1_000_000
    allowed = pace.allowed(20 * HOUR)
    assert pace.reminder(0, since, allowed, since) == since + 10 * HOUR
    assert pace.reminder(1, since, allowed, since + 10 * HOUR) == since + 18 * HOUR
    assert pace.reminder(2, since, allowed, since + 18 * HOUR) == since + 20 * HOUR + DAY
    assert pace.reminder(3, since, allowed, since) is None
    assert pace.allowed(0) == LEAST
    assert not NO_PACE.timed


# --- at the table


async def test_reminders_at_half_and_nine_tenths_then_the_table_is_told(
    house: House, time: Time, database: Path
) -> None:
    table = await paced(house)
    start = house.now
    assert [kind for kind, _ in planned(database)] == ["remind", "time_up"]
    assert table.time_up("BLUE") == pytest.approx(start + TURN, abs=2)
    await time.forward(TURN // 2 + HOUR)
    (half,) = notices(database)
    assert half.mentions == (KIM,) and f"Its time is up <t:{table.time_up('BLUE')}:R>." in half.text
    await time.forward(TURN // 2 - HOUR - 60)
    assert [n.mentions for n in notices(database)] == [(KIM,), (KIM,)]
    await time.forward(2 * HOUR)
    up = notices(database)[2]
    assert up.mentions == (KIM, ROBIN) and "The game waits all the same." in up.text
    await time.forward(30 * DAY)
    last = notices(database)[3]
    assert "my last reminder" in last.text and len(notices(database)) == 4
    assert not (await house.sessions.get(table.id)).over
    assert await house.sessions.audit(table.id) == ""


async def test_a_bank_runs_down_and_grows_again(house: House, time: Time, database: Path) -> None:
    table = await paced(house)
    await time.forward(10 * HOUR)
    await house.act(table, "move", KIM, to="E5")
    spent = banks(database)["BLUE"]
    assert spent == pytest.approx(TURN - 10 * HOUR, abs=2)
    await time.forward(HOUR)
    await house.act(table, "done", KIM)
    assert banks(database)["BLUE"] == pytest.approx(TURN - 11 * HOUR + 6 * HOUR, abs=2)
    await house.act(table, "done")
    now = await house.sessions.get(table.id)
    assert now.time_up("BLUE") == pytest.approx(house.now + 18 * HOUR, abs=2)


async def test_who_plays_on_is_not_cut_off(house: House, time: Time, database: Path) -> None:
    table = await paced(house, "fast", "program")
    await time.forward(TURN - 60)
    await house.act(table, "move", KIM, to="E5")
    await time.forward(LEAST - 60)
    assert (await house.sessions.get(table.id)).due() == ("BLUE",)
    await house.act(table, "done", KIM)
    assert banks(database)["BLUE"] == 6 * HOUR


async def test_the_program_acts_when_the_host_chose_so(
    house: House, time: Time, database: Path
) -> None:
    table = await paced(house, "fast", "program")
    await time.forward(TURN + HOUR)
    now = await house.sessions.get(table.id)
    assert now.over or now.due() == ("RED",)
    rows = await house.sessions.history(table.id)
    acted = [row for row in rows if row.kind == "stand_in"]
    assert acted and all((row.user_id, row.seat) == (0, "BLUE") for row in acted)
    assert acted[0].events[0].text == (
        "The program acts for Blue captain, because its time is used up."
    )
    assert all(h.stand_in is None for h in now.seats)
    assert await house.sessions.audit(table.id) == ""


async def test_a_seat_becomes_free_when_the_host_chose_so(
    house: House, time: Time, database: Path
) -> None:
    table = await paced(house, "fast", "free")
    await time.forward(TURN + HOUR)
    now = await house.sessions.get(table.id)
    assert [h.seat for h in now.vacant()] == ["BLUE"] and not now.over
    row = (await house.sessions.history(table.id))[-1]
    assert (row.kind, row.user_id) == ("leave", 0) and "is used up" in row.events[0].text
    await join(house, table, SAM, "BLUE")
    again = await house.sessions.get(table.id)
    assert again.time_up("BLUE") == pytest.approx(house.now + TURN, abs=5)  # a bank of his own
    assert await house.sessions.audit(table.id) == ""


@pytest.mark.parametrize("overtime", ["program", "free"])
async def test_time_that_ran_out_while_the_bot_was_away_costs_nothing(
    house: House, time: Time, database: Path, overtime: str
) -> None:
    table = await paced(house, "fast", overtime)
    await time.clock.stop()
    time.asleep.clear()
    house.now += 5 * DAY
    time.clock = time.start()
    await time.clock.idle()
    now = await house.sessions.get(table.id)
    assert now.due() == ("BLUE",) and not now.vacant()
    told = [notice.text for notice in notices(database)]
    assert len(told) == 2 and any("ran out while I was away" in text for text in told)
    assert now.time_up("BLUE") == pytest.approx(house.now + PACES["fast"].grace, abs=2)
    await time.forward(PACES["fast"].grace + HOUR)
    now = await house.sessions.get(table.id)
    assert now.over or now.due() != ("BLUE",) or bool(now.vacant())


async def test_a_long_outage_brings_no_burst(house: House, time: Time, database: Path) -> None:
    await paced(house)
    await time.clock.stop()
    time.asleep.clear()
    house.now += 60 * DAY
    time.clock = time.start()
    await time.clock.idle()
    assert len(notices(database)) == 2  # one reminder, and that the time is up
    await time.forward(HOUR + 60)
    assert len(notices(database)) == 3


async def test_changing_the_pace_fills_the_banks(house: House, time: Time, database: Path) -> None:
    table = await paced(house)
    await time.forward(20 * HOUR)
    acted = await choose(house, table, "normal")
    assert acted.events[0].text.startswith("The pace of this table is normal: 3 × 23 hours")
    now = await house.sessions.get(table.id)
    assert now.time_up("BLUE") == pytest.approx(house.now + 3 * TURN, abs=5)
    assert banks(database)["RED"] is None
    await choose(house, table, "none")
    assert [kind for kind, _ in planned(database)] == ["remind", "tell_host"]
    assert (await house.sessions.get(table.id)).time_up("BLUE") is None
    assert await house.sessions.audit(table.id) == ""


async def test_a_pace_chosen_in_the_lobby_counts_from_the_start(
    house: House, time: Time, database: Path
) -> None:
    table = await house.open("duel")
    await choose(house, table, "slow")
    await time.forward(3 * DAY)
    await join(house, table, KIM, "BLUE")
    await house.start(table)
    now = await house.sessions.get(table.id)
    assert now.time_up("RED") == pytest.approx(house.now + 7 * TURN, abs=5)


async def test_what_cannot_be_chosen_is_refused(house: House, time: Time) -> None:
    table = await house.duel()
    with pytest.raises(NotAllowed, match="Only <@501>, who hosts this table"):
        await choose(house, table, "fast", user=KIM)
    with pytest.raises(Refused, match="take one from the list"):
        await choose(house, table, "glacial")
    with pytest.raises(Refused, match="take one from the list"):
        await choose(house, table, "fast", "forfeit")
    with pytest.raises(Refused, match="Choose a pace as well"):
        await choose(house, table, None, "program")
    with pytest.raises(Refused, match="That is so already"):
        await choose(house, table, "none")
    assert (await house.sessions.get(table.id)).version == table.version


async def test_undo_gives_the_wait_back_but_not_the_time(
    house: House, time: Time, database: Path
) -> None:
    table = await paced(house)
    await time.forward(5 * HOUR)
    await house.act(table, "move", KIM, to="E5")
    await time.forward(HOUR)
    await house.undo(table, KIM)
    assert banks(database)["BLUE"] == pytest.approx(TURN - 6 * HOUR, abs=4)


# --- reminders that are not wanted


async def test_muted_for_this_turn_only(house: House, time: Time, database: Path) -> None:
    table = await paced(house, "normal")
    assert await house.sessions.mute(table.id, KIM)
    assert not await house.sessions.mute(table.id, KIM)
    await time.forward(2 * TURN)
    assert notices(database) == []
    await house.act(table, "done", KIM)
    await house.act(table, "done")
    await time.forward(TURN + HOUR)
    assert [notice.mentions for notice in notices(database)] == [(KIM,)]
    assert await house.sessions.mute(table.id, KIM) and await house.sessions.mute(
        table.id, KIM, on=False
    )
    await time.forward(TURN)
    assert (KIM,) in [notice.mentions for notice in notices(database)[1:]]


async def test_only_who_is_waited_for_can_mute(house: House, time: Time) -> None:
    table = await paced(house)
    with pytest.raises(NotAllowed, match="Nobody waits for you"):
        await house.sessions.mute(table.id, ROBIN)
    with pytest.raises(NotYourSeat):
        await house.sessions.mute(table.id, SAM)


# --- how steps are shown


async def test_how_steps_are_shown_is_a_term_of_its_own(house: House, time: Time) -> None:
    table = await paced(house)
    before = (await house.sessions.get(table.id)).time_up("BLUE")
    await time.forward(HOUR)
    quiet = await terms(house, table, posts="quiet")
    assert [event.text for event in quiet.events] == [
        "Only changes of turn are posted anew; the rest is edited into the board."
    ]
    now = await house.sessions.get(table.id)
    assert now.posts == "quiet" and now.time_up("BLUE") == before, "the clock goes on"
    both = await terms(house, table, pace="slow", posts="each")
    assert [event.text.partition(":")[0] for event in both.events] == [
        "The pace of this table is slow", "Every action is posted anew."
    ]  # fmt: skip
    with pytest.raises(Refused, match="take one from the list"):
        await terms(house, table, posts="loud")
    with pytest.raises(Refused, match="That is so already"):
        await terms(house, table, posts="each")
    assert await house.sessions.audit(table.id) == ""


async def terms(house: House, table: Table, **chosen: str) -> Any:
    return await house.sessions.set_terms(
        table.id, ROBIN, moderator=False, interaction_id=next(house.interactions), **chosen
    )

"""Quiet hours, time zones, a word for whoever is next: what each person wants of reminders."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.refusals import Refused
from bot.sessions.habits import (
    ORDINARY,
    Habits,
    Quiet,
    find_zones,
    read_time,
    read_zone,
    shown_time,
    zones,
)
from bot.sessions.pace import DAY, HOUR
from tests.bot.house import KIM, ROBIN, SAM, House, sql
from tests.bot.test_lobby import boots, join
from tests.bot.timekeeping import Time, notices, planned

BERLIN = "Europe/Berlin"
NIGHT = Quiet(22 * 60, 7 * 60, BERLIN)


def moment(text: str, zone: str = BERLIN) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp())


# --- the hours themselves


@given(
    quiet=st.builds(
        Quiet,
        st.integers(0, 1439),
        st.integers(0, 1439),
        st.sampled_from([BERLIN, "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "UTC"]),
    ).filter(lambda quiet: quiet.start != quiet.end),
    now=st.integers(1_000_000_000, 2_000_000_000),
)
def test_quiet_hours_end_within_a_day_and_a_little(quiet: Quiet, now: int) -> None:
    ends = quiet.until(now)
    minute = quiet.minute(now)
    inside = (
        quiet.start <= minute < quiet.end
        if quiet.start < quiet.end
        else minute >= quiet.start or minute < quiet.end
    )
    assert (ends is not None) == inside
    if ends is not None:
        assert now < ends <= now + DAY + 2 * HOUR  # two hours: clocks are put back
        later, steps = ends, 0
        while (again := quiet.until(later)) is not None and steps < 70:
            later, steps = again, steps + 1  # an hour that comes twice may be quiet twice
        assert quiet.until(later) is None and later <= ends + 2 * HOUR


def test_over_midnight_and_when_clocks_change() -> None:
    assert NIGHT.until(moment("2026-11-30T23:30")) == moment("2026-12-01T07:00")
    assert NIGHT.until(moment("2026-12-01T06:59")) == moment("2026-12-01T07:00")
    assert NIGHT.until(moment("2026-12-01T07:00")) is None
    assert NIGHT.until(moment("2026-12-01T21:59")) is None
    # In the night of 29 March 2026 Berlin loses an hour, in that of 25 October it gains one.
    assert NIGHT.until(moment("2026-03-28T23:00")) == moment("2026-03-28T23:00") + 7 * HOUR
    assert NIGHT.until(moment("2026-10-24T23:00")) == moment("2026-10-24T23:00") + 9 * HOUR


@pytest.mark.parametrize(
    ("typed", "minutes"),
    [("22:00", 1320), ("7", 420), ("07.30", 450), ("10 pm", 1320), ("12am", 0), ("12 PM", 720),
     ("24:00", 0), ("0", 0), ("9:05 Pm", 1265)],
)  # fmt: skip
def test_times_as_people_write_them(typed: str, minutes: int) -> None:
    assert read_time(typed) == minutes


@pytest.mark.parametrize(
    "typed", ["", "25", "7:60", "13 pm", "0 am", "noon", "-1", "7:5:1", "²", "١٢", "24:01", "pm"]
)
def test_what_is_no_time_is_refused(typed: str) -> None:
    with pytest.raises(Refused, match="Type a time of day"):
        read_time(typed)


@given(st.integers(0, 1439))
def test_a_shown_time_is_read_as_itself(minutes: int) -> None:
    assert read_time(shown_time(minutes)) == minutes


def test_time_zones() -> None:
    assert read_zone("europe/berlin") == BERLIN
    assert read_zone("america/new york") == "America/New_York"
    with pytest.raises(Refused, match=r"no such time zone\. Do you mean `Europe/Berlin`"):
        read_zone("berlin")
    with pytest.raises(Refused, match=r"no such time zone\. Type the name"):
        read_zone("Atlantis/Capital")
    for odd in ("../../etc/passwd", "localtime", "Factory"):
        with pytest.raises(Refused):
            read_zone(odd)
    assert find_zones("berl", 25)[0] == BERLIN
    assert len(find_zones("", 25)) == 25 and len(zones()) > 400


# --- at the table


async def wants(house: House, user: int, habits: Habits) -> None:
    await house.sessions.set_habits(user, "Somebody", habits)


async def test_nobody_is_mentioned_in_quiet_hours_but_once_when_they_end(
    house: House, time: Time, database: Path
) -> None:
    await wants(house, KIM, Habits(NIGHT))
    house.now = moment("2026-12-01T23:00")
    table = await house.duel()
    await house.act(table, "done")
    assert await house.sessions.awake([ROBIN, KIM]) == (ROBIN,)
    assert [kind for kind, _ in planned(database)] == ["wake", "remind", "tell_host"]
    await time.forward(8 * HOUR - 60)
    assert notices(database) == []
    await time.forward(120)
    (morning,) = notices(database)
    assert morning.mentions == (KIM,) and "waits for Blue captain" in morning.text
    assert house.now >= moment("2026-12-02T07:00")
    # The reminder after a day would fall into the next night, so it waits for the morning.
    await time.forward(moment("2026-12-03T06:59") - house.now)
    assert len(notices(database)) == 1
    await time.forward(120)
    assert [notice.mentions for notice in notices(database)] == [(KIM,), (KIM,)]


async def test_by_day_there_is_no_word_in_the_morning(
    house: House, time: Time, database: Path
) -> None:
    await wants(house, KIM, Habits(NIGHT))
    house.now = moment("2026-12-01T15:00")
    table = await house.duel()
    await house.act(table, "done")
    assert [kind for kind, _ in planned(database)] == ["remind", "tell_host"]


async def test_who_has_acted_by_morning_is_left_alone(
    house: House, time: Time, database: Path
) -> None:
    await wants(house, KIM, Habits(NIGHT))
    house.now = moment("2026-12-01T23:00")
    table = await house.duel()
    await house.act(table, "done")
    await house.act(table, "done", KIM)
    await time.forward(9 * HOUR)
    assert notices(database) == []


async def test_of_several_people_the_awake_ones_are_mentioned(field: Time, database: Path) -> None:
    house = field.house
    table = await boots(house, mode="coop")
    await join(house, table, KIM, "BRAVO")
    await join(house, table, SAM, "BRAVO")
    await wants(house, KIM, Habits(NIGHT))
    house.now = moment("2026-12-01T23:00")
    await house.start(table)
    await house.act(table, "ready", ROBIN)
    await field.forward(8 * HOUR + 60)
    (morning,) = notices(database)
    assert morning.mentions == (KIM,)  # Sam was mentioned when it began
    house.now = moment("2026-12-02T22:30")
    await field.forward(HOUR)
    assert notices(database)[1].mentions == (SAM,)


async def test_damaged_habits_are_as_none(house: House, database: Path) -> None:
    await wants(house, KIM, Habits(NIGHT, next_up=True))
    assert (await house.sessions.habits([KIM]))[KIM] == Habits(NIGHT, next_up=True)
    for raw in ("", "[]", '{"quiet": {"start": 0, "end": 1, "zone": "Mars/Olympus"}}', "\x00"):
        sql(database, "UPDATE users SET settings = ? WHERE id = ?", raw, KIM)
        assert (await house.sessions.habits([KIM, SAM])) == {KIM: ORDINARY, SAM: ORDINARY}


async def test_you_are_next_for_those_who_want_it(field: Time, database: Path) -> None:
    house = field.house
    table = await boots(house, mode="coop")
    await join(house, table, KIM, "BRAVO")
    await house.start(table)
    await wants(house, KIM, Habits(next_up=True))
    await house.act(table, "ready", ROBIN)
    await house.act(table, "ready", KIM)
    told = sql(database, "SELECT payload FROM outbox WHERE kind = 'panel' ORDER BY id")
    assert f"<@{KIM}>: " in told[-1][0] and "is next." in told[-1][0]
    assert f'"told":[{KIM}]' in told[-1][0]
    await wants(house, KIM, ORDINARY)
    now = await house.sessions.get(table.id)
    assert now.game.upcoming(now.state) == ("BRAVO",)


async def test_nobody_is_next_unasked(field: Time, database: Path) -> None:
    house = field.house
    table = await boots(house, mode="coop")
    await join(house, table, KIM, "BRAVO")
    await house.start(table)
    await house.act(table, "ready", ROBIN)
    await house.act(table, "ready", KIM)
    told = sql(database, "SELECT payload FROM outbox WHERE kind = 'panel'")
    assert all("is next" not in row[0] for row in told)

"""The same thing twice: pressed at once, by two bots over one database, after a restart, too late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.refusals import Duplicate, NotAllowed, NotYourSeat, Refused, TableOver, Withdrawn
from bot.sessions import Acted, Table
from bot.sessions.pace import DAY, HOUR, TURN
from bot.sessions.timers import TIME_UP, Timer
from bot.store import Store
from tests.bot.house import KIM, ROBIN, SAM, House, address, sql
from tests.bot.test_lessons import REGISTRY, enrol, obey, steps
from tests.bot.test_lobby import join
from tests.bot.test_pace import banks, choose, paced
from tests.bot.test_substitutes import decline, offer, take
from tests.bot.timekeeping import Time, notices, planned
from tests.bot.voters import call, gone, vote


@pytest.fixture
async def twins(tmp_path: Path) -> AsyncIterator[tuple[House, House, Path]]:
    """Two bots over one database, whose clocks show the same."""
    path = tmp_path / "games.db"
    first, second = await Store.open(address(path)), await Store.open(address(path))
    house, other = House(first), House(second)
    other.interactions = iter(range(500_000, 600_000))
    for one in (house, other):
        one.sessions._clock = lambda: house.now
    yield house, other, path
    await first.close()
    await second.close()


async def due(house: House, kind: str) -> Timer:
    return next(one for one in await house.sessions.timers_due(house.now) if one.kind == kind)


@pytest.mark.parametrize("overtime", ["wait", "program", "free"])
@pytest.mark.parametrize("away", [0, 5 * DAY])
async def test_two_bots_ring_the_same_bell(
    twins: tuple[House, House, Path], overtime: str, away: int
) -> None:
    house, other, path = twins
    table = await paced(house, "fast", overtime)
    house.now += TURN + 60 + away
    timer = await due(house, TIME_UP)
    both = await asyncio.gather(
        house.sessions.ring(timer), other.sessions.ring(timer), return_exceptions=True
    )
    assert all(one is None or isinstance(one, Refused) for one in both), both
    now = await house.sessions.get(table.id)
    words = [one for one in notices(path) if "ime" in one.text]
    rows = await house.sessions.history(table.id, after=table.version)
    if away and overtime != "wait":
        assert rows == [] and len(words) == 1 and "while I was away" in words[0].text
        assert sum(kind == "time_up" for kind, _ in planned(path)) == 1
    elif overtime == "wait":
        assert rows == [] and len(words) == 1 and "used up" in words[0].text
    elif overtime == "free":
        assert [row.kind for row in rows] == ["leave"] and now.vacant()
    else:
        assert rows and all(row.kind == "stand_in" for row in rows)
        assert all(row.seat == "BLUE" for row in rows)
    assert await other.sessions.audit(table.id) == ""


async def test_the_last_vote_in_two_bots_with_the_host_coming_back(
    twins: tuple[House, House, Path],
) -> None:
    house, other, _ = twins
    table = await gone(house)
    asked = await call(house, table, "vacate", KIM, seat="RED")
    number = asked.table.version
    both = await asyncio.gather(
        vote(house, table, number, SAM),
        vote(other, table, number, SAM),
        other.act(table, "done", ROBIN),
        return_exceptions=True,
    )
    assert all(isinstance(one, (Acted, Refused)) for one in both), both
    now = await house.sessions.get(table.id)
    rows = [row.kind for row in await house.sessions.history(table.id, after=number)]
    assert rows in (["leave"], ["act"], ["vote", "act"]), rows
    assert bool(now.vacant()) == (rows == ["leave"])
    assert await house.sessions.questions(table.id) == []
    assert await house.sessions.audit(table.id) == ""


async def test_buttons_of_what_is_over(house: House, database: Path) -> None:
    """Old notices stay in the channel: after the answer, a restart, the game's end, in another game."""
    table = await gone(house)
    offered = await offer(house, table, KIM, 504, out=KIM)
    asked = await call(house, table, "stand_in", KIM, seat="RED")
    again = House(house.store)
    again.now, again.interactions = house.now, house.interactions
    await vote(again, table, asked.table.version, SAM)
    before = sql(database, "SELECT version FROM sessions")
    for number in (asked.table.version, 0, -1, 10**9):
        with pytest.raises(Withdrawn):
            await vote(again, table, number, SAM)
    with pytest.raises(Withdrawn):  # an offer is no vote, and a vote no offer
        await vote(again, table, offered.table.version, SAM)
    with pytest.raises(Withdrawn):
        await take(again, table, asked.table.version, 504)
    with pytest.raises(Withdrawn):
        await decline(again, table, asked.table.version, SAM, moderator=True)
    assert sql(database, "SELECT version FROM sessions") == before
    await house.end(table)
    with pytest.raises(TableOver):
        await take(again, table, offered.table.version, 504)
    with pytest.raises(TableOver):
        await again.sessions.mute(table.id, KIM)
    other = await again.duel(71)
    with pytest.raises(Withdrawn):
        await take(again, other, offered.table.version, 504)


async def test_one_press_in_the_same_instant(house: House) -> None:
    """Discord may deliver an interaction twice; it acts once."""
    table = await gone(house)
    asked = await call(house, table, "host", KIM, target=KIM)
    number, press = asked.table.version, next(house.interactions)

    async def yes() -> Acted:
        return await house.sessions.vote(table.id, SAM, number, agree=True, interaction_id=press)

    found = await asyncio.gather(yes(), yes(), yes(), return_exceptions=True)
    assert sum(isinstance(one, Acted) for one in found) == 1
    assert sum(isinstance(one, Duplicate) for one in found) == 2


async def test_a_member_who_leaves_while_he_is_asked(
    house: House, time: Time, database: Path
) -> None:
    """Offers to him, his votes and his questions do not hold anything up."""
    table = await gone(house)
    await offer(house, table, KIM, 504, out=KIM)
    asked = await call(house, table, "end", SAM)
    await house.sessions.departed(table.id, SAM)
    assert [one.kind for one in await house.sessions.questions(table.id)] == []
    with pytest.raises(Withdrawn):
        await vote(house, table, asked.table.version, KIM)
    await house.sessions.departed(table.id, ROBIN)
    now = await house.sessions.get(table.id)
    assert now.host_id == KIM and planned(database) == []
    await house.sessions.departed(table.id, KIM)
    now = await house.sessions.get(table.id)
    assert now.host_id == 0 and planned(database) == []
    said = len(notices(database))
    await time.forward(30 * DAY)
    assert len(notices(database)) == said
    await join(house, table, SAM)
    assert (await house.sessions.get(table.id)).host_id == SAM
    assert await house.sessions.audit(table.id) == ""


# --- time up while something else is open


@pytest.mark.parametrize("overtime", ["program", "free"])
async def test_time_up_while_an_undo_is_asked_for(
    house: House, time: Time, database: Path, overtime: str
) -> None:
    """What the clock does withdraws the question like any other step."""
    table = await paced(house, "fast", overtime)
    asked = await house.sessions.propose(
        table.id, KIM, expected_version=None, interaction_id=next(house.interactions)
    )
    await choose(house, table, "normal")
    assert await house.sessions.proposal(table.id) is not None
    await time.forward(3 * TURN + HOUR)
    assert await house.sessions.proposal(table.id) is None
    with pytest.raises(Withdrawn):
        await house.sessions.consent(
            table.id,
            ROBIN,
            asked.table.version,
            agree=True,
            interaction_id=next(house.interactions),
        )
    assert await house.sessions.audit(table.id) == ""


async def test_an_undo_of_what_the_program_did_in_overtime(
    house: House, time: Time, database: Path
) -> None:
    """It needs consent, and whoever has his turn again has an hour for it."""
    table = await paced(house, "fast", "program")
    await time.forward(TURN + 60)
    now = await house.sessions.get(table.id)
    assert not now.over and now.due() == ("RED",)
    asked = await house.sessions.propose(
        table.id, KIM, expected_version=None, interaction_id=next(house.interactions)
    )
    acted = await house.sessions.consent(
        table.id, ROBIN, asked.table.version, agree=True, interaction_id=next(house.interactions)
    )
    assert acted.table.due() == ("BLUE",)
    blue = acted.table.holder("BLUE")
    assert blue is not None and blue.bank == 0 and blue.stand_in is None
    assert acted.table.time_up("BLUE") == pytest.approx(house.now + HOUR, abs=5)
    assert await house.sessions.audit(table.id) == ""


async def test_turns_taken_back_and_done_again_give_no_time(
    house: House, time: Time, database: Path
) -> None:
    table = await paced(house, "fast")
    await time.forward(20 * HOUR)
    await house.act(table, "done", KIM)
    once = banks(database)
    for _ in range(5):
        await house.undo(table, KIM)
        await house.act(table, "done", KIM)
    assert banks(database) == {"RED": TURN, "BLUE": once["BLUE"]}


# --- lessons


async def test_time_in_a_lesson(store: Store, database: Path) -> None:
    """Alone no clock runs; with a second person the program may act, and the lesson goes on."""
    school = House(store, REGISTRY)
    time = Time(school)
    table = await enrol(school)
    await obey(school, table)
    await choose(school, table, "fast", "program")
    await time.forward(30 * DAY)
    assert notices(database) == [] and planned(database) == []
    seat = table.seats[0].seat
    await offer(school, table, ROBIN, KIM, seat)
    await take(school, table, (await school.sessions.get(table.id)).version, KIM)
    now: Table = await school.sessions.get(table.id)
    assert now.people() in ((KIM, ROBIN), (ROBIN, KIM), (KIM,))
    await time.forward(3 * DAY)
    assert len(steps(database)) == 1
    assert await school.sessions.audit(table.id) == ""
    stranger = next(iter({SAM, KIM} - set(now.people())), SAM)
    with pytest.raises((NotAllowed, NotYourSeat)):
        await school.sessions.skip_step(table.id, stranger, now.lesson_step or 0)
    await time.clock.stop()

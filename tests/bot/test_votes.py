"""Votes where the host is gone: when, about what, who votes, what it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.refusals import (
    NotAllowed,
    NotStarted,
    NotYourSeat,
    Refused,
    TableOver,
    Withdrawn,
)
from bot.sessions.counting import ABSENT, count
from bot.sessions.questions import END, HOST, STAND_IN, VACATE, Question
from bot.sessions.timers import DAY
from tests.bot.house import KIM, ROBIN, SAM, House, snapshot, sql
from tests.bot.test_lobby import join, people
from tests.bot.test_substitutes import ANN, MOD, crowd, offer, take
from tests.bot.voters import KINDS, call, closed, four, gone, vote


async def test_a_new_host(house: House) -> None:
    table = await gone(house)
    asked = await call(house, table, HOST, target=KIM)
    number = asked.table.version
    assert asked.events[0].text == "Kim asks for a vote: shall Kim host this table?"
    assert set(asked.calls) == {ROBIN, SAM}
    (one,) = await house.sessions.questions(table.id)
    assert one.agreed == (KIM,) and one.more.seen > 0 and one.more.waited == 0
    done = await vote(house, table, number)
    assert [event.text for event in done.events] == [
        "It is decided by a vote. Yes: Kim and Sam.",
        "Kim is the host of this table now.",
    ]
    assert done.table.host_id == KIM == (await house.sessions.get(table.id)).host_id
    (settled,) = await house.sessions.settled(table.id)
    assert isinstance(settled, Question)
    assert settled.agreed == (KIM, SAM) and settled.closed == "It is decided and done."
    kinds = [row.kind for row in await house.sessions.history(table.id, after=4)]
    assert kinds == ["ask", "host"]
    await house.end(table, KIM)
    assert await house.sessions.audit(table.id) == ""


async def test_the_end(house: House) -> None:
    table = await gone(house)
    asked = await call(house, table, END)
    done = await vote(house, table, asked.table.version)
    assert done.table.over
    assert done.events[-1].text == "The game was ended before its time."
    with pytest.raises(TableOver):
        await vote(house, table, asked.table.version)
    assert await house.sessions.audit(table.id) == ""


async def test_a_seat_is_made_vacant(house: House) -> None:
    table = await gone(house)
    asked = await call(house, table, VACATE, seat="RED")
    done = await vote(house, table, asked.table.version)
    assert people(done.table) == {"RED": (), "BLUE": (KIM, SAM)}
    assert done.table.host_id == KIM, "who sits here longest"
    assert "Robin no longer plays Red captain: the seat is vacant now." in [
        event.text for event in done.events
    ]
    taken = await join(house, table, ROBIN, "RED")
    assert taken.host_id == KIM
    assert await house.sessions.audit(table.id) == ""


async def test_the_program_acts(house: House, database: Path) -> None:
    table = await gone(house)
    asked = await call(house, table, STAND_IN, seat="RED")
    done = await vote(house, table, asked.table.version)
    assert done.events[-1].text == (
        "The program will act for Red captain until somebody of it acts again."
    )
    assert done.table.state == table.state, "the program's turn comes by its timer"
    assert sql(database, "SELECT seat FROM timers WHERE kind = 'program'") == [("RED",)]
    acted = await house.sessions.program_acts(table.id, "RED")
    assert acted is not None
    assert acted.events[0].text == (
        "The program acts for Red captain, as was decided at this table."
    )
    assert await house.sessions.audit(table.id) == ""


async def test_not_before_a_week_and_then_what(house: House) -> None:
    table = await crowd(house)
    begun = (await house.sessions.history(table.id))[-1].time
    house.now = begun + ABSENT - 5
    for kind in KINDS:
        with pytest.raises(NotAllowed, match=f"from <t:{begun + ABSENT}:f> on") as why:
            await call(house, table, kind, seat="RED", target=KIM)
        command = kind.replace("_", "-")
        assert f"A moderator of this server can do it at once: `/table {command}`." in str(
            why.value
        )
    house.now = begun + ABSENT
    await call(house, table, END)


async def test_who_was_seen_is_waited_for_anew(house: House) -> None:
    table = await crowd(house)
    house.now += 6 * DAY
    await house.act(table, "move", to="B2")
    house.now += 6 * DAY
    with pytest.raises(NotAllowed):
        await call(house, table, END)
    house.now += DAY
    await call(house, table, END)


async def test_what_the_program_does_for_the_host_does_not_count(house: House) -> None:
    table = await crowd(house)
    await house.sessions.stand_in(
        table.id, ROBIN, "RED", moderator=False, lasting=True, interaction_id=1
    )
    while (await house.sessions.get(table.id)).due() == ("RED",):
        await house.sessions.program_acts(table.id, "RED")
    await house.act(table, "done", KIM)
    house.now += ABSENT
    assert await house.sessions.program_acts(table.id, "RED") is not None
    await call(house, table, END)


async def test_the_host_keeps_the_game_waiting(house: House) -> None:
    """He is about, but does not move: his seat has been waited for since it began."""
    table = await crowd(house)
    house.now += 6 * DAY
    await house.sessions.salt(table.id, ROBIN, "Robin", "words", interaction_id=1)
    house.now += 2 * DAY
    await call(house, table, END)
    (one,) = await house.sessions.questions(table.id)
    assert one.more.waited > 0 and one.more.seen == 0


async def test_a_new_host_has_a_week_too(house: House) -> None:
    table = await gone(house)
    await house.act(table, "done")
    house.now += 10 * DAY
    await house.sessions.host(
        table.id, MOD, SAM, moderator=True, interaction_id=next(house.interactions)
    )
    await house.act(table, "done", KIM)  # the seat is Sam's as well
    with pytest.raises(NotAllowed, match="from <t:"):
        await call(house, table, HOST, target=KIM)
    house.now += ABSENT
    await call(house, table, HOST, target=KIM)


async def test_in_private_channels_there_are_no_moderators(house: House, database: Path) -> None:
    table = await crowd(house)
    sql(database, "UPDATE sessions SET guild_id = NULL")
    with pytest.raises(NotAllowed) as why:
        await call(house, table, END)
    assert "moderator" not in str(why.value)


async def test_a_table_without_a_host(house: House, database: Path) -> None:
    table = await crowd(house)
    sql(database, "UPDATE sessions SET host_id = 0")
    asked = await call(house, table, HOST, target=KIM)
    assert count(asked.table, (await house.sessions.questions(table.id))[0]).needed == 2
    await vote(house, table, asked.table.version)
    done = await vote(house, table, asked.table.version, ROBIN)
    assert done.table.host_id == KIM


async def test_two_people_the_one_who_is_left_decides(house: House) -> None:
    table = await house.duel()
    house.now += ABSENT
    asked = await call(house, table, HOST, target=KIM)
    (one,) = await house.sessions.questions(table.id)
    assert one.agreed == () and asked.table.host_id == ROBIN, "a second press makes sure"
    done = await vote(house, table, one.number, KIM)
    assert done.table.host_id == KIM
    assert await house.sessions.audit(table.id) == ""


async def test_it_takes_more_than_half(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, END)
    number = asked.table.version
    first = await vote(house, table, number, ANN, agree=False)
    assert first.events[0].text == "Ann votes no: shall this game be ended?"
    (one,) = await house.sessions.questions(table.id)
    assert (one.agreed, one.refused) == ((KIM,), (ANN,))
    done = await vote(house, table, number)
    assert done.table.over
    assert done.events[0].text == "It is decided by a vote. Yes: Kim and Sam."


async def test_it_fails_when_it_cannot_pass_any_more(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, END)
    number = asked.table.version
    await vote(house, table, number, ANN, agree=False)
    done = await vote(house, table, number, SAM, agree=False)
    assert done.text == f"<@{KIM}>: The vote is over: 1 yes, 2 no. Everything stays as it is."
    assert not done.table.over
    with pytest.raises(Withdrawn, match="The vote is over"):
        await vote(house, table, number, SAM)


async def test_a_vote_can_be_changed(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, END)
    number = asked.table.version
    await vote(house, table, number, ANN, agree=False)
    with pytest.raises(NotAllowed, match="voted no already"):
        await vote(house, table, number, ANN, agree=False)
    with pytest.raises(NotAllowed, match="voted yes already"):
        await vote(house, table, number, KIM)
    done = await vote(house, table, number, ANN)
    assert done.table.over


async def test_about_a_new_host_he_must_be_willing(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, HOST, target=SAM)
    done = await vote(house, table, asked.table.version, agree=False)
    assert done.text == f"<@{KIM}>: Sam does not want to host this table, so this vote is over."
    asked = await call(house, table, HOST, target=SAM)
    await vote(house, table, asked.table.version)
    assert (await house.sessions.get(table.id)).host_id == ROBIN, "that is his own vote only"
    done = await vote(house, table, asked.table.version, ANN)
    assert done.table.host_id == SAM


async def test_the_host_comes_back(house: House) -> None:
    table = await gone(house)
    asked = await call(house, table, END)
    done = await vote(house, table, asked.table.version, ROBIN, agree=False)
    assert (
        done.text == f"<@{KIM}>: Robin, the host, is back and says no, so this vote is withdrawn."
    )
    seen = done.table.updated  # his seat is waited for all the same, so he has a day
    with pytest.raises(NotAllowed, match=f"possible from <t:{seen + DAY}:f> on"):
        await call(house, table, END)
    house.now += DAY
    asked = await call(house, table, END)
    done = await vote(house, table, asked.table.version, ROBIN)
    assert done.table.over, "his yes does it"


async def test_what_cannot_be_asked_for(house: House, database: Path) -> None:
    table = await gone(house)
    before = snapshot(database)
    for user in (ANN, MOD):
        with pytest.raises(NotYourSeat, match="Only those who play"):
            await call(house, table, END, user)
    with pytest.raises(NotAllowed, match="`/table end` does it at once"):
        await call(house, table, END, ROBIN)
    with pytest.raises(Refused, match="Say with `user`"):
        await call(house, table, HOST)
    with pytest.raises(Refused, match="has no seat at this table"):
        await call(house, table, HOST, target=ANN)
    with pytest.raises(Refused, match="hosts this table already"):
        await call(house, table, HOST, target=ROBIN)
    for kind in (VACATE, STAND_IN):
        with pytest.raises(Refused, match="Say with `seat`"):
            await call(house, table, kind)
        with pytest.raises(Refused, match="no such seat"):
            await call(house, table, kind, seat="GREEN")
    assert snapshot(database) == before
    await call(house, table, END)
    with pytest.raises(Refused, match="open already"):
        await call(house, table, END, SAM)
    await house.sessions.leave(table.id, SAM, interaction_id=1)
    with pytest.raises(Refused, match="That is your own seat"):
        await call(house, table, VACATE, seat="BLUE")


async def test_in_a_lobby_the_program_cannot_act(house: House) -> None:
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    house.now += ABSENT
    with pytest.raises(NotStarted):
        await call(house, table, STAND_IN, seat="RED")
    asked = await call(house, table, END)
    done = await vote(house, table, asked.table.version, KIM)
    assert done.table.over
    assert done.events[-1].text == "The table was closed before the game began."


async def test_an_older_vote_of_the_same_person_is_withdrawn(house: House) -> None:
    table = await gone(house)
    await call(house, table, END)
    await call(house, table, HOST, target=KIM)
    assert await closed(house, table) == ["Whoever asked wants something else now."]
    await call(house, table, END, SAM)
    assert [one.kind for one in await house.sessions.questions(table.id)] == [HOST, END]


async def test_strangers_do_not_vote(house: House, database: Path) -> None:
    table = await gone(house)
    asked = await call(house, table, END)
    before = snapshot(database)
    for agree in (True, False):
        with pytest.raises(NotYourSeat, match="Only those who play at this table vote"):
            await vote(house, table, asked.table.version, ANN, agree=agree)
        with pytest.raises(Withdrawn):
            await vote(house, table, asked.table.version - 1, agree=agree)
    assert snapshot(database) == before
    other = await offer(house, table, KIM, ANN)
    with pytest.raises(Withdrawn):
        await vote(house, table, other.table.version)
    with pytest.raises(Withdrawn):
        await take(house, table, asked.table.version)

"""Seats in a game: shared, several to one person, left, taken over; whose press counts."""

from __future__ import annotations

import asyncio

import pytest

from bot.offers import seat_for, starts
from bot.refusals import NotAllowed, NotYourSeat, Refused, Stale, WhichSeat
from bot.sessions import Table
from bot.store import Store
from games.registry import Registry
from tests.bot.house import KIM, ROBIN, SAM, House
from tests.bot.test_lobby import boots, join, people


@pytest.fixture
async def field(store: Store) -> House:
    return House(store, Registry())


async def coop(house: House) -> Table:
    """Robin leads Alpha; Kim and Sam share Bravo."""
    table = await boots(house, mode="coop")
    await join(house, table, KIM, "BRAVO")
    await join(house, table, SAM, "BRAVO")
    return await house.start(table)


async def test_anybody_of_a_seat_may_act_for_it(field: House) -> None:
    table = await coop(field)
    assert table.waits_for() == (ROBIN, KIM, SAM)
    await field.act(table, "deploy", KIM, unit="B-L", square="I15", face="W")
    await field.act(table, "ready", SAM)
    rows = await field.sessions.history(table.id)
    assert [(row.name, row.seat) for row in rows[-2:]] == [("Kim", "BRAVO"), ("Sam", "BRAVO")]


async def test_what_another_seat_does_makes_nothing_stale(field: House) -> None:
    table = await coop(field)
    shown = table.version
    await field.act(table, "deploy", ROBIN, version=shown, unit="A-L", square="O16", face="S")
    await field.act(table, "ready", ROBIN)
    acted = await field.act(table, "ready", KIM, version=shown)
    assert acted.table.due() == ("ALPHA",)
    with pytest.raises(Stale):
        await field.act(table, "ready", SAM, version=shown)


async def test_what_ones_own_seat_does_makes_controls_stale(field: House) -> None:
    table = await coop(field)
    shown = table.version
    await field.act(table, "deploy", KIM, version=shown, unit="B-L", square="I15", face="W")
    with pytest.raises(Stale):
        await field.act(table, "deploy", SAM, version=shown, unit="B-L", square="J15", face="W")
    with pytest.raises(Stale):
        await field.act(table, "ready", SAM, version=shown + 99)


async def test_both_squads_set_up_at_the_same_moment(field: House) -> None:
    table = await coop(field)
    shown = table.version
    both = await asyncio.gather(
        field.act(table, "ready", ROBIN, version=shown),
        field.act(table, "ready", KIM, version=shown),
        field.act(table, "ready", SAM, version=shown),
        return_exceptions=True,
    )
    assert [isinstance(result, Exception) for result in both] == [False, False, True]
    assert isinstance(both[2], Stale)


async def test_a_seat_is_meant_where_only_one_can_do_it(field: House) -> None:
    table = await boots(field, mode="solo2")
    with pytest.raises(WhichSeat) as which:
        await field.act(table, "ready")
    assert which.value.seats == ("ALPHA", "BRAVO")
    with pytest.raises(WhichSeat):
        seat_for(table, ROBIN, "ready")
    await field.act(table, "ready", seat="BRAVO")
    acted = await field.act(table, "ready")
    assert acted.table.due() == ("ALPHA",)
    assert {start.seat for start in starts(acted.table)} == {0}
    assert await field.sessions.audit(table.id) == ""


async def test_only_who_must_act_now_is_called_and_only_once(field: House) -> None:
    table = await boots(field, mode="coop")
    await join(field, table, KIM, "BRAVO")
    begun = await field.sessions.start(table.id, ROBIN, interaction_id=1)
    assert begun.calls == (KIM,)
    first = await field.act(table, "deploy", KIM, unit="B-L", square="I15", face="W")
    assert first.calls == () and not first.handover
    ready = await field.act(table, "ready", KIM)
    assert ready.calls == (), "Robin has been called already"
    then = await field.act(table, "ready", ROBIN)
    assert then.calls == () and then.table.due() == ("ALPHA",)


async def test_leaving_in_mid_game_loses_nothing(house: House) -> None:
    table = await house.duel()
    await house.act(table, "done")
    left = await house.sessions.leave(table.id, KIM, interaction_id=1)
    assert people(left.table)["BLUE"] == () and left.table.due() == ("BLUE",)
    assert left.told == (ROBIN,) and f"<@{ROBIN}>" in left.text
    with pytest.raises(NotYourSeat):
        await house.act(table, "done", KIM)
    with pytest.raises(NotYourSeat, match="only a vacant seat"):
        await join(house, table, SAM, "RED")
    taken = await join(house, table, SAM, "BLUE")
    assert taken.state == left.table.state and taken.waits_for() == (SAM,)
    await house.act(table, "done", SAM)
    assert await house.sessions.audit(table.id) == ""


async def test_one_of_several_leaves(field: House) -> None:
    table = await coop(field)
    left = await field.sessions.leave(table.id, KIM, interaction_id=1)
    assert left.told == () and people(left.table)["BRAVO"] == (SAM,)


async def test_two_for_a_vacant_seat(house: House) -> None:
    table = await house.duel()
    await house.sessions.leave(table.id, KIM, interaction_id=1)
    both = await asyncio.gather(
        join(house, table, KIM, "BLUE"), join(house, table, SAM, "BLUE"), return_exceptions=True
    )
    assert [isinstance(result, NotYourSeat) for result in both] == [False, True]


async def test_who_holds_several_seats_says_which_to_leave(house: House) -> None:
    table = await house.duel()
    await house.sessions.leave(table.id, KIM, interaction_id=1)
    await join(house, table, ROBIN, "BLUE")
    with pytest.raises(WhichSeat):
        await house.sessions.leave(table.id, ROBIN, interaction_id=2)
    left = await house.sessions.leave(table.id, ROBIN, interaction_id=3, seat="RED")
    assert left.table.seats_of(ROBIN) == ("BLUE",) and left.table.host_id == ROBIN


async def test_the_host_leaves(house: House) -> None:
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    await join(house, table, SAM, "BLUE")
    await house.start(table)
    left = await house.sessions.leave(table.id, ROBIN, interaction_id=1)
    assert left.table.host_id == KIM and left.told == (KIM,)
    with pytest.raises(NotAllowed):
        await house.end(table, ROBIN)
    await house.end(table, KIM)


async def test_vacating(house: House) -> None:
    table = await house.duel()
    with pytest.raises(NotAllowed):
        await house.sessions.vacate(table.id, KIM, "RED", moderator=False, interaction_id=1)
    with pytest.raises(Refused, match="no such seat"):
        await house.sessions.vacate(table.id, ROBIN, "GREEN", moderator=False, interaction_id=2)
    gone = await house.sessions.vacate(table.id, ROBIN, "BLUE", moderator=False, interaction_id=3)
    assert people(gone.table)["BLUE"] == ()
    assert gone.events[0].text.startswith("Kim no longer plays Blue captain")
    with pytest.raises(Refused, match="vacant already"):
        await house.sessions.vacate(table.id, 999, "BLUE", moderator=True, interaction_id=4)
    gone = await house.sessions.vacate(table.id, 999, "RED", moderator=True, interaction_id=5)
    assert gone.table.host_id == 0
    assert (await join(house, table, SAM)).host_id == SAM


async def test_handing_the_table_over(house: House) -> None:
    table = await house.duel()
    for user, to in ((KIM, KIM), (SAM, SAM)):
        with pytest.raises(NotAllowed):
            await house.sessions.host(table.id, user, to, moderator=False, interaction_id=1)
    with pytest.raises(Refused, match="no seat"):
        await house.sessions.host(table.id, ROBIN, SAM, moderator=False, interaction_id=2)
    with pytest.raises(Refused, match="already"):
        await house.sessions.host(table.id, ROBIN, ROBIN, moderator=False, interaction_id=3)
    done = await house.sessions.host(table.id, ROBIN, KIM, moderator=False, interaction_id=4)
    assert done.table.host_id == KIM
    assert (await house.sessions.get(table.id)).host_id == KIM


async def test_secrets_stay_when_somebody_has_gone(house: House) -> None:
    """The proof stops before private draws as soon as several people have played."""
    table = await house.duel()
    await house.act(table, "draw")
    await house.sessions.leave(table.id, KIM, interaction_id=1)
    assert (await house.sessions.proof(table.id))["rolls"] == []

"""The lobby: opening, changing, starting; who may do what; two things at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.refusals import (
    AgainstTheRules,
    ChannelTaken,
    Duplicate,
    NotAllowed,
    NotStarted,
    NotYourSeat,
    Refused,
    TableOver,
)
from bot.sessions import Table
from bot.store import Store
from games.registry import Registry
from tests.bot.house import KIM, ROBIN, SAM, House


async def boots(house: House, **chosen: str) -> Table:
    return await house.sessions.open(
        game="boots",
        chosen=chosen,
        guild_id=9,
        channel_id=80,
        user_id=ROBIN,
        user_name="Robin",
        interaction_id=next(house.interactions),
    )


@pytest.fixture
async def field(store: Store) -> House:
    return House(store, Registry())


async def join(house: House, table: Table, user: int, seat: str | None = None) -> Table:
    name = {ROBIN: "Robin", KIM: "Kim", SAM: "Sam"}[user]
    acted = await house.sessions.join(
        table.id, user, name, interaction_id=next(house.interactions), seat=seat
    )
    return acted.table


async def change(house: House, table: Table, user: int = ROBIN, **chosen: str) -> Any:
    return await house.sessions.change(
        table.id, user, chosen, interaction_id=next(house.interactions)
    )


def people(table: Table) -> dict[str, tuple[int, ...]]:
    return {holder.seat: holder.user_ids for holder in table.seats}


async def test_a_game_for_one_begins_at_once(house: House) -> None:
    table = await house.open()
    assert not table.lobby and table.due() == ("RED",)


async def test_both_squads_of_solo2_are_the_openers(field: House) -> None:
    table = await boots(field, mode="solo2")
    assert not table.lobby
    assert people(table) == {"ALPHA": (ROBIN,), "BRAVO": (ROBIN,)}


async def test_nothing_has_begun_in_a_lobby(house: House) -> None:
    table = await house.open("duel")
    assert table.lobby and people(table) == {"RED": (ROBIN,), "BLUE": ()}
    assert table.tasks() == () and table.waits_for() == () and table.keys_used == 0
    assert len(table.commitment) == 64
    for trying in (house.act(table, "done"), house.undo(table)):
        with pytest.raises(NotStarted, match="not begun yet"):
            await trying
    with pytest.raises(ChannelTaken):
        await house.open()


async def test_every_joining_adds_salt(house: House) -> None:
    table = await house.duel()
    await house.act(table, "draw")
    proof = await house.sessions.proof(table.id)
    assert proof["commitment"] == table.commitment
    await house.end(table)
    proof = await house.sessions.proof(table.id)
    assert proof["rolls"][0]["salts"] == ["1000", "1001"]
    assert await house.sessions.audit(table.id) == ""


async def test_start_needs_every_seat_and_the_host(house: House) -> None:
    table = await house.open("duel")
    with pytest.raises(Refused, match="Nobody plays Blue captain yet"):
        await house.start(table)
    await join(house, table, KIM)
    with pytest.raises(NotAllowed, match="Only"):
        await house.start(table, KIM)
    begun = await house.start(table)
    assert not begun.lobby and begun.due() == ("RED",)
    with pytest.raises(Refused, match="begun already"):
        await house.start(table)
    with pytest.raises(Refused, match="begun already"):
        await change(house, table, mode="solo1")


async def test_seats_can_be_shared_in_a_lobby(house: House) -> None:
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    await join(house, table, SAM, "BLUE")
    table = await join(house, table, KIM, "RED")
    assert people(table) == {"RED": (ROBIN, KIM), "BLUE": (KIM, SAM)}
    assert people(table)["BLUE"][0] == KIM, "whoever came first is the captain"
    with pytest.raises(NotYourSeat, match="already"):
        await join(house, table, SAM, "BLUE")
    with pytest.raises(Refused, match="There are: Red captain, Blue captain"):
        await join(house, table, SAM, "GREEN")


async def test_the_host_changes_the_game(field: House) -> None:
    table = await boots(field, mode="three")
    await join(field, table, KIM, "BRAVO")
    await join(field, table, SAM, "INSURGENT")
    before = table.view(None).title
    changed = await change(field, table, mission="bring-them-home")
    assert changed.table.view(None).title != before
    assert "Bring" in changed.events[0].text
    changed = await change(field, table, three_goal="comp")
    assert changed.table.setup.options == {"three_goal": "comp"}
    changed = await change(field, table, mode="coop")
    assert people(changed.table) == {"ALPHA": (ROBIN,), "BRAVO": (KIM,)}
    told = " ".join(event.text for event in changed.events)
    assert "three_goal" in told and "no Insurgents any more: Sam" in told
    assert changed.told == (SAM,) and changed.table.setup.options == {}
    with pytest.raises(NotAllowed):
        await change(field, table, KIM, mode="comp")
    with pytest.raises(AgainstTheRules, match="means nothing in"):
        await change(field, table, versus_squads="2")
    with pytest.raises(AgainstTheRules, match="cannot be"):
        await change(field, table, mission="the moon")
    begun = await field.start(table)
    assert begun.setup.mission == "bring-them-home" and begun.due() == ("ALPHA", "BRAVO")
    assert await field.sessions.audit(table.id) == ""


async def test_options_that_exclude_each_other(field: House) -> None:
    with pytest.raises(AgainstTheRules, match=r"versus_squads.* means nothing in") as refused:
        await boots(field, mode="coop", versus_squads="2")
    assert refused.value.rule == "BG-O.8"
    assert await field.sessions.in_channel(80) is None


async def test_two_presses_of_start_begin_one_game(house: House) -> None:
    table = await house.open("duel")
    await join(house, table, KIM)
    results = await asyncio.gather(house.start(table), house.start(table), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["Refused", "Table"]
    rows = await house.sessions.history(table.id)
    assert [row.kind for row in rows] == ["lobby", "join", "begin"]


async def test_one_press_told_twice_counts_once(house: House) -> None:
    table = await house.open("duel")
    twice = [
        house.sessions.join(table.id, KIM, "Kim", interaction_id=7, seat="BLUE") for _ in range(2)
    ]
    results = await asyncio.gather(*twice, return_exceptions=True)
    assert [r for r in results if isinstance(r, Duplicate)]
    assert people(await house.sessions.get(table.id))["BLUE"] == (KIM,)


async def test_two_people_for_the_last_seat_share_it(house: House) -> None:
    table = await house.open("duel")
    await asyncio.gather(join(house, table, KIM, "BLUE"), join(house, table, SAM, "BLUE"))
    assert set(people(await house.sessions.get(table.id))["BLUE"]) == {KIM, SAM}


@pytest.mark.parametrize("first", ["join", "start"])
async def test_joining_and_starting_at_once(house: House, first: str) -> None:
    """Whoever comes second meets the game as it then is; nothing is half done."""
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    racing = [join(house, table, SAM, "BLUE"), house.start(table)]
    if first == "start":
        racing.reverse()
    results = await asyncio.gather(*racing, return_exceptions=True)
    after = await house.sessions.get(table.id)
    assert not after.lobby
    refused = [r for r in results if isinstance(r, BaseException)]
    if first == "join":
        assert not refused and people(after)["BLUE"] == (KIM, SAM)
    else:
        assert [type(r) for r in refused] == [NotYourSeat] and people(after)["BLUE"] == (KIM,)
    assert await house.sessions.audit(table.id) == ""


async def test_leaving_a_lobby(house: House) -> None:
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    left = await house.sessions.leave(table.id, ROBIN, interaction_id=1)
    assert left.table.host_id == KIM and people(left.table)["RED"] == ()
    assert left.events[-1].text == "Kim is the host of this table now."
    left = await house.sessions.leave(table.id, KIM, interaction_id=2)
    assert left.table.host_id == 0
    with pytest.raises(NotAllowed):
        await change(house, table, mode="solo1")
    back = await join(house, table, SAM)
    assert back.host_id == SAM and people(back)["RED"] == (SAM,)
    with pytest.raises(NotYourSeat):
        await house.sessions.leave(table.id, KIM, interaction_id=3)


async def test_closing_a_lobby(house: House) -> None:
    table = await house.open("duel")
    ended = await house.end(table)
    assert ended.table.over and "before the game began" in ended.events[0].text
    with pytest.raises(TableOver):
        await join(house, table, KIM)
    assert await house.sessions.audit(table.id) == ""
    await house.open()


async def test_a_paused_lobby_is_a_lobby_again(house: House, store: Store) -> None:
    table = await house.open("duel")
    bare = House(store, Registry(shipped=False))
    with pytest.raises(Refused, match="paused"):
        await bare.sessions.get(table.id)
    assert (await house.sessions.get(table.id)).lobby
    await join(house, table, KIM)
    assert (await house.start(table)).due() == ("RED",)


async def test_buttons_from_before_other_seats_are_stale(field: House) -> None:
    table = await boots(field, mode="versus", versus_squads="2")
    changed = (await change(field, table, mission="bring-them-home")).table
    assert {holder.moment for holder in changed.seats} == {1}
    changed = (await change(field, table, versus_squads="1")).table
    assert [(h.seat, h.moment) for h in changed.seats] == [("ALPHA", 3), ("INSURGENT", 3)]

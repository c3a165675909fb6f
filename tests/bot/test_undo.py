"""Undo: free back to the last thing that came to light or somebody else's action, never further."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.refusals import NothingToUndo, NotYourSeat, Refused, TableOver, Unreadable
from bot.sessions import Table
from bot.store import Store
from games.kernel import verify
from games.kernel.entropy import seeded
from games.kernel.random_player import random_action
from tests.bot.house import KIM, ROBIN, SAM, House, snapshot, sql


async def preview(house: House, table: Table, user: int = ROBIN) -> str:
    """What the one who asks reads of the action that would be taken back."""
    return (await house.sessions.undo_preview(table.id, user)).private[0]


async def nothing(house: House, table: Table, user: int = ROBIN) -> str:
    """The sentence with which undo refuses, changing nothing."""
    with pytest.raises(NothingToUndo) as undo:
        await house.undo(table, user)
    try:
        found = await house.sessions.undo_preview(table.id, user)
    except NothingToUndo as refused:
        assert refused.sentence == undo.value.sentence
    else:
        assert found.why == undo.value.sentence and found.asks
    return undo.value.sentence


async def test_moves_are_taken_back_one_by_one(house: House, database: Path) -> None:
    table = await house.open()
    first = (await house.act(table, "move", to="B2")).table
    await house.act(table, "move", to="B3")
    assert await preview(house, table) == "Red captain walks B2 to B3."
    undone = await house.undo(table, version=3)
    assert undone.events[0].text == "Taken back: Red captain walks B2 to B3."
    assert undone.table.version == 4 and undone.turnout is None
    assert undone.table.state == first.state
    assert (await house.sessions.get(table.id)).state == first.state
    assert await preview(house, table) == "Red captain walks A1 to B2."
    undone = await house.undo(table)
    assert undone.table.state == table.state
    assert await nothing(house, table) == "Nothing has been done yet that could be taken back."
    assert sql(database, "SELECT number, kind, base FROM log ORDER BY number") == [
        (1, "begin", 0),
        (2, "act", 1),
        (3, "act", 2),
        (4, "undo", 3),
        (5, "undo", 2),
    ]


async def test_another_way_after_an_undo(house: House) -> None:
    table = await house.open()
    await house.act(table, "move", to="B2")
    await house.undo(table)
    other = (await house.act(table, "move", to="B1")).table
    await house.act(table, "move", to="B2")
    undone = await house.undo(table)
    assert undone.table.state == other.state
    await house.undo(table)
    assert (await house.sessions.get(table.id)).state == table.state
    assert await house.sessions.audit(table.id) == ""


async def test_what_came_to_light_stands(house: House) -> None:
    table = await house.duel()
    await house.act(table, "draw")
    assert await nothing(house, table) == (
        "The last action brought something to light (dice, a card or a hidden counter), "
        "so it stands: Red captain draws a card."
    )
    after = (await house.act(table, "move", to="B2")).table
    await house.act(table, "move", to="C3")  # a cache is there
    assert "so it stands" in await nothing(house, after)


async def test_only_the_own_last_action(house: House) -> None:
    table = await house.duel()
    await house.act(table, "move", to="B2")
    assert "somebody else’s: Red captain walks" in await nothing(house, table, KIM)
    with pytest.raises(NotYourSeat):
        await house.undo(table, SAM)
    with pytest.raises(NotYourSeat):
        await house.sessions.undo_preview(table.id, SAM)
    await house.act(table, "done")
    assert (await house.undo(table)).handover  # nobody has acted since
    await house.act(table, "done")
    await house.act(table, "move", user=KIM, to="E5")
    assert "somebody else’s" in await nothing(house, table, ROBIN)


async def test_private_words_stay_private(house: House) -> None:
    """What is told in public of an undo holds public events only."""
    table = await house.duel()
    await house.act(table, "draw")
    card = (await house.sessions.get(table.id)).state.hands["RED"][0]
    await house.act(table, "burn", cards=(card,))
    undone = await house.undo(table)
    assert undone.events[0].to is None
    assert undone.events[0].text.startswith("Taken back: Red captain burns ")
    told = await nothing(house, table)
    assert "You drew" not in told


async def test_a_joined_seat_does_not_hinder_undo(house: House) -> None:
    table = await house.duel()
    await house.sessions.leave(table.id, KIM, interaction_id=1)
    await house.act(table, "move", to="B2")
    await house.sessions.join(table.id, KIM, "Kim", interaction_id=2)
    undone = await house.undo(table)
    assert undone.table.state == table.state and undone.table.seats_of(KIM) == ("BLUE",)
    assert await house.sessions.audit(table.id) == ""


async def test_no_undo_after_the_end(house: House) -> None:
    table = await house.open()
    await house.act(table, "move", to="B2")
    await house.end(table)
    with pytest.raises(TableOver):
        await house.undo(table)
    with pytest.raises(TableOver):
        await house.sessions.undo_preview(table.id, ROBIN)


async def test_a_damaged_earlier_state_changes_nothing(house: House, database: Path) -> None:
    table = await house.open()
    await house.act(table, "move", to="B2")
    for damage in ("x'00'", "NULL"):
        sql(database, f"UPDATE log SET state = {damage} WHERE number = 1")
        before = snapshot(database)
        with pytest.raises(Unreadable):
            await house.undo(table)
        assert snapshot(database) == before
    assert (await house.act(table, "move", to="B3")).table.version == 3


async def test_a_key_is_never_used_again(house: House, database: Path) -> None:
    table = await house.open()
    for _ in range(3):
        await house.act(table, "move", to="B2")
        await house.undo(table)
        await house.act(table, "done")  # the automation is too far away to roll
    for verb in ("draw", "draw"):
        await house.act(table, verb)
    keys = sql(database, "SELECT key_number, key FROM log WHERE key IS NOT NULL ORDER BY number")
    assert [number for number, _ in keys] == [1, 2]
    assert len({key for _, key in keys}) == 2


STEPS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 10_000)), min_size=1, max_size=25)


@pytest.mark.parametrize("mode", ["solo1", "duel"])
def test_any_acts_and_undos_replay_to_the_saved_state(tmp_path: Path, mode: str) -> None:
    """Whatever is done and taken back: the log plays to the stored state, with right dice."""
    runner = asyncio.Runner()
    store = runner.run(Store.open("sqlite+aiosqlite:///:memory:"))
    house = House(store)
    channels = iter(range(1, 1_000_000))

    async def example(steps: list[tuple[int, int]]) -> None:
        channel = next(channels)
        table = await (house.open(channel=channel) if mode == "solo1" else house.duel(channel))
        used = table.keys_used
        for kind, seed in steps:
            before = table
            seat = table.tasks()[0].seat if table.tasks() else "RED"
            user = ROBIN if seat == "RED" else KIM
            try:
                if kind == 0:
                    acted = await house.undo(table, user)
                elif table.over:
                    break
                else:
                    action = random_action(table.game, table.state, seat, seeded(str(seed)))
                    slots: dict[str, Any] = dict(action.slots)
                    acted = await house.act(table, action.verb, user, **slots)
            except Refused:
                assert await house.sessions.get(table.id) == before
                continue
            table = acted.table
            assert table.version == before.version + 1
            assert table.keys_used >= used
            used = table.keys_used
        assert await house.sessions.audit(table.id) == ""
        proof = await house.sessions.proof(table.id)
        assert all(wrong == "" for _, wrong in verify.check(proof))
        if not table.over:
            await house.end(table)
        assert await house.sessions.audit(table.id) == ""

    @settings(max_examples=25, deadline=None)
    @given(STEPS)
    def examples(steps: list[tuple[int, int]]) -> None:
        runner.run(example(steps))

    try:
        examples()
    finally:
        runner.run(store.close())
        runner.close()

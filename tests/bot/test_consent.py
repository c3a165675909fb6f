"""Undo by consent: who is asked, what withdraws the question, several actions, the end of a game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.refusals import (
    Duplicate,
    NotAllowed,
    NothingToUndo,
    NotYourSeat,
    Refused,
    Stale,
    TableOver,
    Withdrawn,
)
from bot.sessions import Acted, Table
from bot.store import Store
from games.kernel import verify
from games.kernel.entropy import seeded
from games.kernel.random_player import random_action
from tests.bot.house import KIM, ROBIN, SAM, House, snapshot, sql


async def propose(
    house: House, table: Table, user: int = ROBIN, steps: int = 1, version: int | None = None
) -> Acted:
    return await house.sessions.propose(
        table.id, user, steps, expected_version=version, interaction_id=next(house.interactions)
    )


async def consent(
    house: House, table: Table, number: int, user: int = KIM, *, agree: bool = True
) -> Acted:
    return await house.sessions.consent(
        table.id, user, number, agree=agree, interaction_id=next(house.interactions)
    )


async def undo(house: House, table: Table, steps: int, user: int = ROBIN) -> Acted:
    return await house.sessions.undo(
        table.id,
        user,
        expected_version=None,
        interaction_id=next(house.interactions),
        steps=steps,
    )


async def test_a_draw_is_taken_back_when_the_other_agrees(house: House, database: Path) -> None:
    table = await house.duel()
    drawn = await house.act(table, "draw")
    asked = await propose(house, table)
    number = asked.table.version
    assert asked.calls == (KIM,)
    assert [e.text for e in asked.events] == ["Robin asks to take back: Red captain draws a card."]
    assert asked.table.state == drawn.table.state
    open_ = await house.sessions.proposal(table.id)
    assert open_ is not None and open_.number == number and open_.rows == (drawn.table.version,)
    done = await consent(house, table, number)
    assert done.table.state == table.state and done.table.takebacks == 1
    assert [e.text for e in done.events] == [
        "Kim agrees that it is taken back.",
        "Taken back: Red captain draws a card.",
        "Take-backs past a die or card in this game: 1.",
    ]
    assert done.table.keys_used == drawn.table.keys_used
    assert await house.sessions.proposal(table.id) is None
    again = await house.act(table, "draw")
    assert again.table.keys_used == drawn.table.keys_used + 1
    keys = sql(database, "SELECT key FROM log WHERE key IS NOT NULL")
    assert len(set(keys)) == len(keys) >= 2
    kinds = [row.kind for row in await house.sessions.history(table.id)]
    assert kinds[-4:] == ["act", "propose", "undo", "act"]
    assert await house.sessions.audit(table.id) == ""


async def test_the_step_of_somebody_else_needs_consent_and_is_named(house: House) -> None:
    table = await house.duel()
    await house.act(table, "done")
    await house.act(table, "move", user=KIM, to="E5")
    with pytest.raises(NothingToUndo, match="somebody else’s"):
        await undo(house, table, 2)
    found = await house.sessions.undo_preview(table.id, ROBIN, 2)
    assert [h.seat for h in found.asks] == ["BLUE"] and not found.alone
    asked = await propose(house, table, steps=2)
    done = await consent(house, table, asked.table.version)
    assert done.table.state == table.state
    rows = await house.sessions.history(table.id, after=3)
    assert [row.undone for row in rows] == [True, True, False, False]
    assert await house.sessions.audit(table.id) == ""


async def test_a_refusal_withdraws_it(house: House) -> None:
    table = await house.duel()
    drawn = await house.act(table, "draw")
    asked = await propose(house, table)
    refused = await consent(house, table, asked.table.version, agree=False)
    told = "Kim refuses, so nothing is taken back."
    assert refused.text == f"<@{ROBIN}>: {told}" and refused.calls == (ROBIN,)
    assert refused.table.state == drawn.table.state
    (closed,) = await house.sessions.settled(table.id)
    assert closed.closed == told
    with pytest.raises(Withdrawn):
        await consent(house, table, asked.table.version)
    asked = await propose(house, table)
    own = await consent(house, table, asked.table.version, ROBIN, agree=False)
    assert own.text == "Robin does not want to take anything back any more."
    assert await house.sessions.audit(table.id) == ""


@pytest.mark.parametrize("what", ["move", "join", "undo", "again"])
async def test_whatever_happens_withdraws_it(house: House, what: str) -> None:
    table = await house.duel()
    await house.act(table, "draw")
    await house.act(table, "move", to="B2")
    asked = await propose(house, table, steps=2)
    match what:
        case "move":
            await house.act(table, "move", to="B3")
        case "join":
            await house.sessions.leave(table.id, KIM, interaction_id=next(house.interactions))
        case "undo":
            await house.undo(table)
        case _:
            await propose(house, table, steps=2)
    before = await house.sessions.get(table.id)
    for user in (KIM, ROBIN):
        for agree in (True, False):
            with pytest.raises(Withdrawn):
                await consent(house, table, asked.table.version, user, agree=agree)
    assert await house.sessions.get(table.id) == before


async def test_strangers_bots_and_the_one_who_asks_cannot_agree(
    house: House, database: Path
) -> None:
    table = await house.duel()
    await house.act(table, "draw")
    asked = await propose(house, table)
    number = asked.table.version
    before = snapshot(database)
    for user in (SAM, 0):
        with pytest.raises(NotYourSeat):
            await consent(house, table, number, user)
        with pytest.raises(NotYourSeat):
            await consent(house, table, number, user, agree=False)
        with pytest.raises(NotYourSeat):
            await propose(house, table, user)
    with pytest.raises(NotAllowed, match="asked for it yourself"):
        await consent(house, table, number, ROBIN)
    with pytest.raises(Withdrawn):
        await consent(house, table, number - 1)
    with pytest.raises(Stale):
        await propose(house, table, version=number - 1)
    assert snapshot(database) == before


async def test_what_is_free_is_not_asked_for(house: House) -> None:
    table = await house.duel()
    await house.act(table, "move", to="B2")
    with pytest.raises(NotAllowed):
        await propose(house, table)
    with pytest.raises(NothingToUndo, match="Only 1 action can be taken back in this game"):
        await propose(house, table, steps=2)


async def test_the_same_press_counts_once(house: House) -> None:
    table = await house.duel()
    await house.act(table, "draw")
    asked = await propose(house, table)
    calls = [
        house.sessions.consent(table.id, KIM, asked.table.version, agree=True, interaction_id=77)
        for _ in range(5)
    ]
    came = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, Acted) for one in came) == 1
    assert all(isinstance(one, Acted | Duplicate | Withdrawn) for one in came)
    assert (await house.sessions.get(table.id)).state == table.state


async def test_two_answers_at_once(house: House) -> None:
    """A consent and a refusal race: one of them counts, whole."""
    for turn in range(4):
        table = await house.duel(channel=100 + turn)
        drawn = await house.act(table, "draw")
        asked = await propose(house, table)
        number = asked.table.version
        calls = [
            consent(house, table, number, KIM, agree=True),
            consent(house, table, number, KIM if turn % 2 else ROBIN, agree=False),
            consent(house, table, number, KIM, agree=True),
        ]
        if turn % 3 == 0:
            calls.reverse()
        came = await asyncio.gather(*calls, return_exceptions=True)
        done = [one for one in came if isinstance(one, Acted)]
        assert len(done) == 1
        state = (await house.sessions.get(table.id)).state
        assert state == (table.state if done[0].table.takebacks else drawn.table.state)
        assert await house.sessions.audit(table.id) == ""


async def test_a_consent_races_with_a_move(house: House) -> None:
    for turn in range(4):
        table = await house.duel(channel=100 + turn)
        await house.act(table, "draw")
        asked = await propose(house, table)
        calls: list[Any] = [
            consent(house, table, asked.table.version),
            house.act(table, "move", to="B2"),
        ]
        if turn % 2:
            calls.reverse()
        first, second = await asyncio.gather(*calls, return_exceptions=True)
        yes, move = (second, first) if turn % 2 else (first, second)
        assert isinstance(move, Acted)  # it is Robin's turn before and after
        assert isinstance(yes, Acted if not turn % 2 else Withdrawn)
        assert await house.sessions.audit(table.id) == ""


async def test_alone_past_a_card_is_counted(house: House, database: Path) -> None:
    table = await house.open()
    await house.act(table, "draw")
    found = await house.sessions.undo_preview(table.id, ROBIN)
    assert found.alone and found.past == 1 and "came to light" not in found.private[0]
    undone = await house.undo(table)
    assert undone.table.takebacks == 1 and undone.table.state == table.state
    await house.act(table, "move", to="B2")
    assert (await house.undo(table)).table.takebacks == 1
    await house.act(table, "draw")
    await house.act(table, "draw")
    undone = await undo(house, table, 2)
    assert undone.table.takebacks == 2 and undone.table.state == table.state
    assert (await house.sessions.get(table.id)).takebacks == 2
    keys = [n for (n,) in sql(database, "SELECT key_number FROM log WHERE key IS NOT NULL")]
    assert keys == [1, 2, 3]
    assert await house.sessions.audit(table.id) == ""
    proof = await house.sessions.proof(table.id)
    assert all(wrong == "" for _, wrong in verify.check(proof))


async def play_out(house: House, table: Table, seed: str = "x") -> Table:
    entropy = seeded(seed)
    while not table.over:
        seat = table.tasks()[0].seat
        action = random_action(table.game, table.state, seat, entropy)
        user = ROBIN if seat == "RED" else KIM
        slots: dict[str, Any] = dict(action.slots)
        table = (await house.act(table, action.verb, user, **slots)).table
    return table


async def test_the_end_can_be_taken_back_by_consent(house: House) -> None:
    table = await play_out(house, await house.duel())
    with pytest.raises(NothingToUndo):
        await house.undo(table)
    for steps in (1, 4):  # the states in between were dropped at the end
        asked = await propose(house, table, steps=steps)
        assert asked.table.over
        done = await consent(house, table, asked.table.version)
        assert not done.table.over and done.table.tasks() and done.handover
        assert await house.sessions.audit(table.id) == ""
        table = await play_out(house, done.table, f"y{steps}")
        assert await house.sessions.audit(table.id) == ""
    await house.sessions.open(
        game="toy",
        chosen={"mode": "solo1"},
        guild_id=9,
        channel_id=70,
        user_id=ROBIN,
        user_name="Robin",
        interaction_id=next(house.interactions),
    )
    with pytest.raises(Refused, match="Another game has begun in this channel"):
        await propose(house, table)


async def test_what_was_ended_by_decision_stays_ended(house: House) -> None:
    table = await house.duel()
    await house.act(table, "draw")
    asked = await propose(house, table)
    await house.end(table)
    with pytest.raises(TableOver):
        await propose(house, table)
    with pytest.raises(Withdrawn):
        await consent(house, table, asked.table.version)


STEPS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 10_000)), min_size=1, max_size=25)


@pytest.mark.parametrize("mode", ["solo1", "duel"])
def test_any_steps_and_consents_replay_to_the_saved_state(tmp_path: Path, mode: str) -> None:
    """Whatever is done, proposed, agreed to and taken back: the log plays to the stored state."""
    runner = asyncio.Runner()
    house = House(runner.run(Store.open("sqlite+aiosqlite:///:memory:")))
    channels = iter(range(1, 1_000_000))

    async def step(table: Table, kind: int, seed: int) -> Acted:
        user = (ROBIN, KIM)[seed % 2]
        if kind == 0:
            return await undo(house, table, 1 + seed % 3, user)
        if kind == 1:
            return await propose(house, table, user, 1 + seed % 4)
        if kind in (2, 3):
            asked = await house.sessions.proposal(table.id)
            number = asked.number if asked is not None and seed % 9 else seed % 20
            return await consent(house, table, number, user, agree=kind == 2)
        seat = table.tasks()[0].seat if table.tasks() else "RED"
        action = random_action(table.game, table.state, seat, seeded(str(seed)))
        slots: dict[str, Any] = dict(action.slots)
        return await house.act(table, action.verb, ROBIN if seat == "RED" else KIM, **slots)

    async def example(steps: list[tuple[int, int]]) -> None:
        channel = next(channels)
        table = await (house.open(channel=channel) if mode == "solo1" else house.duel(channel))
        for kind, seed in steps:
            before = table
            if table.over and kind > 3:
                continue
            try:
                table = (await step(table, kind, seed)).table
            except Refused:
                assert await house.sessions.get(table.id) == before
                continue
            assert table.version == before.version + 1 and table.keys_used >= before.keys_used
            assert await house.sessions.get(table.id) == table
        assert await house.sessions.audit(table.id) == ""
        assert all(wrong == "" for _, wrong in verify.check(await house.sessions.proof(table.id)))
        if not table.over:
            await house.end(table)

    @settings(max_examples=12, deadline=None)
    @given(STEPS)
    def examples(steps: list[tuple[int, int]]) -> None:
        runner.run(example(steps))

    try:
        examples()
    finally:
        runner.run(house.store.close())
        runner.close()

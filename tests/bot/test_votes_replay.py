"""Offers, votes and play in any order: the log plays to the stored state."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.refusals import (
    Refused,
)
from bot.sessions import Acted, Table
from bot.sessions.counting import ABSENT
from bot.sessions.questions import END, HOST, STAND_IN, VACATE
from bot.store import Store
from games.kernel import verify
from games.kernel.entropy import seeded
from games.kernel.random_player import random_action
from tests.bot.house import KIM, ROBIN, SAM, House
from tests.bot.test_substitutes import ANN, crowd, decline, offer, take
from tests.bot.voters import call, vote

STEPS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 10**9)), min_size=20, max_size=40)


def test_any_steps_offers_and_votes_replay_to_the_saved_state() -> None:
    """Whatever is offered, taken, voted and played: the log plays to the stored state."""
    runner = asyncio.Runner()
    house = House(runner.run(Store.open("sqlite+aiosqlite:///:memory:")))
    channels = iter(range(1, 1_000_000))
    everybody = (ROBIN, KIM, SAM, ANN)

    async def step(table: Table, kind: int, dice: random.Random) -> Acted:
        """Mostly what makes sense, sometimes what does not."""
        wild = dice.random() < 0.2
        here = table.people() or everybody
        user = dice.choice(everybody if wild else here)
        seat = dice.choice(table.seats).seat
        asked = await house.sessions.questions(table.id)
        offers = [one for one in asked if one.kind == "offer"]
        votes = [one for one in asked if one.kind != "offer"]
        interaction = next(house.interactions)
        if kind in (0, 1) and offers:
            one = dice.choice(offers)
            by = user if wild else one.target_id
            done = take if kind == 0 else decline
            return await done(house, table, one.number, by)
        if kind in (2, 3, 4) and votes:
            one = dice.choice(votes)
            voters = [u for u in here if u not in (*one.agreed, table.host_id)]
            by = dice.choice(voters) if voters and not wild else user
            return await vote(house, table, one.number, by, agree=kind != 4 or wild)
        if kind in (2, 3, 5):
            house.now += ABSENT
            others = [u for u in here if u != table.host_id]
            by = dice.choice(others) if others and not wild else user
            what = END if dice.random() < 0.05 else dice.choice((HOST, VACATE, STAND_IN))
            return await call(house, table, what, by, seat=seat, target=dice.choice(here))
        if kind in (0, 6):
            return await offer(house, table, user, dice.choice(everybody), seat)
        if kind == 7:
            return await house.sessions.leave(table.id, user, interaction_id=interaction, seat=seat)
        if kind in (1, 8):
            return await house.sessions.join(
                table.id, dice.choice(everybody), "Somebody", interaction_id=interaction, seat=seat
            )
        due = table.due()[0]
        if acted := await house.sessions.program_acts(table.id, due):
            return acted
        action = random_action(table.game, table.state, due, seeded(str(dice.random())))
        holder = table.holder(due)
        actor = holder.user_ids[-1] if holder and holder.users else ROBIN
        slots: dict[str, Any] = dict(action.slots)
        return await house.act(table, action.verb, actor, seat=due, **slots)

    async def example(steps: list[tuple[int, int]]) -> None:
        house.now = 1_700_000_000
        table = await crowd(house, next(channels))
        for kind, seed in steps:
            before = await house.sessions.get(table.id)
            try:
                table = (await step(table, kind, random.Random(seed))).table
            except Refused:
                assert await house.sessions.get(table.id) == before
                continue
            assert table.version == before.version + 1
            assert table.host_id == 0 or table.host_id in table.people()
            for one in await house.sessions.questions(table.id):
                holder = table.holder(one.seat)
                assert not one.seat or (holder is not None and holder.users)
                assert one.user_id in table.people() or one.kind == "offer"
            if table.over:
                assert await house.sessions.questions(table.id) == []
                break
        assert await house.sessions.audit(table.id) == ""
        assert all(wrong == "" for _, wrong in verify.check(await house.sessions.proof(table.id)))

    @settings(max_examples=25, deadline=None)
    @given(STEPS)
    def examples(steps: list[tuple[int, int]]) -> None:
        runner.run(example(steps))

    try:
        examples()
    finally:
        runner.run(house.store.close())
        runner.close()

"""Anything in any order by three people: what a table may have planned, in its banks, and whom it calls."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from bot.outbox import Payload
from bot.refusals import Refused
from bot.sessions import Table
from bot.sessions.carrying import Arrival
from bot.sessions.counting import ABSENT
from bot.sessions.habits import Habits, Quiet
from bot.sessions.pace import DAY, HOUR, MOST_REMINDERS, OVERTIMES, PACES, WAIT
from bot.sessions.questions import END, HOST, STAND_IN, VACATE
from bot.sessions.substitutes import Person
from bot.sessions.timers import CLEAR, PROGRAM, REMIND, TELL_HOST, TIME_UP, WAKE, WARN
from bot.store import Store
from bot.store import schema as db
from games.kernel import verify
from games.kernel.entropy import seeded
from games.kernel.random_player import random_action
from tests.bot.house import KIM, ROBIN, SAM, House, address
from tests.bot.timekeeping import Time

EVERYBODY = (ROBIN, KIM, SAM)
NAMES = {ROBIN: "R*b_n", KIM: "@everyone <@501>", SAM: "\N{SLEEPING FACE}" * 32}
SLEEPER = Habits(Quiet(22 * 60, 7 * 60, "Europe/Berlin"))
STEPS = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 10**9)), min_size=15, max_size=45)


class Crowd:
    """Three people at one toy table at a time, and somebody who looks closely at what they do."""

    def __init__(self, house: House, time: Time) -> None:
        self.house, self.time = house, time
        self.sessions = house.sessions
        self.channel = 100
        self.brought: dict[str, int] = {}
        """Who hosts an imported table without a seat."""
        self.reminded: dict[tuple[str, str, int], int] = {}
        """When somebody was last told that a seat of his is waited for."""
        self.seen = 0
        """The last outbox row that was looked at."""

    async def begin(self) -> Table:
        self.channel += 1
        table = await self.house.open("duel", self.channel)
        for user, seat in ((KIM, "BLUE"), (SAM, "RED")):
            table = (await self.join(table, user, seat)).table
        return await self.house.start(table)

    def fresh(self) -> int:
        return next(self.house.interactions)

    async def join(self, table: Table, user: int, seat: str) -> Any:
        return await self.sessions.join(
            table.id, user, NAMES[user], interaction_id=self.fresh(), seat=seat
        )

    async def doing(self, table: Table, kind: int, dice: random.Random) -> Table | None:
        """Do something; mostly by somebody who may."""
        here = table.people() or EVERYBODY
        user = dice.choice(here if dice.random() < 0.8 else EVERYBODY)
        seat = dice.choice(table.seats).seat
        doings: list[tuple[int, Callable[[Table, int, str, random.Random], Awaitable[Any]]]] = [
            (30, self.act),
            (38, self.forward),
            (44, self.undo),
            (50, self.consent),
            (55, self.offer),
            (60, self.answer),
            (65, self.sit),
            (70, self.leave),
            (74, self.vacate),
            (79, self.call),
            (84, self.vote),
            (87, self.host),
            (91, self.pace),
            (94, self.stand_in),
            (97, self.mute),
            (98, self.restart),
            (100, self.travel),
        ]
        done = next(does for most, does in doings if kind < most)
        found = await done(table, user, seat, dice)
        return found if isinstance(found, Table) else None

    async def act(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        due = table.due()[0]
        holder = table.holder(due)
        assert holder is not None
        if not holder.users:
            raise Refused("Nobody plays it.")
        action = random_action(table.game, table.state, due, seeded(str(dice.random())))
        slots: dict[str, Any] = dict(action.slots)
        actor = dice.choice(holder.user_ids)
        return await self.house.act(table, action.verb, actor, seat=due, **slots)

    async def forward(self, table: Table, user: int, seat: str, dice: random.Random) -> None:
        await self.time.forward(dice.choice((60, HOUR, 9 * HOUR, DAY, 3 * DAY)))

    async def restart(self, table: Table, user: int, seat: str, dice: random.Random) -> None:
        await self.time.clock.stop()
        self.time.asleep.clear()
        self.house.now += dice.choice((0, HOUR, 5 * DAY))
        self.time.clock = self.time.start()
        await self.time.clock.idle()

    async def undo(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        how = {"expected_version": table.version, "interaction_id": self.fresh()}
        try:
            return await self.sessions.undo(table.id, user, **how)
        except Refused:
            how["interaction_id"] = self.fresh()
            return await self.sessions.propose(table.id, user, dice.choice((1, 1, 2)), **how)

    async def consent(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        one = await self.sessions.proposal(table.id)
        if one is None:
            raise Refused("Nothing is asked.")
        return await self.sessions.consent(
            table.id, user, one.number, agree=dice.random() < 0.8, interaction_id=self.fresh()
        )

    async def offer(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        to = dice.choice(EVERYBODY)
        return await self.sessions.offer_seat(
            table.id,
            Person(user, NAMES[user]),
            seat,
            Person(to, NAMES[to]),
            moderator=dice.random() < 0.3,
            interaction_id=self.fresh(),
        )

    async def answer(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        asked = [one for one in await self.sessions.questions(table.id) if one.kind == "offer"]
        if not asked:
            raise Refused("Nothing is asked.")
        one = dice.choice(asked)
        by, fresh = Person(one.target_id, NAMES[one.target_id]), self.fresh()
        if dice.random() < 0.7:
            return await self.sessions.take_seat(table.id, by, one.number, interaction_id=fresh)
        return await self.sessions.decline_seat(
            table.id, by, one.number, moderator=False, interaction_id=fresh
        )

    async def sit(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        return await self.join(table, dice.choice(EVERYBODY), seat)

    async def leave(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        return await self.sessions.leave(table.id, user, interaction_id=self.fresh(), seat=seat)

    async def vacate(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        return await self.sessions.vacate(
            table.id, table.host_id or user, seat, moderator=True, interaction_id=self.fresh()
        )

    async def call(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        if dice.random() < 0.7:
            await self.time.forward(ABSENT)
        what = END if dice.random() < 0.05 else dice.choice((HOST, VACATE, STAND_IN))
        return await self.sessions.call_vote(
            table.id,
            user,
            what,
            seat=seat,
            target_id=dice.choice(EVERYBODY),
            interaction_id=self.fresh(),
        )

    async def vote(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        votes = [one for one in await self.sessions.questions(table.id) if one.kind != "offer"]
        if not votes:
            raise Refused("Nothing is asked.")
        number = dice.choice(votes).number
        agree = dice.random() < 0.8
        return await self.sessions.vote(
            table.id, user, number, agree=agree, interaction_id=self.fresh()
        )

    async def host(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        return await self.sessions.host(
            table.id, table.host_id, user, moderator=False, interaction_id=self.fresh()
        )

    async def pace(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        return await self.sessions.set_terms(
            table.id,
            table.host_id,
            pace=dice.choice((*PACES, "fast", "fast")),
            overtime=dice.choice((None, *OVERTIMES)),
            moderator=True,
            interaction_id=self.fresh(),
        )

    async def stand_in(self, table: Table, user: int, seat: str, dice: random.Random) -> Any:
        return await self.sessions.stand_in(
            table.id,
            table.host_id,
            seat,
            moderator=True,
            lasting=dice.random() < 0.5,
            interaction_id=self.fresh(),
        )

    async def mute(self, table: Table, user: int, seat: str, dice: random.Random) -> None:
        await self.sessions.mute(table.id, user, on=dice.random() < 0.7)

    async def travel(self, table: Table, user: int, seat: str, dice: random.Random) -> Table:
        """The game ends here and goes on from its file elsewhere."""
        raw = await self.sessions.save_file(table.id, None, moderator=True)
        await self.sessions.end(table.id, ROBIN, moderator=True, interaction_id=self.fresh())
        self.channel += 1
        to = Arrival(9, self.channel, user, NAMES[user], self.fresh())
        there = await self.sessions.take_in(raw, to)
        self.brought[there.id] = user
        return there

    # --- what must be so after every step

    async def look(self, before: Table) -> Table:
        await self.time.clock.idle()
        table = await self.sessions.get(before.id)
        async with self.house.store.read() as connection:
            timers = db.timers
            mine = select(timers).where(timers.c.session_id == table.id)
            rows = (await connection.execute(mine)).all()
            waits = db.waits
            known = select(waits).where(waits.c.session_id == table.id)
            waiting = (await connection.execute(known)).all()
            posted = select(db.outbox).where(db.outbox.c.id > self.seen).order_by(db.outbox.c.id)
            posts = (await connection.execute(posted)).all()
        self.check_timers(table, rows)
        assert {row.seat for row in waiting} == set(table.pending())
        self.check_banks(table)
        seatless = table.host_id == self.brought.get(table.id)
        assert not table.host_id or table.host_id in table.people() or seatless
        for row in posts:
            self.seen = row.id
            payload = msgspec.json.decode(row.payload, type=Payload)
            self.check_calls(row.kind, payload, before, table)
            if row.kind == payload.what == "notice" and payload.seat:
                self.check_reminders(payload, table, row.created)
        return table

    def check_timers(self, table: Table, rows: Any) -> None:
        """Exactly which timers a table may have, and which it must.

        An ended one has none; a lobby at most its two. In a game only seats that must act have some: one
        for which the program acts at most the program's move; else none as long as its people are alone
        at the table; a vacant one at most the host's word; any other a reminder (three at most), a word in
        the morning, and with a clock its end, else the host's word.
        """
        now = self.house.now
        kinds = {holder.seat: set[str]() for holder in table.seats} | {"": set[str]()}
        for row in rows:
            kinds[row.seat].add(row.kind)
            assert row.kind != REMIND or 0 <= row.nth < MOST_REMINDERS
            if row.kind == TIME_UP:
                up = table.time_up(row.seat)
                assert up is not None and (row.due == up or (row.due > up and row.due > now))
        if table.over or not table.lobby:
            assert not kinds[""]
        else:
            assert kinds[""] <= {WARN, CLEAR}
        due, company = table.due(), len(table.people()) > 1
        for holder in table.seats:
            found = kinds[holder.seat]
            if holder.seat not in due or table.over:
                assert not found, (holder, found)
            elif holder.stand_in is not None:
                assert found <= {PROGRAM}, (holder, found)
            elif not company:
                assert not found, (holder, found)
            elif not holder.users:
                assert found <= {TELL_HOST}, (holder, found)
            elif table.timed(holder):
                assert found <= {REMIND, WAKE, TIME_UP}, (holder, found)
                up = table.time_up(holder.seat)
                assert up is not None
                if now < up or table.overtime != WAIT:
                    assert TIME_UP in found, (holder, found)
                if now < up:
                    assert REMIND in found, (holder, found)
            else:
                assert found <= {REMIND, WAKE, TELL_HOST}, (holder, found)
                if holder.since is not None and now - holder.since < DAY:
                    assert {REMIND, TELL_HOST} <= found, (holder, found)

    def check_banks(self, table: Table) -> None:
        """A bank is never below nothing; what is left of it never above the cap."""
        for holder in table.seats:
            if holder.bank is None:
                continue
            waited = 0 if holder.since is None else self.house.now - holder.since
            extra = waited if table.timed(holder) else 0
            assert holder.bank >= 0, holder
            assert holder.bank - extra <= table.pace.cap, (holder, table.pace)

    def check_calls(self, kind: str, payload: Payload, before: Table, after: Table) -> None:
        """Nobody is mentioned who need not act, was not asked and is not responsible; nobody twice."""
        people = {*before.people(), *after.people()}
        hosts = {before.host_id, after.host_id}
        called = payload.mentions
        once = after.version == before.version + 1
        assert len(set(called)) == len(called) and len(set(payload.told)) == len(payload.told)
        assert set(payload.told) <= hosts, payload
        if kind == "notice" and payload.what == "notice" and payload.seat:
            titles = {
                h.user_ids for t in (before, after) for h in t.seats if h.seat == payload.seat
            }
            assert set(called) <= {user for users in titles for user in users}
        elif kind == "notice" and payload.what == "notice":
            assert set(called) <= people
        elif kind == "notice":
            assert len(called) <= 1 and payload.user_id not in called
        elif kind == "ask" and payload.what == "offer":
            assert len(called) == 1
        elif kind == "ask":
            assert set(called) <= people - {payload.user_id}
        elif payload.what in ("act", "undo", "leave", "join"):
            own = payload.user_id if payload.what != "stand_in" else 0
            assert own not in called
            assert set(called) <= people
        if once and payload.what in ("act", "stand_in", "undo", "join", "leave"):
            assert set(called) <= set(after.waits_for()) - set(before.waits_for())
        for user in EVERYBODY:
            assert payload.text.count(f"<@{user}>") <= 2

    def check_reminders(self, payload: Payload, table: Table, at: int) -> None:
        """Nobody is told twice within an hour that the same seat of his is waited for."""
        for user in payload.mentions:
            key = table.id, payload.seat, user
            assert at - self.reminded.get(key, 0) >= HOUR, payload
            self.reminded[key] = at
            assert self.sleeps(user, at) is None

    @staticmethod
    def sleeps(user: int, at: int) -> int | None:
        return SLEEPER.quiet_until(at) if user == KIM else None


def test_anything_in_any_order(tmp_path: Path, soak: bool) -> None:
    runner = asyncio.Runner()

    async def prepared() -> Crowd:
        store = await Store.open(address(tmp_path / "games.db"))
        house = House(store)
        crowd = Crowd(house, Time(house))
        await house.sessions.set_habits(KIM, "Kim", SLEEPER)
        await house.sessions.set_habits(SAM, "Sam", Habits(next_up=True))
        return crowd

    crowd = runner.run(prepared())

    async def example(steps: list[tuple[int, int]]) -> None:
        crowd.house.now = max(crowd.house.now, 1_700_000_000)
        table = await crowd.begin()
        done: list[Table] = []
        for kind, seed in steps:
            before = await crowd.sessions.get(table.id)
            try:
                elsewhere = await crowd.doing(before, kind, random.Random(seed))
            except Refused:
                elsewhere = None
            table = await crowd.look(before)
            if elsewhere is not None:
                done.append(table)
                table = await crowd.look(elsewhere)
            if table.over:
                break
        for one in (*done, table):
            assert await crowd.sessions.audit(one.id) == ""
            checked = verify.check(await crowd.sessions.proof(one.id))
            assert all(wrong == "" for _, wrong in checked)
        if not table.over:
            await crowd.sessions.end(table.id, ROBIN, moderator=True, interaction_id=crowd.fresh())
            await crowd.look(table)

    @settings(max_examples=400 if soak else 12, deadline=None, phases=[Phase.generate])
    @given(STEPS)
    def examples(steps: list[tuple[int, int]]) -> None:
        runner.run(example(steps))

    async def closed() -> None:
        await crowd.time.clock.stop()
        await crowd.house.store.close()

    try:
        examples()
    finally:
        runner.run(closed())
        runner.close()

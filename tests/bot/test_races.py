"""Everything at once: people in a lobby and in a game who act in the same instants, in two processes."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.refusals import Refused
from bot.sessions import Acted, Sessions, Table, votes
from bot.sessions.questions import HOST, OFFER, STAND_IN, VACATE, Question
from bot.sessions.substitutes import Person
from bot.store import Store
from games.kernel.entropy import CommittedEntropy
from games.kernel.random_player import random_action
from games.registry import Registry
from tests.bot.house import House, address, sql

PEOPLE = (501, 502, 503, 504)
NAMES = {501: "Robin", 502: "**Kim**", 503: "@everyone", 504: "Sam\u202e"}
CHOICES = {
    "mode": ("coop", "three", "versus", "comp"),
    "mission": ("hot-lz", "range", "angel-down", "nowhere"),
}


class Crowd:
    """Four people with a will of their own at one table, through two bots over one database."""

    def __init__(self, bots: tuple[Sessions, Sessions], table: Table, seed: int) -> None:
        self.bots = bots
        self.id = table.id
        self.dice = random.Random(seed)
        self.entropy = CommittedEntropy(b"crowd", str(seed), (), 0)
        self.number = 10_000
        self.outcomes: Counter[str] = Counter()
        self.asked: list[Question] = []

    async def instant(self, many: int) -> None:
        """So many things in the same instant; some are the very same interaction twice."""
        table = await self.bots[0].get(self.id)
        self.asked = await self.bots[0].questions(self.id)
        wishes = [self.wish(table) for _ in range(many)]
        wishes += self.dice.choices(wishes, k=2)
        await asyncio.gather(*(self.attempt(wish) for wish in wishes))

    async def attempt(self, wish: Callable[[], Awaitable[object]]) -> None:
        try:
            await wish()
        except Refused as refused:
            assert refused.sentence
            self.outcomes[type(refused).__name__] += 1
        else:
            self.outcomes["done"] += 1

    def answer(self, bot: Sessions, user: int, number: int) -> Callable[[], Awaitable[object]]:
        """An answer to an open question, mostly by somebody who is asked."""
        one, agree = self.dice.choice(self.asked), self.dice.random() < 0.8
        if one.kind != OFFER:
            silent = [other for other in PEOPLE if other not in one.agreed]
            user = self.dice.choice(silent or PEOPLE)
            return lambda: bot.vote(self.id, user, one.number, agree=agree, interaction_id=number)
        by = Person(self.dice.choice((user, one.target_id)), "Somebody")
        if agree:
            return lambda: bot.take_seat(self.id, by, one.number, interaction_id=number)
        return lambda: bot.decline_seat(
            self.id, by, one.number, moderator=False, interaction_id=number
        )

    def wish(self, table: Table) -> Callable[[], Awaitable[object]]:
        self.number += 1
        bot, user = self.dice.choice(self.bots), self.dice.choice(PEOPLE)
        id, seat, number = table.id, self.dice.choice(table.seats).seat, self.number
        version = max(0, table.version - self.dice.choice((0, 0, 0, 0, 1, 5)))
        moderator = self.dice.random() < 0.2
        kinds = ["join", "leave", "vacate", "host", "start", "change", "stand_in"]
        kinds += ["offer", "offer", "call", "call"] + ["answer"] * 5 * bool(self.asked)
        kinds += ["act"] * 8 + ["undo"] * 2 if not table.lobby else ["join"] * 4 + ["start"]
        match self.dice.choice(kinds):
            case "join":
                name = NAMES[user]
                return lambda: bot.join(id, user, name, interaction_id=number, seat=seat)
            case "leave":
                return lambda: bot.leave(id, user, interaction_id=number, seat=seat)
            case "vacate":
                return lambda: bot.vacate(
                    id, user, seat, moderator=moderator, interaction_id=number
                )
            case "host":
                to = self.dice.choice(PEOPLE)
                return lambda: bot.host(id, user, to, moderator=moderator, interaction_id=number)
            case "start":
                return lambda: bot.start(id, table.host_id, interaction_id=number)
            case "change":
                name = self.dice.choice(list(CHOICES))
                chosen = {name: self.dice.choice(CHOICES[name])}
                return lambda: bot.change(id, table.host_id, chosen, interaction_id=number)
            case "stand_in":
                lasting = self.dice.random() < 0.3
                return lambda: bot.stand_in(
                    id, user, seat, moderator=moderator, lasting=lasting, interaction_id=number
                )
            case "offer":
                holder = table.holder(seat)
                user = self.dice.choice((holder.user_ids if holder else ()) or PEOPLE)
                by, to = Person(user, NAMES[user]), self.dice.choice(PEOPLE)
                new = Person(to, NAMES[to])
                return lambda: bot.offer_seat(
                    id, by, seat, new, moderator=moderator, interaction_id=number
                )
            case "call":
                what = self.dice.choice((HOST, VACATE, STAND_IN))
                to = self.dice.choice(table.people() or PEOPLE)
                return lambda: bot.call_vote(
                    id, user, what, seat=seat, target_id=to, interaction_id=number
                )
            case "answer":
                return self.answer(bot, user, number)
            case "undo":
                return lambda: bot.undo(id, user, expected_version=version, interaction_id=number)
            case _:
                return self.act(bot, table, version, number)

    def act(
        self, bot: Sessions, table: Table, version: int, number: int
    ) -> Callable[[], Awaitable[Acted]]:
        seat = self.dice.choice(table.due() or ("ALPHA",))
        holder = table.holder(seat)
        users = (holder.user_ids if holder else ()) or PEOPLE
        user = self.dice.choice(users)
        action = random_action(table.game, table.state, seat, self.entropy, {"concede": 0})
        return lambda: bot.act(
            table.id, user, action, expected_version=version, interaction_id=number, seat=seat
        )


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_everybody_at_once(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(votes, "ABSENT", 0)  # any host may be voted past
    path = tmp_path / "games.db"
    first, second = await Store.open(address(path)), await Store.open(address(path))
    registry = Registry()
    house, other = House(first, registry), House(second, registry)
    table = await house.sessions.open(
        game="boots",
        chosen={"mode": "coop", "mission": "hot-lz"},
        guild_id=9,
        channel_id=70,
        user_id=501,
        user_name="Robin",
        interaction_id=1,
    )
    crowd = Crowd((house.sessions, other.sessions), table, seed)
    for _ in range(60):
        await crowd.instant(4)
        table = await house.sessions.get(table.id)
        assert table == await other.sessions.get(table.id)
        assert table.host_id == 0 or table.host_id in table.people()
        assert all(holder.moment <= table.version for holder in table.seats)
        for one in await house.sessions.questions(table.id):
            holder = table.holder(one.seat)
            assert not one.seat or (holder is not None and holder.users)
        if table.over:
            break
    assert await house.sessions.audit(table.id) == ""
    assert crowd.outcomes["done"] > 10, crowd.outcomes
    assert crowd.outcomes["Duplicate"] > 0, crowd.outcomes
    waits = "SELECT seat FROM timers WHERE kind = 'remind'"
    assert {seat for (seat,) in sql(path, waits)} <= set(table.due())
    await first.close()
    await second.close()

"""Counting votes, what the notices say of it, and that Discord takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from bot.ballots import notice, outcome, what_it_takes
from bot.sessions.counting import count
from bot.sessions.model import SeatHolder, Sitter
from bot.sessions.questions import END, HOST, OFFER, VACATE, Particulars, Question
from bot.store import Store
from games.registry import Registry
from tests.bot import limits, widest
from tests.bot.house import KIM, ROBIN, SAM, House
from tests.bot.test_substitutes import ANN, MOD
from tests.bot.voters import KINDS


async def test_the_notices_are_within_discords_limits(store: Store) -> None:
    """Two crowded seats with long titles, people with the longest names, everybody has voted."""
    house = House(store, Registry({"wide": widest.load}, shipped=False))
    table = await house.sessions.open(
        game="wide",
        chosen={"mode": "duel"},
        guild_id=9,
        channel_id=70,
        user_id=ROBIN,
        user_name="*Robin* @everyone",
        interaction_id=1,
    )
    for user in range(900, 960):
        acted = await house.sessions.join(
            table.id, user, f"*@here {user}*", interaction_id=user, seat=table.seats[user % 2].seat
        )
        table = acted.table
    table = await house.start(table)
    everybody = table.people()
    big = 1 << 62
    for kind in (*KINDS, OFFER):
        for agreed, refused in (((), ()), (everybody[:40], everybody[40:])):
            one = Question(
                number=999_999_999,
                kind=kind,
                user_id=big,
                seat="" if kind in (HOST, END) else table.seats[1].seat,
                target_id=big if kind in (HOST, OFFER) else 0,
                more=Particulars(name="n" * 32, out=big, seen=2_000_000_000),
                agreed=agreed,
                refused=refused,
                closed=widest.LONG[:300],
            )
            limits.check_message(notice(table, one).screen.to_components())
            shown = outcome(table, one).screen.to_components()
            limits.check_message(shown)
            assert "@everyone" not in str(shown) and "@here" not in str(shown)


def seat(name: str, *users: int) -> SeatHolder:
    return SeatHolder(name, name, tuple(Sitter(user, str(user), 1) for user in users))


def seated(*seats: SeatHolder) -> Any:
    """A table as far as counting looks at it; Robin hosts it."""
    return SimpleNamespace(
        host_id=ROBIN,
        people=lambda: tuple(dict.fromkeys(u for holder in seats for u in holder.user_ids)),
        holder=lambda name: next((h for h in seats if h.seat == name), None),
    )


@pytest.mark.parametrize("stalled", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_vote(kind: str, stalled: bool) -> None:
    """Nobody is outvoted by fewer; nobody decides alone about somebody who is there."""
    for blue in ((KIM,), (KIM, SAM), (KIM, SAM, ANN), (KIM, SAM, ANN, MOD)):
        table = seated(seat("RED", ROBIN, blue[-1]), seat("BLUE", *blue[:-1]))
        people = table.people()
        about = {HOST: (blue[0],), END: ()}.get(kind, blue[:-1])
        for yes in powerset(people):
            for no in powerset([user for user in people if user not in yes]):
                one = Question(
                    number=1,
                    kind=kind,
                    user_id=blue[-1],
                    seat="" if kind in (HOST, END) else "BLUE",
                    target_id=blue[0] if kind == HOST else 0,
                    more=Particulars(stalled=stalled),
                    agreed=yes,
                    refused=no,
                )
                stands = count(table, one)
                free = [user for user in people if user != ROBIN and user not in about]
                for_it = [user for user in yes if user in free]
                others = [u for u in people if u not in (ROBIN, blue[-1])]
                if stalled:
                    others = [u for u in others if u not in about]
                if stands.passed:
                    assert yes
                    assert not free or 2 * len(for_it) > len(free)
                    assert not others or any(user in others for user in yes)
                    assert not stands.hopeless
                rest = tuple(user for user in people if user not in no and user != ROBIN)
                best = count(table, replace(one, agreed=rest))
                assert stands.hopeless == (not best.passed) or not rest


def powerset(users: Sequence[int]) -> list[tuple[int, ...]]:
    return [c for n in range(len(users) + 1) for c in combinations(users, n)]


def test_what_it_takes_is_said_as_it_is_counted() -> None:
    """The sentence names those without whom it cannot be done, never somebody who has no say."""

    def takes(one: Question, *seats: SeatHolder) -> str:
        return what_it_takes(one, count(seated(*seats), one))

    red, blue = seat("RED", ROBIN), seat("BLUE", KIM)
    end = Question(1, END, KIM)
    alone = f"Nobody else is there to decide: it is done when <@{KIM}> presses Yes."
    assert takes(end, red, blue) == alone
    both = seat("BLUE", KIM, SAM)
    assert takes(end, red, both) == f"It takes 2 times Yes from these 2: <@{KIM}> and <@{SAM}>."
    host = Question(1, HOST, KIM, target_id=KIM)
    assert takes(host, red, blue) == alone
    assert takes(host, red, both) == f"It takes a Yes from <@{SAM}>."
    other = Question(1, HOST, KIM, target_id=SAM)
    assert takes(other, red, both) == f"It takes a Yes from <@{SAM}>."
    off = Question(1, VACATE, KIM, seat="GREEN")
    assert takes(off, red, blue, seat("GREEN", SAM)) == f"It takes a Yes from <@{SAM}>."
    stalled = Question(1, VACATE, KIM, seat="GREEN", more=Particulars(stalled=True))
    assert takes(stalled, red, blue, seat("GREEN", SAM)) == alone
    many = takes(off, red, seat("BLUE", KIM, ANN), seat("GREEN", SAM))
    assert many == f"It takes 2 times Yes from these 2: <@{KIM}> and <@{ANN}>."

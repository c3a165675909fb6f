"""What settles a vote besides its votes; several things at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.refusals import (
    Duplicate,
    NotAllowed,
    NotYourSeat,
    Withdrawn,
)
from bot.sessions import Acted
from bot.sessions.counting import ABSENT, Count, count
from bot.sessions.questions import END, HOST, STAND_IN, VACATE
from tests.bot.house import KIM, ROBIN, SAM, House
from tests.bot.test_substitutes import ANN, MOD, decline, offer
from tests.bot.voters import call, closed, four, gone, vote


@pytest.mark.parametrize("what", ["move", "vacate", "salt", "host", "leave", "offer"])
async def test_whatever_the_host_does_withdraws_it(house: House, what: str) -> None:
    table = await gone(house)
    asked = await call(house, table, HOST, target=KIM)
    match what:
        case "move":
            await house.act(table, "move", to="B2")
        case "vacate":
            await house.sessions.vacate(table.id, ROBIN, "BLUE", moderator=False, interaction_id=1)
        case "salt":
            await house.sessions.salt(table.id, ROBIN, "Robin", "words", interaction_id=1)
        case "host":
            await house.sessions.host(table.id, ROBIN, SAM, moderator=False, interaction_id=1)
        case "leave":
            await house.sessions.leave(table.id, ROBIN, interaction_id=1)
        case _:
            await offer(house, table, ROBIN, ANN, "RED")
    told = [one for one in await closed(house, table) if "vote" in one]
    assert len(told) == 1
    if what == "move":
        assert told == ["Robin, the host, is back, so this vote is withdrawn."]
    with pytest.raises((Withdrawn, NotYourSeat)):
        await vote(house, table, asked.table.version)


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ("asker", "Kim, who asked for this vote, does not play here any more: it is withdrawn."),
        ("target", "Sam does not play here any more, so this vote is withdrawn."),
        ("seat", "Other people play Blue captain now than when this was asked, so it is settled."),
        ("act", "Blue captain has acted, so this vote is withdrawn."),
        ("program", "The program acts for Blue captain now, so this is settled."),
        ("host", "Sam hosts this table now, so this vote is over."),
    ],
)
async def test_what_else_settles_it(house: House, what: str, told: str) -> None:
    table = await four(house)
    if what == "act":
        await house.act(table, "done", ANN)
    kind = {"target": HOST, "asker": END}.get(what, STAND_IN)
    await call(house, table, kind, seat="BLUE", target=SAM)
    match what:
        case "asker":
            await house.sessions.leave(table.id, KIM, interaction_id=1)
        case "target" | "seat":
            await house.sessions.leave(table.id, SAM, interaction_id=1)
        case "act":
            await house.act(table, "move", SAM, to="E5")
        case "program":
            await house.sessions.stand_in(
                table.id, MOD, "BLUE", moderator=True, lasting=True, interaction_id=1
            )
        case _:
            await house.sessions.host(table.id, MOD, SAM, moderator=True, interaction_id=1)
    assert await closed(house, table) == [told]
    assert await house.sessions.audit(table.id) == ""


async def test_a_step_of_somebody_else_leaves_it_open(house: House) -> None:
    table = await four(house)
    await call(house, table, HOST, target=SAM)
    await house.act(table, "move", ANN, to="B2")
    asked = await offer(house, table, KIM, MOD)
    await decline(house, table, asked.table.version, MOD)
    assert len(await house.sessions.questions(table.id)) == 1


async def test_who_has_left_does_not_count(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, END)
    await vote(house, table, asked.table.version, ANN, agree=False)
    await house.sessions.leave(table.id, ANN, interaction_id=1)
    (one,) = await house.sessions.questions(table.id)
    now = await house.sessions.get(table.id)
    assert count(now, one) == Count((KIM, SAM), 2, (SAM,), (KIM,), ())
    assert (await vote(house, table, one.number)).table.over


async def test_a_yes_again_does_what_has_enough_by_now(house: House) -> None:
    """Somebody who had not voted has left, so those who have are more than half."""
    table = await four(house)
    asked = await call(house, table, HOST, target=SAM, user=ANN)
    await vote(house, table, asked.table.version)
    await house.sessions.leave(table.id, KIM, interaction_id=1)
    done = await vote(house, table, asked.table.version, ANN)
    assert done.table.host_id == SAM


async def test_two_last_votes_at_once(house: House) -> None:
    for turn in range(4):
        house.now -= ABSENT
        table = await house.open("duel", 100 + turn)
        for user, seat, name in ((ANN, "RED", "Ann"), (KIM, "BLUE", "Kim"), (SAM, "BLUE", "Sam")):
            await house.sessions.join(
                table.id, user, name, interaction_id=next(house.interactions), seat=seat
            )
        await house.start(table)
        house.now += ABSENT
        asked = await call(house, table, VACATE, seat="RED")
        number = asked.table.version
        calls: list[Any] = [
            vote(house, table, number, SAM),
            vote(house, table, number, SAM, agree=turn % 2 == 0),
            vote(house, table, number, ROBIN, agree=False),
            house.sessions.vote(table.id, SAM, number, agree=True, interaction_id=90 + turn),
            house.sessions.vote(table.id, SAM, number, agree=True, interaction_id=90 + turn),
        ]
        if turn > 1:
            calls.reverse()
        came = await asyncio.gather(*calls, return_exceptions=True)
        done = [one for one in came if isinstance(one, Acted)]
        assert done
        assert all(isinstance(one, Acted | Withdrawn | NotAllowed | Duplicate | NotYourSeat)
                   for one in came)  # fmt: skip
        rows = await house.sessions.history(table.id)
        assert sum(row.kind == "leave" for row in rows) <= 1
        assert len(await closed(house, table)) == 1
        assert await house.sessions.audit(table.id) == ""


async def test_a_vote_races_with_the_host(house: House) -> None:
    for turn in range(4):
        house.now -= ABSENT
        table = await gone(house, 100 + turn)
        asked = await call(house, table, HOST, target=KIM)
        calls: list[Any] = [
            vote(house, table, asked.table.version),
            house.act(table, "move", to="B2"),
        ]
        if turn % 2:
            calls.reverse()
        came = await asyncio.gather(*calls, return_exceptions=True)
        after = await house.sessions.get(table.id)
        assert after.host_id == (ROBIN if turn % 2 else KIM)
        assert isinstance(came[turn % 2], Withdrawn if turn % 2 else Acted)
        assert len(await closed(house, table)) == 1
        assert await house.sessions.audit(table.id) == ""

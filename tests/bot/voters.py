"""People at a table whose host is gone, and how they vote."""

from __future__ import annotations

from bot.sessions import Acted, Table
from bot.sessions.counting import ABSENT
from bot.sessions.questions import END, HOST, STAND_IN, VACATE
from tests.bot.house import KIM, SAM, House
from tests.bot.test_substitutes import ANN, crowd

KINDS = (HOST, END, VACATE, STAND_IN)


async def call(
    house: House, table: Table, kind: str, user: int = KIM, *, seat: str = "", target: int = 0
) -> Acted:
    return await house.sessions.call_vote(
        table.id,
        user,
        kind,
        seat=seat,
        target_id=target,
        interaction_id=next(house.interactions),
    )


async def vote(
    house: House, table: Table, number: int, user: int = SAM, *, agree: bool = True
) -> Acted:
    return await house.sessions.vote(
        table.id, user, number, agree=agree, interaction_id=next(house.interactions)
    )


async def four(house: House) -> Table:
    """RED is Robin’s and Ann’s, BLUE is Kim’s and Sam’s; Robin, the host, is not seen again."""
    table = await house.open("duel")
    for user, seat, name in ((ANN, "RED", "Ann"), (KIM, "BLUE", "Kim"), (SAM, "BLUE", "Sam")):
        await house.sessions.join(
            table.id, user, name, interaction_id=next(house.interactions), seat=seat
        )
    table = await house.start(table)
    house.now += ABSENT
    return table


async def gone(house: House, channel: int = 70) -> Table:
    """RED is Robin’s, the host’s, who is not seen again; BLUE is Kim’s and Sam’s."""
    table = await crowd(house, channel)
    house.now += ABSENT
    return table


async def closed(house: House, table: Table) -> list[str]:
    return [one.closed for one in await house.sessions.settled(table.id)]

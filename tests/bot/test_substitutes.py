"""A seat is handed on: who may ask whom, what settles the question, what the newcomer gets."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.refusals import (
    Duplicate,
    NotAllowed,
    NotYourSeat,
    Refused,
    TableOver,
    Withdrawn,
)
from bot.sessions import Acted, Table
from bot.sessions.questions import Question
from bot.sessions.substitutes import NEWER, Person
from bot.store import Store
from games.kernel import verify
from tests.bot.campaigners import Club, scripted
from tests.bot.house import KIM, ROBIN, SAM, House, address, snapshot, sql
from tests.bot.test_lobby import join, people

ANN, MOD = 504, 599
NAMES = {ROBIN: "Robin", KIM: "Kim", SAM: "Sam", ANN: "*Ann* @here", MOD: "Mo"}


def person(user: int) -> Person:
    return Person(user, NAMES[user])


async def offer(
    house: House,
    table: Table,
    by: int,
    to: int,
    seat: str = "BLUE",
    *,
    out: int | None = None,
    moderator: bool = False,
) -> Acted:
    return await house.sessions.offer_seat(
        table.id,
        person(by),
        seat,
        person(to),
        out=out,
        moderator=moderator,
        interaction_id=next(house.interactions),
    )


async def take(house: House, table: Table, number: int, user: int = SAM) -> Acted:
    return await house.sessions.take_seat(
        table.id, person(user), number, interaction_id=next(house.interactions)
    )


async def decline(
    house: House, table: Table, number: int, user: int = SAM, *, moderator: bool = False
) -> Acted:
    return await house.sessions.decline_seat(
        table.id,
        person(user),
        number,
        moderator=moderator,
        interaction_id=next(house.interactions),
    )


async def crowd(house: House, channel: int = 70) -> Table:
    """RED is Robin’s, BLUE is Kim’s and Sam’s."""
    table = await house.open("duel", channel)
    await join(house, table, KIM, "BLUE")
    await join(house, table, SAM, "BLUE")
    return await house.start(table)


async def closed(house: House, table: Table) -> list[str]:
    return [one.closed for one in await house.sessions.settled(table.id)]


async def test_a_seat_is_handed_on(house: House, database: Path) -> None:
    table = await house.duel()
    await house.act(table, "done")
    asked = await offer(house, table, KIM, SAM)
    assert asked.calls == (SAM,)
    assert [e.text for e in asked.events] == [
        "Kim asks Sam to take their own place on Blue captain."
    ]
    assert people(asked.table) == people(table)
    (one,) = await house.sessions.questions(table.id)
    assert (one.number, one.user_id, one.target_id, one.more.out) == (
        asked.table.version,
        KIM,
        SAM,
        KIM,
    )
    moved = await house.act(table, "move", KIM, to="E5")  # the game goes on, the question stays
    assert await house.sessions.questions(table.id) == [one]
    taken = await take(house, table, one.number)
    assert [e.text for e in taken.events] == ["Sam plays Blue captain now, in place of Kim."]
    assert people(taken.table) == {"RED": (ROBIN,), "BLUE": (SAM,)}
    assert taken.table.state == moved.table.state and taken.handover
    assert taken.table.version == moved.table.version + 1
    with pytest.raises(NotYourSeat):
        await house.act(table, "done", KIM)
    await house.act(table, "done", SAM)
    salts = sql(database, "SELECT salts FROM sessions")[0][0]
    rows = sql(database, "SELECT interaction_id, user_id FROM log WHERE kind = 'join'")
    assert rows[-1][1] == SAM and f'"{rows[-1][0]}"' in salts
    names = [(row.kind, row.name) for row in await house.sessions.history(table.id, after=4)]
    assert names == [
        ("offer", "Kim"), ("act", "Kim"), ("join", "Sam"), ("act", "Sam")
    ]  # fmt: skip
    assert await closed(house, table) == ["Sam has taken the seat."]
    assert await house.sessions.audit(table.id) == ""
    proof = await house.sessions.proof(table.id)
    assert all(wrong == "" for _, wrong in verify.check(proof))


async def test_host_and_moderator_put_a_substitute_in(house: House) -> None:
    table = await house.duel()
    asked = await offer(house, table, ROBIN, SAM)
    assert asked.events[0].text == "Robin asks Sam to take the place of Kim on Blue captain."
    await take(house, table, asked.table.version)
    asked = await offer(house, table, MOD, KIM, moderator=True)
    taken = await take(house, table, asked.table.version, KIM)
    assert people(taken.table)["BLUE"] == (KIM,)
    history = await house.sessions.history(table.id)
    assert [row.name for row in history if row.kind == "offer"] == ["Robin", "Mo"]
    assert await house.sessions.audit(table.id) == ""


async def test_one_of_several_is_replaced(house: House) -> None:
    table = await crowd(house)
    with pytest.raises(Refused, match="Say with `out` who of them leaves"):
        await offer(house, table, ROBIN, ANN)
    asked = await offer(house, table, ROBIN, ANN, out=KIM)
    taken = await take(house, table, asked.table.version, ANN)
    assert people(taken.table)["BLUE"] == (SAM, ANN)
    was, now = table.holder("BLUE"), taken.table.holder("BLUE")
    assert was is not None and now is not None
    assert now.moment == was.moment, "what Sam was about to choose is as good as before"
    asked = await offer(house, table, SAM, KIM)
    taken = await take(house, table, asked.table.version, KIM)
    assert people(taken.table)["BLUE"] == (ANN, KIM)
    shown = [event.text for event in taken.events]
    assert shown == ["Kim plays Blue captain now, in place of Sam."]


async def test_the_host_hands_his_seat_on(house: House) -> None:
    """Whoever has been here longest hosts the table then, as when he leaves."""
    table = await house.duel()
    asked = await offer(house, table, ROBIN, SAM, "RED")
    taken = await take(house, table, asked.table.version)
    assert taken.table.host_id == KIM
    assert taken.events[-1].text == "Kim is the host of this table now."
    alone = await house.open(channel=71)
    asked = await offer(house, alone, ROBIN, SAM, "RED")
    taken = await take(house, alone, asked.table.version)
    assert taken.table.host_id == SAM and taken.table.people() == (SAM,)


async def test_in_a_lobby_too(house: House) -> None:
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    asked = await offer(house, table, KIM, SAM)
    taken = await take(house, table, asked.table.version)
    assert people(taken.table)["BLUE"] == (SAM,) and taken.table.lobby
    await house.start(table)
    assert await house.sessions.audit(table.id) == ""


async def test_the_program_stops_for_the_newcomer(house: House) -> None:
    table = await house.duel()
    await house.sessions.stand_in(
        table.id, ROBIN, "BLUE", moderator=True, lasting=True, interaction_id=1
    )
    asked = await offer(house, table, ROBIN, SAM)
    taken = await take(house, table, asked.table.version)
    holder = taken.table.holder("BLUE")
    assert holder is not None and holder.stand_in is None
    assert holder.moment == taken.table.version


async def test_who_may_not_ask_or_be_asked(house: House, database: Path) -> None:
    table = await crowd(house)
    before = snapshot(database)
    for by in (ANN, MOD):
        with pytest.raises(NotAllowed, match="the host of this table or a moderator"):
            await offer(house, table, by, MOD)
    with pytest.raises(NotAllowed, match="your own place only"):
        await offer(house, table, KIM, ANN, out=SAM)
    with pytest.raises(NotAllowed):
        await offer(house, table, KIM, ANN, "RED")
    with pytest.raises(Refused, match="plays Blue captain already"):
        await offer(house, table, KIM, SAM)
    with pytest.raises(Refused, match="plays Blue captain already"):
        await offer(house, table, KIM, KIM)
    with pytest.raises(Refused, match="That is yourself"):
        await offer(house, table, ROBIN, ROBIN, out=KIM)
    with pytest.raises(Refused, match="no such seat"):
        await offer(house, table, ROBIN, ANN, "GREEN")
    with pytest.raises(Refused, match="does not play Blue captain"):
        await offer(house, table, ROBIN, ANN, out=MOD)
    assert snapshot(database) == before
    for user in (KIM, SAM):
        await house.sessions.leave(table.id, user, interaction_id=user)
    with pytest.raises(Refused, match="is vacant: anybody can take it"):
        await offer(house, table, ROBIN, ANN)
    await house.end(table)
    with pytest.raises(TableOver):
        await offer(house, table, ROBIN, ANN, "RED")


async def test_only_the_one_who_is_asked_answers(house: House, database: Path) -> None:
    table = await house.duel()
    asked = await offer(house, table, ROBIN, SAM)
    number = asked.table.version
    before = snapshot(database)
    for user in (ROBIN, KIM, ANN):
        with pytest.raises(NotYourSeat, match=f"Only <@{SAM}> is asked"):
            await take(house, table, number, user)
    for user in (KIM, ANN):
        with pytest.raises(NotYourSeat, match="can withdraw this"):
            await decline(house, table, number, user)
    with pytest.raises(Withdrawn):
        await take(house, table, number - 1)
    with pytest.raises(Refused, match="has been asked already"):
        await offer(house, table, ROBIN, SAM)
    assert snapshot(database) == before
    refused = await decline(house, table, number)
    assert (
        refused.text == f"<@{ROBIN}>: Sam does not take Blue captain, so everything stays as it is."
    )
    with pytest.raises(Withdrawn, match="Sam does not take Blue captain"):
        await take(house, table, number)


@pytest.mark.parametrize("who", [KIM, ROBIN, MOD])
async def test_it_is_withdrawn_by_whoever_asked_host_or_moderator(house: House, who: int) -> None:
    table = await house.duel()
    asked = await offer(house, table, KIM, SAM)
    done = await decline(house, table, asked.table.version, who, moderator=who == MOD)
    told = f"{NAMES[who]} has withdrawn this. Everything stays as it is."
    assert done.text == (told if who == KIM else f"<@{KIM}>: {told}")
    with pytest.raises(Withdrawn):
        await take(house, table, asked.table.version)
    assert people(await house.sessions.get(table.id))["BLUE"] == (KIM,)


@pytest.mark.parametrize("what", ["leave", "vacate", "end", "newer", "taken"])
async def test_what_settles_it(house: House, what: str) -> None:
    table = await house.duel()
    asked = await offer(house, table, KIM, SAM)
    number = asked.table.version
    match what:
        case "leave":
            await house.sessions.leave(table.id, KIM, interaction_id=1)
        case "vacate":
            await house.sessions.vacate(table.id, MOD, "BLUE", moderator=True, interaction_id=1)
        case "end":
            await house.end(table)
        case "newer":
            await offer(house, table, ROBIN, ANN)
        case _:
            await take(house, table, number)
    (told,) = await closed(house, table)
    assert told == {
        "end": "The game has ended, so this is settled.",
        "newer": NEWER,
        "taken": "Sam has taken the seat.",
    }.get(what, "Other people play Blue captain now than when this was asked, so it is settled.")
    before = await house.sessions.get(table.id)
    with pytest.raises(TableOver if what == "end" else Withdrawn):
        await take(house, table, number)
    with pytest.raises(TableOver if what == "end" else Withdrawn):
        await decline(house, table, number)
    assert await house.sessions.get(table.id) == before


async def test_a_set_up_without_the_seat_settles_it(house: House) -> None:
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    await offer(house, table, KIM, SAM)
    await house.sessions.leave(table.id, KIM, interaction_id=1)
    await house.sessions.change(table.id, ROBIN, {"mode": "solo1"}, interaction_id=2)
    assert await house.sessions.questions(table.id) == []


async def test_an_open_question_about_an_undo_stays_open(house: House) -> None:
    table = await house.duel()
    drawn = await house.act(table, "draw")
    wish = await house.sessions.propose(table.id, ROBIN, expected_version=None, interaction_id=1)
    asked = await offer(house, table, KIM, SAM)
    await decline(house, table, asked.table.version)
    done = await house.sessions.consent(
        table.id, KIM, wish.table.version, agree=True, interaction_id=2
    )
    assert done.table.state != drawn.table.state and done.table.state == table.state
    assert await house.sessions.audit(table.id) == ""


async def test_the_same_press_counts_once(house: House) -> None:
    table = await house.duel()
    asked = await offer(house, table, KIM, SAM)
    calls = [
        house.sessions.take_seat(table.id, person(SAM), asked.table.version, interaction_id=77)
        for _ in range(4)
    ]
    calls.append(take(house, table, asked.table.version))
    came = await asyncio.gather(*calls, return_exceptions=True)
    assert sum(isinstance(one, Acted) for one in came) == 1
    assert all(isinstance(one, Acted | Duplicate | Withdrawn) for one in came)
    assert people(await house.sessions.get(table.id))["BLUE"] == (SAM,)


async def test_the_seat_is_taken_while_it_is_vacated(house: House) -> None:
    for turn in range(6):
        table = await house.duel(channel=100 + turn)
        asked = await offer(house, table, KIM, SAM)
        calls = [
            take(house, table, asked.table.version),
            house.sessions.vacate(
                table.id, ROBIN, "BLUE", moderator=False, interaction_id=next(house.interactions)
            ),
            decline(house, table, asked.table.version),
        ]
        order = (calls, calls[::-1], [calls[1], calls[0], calls[2]])[turn % 3]
        came = await asyncio.gather(*order, return_exceptions=True)
        assert all(isinstance(one, Acted | Withdrawn) for one in came)
        assert len(await closed(house, table)) == 1
        after = await house.sessions.get(table.id)
        assert people(after)["BLUE"] == ()
        assert await house.sessions.audit(table.id) == ""


async def test_two_bots_over_one_database(tmp_path: Path) -> None:
    """What another process has settled is settled here, too."""
    path = tmp_path / "games.db"
    first, second = await Store.open(address(path)), await Store.open(address(path))
    house, other = House(first), House(second)
    table = await house.duel()
    asked = await offer(house, table, KIM, SAM)
    other.interactions = iter(range(5_000, 6_000))
    both = await asyncio.gather(
        take(house, table, asked.table.version),
        decline(other, table, asked.table.version),
        return_exceptions=True,
    )
    assert sum(isinstance(one, Acted) for one in both) == 1, both
    assert await house.sessions.audit(table.id) == ""
    assert [one.closed != "" for one in await other.sessions.settled(table.id)] == [True]
    await first.close()
    await second.close()


async def test_a_damaged_question_does_not_stop_the_game(house: House, database: Path) -> None:
    table = await house.duel()
    asked = await offer(house, table, KIM, SAM)
    sql(database, "UPDATE votes SET told = 'x'")
    with pytest.raises(Withdrawn):
        await take(house, table, asked.table.version)
    await house.act(table, "done")
    await offer(house, table, KIM, ANN)
    assert [one.target_id for one in await house.sessions.questions(table.id)] == [ANN]


async def test_questions_are_forgotten_once_their_notice_is_put_right(house: House) -> None:
    table = await house.duel()
    asked = await offer(house, table, KIM, SAM)
    number = asked.table.version
    found = await house.sessions.asked(table.id, number)
    assert isinstance(found, Question) and found.more.name == "Sam"
    await house.sessions.forget(table.id, [number])
    assert await house.sessions.questions(table.id) == [found], "it is open"
    await decline(house, table, number)
    assert await house.sessions.asked(table.id, number) is None
    await house.sessions.forget(table.id, [number])
    assert await house.sessions.settled(table.id) == []


async def test_what_others_did_is_not_in_a_substitutes_record(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kim leads Bravo into the game and hands it on: the record is there and does not count."""
    club = Club(store, scripted(monkeypatch))
    table = await club.boots(mode="coop")
    table = await club.seat(table, KIM, "BRAVO")
    table = await club.start(table)
    await club.act(table, "deploy", KIM, unit="B-L", square="I15", face="W")
    asked = await offer(club, table, KIM, SAM, "BRAVO")
    taken = await take(club, table, asked.table.version)
    await club.finish(taken.table, "Narrow")
    counted = sql(database, "SELECT seat, user_id, won, counted FROM records ORDER BY seat")
    assert counted == [("ALPHA", ROBIN, 1, 1), ("BRAVO", SAM, 1, 0)]


async def test_who_takes_a_seat_before_anything_was_done_has_a_record_like_all(
    store: Store, database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(store, scripted(monkeypatch))
    table = await club.boots(mode="coop")
    table = await club.seat(table, KIM, "BRAVO")
    table = await club.start(table)
    await club.act(table, "deploy", ROBIN, unit="A-L", square="O16", face="S")
    asked = await offer(club, table, KIM, SAM, "BRAVO")
    taken = await take(club, table, asked.table.version)
    await club.act(taken.table, "deploy", SAM, unit="B-L", square="I15", face="W")
    await club.finish(taken.table, "Narrow")
    counted = sql(database, "SELECT seat, user_id, counted FROM records ORDER BY seat")
    assert counted == [("ALPHA", ROBIN, 1), ("BRAVO", SAM, 1)]

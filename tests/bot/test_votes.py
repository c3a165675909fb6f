"""Votes where the host is gone: when, about what, who votes, what it takes, what ends them."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.ballots import notice, outcome, what_it_takes
from bot.refusals import (
    Duplicate,
    NotAllowed,
    NotStarted,
    NotYourSeat,
    Refused,
    TableOver,
    Withdrawn,
)
from bot.sessions import Acted, Table
from bot.sessions.counting import ABSENT, Count, count
from bot.sessions.model import SeatHolder, Sitter
from bot.sessions.questions import END, HOST, OFFER, STAND_IN, VACATE, Particulars, Question
from bot.sessions.timers import DAY
from bot.store import Store
from games.kernel import verify
from games.kernel.entropy import seeded
from games.kernel.random_player import random_action
from games.registry import Registry
from tests.bot import limits, widest
from tests.bot.house import KIM, ROBIN, SAM, House, snapshot, sql
from tests.bot.test_lobby import join, people
from tests.bot.test_substitutes import ANN, MOD, crowd, decline, offer, take

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


async def test_a_new_host(house: House) -> None:
    table = await gone(house)
    asked = await call(house, table, HOST, target=KIM)
    number = asked.table.version
    assert asked.events[0].text == "Kim asks for a vote: shall Kim host this table?"
    assert set(asked.calls) == {ROBIN, SAM}
    (one,) = await house.sessions.questions(table.id)
    assert one.agreed == (KIM,) and one.more.seen > 0 and one.more.waited == 0
    done = await vote(house, table, number)
    assert [event.text for event in done.events] == [
        "It is decided by a vote. Yes: Kim and Sam.",
        "Kim is the host of this table now.",
    ]
    assert done.table.host_id == KIM == (await house.sessions.get(table.id)).host_id
    (settled,) = await house.sessions.settled(table.id)
    assert isinstance(settled, Question)
    assert settled.agreed == (KIM, SAM) and settled.closed == "It is decided and done."
    kinds = [row.kind for row in await house.sessions.history(table.id, after=4)]
    assert kinds == ["ask", "host"]
    await house.end(table, KIM)
    assert await house.sessions.audit(table.id) == ""


async def test_the_end(house: House) -> None:
    table = await gone(house)
    asked = await call(house, table, END)
    done = await vote(house, table, asked.table.version)
    assert done.table.over
    assert done.events[-1].text == "The game was ended before its time."
    with pytest.raises(TableOver):
        await vote(house, table, asked.table.version)
    assert await house.sessions.audit(table.id) == ""


async def test_a_seat_is_made_vacant(house: House) -> None:
    table = await gone(house)
    asked = await call(house, table, VACATE, seat="RED")
    done = await vote(house, table, asked.table.version)
    assert people(done.table) == {"RED": (), "BLUE": (KIM, SAM)}
    assert done.table.host_id == KIM, "who sits here longest"
    assert "Robin no longer plays Red captain: the seat is vacant now." in [
        event.text for event in done.events
    ]
    taken = await join(house, table, ROBIN, "RED")
    assert taken.host_id == KIM
    assert await house.sessions.audit(table.id) == ""


async def test_the_program_acts(house: House, database: Path) -> None:
    table = await gone(house)
    asked = await call(house, table, STAND_IN, seat="RED")
    done = await vote(house, table, asked.table.version)
    assert done.events[-1].text == (
        "The program will act for Red captain until somebody of it acts again."
    )
    assert done.table.state == table.state, "the program's turn comes by its timer"
    assert sql(database, "SELECT seat FROM timers WHERE kind = 'program'") == [("RED",)]
    acted = await house.sessions.program_acts(table.id, "RED")
    assert acted is not None
    assert acted.events[0].text == (
        "The program acts for Red captain, as was decided at this table."
    )
    assert await house.sessions.audit(table.id) == ""


async def test_not_before_a_week_and_then_what(house: House) -> None:
    table = await crowd(house)
    begun = (await house.sessions.history(table.id))[-1].time
    house.now = begun + ABSENT - 5
    for kind in KINDS:
        with pytest.raises(NotAllowed, match=f"from <t:{begun + ABSENT}:f> on") as why:
            await call(house, table, kind, seat="RED", target=KIM)
        command = kind.replace("_", "-")
        assert f"A moderator of this server can do it at once: `/table {command}`." in str(
            why.value
        )
    house.now = begun + ABSENT
    await call(house, table, END)


async def test_who_was_seen_is_waited_for_anew(house: House) -> None:
    table = await crowd(house)
    house.now += 6 * DAY
    await house.act(table, "move", to="B2")
    house.now += 6 * DAY
    with pytest.raises(NotAllowed):
        await call(house, table, END)
    house.now += DAY
    await call(house, table, END)


async def test_what_the_program_does_for_the_host_does_not_count(house: House) -> None:
    table = await crowd(house)
    await house.sessions.stand_in(
        table.id, ROBIN, "RED", moderator=False, lasting=True, interaction_id=1
    )
    while (await house.sessions.get(table.id)).due() == ("RED",):
        await house.sessions.program_acts(table.id, "RED")
    await house.act(table, "done", KIM)
    house.now += ABSENT
    assert await house.sessions.program_acts(table.id, "RED") is not None
    await call(house, table, END)


async def test_the_host_keeps_the_game_waiting(house: House) -> None:
    """He is about, but does not move: his seat has been waited for since it began."""
    table = await crowd(house)
    house.now += 6 * DAY
    await house.sessions.salt(table.id, ROBIN, "Robin", "words", interaction_id=1)
    house.now += 2 * DAY
    await call(house, table, END)
    (one,) = await house.sessions.questions(table.id)
    assert one.more.waited > 0 and one.more.seen == 0


async def test_a_new_host_has_a_week_too(house: House) -> None:
    table = await gone(house)
    await house.act(table, "done")
    house.now += 10 * DAY
    await house.sessions.host(
        table.id, MOD, SAM, moderator=True, interaction_id=next(house.interactions)
    )
    await house.act(table, "done", KIM)  # the seat is Sam's as well
    with pytest.raises(NotAllowed, match="from <t:"):
        await call(house, table, HOST, target=KIM)
    house.now += ABSENT
    await call(house, table, HOST, target=KIM)


async def test_in_private_channels_there_are_no_moderators(house: House, database: Path) -> None:
    table = await crowd(house)
    sql(database, "UPDATE sessions SET guild_id = NULL")
    with pytest.raises(NotAllowed) as why:
        await call(house, table, END)
    assert "moderator" not in str(why.value)


async def test_a_table_without_a_host(house: House, database: Path) -> None:
    table = await crowd(house)
    sql(database, "UPDATE sessions SET host_id = 0")
    asked = await call(house, table, HOST, target=KIM)
    assert count(asked.table, (await house.sessions.questions(table.id))[0]).needed == 2
    await vote(house, table, asked.table.version)
    done = await vote(house, table, asked.table.version, ROBIN)
    assert done.table.host_id == KIM


async def test_two_people_the_one_who_is_left_decides(house: House) -> None:
    table = await house.duel()
    house.now += ABSENT
    asked = await call(house, table, HOST, target=KIM)
    (one,) = await house.sessions.questions(table.id)
    assert one.agreed == () and asked.table.host_id == ROBIN, "a second press makes sure"
    done = await vote(house, table, one.number, KIM)
    assert done.table.host_id == KIM
    assert await house.sessions.audit(table.id) == ""


async def test_it_takes_more_than_half(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, END)
    number = asked.table.version
    first = await vote(house, table, number, ANN, agree=False)
    assert first.events[0].text == "Ann votes no: shall this game be ended?"
    (one,) = await house.sessions.questions(table.id)
    assert (one.agreed, one.refused) == ((KIM,), (ANN,))
    done = await vote(house, table, number)
    assert done.table.over
    assert done.events[0].text == "It is decided by a vote. Yes: Kim and Sam."


async def test_it_fails_when_it_cannot_pass_any_more(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, END)
    number = asked.table.version
    await vote(house, table, number, ANN, agree=False)
    done = await vote(house, table, number, SAM, agree=False)
    assert done.text == f"<@{KIM}>: The vote is over: 1 yes, 2 no. Everything stays as it is."
    assert not done.table.over
    with pytest.raises(Withdrawn, match="The vote is over"):
        await vote(house, table, number, SAM)


async def test_a_vote_can_be_changed(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, END)
    number = asked.table.version
    await vote(house, table, number, ANN, agree=False)
    with pytest.raises(NotAllowed, match="voted no already"):
        await vote(house, table, number, ANN, agree=False)
    with pytest.raises(NotAllowed, match="voted yes already"):
        await vote(house, table, number, KIM)
    done = await vote(house, table, number, ANN)
    assert done.table.over


async def test_about_a_new_host_he_must_be_willing(house: House) -> None:
    table = await four(house)
    asked = await call(house, table, HOST, target=SAM)
    done = await vote(house, table, asked.table.version, agree=False)
    assert done.text == f"<@{KIM}>: Sam does not want to host this table, so this vote is over."
    asked = await call(house, table, HOST, target=SAM)
    await vote(house, table, asked.table.version)
    assert (await house.sessions.get(table.id)).host_id == ROBIN, "that is his own vote only"
    done = await vote(house, table, asked.table.version, ANN)
    assert done.table.host_id == SAM


async def test_the_host_comes_back(house: House) -> None:
    table = await gone(house)
    asked = await call(house, table, END)
    done = await vote(house, table, asked.table.version, ROBIN, agree=False)
    assert (
        done.text == f"<@{KIM}>: Robin, the host, is back and says no, so this vote is withdrawn."
    )
    seen = done.table.updated  # his seat is waited for all the same, so he has a day
    with pytest.raises(NotAllowed, match=f"possible from <t:{seen + DAY}:f> on"):
        await call(house, table, END)
    house.now += DAY
    asked = await call(house, table, END)
    done = await vote(house, table, asked.table.version, ROBIN)
    assert done.table.over, "his yes does it"


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


async def test_what_cannot_be_asked_for(house: House, database: Path) -> None:
    table = await gone(house)
    before = snapshot(database)
    for user in (ANN, MOD):
        with pytest.raises(NotYourSeat, match="Only those who play"):
            await call(house, table, END, user)
    with pytest.raises(NotAllowed, match="`/table end` does it at once"):
        await call(house, table, END, ROBIN)
    with pytest.raises(Refused, match="Say with `user`"):
        await call(house, table, HOST)
    with pytest.raises(Refused, match="has no seat at this table"):
        await call(house, table, HOST, target=ANN)
    with pytest.raises(Refused, match="hosts this table already"):
        await call(house, table, HOST, target=ROBIN)
    for kind in (VACATE, STAND_IN):
        with pytest.raises(Refused, match="Say with `seat`"):
            await call(house, table, kind)
        with pytest.raises(Refused, match="no such seat"):
            await call(house, table, kind, seat="GREEN")
    assert snapshot(database) == before
    await call(house, table, END)
    with pytest.raises(Refused, match="open already"):
        await call(house, table, END, SAM)
    await house.sessions.leave(table.id, SAM, interaction_id=1)
    with pytest.raises(Refused, match="That is your own seat"):
        await call(house, table, VACATE, seat="BLUE")


async def test_in_a_lobby_the_program_cannot_act(house: House) -> None:
    table = await house.open("duel")
    await join(house, table, KIM, "BLUE")
    house.now += ABSENT
    with pytest.raises(NotStarted):
        await call(house, table, STAND_IN, seat="RED")
    asked = await call(house, table, END)
    done = await vote(house, table, asked.table.version, KIM)
    assert done.table.over
    assert done.events[-1].text == "The table was closed before the game began."


async def test_an_older_vote_of_the_same_person_is_withdrawn(house: House) -> None:
    table = await gone(house)
    await call(house, table, END)
    await call(house, table, HOST, target=KIM)
    assert await closed(house, table) == ["Whoever asked wants something else now."]
    await call(house, table, END, SAM)
    assert [one.kind for one in await house.sessions.questions(table.id)] == [HOST, END]


async def test_strangers_do_not_vote(house: House, database: Path) -> None:
    table = await gone(house)
    asked = await call(house, table, END)
    before = snapshot(database)
    for agree in (True, False):
        with pytest.raises(NotYourSeat, match="Only those who play at this table vote"):
            await vote(house, table, asked.table.version, ANN, agree=agree)
        with pytest.raises(Withdrawn):
            await vote(house, table, asked.table.version - 1, agree=agree)
    assert snapshot(database) == before
    other = await offer(house, table, KIM, ANN)
    with pytest.raises(Withdrawn):
        await vote(house, table, other.table.version)
    with pytest.raises(Withdrawn):
        await take(house, table, asked.table.version)


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

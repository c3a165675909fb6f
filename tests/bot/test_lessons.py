"""Guided games in the store, below Discord: kept with the step, counted nowhere, ended and found again."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bot.coaching import controls, words
from bot.layout import Image
from bot.panel import panel, private
from bot.refusals import NotAllowed, StoreBusy, TableOver, TooManyWaiting
from bot.sessions import Table
from bot.sessions.carrying import Arrival
from bot.sessions.lessons import LessonRuns, ready_for
from bot.sessions.taught import said
from bot.store import Store
from games.kernel.action import Action
from games.kernel.entropy import seeded
from games.kernel.game import Setup
from games.kernel.lesson import Cue, Goal, Lesson, Remark, Script, Stage
from games.registry import Registry
from tests import toygame
from tests.bot import limits, widest
from tests.bot.house import KIM, ROBIN, SAM, House, sql
from tests.games.lessons import willing

REGISTRY = Registry({"toy": toygame.load})


@pytest.fixture
async def school(store: Store) -> House:
    return House(store, REGISTRY)


async def enrol(house: House, user: int = ROBIN, channel: int = 80) -> Table:
    found = house.sessions.lesson("boots")
    assert found is not None
    return await house.sessions.open(
        game="boots",
        chosen={},
        guild_id=9,
        channel_id=channel,
        user_id=user,
        user_name="Robin",
        interaction_id=next(house.interactions),
        ready=ready_for(found[1], user, "Robin"),
    )


async def obey(house: House, table: Table) -> Table:
    """Do what the coach asks for."""
    table = await house.sessions.get(table.id)
    now = said(table)
    assert now is not None
    action = willing(table.game, table.state, "ALPHA", now, seeded(f"pupil {table.version}"))
    acted = await house.sessions.act(
        table.id,
        ROBIN,
        action,
        expected_version=None,
        interaction_id=next(house.interactions),
    )
    again = await house.sessions.get(table.id)
    assert again.lesson_step == acted.table.lesson_step
    return acted.table


def steps(database: Path) -> list[tuple[Any, ...]]:
    return sql(database, "SELECT session_id, user_id, lesson, step FROM tutorials")


async def test_the_row_is_written_with_the_step(school: House, database: Path) -> None:
    table = await enrol(school)
    assert table.lesson_step == 0 and table.setup.lesson == "first"
    assert steps(database) == [(table.id, ROBIN, "first", 0)]
    await obey(school, table)
    assert steps(database)[0][3] == 1
    (payload,) = sql(database, "SELECT payload FROM outbox ORDER BY id DESC LIMIT 1")[0]
    assert "From now on every turn" in msgspec.json.decode(payload)["text"]


async def test_nothing_is_written_when_the_store_is_locked(school: House, database: Path) -> None:
    import sqlite3
    from contextlib import closing

    table = await enrol(school)
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            await obey(school, table)
        other.execute("ROLLBACK")
    assert steps(database)[0][3] == 0
    assert (await school.sessions.get(table.id)).version == 1


async def test_an_undo_takes_no_knowledge_away(school: House, database: Path) -> None:
    table = await obey(school, await enrol(school))
    table = await obey(school, table)
    assert table.lesson_step == 2
    await school.undo(table)
    again = await school.sessions.get(table.id)
    assert again.lesson_step == 2 and steps(database)[0][3] == 2
    now = said(again)
    assert now is not None and now.action is not None and now.action.verb == "activate"


async def test_one_at_a_time(school: House, database: Path) -> None:
    first = await enrol(school)
    with pytest.raises(LessonRuns):
        await enrol(school, channel=81)
    assert sql(database, "SELECT count(*) FROM sessions") == [(1,)]
    other = await enrol(school, KIM, 82)
    found = await school.sessions.guided(ROBIN)
    assert found is not None and found.session_id == first.id and found.channel_id == 80
    assert await school.sessions.guided(SAM) is None
    await school.sessions.end_lesson(other.id, KIM, 7)
    assert await school.sessions.guided(KIM) is None


async def test_it_is_not_counted_among_the_tables_that_wait(store: Store) -> None:
    house = House(store, REGISTRY)
    house.sessions._most_waiting = 1  # pyright: ignore[reportPrivateUsage]
    await enrol(house)
    await house.open("solo1")
    with pytest.raises(TooManyWaiting):
        await house.open("solo1", channel=71)
    await house.sessions.end_lesson((await guided(house)).id, ROBIN, 5)
    await enrol(house)  # also when as many wait as may


async def guided(house: House) -> Table:
    found = await house.sessions.guided(ROBIN)
    assert found is not None
    return await house.sessions.get(found.session_id)


async def test_its_end_is_in_no_record(school: House, database: Path) -> None:
    table = await obey(school, await enrol(school))
    acted = await school.sessions.act(
        table.id, ROBIN, Action("concede", {}), expected_version=None, interaction_id=3
    )
    assert acted.table.over and "`/tutorial` starts again" in acted.text
    assert sql(database, "SELECT count(*) FROM records") == [(0,)]
    assert said(await school.sessions.get(table.id)) is None
    assert await school.sessions.guided(ROBIN) is None
    await enrol(school, channel=81)


async def test_ending_drops_the_row(school: House, database: Path) -> None:
    table = await enrol(school)
    with pytest.raises(NotAllowed, match="tutorial"):
        await school.sessions.end_lesson(table.id, KIM, 5)
    acted = await school.sessions.end_lesson(table.id, ROBIN, 6)
    assert acted.table.over and acted.events[-1].text == "The tutorial has ended."
    assert steps(database) == []
    with pytest.raises(TableOver):
        await school.sessions.end_lesson(table.id, ROBIN, 7)
    other = await enrol(school)
    await school.end(other, ROBIN)
    assert steps(database) == []


async def test_who_has_given_the_table_away_can_still_start_over(school: House) -> None:
    table = await enrol(school)
    await school.sessions.leave(table.id, ROBIN, interaction_id=next(school.interactions))
    await school.sessions.join(table.id, KIM, "Kim", interaction_id=next(school.interactions))
    assert (await school.sessions.get(table.id)).host_id != ROBIN
    with pytest.raises(NotAllowed, match=f"<@{ROBIN}>’s tutorial"):
        await school.sessions.skip_step(table.id, SAM, 0)
    await school.sessions.end_lesson(table.id, ROBIN, 5)
    await enrol(school)


async def test_a_damaged_one_can_be_ended(school: House, database: Path) -> None:
    table = await enrol(school)
    sql(database, "UPDATE sessions SET state = ?", b"broken")
    await school.sessions.end_lesson(table.id, ROBIN, 6)
    assert steps(database) == []
    await enrol(school)


async def test_a_step_is_passed_over_once(school: House, database: Path) -> None:
    table = await enrol(school)
    with pytest.raises(NotAllowed):
        await school.sessions.skip_step(table.id, KIM, 0)
    assert await school.sessions.skip_step(table.id, ROBIN, 0)
    assert not await school.sessions.skip_step(table.id, ROBIN, 0)
    assert steps(database)[0][3] == 1
    for step in range(1, 7):
        assert await school.sessions.skip_step(table.id, ROBIN, step)
    assert not await school.sessions.skip_step(table.id, ROBIN, 7)
    posts = sql(database, "SELECT count(*) FROM outbox WHERE kind = 'panel'")
    assert posts == [(8,)] and school.woken.count(table.id) == 8
    await school.sessions.end_lesson(table.id, ROBIN, 6)
    with pytest.raises(TableOver):
        await school.sessions.skip_step(table.id, ROBIN, 7)


async def test_skipping_passes_over_what_is_known(school: House) -> None:
    table = await obey(school, await enrol(school))
    for verb, slots in (
        ("activate", {"unit": "A-S"}),
        ("move", {"to": "D4", "face": "S"}),
    ):
        acted = await school.sessions.act(
            table.id,
            ROBIN,
            Action(verb, dict[str, Any](slots)),
            expected_version=None,
            interaction_id=next(school.interactions),
        )
    assert acted.table.lesson_step == 2
    assert await school.sessions.skip_step(table.id, ROBIN, 2)
    assert (await school.sessions.get(table.id)).lesson_step == 4  # he has moved already


async def test_an_imported_lesson_teaches_nobody(school: House) -> None:
    table = await obey(school, await enrol(school))
    raw = await school.sessions.save_file(table.id, ROBIN, moderator=False)
    to = Arrival(9, 90, KIM, "Kim", next(school.interactions))
    brought = await school.sessions.take_in(raw, to)
    there = await school.sessions.get(brought.id)
    assert there.setup.lesson == "first" and there.lesson_step is None and words(there) == ""
    assert await school.sessions.guided(KIM) is None
    assert await school.sessions.audit(there.id) == ""


async def test_the_whole_of_it_can_be_replayed(school: House) -> None:
    table = await enrol(school)
    for _ in range(12):
        table = await obey(school, table) if table.lesson_step != 7 and not table.over else table
    assert await school.sessions.audit(table.id) == ""
    proof = await school.sessions.proof(table.id)
    assert proof["rows"]


# --- what is shown -----------------------------------------------------------------------------


class WideLesson(Lesson[Any]):
    """The longest words that a lesson may have."""

    def __init__(self) -> None:
        cue = Cue(widest.LONG)
        stages = (Stage(widest.LONG[:80], (cue,), Goal(signs=("x",))), Stage("End", (cue,)))
        script = Script("Wide", "RED", stages, (Remark("x", "y"),), (), "x", "y", "z")
        super().__init__("wide", Setup("arena", "duel"), script)

    def facts(self, state: Any, seat: str) -> dict[str, str]:
        return {}

    def signs(self, events: Any) -> tuple[str, ...]:
        return ()


class Taught(widest.WideGame):
    """The widest game, with a lesson."""

    def lessons(self) -> dict[str, Lesson[Any]]:
        return {"wide": WideLesson()}


@pytest.fixture
async def wide(store: Store) -> AsyncIterator[Table]:
    house = House(store, Registry({"wide": widest.load}, shipped=False))
    table = await house.sessions.open(
        game="wide",
        chosen={"mode": "duel"},
        guild_id=9,
        channel_id=70,
        user_id=ROBIN,
        user_name="Robin",
        interaction_id=1,
    )
    await house.sessions.join(table.id, KIM, "Kim", interaction_id=2)
    begun = await house.start(table)
    setup = msgspec.structs.replace(begun.setup, lesson="wide")
    yield dataclasses.replace(begun, game=Taught(), setup=setup, lesson_step=0)


def test_the_longest_lesson_in_the_widest_game_fits(wide: Table) -> None:
    picture = Image("board.png", b"png", widest.LONG)
    letter = panel(wide, (), (picture, picture), remark=widest.LONG[:900])
    limits.check_message(letter.screen.to_components())
    limits.check_message(private(wide, ROBIN, widest.LONG[:2000], more=True).screen.to_components())
    assert "Tutorial, step 1 of 2" in words(wide)
    labels = [
        c["label"]
        for row in controls(wide)
        for c in limits.walk([row.to_component_dict()])
        if c["type"] == limits.BUTTON
    ]
    assert labels == ["Skip this step", "End the tutorial"]


def test_nobody_else_is_spoken_to(wide: Table) -> None:
    assert "Tutorial, step" not in str(private(wide, 77).screen.to_components())
    ended = dataclasses.replace(wide, status="ended")
    assert words(ended) == "" and controls(ended) == []

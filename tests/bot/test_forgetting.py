"""Somebody is forgotten: whatever went on before, nothing names him, and all tables go on."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bot.people import People
from bot.refusals import NoSuchTable, NotYourSeat, Refused, StoreFull
from bot.sessions import Table
from bot.sessions.anonymous import Anonymous, name_in
from bot.sessions.carrying import OVER
from bot.store import Store
from bot.store import schema as db
from bot.store.people import PERSONAL
from bot.texts import GONE, GONE_NAME
from games.kernel import verify
from games.kernel.illegal import Illegal
from tests.bot.house import address, snapshot, sql
from tests.bot.society import KIM, NAMES, ROBIN, SAM, Society, stood_in, traces, tutorial_of

HIS = (str(ROBIN), "bin Nightingale", "Nightjar")
"""What must be nowhere when he is forgotten: his id, both of his names however they are written."""


@pytest.fixture
def society(store: Store) -> Society:
    return Society(store, 1)


async def duel(society: Society, red: int = ROBIN, blue: int = KIM) -> Table:
    """A game of two under way."""
    society.channels += 1
    table = await society.sessions.open(
        game="toy",
        chosen={"mode": "duel"},
        guild_id=9,
        channel_id=society.channels,
        user_id=red,
        user_name=NAMES[red][society.channels % 2],
        interaction_id=society.fresh(),
    )
    await society.sessions.join(
        table.id, blue, society.name(blue, table), interaction_id=society.fresh(), seat="BLUE"
    )
    return (await society.sessions.start(table.id, red, interaction_id=society.fresh())).table


def proved(proof: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The verifier’s last line about a proof that must be right."""
    path = folder / "proof.json"
    path.write_text(json.dumps(proof), encoding="utf-8")
    assert verify.main([str(path)]) == 0, capsys.readouterr().out
    return capsys.readouterr().out.splitlines()[-1]


async def to_the_end(society: Society, table_id: str) -> Table:
    """Kim and Sam take the vacant seats and play on."""
    for _ in range(400):
        table = await society.sessions.get(table_id)
        if table.over:
            return table
        with suppress(Refused, Illegal):
            for holder in table.vacant():
                user = KIM if holder.seat == "RED" else SAM
                await society.sessions.join(
                    table.id,
                    user,
                    society.name(user, table),
                    interaction_id=society.fresh(),
                    seat=holder.seat,
                )
            if table.lobby:
                host = (await society.sessions.get(table_id)).host_id
                await society.sessions.start(table.id, host, interaction_id=society.fresh())
            await society.play(await society.sessions.get(table_id))
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seed", range(4))
async def test_after_any_life_nothing_names_him_and_everything_goes_on(
    store: Store,
    database: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    seed: int,
    soak: bool,
) -> None:
    for turn in range(30 if soak else 1):
        society = Society(store, seed * 1000 + turn)
        society.interactions = iter(range(10_000_000 * (seed * 1000 + turn + 1), 2**60))
        society.channels = 1000 * (turn + 1)
        await society.live(130)
        before = {
            table.id: (table, await society.sessions.proof(table.id))
            for table in await society.tables()
        }
        assert traces(database, str(ROBIN)) and traces(database, *HIS[1:])
        gone = await society.people.forget(ROBIN)
        assert gone.anything and gone.tables
        assert traces(database, *HIS) == []
        stay = await society.tables()
        assert len(stay) == len(before) - gone.tables_gone
        for table in stay:
            was, proof = before[table.id]
            assert await society.sessions.audit(table.id) == ""
            assert ROBIN not in table.people() and table.host_id != ROBIN
            assert (table.state, table.status) == (was.state, was.status)
            now = await society.sessions.proof(table.id)
            proved(now, tmp_path, capsys)
            links = [row["chain"] for row in now["rows"]]
            assert [row["chain"] for row in proof["rows"]] == links[: len(proof["rows"])]
            assert now["rolls"][: len(proof["rolls"])] == proof["rolls"]
        for table in stay:
            raw = await society.sessions.save_file(table.id, None, moderator=True)
            assert not any(one in raw.decode() for one in HIS)
            proved(json.loads(raw), tmp_path, capsys)
            if not table.over and not table.lobby:
                there = await society.bring(raw, SAM)
                assert await society.sessions.audit(there.id) == ""
                assert there.state == table.state
            ended = await to_the_end(society, table.id)
            assert await society.sessions.audit(ended.id) == ""
            proved(await society.sessions.proof(ended.id), tmp_path, capsys)
        assert (await society.people.about(ROBIN))["actions"] == []
        assert await society.people.counts(ROBIN) == {}
        assert not (await society.people.forget(ROBIN)).anything
        assert traces(database, *HIS) == []


@pytest.mark.parametrize("whole", [False, True])
async def test_an_ended_game_shows_what_is_left_as_sealed(
    society: Society, tmp_path: Path, capsys: pytest.CaptureFixture[str], whole: bool
) -> None:
    table = await duel(society)
    await to_the_end(society, table.id)
    told = proved(await society.sessions.proof(table.id), tmp_path, capsys)
    assert "sealed" not in told
    await society.people.forget(ROBIN)
    proof = await society.sessions.proof(table.id)
    told = proved(proof, tmp_path, capsys)
    assert "sealed for good: somebody had his data deleted" in told and "until" not in told
    gone = [row["number"] for row in proof["rows"] if row.get("forgotten")]
    kept = [row["content"]["user_id"] for row in proof["rows"] if "content" in row]
    assert gone and set(kept) == {KIM}
    rows = await society.sessions.history(table.id)
    assert {row.name for row in rows if row.number in gone and row.user_id == GONE} == {GONE_NAME}
    assert await society.sessions.audit(table.id) == ""
    shown = await society.sessions.get(table.id)
    assert shown.holder("RED") is not None and shown.people() == (KIM,)
    raw = await society.sessions.save_file(table.id, KIM if whole else None, moderator=False)
    with pytest.raises(Refused, match=OVER[:30]):
        await society.bring(raw, KIM)


async def test_what_is_left_of_a_row_cannot_be_changed_in_a_file(society: Society) -> None:
    table = await duel(society)
    for _ in range(12):
        await society.play(await society.sessions.get(table.id))
    await society.people.forget(ROBIN)
    raw = await society.sessions.save_file(table.id, None, moderator=True)
    save = json.loads(raw)
    rows = [row for row in save["rows"] if "forgotten" in row]
    done = '{"verb":"done"}'
    acts = [row for row in rows if row["forgotten"]["kind"] == "act"]
    acts.sort(key=lambda row: row["forgotten"]["action"] != done)
    rolled = [row for row in acts if row["forgotten"]["key"] is not None]
    assert acts and rolled

    async def refused(change: Any, *, match: str) -> None:
        wrong = json.loads(raw)
        change(wrong)
        with pytest.raises(Refused, match=match):
            await society.bring(json.dumps(wrong).encode(), KIM)

    def row_of(save: Any, number: int) -> Any:
        return next(row for row in save["rows"] if row["number"] == number)

    def other_action(save: Any) -> None:
        row_of(save, acts[-1]["number"])["forgotten"]["action"] = done

    def other_result(save: Any) -> None:
        row_of(save, rolled[-1]["number"])["forgotten"]["results"] = "[]"

    def other_number(save: Any) -> None:
        row_of(save, acts[-1]["number"])["forgotten"]["number"] += 1

    def two(save: Any) -> None:
        row = row_of(save, acts[-1]["number"])
        row["content"] = row["forgotten"]

    def none(save: Any) -> None:
        del row_of(save, acts[-1]["number"])["forgotten"]

    await refused(other_result, match="its roll is another than the one listed")
    await refused(
        other_number, match="no saved game of Fieldpost: a row has the content of another"
    )
    await refused(two, match="no saved game of Fieldpost: a row has no content, or two")
    await refused(none, match="no saved game of Fieldpost: a row has no content, or two")
    await refused(other_action, match="was changed after it was saved")
    there = await society.bring(raw, KIM)
    assert await society.sessions.audit(there.id) == ""


async def test_the_others_are_told_and_the_next_one_hosts(society: Society, database: Path) -> None:
    table = await duel(society)
    society.woken.clear()
    await society.people.forget(ROBIN)
    now = await society.sessions.get(table.id)
    assert now.host_id == KIM and [holder.seat for holder in now.vacant()] == ["RED"]
    row = (await society.sessions.history(table.id))[-1]
    assert (row.kind, row.user_id, row.seat) == ("leave", 0, "RED")
    assert [event.text for event in row.events] == [
        f"{GONE_NAME} no longer plays Red captain.",
        "Kim is the host of this table now."
        if table.channel_id % 2
        else "Kim Kestrel is the host of this table now.",
    ]
    assert society.woken == [table.id]
    (payload,) = [
        json.loads(raw)
        for (raw,) in sql(database, "SELECT payload FROM outbox ORDER BY id DESC LIMIT 1")
    ]
    assert payload["told"] == [KIM] and f"<@{KIM}>: Red captain is vacant." in payload["text"]
    with pytest.raises(NotYourSeat):
        await society.sessions.leave(table.id, ROBIN, interaction_id=society.fresh())
    await society.sessions.join(table.id, ROBIN, "Robin again", interaction_id=society.fresh())
    assert ROBIN in (await society.sessions.get(table.id)).people()
    assert await society.sessions.audit(table.id) == ""


async def test_both_seats_of_one_person_become_vacant_in_one_step(society: Society) -> None:
    table = await duel(society)
    await society.sessions.vacate(
        table.id, ROBIN, "BLUE", moderator=False, interaction_id=society.fresh()
    )
    await society.sessions.join(
        table.id, ROBIN, "Nightjar", interaction_id=society.fresh(), seat="BLUE"
    )
    before = await society.sessions.get(table.id)
    await society.people.forget(ROBIN)
    after = await society.sessions.get(table.id)
    assert after.version == before.version + 1 and len(after.vacant()) == 2
    assert after.host_id == 0
    last = (await society.sessions.history(table.id))[-1]
    assert last.events[0].text == f"{GONE_NAME} no longer plays Red captain and Blue captain."
    await society.sessions.join(table.id, SAM, "Sam", interaction_id=society.fresh())
    assert (await society.sessions.get(table.id)).host_id == SAM


async def test_a_table_of_his_alone_is_deleted(society: Society, database: Path) -> None:
    for mode, begun in (("solo1", True), ("duel", False)):
        society.channels += 1
        table = await society.sessions.open(
            game="toy",
            chosen={"mode": mode},
            guild_id=None,
            channel_id=society.channels,
            user_id=ROBIN,
            user_name="Nightjar",
            interaction_id=society.fresh(),
        )
        if begun:
            await society.play(table)
            await society.sessions.salt(
                table.id, ROBIN, "Nightjar", "very private words", interaction_id=society.fresh()
            )
            await tutorial_of(society, table, ROBIN)
    gone = await society.people.forget(ROBIN)
    assert (gone.tables, gone.tables_gone) == (2, 2)
    assert traces(database, *HIS, "very private words") == []
    with pytest.raises(NoSuchTable):
        await society.sessions.get(table.id)
    rows = snapshot(database)
    for name in (
        "sessions",
        "log",
        "seats",
        "seat_users",
        "timers",
        "waits",
        "outbox",
        "tutorials",
    ):
        assert rows[name] == []


async def test_the_program_goes_on_for_seats_at_his_wish(society: Society) -> None:
    table = await duel(society, KIM, SAM)
    await stood_in(society, table, ROBIN)
    await society.people.forget(ROBIN)
    now = await society.sessions.get(table.id)
    assert [holder.stand_in for holder in now.seats] == [GONE, GONE]
    acted = await society.sessions.program_acts(table.id, now.due()[0])
    assert acted is not None
    assert await society.sessions.audit(table.id) == ""


async def test_whoever_stays_sees_nothing_that_was_hidden_from_him(society: Society) -> None:
    table = await duel(society)
    await society.act(table, "draw", ROBIN, seat="RED")
    before = await society.sessions.proof(table.id)
    await society.people.forget(ROBIN)
    proof = await society.sessions.proof(table.id)
    assert proof["rolls"] == before["rolls"]
    assert all("content" not in row for row in proof["rows"])
    with pytest.raises(Refused, match="shows all that is hidden"):
        await society.sessions.save_file(table.id, KIM, moderator=True)


async def test_a_game_that_cannot_be_read_is_done_as_far_as_possible(
    society: Society, database: Path
) -> None:
    table = await duel(society)
    other = await duel(society)
    sql(database, "UPDATE sessions SET state = x'00' WHERE id = ?", table.id)
    gone = await society.people.forget(ROBIN)
    assert gone.tables == 2
    assert traces(database, *HIS) == []
    rest = await society.sessions.remains(table.id)
    assert rest.paused and rest.people() == (KIM,) and rest.host_id == KIM
    assert (await society.sessions.get(other.id)).people() == (KIM,)


async def test_damaged_rows_do_not_stop_it(society: Society, database: Path) -> None:
    table = await duel(society)
    broken = f'[{{"text":"<@{ROBIN}> and Nightjar'
    sql(database, "UPDATE log SET events = ? WHERE number = 2", broken)
    sql(database, "UPDATE outbox SET payload = ?", f"{{{ROBIN}")
    await society.people.forget(ROBIN)
    assert traces(database, *HIS) == []
    assert (await society.sessions.get(table.id)).people() == (KIM,)


async def test_he_plays_on_while_he_is_forgotten(society: Society, database: Path) -> None:
    tables = [await duel(society) for _ in range(4)]
    dice = random.Random(4)

    async def plays() -> None:
        for _ in range(12):
            with suppress(Refused, Illegal):
                await society.play(await society.sessions.get(dice.choice(tables).id))

    async def presses() -> None:
        for _ in range(2):
            await society.people.forget(ROBIN)

    await asyncio.gather(plays(), presses(), plays(), presses())
    assert traces(database, *HIS) == []
    for table in tables:
        now = await society.sessions.get(table.id)
        assert now.people() == (KIM,)
        assert await society.sessions.audit(table.id) == ""
        left = [row for row in await society.sessions.history(table.id) if row.kind == "leave"]
        assert len(left) == 1


async def test_another_process_that_plays_on_does_not_hinder_it(
    store: Store, society: Society, database: Path
) -> None:
    table = await duel(society)
    other = await Store.open(address(database))
    apart = Society(other, 2)
    apart.interactions = iter(range(900_000, 999_999))
    real, raced = society.sessions._load, []  # pyright: ignore[reportPrivateUsage]

    async def load_then_lose(session_id: str, interaction_id: int | None = None) -> Any:
        loaded = await real(session_id, interaction_id)
        if not raced:
            raced.append(session_id)
            await apart.play(await apart.sessions.get(session_id))
        return loaded

    society.sessions._load = load_then_lose  # pyright: ignore[reportPrivateUsage]
    await society.people.forget(ROBIN)
    await other.close()
    assert raced == [table.id] and traces(database, *HIS) == []
    assert await society.sessions.audit(table.id) == ""


@pytest.mark.parametrize("after", range(5))
async def test_stopped_in_between_each_table_is_done_or_not_and_again_finishes_it(
    society: Society, database: Path, after: int
) -> None:
    tables = [await duel(society) for _ in range(4)]
    before = snapshot(database)
    real = People(society.store, society.sessions, clock=society.clock)
    write, left = society.store.write, [2 * after]

    def failing() -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise StoreFull
        return write()

    society.store.write = failing
    with pytest.raises(StoreFull):
        await real.forget(ROBIN)
    society.store.write = write
    rows = snapshot(database)
    done = 0
    for table in tables:
        mine = [row for row in rows["log"] if row[0] == table.id]
        was = [row for row in before["log"] if row[0] == table.id]
        untouched = mine == was
        clean = not any(str(ROBIN) in str(row) or "Nightjar" in str(row) for row in mine)
        assert untouched != clean
        done += clean
    assert done == after
    assert rows["users"] == before["users"]
    await real.forget(ROBIN)
    assert traces(database, *HIS) == []


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
async def test_killed_on_the_way_each_table_is_done_or_not(database: Path) -> None:
    store = await Store.open(address(database))
    society = Society(store, 1)
    tables = [(await duel(society)).id for _ in range(3)]
    await store.close()

    def run(number: int) -> int:
        command = [sys.executable, "-m", "tests.bot.kill9_forgetting"]
        return subprocess.run(
            [*command, str(database), str(ROBIN), str(number)],
            cwd=Path(__file__).resolve().parents[2],
            check=False,
            timeout=60,
        ).returncode

    def done() -> list[bool]:
        found: list[bool] = []
        for table in tables:
            rows = sql(
                database, "SELECT kind, user_id, events FROM log WHERE session_id = ?", table
            )
            his = [row for row in rows if row[1] == ROBIN or "Night" in row[2]]
            left = [row for row in rows if row[0] == "leave"]
            assert bool(his) != bool(left), "a table is done by halves"
            found.append(bool(left))
        return found

    # Each table takes two transactions, the first of which only looks whether anybody else sat there.
    for number, finished in ((2, 0), (4, 1), (4, 2)):
        assert await asyncio.to_thread(run, number) == -signal.SIGKILL
        assert done() == [True] * finished + [False] * (3 - finished)
        assert sql(database, "SELECT name FROM users WHERE id = ?", ROBIN)
    assert await asyncio.to_thread(run, 0) == 0
    assert done() == [True] * 3 and traces(database, *HIS) == []
    store = await Store.open(address(database))
    society = Society(store, 2)
    for table in tables:
        assert await society.sessions.audit(table) == ""
    await store.close()


def test_names_are_taken_out_of_sentences() -> None:
    nameless = Anonymous(12, ["Rob", "R*b"], ["Rob Roy", "Bob"])
    assert nameless.text("Rob plays Alpha, and Rob Roy too.") == (
        f"{GONE_NAME} plays Alpha, and Rob Roy too."
    )
    assert nameless.text("Robber and Bob; <@12>, <@!12>, <@123>") == (
        f"Robber and Bob; {GONE_NAME}, {GONE_NAME}, <@123>"
    )
    assert nameless.text("id 12, not 112 or 123") == f"id {GONE}, not 112 or 123"
    assert nameless.text("R\\*b leaves.") == f"{GONE_NAME} leaves."
    assert nameless.text("Rob <@12>", names=False) == f"Rob {GONE_NAME}"
    raw = '{"host":12,"told":[12,13,true],"text":"Rob","in":{"out":12}}'
    assert json.loads(nameless.json(raw)) == {
        "host": GONE,
        "told": [13, True],
        "text": GONE_NAME,
        "in": {"out": GONE},
    }
    untouched = '{ "spaces" : [1] }'
    assert nameless.json(untouched) is untouched
    assert Anonymous(1, []).text("Rob") == "Rob"


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("Rob plays Red captain.", "Rob"),
        ("Rob Roy leaves Red captain.", "Rob Roy"),
        ("Rob opens a table.", "Rob"),
        ("Rob adds words to the dice: “x plays”.", "Rob"),
        ("Rob goes on here with a game that was saved elsewhere.", "Rob"),
        ("Kim no longer plays Blue: Rob (a moderator) made the seat vacant.", "Rob"),
        ("Kim no longer plays Blue: the host made the seat vacant.", ""),
        ("Kim is the host of this table now: Rob (the host) handed it over.", "Rob"),
        ("The program acts for Blue, as Rob (the host) wishes.", "Rob"),
        ("Taken back: Red walks.", ""),
    ],
)
def test_old_names_are_found_in_what_he_did(told: str, name: str) -> None:
    assert name_in(told) == name


def test_every_table_of_sessions_is_looked_through() -> None:
    known = {table.name for table in db.metadata.sorted_tables}
    assert set(PERSONAL) <= known

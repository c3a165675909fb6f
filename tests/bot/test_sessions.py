"""The session service: saved before shown, one at a time, and a sentence for every refusal."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from bot.refusals import (
    AgainstTheRules,
    ChannelTaken,
    Duplicate,
    NoSuchTable,
    NotAllowed,
    NotYourSeat,
    Refused,
    Stale,
    StoreBusy,
    StoreFull,
    TableOver,
    Unreadable,
)
from bot.sessions import Acted, core
from bot.sessions.records import pack
from bot.store import Store
from games.kernel import verify
from games.kernel.action import Action
from games.kernel.illegal import Illegal
from games.registry import GAMES, GameUnavailable, Registry
from tests import toygame
from tests.bot.house import KIM, ROBIN, SAM, House, address, snapshot, sql


async def test_open_gives_a_table(house: House, database: Path) -> None:
    table = await house.open()
    assert (table.slug, table.version, table.status) == ("toy", 1, "running")
    assert table.seats_of(ROBIN) == ("RED",) and table.seats_of(KIM) == ()
    assert table.waits_for() == (ROBIN,)
    assert table.view(None).headline.startswith("Red captain")
    assert house.woken == [table.id]
    assert await house.sessions.get(table.id) == table
    assert await house.sessions.in_channel(70) == table
    assert await house.sessions.in_channel(71) is None
    counts = {name: len(rows) for name, rows in snapshot(database).items()}
    assert counts["sessions"] == counts["log"] == counts["outbox"] == counts["contents"] == 1


async def test_act_saves_everything_together(house: House, database: Path) -> None:
    table = await house.open()
    acted = await house.act(table, "move", to="B2", version=1)
    assert acted.table.version == 2 and not acted.binding and not acted.handover
    assert acted.events[0].text == "Red captain walks A1 to B2."
    assert acted.turnout is not None and acted.turnout.state is acted.table.state
    assert await house.sessions.get(table.id) == acted.table
    assert house.woken == [table.id, table.id]
    assert sql(database, "SELECT version, tip FROM sessions") == [(2, 2)]
    assert sql(database, "SELECT number, kind, base, user_id, seat FROM log ORDER BY number") == [
        (1, "begin", 0, ROBIN, ""),
        (2, "act", 1, ROBIN, "RED"),
    ]
    assert sql(database, "SELECT version, kind FROM outbox ORDER BY id") == [
        (1, "panel"),
        (2, "panel"),
    ]


async def test_the_input_state_is_not_touched(house: House) -> None:
    table = await house.open()
    before = table.game.encode(table.state)
    await house.act(table, "move", to="B2")
    assert table.game.encode(table.state) == before


async def test_a_restart_goes_on(house: House, database: Path) -> None:
    table = await house.open()
    acted = await house.act(table, "move", to="B2")
    store = await Store.open(address(database))
    again = House(store)
    again.interactions = house.interactions
    there = await again.sessions.get(table.id)
    assert there.game.encode(there.state) == acted.table.game.encode(acted.table.state)
    moved = await again.act(there, "move", to="A2", version=2)
    assert moved.table.version == 3
    assert await again.sessions.audit(table.id) == ""
    await store.close()


async def refused(house: House, database: Path, kind: type[Refused], call: Any) -> Any:
    """The refusal of a call that must have changed nothing."""
    before = snapshot(database)
    house.woken.clear()
    with pytest.raises(kind) as caught:
        await call
    assert snapshot(database) == before
    assert house.woken == []
    assert caught.value.sentence.endswith((".", "`.")) and "Traceback" not in caught.value.sentence
    return caught.value


async def test_refusals_change_nothing(house: House, database: Path) -> None:
    table = await house.open()
    sessions = house.sessions
    await refused(house, database, NoSuchTable, sessions.get("nobodyxx"))
    gone = sessions.undo("nobodyxx", ROBIN, expected_version=None, interaction_id=1)
    await refused(house, database, NoSuchTable, gone)
    await refused(house, database, NoSuchTable, sessions.history("nobodyxx"))
    await refused(house, database, NoSuchTable, sessions.proof("nobodyxx"))

    stranger = await refused(house, database, NotYourSeat, house.act(table, "done", user=KIM))
    assert "Robin" in stranger.sentence
    await refused(house, database, NotYourSeat, house.act(table, "done", seat="BLUE"))
    await refused(house, database, NotYourSeat, house.undo(table, user=KIM))

    stale = await refused(house, database, Stale, house.act(table, "done", version=7))
    assert stale.table == table
    await refused(house, database, Stale, house.undo(table, version=0))

    taken = await refused(house, database, ChannelTaken, house.open(user=KIM))
    assert taken.session_id == table.id
    await refused(house, database, NotAllowed, house.end(table, KIM))


async def test_an_illegal_action_tells_its_rule(house: House, database: Path) -> None:
    table = await house.open()
    told = await refused(house, database, AgainstTheRules, house.act(table, "move", to="F6"))
    assert (told.rule, told.sentence) == ("TOY-1", "Your pawn cannot walk to F6.")
    assert isinstance(told, Illegal)
    await refused(house, database, AgainstTheRules, house.act(table, "dance"))
    wrong = house.sessions.open(
        game="toy",
        chosen={"mode": "solo9"},
        guild_id=None,
        channel_id=71,
        user_id=ROBIN,
        user_name="Robin",
        interaction_id=1,
    )
    await refused(house, database, AgainstTheRules, wrong)
    unknown = house.sessions.open(
        game="chess",
        chosen={},
        guild_id=None,
        channel_id=71,
        user_id=ROBIN,
        user_name="Robin",
        interaction_id=2,
    )
    assert "chess" in (await refused(house, database, Refused, unknown)).sentence


async def test_a_double_press_acts_once(house: House, database: Path) -> None:
    table = await house.open()
    await house.act(table, "move", to="B2", version=1, interaction=77)
    again = house.act(table, "move", to="B2", version=1, interaction=77)
    assert (await refused(house, database, Duplicate, again)).session_id == table.id
    other = await house.open(channel=71)
    elsewhere = house.act(other, "done", interaction=77)
    await refused(house, database, Duplicate, elsewhere)


async def test_a_double_press_of_the_last_move_is_a_duplicate(house: House) -> None:
    table = await house.open()
    await house.end(table)
    last = next(house.interactions) - 1
    with pytest.raises(Duplicate):
        await house.sessions.end(table.id, ROBIN, moderator=False, interaction_id=last)


async def outcomes(calls: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for outcome in await asyncio.gather(*calls, return_exceptions=True):
        name = type(outcome).__name__
        found[name] = found.get(name, 0) + 1
    return found


async def test_twenty_at_once_act_once(house: House) -> None:
    table = await house.open()
    calls = [house.act(table, "move", to="B2", version=1) for _ in range(20)]
    assert await outcomes(calls) == {"Acted": 1, "Stale": 19}
    assert (await house.sessions.get(table.id)).version == 2
    calls = [house.act(table, "move", to="A1", interaction=5) for _ in range(20)]
    assert await outcomes(calls) == {"Acted": 1, "Duplicate": 19}
    calls = [house.undo(table, version=3) for _ in range(20)]
    assert await outcomes(calls) == {"Acted": 1, "Stale": 19}
    assert len(house.sessions._locks) == 0
    assert await house.sessions.audit(table.id) == ""


async def test_two_processes_at_once_act_once(house: House, database: Path) -> None:
    table = await house.open()
    store = await Store.open(address(database))
    twin = House(store)
    calls = [
        one.sessions.act(
            table.id,
            ROBIN,
            Action("move", {"to": "B2"}),
            expected_version=1,
            interaction_id=next(house.interactions),
        )
        for one in (house, twin)
        for _ in range(5)
    ]
    assert await outcomes(calls) == {"Acted": 1, "Stale": 9}
    assert await twin.sessions.audit(table.id) == ""
    await store.close()


async def test_ten_open_one_channel(house: House) -> None:
    calls = [house.open() for _ in range(10)]
    assert await outcomes(calls) == {"Table": 1, "ChannelTaken": 9}
    assert await outcomes([house.open(channel=c) for c in range(10)]) == {"Table": 10}


async def test_one_press_opens_one_table(house: House) -> None:
    house.interactions = iter([5] * 10)
    calls = [house.open(channel=channel) for channel in range(10)]
    assert await outcomes(calls) == {"Table": 1, "Duplicate": 9}


async def test_an_id_that_is_taken_is_drawn_again(house: House) -> None:
    names = iter(["same", "same", "other"])
    house.sessions._name = lambda: next(names)
    assert (await house.open(channel=1)).id == "same"
    assert (await house.open(channel=2)).id == "other"


async def test_sessions_do_not_wait_for_each_other(house: House) -> None:
    tables = [await house.open(channel=channel) for channel in range(8)]
    acted = await asyncio.gather(*(house.act(table, "move", to="B2") for table in tables))
    assert [a.table.version for a in acted] == [2] * 8


async def test_a_channel_is_free_again_after_the_end(house: House) -> None:
    first = await house.open()
    ended = await house.end(first)
    assert ended.table.view(None).headline == "This game was ended."
    assert ended.table.view(None).tasks == ()
    assert ended.table.over and ended.events[0].text.endswith("ended the game before its time.")
    with pytest.raises(TableOver):
        await house.act(first, "done")
    with pytest.raises(TableOver):
        await house.end(first)
    there = await house.sessions.in_channel(70)
    assert there is not None and there.id == first.id and there.over
    second = await house.open()
    there = await house.sessions.in_channel(70)
    assert there is not None and there.id == second.id
    await house.end(second, SAM, moderator=True)
    there = await house.sessions.in_channel(70)
    assert there is not None and there.id == second.id


async def play_out(house: House, mode: str = "solo1") -> Acted:
    """A whole game that ends by its rules."""
    table = await (house.open() if mode == "solo1" else house.duel())
    users = {"RED": ROBIN, "BLUE": KIM}
    while True:
        seat = table.tasks()[0].seat
        verb = "move" if table.state.left else "done"
        slots: dict[str, Any] = {}
        if verb == "move":
            cells = table.game.verbs["move"].domain(table.state, seat, "to", {})
            assert cells is not None
            slots["to"] = cells.options[-1].value
        acted = await house.act(table, verb, user=users[seat], **slots)
        table = acted.table
        if table.over:
            return acted


async def test_an_ended_game_keeps_turn_boundaries(house: House, database: Path) -> None:
    acted = await play_out(house)
    assert acted.table.result() is not None
    assert sql(database, "SELECT kind FROM outbox ORDER BY id DESC LIMIT 1") == [("ended",)]
    rows = sql(database, "SELECT number, kind, binding, state IS NOT NULL FROM log ORDER BY number")
    for number, kind, binding, kept in rows:
        assert bool(kept) == (kind == "begin" or bool(binding) or number == rows[-1][0])
    assert sum(kept for *_, kept in rows) < len(rows)
    again = await house.sessions.get(acted.table.id)
    assert again.over and again.result() == acted.table.result() and again.tasks() == ()
    assert await house.sessions.audit(again.id) == ""


async def test_the_proof_is_right_and_a_changed_one_is_not(house: House) -> None:
    acted = await play_out(house)
    proof = await house.sessions.proof(acted.table.id)
    assert proof["commitment"] == acted.table.commitment
    assert proof["rolls"] and [r["number"] for r in proof["rolls"]] == list(
        range(1, acted.table.keys_used + 1)
    )
    assert all(wrong == "" for _, wrong in verify.check(proof))
    proof["rolls"][0]["results"][0]["index"] ^= 1
    assert verify.check(proof)[0][1] != ""


async def test_a_key_is_used_only_for_chance(house: House, database: Path) -> None:
    table = await house.open()
    table = (await house.act(table, "move", to="B2")).table
    assert table.keys_used == 0
    acted = await house.act(table, "draw")
    assert acted.table.keys_used == 1 and acted.binding
    row = sql(database, "SELECT key_number, key, salts FROM log WHERE number = 3")[0]
    assert row[0] == 1 and verify.hash_key(bytes.fromhex(row[1])).hex() == table.commitment
    assert row[2] == '["1000"]'  # the interaction that opened the table


async def test_a_private_draw_is_not_proved_while_others_play(house: House) -> None:
    table = await house.duel()
    await house.act(table, "move", to="C3")  # a public reveal
    await house.act(table, "draw")  # a private card
    await house.act(table, "done")
    assert [r["number"] for r in (await house.sessions.proof(table.id))["rolls"]] == [1]
    await house.end(table)
    proof = await house.sessions.proof(table.id)
    assert [r["number"] for r in proof["rolls"]] == [1, 2]
    assert [r["salts"] for r in proof["rolls"]] == [["1000", "1001"]] * 2
    assert all(wrong == "" for _, wrong in verify.check(proof))


async def test_history_tells_who_did_what(house: House) -> None:
    table = await house.duel()
    await house.act(table, "move", to="B2")
    await house.undo(table)
    await house.act(table, "done")
    await house.act(table, "done", user=KIM)
    rows = await house.sessions.history(table.id)
    assert [(r.number, r.kind, r.name, r.seat, r.undone) for r in rows] == [
        (1, "lobby", "Robin", "", False),
        (2, "join", "Kim", "BLUE", False),
        (3, "begin", "Robin", "", False),
        (4, "act", "Robin", "RED", True),
        (5, "undo", "Robin", "RED", False),
        (6, "act", "Robin", "RED", False),
        (7, "act", "Kim", "BLUE", False),
    ]
    assert rows[3].action == {"verb": "move", "to": "B2"}
    assert [r.number for r in await house.sessions.history(table.id, after=5)] == [6, 7]
    assert [r.number for r in await house.sessions.history(table.id, after=2, limit=1)] == [3]


async def test_seats(house: House) -> None:
    table = await house.duel()
    assert [(h.seat, h.user_id, h.name) for h in table.seats] == [
        ("RED", ROBIN, "Robin"),
        ("BLUE", KIM, "Kim"),
    ]
    with pytest.raises(AgainstTheRules, match="not your turn"):
        await house.act(table, "done", user=KIM)
    acted = await house.act(table, "done")
    assert acted.handover and acted.table.waits_for() == (KIM,)
    with pytest.raises(NotYourSeat):
        await house.sessions.join(table.id, SAM, "Sam", interaction_id=1)


async def test_who_holds_both_seats_acts_for_the_right_one(house: House, database: Path) -> None:
    table = await house.open("duel")
    await house.sessions.join(table.id, ROBIN, "Robin", interaction_id=1, seat="BLUE")
    await house.start(table)
    await house.act(table, "done")
    acted = await house.act(table, "move", to="E5")
    assert acted.table.state.pos["BLUE"] == "E5"


async def test_a_locked_database_changes_nothing(house: House, database: Path) -> None:
    table = await house.open()
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        await refused(house, database, StoreBusy, house.act(table, "move", to="B2", interaction=5))
        await refused(house, database, StoreBusy, house.open(channel=71))
        other.execute("ROLLBACK")
    acted = await house.act(table, "move", to="B2", version=1, interaction=5)
    assert acted.table.version == 2


async def test_a_full_disk_changes_nothing(house: House, store: Store, database: Path) -> None:
    table = await house.open()
    engine = store.engine.sync_engine

    def full(connection: sa.Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    event.listen(engine, "begin", full)
    done = 0
    with pytest.raises(StoreFull):
        for _ in range(200):
            await house.act(table, "move", to="B2")
            await house.undo(table)
            done += 1
    event.remove(engine, "begin", full)

    def room(connection: sa.Connection) -> None:
        connection.exec_driver_sql("PRAGMA max_page_count = 1000000")

    event.listen(engine, "begin", room)
    table = await house.sessions.get(table.id)
    assert table.version in (1 + 2 * done, 2 + 2 * done)
    assert len(snapshot(database)["log"]) == table.version
    assert len(snapshot(database)["outbox"]) == table.version
    assert (await house.act(table, "done")).table.version == table.version + 1
    assert await house.sessions.audit(table.id) == ""


async def test_a_failed_save_uses_no_key(house: House, database: Path) -> None:
    """A save that fails is no second chance: the action is decided by the same key again."""
    table = await house.open()
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            await house.act(table, "draw")
        other.execute("ROLLBACK")
    first = await house.act(table, "draw")
    assert first.turnout is not None and first.table.keys_used == 1
    proof = await house.sessions.proof(table.id)
    assert [wrong for _, wrong in verify.check(proof)] == [""]


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"rubbish",
        pack(b"{}"),
        pack(b'{"solo": "yes"}'),
    ],
)
async def test_a_corrupt_state_is_paused_and_kept(
    house: House, database: Path, damage: bytes
) -> None:
    table = await house.open()
    other = await house.open(channel=71)
    (good,) = sql(database, "SELECT state FROM sessions WHERE id = ?", table.id)[0]
    sql(database, "UPDATE sessions SET state = ? WHERE id = ?", damage, table.id)
    for call in (
        house.act(table, "done"),
        house.undo(table),
        house.sessions.get(table.id),
        house.sessions.in_channel(70),
    ):
        with pytest.raises(Unreadable) as caught:
            await call
        assert caught.value.session_id == table.id and "paused" in caught.value.sentence
    status, trouble = sql(database, "SELECT status, trouble FROM sessions WHERE channel_id = 70")[0]
    assert status == "paused" and trouble.startswith("state: ")
    assert sql(database, "SELECT state FROM sessions WHERE id = ?", table.id) == [(damage,)]
    assert len(await house.sessions.history(table.id)) == 1  # still told, still exported
    with pytest.raises(ChannelTaken):
        await house.open()
    assert (await house.act(other, "done")).table.version == 2  # the others go on

    sql(database, "UPDATE sessions SET state = ? WHERE id = ?", good, table.id)
    assert (await house.sessions.get(table.id)).status == "running"
    assert (await house.act(table, "done")).table.version == 2
    assert sql(database, "SELECT status, trouble FROM sessions WHERE channel_id = 70") == [
        ("running", None)
    ]


async def test_an_unreadable_session_can_be_ended(house: House, database: Path) -> None:
    table = await house.open()
    sql(database, "UPDATE sessions SET state = x'00'")
    with pytest.raises(Unreadable):
        await house.sessions.get(table.id)
    with pytest.raises(NotAllowed):
        await house.end(table, KIM)
    ended = await house.end(table)
    assert ended.table.over and ended.table.state is None
    with pytest.raises(Unreadable):
        ended.table.view(None)
    assert sql(database, "SELECT state FROM sessions") == [(b"\0",)]  # kept for whoever mends it
    assert await house.open() is not None


class Newer(toygame.ToyGame):
    rules_version = 2


async def test_newer_rules_pause_and_come_back(store: Store, database: Path) -> None:
    newer = House(store, Registry({"toy": Newer}, shipped=False))
    older = House(store, Registry({"toy": toygame.load}, shipped=False))
    table = await newer.open()
    with pytest.raises(Unreadable) as caught:
        await older.act(table, "done")
    assert "version 2 of the rules" in caught.value.why
    assert sql(database, "SELECT status FROM sessions") == [("paused",)]
    acted = await newer.act(table, "done")
    assert acted.table.status == "running"


async def test_content_is_pinned(store: Store, database: Path) -> None:
    def changed(tables: Mapping[str, Any] | None) -> toygame.ToyGame:
        return toygame.ToyGame(tables or {"walk": 1})

    before = House(store)
    table = await before.open()
    after = House(store, Registry({"toy": changed}, shipped=False))
    after.interactions = before.interactions
    assert (await after.act(table, "move", to="D1")).table.state.left == 1  # 4 points, as it began
    sql(database, "DELETE FROM contents")
    lost = House(store, Registry({"toy": changed}, shipped=False))
    with pytest.raises(Unreadable, match="paused"):
        await lost.sessions.get(table.id)


async def test_an_unknown_game_is_paused(house: House, store: Store) -> None:
    table = await house.open()
    bare = House(store, Registry(shipped=False))
    with pytest.raises(Unreadable):
        await bare.sessions.get(table.id)
    with pytest.raises(GameUnavailable):
        bare.registry.newest("toy")


async def test_a_caller_who_gives_up_loses_no_post(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.open()
    house.woken.clear()
    started, go = asyncio.Event(), asyncio.Event()
    real = core.save

    async def slow(*arguments: Any) -> None:
        started.set()
        await go.wait()
        await real(*arguments)

    monkeypatch.setattr(core, "save", slow)
    acting = asyncio.create_task(house.act(table, "move", to="B2"))
    await started.wait()
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    go.set()
    await asyncio.gather(*house.sessions._saving)
    assert house.woken == [table.id]
    assert (await house.sessions.get(table.id)).version == 2


async def test_audit_sees_what_was_changed_by_hand(house: House, database: Path) -> None:
    acted = await play_out(house)
    session_id = acted.table.id
    assert await house.sessions.audit(session_id) == ""
    sql(database, "UPDATE log SET user_id = 1 WHERE number = 2")
    assert "row 2" in await house.sessions.audit(session_id)


def test_a_registry_knows_its_games(tmp_path: Path) -> None:
    registry = Registry({"toy": toygame.load})
    assert registry.slugs() == (*GAMES, "toy")
    newest = registry.newest("toy")
    assert registry.newest("toy") is newest
    assert registry.known("toy", newest.content_hash) is newest
    assert registry.known("toy", "other") is None
    older = registry.pinned("toy", {"walk": 2})
    assert registry.known("toy", older.content_hash) is older
    with pytest.raises(GameUnavailable, match="no game “go”"):
        registry.newest("go")

"""Games as files: written, taken in, played on, written again; and what is no such file."""

from __future__ import annotations

import asyncio
import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.__main__ import main
from bot.refusals import ChannelTaken, NotAllowed, Refused, TooManyWaiting
from bot.sessions import Table
from bot.sessions import savefile as sf
from bot.sessions.carrying import Arrival
from bot.store import Store
from games.kernel import verify
from games.kernel.entropy import seeded
from games.kernel.random_player import random_action
from games.registry import GAMES, Registry
from tests import toygame
from tests.bot.house import KIM, ROBIN, SAM, House, address, snapshot, sql

MODERATOR = 900


async def take_in(house: House, raw: bytes, channel: int = 80, user: int = SAM) -> Table:
    to = Arrival(9, channel, user, "Sam", next(house.interactions))
    return await house.sessions.take_in(raw, to)


async def exported(house: House, table: Table) -> bytes:
    return await house.sessions.save_file(table.id, MODERATOR, moderator=True)


async def duel(house: House, channel: int = 70) -> Table:
    """A game of two with rows of most kinds."""
    table = await house.duel(channel)
    await house.sessions.salt(
        table.id, KIM, "Kim", "a|b,c", interaction_id=next(house.interactions)
    )
    await house.act(table, "draw")
    await house.act(table, "move", to="B2")
    await house.undo(table)
    await house.act(table, "move", to="C3")
    await house.act(table, "done")
    await house.act(table, "draw", KIM)
    return await house.sessions.get(table.id)


async def test_export_import_play_on_and_export_again(house: House, tmp_path: Path) -> None:
    table = await duel(house)
    raw = await exported(house, table)
    here = await take_in(house, raw)
    assert (here.version, here.status, here.host_id) == (table.version + 1, "running", SAM)
    assert here.state == table.state and here.setup == table.setup
    assert all(not holder.users for holder in here.seats)
    assert here.commitment != table.commitment and here.keys_used == 0
    told = [entry.events for entry in await house.sessions.history(here.id)]
    before = [entry.events for entry in await house.sessions.history(table.id)]
    assert told[: len(before)] == before
    assert [event.text for event in told[-1]] == [
        "Sam goes on here with a game that was saved elsewhere.",
        "Red captain was played by Robin.",
        "Blue captain was played by Kim.",
    ]
    assert await house.sessions.audit(here.id) == ""
    for user, name, seat in ((ROBIN, "Robin", "RED"), (KIM, "Kim", "BLUE")):
        await house.sessions.join(
            here.id, user, name, seat=seat, interaction_id=next(house.interactions)
        )
    await house.act(here, "done", KIM)
    await house.act(here, "draw")
    assert await house.sessions.audit(here.id) == ""
    again = await exported(house, here)
    third = await take_in(house, again, channel=81)
    assert await house.sessions.audit(third.id) == ""
    assert third.state == (await house.sessions.get(here.id)).state
    for number, file in enumerate((raw, again)):
        path = tmp_path / f"{number}.json"
        path.write_bytes(file)
        assert verify.main([str(path)]) == 0
    assert await house.sessions.audit(table.id) == ""


async def test_a_solo_game_belongs_to_whoever_brings_it(house: House) -> None:
    table = await house.open()
    await house.act(table, "move", to="C3")
    raw = await house.sessions.save_file(table.id, ROBIN, moderator=False)
    here = await take_in(house, raw, user=KIM)
    assert here.seats[0].user_ids == (KIM,)
    assert [one.session_id for one in await house.sessions.mine(KIM)] == [here.id]
    acted = await house.act(here, "draw", KIM)
    assert acted.table.keys_used == 1
    with pytest.raises(Refused, match="Only 1 action can be taken back"):
        await house.sessions.undo(
            here.id, KIM, steps=2, expected_version=None, interaction_id=next(house.interactions)
        )


async def test_a_file_has_nothing_of_the_keys_to_come(house: House, database: Path) -> None:
    table = await duel(house)
    raw = await exported(house, table)
    ((secret,),) = sql(database, "SELECT secret FROM sessions")
    assert bytes(secret).hex().encode() not in raw
    keys = [row["content"]["key"] for row in json.loads(raw)["rows"]]
    chain = house.sessions._chains.chain(table.id, bytes(secret))
    assert chain.key(table.keys_used).hex() in keys
    assert chain.key(table.keys_used + 1).hex() not in keys


async def test_who_may_have_the_file(house: House) -> None:
    table = await duel(house)
    for user, moderator in ((ROBIN, False), (ROBIN, True), (KIM, False), (SAM, False)):
        with pytest.raises(NotAllowed):
            await house.sessions.save_file(table.id, user, moderator=moderator)
    await house.sessions.leave(table.id, KIM, interaction_id=next(house.interactions))
    with pytest.raises(NotAllowed, match="only a moderator who has no seat"):
        await house.sessions.save_file(table.id, KIM, moderator=True)  # he could come back
    await house.sessions.save_file(table.id, SAM, moderator=True)
    await house.end(table)
    await house.sessions.save_file(table.id, KIM, moderator=False)
    with pytest.raises(NotAllowed, match="Only those who play"):
        await house.sessions.save_file(table.id, SAM, moderator=False)


async def test_what_is_over_or_not_begun_cannot_go_on(house: House) -> None:
    lobby = await house.open("duel")
    with pytest.raises(Refused, match="had not begun"):
        await take_in(house, await exported(house, lobby))
    await house.end(lobby)
    with pytest.raises(Refused, match="is over"):
        await take_in(house, await exported(house, lobby))


async def test_an_imported_game_counts_in_no_record(house: House, database: Path) -> None:
    table = await house.open()
    here = await take_in(house, await exported(house, table), user=ROBIN)
    for one in (table, here):
        while not (await house.sessions.get(one.id)).over:
            await house.act(one, "done")
    counted = {row[0] for row in sql(database, "SELECT session_id FROM records")}
    assert here.id not in counted


async def test_an_unreadable_game_can_be_exported(house: House, database: Path) -> None:
    table = await house.open()
    sql(database, "UPDATE sessions SET state = x'00', status = 'paused' WHERE id = ?", table.id)
    raw = await house.sessions.save_file(table.id, ROBIN, moderator=False)
    assert json.loads(raw)["state"] is None and json.loads(raw)["rows"]
    with pytest.raises(Refused, match="could not be read"):
        await take_in(house, raw)


async def test_a_taken_channel_and_the_limit(house: House, database: Path) -> None:
    table = await house.open()
    raw = await exported(house, table)
    before = snapshot(database)
    with pytest.raises(ChannelTaken):
        await take_in(house, raw, channel=70)
    house.sessions._most_waiting = 1
    with pytest.raises(TooManyWaiting):
        await take_in(house, raw, user=ROBIN)
    assert snapshot(database) == before


async def test_two_imports_at_once_make_one_table(house: House, database: Path) -> None:
    table = await house.open()
    raw = await exported(house, table)
    done = await asyncio.gather(*(take_in(house, raw) for _ in range(3)), return_exceptions=True)
    assert sum(isinstance(one, Table) for one in done) == 1
    assert sum(isinstance(one, ChannelTaken) for one in done) == 2
    assert sql(database, "SELECT count(*) FROM sessions") == [(2,)]


async def test_another_content_comes_along(house: House, tmp_path: Path) -> None:
    registry = Registry({"toy": lambda tables: toygame.ToyGame(tables or {"goal": 9})})
    store = await Store.open(address(tmp_path / "other.db"))
    other = House(store, registry)
    table = await house.open()
    here = await take_in(other, await exported(house, table))
    assert here.game.content_hash == table.game.content_hash
    assert (await other.sessions.get(here.id)).state == table.state
    assert await other.sessions.audit(here.id) == ""
    await store.close()


async def test_the_command_of_whoever_runs_the_bot(
    house: House, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setenv("DATABASE_URL", address(database))
    table = await house.duel()
    path = tmp_path / "save.json"
    command = ["export", table.id, str(path)]
    assert await asyncio.to_thread(main, command) == 0
    assert json.loads(path.read_bytes())["session"] == table.id
    assert await asyncio.to_thread(main, command) == 1
    assert "exists already" in capsys.readouterr().err
    assert await asyncio.to_thread(main, ["export", "nobodyxx", str(tmp_path / "x")]) == 1
    assert "no game “nobodyxx”" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


# --- files that are none


async def refused(house: House, database: Path, save: Any, why: str) -> None:
    raw = save if isinstance(save, bytes) else json.dumps(save).encode()
    before = snapshot(database)
    with pytest.raises(Refused, match=why) as caught:
        await take_in(house, raw)
    assert type(caught.value) is Refused and len(caught.value.sentence) < 500
    assert snapshot(database) == before


async def test_every_kind_of_row_is_sealed(house: House, database: Path) -> None:
    save = json.loads(await exported(house, await duel(house)))
    kinds: set[str] = set()
    for place, row in enumerate(save["rows"]):
        kinds.add(row["content"]["kind"])
        for name in ("events", "action", "time", "user_id"):
            wrong = deepcopy(save)
            value = wrong["rows"][place]["content"][name]
            wrong["rows"][place]["content"][name] = (
                value + 1 if isinstance(value, int) else value + " "
            )
            await refused(house, database, wrong, f"changed after it was saved: row {place + 1} ")
    assert kinds == {"lobby", "join", "begin", "salt", "act", "undo"}


async def test_a_forger_must_play_the_game(house: House, database: Path) -> None:
    """Whoever makes all links anew still cannot write results that the keys do not give."""
    save = json.loads(await exported(house, await duel(house)))

    def forged(change: Any) -> Any:
        wrong = deepcopy(save)
        change(wrong)
        link = "0" * 64
        for row in wrong["rows"]:
            link = row["chain"] = verify.link_of(wrong["session"], link, row["content"])
        wrong["chain"] = link
        return wrong

    def action(wrong: Any) -> None:
        row = next(r for r in wrong["rows"] if '"to":"C3"' in r["content"]["action"])
        row["content"]["action"] = row["content"]["action"].replace("C3", "B3")

    def rolled(wrong: Any) -> None:
        row = next(r for r in wrong["rows"] if '"draw"' in r["content"]["action"])
        results = json.loads(row["content"]["results"])
        results[0]["index"] = (results[0]["index"] + 1) % results[0]["size"]
        row["content"]["results"] = json.dumps(results)
        roll = next(r for r in wrong["rolls"] if r["row"] == row["number"])
        roll["results"] = results

    def state(wrong: Any) -> None:
        wrong["state"] = wrong["state"].replace('"round":1', '"round":2')

    for change, why in (
        (action, r"row \d+ "),
        (rolled, "is not what the key gives"),
        (state, "its state is not"),
    ):
        await refused(house, database, forged(change), why)
    assert await take_in(house, json.dumps(forged(lambda wrong: None)).encode())


async def test_shapes_that_are_refused(house: House, database: Path) -> None:
    raw = await exported(house, await house.open())
    save = json.loads(raw)
    for wrong, why in (
        (b"", "damaged or cut off"),
        (raw[: len(raw) // 2], "damaged or cut off"),
        (raw[:-3], "damaged or cut off"),
        (b"\xff\xfe" + raw, "damaged or cut off"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "no saved game"),
        (b"{}", "no saved game"),
        (b" " * (sf.MOST_BYTES + 1), "larger than 4 MiB"),
        (save | {"format": 2, "anything": []}, "newer version of Fieldpost"),
        (save | {"format": 0}, "no saved game"),
        (save | {"format": "1"}, "no saved game"),
        (save | {"game": "chess"}, "has no game “chess”"),
        (save | {"rules_version": 99}, "version 99 of the rules"),
        (save | {"rules_version": 10**30}, "no saved game"),
        (save | {"content_hash": "0" * 64}, "its content is not the one"),
        (save | {"seats": save["seats"] * 60}, "no saved game"),
        (save | {"seats": save["seats"] * 2}, "its seats are not"),
        (save | {"rows": save["rows"] * 6_000}, "no saved game"),
        (save | {"rows": save["rows"][1:]}, "no saved game|changed after"),
        (save | {"rows": []}, "no saved game"),
        (save | {"rolls": [{"row": 1}]}, "proof cannot be read"),
        (save | {"tip": 7}, "its state is not the one"),
        (save | {"chain": "0" * 64}, "the log ends with another row"),
        (save | {"setup": {"mission": "arena", "mode": "trio"}}, "changed|cannot be read"),
        (save | {"session": "../../x"}, "no saved game"),
        (save | {"state": "[" * 1_000}, "nested too deeply"),
    ):
        await refused(house, database, wrong, why)
    huge = deepcopy(save)
    huge["rolls"] = [
        {"row": 1, "number": 1, "key": "0" * 64, "salts": [],
         "results": [{"label": "x", "size": 2**70, "index": 0, "meaning": ""}]}
    ]  # fmt: skip
    await refused(house, database, huge, "proof cannot be read|changed after")


async def test_dice_without_proof_are_refused(house: House, database: Path) -> None:
    """The chain of the log can be forged by anybody; the sealed keys cannot."""
    save = json.loads(await exported(house, await duel(house)))
    assert save["rolls"]
    why = "has no proof of its dice"
    await refused(house, database, {**save, "rolls": []}, why)
    await refused(house, database, {**save, "rolls": save["rolls"][:-1]}, why)


async def test_the_terms_of_a_table_travel(house: House, database: Path) -> None:
    table = await duel(house)
    await house.sessions.set_terms(
        table.id,
        ROBIN,
        pace="slow",
        overtime="free",
        posts="quiet",
        moderator=False,
        interaction_id=next(house.interactions),
    )
    save = json.loads(await exported(house, table))
    assert save["terms"] == {"pace": "slow", "overtime": "free", "posts": "quiet"}
    await house.end(table)
    brought = await take_in(house, json.dumps(save).encode())
    now = await house.sessions.get(brought.id)
    assert (now.pace.name, now.overtime, now.posts) == ("slow", "free", "quiet")
    assert await house.sessions.audit(now.id) == ""
    await house.end(now, SAM)
    for odd in ({}, {"pace": "warp", "overtime": "x", "posts": ""}):
        brought = await take_in(house, json.dumps({**save, "terms": odd}).encode())
        now = await house.sessions.get(brought.id)
        assert (now.pace.name, now.overtime, now.posts) == ("none", "wait", "usual")
        await house.end(now, SAM)


SCRAP = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just([]) | st.just({})


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
async def test_no_change_anywhere_gets_in_or_breaks_anything(house: House, data: Any) -> None:
    if not hasattr(house, "sample"):
        house.sample = json.loads(await exported(house, await duel(house)))  # pyright: ignore
    save = deepcopy(house.sample)  # pyright: ignore[reportAttributeAccessIssue]
    where: Any = save
    key: Any = data.draw(st.sampled_from(sorted(set(save) - {"note", "trouble", "tables", "game"})))
    while isinstance(where[key], dict | list) and where[key] and data.draw(st.booleans()):
        where = where[key]
        keys = sorted(where) if isinstance(where, dict) else range(len(where))
        key = data.draw(st.sampled_from(list(keys)))
    new = data.draw(SCRAP)
    same = json.dumps(where[key]) == json.dumps(new)
    alike = where[key] == new  # the verifier takes a “true” for 1, which changes nothing
    where[key] = new
    try:
        await asyncio.to_thread(house.sessions._checked, json.dumps(save).encode())
    except Refused:
        assert not same
    else:
        # What is only a reminder may be anything of its kind.
        assert (
            alike
            or key
            in (
                "terms",
                "pace",
                "overtime",
                "posts",
                "names",
                "title",
                "options",
                "roster",
                "campaign",
                "map",
                "empty",
            )
            or (
                key in range(1_000)
                and isinstance(new, str)
                and where in [s["names"] for s in save["seats"]]
            )
        )


def test_depth_counts_no_brackets_in_texts() -> None:
    assert not sf.deep(json.dumps({"a": "[" * 1_000}).encode())
    assert not sf.deep(json.dumps({'"\\': '\\"[[['}).encode() * 2)
    assert sf.deep(b"[" * (sf.MOST_DEPTH + 1)) and not sf.deep(b"[" * sf.MOST_DEPTH)


@pytest.mark.parametrize("slug", GAMES)
async def test_every_game_travels(store: Store, tmp_path: Path, slug: str) -> None:
    """A few actions at random, a file, some more from the file, the file of that."""
    house = House(store, Registry())
    chance = seeded(f"travels {slug}")
    table = await house.sessions.open(
        game=slug, chosen={}, guild_id=9, channel_id=70, user_id=ROBIN, user_name="Robin",
        interaction_id=next(house.interactions),
    )  # fmt: skip
    for channel in (71, 72):
        for _ in range(2):
            seat = table.due()[0]
            action = random_action(table.game, table.state, seat, chance, {"concede": 0})
            acted = await house.sessions.act(
                table.id, ROBIN, action, expected_version=None, seat=seat,
                interaction_id=next(house.interactions),
            )  # fmt: skip
            table = acted.table
        raw = await house.sessions.save_file(table.id, ROBIN, moderator=False)
        assert len(raw) < sf.MOST_BYTES // 4
        path = tmp_path / f"{channel}.json"
        path.write_bytes(raw)
        assert verify.main([str(path)]) == 0
        table = await take_in(house, raw, channel, ROBIN)
        assert await house.sessions.audit(table.id) == ""

"""What is kept about people: no column is forgotten, all of it is told, nothing that is not theirs."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import BigInteger, LargeBinary, String, insert, select

from bot.__main__ import main
from bot.people import SECTIONS, Deleted, People
from bot.privacy import MOST_SENT, NAME, as_file, at_tables, done, question, shown
from bot.sessions import Table
from bot.sessions.substitutes import Person
from bot.store import Store
from bot.store import schema as db
from bot.store.people import NOBODYS, PERSONAL, SESSION_TABLES, Holds, about, metadata
from bot.texts import GONE, GONE_NAME
from tests.bot import limits
from tests.bot.campaigners import Club, scripted
from tests.bot.house import KIM as FIRST_KIM
from tests.bot.house import ROBIN as FIRST_ROBIN
from tests.bot.house import address, sql
from tests.bot.society import KIM, NAMES, ROBIN, SAM, Society, stood_in, traces, tutorial_of
from tests.bot.test_forgetting import HIS, duel, to_the_end

TOLD_IN = {
    "users": "name_and_settings",
    "sessions": "tables_hosted",
    "seats": "program_acts",
    "seat_users": "seats",
    "waits": "muted",
    "log": "actions",
    "proposals": "takebacks_asked",
    "visits": "looked",
    "votes": "votes_and_offers",
    "tutorials": "tutorials",
    "outbox": "posts",
    "records": "records",
    "campaigns": "campaigns",
    "campaign_members": "campaigns",
    "rolls": "rolls",
    "decks": "decks",
    "deck_hands": "decks",
    "deck_log": "decks",
}
"""In which part of the file the rows of a table are."""


@pytest.fixture
def society(store: Store) -> Society:
    return Society(store, 1)


def columns() -> Iterator[tuple[str, str]]:
    """Every column that could hold an id, a name or words, of every table that there is."""
    for table in metadata.sorted_tables:
        for column in table.columns:
            if isinstance(column.type, BigInteger | String | LargeBinary) or (
                table.name in ("rolls", "outbox") and column.name == "id"
            ):
                yield table.name, column.name


def test_every_column_is_known_to_be_about_people_or_not() -> None:
    unknown = [
        f"{table}.{column}"
        for table, column in columns()
        if column not in PERSONAL.get(table, {})
        and f"{table}.{column}" not in NOBODYS
        and f"*.{column}" not in NOBODYS
    ]
    assert unknown == [], "say in bot/store/people.py what these hold of people, or why nothing"


def test_the_lists_name_only_what_there_is() -> None:
    there = set(columns())
    names = {column for _, column in there}
    for table, held in PERSONAL.items():
        assert {(table, column) for column in held} <= there
    for listed in NOBODYS:
        table, _, column = listed.partition(".")
        assert column in names if table == "*" else (table, column) in there, listed
    for table, column in there:
        both = column in PERSONAL.get(table, {}) and f"{table}.{column}" in NOBODYS
        assert not both, f"{table}.{column} is in both lists"


def test_a_column_that_is_named_like_a_person_is_in_the_list() -> None:
    """A net below the net: names that always mean people may not be excused."""
    for table, column in columns():
        if column in ("user_id", "host_id", "target_id", "stand_in"):
            assert PERSONAL[table][column] is Holds.USER
        assert "user" not in column or column in PERSONAL[table]


def test_rows_of_sessions_are_looked_through() -> None:
    mine = {table.name for table in SESSION_TABLES}
    for table in metadata.sorted_tables:
        if table.name in PERSONAL and any(
            key.column.table is db.sessions for key in table.foreign_keys
        ):
            assert table.name in mine


def test_every_kind_of_row_is_told_somewhere() -> None:
    assert set(TOLD_IN) == set(PERSONAL)
    assert set(TOLD_IN.values()) | {"told_by_others"} == set(SECTIONS)


async def campaign_of(society: Society, name: str, *people: int) -> None:
    """A campaign of those people, the first of them its host."""
    row = {"game": "toy", "kind": "tour", "mode": "solo1", "played": 1, "created": 1, "updated": 1}
    async with society.store.write() as connection:
        await connection.execute(
            insert(db.campaigns).values(
                id=name, host_id=people[0], status=db.RUNNING, progress='{"points":3}', **row
            )
        )
        for place, user in enumerate(people):
            await connection.execute(
                insert(db.campaign_members).values(
                    campaign_id=name,
                    user_id=user,
                    place=place,
                    seat="RED",
                    game="toy",
                    kind=f"tour {name}",
                    running=True,
                )
            )


async def full(society: Society) -> Table:
    """Everything there can be about Robin, at least once; gives his game under way."""
    ended = await duel(society)
    await to_the_end(society, ended.id)
    table = await duel(society)
    await society.sessions.caught_up(table.id, ROBIN, 1)
    await society.sessions.mute(table.id, ROBIN)
    await society.someone_chooses(ROBIN)
    await society.someone_rolls(ROBIN)
    for _ in range(6):
        await society.someone_deals(ROBIN)
    await society.act(table, "move", ROBIN, seat="RED", to="B2")
    await society.sessions.offer_seat(
        table.id,
        Person(ROBIN, "Nightjar"),
        "RED",
        Person(SAM, "Sam"),
        moderator=False,
        interaction_id=society.fresh(),
    )
    await society.sessions.mute(table.id, ROBIN)
    other = await duel(society, KIM, SAM)
    await stood_in(society, other, ROBIN)
    await society.sessions.offer_seat(
        other.id,
        Person(SAM, "Sam"),
        "BLUE",
        Person(ROBIN, "Nightjar"),
        moderator=False,
        interaction_id=society.fresh(),
    )
    third = await duel(society)
    await society.act(third, "draw", ROBIN, seat="RED")
    await society.act(third, "done", ROBIN, seat="RED")
    await society.sessions.propose(
        third.id, ROBIN, 2, expected_version=None, interaction_id=society.fresh()
    )
    await tutorial_of(society, third, ROBIN)
    async with society.store.write() as connection:
        for user in (ROBIN, KIM):
            await connection.execute(
                insert(db.records).values(
                    session_id=ended.id,
                    seat="RED",
                    user_id=user,
                    game="toy",
                    mission="arena",
                    mode="duel",
                    side="",
                    won=True,
                    level="",
                    cause="end",
                    figures="{}",
                    most=1,
                    par=1,
                    counted=True,
                    time=5,
                )
            )
    await campaign_of(society, "alone", ROBIN)
    await campaign_of(society, "together", ROBIN, KIM, SAM)
    return table


async def test_all_of_it_is_told(society: Society) -> None:
    await full(society)
    found = await society.people.about(ROBIN)
    json.loads(json.dumps(found))
    async with society.store.read() as connection:
        for table in metadata.sorted_tables:
            if table.name not in PERSONAL:
                continue
            mine = (await connection.execute(select(table).where(about(table, ROBIN)))).all()
            assert mine, f"this test knows nothing of {table.name}"
            if table.name in ("campaigns", "campaign_members"):
                assert len(found["campaigns"]) == len(mine)
            elif table.name not in ("decks", "deck_hands", "deck_log", "log"):
                assert len(found[TOLD_IN[table.name]]) == len(mine), table.name
            elif table.name == "log":
                assert len(found["actions"]) + len(found["told_by_others"]) == len(mine)
        cards = {row["what"] for row in found["decks"]}
        assert cards == {"deck made", "hand", "deck used"}
    assert set(await society.people.counts(ROBIN)) == set(SECTIONS)
    (me,) = found["name_and_settings"]
    assert me["name"] in NAMES[ROBIN] and me["settings"] == {"quiet": None, "next_up": True}
    told = [line for row in found["told_by_others"] for line in row["told"]]
    assert any("asks Nightjar to take" in line for line in told)
    offers = [row for row in found["votes_and_offers"] if row["about_you"]]
    assert len(offers) == 1 and offers[0]["kind"] == "offer"


async def test_nothing_is_told_that_is_hidden_from_him_or_somebody_elses(society: Society) -> None:
    table = await full(society)
    await society.act(table, "done", ROBIN, seat="RED")
    await society.act(table, "draw", KIM, seat="BLUE")
    raw = json.dumps(await society.people.about(ROBIN))
    async with society.store.read() as connection:
        secrets = (await connection.execute(select(db.sessions.c.secret))).scalars().all()
        keys = await connection.execute(select(db.log.c.key).where(db.log.c.key.is_not(None)))
        for key in keys.scalars():
            assert key not in raw
    for secret in secrets:
        assert secret.hex() not in raw
    told = [
        event
        for row in await society.sessions.history(table.id)
        for event in row.events
        if event.to is not None
    ]
    own = Counter(event.text for event in told if event.to == ("RED",))
    hidden = [event.text for event in told if event.to == ("BLUE",)]
    assert hidden
    for text in hidden:
        assert raw.count(json.dumps(text)) == own[text]
    assert NAMES[KIM][0] not in json.dumps((await society.people.about(ROBIN))["records"])
    stranger = await society.people.about(999)
    assert all(not stranger[name] for name in SECTIONS)


async def test_others_lose_nothing_when_he_is_forgotten(society: Society, database: Path) -> None:
    await full(society)
    before = {user: await society.people.about(user) for user in (KIM, SAM)}
    gone = await society.people.forget(ROBIN)
    assert gone.anything and traces(database, *HIS) == []
    for user, was in before.items():
        now = await society.people.about(user)
        for name in ("name_and_settings", "seats", "looked", "records", "rolls", "program_acts"):
            here = json.loads(json.dumps(was[name]))
            assert now[name] == here, name
        mine = [row["number"] for row in was["actions"]]
        assert [row["number"] for row in now["actions"]] == mine
    rows = sql(database, "SELECT id, host_id FROM campaigns")
    assert rows == [("together", KIM)]
    hosts = sql(database, "SELECT user_id FROM campaign_members ORDER BY place")
    assert hosts == [(KIM,), (SAM,)]
    open_votes = sql(database, "SELECT user_id, target_id, closed FROM votes")
    assert {(user, target, bool(closed)) for user, target, closed in open_votes} == {
        (GONE, SAM, True),
        (SAM, GONE, True),
    }
    proposals = sql(database, "SELECT user_id, closed FROM proposals")
    assert all(user == GONE and closed for user, closed in proposals)
    assert sql(database, "SELECT muted FROM waits WHERE muted <> '[]'") == []


async def test_whoever_comes_back_is_a_newcomer(society: Society) -> None:
    table = await full(society)
    await society.people.forget(ROBIN)
    assert await society.people.counts(ROBIN) == {}
    await society.sessions.join(
        table.id, ROBIN, "Robin the Second", interaction_id=society.fresh(), seat="RED"
    )
    await society.play(await society.sessions.get(table.id))
    counts = await society.people.counts(ROBIN)
    assert counts["seats"] == 1 and counts["name_and_settings"] == 1
    assert "records" not in counts
    names = {row.name for row in await society.sessions.history(table.id)}
    assert {GONE_NAME, "Robin the Second"} <= names


async def test_rolls_alone_are_something(society: Society) -> None:
    await society.someone_rolls(ROBIN)
    await society.someone_deals(KIM)
    for user in (ROBIN, KIM):
        assert (await society.people.forget(user)) == Deleted(0, 0, True)
        assert (await society.people.forget(user)) == Deleted(0, 0, False)


async def test_a_campaign_goes_on_for_the_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = Club(store, scripted(monkeypatch))
    standing = await club.begin("coop")
    table = await club.next(standing)
    table = await club.seat(table, FIRST_KIM, table.vacant()[0].seat)
    await club.start(table)
    await club.finish(await club.sessions.get(table.id))
    people = People(store, club.sessions, clock=club.clock)
    await people.forget(FIRST_ROBIN)
    after = await club.campaigns.get(standing.id)
    assert after.host_id == FIRST_KIM and not after.has(FIRST_ROBIN)
    assert after.running and after.played == 1
    following = await club.next(after, FIRST_KIM)
    assert following.setup.campaign == standing.id and FIRST_KIM in following.people()
    assert (await club.campaigns.of_user(FIRST_ROBIN)) == []


def test_the_command_line_tells_and_forgets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = tmp_path / "games.db"

    async def fill() -> None:
        store = await Store.open(address(database))
        society = Society(store, 1)
        await duel(society)
        await society.someone_rolls(ROBIN)
        sql(database, "UPDATE sessions SET game = 'boots'")  # this bot does not know the toy
        await store.close()

    asyncio.run(fill())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", address(database))
    assert main(["about", str(ROBIN), "about.json"]) == 0
    told = json.loads((tmp_path / "about.json").read_text(encoding="utf-8"))
    assert len(told["rolls"]) == 1 and len(told["seats"]) == 1
    assert main(["about", str(ROBIN), "about.json"]) == 1
    assert "exists already" in capsys.readouterr().err
    assert main(["forget", str(ROBIN)]) == 0
    shown = capsys.readouterr().out
    assert shown == (
        f"Everything about user {ROBIN} is deleted. Taken out of one table of others.\n"
    )
    assert traces(database, *HIS) == []
    assert main(["forget", str(ROBIN)]) == 0
    assert capsys.readouterr().out == f"Nothing is kept about user {ROBIN}.\n"
    for wrong in ("bob", "0", "5", "1796058198", "-4", str(2**63)):
        with pytest.raises(SystemExit):
            main(["forget", wrong])


def test_a_large_file_is_compressed() -> None:
    name, raw = as_file({"rolls": []})
    assert name == NAME and json.loads(raw) == {"rolls": []}
    name, raw = as_file({"rolls": ["x" * MOST_SENT]})
    assert name.endswith(".json.gz") and len(raw) < MOST_SENT
    assert json.loads(gzip.decompress(raw))["rolls"][0][:2] == "xx"


@pytest.mark.parametrize(
    ("gone", "told"),
    [
        (Deleted(0, 0, True), ""),
        (Deleted(1, 0, True), "Taken out of one table of others."),
        (Deleted(2, 2, True), "2 tables deleted at which nobody else had sat."),
        (
            Deleted(1203, 1, True),
            "Taken out of 1,202 tables of others; one table deleted at which nobody else had sat.",
        ),
    ],
)
def test_what_was_done_at_tables_in_a_sentence(gone: Deleted, told: str) -> None:
    assert at_tables(gone) == told


def test_letters_keep_the_limits() -> None:
    user = 2**63 - 1
    for letter in (
        shown(user, dict.fromkeys(SECTIONS, 10**9)),
        shown(user, {}),
        question(user),
        done(Deleted(10**9, 10**8, True)),
        done(Deleted(0, 0, False)),
    ):
        limits.check_message(letter.screen.to_components())

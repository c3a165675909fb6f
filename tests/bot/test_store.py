"""The store: migrations, what is durable, who waits for whom, and the sentences of its faults."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError

from bot.refusals import StoreBusy, StoreFull, StoreUnusable
from bot.store import Store
from bot.store import schema as db
from bot.store.engine import read_url
from bot.store.migrate import newest
from bot.store.parlour import metadata
from tests.bot.house import address, sql


def difference(connection: sa.Connection) -> list[Any]:
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return compare_metadata(context, metadata)


async def test_migrations_lead_to_the_metadata(
    store: Store, database: Path, tmp_path: Path
) -> None:
    async with store.read() as connection:
        assert await connection.run_sync(difference) == []
    plain = tmp_path / "plain.db"
    engine = sa.create_engine(f"sqlite:///{plain}")
    metadata.create_all(engine)
    engine.dispose()
    assert tables(database) == tables(plain)


def tables(path: Path) -> dict[str, Any]:
    """Columns, keys and indexes as SQLite sees them."""
    names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'alembic%'"
    found: dict[str, Any] = {}
    for (name,) in sql(path, names):
        found[name] = (
            sql(path, f"PRAGMA table_info({name})"),
            sorted(sql(path, f"PRAGMA foreign_key_list({name})")),
        )
    indexes = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    found["indexes"] = sorted(sql(path, indexes))
    return found


async def test_starting_again_changes_nothing(store: Store, database: Path) -> None:
    before = tables(database)
    again = await Store.open(address(database))
    await again.close()
    assert tables(database) == before
    assert sql(database, "SELECT version_num FROM alembic_version") == [(newest(),)]


async def test_two_starts_at_once_migrate_once(database: Path) -> None:
    stores = await asyncio.gather(*(Store.open(address(database)) for _ in range(4)))
    for opened in stores:
        await opened.close()
    assert sql(database, "SELECT version_num FROM alembic_version") == [(newest(),)]


async def test_a_newer_database_is_left_alone(store: Store, database: Path) -> None:
    sql(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreUnusable, match="written by a newer version"):
        await Store.open(address(database))
    assert sql(database, "SELECT version_num FROM alembic_version") == [("9999",)]


async def test_no_database_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match=r"^The database .* cannot be opened: .*\.$"):
        await Store.open(address(tmp_path / "no" / "such" / "folder.db"))
    rubbish = tmp_path / "rubbish.db"
    rubbish.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreUnusable, match="not a database"):
        await Store.open(address(rubbish))
    assert rubbish.read_bytes().startswith(b"this is no")


async def test_commits_are_durable(store: Store) -> None:
    async with store.read() as connection:
        for pragma, wanted in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
            assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar_one() == wanted


async def test_foreign_keys_hold(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.write() as connection:
            await connection.execute(
                sa.insert(db.seats).values(session_id="nobody", seat="A", place=0, title="A")
            )


async def test_a_failed_block_leaves_nothing(store: Store, database: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        async with store.write() as connection:
            await connection.execute(sa.insert(db.meta).values(key="k", value="v"))
            raise ZeroDivisionError
    assert sql(database, "SELECT * FROM meta") == []


async def test_a_locked_database_is_busy(store: Store, database: Path) -> None:
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            await store.check()
        async with store.read() as connection:  # readers go on
            assert (await connection.execute(text("SELECT count(*) FROM log"))).scalar_one() == 0
        other.execute("ROLLBACK")
    await store.check()


async def test_a_full_or_read_only_disk_is_full(store: Store) -> None:
    engine = store.engine.sync_engine

    def full(connection: sa.Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    event.listen(engine, "begin", full)
    with pytest.raises(StoreFull):
        async with store.write() as connection:
            await connection.execute(sa.insert(db.meta).values(key="k", value="v" * 100_000))
    event.remove(engine, "begin", full)

    def read_only(connection: sa.Connection) -> None:
        connection.exec_driver_sql("PRAGMA query_only = ON")

    event.listen(engine, "begin", read_only)
    with pytest.raises(StoreFull):
        await store.check()


async def test_writers_take_turns(store: Store) -> None:
    async def count() -> None:
        async with store.write() as connection:
            found = await connection.execute(text("SELECT value FROM meta WHERE key = 'n'"))
            value = int(found.scalar_one_or_none() or 0) + 1
            await connection.execute(
                text("INSERT INTO meta VALUES ('n', :v) ON CONFLICT DO UPDATE SET value = :v"),
                {"v": str(value)},
            )

    await asyncio.gather(*(count() for _ in range(30)))
    async with store.read() as connection:
        found = await connection.execute(text("SELECT value FROM meta WHERE key = 'n'"))
        assert found.scalar_one() == "30"


async def test_memory_works_for_tests() -> None:
    store = await Store.open("sqlite+aiosqlite:///:memory:")
    await store.check()
    await store.close()


def test_addresses() -> None:
    assert read_url("sqlite:///x.db").drivername == "sqlite+aiosqlite"
    assert read_url("postgresql://h/d").drivername == "postgresql+asyncpg"
    for wrong in ("", "x.db", "sqlite+pysqlite:///x.db", "oracle://h/d"):
        with pytest.raises(ValueError, match="DATABASE_URL"):
            read_url(wrong)


async def test_a_database_of_the_first_version_is_read_on(tmp_path: Path) -> None:
    """Whoever held a seat then holds it still, and old buttons are stale."""
    path = tmp_path / "old.db"
    engine = sa.create_engine(f"sqlite:///{path}")
    config = Config()
    config.set_main_option("script_location", str(Path(db.__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()
    columns = "id, game, channel_id, host_id, setup, content_hash, rules_version, version, tip, "
    columns += (
        "status, state, state_hash, chain, secret, commitment, salts, keys_used, created, updated"
    )
    sql(path, "INSERT INTO contents VALUES ('h', 'toy', x'00', 1)")
    sql(
        path,
        f"INSERT INTO sessions ({columns}) VALUES ('old', 'toy', 7, 1, '{{}}', 'h', 1, 12, 12, "
        "'running', x'00', '', '', x'00', '', '[]', 0, 1, 1)",
    )
    for values in ("'RED', 0, 'Red', 1, 'Robin'", "'BLUE', 1, 'Blue', NULL, ''"):
        sql(
            path,
            "INSERT INTO seats (session_id, seat, place, title, user_id, name) "
            f"VALUES ('old', {values})",
        )
    opened = await Store.open(address(path))
    async with opened.read() as connection:
        assert await connection.run_sync(difference) == []
    await opened.close()
    assert sql(path, "SELECT seat, moment, stand_in FROM seats ORDER BY place") == [
        ("RED", 12, None),
        ("BLUE", 12, None),
    ]
    assert sql(path, "SELECT * FROM seat_users") == [("old", "RED", 1, "Robin", 1)]

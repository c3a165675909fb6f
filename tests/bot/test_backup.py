"""Backups: consistent while the bot writes, complete or not there, and never over another file."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.refusals import Refused
from bot.sessions import Sessions
from bot.store import Store
from bot.store.backup import backup
from bot.store.engine import read_url
from tests.bot.house import ROBIN, House, address, sql

ROOT = Path(__file__).resolve().parents[2]


async def test_a_copy_while_writing_is_a_whole_game(
    house: House, store: Store, tmp_path: Path
) -> None:
    tables = [await house.open(channel=channel) for channel in range(5)]

    async def play() -> None:
        for _ in range(6):
            for table in tables:
                await house.act(table, "move", to="B2")
                await house.undo(table)

    copies = [tmp_path / f"copy{n}.db" for n in range(3)]

    async def copy() -> None:
        for path in copies:
            await store.backup(path)

    await asyncio.gather(play(), copy())
    for path in copies:
        assert sql(path, "PRAGMA integrity_check") == [("ok",)]
        opened = await Store.open(address(path))
        sessions = Sessions(opened, house.registry, clock=house.clock)
        for table in tables:
            assert await sessions.audit(table.id) == ""
        pending = sql(path, "SELECT count(*) FROM outbox")
        assert pending == sql(path, "SELECT count(*) FROM log")
        await opened.close()
    assert not [name for name in os.listdir(tmp_path) if name.endswith(".partial")]


async def test_nothing_is_overwritten(store: Store, tmp_path: Path) -> None:
    there = tmp_path / "precious"
    there.write_text("precious")
    with pytest.raises(Refused, match="exists already"):
        await store.backup(there)
    assert there.read_text() == "precious"


async def test_what_cannot_be_copied(store: Store, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="could not be written"):
        await store.backup(tmp_path / "no" / "folder.db")
    with pytest.raises(Refused, match="pg_dump"):
        await backup(read_url("postgresql://h/d"), tmp_path / "a")
    with pytest.raises(Refused, match="in memory"):
        await backup(read_url("sqlite://"), tmp_path / "a")
    with pytest.raises(Refused, match="There is no database"):
        await backup(read_url(address(tmp_path / "none.db")), tmp_path / "a")
    assert not (tmp_path / "a").exists() and not (tmp_path / "none.db").exists()


async def test_from_another_process(
    house: House, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.open()
    await house.act(table, "move", user=ROBIN, to="B2")
    monkeypatch.setenv("DATABASE_URL", address(database))
    copy = tmp_path / "copy.db"
    command = [sys.executable, "-m", "bot", "backup", str(copy)]

    def run() -> subprocess.CompletedProcess[str]:
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)

    first, second = await asyncio.to_thread(run), await asyncio.to_thread(run)
    assert (first.returncode, first.stdout) == (0, f"Copied to {copy}.\n")
    assert second.returncode == 1 and "exists already" in second.stderr
    assert "Traceback" not in second.stderr
    assert sql(copy, "SELECT count(*) FROM log") == [(2,)]


def test_a_missing_database_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", "sqlite:///none.db")
    assert main(["backup", "copy.db"]) == 1
    assert capsys.readouterr().err == "There is no database none.db to copy.\n"

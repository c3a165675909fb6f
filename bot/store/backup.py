"""A consistent copy of a SQLite database while others read and write it."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy.engine import URL

from bot.refusals import Refused


async def backup(url: URL, path: Path) -> None:
    """Copy the database at `url` to the new file `path`, without holding anybody up.

    The copy appears under its name only when it is complete, checked and on the disk. Raises
    `Refused` with a sentence when the file exists, cannot be written, or there is nothing to copy.
    """
    if url.get_backend_name() != "sqlite":
        raise Refused("This database is not a SQLite file; copy it with pg_dump.")
    if not url.database or url.database == ":memory:":
        raise Refused("This database is in memory only; there is no file to copy.")
    await asyncio.to_thread(_copy, Path(url.database), path)


def _copy(source: Path, path: Path) -> None:
    if not source.is_file():
        raise Refused(f"There is no database {source} to copy.")
    if path.exists():
        raise _exists(path)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    try:
        with closing(sqlite3.connect(source, timeout=30, isolation_level=None)) as connection:
            connection.execute("VACUUM INTO ?", (str(partial),))
        with closing(sqlite3.connect(partial)) as copied:
            verdict = copied.execute("PRAGMA quick_check").fetchone()[0]
        if verdict != "ok":
            raise Refused(f"The database is damaged, so no copy was made: {verdict}.")
        _to_disk(partial)
        _publish(partial, path)
        _to_disk(path.parent)
    except (OSError, sqlite3.Error) as fault:
        raise Refused(f"The copy {path} could not be written: {fault}.") from fault
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _exists(path: Path) -> Refused:
    return Refused(f"{path} exists already and was left alone; choose another name.")


def _publish(partial: Path, path: Path) -> None:
    """Give the finished copy its name, unless somebody else has taken it meanwhile."""
    try:
        os.link(partial, path)
    except FileExistsError:
        raise _exists(path) from None
    except OSError:  # a file system without hard links
        if path.exists():
            raise _exists(path) from None
        partial.rename(path)


def _to_disk(path: Path) -> None:
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)

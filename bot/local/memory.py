"""What the local table remembers between runs: one SQLite file.

The in-memory Discord forgets everything when the process ends. This file keeps what a real
Discord would keep for the bot: people, channels and threads, messages and their attachments,
all under the ids they had. Ephemeral messages are not kept, as on Discord.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from simcord.backend.cdn import CdnStore
from simcord.backend.models import Channel, Message, User

__all__ = ["FileInUse", "Memory", "StoredCdn", "attachment_urls"]

_log = logging.getLogger(__name__)

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS person (id INTEGER PRIMARY KEY, row BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS channel (id INTEGER PRIMARY KEY, row BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS message (
    id INTEGER PRIMARY KEY, channel_id INTEGER NOT NULL, row BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS message_channel ON message (channel_id);
CREATE TABLE IF NOT EXISTS file (url TEXT PRIMARY KEY, bytes BLOB NOT NULL);
"""


class FileInUse(RuntimeError):
    """Another process holds the local table's file."""


class Memory:
    """The SQLite file; ``None`` as path keeps everything in memory only.

    Opening takes an exclusive lock: two local tables must not share one file.

    Raises:
        FileInUse: another local table is using the file.
        OSError: the folder cannot be made, or the file is not a SQLite database.
    """

    def __init__(self, path: Path | None) -> None:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(
            ":memory:" if path is None else path,
            isolation_level=None,
            timeout=0.5,
            check_same_thread=False,
        )
        try:
            if path is not None:
                self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_SCHEMA)
        except sqlite3.OperationalError as error:
            self._db.close()
            if "locked" in str(error):
                raise FileInUse(f"Another local table is already using {path}.") from error
            raise OSError(f"The local table's file {path} cannot be used: {error}.") from error
        except sqlite3.DatabaseError as error:
            self._db.close()
            raise OSError(f"The local table's file {path} is not a SQLite database.") from error

    def close(self) -> None:
        """Release the file; safe to call twice."""
        self._db.close()

    # ------------------------------------------------------------- writing

    def keep_person(self, user: User) -> None:
        """Store or replace one person."""
        self._put("person", user.id, user)

    def keep_channel(self, channel: Channel) -> None:
        """Store or replace one channel, thread or direct-message channel."""
        self._put("channel", channel.id, channel)

    def drop_channel(self, channel_id: int) -> None:
        """Forget a channel and everything in it."""
        self._db.execute("DELETE FROM message WHERE channel_id = ?", (channel_id,))
        self._db.execute("DELETE FROM channel WHERE id = ?", (channel_id,))

    def keep_message(self, message: Message) -> None:
        """Store or replace one message; ephemeral ones are passed over."""
        if not message.is_ephemeral:
            self._db.execute(
                "INSERT OR REPLACE INTO message VALUES (?, ?, ?)",
                (message.id, message.channel_id, msgspec.json.encode(message)),
            )

    def drop_message(self, message_id: int) -> None:
        """Forget one message."""
        self._db.execute("DELETE FROM message WHERE id = ?", (message_id,))

    def keep_file(self, url: str, data: bytes) -> None:
        """Store one attachment under its address."""
        self._db.execute("INSERT OR REPLACE INTO file VALUES (?, ?)", (url, data))

    def drop_files_except(self, urls: Iterable[str]) -> None:
        """Forget every attachment that no message shows any more."""
        kept = set(urls)
        for (url,) in self._db.execute("SELECT url FROM file").fetchall():
            if url not in kept:
                self._db.execute("DELETE FROM file WHERE url = ?", (url,))

    def _put(self, table: str, key: int, row: Any) -> None:
        self._db.execute(
            f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", (key, msgspec.json.encode(row))
        )

    # ------------------------------------------------------------- reading

    def people(self) -> list[User]:
        """Everybody who ever sat at this table."""
        return self._read("person", User)

    def channels(self) -> list[Channel]:
        """All kept channels, oldest id first."""
        return self._read("channel", Channel)

    def messages(self) -> list[Message]:
        """All kept messages, oldest first."""
        return self._read("message", Message)

    def file(self, url: str) -> bytes | None:
        """The bytes of one attachment, or ``None``."""
        found = self._db.execute("SELECT bytes FROM file WHERE url = ?", (url,)).fetchone()
        return None if found is None else found[0]

    def _read(self, table: str, kind: type[T]) -> list[T]:
        found: list[T] = []
        for key, row in self._db.execute(f"SELECT id, row FROM {table} ORDER BY id"):
            try:
                found.append(msgspec.json.decode(row, type=kind))
            except msgspec.ValidationError:  # written by a simcord of another shape
                _log.warning("The local table cannot read %s %s any more; left out.", table, key)
        return found


class StoredCdn(CdnStore):
    """simcord's content network, with the files in the SQLite file instead of a dict."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._memory = memory

    def store_attachment(
        self,
        attachment_id: int,
        channel_id: int,
        filename: str,
        data: bytes,
        description: str | None,
    ) -> dict[str, Any]:
        """Store one upload and return its payload, as simcord does."""
        payload = super().store_attachment(attachment_id, channel_id, filename, data, description)
        self._blobs.clear()
        self._memory.keep_file(payload["url"], data)
        return payload

    def get(self, url: str) -> bytes | None:
        """The bytes behind an attachment's address."""
        return self._memory.file(url)


def attachment_urls(messages: Iterable[Message]) -> set[str]:
    """Every file address that one of these messages carries."""
    found: set[str] = set()
    for message in messages:
        rows: list[Mapping[str, Any]] = list(message.attachments)
        found.update(str(row["url"]) for row in rows)
    return found

"""The tables of the database: the same for every game, for SQLite and for PostgreSQL.

Times are seconds since 1970 UTC. Discord's ids are 64-bit numbers. Structured values are JSON in
text columns, because hashes are taken over their exact text.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_label)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

RUNNING, PAUSED, ENDED = "running", "paused", "ended"
"""What `sessions.status` may be."""


def _session_id(**options: Any) -> Column[str]:
    """A column for the session that a row belongs to."""
    owner = ForeignKey("sessions.id", ondelete="CASCADE")
    return Column("session_id", String(8), owner, **options)


meta = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

users = Table(
    "users",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("settings", Text, nullable=False, server_default="{}"),
    Column("updated", BigInteger, nullable=False),
)

contents = Table(
    "contents",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("tables", LargeBinary, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""Content that sessions began with: JSON, compressed, stored once by its hash."""

sessions = Table(
    "sessions",
    metadata,
    Column("id", String(8), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("host_id", BigInteger, nullable=False),
    Column("setup", Text, nullable=False),
    Column("content_hash", String(64), ForeignKey("contents.hash"), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("tip", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("trouble", Text),
    Column("state", LargeBinary, nullable=False),
    Column("state_hash", String(64), nullable=False),
    Column("chain", String(64), nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("salts", Text, nullable=False),
    Column("keys_used", Integer, nullable=False),
    Column("panel_message_id", BigInteger),
    Column("panel_version", Integer),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("ix_sessions_channel_id", "channel_id"),
    Index(
        "uq_sessions_open_channel",
        "channel_id",
        unique=True,
        sqlite_where=text("status <> 'ended'"),
        postgresql_where=text("status <> 'ended'"),
    ),
)
"""`version` is the number of the last log row; `tip` that of the row whose state is the current one
(they differ after an undo). `chain` is the last log row's link. `trouble` says why a session is
paused, or why nothing can be posted for it."""

seats = Table(
    "seats",
    metadata,
    _session_id(primary_key=True),
    Column("seat", String(32), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("user_id", BigInteger),
    Column("name", Text, nullable=False, server_default=""),
    Index("ix_seats_user_id", "user_id"),
)

log = Table(
    "log",
    metadata,
    _session_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("base", Integer, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("seat", String(32), nullable=False),
    Column("action", Text, nullable=False),
    Column("events", Text, nullable=False),
    Column("results", Text, nullable=False),
    Column("key_number", Integer),
    Column("key", String(64)),
    Column("salts", Text),
    Column("state_hash", String(64), nullable=False),
    Column("chain", String(64), nullable=False),
    Column("state", LargeBinary),
    Column("binding", Boolean(create_constraint=False), nullable=False),
    Column("interaction_id", BigInteger, unique=True),
    Column("time", BigInteger, nullable=False),
)
"""`base` is the row an action was played on, or the row that an undo took back."""

outbox = Table(
    "outbox",
    metadata,
    Column(
        "id",
        BigInteger().with_variant(Integer, "sqlite"),
        primary_key=True,
        autoincrement=True,
    ),
    _session_id(nullable=False),
    Column("version", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("payload", Text, nullable=False),
    Column("nonce", String(25), nullable=False, unique=True),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("due", BigInteger, nullable=False),
    Column("done", BigInteger),
    Column("fault", Text),
    Column("created", BigInteger, nullable=False),
    Index(
        "ix_outbox_undone",
        "session_id",
        "id",
        sqlite_where=text("done IS NULL"),
        postgresql_where=text("done IS NULL"),
    ),
    sqlite_autoincrement=True,
)
"""What Discord still has to hear, in order of `id` for each session; `done` when it has."""

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
    false,
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

LOBBY, RUNNING, PAUSED, ENDED = "lobby", "running", "paused", "ended"
"""What `sessions.status` may be. In a lobby people take seats and nothing has begun."""


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
    Column("takebacks", Integer, nullable=False, server_default="0"),
    Column("pace", String(16), nullable=False, server_default="none"),
    Column("overtime", String(16), nullable=False, server_default="wait"),
    Column("posts", String(16), nullable=False, server_default="usual"),
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
paused, or why nothing can be posted for it. `takebacks` counts those past a die or card. `pace`
and `overtime` are words of `bot.sessions.pace`, `posts` one of `bot.sessions.model`."""

seats = Table(
    "seats",
    metadata,
    _session_id(primary_key=True),
    Column("seat", String(32), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("moment", Integer, nullable=False, server_default="0"),
    Column("stand_in", BigInteger),
    Column("bank", Integer),
)
"""`moment` is the version from which on the seat's buttons are good; `stand_in` the user who wished
that the program acts for the seat until somebody of it acts again; `bank` the seconds that it had left
when it was last waited for (nothing: all that its pace gives)."""

seat_users = Table(
    "seat_users",
    metadata,
    _session_id(primary_key=True),
    Column("seat", String(32), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("joined", Integer, nullable=False),
    Index("ix_seat_users_user_id", "user_id"),
)
"""Who sits where. `joined` is the number of the log row by which they came."""

timers = Table(
    "timers",
    metadata,
    _session_id(primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("seat", String(32), primary_key=True),
    Column("due", BigInteger, nullable=False),
    Column("nth", Integer, nullable=False, server_default="0"),
    Index("ix_timers_due", "due"),
)
"""What is to be done when; `seat` is `""` where it is about the whole table; `nth` counts reminders of
one wait (for `wake` see `bot.sessions.timers.Timer`)."""

waits = Table(
    "waits",
    metadata,
    _session_id(primary_key=True),
    Column("seat", String(32), primary_key=True),
    Column("since", BigInteger, nullable=False),
    Column("muted", Text, nullable=False, server_default="[]"),
)
"""The seats that must act, and since when; in a full lobby the host's, who is to start the game.
`muted` are the users who do not want to be reminded this time."""

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
    Column("sealed", Boolean(create_constraint=False), nullable=False, server_default=false()),
)
"""`base` is the row an action was played on, or the row that an undo took back. A `sealed` row is not
what its link was made from any more: somebody in it had his data deleted."""

proposals = Table(
    "proposals",
    metadata,
    _session_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("log_rows", Text, nullable=False),
    Column("told", Text, nullable=False),
    Column("agreed", Text, nullable=False),
    Column("closed", Text),
    Column("message_id", BigInteger),
)
"""Questions whether actions may be taken back, by the number of their log row; `closed` says how one
came out. They are dropped when the notice that asks has lost its buttons."""

visits = Table(
    "visits",
    metadata,
    _session_id(primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
)
"""Up to which log row somebody has caught up."""

votes = Table(
    "votes",
    metadata,
    _session_id(primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(16), nullable=False),
    Column("seat", String(32), nullable=False),
    Column("target_id", BigInteger),
    Column("user_id", BigInteger, nullable=False),
    Column("told", Text, nullable=False),
    Column("agreed", Text, nullable=False),
    Column("refused", Text, nullable=False),
    Column("closed", Text),
    Column("message_id", BigInteger),
)
"""What the people of a table decide while its host is gone, by the number of its log row. `agreed` and
`refused` are lists of users; otherwise as in `proposals`."""

tutorials = Table(
    "tutorials",
    metadata,
    _session_id(primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("lesson", String(32), nullable=False),
    Column("step", Integer, nullable=False),
)
"""Guided games: how far somebody has come in which lesson."""

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

records = Table(
    "records",
    metadata,
    Column("session_id", String(8), primary_key=True),
    Column("seat", String(32), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger),
    Column("game", String(32), nullable=False),
    Column("mission", String(64), nullable=False),
    Column("mode", String(32), nullable=False),
    Column("side", String(32), nullable=False),
    Column("won", Boolean(create_constraint=False), nullable=False),
    Column("level", String(64), nullable=False),
    Column("cause", String(32), nullable=False),
    Column("figures", Text, nullable=False),
    Column("most", Integer, nullable=False),
    Column("par", Integer, nullable=False),
    Column("counted", Boolean(create_constraint=False), nullable=False),
    Column("time", BigInteger, nullable=False),
    Index("ix_records_user_id", "user_id", "game"),
)
"""What each person has from a session that ended by the rules; it outlives the session."""

ABANDONED = "abandoned"
"""What `campaigns.status` may be besides `RUNNING` and `ENDED`."""

campaigns = Table(
    "campaigns",
    metadata,
    Column("id", String(8), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("mode", String(32), nullable=False),
    Column("host_id", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Column("progress", Text, nullable=False),
    Column("played", Integer, nullable=False),
    Column("session_id", String(8)),
    Column("last_session_id", String(8)),
    Column("before", Text),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("ix_campaigns_last_session_id", "last_session_id"),
)
"""`session_id` is the mission opened last, until its end is in `progress`; then it is the
`last_session_id`, and `before` the progress without it."""

campaign_members = Table(
    "campaign_members",
    metadata,
    Column(
        "campaign_id", String(8), ForeignKey("campaigns.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("place", Integer, nullable=False),
    Column("seat", String(32), nullable=False),
    Column("game", String(32), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("running", Boolean(create_constraint=False), nullable=False),
    Index("ix_campaign_members_user_id", "user_id"),
    Index(
        "uq_campaign_members_running",
        "user_id",
        "game",
        "kind",
        unique=True,
        sqlite_where=text("running"),
        postgresql_where=text("running"),
    ),
)
"""Whose campaign it is. Nobody has two running ones of one game and kind; `seat` is the one held in
the first mission."""

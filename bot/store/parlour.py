"""The tables of what everybody may use in a channel without a game: dice (`/roll`) and decks (`/deck`).

As in `bot.store.schema`: times are seconds since 1970 UTC, structured values JSON in text columns.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
)

from bot.store.schema import metadata

ROW_ID = BigInteger().with_variant(Integer, "sqlite")

chances = Table(
    "chances",
    metadata,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("secret", LargeBinary, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("keys_used", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
)
"""The chain of keys of a channel, from which its dice and cards come; as in `sessions`."""

rolls = Table(
    "rolls",
    metadata,
    Column("id", ROW_ID, primary_key=True, autoincrement=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("user_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("notation", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("secret", Boolean(create_constraint=False), nullable=False),
    Column("key_number", Integer, nullable=False),
    Column("key", String(64), nullable=False),
    Column("interaction_id", BigInteger, unique=True),
    Column("time", BigInteger, nullable=False),
    Index("ix_rolls_channel_id", "channel_id", "id"),
    Index("ix_rolls_user_id", "user_id", "id"),
    sqlite_autoincrement=True,
)
"""What was rolled, by whom, with which of the channel's keys."""

decks = Table(
    "decks",
    metadata,
    Column("id", String(8), primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("user_id", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("source", String(64), nullable=False),
    Column("cards", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("updated", BigInteger, nullable=False),
    Index("uq_decks_channel_id", "channel_id", "name", unique=True),
)
"""The decks of a channel by name: the kinds of card, and where its cards are besides hands."""

deck_hands = Table(
    "deck_hands",
    metadata,
    Column("deck_id", String(8), ForeignKey("decks.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("cards", Text, nullable=False),
    Index("ix_deck_hands_user_id", "user_id"),
)
"""What somebody holds of a deck."""

deck_log = Table(
    "deck_log",
    metadata,
    Column("deck_id", String(8), ForeignKey("decks.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("told", Text, nullable=False),
    Column("interaction_id", BigInteger, unique=True),
    Column("time", BigInteger, nullable=False),
)
"""What was done with a deck, in words for everybody; `number` is the deck's version after it."""

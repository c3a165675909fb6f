"""Dice and decks of a channel."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "chances",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("keys_used", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", name=op.f("pk_chances")),
    )
    op.create_table(
        "decks",
        sa.Column("id", sa.String(length=8), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("cards", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decks")),
    )
    op.create_index("uq_decks_channel_id", "decks", ["channel_id", "name"], unique=True)
    op.create_table(
        "rolls",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("notation", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("secret", sa.Boolean(create_constraint=False), nullable=False),
        sa.Column("key_number", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=True),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rolls")),
        sa.UniqueConstraint("interaction_id", name=op.f("uq_rolls_interaction_id")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_rolls_channel_id", "rolls", ["channel_id", "id"], unique=False)
    op.create_index("ix_rolls_user_id", "rolls", ["user_id", "id"], unique=False)
    op.create_table(
        "deck_hands",
        sa.Column("deck_id", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("cards", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["deck_id"], ["decks.id"], name=op.f("fk_deck_hands_deck_id_decks"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("deck_id", "user_id", name=op.f("pk_deck_hands")),
    )
    op.create_index("ix_deck_hands_user_id", "deck_hands", ["user_id"], unique=False)
    op.create_table(
        "deck_log",
        sa.Column("deck_id", sa.String(length=8), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger(), nullable=True),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["deck_id"], ["decks.id"], name=op.f("fk_deck_log_deck_id_decks"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("deck_id", "number", name=op.f("pk_deck_log")),
        sa.UniqueConstraint("interaction_id", name=op.f("uq_deck_log_interaction_id")),
    )

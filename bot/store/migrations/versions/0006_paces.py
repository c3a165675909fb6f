"""Paces and banks of time, votes, guided games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Create the tables and columns."""
    op.create_table(
        "tutorials",
        sa.Column("session_id", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("lesson", sa.String(length=32), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_tutorials_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_tutorials")),
    )
    op.create_table(
        "votes",
        sa.Column("session_id", sa.String(length=8), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("target_id", sa.BigInteger(), nullable=True),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("agreed", sa.Text(), nullable=False),
        sa.Column("refused", sa.Text(), nullable=False),
        sa.Column("closed", sa.Text(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_votes_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", "number", name=op.f("pk_votes")),
    )
    op.add_column("seats", sa.Column("bank", sa.Integer(), nullable=True))
    op.add_column(
        "sessions", sa.Column("pace", sa.String(length=16), server_default="none", nullable=False)
    )
    op.add_column(
        "sessions",
        sa.Column("overtime", sa.String(length=16), server_default="wait", nullable=False),
    )
    op.add_column("timers", sa.Column("nth", sa.Integer(), server_default="0", nullable=False))
    op.add_column("waits", sa.Column("muted", sa.Text(), server_default="[]", nullable=False))

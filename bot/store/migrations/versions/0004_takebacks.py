"""Questions whether something may be taken back; what people have caught up with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "proposals",
        sa.Column("session_id", sa.String(length=8), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("log_rows", sa.Text(), nullable=False),
        sa.Column("told", sa.Text(), nullable=False),
        sa.Column("agreed", sa.Text(), nullable=False),
        sa.Column("closed", sa.Text(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_proposals_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", "number", name=op.f("pk_proposals")),
    )
    op.create_table(
        "visits",
        sa.Column("session_id", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_visits_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", "user_id", name=op.f("pk_visits")),
    )
    op.add_column(
        "sessions", sa.Column("takebacks", sa.Integer(), server_default="0", nullable=False)
    )

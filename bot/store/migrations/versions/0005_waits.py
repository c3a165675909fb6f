"""Which seats must act, and since when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Create the table; it is filled for running sessions when the bot starts."""
    op.create_table(
        "waits",
        sa.Column("session_id", sa.String(length=8), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_waits_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", "seat", name=op.f("pk_waits")),
    )

"""Seats held by several people, stand-ins, timers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Move the holders of seats into a table of their own."""
    op.create_table(
        "seat_users",
        sa.Column("session_id", sa.String(length=8), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("joined", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_seat_users_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", "seat", "user_id", name=op.f("pk_seat_users")),
    )
    op.create_index("ix_seat_users_user_id", "seat_users", ["user_id"], unique=False)
    op.execute(
        "INSERT INTO seat_users (session_id, seat, user_id, name, joined) "
        "SELECT session_id, seat, user_id, name, place + 1 FROM seats WHERE user_id IS NOT NULL"
    )
    op.create_table(
        "timers",
        sa.Column("session_id", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name=op.f("fk_timers_session_id_sessions"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", "kind", "seat", name=op.f("pk_timers")),
    )
    op.create_index("ix_timers_due", "timers", ["due"], unique=False)
    op.drop_index("ix_seats_user_id", table_name="seats")
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("user_id")
        seats.drop_column("name")
    op.add_column("seats", sa.Column("moment", sa.Integer(), server_default="0", nullable=False))
    op.add_column("seats", sa.Column("stand_in", sa.BigInteger(), nullable=True))
    op.execute(
        "UPDATE seats SET moment = (SELECT version FROM sessions WHERE id = seats.session_id)"
    )

"""Records of finished games; campaigns and their members."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "records",
        sa.Column("session_id", sa.String(length=8), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("mission", sa.String(length=64), nullable=False),
        sa.Column("mode", sa.String(length=32), nullable=False),
        sa.Column("side", sa.String(length=32), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("level", sa.String(length=64), nullable=False),
        sa.Column("cause", sa.String(length=32), nullable=False),
        sa.Column("figures", sa.Text(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("par", sa.Integer(), nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.Column("time", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("session_id", "seat", "user_id", name=op.f("pk_records")),
    )
    op.create_index("ix_records_user_id", "records", ["user_id", "game"], unique=False)
    op.create_table(
        "campaigns",
        sa.Column("id", sa.String(length=8), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("mode", sa.String(length=32), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("progress", sa.Text(), nullable=False),
        sa.Column("played", sa.Integer(), nullable=False),
        sa.Column("session_id", sa.String(length=8), nullable=True),
        sa.Column("last_session_id", sa.String(length=8), nullable=True),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaigns")),
    )
    op.create_index("ix_campaigns_last_session_id", "campaigns", ["last_session_id"], unique=False)
    op.create_table(
        "campaign_members",
        sa.Column("campaign_id", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("seat", sa.String(length=32), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("running", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["campaign_id"],
            ["campaigns.id"],
            name=op.f("fk_campaign_members_campaign_id_campaigns"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("campaign_id", "user_id", name=op.f("pk_campaign_members")),
    )
    op.create_index("ix_campaign_members_user_id", "campaign_members", ["user_id"], unique=False)
    op.create_index(
        "uq_campaign_members_running",
        "campaign_members",
        ["user_id", "game", "kind"],
        unique=True,
        sqlite_where=sa.text("running"),
        postgresql_where=sa.text("running"),
    )

"""Whether steps are posted anew or edited into the board."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the column."""
    op.add_column(
        "sessions",
        sa.Column("posts", sa.String(length=16), server_default="usual", nullable=False),
    )

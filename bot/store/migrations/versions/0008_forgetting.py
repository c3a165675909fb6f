"""Log rows in which somebody who had his data deleted is no longer named."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Create the column."""
    op.add_column(
        "log",
        sa.Column(
            "sealed",
            sa.Boolean(create_constraint=False),
            server_default=sa.false(),
            nullable=False,
        ),
    )

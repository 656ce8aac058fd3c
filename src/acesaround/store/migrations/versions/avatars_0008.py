"""The sign that a person has chosen to be drawn by: none so far."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column, empty."""
    op.add_column("people", sa.Column("avatar", sa.String(16), nullable=False, server_default=""))

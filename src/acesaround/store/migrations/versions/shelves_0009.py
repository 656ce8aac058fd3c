"""Where a table lies in the list of each who sat there, and whose turn it was when all had left."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add both: every table lies on top, and of none it is known whose turn it is."""
    op.add_column("seats", sa.Column("shelf", sa.String(8), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("turn", sa.Integer, nullable=True))

"""Games that persons have made for themselves."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add them: there are none yet."""
    op.create_table(
        "sheets",
        sa.Column("person_id", sa.String(32), primary_key=True),
        sa.Column("key", sa.String(40), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sqlite_with_rowid=False,
    )

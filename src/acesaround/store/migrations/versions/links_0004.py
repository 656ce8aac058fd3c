"""Links of several kinds that lead to a table.

A table that has none is reached by its id, as it always was: so nothing has to be written here.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table of links."""
    op.create_table(
        "links",
        sa.Column("token", sa.String(32), primary_key=True),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("good", sa.Boolean, nullable=False),
    )
    op.create_index("links_table", "links", ["table_id", "kind"])

"""No process is the home of a table any more: a proxy chooses the server of each."""

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Drop who serves and what: it ended with those processes."""
    op.drop_table("homes")
    op.drop_table("processes")

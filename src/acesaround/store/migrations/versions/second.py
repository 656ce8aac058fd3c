"""The second schema: names and tables that some databases of the first one lack."""

import sqlalchemy as sa
from alembic import op

revision = "second"
down_revision = "first"


def upgrade() -> None:
    """Rename `seats.shelf`, and create the tables of reviews and practice if they are missing."""
    columns = sa.inspect(op.get_bind()).get_columns("seats")
    if any(column["name"] == "shelf" for column in columns):
        op.execute("ALTER TABLE seats RENAME COLUMN shelf TO list_section")
    op.create_table(
        "practice",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("position", sa.String(length=64), nullable=False),
        sa.Column("theme", sa.String(length=16), nullable=False),
        sa.Column("right_count", sa.Integer(), nullable=False),
        sa.Column("wrong_count", sa.Integer(), nullable=False),
        sa.Column("was_right", sa.Boolean(), nullable=False),
        sa.Column("answered_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "position"),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )
    op.create_index("practice_answered", "practice", ["answered_ms"], if_not_exists=True)
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "game", "seat"),
        sqlite_with_rowid=False,
        if_not_exists=True,
    )

"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "first"
down_revision = None


def upgrade() -> None:
    """Create all tables."""
    op.create_table(
        "pairing_codes",
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("expires_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("code_hash"),
    )
    op.create_index("pairing_codes_person", "pairing_codes", ["person_id"], unique=False)
    op.create_table(
        "devices",
        sa.Column("device_id", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("first_seen_ms", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_ms", sa.BigInteger(), nullable=False),
        sa.Column("changed_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("device_id"),
    )
    op.create_index("devices_changed", "devices", ["changed_ms"], unique=False)
    op.create_index("devices_person", "devices", ["person_id"], unique=False)
    op.create_table(
        "entries",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("appended_ms", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "entries_chat",
        "entries",
        ["appended_ms"],
        unique=False,
        sqlite_where=sa.text('substr(body, 1, 14) = \'{"type":"said"\''),
        postgresql_where=sa.text("(body ->> 'type') = 'said'"),
    )
    op.create_table(
        "games",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "number"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "links",
        sa.Column("token", sa.String(length=32), nullable=False),
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("links_table", "links", ["table_id", "kind"], unique=False)
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "people",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("last_seen_ms", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("avatar", sa.String(length=16), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("people_seen", "people", ["last_seen_ms"], unique=False)
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
    )
    op.create_index("practice_answered", "practice", ["answered_ms"], unique=False)
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "game", "seat"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(length=32), nullable=False),
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("list_section", sa.String(length=8), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("table_id", "person_id"),
    )
    op.create_index("seats_person", "seats", ["person_id"], unique=False)
    op.create_table(
        "sheets",
        sa.Column("person_id", sa.String(length=32), nullable=False),
        sa.Column("key", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("changed_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person_id", "key"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("changed_ms", sa.BigInteger(), nullable=False),
        sa.Column("is_public", sa.Boolean(), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("summary", sa.JSON(), nullable=False),
        sa.Column("host_id", sa.String(length=32), server_default="", nullable=False),
        sa.Column("free_seats", sa.Integer(), server_default="0", nullable=False),
        sa.Column("is_over", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("has_finished_deal", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("has_finished_game", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("seat_on_turn", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("tables_host", "tables", ["host_id", "created_ms"], unique=False)
    op.create_index(
        "tables_retention",
        "tables",
        ["has_finished_game", "has_finished_deal", "changed_ms"],
        unique=False,
    )
    op.create_index("tables_lobby", "tables", ["is_public", "is_over", "changed_ms"], unique=False)

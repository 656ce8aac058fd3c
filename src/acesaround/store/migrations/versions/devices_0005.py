"""Several devices of one person, and the codes by which another becomes one.

Whoever has one device, as everybody has so far, needs no row here: the cookie names the person.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables of devices and codes."""
    op.create_table(
        "devices",
        sa.Column("device_id", sa.String(32), primary_key=True),
        sa.Column("person_id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
        sa.Column("out", sa.Boolean, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
    )
    op.create_index("devices_person", "devices", ["person_id"])
    op.create_index("devices_changed", "devices", ["changed"])
    op.create_table(
        "codes",
        sa.Column("code", sa.String(64), primary_key=True),
        sa.Column("person_id", sa.String(32), nullable=False),
        sa.Column("expires", sa.BigInteger, nullable=False),
    )
    op.create_index("codes_person", "codes", ["person_id"])

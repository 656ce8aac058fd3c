"""The database schema. A change here needs a migration; a test compares the two.

The log (`entries`) is the source of truth. The other columns are denormalized, so that lists never
read a log: `tables.summary` and `games` are shown, and lists filter by the other columns of
`tables`. Times are milliseconds since 1970.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    text,
)

METADATA: Final = MetaData()

TABLES: Final = Table(
    "tables",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    Column("is_public", Boolean, nullable=False),
    Column("config", JSON, nullable=False),
    Column("summary", JSON, nullable=False),
    Column("host_id", String(32), nullable=False, server_default=""),
    Column("free_seats", Integer, nullable=False, server_default="0"),
    Column("is_over", Boolean, nullable=False, server_default=false()),
    Column("has_finished_deal", Boolean, nullable=False, server_default=false()),
    Column("has_finished_game", Boolean, nullable=False, server_default=false()),
    Column("seat_on_turn", Integer, nullable=True),  # the seat on turn when the last person left
    Index("tables_lobby", "is_public", "is_over", "changed_ms"),
    Index("tables_host", "host_id", "created_ms"),
    Index("tables_retention", "has_finished_game", "has_finished_deal", "changed_ms"),
)

# Which entries are chat. Cleanup finds old chat by an index on this condition.
CHAT_CONDITIONS: Final = {
    "sqlite": text("""substr(body, 1, 14) = '{"type":"said"'"""),
    "postgresql": text("(body ->> 'type') = 'said'"),
}

ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("appended_ms", BigInteger, nullable=False),
    Column("body", JSON, nullable=False),
    Index(
        "entries_chat",
        "appended_ms",
        sqlite_where=CHAT_CONDITIONS["sqlite"],
        postgresql_where=CHAT_CONDITIONS["postgresql"],
    ),
    sqlite_with_rowid=False,  # stores rows in the order of the key, in which they are read
)

# The games of a table as lists show them, written at the start of a game and after each deal.
GAMES: Final = Table(
    "games",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1
    Column("summary", JSON, nullable=False),
    sqlite_with_rowid=False,
)

# Reviews of finished games, each for one seat. `version`: the form of `body`; other forms are not
# read. A body has seats instead of names.
REVIEWS: Final = Table(
    "reviews",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("game", Integer, primary_key=True),  # from 1
    Column("seat", Integer, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("body", Text, nullable=False),
    sqlite_with_rowid=False,
)

PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("last_seen_ms", BigInteger, nullable=False, server_default="0"),  # to a day
    Column("avatar", String(16), nullable=False, server_default=""),
    Index("people_seen", "last_seen_ms"),
)

# The persons who have held a seat at a table and were not removed. `list_section`: the place of
# the table in that person's list: on top (`""`), `archived`, or hidden (`deleted`).
SEATS: Final = Table(
    "seats",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("person_id", String(32), primary_key=True),
    Column("list_section", String(8), nullable=False, server_default=""),
    Index("seats_person", "person_id"),
)

# Personal variants: rule sheets of persons, by the key of the variant.
SHEETS: Final = Table(
    "sheets",
    METADATA,
    Column("person_id", String(32), primary_key=True),
    Column("key", String(40), primary_key=True),
    Column("text", Text, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# How persons answered practice positions. `position`: of a shipped one its id, of one from an own
# game a hash that leads to no table.
PRACTICE: Final = Table(
    "practice",
    METADATA,
    Column("person_id", String(32), primary_key=True),
    Column("position", String(64), primary_key=True),
    Column("theme", String(16), nullable=False),
    Column("right_count", Integer, nullable=False),
    Column("wrong_count", Integer, nullable=False),
    Column("was_right", Boolean, nullable=False),  # the last answer
    Column("answered_ms", BigInteger, nullable=False),
    Index("practice_answered", "answered_ms"),
    sqlite_with_rowid=False,
)

# The tokens of links to tables, an index of the log's `LinkCreated` entries. Of each kind one is
# current. The older ones still identify the table for people who sit there.
LINKS: Final = Table(
    "links",
    METADATA,
    Column("token", String(32), primary_key=True),
    Column("table_id", String(32), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("is_current", Boolean, nullable=False),
    Index("links_table", "table_id", "kind"),
)

# The person that each device is; NULL if it is signed out. A device without a row is the person
# with the same id, so the row of a signed-out device stays.
DEVICES: Final = Table(
    "devices",
    METADATA,
    Column("device_id", String(32), primary_key=True),
    Column("person_id", String(32), nullable=True),
    Column("name", String(40), nullable=False),
    Column("first_seen_ms", BigInteger, nullable=False),
    Column("last_seen_ms", BigInteger, nullable=False),
    Column("changed_ms", BigInteger, nullable=False),  # unlike `last_seen_ms`
    Index("devices_person", "person_id"),
    Index("devices_changed", "changed_ms"),
)

# Pairing codes, each valid until it is used or expires. `code_hash` is a keyed hash.
PAIRING_CODES: Final = Table(
    "pairing_codes",
    METADATA,
    Column("code_hash", String(64), primary_key=True),
    Column("person_id", String(32), nullable=False),
    Column("expires_ms", BigInteger, nullable=False),
    Index("pairing_codes_person", "person_id"),
)

# Notices to server processes from other writers: a table was `changed` or `removed` (`gone` when
# all its data is deleted), or a `person` was deleted (by a hash of the id).
NOTICES: Final = Table(
    "notices",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("subject", String(64), nullable=False),
    sqlite_autoincrement=True,  # otherwise numbers of deleted notices would be used again
)

"""The tables of the database. A change here needs a migration; a test holds the two together.

The log (`entries`) is the truth. What lists show (`tables.summary`, `games`) and what they go by
(`host`, `free`, `over`, `changed`) is kept beside it, so that no list needs a log to be read.
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
    Column("created", BigInteger, nullable=False),  # milliseconds since 1970, as all times here
    Column("changed", BigInteger, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("config", JSON, nullable=False),
    Column("summary", JSON, nullable=False),
    Column("host", String(32), nullable=False, server_default=""),
    Column("free", Integer, nullable=False, server_default="0"),  # seats that no person holds
    Column("over", Boolean, nullable=False, server_default=false()),
    Column("played", Boolean, nullable=False, server_default=false()),  # a deal, to its end
    Column("finished", Boolean, nullable=False, server_default=false()),  # a game
    Column("turn", Integer, nullable=True),  # the seat that was to act when everybody had left
    Index("tables_lobby", "public", "over", "changed"),
    Index("tables_host", "host", "created"),
    Index("tables_kept", "finished", "played", "changed"),
)

# Which entries are talk: by this it is found when it is old. Written as an index is asked for it.
TALK: Final = {
    "sqlite": text("""substr(body, 1, 14) = '{"type":"said"'"""),
    "postgresql": text("(body ->> 'type') = 'said'"),
}

ENTRIES: Final = Table(
    "entries",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("body", JSON, nullable=False),
    Index("entries_talk", "at", sqlite_where=TALK["sqlite"], postgresql_where=TALK["postgresql"]),
    sqlite_with_rowid=False,  # the rows lie in the order of the key, in which they are read
)

# The games of a table: what a list of them shows, written when one begins and with each deal.
GAMES: Final = Table(
    "games",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1
    Column("line", JSON, nullable=False),
    sqlite_with_rowid=False,
)

PEOPLE: Final = Table(
    "people",
    METADATA,
    Column("id", String(32), primary_key=True),
    Column("name", String(80), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False, server_default="0"),  # to a day
    Column("avatar", String(16), nullable=False, server_default=""),
    Index("people_seen", "seen"),
)

# Who has ever held a seat at a table: by it a person finds the table again. `shelf`: where it lies
# in that person's list, on top (`""`), `archived`, or nowhere (`deleted`).
SEATS: Final = Table(
    "seats",
    METADATA,
    Column("table_id", String(32), primary_key=True),
    Column("person_id", String(32), primary_key=True),
    Column("shelf", String(8), nullable=False, server_default=""),
    Index("seats_person", "person_id"),
)

# Games that persons have made for themselves, each a sheet by the key under which it is played.
SHEETS: Final = Table(
    "sheets",
    METADATA,
    Column("person_id", String(32), primary_key=True),
    Column("key", String(40), primary_key=True),
    Column("text", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)

# By which tokens people come to a table, and for what: an index of the log's `Linked` entries. Of a
# kind one is good; those before it still name the table to who sits at it.
LINKS: Final = Table(
    "links",
    METADATA,
    Column("token", String(32), primary_key=True),
    Column("table_id", String(32), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("good", Boolean, nullable=False),
    Index("links_table", "table_id", "kind"),
)

# Which persons a device has been. It is the one that it became last (`since`) of those from which
# it is not signed out (`out`); the others it may be again. `until`: when it last ceased to be that
# person. A device without a row is the person of its own id. Rows that are `out` stay: without them
# the cookie of the device would be a person's again.
DEVICES: Final = Table(
    "devices",
    METADATA,
    Column("device_id", String(32), primary_key=True),
    Column("person_id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    Column("out", Boolean, nullable=False),
    Column("changed", BigInteger, nullable=False),  # but for `seen`
    Index("devices_person", "person_id"),
    Index("devices_changed", "changed"),
)

# Codes by which a device becomes a person, each until it is taken. What is kept is a keyed hash.
CODES: Final = Table(
    "codes",
    METADATA,
    Column("code", String(64), primary_key=True),
    Column("person_id", String(32), nullable=False),
    Column("expires", BigInteger, nullable=False),
    Index("codes_person", "person_id"),
)

# What processes that serve are told by whoever writes beside them: a table was `changed` or
# `removed` (`gone`, when that is done), a `person` is known no more (by a mark and not by the id).
NOTICES: Final = Table(
    "notices",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("what", String(64), nullable=False),
    sqlite_autoincrement=True,  # or the numbers of those that are gone would come again
)

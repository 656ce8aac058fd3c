"""Where tables are kept: the log of each, durable before anything is acknowledged.

`schema` names the database's tables, `store` reads and writes them, `migrations` brings an older
database up to date. A log entry is JSON text here and nothing more.
"""

from acesaround.store.devices import Device, LastDevice, NotSignedIn
from acesaround.store.errors import CorruptData, DatabaseUnavailable, SequenceConflict
from acesaround.store.store import (
    PATIENCE,
    Link,
    LobbyTable,
    Patience,
    Store,
    StoreError,
    TableListing,
)

__all__ = [
    "PATIENCE",
    "CorruptData",
    "DatabaseUnavailable",
    "Device",
    "LastDevice",
    "Link",
    "LobbyTable",
    "NotSignedIn",
    "Patience",
    "SequenceConflict",
    "Store",
    "StoreError",
    "TableListing",
]

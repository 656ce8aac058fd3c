"""The store: durable table logs, and data about people and devices.

`schema` defines the database tables, `store` reads and writes them, and `migrations` upgrades older
databases. The store treats a log entry as JSON text and does not interpret it.
"""

from acesaround.store.devices import Device, LastDevice, NotSignedIn
from acesaround.store.errors import CorruptData, DatabaseUnavailable, SequenceConflict
from acesaround.store.store import (
    DEFAULT_TIMEOUTS,
    Link,
    LobbyTable,
    Shelf,
    Store,
    StoreError,
    TableListing,
    Timeouts,
)

__all__ = [
    "DEFAULT_TIMEOUTS",
    "CorruptData",
    "DatabaseUnavailable",
    "Device",
    "LastDevice",
    "Link",
    "LobbyTable",
    "NotSignedIn",
    "SequenceConflict",
    "Shelf",
    "Store",
    "StoreError",
    "TableListing",
    "Timeouts",
]

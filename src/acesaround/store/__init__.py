"""The store: durable table logs, and data about people and devices.

`schema` defines the database tables, `store` reads and writes them, and `migrations` upgrades older
databases. The store treats a log entry as JSON text and does not interpret it.
"""

from acesaround.store.devices import Device, LastDevice, NotSignedIn
from acesaround.store.errors import CorruptData, DatabaseUnavailable, SequenceConflict
from acesaround.store.store import (
    PATIENCE,
    Link,
    LobbyTable,
    Patience,
    Shelf,
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
    "Shelf",
    "Store",
    "StoreError",
    "TableListing",
]

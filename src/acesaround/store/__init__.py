"""The store: durable table logs, and data about people and devices.

`schema` defines the database tables, `store` reads and writes them, and `migrations` upgrades older
databases. The store treats a log entry as JSON text and does not interpret it.
"""

from acesaround.store.devices import Device, LastDevice, NotSignedIn
from acesaround.store.engine import DEFAULT_TIMEOUTS, Timeouts
from acesaround.store.errors import CorruptData, DatabaseUnavailable, SequenceConflict, StoreError
from acesaround.store.store import Link, Store
from acesaround.store.table_lists import ListSection, LobbyTable, TableListing

__all__ = [
    "DEFAULT_TIMEOUTS",
    "CorruptData",
    "DatabaseUnavailable",
    "Device",
    "LastDevice",
    "Link",
    "ListSection",
    "LobbyTable",
    "NotSignedIn",
    "SequenceConflict",
    "Store",
    "StoreError",
    "TableListing",
    "Timeouts",
]

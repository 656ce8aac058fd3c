"""Where tables are kept: the log of each, durable before anything is acknowledged.

`schema` names the database's tables, `store` reads and writes them, `migrations` brings an older
database up to date. A log entry is JSON text here and nothing more.
"""

from acesaround.store.devices import Device, LastDevice, NotSignedIn
from acesaround.store.faults import Damaged, Taken, Unsaved
from acesaround.store.store import PATIENCE, Line, Link, Patience, Spot, Store, StoreError

__all__ = [
    "PATIENCE",
    "Damaged",
    "Device",
    "LastDevice",
    "Line",
    "Link",
    "NotSignedIn",
    "Patience",
    "Spot",
    "Store",
    "StoreError",
    "Taken",
    "Unsaved",
]

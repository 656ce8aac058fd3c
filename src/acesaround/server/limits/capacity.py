"""How many connections there is room for. Each is an open file, and the system allows so many.

One that is beyond that limit is lost without a word, and so is a database that has to be opened.
So the server counts for itself and stays well below.
"""

from __future__ import annotations

import contextlib
import resource
from typing import Final

import msgspec

_WANTED: Final = 65_536
"""Open files that are asked for; more would serve nobody before memory is the limit."""
_OWN: Final = 100
"""Open files that are no connections: database, pipes of bots that are programs, the log."""
_SOCKETS: Final = 20_000
_REQUESTS: Final = 8_000


class ConnectionCapacity(msgspec.Struct, frozen=True):
    """What one process takes at once, within the limit of open `files`.

    `sockets`: WebSockets, which stay; `requests`: all other connections, which come and go.
    """

    files: int
    sockets: int
    requests: int


def capacity_for(files: int) -> ConnectionCapacity:
    """What that many open files are room for. Each request may read a file while it is answered."""
    free = max(files - _OWN, 16)
    requests = min(free // 4, _REQUESTS)
    return ConnectionCapacity(files, min(free - 2 * requests, _SOCKETS), requests)


def current_capacity() -> ConnectionCapacity:
    """The room by the present limit."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return capacity_for(_WANTED if soft == resource.RLIM_INFINITY else soft)


def raise_file_limit() -> ConnectionCapacity:
    """Raise the limit as far as is of use and allowed; the room there is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _WANTED if hard == resource.RLIM_INFINITY else min(hard, _WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):  # macOS allows less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return current_capacity()

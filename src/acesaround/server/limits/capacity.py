"""Connection capacity: how many connections the limit on open files allows.

The system drops connections beyond that limit silently, and then no database can be opened either.
So the server counts its connections and stays well below the limit. Without `resource` (on Windows)
the limit is not known and not raised: the server assumes a low one.
"""

from __future__ import annotations

import contextlib
from typing import Final

import msgspec

_MAX_OPEN_FILES: Final = 65_536
"""The wanted limit on open files. With more, memory runs out first."""
_ASSUMED_OPEN_FILES: Final = 512
"""The limit on open files that is assumed where the system does not tell it."""
_RESERVED_FILES: Final = 100
"""Open files that are not connections: the database, pipes to bot programs, the log."""
_MAX_SOCKETS: Final = 20_000
_MAX_REQUESTS: Final = 8_000


class ConnectionCapacity(msgspec.Struct, frozen=True):
    """The capacity of one process within the limit of open `open_files`.

    `sockets`: the maximum of WebSockets. `requests`: the maximum of other connections.
    """

    open_files: int
    sockets: int
    requests: int

    @property
    def reserved_sockets(self) -> int:
        """How many WebSocket slots are reserved for people with a seat at the table they open."""
        return self.sockets // 8

    @property
    def accepts_per_turn(self) -> int:
        """How many connections to accept in a turn of the event loop.

        The number is far below the limit, so the server reads their requests before it has to close
        any of them.
        """
        return max(1, self.requests // 8)


def capacity_for(open_files: int) -> ConnectionCapacity:
    """Return the capacity for a limit on open files. Each request may need a second file."""
    available = max(open_files - _RESERVED_FILES, 16)
    requests = min(available // 4, _MAX_REQUESTS)
    return ConnectionCapacity(open_files, min(available - 2 * requests, _MAX_SOCKETS), requests)


def current_capacity() -> ConnectionCapacity:
    """Return the capacity under the present limit."""
    return capacity_for(_file_limits()[0])


def raise_file_limit() -> ConnectionCapacity:
    """Raise the limit on open files as far as useful and allowed; return the capacity."""
    soft, hard = _file_limits()
    target = min(hard, _MAX_OPEN_FILES)
    if soft < target:
        import resource

        _, exact_hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):  # macOS allows less than it reports
            resource.setrlimit(resource.RLIMIT_NOFILE, (target, exact_hard))
    return current_capacity()


def _file_limits() -> tuple[int, int]:
    """Return the limit on open files and the limit up to which it may be raised.

    `_MAX_OPEN_FILES` stands for no limit.
    """
    try:
        import resource
    except ImportError:
        return _ASSUMED_OPEN_FILES, _ASSUMED_OPEN_FILES
    soft, hard = (
        _MAX_OPEN_FILES if limit == resource.RLIM_INFINITY else limit
        for limit in resource.getrlimit(resource.RLIMIT_NOFILE)
    )
    return soft, hard

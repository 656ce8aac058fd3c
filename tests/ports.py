"""Ports for servers that tests start, kill and start again.

The system gives outgoing connections ports of its own range. If a test found a free port in that
range, another connection could take it before the test listens, or while the test restarts its
server. A client that tries such a port again and again may even connect to itself. So this module
uses ports below that range.
"""

from __future__ import annotations

import fcntl
import os
import socket
import tempfile
from pathlib import Path
from typing import Final

_RANGE: Final = Path("/proc/sys/net/ipv4/ip_local_port_range")
_LOWEST: Final = 10_081  # browsers refuse some ports up to 10080 (ERR_UNSAFE_PORT)
_USUAL: Final = 32_768  # where that range begins on Linux; on macOS it begins later
_COUNTER: Final = Path(tempfile.gettempdir()) / f"acesaround-test-ports-{os.getuid()}"


def free_port() -> int:
    """Return a port of 127.0.0.1 at which nobody listens and which no other test gets.

    All test processes of this user count on in one file, so a port comes again when thousands of
    others have been given. Raises `RuntimeError` where none is free.
    """
    above = _first_of_the_system()
    with _COUNTER.open("a+") as counter:
        fcntl.flock(counter, fcntl.LOCK_EX)  # let go when the file is closed
        counter.seek(0)
        written = counter.read()
        last = int(written) if written.isdecimal() else _LOWEST - 1
        for step in range(1, above - _LOWEST + 1):
            port = _LOWEST + (last + step - _LOWEST) % (above - _LOWEST)
            if _is_free(port):
                counter.truncate(0)
                counter.write(str(port))
                return port
    raise RuntimeError(f"Each port from {_LOWEST} to {above - 1} is in use.")


def _first_of_the_system() -> int:
    """The first port that outgoing connections may have."""
    try:
        first = int(_RANGE.read_text().split()[0])
    except (OSError, ValueError, IndexError):
        return _USUAL
    if first <= _LOWEST:
        raise RuntimeError(f"{_RANGE} begins at {first}, and tests need ports below it.")
    return first


def _is_free(port: int) -> bool:
    with socket.socket() as asking:
        try:
            asking.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True

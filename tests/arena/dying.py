"""What a worker process runs whose leg always kills it."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection


def work(pipe: Connection, _what: bytes, _record: bool) -> None:
    """Begin, take a leg and come to an end."""
    pipe.send(None)
    pipe.recv()
    os._exit(3)


def never(_pipe: Connection, _what: bytes, _record: bool) -> None:
    """Come to an end before the begin."""
    os._exit(4)

"""What a worker process runs whose leg always kills it."""

from __future__ import annotations

import os
from multiprocessing.connection import Connection

from acesaround.arena.match import Match


def work(pipe: Connection, _match: Match, _record: bool) -> None:
    """Take a leg and come to an end."""
    pipe.recv()
    os._exit(1)

"""What one process counts at this moment: its tables, its thinking, its memory and open files."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from acesaround.server.live.live_table import TableRegistry
from acesaround.server.observability.metrics import Figures

_STATES = ("lobby", "playing", "over")


def process_figures(hub: TableRegistry) -> Figures:
    """Every figure of this process by its name, as `metrics` has them."""
    tables = Counter(live.state for live in hub.loaded_tables)
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return {
        "processes": [1],
        "ready": [int(hub.players.thinkers.ready)],
        **{f"tables {state}": [tables[state]] for state in _STATES},
        **hub.players.thinkers.figures,
        **hub.metrics.figures,
        "processor_seconds_total": [time.process_time()],
        "resident_bytes": [_resident()],
        "open_files": [_open_files()],
        "open_files_limit": [soft],
        "damaged": [int(bool(hub.store.damage))],
    }


async def idle_tables(hub: TableRegistry, awake: float) -> Figures:
    """The tables in the database beside those that some process has in memory. Raises Unsaved."""
    return {"tables asleep": [max(0, await hub.store.count() - awake)]}


def _resident() -> int:
    """Bytes of memory in use; where the system does not tell, the most there have been."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _open_files() -> int:
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return 0

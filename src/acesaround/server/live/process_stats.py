"""The current metrics of one process: tables, bot requests, memory and open files."""

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
    """Return all metrics of this process by the names in `observability.metrics`."""
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
    """Return the metric of tables that no process has in memory. Raises DatabaseUnavailable.

    `awake`: the number of tables in the memory of all processes.
    """
    return {"tables asleep": [max(0, await hub.store.count() - awake)]}


def _resident() -> int:
    """Return the bytes of memory in use, or the peak if the system does not give that figure."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _open_files() -> int:
    try:
        return len(os.listdir("/dev/fd"))
    except OSError:
        return 0

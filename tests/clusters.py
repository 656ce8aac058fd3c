"""Dask clusters for tests.

Dask leaves sockets and transports to the garbage collector. Their warnings would fail a later
test, so a module that starts clusters collects them at its end.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any, Final

import pytest

from tests.waiting import PATIENCE_SECONDS

LEFT_OPEN: Final = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""The marks of a module that starts clusters, for warnings of the garbage collector."""


@pytest.fixture(scope="module", autouse=True)
def nothing_left() -> Iterator[None]:
    """Collect garbage at the end of a module, while its marks apply.

    A module binds this fixture to its own name, and its fixture of a cluster requests it.
    """
    yield
    for _ in range(3):  # collected objects may release others
        gc.collect()


def of_processes(workers: int, port: int = 0) -> Any:
    """Start a scheduler and worker processes, which are restarted when they are killed."""
    return _cluster(n_workers=workers, scheduler_port=port)


def of_bots(workers: int, port: int = 0, **more: Any) -> Any:
    """Start a scheduler and worker processes with the preload for bots, at the usual priority."""
    preload = ["tests.usual_priority", "acesaround.bots.pool.dask_preload"]
    return _cluster(n_workers=workers, scheduler_port=port, preload=preload, **more)


def in_this_process(workers: int) -> Any:
    """Start a scheduler and workers in this process, for tests that close them."""
    return _cluster(n_workers=workers, threads_per_worker=None, processes=False, protocol="tcp://")


def _cluster(**more: Any) -> Any:
    """Start a cluster that waits for its restarted workers.

    Dask closes a worker for good that is not back after 15 seconds. A slow machine needs longer to
    import the packages and to load the kernels.
    """
    import dask
    from distributed import LocalCluster

    dask.config.set({"distributed.deploy.lost-worker-timeout": f"{10 * PATIENCE_SECONDS}s"})
    usual = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    return LocalCluster(**usual | more, silence_logs=60)

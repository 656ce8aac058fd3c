"""Dask clusters of the tests, and their end.

Dask leaves sockets and transports to the garbage collector. What is collected in a later test would
fail that one, so a module that starts clusters collects all of it at its end.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any, Final

import pytest

LEFT_OPEN: Final = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
"""The marks of a module that starts clusters: the collector may come by in any of its tests."""


@pytest.fixture(scope="module", autouse=True)
def nothing_left() -> Iterator[None]:
    """Collect at the end of a module what its clusters left, while its marks hold.

    A module binds this to a name of its own, and its fixture of a cluster asks for it.
    """
    yield
    for _ in range(3):  # what is collected may hold others that can be collected only then
        gc.collect()


def of_processes(workers: int, port: int = 0) -> Any:
    """A scheduler, and workers in processes that are started again when they are killed."""
    return _cluster(n_workers=workers, scheduler_port=port)


def of_bots(workers: int, port: int = 0, **more: Any) -> Any:
    """The same, and the workers have prepared for bots."""
    preload = ["acesaround.bots.pool.dask_preload"]
    return _cluster(n_workers=workers, scheduler_port=port, preload=preload, **more)


def in_this_process(workers: int) -> Any:
    """A scheduler and workers in this process, for a test that takes them away."""
    return _cluster(n_workers=workers, threads_per_worker=None, processes=False, protocol="tcp://")


def _cluster(**more: Any) -> Any:
    from distributed import LocalCluster

    usual = {"threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    return LocalCluster(**usual | more, silence_logs=60)

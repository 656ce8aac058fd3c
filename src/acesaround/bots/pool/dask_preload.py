"""Prepares a Dask worker for bots: `dask worker --preload acesaround.bots.pool.dask_preload`.

The worker loads the search kernels before it joins the cluster, and compiles them if needed. Then
it offers one unit of a resource for each of its threads. The name of the resource contains the
version, so that servers send requests only to workers of their own version.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from distributed import Worker

from acesaround import __version__, optional_dependencies
from acesaround.workers.priority import lower_priority

RESOURCE: Final = f"acesaround {__version__}"
_NICE: Final = 10
_LOG: Final = logging.getLogger(__name__)


async def dask_setup(worker: Worker) -> None:
    """Prepare a worker. Dask logs errors, and the worker then offers no resource."""
    if (package := optional_dependencies.missing_package("fast")) is not None:
        raise optional_dependencies.missing_extra_error("A bot that searches", package, "fast")
    lower_priority(_NICE)
    await asyncio.to_thread(_load_kernels)
    worker.state.total_resources[RESOURCE] = worker.state.nthreads
    worker.state.available_resources[RESOURCE] = worker.state.nthreads


def _load_kernels() -> None:
    from acesaround.bots.search import compile_kernels

    if not compile_kernels.is_ready():
        _LOG.warning("preparing the strong bots, once")
    compile_kernels.prepare()

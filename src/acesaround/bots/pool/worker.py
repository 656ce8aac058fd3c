"""The code that runs in worker processes and in the process that compiles kernels for them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Final

import msgspec

from acesaround.bots.pool.request import BotRequest, decide_or_failure
from acesaround.workers.priority import lower_priority, set_idle_priority

_NICE: Final = 10
"""The nice value of a worker, so that the server and other programs come first."""
_THREADS: Final = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class WarmupJob(msgspec.Struct, frozen=True):
    """The first job of a process: to load the compiled kernels.

    `compiles`: whether to compile missing kernels too.
    """

    compiles: bool


def make_worker() -> Callable[[WarmupJob | BotRequest], object]:
    """Return the function that does a worker's jobs.

    The function answers a BotRequest with advice or a failure, and a WarmupJob with whether the
    worker is ready. A worker uses one thread, because other requests have processes of their own.
    """
    lower_priority(_NICE)
    _prepare()
    return _do


def make_compiler() -> Callable[[WarmupJob], bool]:
    """Return the function that compiles kernels for later processes, at idle priority."""
    set_idle_priority()
    _prepare()
    return _compile


def _prepare() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a service manager sends it to workers too
    for name in _THREADS:
        os.environ[name] = "1"


def _do(job: WarmupJob | BotRequest) -> object:
    if isinstance(job, BotRequest):
        return decide_or_failure(job)
    from acesaround.bots.search import compile_kernels

    if not compile_kernels.is_ready():
        if not job.compiles:
            return False
        set_idle_priority()
    compile_kernels.load()
    return True


def _compile(_: WarmupJob) -> bool:
    from acesaround.bots.search import compile_kernels
    from acesaround.fast.cache import kernel_cache_folder

    if kernel_cache_folder() is not None:  # without a cache the compiled kernels would be lost
        compile_kernels.compile_once()
    return True

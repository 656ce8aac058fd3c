"""The functions that run in worker processes and in the process that compiles kernels for them."""

from __future__ import annotations

import os
import signal
from typing import Final

from acesaround.workers.priority import lower_priority, set_idle_priority

_NICE: Final = 10
"""The nice value of a worker, so that the server and other programs come first."""
_THREADS: Final = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def set_up() -> None:
    """Set up a worker. It uses one thread, because other requests have processes of their own."""
    lower_priority(_NICE)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a service manager sends it to workers too
    for name in _THREADS:
        os.environ[name] = "1"


def load_kernels(compiles: bool) -> bool:
    """Set up a worker and load the kernels; return whether the worker is ready.

    `compiles`: whether to compile missing kernels, at idle priority.
    """
    set_up()
    from acesaround.bots.search import compile_kernels

    if not compile_kernels.is_ready():
        if not compiles:
            return False
        set_idle_priority()
    compile_kernels.load()
    return True


def compile_at_idle_priority() -> None:
    """Compile the kernels for later processes."""
    set_up()
    set_idle_priority()
    from acesaround.bots.search import compile_kernels
    from acesaround.fast.cache import kernel_cache_folder

    if kernel_cache_folder() is not None:  # without a cache the compiled kernels would be lost
        compile_kernels.compile_once()

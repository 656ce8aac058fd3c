"""What runs in a process that thinks, and in one that compiles what the others think with."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Final

import msgspec

from acesaround.bots.pool.request import BotRequest, decide_or_failure
from acesaround.workers.priority import lower_priority, set_idle_priority

_NICE: Final = 10
"""By how much a thinker comes after the server, and after all that people do on this machine."""
_THREADS: Final = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class WarmupJob(msgspec.Struct, frozen=True):
    """The first job: to load what is compiled, and where it `compiles` to compile the rest."""

    compiles: bool


def make_worker() -> Callable[[WarmupJob | BotRequest], object]:
    """Answers questions; whether it can, to `Load`. One thread: others have processes for them."""
    lower_priority(_NICE)
    _prepare()
    return _do


def make_compiler() -> Callable[[WarmupJob], bool]:
    """Compiles for processes to come, where nobody else wants the core."""
    set_idle_priority()
    _prepare()
    return _compile


def _prepare() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a service manager tells everybody
    for name in _THREADS:
        os.environ[name] = "1"


def _do(job: WarmupJob | BotRequest) -> object:
    if isinstance(job, BotRequest):
        return decide_or_failure(job)
    from acesaround.bots.search import compile_kernels

    if not compile_kernels.ready():
        if not job.compiles:
            return False
        set_idle_priority()
    compile_kernels.load()
    return True


def _compile(_: WarmupJob) -> bool:
    from acesaround.bots.search import compile_kernels
    from acesaround.fast.cache import folder

    if folder() is not None:  # else nothing of it would be left
        compile_kernels.compile_once()
    return True

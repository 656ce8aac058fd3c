"""What runs in a process that thinks, and in one that compiles what the others think with."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Final

import msgspec

from acesaround.elsewhere.priority import come_last, step_back
from acesaround.minds.question import Question, answered

_NICE: Final = 10
"""By how much a thinker comes after the server, and after all that people do on this machine."""
_THREADS: Final = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")


class Load(msgspec.Struct, frozen=True):
    """The first job: to load what is compiled, and where it `compiles` to compile the rest."""

    compiles: bool


def thinker() -> Callable[[Load | Question], object]:
    """Answers questions; whether it can, to `Load`. One thread: others have processes for them."""
    step_back(_NICE)
    _prepare()
    return _do


def compiler() -> Callable[[Load], bool]:
    """Compiles for processes to come, where nobody else wants the core."""
    come_last()
    _prepare()
    return _compile


def _prepare() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a service manager tells everybody
    for name in _THREADS:
        os.environ[name] = "1"


def _do(job: Load | Question) -> object:
    if isinstance(job, Question):
        return answered(job)
    from acesaround.bots.search import ready

    if not ready.ready():
        if not job.compiles:
            return False
        come_last()
    ready.load()
    return True


def _compile(_: Load) -> bool:
    from acesaround.bots.search import ready
    from acesaround.fast.cache import folder

    if folder() is not None:  # else nothing of it would be left
        ready.compile_once()
    return True

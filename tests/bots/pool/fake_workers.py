"""What processes of the tests think with: nothing that is compiled yet, nothing, or no end."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import msgspec

from acesaround.bots.pool import worker as real
from acesaround.bots.pool.request import BotRequest, decide_or_failure
from acesaround.bots.pool.worker import WarmupJob


class Compiler(msgspec.Struct, frozen=True):
    """Notes how much of a hurry whoever compiles is in, and compiles nothing: on a busy machine
    that one would never come to an end."""

    note: Path

    def __call__(self) -> Callable[[WarmupJob], bool]:
        """What does it."""
        real.make_compiler()

        def do(job: WarmupJob) -> bool:
            assert job.compiles
            policy = os.sched_getscheduler(0) if hasattr(os, "SCHED_IDLE") else -1
            self.note.write_text(f"{os.getpriority(os.PRIO_PROCESS, 0)} {policy}")
            return True

        return do


class Thinker(msgspec.Struct, frozen=True):
    """Thinks once that note is there."""

    note: Path

    def __call__(self) -> Callable[[object], object]:
        """What does it."""
        real.make_worker()
        do = quick()

        def thinks(job: object) -> object:
            if isinstance(job, WarmupJob) and not self.note.exists():
                assert not job.compiles, "each would compile for itself"
                return False
            return do(job)

        return thinks


def in_a_hurry() -> Callable[[WarmupJob | BotRequest], object]:
    """Thinks, and comes after nobody: on a busy machine it would hardly be ready in a minute."""
    real._prepare()
    return real._do


def quick() -> Callable[[object], object]:
    """It is ready at once, for it loads no kernels: only bots that do not search can be asked. An
    expert thinks for ever."""

    def thinks(job: object) -> object:
        if isinstance(job, BotRequest) and job.bot == "expert":
            threading.Event().wait()  # takes no core from the processes that are to start
        return decide_or_failure(job) if isinstance(job, BotRequest) else True

    return thinks


def broken() -> Callable[[object], object]:
    """No process thinks here."""
    raise ImportError("numba needs another numpy")

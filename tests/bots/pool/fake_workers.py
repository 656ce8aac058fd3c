"""Replacements for the work of pool processes: no compiling, failure, or no end."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import msgspec

from acesaround.bots.pool import worker as real
from acesaround.bots.pool.request import BotRequest, WorkerTask, decide_or_failure, name_of


class Compiler(msgspec.Struct, frozen=True):
    """Writes its priority to a file. Compiling would take too long on a busy machine."""

    note: Path

    def __call__(self) -> None:
        from acesaround.bots.search import compile_kernels

        compile_kernels.compile_once = self._compile  # type: ignore[assignment]
        real.compile_at_idle_priority()

    def _compile(self) -> None:
        policy = os.sched_getscheduler(0) if hasattr(os, "SCHED_IDLE") else -1
        self.note.write_text(f"{os.getpriority(os.PRIO_PROCESS, 0)} {policy}")


class Loader(msgspec.Struct, frozen=True):
    """Loads nothing, and is ready as soon as a file exists."""

    note: Path

    def __call__(self, compiles: bool) -> bool:
        real.set_up()
        if not self.note.exists():
            assert not compiles, "several processes would compile"
        return self.note.exists()


def load_at_normal_priority(_compiles: bool) -> bool:
    """Load at normal priority, because idle priority may take minutes on a busy machine."""
    from acesaround.bots.search import compile_kernels

    compile_kernels.load()
    return True


def load_nothing(_compiles: bool) -> bool:
    """Be ready at once; only bots that do not search can run."""
    return True


def load_broken(_compiles: bool) -> bool:
    """Raise ImportError."""
    raise ImportError("numba needs another numpy")


def decide_or_hang(request: BotRequest | WorkerTask[Any]) -> object:
    """Decide, but never return for `expert`."""
    if name_of(request) == "expert":
        threading.Event().wait()  # uses no CPU
    return decide_or_failure(request)

"""What processes of the tests think with: nothing that is compiled yet, nothing, or no end."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import msgspec

from acesaround.bots.advice import Advice
from acesaround.bots.pool import worker as real
from acesaround.bots.pool.request import BotFailure, BotRequest, decide_or_failure


class Compiler(msgspec.Struct, frozen=True):
    """Notes how much of a hurry whoever compiles is in, and compiles nothing: on a busy machine
    that one would never come to an end."""

    note: Path

    def __call__(self) -> None:
        from acesaround.bots.search import compile_kernels

        compile_kernels.compile_once = self._compile  # type: ignore[assignment]
        real.compile_at_idle_priority()

    def _compile(self) -> None:
        policy = os.sched_getscheduler(0) if hasattr(os, "SCHED_IDLE") else -1
        self.note.write_text(f"{os.getpriority(os.PRIO_PROCESS, 0)} {policy}")


class Loader(msgspec.Struct, frozen=True):
    """Is ready once that note is there."""

    note: Path

    def __call__(self, compiles: bool) -> bool:
        real.set_up()
        if not self.note.exists():
            assert not compiles, "each would compile for itself"
        return self.note.exists()


def load_in_a_hurry(_compiles: bool) -> bool:
    """Load, and come after nobody: on a busy machine it would hardly be ready in a minute."""
    from acesaround.bots.search import compile_kernels

    compile_kernels.load()
    return True


def load_nothing(_compiles: bool) -> bool:
    """Be ready at once: only bots that do not search can be asked."""
    return True


def load_broken(_compiles: bool) -> bool:
    """No process thinks here."""
    raise ImportError("numba needs another numpy")


def decide_or_hang(question: BotRequest) -> Advice | BotFailure:
    """Decide; an expert thinks for ever."""
    if question.bot == "expert":
        threading.Event().wait()  # takes no core from the processes that are to start
    return decide_or_failure(question)

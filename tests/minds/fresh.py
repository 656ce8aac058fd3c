"""What processes of the tests think with: nothing that is compiled yet, nothing, or no end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from acesaround.minds import thinker as real
from acesaround.minds.question import Question
from acesaround.minds.thinker import Load


class Compiler(msgspec.Struct, frozen=True):
    """Notes how much of a hurry whoever compiles is in, and compiles nothing: on a busy machine
    that one would never come to an end."""

    note: Path

    def __call__(self) -> Callable[[Load], bool]:
        """What does it."""
        real.compiler()

        def do(job: Load) -> bool:
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
        do = real.thinker()

        def thinks(job: object) -> object:
            if isinstance(job, Load) and not self.note.exists():
                assert not job.compiles, "each would compile for itself"
                return False
            return do(job)  # type: ignore[arg-type]  # it is a question, then

        return thinks


def endless() -> Callable[[object], object]:
    """An expert thinks for ever."""
    do = real.thinker()

    def thinks(job: object) -> object:
        while isinstance(job, Question) and job.bot == "expert":
            pass
        return do(job)  # type: ignore[arg-type]  # likewise

    return thinks


def broken() -> Callable[[object], object]:
    """No process thinks here."""
    raise ImportError("numba needs another numpy")

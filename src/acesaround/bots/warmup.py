"""Getting the bots that search ready in the background, once a process, and how far that is.

Nothing is imported for it before it begins: whoever draws a page or serves one is not held up.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache


class Warmup:
    """`ready` is set when the bots answer at once. `failed`: why they never will, else None."""

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.failed: Exception | None = None
        self.compiles = False
        """Whether something is being compiled: it then takes most of a minute, else seconds."""
        self._begun = threading.Lock()
        self._step = (0, 0, "")

    def begin(self, told: Callable[[], None] | None = None) -> None:
        """Begin, unless that was done. `told` is called if there is something to compile."""
        if self._begun.acquire(blocking=False):
            threading.Thread(target=self._run, args=(told,), daemon=True, name="compiling").start()

    def _run(self, told: Callable[[], None] | None) -> None:
        try:
            from acesaround.bots.search.compile_kernels import prepare, ready

            self.compiles = not ready()
            if self.compiles and told is not None:
                told()
            prepare(self._hear)
        except Exception as error:
            self.failed = error
        self.ready.set()

    def _hear(self, done: int, of: int, name: str) -> None:
        self._step = done, of, name

    def __str__(self) -> str:
        """How far it is, for people."""
        done, of, name = self._step
        if not self.compiles or not name:
            return "The bots get ready …"
        return f"The bots get ready, this once: {name} ({done + 1} of {of}) …"


@cache
def process_warmup() -> Warmup:
    """The one of this process."""
    return Warmup()

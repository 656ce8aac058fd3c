"""The warmup of bots that search: in the background, once per process, with its progress.

Nothing heavy is imported before the warmup begins, so that drawing or serving a page is not
delayed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache


class Warmup:
    """The warmup of the search kernels in a background thread.

    `ready` is set when the warmup is over. `failed`: the error if the warmup failed, else None.
    """

    def __init__(self) -> None:
        self.ready = threading.Event()
        self.failed: Exception | None = None
        self.compiles = False
        """Whether kernels are being compiled.

        Compiling takes most of a minute, loading only seconds.
        """
        self._begun = threading.Lock()
        self._step = (0, 0, "")

    def begin(self, told: Callable[[], None] | None = None) -> None:
        """Start the warmup, unless it was started before.

        `told`: the callback for the case that there is something to compile.
        """
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
        """Return the progress, as text for people."""
        done, of, name = self._step
        if not self.compiles or not name:
            return "The bots get ready …"
        return f"The bots get ready, this once: {name} ({done + 1} of {of}) …"


@cache
def process_warmup() -> Warmup:
    """Return the warmup of this process."""
    return Warmup()

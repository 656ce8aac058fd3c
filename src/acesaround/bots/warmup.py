"""The warmup of bots that search: in the background, once per process, with its progress.

It imports no large module before the warmup begins, so that the first screen or page is not
delayed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache


class Warmup:
    """The warmup of the search kernels in a background thread.

    `ready` is set when the warmup is over. `error`: the error if the warmup failed, else None.
    """

    def __init__(self) -> None:
        self.ready: threading.Event = threading.Event()
        self.error: Exception | None = None
        self.is_compiling: bool = False
        """Whether kernels are being compiled.

        Compiling takes most of a minute, loading only seconds.
        """
        self._start_lock = threading.Lock()
        self._progress = (0, 0, "")

    def start(self, on_compile: Callable[[], None] | None = None) -> None:
        """Start the warmup, unless it was started before.

        `on_compile`: the callback for the case that there is something to compile.
        """
        if self._start_lock.acquire(blocking=False):
            threading.Thread(
                target=self._run, args=(on_compile,), daemon=True, name="compiling"
            ).start()

    def _run(self, on_compile: Callable[[], None] | None) -> None:
        try:
            from acesaround.bots.search.compile_kernels import is_ready, prepare

            self.is_compiling = not is_ready()
            if self.is_compiling and on_compile is not None:
                on_compile()
            prepare(self._on_progress)
        except Exception as error:
            self.error = error
        self.ready.set()

    def _on_progress(self, done: int, total: int, name: str) -> None:
        self._progress = done, total, name

    def __str__(self) -> str:
        """Return the progress, as text for people."""
        done, total, name = self._progress
        if not self.is_compiling or not name:
            return "The bots are starting …"
        return f"The bots get ready, once after installing: step {done + 1} of {total} …"


@cache
def process_warmup() -> Warmup:
    """Return the warmup of this process."""
    return Warmup()

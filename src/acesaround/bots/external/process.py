"""A program that is spoken to in lines: started, told, heard with a time limit, ended.

Nothing of cards is known here. One loop writes, reads and keeps what the program says on standard
error, so that no full pipe can hold anybody up.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Final

LONGEST: Final = 64 * 1024
"""Bytes that a line may have."""
MOST: Final = 1024 * 1024
"""Bytes that may be said before a line is asked for again."""
_KEPT: Final = 4096  # bytes of standard error
_OWN: Final = "ACESAROUND_"  # of the environment: what a server is set to is not for programs
_CHUNK: Final = 64 * 1024
_PATIENCE: Final = 1.0  # seconds to end in, first when told to and then when made to


class ProcessExitedError(Exception):
    """The program cannot be started or has ended. `str` is why, for the middle of a sentence."""


class ResponseTimeoutError(Exception):
    """The time is up and the line has not come."""


class OutputTooLongError(Exception):
    """More was said than anybody reads. `str` is what, for the middle of a sentence."""


class Process:
    """A running program. Raises EndedError if it cannot be started."""

    def __init__(self, words: Sequence[str]) -> None:
        try:
            # A session of its own: Ctrl-C is for the program that plays, which then ends this one.
            self._process = subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={k: v for k, v in os.environ.items() if not k.startswith(_OWN)},
                start_new_session=True,
            )
        except OSError as error:
            raise ProcessExitedError(f"it cannot be started: {error.strerror or error}") from None
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        assert stdin is not None and stdout is not None and stderr is not None
        self._stdin, self._stdout, self._stderr = stdin, stdout, stderr
        self._selector = selectors.DefaultSelector()
        for pipe in (stdin, stdout, stderr):
            os.set_blocking(pipe.fileno(), False)
        self._selector.register(stdout, selectors.EVENT_READ, self._read)
        self._selector.register(stderr, selectors.EVENT_READ, self._read_errors)
        self._unsaid = b""
        self._heard = bytearray()
        self._errors = b""
        self._said = 0  # bytes since the last `tell`
        self._open = True  # its standard output

    def pending_lines(self) -> list[bytes]:
        """The lines it has said already, taken away."""
        self._look()
        *lines, rest = self._heard.split(b"\n")
        self._heard = rest
        return [bytes(line) for line in lines]

    def write_line(self, line: bytes) -> None:
        """Give it a line, written while it is listened to."""
        if not self._unsaid:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)
        self._unsaid += line + b"\n"
        self._said = len(self._heard)

    def read_line(self, until: float) -> bytes:
        """The next line, without its end. `until`: the moment on the monotonic clock to give up.

        Raises EndedError, SilentError and BabbleError.
        """
        while True:
            left = until - time.monotonic()
            if left <= 0:
                raise ResponseTimeoutError
            end = self._heard.find(b"\n")
            if (end if end >= 0 else len(self._heard)) > LONGEST:
                raise OutputTooLongError(f"a line of more than {LONGEST} bytes")
            if self._said > MOST:
                raise OutputTooLongError(f"more than {MOST} bytes for one decision")
            if end >= 0:
                line = bytes(self._heard[:end])
                del self._heard[: end + 1]
                return line
            if not self._open:
                raise ProcessExitedError(self._why())
            self._look(left)

    def _look(self, seconds: float = 0) -> None:
        """Write and read what can be at once, waiting for it that long."""
        for key, _ in self._selector.select(seconds):
            key.data()

    def _write(self) -> None:
        try:
            self._unsaid = self._unsaid[self._stdin.write(self._unsaid) or 0 :]
        except OSError:  # nobody reads there any more
            self._unsaid, self._open = b"", False
        if not self._unsaid:
            self._selector.unregister(self._stdin)

    def _read(self) -> None:
        chunk = self._stdout.read(_CHUNK)
        if chunk:
            self._heard += chunk
            self._said += len(chunk)
        elif chunk is not None:
            self._open = False
            self._selector.unregister(self._stdout)

    def _read_errors(self) -> None:
        chunk = self._stderr.read(_CHUNK)
        if chunk:
            self._errors = (self._errors + chunk)[-_KEPT:]
        elif chunk is not None:
            self._selector.unregister(self._stderr)

    def _why(self) -> str:
        """How it ended, and its last words on standard error."""
        try:
            status = self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            return "it closed its input or output"
        self._read_errors_to_the_end()
        how = f"it ended with status {status}" if status >= 0 else f"it ended by signal {-status}"
        words = self._errors.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(words) if line.strip()), "")
        shown = "".join(sign if sign.isprintable() else " " for sign in last)[:200]
        return f"{how} ({shown})" if shown else how

    def _read_errors_to_the_end(self) -> None:
        with contextlib.suppress(KeyError, OSError):
            while self._stderr in self._selector.get_map():
                before = self._errors
                self._read_errors()
                if self._errors is before:
                    return

    def terminate(self, farewell: bytes | None = None) -> None:
        """End it: by a last line and closed pipes; without a line, or if it stays, by force."""
        if farewell is not None:
            with contextlib.suppress(OSError):
                self._stdin.write(self._unsaid + farewell + b"\n")
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        if farewell is not None and self._gone():
            return
        self._strike(signal.SIGTERM)
        if not self._gone():
            self.kill()
            self._process.wait()

    def kill(self) -> None:
        """Strike it down. It is heard no more, and still has to be ended."""
        self._strike(signal.SIGKILL)

    def _gone(self) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        return self._process.returncode is not None

    def _strike(self, blow: signal.Signals) -> None:
        """Signal the program and what it has started."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, blow)

"""A subprocess that exchanges lines with this process, with time limits.

This module knows nothing of the game. One selector loop writes, reads, and collects standard error,
so that a full pipe never blocks either side.
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
"""The maximum length of a line, in bytes."""
MOST: Final = 1024 * 1024
"""The maximum number of bytes that the program may send in answer to one line."""
_KEPT: Final = 4096  # bytes of standard error that are kept
_OWN: Final = "ACESAROUND_"  # prefix of a server's environment variables, hidden from programs
_CHUNK: Final = 64 * 1024
_PATIENCE: Final = 1.0  # seconds to wait for the end, after a farewell and after a signal


class ProcessExitedError(Exception):
    """The program cannot be started or has ended. `str` gives the reason, as a clause."""


class ResponseTimeoutError(Exception):
    """The time limit passed before a line arrived."""


class OutputTooLongError(Exception):
    """The program sent more than the limits allow. `str` says what, as a noun phrase."""


class Process:
    """A running program. Raises ProcessExitedError if it cannot be started."""

    def __init__(self, words: Sequence[str]) -> None:
        try:
            # A new session, because Ctrl-C is for the main program, which then ends this one.
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
        self._said = 0  # bytes since the last `write_line`
        self._open = True  # False once its input or output is closed

    def pending_lines(self) -> list[bytes]:
        """Return and remove the complete lines received so far."""
        self._look()
        *lines, rest = self._heard.split(b"\n")
        self._heard = rest
        return [bytes(line) for line in lines]

    def write_line(self, line: bytes) -> None:
        """Queue a line for the program. The line is written while output is read."""
        if not self._unsaid:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)
        self._unsaid += line + b"\n"
        self._said = len(self._heard)

    def read_line(self, until: float) -> bytes:
        """Return the next line, without its line end.

        `until`: the deadline on the monotonic clock. Raises ProcessExitedError,
        ResponseTimeoutError and OutputTooLongError.
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
        """Write and read what is possible, waiting at most that many seconds."""
        for key, _ in self._selector.select(seconds):
            key.data()

    def _write(self) -> None:
        try:
            self._unsaid = self._unsaid[self._stdin.write(self._unsaid) or 0 :]
        except OSError:  # the program has closed its input
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
        """Return how the program ended, with its last line on standard error."""
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
        """End the program.

        With a `farewell` line, send that line and close the pipes first. Without one, or if the
        program keeps running, send SIGTERM and then SIGKILL.
        """
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
        """Kill the program. `terminate` must still be called afterwards."""
        self._strike(signal.SIGKILL)

    def _gone(self) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        return self._process.returncode is not None

    def _strike(self, blow: signal.Signals) -> None:
        """Send a signal to the program and its child processes."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, blow)

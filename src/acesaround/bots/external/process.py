"""A subprocess that exchanges lines with this process, with time limits.

This module does not depend on the game. One selector loop writes, reads, and collects standard
error, so that a full pipe never blocks either side.
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

MAX_LINE_BYTES: Final = 64 * 1024
"""The maximum length of a line, in bytes."""
MAX_RESPONSE_BYTES: Final = 1024 * 1024
"""The maximum number of bytes that the program may send in answer to one line."""
_MAX_STDERR_BYTES: Final = 4096  # bytes of standard error that are kept
_HIDDEN_ENV_PREFIX: Final = (
    "ACESAROUND_"  # prefix of a server's environment variables, hidden from programs
)
_CHUNK_BYTES: Final = 64 * 1024
_EXIT_WAIT_SECONDS: Final = 1.0  # seconds to wait for the end, after a farewell and after a signal


class ProcessExitedError(Exception):
    """The program cannot be started or has ended. `str` gives the reason, as a clause."""


class ResponseTimeoutError(Exception):
    """The time limit passed before a line arrived."""


class OutputTooLongError(Exception):
    """The program sent more than the limits allow. `str` says what, as a noun phrase."""


class Process:
    """A running program. Raises ProcessExitedError if it cannot be started."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            # A new session, because Ctrl-C is for the main program, which then ends this one.
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={k: v for k, v in os.environ.items() if not k.startswith(_HIDDEN_ENV_PREFIX)},
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
        self._write_buffer = b""
        self._read_buffer = bytearray()
        self._stderr_tail = b""
        self._response_bytes = 0  # bytes since the last `write_line`
        self._is_open = True  # False once its input or output is closed

    def pending_lines(self) -> list[bytes]:
        """Return and remove the complete lines received so far."""
        self._poll()
        *lines, rest = self._read_buffer.split(b"\n")
        self._read_buffer = rest
        return [bytes(line) for line in lines]

    def write_line(self, line: bytes) -> None:
        """Queue a line for the program. The line is written while output is read."""
        if not self._write_buffer:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._write)
        self._write_buffer += line + b"\n"
        self._response_bytes = len(self._read_buffer)

    def read_line(self, deadline: float) -> bytes:
        """Return the next line, without its line end.

        `deadline`: the deadline on the monotonic clock. Raises ProcessExitedError,
        ResponseTimeoutError and OutputTooLongError.
        """
        while True:
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise ResponseTimeoutError
            line_end = self._read_buffer.find(b"\n")
            if (line_end if line_end >= 0 else len(self._read_buffer)) > MAX_LINE_BYTES:
                raise OutputTooLongError(f"a line of more than {MAX_LINE_BYTES} bytes")
            if self._response_bytes > MAX_RESPONSE_BYTES:
                raise OutputTooLongError(f"more than {MAX_RESPONSE_BYTES} bytes for one decision")
            if line_end >= 0:
                line = bytes(self._read_buffer[:line_end])
                del self._read_buffer[: line_end + 1]
                return line
            if not self._is_open:
                raise ProcessExitedError(self._exit_description())
            self._poll(remaining)

    def _poll(self, seconds: float = 0) -> None:
        """Write and read what is possible, waiting at most that many seconds."""
        for key, _ in self._selector.select(seconds):
            key.data()

    def _write(self) -> None:
        try:
            self._write_buffer = self._write_buffer[self._stdin.write(self._write_buffer) or 0 :]
        except OSError:  # the program has closed its input
            self._write_buffer, self._is_open = b"", False
        if not self._write_buffer:
            self._selector.unregister(self._stdin)

    def _read(self) -> None:
        chunk = self._stdout.read(_CHUNK_BYTES)
        if chunk:
            self._read_buffer += chunk
            self._response_bytes += len(chunk)
        elif chunk is not None:
            self._is_open = False
            self._selector.unregister(self._stdout)

    def _read_errors(self) -> None:
        chunk = self._stderr.read(_CHUNK_BYTES)
        if chunk:
            self._stderr_tail = (self._stderr_tail + chunk)[-_MAX_STDERR_BYTES:]
        elif chunk is not None:
            self._selector.unregister(self._stderr)

    def _exit_description(self) -> str:
        """Return how the program ended, with its last line on standard error."""
        try:
            status = self._process.wait(_EXIT_WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            return "it closed its input or output"
        self._read_errors_to_the_end()
        status_text = (
            f"it ended with status {status}" if status >= 0 else f"it ended by signal {-status}"
        )
        lines = self._stderr_tail.decode(errors="replace").split("\n")
        last_line = next((line.strip() for line in reversed(lines) if line.strip()), "")
        detail = "".join(character if character.isprintable() else " " for character in last_line)[
            :200
        ]
        return f"{status_text} ({detail})" if detail else status_text

    def _read_errors_to_the_end(self) -> None:
        with contextlib.suppress(KeyError, OSError):
            while self._stderr in self._selector.get_map():
                previous = self._stderr_tail
                self._read_errors()
                if self._stderr_tail is previous:
                    return

    def terminate(self, farewell: bytes | None = None) -> None:
        """End the program.

        With a `farewell` line, send that line and close the pipes first. Without one, or if the
        program keeps running, send SIGTERM and then SIGKILL.
        """
        if farewell is not None:
            with contextlib.suppress(OSError):
                self._stdin.write(self._write_buffer + farewell + b"\n")
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            with contextlib.suppress(OSError):
                pipe.close()
        if farewell is not None and self._wait_for_exit():
            return
        self._send_signal(signal.SIGTERM)
        if not self._wait_for_exit():
            self.kill()
            self._process.wait()

    def kill(self) -> None:
        """Kill the program. `terminate` must still be called afterwards."""
        self._send_signal(signal.SIGKILL)

    def _wait_for_exit(self) -> bool:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_WAIT_SECONDS)
        return self._process.returncode is not None

    def _send_signal(self, signal_number: signal.Signals) -> None:
        """Send a signal to the program and its child processes."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal_number)

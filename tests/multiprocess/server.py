"""A server process that a test starts, kills and restarts, on one port."""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.multiprocess.server_fork_process import WORD, word
from tests.ports import free_port
from tests.waiting import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).parent.parent.parent
_REQUEST_LOCK = threading.Lock()


@functools.cache
def _fork_process_socket() -> socket.socket:
    """Return the socket to the process that forks servers. It ends with this process."""
    ours, theirs = socket.socketpair()
    with theirs:
        started = subprocess.Popen(
            [sys.executable, "-m", "tests.multiprocess.server_fork_process", str(theirs.fileno())],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C ends only this process, which then closes the socket
        )

    def end() -> None:
        ours.close()
        started.wait()

    atexit.register(end)
    return ours


class Process:
    """A server process, killed when this one ends. `served`: arguments of `fast_server.main`."""

    def __init__(self, served: list[Any], log: Path, files: int | None) -> None:
        self._status: int | None = None
        self._line, theirs = socket.socketpair()
        request = {
            "served": served,
            "log": str(log.absolute()),
            "files": files,
            "environment": dict(os.environ),
        }
        text = json.dumps(request).encode()
        with theirs, _REQUEST_LOCK:
            socket.send_fds(_fork_process_socket(), [word(len(text))], [theirs.fileno()])
            _fork_process_socket().sendall(text)
        pid = self._received(PATIENCE_SECONDS)
        assert pid is not None, "no server was forked"
        self.pid = pid

    def _received(self, seconds: float) -> int | None:
        """Return the next number from the line, or None after a timeout."""
        ready, _, _ = select.select([self._line], [], [], seconds)
        return int(self._line.recv(WORD, socket.MSG_WAITALL)) if ready else None

    def poll(self) -> int | None:
        """Return the exit status, or None while it runs."""
        return self._ended(0.0)

    def wait(self, seconds: float = PATIENCE_SECONDS) -> int:
        """Wait until it has ended, and return the exit status. Raise `TimeoutError`."""
        status = self._ended(seconds)
        if status is None:
            raise TimeoutError(f"The server still runs after {seconds:g} s.")
        return status

    def _ended(self, seconds: float) -> int | None:
        if self._status is None and (status := self._received(seconds)) is not None:
            self._status = status
            self._line.close()
        return self._status

    def send_signal(self, signal_number: int) -> None:
        if self.poll() is None:
            with suppress(OSError):  # it has ended just now
                self._line.send(word(signal_number))

    def kill(self) -> None:
        """Kill it, as a power failure would."""
        self.send_signal(signal.SIGKILL)
        self.wait()


class Server:
    """A server process. `log`: the file of its output. `files`: the limit of open files."""

    def __init__(self, url: str, log: Path, /, files: int | None = None, **settings: Any) -> None:
        self.port = free_port()
        self._files = files
        self.log = log
        self._served = [self.port, {"database_url": url, **settings}]
        self._process: Process | None = None

    def start(self) -> None:
        """Start it and wait until it answers. Raise `RuntimeError` if it ends."""
        self.begin()
        self.await_answer()

    def begin(self) -> None:
        self._process = Process(self._served, self.log, self._files)

    def await_answer(self) -> None:
        """Wait until it answers. Raise `RuntimeError` if it ends."""

        def settled() -> bool:
            return self.process.poll() is not None or self.answers()

        try:
            wait_until(settled, "the server answers")
        except AssertionError:
            self.kill()
        if self.process.poll() is not None:
            raise RuntimeError(f"The server did not start:\n{self.log.read_text()}")

    def answers(self) -> bool:
        """Return True if the server and its database answer."""
        url = f"http://127.0.0.1:{self.port}/health"
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as response:
                return bool(json.load(response)["ok"])
        except OSError:
            return False

    @property
    def running(self) -> bool:
        """True if it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def process(self) -> Process:
        assert self._process is not None
        return self._process

    def kill(self) -> None:
        """Kill it if it runs, as a power failure would."""
        if self._process is not None:
            self._process.kill()

    def stop(self, signal_number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit status."""
        self.process.send_signal(signal_number)
        try:
            return self.process.wait()
        finally:
            self.kill()

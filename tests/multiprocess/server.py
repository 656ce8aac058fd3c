"""A server that a test starts, kills and starts again, at one address."""

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

from tests.multiprocess.zygote import WORD, word
from tests.ports import free_port
from tests.waiting import PATIENCE_SECONDS, wait_until

ROOT = Path(__file__).parent.parent.parent
_ASKING = threading.Lock()


@functools.cache
def _zygote() -> socket.socket:
    """The socket by which servers are asked for; it and they end with this process."""
    ours, theirs = socket.socketpair()
    with theirs:
        started = subprocess.Popen(
            [sys.executable, "-m", "tests.multiprocess.zygote", str(theirs.fileno())],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C is for this process, which closes the socket then
        )

    def end() -> None:
        ours.close()
        started.wait()

    atexit.register(end)
    return ours


class Process:
    """A server's process, which is killed when this one ends. `served`: for `quick`."""

    def __init__(self, served: list[Any], log: Path, files: int | None) -> None:
        self._status: int | None = None
        self._line, theirs = socket.socketpair()
        asked = {
            "served": served,
            "log": str(log.absolute()),
            "files": files,
            "environment": dict(os.environ),
        }
        text = json.dumps(asked).encode()
        with theirs, _ASKING:
            socket.send_fds(_zygote(), [word(len(text))], [theirs.fileno()])
            _zygote().sendall(text)
        pid = self._said(PATIENCE_SECONDS)
        assert pid is not None, "no server was forked"
        self.pid = pid

    def _said(self, seconds: float) -> int | None:
        """The next number that is said by the line within that time; None where none is."""
        ready, _, _ = select.select([self._line], [], [], seconds)
        return int(self._line.recv(WORD, socket.MSG_WAITALL)) if ready else None

    def poll(self) -> int | None:
        """The exit status, None while it runs."""
        return self._ended(0.0)

    def wait(self, seconds: float = PATIENCE_SECONDS) -> int:
        """Wait until it has ended; the exit status. Raises `TimeoutError`."""
        status = self._ended(seconds)
        if status is None:
            raise TimeoutError(f"The server still runs after {seconds:g} s.")
        return status

    def _ended(self, seconds: float) -> int | None:
        if self._status is None and (said := self._said(seconds)) is not None:
            self._status = said
            self._line.close()
        return self._status

    def send_signal(self, told: int) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            with suppress(OSError):  # it has ended just now
                self._line.send(word(told))

    def kill(self) -> None:
        """End it as a loss of power would."""
        self.send_signal(signal.SIGKILL)
        self.wait()


class Server:
    """One server process. `log` is where it writes what it has to say.

    `files`: how many it may open, None for as many as this process.
    """

    def __init__(self, url: str, log: Path, /, files: int | None = None, **settings: Any) -> None:
        self.port = free_port()
        self._files = files
        self.log = log
        self._served = [self.port, {"database_url": url, **settings}]
        self._process: Process | None = None

    def start(self) -> None:
        """Start it; it answers when this returns. Raises `RuntimeError` where it ends instead."""
        self.begin()
        self.await_answer()

    def begin(self) -> None:
        """Start it without waiting for it."""
        self._process = Process(self._served, self.log, self._files)

    def await_answer(self) -> None:
        """Wait until it answers. Raises `RuntimeError` where it ends instead."""

        def settled() -> bool:
            return self.process.poll() is not None or self.answers()

        try:
            wait_until(settled, "the server answers")
        except AssertionError:
            self.kill()
        if self.process.poll() is not None:
            raise RuntimeError(f"The server did not start:\n{self.log.read_text()}")

    def answers(self) -> bool:
        """Whether the server and its database answer."""
        url = f"http://127.0.0.1:{self.port}/health"
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as said:
                return bool(json.load(said)["ok"])
        except OSError:
            return False

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def process(self) -> Process:
        assert self._process is not None
        return self._process

    def kill(self) -> None:
        """End it as a loss of power would, if it runs."""
        if self._process is not None:
            self._process.kill()

    def stop(self, told: int = signal.SIGTERM) -> int:
        """Tell it to end; its exit status."""
        self.process.send_signal(told)
        try:
            return self.process.wait()
        finally:
            self.kill()

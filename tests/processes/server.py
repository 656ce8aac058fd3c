"""A server that a test starts, kills and starts again, at one address."""

from __future__ import annotations

import json
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
_PATIENCE = 60.0


class Server:
    """One server process, and its workers. `log` is where it writes what it has to say.

    `files`: how many it may open, None for as many as this process.
    """

    def __init__(
        self, url: str, log: Path, /, workers: int = 1, files: int | None = None, **settings: Any
    ) -> None:
        self.port = free_port()
        self._files = files
        self.log = log
        self._asked = json.dumps([self.port, workers, {"database_url": url, **settings}])
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it answers when this returns."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.processes.quick", self._asked],
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                preexec_fn=self._limit,
            )
        until = time.monotonic() + _PATIENCE
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > until:
                self.kill()
                raise RuntimeError(f"The server did not start:\n{self.log.read_text()}")
            time.sleep(0.05)

    def _limit(self) -> None:
        if self._files is not None:
            resource.setrlimit(resource.RLIMIT_NOFILE, (self._files, self._files))

    def answers(self) -> bool:
        """Whether the server and its database answer."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=10) as said:
                return bool(json.load(said)["ok"])
        except OSError:
            return False

    @property
    def process(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    def kill(self) -> None:
        """End it as a loss of power would."""
        self.process.kill()
        self.process.wait()

    def stop(self, told: int = signal.SIGTERM) -> int:
        """Tell it to end; its exit status."""
        self.process.send_signal(told)
        try:
            return self.process.wait(_PATIENCE)
        finally:
            self.kill()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as asking:
        asking.bind(("127.0.0.1", 0))
        port: int = asking.getsockname()[1]
        return port

"""The server processes of these tests end with the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.multiprocess.server import ROOT, Process, Server
from tests.processes import wait_until_ended

CODE = """
import sys
from pathlib import Path
from tests.multiprocess.server import Server
folder = Path(sys.argv[1])
server = Server(f"sqlite:///{folder / 'tables.sqlite'}", folder / "log")
server.start()
print(server.process.pid, flush=True)
sys.stdin.read()
"""


def test_server_ends_when_the_tests_are_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CODE, str(tmp_path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as tests:
        assert tests.stdout is not None
        pid = int(tests.stdout.readline())
        os.kill(pid, 0)  # it runs
        tests.kill()
    wait_until_ended(pid)


def test_poll_and_wait_return_the_exit_status(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path / 'tables.sqlite'}", tmp_path / "log")
    server.start()
    assert server.process.poll() is None
    server.kill()
    assert server.process.poll() == -signal.SIGKILL
    server.kill()  # no effect
    broken = Process([-1, {"database_url": "no database"}], tmp_path / "log", None)
    assert broken.wait() == 1
    assert "Traceback" in (tmp_path / "log").read_text()

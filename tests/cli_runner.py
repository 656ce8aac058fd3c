"""Run the command `acesaround` in this process or in another one."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from acesaround import cli
from tests.waiting import PATIENCE_SECONDS

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "src" / "acesaround" / "variants"
_INHERITED = ("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_INHERITED_PREFIXES = ("ACESAROUND_", "NUMBA_")
ENVIRONMENT = {
    **{
        name: value
        for name, value in os.environ.items()
        if name in _INHERITED or name.startswith(_INHERITED_PREFIXES)
    },
    "LANG": "C.UTF-8",
    "PYTHONPATH": str(ROOT / "src"),
}
"""Environment variables for processes, so that settings of the machine do not change output."""


def golden(variant: str) -> Path:
    """Return the path of the annotated game of a variant."""
    return GAMES / variant / "golden.txt"


class Answer(NamedTuple):
    status: int
    out: str
    err: str


class Command:
    """Runs the command in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self._capsys, self._patch = capsys, patch

    def __call__(self, *words: str, stdin: bytes = b"") -> Answer:
        self._patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            status = cli.main(words)
        except SystemExit as leaving:  # argparse leaves by itself
            status = int(leaving.code or 0)
        return Answer(status, *self._capsys.readouterr())

    def refuses(self, *words: str, stdin: bytes = b"") -> str:
        """Return the one line on standard error with which these arguments are refused."""
        answer = self(*words, stdin=stdin)
        assert answer.status in (1, 2)
        assert answer.out == ""
        return the_line(answer.err)


def the_line(text: str) -> str:
    """Return the only line of a text; assert that it is printable, short and no traceback."""
    line = text.removesuffix("\n")
    assert line
    assert line.isprintable()
    assert len(line) < 700
    assert "Traceback" not in line
    return line


def process(*words: str, **more: Any) -> subprocess.Popen[bytes]:
    """Start the command in another process."""
    return subprocess.Popen(
        [sys.executable, "-m", "acesaround", *words],
        **{**more, "env": {**ENVIRONMENT, **more.get("env", {})}},
    )


@contextmanager
def running(*words: str, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run the command in another process, which is killed at the end of the block."""
    with program("-m", "acesaround", *words, **more) as run:
        yield run


@contextmanager
def program(*words: str, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run Python with these arguments in another process; kill it at the end of the block."""
    given = {"stdin": subprocess.DEVNULL, **more, "env": {**ENVIRONMENT, **more.get("env", {})}}
    with subprocess.Popen([sys.executable, *words], **given) as run:
        try:
            yield run
        finally:
            run.kill()


def ended(run: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    """Wait for the end of a process; return its status, output and errors."""
    out, err = run.communicate(timeout=PATIENCE_SECONDS)
    return run.returncode, out or b"", err or b""


def simulated(path: Path, variant: str, *words: str) -> bytes:
    """Record simulated games in a file and return its bytes."""
    assert cli.main(["simulate", variant, "--bots", "random", "--record", str(path), *words]) == 0
    return path.read_bytes()

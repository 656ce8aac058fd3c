"""The command `acesaround`, run for a test: in this process, or in one of its own."""

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
_KEPT = ("PATH", "HOME", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "VIRTUAL_ENV")
_KEPT_BEGINNINGS = ("ACESAROUND_", "NUMBA_")
ENVIRONMENT = {
    **{
        name: value
        for name, value in os.environ.items()
        if name in _KEPT or name.startswith(_KEPT_BEGINNINGS)
    },
    "LANG": "C.UTF-8",
    "PYTHONPATH": str(ROOT / "src"),
}
"""For a process that must say nothing but what is expected, whatever is set where tests run."""


def golden(variant: str) -> Path:
    """The annotated game of a variant."""
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
        """The one line on standard error with which these words are refused."""
        answer = self(*words, stdin=stdin)
        assert answer.status in (1, 2)
        assert answer.out == ""
        return the_line(answer.err)


def the_line(text: str) -> str:
    """The only line of a text, which can be read at a glance and is no traceback."""
    line = text.removesuffix("\n")
    assert line
    assert line.isprintable()
    assert len(line) < 700
    assert "Traceback" not in line
    return line


def process(*words: str, **more: Any) -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "acesaround", *words],
        **{**more, "env": {**ENVIRONMENT, **more.get("env", {})}},
    )


@contextmanager
def running(*words: str, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """The command in a process of its own, which ends with the block."""
    with program("-m", "acesaround", *words, **more) as run:
        yield run


@contextmanager
def program(*words: str, **more: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Python with these words in a process of its own, which ends with the block."""
    given = {"stdin": subprocess.DEVNULL, **more, "env": {**ENVIRONMENT, **more.get("env", {})}}
    with subprocess.Popen([sys.executable, *words], **given) as run:
        try:
            yield run
        finally:
            run.kill()


def ended(run: subprocess.Popen[bytes]) -> tuple[int, bytes, bytes]:
    """The status of a process and what it wrote, once it has ended by itself."""
    out, err = run.communicate(timeout=PATIENCE_SECONDS)
    return run.returncode, out or b"", err or b""


def simulated(path: Path, variant: str, *words: str) -> bytes:
    """The bytes of a file of recorded games."""
    assert cli.main(["simulate", variant, "--bots", "random", "--record", str(path), *words]) == 0
    return path.read_bytes()

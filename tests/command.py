"""The command `acesaround`, run for a test: in this process, or in one of its own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from acesaround import cli

ROOT = Path(__file__).parent.parent
GAMES = ROOT / "src" / "acesaround" / "variants"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


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
        env={**ENVIRONMENT, **more.pop("env", {})},
        **more,
    )


def simulated(path: Path, variant: str, *words: str) -> bytes:
    """The bytes of a file of recorded games."""
    assert cli.main(["simulate", variant, "--bots", "random", "--record", str(path), *words]) == 0
    return path.read_bytes()

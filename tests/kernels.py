"""Compile all kernels once, in a process of its own, before the first test.

Compiling takes minutes of a core, which no single test may take, and half a gigabyte that LLVM
never gives back. What is compiled is found again by every later process with the same sources.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from acesaround.bots.search import ready
from acesaround.fast import warm
from acesaround.fast.cache import folder


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile; a folder whose tests need kernels has this in its `conftest`."""
    if not session.config.option.collectonly:
        compile_all()


def compile_all() -> None:
    """Return when all kernels are compiled and kept. Of several processes that ask, one compiles.

    Where nothing can be kept, each process compiles for itself.
    """
    assert set(ready.STEPS) <= set(warm.CALLS)  # those of the bots are there by that import
    where = folder()
    if where is None or warm.ready():
        return
    with open(where / "tests.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not warm.ready():
            root = Path(__file__).parent.parent
            subprocess.run([sys.executable, "-m", "tests.kernels"], cwd=root, check=True)


if __name__ == "__main__":
    warm.warm()

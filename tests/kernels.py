"""Compile all kernels once, in a separate process, before the first test.

Compiling takes minutes of a core, which no single test may take, and half a gigabyte that LLVM
never gives back. Every later process with the same sources finds the compiled code.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from acesaround import variants
from acesaround.bots.search import compile_kernels
from acesaround.fast import warmup
from acesaround.fast.cache import kernel_cache_folder

CLAIRVOYANT: Final = "clairvoyant"
"""Only tests wait for this bot, so the product does not compile its kernels beforehand."""
KERNELS: Final = (*warmup.WARMUP_CALLS, CLAIRVOYANT)
"""The kernels to compile, by their names in `warmup.WARMUP_CALLS`."""


def pytest_collection_finish(session: pytest.Session) -> None:
    """Compile the kernels. A folder whose tests need kernels has this fixture in its `conftest`."""
    if not session.config.option.collectonly:
        compile_all()


def compile_all() -> None:
    """Return when all kernels are compiled and kept. Of several processes that ask, one compiles.

    If the cache folder cannot be written, each process compiles for itself.
    """
    assert set(compile_kernels.STEPS) <= set(KERNELS)  # they are there by that import
    where = kernel_cache_folder()
    if where is None or warmup.is_ready(KERNELS):
        return
    with open(where / "tests.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not warmup.is_ready(KERNELS):
            root = Path(__file__).parent.parent
            subprocess.run([sys.executable, "-m", "tests.kernels"], cwd=root, check=True)


def _clairvoyant() -> None:
    from tests.bots.test_clairvoyant import totals_after_deal

    totals_after_deal(variants.get(variants.DEFAULT_VARIANT), (CLAIRVOYANT, "thumb"), "1")


if __name__ == "__main__":
    warmup.WARMUP_CALLS[CLAIRVOYANT] = _clairvoyant
    warmup.warm_up(None, KERNELS)

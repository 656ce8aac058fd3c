"""Compiling kernels once, before they are needed; where compiled code is cached."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from acesaround.fast import cache

SOURCES = Path(__file__).parents[2] / "src"
PROGRAM = """
from acesaround.fast import warmup
from acesaround.fast.playouts.rng import start_stream
progress, only = [], ["chance"]  # a kernel that is compiled at once
warmup.WARMUP_CALLS["chance"] = lambda: start_stream(1, 2)
print(warmup.is_ready(), warmup.is_ready(only))
warmup.warm_up(lambda *words: progress.append(words), only)
print(progress, warmup.is_ready(), warmup.is_ready(only))
print(sum(start_stream.stats.cache_hits.values()), len(start_stream.signatures))
"""


def printed_lines(program: str, **settings: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "PYTHONPATH": str(SOURCES), **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def test_compiled_kernels_are_ready_at_the_next_start(tmp_path: Path) -> None:
    progress = "[(0, 1, 'chance'), (1, 1, '')]"
    fresh = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    assert printed_lines(PROGRAM, **fresh) == ["False False", f"{progress} False True", "0 1"]
    assert printed_lines(PROGRAM, **fresh) == ["False True", f"{progress} False True", "1 1"]
    # a copy of the same sources, at another place and time, compiles nothing again
    shutil.copytree(
        SOURCES, tmp_path / "src", ignore=shutil.ignore_patterns("static", "__pycache__")
    )
    copied = {**fresh, "PYTHONPATH": str(tmp_path / "src")}
    assert printed_lines(PROGRAM, **copied) == ["False True", f"{progress} False True", "1 1"]
    (mark,) = tmp_path.rglob("ready chance")
    mark.write_text("numba 0.1, Python 2\n")
    assert printed_lines(PROGRAM, **fresh)[0] == "False False"


@pytest.fixture
def temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make the user's cache unwritable; return the empty temporary folder."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(
        "platformdirs.user_cache_path", lambda *_, **__: tmp_path / "file" / "acesaround"
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    cache.kernel_cache_folder.cache_clear()
    yield temporary
    cache.kernel_cache_folder.cache_clear()


def test_a_temporary_folder_replaces_an_unwritable_cache(temporary_folder: Path) -> None:
    found = cache.kernel_cache_folder()
    assert found is not None
    assert found.parent.parent == temporary_folder
    assert found.parent.stat().st_mode & 0o777 == 0o700
    assert cache.kernel_cache_folder() == found


def test_a_group_writable_temporary_folder_is_not_used(temporary_folder: Path) -> None:
    own = temporary_folder / f"acesaround-{os.getuid()}"
    own.mkdir()
    own.chmod(0o770)
    assert cache.kernel_cache_folder() is None


def test_a_link_instead_of_the_temporary_folder_is_not_followed(temporary_folder: Path) -> None:
    elsewhere = temporary_folder / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (temporary_folder / f"acesaround-{os.getuid()}").symlink_to(elsewhere)
    assert cache.kernel_cache_folder() is None
    assert list(elsewhere.iterdir()) == []


def test_kernels_are_compiled_without_any_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / f"acesaround-{os.getuid()}").touch()
    program = (
        "from acesaround.fast import cache, warmup\n"
        "from acesaround.fast.jit import kernel, lowest_bit\n"
        "def one(x):\n    return lowest_bit(x)\n"
        "print(cache.kernel_cache_folder(), warmup.is_ready(), kernel(one)(12))\n"
    )
    unusable = str(tmp_path / "file" / "x")
    settings = {"HOME": unusable, "XDG_CACHE_HOME": unusable, "TMPDIR": str(tmp_path)}
    assert printed_lines(program, **settings) == ["None False 2"]


def test_uncompiled_kernels_are_always_ready() -> None:
    program = "from acesaround.fast import warmup\nprint(warmup.is_ready())\nwarmup.warm_up()"
    assert printed_lines(program, NUMBA_DISABLE_JIT="1") == ["True"]

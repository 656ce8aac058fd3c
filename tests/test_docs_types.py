"""The Python of the documentation under type checkers: mypy as strict as it comes, and pyright.

A reader who copies a program has no fault to mend in it, and so `Decision`, sets of legal actions
and players have types that hold in a loop as people write it.
"""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import ROOT
from tests.test_docs import blocks

PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
]
PYRIGHT = Path(sys.executable).with_name("basedpyright")


def programs(folder: Path) -> list[Path]:
    """The Python of each page as files: each program, and all that is typed into sessions."""
    written = []
    for page in PAGES:
        found = blocks(page, "python")
        sessions = "\n".join(block for block in found if ">>>" in block)
        typed = [example.source for example in doctest.DocTestParser().get_examples(sessions)]
        sources = [*(block for block in found if ">>>" not in block), "".join(typed)]
        for number, source in enumerate(filter(None, sources)):
            path = folder / f"{page.removesuffix('.md').replace('/', '_')}_{number}.py"
            path.write_text(source, encoding="utf-8")
            written.append(path)
    return written


@pytest.fixture
def written(tmp_path: Path) -> list[Path]:
    found = programs(tmp_path)
    assert {"README_0.py", "README_1.py", "docs_bots_0.py"} <= {path.name for path in found}
    return found


def test_mypy_finds_no_fault_in_the_python_of_the_documentation(
    written: list[Path], tmp_path: Path
) -> None:
    words = [
        "--strict",
        "--config-file=",
        "--follow-imports=silent",
        f"--cache-dir={tmp_path}/kept",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words, *map(str, written)],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.stdout.startswith("Success"), done.stdout + done.stderr


def test_pyright_finds_no_fault_in_the_python_of_the_documentation(
    written: list[Path], tmp_path: Path
) -> None:
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT / "src")]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    done = subprocess.run(
        [PYRIGHT, "--project", str(tmp_path), "--pythonpath", sys.executable],
        capture_output=True,
        check=False,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr

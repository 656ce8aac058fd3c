"""The Python of the documentation under type checkers: mypy as strict as it comes, and pyright.

A reader who copies a program has no fault to mend in it, and so `Decision`, sets of legal actions
and players have types that hold in a loop as people write it. `make check` runs this.
"""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.cli_runner import ROOT
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


def mypy_says(written: list[Path], folder: Path) -> str:
    """What mypy finds fault with, nothing for nothing."""
    words = ["--strict", "--config-file=", "--follow-imports=silent"]
    words.append(f"--cache-dir={ROOT / '.mypy_cache' / 'docs'}")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words, *map(str, written)],
        cwd=folder,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        check=False,
        text=True,
    )
    return "" if done.stdout.startswith("Success") else done.stdout + done.stderr


def pyright_says(folder: Path) -> str:
    """What pyright finds fault with, nothing for nothing."""
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT / "src")]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    done = subprocess.run(
        [PYRIGHT, "--project", str(folder), "--pythonpath", sys.executable],
        capture_output=True,
        check=False,
        text=True,
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def main() -> int:
    """Check them all; the exit status."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        written = programs(folder)
        assert {"README_0.py", "README_1.py", "docs_bots_0.py"} <= {path.name for path in written}
        said = mypy_says(written, folder) + pyright_says(folder)
    sys.stdout.write(
        said or f"The Python of the documentation: {len(written)} programs, no fault\n"
    )
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())

"""Check the Python of the documentation with mypy (strict) and pyright. `make check` runs this."""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.cli_runner import ROOT
from tests.public_types import PYRIGHT
from tests.test_docs import blocks

PAGES = [
    page.relative_to(ROOT).as_posix()
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
]
_PYSPIEL_STUB = "from typing import Any\ndef __getattr__(name: str) -> Any: ...\n"  # it has none


def programs(folder: Path) -> list[Path]:
    """Write the Python of each page to files: each program, and the input of all sessions."""
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


def mypy_errors(written: list[Path], folder: Path) -> str:
    """Return the errors of mypy, or an empty text."""
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


def pyright_errors(folder: Path) -> str:
    """Return the errors of pyright, or an empty text."""
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
    """Check all programs; return the exit status."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        written = programs(folder)
        (folder / "pyspiel.pyi").write_text(_PYSPIEL_STUB, encoding="utf-8")
        assert {"README_0.py", "README_1.py", "docs_bots_0.py"} <= {path.name for path in written}
        said = mypy_errors(written, folder) + pyright_errors(folder)
    sys.stdout.write(
        said or f"The Python of the documentation: {len(written)} programs, no fault\n"
    )
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())

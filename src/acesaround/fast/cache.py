"""The cache folders of compiled kernels.

A folder is named by a hash of all sources that its kernels depend on. numba itself checks only the
file of the function, so it would miss an edit of a function that is called. Each package of kernels
has its own folder: an edit recompiles that package and the packages that call it, nothing else.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import platformdirs

_HERE: Final = Path(__file__).parent
_RULE_SOURCES: Final = (
    *(
        _HERE.parent / "rules" / f"{name}.py"
        for name in ("tricks", "laydown", "scoring", "support")
    ),
    _HERE.parent / "heuristic_weights.py",
)
"""Files outside `fast` from which kernels take constants."""
KERNEL_PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "solver": (),
    "playouts": (),
    "sampler": ("playouts",),
    "rollouts": ("solver", "playouts"),
}
"""The packages of kernels, and for each the packages whose kernels it may call."""


def sources(package: str | None = None) -> tuple[Path, ...]:
    """Return the source files of a package's kernels, or of all packages if none is named."""
    packages = KERNEL_PACKAGES if package is None else (package, *KERNEL_PACKAGES[package])
    files = (path for name in packages for path in (_HERE / name).rglob("*.py"))
    return (*sorted(_HERE.glob("*.py")), *sorted(files), *_RULE_SOURCES)


@cache
def folder(package: str | None = None) -> Path | None:
    """Return the folder for this version's compiled code, or None if no folder can be written.

    The folder is in the user's cache directory, or else in the directory for temporary files.
    Without either, every start compiles.
    """
    read = b"".join(path.read_bytes() for path in sources(package))
    digest = hashlib.sha256(read).hexdigest()[:16]
    try:
        usual = platformdirs.user_cache_path("acesaround", appauthor=False) / "kernels" / digest
        _try(usual)
    except OSError:
        try:
            return _try(_own_temporary() / digest)
        except OSError:
            return None
    return usual


def _try(path: Path) -> Path:
    """Create a folder and check that it is writable. Raises OSError."""
    path.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=path).close()
    return path


def _own_temporary() -> Path:
    """Return a temporary folder that only this user can access. Raises OSError.

    The folder must be private because the code in it is executed.
    """
    path = Path(tempfile.gettempdir()) / f"acesaround-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} is not this user's alone")
    return path

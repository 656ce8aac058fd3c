"""The cache folders of compiled kernels.

A folder is named by a hash of all sources that its kernels depend on. numba itself checks only the
file of the function, so it would miss an edit of a function that is called. Each package of kernels
has its own folder: an edit recompiles only that package and the packages that call it.
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

_FAST_FOLDER: Final = Path(__file__).parent
_RULE_SOURCES: Final = (
    *(
        _FAST_FOLDER.parent / "rules" / f"{name}.py"
        for name in ("tricks", "laid_melds", "scoring", "feature_support")
    ),
    _FAST_FOLDER.parent / "heuristic_weights.py",
)
"""Files outside `fast` from which kernels take constants."""
KERNEL_PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "solver": (),
    "playouts": (),
    "sampler": ("playouts",),
    "rollouts": ("solver", "playouts"),
    "stepping": ("playouts", "rollouts"),
}
"""The packages of kernels, and for each the packages whose kernels it may call."""


def kernel_source_files(package: str | None = None) -> tuple[Path, ...]:
    """Return the source files of a package's kernels, or of all packages if none is named."""
    packages = KERNEL_PACKAGES if package is None else (package, *KERNEL_PACKAGES[package])
    files = (path for name in packages for path in (_FAST_FOLDER / name).rglob("*.py"))
    return (*sorted(_FAST_FOLDER.glob("*.py")), *sorted(files), *_RULE_SOURCES)


@cache
def kernel_cache_folder(package: str | None = None) -> Path | None:
    """Return the folder for this version's compiled code, or None if no folder can be written.

    The folder is in the user's cache directory, or else in the directory for temporary files.
    Without either, every start compiles.
    """
    source_bytes = b"".join(path.read_bytes() for path in kernel_source_files(package))
    digest = hashlib.sha256(source_bytes).hexdigest()[:16]
    try:
        user_folder = (
            platformdirs.user_cache_path("acesaround", appauthor=False) / "kernels" / digest
        )
        _ensure_writable(user_folder)
    except OSError:
        try:
            return _ensure_writable(_private_temporary_folder() / digest)
        except OSError:
            return None
    return user_folder


def _ensure_writable(path: Path) -> Path:
    """Create a folder and check that it is writable. Raises OSError."""
    path.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=path).close()
    return path


def _private_temporary_folder() -> Path:
    """Return a temporary folder that only this user can access. Raises OSError.

    The folder must be private because the code in it is executed.
    """
    path = Path(tempfile.gettempdir()) / f"acesaround-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid() or status.st_mode & 0o077:
        raise PermissionError(f"{path} is not this user's alone")
    return path

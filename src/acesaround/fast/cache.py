"""Where compiled kernels are kept from one start to the next.

A folder is named by a hash of every source that its kernels are made from: numba itself looks only
at the file a function stands in, so an edit of a function that is called would go unnoticed. Each
room has a folder of its own, so that an edit in one compiles no more than the rooms that use it.
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
_LAWS: Final = tuple(
    _HERE.parent / f"{name}.py" for name in ("tricks", "laydown", "scoring", "supported", "weights")
)
ROOMS: Final[dict[str, tuple[str, ...]]] = {
    "solver": (),
    "playouts": (),
    "sampler": ("playouts",),
    "trials": ("solver", "playouts"),
}
"""The rooms of kernels, and for each the rooms whose kernels its own may call."""


def sources(room: str | None = None) -> tuple[Path, ...]:
    """The files that the kernels of a room are made from; of all rooms where none is named."""
    rooms = ROOMS if room is None else (room, *ROOMS[room])
    kept = (path for name in rooms for path in (_HERE / name).rglob("*.py"))
    return (*sorted(_HERE.glob("*.py")), *sorted(kept), *_LAWS)


@cache
def folder(room: str | None = None) -> Path | None:
    """The folder of this version's compiled code. None where none can be written.

    It is in the user's cache or else in the folder for temporary files. Without either, every start
    compiles.
    """
    read = b"".join(path.read_bytes() for path in sources(room))
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
    """Make a folder and write to it. Raises OSError."""
    path.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=path).close()
    return path


def _own_temporary() -> Path:
    """A folder that nobody else can write to: what lies in it is run. Raises OSError."""
    path = Path(tempfile.gettempdir()) / f"acesaround-{os.getuid()}"
    path.mkdir(mode=0o700, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} is not this user's alone")
    return path

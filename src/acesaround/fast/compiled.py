"""How kernels are compiled: one decorator, one cache, and the machine's bit counting.

numba keeps compiled code in a folder and looks only at the file a function stands in, so an edit of
a function that is called would go unnoticed: here the folder is named by a hash of every source
that kernels are made from. Nothing else in the package may import numba.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
import platformdirs
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

_HERE: Final = Path(__file__).parent
_SOURCES: Final = (*sorted(_HERE.glob("*.py")), _HERE.parent / "tricks.py")
COMPILED: Final = not numba.config.DISABLE_JIT
"""Whether kernels are compiled; with NUMBA_DISABLE_JIT=1 the same bodies run as Python."""


def _cache() -> Path:
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in _SOURCES)).hexdigest()[:16]
    return platformdirs.user_cache_path("acesaround", appauthor=False) / "kernels" / digest


numba.config.CACHE_DIR = str(_cache())


def kernel(function: F) -> F:
    """Compile a function of integers and arrays when it is first called; it frees the GIL."""
    compiled: F = numba.njit(cache=True, nogil=True)(function)
    return compiled


def _lowest(x: int) -> int:
    return int(x & -x).bit_length() - 1


def _highest(x: int) -> int:
    return int(x).bit_length() - 1


def _ones(x: int) -> int:
    return int(x).bit_count()


@intrinsic
def _trailing(_context: Any, _x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def _population(_context: Any, _x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _leading(_context: Any, _x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@numba.njit(inline="always")
def _top(x: int) -> int:
    return 63 - int(_leading(x))


lowest: Final[Callable[[int], int]] = _trailing if COMPILED else _lowest
"""The position of the lowest bit of an integer that is not 0."""
highest: Final[Callable[[int], int]] = _top if COMPILED else _highest
"""The position of the highest bit of a positive integer."""
ones: Final[Callable[[int], int]] = _population if COMPILED else _ones
"""How many bits of an integer, not negative, are set."""

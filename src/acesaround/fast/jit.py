"""Compilation of kernels: decorators, the numba cache, and bit-counting intrinsics.

`cache` names the folders of compiled code.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.core.caching import UserProvidedCacheLocator
from numba.extending import intrinsic, register_jitable

from acesaround.fast.cache import KERNEL_PACKAGES, folder

F = TypeVar("F", bound=Callable[..., Any])

COMPILED: Final = not numba.config.DISABLE_JIT
"""Whether kernels are compiled. With NUMBA_DISABLE_JIT=1 the same functions run as Python."""


class SourceHashLocator(UserProvidedCacheLocator):  # type: ignore[misc]  # numba carries no types
    """A numba cache locator that finds compiled code by source content, not by path or time.

    numba's own locators name a folder by the path of the source, so that each clone compiles again.
    """

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(Path(numba.config.CACHE_DIR) / function.__module__)

    def get_source_stamp(self) -> str:
        """Return the hash of the function's source file."""
        return _hash_file(self._py_file)


@cache
def _hash_file(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@contextlib.contextmanager
def _caching(function: Callable[..., Any]) -> Iterator[bool]:
    """Point numba at our cache folder for a function. Yield whether there is such a folder."""
    named = function.__module__.split(".")
    where = folder(next((part for part in named if part in KERNEL_PACKAGES), None))
    if where is None:
        yield False
        return
    before = numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_DIR = str(where)
    numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{SourceHashLocator.__name__}"
    try:
        yield True
    finally:
        numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES = before


def kernel(function: F) -> F:
    """Compile a function of integers and arrays on its first call. The kernel releases the GIL."""
    with _caching(function) as kept:
        compiled: F = numba.njit(cache=kept, nogil=True)(function)
    return compiled


def arrayless_kernel(function: F) -> F:
    """Compile a kernel that creates no arrays, without reference counting of its arguments.

    Reference counting costs about 10 ns for each array argument of a call. For the play of a deal
    that was a third of the time. Functions that such a kernel calls should create no arrays either.
    """
    with _caching(function) as kept:
        compiled: F = numba.njit(cache=kept, nogil=True, _nrt=False)(function)
    return compiled


def inlined(function: F) -> F:
    """Inline a small function that creates no arrays into each kernel that calls it.

    A call from Python runs as Python, because numba keeps no callable code of an inlined function.
    """
    if not COMPILED:
        return function
    piece: F = register_jitable(nogil=True, _nrt=False, forceinline=True)(function)
    return piece


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
"""The number of set bits of a non-negative integer."""

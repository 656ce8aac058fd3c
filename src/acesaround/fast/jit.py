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

from acesaround.fast.cache import KERNEL_PACKAGES, kernel_cache_folder

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
        return _file_hash(self._py_file)


@cache
def _file_hash(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@contextlib.contextmanager
def _use_cache_folder(function: Callable[..., Any]) -> Iterator[bool]:
    """Point numba at our cache folder for a function. Yield whether there is such a folder."""
    module_parts = function.__module__.split(".")
    cache_folder = kernel_cache_folder(
        next((part for part in module_parts if part in KERNEL_PACKAGES), None)
    )
    if cache_folder is None:
        yield False
        return
    saved_config = numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES
    numba.config.CACHE_DIR = str(cache_folder)
    numba.config.CACHE_LOCATOR_CLASSES = f"{__name__}.{SourceHashLocator.__name__}"
    try:
        yield True
    finally:
        numba.config.CACHE_DIR, numba.config.CACHE_LOCATOR_CLASSES = saved_config


def kernel(function: F) -> F:
    """Compile a function of integers and arrays on its first call. The kernel releases the GIL."""
    with _use_cache_folder(function) as is_cached:
        compiled: F = numba.njit(cache=is_cached, nogil=True)(function)
    return compiled


def arrayless_kernel(function: F) -> F:
    """Compile a kernel that creates no arrays, without reference counting of its arguments.

    Reference counting costs about 10 ns for each array argument of a call. For the play of a deal
    that was a third of the time. Functions that such a kernel calls should create no arrays either.
    """
    with _use_cache_folder(function) as is_cached:
        compiled: F = numba.njit(cache=is_cached, nogil=True, _nrt=False)(function)
    return compiled


def inlined_kernel(function: F) -> F:
    """Inline a small function that creates no arrays into each kernel that calls it.

    A call from Python runs as Python, because numba keeps no callable code of an inlined function.
    """
    if not COMPILED:
        return function
    compiled: F = register_jitable(nogil=True, _nrt=False, forceinline=True)(function)
    return compiled


def _lowest_bit_in_python(x: int) -> int:
    return int(x & -x).bit_length() - 1


def _highest_bit_in_python(x: int) -> int:
    return int(x).bit_length() - 1


def _bit_count_in_python(x: int) -> int:
    return int(x).bit_count()


@intrinsic
def _count_trailing_zeros(_context: Any, _x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def _count_set_bits(_context: Any, _x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _count_leading_zeros(_context: Any, _x: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@numba.njit(inline="always")
def _highest_bit_compiled(x: int) -> int:
    return 63 - int(_count_leading_zeros(x))


lowest_bit: Final[Callable[[int], int]] = (
    _count_trailing_zeros if COMPILED else _lowest_bit_in_python
)
"""The position of the lowest bit of an integer that is not 0."""
highest_bit: Final[Callable[[int], int]] = (
    _highest_bit_compiled if COMPILED else _highest_bit_in_python
)
"""The position of the highest bit of a positive integer."""
bit_count: Final[Callable[[int], int]] = _count_set_bits if COMPILED else _bit_count_in_python
"""The number of set bits of a non-negative integer."""

"""How kernels are compiled: one decorator, one cache, and the machine's bit counting.

Where compiled code is kept stands in `cache`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable

from acesaround.fast.cache import ROOMS, folder

F = TypeVar("F", bound=Callable[..., Any])

COMPILED: Final = not numba.config.DISABLE_JIT
"""Whether kernels are compiled; with NUMBA_DISABLE_JIT=1 the same bodies run as Python."""


def _cached(function: Callable[..., Any]) -> bool:
    """Whether compiled code of a function can be kept; tells numba in which folder."""
    named = function.__module__.split(".")
    where = folder(next((part for part in named if part in ROOMS), None))
    if where is not None:
        numba.config.CACHE_DIR = str(where)
    return where is not None


def kernel(function: F) -> F:
    """Compile a function of integers and arrays when it is first called; it frees the GIL."""
    compiled: F = numba.njit(cache=_cached(function), nogil=True)(function)
    return compiled


def lean(function: F) -> F:
    """Compile a kernel that makes no array: it does not count who refers to those it is given.

    Counting costs about ten nanoseconds for each array that a call is given, which for the play of
    a deal was a third of the time. All that such a kernel calls should be lean as well.
    """
    compiled: F = numba.njit(cache=_cached(function), nogil=True, _nrt=False)(function)
    return compiled


def inlined(function: F) -> F:
    """A small lean piece that stands compiled in each kernel that calls it.

    Called from Python it runs as Python: numba leaves nothing of such a piece that could be called.
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
"""How many bits of an integer, not negative, are set."""

"""Unchecked memory access for kernels: 64-bit integers at an index, without bounds checks.

Indexing an array in a kernel costs a comparison (an index may count from the end), a reference
count and seven arguments a call. A *memory* is the address of an array instead. In uncompiled code
a memory is the array itself. The caller keeps the array alive while its memory is in use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from acesaround.fast.jit import COMPILED

Memory: TypeAlias = Any  # an int64 for numba, or an array of int64

_WORD: Final = ir.IntType(64)


def memory_of(array: Any) -> Memory:
    """Return the memory of a contiguous array of int64."""
    return array.ctypes.data if COMPILED else array


def _element_pointer(builder: Any, address: Any, index: Any) -> Any:
    return builder.gep(builder.inttoptr(address, _WORD.as_pointer()), [index])


def _read(_context: Any, _memory: Any, _index: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_element_pointer(builder, *arguments), align=8)

    return types.int64(types.int64, types.int64), generate


def _read_fixed(_context: Any, _memory: Any, _index: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        loaded = builder.load(_element_pointer(builder, *arguments), align=8)
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    return types.int64(types.int64, types.int64), generate


def _write(_context: Any, _memory: Any, _index: Any, _value: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _element_pointer(builder, *arguments[:2]), align=8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), generate


def _prefetch(_context: Any, _memory: Any, _index: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], function_type)
        pointer = builder.bitcast(_element_pointer(builder, *arguments), byte)
        builder.call(function, [pointer, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


def _read_array(memory: Any, index: int) -> Any:
    return memory[index]


def _write_array(memory: Any, index: int, value: int) -> None:
    memory[index] = value


def _prefetch_array(_memory: Any, _index: int) -> None:
    pass


read_word: Final[Callable[[Memory, int], int]] = intrinsic(_read) if COMPILED else _read_array
"""Return the integer at an index."""
read_fixed_word: Final[Callable[[Memory, int], int]] = (
    intrinsic(_read_fixed) if COMPILED else _read_array
)
"""Return the integer at an index that no kernel writes to, as an LLVM invariant load."""
write_word: Final[Callable[[Memory, int, int], None]] = (
    intrinsic(_write) if COMPILED else _write_array
)
"""Write an integer at an index."""
prefetch_word: Final[Callable[[Memory, int], None]] = (
    intrinsic(_prefetch) if COMPILED else _prefetch_array
)
"""Prefetch the memory around an index that is read soon."""

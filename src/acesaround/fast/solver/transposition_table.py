"""The transposition table: proven bounds, each with the dependency set of its proof.

The *table* is a memory of lines of four entries. An entry is two integers. The first is a hash of
the shape of the hands and of the counts that the dependency set adds to it. The second has the
dependency set in bits 0-19, the lower bound in 20-29, the upper bound in 30-39, the best move in
40-47, the generation in 48-55 and more bits of the hash in 56-62. Many entries share a shape, so a
lookup probes several lines. Entries of another generation count as free.

A short search should stay within the processor's cache. So the table starts with its first lines
only and, when these are half full, switches to all lines. Lookups probe the old lines too, until
the table has eight times as many entries. Two integers behind the lines have the stage and the
number of entries.
"""

from __future__ import annotations

from typing import Final

from acesaround.fast.jit import inlined
from acesaround.fast.raw_memory import Memory, at, fetch, given, put
from acesaround.fast.solver.board import (
    A_SUIT,
    BROKEN,
    GENERATION,
    KEY,
    LEADERS,
    LINES,
    MASKS,
    NEED,
    NO_CARD,
    PLAYER,
    PLAYERS,
    SALTS,
    SHAPE,
    WORDS,
)
from acesaround.fast.solver.dependency_sets import boundaries

PROBES: Final = 32  # most lines that a lookup probes
FIRST: Final = 1 << 16  # lines of a short search: 4 megabytes
STAGE: Final = 0  # behind the lines: 0 first lines in use, 1 all, 2 all without a second lookup
MADE: Final = 1  # number of entries made
BEHIND: Final = 2  # number of integers behind the lines
_HIGH: Final = 0x3FF  # no upper bound is known
_DEPS: Final = 0xFFFFF
_SAME: Final = 0x7F << 56 | _DEPS  # bits in which two entries of one question agree
_MIX: Final = -2917014679902334061


@inlined
def _mask(fixed: Memory, stage: int) -> int:
    """Return the number of lines in use at a stage, minus one."""
    lines = given(fixed, LINES)
    return min(lines, FIRST - 1) if stage == 0 else lines


@inlined
def _behind(fixed: Memory) -> int:
    """Return the index behind the lines."""
    return (given(fixed, LINES) + 1) * 8


@inlined
def prefetch(board: Memory, fixed: Memory, table: Memory, frame: int) -> None:
    """Compute the key of a lead, and prefetch its line."""
    key = at(board, SHAPE) + given(fixed, LEADERS + at(board, frame + PLAYER))
    if not at(board, frame + BROKEN):
        key += given(fixed, LEADERS + given(fixed, PLAYERS))
    key ^= key >> 32 & 0xFFFFFFFF
    key *= _MIX
    key ^= key >> 29 & 0x7FFFFFFFF
    put(board, frame + KEY, key)
    fetch(table, (key & _mask(fixed, at(table, _behind(fixed) + STAGE))) * 8)


@inlined
def dependency_hash(board: Memory, fixed: Memory, deps: int) -> int:
    """Return the hash of the counts that a dependency set adds to the shape."""
    mixed, more = 0, given(fixed, A_SUIT) > 1
    for suit in range(4):
        mask, word = given(fixed, MASKS + boundaries(deps, suit)), 3 * suit
        mixed += (at(board, WORDS + word) & mask) * given(fixed, SALTS + word)
        if more:
            mixed += (at(board, WORDS + word + 1) & mask) * given(fixed, SALTS + word + 1)
            mixed += (at(board, WORDS + word + 2) & mask) * given(fixed, SALTS + word + 2)
    return mixed


@inlined
def match_tag(fixed: Memory, key: int) -> int:
    """Return the generation and the bits of the hash that the second integer of an entry has."""
    return given(fixed, GENERATION) | (key >> 40 & 0x7F) << 8


@inlined
def look_up(board: Memory, fixed: Memory, table: Memory, frame: int) -> tuple[bool, int, int, int]:
    """Look up the question of a lead.

    Return whether an entry answers it, the answer, its dependencies, and else a move to try first.
    """
    key, need = at(board, frame + KEY), at(board, frame + NEED)
    want = match_tag(fixed, key)
    first, near = NO_CARD, NO_CARD
    now = at(table, _behind(fixed) + STAGE)
    for stage in range(now >> 1, min(now, 1) + 1):
        line, free = key & _mask(fixed, stage), False
        for probe in range(PROBES):
            place = (line ^ probe) * 8
            for way in range(place, place + 8, 2):
                entry = at(table, way + 1)
                differs = entry >> 48 ^ want
                if differs & 0xFF:
                    free = True
                    break
                if differs:
                    continue
                deps = entry & _DEPS
                if at(table, way) != key + dependency_hash(board, fixed, deps):
                    if near == NO_CARD:
                        near = entry >> 40 & 0xFF
                    continue
                low, high = entry >> 20 & 0x3FF, entry >> 30 & 0x3FF
                if low >= need:
                    return True, low, deps, 0
                if high < need:
                    return True, high, deps, 0
                if first == NO_CARD:
                    first = entry >> 40 & 0xFF
            if free:
                break
    return False, 0, 0, first if first != NO_CARD else near


@inlined
def store(
    board: Memory, fixed: Memory, table: Memory, frame: int, result: int, deps: int, move: int
) -> None:
    """Store the answer of a lead in a free entry, or replace the oldest entry of a line."""
    key = at(board, frame + KEY)
    behind = _behind(fixed)
    stage = at(table, behind + STAGE)
    line, want = key & _mask(fixed, stage), match_tag(fixed, key) << 48
    full = key + dependency_hash(board, fixed, deps)
    low, high = 0, result
    if result >= at(board, frame + NEED):
        low, high = result, _HIGH
    place, last = line * 8, 3
    for probe in range(PROBES + 1):
        if probe == PROBES:
            place, last = (line ^ (full >> 40 & (PROBES - 1))) * 8, 3
            break
        place, last = (line ^ probe) * 8, -1
        for way in range(4):
            entry = at(table, place + 2 * way + 1)
            if entry >> 48 & 0xFF != want >> 48 & 0xFF:
                last = way
                break
            if at(table, place + 2 * way) == full and (entry ^ (want | deps)) & _SAME == 0:
                low, high = max(low, entry >> 20 & 0x3FF), min(high, entry >> 30 & 0x3FF)
                put(table, place + 2 * way + 1, want | deps | low << 20 | high << 30 | move << 40)
                return
        if last >= 0:
            made = at(table, behind + MADE) + 1
            put(table, behind + MADE, made)
            if made == 2 * FIRST or made == 16 * FIRST:
                put(table, behind + STAGE, stage + 1)
            break
    for way in range(last, 0, -1):
        put(table, place + 2 * way, at(table, place + 2 * way - 2))
        put(table, place + 2 * way + 1, at(table, place + 2 * way - 1))
    put(table, place, full)
    put(table, place + 1, want | deps | low << 20 | high << 30 | move << 40)

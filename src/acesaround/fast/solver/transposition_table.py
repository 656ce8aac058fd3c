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

from acesaround.fast.jit import inlined_kernel
from acesaround.fast.raw_memory import Memory, prefetch_word, read_fixed_word, read_word, write_word
from acesaround.fast.solver.board import (
    BOUNDARY_MASKS,
    GENERATION,
    LEADER_HASHES,
    LINE_MASK,
    NEED,
    NO_CARD,
    PACKED_LANES,
    PLAYER,
    PLAYER_COUNT,
    SHAPE_HASH,
    TABLE_KEY,
    TRUMP_BROKEN,
    WORD_HASHES,
    WORDS_PER_SUIT,
)
from acesaround.fast.solver.dependency_sets import boundaries

MAX_PROBES: Final = 32  # most lines that a lookup probes
FIRST_STAGE_LINES: Final = 1 << 16  # lines of a short search: 4 megabytes
TABLE_STAGE: Final = (
    0  # behind the lines: 0 first lines in use, 1 all, 2 all without a second lookup
)
ENTRY_COUNT: Final = 1  # number of entries made
FOOTER_SIZE: Final = 2  # number of integers behind the lines
_NO_UPPER_BOUND: Final = 0x3FF  # no upper bound is known
_DEPS_MASK: Final = 0xFFFFF
_SAME_QUESTION_MASK: Final = (
    0x7F << 56 | _DEPS_MASK
)  # bits in which two entries of one question agree
_HASH_FACTOR: Final = -2917014679902334061


@inlined_kernel
def _line_mask(fixed: Memory, stage: int) -> int:
    """Return the number of lines in use at a stage, minus one."""
    lines = read_fixed_word(fixed, LINE_MASK)
    return min(lines, FIRST_STAGE_LINES - 1) if stage == 0 else lines


@inlined_kernel
def _footer_index(fixed: Memory) -> int:
    """Return the index behind the lines."""
    return (read_fixed_word(fixed, LINE_MASK) + 1) * 8


@inlined_kernel
def prefetch_entries(board: Memory, fixed: Memory, table: Memory, frame: int) -> None:
    """Compute the key of a lead, and prefetch its line."""
    key = read_word(board, SHAPE_HASH) + read_fixed_word(
        fixed, LEADER_HASHES + read_word(board, frame + PLAYER)
    )
    if not read_word(board, frame + TRUMP_BROKEN):
        key += read_fixed_word(fixed, LEADER_HASHES + read_fixed_word(fixed, PLAYER_COUNT))
    key ^= key >> 32 & 0xFFFFFFFF
    key *= _HASH_FACTOR
    key ^= key >> 29 & 0x7FFFFFFFF
    write_word(board, frame + TABLE_KEY, key)
    prefetch_word(
        table, (key & _line_mask(fixed, read_word(table, _footer_index(fixed) + TABLE_STAGE))) * 8
    )


@inlined_kernel
def dependency_hash(board: Memory, fixed: Memory, deps: int) -> int:
    """Return the hash of the counts that a dependency set adds to the shape."""
    result, has_more_words = 0, read_fixed_word(fixed, WORDS_PER_SUIT) > 1
    for suit in range(4):
        mask, word = read_fixed_word(fixed, BOUNDARY_MASKS + boundaries(deps, suit)), 3 * suit
        result += (read_word(board, PACKED_LANES + word) & mask) * read_fixed_word(
            fixed, WORD_HASHES + word
        )
        if has_more_words:
            result += (read_word(board, PACKED_LANES + word + 1) & mask) * read_fixed_word(
                fixed, WORD_HASHES + word + 1
            )
            result += (read_word(board, PACKED_LANES + word + 2) & mask) * read_fixed_word(
                fixed, WORD_HASHES + word + 2
            )
    return result


@inlined_kernel
def match_tag(fixed: Memory, key: int) -> int:
    """Return the generation and the bits of the hash that the second integer of an entry has."""
    return read_fixed_word(fixed, GENERATION) | (key >> 40 & 0x7F) << 8


@inlined_kernel
def look_up(board: Memory, fixed: Memory, table: Memory, frame: int) -> tuple[bool, int, int, int]:
    """Look up the question of a lead.

    Return whether an entry answers it, the answer, its dependencies, and else a move to try first.
    """
    key, need = read_word(board, frame + TABLE_KEY), read_word(board, frame + NEED)
    tag = match_tag(fixed, key)
    first_move, similar_move = NO_CARD, NO_CARD
    current_stage = read_word(table, _footer_index(fixed) + TABLE_STAGE)
    for stage in range(current_stage >> 1, min(current_stage, 1) + 1):
        line, has_free = key & _line_mask(fixed, stage), False
        for probe in range(MAX_PROBES):
            line_index = (line ^ probe) * 8
            for entry_index in range(line_index, line_index + 8, 2):
                entry = read_word(table, entry_index + 1)
                differs = entry >> 48 ^ tag
                if differs & 0xFF:
                    has_free = True
                    break
                if differs:
                    continue
                deps = entry & _DEPS_MASK
                if read_word(table, entry_index) != key + dependency_hash(board, fixed, deps):
                    if similar_move == NO_CARD:
                        similar_move = entry >> 40 & 0xFF
                    continue
                low, high = entry >> 20 & 0x3FF, entry >> 30 & 0x3FF
                if low >= need:
                    return True, low, deps, 0
                if high < need:
                    return True, high, deps, 0
                if first_move == NO_CARD:
                    first_move = entry >> 40 & 0xFF
            if has_free:
                break
    return False, 0, 0, first_move if first_move != NO_CARD else similar_move


@inlined_kernel
def store(
    board: Memory, fixed: Memory, table: Memory, frame: int, result: int, deps: int, move: int
) -> None:
    """Store the answer of a lead in a free entry, or replace the oldest entry of a line."""
    key = read_word(board, frame + TABLE_KEY)
    footer = _footer_index(fixed)
    stage = read_word(table, footer + TABLE_STAGE)
    line, tag = key & _line_mask(fixed, stage), match_tag(fixed, key) << 48
    entry_key = key + dependency_hash(board, fixed, deps)
    low, high = 0, result
    if result >= read_word(board, frame + NEED):
        low, high = result, _NO_UPPER_BOUND
    line_index, free_slot = line * 8, 3
    for probe in range(MAX_PROBES + 1):
        if probe == MAX_PROBES:
            line_index, free_slot = (line ^ (entry_key >> 40 & (MAX_PROBES - 1))) * 8, 3
            break
        line_index, free_slot = (line ^ probe) * 8, -1
        for slot in range(4):
            entry = read_word(table, line_index + 2 * slot + 1)
            if entry >> 48 & 0xFF != tag >> 48 & 0xFF:
                free_slot = slot
                break
            if (
                read_word(table, line_index + 2 * slot) == entry_key
                and (entry ^ (tag | deps)) & _SAME_QUESTION_MASK == 0
            ):
                low, high = max(low, entry >> 20 & 0x3FF), min(high, entry >> 30 & 0x3FF)
                write_word(
                    table,
                    line_index + 2 * slot + 1,
                    tag | deps | low << 20 | high << 30 | move << 40,
                )
                return
        if free_slot >= 0:
            entry_count = read_word(table, footer + ENTRY_COUNT) + 1
            write_word(table, footer + ENTRY_COUNT, entry_count)
            if entry_count == 2 * FIRST_STAGE_LINES or entry_count == 16 * FIRST_STAGE_LINES:
                write_word(table, footer + TABLE_STAGE, stage + 1)
            break
    for slot in range(free_slot, 0, -1):
        write_word(table, line_index + 2 * slot, read_word(table, line_index + 2 * slot - 2))
        write_word(table, line_index + 2 * slot + 1, read_word(table, line_index + 2 * slot - 1))
    write_word(table, line_index, entry_key)
    write_word(table, line_index + 1, tag | deps | low << 20 | high << 30 | move << 40)

"""The exact search: zero-window alpha-beta with a partition-search transposition table.

A search answers one question: does side 0, the maximizer, win at least NEED of the points left?
Positions at trick boundaries are stored in the table. Every answer comes with the dependency set of
its proof (see `dependency_sets`), which is built while the search unwinds. The set has the ranks
that decided a winner or a bound, the ranks that decided which cards were legal, and the union over
the moves of the side that fails.

The search depends on no variant and allocates no memory. Its stack is part of the board, so that a
search can pause after any card.
"""

from __future__ import annotations

from typing import Final

from acesaround.fast.jit import arrayless_kernel, inlined_kernel
from acesaround.fast.raw_memory import Memory, read_fixed_word, read_word, write_word
from acesaround.fast.solver import move_generation, static_bounds, transposition_table
from acesaround.fast.solver.board import (
    BASE_DEPS,
    BEATEN_CODE,
    BEST_CODE,
    BEST_VALUE,
    BITS_PER_RANK,
    CURRENT_FRAME,
    FAILED_DEPS,
    FRAME_SIZE,
    LED_SUIT,
    MOVE_COUNT,
    MOVE_INDEX,
    MOVES,
    MUST_BEAT_LANE,
    MUST_BEAT_SUIT,
    NEED,
    NO_CARD,
    NODE_COUNT,
    NODE_LIMIT,
    PLAYED_CODE,
    PLAYER,
    PLAYER_COUNT,
    POINTS_GAINED,
    POINTS_LEFT,
    RANKS_IN_SUIT,
    RESULT,
    ROOT_FRAME,
    SIDE_OF_PLAYER,
    TRICK_PLACE,
    TRICKS_LEFT,
    VOID_MUST_TRUMP,
    WINNING_CODE,
    play_card,
    take_back_card,
)
from acesaround.fast.solver.dependency_sets import (
    ALL_FAILED,
    OTHER_SUIT,
    RankLayout,
    boundaries,
    boundaries_between,
    generalize_to_run,
    must_beat_dependencies,
    separate,
    separate_neighbours,
)
from acesaround.fast.solver.move_generation import CODE_MASK, lowest_run_rank

_INFINITY: Final = 1 << 20


@inlined_kernel
def _answer_without_search(
    board: Memory, fixed: Memory, lane_facts: Memory, table: Memory, frame: int
) -> tuple[bool, int, int, int]:
    """Try to answer a lead without search: by the points left, static bounds or the table.

    Return whether it is answered, the answer, its dependencies, and else a move to try first.
    """
    need, points_left, base_deps = (
        read_word(board, frame + NEED),
        read_word(board, frame + POINTS_LEFT),
        read_fixed_word(fixed, BASE_DEPS),
    )
    if need <= 0:
        return True, 0, base_deps, 0
    if need > points_left:
        return True, points_left, base_deps, 0
    if read_word(board, frame + TRICKS_LEFT) == 1:
        result, deps = static_bounds.solve_last_trick(board, fixed, frame)
        return True, result, deps, 0
    transposition_table.prefetch_entries(board, fixed, table, frame)
    sure_0, proof_0, sure_1, proof_1 = static_bounds.sure_points(board, fixed, lane_facts, frame)
    if need <= sure_0:
        return True, sure_0, proof_0, 0
    if need > points_left - sure_1:
        return True, points_left - sure_1, proof_1, 0
    return transposition_table.look_up(board, fixed, table, frame)


@inlined_kernel
def _add_must_beat_deps(
    board: Memory, fixed: Memory, frame: int, deps: int, played_code: int
) -> int:
    """Return dependencies plus those of the must-beat rule at a frame.

    See `must_beat_dependencies`. `played_code`: the code of the move that alone is the proof, or
    ALL_FAILED if all moves failed.
    """
    suit = read_word(board, frame + MUST_BEAT_SUIT)
    if suit < 0:
        return deps
    held, best_rank = (
        read_word(board, frame + MUST_BEAT_LANE),
        read_word(board, frame + BEST_CODE) & 7,
    )
    # a hand void in the suit led must beat the winning trump if able, else any card is legal
    may_play_any = (
        suit == 0
        and read_word(board, frame + LED_SUIT) != 0
        and read_fixed_word(fixed, VOID_MUST_TRUMP) == 0
    )
    rank = played_code
    if played_code >= 0:
        rank = played_code & 7 if played_code >> 3 == suit else OTHER_SUIT
    return must_beat_dependencies(
        deps,
        suit,
        held,
        best_rank,
        rank,
        may_play_any,
        RankLayout(
            read_fixed_word(fixed, RANKS_IN_SUIT),
            read_fixed_word(fixed, BITS_PER_RANK),
        ),
    )


@inlined_kernel
def _skip_equivalent_moves(board: Memory, frame: int, deps: int) -> None:
    """Drop moves that a proof does not separate from the failed move, because they fail too."""
    failed_index, move_count = (
        read_word(board, frame + MOVE_INDEX),
        read_word(board, frame + MOVE_COUNT),
    )
    code = read_word(board, frame + PLAYED_CODE)
    separators = boundaries(deps, code >> 3)
    kept_count = failed_index + 1
    for index in range(failed_index + 1, move_count):
        move = read_word(board, frame + MOVES + index)
        other = move & CODE_MASK
        if (other ^ code) >> 3 == 0:
            low, high = min(other, code) & 7, max(other, code) & 7
            if separators & boundaries_between(low, high) == 0:
                continue
        write_word(board, frame + MOVES + kept_count, move)
        kept_count += 1
    write_word(board, frame + MOVE_COUNT, kept_count)
    write_word(board, frame + MOVE_INDEX, failed_index + 1)


@arrayless_kernel
def play_and_advance(board: Memory, fixed: Memory, code: int) -> None:
    """Play a card and make the next frame the current one, before a search."""
    frame = read_word(board, CURRENT_FRAME)
    play_card(board, fixed, frame, code)
    write_word(board, CURRENT_FRAME, frame + FRAME_SIZE)


@arrayless_kernel
def generate_moves(board: Memory, fixed: Memory) -> int:
    """Generate the moves of the current frame. Return their number."""
    frame = read_word(board, CURRENT_FRAME)
    if read_word(board, frame + TRICK_PLACE):
        move_generation.generate_follows(board, fixed, frame)
    else:
        move_generation.generate_leads(board, fixed, frame, NO_CARD)
    return read_word(board, frame + MOVE_COUNT)


@arrayless_kernel
def search(board: Memory, fixed: Memory, lane_facts: Memory, table: Memory) -> int:
    """Search until the root frame `ROOT_FRAME` is answered, or for `NODE_LIMIT` nodes.

    Return 1 with the answer in `RESULT`, or 0 if the search must be called again. The answer is
    fail-soft: a lower bound that is at least `NEED`, or an upper bound below it.
    """
    ranks_in_suit, base_deps, players = (
        read_fixed_word(fixed, RANKS_IN_SUIT),
        read_fixed_word(fixed, BASE_DEPS),
        read_fixed_word(fixed, PLAYER_COUNT),
    )
    frame, root = read_word(board, CURRENT_FRAME), read_word(board, ROOT_FRAME)
    nodes, node_limit = read_word(board, NODE_COUNT), read_word(board, NODE_LIMIT)
    while True:
        # A card is to be played at this frame.
        if nodes >= node_limit:
            write_word(board, CURRENT_FRAME, frame)
            write_word(board, NODE_COUNT, nodes)
            return 0
        is_answered, result, deps, first_move = False, 0, base_deps, 0
        if read_word(board, frame + TRICK_PLACE):
            move_generation.generate_follows(board, fixed, frame)
        else:
            is_answered, result, deps, first_move = _answer_without_search(
                board, fixed, lane_facts, table, frame
            )
            if not is_answered:
                move_generation.generate_leads(board, fixed, frame, first_move)
        if not is_answered:
            write_word(board, frame + MOVE_INDEX, 0)
            write_word(board, frame + FAILED_DEPS, base_deps)
            is_maximizing = (
                read_fixed_word(fixed, SIDE_OF_PLAYER + read_word(board, frame + PLAYER)) == 0
            )
            write_word(board, frame + BEST_VALUE, -1 if is_maximizing else _INFINITY)
        else:
            is_reached = result >= read_word(board, frame + NEED)
            while True:
                # The frame is answered: unwind until a frame has moves left.
                if frame == root:
                    write_word(board, CURRENT_FRAME, frame)
                    write_word(board, NODE_COUNT, nodes)
                    write_word(board, RESULT, result)
                    return 1
                frame -= FRAME_SIZE
                take_back_card(board, fixed, frame)
                code, place = (
                    read_word(board, frame + PLAYED_CODE),
                    read_word(board, frame + TRICK_PLACE),
                )
                if place + 1 == players:
                    result += read_word(board, frame + POINTS_GAINED)
                    winning_code, beaten_code = (
                        read_word(board, frame + WINNING_CODE),
                        read_word(board, frame + BEATEN_CODE),
                    )
                    if beaten_code == winning_code:
                        deps = separate_neighbours(
                            deps, winning_code >> 3, winning_code & 7, ranks_in_suit
                        )
                    elif beaten_code >= 0:
                        deps = separate(deps, winning_code >> 3, beaten_code & 7, winning_code & 7)
                is_maximizing = (
                    read_fixed_word(fixed, SIDE_OF_PLAYER + read_word(board, frame + PLAYER)) == 0
                )
                best_move = code
                if is_reached == is_maximizing:
                    deps = _add_must_beat_deps(board, fixed, frame, deps, code)
                else:
                    value = read_word(board, frame + BEST_VALUE)
                    value = max(value, result) if is_maximizing else min(value, result)
                    write_word(board, frame + BEST_VALUE, value)
                    move = read_word(board, frame + MOVES + read_word(board, frame + MOVE_INDEX))
                    _skip_equivalent_moves(board, frame, deps)
                    deps = generalize_to_run(
                        deps, code >> 3, lowest_run_rank(move), code & 7, ranks_in_suit
                    )
                    deps |= read_word(board, frame + FAILED_DEPS)
                    if read_word(board, frame + MOVE_INDEX) < read_word(board, frame + MOVE_COUNT):
                        write_word(board, frame + FAILED_DEPS, deps)
                        break
                    result = value
                    deps = _add_must_beat_deps(board, fixed, frame, deps, ALL_FAILED)
                    best_move = read_word(board, frame + MOVES) & CODE_MASK
                if place == 0:
                    transposition_table.store(board, fixed, table, frame, result, deps, best_move)
        play_card(
            board,
            fixed,
            frame,
            read_word(board, frame + MOVES + read_word(board, frame + MOVE_INDEX)) & CODE_MASK,
        )
        nodes += 1
        frame += FRAME_SIZE

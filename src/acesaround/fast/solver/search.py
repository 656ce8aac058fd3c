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

from acesaround.fast.jit import arrayless_kernel, inlined
from acesaround.fast.raw_memory import Memory, at, given, put
from acesaround.fast.solver import bounds, move_generation, transposition_table
from acesaround.fast.solver.board import (
    ALWAYS,
    AT,
    BASE,
    BEATEN,
    BEST,
    BITS,
    FRAME,
    GAINED,
    LAW_HELD,
    LAW_SUIT,
    LED,
    LEFT,
    LIMIT,
    MOVE,
    MOVES,
    NEED,
    NO_CARD,
    NODES,
    NUMBER,
    PLACE,
    PLAYED,
    PLAYER,
    PLAYERS,
    RANKS,
    RESULT,
    SIDE,
    TRICKS,
    UNION,
    VALUE,
    VOID_TRUMPS,
    WON,
    play,
    take_back,
)
from acesaround.fast.solver.dependency_sets import (
    ELSEWHERE,
    FAILED,
    between,
    boundaries,
    must_beat_dependencies,
    run,
    separate,
    separate_neighbours,
)
from acesaround.fast.solver.move_generation import CODE, run_of

_MANY: Final = 1 << 20


@inlined
def _known(
    board: Memory, fixed: Memory, facts: Memory, table: Memory, frame: int
) -> tuple[bool, int, int, int]:
    """Try to answer a lead without search: by the points left, static bounds or the table.

    Return whether it is answered, the answer, its dependencies, and else a move to try first.
    """
    need, left, always = at(board, frame + NEED), at(board, frame + LEFT), given(fixed, ALWAYS)
    if need <= 0:
        return True, 0, always, 0
    if need > left:
        return True, left, always, 0
    if at(board, frame + TRICKS) == 1:
        result, deps = bounds.last_trick(board, fixed, frame)
        return True, result, deps, 0
    transposition_table.prefetch(board, fixed, table, frame)
    sure_0, proof_0, sure_1, proof_1 = bounds.sure(board, fixed, facts, frame)
    if need <= sure_0:
        return True, sure_0, proof_0, 0
    if need > left - sure_1:
        return True, left - sure_1, proof_1, 0
    return transposition_table.look_up(board, fixed, table, frame)


@inlined
def _lawful(board: Memory, fixed: Memory, frame: int, deps: int, moved: int) -> int:
    """Return dependencies plus those of the must-beat rule at a frame.

    See `must_beat_dependencies`. `moved`: the code of the move that alone is the proof, or FAILED
    if all moves failed.
    """
    suit = at(board, frame + LAW_SUIT)
    if suit < 0:
        return deps
    held, best = at(board, frame + LAW_HELD), at(board, frame + BEST) & 7
    # a hand void in the suit led must beat the winning trump if able, else any card is legal
    free = suit == 0 and at(board, frame + LED) != 0 and given(fixed, VOID_TRUMPS) == 0
    rank = moved
    if moved >= 0:
        rank = moved & 7 if moved >> 3 == suit else ELSEWHERE
    return must_beat_dependencies(
        deps, suit, held, best, rank, free, given(fixed, RANKS), given(fixed, BITS)
    )


@inlined
def _skip_alike(board: Memory, frame: int, deps: int) -> None:
    """Drop moves that a proof does not separate from the failed move, because they fail too."""
    one, number = at(board, frame + MOVE), at(board, frame + NUMBER)
    code = at(board, frame + PLAYED)
    here = boundaries(deps, code >> 3)
    kept = one + 1
    for later in range(one + 1, number):
        move = at(board, frame + MOVES + later)
        other = move & CODE
        if (other ^ code) >> 3 == 0:
            low, high = min(other, code) & 7, max(other, code) & 7
            if here & between(low, high) == 0:
                continue
        put(board, frame + MOVES + kept, move)
        kept += 1
    put(board, frame + NUMBER, kept)
    put(board, frame + MOVE, one + 1)


@arrayless_kernel
def advance(board: Memory, fixed: Memory, code: int) -> None:
    """Play a card and make the next frame the current one, before a search."""
    frame = at(board, AT)
    play(board, fixed, frame, code)
    put(board, AT, frame + FRAME)


@arrayless_kernel
def choices(board: Memory, fixed: Memory) -> int:
    """Generate the moves of the current frame. Return their number."""
    frame = at(board, AT)
    if at(board, frame + PLACE):
        move_generation.follow(board, fixed, frame)
    else:
        move_generation.lead(board, fixed, frame, NO_CARD)
    return at(board, frame + NUMBER)


@arrayless_kernel
def search(board: Memory, fixed: Memory, facts: Memory, table: Memory) -> int:
    """Search until the root frame `BASE` is answered, or for `LIMIT` nodes.

    Return 1 with the answer in `RESULT`, or 0 if the search must be called again. The answer is
    fail-soft: a lower bound that is at least `NEED`, or an upper bound below it.
    """
    ranks, always, players = given(fixed, RANKS), given(fixed, ALWAYS), given(fixed, PLAYERS)
    frame, base = at(board, AT), at(board, BASE)
    nodes, limit = at(board, NODES), at(board, LIMIT)
    while True:
        # A card is to be played at this frame.
        if nodes >= limit:
            put(board, AT, frame)
            put(board, NODES, nodes)
            return 0
        answered, result, deps, first = False, 0, always, 0
        if at(board, frame + PLACE):
            move_generation.follow(board, fixed, frame)
        else:
            answered, result, deps, first = _known(board, fixed, facts, table, frame)
            if not answered:
                move_generation.lead(board, fixed, frame, first)
        if not answered:
            put(board, frame + MOVE, 0)
            put(board, frame + UNION, always)
            wants = given(fixed, SIDE + at(board, frame + PLAYER)) == 0
            put(board, frame + VALUE, -1 if wants else _MANY)
        else:
            enough = result >= at(board, frame + NEED)
            while True:
                # The frame is answered: unwind until a frame has moves left.
                if frame == base:
                    put(board, AT, frame)
                    put(board, NODES, nodes)
                    put(board, RESULT, result)
                    return 1
                frame -= FRAME
                take_back(board, fixed, frame)
                code, place = at(board, frame + PLAYED), at(board, frame + PLACE)
                if place + 1 == players:
                    result += at(board, frame + GAINED)
                    won, beaten = at(board, frame + WON), at(board, frame + BEATEN)
                    if beaten == won:
                        deps = separate_neighbours(deps, won >> 3, won & 7, ranks)
                    elif beaten >= 0:
                        deps = separate(deps, won >> 3, beaten & 7, won & 7)
                wants = given(fixed, SIDE + at(board, frame + PLAYER)) == 0
                best_move = code
                if enough == wants:
                    deps = _lawful(board, fixed, frame, deps, code)
                else:
                    value = at(board, frame + VALUE)
                    value = max(value, result) if wants else min(value, result)
                    put(board, frame + VALUE, value)
                    move = at(board, frame + MOVES + at(board, frame + MOVE))
                    _skip_alike(board, frame, deps)
                    deps = run(deps, code >> 3, run_of(move), code & 7, ranks)
                    deps |= at(board, frame + UNION)
                    if at(board, frame + MOVE) < at(board, frame + NUMBER):
                        put(board, frame + UNION, deps)
                        break
                    result = value
                    deps = _lawful(board, fixed, frame, deps, FAILED)
                    best_move = at(board, frame + MOVES) & CODE
                if place == 0:
                    transposition_table.store(board, fixed, table, frame, result, deps, best_move)
        play(board, fixed, frame, at(board, frame + MOVES + at(board, frame + MOVE)) & CODE)
        nodes += 1
        frame += FRAME

"""The exact search: alpha-beta at trick boundaries over a table that stores only what mattered.

A zero-window question at a time: does side 0 win at least so many of the points that are left? Side
0 wants many. Every answer comes with the dependencies of its proof (see `proof`), which are built
on the way back up: where a winner or a bound was told by ranks, where a rank decided what had to be
played, and the union over the moves of the side that fails. Nothing here knows a variant, and
nothing allocates; the stack is the board's own, so that a search can pause after any card.
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
    """Whether a lead's question is answered at once; the answer, its dependencies; a good move."""
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
    """Dependencies with what the law of beating adds at a frame (see `proof.law`).

    `moved`: the code of the one move that is the proof, or FAILED.
    """
    suit = at(board, frame + LAW_SUIT)
    if suit < 0:
        return deps
    held, best = at(board, frame + LAW_HELD), at(board, frame + BEST) & 7
    # a hand void in the suit led is asked to beat a trump
    free = suit == 0 and at(board, frame + LED) != 0 and given(fixed, VOID_TRUMPS) == 0
    rank = moved
    if moved >= 0:
        rank = moved & 7 if moved >> 3 == suit else ELSEWHERE
    return must_beat_dependencies(
        deps, suit, held, best, rank, free, given(fixed, RANKS), given(fixed, BITS)
    )


@inlined
def _skip_alike(board: Memory, frame: int, deps: int) -> None:
    """Drop moves that a proof does not tell from the one that has just failed: they fail too."""
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
    """Play a card for good."""
    frame = at(board, AT)
    play(board, fixed, frame, code)
    put(board, AT, frame + FRAME)


@arrayless_kernel
def choices(board: Memory, fixed: Memory) -> int:
    """Write down the moves of who is to play, and say how many there are."""
    frame = at(board, AT)
    if at(board, frame + PLACE):
        move_generation.follow(board, fixed, frame)
    else:
        move_generation.lead(board, fixed, frame, NO_CARD)
    return at(board, frame + NUMBER)


@arrayless_kernel
def search(board: Memory, fixed: Memory, facts: Memory, table: Memory) -> int:
    """Search until the frame `BASE` of the board is answered, or for `LIMIT` nodes.

    Returns 1 with the answer in `RESULT`, or 0 if it is to be called again. The answer is
    fail-soft: at least `NEED` and a lower bound, or below it and an upper bound.
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
                # The frame is answered: back to the card before it, until one has moves left.
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

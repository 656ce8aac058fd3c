"""Dependency sets for partition search: the ranks that a proof has to tell apart.

A set has boundaries between adjacent ranks of each suit. Bit `r` of a suit's five bits is the
boundary between ranks `r` and `r + 1` (rank 0 is the lowest). The ranks between two boundaries are
a *class*. Boundaries between ranks of different worth are in every set.

The transposition table is exact because of this claim: a proven bound holds for every position with
the same number of cards of each class in each hand, the same leader and the same broken trump. The
idea is partition search (Ginsberg, AAAI 1996). The evidence for the claim is the tests, which
compare with unpruned search.
"""

from __future__ import annotations

from typing import Final

from acesaround.fast.jit import highest, inlined, lowest

SUIT: Final = 5  # bits a suit: the boundaries of six ranks
FAILED: Final = -1  # instead of the rank moved: all moves failed
ELSEWHERE: Final = -2  # instead of the rank moved: the card is of another suit


@inlined
def rank_of(bit: int, bits: int) -> int:
    """Return the rank of a bit of a lane that has `bits` (2 or 3) bits a rank."""
    return bit >> 1 if bits == 2 else bit * 43 >> 7


@inlined
def boundaries(deps: int, suit: int) -> int:
    """Return the boundaries of one suit."""
    return deps >> (SUIT * suit) & 31


@inlined
def between(low: int, high: int) -> int:
    """Return all boundaries from rank `low` to rank `high`."""
    return ((1 << high) - 1) & ~((1 << low) - 1)


@inlined
def separate(deps: int, suit: int, low: int, high: int) -> int:
    """Add the boundary below rank `high`, unless one separates it from rank `low` already."""
    if deps >> (SUIT * suit) & between(low, high):
        return deps
    return deps | 1 << (SUIT * suit + high - 1)


@inlined
def separate_neighbours(deps: int, suit: int, rank: int, ranks: int) -> int:
    """Add the boundaries above and below a rank."""
    if rank > 0:
        deps |= 1 << (SUIT * suit + rank - 1)
    if rank < ranks - 1:
        deps |= 1 << (SUIT * suit + rank)
    return deps


@inlined
def run(deps: int, suit: int, low: int, high: int, ranks: int) -> int:
    """Generalize the dependencies of a proof from one card to its run of equivalent cards.

    All cards of the run have the same result, so that only its outer boundaries count.
    """
    inner = between(low, high) << (SUIT * suit)
    if deps & inner:
        deps &= ~inner
        if low > 0:
            deps |= 1 << (SUIT * suit + low - 1)
        if high < ranks - 1:
            deps |= 1 << (SUIT * suit + high)
    return deps


@inlined
def must_beat_dependencies(
    deps: int, suit: int, held: int, best: int, moved: int, free: bool, ranks: int, bits: int
) -> int:
    """Add the dependencies of having to beat a card of rank `best` in `suit` if able.

    They ensure that the same moves are legal with other cards of the same classes. `held`: the
    player's lane of that suit. `moved`: the rank played if that move alone is the proof (ELSEWHERE
    for a card of another suit), or FAILED if all moves failed. `free`: whether a player who cannot
    beat the card may play any card of any suit.
    """
    while True:
        here = boundaries(deps, suit)
        above = here >> best
        top = best + lowest(above) if above else ranks - 1
        under = here & ((1 << best) - 1)
        bottom = highest(under) + 1 if under else 0
        beating = held >> ((best + 1) * bits)
        clear = held >> ((top + 1) * bits)
        below = held & ((1 << (bottom * bits)) - 1)
        if moved >= 0 and beating:
            # the player must beat: no card of the best card's class may count as beating it
            if moved > top or clear == 0:
                return deps
            return separate(deps, suit, best, moved)
        if moved >= 0 and moved >= bottom:
            return deps
        if moved == FAILED:
            if beating == 0:
                return deps
            if clear == 0:
                if below == 0 and not free:
                    return deps
                deps = separate(deps, suit, best, best + 1 + rank_of(highest(beating), bits))
                continue
            if beating & ((1 << ((top - best) * bits)) - 1):
                return deps
        level = held & ((1 << ((best + 1) * bits)) - 1) & ~((1 << (bottom * bits)) - 1)
        if level == 0:
            return deps
        rank = rank_of(highest(level), bits)
        if rank != best:
            return separate(deps, suit, rank, best)
        if bottom == best and top == best:
            return deps
        return separate_neighbours(deps, suit, best, ranks)

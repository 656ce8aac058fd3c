"""Dependency sets: which cards a proof told apart.

A set says, a suit, between which neighbouring ranks: bit `r` of a suit's five bits stands for the
boundary between ranks `r` and `r + 1` (rank 0 is the lowest); the ranks between two boundaries are
a *class*. Boundaries between ranks of different worth are in every set. The claim that makes the
table of `search` exact: every position with the same number of cards in each class in each hand,
the same leader and the same broken trump has the bound that was proven. (The idea is partition
search, Ginsberg, AAAI 1996; that it holds here rests on the tests, which compare with unpruned
search.)
"""

from __future__ import annotations

from typing import Final

from acesaround.fast.jit import highest, inlined, lowest

SUIT: Final = 5  # bits a suit: the boundaries of six ranks
FAILED: Final = -1  # in the place of the rank moved: all moves failed,
ELSEWHERE: Final = -2  # or a card of another suit was


@inlined
def rank_of(bit: int, bits: int) -> int:
    """The rank to which a bit of a lane belongs, of `bits` (2 or 3) a rank."""
    return bit >> 1 if bits == 2 else bit * 43 >> 7


@inlined
def boundaries(deps: int, suit: int) -> int:
    """The boundaries of one suit."""
    return deps >> (SUIT * suit) & 31


@inlined
def between(low: int, high: int) -> int:
    """All boundaries from rank `low` to rank `high`."""
    return ((1 << high) - 1) & ~((1 << low) - 1)


@inlined
def separate(deps: int, suit: int, low: int, high: int) -> int:
    """Tell rank `low` from rank `high`: by a boundary that is there, or the one below `high`."""
    if deps >> (SUIT * suit) & between(low, high):
        return deps
    return deps | 1 << (SUIT * suit + high - 1)


@inlined
def separate_neighbours(deps: int, suit: int, rank: int, ranks: int) -> int:
    """Tell a rank from both its neighbours."""
    if rank > 0:
        deps |= 1 << (SUIT * suit + rank - 1)
    if rank < ranks - 1:
        deps |= 1 << (SUIT * suit + rank)
    return deps


@inlined
def run(deps: int, suit: int, low: int, high: int, ranks: int) -> int:
    """What a proof about one card of a run of equal ones tells apart, said of the whole run.

    The run stands or falls as one, so that only its outer boundaries count.
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
    """What the law of beating adds: that a card of rank `best` in `suit` is to be beaten if able.

    `held`: the player's lane there. `moved`: the rank played where that one move is the proof (or
    ELSEWHERE); FAILED where all moves failed. `free`: who cannot beat it may play any card of any
    suit. With other cards of the same classes the same moves must be legal.
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
            # it must beat: no card of the best card's class may pass for one that does
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

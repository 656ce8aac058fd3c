"""Dependency sets for partition search: the ranks that a proof has to tell apart.

A set has boundaries between adjacent ranks of each suit. Bit r of a suit's five bits is the
boundary between ranks r and r + 1 (rank 0 is the lowest). The ranks between two boundaries are
a *class*. Boundaries between ranks of different worth are in every set.

The transposition table is exact because of this claim: a proven bound holds for every position with
the same number of cards of each class in each hand, the same leader and the same broken trump. The
idea is partition search (Ginsberg, AAAI 1996). The evidence for the claim is the tests, which
compare with unpruned search.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from acesaround.fast.jit import highest_bit, inlined_kernel, lowest_bit

BITS_PER_SUIT: Final = 5  # bits a suit: the boundaries of six ranks
ALL_FAILED: Final = -1  # instead of the rank moved: all moves failed
OTHER_SUIT: Final = -2  # instead of the rank moved: the card is of another suit


class RankLayout(NamedTuple):
    """The layout of the ranks of a suit in a lane."""

    ranks: int
    bits_per_rank: int


@inlined_kernel
def rank_of(bit: int, bits_per_rank: int) -> int:
    """Return the rank of a bit of a lane that has `bits_per_rank` (2 or 3) bits a rank."""
    return bit >> 1 if bits_per_rank == 2 else bit * 43 >> 7


@inlined_kernel
def boundaries(deps: int, suit: int) -> int:
    """Return the boundaries of one suit."""
    return deps >> (BITS_PER_SUIT * suit) & 31


@inlined_kernel
def boundaries_between(low: int, high: int) -> int:
    """Return all boundaries from rank `low` to rank `high`."""
    return ((1 << high) - 1) & ~((1 << low) - 1)


@inlined_kernel
def separate(deps: int, suit: int, low: int, high: int) -> int:
    """Add the boundary below rank `high`, unless one separates it from rank `low` already."""
    if deps >> (BITS_PER_SUIT * suit) & boundaries_between(low, high):
        return deps
    return deps | 1 << (BITS_PER_SUIT * suit + high - 1)


@inlined_kernel
def separate_neighbours(deps: int, suit: int, rank: int, ranks: int) -> int:
    """Add the boundaries above and below a rank."""
    if rank > 0:
        deps |= 1 << (BITS_PER_SUIT * suit + rank - 1)
    if rank < ranks - 1:
        deps |= 1 << (BITS_PER_SUIT * suit + rank)
    return deps


@inlined_kernel
def generalize_to_run(deps: int, suit: int, low: int, high: int, ranks: int) -> int:
    """Generalize the dependencies of a proof from one card to its run of equivalent cards.

    All cards of the run have the same result, so that only its outer boundaries count.
    """
    inner = boundaries_between(low, high) << (BITS_PER_SUIT * suit)
    if deps & inner:
        deps &= ~inner
        if low > 0:
            deps |= 1 << (BITS_PER_SUIT * suit + low - 1)
        if high < ranks - 1:
            deps |= 1 << (BITS_PER_SUIT * suit + high)
    return deps


@inlined_kernel
def must_beat_dependencies(
    deps: int,
    suit: int,
    lane: int,
    best_rank: int,
    played_rank: int,
    may_play_any: bool,
    layout: RankLayout,
) -> int:
    """Add the dependencies of having to beat a card of rank `best_rank` in `suit` if able.

    They ensure that the same moves are legal with other cards of the same classes. `lane`: the
    player's lane of that suit. `played_rank`: the rank played if that move alone is the proof
    (OTHER_SUIT for a card of another suit), or ALL_FAILED if all moves failed. `may_play_any`:
    whether a player who cannot beat the card may play any card of any suit.
    """
    ranks, bits_per_rank = layout.ranks, layout.bits_per_rank
    while True:
        separators = boundaries(deps, suit)
        above = separators >> best_rank
        top = best_rank + lowest_bit(above) if above else ranks - 1
        lower_separators = separators & ((1 << best_rank) - 1)
        bottom = highest_bit(lower_separators) + 1 if lower_separators else 0
        beating_cards = lane >> ((best_rank + 1) * bits_per_rank)
        clear_winners = lane >> ((top + 1) * bits_per_rank)
        lower_cards = lane & ((1 << (bottom * bits_per_rank)) - 1)
        if played_rank >= 0 and beating_cards:
            # the player must beat: no card of the best card's class may count as beating it
            if played_rank > top or clear_winners == 0:
                return deps
            return separate(deps, suit, best_rank, played_rank)
        if played_rank >= 0 and played_rank >= bottom:
            return deps
        if played_rank == ALL_FAILED:
            if beating_cards == 0:
                return deps
            if clear_winners == 0:
                if lower_cards == 0 and not may_play_any:
                    return deps
                deps = separate(
                    deps,
                    suit,
                    best_rank,
                    best_rank + 1 + rank_of(highest_bit(beating_cards), bits_per_rank),
                )
                continue
            if beating_cards & ((1 << ((top - best_rank) * bits_per_rank)) - 1):
                return deps
        class_cards = (
            lane
            & ((1 << ((best_rank + 1) * bits_per_rank)) - 1)
            & ~((1 << (bottom * bits_per_rank)) - 1)
        )
        if class_cards == 0:
            return deps
        rank = rank_of(highest_bit(class_cards), bits_per_rank)
        if rank != best_rank:
            return separate(deps, suit, rank, best_rank)
        if bottom == best_rank and top == best_rank:
            return deps
        return separate_neighbours(deps, suit, best_rank, ranks)

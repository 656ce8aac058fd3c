"""Static bounds at a lead, read off the hands, each with the dependency set of its proof."""

from __future__ import annotations

from acesaround.fast.jit import highest, inlined, lowest
from acesaround.fast.raw_memory import Memory, at, given
from acesaround.fast.solver.board import (
    ALWAYS,
    BITS,
    BROKEN,
    LANES,
    LAST,
    LEAST,
    LEFT,
    PLAYER,
    PLAYERS,
    RANKS,
    SIDE,
    TRICKS,
)
from acesaround.fast.solver.dependency_sets import rank_of, separate, separate_neighbours


@inlined
def cards_in(facts: Memory, lane: int) -> int:
    """Return the number of cards in a lane."""
    return given(facts, lane) & 31


@inlined
def counters_in(facts: Memory, lane: int) -> int:
    """Return the number of cards in a lane that are worth points."""
    return given(facts, lane) >> 8 & 31


@inlined
def points_in(facts: Memory, lane: int) -> int:
    """Return the points of the cards in a lane."""
    return given(facts, lane) >> 16


@inlined
def sure(board: Memory, fixed: Memory, facts: Memory, frame: int) -> tuple[int, int, int, int]:
    """Return the points that side 0 is sure to win and their dependencies, then those of side 1.

    There are two sources. Trumps that no opponent can beat win whenever they are played. The leader
    can cash top cards while all hands follow.
    """
    players, ranks, bits = given(fixed, PLAYERS), given(fixed, RANKS), given(fixed, BITS)
    always, tricks = given(fixed, ALWAYS), at(board, frame + TRICKS)
    sure_0, proof_0, sure_1, proof_1 = 0, always, 0, always
    trumps_0, trumps_1 = 0, 0
    for player in range(players):
        if given(fixed, SIDE + player) == 0:
            trumps_0 |= at(board, LANES + player)
        else:
            trumps_1 |= at(board, LANES + player)
    for player in range(players):
        lane = at(board, LANES + player)
        side = given(fixed, SIDE + player)
        others = trumps_1 if side == 0 else trumps_0
        if lane <= others:
            continue
        masters, deps = lane, always
        if others:
            rank = rank_of(highest(others), bits)
            masters = lane & ~((1 << ((rank + 1) * bits)) - 1)
            if masters:
                deps = separate(deps, 0, rank, rank_of(lowest(masters), bits))
        if masters:
            points = points_in(facts, masters)
            if cards_in(facts, masters) == tricks:
                points += given(fixed, LAST)
            if side == 0:
                if points > sure_0:
                    sure_0, proof_0 = points, deps
            elif points > sure_1:
                sure_1, proof_1 = points, deps
    if not at(board, frame + BROKEN):
        return sure_0, proof_0, sure_1, proof_1
    leader = at(board, frame + PLAYER)
    deps = always
    own, cashed, trumps = 0, 0, 0
    for suit in range(4):
        lane = at(board, LANES + (suit << 4 | leader))
        if lane == 0 and suit:
            continue
        others, longest = 0, 0
        for player in range(players):
            if player != leader:
                other = at(board, LANES + (suit << 4 | player))
                others |= other
                longest = max(longest, cards_in(facts, other))
        top, told = lane, deps
        if others:
            rank = rank_of(highest(others), bits)
            top = lane & ~((1 << (rank * bits)) - 1)
            if top:
                low = rank_of(lowest(top), bits)
                if low == rank:
                    told = separate_neighbours(told, suit, rank, ranks)
                else:
                    told = separate(told, suit, rank, low)
        number = cards_in(facts, top)
        if number >= longest:  # the other hands run out: the rest of the suit wins too
            top, number = lane, cards_in(facts, lane)
        elif suit == 0:  # another hand keeps trumps: plain suits are not safe
            deps, own, cashed, trumps = told, points_in(facts, top), number, number
            break
        deps = told
        own += points_in(facts, top)
        cashed += number
        if suit == 0:
            trumps = number
    if cashed == 0:
        return sure_0, proof_0, sure_1, proof_1
    mine, left = given(fixed, SIDE + leader), at(board, frame + LEFT)
    points = left
    if cashed < tricks:
        points = own
        least = given(fixed, LEAST)
        for player in range(players):
            if player == leader:
                continue
            lane = at(board, LANES + player)
            many, good = cards_in(facts, lane), counters_in(facts, lane)
            all_good = good
            for suit in range(1, 4):
                all_good += counters_in(facts, at(board, LANES + (suit << 4 | player)))
            followed = min(trumps, many)
            forced = max(0, cashed - (tricks - all_good))
            if given(fixed, SIDE + player) != mine:
                points += least * max(max(0, followed - (many - good)), forced)
            else:
                thrown = min(followed, good)
                if trumps > many:
                    thrown += min(trumps - many, all_good - good)
                points += least * max(thrown, forced)
        points = min(points, left)
    if mine == 0:
        if points > sure_0:
            sure_0, proof_0 = points, deps
    elif points > sure_1:
        sure_1, proof_1 = points, deps
    return sure_0, proof_0, sure_1, proof_1


@inlined
def last_trick(board: Memory, fixed: Memory, frame: int) -> tuple[int, int]:
    """Return the points of side 0 in the last trick, where plays are forced, and dependencies."""
    players, ranks, bits = given(fixed, PLAYERS), given(fixed, RANKS), given(fixed, BITS)
    leader = at(board, frame + PLAYER)
    led = 0
    while at(board, LANES + (led << 4 | leader)) == 0:
        led += 1
    # a lane is the strength of a card in this trick: 0 for a plain card of a suit not led
    winner, best, best_0, best_1 = leader, 0, 0, 0
    player = leader
    for _ in range(players):
        lane = at(board, LANES + player) << 20
        if led:
            lane |= at(board, LANES + (led << 4 | player))
        if lane > best:
            winner, best = player, lane
        if given(fixed, SIDE + player) == 0:
            best_0 = max(best_0, lane)
        else:
            best_1 = max(best_1, lane)
        player = player + 1 if player + 1 < players else 0
    suit = led
    if best >= 1 << 20:
        suit, best, best_0, best_1 = 0, best >> 20, best_0 >> 20, best_1 >> 20
    deps = given(fixed, ALWAYS)
    side = given(fixed, SIDE + winner)
    beaten = best_1 if side == 0 else best_0
    if beaten == best:
        deps = separate_neighbours(deps, suit, rank_of(lowest(best), bits), ranks)
    elif beaten:
        deps = separate(deps, suit, rank_of(lowest(beaten), bits), rank_of(lowest(best), bits))
    return (at(board, frame + LEFT) if side == 0 else 0), deps

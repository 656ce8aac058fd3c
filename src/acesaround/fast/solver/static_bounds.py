"""Static bounds at a lead, read off the hands, each with the dependency set of its proof."""

from __future__ import annotations

from acesaround.fast.jit import highest_bit, inlined_kernel, lowest_bit
from acesaround.fast.raw_memory import Memory, read_fixed_word, read_word
from acesaround.fast.solver.board import (
    BASE_DEPS,
    BITS_PER_RANK,
    LANES,
    LAST_TRICK_POINTS,
    MIN_CARD_POINTS,
    PLAYER,
    PLAYER_COUNT,
    POINTS_LEFT,
    RANKS_IN_SUIT,
    SIDE_OF_PLAYER,
    TRICKS_LEFT,
    TRUMP_BROKEN,
)
from acesaround.fast.solver.dependency_sets import rank_of, separate, separate_neighbours


@inlined_kernel
def cards_in(facts: Memory, lane: int) -> int:
    """Return the number of cards in a lane."""
    return read_fixed_word(facts, lane) & 31


@inlined_kernel
def counters_in(facts: Memory, lane: int) -> int:
    """Return the number of cards in a lane that are worth points."""
    return read_fixed_word(facts, lane) >> 8 & 31


@inlined_kernel
def points_in(facts: Memory, lane: int) -> int:
    """Return the points of the cards in a lane."""
    return read_fixed_word(facts, lane) >> 16


@inlined_kernel
def sure_points(
    board: Memory, fixed: Memory, lane_facts: Memory, frame: int
) -> tuple[int, int, int, int]:
    """Return the points that side 0 is sure to win and their dependencies, then those of side 1.

    There are two sources. Trumps that no opponent can beat win whenever they are played. The leader
    can cash top cards while all hands follow.
    """
    players, ranks_in_suit, bits_per_rank = (
        read_fixed_word(fixed, PLAYER_COUNT),
        read_fixed_word(fixed, RANKS_IN_SUIT),
        read_fixed_word(fixed, BITS_PER_RANK),
    )
    base_deps, tricks_left = (
        read_fixed_word(fixed, BASE_DEPS),
        read_word(board, frame + TRICKS_LEFT),
    )
    sure_0, deps_0, sure_1, deps_1 = 0, base_deps, 0, base_deps
    trumps_0, trumps_1 = 0, 0
    for player in range(players):
        if read_fixed_word(fixed, SIDE_OF_PLAYER + player) == 0:
            trumps_0 |= read_word(board, LANES + player)
        else:
            trumps_1 |= read_word(board, LANES + player)
    for player in range(players):
        lane = read_word(board, LANES + player)
        side = read_fixed_word(fixed, SIDE_OF_PLAYER + player)
        other_cards = trumps_1 if side == 0 else trumps_0
        if lane <= other_cards:
            continue
        masters, deps = lane, base_deps
        if other_cards:
            rank = rank_of(highest_bit(other_cards), bits_per_rank)
            masters = lane & ~((1 << ((rank + 1) * bits_per_rank)) - 1)
            if masters:
                deps = separate(deps, 0, rank, rank_of(lowest_bit(masters), bits_per_rank))
        if masters:
            points = points_in(lane_facts, masters)
            if cards_in(lane_facts, masters) == tricks_left:
                points += read_fixed_word(fixed, LAST_TRICK_POINTS)
            if side == 0:
                if points > sure_0:
                    sure_0, deps_0 = points, deps
            elif points > sure_1:
                sure_1, deps_1 = points, deps
    if not read_word(board, frame + TRUMP_BROKEN):
        return sure_0, deps_0, sure_1, deps_1
    leader = read_word(board, frame + PLAYER)
    deps = base_deps
    cashed_points, cashed_count, trumps_cashed = 0, 0, 0
    for suit in range(4):
        lane = read_word(board, LANES + (suit << 4 | leader))
        if lane == 0 and suit:
            continue
        other_cards, longest = 0, 0
        for player in range(players):
            if player != leader:
                other = read_word(board, LANES + (suit << 4 | player))
                other_cards |= other
                longest = max(longest, cards_in(lane_facts, other))
        top, new_deps = lane, deps
        if other_cards:
            rank = rank_of(highest_bit(other_cards), bits_per_rank)
            top = lane & ~((1 << (rank * bits_per_rank)) - 1)
            if top:
                low = rank_of(lowest_bit(top), bits_per_rank)
                if low == rank:
                    new_deps = separate_neighbours(new_deps, suit, rank, ranks_in_suit)
                else:
                    new_deps = separate(new_deps, suit, rank, low)
        winner_count = cards_in(lane_facts, top)
        if winner_count >= longest:  # the other hands run out: the rest of the suit wins too
            top, winner_count = lane, cards_in(lane_facts, lane)
        elif suit == 0:  # another hand keeps trumps: plain suits are not safe
            deps, cashed_points, cashed_count, trumps_cashed = (
                new_deps,
                points_in(lane_facts, top),
                winner_count,
                winner_count,
            )
            break
        deps = new_deps
        cashed_points += points_in(lane_facts, top)
        cashed_count += winner_count
        if suit == 0:
            trumps_cashed = winner_count
    if cashed_count == 0:
        return sure_0, deps_0, sure_1, deps_1
    leader_side, points_left = (
        read_fixed_word(fixed, SIDE_OF_PLAYER + leader),
        read_word(board, frame + POINTS_LEFT),
    )
    points = points_left
    if cashed_count < tricks_left:
        points = cashed_points
        min_card_points = read_fixed_word(fixed, MIN_CARD_POINTS)
        for player in range(players):
            if player == leader:
                continue
            lane = read_word(board, LANES + player)
            trump_count, trump_counters = cards_in(lane_facts, lane), counters_in(lane_facts, lane)
            counter_count = trump_counters
            for suit in range(1, 4):
                counter_count += counters_in(
                    lane_facts, read_word(board, LANES + (suit << 4 | player))
                )
            trumps_followed = min(trumps_cashed, trump_count)
            counters_forced = max(0, cashed_count - (tricks_left - counter_count))
            if read_fixed_word(fixed, SIDE_OF_PLAYER + player) != leader_side:
                points += min_card_points * max(
                    max(0, trumps_followed - (trump_count - trump_counters)), counters_forced
                )
            else:
                counters_thrown = min(trumps_followed, trump_counters)
                if trumps_cashed > trump_count:
                    counters_thrown += min(
                        trumps_cashed - trump_count, counter_count - trump_counters
                    )
                points += min_card_points * max(counters_thrown, counters_forced)
        points = min(points, points_left)
    if leader_side == 0:
        if points > sure_0:
            sure_0, deps_0 = points, deps
    elif points > sure_1:
        sure_1, deps_1 = points, deps
    return sure_0, deps_0, sure_1, deps_1


@inlined_kernel
def solve_last_trick(board: Memory, fixed: Memory, frame: int) -> tuple[int, int]:
    """Return the points of side 0 in the last trick, where plays are forced, and dependencies."""
    players, ranks_in_suit, bits_per_rank = (
        read_fixed_word(fixed, PLAYER_COUNT),
        read_fixed_word(fixed, RANKS_IN_SUIT),
        read_fixed_word(fixed, BITS_PER_RANK),
    )
    leader = read_word(board, frame + PLAYER)
    led_suit = 0
    while read_word(board, LANES + (led_suit << 4 | leader)) == 0:
        led_suit += 1
    # a lane is the strength of a card in this trick: 0 for a plain card of a suit not led
    winner, best, best_0, best_1 = leader, 0, 0, 0
    player = leader
    for _ in range(players):
        lane = read_word(board, LANES + player) << 20
        if led_suit:
            lane |= read_word(board, LANES + (led_suit << 4 | player))
        if lane > best:
            winner, best = player, lane
        if read_fixed_word(fixed, SIDE_OF_PLAYER + player) == 0:
            best_0 = max(best_0, lane)
        else:
            best_1 = max(best_1, lane)
        player = player + 1 if player + 1 < players else 0
    suit = led_suit
    if best >= 1 << 20:
        suit, best, best_0, best_1 = 0, best >> 20, best_0 >> 20, best_1 >> 20
    deps = read_fixed_word(fixed, BASE_DEPS)
    side = read_fixed_word(fixed, SIDE_OF_PLAYER + winner)
    beaten = best_1 if side == 0 else best_0
    if beaten == best:
        deps = separate_neighbours(
            deps, suit, rank_of(lowest_bit(best), bits_per_rank), ranks_in_suit
        )
    elif beaten:
        deps = separate(
            deps,
            suit,
            rank_of(lowest_bit(beaten), bits_per_rank),
            rank_of(lowest_bit(best), bits_per_rank),
        )
    return (read_word(board, frame + POINTS_LEFT) if side == 0 else 0), deps

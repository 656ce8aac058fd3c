"""Two-ply rollouts of cards: the seat's next own card is searched as well, from what it will know.

In an ordinary rollout the rule player chooses all later cards. This module also chooses the next
own card by trying each. The seat cannot tell two worlds apart then if the others have played the
same cards and the seat has drawn the same ones. Such worlds form a group, and one card is chosen
for the whole group. A choice for each world by itself would use knowledge of hidden cards.

A group is split into halves, and each half plays the card that came out best in the other half. So
a card that looks good only by luck gets no credit. Adjacent copies of the same world go to the same
half.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64
from numpy.typing import NDArray

from acesaround.fast.jit import arrayless_kernel, inlined_kernel, lowest_bit
from acesaround.fast.playouts.packed_deal import (
    TRICKS_LEFT,
    TURN,
    PackedDeal,
    copy_into,
    use_declarer_knowledge,
)
from acesaround.fast.playouts.play_loop import CHOICE_MASK, legal_choices, play_on
from acesaround.fast.playouts.rng import start_stream
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.card_play import (
    PlayBuffers,
    PlayFacts,
    RolloutResults,
    Unseen,
    empty_results,
    new_play_buffers,
    score_played_deal,
)
from acesaround.fast.rollouts.win_probability import GameArrays, win_probability

Array: TypeAlias = Any  # numba infers it

_CHOICES: Final = 36  # kinds and melds: see `play_loop`
_MIX: Final = 0x9E3779B97F4A7C15 - (1 << 64)


class _Reached(NamedTuple):
    """The deal in each world at the next own choice."""

    keys: Integers
    """The hash of what the seat has seen by then: (worlds,)."""
    own_choices: Integers
    """The rule player's choice at that point, -1 if the seat has no choice left: (worlds,)."""
    results: RolloutResults
    """The result of each choice there: (worlds, _CHOICES)."""


class _Halves(NamedTuple):
    """Work memory for a group of worlds."""

    sums: NDArray[np.float64]
    """The chances of each choice, added up: (2, _CHOICES)."""
    counts: Integers
    """The worlds in each half: (2,)."""
    halves: Integers
    """The half of each world: (worlds,)."""


def roll_out_two_ply(
    game_arrays: GameArrays,
    play_facts: PlayFacts,
    packed: PackedDeal,
    unseen: Unseen,
    choices: Integers,
    seed: int = 0,
    min_half_size: int = 3,
) -> RolloutResults:
    """Try each choice of the player on turn in each world; see `roll_out_cards` for the arguments.

    `min_half_size`: how many worlds the other half of a group needs for its choice to be used. With
    fewer worlds the rule player's choice is used.
    """
    worlds = len(unseen.hands)
    tried, each = empty_results(worlds, len(choices)), empty_results(worlds, _CHOICES)
    buffers = new_play_buffers(game_arrays.rule_arrays, packed)
    again = np.zeros(worlds, np.bool_)
    again[1:] = (unseen.hands[1:] == unseen.hands[:-1]).all((1, 2))
    again[1:] &= (unseen.stock[1:] == unseen.stock[:-1]).all(1)
    distinct = np.cumsum(~again)
    reached = _Reached(np.zeros(worlds, np.int64), np.zeros(worlds, np.int64), each)
    halves = _Halves(np.zeros((2, _CHOICES)), np.zeros(2, np.int64), np.zeros(worlds, np.int64))
    with np.errstate(over="ignore"):
        for at in range(len(choices)):
            _play_to_next_choice(
                game_arrays, play_facts, unseen, int(choices[at]), seed, buffers, reached
            )
            order = np.argsort(reached.keys, kind="stable")
            _choose_by_groups(order, distinct, reached, min_half_size, halves, at, tried)
    return tried


@arrayless_kernel
def _play_to_next_choice(
    game_arrays: GameArrays,
    play_facts: PlayFacts,
    unseen: Unseen,
    choice: int,
    seed: int,
    buffers: PlayBuffers,
    reached: _Reached,
) -> None:
    """In each world, play a first choice and go on to the next own choice; try every card there."""
    rule_arrays, scoring_state, each = (
        game_arrays.rule_arrays,
        game_arrays.scoring_state,
        reached.results,
    )
    packed, scratch, last, end_buffer = (
        buffers.start,
        buffers.current_deal,
        buffers.branch_deal,
        buffers.end_buffer,
    )
    hands, stock, log = unseen.hands, unseen.stock, buffers.log
    behind = packed.stock.shape[0] - stock.shape[1]
    me, own_side = packed.status[TURN], play_facts.own_side
    for world in range(hands.shape[0]):
        copy_into(packed, scratch)
        for player in range(hands.shape[1]):
            for copy in range(hands.shape[2]):
                scratch.hands[player, copy] = hands[world, player, copy]
        use_declarer_knowledge(scratch)
        for at in range(stock.shape[1]):
            scratch.stock[behind + at] = stock[world, at]
        log[0] = choice
        play_on(rule_arrays, scratch, buffers.log_policies, 0, log, 1)
        chance_stream, key = start_stream(seed, world), int64(1)
        legal = int64(0)
        while scratch.status[TRICKS_LEFT]:
            if scratch.status[TURN] == me:
                legal = legal_choices(rule_arrays, scratch)
                if legal & (legal - 1):
                    break
            chance_stream = play_on(rule_arrays, scratch, buffers.policies, chance_stream, log, 1)
            key = _key_after(key, log[0] & CHOICE_MASK)
            legal = int64(0)
        if legal == 0:
            reached.own_choices[world] = -1
            reached.keys[world] = 0
            buried_points = unseen.buried_points[world]
            each.bid_made[world, 0] = score_played_deal(
                rule_arrays, scoring_state, play_facts, scratch, buried_points, end_buffer
            )
            each.win_probability[world, 0] = win_probability(
                scoring_state, end_buffer.totals, play_facts.declarer, own_side
            )
            each.points[world, 0] = end_buffer.totals[own_side] - scoring_state.scores[own_side]
            continue
        for copy in range(hands.shape[2]):  # the seat also knows the cards it drew from a stock
            key = _key_after(key, scratch.hands[me, copy])
        reached.keys[world] = key
        copy_into(scratch, last)
        play_on(rule_arrays, last, buffers.policies, chance_stream, log, 1)
        reached.own_choices[world] = log[0] & CHOICE_MASK
        for kind in range(_CHOICES):
            each.win_probability[world, kind] = -1.0
        while legal:
            kind = lowest_bit(legal)
            legal &= legal - 1
            copy_into(scratch, last)
            log[0] = kind
            play_on(rule_arrays, last, buffers.log_policies, 0, log, 1)
            play_on(rule_arrays, last, buffers.policies, chance_stream, log, log.shape[0])
            buried_points = unseen.buried_points[world]
            each.bid_made[world, kind] = score_played_deal(
                rule_arrays, scoring_state, play_facts, last, buried_points, end_buffer
            )
            each.win_probability[world, kind] = win_probability(
                scoring_state, end_buffer.totals, play_facts.declarer, own_side
            )
            each.points[world, kind] = end_buffer.totals[own_side] - scoring_state.scores[own_side]


@inlined_kernel
def _key_after(key: int, seen: int) -> int:
    """Return the hash key of a history after one more observation of the seat."""
    key = (key ^ seen + 1) * int64(_MIX)
    return key ^ key >> 29 & 0x7FFFFFFFF


@arrayless_kernel
def _choose_by_groups(
    order: Array,
    distinct: Array,
    reached: _Reached,
    min_half_size: int,
    work: _Halves,
    at: int,
    tried: RolloutResults,
) -> None:
    """Choose a card for each group of worlds, half by half, and store the results.

    `order`: the worlds, sorted by their keys. `distinct`: a number for each world, the same for
    adjacent copies of a world.
    """
    keys, own, each = reached.keys, reached.own_choices, reached.results
    sums, counts, halves = work.sums, work.counts, work.halves
    worlds = order.shape[0]
    start = 0
    while start < worlds:
        end = start + 1
        while end < worlds and keys[order[end]] == keys[order[start]]:
            end += 1
        if own[order[start]] < 0:
            for place in range(start, end):
                world = order[place]
                tried.win_probability[world, at] = each.win_probability[world, 0]
                tried.points[world, at] = each.points[world, 0]
                tried.bid_made[world, at] = each.bid_made[world, 0]
        else:
            for half in range(2):
                counts[half] = 0
                for kind in range(_CHOICES):
                    sums[half, kind] = 0.0
            half = 1
            for place in range(start, end):
                world = order[place]
                if place == start or distinct[world] != distinct[order[place - 1]]:
                    half = 1 - half
                halves[place] = half
                counts[half] += 1
                for kind in range(_CHOICES):
                    sums[half, kind] += each.win_probability[world, kind]
            for half in range(2):
                picked = -1
                if counts[1 - half] >= min_half_size:
                    for kind in range(_CHOICES):
                        if each.win_probability[order[start], kind] >= 0.0 and (
                            picked < 0 or sums[1 - half, kind] > sums[1 - half, picked] + 1e-12
                        ):
                            picked = kind
                for place in range(start, end):
                    if halves[place] != half:
                        continue
                    world = order[place]
                    choice = picked if picked >= 0 else own[world]
                    tried.win_probability[world, at] = each.win_probability[world, choice]
                    tried.points[world, at] = each.points[world, choice]
                    tried.bid_made[world, at] = each.bid_made[world, choice]
        start = end

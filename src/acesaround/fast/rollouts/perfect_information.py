"""Rollouts with perfect information: all hands are known, and the own side's choices are searched.

The other sides play by rules of thumb, so the own side's choices decide the line of play. At depth
0 the own side plays by rules of thumb too. At depth 1 it makes the choices that come out best at
depth 0, and at depth 2 the choices that come out best at depth 1. The result is the best line seen
at any time. Each depth has its own function, because kernels can neither recurse nor take functions
as arguments.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.fast.jit import arrayless_kernel, lowest_bit
from acesaround.fast.playouts.packed_deal import TRICKS_LEFT, TURN, PackedDeal, copy_deal, copy_into
from acesaround.fast.playouts.play_loop import FROM_LOG, HEURISTIC, legal_choices, play_on
from acesaround.fast.playouts.rule_arrays import PLAYER_COUNT, Integers, RuleArrays
from acesaround.fast.rollouts.card_play import (
    PlayFacts,
    RolloutResults,
    empty_results,
    score_played_deal,
)
from acesaround.fast.rollouts.win_probability import (
    EndBuffer,
    GameArrays,
    ScoringState,
    new_end_buffer,
    win_probability,
)

Array: TypeAlias = Any  # numba infers it

_POINT: Final = 1e-9  # win probability that a point is worth: only breaks ties


class _Buffers(NamedTuple):
    """Work memory of a kernel, because kernels do not allocate arrays."""

    start: PackedDeal
    """The deal before the choice."""
    current: PackedDeal
    """The position of the root's line; `last` and `end` are those of the depths below it."""
    last: PackedDeal
    end: PackedDeal
    log_policies: Integers
    policies: Integers
    log: Integers
    end_buffer: EndBuffer
    best: NDArray[np.float64]
    """The best end seen: its worth, points, and whether the bid is made."""


def roll_out_perfect_information(
    game_arrays: GameArrays,
    play_facts: PlayFacts,
    packed: PackedDeal,
    buried_points: int,
    choices: Integers,
    search_depth: int,
) -> RolloutResults:
    """Try each choice of the player on turn, with all hands known: (1, choices).

    `packed`: the deal with all its cards. `buried_points`: points of the cards that the declarer
    has buried. `choices`: the choices, kinds or melds to lay counted from 24. `search_depth`: 0 to
    2.
    """
    rule_arrays, tried = game_arrays.rule_arrays, empty_results(1, len(choices))
    players = int(rule_arrays.params[PLAYER_COUNT])
    buffers = _Buffers(
        start=packed,
        current=copy_deal(packed),
        last=copy_deal(packed),
        end=copy_deal(packed),
        log_policies=np.full(players, FROM_LOG, np.int64),
        policies=np.full(players, HEURISTIC, np.int64),
        log=np.zeros(2 * len(rule_arrays.deck) + 2, np.int64),
        end_buffer=new_end_buffer(len(rule_arrays.side_zeros)),
        best=np.zeros(3),
    )
    _roll_out_perfect_information(
        game_arrays, play_facts, buried_points, choices, search_depth, buffers, tried
    )
    return tried


@arrayless_kernel
def _roll_out_perfect_information(
    game_arrays: GameArrays,
    play_facts: PlayFacts,
    buried_points: int,
    choices: Array,
    search_depth: int,
    buffers: _Buffers,
    tried: RolloutResults,
) -> None:
    rule_arrays, scoring_state, best = (
        game_arrays.rule_arrays,
        game_arrays.scoring_state,
        buffers.best,
    )
    for choice in range(choices.shape[0]):
        copy_into(buffers.start, buffers.current)
        _choose(rule_arrays, buffers.current, choices[choice], buffers)
        best[0] = -1.0
        if search_depth == 0:
            _play_out_heuristically(
                rule_arrays, scoring_state, play_facts, buffers.current, buried_points, buffers
            )
        elif search_depth == 1:
            _search_depth_1(
                rule_arrays, scoring_state, play_facts, buffers.current, buried_points, buffers
            )
        else:
            _search_depth_2(
                rule_arrays, scoring_state, play_facts, buffers.current, buried_points, buffers
            )
        tried.win_probability[0, choice] = best[0] - best[1] * _POINT
        tried.points[0, choice] = int(best[1])
        tried.bid_made[0, choice] = best[2] != 0.0


@arrayless_kernel
def _choose(rule_arrays: RuleArrays, packed: PackedDeal, choice: int, buffers: _Buffers) -> None:
    """Make one choice."""
    buffers.log[0] = choice
    play_on(rule_arrays, packed, buffers.log_policies, 0, buffers.log, 1)


@arrayless_kernel
def _play_out_heuristically(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    play_facts: PlayFacts,
    packed: PackedDeal,
    buried_points: int,
    buffers: _Buffers,
) -> float:
    """Play the deal out by rules of thumb and return its worth.

    If the result beats the one in `buffers.best`, store it there.
    """
    play_on(rule_arrays, packed, buffers.policies, 0, buffers.log, buffers.log.shape[0])
    made = score_played_deal(
        rule_arrays, scoring_state, play_facts, packed, buried_points, buffers.end_buffer
    )
    totals, best = buffers.end_buffer.totals, buffers.best
    points = float(totals[play_facts.own_side] - scoring_state.scores[play_facts.own_side])
    worth: float = (
        win_probability(scoring_state, totals, play_facts.declarer, play_facts.own_side)
        + points * _POINT
    )
    if worth > best[0]:
        best[0], best[1], best[2] = worth, points, 1.0 if made else 0.0
    return worth


@arrayless_kernel
def _play_to_own_choice(
    rule_arrays: RuleArrays, play_facts: PlayFacts, packed: PackedDeal, buffers: _Buffers
) -> int:
    """Play on to the own side's next real choice; return the legal kinds as a set, 0 at the end."""
    while packed.status[TRICKS_LEFT]:
        if rule_arrays.side_of_player[packed.status[TURN]] == play_facts.own_side:
            legal: int = legal_choices(rule_arrays, packed)
            if legal & (legal - 1):
                return legal
        play_on(rule_arrays, packed, buffers.policies, 0, buffers.log, 1)
    return 0


@arrayless_kernel
def _search_depth_1(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    play_facts: PlayFacts,
    packed: PackedDeal,
    buried_points: int,
    buffers: _Buffers,
) -> float:
    """Play on, with each own choice the best of depth 0; return the best worth seen."""
    most = -1.0
    legal = _play_to_own_choice(rule_arrays, play_facts, packed, buffers)
    while legal:
        top, chosen = -1.0, lowest_bit(legal)
        while legal:
            kind = lowest_bit(legal)
            legal &= legal - 1
            copy_into(packed, buffers.end)
            _choose(rule_arrays, buffers.end, kind, buffers)
            worth = _play_out_heuristically(
                rule_arrays, scoring_state, play_facts, buffers.end, buried_points, buffers
            )
            if worth > top:
                top, chosen = worth, kind
        most = max(most, top)
        _choose(rule_arrays, packed, chosen, buffers)
        legal = _play_to_own_choice(rule_arrays, play_facts, packed, buffers)
    return max(
        most,
        _play_out_heuristically(
            rule_arrays, scoring_state, play_facts, packed, buried_points, buffers
        ),
    )


@arrayless_kernel
def _search_depth_2(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    play_facts: PlayFacts,
    packed: PackedDeal,
    buried_points: int,
    buffers: _Buffers,
) -> float:
    """Play on, with each own choice the best of depth 1; return the best worth seen."""
    most = -1.0
    legal = _play_to_own_choice(rule_arrays, play_facts, packed, buffers)
    while legal:
        top, chosen = -1.0, lowest_bit(legal)
        while legal:
            kind = lowest_bit(legal)
            legal &= legal - 1
            copy_into(packed, buffers.last)
            _choose(rule_arrays, buffers.last, kind, buffers)
            worth = _search_depth_1(
                rule_arrays, scoring_state, play_facts, buffers.last, buried_points, buffers
            )
            if worth > top:
                top, chosen = worth, kind
        most = max(most, top)
        _choose(rule_arrays, packed, chosen, buffers)
        legal = _play_to_own_choice(rule_arrays, play_facts, packed, buffers)
    return max(
        most,
        _play_out_heuristically(
            rule_arrays, scoring_state, play_facts, packed, buried_points, buffers
        ),
    )

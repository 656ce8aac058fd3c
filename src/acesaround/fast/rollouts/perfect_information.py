"""Rollouts with perfect information: all hands are known, and the own side's choices are searched.

The other sides play by rules of thumb, so the own side's choices decide the line of play. On level
0 the own side plays by rules of thumb too. On level 1 it makes the choices that come out best on
level 0, and on level 2 the choices that come out best on level 1. The result is the best line seen
at any time. Each level has its own function, because kernels can neither recurse nor take functions
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
from acesaround.fast.rollouts.card_play import Deal, RolloutResults, empty_results, score_deal
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
    """The position of the root's line; `last` and `end` are those of the levels below it."""
    last: PackedDeal
    end: PackedDeal
    logged: Integers
    policies: Integers
    log: Integers
    end_buffer: EndBuffer
    best: NDArray[np.float64]
    """The best end seen: its worth, points, and whether the bid is made."""


def rollout_perfect_information(
    game_arrays: GameArrays,
    deal: Deal,
    packed: PackedDeal,
    buried: int,
    first: Integers,
    level: int,
) -> RolloutResults:
    """Try each choice of the player on turn, with all hands known: (1, choices).

    `packed`: the deal with all its cards. `buried`: points of the cards that the declarer has
    buried. `first`: the choices, kinds or melds to lay counted from 24. `level`: 0 to 2.
    """
    rule_arrays, tried = game_arrays.rule_arrays, empty_results(1, len(first))
    players = int(rule_arrays.params[PLAYER_COUNT])
    buffers = _Buffers(
        start=packed,
        current=copy_deal(packed),
        last=copy_deal(packed),
        end=copy_deal(packed),
        logged=np.full(players, FROM_LOG, np.int64),
        policies=np.full(players, HEURISTIC, np.int64),
        log=np.zeros(2 * len(rule_arrays.deck) + 2, np.int64),
        end_buffer=new_end_buffer(len(rule_arrays.side_zeros)),
        best=np.zeros(3),
    )
    _rollout_perfect_information(game_arrays, deal, buried, first, level, buffers, tried)
    return tried


@arrayless_kernel
def _rollout_perfect_information(
    game_arrays: GameArrays,
    deal: Deal,
    buried: int,
    first: Array,
    level: int,
    buffers: _Buffers,
    tried: RolloutResults,
) -> None:
    rule_arrays, scoring_state, best = (
        game_arrays.rule_arrays,
        game_arrays.scoring_state,
        buffers.best,
    )
    for choice in range(first.shape[0]):
        copy_into(buffers.start, buffers.current)
        _choose(rule_arrays, buffers.current, first[choice], buffers)
        best[0] = -1.0
        if level == 0:
            _played_out(rule_arrays, scoring_state, deal, buffers.current, buried, buffers)
        elif level == 1:
            _first(rule_arrays, scoring_state, deal, buffers.current, buried, buffers)
        else:
            _second(rule_arrays, scoring_state, deal, buffers.current, buried, buffers)
        tried.chance[0, choice] = best[0] - best[1] * _POINT
        tried.points[0, choice] = int(best[1])
        tried.made[0, choice] = best[2] != 0.0


@arrayless_kernel
def _choose(rule_arrays: RuleArrays, packed: PackedDeal, choice: int, buffers: _Buffers) -> None:
    """Make one choice."""
    buffers.log[0] = choice
    play_on(rule_arrays, packed, buffers.logged, 0, buffers.log, 1)


@arrayless_kernel
def _played_out(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    deal: Deal,
    packed: PackedDeal,
    buried: int,
    buffers: _Buffers,
) -> float:
    """Play the deal out by rules of thumb and return its worth.

    If the result beats the one in `buffers.best`, store it there.
    """
    play_on(rule_arrays, packed, buffers.policies, 0, buffers.log, buffers.log.shape[0])
    made = score_deal(rule_arrays, scoring_state, deal, packed, buried, buffers.end_buffer)
    totals, best = buffers.end_buffer.totals, buffers.best
    points = float(totals[deal.mine] - scoring_state.scores[deal.mine])
    worth: float = (
        win_probability(scoring_state, totals, deal.declarer, deal.mine) + points * _POINT
    )
    if worth > best[0]:
        best[0], best[1], best[2] = worth, points, 1.0 if made else 0.0
    return worth


@arrayless_kernel
def _own(rule_arrays: RuleArrays, deal: Deal, packed: PackedDeal, buffers: _Buffers) -> int:
    """Play on to the own side's next real choice; return the legal kinds as a set, 0 at the end."""
    while packed.status[TRICKS_LEFT]:
        if rule_arrays.side_of_player[packed.status[TURN]] == deal.mine:
            legal: int = legal_choices(rule_arrays, packed)
            if legal & (legal - 1):
                return legal
        play_on(rule_arrays, packed, buffers.policies, 0, buffers.log, 1)
    return 0


@arrayless_kernel
def _first(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    deal: Deal,
    packed: PackedDeal,
    buried: int,
    buffers: _Buffers,
) -> float:
    """Play on, with each own choice the best of level 0; return the best worth seen."""
    most = -1.0
    legal = _own(rule_arrays, deal, packed, buffers)
    while legal:
        top, chosen = -1.0, lowest_bit(legal)
        while legal:
            kind = lowest_bit(legal)
            legal &= legal - 1
            copy_into(packed, buffers.end)
            _choose(rule_arrays, buffers.end, kind, buffers)
            worth = _played_out(rule_arrays, scoring_state, deal, buffers.end, buried, buffers)
            if worth > top:
                top, chosen = worth, kind
        most = max(most, top)
        _choose(rule_arrays, packed, chosen, buffers)
        legal = _own(rule_arrays, deal, packed, buffers)
    return max(most, _played_out(rule_arrays, scoring_state, deal, packed, buried, buffers))


@arrayless_kernel
def _second(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    deal: Deal,
    packed: PackedDeal,
    buried: int,
    buffers: _Buffers,
) -> float:
    """Play on, with each own choice the best of level 1; return the best worth seen."""
    most = -1.0
    legal = _own(rule_arrays, deal, packed, buffers)
    while legal:
        top, chosen = -1.0, lowest_bit(legal)
        while legal:
            kind = lowest_bit(legal)
            legal &= legal - 1
            copy_into(packed, buffers.last)
            _choose(rule_arrays, buffers.last, kind, buffers)
            worth = _first(rule_arrays, scoring_state, deal, buffers.last, buried, buffers)
            if worth > top:
                top, chosen = worth, kind
        most = max(most, top)
        _choose(rule_arrays, packed, chosen, buffers)
        legal = _own(rule_arrays, deal, packed, buffers)
    return max(most, _played_out(rule_arrays, scoring_state, deal, packed, buried, buffers))

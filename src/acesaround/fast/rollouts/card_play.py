"""Rollouts of cards: every choice in every world, played out by policies, the same worlds for all.

The result is a table with a row for each world and a column for each choice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import Action, LayMeld, Pass, Play
from acesaround.cards import KIND_COUNT
from acesaround.fast.jit import arrayless_kernel
from acesaround.fast.playouts.packed_deal import (
    CARDS_IN_TRICK,
    TRUMP,
    PackedDeal,
    copy_deal,
    copy_into,
    use_declarer_knowledge,
)
from acesaround.fast.playouts.play_loop import DECLINE_MELD, FROM_LOG, HEURISTIC, play_on
from acesaround.fast.playouts.rng import start_stream
from acesaround.fast.playouts.rule_arrays import PLAYER_COUNT, Integers, RuleArrays
from acesaround.fast.rollouts.deal_ends import DealEnds, empty_deal_ends, write_deal_end
from acesaround.fast.rollouts.win_probability import (
    EndBuffer,
    GameArrays,
    ScoringState,
    new_end_buffer,
    score,
    win_probability,
)
from acesaround.rules import MeldTable
from acesaround.rules.laid_melds import candidates_by_cards

Array: TypeAlias = Any  # of int64; numba infers it


class PlayFacts(NamedTuple):
    """The facts settled before the play, except melds, and the side whose choices are tried."""

    declarer: int
    """A side, -1 if there is no declarer."""
    bid: int
    own_side: int
    """The side whose choices are tried."""
    dix_points: Integers
    """The part of each side's meld that is dixes: (sides,)."""


class Unseen(NamedTuple):
    """The cards that a seat does not see, by world."""

    hands: Integers
    """Rows of sets of kinds, of every player: (worlds, players, copies)."""
    stock: Integers
    """The cards to be drawn, the upcard last: (worlds, cards)."""
    buried_points: Integers
    """Points of the cards that the declarer has buried: (worlds,)."""


class RolloutResults(NamedTuple):
    """The result of each choice in each world: (worlds, choices)."""

    win_probability: NDArray[np.float64]
    """The side's probability to win the game after the deal."""
    points: NDArray[np.int64]
    """The change of its total in this deal."""
    bid_made: NDArray[np.bool_]
    """Whether the bid is made."""


class RolloutOutput(NamedTuple):
    """Where a kernel writes the results of its rollouts."""

    results: RolloutResults
    ends: DealEnds
    """The end of each deal; without worlds if it is not wanted."""


def empty_results(worlds: int, choices: int) -> RolloutResults:
    """Return an empty table of this size."""
    shape = worlds, choices
    return RolloutResults(np.zeros(shape), np.zeros(shape, np.int64), np.zeros(shape, np.bool_))


def encode_choices(table: MeldTable, trump: int, actions: Iterable[Action]) -> Integers:
    """Return choices as kernels take them: kinds, melds to lay counted from 24, or to lay none."""
    melds, found = candidates_by_cards(table, trump), []
    for action in actions:
        if isinstance(action, LayMeld):
            found.append(KIND_COUNT + melds[action.cards].pattern.number)
        elif isinstance(action, Pass):
            found.append(DECLINE_MELD)
        else:
            assert isinstance(action, Play)
            found.append(int(action.card))
    return np.array(found, np.int64)


class PlayBuffers(NamedTuple):
    """Work memory of the kernels that play cards, because kernels do not allocate arrays."""

    start: PackedDeal
    """The deal before the choice."""
    current_deal: PackedDeal
    branch_deal: PackedDeal
    """A copy of `current_deal` in which a later choice is tried."""
    log_policies: Integers
    policies: Integers
    log: Integers
    end_buffer: EndBuffer


def new_play_buffers(rule_arrays: RuleArrays, start: PackedDeal) -> PlayBuffers:
    """Return work memory for playouts from `start`, by rules of thumb."""
    players = int(rule_arrays.params[PLAYER_COUNT])
    return PlayBuffers(
        start=start,
        current_deal=copy_deal(start),
        branch_deal=copy_deal(start),
        log_policies=np.full(players, FROM_LOG, np.int64),
        policies=np.full(players, HEURISTIC, np.int64),
        log=np.zeros(2 * len(rule_arrays.deck) + 2, np.int64),
        end_buffer=new_end_buffer(len(rule_arrays.side_zeros)),
    )


def roll_out_cards(
    game_arrays: GameArrays,
    play_facts: PlayFacts,
    packed: PackedDeal,
    unseen: Unseen,
    choices: Integers,
    seed: int = 0,
    ends: DealEnds | None = None,
) -> RolloutResults:
    """Try each choice of the player on turn in each world; rules of thumb follow it.

    `packed`: the deal without its unseen cards (see `encode_view`). `choices`: see
    `encode_choices`. `ends`: where to write the end of each deal, None for nowhere.
    """
    tried = empty_results(len(unseen.hands), len(choices))
    output = RolloutOutput(tried, empty_deal_ends(0, 0, 0) if ends is None else ends)
    buffers = new_play_buffers(game_arrays.rule_arrays, packed)
    with np.errstate(over="ignore"):  # streams wrap around; numpy warns if kernels are not compiled
        _roll_out_cards(game_arrays, play_facts, unseen, choices, seed, buffers, output)
    return tried


@arrayless_kernel
def _roll_out_cards(
    game_arrays: GameArrays,
    play_facts: PlayFacts,
    unseen: Unseen,
    choices: Array,
    seed: int,
    buffers: PlayBuffers,
    output: RolloutOutput,
) -> None:
    tried, ends = output.results, output.ends
    rule_arrays, scoring_state, packed, scratch = (
        game_arrays.rule_arrays,
        game_arrays.scoring_state,
        buffers.start,
        buffers.current_deal,
    )
    hands, stock, log, end_buffer = unseen.hands, unseen.stock, buffers.log, buffers.end_buffer
    behind = packed.stock.shape[0] - stock.shape[1]
    for world in range(hands.shape[0]):
        for player in range(hands.shape[1]):
            for copy in range(hands.shape[2]):
                packed.hands[player, copy] = hands[world, player, copy]
        use_declarer_knowledge(packed)
        for at in range(stock.shape[1]):
            packed.stock[behind + at] = stock[world, at]
        for choice in range(choices.shape[0]):
            copy_into(packed, scratch)
            log[0] = choices[choice]
            play_on(rule_arrays, scratch, buffers.log_policies, 0, log, 1)
            stream = start_stream(seed, world)
            if ends.sides.shape[0]:
                to_come = hands.shape[1] - 1 - packed.status[CARDS_IN_TRICK]
                stream = play_on(rule_arrays, scratch, buffers.policies, stream, log, to_come)
                for side in range(end_buffer.meld.shape[0]):
                    won = scratch.points_won[side] - packed.points_won[side]
                    ends.trick[world, choice, side] = won
            play_on(rule_arrays, scratch, buffers.policies, stream, log, log.shape[0])
            made = score_played_deal(
                rule_arrays,
                scoring_state,
                play_facts,
                scratch,
                unseen.buried_points[world],
                end_buffer,
            )
            totals, own_side = end_buffer.totals, play_facts.own_side
            tried.win_probability[world, choice] = win_probability(
                scoring_state, totals, play_facts.declarer, own_side
            )
            tried.points[world, choice] = totals[own_side] - scoring_state.scores[own_side]
            tried.bid_made[world, choice] = made
            if ends.sides.shape[0]:
                trump = packed.status[TRUMP]
                write_deal_end(
                    ends, world, choice, end_buffer, trump, play_facts.declarer, play_facts.bid
                )


@arrayless_kernel
def score_played_deal(
    rule_arrays: RuleArrays,
    scoring_state: ScoringState,
    play_facts: PlayFacts,
    packed: PackedDeal,
    buried_points: int,
    end_buffer: EndBuffer,
) -> bool:
    """Score a deal that has been played out; return whether the bid was made."""
    for side in range(end_buffer.meld.shape[0]):
        end_buffer.meld[side], end_buffer.dix_points[side] = 0, play_facts.dix_points[side]
        end_buffer.play[side], end_buffer.has_counter[side] = (
            packed.points_won[side],
            packed.won_counter[side],
        )
    for player in range(packed.meld_points.shape[0]):
        end_buffer.meld[rule_arrays.side_of_player[player]] += packed.meld_points[player]
    if play_facts.declarer >= 0:
        end_buffer.play[play_facts.declarer] += buried_points
    return score(
        scoring_state, end_buffer, packed.status[TRUMP], play_facts.declarer, play_facts.bid
    )

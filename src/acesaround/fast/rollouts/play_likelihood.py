"""Likelihood of the cards played in each world, if the players mostly follow the rules of thumb.

A world in which a player wasted an ace is less likely than one in which the ace was the only legal
card. The model only counts real choices. It assumes that a player chooses as `policy` does, except
for a share of the plays in which every legal card is equally likely. The own seat's plays are
ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log as ln
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import RANK_COUNT
from acesaround.fast.jit import arrayless_kernel, bit_count
from acesaround.fast.playouts.packed_deal import (
    BEST_KIND,
    CARDS_IN_TRICK,
    DECLARER_NUMBER,
    LEADER,
    TRICKS_LEFT,
    TRUMP,
    TRUMP_BROKEN,
    TURN,
    WINNER,
    PackedDeal,
    add_card,
    copy_deal,
    copy_into,
    empty_deal,
    use_declarer_knowledge,
)
from acesaround.fast.playouts.play_loop import FROM_LOG, legal_choices, play_on
from acesaround.fast.playouts.policy import CurrentTrick, choose_card, make_policy_rules, observe
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays
from acesaround.fast.playouts.trick_stakes import stakes_of_trick

Array: TypeAlias = Any  # of int64; numba infers it


class PlayHistory(NamedTuple):
    """The play so far of a deal without a stock."""

    kinds: Integers
    """The kinds played since the first lead, in order."""
    leader: int
    """The player of the first lead."""
    trump: int
    is_trump_broken: bool
    """Whether trump could be led freely at the first lead."""
    declarer: int
    """A player, or -1 if there is none."""
    meld_points: Sequence[int]
    """The points that each player has melded."""


class _Buffers(NamedTuple):
    """Work memory of a kernel, because kernels do not allocate arrays."""

    start: PackedDeal
    """The deal at the first lead, without hands."""
    scratch: PackedDeal
    log_policies: Integers
    log: Integers


def compute_play_log_likelihoods(
    rule_arrays: RuleArrays,
    hands: Integers,
    history: PlayHistory,
    own_player: int,
    random_play_share: float,
) -> NDArray[np.float64]:
    """Return the log likelihood of the other players' plays in each world: (worlds,).

    `hands`: the present hands, (worlds, players, copies). `own_player`: the player whose plays are
    ignored. `random_play_share`: how often a player does not follow the rules of thumb.
    """
    start, played = empty_deal(rule_arrays), np.asarray(history.kinds, np.int64)
    place = start.status
    place[TRUMP], place[TRUMP_BROKEN] = history.trump, history.is_trump_broken
    place[LEADER] = place[TURN] = history.leader
    place[DECLARER_NUMBER] = history.declarer + 1
    start.meld_points[:] = history.meld_points
    place[BEST_KIND] = place[WINNER] = -1
    players = hands.shape[1]
    cards = len(played) + sum(int(row).bit_count() for row in hands[0].ravel()) if len(hands) else 0
    place[TRICKS_LEFT] = cards // players
    start.trick[:] = -1
    for kind in rule_arrays.deck:
        add_card(start.unplayed, 0, int(kind))
    logged, log = np.full(players, FROM_LOG, np.int64), np.zeros(4, np.int64)
    buffers, found = _Buffers(start, copy_deal(start), logged, log), np.zeros(len(hands))
    with np.errstate(over="ignore"):
        _compute_play_log_likelihoods(
            rule_arrays, hands, played, own_player, random_play_share, buffers, found
        )
    return found


@arrayless_kernel
def _compute_play_log_likelihoods(
    rule_arrays: RuleArrays,
    hands: Array,
    played: Array,
    own_player: int,
    random_play_share: float,
    buffers: _Buffers,
    found: Array,
) -> None:
    start, scratch, log = buffers.start, buffers.scratch, buffers.log
    known = make_policy_rules(rule_arrays)
    players, copies = hands.shape[1], hands.shape[2]
    for world in range(hands.shape[0]):
        copy_into(start, scratch)
        for player in range(players):
            for copy in range(copies):
                scratch.hands[player, copy] = hands[world, player, copy]
        _return_played_cards(rule_arrays, scratch, played, start.status[LEADER])
        use_declarer_knowledge(scratch)
        weight, on_table = 0.0, 0
        for at in range(played.shape[0]):
            place = scratch.status
            turn, kind, cards = place[TURN], played[at], place[CARDS_IN_TRICK]
            if cards == 0:
                on_table = 0
            if turn != own_player:
                legal = legal_choices(rule_arrays, scratch)
                if legal & (legal - 1):
                    best, trump = place[BEST_KIND], place[TRUMP]
                    seen = observe(
                        known,
                        scratch,
                        CurrentTrick(
                            turn,
                            cards,
                            on_table,
                            place[WINNER],
                            best,
                            rule_arrays.beating_kinds[trump, best],
                        ),
                        trump,
                        0,
                        stakes_of_trick(rule_arrays, scratch, turn, 0),
                    )
                    chosen = choose_card(seen, legal)
                    chance = random_play_share / bit_count(legal)
                    if chosen == kind:
                        chance += 1.0 - random_play_share
                    elif (
                        chosen // RANK_COUNT == kind // RANK_COUNT
                        and rule_arrays.points[chosen] == rule_arrays.points[kind]
                    ):
                        chance += (1.0 - random_play_share) * 0.3
                    weight += ln(chance)
            on_table += rule_arrays.points[kind]
            log[0] = kind
            play_on(rule_arrays, scratch, buffers.log_policies, 0, log, 1)
        found[world] = weight


@arrayless_kernel
def _return_played_cards(
    rule_arrays: RuleArrays, packed: PackedDeal, played: Array, leader: int
) -> None:
    """Put the played cards back into the hands from which they were played."""
    players = packed.hands.shape[0]
    trump = packed.status[TRUMP]
    turn, cards, winner, best = leader, 0, leader, -1
    for at in range(played.shape[0]):
        kind = played[at]
        add_card(packed.hands, turn, kind)
        if cards == 0 or rule_arrays.beating_kinds[trump, best] >> kind & 1:
            best, winner = kind, turn
        cards += 1
        turn = turn + 1 if turn + 1 < players else 0
        if cards == players:
            turn, cards, best = winner, 0, -1

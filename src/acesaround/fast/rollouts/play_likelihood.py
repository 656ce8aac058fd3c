"""Likelihood of the cards played in each world, if the players mostly follow the rules of thumb.

A world in which a player wasted an ace is less likely than one in which the ace was the only legal
card. The model only counts real choices. It assumes that a player chooses as `policy` does, except
for a share of the plays in which every legal card is equally likely. The own seat's plays are
ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log as ln
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import RANKS
from acesaround.fast.jit import arrayless_kernel, ones
from acesaround.fast.playouts.packed_deal import (
    BEST,
    BROKEN,
    CARDS_IN_TRICK,
    DECLARED,
    LEADER,
    TRICKS,
    TRUMP,
    TURN,
    WINNER,
    Packed,
    add,
    blank,
    copied,
    copy_into,
    row_of,
    use_declarer_knowledge,
)
from acesaround.fast.playouts.play_loop import LOGGED, choices, play_on
from acesaround.fast.playouts.policy import card, observe, table
from acesaround.fast.playouts.rule_arrays import Integers, RuleArrays
from acesaround.fast.playouts.trick_stakes import stakes

Array: TypeAlias = Any  # of int64; numba infers it


def play_weights(
    numbers: RuleArrays,
    hands: Integers,
    played: Integers,
    leader: int,
    trump: int,
    broken: bool,
    own: int,
    freely: float,
    declarer: int,
    melded: Sequence[int],
) -> NDArray[np.float64]:
    """Return the log likelihood of the other players' plays in each world: (worlds,).

    `hands`: the present hands, (worlds, players, copies). `played`: the kinds played since the
    first lead, in order. `leader`: the player of the first lead. `broken`: whether trump could be
    led freely then. `own`: the player whose plays are ignored. `freely`: how often a player does
    not follow the rules of thumb. `declarer`: a player, or -1 if there is none. `melded`: points of
    each player. Only for deals without a stock.
    """
    start = blank(numbers)
    place = start.place
    place[TRUMP], place[LEADER], place[TURN], place[BROKEN] = trump, leader, leader, broken
    place[DECLARED] = declarer + 1
    start.meld[:] = melded
    place[BEST] = place[WINNER] = -1
    players = hands.shape[1]
    cards = len(played) + sum(int(row).bit_count() for row in hands[0].ravel()) if len(hands) else 0
    place[TRICKS] = cards // players
    start.trick[:] = -1
    for kind in numbers.deck:
        add(start.left, 0, int(kind))
    found = np.zeros(len(hands))
    with np.errstate(over="ignore"):
        _play_weights(
            numbers,
            start,
            copied(start),
            hands,
            np.asarray(played, np.int64),
            np.full(players, LOGGED, np.int64),
            own,
            freely,
            np.zeros(4, np.int64),
            found,
        )
    return found


@arrayless_kernel
def _play_weights(
    flat: RuleArrays,
    start: Packed,
    scratch: Packed,
    hands: Array,
    played: Array,
    logged: Array,
    own: int,
    freely: float,
    log: Array,
    found: Array,
) -> None:
    known = table(flat)
    players, copies = hands.shape[1], hands.shape[2]
    for world in range(hands.shape[0]):
        copy_into(start, scratch)
        for player in range(players):
            for copy in range(copies):
                scratch.hands[player, copy] = hands[world, player, copy]
        _give_back(flat, scratch, played, start.place[LEADER])
        use_declarer_knowledge(scratch)
        weight, on_table = 0.0, 0
        for at in range(played.shape[0]):
            place = scratch.place
            turn, kind, cards = place[TURN], played[at], place[CARDS_IN_TRICK]
            if cards == 0:
                on_table = 0
            if turn != own:
                legal = choices(flat, scratch)
                if legal & (legal - 1):
                    best, trump = place[BEST], place[TRUMP]
                    seen = observe(
                        known,
                        scratch.hands,
                        scratch.left,
                        row_of(scratch, turn),
                        scratch.trick,
                        cards,
                        on_table,
                        turn,
                        place[WINNER],
                        best,
                        flat.beating[trump, best],
                        trump,
                        0,
                        stakes(flat, scratch, turn, 0),
                    )
                    chosen = card(seen, legal)
                    chance = freely / ones(legal)
                    if chosen == kind:
                        chance += 1.0 - freely
                    elif (
                        chosen // RANKS == kind // RANKS
                        and flat.points[chosen] == flat.points[kind]
                    ):
                        chance += (1.0 - freely) * 0.3
                    weight += ln(chance)
            on_table += flat.points[kind]
            log[0] = kind
            play_on(flat, scratch, logged, 0, log, 1)
        found[world] = weight


@arrayless_kernel
def _give_back(flat: RuleArrays, packed: Packed, played: Array, leader: int) -> None:
    """Put the played cards back into the hands from which they were played."""
    players = packed.hands.shape[0]
    trump = packed.place[TRUMP]
    turn, cards, winner, best = leader, 0, leader, -1
    for at in range(played.shape[0]):
        kind = played[at]
        add(packed.hands, turn, kind)
        if cards == 0 or flat.beating[trump, best] >> kind & 1:
            best, winner = kind, turn
        cards += 1
        turn = turn + 1 if turn + 1 < players else 0
        if cards == players:
            turn, cards, best = winner, 0, -1

"""Observations of a seat, written as `envs.observations.ObservationEncoder` writes them."""

from __future__ import annotations

from typing import Any, TypeAlias

from numba import int64

from acesaround.cards import KIND_COUNT, RANK_COUNT
from acesaround.fast.jit import bit_count, inlined_kernel, lowest_bit
from acesaround.fast.playouts.deal_preparation import giver_and_taker
from acesaround.fast.playouts.packed_deal import CARDS_IN_TRICK, LEADER, TRUMP_BROKEN
from acesaround.fast.playouts.rule_arrays import HAND_SIZE, KITTY_SIZE, PLAYER_COUNT
from acesaround.fast.stepping.game_batch import (
    ACTIVE,
    BURIED,
    CARDS_HELD,
    CHOSEN,
    COMPLETE_MELDS,
    CONTRACT,
    CONTRACT_POINTS,
    DEALER,
    DEALER_SEAT,
    DECIDE_DISCARD,
    DECIDE_PLAY,
    DECISION,
    DECLARER,
    DECLARER_SEAT,
    DRAWN,
    GIVEN,
    HAND,
    HIGHEST_BIDS,
    IS_BROKEN,
    KITTY,
    MELDS,
    NAMED_TRUMP,
    PASSED,
    PASSED_SEATS,
    PASSES_MADE,
    PLAYED_CARDS,
    POINTS_WON,
    RECEIVED,
    SEAT,
    STOCK,
    TRICK_CARDS,
    TRUMP_SUIT,
    TURN_SEAT,
    GameBatch,
    StepRules,
)

Array: TypeAlias = Any  # numba infers it


@inlined_kernel
def _write_cards(rows: Array, fractions: Array, out: Array, first: int) -> None:
    """Write how many cards of each kind there are. `rows`: (copies,)."""
    for copy in range(rows.shape[0]):
        kinds = rows[copy]
        while kinds:
            out[first + lowest_bit(kinds)] = fractions[copy]
            kinds &= kinds - 1


@inlined_kernel
def _add_cards(rows: Array, fractions: Array, out: Array, first: int) -> None:
    """Add the cards of a passing or of a discard to those of earlier ones; at most 1."""
    copies = rows.shape[0]
    for copy in range(copies):
        kinds = rows[copy]
        if copy + 1 < copies:
            kinds &= ~rows[copy + 1]
        while kinds:
            at = first + lowest_bit(kinds)
            out[at] = min(out[at] + fractions[copy], fractions[copies - 1])
            kinds &= kinds - 1


@inlined_kernel
def write_observation(rules: StepRules, games: GameBatch, game: int, seat: int, out: Array) -> None:
    """Write what a seat sees of its game."""
    deal, params, entries = games.deals[game], rules.rule_arrays.params, rules.layout.first_entries
    status, hands, trick = (
        games.packed.status[game],
        games.packed.hands[game],
        games.packed.trick[game],
    )
    players, fractions, scale = params[PLAYER_COUNT], rules.fractions, rules.layout.points_scale
    copies, is_play, declarer = hands.shape[1], deal[DECISION] == DECIDE_PLAY, deal[DECLARER]
    for at in range(out.shape[0]):
        out[at] = rules.blank[at]
    out[rules.layout.first_decision + deal[DECISION] - 1] = 1
    _write_cards(hands[seat], fractions, out, entries[HAND])
    if seat == deal[SEAT]:
        _write_cards(games.chosen[game], fractions, out, entries[CHOSEN])
    elif deal[DECISION] == DECIDE_DISCARD and deal[ACTIVE] >> seat & 1 == 0:
        _write_cards(games.moved[game, rules.max_passes + seat], fractions, out, entries[CHOSEN])
    out[entries[TURN_SEAT] + (deal[SEAT] - seat + players) % players] = 1
    out[entries[DEALER_SEAT] + (deal[DEALER] - seat + players) % players] = 1
    if declarer >= 0:
        out[entries[DECLARER_SEAT] + (declarer - seat + players) % players] = 1
    out[entries[CONTRACT_POINTS]] = max(-1.0, min(deal[CONTRACT] * scale, 1.0))
    if deal[NAMED_TRUMP] >= 0:
        out[entries[TRUMP_SUIT] + deal[NAMED_TRUMP]] = 1
    out[entries[IS_BROKEN]] = not is_play or status[TRUMP_BROKEN] != 0
    for other in range(players):
        place = (other - seat + players) % players
        if deal[PASSED] >> other & 1:
            out[entries[PASSED_SEATS] + place] = 1
        out[entries[HIGHEST_BIDS] + place] = max(
            -1.0, min(games.highest_bids[game, other] * scale, 1.0)
        )
        held = int64(0)
        for copy in range(copies):
            held += bit_count(hands[other, copy])
        out[entries[CARDS_HELD] + place] = min(held / params[HAND_SIZE], 1.0)
        _write_cards(
            games.played[game, other], fractions, out, entries[PLAYED_CARDS] + place * KIND_COUNT
        )
        first_meld = entries[MELDS] + place * KIND_COUNT
        if other == seat or deal[COMPLETE_MELDS] >> other & 1:
            _write_cards(games.shown[game, other], fractions, out, first_meld)
        elif games.shown_aces[game, other]:
            for suit in range(4):
                out[first_meld + suit * RANK_COUNT] = fractions[games.shown_aces[game, other] - 1]
        points = games.packed.points_won[game, rules.rule_arrays.side_of_player[other]]
        out[entries[POINTS_WON] + place] = max(-1.0, min(points * scale, 1.0))
    if is_play:
        for turn in range(status[CARDS_IN_TRICK]):
            place = (status[LEADER] + turn - seat + players) % players
            out[entries[TRICK_CARDS] + place * KIND_COUNT + trick[turn]] = fractions[0]
    if declarer >= 0 and params[KITTY_SIZE]:
        first = players * params[HAND_SIZE]
        for at in range(first, first + params[KITTY_SIZE]):
            entry = entries[KITTY] + games.cards[game, at]
            number = 0
            for other_at in range(first, first + params[KITTY_SIZE]):
                number += games.cards[game, other_at] == games.cards[game, at]
            out[entry] = fractions[number - 1]
        if seat == declarer:
            _write_cards(games.buried[game], fractions, out, entries[BURIED])
    for passing in range(deal[PASSES_MADE]):
        giver, taker = giver_and_taker(rules.rule_arrays, declarer, passing)
        if seat == giver:
            _add_cards(games.moved[game, passing], fractions, out, entries[GIVEN])
        elif seat == taker:
            _add_cards(games.moved[game, passing], fractions, out, entries[RECEIVED])
    if deal[DECISION] != DECIDE_DISCARD:
        _add_cards(games.moved[game, rules.max_passes + seat], fractions, out, entries[GIVEN])
    out[entries[STOCK]] = (rules.stock_size - deal[DRAWN]) / rules.rule_arrays.deck.shape[0]

"""Rollouts of choices before the play: every choice in every world, and the deal played to its end.

The steps after the choice follow rules of thumb (`deal_preparation`). Melds are laid as held, and
the fast rule player plays the cards. The callers list the choices and compare the results.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64

from acesaround.cards import KIND_COUNT
from acesaround.fast.jit import arrayless_kernel, inlined_kernel, lowest_bit
from acesaround.fast.playouts.deal_preparation import (
    Redraw,
    best_trump,
    bury_cards,
    exchange_cards,
    giver_and_taker,
    redraw_cards,
    take_kitty,
)
from acesaround.fast.playouts.meld_values import (
    DIX_ROW,
    MARRIAGE_ROW,
    hand_meld,
    melds_before_play,
    suit_entry,
    suit_pattern,
)
from acesaround.fast.playouts.packed_deal import (
    BEST_KIND,
    DECLARER_NUMBER,
    LEADER,
    TRICKS_LEFT,
    TRUMP,
    TRUMP_BROKEN,
    TURN,
    WINNER,
    PackedDeal,
    add_card,
    add_kinds,
    copy_deal,
    copy_into,
    empty_deal,
    remove_card,
    use_declarer_knowledge,
)
from acesaround.fast.playouts.play_loop import HEURISTIC, play_on
from acesaround.fast.playouts.rng import start_stream
from acesaround.fast.playouts.rule_arrays import (
    HAND_SIZE,
    KITTY_SIZE,
    NEEDS_MARRIAGE,
    PLAYER_COUNT,
    Integers,
    RuleArrays,
)
from acesaround.fast.playouts.rule_arrays import MAY_LEAD_TRUMP as BROKEN_AT_FIRST
from acesaround.fast.rollouts.card_play import RolloutOutput, RolloutResults, empty_results
from acesaround.fast.rollouts.deal_ends import DealEnds, empty_deal_ends, write_deal_end
from acesaround.fast.rollouts.win_probability import (
    END_COLUMNS,
    EndBuffer,
    GameArrays,
    ScoringState,
    copy_end,
    find_basic_payment,
    new_end_buffer,
    score,
    win_probability,
    write_payments,
)
from acesaround.rules import scoring

Array: TypeAlias = Any  # of int64; numba infers it

# The next step of a deal.
AUCTION: Final = 0
BURY: Final = 1
NAME: Final = 2
GIVE: Final = 3
RETURN: Final = 4
REDRAW: Final = 5

_meld_without_play = inlined_kernel(scoring.meld_without_play)
_no_marriage_change = inlined_kernel(scoring.no_marriage_change)


class DealStep(NamedTuple):
    """The step that a deal has reached before its play, and the player whose choices are tried."""

    next_step: int
    """The next step of the deal (AUCTION to REDRAW), which is what the choices are about."""
    player: int
    """The player who chooses."""
    declarer: int
    """A player."""
    bid: int
    buried_points: int
    """Points of the cards that the declarer has buried."""
    passes_made: int
    """How many passings between partners are complete."""


class ContractResults(NamedTuple):
    """The result of each contract in each world, before scoring."""

    trump: Integers
    """The suit, -1 if the declarer had no marriage: (worlds, contracts)."""
    ends: Integers
    """What each side melded and won: (worlds, contracts, sides, END_COLUMNS)."""


class _Worlds(NamedTuple):
    """Dealt worlds, and the seed from which the chance in each follows."""

    hands: Integers
    rest: Integers
    seed: int


class _Workspace(NamedTuple):
    """Work memory of a kernel, because kernels do not allocate arrays."""

    start: PackedDeal
    """The deal before any cards are dealt."""
    packed: PackedDeal
    log: Integers
    loss: Integers
    policies: Integers
    facts: Integers
    end_buffer: EndBuffer


_NAMED: Final = 0  # index into `facts`: trump, -1 if there is none
_BURIED: Final = 1  # index into `facts`: points of the cards that the declarer has buried
_FACTS: Final = 2


def roll_out_contracts(
    rule_arrays: RuleArrays,
    meld_tables: Integers,
    hands: Integers,
    rest: Integers,
    declarers: Integers,
    suits: Integers,
    seed: int = 0,
) -> ContractResults:
    """Return the result of each contract in each world, from hands before any cards move.

    `meld_tables`: see `meld_values.build_meld_tables`. `hands`: (worlds, players, copies). `rest`:
    the kitty or the undealt cards, (worlds, cards). `declarers`: players. `suits`: the trump each
    of them names, or -1 for the most promising suit: (contracts,).
    """
    shape = len(hands), len(declarers)
    found = ContractResults(
        np.full(shape, -1, np.int64),
        np.zeros((*shape, len(rule_arrays.side_zeros), END_COLUMNS), np.int64),
    )
    worlds = _Worlds(hands, rest, seed)
    with np.errstate(over="ignore"):  # streams wrap around; numpy warns if kernels are not compiled
        _roll_out_contracts(
            rule_arrays, meld_tables, worlds, declarers, suits, _make_workspace(rule_arrays), found
        )
    return found


def roll_out_passing(
    game_arrays: GameArrays,
    deal_step: DealStep,
    hands: Integers,
    rest: Integers,
    removed_cards: Integers,
    suits: Integers,
    seed: int = 0,
    ends: DealEnds | None = None,
) -> RolloutResults:
    """Try each choice of the step's player in each world.

    `removed_cards`: the cards of each choice that leave the hand, as rows of sets, none if the
    choice is to name trump: (choices, copies). `suits`: trump, or -1 for the most promising suit if
    trump is not named yet: (choices,). `ends`: where to write the end of each deal, None for
    nowhere. See `roll_out_contracts` for the other arguments.
    """
    tried, worlds = empty_results(len(hands), len(removed_cards)), _Worlds(hands, rest, seed)
    output = RolloutOutput(tried, empty_deal_ends(0, 0, 0) if ends is None else ends)
    with np.errstate(over="ignore"):
        _try_removed_cards(
            game_arrays,
            deal_step,
            worlds,
            removed_cards,
            suits,
            _make_workspace(game_arrays.rule_arrays),
            output,
        )
    return tried


def _make_workspace(rule_arrays: RuleArrays) -> _Workspace:
    start = empty_deal(rule_arrays)
    start.trick[:] = -1
    for kind in rule_arrays.deck:
        add_card(start.unplayed, 0, int(kind))
    place, its = start.status, rule_arrays.params
    place[BEST_KIND] = place[WINNER] = -1
    place[TRUMP_BROKEN], place[TRICKS_LEFT] = its[BROKEN_AT_FIRST], its[HAND_SIZE]
    return _Workspace(
        start=start,
        packed=copy_deal(start),
        log=np.zeros(len(rule_arrays.deck) + 2, np.int64),
        loss=np.zeros(KIND_COUNT, np.int64),
        policies=np.full(its[PLAYER_COUNT], HEURISTIC, np.int64),
        facts=np.zeros(_FACTS, np.int64),
        end_buffer=new_end_buffer(len(rule_arrays.side_zeros)),
    )


@inlined_kernel
def _move_cards(hands: Array, player: int, to: int, removed: Array) -> int:
    """Move the cards of a choice out of a hand and into that of `to`, unless `to` is -1.

    Returns the number of cards.
    """
    number: int = int64(0)
    for copy in range(removed.shape[0]):
        left = removed[copy]
        if to >= 0:
            add_kinds(hands, to, left)
        while left:
            remove_card(hands, player, lowest_bit(left))
            left &= left - 1
            number += 1
    return number


@inlined_kernel
def _points_of_cards(rule_arrays: RuleArrays, removed: Array) -> int:
    """Return the card points of a choice's cards."""
    points: int = int64(0)
    for copy in range(removed.shape[0]):
        left = removed[copy]
        while left:
            points += rule_arrays.points[lowest_bit(left)]
            left &= left - 1
    return points


@arrayless_kernel
def _advance_to_play(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    workspace: _Workspace,
    deal_step: DealStep,
    cards: Array,
    removed: Array,
    suit: int,
) -> None:
    """Bring dealt hands to the first lead: a choice, then the following steps by rules of thumb.

    `cards`: the unseen cards in no hand. `removed`: the cards of the choice. Both values of
    `workspace.facts` are written.
    """
    packed, loss, facts = workspace.packed, workspace.loss, workspace.facts
    step, declarer = deal_step.next_step, deal_step.declarer
    params, hands, place = rule_arrays.params, packed.hands, packed.status
    top = int64(0)
    facts[_BURIED] = deal_step.buried_points
    if step == AUCTION and params[KITTY_SIZE]:
        take_kitty(rule_arrays, hands, declarer, cards, 0)
        facts[_BURIED] = bury_cards(rule_arrays, meld_tables, hands, declarer, loss)
        top = int64(params[KITTY_SIZE])
    elif step == BURY:
        facts[_BURIED] = _points_of_cards(rule_arrays, removed)
        _move_cards(hands, declarer, -1, removed)
    trump = int64(suit)
    if trump < 0:
        trump = int64(
            best_trump(rule_arrays, meld_tables, hands, declarer, params[NEEDS_MARRIAGE] != 0)
        )
    elif (
        step <= BURY
        and params[NEEDS_MARRIAGE]
        and suit_entry(meld_tables, MARRIAGE_ROW, suit_pattern(meld_tables, hands, declarer, trump))
        == 0
    ):
        trump = int64(-1)
    if trump >= 0:
        if step <= NAME:
            exchange_cards(rule_arrays, meld_tables, hands, declarer, trump, 0, loss)
        elif step <= RETURN:
            giver, taker = giver_and_taker(rule_arrays, declarer, deal_step.passes_made)
            _move_cards(hands, giver, taker, removed)
            exchange_cards(
                rule_arrays, meld_tables, hands, declarer, trump, deal_step.passes_made + 1, loss
            )
        settled, thrown = int64(-1), int64(0)
        if step == REDRAW:
            settled = int64(deal_step.player)
            thrown = _move_cards(hands, deal_step.player, -1, removed)
        redraw = Redraw(cards, top, settled, thrown)
        redraw_cards(rule_arrays, meld_tables, hands, declarer, trump, redraw, loss)
    facts[_NAMED] = trump
    place[TRUMP], place[LEADER], place[TURN] = max(trump, 0), declarer, declarer
    place[DECLARER_NUMBER] = declarer + 1
    use_declarer_knowledge(packed)


@arrayless_kernel
def _play_out(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    packed: PackedDeal,
    declarer: int,
    seed: int,
    world: int,
    workspace: _Workspace,
) -> None:
    """Meld and play a deal that is at its first lead; write the results into the end buffer."""
    found, trump, hands = workspace.end_buffer, workspace.facts[_NAMED], packed.hands
    for side in range(found.meld.shape[0]):
        found.meld[side] = found.dix_points[side] = found.play[side] = found.has_counter[side] = 0
    for player in range(hands.shape[0]):
        side = rule_arrays.side_of_player[player]
        packed.meld_points[player] = 0
        if melds_before_play(rule_arrays, player, declarer):
            packed.meld_points[player] = hand_meld(meld_tables, hands, player, trump)
            found.meld[side] += packed.meld_points[player]
            if trump >= 0:
                found.dix_points[side] += suit_entry(
                    meld_tables, DIX_ROW, suit_pattern(meld_tables, hands, player, trump)
                )
    if trump >= 0:
        play_on(
            rule_arrays,
            packed,
            workspace.policies,
            start_stream(seed, world),
            workspace.log,
            workspace.log.shape[0],
        )
        for side in range(found.play.shape[0]):
            found.play[side] = packed.points_won[side]
            found.has_counter[side] = packed.won_counter[side]
        found.play[rule_arrays.side_of_player[declarer]] += workspace.facts[_BURIED]


@arrayless_kernel
def score_deal(
    scoring_state: ScoringState, end_buffer: EndBuffer, trump: int, declarer: int, bid: int
) -> bool:
    """Score a deal into `end_buffer.totals`; return whether the bid was made. `declarer`: a side.

    If `trump` is -1, the declarer had no marriage to name trump from, and no card was played.
    """
    if trump >= 0:
        return score(scoring_state, end_buffer, trump, declarer, bid)
    params, totals = scoring_state.scoring, end_buffer.totals
    if params.is_paid_by_bid:
        write_payments(
            scoring_state, end_buffer, declarer, find_basic_payment(scoring_state, bid), False
        )
        return False
    for side in range(totals.shape[0]):
        change = _no_marriage_change(
            params, _meld_without_play(params, end_buffer.meld[side]), side == declarer, bid
        )
        totals[side] = scoring_state.scores[side] + change
    return False


@arrayless_kernel
def _deal_world(workspace: _Workspace, hands: Array, world: int) -> None:
    """Deal the hands of a world into the work memory."""
    packed = workspace.packed
    copy_into(workspace.start, packed)
    for player in range(hands.shape[1]):
        for copy in range(hands.shape[2]):
            packed.hands[player, copy] = hands[world, player, copy]


@arrayless_kernel
def _roll_out_contracts(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    worlds: _Worlds,
    declarers: Array,
    suits: Array,
    workspace: _Workspace,
    found: ContractResults,
) -> None:
    packed, facts, end, hands = (
        workspace.packed,
        workspace.facts,
        workspace.end_buffer,
        worlds.hands,
    )
    zero = int64(0)
    for world in range(hands.shape[0]):
        for at in range(declarers.shape[0]):
            declarer = declarers[at]
            deal_step = DealStep(int64(AUCTION), declarer, declarer, zero, zero, zero)
            _deal_world(workspace, hands, world)
            _advance_to_play(
                rule_arrays,
                meld_tables,
                workspace,
                deal_step,
                worlds.rest[world],
                hands[world, 0],
                suits[at],
            )
            _play_out(rule_arrays, meld_tables, packed, declarer, worlds.seed, world, workspace)
            found.trump[world, at] = facts[_NAMED]
            copy_end(end, found.ends[world, at])


@arrayless_kernel
def _try_removed_cards(
    game_arrays: GameArrays,
    deal_step: DealStep,
    worlds: _Worlds,
    removed_cards: Array,
    suits: Array,
    workspace: _Workspace,
    output: RolloutOutput,
) -> None:
    tried, ends = output.results, output.ends
    rule_arrays, meld_tables, scoring_state = (
        game_arrays.rule_arrays,
        game_arrays.meld_tables,
        game_arrays.scoring_state,
    )
    packed, facts, end, hands = (
        workspace.packed,
        workspace.facts,
        workspace.end_buffer,
        worlds.hands,
    )
    declarer, own_side = deal_step.declarer, rule_arrays.side_of_player[deal_step.player]
    side = rule_arrays.side_of_player[declarer]
    for world in range(hands.shape[0]):
        for choice in range(removed_cards.shape[0]):
            _deal_world(workspace, hands, world)
            _advance_to_play(
                rule_arrays,
                meld_tables,
                workspace,
                deal_step,
                worlds.rest[world],
                removed_cards[choice],
                suits[choice],
            )
            _play_out(rule_arrays, meld_tables, packed, declarer, worlds.seed, world, workspace)
            made = score_deal(scoring_state, end, facts[_NAMED], side, deal_step.bid)
            tried.win_probability[world, choice] = win_probability(
                scoring_state, end.totals, side, own_side
            )
            tried.points[world, choice] = end.totals[own_side] - scoring_state.scores[own_side]
            tried.bid_made[world, choice] = made
            if ends.sides.shape[0]:
                write_deal_end(ends, world, choice, end, facts[_NAMED], side, deal_step.bid)

"""Which action ids are legal for the seat on turn, as `envs.position.Position` has them."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.cards import KIND_COUNT
from acesaround.fast.jit import arrayless_kernel, inlined_kernel, lowest_bit
from acesaround.fast.playouts.packed_deal import MAY_CONCEDE
from acesaround.fast.playouts.play_loop import legal_choices
from acesaround.fast.playouts.rule_arrays import (
    EXCHANGE_SIZE,
    KITTY_SIZE,
    MAX_REDRAW,
    NEEDS_MARRIAGE,
    NINE_MUST_TAKE,
    UPCARD_RULE,
)
from acesaround.fast.stepping.deal_phases import has_marriage, nine_of_suit
from acesaround.fast.stepping.game_batch import (
    ACTIVE,
    ALL_PASS_RULES,
    CHOSEN_COUNT,
    DEALER,
    DECIDE_BID,
    DECIDE_BURY,
    DECIDE_DISCARD,
    DECIDE_GIVE,
    DECIDE_PLAY,
    DECIDE_TRUMP,
    DECISION,
    LAST_CHOSEN,
    SEAT,
    STANDING_BID,
    UPCARD,
    GameBatch,
    StepRules,
    packed_deal_of,
)
from acesaround.rules import AllPass

Array: TypeAlias = Any  # numba infers it

_FIRST_BIDS: Final = ALL_PASS_RULES.index(AllPass.FIRST_BIDS)
_DEALER_BIDS: Final = ALL_PASS_RULES.index(AllPass.DEALER_BIDS)


@inlined_kernel
def write_mask(rules: StepRules, games: GameBatch, game: int, mask: Array) -> None:
    """Write whether each action id is legal for the seat on turn."""
    for action_id in range(mask.shape[0]):
        mask[action_id] = False
    if games.deals[game, DECISION] == DECIDE_PLAY:
        packed, action_ids = packed_deal_of(games, game), rules.action_ids
        kinds = legal_choices(rules.rule_arrays, packed)
        while kinds:
            mask[action_ids.first_card + lowest_bit(kinds)] = True
            kinds &= kinds - 1
        if packed.status[MAY_CONCEDE]:
            mask[action_ids.concede] = True
    else:
        _write_mask_before_play(rules, games, game, mask)


@arrayless_kernel
def _write_mask_before_play(rules: StepRules, games: GameBatch, game: int, mask: Array) -> None:
    deal, params, action_ids = games.deals[game], rules.rule_arrays.params, rules.action_ids
    decision, chosen_count = deal[DECISION], deal[CHOSEN_COUNT]
    hands, seat = games.packed.hands[game], deal[SEAT]
    if decision == DECIDE_BID:
        row = deal[STANDING_BID] + 1
        for place in range(rules.bids.shape[0]):
            mask[action_ids.first_bid + place] = rules.allowed_bids[row, place]
        must_bid = rules.all_pass == _FIRST_BIDS or (
            rules.all_pass == _DEALER_BIDS and deal[ACTIVE] == int64(1) << deal[DEALER]
        )
        mask[action_ids.pass_id] = row > 0 or not must_bid
    elif decision == DECIDE_TRUMP:
        for suit in range(4):
            mask[action_ids.first_trump + suit] = params[NEEDS_MARRIAGE] == 0 or has_marriage(
                rules, hands, seat, suit
            )
    elif decision == DECIDE_GIVE:
        _write_selectable(rules, games, game, params[EXCHANGE_SIZE] - chosen_count, mask)
    elif decision == DECIDE_BURY:
        _write_selectable(rules, games, game, params[KITTY_SIZE] - chosen_count, mask)
    elif decision == DECIDE_DISCARD:
        mask[action_ids.done] = True
        if chosen_count < params[MAX_REDRAW]:
            _write_selectable(rules, games, game, 1, mask)
    elif chosen_count:  # the nine for the upcard
        mask[action_ids.done] = True
    else:
        nine = nine_of_suit(deal[UPCARD])
        holds_nine = hands[seat, 0] >> nine & 1 != 0
        mask[action_ids.first_card + nine] = holds_nine
        mask[action_ids.done] = not holds_nine or params[UPCARD_RULE] != NINE_MUST_TAKE


@inlined_kernel
def _write_selectable(
    rules: StepRules, games: GameBatch, game: int, missing: int, mask: Array
) -> None:
    """Write which cards may be chosen next, so that `missing` cards can still be chosen."""
    deal, hands, chosen = games.deals[game], games.packed.hands, games.chosen
    seat, last, left = deal[SEAT], deal[LAST_CHOSEN], int64(0)
    for turn in range(KIND_COUNT - last):
        kind = KIND_COUNT - 1 - turn
        count = int64(0)
        for copy in range(chosen.shape[1]):
            count += (hands[game, seat, copy] >> kind & 1) - (chosen[game, copy] >> kind & 1)
        left += count
        if count and left >= missing:
            mask[rules.action_ids.first_card + kind] = True

"""The heuristic card play policy for kernels. `hand_evaluation` has its decisions before play.

The policy plays like the heuristic bot, with the same weights, so that rollouts match play at a
table. It sees only what its seat may see. It is deterministic and has no memory: it tracks neither
voids nor cards that players have shown. The same hand, trick and unseen cards give the same card.

Probabilities assume that the unseen cards are spread evenly. They are integers from 0 to
`FIXED_ONE`. The worth of a card is in card points times `FIXED_ONE`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64

from acesaround import heuristic_weights
from acesaround.cards import KIND_COUNT, RANK_COUNT, Rank
from acesaround.fast.jit import arrayless_kernel, bit_count, inlined_kernel, lowest_bit
from acesaround.fast.playouts.packed_deal import PackedDeal, unplayed_row
from acesaround.fast.playouts.rule_arrays import FIXED_BITS, FIXED_ONE, RuleArrays
from acesaround.fast.playouts.trick_stakes import Stakes
from acesaround.rules.feature_support import MAX_COPIES, MELD_WORTH_BITS

Array: TypeAlias = Any  # of int64; numba infers it

_SHARE_STEPS: Final = 256  # resolution of a hand's share of the unseen cards
_MAX_SUIT_CARDS: Final = MAX_COPIES * RANK_COUNT + 1  # more than the cards of any suit
_NONE_PROBABILITY: Final = np.array(
    [
        [
            round(FIXED_ONE * (1 - share / _SHARE_STEPS) ** number)
            for number in range(_MAX_SUIT_CARDS)
        ]
        for share in range(_SHARE_STEPS + 1)
    ],
    np.int64,
)
"""_NONE_PROBABILITY[share, number]: the probability that a hand holds none of so many cards."""
_FRACTION: Final = np.array(
    [
        [round(FIXED_ONE * min(part, of) / max(of, 1)) for of in range(_MAX_SUIT_CARDS)]
        for part in range(_MAX_SUIT_CARDS)
    ],
    np.int64,
)
"""_FRACTION[part, of]: the fraction `part / of`, at most 1, times FIXED_ONE."""

_ROLE_BITS: Final = 2
_ROLE_MASK: Final = (1 << _ROLE_BITS) - 1
_SIDE_BITS: Final = 4  # bits of a side in `PolicyRules.side_fields`
_SIDE_MASK: Final = (1 << _SIDE_BITS) - 1
_LENGTH_BITS: Final = 8  # bits of a suit's length in `PolicyView.suit_lengths`
_LENGTH_MASK: Final = (1 << _LENGTH_BITS) - 1
_POINTS_BITS: Final = 5  # bits of a rank's points in `PolicyRules.rank_points`
_POINTS_MASK: Final = (1 << _POINTS_BITS) - 1
_SHARE_OF_ONE_CARD: Final = np.array(
    [
        (_SHARE_STEPS << FIXED_BITS) // max(number, 1) + 1
        for number in range(MAX_COPIES * KIND_COUNT + 1)
    ]
)
"""_SHARE_OF_ONE_CARD[number]: the share of one card in so many, in fixed point."""

_HIGHEST_KINDS: Final = sum(1 << (RANK_COUNT * suit) for suit in range(4))
"""The set of the highest kind of each suit."""

_DECLARER_ROLE: Final = heuristic_weights.DECLARER_ROLE
_HELPER_ROLE: Final = heuristic_weights.HELPER_ROLE
_DEFENDER_ROLE: Final = heuristic_weights.DEFENDER_ROLE
_ACE, _KING = int(Rank.ACE), int(Rank.KING)
_MELD_WORTH_MASK: Final = (1 << MELD_WORTH_BITS) - 1

# The columns of `RuleArrays.role_weights`: the fields of `heuristic_weights.PlayWeights`.
_COLUMN: Final = {name: at for at, name in enumerate(heuristic_weights.PlayWeights._fields)}
_POINTS_ADDED_IF_WON: Final = _COLUMN["points_added_if_won"]
_POINTS_ADDED_IF_LOST: Final = _COLUMN["points_added_if_lost"]
_RICH_HAND_GROWTH: Final = _COLUMN["rich_hand_growth"]
_LEAD_VALUE: Final = _COLUMN["lead_value"]
_PARTNER_BEAT_FACTOR: Final = _COLUMN["partner_beat_factor"]
_MANY_SIDES_FACTOR: Final = _COLUMN["many_sides_factor"]
_VOLUNTARY_RUFF_CHANCE: Final = _COLUMN["voluntary_ruff_chance"]
_TRUMP_FACTORS: Final = np.array(
    [_COLUMN[f"{who}_trump_factor"] for who in ("declarer", "helper", "other")]
)
"""The columns of the factor on a seat's share of trumps, by the seat's part in the deal."""
_TRUMP_LEAD_VALUE: Final = _COLUMN["trump_lead_value"]
_LOW_TRUMP_LEAD_BONUS: Final = _COLUMN["low_trump_lead_bonus"]
_LOW_LEAD_LENGTH_RATIO: Final = _COLUMN["low_lead_length_ratio"]
_TRUMP_OUT_LEAD_BONUS: Final = _COLUMN["trump_out_lead_bonus"]
_WINNER_LEAD_BONUS: Final = _COLUMN["winner_lead_bonus"]
_SHORT_TRUMP_LEAD_COST: Final = _COLUMN["short_trump_lead_cost"]
_MASTER_TRUMP_LEAD_COST: Final = _COLUMN["master_trump_lead_cost"]
_CASH_VALUE: Final = _COLUMN["cash_value"]
_COUNTER_LEAD_COST: Final = _COLUMN["counter_lead_cost"]
_LONG_TRUMP_RATIO: Final = _COLUMN["long_trump_ratio"]
_MASTER_TRUMP: Final = _COLUMN["master_trump"]
_LOW_TRUMP: Final = _COLUMN["low_trump"]
_HIGH_TRUMP: Final = _COLUMN["high_trump"]
_TRUMP_COUNTER: Final = _COLUMN["trump_counter"]
_LAST_TRUMP_BONUS: Final = _COLUMN["last_trump_bonus"]
_MASTER: Final = _COLUMN["master"]
_MASTER_TRUMPS_GONE: Final = _COLUMN["master_trumps_gone"]
_LAST_OF_SUIT: Final = _COLUMN["last_of_suit"]
_LAST_TRUMPS_GONE: Final = _COLUMN["last_trumps_gone"]
_COUNTER: Final = _COLUMN["counter"]
_OTHER_CARD: Final = _COLUMN["other_card"]
_VOID_VALUE: Final = _COLUMN["void_value"]
_WINNER_KEEP_VALUE: Final = _COLUMN["winner_keep_value"]
_HAND_SIZE_DISCOUNT: Final = _COLUMN["hand_size_discount"]


class PolicyRules(NamedTuple):
    """The rules that the policy needs, as plain numbers."""

    players: int
    side_fields: int
    """The side of each player, in fields of `_SIDE_BITS` bits."""
    has_two_sides: bool
    rank_points: int
    """The points of each rank, in fields of `_POINTS_BITS` bits."""
    role_weights: Array
    """See `RuleArrays.role_weights`."""


class CurrentTrick(NamedTuple):
    """The trick to which the player on turn adds a card, as plain numbers."""

    turn: int
    cards: int
    """Cards in the trick."""
    points: int
    """Points in the trick."""
    winner: int
    """The player now winning the trick."""
    best_kind: int
    """The kind now winning the trick."""
    beating_kinds: int
    """The set of the kinds that beat `best_kind`."""


class PolicyView(NamedTuple):
    """The view of the player on turn, as plain numbers."""

    rules: PolicyRules
    unseen: int
    """The unseen cards, neither in this hand nor played: bit k is set if there are any of kind k,
    and bit 24 + k if their number is even and not 0."""
    unseen_more: int
    """Bit k is set if there are three or more, bit 24 + k if there are five or more. Each of these
    bits counts for two cards."""
    hand_size: int
    """Cards in this hand."""
    suit_lengths: int
    """Cards of each suit in this hand, in fields of `_LENGTH_BITS` bits."""
    cards_in_trick: int
    """Cards in the trick."""
    trick_points: int
    """Points in the trick."""
    led_kind: int
    """The first card of the trick."""
    best_kind: int
    """The kind now winning the trick."""
    beating_kinds: int
    """The set of the kinds that beat `best_kind`."""
    turn: int
    winner: int
    """The player now winning the trick."""
    trump: int
    stock_left: int
    """Cards still to be drawn: suit must be followed when there are none."""
    stakes: Stakes


class _CardContext(NamedTuple):
    """The values that one seat derives from its `PolicyView` to choose a card."""

    unseen: int
    unseen_more: int
    weights: Array
    """The weights in use, a row of `RuleArrays.role_weights`."""
    suit_lengths: int
    own_trumps: int
    unseen_trumps: int
    """Trumps unseen."""
    hand_share: int
    """The share of another hand in the unseen cards, see `_NONE_PROBABILITY`."""
    trump: int
    stock_left: int
    keep_discount: int
    """The part of its worth that a card in hand loses, times FIXED_ONE."""
    rank_points: int
    seats_to_play: int
    """Seats that play after this one."""
    partners_to_play: int
    """The partners among them, as bits: bit 0 is the next seat."""
    roles: int
    """The part of a `RoleWeights` of each of them, in fields of `_ROLE_BITS` bits."""
    points_added_if_won: int
    """The points they are expected to add to a trick that this side wins, times FIXED_ONE."""
    points_added_if_lost: int
    """The points they are expected to add to a trick that this side loses, times FIXED_ONE."""
    loss_weight: int
    """The weight of a point lost, times FIXED_ONE."""
    led_suit: int
    """The suit led."""
    best_kind: int
    beating_kinds: int
    is_winning: bool
    """Whether this side is winning the trick."""
    trick_points: int
    stakes: Stakes


@inlined_kernel
def _kinds_of_suit(suit: int) -> int:
    """Return the set of the kinds of a suit."""
    return ((1 << RANK_COUNT) - 1) << (RANK_COUNT * suit)


@inlined_kernel
def _unseen_count(context: _CardContext, kinds: int) -> int:
    """Return how many unseen cards there are of a set of kinds."""
    both_fields = kinds | kinds << KIND_COUNT
    return bit_count(context.unseen & both_fields) + 2 * bit_count(
        context.unseen_more & both_fields
    )


@inlined_kernel
def _card_points(context: _CardContext, kind: int) -> int:
    """Return the card points of a kind."""
    return context.rank_points >> (_POINTS_BITS * (kind % RANK_COUNT)) & _POINTS_MASK


@arrayless_kernel
def make_policy_rules(rule_arrays: RuleArrays) -> PolicyRules:
    """Return the rules that the policy needs."""
    rank_points, side_fields, players = int64(0), int64(0), rule_arrays.side_of_player.shape[0]
    for rank in range(RANK_COUNT):
        rank_points |= rule_arrays.points[rank] << (_POINTS_BITS * rank)
    for player in range(players):
        side_fields |= rule_arrays.side_of_player[player] << (_SIDE_BITS * player)
    return PolicyRules(
        players,
        side_fields,
        rule_arrays.side_zeros.shape[0] == 2,
        rank_points,
        rule_arrays.role_weights,
    )


@inlined_kernel
def observe(
    rules: PolicyRules,
    packed: PackedDeal,
    trick: CurrentTrick,
    trump: int,
    stock_left: int,
    stakes: Stakes,
) -> PolicyView:
    """Return what the player on turn sees. Only that player's own row of `packed.hands` is read.

    Of `packed.status` only DECLARER_NUMBER is read: it may be behind in all else. `stock_left`:
    cards still to be drawn.
    """
    hands, unplayed, turn = packed.hands, packed.unplayed, trick.turn
    copies, row = hands.shape[1], unplayed_row(packed, turn)
    unseen, unseen_more, hand_size, suit_lengths = int64(0), int64(0), int64(0), int64(0)
    for number in range(copies):  # kinds of which more than `partner_count` cards are unseen
        kinds = int64(0)
        for copy in range(copies - number):
            kinds |= unplayed[row, copy + number] & ~hands[turn, copy]
        unseen ^= kinds << KIND_COUNT if number else kinds
        if number == 2 or number == 4:
            unseen_more |= kinds << (KIND_COUNT * (number >> 2))
        held = hands[turn, number]
        hand_size += bit_count(held)
        for suit in range(4):
            suit_lengths += bit_count(held & _kinds_of_suit(suit)) << (_LENGTH_BITS * suit)
    return PolicyView(
        rules=rules,
        unseen=unseen,
        unseen_more=unseen_more,
        hand_size=hand_size,
        suit_lengths=suit_lengths,
        cards_in_trick=trick.cards,
        trick_points=trick.points,
        led_kind=packed.trick[0],
        best_kind=trick.best_kind,
        beating_kinds=trick.beating_kinds,
        turn=turn,
        winner=trick.winner,
        trump=trump,
        stock_left=stock_left,
        stakes=stakes,
    )


@inlined_kernel
def _side_of(rules: PolicyRules, player: int) -> int:
    """Return the side of a player."""
    return rules.side_fields >> (_SIDE_BITS * player) & _SIDE_MASK


@inlined_kernel
def _richness_factor(view: PolicyView, ace_points: int, unseen: int, weight: int) -> int:
    """Return the factor on what other players add to a trick, times FIXED_ONE.

    The factor is 1 if the unseen cards have half an ace's points on average. `weight`: the weight
    of a difference from that average.
    """
    points: int = int64(0)
    for rank in range(RANK_COUNT):
        rank_kinds = _HIGHEST_KINDS << rank
        both_fields = rank_kinds | rank_kinds << KIND_COUNT
        number = bit_count(view.unseen & both_fields) + 2 * bit_count(
            view.unseen_more & both_fields
        )
        points += number * (view.rules.rank_points >> (_POINTS_BITS * rank) & _POINTS_MASK)
    mean = (2 * points << FIXED_BITS) // max(unseen * ace_points, 1)
    return FIXED_ONE + ((weight * (mean - FIXED_ONE)) >> FIXED_BITS)


@inlined_kernel
def _make_context(view: PolicyView) -> _CardContext:
    """Return the values that follow from a view."""
    rules, trumps = view.rules, _kinds_of_suit(view.trump)
    both_fields = trumps | trumps << KIND_COUNT
    seats_to_play = rules.players - 1 - view.cards_in_trick
    partners, partner_count, player, own_side = (
        int64(0),
        int64(0),
        view.turn,
        _side_of(rules, view.turn),
    )
    roles, declarer = int64(0), view.stakes.declarer_number - 1
    declarer_side = _side_of(rules, declarer) if declarer >= 0 else int64(-1)
    for at in range(seats_to_play):
        player = player + 1 if player + 1 < rules.players else int64(0)
        side = _side_of(rules, player)
        role = _HELPER_ROLE if side == declarer_side else _DEFENDER_ROLE
        roles |= int64(_DECLARER_ROLE if player == declarer else role) << (_ROLE_BITS * at)
        if side == own_side:
            partners |= int64(1) << at
            partner_count += 1
    ace_points = rules.rank_points >> (_POINTS_BITS * _ACE) & _POINTS_MASK
    unseen = bit_count(view.unseen) + 2 * bit_count(view.unseen_more)
    weights = rules.role_weights[view.turn, view.stakes.role]
    added_if_won = ace_points * (
        partner_count * weights[_POINTS_ADDED_IF_WON]
        + (seats_to_play - partner_count) * weights[_POINTS_ADDED_IF_LOST]
    )
    added_if_lost = ace_points * (
        partner_count * weights[_POINTS_ADDED_IF_LOST]
        + (seats_to_play - partner_count) * weights[_POINTS_ADDED_IF_WON]
    )
    if weights[_RICH_HAND_GROWTH]:
        factor = _richness_factor(view, ace_points, unseen, weights[_RICH_HAND_GROWTH])
        added_if_won, added_if_lost = (
            (added_if_won * factor) >> FIXED_BITS,
            (added_if_lost * factor) >> FIXED_BITS,
        )
    loss_weight = FIXED_ONE if rules.has_two_sides else weights[_MANY_SIDES_FACTOR]
    return _CardContext(
        unseen=view.unseen,
        unseen_more=view.unseen_more,
        weights=weights,
        suit_lengths=view.suit_lengths,
        own_trumps=view.suit_lengths >> (_LENGTH_BITS * view.trump) & _LENGTH_MASK,
        keep_discount=weights[_HAND_SIZE_DISCOUNT] // max(view.hand_size, 1),
        unseen_trumps=bit_count(view.unseen & both_fields)
        + 2 * bit_count(view.unseen_more & both_fields),
        hand_share=min(view.hand_size * _SHARE_OF_ONE_CARD[unseen] >> FIXED_BITS, _SHARE_STEPS),
        trump=view.trump,
        stock_left=view.stock_left,
        rank_points=rules.rank_points,
        seats_to_play=seats_to_play,
        partners_to_play=partners,
        roles=roles,
        points_added_if_won=added_if_won,
        points_added_if_lost=added_if_lost,
        loss_weight=loss_weight,
        led_suit=view.led_kind // RANK_COUNT,
        best_kind=view.best_kind,
        beating_kinds=view.beating_kinds,
        is_winning=_side_of(rules, max(view.winner, 0)) == own_side,
        trick_points=view.trick_points,
        stakes=view.stakes,
    )


@inlined_kernel
def _trump_share(context: _CardContext, index: int) -> int:
    """Return the share of the unseen trumps of a seat to play; see `_CardContext.hand_share`."""
    role = context.roles >> (_ROLE_BITS * index) & _ROLE_MASK
    share: int = min(
        (context.hand_share * context.weights[_TRUMP_FACTORS[role]]) >> FIXED_BITS, _SHARE_STEPS
    )
    return share


@inlined_kernel
def _beat_probability(
    context: _CardContext, index: int, suit: int, higher: int, led_suit: int, unseen_of_led: int
) -> int:
    """Return the probability that a seat beats a card of `suit`, times FIXED_ONE.

    `index`: the index of the seat among those still to play. `higher`: the number of unseen cards
    of the suit above the card. `led_suit`: the suit led. `unseen_of_led`: the number of its unseen
    cards.
    """
    trump_share, plain_share = _trump_share(context, index), context.hand_share
    void_probability: int = _NONE_PROBABILITY[plain_share, unseen_of_led]
    higher_probability: int = (
        FIXED_ONE - _NONE_PROBABILITY[trump_share if suit == context.trump else plain_share, higher]
    )
    if suit == context.trump:
        return (
            higher_probability
            if led_suit == suit or context.stock_left
            else (higher_probability * void_probability) >> FIXED_BITS
        )
    ruff_probability: int = FIXED_ONE - _NONE_PROBABILITY[trump_share, context.unseen_trumps]
    if context.stock_left == 0:
        return higher_probability + ((ruff_probability * void_probability) >> FIXED_BITS)
    ruff_probability = (ruff_probability * context.weights[_VOLUNTARY_RUFF_CHANCE]) >> FIXED_BITS
    return FIXED_ONE - (
        ((FIXED_ONE - higher_probability) * (FIXED_ONE - ruff_probability)) >> FIXED_BITS
    )


@inlined_kernel
def _win_probability(
    context: _CardContext,
    suit: int,
    higher: int,
    led_suit: int,
    unseen_of_led: int,
    is_winning: bool,
) -> int:
    """Return the probability that this side wins the trick, times FIXED_ONE.

    Each seat still to play is assumed to beat the best card if it can. That card is of `suit` and
    has `higher` unseen cards above it. `is_winning`: whether this side is winning the trick with
    it.
    """
    probability = FIXED_ONE if is_winning else 0
    for index in range(context.seats_to_play):
        beat_probability = _beat_probability(context, index, suit, higher, led_suit, unseen_of_led)
        if context.partners_to_play >> index & 1:
            partner_probability = (
                (beat_probability * context.weights[_PARTNER_BEAT_FACTOR]) >> FIXED_BITS
                if is_winning
                else beat_probability
            )
            probability += ((FIXED_ONE - probability) * partner_probability) >> FIXED_BITS
        else:
            probability -= (probability * beat_probability) >> FIXED_BITS
    return probability


@inlined_kernel
def _keep_value(context: _CardContext, kind: int, higher: int, unseen_of_suit: int) -> int:
    """Return the worth of a card in hand for later tricks, in an ace's points times FIXED_ONE.

    `higher`, `unseen_of_suit`: the numbers of unseen cards of its suit above it, and in all.
    """
    lower_fraction: int = _FRACTION[unseen_of_suit - higher, unseen_of_suit]
    weights, suit, is_counter = context.weights, kind // RANK_COUNT, kind % RANK_COUNT <= _KING
    worth: int
    if suit == context.trump:
        worth = weights[_MASTER_TRUMP]
        if higher:
            worth = weights[_LOW_TRUMP] + ((weights[_HIGH_TRUMP] * lower_fraction) >> FIXED_BITS)
            worth += weights[_TRUMP_COUNTER] if is_counter else 0
        return worth + weights[_LAST_TRUMP_BONUS] if context.own_trumps == 1 else worth
    if unseen_of_suit == 0:
        worth = weights[_LAST_OF_SUIT] if context.unseen_trumps else weights[_LAST_TRUMPS_GONE]
    elif higher == 0:
        worth = weights[_MASTER] if context.unseen_trumps else weights[_MASTER_TRUMPS_GONE]
    else:
        worth = (weights[_COUNTER if is_counter else _OTHER_CARD] * lower_fraction) >> FIXED_BITS
        if context.own_trumps and context.suit_lengths >> (_LENGTH_BITS * suit) & _LENGTH_MASK == 1:
            worth -= weights[_VOID_VALUE]
    return worth


@inlined_kernel
def _play_value(
    context: _CardContext, kind: int, win_probability: int, higher: int, unseen_of_suit: int
) -> int:
    """Return the value of playing a card: the trick minus the card's worth in hand.

    The unit is points times FIXED_ONE. `win_probability`: the probability that this side then wins
    the trick.
    """
    stakes, card_points = context.stakes, _card_points(context, kind)
    points = (context.trick_points + card_points) << FIXED_BITS
    keep_value = (
        _keep_value(context, kind, higher, unseen_of_suit) * (FIXED_ONE - context.keep_discount)
    ) >> FIXED_BITS
    keep_value *= _card_points(context, _ACE)
    value_if_won = ((points + context.points_added_if_won) * stakes.points_factor) // FIXED_ONE + (
        stakes.trick_win_points << FIXED_BITS
    )
    if stakes.meld_saving_points:
        value_if_won += (stakes.meld_saving_points << FIXED_BITS) // (
            1 if card_points or context.trick_points else 2
        )
    if context.stock_left:
        suit_prospects = stakes.meld_prospects[kind // RANK_COUNT] >> MELD_WORTH_BITS * (
            kind % RANK_COUNT
        )
        keep_value += (suit_prospects & _MELD_WORTH_MASK) << FIXED_BITS
    loss_if_lost = ((points + context.points_added_if_lost) * context.loss_weight) >> FIXED_BITS
    return (
        (win_probability * value_if_won - (FIXED_ONE - win_probability) * loss_if_lost)
        >> FIXED_BITS
    ) - keep_value


@inlined_kernel
def _draw_trump_value(context: _CardContext, legal: int) -> int:
    """Return the worth of leading trump besides the trick, for a player long in trump.

    The unit is an ace's points times FIXED_ONE.
    """
    weights, winners = context.weights, int64(0)
    value: int = weights[_TRUMP_LEAD_VALUE] + weights[_TRUMP_OUT_LEAD_BONUS] * context.unseen_trumps
    if weights[_WINNER_LEAD_BONUS]:
        plain = legal & ~_kinds_of_suit(context.trump)
        while plain:
            kind = lowest_bit(plain)
            plain &= plain - 1
            winners += (
                _unseen_count(context, _kinds_of_suit(kind // RANK_COUNT) & ((1 << kind) - 1)) == 0
            )
        value += weights[_WINNER_LEAD_BONUS] * winners
    return value


@inlined_kernel
def _lead_bonus(
    context: _CardContext, kind: int, higher: int, is_long_in_trump: bool, draw_value: int
) -> int:
    """Return the worth of leading a card besides the trick, in points times FIXED_ONE.

    Leading trump draws the other players' trumps or, if not `is_long_in_trump` in them, spends an
    own one.
    """
    weights, suit = context.weights, kind // RANK_COUNT
    value: int = int64(0)
    if context.unseen_trumps == 0:
        return value
    if suit != context.trump:
        if higher == 0:
            value = weights[_CASH_VALUE]
        elif _card_points(context, kind):
            value = -weights[_COUNTER_LEAD_COST]
    elif is_long_in_trump:
        value = draw_value
        if (
            higher
            and (context.own_trumps << FIXED_BITS)
            < weights[_LOW_LEAD_LENGTH_RATIO] * context.unseen_trumps
        ):
            value += weights[_LOW_TRUMP_LEAD_BONUS]
    else:
        value = (
            -weights[_SHORT_TRUMP_LEAD_COST]
            if higher
            else -weights[_SHORT_TRUMP_LEAD_COST] - weights[_MASTER_TRUMP_LEAD_COST]
        )
    return value * _card_points(context, _ACE)


@arrayless_kernel
def _choose_lead(context: _CardContext, legal: int) -> int:
    """Return the card to lead: sure winners, trumps when long in them, else the cheapest card."""
    draw_value, lead_value = int64(0), context.weights[_LEAD_VALUE] * _card_points(context, _ACE)
    is_long_in_trump = (context.own_trumps << FIXED_BITS) >= context.weights[
        _LONG_TRUMP_RATIO
    ] * context.unseen_trumps
    if is_long_in_trump and context.unseen_trumps:
        draw_value = _draw_trump_value(context, legal)
    chosen: int = int64(-1)
    best_value, unseen_of_suit, suit = int64(0), int64(0), int64(-1)
    while legal:
        kind = lowest_bit(legal)
        legal &= legal - 1
        if kind // RANK_COUNT != suit:
            suit = kind // RANK_COUNT
            unseen_of_suit = _unseen_count(context, _kinds_of_suit(suit))
        higher = _unseen_count(context, _kinds_of_suit(suit) & ((1 << kind) - 1))
        win_probability = _win_probability(context, suit, higher, suit, unseen_of_suit, True)
        value = _play_value(context, kind, win_probability, higher, unseen_of_suit)
        value += _lead_bonus(context, kind, higher, is_long_in_trump, draw_value) + (
            (lead_value * win_probability) >> FIXED_BITS
        )
        if chosen < 0 or value > best_value:
            chosen, best_value = kind, value
    return chosen


@arrayless_kernel
def _choose_follow(context: _CardContext, legal: int) -> int:
    """Return the card to follow with: win the trick, feed it to the partner, or give it up."""
    led_suit, beating_kinds = context.led_suit, context.beating_kinds
    unseen_of_led, probability_if_not_beaten = (
        _unseen_count(context, _kinds_of_suit(led_suit)),
        int64(0),
    )
    lead_value = context.weights[_LEAD_VALUE] * _card_points(context, _ACE)
    winner_keep_value = context.weights[_WINNER_KEEP_VALUE] * _card_points(context, _ACE)
    if legal & ~beating_kinds:
        suit = context.best_kind // RANK_COUNT
        higher = _unseen_count(context, _kinds_of_suit(suit) & beating_kinds)
        probability_if_not_beaten = _win_probability(
            context, suit, higher, led_suit, unseen_of_led, context.is_winning
        )
    chosen: int = int64(-1)
    best_value = int64(0)
    while legal:
        kind = lowest_bit(legal)
        legal &= legal - 1
        suit = kind // RANK_COUNT
        higher = _unseen_count(context, _kinds_of_suit(suit) & ((1 << kind) - 1))
        unseen_of_suit = (
            unseen_of_led if suit == led_suit else _unseen_count(context, _kinds_of_suit(suit))
        )
        win_probability, bonus = probability_if_not_beaten, int64(0)
        if beating_kinds >> kind & 1:
            win_probability = _win_probability(context, suit, higher, led_suit, unseen_of_led, True)
            bonus = (lead_value * win_probability) >> FIXED_BITS
        elif higher == 0:
            bonus = -winner_keep_value
        value = _play_value(context, kind, win_probability, higher, unseen_of_suit) + bonus
        if chosen < 0 or value > best_value:
            chosen, best_value = kind, value
    return chosen


@arrayless_kernel
def choose_card(view: PolicyView, legal: int) -> int:
    """Return the kind to play from the set `legal`."""
    if legal & (legal - 1) == 0:
        return lowest_bit(legal)
    context = _make_context(view)
    return _choose_follow(context, legal) if view.cards_in_trick else _choose_lead(context, legal)

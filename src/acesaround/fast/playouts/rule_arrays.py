"""Rules as numbers: the arrays that kernels read, built once for each table.

In kernels a *set of kinds* has bit k for kind k. A *hand* is a row of such sets, one for each
copy in the deck: row[i] has the kinds of which the hand holds more than i cards. So row[0] has the
cards to choose from, a hand holds a meld as often as its sets contain the meld, and no count needs
unpacking. The numbers come from the engine's own tables and functions; this module contains no
rule.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from acesaround import heuristic_weights
from acesaround.cards import CARDS, KIND_COUNT, RANK_COUNT, kinds, kinds_in_set
from acesaround.rules import KeepMeld, MeldTable, Phase, Rules
from acesaround.rules.feature_support import Feature, require_support
from acesaround.rules.laid_melds import STANDARD_CANDIDATE_COUNT, meld_candidates
from acesaround.rules.tricks import beats, meld_saving_kinds, must_beat, points_of

Integers = NDArray[np.int64]

# Fields of `RuleArrays.params`.
PLAYER_COUNT: Final = 0
COPY_COUNT: Final = 1
HAND_SIZE: Final = 2  # cards dealt to each player
LAST_TRICK_POINTS: Final = 3  # points of the last trick
MAY_LEAD_TRUMP: Final = 4  # whether trump may be led freely from the start
NEEDS_MARRIAGE: Final = 5  # whether trump needs a marriage
KITTY_SIZE: Final = 6  # cards in the kitty; the declarer takes them and buries as many
EXCHANGE_SIZE: Final = 7  # cards that each partner gives the declarer, and gets back
MAX_REDRAW: Final = 8  # cards that each player may exchange with undealt ones
STOCK_SIZE: Final = 9  # cards to draw between tricks, including the upcard, whose suit is trump
PARTNER_DISTANCE: Final = 10  # distance in players from one partner to the next; 0 without partners
MELD_FROM_HAND: Final = 11  # whether a meld that is laid needs a card from the hand
KEEP_MELD_RULE: Final = 12  # what saves meld in play: an index into `KeepMeld`
MIN_PLAY_POINTS: Final = 13  # points that a side needs in play for its meld to count
MIN_MELD_POINTS: Final = 14  # points of meld that a side needs for its meld to count
PARTNER_COUNT: Final = 15  # number of partners of each player
VOID_MUST_TRUMP: Final = 16  # whether a hand void in the suit led must play even a losing trump
RUN_POINTS: Final = 17  # points of a run, see `heuristic_weights.run_points`
DEFENDERS_MELD: Final = 18  # whether players outside the declarer's side meld too
MUST_BEAT_PLAIN: Final = 19  # whether a follower must beat if able when a plain suit was led
MUST_BEAT_TRUMP: Final = 20  # and when trump was led
UPCARD_RULE: Final = (
    21  # 1: a card of the dealer's names trump; 2: a nine may take it; 3: a nine must
)
NINE_MUST_TAKE: Final = 3  # UPCARD_RULE if a nine must take the card
MELD_AFTER_STOCK: Final = 22  # whether a meld may be laid after the trick that empties the stock
NINE_TURNED_POINTS: Final = 23  # points of the dealer if a nine is turned up next to the stock
MELD_AFTER_NINE: Final = 24  # whether a player may lay another meld after a nine of trump
MELD_BEFORE_DRAW: Final = 25  # whether a meld is laid before cards are drawn
PARAM_COUNT: Final = 26

# Fields of `RuleArrays.hand_weights`, from `heuristic_weights.HandWeights`. In thousandths of a
# trick:
WEIGHT_SCALE: Final = 1000
BASE_WEIGHT: Final = 0
TRUMP_WEIGHT: Final = 1
TRUMP_ACE_WEIGHT: Final = 2
TRUMP_TEN_WEIGHT: Final = 3
ACE_WEIGHT: Final = 4
TEN_WEIGHT: Final = 5
# In thousandths of a run:
GROWTH_WEIGHT: Final = 6
ONE_SHORT_WEIGHT: Final = 7
TWO_SHORT_WEIGHT: Final = 8
# In thousandths of a point, the worth of a trick:
TRICK_POINTS: Final = 9

# Fields of `RuleArrays.meld_candidates`, from `laid_melds.Candidate`.
CANDIDATE_CLASS: Final = 0
CANDIDATE_KINDS: Final = 1
CANDIDATE_KINDS_TWICE: Final = 2
CANDIDATE_ADDED_KINDS: Final = 3
CANDIDATE_POINTS: Final = 4  # points as a new meld; the next field has those as a grown meld
CANDIDATE_FIELDS: Final = 6


FIXED_BITS: Final = 10
FIXED_ONE: Final = 1 << FIXED_BITS
"""The probability 1 in fixed point: a probability is an integer from 0 to FIXED_ONE."""


class RuleArrays(NamedTuple):
    """The rules of a table. Players are counted in turn from 0, independent of their seats."""

    params: Integers
    deck: Integers
    """The kind of each card of the deck: (size,)."""
    suit_kinds: Integers
    """The set of the kinds of each suit: (4,)."""
    beating_kinds: Integers
    """The set of the kinds that beat each kind under each trump: (4, 24)."""
    points: Integers
    """Card points of each kind: (24,)."""
    saves_meld: Integers
    """Whether each kind saves meld when it is won in a trick: (24,)."""
    side_of_player: Integers
    """The side of each player, an index into `Rules.side_zeros`: (players,)."""
    side_zeros: Integers
    """A zero for each side of the rules, present or not: (sides,)."""
    hand_weights: Integers
    """The weights of a declarer's hand, in the fields from BASE_WEIGHT to TRICK_POINTS: (10,)."""
    role_weights: Integers
    """The weights of each player's card play, times FIXED_ONE, with a row for each part of a
    `RoleWeights`: (players, parts, numbers)."""
    meld_candidates: Integers
    """The melds that may be laid between tricks, by trump and number: (4, 12, CANDIDATE_FIELDS)."""


def build_rule_arrays(rules: Rules, seats: tuple[int, ...]) -> RuleArrays:
    """Return the rules as arrays, for a deal in which `seats` play.

    Raises RulesError for rules that the kernels do not support.
    """
    return _build_rule_arrays(rules, seats, heuristic_weights.hand_weights(rules))


@lru_cache(maxsize=64)
def _build_rule_arrays(
    rules: Rules, seats: tuple[int, ...], weights: heuristic_weights.HandWeights
) -> RuleArrays:
    require_support(rules, Feature.PLAYOUTS, "the fast kernels")
    params = np.zeros(PARAM_COUNT, np.int64)
    params[PLAYER_COUNT] = len(seats)
    params[COPY_COUNT] = rules.deck.copies
    params[HAND_SIZE] = rules.hand_size
    params[LAST_TRICK_POINTS] = rules.scoring.last_trick
    params[MAY_LEAD_TRUMP] = not rules.play.trump_must_be_broken
    if rules.auction is not None:
        params[NEEDS_MARRIAGE] = rules.auction.marriage_needed
    if Phase.KITTY in rules.phases:
        params[KITTY_SIZE] = rules.exchange.bury
    if Phase.EXCHANGE in rules.phases:
        params[EXCHANGE_SIZE] = rules.exchange.exchange
    if Phase.REDRAW in rules.phases:
        params[MAX_REDRAW] = rules.max_redraw(len(seats))
    if rules.deal.stock and rules.deal.upcard:
        params[STOCK_SIZE] = rules.deck.size - len(seats) * rules.hand_size
    if rules.deal.upcard and not rules.deal.stock:
        nine_may_take = Phase.UPCARD in rules.phases
        params[UPCARD_RULE] = 1 + nine_may_take + (nine_may_take and rules.deal.nine_must_take)
    params[MELD_FROM_HAND] = rules.melds.meld_from_hand
    params[MELD_AFTER_STOCK] = rules.melds.meld_after_stock
    params[NINE_TURNED_POINTS] = rules.melds.nine_turned_up
    params[MELD_AFTER_NINE] = rules.melds.nine_beside
    params[MELD_BEFORE_DRAW] = rules.melds.meld_before_draw
    params[KEEP_MELD_RULE] = list(KeepMeld).index(rules.scoring.keep_meld)
    params[MIN_PLAY_POINTS], params[MIN_MELD_POINTS] = (
        rules.scoring.least_play,
        rules.scoring.least_meld,
    )
    params[PARTNER_COUNT] = rules.side_size - 1
    if rules.has_partners:
        params[PARTNER_DISTANCE] = len(seats) // rules.side_size
    params[RUN_POINTS] = heuristic_weights.run_points(rules)
    params[VOID_MUST_TRUMP] = rules.play.void_must_trump
    params[DEFENDERS_MELD] = rules.melds.defenders_meld
    params[MUST_BEAT_PLAIN] = must_beat(rules.play.must_beat, trump_led=False)
    params[MUST_BEAT_TRUMP] = must_beat(rules.play.must_beat, trump_led=True)
    return RuleArrays(
        params=params,
        deck=np.array(rules.deck.cards, np.int64),
        suit_kinds=np.array(
            [((1 << RANK_COUNT) - 1) << (RANK_COUNT * suit) for suit in range(4)], np.int64
        ),
        beating_kinds=np.array(
            [
                [
                    sum(1 << c for c in range(KIND_COUNT) if beats(c, other, trump))
                    for other in CARDS
                ]
                for trump in range(4)
            ],
            np.int64,
        ),
        points=np.array(points_of(rules.scoring.card_points), np.int64),
        saves_meld=np.array(meld_saving_kinds(rules.scoring.keep_meld), np.int64),
        side_of_player=np.array([rules.side_of(seat) for seat in seats], np.int64),
        side_zeros=np.zeros(len(rules.sides), np.int64),
        hand_weights=hand_weight_array(rules, weights, len(seats)),
        role_weights=np.array(
            [role_weight_array(heuristic_weights.role_weights(rules))] * len(seats)
        ),
        meld_candidates=_candidate_array(rules.melds),
    )


def hand_weight_array(
    rules: Rules, weights: heuristic_weights.HandWeights, players: int
) -> Integers:
    """Return hand weights as integers, in the fields from BASE_WEIGHT to TRICK_POINTS: (10,)."""
    trick_weights = (
        weights.base,
        weights.trump,
        weights.trump_ace,
        weights.trump_ten,
        weights.ace,
        weights.ten,
    )
    run_weights = weights.growth, weights.one_short, weights.two_short
    points_per_trick = heuristic_weights.average_trick_points(rules, players)
    return np.array(
        [
            round(WEIGHT_SCALE * weight)
            for weight in (*trick_weights, *run_weights, points_per_trick)
        ],
        np.int64,
    )


def role_weight_array(roles: heuristic_weights.RoleWeights) -> Integers:
    """Return the weights of one player's card play, as a row of `RuleArrays.role_weights`."""
    return np.array([[round(FIXED_ONE * number) for number in role] for role in roles], np.int64)


def _candidate_array(meld_table: MeldTable) -> Integers:
    meld_table = msgspec.structs.replace(meld_table, others=())  # `require_support`: no house melds
    rows = np.zeros((4, STANDARD_CANDIDATE_COUNT, CANDIDATE_FIELDS), np.int64)
    rows[:, :, CANDIDATE_KINDS] = (
        1 << KIND_COUNT
    )  # no hand has this bit: a meld that the table lacks
    for trump in range(4):
        for candidate in meld_candidates(meld_table, trump):
            points = (meld.points for meld in candidate.results)
            sets = (kind_set(cards) for cards in candidate.pattern[1:])
            rows[trump, candidate.pattern.number] = candidate.meld_class, *sets, *points
    return rows


def kind_set(cards: int) -> int:
    """Return the kinds in a packed hand of the engine, as a set of kinds."""
    return sum(1 << card for card in kinds_in_set(kinds(cards)))

"""The weights of the rules of thumb: what tricks, cards and hands are worth to a player.

The heuristic bot uses them directly, compiled kernels use integers made from them. The weights of
tricks and cards (`PlayWeights`) were fitted by matches over the same cards
(`bench/play_weights.py`). The weights of hands (`HandWeights`) are measured for the rules of a
table (`fast.calibration`): shipped for the variants, learned for other rules. Each weight says how
it enters the result.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from acesaround.cards import RANK_COUNT
from acesaround.rules import AllPass, Concede, Ending, Phase, Renege, Rules, dealer_forced_bid
from acesaround.rules.scoring import max_play_points
from acesaround.rules.tricks import points_of
from acesaround.variants import measured_setups

# --- playing cards --------------------------------------------------------------------------------


NEVER: Final = 99.0
"""A multiple of the outstanding trumps that no hand reaches, for `PlayWeights.long_trump_ratio`."""


class PlayWeights(NamedTuple):
    """Weights of card play, in fractions of an ace's points unless stated otherwise."""

    points_added_if_won: float
    """Points that a seat still to play adds to a trick that its side wins."""
    points_added_if_lost: float
    """Points that a seat still to play adds to a trick that its side loses."""
    rich_hand_growth: float
    """How strongly `points_added_if_won` and `points_added_if_lost` grow if the unseen cards
    average over half an ace."""
    lead_value: float
    """The value of winning a trick with one's own card, and so of leading next."""
    partner_beat_factor: float
    """The fraction of its chance at which a partner counts to beat an opponent's next card."""
    many_sides_factor: float
    """The weight of a point for another side if there are several other sides."""
    voluntary_ruff_chance: float
    """The probability that a seat trumps when it does not have to."""
    declarer_trump_factor: float
    """A multiple (0 or more) of the declarer's average share of the unseen trumps."""
    helper_trump_factor: float
    """The same multiple for a partner of the declarer."""
    other_trump_factor: float
    """The same multiple for all other seats."""
    trump_lead_value: float
    """The value of leading trump for a seat that is long in it."""
    low_trump_lead_bonus: float
    """Added to `trump_lead_value` for a beatable trump, if trumps are fewer than
    `low_lead_length_ratio`."""
    low_lead_length_ratio: float
    """The ratio of trumps in hand to trumps out from which `low_trump_lead_bonus` is not added."""
    trump_out_lead_bonus: float
    """Added to `trump_lead_value` for each trump that is out."""
    winner_lead_bonus: float
    """Added to `trump_lead_value` for each plain kind in hand that no card of its suit beats."""
    short_trump_lead_cost: float
    """The cost of leading trump for a seat that is not long in it."""
    master_trump_lead_cost: float
    """Added to `short_trump_lead_cost` for a trump that no other card beats."""
    cash_value: float
    """The value of leading a plain card that only trumps beat."""
    counter_lead_cost: float
    """The cost of leading a plain counter that can be beaten in its suit."""
    long_trump_ratio: float
    """The ratio of trumps in hand to trumps out from which a seat is long: see NEVER."""
    master_trump: float
    """The value of keeping a trump, beyond its points, if no higher one is out."""
    low_trump: float
    """The value of keeping any other trump."""
    high_trump: float
    """Added to `low_trump`, times the fraction of the outstanding trumps that are lower."""
    trump_counter: float
    """Added to `low_trump` for a counter."""
    last_trump_bonus: float
    """Added for the last trump in hand."""
    master: float
    """The value of keeping a plain card if no higher one of its suit is out."""
    master_trumps_gone: float
    """Used in place of `master` if no trump is out."""
    last_of_suit: float
    """The value of a plain card that can only be trumped, because no other of its suit is out."""
    last_trumps_gone: float
    """Used in place of `last_of_suit` if no trump is out."""
    counter: float
    """The value of any other counter, times the fraction of its suit out that is lower."""
    other_card: float
    """The value of any other card, times the same fraction."""
    void_value: float
    """The value of playing the last card of a plain suit, while one has trump to ruff the suit.

    Not added for a master or for a card that is the last of its suit.
    """
    winner_keep_value: float
    """The value of keeping a card that cannot be beaten if it would not win another seat's lead."""
    hand_size_discount: float
    """The loss of value of all cards in hand: this fraction, divided by the number of cards."""


class RoleWeights(NamedTuple):
    """The weights of card play of a declarer, of a declarer's partner, and of any other seat."""

    declaring: PlayWeights
    helping: PlayWeights
    defending: PlayWeights


DECLARER_ROLE: Final = RoleWeights._fields.index("declaring")
HELPER_ROLE: Final = RoleWeights._fields.index("helping")
DEFENDER_ROLE: Final = RoleWeights._fields.index("defending")


_PLAY_WEIGHTS_2026_11: Final = PlayWeights(
    points_added_if_won=0.6,
    points_added_if_lost=0.35,
    rich_hand_growth=0.0,
    lead_value=0.0,
    partner_beat_factor=0.4,
    many_sides_factor=0.4,
    voluntary_ruff_chance=0.6,
    declarer_trump_factor=1.0,
    helper_trump_factor=1.0,
    other_trump_factor=1.0,
    trump_lead_value=1.2,
    low_trump_lead_bonus=0.0,
    low_lead_length_ratio=NEVER,
    trump_out_lead_bonus=0.0,
    winner_lead_bonus=0.0,
    short_trump_lead_cost=0.5,
    master_trump_lead_cost=0.0,
    cash_value=0.0,
    counter_lead_cost=0.0,
    long_trump_ratio=0.6,
    master_trump=1.6,
    low_trump=0.35,
    high_trump=0.5,
    trump_counter=0.0,
    last_trump_bonus=0.0,
    master=0.7,
    master_trumps_gone=1.0,
    last_of_suit=0.1,
    last_trumps_gone=0.3,
    counter=0.25,
    other_card=0.02,
    void_value=0.0,
    winner_keep_value=0.0,
    hand_size_discount=0.0,
)
ROLE_WEIGHTS_2026_11: Final = RoleWeights(
    _PLAY_WEIGHTS_2026_11,
    _PLAY_WEIGHTS_2026_11,
    _PLAY_WEIGHTS_2026_11._replace(long_trump_ratio=NEVER),
)
REFERENCE_ROLE_WEIGHTS: Final = {"2026-11": ROLE_WEIGHTS_2026_11}
"""Weights that are kept unchanged as yardsticks, by the month they come from."""


# Fitted by bench/play_weights.py: seeds 7001 to 7010, partnership, double-deck and three-handed.
_PARTNERSHIP_WEIGHTS: Final = RoleWeights(
    declaring=_PLAY_WEIGHTS_2026_11._replace(
        points_added_if_lost=0.28,
        trump_lead_value=2.4,
        low_trump_lead_bonus=-3.0,
        low_lead_length_ratio=0.7,
        counter_lead_cost=0.7,
        low_trump=0.12,
        high_trump=1.0,
        trump_counter=0.5,
        last_trump_bonus=2.0,
        master=0.53,
        counter=1.7,
        void_value=-0.6,
        hand_size_discount=-0.8,
    ),
    helping=_PLAY_WEIGHTS_2026_11._replace(
        other_trump_factor=1.2,
        counter=0.55,
        winner_keep_value=0.7,
    ),
    defending=_PLAY_WEIGHTS_2026_11._replace(
        partner_beat_factor=0.6,
        helper_trump_factor=0.0,
        short_trump_lead_cost=2.0,
        cash_value=0.5,
        long_trump_ratio=NEVER,
        master_trump=2.02,
        master=0.35,
        void_value=0.3,
    ),
)
_DOUBLE_DECK_WEIGHTS: Final = RoleWeights(
    declaring=_PLAY_WEIGHTS_2026_11._replace(
        lead_value=-0.3,
        low_trump_lead_bonus=-3.0,
        trump_out_lead_bonus=0.4,
        master_trump_lead_cost=0.3,
        counter_lead_cost=0.7,
        long_trump_ratio=0.3,
        master_trump=3.24,
        low_trump=0.28,
        high_trump=1.62,
        trump_counter=0.5,
        last_trump_bonus=2.0,
        last_of_suit=-0.05,
        other_card=0.17,
        hand_size_discount=-0.8,
    ),
    helping=_PLAY_WEIGHTS_2026_11._replace(
        other_trump_factor=1.4,
        long_trump_ratio=1.2,
        master=1.37,
        last_of_suit=-0.2,
        counter=0.55,
        void_value=0.15,
        winner_keep_value=0.89,
        hand_size_discount=-0.8,
    ),
    defending=_PLAY_WEIGHTS_2026_11._replace(
        rich_hand_growth=-0.4,
        helper_trump_factor=0.2,
        short_trump_lead_cost=3.12,
        master_trump_lead_cost=0.3,
        cash_value=0.3,
        long_trump_ratio=NEVER,
        master_trump=2.5,
        counter=-0.05,
        winner_keep_value=0.5,
        hand_size_discount=-4.0,
    ),
)
_SOLO_WEIGHTS: Final = RoleWeights(
    declaring=_PLAY_WEIGHTS_2026_11._replace(
        points_added_if_won=0.0,
        lead_value=-0.07,
        low_lead_length_ratio=1.5,
        winner_lead_bonus=0.07,
        short_trump_lead_cost=0.57,
        long_trump_ratio=0.75,
        last_trump_bonus=1.0,
        hand_size_discount=-0.6,
    ),
    helping=_PLAY_WEIGHTS_2026_11._replace(),
    defending=_PLAY_WEIGHTS_2026_11._replace(
        points_added_if_lost=0.15,
        other_trump_factor=0.2,
        short_trump_lead_cost=2.0,
        master_trump_lead_cost=0.6,
        cash_value=0.3,
        counter_lead_cost=0.15,
        long_trump_ratio=NEVER,
        master_trump=2.0,
        high_trump=1.1,
        master=0.53,
        void_value=0.4,
        hand_size_discount=-0.4,
    ),
)


def role_weights(rules: Rules) -> RoleWeights:
    """Return the weights of card play for a table.

    They depend on partners and on the copies of each card. Tables without an auction use the
    weights of 2026-11, because no weights were fitted for them.
    """
    if rules.auction is None:
        return ROLE_WEIGHTS_2026_11
    if rules.has_partners:
        return _PARTNERSHIP_WEIGHTS if rules.deck.copies <= 2 else _DOUBLE_DECK_WEIGHTS
    return _SOLO_WEIGHTS


# --- meld that depends on a trick -----------------------------------------------------------------

MAX_MELD_SAVING_TRICKS: Final = 20
"""A meld to be saved counts as spread over the tricks left, but over no more tricks than this."""
MELD_NEED_POINTS: Final = 60  # points count double if a meld of so many points depends on them
LOST_MELD_FRACTION: Final = (
    0.8  # fraction of a meld's expected points that is lost with one of its cards
)
DENIED_MELD_POINTS: Final = 6  # points: the value of keeping the others from laying a meld
TRICK_WIN_MELD_FRACTION: Final = (
    0.25  # fraction of the best meld in hand that winning a trick is worth,
)
# plus the melds in hand divided by the tricks left, up to 1 in all
MIN_MELD_CHANCE: Final = 0.4  # no bid if the side's chance of the meld it needs is below this

# --- prices of cards that leave the hand, by rank, at a table where a run is worth 150 points ---

REFERENCE_RUN_POINTS: Final = 150  # points of a run at that table
TRUMP_GIFT_VALUES: Final = (
    60,
    52,
    46,
    45,
    44,
    20,
)  # what A T K Q J 9 of trump are worth to a declarer
PLAIN_GIFT_VALUES: Final = (38, 6, 4, 3, 1, 0)
TRUMP_GIVING_COSTS: Final = (60, 40, 30, 25, 22, 20)  # what it costs the declarer to give them away
PLAIN_GIVING_COSTS: Final = (24, 8, 3, 1, 0.5, 0)
SUIT_LENGTH_BONUS: Final = 1  # added for each card of the plain suit, except to aces
PINOCHLE_GIFT_VALUE: Final = 22  # a card of a pinochle
GIVER_MELD_FACTOR: Final = 0.8  # how much the giver's own meld counts, relative to the declarer's
BURIED_COUNTER_BONUS: Final = 8  # a counter buried is a counter won
TRUMP_KEEP_VALUES: Final = (20, 16, 12, 10, 9, 12)
PLAIN_KEEP_VALUES: Final = (10, 4, 3, 1, 0, 0)
PINOCHLE_KEEP_VALUE: Final = 6.5
DRAWN_CARD_VALUE: Final = 8  # what a card drawn from the stock is worth


# --- a hand ---------------------------------------------------------------------------------------


class HandWeights(NamedTuple):
    """The value of a hand to its declarer in one kind of game.

    In tricks: `base` for any declarer, then the other weights for each trump, ace and ten of trump,
    and side ace and ten. In runs: `growth` is the meld that partner, kitty or draw add; `one_short`
    and `two_short` are added to it if one or two cards of the run are missing. `spread` is how far
    results usually differ from the estimate, `caution` how far below the estimate bids stop.
    """

    base: float
    trump: float
    trump_ace: float
    trump_ten: float
    ace: float
    ten: float
    growth: float
    one_short: float
    two_short: float
    spread: float
    caution: float


OVERCALL_SPREADS: Final = 0.6
"""How far, in spreads, a hand's limit must exceed the bid to overcall the partner."""


_learned_weights: Final[dict[Rules, HandWeights]] = {}


@lru_cache(maxsize=64)
def hand_weights(rules: Rules) -> HandWeights:
    """Return the weights for a table: learned ones, else shipped ones, else derived ones."""
    return (
        _learned_weights.get(bidding_key(rules))
        or _shipped_weights(rules)
        or derived_weights(rules)
    )


def lacks_measured_weights(rules: Rules) -> bool:
    """Return whether a table has an auction, but no measured weights."""
    key = bidding_key(rules)
    return (
        rules.auction is not None
        and key not in _learned_weights
        and _shipped_weights(rules) is None
    )


def set_learned_weights(rules: Rules, weights: HandWeights) -> None:
    """Use these weights in this process for the given rules and for all rules that bid alike."""
    _learned_weights[bidding_key(rules)] = weights
    hand_weights.cache_clear()


@lru_cache(maxsize=64)
def bidding_key(rules: Rules) -> Rules:
    """Return the rules reduced to what the worth of a hand depends on.

    Names and labels, the length of a game and the treatment of mistakes are set to fixed values.
    """
    auction, kind_points = rules.auction, points_of(rules.scoring.card_points)
    if auction is not None:
        dealer_bid = dealer_forced_bid(auction) if auction.all_pass is AllPass.DEALER else None
        auction = replace(auction, stuck_bid=dealer_bid)
    return replace(
        rules,
        auction=auction,
        **dict.fromkeys(("title", "source", "short", "description", "author", "base"), ""),
        variant="any",
        players=(rules.seats,),
        deal=replace(rules.deal, hand=(rules.hand_size,)),
        play=replace(rules.play, renege=Renege.REFUSE),
        scoring=replace(rules.scoring, concede=Concede.NEVER, card_points=kind_points[:RANK_COUNT]),
        ending=Ending(target=1000),
        options=(),
    )


@lru_cache(maxsize=64)
def _shipped_weights(rules: Rules) -> HandWeights | None:
    """Return the weights shipped for these rules, None if no shipped way to play bids alike."""
    key = bidding_key(rules)
    for setup in measured_setups(rules):
        if setup.rules.seats == rules.seats and bidding_key(setup.rules) == key:
            return HandWeights(**setup.hand_weights)
    return None


def derived_weights(rules: Rules) -> HandWeights:
    """Return weights derived from partners, kitty and draw, for rules without measured ones."""
    hand, seats = rules.hand_size, rules.seats
    if rules.has_partners:
        passed_share = rules.exchange.exchange / 4
        is_double_deck = rules.deck.copies > 2
        return HandWeights(
            base=0.265 * hand,
            trump=0.7,
            trump_ace=0.3,
            trump_ten=0.1,
            ace=0.5 if is_double_deck else 0.75,
            ten=0.05,
            growth=(0.75 if is_double_deck else 0.25) + 0.45 * passed_share,
            one_short=0.1 + 0.25 * passed_share,
            two_short=0.1 * passed_share,
            spread=0.8 if is_double_deck else 0.55,
            caution=0.45 if is_double_deck else 0.1,
        )
    if rules.deal.kitty:
        return HandWeights(1.3, 0.8, 0.6, 0.3, 0.7, 0.45, 0.28, 0.11, 0.0, 0.4, 0.1)
    share = hand * (1 / seats - 1 / 4)
    redraw_growth = 0.015 * (hand - 4) if Phase.REDRAW in rules.phases else 0.0
    return HandWeights(
        0.3 + 0.6 * share, 0.58, 0.7, 0.4, 0.1, 0.0, redraw_growth, 0.02, 0.0, 0.22, 0.0
    )


@lru_cache(maxsize=64)
def run_points(rules: Rules) -> int:
    """Return the points of a run, the unit of meld and spread.

    At a table without runs, return the usual ratio of a run to the points in play.
    """
    return rules.melds.run[0] or max(1, max_play_points(rules, rules.seats) * 3 // 5)


@lru_cache(maxsize=64)
def average_trick_points(rules: Rules, players: int) -> float:
    """Return the card points of an average trick."""
    max_points = max_play_points(rules, players)
    if Phase.STOCK_PLAY in rules.phases:  # all cards of the stock are drawn and played
        return max_points / (rules.deck.size // players)
    if rules.deal.stock:  # if cards stay undealt, half of the card points count
        max_points = rules.scoring.last_trick + (max_points - rules.scoring.last_trick) // 2
    return max_points / rules.hand_size

"""Calibration of bidding: `HandWeights` fitted to deals that the heuristic policy plays out.

Calibration works for any rules that kernels can play, because no number is tuned by hand for one
game. In random deals every player declares once. A least-squares fit predicts the play and meld of
the best bidders from their hands. The caution is the value at which a side gains nothing by bidding
a little higher, or lower, than the others.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acesaround.cards import KIND_COUNT, RANK_COUNT
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.rule_arrays import (
    PARTNER_DISTANCE,
    Integers,
    RuleArrays,
    build_rule_arrays,
    hand_weight_array,
)
from acesaround.fast.rollouts.auctions import (
    ALL_PASS,
    AuctionResults,
    AuctionState,
    highest_places,
    simulate_auctions,
)
from acesaround.fast.rollouts.before_play import ContractResults, roll_out_contracts
from acesaround.fast.rollouts.bid_limits import BidLimitModel, compute_limits
from acesaround.fast.rollouts.hand_features import (
    FEATURE_COUNT,
    FIRST_PLAIN_FEATURE,
    FIRST_TRUMP_FEATURE,
    MELD_FEATURE,
    compute_hand_features,
)
from acesaround.fast.rollouts.win_probability import (
    MELD_COLUMN,
    PLAY_COLUMN,
    ScoringState,
    make_scoring_state,
)
from acesaround.heuristic_weights import (
    OVERCALL_SPREADS,
    HandWeights,
    average_trick_points,
    derived_weights,
    run_points,
)
from acesaround.legal_bids import legal_bids
from acesaround.rules import AllPass, Rules, dealer_forced_bid

Floats = NDArray[np.float64]
ProgressCallback = Callable[[int, int], None]
"""A progress callback: steps done, steps in all."""

DEAL_COUNT: Final = 12_000
DEFAULT_SEED: Final = 20_261_124
_FIT_ROUNDS: Final = 2  # each round improves the choice of the best bidders and of their trumps
_MAX_BIDS: Final = 256  # most bids on the ladder
_RUN_LENGTH: Final = 5  # ranks of a run
# Limits of the caution. The lower one, in spreads, keeps players from bidding all that a hand
# promises. The upper one, in runs, keeps some player bidding in games where leaving a poor hand to
# the dealer gains more than any bid.
_MIN_CAUTION_SPREADS: Final = 0.15
_MAX_CAUTION_RUNS: Final = 0.6
_BISECTION_STEPS: Final = 8  # bisection steps
_CAUTION_STEP_RUNS: Final = 0.1  # difference in caution between two sides, in runs
PROGRESS_STEPS: Final = _FIT_ROUNDS + 2


class RandomDeals(NamedTuple):
    """Random deals before the auction."""

    hands: Integers
    """Rows of sets of kinds, see `playouts.rule_arrays`: (deals, players, copies)."""
    undealt: Integers
    """The kinds of the cards in no hand: (deals, cards)."""


def random_deals(rules: Rules, count: int, seed: int) -> RandomDeals:
    """Return `count` random deals to all seats."""
    rng, players, copies = np.random.default_rng(seed), rules.seats, rules.deck.copies
    deck = np.array(rules.deck.cards, np.int64)
    shuffled = rng.permuted(np.tile(deck, (count, 1)), axis=1)
    dealt_count = players * rules.hand_size
    dealt_cards = shuffled[:, :dealt_count].reshape(count, players, -1)
    counts = np.zeros((count, players, KIND_COUNT), np.int64)
    for index in range(rules.hand_size):
        np.add.at(counts, (*np.ogrid[:count, :players], dealt_cards[:, :, index]), 1)
    bits = np.int64(1) << np.arange(KIND_COUNT)
    rows = [((counts > copy) * bits).sum(2) for copy in range(copies)]
    return RandomDeals(np.stack(rows, 2), shuffled[:, dealt_count:].copy())


def measure_hand_weights(
    rules: Rules,
    deal_count: int = DEAL_COUNT,
    seed: int = DEFAULT_SEED,
    on_progress: ProgressCallback | None = None,
) -> HandWeights:
    """Return the hand weights of a game with an auction, fitted to `deal_count` random deals.

    The same seed gives the same weights. `on_progress` receives progress. Raises RulesError for
    rules that kernels cannot play.
    """
    deals, weights = random_deals(rules, deal_count, seed), derived_weights(rules)
    for step in range(_FIT_ROUNDS):
        _report_progress(on_progress, step)
        model = _BiddingModel(rules, weights)
        weights = _fit_hand_weights(model, deals, model.play_contracts(deals))
    _report_progress(on_progress, _FIT_ROUNDS)
    model = _BiddingModel(rules, weights)
    results = model.play_contracts(deals)
    _report_progress(on_progress, _FIT_ROUNDS + 1)
    weights = weights._replace(caution=_balance_caution(model, deals, results))
    _report_progress(on_progress, PROGRESS_STEPS)
    return HandWeights(*(round(weight, 3) for weight in weights))


def _report_progress(on_progress: ProgressCallback | None, steps_done: int) -> None:
    if on_progress is not None:
        on_progress(steps_done, PROGRESS_STEPS)


class _BiddingModel:
    """The rules of a game and the hand weights that its players bid by."""

    def __init__(self, rules: Rules, weights: HandWeights) -> None:
        self.rules, self.weights = rules, weights
        self.players = tuple(range(rules.seats))
        rule_arrays = build_rule_arrays(rules, self.players)
        self.rule_arrays: RuleArrays = rule_arrays._replace(
            hand_weights=hand_weight_array(rules, weights, rules.seats)
        )
        self.meld_tables = build_meld_tables(rules)
        self.points_per_run = run_points(rules)
        self.side_of_player = np.array([rules.side_of(seat) for seat in self.players])

    def play_contracts(self, deals: RandomDeals) -> ContractResults:
        """Return the results of each player's contract in each deal, with its best trump."""
        declarers = np.array(self.players, np.int64)
        suits = np.full(len(declarers), -1, np.int64)
        return roll_out_contracts(
            self.rule_arrays, self.meld_tables, deals.hands, deals.undealt, declarers, suits
        )

    def bid_limits(self, deals: RandomDeals) -> Floats:
        """Return the points that each hand promises, without caution: (deals, players)."""
        bidder = BidLimitModel(
            self.weights.growth * self.points_per_run, float(self.rules.scoring.least_meld), 0.0
        )
        shown_meld, everyone = np.zeros(len(self.players)), np.ones(len(self.players), np.bool_)
        return compute_limits(
            self.rule_arrays, self.meld_tables, bidder, deals.hands, shown_meld, everyone
        )


def _fit_hand_weights(
    model: _BiddingModel, deals: RandomDeals, results: ContractResults
) -> HandWeights:
    """Return hand weights without caution, fitted to the contracts of the best bidders."""
    rules, points_per_run, points_per_trick = (
        model.rules,
        model.points_per_run,
        average_trick_points(model.rules, len(model.players)),
    )
    best_bidders = model.bid_limits(deals).argmax(1)
    deal_index = np.arange(len(best_bidders))
    trump = results.trump[deal_index, best_bidders]
    features = _declarer_features(model, deals, best_bidders, trump)
    outcomes = results.ends[deal_index, best_bidders, model.side_of_player[best_bidders]]
    has_trump = trump >= 0
    if not has_trump.any():
        return derived_weights(rules)
    features, outcomes = features[has_trump], outcomes[has_trump].astype(np.float64)
    trumps, plain_cards = (
        features[:, FIRST_TRUMP_FEATURE : FIRST_TRUMP_FEATURE + RANK_COUNT],
        features[:, FIRST_PLAIN_FEATURE : FIRST_PLAIN_FEATURE + RANK_COUNT],
    )
    constant = np.ones(len(features))
    missing_legs = (trumps[:, :_RUN_LENGTH] == 0).sum(1)
    card_features = np.column_stack(
        [constant, trumps.sum(1), trumps[:, 0], trumps[:, 1], plain_cards[:, 0], plain_cards[:, 1]]
    )
    leg_features = np.column_stack([constant, missing_legs == 1, missing_legs == 2]).astype(
        np.float64
    )
    meld_growth = outcomes[:, MELD_COLUMN] / points_per_run - features[:, MELD_FEATURE]
    tricks_won = outcomes[:, PLAY_COLUMN] / points_per_trick
    card_weights, leg_weights = (
        _fit_least_squares(card_features, tricks_won),
        _fit_least_squares(leg_features, meld_growth),
    )
    predicted = (features[:, MELD_FEATURE] + leg_features @ leg_weights) * points_per_run
    predicted += np.minimum(card_features @ card_weights, rules.hand_size) * points_per_trick
    spread = (
        outcomes[:, MELD_COLUMN] + outcomes[:, PLAY_COLUMN] - predicted
    ).std() / points_per_run
    return HandWeights._make((*card_weights, *leg_weights, float(spread), 0.0))


def _declarer_features(
    model: _BiddingModel, deals: RandomDeals, players: Integers, trump: Integers
) -> Floats:
    """Return the features of one player's hand in each deal: (deals, FEATURE_COUNT).

    Rows of deals without a trump stay 0.
    """
    features = np.zeros((len(players), FEATURE_COUNT))
    for player in model.players:
        for suit in range(4):
            deal_indices = np.flatnonzero((players == player) & (trump == suit))
            hands = deals.hands[deal_indices]
            features[deal_indices] = compute_hand_features(
                model.rule_arrays, model.meld_tables, hands, player, suit, model.points_per_run
            )
    return features


def _fit_least_squares(features: Floats, targets: Floats) -> list[float]:
    solution = np.linalg.lstsq(features, targets, rcond=None)[0]
    return [float(weight) for weight in solution]


def _balance_caution(model: _BiddingModel, deals: RandomDeals, results: ContractResults) -> float:
    """Return the caution, in runs, at which neither more nor less caution gains anything."""
    auctions = _CautionTrial(model, deals, results)
    low, high = (
        min(_MIN_CAUTION_SPREADS * model.weights.spread, _MAX_CAUTION_RUNS),
        _MAX_CAUTION_RUNS,
    )
    for _ in range(_BISECTION_STEPS):
        middle = (low + high) / 2
        if auctions.mean_lead(middle + _CAUTION_STEP_RUNS, middle) > auctions.mean_lead(
            middle - _CAUTION_STEP_RUNS, middle
        ):
            low = middle
        else:
            high = middle
    return (low + high) / 2


class _CautionTrial:
    """Auctions over one set of deals, in which each side has its own caution."""

    def __init__(self, model: _BiddingModel, deals: RandomDeals, results: ContractResults) -> None:
        rules = model.rules
        auction_rules = rules.auction
        assert auction_rules is not None
        self.model, self.results, self.bid_limits = model, results, model.bid_limits(deals)
        legal = legal_bids(auction_rules, None, may_pass=True)
        bids = list(islice(legal.bids(), _MAX_BIDS))
        if auction_rules.raises:
            bids = [
                auction_rules.lowest_bid + step * auction_rules.raises[0]
                for step in range(_MAX_BIDS)
            ]
        self.bid_ladder = np.array([dealer_forced_bid(auction_rules), *bids], np.int64)
        self.first_must_bid = auction_rules.all_pass is AllPass.FIRST_BIDS
        self.auction = AuctionState(
            player=0,
            active_players=0,
            bidder=-1,
            dealer=0,
            partner=int(model.rule_arrays.params[PARTNER_DISTANCE]),
            one_round=auction_rules.one_round,
            all_pass=ALL_PASS[auction_rules.all_pass],
        )
        scores, target = (0,) * len(rules.sides), rules.ending.target
        self.standing: ScoringState = make_scoring_state(rules, model.players, scores, target, 0)

    def mean_lead(self, own_caution: float, other_caution: float) -> float:
        """Return the mean lead per deal of a side over others, by their cautions."""
        sides = len(self.model.rules.sides)
        total_lead = 0.0
        for side in range(sides):
            cautions = np.full(sides, other_caution)
            cautions[side] = own_caution
            totals = self.play_auctions(cautions).totals.mean(0)
            total_lead += totals[side] - np.delete(totals, side).mean()
        return float(total_lead / sides)

    def play_auctions(self, cautions: Floats) -> AuctionResults:
        """Return the results of the auctions. `cautions`: that of each side, in runs: (sides,)."""
        model, points_per_run = self.model, self.model.points_per_run
        bid_limits = self.bid_limits - cautions[model.side_of_player] * points_per_run
        bid_points = self.bid_ladder[1:].astype(np.float64)
        overcall_limits = bid_limits - OVERCALL_SPREADS * model.weights.spread * points_per_run
        highest_bids = np.stack(
            [highest_places(bid_points, bid_limits), highest_places(bid_points, overcall_limits)],
            -1,
        )
        if self.first_must_bid:  # the first player has to bid, even with a poor hand
            worlds = np.arange(len(highest_bids))
            first_bidders = (worlds + 1) % len(model.players)
            highest_bids[worlds, first_bidders, 0] = np.maximum(
                highest_bids[worlds, first_bidders, 0], 0
            )
        return simulate_auctions(
            model.rule_arrays,
            self.standing,
            self.auction,
            self.bid_ladder,
            self.results,
            highest_bids,
        )

"""Calibration of bidding: `HandWeights` fitted to deals that the heuristic policy plays out.

Calibration works for any rules that kernels can play, because nothing here is tuned by hand for one
game. In random deals every player declares once. A least-squares fit predicts the play and meld of
the best bidders from their hands. The caution is the value at which a side gains nothing by bidding
a little more boldly, or more carefully, than the others.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from acesaround.actions import legal_bids
from acesaround.cards import KINDS, RANKS
from acesaround.fast.playouts.melding import melds
from acesaround.fast.playouts.rule_arrays import PARTNER, Integers, RuleArrays, gauged, rule_arrays
from acesaround.fast.rollouts.auctions import ALL_PASS, Auction, Bought, between, places
from acesaround.fast.rollouts.before_play import MELDED, PLAYED, Contracts, contracts
from acesaround.fast.rollouts.bid_limits import Bidder, limits
from acesaround.fast.rollouts.hand_features import MELD, PLAIN, SHAPE, TRUMPS, shapes
from acesaround.fast.rollouts.win_probability import Standing, standing
from acesaround.heuristic_weights import OVERCALL, HandWeights, derived, run_worth, trick_worth
from acesaround.rules import AllPass, Rules, stuck_for

Floats = NDArray[np.float64]
Told = Callable[[int, int], None]
"""A progress callback: steps done, steps in all."""

DEALS: Final = 12_000
SEED: Final = 20_261_124
_ROUNDS: Final = 2  # each round improves the choice of the best bidders and of their trumps
_HEIGHTS: Final = 256  # most bids on the ladder
_LEGS: Final = 5  # ranks of a run
# Limits of the caution. The lower one, in spreads, keeps players from bidding all that a hand
# promises. The upper one, in runs, keeps some player bidding in games where leaving a poor hand to
# the dealer gains more than any bid.
_LOW: Final = 0.15
_HIGH: Final = 0.6
_HALVES: Final = 8  # bisection steps
_STEP: Final = 0.1  # difference in caution between two sides, in runs
STEPS: Final = _ROUNDS + 2


class Dealt(NamedTuple):
    """Random deals before the auction."""

    hands: Integers
    """Rows of sets of kinds, see `playouts.rule_arrays`: (deals, players, copies)."""
    rest: Integers
    """The kinds of the cards in no hand: (deals, cards)."""


def dealt(rules: Rules, number: int, seed: int) -> Dealt:
    """Return `number` random deals to all seats."""
    rng, players, copies = np.random.default_rng(seed), rules.seats, rules.deck.copies
    deck = np.array(rules.deck.cards, np.int64)
    order = rng.permuted(np.tile(deck, (number, 1)), axis=1)
    cards = players * rules.hand_size
    held = order[:, :cards].reshape(number, players, -1)
    counts = np.zeros((number, players, KINDS), np.int64)
    for at in range(rules.hand_size):
        np.add.at(counts, (*np.ogrid[:number, :players], held[:, :, at]), 1)
    bits = np.int64(1) << np.arange(KINDS)
    rows = [((counts > copy) * bits).sum(2) for copy in range(copies)]
    return Dealt(np.stack(rows, 2), order[:, cards:].copy())


def measured(
    rules: Rules, number: int = DEALS, seed: int = SEED, told: Told | None = None
) -> HandWeights:
    """Return the hand weights of a game with an auction, fitted to `number` random deals.

    The same seed gives the same weights. `told` receives progress. Raises RulesError for rules that
    kernels cannot play.
    """
    deals, gauge = dealt(rules, number, seed), derived(rules)
    for step in range(_ROUNDS):
        _tell(told, step)
        table = _Table(rules, gauge)
        gauge = _fitted(table, deals, table.contracts(deals))
    _tell(told, _ROUNDS)
    table = _Table(rules, gauge)
    ended = table.contracts(deals)
    _tell(told, _ROUNDS + 1)
    gauge = gauge._replace(caution=_balanced(table, deals, ended))
    _tell(told, STEPS)
    return HandWeights(*(round(part, 3) for part in gauge))


def _tell(told: Told | None, done: int) -> None:
    if told is not None:
        told(done, STEPS)


class _Table:
    """The rules of a game and the hand weights that its players bid by."""

    def __init__(self, rules: Rules, gauge: HandWeights) -> None:
        self.rules, self.gauge = rules, gauge
        self.players = tuple(range(rules.seats))
        numbers = rule_arrays(rules, self.players)
        self.numbers: RuleArrays = numbers._replace(gauge=gauged(rules, gauge, rules.seats))
        self.melds = melds(rules)
        self.run = run_worth(rules)
        self.sides = np.array([rules.side_of(seat) for seat in self.players])

    def contracts(self, deals: Dealt) -> Contracts:
        """Return the results of each player's contract in each deal, with its best trump."""
        every = np.array(self.players, np.int64)
        suits = np.full(len(every), -1, np.int64)
        return contracts(self.numbers, self.melds, deals.hands, deals.rest, every, suits)

    def limits(self, deals: Dealt) -> Floats:
        """Return the points that each hand promises, without caution: (deals, players)."""
        bidder = Bidder(self.gauge.growth * self.run, float(self.rules.scoring.least_meld), 0.0)
        known, all_of_them = np.zeros(len(self.players)), np.ones(len(self.players), np.bool_)
        return limits(self.numbers, self.melds, bidder, deals.hands, known, all_of_them)


def _fitted(table: _Table, deals: Dealt, ended: Contracts) -> HandWeights:
    """Return hand weights without caution, fitted to the contracts of the best bidders."""
    rules, run, trick = table.rules, table.run, trick_worth(table.rules, len(table.players))
    best = table.limits(deals).argmax(1)
    each = np.arange(len(best))
    trump = ended.trump[each, best]
    shape = _shapes(table, deals, best, trump)
    end = ended.ends[each, best, table.sides[best]]
    good = trump >= 0
    if not good.any():
        return derived(rules)
    shape, end = shape[good], end[good].astype(np.float64)
    trumps, plain = shape[:, TRUMPS : TRUMPS + RANKS], shape[:, PLAIN : PLAIN + RANKS]
    ones = np.ones(len(shape))
    missing = (trumps[:, :_LEGS] == 0).sum(1)
    cards = np.column_stack(
        [ones, trumps.sum(1), trumps[:, 0], trumps[:, 1], plain[:, 0], plain[:, 1]]
    )
    legs = np.column_stack([ones, missing == 1, missing == 2]).astype(np.float64)
    grown = end[:, MELDED] / run - shape[:, MELD]
    tricks = end[:, PLAYED] / trick
    of_cards, of_legs = _least_squares(cards, tricks), _least_squares(legs, grown)
    hoped = (shape[:, MELD] + legs @ of_legs) * run
    hoped += np.minimum(cards @ of_cards, rules.hand_size) * trick
    spread = (end[:, MELDED] + end[:, PLAYED] - hoped).std() / run
    return HandWeights._make((*of_cards, *of_legs, float(spread), 0.0))


def _shapes(table: _Table, deals: Dealt, players: Integers, trump: Integers) -> Floats:
    """Return the shape of one player's hand in each deal: (deals, SHAPE).

    Rows of deals without a trump stay 0.
    """
    found = np.zeros((len(players), SHAPE))
    for player in table.players:
        for suit in range(4):
            those = np.flatnonzero((players == player) & (trump == suit))
            hands = deals.hands[those]
            found[those] = shapes(table.numbers, table.melds, hands, player, suit, table.run)
    return found


def _least_squares(of: Floats, wanted: Floats) -> list[float]:
    found = np.linalg.lstsq(of, wanted, rcond=None)[0]
    return [float(part) for part in found]


def _balanced(table: _Table, deals: Dealt, ended: Contracts) -> float:
    """Return the caution, in runs, at which neither more nor less caution gains anything."""
    auctions = _Auctions(table, deals, ended)
    low, high = min(_LOW * table.gauge.spread, _HIGH), _HIGH
    for _ in range(_HALVES):
        middle = (low + high) / 2
        if auctions.gain(middle + _STEP, middle) > auctions.gain(middle - _STEP, middle):
            low = middle
        else:
            high = middle
    return (low + high) / 2


class _Auctions:
    """Auctions over one set of deals, in which each side has its own caution."""

    def __init__(self, table: _Table, deals: Dealt, ended: Contracts) -> None:
        rules = table.rules
        law = rules.auction
        assert law is not None
        self.table, self.ended, self.limits = table, ended, table.limits(deals)
        legal = legal_bids(law, None, may_pass=True)
        bids = list(islice(legal.bids(), _HEIGHTS))
        if law.raises:
            bids = [law.lowest_bid + at * law.raises[0] for at in range(_HEIGHTS)]
        self.ladder = np.array([stuck_for(law), *bids], np.int64)
        self.must = law.all_pass is AllPass.FIRST_BIDS
        self.auction = Auction(
            player=0,
            within=0,
            bidder=-1,
            dealer=0,
            partner=int(table.numbers.numbers[PARTNER]),
            one_round=law.one_round,
            all_pass=ALL_PASS[law.all_pass],
        )
        scores, target = (0,) * len(rules.sides), rules.ending.target
        self.standing: Standing = standing(rules, table.players, scores, target, 0)

    def gain(self, other: float, usual: float) -> float:
        """Return the mean lead per deal of a side with caution `other` over sides with `usual`."""
        sides = len(self.table.rules.sides)
        found = 0.0
        for side in range(sides):
            cautions = np.full(sides, usual)
            cautions[side] = other
            totals = self.bought(cautions).totals.mean(0)
            found += totals[side] - np.delete(totals, side).mean()
        return float(found / sides)

    def bought(self, cautions: Floats) -> Bought:
        """Return the results of the auctions. `cautions`: that of each side, in runs: (sides,)."""
        table, run = self.table, self.table.run
        reached = self.limits - cautions[table.sides] * run
        heights = self.ladder[1:].astype(np.float64)
        over = reached - OVERCALL * table.gauge.spread * run
        tops = np.stack([places(heights, reached), places(heights, over)], -1)
        if self.must:  # the first player has to bid, even with a poor hand
            worlds = np.arange(len(tops))
            first = (worlds + 1) % len(table.players)
            tops[worlds, first, 0] = np.maximum(tops[worlds, first, 0], 0)
        return between(table.numbers, self.standing, self.auction, self.ladder, self.ended, tops)

"""Estimates from many deals: a function of `fast.playouts.DealResults` for each question.

Every estimate is a mean over deals. Hands of one deal are not independent, so they are averaged
first, and the interval comes from the spread between deals. `scoring.score_after_losses` decides
what melds and play finally score. It is called once for each distinct result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from math import sqrt
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from acesaround.errors import RulesError
from acesaround.fast.playouts import DealResults
from acesaround.rules import AllPass, Auction, Rules, dealer_forced_bid, is_legal_height
from acesaround.rules.scoring import Tally, score_after_losses
from acesaround.variants import changed_options

NumberArray: TypeAlias = Any  # an array of integers or booleans, of any shape
DealColumn: TypeAlias = Callable[
    [DealResults], NumberArray
]  # some numbers of each deal: (deals, columns)

_DEALS_PER_CHUNK: Final = 1 << 18  # deals per chunk, so that counting takes little memory
_ERRORS_PER_INTERVAL: Final = 1.96  # standard errors on either side of a 95% interval
_ROUND_STEPS: Final = tuple(nice * 10**zeros for zeros in range(5) for nice in (1, 2, 5))
_TABLE_QUANTILE: Final = 0.99  # tables end at this quantile of melds and of bids
_MAX_MELD_ROWS: Final = 12  # maximum steps of meld up to that quantile
_MAX_BID_ROWS: Final = 14  # maximum bids up to that quantile


class Estimate(msgspec.Struct, frozen=True):
    """A mean over deals. `error` is half the 95% interval, None for a single deal."""

    value: float
    error: float | None


class Meld(msgspec.Struct, frozen=True):
    """The distribution of meld of hands or sides, in points before any loss."""

    mean: Estimate
    median: float
    nothing: Estimate
    """The share with no meld."""
    shares: tuple[float, ...]
    """The share in each row, from one of `Melds.steps` to below the next. The last has no end."""


class Melds(msgspec.Struct, frozen=True):
    """The meld of hands and of sides, all counted in the same steps."""

    steps: tuple[int, ...]
    """The lowest points of each row, 0 first."""
    dealt: Meld
    """The meld of a hand as dealt, with its best trump."""
    declarer: Meld | None
    """The meld that the declarer's side lays; None without an auction or played deals."""
    others: Meld | None
    """The meld that each other side lays, or each side if there is no auction."""


class Runs(msgspec.Struct, frozen=True):
    """How often the cards as dealt contain a run, in any suit."""

    hand: Estimate
    """The share of hands with one or more."""
    two: Estimate
    """The share of hands with two or more, in the same suit or in two suits."""
    side: Estimate
    """The share of sides with a run in one of their hands; equals `hand` without partners."""
    deal: Estimate
    """The share of deals in which at least one hand has a run."""


class Lead(msgspec.Struct, frozen=True):
    """Points in play with and without the first lead, over deals that are played.

    Buried counters and the last trick are included.
    """

    leader: Estimate
    """Points of the side that leads first."""
    others: Estimate
    """Points of each other side."""
    ahead: Estimate
    """The share of deals in which the leader's side wins more than any other side."""
    level: Estimate
    """The share of deals in which the leader's side wins as much as the best other side."""


class Bid(msgspec.Struct, frozen=True):
    """A bid and the share of all deals in which it is made."""

    bid: int
    made: Estimate


class Odds(msgspec.Struct, frozen=True):
    """All estimates together, with the game and the deals that they are about."""

    variant: str
    players: int
    options: dict[str, object]
    """House options that differ from the variant's."""
    deals: int
    policy: str
    seed: int
    played: float
    """The share of deals that are played: a deal is not if its declarer has no marriage."""
    melds: Melds
    runs: Runs
    lead: Lead | None
    """None if no deal was played."""
    bids: tuple[Bid, ...] | None
    """None if the game has no auction."""


def compute_odds(
    rules: Rules, deals: DealResults, policy: str, seed: int, bids: Sequence[int] | None = None
) -> Odds:
    """Compute all estimates. Raises RulesError if there are no deals or a bid is illegal.

    `policy` and `seed` are those of the deals. `bids` None: see `default_bids`.
    """
    return Odds(
        variant=rules.variant,
        players=rules.seats,
        options=changed_options(rules),
        deals=len(deals.trump),
        policy=policy,
        seed=seed,
        played=float(np.mean(deals.trump >= 0)),
        melds=estimate_melds(rules, deals),
        runs=estimate_runs(rules, deals),
        lead=lead_advantage(rules, deals),
        bids=_bid_rates(rules, deals, bids),
    )


class _Histogram:
    """A histogram of integers. Raises RulesError if it is empty."""

    def __init__(self, arrays: Iterable[NumberArray]) -> None:
        total: dict[int, int] = {}
        for array in arrays:
            found_values, value_counts = np.unique(array, return_counts=True)
            for value, value_count in zip(
                map(int, found_values), map(int, value_counts), strict=True
            ):
                total[value] = total.get(value, 0) + value_count
        self.values = np.array(sorted(total), np.int64)
        self.counts = np.array([total[value] for value in sorted(total)], np.int64)
        self.total_count = int(self.counts.sum())
        if not self.total_count:
            raise RulesError("There are no deals to count.")

    def mean(self, item_count: int = 1) -> Estimate:
        """Return the mean of one item; each number is the sum of `item_count` items of a deal."""
        mean = float((self.values * self.counts).sum()) / self.total_count
        if self.total_count < 2:
            return Estimate(mean / item_count, None)
        spread = float(((self.values - mean) ** 2 * self.counts).sum()) / (self.total_count - 1)
        return Estimate(
            mean / item_count, _ERRORS_PER_INTERVAL * sqrt(spread / self.total_count) / item_count
        )

    def share(self, selected: NDArray[np.bool_]) -> Estimate:
        """Return the share of the selected `values`, if there is one number per deal."""
        share = float(self.counts[selected].sum()) / self.total_count
        if self.total_count < 2:
            return Estimate(share, None)
        return Estimate(
            share, _ERRORS_PER_INTERVAL * sqrt(share * (1 - share) / (self.total_count - 1))
        )

    def value_at(self, index: int) -> int:
        """Return the number at index `index`, from 0, of all numbers in ascending order."""
        return int(self.values[np.searchsorted(self.counts.cumsum(), index, "right")])

    def table_quantile(self) -> int:
        """Return the 99% quantile of the numbers."""
        return self.value_at(int(_TABLE_QUANTILE * (self.total_count - 1)))

    def median(self) -> float:
        """Return the median."""
        return (
            self.value_at((self.total_count - 1) // 2) + self.value_at(self.total_count // 2)
        ) / 2

    def shares(self, steps: Sequence[int]) -> tuple[float, ...]:
        """Return the share from each step up to below the next."""
        rows = np.searchsorted(steps, self.values, "right") - 1
        return tuple((np.bincount(rows, self.counts, len(steps)) / self.total_count).tolist())


def _count_column(
    deals: DealResults, column: DealColumn, is_played_only: bool = False
) -> _Histogram:
    """Count the numbers of all deals, or (`is_played_only`) only of played deals."""

    def parts() -> Iterator[NumberArray]:
        for first in range(0, len(deals.trump), _DEALS_PER_CHUNK):
            chunk = DealResults._make(column[first : first + _DEALS_PER_CHUNK] for column in deals)
            numbers = column(chunk)
            yield numbers[chunk.trump >= 0] if is_played_only else numbers

    return _Histogram(parts())


def sum_by_side(rules: Rules, by_seat: NumberArray) -> NDArray[np.int64]:
    """Add up numbers of seats, (deals, seats), for each side: (deals, sides)."""
    sums = np.zeros((len(by_seat), len(rules.sides)), np.int64)
    for seat in range(rules.seats):
        sums[:, rules.side_of(seat)] += by_seat[:, seat]
    return sums


def _row_sums(numbers: NumberArray) -> NDArray[np.int64]:
    """Return the sum of each row: (deals,). Adding columns is faster, because rows are short."""
    return sum((column for column in numbers.T), np.zeros(len(numbers), np.int64))


def _sides_of(rules: Rules, seats: NumberArray) -> NumberArray:
    """Map seats to their sides."""
    return np.array([rules.side_of(seat) for seat in range(rules.seats)], np.int64)[seats]


def _pick_side(by_side: NumberArray, side: NumberArray) -> NumberArray:
    """Pick the number of one side in each deal: (deals,)."""
    return np.take_along_axis(by_side, side[:, None], axis=1)[:, 0].astype(np.int64)


# Melds


def estimate_melds(rules: Rules, deals: DealResults) -> Melds:
    """Return what hands and sides meld. Raises RulesError if there are no deals."""

    def dealt(chunk: DealResults) -> NumberArray:
        return chunk.best_meld

    def sides(chunk: DealResults) -> NumberArray:
        return sum_by_side(rules, chunk.meld_points)

    def declarer(chunk: DealResults) -> NumberArray:
        return _pick_side(sides(chunk), _sides_of(rules, chunk.declarer))[:, None]

    def others(chunk: DealResults) -> NumberArray:
        by_side = sides(chunk)
        is_other_side = np.arange(by_side.shape[1]) != _sides_of(rules, chunk.declarer)[:, None]
        return by_side[is_other_side].reshape(len(by_side), -1)

    columns: dict[str, tuple[DealColumn, bool]] = {"dealt": (dealt, False)}
    if (deals.trump >= 0).any():
        if rules.auction is None:
            columns["others"] = sides, True
        else:
            columns["declarer"], columns["others"] = (declarer, True), (others, True)
    histograms = {name: _count_column(deals, *options) for name, options in columns.items()}
    steps = _meld_steps(max(counts.table_quantile() for counts in histograms.values()))
    meld_of_column = {
        name: Meld(
            mean=_item_mean(deals, column, played),
            median=histograms[name].median(),
            nothing=_item_mean(deals, partial(_is_zero, column), played),
            shares=histograms[name].shares(steps),
        )
        for name, (column, played) in columns.items()
    }
    return Melds(
        steps, meld_of_column["dealt"], meld_of_column.get("declarer"), meld_of_column.get("others")
    )


def _is_zero(column: DealColumn, chunk: DealResults) -> NumberArray:
    return np.equal(column(chunk), 0)


def _item_mean(deals: DealResults, column: DealColumn, is_played_only: bool = False) -> Estimate:
    """Return the mean of one item of the column, over all its items and deals."""
    item_count = column(DealResults._make(deal_column[:1] for deal_column in deals)).shape[1]
    return _count_column(deals, lambda some: _row_sums(column(some)), is_played_only).mean(
        item_count
    )


def _meld_steps(highest: int) -> tuple[int, ...]:
    """Return 0, 1 and then even steps up to that number."""
    step = next(step for step in _ROUND_STEPS if highest < step * _MAX_MELD_ROWS)
    return tuple(dict.fromkeys((0, 1, *range(step, highest + 1, step))))


# Runs


def estimate_runs(rules: Rules, deals: DealResults) -> Runs:
    """Return how often hands, sides and deals have a run as dealt.

    Raises RulesError if there are no deals.
    """
    return Runs(
        hand=_item_mean(deals, lambda some: some.run_counts > 0),
        two=_item_mean(deals, lambda some: some.run_counts > 1),
        side=_item_mean(deals, lambda some: sum_by_side(rules, some.run_counts) > 0),
        deal=_item_mean(deals, lambda some: (some.run_counts > 0).any(axis=1, keepdims=True)),
    )


# The lead


def lead_advantage(rules: Rules, deals: DealResults) -> Lead | None:
    """Return points in play with and without the first lead; None if no deal was played."""

    def leader(chunk: DealResults) -> NumberArray:
        return _pick_side(chunk.play_points, _sides_of(rules, chunk.leader))

    def others(chunk: DealResults) -> NumberArray:
        return _row_sums(chunk.play_points) - leader(chunk)

    def ahead(chunk: DealResults) -> NumberArray:
        """Return 1, 0 or -1 if the leader's side is ahead of the best other, level or behind."""
        other_points = chunk.play_points.copy()
        np.put_along_axis(other_points, _sides_of(rules, chunk.leader)[:, None], -1, axis=1)
        return np.sign(leader(chunk) - other_points.max(axis=1))

    if not (deals.trump >= 0).any():
        return None
    comparison = _count_column(deals, ahead, is_played_only=True)
    return Lead(
        leader=_count_column(deals, leader, is_played_only=True).mean(),
        others=_count_column(deals, others, is_played_only=True).mean(len(rules.sides) - 1),
        ahead=comparison.share(comparison.values > 0),
        level=comparison.share(comparison.values == 0),
    )


# Bids


def declarer_points(rules: Rules, deals: DealResults) -> NDArray[np.int64]:
    """Return the declarer's points that count towards the bid: (deals,). -1 for unplayed deals.

    The points are meld plus play of the declarer's side, after `scoring.score_after_losses`. Raises
    RulesError if the game has no auction.
    """
    _require_auction(rules)
    side = _sides_of(rules, deals.declarer)
    rows = (
        _pick_side(sum_by_side(rules, deals.meld_points), side),
        _pick_side(sum_by_side(rules, deals.dix_points), side),
        _pick_side(deals.play_points, side),
        _pick_side(deals.won_counter, side),
    )
    # Encode each row as one number, because sorting numbers takes a fraction of the time.
    sizes = tuple(int(row.max(initial=0)) + 1 for row in rows)
    keys, key_of_deal = np.unique(np.ravel_multi_index(rows, sizes), return_inverse=True)
    distinct_rows = zip(*(row.tolist() for row in np.unravel_index(keys, sizes)), strict=True)
    results = np.array([_points_after_losses(rules, *row) for row in distinct_rows], np.int64)
    return np.where(deals.trump >= 0, results[key_of_deal], -1)


def _points_after_losses(rules: Rules, meld: int, dix_points: int, play: int, counter: int) -> int:
    return sum(
        score_after_losses(rules, Tally((meld,), (dix_points,), (play,), (bool(counter),)), 0)
    )


def bid_success_rate(rules: Rules, deals: DealResults, bids: Sequence[int]) -> NDArray[np.float64]:
    """Return the share of deals in which each bid is made: (bids,).

    A deal whose declarer has no marriage counts as not made. Raises RulesError if the game has no
    auction.
    """
    histogram = _count_column(deals, lambda some: declarer_points(rules, some))
    return np.array([histogram.share(histogram.values >= bid).value for bid in bids])


def _bid_rates(
    rules: Rules, deals: DealResults, bids: Sequence[int] | None
) -> tuple[Bid, ...] | None:
    if rules.auction is None and bids is None:
        return None
    if bids is not None:
        check_bids(rules, bids)
    histogram = _count_column(deals, lambda some: declarer_points(rules, some))
    shown_bids = (
        sorted(set(bids)) if bids is not None else default_bids(rules, histogram.table_quantile())
    )
    return tuple(Bid(bid, histogram.share(histogram.values >= bid)) for bid in shown_bids)


def check_bids(rules: Rules, bids: Sequence[int]) -> None:
    """Raise RulesError if the game has no auction, or if a number is not a legal bid."""
    auction = _require_auction(rules)
    lowest, forced = auction.lowest_bid, _forced_bid(auction)
    for bid in bids:
        if bid == forced:
            continue
        if bid < lowest:
            raise RulesError(f"{bid} is not a bid of {rules.variant}: the lowest is {lowest}.")
        if not is_legal_height(auction, bid):
            below = next(b for b in count(bid, -1) if is_legal_height(auction, b))
            above = next(b for b in count(bid) if is_legal_height(auction, b))
            raise RulesError(
                f"{bid} is not a bid of {rules.variant}: the nearest are {below} and {above}."
            )
    if not bids:
        raise RulesError("Name at least one bid.")


def default_bids(rules: Rules, highest: int) -> tuple[int, ...]:
    """Return the lowest bid and then round legal bids in even steps up to `highest`.

    The step is chosen so that the bids fit in a table. If a forced dealer bids less than the lowest
    bid, that bid comes first. Raises RulesError if the game has no auction.
    """
    auction = _require_auction(rules)
    lowest, forced = auction.lowest_bid, _forced_bid(auction)
    lower_forced = (forced,) if forced is not None and forced < lowest else ()
    bids = [lowest]
    for step in _ROUND_STEPS:
        bids = [lowest, *range(lowest // step * step + step, highest + 1, step)]
        if len(bids) <= _MAX_BID_ROWS and all(is_legal_height(auction, bid) for bid in bids):
            break
    return (*lower_forced, *bids)


def _forced_bid(auction: Auction) -> int | None:
    """Return the bid that the dealer must take if everybody passes; None without such a rule."""
    return dealer_forced_bid(auction) if auction.all_pass is AllPass.DEALER else None


def _require_auction(rules: Rules) -> Auction:
    if rules.auction is None:
        raise RulesError(f"Nobody bids in {rules.variant}.")
    return rules.auction

"""Estimates from many deals: a function of `fast.playouts.Deals` for each question.

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
from acesaround.fast.playouts import Deals
from acesaround.rules import AllPass, Auction, Rules, is_legal_height, stuck_for
from acesaround.rules.scoring import Tally, score_after_losses
from acesaround.variants import changed_options

Numbers: TypeAlias = Any  # an array of integers or booleans, of any shape
Column: TypeAlias = Callable[[Deals], Numbers]  # some numbers of each deal: (deals, columns)

_AT_ONCE: Final = 1 << 18  # deals per chunk, so that counting takes little memory
_NORMAL: Final = 1.96  # standard errors on either side of a 95% interval
_NICE: Final = tuple(nice * 10**zeros for zeros in range(5) for nice in (1, 2, 5))
_ALMOST: Final = 0.99  # tables end at this quantile of melds and of bids
_ROWS: Final = 12  # maximum steps of meld up to that quantile
_BIDS: Final = 14  # maximum bids up to that quantile


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


def odds(
    rules: Rules, deals: Deals, policy: str, seed: int, bids: Sequence[int] | None = None
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
        melds=melds(rules, deals),
        runs=runs(rules, deals),
        lead=lead_advantage(rules, deals),
        bids=_bids(rules, deals, bids),
    )


class _Counts:
    """A histogram of integers. Raises RulesError if it is empty."""

    def __init__(self, parts: Iterable[Numbers]) -> None:
        total: dict[int, int] = {}
        for part in parts:
            found, often = np.unique(part, return_counts=True)
            for value, times in zip(map(int, found), map(int, often), strict=True):
                total[value] = total.get(value, 0) + times
        self.values = np.array(sorted(total), np.int64)
        self.times = np.array([total[value] for value in sorted(total)], np.int64)
        self.number = int(self.times.sum())
        if not self.number:
            raise RulesError("There are no deals to count.")

    def mean(self, of: int = 1) -> Estimate:
        """Return the mean of one item, if each number is the sum of `of` items of a deal."""
        mean = float((self.values * self.times).sum()) / self.number
        if self.number < 2:
            return Estimate(mean / of, None)
        spread = float(((self.values - mean) ** 2 * self.times).sum()) / (self.number - 1)
        return Estimate(mean / of, _NORMAL * sqrt(spread / self.number) / of)

    def share(self, those: NDArray[np.bool_]) -> Estimate:
        """Return the share of the selected `values`, if there is one number per deal."""
        share = float(self.times[those].sum()) / self.number
        if self.number < 2:
            return Estimate(share, None)
        return Estimate(share, _NORMAL * sqrt(share * (1 - share) / (self.number - 1)))

    def at(self, place: int) -> int:
        """Return the number at index `place`, from 0, of all numbers in ascending order."""
        return int(self.values[np.searchsorted(self.times.cumsum(), place, "right")])

    def almost(self) -> int:
        """Return the 99% quantile of the numbers."""
        return self.at(int(_ALMOST * (self.number - 1)))

    def median(self) -> float:
        """Return the median."""
        return (self.at((self.number - 1) // 2) + self.at(self.number // 2)) / 2

    def shares(self, steps: Sequence[int]) -> tuple[float, ...]:
        """Return the share from each step up to below the next."""
        rows = np.searchsorted(steps, self.values, "right") - 1
        return tuple((np.bincount(rows, self.times, len(steps)) / self.number).tolist())


def _counts(deals: Deals, column: Column, played: bool = False) -> _Counts:
    """Count the numbers of all deals, or (`played`) only of played deals."""

    def parts() -> Iterator[Numbers]:
        for first in range(0, len(deals.trump), _AT_ONCE):
            part = Deals._make(column[first : first + _AT_ONCE] for column in deals)
            numbers = column(part)
            yield numbers[part.trump >= 0] if played else numbers

    return _Counts(parts())


def of_sides(rules: Rules, of_seats: Numbers) -> NDArray[np.int64]:
    """Add up numbers of seats, (deals, seats), for each side: (deals, sides)."""
    sums = np.zeros((len(of_seats), len(rules.sides)), np.int64)
    for seat in range(rules.seats):
        sums[:, rules.side_of(seat)] += of_seats[:, seat]
    return sums


def _sum(numbers: Numbers) -> NDArray[np.int64]:
    """Return the sum of each row: (deals,). Adding columns is faster, because rows are short."""
    return sum((column for column in numbers.T), np.zeros(len(numbers), np.int64))


def _side(rules: Rules, seats: Numbers) -> Numbers:
    """Map seats to their sides."""
    return np.array([rules.side_of(seat) for seat in range(rules.seats)], np.int64)[seats]


def _own(of_sides: Numbers, side: Numbers) -> Numbers:
    """Pick the number of one side in each deal: (deals,)."""
    return np.take_along_axis(of_sides, side[:, None], axis=1)[:, 0].astype(np.int64)


# Melds


def melds(rules: Rules, deals: Deals) -> Melds:
    """Return what hands and sides meld. Raises RulesError if there are no deals."""

    def dealt(some: Deals) -> Numbers:
        return some.best

    def sides(some: Deals) -> Numbers:
        return of_sides(rules, some.meld)

    def declarer(some: Deals) -> Numbers:
        return _own(sides(some), _side(rules, some.declarer))[:, None]

    def others(some: Deals) -> Numbers:
        every = sides(some)
        theirs = np.arange(every.shape[1]) != _side(rules, some.declarer)[:, None]
        return every[theirs].reshape(len(every), -1)

    asked: dict[str, tuple[Column, bool]] = {"dealt": (dealt, False)}
    if (deals.trump >= 0).any():
        if rules.auction is None:
            asked["others"] = sides, True
        else:
            asked["declarer"], asked["others"] = (declarer, True), (others, True)
    counted = {name: _counts(deals, *which) for name, which in asked.items()}
    steps = _steps(max(counts.almost() for counts in counted.values()))
    found = {
        name: Meld(
            mean=_mean(deals, column, played),
            median=counted[name].median(),
            nothing=_mean(deals, partial(_nothing, column), played),
            shares=counted[name].shares(steps),
        )
        for name, (column, played) in asked.items()
    }
    return Melds(steps, found["dealt"], found.get("declarer"), found.get("others"))


def _nothing(column: Column, some: Deals) -> Numbers:
    return np.equal(column(some), 0)


def _mean(deals: Deals, column: Column, played: bool = False) -> Estimate:
    """Return the mean of one item of the column, over all its items and deals."""
    things = column(Deals._make(one[:1] for one in deals)).shape[1]
    return _counts(deals, lambda some: _sum(column(some)), played).mean(things)


def _steps(highest: int) -> tuple[int, ...]:
    """Return 0, 1 and then even steps up to that number."""
    step = next(step for step in _NICE if highest < step * _ROWS)
    return tuple(dict.fromkeys((0, 1, *range(step, highest + 1, step))))


# Runs


def runs(rules: Rules, deals: Deals) -> Runs:
    """Return how often hands, sides and deals have a run as dealt.

    Raises RulesError if there are no deals.
    """
    return Runs(
        hand=_mean(deals, lambda some: some.runs > 0),
        two=_mean(deals, lambda some: some.runs > 1),
        side=_mean(deals, lambda some: of_sides(rules, some.runs) > 0),
        deal=_mean(deals, lambda some: (some.runs > 0).any(axis=1, keepdims=True)),
    )


# The lead


def lead_advantage(rules: Rules, deals: Deals) -> Lead | None:
    """Return points in play with and without the first lead; None if no deal was played."""

    def leader(some: Deals) -> Numbers:
        return _own(some.play, _side(rules, some.leader))

    def others(some: Deals) -> Numbers:
        return _sum(some.play) - leader(some)

    def ahead(some: Deals) -> Numbers:
        """Return 1, 0 or -1 if the leader's side is ahead of the best other, level or behind."""
        rest = some.play.copy()
        np.put_along_axis(rest, _side(rules, some.leader)[:, None], -1, axis=1)
        return np.sign(leader(some) - rest.max(axis=1))

    if not (deals.trump >= 0).any():
        return None
    order = _counts(deals, ahead, played=True)
    return Lead(
        leader=_counts(deals, leader, played=True).mean(),
        others=_counts(deals, others, played=True).mean(len(rules.sides) - 1),
        ahead=order.share(order.values > 0),
        level=order.share(order.values == 0),
    )


# Bids


def scored(rules: Rules, deals: Deals) -> NDArray[np.int64]:
    """Return the declarer's points that count towards the bid: (deals,). -1 for unplayed deals.

    The points are meld plus play of the declarer's side, after `scoring.score_after_losses`. Raises
    RulesError if the game has no auction.
    """
    _auction(rules)
    side = _side(rules, deals.declarer)
    rows = (
        _own(of_sides(rules, deals.meld), side),
        _own(of_sides(rules, deals.nines), side),
        _own(deals.play, side),
        _own(deals.counter, side),
    )
    # Encode each row as one number, because sorting numbers takes a fraction of the time.
    sizes = tuple(int(row.max(initial=0)) + 1 for row in rows)
    keys, which = np.unique(np.ravel_multi_index(rows, sizes), return_inverse=True)
    different = zip(*(row.tolist() for row in np.unravel_index(keys, sizes)), strict=True)
    results = np.array([_kept(rules, *row) for row in different], np.int64)
    return np.where(deals.trump >= 0, results[which], -1)


def _kept(rules: Rules, meld: int, nines: int, play: int, counter: int) -> int:
    return sum(score_after_losses(rules, Tally((meld,), (nines,), (play,), (bool(counter),)), 0))


def bid_success_rate(rules: Rules, deals: Deals, bids: Sequence[int]) -> NDArray[np.float64]:
    """Return the share of deals in which each bid is made: (bids,).

    A deal whose declarer has no marriage counts as not made. Raises RulesError if the game has no
    auction.
    """
    counted = _counts(deals, lambda some: scored(rules, some))
    return np.array([counted.share(counted.values >= bid).value for bid in bids])


def _bids(rules: Rules, deals: Deals, bids: Sequence[int] | None) -> tuple[Bid, ...] | None:
    if rules.auction is None and bids is None:
        return None
    if bids is not None:
        check_bids(rules, bids)
    counted = _counts(deals, lambda some: scored(rules, some))
    asked = sorted(set(bids)) if bids is not None else default_bids(rules, counted.almost())
    return tuple(Bid(bid, counted.share(counted.values >= bid)) for bid in asked)


def check_bids(rules: Rules, bids: Sequence[int]) -> None:
    """Raise RulesError if the game has no auction, or if a number is not a legal bid."""
    auction = _auction(rules)
    lowest, forced = auction.lowest_bid, _forced(auction)
    for bid in bids:
        if bid == forced:
            continue
        if bid < lowest:
            raise RulesError(f"{bid} is no bid of {rules.variant}: the lowest is {lowest}.")
        if not is_legal_height(auction, bid):
            below = next(b for b in count(bid, -1) if is_legal_height(auction, b))
            above = next(b for b in count(bid) if is_legal_height(auction, b))
            raise RulesError(
                f"{bid} is no bid of {rules.variant}: the nearest are {below} and {above}."
            )
    if not bids:
        raise RulesError("No bids are named.")


def default_bids(rules: Rules, highest: int) -> tuple[int, ...]:
    """Return the lowest bid and then round legal bids in even steps up to `highest`.

    The step is chosen so that the bids fit in a table. If a forced dealer bids less than the lowest
    bid, that bid comes first. Raises RulesError if the game has no auction.
    """
    auction = _auction(rules)
    lowest, forced = auction.lowest_bid, _forced(auction)
    less = (forced,) if forced is not None and forced < lowest else ()
    bids = [lowest]
    for step in _NICE:
        bids = [lowest, *range(lowest // step * step + step, highest + 1, step)]
        if len(bids) <= _BIDS and all(is_legal_height(auction, bid) for bid in bids):
            break
    return (*less, *bids)


def _forced(auction: Auction) -> int | None:
    """Return the bid that the dealer must take if everybody passes; None without such a rule."""
    return stuck_for(auction) if auction.all_pass is AllPass.DEALER else None


def _auction(rules: Rules) -> Auction:
    if rules.auction is None:
        raise RulesError(f"Nobody bids in {rules.variant}.")
    return rules.auction

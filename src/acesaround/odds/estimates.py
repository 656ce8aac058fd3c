"""What many deals say: each question of players, a function of `fast.playouts.Deals`.

Every estimate is a mean over deals. Hands of one deal are not independent, so they are averaged
first, and the interval comes from the spread between deals. What melds and play are worth in the
end is not decided here: `scoring.kept` is asked, once for each different result.
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

Numbers: TypeAlias = Any  # an array of whole numbers or truths, of any size
Column: TypeAlias = Callable[[Deals], Numbers]  # some numbers of each deal: (deals, things)

_AT_ONCE: Final = 1 << 18  # deals looked at together, so that counting takes little memory
_NORMAL: Final = 1.96  # standard errors on either side that hold 95%
_NICE: Final = tuple(nice * 10**zeros for zeros in range(5) for nice in (1, 2, 5))
_ALMOST: Final = 0.99  # of melds and of bids: tables end there
_ROWS: Final = 12  # steps of meld up to there, at most
_BIDS: Final = 14  # bids up to there, at most


class Estimate(msgspec.Struct, frozen=True):
    """A mean over deals; `error` is half its 95% interval, None for a single deal."""

    value: float
    error: float | None


class Meld(msgspec.Struct, frozen=True):
    """What hands or sides meld, in points before any loss."""

    mean: Estimate
    median: float
    nothing: Estimate
    """The share that melds nothing."""
    shares: tuple[float, ...]
    """The share from each of `Melds.steps` up to below the next; the last has no end."""


class Melds(msgspec.Struct, frozen=True):
    """What is melded, all counted in the same steps."""

    steps: tuple[int, ...]
    """The fewest points of each row, 0 first."""
    dealt: Meld
    """What a hand melds as it is dealt, with the trump that suits it best."""
    declarer: Meld | None
    """What the declarer's side melds in the end; None where nobody declares."""
    others: Meld | None
    """What each other side melds in the end; where nobody declares, what each side lays."""


class Runs(msgspec.Struct, frozen=True):
    """How often there is a run in the cards as they are dealt, in whatever suit."""

    hand: Estimate
    """The share of hands with one or more."""
    two: Estimate
    """The share of hands with two or more, of one suit or of two."""
    side: Estimate
    """The share of sides with one in a hand of theirs: as `hand` where everyone plays alone."""
    deal: Estimate
    """The share of deals in which anybody has one."""


class Lead(msgspec.Struct, frozen=True):
    """Points in play with the first lead and without, buried counters and the last trick included.

    Of deals that are played.
    """

    leader: Estimate
    """Points of the side that leads first."""
    others: Estimate
    """Points of each other side."""
    ahead: Estimate
    """The share of deals in which the leader's side wins more than any other."""
    level: Estimate
    """The share of deals in which it wins as much as the best other."""


class Bid(msgspec.Struct, frozen=True):
    """The share of all deals in which a bid is made."""

    bid: int
    made: Estimate


class Odds(msgspec.Struct, frozen=True):
    """All answers together, and what they were asked of."""

    variant: str
    players: int
    options: dict[str, object]
    """The house options that differ from those of the variant."""
    deals: int
    policy: str
    seed: int
    played: float
    """The share of deals that are played: all but those whose declarer has no marriage."""
    melds: Melds
    runs: Runs
    lead: Lead | None
    """None if no deal was played."""
    bids: tuple[Bid, ...] | None
    """None where nobody bids."""


def odds(
    rules: Rules, deals: Deals, policy: str, seed: int, bids: Sequence[int] | None = None
) -> Odds:
    """Every question at once. Raises RulesError of no deals, and for bids that are none.

    `policy` and `seed` are those that the deals were played with; `bids` None: see `grid`.
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
    """How often each of some whole numbers came. Raises RulesError if none came."""

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
        """The mean of numbers, each of which is the sum of `of` things of a deal."""
        mean = float((self.values * self.times).sum()) / self.number
        if self.number < 2:
            return Estimate(mean / of, None)
        spread = float(((self.values - mean) ** 2 * self.times).sum()) / (self.number - 1)
        return Estimate(mean / of, _NORMAL * sqrt(spread / self.number) / of)

    def share(self, those: NDArray[np.bool_]) -> Estimate:
        """How large a part those of `values` have, of numbers that each are one of a deal."""
        share = float(self.times[those].sum()) / self.number
        if self.number < 2:
            return Estimate(share, None)
        return Estimate(share, _NORMAL * sqrt(share * (1 - share) / (self.number - 1)))

    def at(self, place: int) -> int:
        """The number at that place, counted from 0, when all stand in order."""
        return int(self.values[np.searchsorted(self.times.cumsum(), place, "right")])

    def almost(self) -> int:
        """The number that all but the highest hundredth do not exceed."""
        return self.at(int(_ALMOST * (self.number - 1)))

    def median(self) -> float:
        """The middle one, or half-way between the middle two."""
        return (self.at((self.number - 1) // 2) + self.at(self.number // 2)) / 2

    def shares(self, steps: Sequence[int]) -> tuple[float, ...]:
        """The share from each step up to below the next."""
        rows = np.searchsorted(steps, self.values, "right") - 1
        return tuple((np.bincount(rows, self.times, len(steps)) / self.number).tolist())


def _counts(deals: Deals, column: Column, played: bool = False) -> _Counts:
    """The numbers of all deals, or of those that were played."""

    def parts() -> Iterator[Numbers]:
        for first in range(0, len(deals.trump), _AT_ONCE):
            part = Deals._make(column[first : first + _AT_ONCE] for column in deals)
            numbers = column(part)
            yield numbers[part.trump >= 0] if played else numbers

    return _Counts(parts())


def of_sides(rules: Rules, of_seats: Numbers) -> NDArray[np.int64]:
    """Numbers of seats, (deals, seats), added up for each side: (deals, sides)."""
    sums = np.zeros((len(of_seats), len(rules.sides)), np.int64)
    for seat in range(rules.seats):
        sums[:, rules.side_of(seat)] += of_seats[:, seat]
    return sums


def _sum(numbers: Numbers) -> NDArray[np.int64]:
    """The sum of each deal, which numpy takes longer over where the rows are so short."""
    return sum((column for column in numbers.T), np.zeros(len(numbers), np.int64))


def _side(rules: Rules, seats: Numbers) -> Numbers:
    """The sides of seats."""
    return np.array([rules.side_of(seat) for seat in range(rules.seats)], np.int64)[seats]


def _own(of_sides: Numbers, side: Numbers) -> Numbers:
    """The number of one side of each deal: (deals,)."""
    return np.take_along_axis(of_sides, side[:, None], axis=1)[:, 0].astype(np.int64)


# Melds


def melds(rules: Rules, deals: Deals) -> Melds:
    """What hands and sides meld. Raises RulesError of no deals."""

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
    """The mean of so many things of each deal."""
    things = column(Deals._make(one[:1] for one in deals)).shape[1]
    return _counts(deals, lambda some: _sum(column(some)), played).mean(things)


def _steps(highest: int) -> tuple[int, ...]:
    """0, 1, and then by even steps up to that number."""
    step = next(step for step in _NICE if highest < step * _ROWS)
    return tuple(dict.fromkeys((0, 1, *range(step, highest + 1, step))))


# Runs


def runs(rules: Rules, deals: Deals) -> Runs:
    """How often hands, sides and deals have a run as dealt. Raises RulesError of no deals."""
    return Runs(
        hand=_mean(deals, lambda some: some.runs > 0),
        two=_mean(deals, lambda some: some.runs > 1),
        side=_mean(deals, lambda some: of_sides(rules, some.runs) > 0),
        deal=_mean(deals, lambda some: (some.runs > 0).any(axis=1, keepdims=True)),
    )


# The lead


def lead_advantage(rules: Rules, deals: Deals) -> Lead | None:
    """Points in play with the first lead and without; None if no deal was played."""

    def leader(some: Deals) -> Numbers:
        return _own(some.play, _side(rules, some.leader))

    def others(some: Deals) -> Numbers:
        return _sum(some.play) - leader(some)

    def ahead(some: Deals) -> Numbers:
        """1, 0 or -1: whether the leader's side is ahead of the best other, level or behind."""
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
    """What the declarer's side has towards its bid: (deals,). -1 where nothing was played.

    That is its meld and its play as `scoring.kept` leaves them. Raises RulesError where nobody
    bids.
    """
    _auction(rules)
    side = _side(rules, deals.declarer)
    rows = (
        _own(of_sides(rules, deals.meld), side),
        _own(of_sides(rules, deals.nines), side),
        _own(deals.play, side),
        _own(deals.counter, side),
    )
    # Each row as one number: to sort those takes a fraction of the time.
    sizes = tuple(int(row.max(initial=0)) + 1 for row in rows)
    keys, which = np.unique(np.ravel_multi_index(rows, sizes), return_inverse=True)
    different = zip(*(row.tolist() for row in np.unravel_index(keys, sizes)), strict=True)
    results = np.array([_kept(rules, *row) for row in different], np.int64)
    return np.where(deals.trump >= 0, results[which], -1)


def _kept(rules: Rules, meld: int, nines: int, play: int, counter: int) -> int:
    return sum(score_after_losses(rules, Tally((meld,), (nines,), (play,), (bool(counter),)), 0))


def bid_success_rate(rules: Rules, deals: Deals, bids: Sequence[int]) -> NDArray[np.float64]:
    """The share of deals in which each bid is made: (bids,). Those without a marriage are not.

    Raises RulesError where nobody bids.
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
    """Raises RulesError where nobody bids, or for a number that is no bid."""
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
    """The lowest bid and then legal round ones, evenly up to `highest`: not too many for a table.

    One that a dealer has for less, when everybody passes, is before them. Raises RulesError where
    nobody bids.
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
    """The bid that the dealer has when everybody passes; None where that does not happen."""
    return stuck_for(auction) if auction.all_pass is AllPass.DEALER else None


def _auction(rules: Rules) -> Auction:
    if rules.auction is None:
        raise RulesError(f"Nobody bids in {rules.variant}.")
    return rules.auction

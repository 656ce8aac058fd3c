"""Progress of a match: the finished legs in their order, and the next leg to play.

Boards count in order, and only when every seating is finished, until each seating has enough deals.
Games are never cut off. By Wald's identity this leaves points per deal and games won without bias,
which cutting off the last game would not. The result does not depend on the order in which legs
finish.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from acesaround.arena.bot_stats import BotStats
from acesaround.arena.leg import Leg
from acesaround.arena.match import Match
from acesaround.arena.statistics import SumAndCount
from acesaround.rules.scoring import Outcome


class BotContracts(msgspec.Struct):
    """The contracts of one bot: how many had which outcome, and the sum of their bids."""

    outcomes: dict[str, int] = {}
    bid_total: int = 0

    @property
    def count(self) -> int:
        """The number of contracts."""
        return sum(self.outcomes.values())


class Board(msgspec.Struct, frozen=True):
    """A board that is finished in every seating.

    `a[s]`, `b[s]`: (sum of points per seat, number of deals) of bots A and B in seating `s`.
    """

    a: tuple[SumAndCount, ...]
    b: tuple[SumAndCount, ...]
    won: SumAndCount
    """Games won by A, and games won by either bot."""

    @property
    def difference(self) -> tuple[SumAndCount, ...]:
        """A's points per seat minus B's, and the deals, by seating."""
        return tuple((a[0] - b[0], a[1]) for a, b in zip(self.a, self.b, strict=True))


class MatchProgress:
    """The results of a match so far. `deals`: the least number of deals in each seating."""

    def __init__(self, match: Match, deals: int) -> None:
        self._match, self._deals = match, deals
        self._seatings = match.seatings
        self._pending_legs: dict[tuple[int, int], Leg] = {}
        self._started_legs: set[tuple[int, int]] = set()
        self._next = (0, 0)
        self._finished_deals = 0
        self.boards: list[Board] = []
        self.deals_by_seating: list[int] = [0] * len(self._seatings)
        self.bot_stats: tuple[BotStats, BotStats, BotStats] = (BotStats(), BotStats(), BotStats())
        self.contracts: tuple[BotContracts, BotContracts] = (BotContracts(), BotContracts())
        self.differences: Counter[float] = Counter()
        """How often a deal ended with this difference of points per seat, A minus B."""
        self.unfinished: int = 0
        self.thrown_in: int = 0
        self.records: list[str] = []
        """The records of legs that count, in order. The caller may clear the list."""

    @property
    def has_enough_deals(self) -> bool:
        """Whether every seating has enough deals."""
        return min(self.deals_by_seating) >= self._deals

    @property
    def deals_per_seating(self) -> float:
        """The average number of deals per seating, boards that do not count yet included."""
        return min(self._finished_deals / len(self._seatings), self._deals)

    def has_leg(self, board: int, seating: int) -> bool:
        """Return whether that leg is finished."""
        return board < len(self.boards) or (board, seating) in self._pending_legs

    def add(self, leg: Leg) -> None:
        """Count a finished leg."""
        if self.has_leg(leg.board, leg.seating):
            return
        self._started_legs.discard((leg.board, leg.seating))
        self._pending_legs[leg.board, leg.seating] = leg
        self._finished_deals += len(leg.deals)
        while not self.has_enough_deals:
            board = len(self.boards)
            legs = [self._pending_legs.get((board, s)) for s in range(len(self._seatings))]
            complete = [leg_or_none for leg_or_none in legs if leg_or_none is not None]
            if len(complete) < len(legs):
                return
            for seating in range(len(legs)):
                del self._pending_legs[board, seating]
            self._count(complete)

    def next_leg(self) -> tuple[int, int] | None:
        """Return the next leg to play.

        None while the games already started could bring enough deals.
        """
        min_deals = self._finished_deals + len(self._started_legs)  # a leg has one deal or more
        if self.has_enough_deals or (
            self._started_legs and min_deals >= self._deals * len(self._seatings)
        ):
            return None
        while True:
            leg = self._next
            board, seating = leg
            is_last = seating + 1 == len(self._seatings)
            self._next = (board + 1, 0) if is_last else (board, seating + 1)
            if not self.has_leg(*leg):
                self._started_legs.add(leg)
                return leg

    def _count(self, legs: list[Leg]) -> None:
        rules = self._match.rules
        points: tuple[list[SumAndCount], list[SumAndCount]] = ([], [])
        games_won = games_finished = 0
        for leg in legs:
            bot_of_side = self._seatings[leg.seating]
            seat_counts = [0, 0]
            for side, bot in enumerate(bot_of_side):
                seat_counts[bot] += len(rules.sides[side])
            total = [0.0, 0.0]
            for deal in leg.deals:
                deal_points = [0.0, 0.0]
                for side, bot in enumerate(bot_of_side):
                    deal_points[bot] += (
                        deal.change[side] * len(rules.sides[side]) / seat_counts[bot]
                    )
                total[0] += deal_points[0]
                total[1] += deal_points[1]
                self.differences[deal_points[0] - deal_points[1]] += 1
                if deal.declarer is not None and deal.bid is not None:
                    contracts = self.contracts[bot_of_side[rules.side_of(deal.declarer)]]
                    old_count = contracts.outcomes.get(deal.outcome, 0)
                    contracts.outcomes[deal.outcome] = old_count + 1
                    contracts.bid_total += deal.bid
                elif deal.outcome is Outcome.THROWN_IN:
                    self.thrown_in += 1
            for bot in (0, 1):
                points[bot].append((total[bot], len(leg.deals)))
            for stats, leg_stats in zip(self.bot_stats, leg.bot_stats, strict=True):
                stats.merge(leg_stats)
            self.deals_by_seating[leg.seating] += len(leg.deals)
            if leg.winner is None:
                self.unfinished += 1
            else:
                games_finished += 1
                games_won += bot_of_side[leg.winner] == 0
            if leg.record is not None:
                self.records.append(leg.record)
        self.boards.append(Board(tuple(points[0]), tuple(points[1]), (games_won, games_finished)))

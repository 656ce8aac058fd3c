"""Ledger of a match: the finished legs in their order, and the next leg to play.

Only the first boards that are complete in every seating count, up to the board with which each
seating reaches the requested number of deals. Games are never cut off. By Wald's identity this
leaves points per deal and games won without bias, which cutting off the last game would not. The
result does not depend on the order in which legs finish.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from acesaround.arena.bot_stats import BotStats
from acesaround.arena.leg import Leg
from acesaround.arena.match import Match
from acesaround.arena.statistics import Part
from acesaround.rules.scoring import Outcome


class Contracts(msgspec.Struct):
    """The contracts of one bot: how many had which outcome, and the sum of their bids."""

    outcomes: dict[str, int] = {}
    height: int = 0

    @property
    def taken(self) -> int:
        """The number of contracts."""
        return sum(self.outcomes.values())


class Board(msgspec.Struct, frozen=True):
    """A complete board, by seating. `a`, `b`: the points of each bot per seat, and the deals."""

    a: tuple[Part, ...]
    b: tuple[Part, ...]
    won: Part
    """Games won by A, and games won by either bot."""

    @property
    def difference(self) -> tuple[Part, ...]:
        """A's points per seat minus B's, and the deals, by seating."""
        return tuple((a[0] - b[0], a[1]) for a, b in zip(self.a, self.b, strict=True))


class Ledger:
    """The results of a match so far. `deals`: the least number of deals in each seating."""

    def __init__(self, match: Match, deals: int) -> None:
        self._match, self._deals = match, deals
        self._seatings = match.seatings
        self._waiting: dict[tuple[int, int], Leg] = {}
        self._given: set[tuple[int, int]] = set()
        self._next = (0, 0)
        self._ahead = 0
        self.boards: list[Board] = []
        self.dealt = [0] * len(self._seatings)
        self.conduct = (BotStats(), BotStats(), BotStats())
        self.contracts: tuple[Contracts, Contracts] = (Contracts(), Contracts())
        self.differences: Counter[float] = Counter()
        """How often a deal ended with this difference of points per seat, A minus B."""
        self.unfinished = 0
        self.thrown_in = 0
        self.records: list[str] = []
        """The records of legs that count, in order. The caller may clear the list."""

    @property
    def enough(self) -> bool:
        """Whether every seating has enough deals."""
        return min(self.dealt) >= self._deals

    @property
    def deals_per_seating(self) -> float:
        """The average number of deals per seating, boards that do not count yet included."""
        return min(self._ahead / len(self._seatings), self._deals)

    def has_leg(self, board: int, seating: int) -> bool:
        """Return whether that leg is finished."""
        return board < len(self.boards) or (board, seating) in self._waiting

    def add(self, leg: Leg) -> None:
        """Count a finished leg."""
        if self.has_leg(leg.board, leg.seating):
            return
        self._given.discard((leg.board, leg.seating))
        self._waiting[leg.board, leg.seating] = leg
        self._ahead += len(leg.deals)
        while not self.enough:
            at = len(self.boards)
            legs = [self._waiting.get((at, s)) for s in range(len(self._seatings))]
            complete = [found for found in legs if found is not None]
            if len(complete) < len(legs):
                return
            for seating in range(len(legs)):
                del self._waiting[at, seating]
            self._count(complete)

    def next(self) -> tuple[int, int] | None:
        """Return the next leg to play, or None if the legs in progress may be enough."""
        least = self._ahead + len(self._given)  # a leg has one deal or more
        if self.enough or (self._given and least >= self._deals * len(self._seatings)):
            return None
        while True:
            leg = self._next
            board, seating = leg
            last = seating + 1 == len(self._seatings)
            self._next = (board + 1, 0) if last else (board, seating + 1)
            if not self.has_leg(*leg):
                self._given.add(leg)
                return leg

    def _count(self, legs: list[Leg]) -> None:
        rules = self._match.rules
        points: tuple[list[Part], list[Part]] = ([], [])
        won = finished = 0
        for leg in legs:
            who = self._seatings[leg.seating]
            seats = [0, 0]
            for side, bot in enumerate(who):
                seats[bot] += len(rules.sides[side])
            total = [0.0, 0.0]
            for deal in leg.deals:
                each = [0.0, 0.0]
                for side, bot in enumerate(who):
                    each[bot] += deal.change[side] * len(rules.sides[side]) / seats[bot]
                total[0] += each[0]
                total[1] += each[1]
                self.differences[each[0] - each[1]] += 1
                if deal.declarer is not None and deal.bid is not None:
                    contracts = self.contracts[who[rules.side_of(deal.declarer)]]
                    known = contracts.outcomes.get(deal.outcome, 0)
                    contracts.outcomes[deal.outcome] = known + 1
                    contracts.height += deal.bid
                elif deal.outcome is Outcome.THROWN_IN:
                    self.thrown_in += 1
            for bot in (0, 1):
                points[bot].append((total[bot], len(leg.deals)))
            for conduct, more in zip(self.conduct, leg.conduct, strict=True):
                conduct.merge(more)
            self.dealt[leg.seating] += len(leg.deals)
            if leg.winner is None:
                self.unfinished += 1
            else:
                finished += 1
                won += who[leg.winner] == 0
            if leg.record is not None:
                self.records.append(leg.record)
        self.boards.append(Board(tuple(points[0]), tuple(points[1]), (won, finished)))

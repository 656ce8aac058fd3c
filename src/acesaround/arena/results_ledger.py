"""The legs that are done, in their order, and what is to be played next.

What counts are the first boards that are complete in every seating, up to the one by which so many
deals were dealt in each: games are never cut off. (By Wald's identity that leaves points a deal and
games won without bias, which cutting the last game off would not.) So a result never depends on
which leg was done first.
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
    """What became of the bids of one bot: outcomes, and their heights all together."""

    outcomes: dict[str, int] = {}
    height: int = 0

    @property
    def taken(self) -> int:
        """How many bids it had to make."""
        return sum(self.outcomes.values())


class Board(msgspec.Struct, frozen=True):
    """A complete board. Parts are by seating: points of A and of B a seat, and deals."""

    a: tuple[Part, ...]
    b: tuple[Part, ...]
    won: Part
    """Games won by A, and games that were won."""

    @property
    def difference(self) -> tuple[Part, ...]:
        """A's points a seat less B's, and deals."""
        return tuple((a[0] - b[0], a[1]) for a, b in zip(self.a, self.b, strict=True))


class Ledger:
    """What a match has come to. `deals`: how many each seating is to have at least."""

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
        """How often a deal ended with that many points more a seat for A than for B."""
        self.unfinished = 0
        self.thrown_in = 0
        self.records: list[str] = []
        """Of legs that count, in order, since somebody last took them away."""

    @property
    def enough(self) -> bool:
        """Whether the match is over."""
        return min(self.dealt) >= self._deals

    @property
    def deals_per_seating(self) -> float:
        """How many deals each seating has had on average, whatever came first."""
        return min(self._ahead / len(self._seatings), self._deals)

    def has_leg(self, board: int, seating: int) -> bool:
        """Whether that leg is done."""
        return board < len(self.boards) or (board, seating) in self._waiting

    def add(self, leg: Leg) -> None:
        """Count a leg that is done."""
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
        """The next leg to be played, None if those that are given out may well be enough."""
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

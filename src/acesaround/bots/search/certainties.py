"""Certain knowledge about a trick: claims that hold wherever the unseen cards may be.

The claims follow from the bounds on what each hand holds (see `fast.sampler.constraints`), never
from what is merely likely. Nothing is weighted here.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.cards import KINDS, RANKS, Card
from acesaround.fast.sampler import Constraints, constraints
from acesaround.fast.sampler.plan import tighten_conditions
from acesaround.game.view import View, strict
from acesaround.rules.tricks import beats, points_of


class CannotBeat(enum.Enum):
    """The reason why a seat cannot beat a card, when its hand has nothing higher of that suit."""

    NOTHING_HIGHER = "nothing higher"
    """The card is a trump."""
    NO_TRUMP = "no trump"
    FOLLOWS = "must follow"


class Trick(NamedTuple):
    """The certain facts about a trick after a card is played to it.

    `best`, `holder`: the card that then wins the trick, and its seat. `takes`: whether that is the
    card played. `to_come`: the seats that play after it. `ours`: whether the own side is winning.
    `sure`: whether the winning side can no longer change.
    """

    best: Card
    holder: int
    takes: bool
    to_come: tuple[int, ...]
    ours: bool
    sure: bool


class CertainKnowledge:
    """A seat's certain knowledge in the play. `low`, `high`: bounds by seat and kind."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None and view.trump is not None
        its = constraints(view)
        self.view, self.seat, self.trump = view, view.seat, int(view.trump)
        self.partners = view.rules.partners_of(view.seat)
        self.strict = strict(view)
        self.points = points_of(view.rules.scoring.card_points)
        self._unseen = its.unseen
        low, high = tighten_bounds(its)
        seats = [view.players[player] for player in its.hidden]
        self.low = dict(zip(seats, low, strict=False))
        self.high = dict(zip(seats, high, strict=False))

    def is_partner(self, seat: int) -> bool:
        """Return whether that seat scores with this one."""
        return seat == self.seat or seat in self.partners

    def holds(self, seat: int, card: int) -> bool:
        """Return whether that seat must hold a card of that kind."""
        return self.low[seat][card] > 0

    def follows(self, seat: int, suit: int) -> bool:
        """Return whether that seat must hold a card of a suit."""
        return any(self.low[seat][suit * RANKS : suit * RANKS + RANKS])

    def may_hold(self, seat: int, suit: int, above: int = RANKS) -> bool:
        """Return whether that seat may hold a card of the suit above the rank `above`.

        The default of `above` admits every card.
        """
        return any(self.high[seat][suit * RANKS : suit * RANKS + above])

    def highest(self, card: int) -> bool:
        """Return whether no other hand can hold a higher card of its suit."""
        return not self.may_be_out(card // RANKS, card % RANKS)

    def may_be_out(self, suit: int, above: int = RANKS) -> bool:
        """Return whether any other hand may hold a card of the suit above the rank `above`.

        The default of `above` admits every card.
        """
        return any(self.may_hold(seat, suit, above) for seat in self.high)

    def unseen(self, suit: int) -> int:
        """Return how many cards of a suit are unseen."""
        return sum(self._unseen[suit * RANKS : suit * RANKS + RANKS])

    def why_cannot_beat(self, seat: int, card: int, led: int) -> CannotBeat | None:
        """Return why a seat cannot beat `card`, or None if it may.

        `card` is winning a trick in which suit `led` was led.
        """
        suit, trump = card // RANKS, self.trump
        if self.strict and suit != led and self.follows(seat, led):
            return CannotBeat.FOLLOWS
        if self.may_hold(seat, suit, card % RANKS):
            return None
        if suit == trump:
            return CannotBeat.NOTHING_HIGHER
        if not self.may_hold(seat, trump):
            return CannotBeat.NO_TRUMP
        return CannotBeat.FOLLOWS if self.strict and self.follows(seat, led) else None

    def trick(self, card: Card) -> Trick:
        """Return the trick after the own seat has played a card."""
        view = self.view
        at = view.players.index(self.seat if view.leader is None else view.leader)
        around = view.players[at:] + view.players[:at]
        to_come = around[len(view.trick) + 1 :]
        best, holder = card, self.seat
        for seat, played in zip(around, (*view.trick, card), strict=False):
            if seat == around[0] or beats(played, best, self.trump):
                best, holder = played, seat
        led = (view.trick[0] if view.trick else card) // RANKS
        ours = self.is_partner(holder)
        others = [seat for seat in to_come if self.is_partner(seat) is not ours]
        sure = all(self.why_cannot_beat(seat, best, led) is not None for seat in others)
        return Trick(best, holder, holder == self.seat, to_come, ours, sure)


def tighten_bounds(known: Constraints) -> tuple[list[list[int]], list[list[int]]]:
    """Return lower and upper bounds by place and kind, tightened by counting alone."""
    high, _ = tighten_conditions(known)
    low = [list(row) for row in known.low]
    before: tuple[int, int] | None = None
    while before != (now := (sum(map(sum, low)), sum(map(sum, high)))):
        before = now
        for kind in range(KINDS):
            most, least = sum(row[kind] for row in high), sum(row[kind] for row in low)
            for place, row in enumerate(low):
                its = row[kind]
                row[kind] = max(its, known.unseen[kind] - (most - high[place][kind]))
                high[place][kind] = min(high[place][kind], known.unseen[kind] - (least - its))
        for place, size in enumerate(known.sizes):
            least, most = sum(low[place]), sum(high[place])
            for kind in range(KINDS):
                its = low[place][kind]
                low[place][kind] = max(its, size - (most - high[place][kind]))
                high[place][kind] = min(high[place][kind], size - (least - its))
    return low, high


def why_mine_wins(sure: CertainKnowledge, trick: Trick) -> Explanation:
    """Return why an own card cannot lose its trick."""
    others = [seat for seat in trick.to_come if not sure.is_partner(seat)]
    suit, leads = trick.best.suit, not sure.view.trick
    led = suit if leads else sure.view.trick[0].suit
    if not trick.to_come:
        return Explanation(ReasonTemplate.PLAYS_LAST)
    if not others:
        if len(trick.to_come) == 1:
            return Explanation(ReasonTemplate.PARTNER_BEHIND, seat=trick.to_come[0])
        return Explanation(ReasonTemplate.PARTNERS_BEHIND)
    high = sure.highest(trick.best)
    if high and suit == sure.trump:
        return Explanation(ReasonTemplate.NO_HIGHER_TRUMP)
    if high and not sure.may_be_out(sure.trump):
        return Explanation(ReasonTemplate.NOTHING_OUT, suit=suit)
    if len(others) == 1:
        return _alone(sure, others[0], trick.best, led, high)
    bars = {sure.why_cannot_beat(seat, trick.best, led) for seat in others}
    if high and suit == led and bars <= {CannotBeat.FOLLOWS, CannotBeat.NO_TRUMP}:
        return Explanation(ReasonTemplate.HIGH_AND_UNTRUMPED, suit=suit)
    return Explanation(ReasonTemplate.NOBODY_BEATS)


def _alone(sure: CertainKnowledge, seat: int, best: Card, led: int, high: bool) -> Explanation:
    """Return why the only opponent still to play cannot beat a card."""
    suit = best.suit
    match sure.why_cannot_beat(seat, best, led):
        case CannotBeat.FOLLOWS if suit != led:
            return Explanation(ReasonTemplate.MUST_FOLLOW, seat=seat)
        case CannotBeat.FOLLOWS if high:
            return Explanation(ReasonTemplate.HIGH_AND_FOLLOWS, seat=seat, suit=suit)
        case CannotBeat.FOLLOWS:
            return Explanation(ReasonTemplate.NO_HIGHER_OF_SUIT, seat=seat, suit=suit)
        case CannotBeat.NO_TRUMP if high:
            return Explanation(ReasonTemplate.HIGH_AND_NO_TRUMP, seat=seat, suit=suit)
        case CannotBeat.NO_TRUMP:
            return Explanation(ReasonTemplate.NEITHER, seat=seat, suit=suit)
        case _:
            return Explanation(ReasonTemplate.HAS_NO_HIGHER_TRUMP, seat=seat)

"""What is certain about a trick: claims that hold wherever the unseen cards may be.

Made from the bounds on what each hand holds (see `sampler.knowledge`); never from what is merely
likely. Each claim can be said in words; nothing is weighed here.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

from acesaround.bots.advice import seat_name
from acesaround.cards import KINDS, RANKS, Card
from acesaround.fast.sampler import Known, known
from acesaround.fast.sampler.plan import settled
from acesaround.tricks import POINTS, beats
from acesaround.view import View


class Bar(enum.Enum):
    """Why a seat cannot beat a card, when nothing higher of its suit is in that hand."""

    NOTHING_HIGHER = "nothing higher"
    """The card is a trump, or trumps beat nothing here."""
    NO_TRUMP = "no trump"
    FOLLOWS = "must follow"


class Trick(NamedTuple):
    """A trick once a card is played to it, as far as it is certain.

    `best`, `holder`: the card that then wins it and its seat. `takes`: whether it is the card
    played. `to_come`: the seats that play after it. `ours`: whether the side has it. `sure`: that
    cannot change.
    """

    best: Card
    holder: int
    takes: bool
    to_come: tuple[int, ...]
    ours: bool
    sure: bool


class Sure:
    """What one seat knows for certain in the play. `low`, `high`: bounds on each kind, a seat."""

    def __init__(self, view: View) -> None:
        assert view.seat is not None and view.trump is not None
        its = known(view)
        self.view, self.seat, self.trump = view, view.seat, int(view.trump)
        self.partners = view.rules.partners_of(view.seat)
        self.strict = not view.table
        self.points = POINTS[view.rules.scoring.card_points]
        self._unseen = its.unseen
        low, high = sharpened(its)
        seats = [view.players[player] for player in its.hidden]
        self.low = dict(zip(seats, low, strict=False))
        self.high = dict(zip(seats, high, strict=False))

    def friend(self, seat: int) -> bool:
        """Whether that seat scores with this one."""
        return seat == self.seat or seat in self.partners

    def holds(self, seat: int, card: int) -> bool:
        """Whether that seat must hold a card of that kind."""
        return self.low[seat][card] > 0

    def follows(self, seat: int, suit: int) -> bool:
        """Whether that seat must hold a card of a suit."""
        return any(self.low[seat][suit * RANKS : suit * RANKS + RANKS])

    def may_hold(self, seat: int, suit: int, above: int = RANKS) -> bool:
        """Whether that seat may hold a card of the suit ranking above `above` (default: any)."""
        return any(self.high[seat][suit * RANKS : suit * RANKS + above])

    def highest(self, card: int) -> bool:
        """Whether no other hand can hold a higher card of its suit."""
        return not self.out(card // RANKS, card % RANKS)

    def out(self, suit: int, above: int = RANKS) -> bool:
        """Whether any other hand may hold a card of the suit ranking above `above`."""
        return any(self.may_hold(seat, suit, above) for seat in self.high)

    def unseen(self, suit: int) -> int:
        """How many cards of a suit are unseen."""
        return sum(self._unseen[suit * RANKS : suit * RANKS + RANKS])

    def barred(self, seat: int, card: int, led: int) -> Bar | None:
        """Why that seat cannot beat `card`, which has a trick where suit `led` was led; or None."""
        suit, trump = card // RANKS, self.trump
        if self.strict and suit != led and self.follows(seat, led):
            return Bar.FOLLOWS
        if self.may_hold(seat, suit, card % RANKS):
            return None
        if suit == trump:
            return Bar.NOTHING_HIGHER
        if not self.may_hold(seat, trump):
            return Bar.NO_TRUMP
        return Bar.FOLLOWS if self.strict and self.follows(seat, led) else None

    def trick(self, card: Card) -> Trick:
        """The trick after a card of one's own."""
        view = self.view
        at = view.players.index(self.seat if view.leader is None else view.leader)
        around = view.players[at:] + view.players[:at]
        to_come = around[len(view.trick) + 1 :]
        best, holder = card, self.seat
        for seat, played in zip(around, (*view.trick, card), strict=False):
            if seat == around[0] or beats(played, best, self.trump):
                best, holder = played, seat
        led = (view.trick[0] if view.trick else card) // RANKS
        ours = self.friend(holder)
        others = [seat for seat in to_come if self.friend(seat) is not ours]
        sure = all(self.barred(seat, best, led) is not None for seat in others)
        return Trick(best, holder, holder == self.seat, to_come, ours, sure)


def sharpened(known: Known) -> tuple[list[list[int]], list[list[int]]]:
    """Lower and upper bounds by place and kind, as far as counting alone sharpens them."""
    high, _ = settled(known)
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


def why_sure(sure: Sure, trick: Trick, led: int) -> str:
    """Why a trick cannot change sides, in words."""
    view = sure.view
    others = [seat for seat in trick.to_come if sure.friend(seat) is not trick.ours]
    if not trick.to_come:
        return "nobody plays behind you"
    if not others:
        if not trick.ours:
            return "no partner of yours plays behind you"
        who = "partner plays" if len(trick.to_come) == 1 else "partners play"
        return f"only your {who} behind you"
    suit, trump = trick.best.suit, sure.trump
    high = sure.highest(trick.best)
    if high and suit == trump:
        return "no higher trump is out"
    if high and not sure.out(trump):
        return f"neither a higher {suit.word[:-1]} nor a trump is out"
    clauses = [_clause(sure, seat, trick.best, led, high) for seat in others]
    if len(clauses) > 1 and (len(clauses) > 2 or _alike(sure, others, trick.best, led)):
        clauses = [_everybody(sure, others, trick.best, led, high)]
    if high:
        mine = trick.holder == sure.seat
        whose = "" if mine else f"{_whose(view, trick.holder)} {trick.best.rank.word} is high"
        clauses = [whose or f"no higher {suit.word[:-1]} is out", *clauses]
    return _listed(clauses)


def _clause(sure: Sure, seat: int, best: Card, led: int, high: bool) -> str:
    who = seat_name(sure.view, seat)
    bar = sure.barred(seat, best, led)
    if bar is Bar.FOLLOWS:
        if high or best.suit != led:
            return f"{who} must follow suit"
        return f"{who} must follow and has no higher {best.suit.word[:-1]}"
    if bar is Bar.NO_TRUMP:
        lower = "" if high else f" and of higher {best.suit.word}"
        return f"{who} is out of trumps{lower}"
    return f"{who} has no higher trump"


def _alike(sure: Sure, others: Sequence[int], best: Card, led: int) -> bool:
    return len({sure.barred(seat, best, led) for seat in others}) == 1


def _everybody(sure: Sure, others: Sequence[int], best: Card, led: int, high: bool) -> str:
    bars = {sure.barred(seat, best, led) for seat in others}
    if high and bars == {Bar.NO_TRUMP}:
        return "no opponent behind you has a trump"
    if high and bars == {Bar.FOLLOWS}:
        return "the opponents behind you must follow suit"
    return "no opponent behind you can beat it"


def _whose(view: View, seat: int) -> str:
    """`your partner's`, `the player on your left's` put so that it reads well."""
    return "your" if seat == view.seat else f"{seat_name(view, seat)}'s"


def _listed(clauses: Sequence[str]) -> str:
    if len(clauses) < 3:
        return " and ".join(clauses)
    return f"{', '.join(clauses[:-1])} and {clauses[-1]}"

"""What is certain about a trick: claims that hold wherever the unseen cards may be.

Made from voids, from cards that could not be beaten, and from cards shown or passed; never from
what is merely likely. Each claim can be said in words; nothing is weighed here.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

from acesaround.bots.thumb.sight import VOID, Sight, shows_aces
from acesaround.cards import RANKS, Card, Rank
from acesaround.tricks import beats
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
    """What one seat knows for certain in the play."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.sight = Sight(view)
        self._convention = shows_aces(view.rules)

    def holds(self, seat: int, card: int) -> bool:
        """Whether that seat must hold a card of that kind."""
        shown = self.sight.certain[seat].get(card, 0) > 0
        agreed = self._convention and card % RANKS == Rank.ACE  # a signal is no proof
        return shown and not agreed

    def follows(self, seat: int, suit: int) -> bool:
        """Whether that seat must hold a card of a suit."""
        return any(self.holds(seat, suit * RANKS + rank) for rank in range(RANKS))

    def may_hold(self, seat: int, suit: int, above: int = VOID) -> bool:
        """Whether that seat may hold a card of the suit ranking above `above` (default: any)."""
        at = suit * RANKS
        return any(self.sight.unseen[at + self.sight.best[seat][suit] : at + above])

    def highest(self, card: int) -> bool:
        """Whether no other hand can hold a higher card of its suit."""
        return not self.sight.higher(card)

    def barred(self, seat: int, card: int, led: int) -> Bar | None:
        """Why that seat cannot beat `card`, which has a trick where suit `led` was led; or None."""
        suit, trump = card // RANKS, self.sight.trump
        if self.sight.strict and suit != led and self.follows(seat, led):
            return Bar.FOLLOWS
        if self.may_hold(seat, suit, card % RANKS):
            return None
        if suit == trump:
            return Bar.NOTHING_HIGHER
        if not self.may_hold(seat, trump):
            return Bar.NO_TRUMP
        return Bar.FOLLOWS if self.sight.strict and self.follows(seat, led) else None

    def trick(self, card: Card) -> Trick:
        """The trick after a card of one's own."""
        view, sight = self.view, self.sight
        at = view.players.index(sight.seat if view.leader is None else view.leader)
        around = view.players[at:] + view.players[:at]
        to_come = around[len(view.trick) + 1 :]
        best, holder = card, sight.seat
        for seat, played in zip(around, (*view.trick, card), strict=False):
            if seat == around[0] or beats(played, best, sight.trump):
                best, holder = played, seat
        led = (view.trick[0] if view.trick else card) // RANKS
        ours = sight.friend(holder)
        others = [seat for seat in to_come if sight.friend(seat) is not ours]
        sure = all(self.barred(seat, best, led) is not None for seat in others)
        return Trick(best, holder, holder == sight.seat, to_come, ours, sure)


def seat_name(view: View, seat: int) -> str:
    """A seat as its neighbour calls it."""
    me, players = view.seat, view.players
    assert me is not None
    if seat == me:
        return "you"
    if seat == view.rules.partner_of(me):
        return "your partner"
    number = len(players)
    if number == 2:
        return "your opponent"
    away = (players.index(seat) - players.index(me)) % number
    if away == 1:
        return "the player on your left"
    if away == number - 1:
        return "the player on your right"
    if 2 * away == number:
        return "the player across"
    side, away = ("left", away) if 2 * away < number else ("right", number - away)
    return f"the {_ORDINALS[away]} player on your {side}"


_ORDINALS = ("", "first", "second", "third", "fourth")


def why_sure(sure: Sure, trick: Trick, led: int) -> str:
    """Why a trick cannot change sides, in words."""
    view, sight = sure.view, sure.sight
    others = [seat for seat in trick.to_come if sight.friend(seat) is not trick.ours]
    if not trick.to_come:
        return "nobody plays behind you"
    if not others:
        behind = "only your partner plays" if trick.ours else "no partner of yours plays"
        return f"{behind} behind you"
    suit, trump = trick.best.suit, sight.trump
    high = sure.highest(trick.best)
    if high and suit == trump:
        return "no higher trump is out"
    if high and not sight.out(trump):
        return f"neither a higher {suit.word[:-1]} nor a trump is out"
    clauses = [_clause(sure, seat, trick.best, led, high) for seat in others]
    if len(clauses) > 1 and (len(clauses) > 2 or _alike(sure, others, trick.best, led)):
        clauses = [_everybody(sure, others, trick.best, led, high)]
    if high:
        mine = trick.holder == sight.seat
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

"""Hard constraints on the unseen cards, and the claims about a trick that follow from them.

The claims hold wherever the unseen cards may be. They follow from the bounds on what each hand
holds (see `fast.sampler.read_constraints`), never from what is merely likely. Nothing is weighted
here.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

from acesaround.bots.explanations import Explanation, ReasonTemplate
from acesaround.cards import KIND_COUNT, RANK_COUNT, Card
from acesaround.fast.sampler import Constraints, read_constraints
from acesaround.fast.sampler.plan import tighten_conditions
from acesaround.game.view import View, is_strict_play
from acesaround.rules.tricks import beats, points_of


class BeatObstacle(enum.Enum):
    """The reason why a seat cannot beat a card, when its hand has nothing higher of that suit."""

    NOTHING_HIGHER = "nothing higher"
    """The card is a trump."""
    NO_TRUMP = "no trump"
    FOLLOWS = "must follow"


class CertainTrick(NamedTuple):
    """The certain facts about a trick after a card is played to it.

    `winning_card`, `winning_seat`: the card that then wins the trick, and its seat.
    `is_own_card_winning`: whether that is the card played. `seats_to_come`: the seats that play
    after it. `is_ours`: whether the own side is winning. `is_decided`: whether the winning side can
    no longer change.
    """

    winning_card: Card
    winning_seat: int
    is_own_card_winning: bool
    seats_to_come: tuple[int, ...]
    is_ours: bool
    is_decided: bool


class HardConstraints:
    """The hard constraints on the unseen cards that a seat knows in the play.

    `low`, `high`: how many cards of each kind a seat holds at least and at most.
    """

    def __init__(self, view: View) -> None:
        assert view.seat is not None and view.trump is not None
        known = read_constraints(view)
        self.view, self.seat, self.trump = view, view.seat, int(view.trump)
        self.partners = view.rules.partners_of(view.seat)
        self.is_strict = is_strict_play(view)
        self.points = points_of(view.rules.scoring.card_points)
        self._unseen_by_kind = known.unseen
        low, high = tighten_bounds(known)
        seats = [view.players[player] for player in known.hidden_players]
        self.low = dict(zip(seats, low, strict=False))
        self.high = dict(zip(seats, high, strict=False))

    def is_partner(self, seat: int) -> bool:
        """Return whether that seat scores with this one."""
        return seat == self.seat or seat in self.partners

    def must_hold(self, seat: int, card: int) -> bool:
        """Return whether that seat must hold a card of that kind."""
        return self.low[seat][card] > 0

    def must_follow(self, seat: int, suit: int) -> bool:
        """Return whether that seat must hold a card of a suit."""
        return any(self.low[seat][suit * RANK_COUNT : suit * RANK_COUNT + RANK_COUNT])

    def may_hold(self, seat: int, suit: int, above: int = RANK_COUNT) -> bool:
        """Return whether that seat may hold a card of the suit above the rank `above`.

        The default of `above` admits every card.
        """
        return any(self.high[seat][suit * RANK_COUNT : suit * RANK_COUNT + above])

    def is_highest(self, card: int) -> bool:
        """Return whether no other hand can hold a higher card of its suit."""
        return not self.may_others_hold(card // RANK_COUNT, card % RANK_COUNT)

    def may_others_hold(self, suit: int, above: int = RANK_COUNT) -> bool:
        """Return whether any other hand may hold a card of the suit above the rank `above`.

        The default of `above` admits every card.
        """
        return any(self.may_hold(seat, suit, above) for seat in self.high)

    def unseen_count(self, suit: int) -> int:
        """Return how many cards of a suit are unseen."""
        return sum(self._unseen_by_kind[suit * RANK_COUNT : suit * RANK_COUNT + RANK_COUNT])

    def why_cannot_beat(self, seat: int, card: int, led: int) -> BeatObstacle | None:
        """Return why a seat cannot beat `card`, or None if it may.

        `card` is winning a trick in which suit `led` was led.
        """
        suit, trump = card // RANK_COUNT, self.trump
        if self.is_strict and suit != led and self.must_follow(seat, led):
            return BeatObstacle.FOLLOWS
        if self.may_hold(seat, suit, card % RANK_COUNT):
            return None
        if suit == trump:
            return BeatObstacle.NOTHING_HIGHER
        if not self.may_hold(seat, trump):
            return BeatObstacle.NO_TRUMP
        return BeatObstacle.FOLLOWS if self.is_strict and self.must_follow(seat, led) else None

    def trick_after(self, card: Card) -> CertainTrick:
        """Return the trick after the own seat has played a card."""
        view = self.view
        start = view.players.index(self.seat if view.leader is None else view.leader)
        seats_in_order = view.players[start:] + view.players[:start]
        seats_to_come = seats_in_order[len(view.trick) + 1 :]
        winning_card, winning_seat = card, self.seat
        for seat, played in zip(seats_in_order, (*view.trick, card), strict=False):
            if seat == seats_in_order[0] or beats(played, winning_card, self.trump):
                winning_card, winning_seat = played, seat
        led = (view.trick[0] if view.trick else card) // RANK_COUNT
        is_ours = self.is_partner(winning_seat)
        others = [seat for seat in seats_to_come if self.is_partner(seat) is not is_ours]
        is_decided = all(
            self.why_cannot_beat(seat, winning_card, led) is not None for seat in others
        )
        return CertainTrick(
            winning_card,
            winning_seat,
            winning_seat == self.seat,
            seats_to_come,
            is_ours,
            is_decided,
        )


def tighten_bounds(known: Constraints) -> tuple[list[list[int]], list[list[int]]]:
    """Return lower and upper bounds by place and kind, tightened by counting alone."""
    high, _ = tighten_conditions(known)
    low = [list(row) for row in known.low]
    previous: tuple[int, int] | None = None
    while previous != (totals := (sum(map(sum, low)), sum(map(sum, high)))):
        previous = totals
        for kind in range(KIND_COUNT):
            high_total, low_total = sum(row[kind] for row in high), sum(row[kind] for row in low)
            for place, row in enumerate(low):
                lower = row[kind]
                row[kind] = max(lower, known.unseen[kind] - (high_total - high[place][kind]))
                high[place][kind] = min(high[place][kind], known.unseen[kind] - (low_total - lower))
        for place, size in enumerate(known.place_sizes):
            low_total, high_total = sum(low[place]), sum(high[place])
            for kind in range(KIND_COUNT):
                lower = low[place][kind]
                low[place][kind] = max(lower, size - (high_total - high[place][kind]))
                high[place][kind] = min(high[place][kind], size - (low_total - lower))
    return low, high


def why_own_card_wins(constraints: HardConstraints, trick: CertainTrick) -> Explanation:
    """Return why an own card cannot lose its trick."""
    others = [seat for seat in trick.seats_to_come if not constraints.is_partner(seat)]
    suit, is_lead = trick.winning_card.suit, not constraints.view.trick
    led = suit if is_lead else constraints.view.trick[0].suit
    if not trick.seats_to_come:
        return Explanation(ReasonTemplate.PLAYS_LAST)
    if not others:
        if len(trick.seats_to_come) == 1:
            return Explanation(ReasonTemplate.ONLY_PARTNER_PLAYS_AFTER, seat=trick.seats_to_come[0])
        return Explanation(ReasonTemplate.ONLY_PARTNERS_PLAY_AFTER)
    is_highest = constraints.is_highest(trick.winning_card)
    if is_highest and suit == constraints.trump:
        return Explanation(ReasonTemplate.NO_HIGHER_TRUMP)
    if is_highest and not constraints.may_others_hold(constraints.trump):
        return Explanation(ReasonTemplate.NO_HIGHER_CARD_OR_TRUMP, suit=suit)
    if len(others) == 1:
        return _why_opponent_cannot_beat(
            constraints, others[0], trick.winning_card, led, is_highest
        )
    obstacles = {constraints.why_cannot_beat(seat, trick.winning_card, led) for seat in others}
    if is_highest and suit == led and obstacles <= {BeatObstacle.FOLLOWS, BeatObstacle.NO_TRUMP}:
        return Explanation(ReasonTemplate.HIGHEST_AND_CANNOT_BE_TRUMPED, suit=suit)
    return Explanation(ReasonTemplate.NO_OPPONENT_BEATS)


def _why_opponent_cannot_beat(
    constraints: HardConstraints, seat: int, winning_card: Card, led: int, is_highest: bool
) -> Explanation:
    """Return why the only opponent still to play cannot beat the winning card."""
    suit = winning_card.suit
    match constraints.why_cannot_beat(seat, winning_card, led):
        case BeatObstacle.FOLLOWS if suit != led:
            return Explanation(ReasonTemplate.MUST_FOLLOW, seat=seat)
        case BeatObstacle.FOLLOWS if is_highest:
            return Explanation(ReasonTemplate.HIGHEST_AND_MUST_FOLLOW, seat=seat, suit=suit)
        case BeatObstacle.FOLLOWS:
            return Explanation(ReasonTemplate.NO_HIGHER_OF_SUIT, seat=seat, suit=suit)
        case BeatObstacle.NO_TRUMP if is_highest:
            return Explanation(ReasonTemplate.HIGHEST_AND_NO_TRUMP, seat=seat, suit=suit)
        case BeatObstacle.NO_TRUMP:
            return Explanation(ReasonTemplate.NO_HIGHER_OF_SUIT_NOR_TRUMP, seat=seat, suit=suit)
        case _:
            return Explanation(ReasonTemplate.HAS_NO_HIGHER_TRUMP, seat=seat)

"""What a hand is worth to its declarer: meld in hand, meld to come, and points in play.

The numbers of thumb stand in `Gauge`. They were read off deals that the bot played with itself:
play is reckoned in tricks (card points divided by the size of a hand), meld to come in runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from acesaround.cards import RANKS, counts
from acesaround.melds import find, points
from acesaround.rules import MeldTable, Phase, Rules
from acesaround.scoring import most_in_play
from acesaround.view import View


class Gauge(NamedTuple):
    """The numbers of thumb of one kind of game.

    In tricks: `base` comes to any declarer, then so much for each trump, ace and ten of trump, and
    side ace and ten. In runs: `growth` is meld that partner, kitty or draw add, `one_short` and
    `two_short` what they add besides where so many cards of the run are missing, `spread` how far
    a result usually strays from the estimate, `caution` how far below the estimate bids stop.
    """

    base: float
    trump: float
    trump_ace: float
    trump_ten: float
    ace: float
    ten: float
    growth: float
    one_short: float
    two_short: float
    spread: float
    caution: float


@lru_cache(maxsize=64)
def gauge(rules: Rules) -> Gauge:
    """The numbers for a table: with partners, with a kitty, or with a draw."""
    hand, seats = rules.hand_size, rules.seats
    if rules.partners:
        passed = rules.exchange.exchange / 4
        double = rules.deck.copies > 2
        return Gauge(
            base=0.265 * hand,
            trump=0.7,
            trump_ace=0.3,
            trump_ten=0.1,
            ace=0.5 if double else 0.75,
            ten=0.05,
            growth=(0.75 if double else 0.25) + 0.45 * passed,
            one_short=0.1 + 0.25 * passed,
            two_short=0.1 * passed,
            spread=0.8 if double else 0.55,
            caution=0.45 if double else 0.1,
        )
    if rules.deal.kitty:
        return Gauge(1.3, 0.8, 0.6, 0.3, 0.7, 0.45, 0.28, 0.11, 0.0, 0.4, 0.1)
    share = hand * (1 / seats - 1 / 4)
    draws = 0.015 * (hand - 4) if Phase.REDRAW in rules.phases else 0.0
    return Gauge(0.3 + 0.6 * share, 0.58, 0.7, 0.4, 0.1, 0.0, draws, 0.02, 0.0, 0.22, 0.0)


class Worth(NamedTuple):
    """An estimate for one trump suit: points of meld in hand, meld to come, and play."""

    trump: int
    meld: int
    growth: float
    play: float

    @property
    def total(self) -> float:
        """What the declarer's side may expect to score."""
        return self.meld + self.growth + self.play


@lru_cache(maxsize=1 << 12)
def meld_points(table: MeldTable, hand: int, trump: int | None) -> int:
    """What a packed hand melds."""
    return points(find(table, hand, trump))


@lru_cache(maxsize=64)
def trick_worth(rules: Rules, players: int) -> float:
    """Card points of an average trick."""
    most = most_in_play(rules, players)
    if rules.deal.upcard:  # every card of the stock is drawn and played
        return most / (rules.deck.size // players)
    if rules.deal.stock:  # of cards that may stay undealt half are counters
        most = rules.scoring.last_trick + (most - rules.scoring.last_trick) // 2
    return most / rules.hand_size


def worth(view: View, hand: int, trump: int) -> Worth:
    """What a packed hand is worth with that trump, no word of the partner's being heard."""
    rules = view.rules
    table, numbers = rules.melds, gauge(rules)
    held = counts(hand)
    run = table.run[0]
    meld = meld_points(table, hand, trump)
    at = trump * RANKS
    missing = sum(not held[at + rank] for rank in range(5))
    growth = numbers.growth
    if missing == 1:
        growth += numbers.one_short
    elif missing == 2:
        growth += numbers.two_short
    aces = held[0] + held[6] + held[12] + held[18] - held[at]
    tens = held[1] + held[7] + held[13] + held[19] - held[at + 1]
    tricks = (
        numbers.base
        + numbers.trump * sum(held[at : at + RANKS])
        + numbers.trump_ace * held[at]
        + numbers.trump_ten * held[at + 1]
        + numbers.ace * aces
        + numbers.ten * tens
    )
    tricks = min(tricks, rules.hand_size)
    return Worth(trump, meld, growth * run, tricks * trick_worth(rules, len(view.players)))


def best_worth(view: View, hand: int, suits: Iterable[int] = range(4)) -> Worth:
    """The trump suit worth most, the first in written order among equals."""
    return max((worth(view, hand, suit) for suit in suits), key=lambda w: (w.total, -w.trump))

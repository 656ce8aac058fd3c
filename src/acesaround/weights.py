"""The numbers that rules of thumb go by: what tricks, cards and hands are worth to a player.

The bot `thumb` reckons with them as they stand, kernels with whole numbers made from them. Those of
tricks and cards were settled by letting the bot play against itself on the same cards, those of
`Gauge` were read off deals that it played with itself. How they are put together stands with each.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from acesaround.rules import Phase, Rules
from acesaround.scoring import most_in_play

# --- a trick: parts of an ace's points -----------------------------------------------------------

FED: Final = 0.6  # what a seat still to play adds to a trick that its side wins
GIVEN: Final = 0.35  # and to one that it loses
TWICE: Final = 0.4  # how far a partner can be counted on to beat an opponent's next card
ONE_OF_MANY: Final = 0.4  # how much a point for another counts where there are several others
RUFFS: Final = 0.6  # how often a seat that need not trump will do so

DRAWS: Final = 1.2  # what leading trump is worth to the declarer's side when long in it
SPENDS: Final = 0.5  # and what it costs when not
LONG: Final = 0.6  # how many trumps are long, to those that are out

# --- a card in hand, beyond its points: parts of an ace's points ----------------------------------

MASTER_TRUMP: Final = 1.6  # no higher trump is out
LOW_TRUMP: Final = 0.35  # any other trump
HIGH_TRUMP: Final = 0.5  # and so much more, times the part of the trumps out that are lower
MASTER: Final = 0.7  # no higher card of its suit is out
MASTER_TRUMPS_GONE: Final = 1.0  # and no trump
LAST_OF_SUIT: Final = 0.1  # no other card of its suit is out: it can only be trumped
LAST_TRUMPS_GONE: Final = 0.3  # unless no trump is out
COUNTER: Final = 0.25  # any other counter, and any other card, times the part that is lower
LOSER: Final = 0.02

# --- meld that hangs on a trick -------------------------------------------------------------------

LAST_CHANCE: Final = 20  # early in the play one part in so many of a meld is at stake, at least
SHORT: Final = 60  # a meld of so many points doubles what points count that it still needs
LOST: Final = 0.8  # of what is hoped of a meld is lost with a card of it
DENIED: Final = 6  # points that it is worth to keep the others from laying a meld
EAGER: Final = 0.25  # of the best meld in hand it is worth to be able to lay it, and
# as many more as there are melds in hand for each trick left to lay them
HOPE: Final = 0.4  # below this chance that a side has the meld it needs, nothing is bid

# --- prices of cards that leave the hand, by rank, at a table where a run is worth 150 points ---

RUN: Final = 150  # points of a run at that table
TRUMP_GIVEN: Final = (60, 52, 46, 45, 44, 20)  # what A T K Q J 9 of trump are worth to a declarer
PLAIN_GIVEN: Final = (38, 6, 4, 3, 1, 0)
TRUMP_KEPT: Final = (60, 40, 30, 25, 22, 20)  # and what parting with them costs him
PLAIN_KEPT: Final = (24, 8, 3, 1, 0.5, 0)
LENGTH: Final = 1  # and so much, but for aces, for each card of the plain suit
PINOCHLE_GIVEN: Final = 22  # a card of a pinochle
GIFT: Final = 0.8  # how much the giver's own meld counts beside the declarer's
BURIED_COUNTER: Final = 8  # a counter buried is a counter won
TRUMP_STAYS: Final = (20, 16, 12, 10, 9, 12)
PLAIN_STAYS: Final = (10, 4, 3, 1, 0, 0)
PINOCHLE_STAYS: Final = 6.5
DRAWN: Final = 8  # what a card off the pile is worth


# --- a hand ---------------------------------------------------------------------------------------


class Gauge(NamedTuple):
    """What a hand is worth to its declarer in one kind of game.

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


@lru_cache(maxsize=64)
def trick_worth(rules: Rules, players: int) -> float:
    """Card points of an average trick."""
    most = most_in_play(rules, players)
    if rules.deal.upcard:  # every card of the stock is drawn and played
        return most / (rules.deck.size // players)
    if rules.deal.stock:  # of cards that may stay undealt half are counters
        most = rules.scoring.last_trick + (most - rules.scoring.last_trick) // 2
    return most / rules.hand_size

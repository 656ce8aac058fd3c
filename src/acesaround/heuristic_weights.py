"""The numbers that rules of thumb go by: what tricks, cards and hands are worth to a player.

The bot `thumb` reckons with them as they stand, kernels with whole numbers made from them. Those of
tricks and cards were settled by letting players play the same cards (`bench/manner.py`). Those of
`Gauge` are measured for the rules of a table (`fast.gauging`): shipped for the variants, learned
for others. How they are put together stands with each.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from msgspec.structs import replace

from acesaround.cards import RANKS
from acesaround.rules import AllPass, Concede, Ending, Phase, Renege, Rules, stuck_for
from acesaround.rules.scoring import most_in_play
from acesaround.rules.tricks import points_of
from acesaround.variants import gauged

# --- playing cards --------------------------------------------------------------------------------


NEVER: Final = 99.0
"""So many trumps to one that is out are never held: what `Play.long` says of who draws none."""


class Play(NamedTuple):
    """What a player of cards goes by, in parts of an ace's points unless said otherwise."""

    fed: float
    """What a seat still to play adds to a trick that its side wins,"""
    given: float
    """and to one that it loses,"""
    rich: float
    """all that as much more as the unseen cards are richer than half an ace each: a part of it."""
    tempo: float
    """What it is worth to win a trick with one's own card, and so to lead next."""
    twice: float
    """How far a partner can be counted on to beat an opponent's next card: a part of the chance."""
    one_of_many: float
    """How much a point for another counts where there are several others: a part of a point."""
    ruffs: float
    """How often a seat that need not trump will do so: a chance."""
    trumps_declarer: float
    """How many times its share of the unseen trumps the declarer has, 0 or more,"""
    trumps_helper: float
    """a partner of the declarer,"""
    trumps_other: float
    """and anybody else."""
    draws: float
    """What leading trump is worth to who is long in it,"""
    draws_low: float
    """so much more with one that others can beat, unless there are so many trumps in hand to those
    that are out as"""
    long_low: float
    """that number says,"""
    draws_out: float
    """so much more for each trump that is out,"""
    draws_winners: float
    """and so much more for each kind in hand that nothing of its plain suit beats."""
    spends: float
    """What leading trump costs others,"""
    spends_master: float
    """and so much more with one that nobody can beat."""
    cashes: float
    """What it is worth to lead a plain card that only trumps beat,"""
    opens: float
    """and what it costs to lead a plain counter that can be beaten in its suit."""
    long: float
    """How many trumps are long, to those that are out: see NEVER."""
    master_trump: float
    """A trump in hand is worth so much beyond its points where no higher one is out,"""
    low_trump: float
    """any other so much,"""
    high_trump: float
    """and so much more, times the part of the trumps out that are lower,"""
    trump_counter: float
    """and so much where it counts."""
    lone: float
    """The last trump in hand, beside all that."""
    master: float
    """A plain card is worth so much where no higher one of its suit is out,"""
    master_trumps_gone: float
    """or so much where no trump is out either."""
    last_of_suit: float
    """Where no other card of its suit is out it can only be trumped,"""
    last_trumps_gone: float
    """unless no trump is out."""
    counter: float
    """Any other counter, times the part of its suit out that is lower,"""
    loser: float
    """and any other card."""
    voids: float
    """What it is worth to be rid of the last card of a plain suit, while there is trump to ruff it
    with; where it is a master or the last of its suit nothing."""
    saves: float
    """What a card that no higher one is out for is worth besides where it does not win a trick that
    others have led."""
    fade: float
    """What is in hand loses so much of its worth, divided by the number of cards: a part."""


class Manner(NamedTuple):
    """How somebody plays cards: as declarer, as a partner of that one, and as anybody else."""

    declaring: Play
    helping: Play
    defending: Play


DECLARING: Final = Manner._fields.index("declaring")
HELPING: Final = Manner._fields.index("helping")
DEFENDING: Final = Manner._fields.index("defending")


_PLAY_2026_11: Final = Play(
    fed=0.6,
    given=0.35,
    rich=0.0,
    tempo=0.0,
    twice=0.4,
    one_of_many=0.4,
    ruffs=0.6,
    trumps_declarer=1.0,
    trumps_helper=1.0,
    trumps_other=1.0,
    draws=1.2,
    draws_low=0.0,
    long_low=NEVER,
    draws_out=0.0,
    draws_winners=0.0,
    spends=0.5,
    spends_master=0.0,
    cashes=0.0,
    opens=0.0,
    long=0.6,
    master_trump=1.6,
    low_trump=0.35,
    high_trump=0.5,
    trump_counter=0.0,
    lone=0.0,
    master=0.7,
    master_trumps_gone=1.0,
    last_of_suit=0.1,
    last_trumps_gone=0.3,
    counter=0.25,
    loser=0.02,
    voids=0.0,
    saves=0.0,
    fade=0.0,
)
MANNER_2026_11: Final = Manner(_PLAY_2026_11, _PLAY_2026_11, _PLAY_2026_11._replace(long=NEVER))
MANNERS: Final = {"2026-11": MANNER_2026_11}
"""Manners that are kept as yardsticks, whatever is found since: by the month they come from."""


# Fitted by bench/manner.py on seeds 7001 to 7010 of partnership, double-deck and three-handed.
_PARTNERS: Final = Manner(
    declaring=_PLAY_2026_11._replace(
        given=0.28,
        draws=2.4,
        draws_low=-3.0,
        long_low=0.7,
        opens=0.7,
        low_trump=0.12,
        high_trump=1.0,
        trump_counter=0.5,
        lone=2.0,
        master=0.53,
        counter=1.7,
        voids=-0.6,
        fade=-0.8,
    ),
    helping=_PLAY_2026_11._replace(
        trumps_other=1.2,
        counter=0.55,
        saves=0.7,
    ),
    defending=_PLAY_2026_11._replace(
        twice=0.6,
        trumps_helper=0.0,
        spends=2.0,
        cashes=0.5,
        long=NEVER,
        master_trump=2.02,
        master=0.35,
        voids=0.3,
    ),
)
_DOUBLE: Final = Manner(
    declaring=_PLAY_2026_11._replace(
        tempo=-0.3,
        draws_low=-3.0,
        draws_out=0.4,
        spends_master=0.3,
        opens=0.7,
        long=0.3,
        master_trump=3.24,
        low_trump=0.28,
        high_trump=1.62,
        trump_counter=0.5,
        lone=2.0,
        last_of_suit=-0.05,
        loser=0.17,
        fade=-0.8,
    ),
    helping=_PLAY_2026_11._replace(
        trumps_other=1.4,
        long=1.2,
        master=1.37,
        last_of_suit=-0.2,
        counter=0.55,
        voids=0.15,
        saves=0.89,
        fade=-0.8,
    ),
    defending=_PLAY_2026_11._replace(
        rich=-0.4,
        trumps_helper=0.2,
        spends=3.12,
        spends_master=0.3,
        cashes=0.3,
        long=NEVER,
        master_trump=2.5,
        counter=-0.05,
        saves=0.5,
        fade=-4.0,
    ),
)
_ALONE: Final = Manner(
    declaring=_PLAY_2026_11._replace(
        fed=0.0,
        tempo=-0.07,
        long_low=1.5,
        draws_winners=0.07,
        spends=0.57,
        long=0.75,
        lone=1.0,
        fade=-0.6,
    ),
    helping=_PLAY_2026_11._replace(),
    defending=_PLAY_2026_11._replace(
        given=0.15,
        trumps_other=0.2,
        spends=2.0,
        spends_master=0.6,
        cashes=0.3,
        opens=0.15,
        long=NEVER,
        master_trump=2.0,
        high_trump=1.1,
        master=0.53,
        voids=0.4,
        fade=-0.4,
    ),
)


def manner(rules: Rules) -> Manner:
    """How cards are played at a table: with partners, with more cards of each kind, each alone.

    Where nobody declares nothing was fitted.
    """
    if rules.auction is None:
        return MANNER_2026_11
    if rules.partners:
        return _PARTNERS if rules.deck.copies <= 2 else _DOUBLE
    return _ALONE


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


class HandWeights(NamedTuple):
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


OVERCALL: Final = 0.6
"""Spreads by which a hand must be better than its limit to overcall the partner."""


_learned: Final[dict[Rules, HandWeights]] = {}


@lru_cache(maxsize=64)
def hand_weights(rules: Rules) -> HandWeights:
    """The numbers for a table: as they were learned or as they are shipped, else derived."""
    return _learned.get(bid_alike(rules)) or _shipped(rules) or derived(rules)


def lacks(rules: Rules) -> bool:
    """Whether no numbers were measured for a table at which people bid."""
    alike = bid_alike(rules)
    return rules.auction is not None and alike not in _learned and _shipped(rules) is None


def learn(rules: Rules, its: HandWeights) -> None:
    """Go by these numbers at a table, in this process, and wherever hands are worth the same."""
    _learned[bid_alike(rules)] = its
    hand_weights.cache_clear()


@lru_cache(maxsize=64)
def bid_alike(rules: Rules) -> Rules:
    """The rules without all on which the worth of a hand does not depend.

    That is what they are called, how far a game goes, and what becomes of mistakes.
    """
    law, points = rules.auction, points_of(rules.scoring.card_points)
    if law is not None:
        stuck = stuck_for(law) if law.all_pass is AllPass.DEALER else None
        law = replace(law, stuck_bid=stuck)
    return replace(
        rules,
        auction=law,
        **dict.fromkeys(("title", "source", "short", "description", "author", "base"), ""),
        variant="any",
        players=(rules.seats,),
        deal=replace(rules.deal, hand=(rules.hand_size,)),
        play=replace(rules.play, renege=Renege.REFUSE),
        scoring=replace(rules.scoring, concede=Concede.NEVER, card_points=points[:RANKS]),
        ending=Ending(target=1000),
        options=(),
    )


@lru_cache(maxsize=64)
def _shipped(rules: Rules) -> HandWeights | None:
    """The numbers measured for a way to play the game, or its base, if it is played like that."""
    alike = bid_alike(rules)
    for way in gauged(rules):
        if way.rules.seats == rules.seats and bid_alike(way.rules) == alike:
            return HandWeights(**way.numbers)
    return None


def derived(rules: Rules) -> HandWeights:
    """The numbers where none were measured: with partners, with a kitty, or with a draw."""
    hand, seats = rules.hand_size, rules.seats
    if rules.partners:
        passed = rules.exchange.exchange / 4
        double = rules.deck.copies > 2
        return HandWeights(
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
        return HandWeights(1.3, 0.8, 0.6, 0.3, 0.7, 0.45, 0.28, 0.11, 0.0, 0.4, 0.1)
    share = hand * (1 / seats - 1 / 4)
    draws = 0.015 * (hand - 4) if Phase.REDRAW in rules.phases else 0.0
    return HandWeights(0.3 + 0.6 * share, 0.58, 0.7, 0.4, 0.1, 0.0, draws, 0.02, 0.0, 0.22, 0.0)


@lru_cache(maxsize=64)
def run_worth(rules: Rules) -> int:
    """Points of a run, by which meld and doubt are measured.

    At a table without runs they are what a run is worth beside the points in play of most tables.
    """
    return rules.melds.run[0] or max(1, most_in_play(rules, rules.seats) * 3 // 5)


@lru_cache(maxsize=64)
def trick_worth(rules: Rules, players: int) -> float:
    """Card points of an average trick."""
    most = most_in_play(rules, players)
    if Phase.STOCK_PLAY in rules.phases:  # every card of the stock is drawn and played
        return most / (rules.deck.size // players)
    if rules.deal.stock:  # of cards that may stay undealt half are counters
        most = rules.scoring.last_trick + (most - rules.scoring.last_trick) // 2
    return most / rules.hand_size

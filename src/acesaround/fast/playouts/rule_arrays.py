"""Rules as numbers: the arrays that kernels read, built once for each table.

In kernels a *set of kinds* has bit `k` for kind `k`. A *hand* is a row of such sets, one for each
copy in the deck: row[i] has the kinds of which the hand holds more than i cards. So row[0] has the
cards to choose from, a hand holds a meld as often as its sets contain the meld, and no count needs
unpacking. The numbers come from the engine's own tables and functions; no rule is written here.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from acesaround import heuristic_weights
from acesaround.cards import CARDS, KINDS, RANKS, kinds, members
from acesaround.rules import KeepMeld, MeldTable, Phase, Rules
from acesaround.rules.laydown import CANDIDATES, candidates
from acesaround.rules.support import Feature, require_support
from acesaround.rules.tricks import beats, must_beat, points_of, saving

Integers = NDArray[np.int64]

# Fields of `RuleArrays.numbers`.
PLAYERS: Final = 0
COPIES: Final = 1
HAND: Final = 2  # cards dealt to each player
LAST: Final = 3  # points of the last trick
BROKEN: Final = 4  # whether trump may be led freely from the start
MARRIAGE: Final = 5  # whether trump needs a marriage
KITTY: Final = 6  # cards in the kitty; the declarer takes them and buries as many
EXCHANGE: Final = 7  # cards that each partner gives the declarer, and gets back
REDRAW: Final = 8  # cards that each player may exchange with undealt ones
STOCK: Final = 9  # cards to draw between tricks, including the upcard, whose suit is trump
PARTNER: Final = 10  # distance in players from one partner to the next; 0 without partners
FROM_HAND: Final = 11  # whether a meld that is laid needs a card from the hand
SAVED_BY: Final = 12  # what saves meld in play: an index into `KeepMeld`
LEAST_PLAY: Final = 13  # points that a side needs in play for its meld to count
LEAST_MELD: Final = 14  # points of meld that a side needs for its meld to count
PARTNERS: Final = 15  # number of partners of each player
VOID_TRUMPS: Final = 16  # whether a hand void in the suit led must play even a losing trump
RUN: Final = 17  # points of a run, see `heuristic_weights.run_worth`
DEFENDERS_MELD: Final = 18  # whether players outside the declarer's side meld too
BEAT_PLAIN: Final = 19  # whether a follower must beat if able when a plain suit was led
BEAT_TRUMP: Final = 20  # and when trump was led
TURNED: Final = 21  # 1: a card of the dealer's names trump; 2: a nine may take it; 3: a nine must
MUST: Final = 3  # TURNED if a nine must take the card
AFTER_STOCK: Final = 22  # whether a meld may be laid after the trick that empties the stock
NINE_TURNED: Final = 23  # points of the dealer if a nine is turned up next to the stock
NINE_BESIDE: Final = 24  # whether a player may lay another meld after a nine of trump
BEFORE_DRAW: Final = 25  # whether a meld is laid before cards are drawn
NUMBERS: Final = 26

# Fields of `RuleArrays.gauge`, from `heuristic_weights.HandWeights`. In thousandths of a trick:
MILLE: Final = 1000
BASE: Final = 0
OF_TRUMP: Final = 1
OF_TRUMP_ACE: Final = 2
OF_TRUMP_TEN: Final = 3
OF_ACE: Final = 4
OF_TEN: Final = 5
# In thousandths of a run:
GROWTH: Final = 6
ONE_SHORT: Final = 7
TWO_SHORT: Final = 8
# In thousandths of a point, the worth of a trick:
TRICK: Final = 9

# Fields of `RuleArrays.laying`, from `laydown.Candidate`.
GROUP: Final = 0
CARDS_OF: Final = 1
PAIRS: Final = 2
BESIDE: Final = 3
WORTH: Final = 4  # points as a new meld; the next field has those as a grown meld
LAYING: Final = 6


BITS: Final = 10
SURE: Final = 1 << BITS
"""The probability 1 in fixed point: a probability is an integer from 0 to SURE."""


class RuleArrays(NamedTuple):
    """The rules of a table. Players are counted in turn from 0, independent of their seats."""

    numbers: Integers
    deck: Integers
    """The kind of each card of the deck: (size,)."""
    suits: Integers
    """The set of the kinds of each suit: (4,)."""
    beating: Integers
    """The set of the kinds that beat each kind under each trump: (4, 24)."""
    points: Integers
    """Card points of each kind: (24,)."""
    counter: Integers
    """Whether each kind saves meld when it is won in a trick: (24,)."""
    side: Integers
    """The side of each player, an index into `Rules.sides`: (players,)."""
    sides: Integers
    """A zero for each side of the rules, present or not: (sides,)."""
    gauge: Integers
    """The weights of a hand for its declarer, in the fields from BASE to TRICK: (10,)."""
    manners: Integers
    """The weights of each player's card play, times SURE, with a row for each part of a
    `Manner`: (players, parts, numbers)."""
    laying: Integers
    """The melds that may be laid between tricks under each trump, by number: (4, 12, LAYING)."""


def rule_arrays(rules: Rules, seats: tuple[int, ...]) -> RuleArrays:
    """Return the rules as arrays, for a deal in which `seats` play.

    Raises RulesError for rules that the kernels do not support.
    """
    return _flat(rules, seats, heuristic_weights.hand_weights(rules))


@lru_cache(maxsize=64)
def _flat(rules: Rules, seats: tuple[int, ...], gauge: heuristic_weights.HandWeights) -> RuleArrays:
    require_support(rules, Feature.PLAYOUTS, "the fast kernels")
    numbers = np.zeros(NUMBERS, np.int64)
    numbers[PLAYERS] = len(seats)
    numbers[COPIES] = rules.deck.copies
    numbers[HAND] = rules.hand_size
    numbers[LAST] = rules.scoring.last_trick
    numbers[BROKEN] = not rules.play.trump_must_be_broken
    if rules.auction is not None:
        numbers[MARRIAGE] = rules.auction.marriage_needed
    if Phase.KITTY in rules.phases:
        numbers[KITTY] = rules.exchange.bury
    if Phase.EXCHANGE in rules.phases:
        numbers[EXCHANGE] = rules.exchange.exchange
    if Phase.REDRAW in rules.phases:
        numbers[REDRAW] = rules.most_redrawn(len(seats))
    if rules.deal.stock and rules.deal.upcard:
        numbers[STOCK] = rules.deck.size - len(seats) * rules.hand_size
    if rules.deal.upcard and not rules.deal.stock:
        asked = Phase.UPCARD in rules.phases
        numbers[TURNED] = 1 + asked + (asked and rules.deal.nine_must_take)
    numbers[FROM_HAND] = rules.melds.meld_from_hand
    numbers[AFTER_STOCK] = rules.melds.meld_after_stock
    numbers[NINE_TURNED] = rules.melds.nine_turned_up
    numbers[NINE_BESIDE] = rules.melds.nine_beside
    numbers[BEFORE_DRAW] = rules.melds.meld_before_draw
    numbers[SAVED_BY] = list(KeepMeld).index(rules.scoring.keep_meld)
    numbers[LEAST_PLAY], numbers[LEAST_MELD] = rules.scoring.least_play, rules.scoring.least_meld
    numbers[PARTNERS] = rules.side_size - 1
    if rules.partners:
        numbers[PARTNER] = len(seats) // rules.side_size
    numbers[RUN] = heuristic_weights.run_worth(rules)
    numbers[VOID_TRUMPS] = rules.play.void_must_trump
    numbers[DEFENDERS_MELD] = rules.melds.defenders_meld
    numbers[BEAT_PLAIN] = must_beat(rules.play.must_beat, trump_led=False)
    numbers[BEAT_TRUMP] = must_beat(rules.play.must_beat, trump_led=True)
    return RuleArrays(
        numbers=numbers,
        deck=np.array(rules.deck.cards, np.int64),
        suits=np.array([((1 << RANKS) - 1) << (RANKS * suit) for suit in range(4)], np.int64),
        beating=np.array(
            [
                [sum(1 << c for c in range(KINDS) if beats(c, other, trump)) for other in CARDS]
                for trump in range(4)
            ],
            np.int64,
        ),
        points=np.array(points_of(rules.scoring.card_points), np.int64),
        counter=np.array(saving(rules.scoring.keep_meld), np.int64),
        side=np.array([rules.side_of(seat) for seat in seats], np.int64),
        sides=np.zeros(len(rules.sides), np.int64),
        gauge=gauged(rules, gauge, len(seats)),
        manners=np.array([manner(heuristic_weights.manner(rules))] * len(seats)),
        laying=_laying(rules.melds),
    )


def gauged(rules: Rules, its: heuristic_weights.HandWeights, players: int) -> Integers:
    """Return hand weights as integers, in the fields from BASE to TRICK: (10,)."""
    tricks = its.base, its.trump, its.trump_ace, its.trump_ten, its.ace, its.ten
    runs = its.growth, its.one_short, its.two_short
    trick = heuristic_weights.trick_worth(rules, players)
    return np.array([round(MILLE * part) for part in (*tricks, *runs, trick)], np.int64)


def manner(its: heuristic_weights.Manner) -> Integers:
    """Return the weights of one player's card play, as a row of `RuleArrays.manners`."""
    return np.array([[round(SURE * number) for number in play] for play in its], np.int64)


def _laying(table: MeldTable) -> Integers:
    table = msgspec.structs.replace(table, others=())  # `require_support`: no house melds
    found = np.zeros((4, CANDIDATES, LAYING), np.int64)
    found[:, :, CARDS_OF] = 1 << KINDS  # no hand has this bit: a meld that the table lacks
    for trump in range(4):
        for its in candidates(table, trump):
            worth = (meld.points for meld in its.laid)
            sets = (kind_set(cards) for cards in (its.cards, its.pairs, its.beside))
            found[trump, its.number] = its.group, *sets, *worth
    return found


def kind_set(cards: int) -> int:
    """Return the kinds in a packed hand of the engine, as a set of kinds."""
    return sum(1 << card for card in members(kinds(cards)))

"""Rules as numbers: what a kernel needs to know of them, in arrays made once for each table.

In kernels a *set of kinds* has bit `k` for kind `k`, and a *hand* is a row of such sets, one for
each copy in the deck: row[i] has the kinds of which the hand holds more than i cards. So row[0] is
what may be chosen from, a meld is there as often as it lies within a set, and no count is ever
unpacked. The numbers come from the engine's own tables and functions: no rule stands here.
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

# Fields of `Flat.numbers`.
PLAYERS: Final = 0
COPIES: Final = 1
HAND: Final = 2  # cards dealt to each player
LAST: Final = 3  # points of the last trick
BROKEN: Final = 4  # whether trump may be led freely from the start
MARRIAGE: Final = 5  # whether trump needs a marriage
KITTY: Final = 6  # cards of the kitty, which the declarer takes and as many of which are buried
EXCHANGE: Final = 7  # cards each partner of the declarer gives, and gets back
REDRAW: Final = 8  # cards each may exchange with the undealt ones
STOCK: Final = 9  # cards to be drawn between tricks, the upcard included, whose suit is trump
PARTNER: Final = 10  # how many players on a partner sits, and each further one; 0 for nobody
FROM_HAND: Final = 11  # whether a meld that is laid needs a card from the hand
SAVED_BY: Final = 12  # what saves meld in play, by its place in `KeepMeld`
LEAST_PLAY: Final = 13  # points a side needs in play,
LEAST_MELD: Final = 14  # and of meld, for its meld to count
PARTNERS: Final = 15  # how many partners each player has
VOID_TRUMPS: Final = 16  # whether a hand void in the suit led plays a trump that cannot win
RUN: Final = 17  # points of a run, see `weights.run_worth`
DEFENDERS_MELD: Final = 18  # whether others meld than the declarer's side
BEAT_PLAIN: Final = 19  # whether one must beat if able where a plain suit was led,
BEAT_TRUMP: Final = 20  # and where trump was
TURNED: Final = 21  # 1 where a card of the dealer's names trump, 2 where a nine may take it, 3 must
MUST: Final = 3  # what TURNED is there
AFTER_STOCK: Final = 22  # whether a meld may be laid after the trick that empties the stock
NINE_TURNED: Final = 23  # what a nine turned up beside the stock scores for the dealer
NINE_BESIDE: Final = 24  # whether a nine of trump leaves the turn to another meld
BEFORE_DRAW: Final = 25  # whether a meld is laid before cards are drawn
NUMBERS: Final = 26

# What a hand is worth to its declarer: see `weights`. In thousandths of a trick,
MILLE: Final = 1000
BASE: Final = 0
OF_TRUMP: Final = 1
OF_TRUMP_ACE: Final = 2
OF_TRUMP_TEN: Final = 3
OF_ACE: Final = 4
OF_TEN: Final = 5
# of a run,
GROWTH: Final = 6
ONE_SHORT: Final = 7
TWO_SHORT: Final = 8
# and of a point: what a trick is worth.
TRICK: Final = 9

# Fields of `Flat.laying`: those of `laydown.Candidate`.
GROUP: Final = 0
CARDS_OF: Final = 1
PAIRS: Final = 2
BESIDE: Final = 3
WORTH: Final = 4  # the points when laid anew, and in the next field when grown
LAYING: Final = 6


BITS: Final = 10
SURE: Final = 1 << BITS
"""The chance of what is certain: a chance is a part of it."""


class RuleArrays(NamedTuple):
    """The rules of a table of `players`, counted in turn from 0 whatever their seats."""

    numbers: Integers
    deck: Integers
    """Every card of the deck once, by kind: (size,)."""
    suits: Integers
    """The set of the kinds of each suit: (4,)."""
    beating: Integers
    """The set of the kinds that beat each kind under each trump: (4, 24)."""
    points: Integers
    """Card points of each kind: (24,)."""
    counter: Integers
    """Whether each kind saves meld, won in a trick: (24,)."""
    side: Integers
    """The side of each player, an index into `Rules.sides`: (players,)."""
    sides: Integers
    """A zero for each side of the rules, present or not: (sides,)."""
    gauge: Integers
    """What a hand is worth to its declarer, see BASE: (10,)."""
    manners: Integers
    """How each player plays cards, a row for each part of a `weights.Manner`, times SURE:
    (players, parts, numbers)."""
    laying: Integers
    """The melds that may be laid between tricks under each trump, by number: (4, 12, LAYING)."""


def rule_arrays(rules: Rules, seats: tuple[int, ...]) -> RuleArrays:
    """The rules as arrays, for a deal in which `seats` play.

    Raises RulesError for rules that kernels have no room for.
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
    """A gauge in whole numbers, see BASE: (10,)."""
    tricks = its.base, its.trump, its.trump_ace, its.trump_ten, its.ace, its.ten
    runs = its.growth, its.one_short, its.two_short
    trick = heuristic_weights.trick_worth(rules, players)
    return np.array([round(MILLE * part) for part in (*tricks, *runs, trick)], np.int64)


def manner(its: heuristic_weights.Manner) -> Integers:
    """How somebody plays cards, as `Flat.manners` has it."""
    return np.array([[round(SURE * number) for number in play] for play in its], np.int64)


def _laying(table: MeldTable) -> Integers:
    table = msgspec.structs.replace(table, others=())  # `supported` refuses to lay a table's own
    found = np.zeros((4, CANDIDATES, LAYING), np.int64)
    found[:, :, CARDS_OF] = 1 << KINDS  # which nobody holds: a meld the table does not know
    for trump in range(4):
        for its in candidates(table, trump):
            worth = (meld.points for meld in its.laid)
            sets = (kind_set(cards) for cards in (its.cards, its.pairs, its.beside))
            found[trump, its.number] = its.group, *sets, *worth
    return found


def kind_set(cards: int) -> int:
    """The kinds that a packed hand of the engine holds, as a set of kinds."""
    return sum(1 << card for card in members(kinds(cards)))

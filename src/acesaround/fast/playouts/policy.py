"""A fast player of cards for kernels, by rules of thumb. What it does before play is in `hands`.

It plays as the bot `thumb` does, with the same weights, so that what is tried in a kernel comes out
as it would at a table. It sees what its seat may see, draws no lots and remembers nothing: neither
who could not follow, nor who has shown what. The same hand, trick and unseen cards get the same
card. Chances are reckoned as if the unseen cards were spread evenly, in whole numbers: a chance is
a part of `SURE`, what a card is worth is in card points times `SURE`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64

from acesaround import weights
from acesaround.cards import KINDS, RANKS, Rank
from acesaround.fast.compiled import inlined, lean, lowest, ones
from acesaround.fast.playouts.flat import Flat
from acesaround.fast.playouts.stakes import BITS, SURE, Stakes
from acesaround.supported import HOPE_BITS, MOST_COPIES

Array: TypeAlias = Any  # of int64; numba infers it

_SHARES: Final = 256  # steps in which a hand's share of the unseen cards is told
_MOST: Final = MOST_COPIES * RANKS + 1  # more than the cards of any suit
_NONE: Final = np.array(
    [
        [round(SURE * (1 - share / _SHARES) ** number) for number in range(_MOST)]
        for share in range(_SHARES + 1)
    ],
    np.int64,
)
"""_NONE[share, number]: the chance that a hand holds none of so many unseen cards."""
_PART: Final = np.array(
    [[round(SURE * min(part, of) / max(of, 1)) for of in range(_MOST)] for part in range(_MOST)],
    np.int64,
)
"""_PART[part, of]: what part of so many that is."""

_SEAT: Final = 4  # bits of a side in `Table.sides`
_SEAT_MASK: Final = (1 << _SEAT) - 1
_FIELD: Final = 5  # bits of a rank's points in `Table.points`
_FIELD_MASK: Final = (1 << _FIELD) - 1
_SHARE: Final = np.array(
    [(_SHARES << BITS) // max(number, 1) + 1 for number in range(MOST_COPIES * KINDS + 1)]
)
"""_SHARE[number]: the share of one card in so many, times SURE."""

_ACE, _KING = int(Rank.ACE), int(Rank.KING)
_HOPE_MASK: Final = (1 << HOPE_BITS) - 1

# The weights, in parts of SURE: see `weights`.
_FED: Final = round(SURE * weights.FED)
_GIVEN: Final = round(SURE * weights.GIVEN)
_TWICE: Final = round(SURE * weights.TWICE)
_ONE_OF_MANY: Final = round(SURE * weights.ONE_OF_MANY)
_RUFFS: Final = round(SURE * weights.RUFFS)
_MASTER_TRUMP: Final = round(SURE * weights.MASTER_TRUMP)
_LOW_TRUMP: Final = round(SURE * weights.LOW_TRUMP)
_HIGH_TRUMP: Final = round(SURE * weights.HIGH_TRUMP)
_MASTER: Final = round(SURE * weights.MASTER)
_MASTER_TRUMPS_GONE: Final = round(SURE * weights.MASTER_TRUMPS_GONE)
_LAST_OF_SUIT: Final = round(SURE * weights.LAST_OF_SUIT)
_LAST_TRUMPS_GONE: Final = round(SURE * weights.LAST_TRUMPS_GONE)
_COUNTER: Final = round(SURE * weights.COUNTER)
_LOSER: Final = round(SURE * weights.LOSER)
_DRAWS: Final = round(SURE * weights.DRAWS)
_SPENDS: Final = round(SURE * weights.SPENDS)
_LONG: Final = round(SURE * weights.LONG)


class Table(NamedTuple):
    """The rules that a player needs to know, as plain numbers."""

    players: int
    sides: int
    """The side of each player, in fields of `_SEAT` bits."""
    two_sides: bool
    points: int
    """What each rank is worth, in fields of `_FIELD` bits."""


class Seen(NamedTuple):
    """What lies open to a player who is to play, as plain numbers."""

    table: Table
    out: int
    """The unseen cards, neither in this hand nor played: bit k is set where there are any of kind
    k, and bit 24 + k where their number is even, none being none."""
    more: int
    """Bit k is set where there are three or more, bit 24 + k where there are five or more: each of
    these bits stands for two cards."""
    size: int
    """Cards in this hand."""
    own_trumps: int
    """Those of them that are trumps."""
    cards: int
    """Cards in the trick."""
    on_table: int
    """Points in the trick."""
    led: int
    """Its first card."""
    best: int
    """The kind now winning it."""
    beating: int
    """The set of the kinds that beat that."""
    turn: int
    winner: int
    """The player who has the trick so far."""
    trump: int
    stock: int
    """Cards still to be drawn: suit must be followed when there are none."""
    stakes: Stakes


class _Sight(NamedTuple):
    """What one seat reckons with while it chooses a card; see `Seen`."""

    out: int
    more: int
    own_trumps: int
    trumps_out: int
    """Trumps unseen."""
    share: int
    """The share of another hand in the unseen cards, see `_NONE`."""
    trump: int
    stock: int
    points: int
    to_come: int
    """Seats that play after this one."""
    friends: int
    """Those of them that score with this one: bit 0 is the next seat."""
    won_more: int
    """What they will add to a trick this side wins, times SURE."""
    lost_more: int
    loss: int
    """How much a point lost counts."""
    led: int
    """The suit led."""
    best: int
    beating: int
    ours: bool
    """Whether this side has the trick so far."""
    on_table: int
    stakes: Stakes


@inlined
def _suit(suit: int) -> int:
    """The set of the kinds of a suit."""
    return ((1 << RANKS) - 1) << (RANKS * suit)


@inlined
def _unseen(sight: _Sight, kinds: int) -> int:
    """How many unseen cards there are of a set of kinds."""
    twice = kinds | kinds << KINDS
    return ones(sight.out & twice) + 2 * ones(sight.more & twice)


@inlined
def _points(sight: _Sight, kind: int) -> int:
    """Card points of a kind."""
    return sight.points >> (_FIELD * (kind % RANKS)) & _FIELD_MASK


@lean
def table(flat: Flat) -> Table:
    """What a player needs of the rules."""
    points, sides, players = int64(0), int64(0), flat.side.shape[0]
    for rank in range(RANKS):
        points |= flat.points[rank] << (_FIELD * rank)
    for player in range(players):
        sides |= flat.side[player] << (_SEAT * player)
    return Table(players, sides, flat.sides.shape[0] == 2, points)


@inlined
def see(
    table: Table,
    hands: Array,
    left: Array,
    row: int,
    trick: Array,
    cards: int,
    on_table: int,
    turn: int,
    winner: int,
    best: int,
    beating: int,
    trump: int,
    stock: int,
    stakes: Stakes,
) -> Seen:
    """What the player whose turn it is sees; of `hands` it looks into its own alone.

    `left`: the cards not played yet, and `row` which of its rows this player goes by. `cards` lie
    in `trick`, worth `on_table`; `winner` has it so far with the kind `best`, which the set
    `beating` beats. `stock`: cards still to be drawn. `stakes`: what hangs on the trick.
    """
    copies, trumps = hands.shape[1], _suit(trump)
    out, more, size, own_trumps = int64(0), int64(0), int64(0), int64(0)
    for number in range(copies):  # more than `number` cards of a kind are unseen
        kinds = int64(0)
        for held in range(copies - number):
            kinds |= left[row, held + number] & ~hands[turn, held]
        out ^= kinds << KINDS if number else kinds
        if number == 2 or number == 4:
            more |= kinds << (KINDS * (number >> 2))
        size += ones(hands[turn, number])
        own_trumps += ones(hands[turn, number] & trumps)
    return Seen(
        table=table,
        out=out,
        more=more,
        size=size,
        own_trumps=own_trumps,
        cards=cards,
        on_table=on_table,
        led=trick[0],
        best=best,
        beating=beating,
        turn=turn,
        winner=winner,
        trump=trump,
        stock=stock,
        stakes=stakes,
    )


@inlined
def _side(table: Table, player: int) -> int:
    """The side of a player."""
    return table.sides >> (_SEAT * player) & _SEAT_MASK


@inlined
def _sight(seen: Seen) -> _Sight:
    """What follows from what is seen."""
    table, trumps = seen.table, _suit(seen.trump)
    twice = trumps | trumps << KINDS
    to_come = table.players - 1 - seen.cards
    friends, number, its, mine = int64(0), int64(0), seen.turn, _side(table, seen.turn)
    for at in range(to_come):
        its = its + 1 if its + 1 < table.players else int64(0)
        if _side(table, its) == mine:
            friends |= int64(1) << at
            number += 1
    unit = table.points >> (_FIELD * _ACE) & _FIELD_MASK
    unseen = ones(seen.out) + 2 * ones(seen.more)
    loss = SURE if table.two_sides else _ONE_OF_MANY
    return _Sight(
        out=seen.out,
        more=seen.more,
        own_trumps=seen.own_trumps,
        trumps_out=ones(seen.out & twice) + 2 * ones(seen.more & twice),
        share=min(seen.size * _SHARE[unseen] >> BITS, _SHARES),
        trump=seen.trump,
        stock=seen.stock,
        points=table.points,
        to_come=to_come,
        friends=friends,
        won_more=unit * (number * _FED + (to_come - number) * _GIVEN),
        lost_more=unit * (number * _GIVEN + (to_come - number) * _FED),
        loss=loss,
        led=seen.led // RANKS,
        best=seen.best,
        beating=seen.beating,
        ours=_side(table, max(seen.winner, 0)) == mine,
        on_table=seen.on_table,
        stakes=seen.stakes,
    )


@inlined
def _taken(sight: _Sight, suit: int, higher: int, led: int, of_led: int) -> int:
    """How likely a seat beats a card of `suit`, if it holds any of `higher` unseen ones above it.

    `of_led`: how many cards of the suit led are unseen.
    """
    above: int = SURE - _NONE[sight.share, higher]
    lacks: int = _NONE[sight.share, of_led]
    if suit == sight.trump:
        return above if led == suit or sight.stock else (above * lacks) >> BITS
    ruffs: int = SURE - _NONE[sight.share, sight.trumps_out]
    if sight.stock == 0:
        return above + ((ruffs * lacks) >> BITS)
    ruffs = (ruffs * _RUFFS) >> BITS
    return SURE - (((SURE - above) * (SURE - ruffs)) >> BITS)


@inlined
def _kept(sight: _Sight, taken: int, ours: bool) -> int:
    """How likely this side wins the trick, if each seat to come beats its best card so often."""
    chance = SURE if ours else 0
    again = (taken * _TWICE) >> BITS if ours else taken
    for at in range(sight.to_come):
        if sight.friends >> at & 1:
            chance += ((SURE - chance) * again) >> BITS
        else:
            chance -= (chance * taken) >> BITS
    return chance


@inlined
def _in_hand(sight: _Sight, kind: int, higher: int, of_suit: int) -> int:
    """What a card is worth in hand for later tricks, in parts of SURE of an ace's points.

    `higher`, `of_suit`: how many unseen cards of its suit there are above it, and in all.
    """
    lower: int = _PART[of_suit - higher, of_suit]
    if kind // RANKS == sight.trump:
        return _LOW_TRUMP + ((_HIGH_TRUMP * lower) >> BITS) if higher else _MASTER_TRUMP
    if of_suit == 0:
        return _LAST_OF_SUIT if sight.trumps_out else _LAST_TRUMPS_GONE
    if higher == 0:
        return _MASTER if sight.trumps_out else _MASTER_TRUMPS_GONE
    return ((_COUNTER if kind % RANKS <= _KING else _LOSER) * lower) >> BITS


@inlined
def _value(sight: _Sight, kind: int, chance: int, higher: int, of_suit: int) -> int:
    """What playing a card brings, in parts of SURE of a point: the trick, less what it leaves.

    `chance`: how likely this side then wins the trick.
    """
    stakes, its = sight.stakes, _points(sight, kind)
    points = (sight.on_table + its) << BITS
    keep = _in_hand(sight, kind, higher, of_suit) * _points(sight, _ACE)
    won = ((points + sight.won_more) * stakes.factor) // SURE + (stakes.any << BITS)
    if stakes.saves:
        won += (stakes.saves << BITS) // (1 if its or sight.on_table else 2)
    if sight.stock:
        word = stakes.hopes[kind // RANKS] >> HOPE_BITS * (kind % RANKS)
        keep += (word & _HOPE_MASK) << BITS
    lost = ((points + sight.lost_more) * sight.loss) >> BITS
    return ((chance * won - (SURE - chance) * lost) >> BITS) - keep


@lean
def _lead(sight: _Sight, legal: int) -> int:
    """The card to lead: sure winners, trumps when long in them, else what costs least."""
    drawing = int64(0)
    if sight.trumps_out:
        long = sight.stakes.draws and (sight.own_trumps << BITS) >= _LONG * sight.trumps_out
        drawing = (_DRAWS if long else -_SPENDS) * _points(sight, _ACE)
    chosen: int = int64(-1)
    top, of_suit, suit = int64(0), int64(0), int64(-1)
    while legal:
        kind = lowest(legal)
        legal &= legal - 1
        if kind // RANKS != suit:
            suit = kind // RANKS
            of_suit = _unseen(sight, _suit(suit))
        higher = _unseen(sight, _suit(suit) & ((1 << kind) - 1))
        chance = _kept(sight, _taken(sight, suit, higher, suit, of_suit), True)
        value = _value(sight, kind, chance, higher, of_suit)
        if suit == sight.trump:
            value += drawing
        if chosen < 0 or value > top:
            chosen, top = kind, value
    return chosen


@lean
def _follow(sight: _Sight, legal: int) -> int:
    """The card to play to another's lead: win the trick, feed it to the partner, or let it go."""
    led, beating = sight.led, sight.beating
    of_led, without = _unseen(sight, _suit(led)), int64(0)
    if legal & ~beating:
        suit = sight.best // RANKS
        higher = _unseen(sight, _suit(suit) & beating)
        without = _kept(sight, _taken(sight, suit, higher, led, of_led), sight.ours)
    chosen: int = int64(-1)
    top = int64(0)
    while legal:
        kind = lowest(legal)
        legal &= legal - 1
        suit = kind // RANKS
        higher = _unseen(sight, _suit(suit) & ((1 << kind) - 1))
        of_suit = of_led if suit == led else _unseen(sight, _suit(suit))
        chance = without
        if beating >> kind & 1:
            chance = _kept(sight, _taken(sight, suit, higher, led, of_led), True)
        value = _value(sight, kind, chance, higher, of_suit)
        if chosen < 0 or value > top:
            chosen, top = kind, value
    return chosen


@lean
def card(seen: Seen, legal: int) -> int:
    """Which of the set `legal` to play."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    sight = _sight(seen)
    return _follow(sight, legal) if seen.cards else _lead(sight, legal)

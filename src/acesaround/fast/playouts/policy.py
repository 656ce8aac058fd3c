"""The heuristic card play policy for kernels. `hand_evaluation` has its decisions before play.

The policy plays like the bot `thumb`, with the same weights, so that rollouts match play at a
table. It sees only what its seat may see. It is deterministic and has no memory: it tracks neither
voids nor cards that players have shown. The same hand, trick and unseen cards give the same card.

Probabilities assume that the unseen cards are spread evenly. They are integers from 0 to `SURE`.
The worth of a card is in card points times `SURE`.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numba import int64

from acesaround import heuristic_weights
from acesaround.cards import KINDS, RANKS, Rank
from acesaround.fast.jit import arrayless_kernel, inlined, lowest, ones
from acesaround.fast.playouts.rule_arrays import BITS, SURE, RuleArrays
from acesaround.fast.playouts.trick_stakes import Stakes
from acesaround.rules.support import HOPE_BITS, MOST_COPIES

Array: TypeAlias = Any  # of int64; numba infers it

_SHARES: Final = 256  # resolution of a hand's share of the unseen cards
_MOST: Final = MOST_COPIES * RANKS + 1  # more than the cards of any suit
_NONE: Final = np.array(
    [
        [round(SURE * (1 - share / _SHARES) ** number) for number in range(_MOST)]
        for share in range(_SHARES + 1)
    ],
    np.int64,
)
"""_NONE[share, number]: the probability that a hand holds none of so many unseen cards."""
_PART: Final = np.array(
    [[round(SURE * min(part, of) / max(of, 1)) for of in range(_MOST)] for part in range(_MOST)],
    np.int64,
)
"""_PART[part, of]: the fraction `part / of`, at most 1, times SURE."""

_PART_BITS: Final = 2
_PART_MASK: Final = (1 << _PART_BITS) - 1
_SEAT: Final = 4  # bits of a side in `Table.sides`
_SEAT_MASK: Final = (1 << _SEAT) - 1
_LENGTH: Final = 8  # bits of a suit's length in `PolicyView.lengths`
_LENGTH_MASK: Final = (1 << _LENGTH) - 1
_FIELD: Final = 5  # bits of a rank's points in `Table.points`
_FIELD_MASK: Final = (1 << _FIELD) - 1
_SHARE: Final = np.array(
    [(_SHARES << BITS) // max(number, 1) + 1 for number in range(MOST_COPIES * KINDS + 1)]
)
"""_SHARE[number]: the share of one card in so many, in units of 1 / _SHARES times SURE."""

_EVERY_SUIT: Final = sum(1 << (RANKS * suit) for suit in range(4))
"""The set of the highest kind of each suit."""

_DECLARING: Final = heuristic_weights.DECLARING
_HELPING: Final = heuristic_weights.HELPING
_DEFENDING: Final = heuristic_weights.DEFENDING
_ACE, _KING = int(Rank.ACE), int(Rank.KING)
_HOPE_MASK: Final = (1 << HOPE_BITS) - 1

# The columns of `RuleArrays.manners`: the fields of `heuristic_weights.Play`.
_AT: Final = {name: at for at, name in enumerate(heuristic_weights.Play._fields)}
_FED: Final = _AT["fed"]
_GIVEN: Final = _AT["given"]
_RICH: Final = _AT["rich"]
_TEMPO: Final = _AT["tempo"]
_TWICE: Final = _AT["twice"]
_ONE_OF_MANY: Final = _AT["one_of_many"]
_RUFFS: Final = _AT["ruffs"]
_TRUMPS: Final = np.array([_AT[f"trumps_{who}"] for who in ("declarer", "helper", "other")])
"""The columns of the factor on a seat's share of trumps, by the part of a manner it plays."""
_DRAWS: Final = _AT["draws"]
_DRAWS_LOW: Final = _AT["draws_low"]
_LONG_LOW: Final = _AT["long_low"]
_DRAWS_OUT: Final = _AT["draws_out"]
_DRAWS_WINNERS: Final = _AT["draws_winners"]
_SPENDS: Final = _AT["spends"]
_SPENDS_MASTER: Final = _AT["spends_master"]
_CASHES: Final = _AT["cashes"]
_OPENS: Final = _AT["opens"]
_LONG: Final = _AT["long"]
_MASTER_TRUMP: Final = _AT["master_trump"]
_LOW_TRUMP: Final = _AT["low_trump"]
_HIGH_TRUMP: Final = _AT["high_trump"]
_TRUMP_COUNTER: Final = _AT["trump_counter"]
_LONE: Final = _AT["lone"]
_MASTER: Final = _AT["master"]
_MASTER_TRUMPS_GONE: Final = _AT["master_trumps_gone"]
_LAST_OF_SUIT: Final = _AT["last_of_suit"]
_LAST_TRUMPS_GONE: Final = _AT["last_trumps_gone"]
_COUNTER: Final = _AT["counter"]
_LOSER: Final = _AT["loser"]
_VOIDS: Final = _AT["voids"]
_SAVES: Final = _AT["saves"]
_FADE: Final = _AT["fade"]


class Table(NamedTuple):
    """The rules that the policy needs, as plain numbers."""

    players: int
    sides: int
    """The side of each player, in fields of `_SEAT` bits."""
    two_sides: bool
    points: int
    """The points of each rank, in fields of `_FIELD` bits."""
    manners: Array
    """See `RuleArrays.manners`."""


class PolicyView(NamedTuple):
    """The view of the player on turn, as plain numbers."""

    table: Table
    out: int
    """The unseen cards, neither in this hand nor played: bit k is set if there are any of kind k,
    and bit 24 + k if their number is even and not 0."""
    more: int
    """Bit k is set if there are three or more, bit 24 + k if there are five or more. Each of these
    bits counts for two cards."""
    size: int
    """Cards in this hand."""
    lengths: int
    """Cards of each suit in this hand, in fields of `_LENGTH` bits."""
    cards: int
    """Cards in the trick."""
    on_table: int
    """Points in the trick."""
    led: int
    """The first card of the trick."""
    best: int
    """The kind now winning the trick."""
    beating: int
    """The set of the kinds that beat `best`."""
    turn: int
    winner: int
    """The player now winning the trick."""
    trump: int
    stock: int
    """Cards still to be drawn: suit must be followed when there are none."""
    stakes: Stakes


class _Sight(NamedTuple):
    """The values that one seat derives from its `PolicyView` to choose a card."""

    out: int
    more: int
    play: Array
    """The weights in use, a row of `RuleArrays.manners`."""
    lengths: int
    own_trumps: int
    trumps_out: int
    """Trumps unseen."""
    share: int
    """The share of another hand in the unseen cards, see `_NONE`."""
    trump: int
    stock: int
    fade: int
    """The part of its worth that a card in hand loses, times SURE."""
    points: int
    to_come: int
    """Seats that play after this one."""
    friends: int
    """The partners among them, as bits: bit 0 is the next seat."""
    parts: int
    """The part of a `Manner` of each of them, in fields of `_PART_BITS` bits."""
    won_more: int
    """The points they are expected to add to a trick that this side wins, times SURE."""
    lost_more: int
    """The points they are expected to add to a trick that this side loses, times SURE."""
    loss: int
    """The weight of a point lost, times SURE."""
    led: int
    """The suit led."""
    best: int
    beating: int
    ours: bool
    """Whether this side is winning the trick."""
    on_table: int
    stakes: Stakes


@inlined
def _suit(suit: int) -> int:
    """Return the set of the kinds of a suit."""
    return ((1 << RANKS) - 1) << (RANKS * suit)


@inlined
def _unseen(sight: _Sight, kinds: int) -> int:
    """Return how many unseen cards there are of a set of kinds."""
    twice = kinds | kinds << KINDS
    return ones(sight.out & twice) + 2 * ones(sight.more & twice)


@inlined
def _points(sight: _Sight, kind: int) -> int:
    """Return the card points of a kind."""
    return sight.points >> (_FIELD * (kind % RANKS)) & _FIELD_MASK


@arrayless_kernel
def table(flat: RuleArrays) -> Table:
    """Return the rules that the policy needs."""
    points, sides, players = int64(0), int64(0), flat.side.shape[0]
    for rank in range(RANKS):
        points |= flat.points[rank] << (_FIELD * rank)
    for player in range(players):
        sides |= flat.side[player] << (_SEAT * player)
    return Table(players, sides, flat.sides.shape[0] == 2, points, flat.manners)


@inlined
def observe(
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
) -> PolicyView:
    """Return what the player on turn sees. Only that player's own row of `hands` is read.

    `left`: the cards not played yet; `row`: the row of it for this player. `cards`: the number of
    cards in `trick`, with `on_table` points. `winner` is winning the trick with the kind `best`,
    which the kinds of the set `beating` beat. `stock`: cards still to be drawn.
    """
    copies = hands.shape[1]
    out, more, size, lengths = int64(0), int64(0), int64(0), int64(0)
    for number in range(copies):  # kinds of which more than `number` cards are unseen
        kinds = int64(0)
        for copy in range(copies - number):
            kinds |= left[row, copy + number] & ~hands[turn, copy]
        out ^= kinds << KINDS if number else kinds
        if number == 2 or number == 4:
            more |= kinds << (KINDS * (number >> 2))
        held = hands[turn, number]
        size += ones(held)
        for suit in range(4):
            lengths += ones(held & _suit(suit)) << (_LENGTH * suit)
    return PolicyView(
        table=table,
        out=out,
        more=more,
        size=size,
        lengths=lengths,
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
    """Return the side of a player."""
    return table.sides >> (_SEAT * player) & _SEAT_MASK


@inlined
def _richness(seen: PolicyView, unit: int, unseen: int, rich: int) -> int:
    """Return the factor on what other players add to a trick, times SURE.

    The factor is 1 if the unseen cards have half an ace's points on average. `rich`: the weight of
    a difference from that average.
    """
    points: int = int64(0)
    for rank in range(RANKS):
        its = _EVERY_SUIT << rank
        twice = its | its << KINDS
        number = ones(seen.out & twice) + 2 * ones(seen.more & twice)
        points += number * (seen.table.points >> (_FIELD * rank) & _FIELD_MASK)
    mean = (2 * points << BITS) // max(unseen * unit, 1)
    return SURE + ((rich * (mean - SURE)) >> BITS)


@inlined
def _sight(seen: PolicyView) -> _Sight:
    """Return the values that follow from a view."""
    table, trumps = seen.table, _suit(seen.trump)
    twice = trumps | trumps << KINDS
    to_come = table.players - 1 - seen.cards
    friends, number, its, mine = int64(0), int64(0), seen.turn, _side(table, seen.turn)
    parts, declarer = int64(0), seen.stakes.declared - 1
    theirs = _side(table, declarer) if declarer >= 0 else int64(-1)
    for at in range(to_come):
        its = its + 1 if its + 1 < table.players else int64(0)
        side = _side(table, its)
        part = _HELPING if side == theirs else _DEFENDING
        parts |= int64(_DECLARING if its == declarer else part) << (_PART_BITS * at)
        if side == mine:
            friends |= int64(1) << at
            number += 1
    unit = table.points >> (_FIELD * _ACE) & _FIELD_MASK
    unseen = ones(seen.out) + 2 * ones(seen.more)
    play = table.manners[seen.turn, seen.stakes.part]
    won = unit * (number * play[_FED] + (to_come - number) * play[_GIVEN])
    lost = unit * (number * play[_GIVEN] + (to_come - number) * play[_FED])
    if play[_RICH]:
        scale = _richness(seen, unit, unseen, play[_RICH])
        won, lost = (won * scale) >> BITS, (lost * scale) >> BITS
    loss = SURE if table.two_sides else play[_ONE_OF_MANY]
    return _Sight(
        out=seen.out,
        more=seen.more,
        play=play,
        lengths=seen.lengths,
        own_trumps=seen.lengths >> (_LENGTH * seen.trump) & _LENGTH_MASK,
        fade=play[_FADE] // max(seen.size, 1),
        trumps_out=ones(seen.out & twice) + 2 * ones(seen.more & twice),
        share=min(seen.size * _SHARE[unseen] >> BITS, _SHARES),
        trump=seen.trump,
        stock=seen.stock,
        points=table.points,
        to_come=to_come,
        friends=friends,
        parts=parts,
        won_more=won,
        lost_more=lost,
        loss=loss,
        led=seen.led // RANKS,
        best=seen.best,
        beating=seen.beating,
        ours=_side(table, max(seen.winner, 0)) == mine,
        on_table=seen.on_table,
        stakes=seen.stakes,
    )


@inlined
def _of_trumps(sight: _Sight, at: int) -> int:
    """Return the share of the unseen trumps of a seat still to play; see `_Sight.share`."""
    part = sight.parts >> (_PART_BITS * at) & _PART_MASK
    share: int = min((sight.share * sight.play[_TRUMPS[part]]) >> BITS, _SHARES)
    return share


@inlined
def _taken(sight: _Sight, at: int, suit: int, higher: int, led: int, of_led: int) -> int:
    """Return the probability that a seat beats a card of `suit`, times SURE.

    `at`: the index of the seat among those still to play. `higher`: the number of unseen cards of
    the suit above the card. `led`: the suit led. `of_led`: the number of its unseen cards.
    """
    trumps, plain = _of_trumps(sight, at), sight.share
    lacks: int = _NONE[plain, of_led]
    above: int = SURE - _NONE[trumps if suit == sight.trump else plain, higher]
    if suit == sight.trump:
        return above if led == suit or sight.stock else (above * lacks) >> BITS
    ruffs: int = SURE - _NONE[trumps, sight.trumps_out]
    if sight.stock == 0:
        return above + ((ruffs * lacks) >> BITS)
    ruffs = (ruffs * sight.play[_RUFFS]) >> BITS
    return SURE - (((SURE - above) * (SURE - ruffs)) >> BITS)


@inlined
def _kept(sight: _Sight, suit: int, higher: int, led: int, of_led: int, ours: bool) -> int:
    """Return the probability that this side wins the trick, times SURE.

    Each seat still to play is assumed to beat the best card if it can. That card is of `suit` and
    has `higher` unseen cards above it. `ours`: whether this side is winning the trick with it.
    """
    chance = SURE if ours else 0
    for at in range(sight.to_come):
        taken = _taken(sight, at, suit, higher, led, of_led)
        if sight.friends >> at & 1:
            again = (taken * sight.play[_TWICE]) >> BITS if ours else taken
            chance += ((SURE - chance) * again) >> BITS
        else:
            chance -= (chance * taken) >> BITS
    return chance


@inlined
def _in_hand(sight: _Sight, kind: int, higher: int, of_suit: int) -> int:
    """Return the worth of a card in hand for later tricks, in an ace's points times SURE.

    `higher`, `of_suit`: the numbers of unseen cards of its suit above it, and in all.
    """
    lower: int = _PART[of_suit - higher, of_suit]
    play, suit, counts = sight.play, kind // RANKS, kind % RANKS <= _KING
    worth: int
    if suit == sight.trump:
        worth = play[_MASTER_TRUMP]
        if higher:
            worth = play[_LOW_TRUMP] + ((play[_HIGH_TRUMP] * lower) >> BITS)
            worth += play[_TRUMP_COUNTER] if counts else 0
        return worth + play[_LONE] if sight.own_trumps == 1 else worth
    if of_suit == 0:
        worth = play[_LAST_OF_SUIT] if sight.trumps_out else play[_LAST_TRUMPS_GONE]
    elif higher == 0:
        worth = play[_MASTER] if sight.trumps_out else play[_MASTER_TRUMPS_GONE]
    else:
        worth = (play[_COUNTER if counts else _LOSER] * lower) >> BITS
        if sight.own_trumps and sight.lengths >> (_LENGTH * suit) & _LENGTH_MASK == 1:
            worth -= play[_VOIDS]
    return worth


@inlined
def _value(sight: _Sight, kind: int, chance: int, higher: int, of_suit: int) -> int:
    """Return the value of playing a card: the trick minus the card's worth in hand.

    The unit is points times SURE. `chance`: the probability that this side then wins the trick.
    """
    stakes, its = sight.stakes, _points(sight, kind)
    points = (sight.on_table + its) << BITS
    keep = (_in_hand(sight, kind, higher, of_suit) * (SURE - sight.fade)) >> BITS
    keep *= _points(sight, _ACE)
    won = ((points + sight.won_more) * stakes.factor) // SURE + (stakes.any << BITS)
    if stakes.saves:
        won += (stakes.saves << BITS) // (1 if its or sight.on_table else 2)
    if sight.stock:
        word = stakes.hopes[kind // RANKS] >> HOPE_BITS * (kind % RANKS)
        keep += (word & _HOPE_MASK) << BITS
    lost = ((points + sight.lost_more) * sight.loss) >> BITS
    return ((chance * won - (SURE - chance) * lost) >> BITS) - keep


@inlined
def _drawing(sight: _Sight, legal: int) -> int:
    """Return the worth of leading trump besides the trick, for a player long in trump.

    The unit is an ace's points times SURE.
    """
    play, winners = sight.play, int64(0)
    worth: int = play[_DRAWS] + play[_DRAWS_OUT] * sight.trumps_out
    if play[_DRAWS_WINNERS]:
        plain = legal & ~_suit(sight.trump)
        while plain:
            kind = lowest(plain)
            plain &= plain - 1
            winners += _unseen(sight, _suit(kind // RANKS) & ((1 << kind) - 1)) == 0
        worth += play[_DRAWS_WINNERS] * winners
    return worth


@inlined
def _beside(sight: _Sight, kind: int, higher: int, long: bool, drawing: int) -> int:
    """Return the worth of leading a card besides the trick, in points times SURE.

    Leading trump draws the other players' trumps or, if not `long` in them, spends an own one.
    """
    play, suit = sight.play, kind // RANKS
    worth: int = int64(0)
    if sight.trumps_out == 0:
        return worth
    if suit != sight.trump:
        if higher == 0:
            worth = play[_CASHES]
        elif _points(sight, kind):
            worth = -play[_OPENS]
    elif long:
        worth = drawing
        if higher and (sight.own_trumps << BITS) < play[_LONG_LOW] * sight.trumps_out:
            worth += play[_DRAWS_LOW]
    else:
        worth = -play[_SPENDS] if higher else -play[_SPENDS] - play[_SPENDS_MASTER]
    return worth * _points(sight, _ACE)


@arrayless_kernel
def _lead(sight: _Sight, legal: int) -> int:
    """Return the card to lead: sure winners, trumps when long in them, else the cheapest card."""
    drawing, tempo = int64(0), sight.play[_TEMPO] * _points(sight, _ACE)
    long = (sight.own_trumps << BITS) >= sight.play[_LONG] * sight.trumps_out
    if long and sight.trumps_out:
        drawing = _drawing(sight, legal)
    chosen: int = int64(-1)
    top, of_suit, suit = int64(0), int64(0), int64(-1)
    while legal:
        kind = lowest(legal)
        legal &= legal - 1
        if kind // RANKS != suit:
            suit = kind // RANKS
            of_suit = _unseen(sight, _suit(suit))
        higher = _unseen(sight, _suit(suit) & ((1 << kind) - 1))
        chance = _kept(sight, suit, higher, suit, of_suit, True)
        value = _value(sight, kind, chance, higher, of_suit)
        value += _beside(sight, kind, higher, long, drawing) + ((tempo * chance) >> BITS)
        if chosen < 0 or value > top:
            chosen, top = kind, value
    return chosen


@arrayless_kernel
def _follow(sight: _Sight, legal: int) -> int:
    """Return the card to follow with: win the trick, feed it to the partner, or give it up."""
    led, beating = sight.led, sight.beating
    of_led, without = _unseen(sight, _suit(led)), int64(0)
    tempo = sight.play[_TEMPO] * _points(sight, _ACE)
    saves = sight.play[_SAVES] * _points(sight, _ACE)
    if legal & ~beating:
        suit = sight.best // RANKS
        higher = _unseen(sight, _suit(suit) & beating)
        without = _kept(sight, suit, higher, led, of_led, sight.ours)
    chosen: int = int64(-1)
    top = int64(0)
    while legal:
        kind = lowest(legal)
        legal &= legal - 1
        suit = kind // RANKS
        higher = _unseen(sight, _suit(suit) & ((1 << kind) - 1))
        of_suit = of_led if suit == led else _unseen(sight, _suit(suit))
        chance, beside = without, int64(0)
        if beating >> kind & 1:
            chance = _kept(sight, suit, higher, led, of_led, True)
            beside = (tempo * chance) >> BITS
        elif higher == 0:
            beside = -saves
        value = _value(sight, kind, chance, higher, of_suit) + beside
        if chosen < 0 or value > top:
            chosen, top = kind, value
    return chosen


@arrayless_kernel
def card(seen: PolicyView, legal: int) -> int:
    """Return the kind to play from the set `legal`."""
    if legal & (legal - 1) == 0:
        return lowest(legal)
    sight = _sight(seen)
    return _follow(sight, legal) if seen.cards else _lead(sight, legal)

"""A deal in a kernel from the shuffle to the first lead: declarer, trump, kitty, exchange, draw.

The order is that of the phases in the rules. There is no auction. With the heuristic policy the
player whose own hand promises most declares; with the random policy a random player does. The
random policy also skips passing, burying and redrawing card by card, because random hands stay
random. So the kitty is buried as it is, and nothing else changes.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.cards import RANKS
from acesaround.fast.jit import arrayless_kernel, inlined
from acesaround.fast.playouts.hand_evaluation import (
    BURY,
    DISCARD,
    GIVE,
    RETURN,
    evaluate_packed_hand,
    next_discard,
)
from acesaround.fast.playouts.melding import MARRIAGES, meld_loss_per_card, of_suit, pattern, worth
from acesaround.fast.playouts.packed_deal import (
    BEST,
    BROKEN,
    DECLARED,
    LEADER,
    TRICKS,
    TRUMP,
    TURN,
    WINNER,
    Packed,
    add,
    remove,
    use_declarer_knowledge,
)
from acesaround.fast.playouts.packed_deal import STOCK as STOCK_LEFT
from acesaround.fast.playouts.play_loop import RULES_OF_THUMB
from acesaround.fast.playouts.rng import advance, random_below, random_member, shuffle
from acesaround.fast.playouts.rule_arrays import BROKEN as BROKEN_AT_FIRST
from acesaround.fast.playouts.rule_arrays import (
    EXCHANGE,
    HAND,
    KITTY,
    MARRIAGE,
    MUST,
    NINE_TURNED,
    PARTNER,
    PARTNERS,
    PLAYERS,
    REDRAW,
    STOCK,
    TURNED,
    RuleArrays,
)

Array: TypeAlias = Any  # of int64; numba infers it

# Fields of `facts`, the results of `play_to_first_lead` besides the packed deal.
DECLARER: Final = 0  # a player, or -1 without an auction
NAMED: Final = 1  # trump, or -1 if the declarer has no marriage: then nothing is played
BURIED: Final = 2  # points of the buried cards
TAKER: Final = 3  # the player whose nine took the dealer's upcard, or -1
DEALER: Final = 4
FACTS: Final = 5


@arrayless_kernel
def deal(flat: RuleArrays, packed: Packed, cards: Array, chance: int) -> int:
    """Shuffle, deal and reset the packed deal. Return the random stream after that.

    `cards`: scratch for the deck. The undealt cards are its last ones afterwards.
    """
    numbers, place, hands, left = flat.numbers, packed.place, packed.hands, packed.left
    players, hand, size = numbers[PLAYERS], numbers[HAND], flat.deck.shape[0]
    dealt, whole = players * hand, int64(0)
    for at in range(size):
        cards[at] = flat.deck[at]
        whole |= int64(1) << cards[at]
    # A hand has no order, so the cards of the last hand need no shuffling.
    chance = shuffle(chance, cards, size - hand if dealt == size else size)
    for copy in range(hands.shape[1]):
        for row in range(left.shape[0]):
            left[row, copy] = whole
        for player in range(players):
            hands[player, copy] = 0
    for player in range(players):
        for at in range(player * hand, player * hand + hand):
            add(hands, player, cards[at])
        packed.trick[player] = -1
        packed.down[player] = 0
        packed.grown[player] = 0
        packed.meld[player] = 0
    for at in range(packed.stock.shape[0]):
        packed.stock[at] = cards[dealt + at]
    for side in range(packed.won.shape[0]):
        packed.won[side] = packed.counters[side] = 0
    place[:] = 0
    place[BEST] = place[WINNER] = -1
    place[BROKEN] = numbers[BROKEN_AT_FIRST]
    place[STOCK_LEFT] = numbers[STOCK]
    place[TRICKS] = hand + numbers[STOCK] // players
    return chance


@arrayless_kernel
def _taken(flat: RuleArrays, melds: Array, hands: Array, dealer: int, upcard: int) -> int:
    """Return the player who takes the upcard by the heuristics, or -1.

    The upcard moves from the dealer's hand to that player's. The nine given for it stays where it
    is (see `move_nine`).
    """
    numbers, trump = flat.numbers, upcard // RANKS
    players, nine = numbers[PLAYERS], trump * RANKS + RANKS - 1
    if upcard == nine:
        return -1
    for away in range(1, players):
        player = (dealer + away) % players
        if hands[player, 0] >> nine & 1:
            before = worth(melds, hands, player, trump)
            add(hands, player, upcard)
            more = worth(melds, hands, player, trump) > before
            must = numbers[TURNED] == MUST
            if must or more or flat.side[player] != flat.side[dealer]:
                remove(hands, dealer, upcard)
                taker: int = int64(player)
                return taker
            remove(hands, player, upcard)
    return -1


@inlined
def move_nine(packed: Packed, facts: Array, back: bool) -> None:
    """Move the nine that took the upcard to the dealer, or back to its player for the melds."""
    taker, dealer, nine = facts[TAKER], facts[DEALER], facts[NAMED] * RANKS + RANKS - 1
    if taker >= 0:
        remove(packed.hands, dealer if back else taker, nine)
        add(packed.hands, taker if back else dealer, nine)


@arrayless_kernel
def play_to_first_lead(
    flat: RuleArrays,
    melds: Array,
    packed: Packed,
    cards: Array,
    policy: int,
    chance: int,
    loss: Array,
    facts: Array,
) -> int:
    """Bring a fresh deal to its first lead. Return the random stream after that.

    `cards`: the deck as `deal` left it. `policy`: that of all players. `loss`: scratch for a number
    of each kind. `facts`: receives the fields below FACTS. Afterwards the dealer holds the nine of
    a TAKER, although the taker melds with it: see `move_nine`.
    """
    numbers, place, hands = flat.numbers, packed.place, packed.hands
    players, thumb = numbers[PLAYERS], policy == RULES_OF_THUMB
    facts[TAKER] = facts[DEALER] = int64(-1)
    rest = players * numbers[HAND]
    declarer, trump, buried = int64(-1), int64(-1), int64(0)
    chance = advance(chance)
    leader = random_below(chance, players)
    if numbers[STOCK]:
        upcard = cards[rest + numbers[STOCK] - 1]
        trump = upcard // RANKS
        if upcard % RANKS == RANKS - 1:
            packed.meld[(leader + players - 1) % players] = numbers[NINE_TURNED]
    elif numbers[TURNED]:
        facts[DEALER] = (leader + players - 1) % players
        chance = advance(chance)
        upcard = cards[facts[DEALER] * numbers[HAND] + random_below(chance, numbers[HAND])]
        trump = upcard // RANKS
        if numbers[TURNED] > 1:
            facts[TAKER] = _taken(flat, melds, hands, facts[DEALER], upcard)
    else:
        if thumb:
            leader = _most_promising(flat, melds, hands)
        declarer = leader
        if numbers[KITTY] and thumb:
            take_kitty(flat, hands, declarer, cards, rest)
            buried = bury(flat, melds, hands, declarer, loss)
        else:
            for at in range(rest, rest + numbers[KITTY]):
                buried += flat.points[cards[at]]
        if thumb:
            trump = best_trump(flat, melds, hands, declarer, numbers[MARRIAGE] != 0)
        else:
            chance = advance(chance)
            trump = _any_trump(melds, hands, declarer, numbers[MARRIAGE] != 0, chance)
        if thumb and trump >= 0:
            exchange(flat, melds, hands, declarer, trump, 0, loss)
            redraw(flat, melds, hands, declarer, trump, cards, rest, -1, 0, loss)
    facts[DECLARER], facts[NAMED], facts[BURIED] = declarer, trump, buried
    move_nine(packed, facts, False)
    place[TRUMP], place[LEADER], place[TURN] = max(trump, 0), leader, leader
    place[DECLARED] = declarer + 1
    use_declarer_knowledge(packed)
    return chance


@arrayless_kernel
def best_trump(flat: RuleArrays, melds: Array, hands: Array, player: int, marriage: bool) -> int:
    """Return the suit that promises most, or -1. With `marriage` the suit must have a marriage."""
    best: int = int64(-1)
    most: int = int64(0)
    for suit in range(4):
        if marriage and of_suit(melds, MARRIAGES, pattern(melds, hands, player, suit)) == 0:
            continue
        promised = evaluate_packed_hand(
            flat, hands[player], suit, worth(melds, hands, player, suit)
        )
        if best < 0 or promised > most:
            best, most = int64(suit), promised
    return best


@arrayless_kernel
def _most_promising(flat: RuleArrays, melds: Array, hands: Array) -> int:
    """Return the player whose own hand promises most with its best trump."""
    best: int = int64(0)
    most: int = int64(-1)
    for player in range(flat.numbers[PLAYERS]):
        suit = best_trump(flat, melds, hands, player, flat.numbers[MARRIAGE] != 0)
        if suit >= 0:
            promised = evaluate_packed_hand(
                flat, hands[player], suit, worth(melds, hands, player, suit)
            )
            if promised > most:
                best, most = int64(player), promised
    return best


@arrayless_kernel
def _any_trump(melds: Array, hands: Array, player: int, marriage: bool, chance: int) -> int:
    """Return a random suit, or -1. With `marriage` the suit must have a marriage."""
    possible: int = int64(0)
    for suit in range(4):
        if not marriage or of_suit(melds, MARRIAGES, pattern(melds, hands, player, suit)):
            possible |= int64(1) << suit
    if possible == 0:
        return -1
    return random_member(chance, possible)


@arrayless_kernel
def _let_go(
    flat: RuleArrays, melds: Array, hands: Array, player: int, trump: int, loss: Array, purpose: int
) -> int:
    """Return the next card that a player gives up, or -1. `loss`: scratch, one number a kind."""
    meld_loss_per_card(melds, hands, player, trump, loss)
    return next_discard(flat, hands[player], trump, loss, purpose)


@arrayless_kernel
def take_kitty(flat: RuleArrays, hands: Array, declarer: int, cards: Array, top: int) -> None:
    """Add the kitty to the declarer's hand. The kitty begins at `top` in `cards`."""
    for at in range(top, top + flat.numbers[KITTY]):
        add(hands, declarer, cards[at])


@arrayless_kernel
def bury(flat: RuleArrays, melds: Array, hands: Array, declarer: int, loss: Array) -> int:
    """Bury as many cards as the kitty had. Return their points."""
    buried: int = int64(0)
    trump = best_trump(flat, melds, hands, declarer, flat.numbers[MARRIAGE] != 0)
    for _ in range(flat.numbers[KITTY]):
        kind = _let_go(flat, melds, hands, declarer, max(trump, 0), loss, BURY)
        remove(hands, declarer, kind)
        buried += flat.points[kind]
    return buried


@arrayless_kernel
def exchange(
    flat: RuleArrays, melds: Array, hands: Array, declarer: int, trump: int, first: int, loss: Array
) -> None:
    """Pass cards from the declarer's partners to the declarer, and as many back.

    `first`: the number of passings that were made before.
    """
    numbers = flat.numbers
    if numbers[EXCHANGE] == 0:
        return
    for number in range(first, 2 * numbers[PARTNERS]):
        giver, taker = passing(flat, declarer, number)
        purpose = RETURN if giver == declarer else GIVE
        for _ in range(numbers[EXCHANGE]):
            kind = _let_go(flat, melds, hands, giver, trump, loss, purpose)
            remove(hands, giver, kind)
            add(hands, taker, kind)


@inlined
def passing(flat: RuleArrays, declarer: int, number: int) -> tuple[int, int]:
    """Return the giver and the taker of passing `number` (see `game.phases.exchange`)."""
    numbers = flat.numbers
    partners = numbers[PARTNERS]
    other = (declarer + (number % partners + 1) * numbers[PARTNER]) % numbers[PLAYERS]
    return (declarer, other) if number >= partners else (other, declarer)


@arrayless_kernel
def redraw(
    flat: RuleArrays,
    melds: Array,
    hands: Array,
    declarer: int,
    trump: int,
    cards: Array,
    top: int,
    settled: int,
    number: int,
    loss: Array,
) -> None:
    """Let each player discard and draw as many undealt cards, the declarer first.

    Discards of other players have no influence. `top`: the index in `cards` of the first undealt
    card. `settled`: a player whose `number` discards have already left the hand, or -1.
    """
    numbers = flat.numbers
    if numbers[REDRAW] == 0:
        return
    players = numbers[PLAYERS]
    for its in range(players):
        player, thrown = (declarer + its) % players, int64(0)
        if player == settled:
            thrown = int64(number)
        while player != settled and thrown < numbers[REDRAW]:
            kind = _let_go(flat, melds, hands, player, trump, loss, DISCARD)
            if kind < 0:
                break
            remove(hands, player, kind)
            thrown += 1
        for at in range(top, top + thrown):
            add(hands, player, cards[at])
        top += thrown

"""A deal in a kernel from the shuffle to the first lead: declarer, trump, kitty, exchange, draw.

The order is that of the phases in the rules. There is no auction. With the heuristic policy the
player whose own hand promises most declares; with the random policy a random player does. The
random policy also skips passing, burying and redrawing card by card, because random hands stay
random. So the declarer buries the kitty itself, and nothing else changes.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from numba import int64

from acesaround.cards import RANK_COUNT
from acesaround.fast.jit import arrayless_kernel, inlined_kernel
from acesaround.fast.playouts.hand_evaluation import (
    BURY,
    DISCARD,
    GIVE,
    RETURN,
    evaluate_packed_hand,
    next_discard,
)
from acesaround.fast.playouts.meld_values import (
    MARRIAGE_ROW,
    hand_meld,
    meld_loss_per_card,
    suit_entry,
    suit_pattern,
)
from acesaround.fast.playouts.packed_deal import (
    BEST_KIND,
    DECLARER_NUMBER,
    LEADER,
    TRICKS_LEFT,
    TRUMP,
    TRUMP_BROKEN,
    TURN,
    WINNER,
    PackedDeal,
    add_card,
    remove_card,
    use_declarer_knowledge,
)
from acesaround.fast.playouts.packed_deal import STOCK_LEFT as STOCK_LEFT
from acesaround.fast.playouts.play_loop import HEURISTIC
from acesaround.fast.playouts.rng import advance, random_below, random_member, shuffle
from acesaround.fast.playouts.rule_arrays import (
    EXCHANGE_SIZE,
    HAND_SIZE,
    KITTY_SIZE,
    MAX_REDRAW,
    NEEDS_MARRIAGE,
    NINE_MUST_TAKE,
    NINE_TURNED_POINTS,
    PARTNER_COUNT,
    PARTNER_DISTANCE,
    PLAYER_COUNT,
    STOCK_SIZE,
    UPCARD_RULE,
    Integers,
    RuleArrays,
)
from acesaround.fast.playouts.rule_arrays import MAY_LEAD_TRUMP as BROKEN_AT_FIRST

Array: TypeAlias = Any  # of int64; numba infers it

# Fields of `facts`, the results of `play_to_first_lead` besides the packed deal.
DECLARER: Final = 0  # a player, or -1 without an auction
NAMED_TRUMP: Final = 1  # trump, or -1 if the declarer has no marriage: then no card is played
BURIED_POINTS: Final = 2  # points of the buried cards
UPCARD_TAKER: Final = 3  # the player whose nine took the dealer's upcard, or -1
DEALER: Final = 4
FACT_COUNT: Final = 5


class PreparationBuffers(NamedTuple):
    """Work memory and results of a setup, because kernels create no arrays."""

    cards: Integers
    """The deck: after `deal_cards` its last cards are the undealt ones."""
    loss: Integers
    """A number of each kind."""
    facts: Integers
    """Receives the fields below FACT_COUNT."""


class Redraw(NamedTuple):
    """The undealt cards from which players redraw, and discards that were made before.

    `first_card`: the index in `cards` of the first undealt card. `settled_player`: a player whose
    `settled_count` discards have already left the hand, or -1.
    """

    cards: Integers
    first_card: int
    settled_player: int
    settled_count: int


@arrayless_kernel
def deal_cards(rule_arrays: RuleArrays, packed: PackedDeal, cards: Array, rng_state: int) -> int:
    """Shuffle, deal and reset the packed deal. Return the random stream after that.

    `cards`: scratch for the deck. The undealt cards are its last ones afterwards.
    """
    params, status, hands, unplayed = (
        rule_arrays.params,
        packed.status,
        packed.hands,
        packed.unplayed,
    )
    players, hand_size, deck_size = (
        params[PLAYER_COUNT],
        params[HAND_SIZE],
        rule_arrays.deck.shape[0],
    )
    dealt_count, all_kinds = players * hand_size, int64(0)
    for at in range(deck_size):
        cards[at] = rule_arrays.deck[at]
        all_kinds |= int64(1) << cards[at]
    # A hand has no order, so the cards of the last hand need no shuffling.
    rng_state = shuffle(
        rng_state, cards, deck_size - hand_size if dealt_count == deck_size else deck_size
    )
    for copy in range(hands.shape[1]):
        for row in range(unplayed.shape[0]):
            unplayed[row, copy] = all_kinds
        for player in range(players):
            hands[player, copy] = 0
    for player in range(players):
        for at in range(player * hand_size, player * hand_size + hand_size):
            add_card(hands, player, cards[at])
        packed.trick[player] = -1
        packed.laid_melds[player] = 0
        packed.growth_state[player] = 0
        packed.meld_points[player] = 0
    for at in range(packed.stock.shape[0]):
        packed.stock[at] = cards[dealt_count + at]
    for side in range(packed.points_won.shape[0]):
        packed.points_won[side] = packed.won_counter[side] = 0
    status[:] = 0
    status[BEST_KIND] = status[WINNER] = -1
    status[TRUMP_BROKEN] = params[BROKEN_AT_FIRST]
    status[STOCK_LEFT] = params[STOCK_SIZE]
    status[TRICKS_LEFT] = hand_size + params[STOCK_SIZE] // players
    return rng_state


@arrayless_kernel
def _take_upcard(
    rule_arrays: RuleArrays, meld_tables: Array, hands: Array, dealer: int, upcard: int
) -> int:
    """Return the player who takes the upcard by the heuristics, or -1.

    The upcard moves from the dealer's hand to that player's. The nine given for it stays in its
    place (see `move_nine`).
    """
    params, trump = rule_arrays.params, upcard // RANK_COUNT
    players, nine = params[PLAYER_COUNT], trump * RANK_COUNT + RANK_COUNT - 1
    if upcard == nine:
        return -1
    for distance in range(1, players):
        player = (dealer + distance) % players
        if hands[player, 0] >> nine & 1:
            meld_before = hand_meld(meld_tables, hands, player, trump)
            add_card(hands, player, upcard)
            gains_meld = hand_meld(meld_tables, hands, player, trump) > meld_before
            must_take = params[UPCARD_RULE] == NINE_MUST_TAKE
            if (
                must_take
                or gains_meld
                or rule_arrays.side_of_player[player] != rule_arrays.side_of_player[dealer]
            ):
                remove_card(hands, dealer, upcard)
                taker: int = int64(player)
                return taker
            remove_card(hands, player, upcard)
    return -1


@inlined_kernel
def move_nine(packed: PackedDeal, facts: Array, to_taker: bool) -> None:
    """Move the nine that took the upcard to the dealer, or back to its player for the melds."""
    taker, dealer, nine = (
        facts[UPCARD_TAKER],
        facts[DEALER],
        facts[NAMED_TRUMP] * RANK_COUNT + RANK_COUNT - 1,
    )
    if taker >= 0:
        remove_card(packed.hands, dealer if to_taker else taker, nine)
        add_card(packed.hands, taker if to_taker else dealer, nine)


@arrayless_kernel
def play_to_first_lead(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    packed: PackedDeal,
    policy: int,
    rng_state: int,
    buffers: PreparationBuffers,
) -> int:
    """Bring a fresh deal to its first lead. Return the random stream after that.

    `policy`: that of all players. Afterwards the dealer holds the nine of an UPCARD_TAKER, although
    the taker melds with it: see `move_nine`.
    """
    cards, loss, facts = buffers.cards, buffers.loss, buffers.facts
    params, status, hands = rule_arrays.params, packed.status, packed.hands
    players, is_heuristic = params[PLAYER_COUNT], policy == HEURISTIC
    facts[UPCARD_TAKER] = facts[DEALER] = int64(-1)
    first_undealt = players * params[HAND_SIZE]
    declarer, trump, buried_points = int64(-1), int64(-1), int64(0)
    rng_state = advance(rng_state)
    leader = random_below(rng_state, players)
    if params[STOCK_SIZE]:
        upcard = cards[first_undealt + params[STOCK_SIZE] - 1]
        trump = upcard // RANK_COUNT
        if upcard % RANK_COUNT == RANK_COUNT - 1:
            packed.meld_points[(leader + players - 1) % players] = params[NINE_TURNED_POINTS]
    elif params[UPCARD_RULE]:
        facts[DEALER] = (leader + players - 1) % players
        rng_state = advance(rng_state)
        upcard = cards[
            facts[DEALER] * params[HAND_SIZE] + random_below(rng_state, params[HAND_SIZE])
        ]
        trump = upcard // RANK_COUNT
        if params[UPCARD_RULE] > 1:
            facts[UPCARD_TAKER] = _take_upcard(
                rule_arrays, meld_tables, hands, facts[DEALER], upcard
            )
    else:
        if is_heuristic:
            leader = _best_declarer(rule_arrays, meld_tables, hands)
        declarer = leader
        if params[KITTY_SIZE] and is_heuristic:
            take_kitty(rule_arrays, hands, declarer, cards, first_undealt)
            buried_points = bury_cards(rule_arrays, meld_tables, hands, declarer, loss)
        else:
            for at in range(first_undealt, first_undealt + params[KITTY_SIZE]):
                buried_points += rule_arrays.points[cards[at]]
        if is_heuristic:
            trump = best_trump(
                rule_arrays, meld_tables, hands, declarer, params[NEEDS_MARRIAGE] != 0
            )
        else:
            rng_state = advance(rng_state)
            trump = _random_trump(
                meld_tables, hands, declarer, params[NEEDS_MARRIAGE] != 0, rng_state
            )
        if is_heuristic and trump >= 0:
            exchange_cards(rule_arrays, meld_tables, hands, declarer, trump, 0, loss)
            redraw = Redraw(cards, first_undealt, int64(-1), int64(0))
            redraw_cards(rule_arrays, meld_tables, hands, declarer, trump, redraw, loss)
    facts[DECLARER], facts[NAMED_TRUMP], facts[BURIED_POINTS] = declarer, trump, buried_points
    move_nine(packed, facts, False)
    status[TRUMP], status[LEADER], status[TURN] = max(trump, 0), leader, leader
    status[DECLARER_NUMBER] = declarer + 1
    use_declarer_knowledge(packed)
    return rng_state


@arrayless_kernel
def best_trump(
    rule_arrays: RuleArrays, meld_tables: Array, hands: Array, player: int, needs_marriage: bool
) -> int:
    """Return the suit that promises most, or -1.

    With `needs_marriage` the suit must have a marriage.
    """
    best_suit: int = int64(-1)
    best_value: int = int64(0)
    for suit in range(4):
        if (
            needs_marriage
            and suit_entry(
                meld_tables, MARRIAGE_ROW, suit_pattern(meld_tables, hands, player, suit)
            )
            == 0
        ):
            continue
        value = evaluate_packed_hand(
            rule_arrays, hands[player], suit, hand_meld(meld_tables, hands, player, suit)
        )
        if best_suit < 0 or value > best_value:
            best_suit, best_value = int64(suit), value
    return best_suit


@arrayless_kernel
def _best_declarer(rule_arrays: RuleArrays, meld_tables: Array, hands: Array) -> int:
    """Return the player whose own hand promises most with its best trump."""
    best_player: int = int64(0)
    best_value: int = int64(-1)
    for player in range(rule_arrays.params[PLAYER_COUNT]):
        suit = best_trump(
            rule_arrays, meld_tables, hands, player, rule_arrays.params[NEEDS_MARRIAGE] != 0
        )
        if suit >= 0:
            value = evaluate_packed_hand(
                rule_arrays, hands[player], suit, hand_meld(meld_tables, hands, player, suit)
            )
            if value > best_value:
                best_player, best_value = int64(player), value
    return best_player


@arrayless_kernel
def _random_trump(
    meld_tables: Array, hands: Array, player: int, needs_marriage: bool, rng_state: int
) -> int:
    """Return a random suit, or -1. With `needs_marriage` the suit must have a marriage."""
    suits: int = int64(0)
    for suit in range(4):
        if not needs_marriage or suit_entry(
            meld_tables, MARRIAGE_ROW, suit_pattern(meld_tables, hands, player, suit)
        ):
            suits |= int64(1) << suit
    if suits == 0:
        return -1
    return random_member(rng_state, suits)


@arrayless_kernel
def _choose_discard(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    hands: Array,
    player: int,
    trump: int,
    loss: Array,
    purpose: int,
) -> int:
    """Return the next card that a player gives up, or -1. `loss`: scratch, one number a kind."""
    meld_loss_per_card(meld_tables, hands, player, trump, loss)
    return next_discard(rule_arrays, hands[player], trump, loss, purpose)


@arrayless_kernel
def take_kitty(
    rule_arrays: RuleArrays, hands: Array, declarer: int, cards: Array, first_kitty_card: int
) -> None:
    """Add the kitty to the declarer's hand. The kitty begins at `first_kitty_card` in `cards`."""
    for at in range(first_kitty_card, first_kitty_card + rule_arrays.params[KITTY_SIZE]):
        add_card(hands, declarer, cards[at])


@arrayless_kernel
def bury_cards(
    rule_arrays: RuleArrays, meld_tables: Array, hands: Array, declarer: int, loss: Array
) -> int:
    """Bury as many cards as the kitty had. Return their points."""
    buried_points: int = int64(0)
    trump = best_trump(
        rule_arrays, meld_tables, hands, declarer, rule_arrays.params[NEEDS_MARRIAGE] != 0
    )
    for _ in range(rule_arrays.params[KITTY_SIZE]):
        kind = _choose_discard(rule_arrays, meld_tables, hands, declarer, max(trump, 0), loss, BURY)
        remove_card(hands, declarer, kind)
        buried_points += rule_arrays.points[kind]
    return buried_points


@arrayless_kernel
def exchange_cards(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    hands: Array,
    declarer: int,
    trump: int,
    passes_made: int,
    loss: Array,
) -> None:
    """Pass cards from the declarer's partners to the declarer, and as many back.

    `passes_made`: the number of passings that were made before.
    """
    params = rule_arrays.params
    if params[EXCHANGE_SIZE] == 0:
        return
    for pass_number in range(passes_made, 2 * params[PARTNER_COUNT]):
        giver, taker = giver_and_taker(rule_arrays, declarer, pass_number)
        purpose = RETURN if giver == declarer else GIVE
        for _ in range(params[EXCHANGE_SIZE]):
            kind = _choose_discard(rule_arrays, meld_tables, hands, giver, trump, loss, purpose)
            remove_card(hands, giver, kind)
            add_card(hands, taker, kind)


@inlined_kernel
def giver_and_taker(rule_arrays: RuleArrays, declarer: int, pass_number: int) -> tuple[int, int]:
    """Return giver and taker of passing `pass_number` (see `game.phases.exchange`)."""
    params = rule_arrays.params
    partner_count = params[PARTNER_COUNT]
    partner = (declarer + (pass_number % partner_count + 1) * params[PARTNER_DISTANCE]) % params[
        PLAYER_COUNT
    ]
    return (declarer, partner) if pass_number >= partner_count else (partner, declarer)


@arrayless_kernel
def redraw_cards(
    rule_arrays: RuleArrays,
    meld_tables: Array,
    hands: Array,
    declarer: int,
    trump: int,
    redraw: Redraw,
    loss: Array,
) -> None:
    """Let each player discard and draw as many undealt cards, the declarer first.

    Discards of other players have no influence. `loss`: scratch, one number a kind.
    """
    params = rule_arrays.params
    if params[MAX_REDRAW] == 0:
        return
    players, next_card = params[PLAYER_COUNT], redraw.first_card
    for turn in range(players):
        player, discards = (declarer + turn) % players, int64(0)
        if player == redraw.settled_player:
            discards = int64(redraw.settled_count)
        while player != redraw.settled_player and discards < params[MAX_REDRAW]:
            kind = _choose_discard(rule_arrays, meld_tables, hands, player, trump, loss, DISCARD)
            if kind < 0:
                break
            remove_card(hands, player, kind)
            discards += 1
        for at in range(next_card, next_card + discards):
            add_card(hands, player, redraw.cards[at])
        next_card += discards

"""Card play in a kernel: the one loop that playouts, perft and tests share.

`legal_moves` decides which cards are legal, `RuleArrays.beating_kinds` which kinds beat which,
`meld_laying` which melds may be laid, and `policy` what the heuristic player chooses. This module
has the order of play, the tricks and the draws.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.cards import KIND_COUNT, RANK_COUNT
from acesaround.fast.jit import arrayless_kernel, inlined_kernel, lowest_bit
from acesaround.fast.legal_moves import legal_kinds, legal_leads
from acesaround.fast.playouts.meld_laying import (
    best_meld,
    find_layable_melds,
    lay_meld,
    update_after_play,
)
from acesaround.fast.playouts.packed_deal import (
    BEST_KIND,
    CARDS_IN_TRICK,
    LEADER,
    MAY_CONCEDE,
    MAY_MELD,
    MELD_THEN_DRAW,
    STOCK_LEFT,
    TRICKS_LEFT,
    TRUMP,
    TRUMP_BROKEN,
    TURN,
    UPCARD_EXCHANGED,
    WINNER,
    PackedDeal,
    add_card,
    remove_card,
)
from acesaround.fast.playouts.policy import CurrentTrick, choose_card, make_policy_rules, observe
from acesaround.fast.playouts.rng import advance, random_member
from acesaround.fast.playouts.rule_arrays import (
    LAST_TRICK_POINTS,
    MELD_AFTER_NINE,
    MELD_AFTER_STOCK,
    MELD_BEFORE_DRAW,
    MUST_BEAT_PLAIN,
    MUST_BEAT_TRUMP,
    PLAYER_COUNT,
    VOID_MUST_TRUMP,
    RuleArrays,
)
from acesaround.fast.playouts.trick_stakes import stakes_of_trick
from acesaround.rules.laid_melds import DIX, STANDARD_CANDIDATE_COUNT

Array: TypeAlias = Any  # of int64; numba infers it

# A choice is a kind to play (0 to 23), KIND_COUNT plus the number of a meld to lay, or DECLINE_MELD
# to lay no meld before the draw.
DECLINE_MELD: Final = KIND_COUNT + STANDARD_CANDIDATE_COUNT
CHOICE_BITS: Final = 6  # an entry of a log is choice | set of legal choices << CHOICE_BITS
CHOICE_MASK: Final = (1 << CHOICE_BITS) - 1

RANDOM: Final = 0
HEURISTIC: Final = 1
FROM_LOG: Final = 2

_ALL_KINDS: Final = (1 << KIND_COUNT) - 1
_ALL_MELDS: Final = (1 << STANDARD_CANDIDATE_COUNT) - 1
_LAY_DIX: Final = KIND_COUNT + DIX


@inlined_kernel
def _strict_rules(rule_arrays: RuleArrays) -> tuple[bool, bool, bool]:
    """Return MUST_BEAT_TRUMP, MUST_BEAT_PLAIN and VOID_MUST_TRUMP as bools."""
    params = rule_arrays.params
    return params[MUST_BEAT_TRUMP] != 0, params[MUST_BEAT_PLAIN] != 0, params[VOID_MUST_TRUMP] != 0


@inlined_kernel
def _legal_kinds(
    strict_rules: tuple[bool, bool, bool],
    held: int,
    led: int,
    trumps: int,
    cards_in_trick: int,
    is_trump_broken: bool,
    winning_kinds: int,
) -> int:
    """Return the kinds that may be played under the strict rules.

    A lead ignores `winning_kinds`.
    """
    if cards_in_trick == 0:
        return legal_leads(held, trumps, is_trump_broken)
    beat_trump, beat_plain, void_trumps = strict_rules
    must_beat = beat_trump if led == trumps else beat_plain
    return legal_kinds(held, led, trumps, winning_kinds if must_beat else 0, void_trumps)


@inlined_kernel
def _choices_before_lead(
    rule_arrays: RuleArrays,
    packed: PackedDeal,
    player: int,
    may_meld: int,
    stock_left: int,
    is_trump_broken: bool,
) -> int:
    """Return the choices of a player who may lay a meld before a lead, or before the draw."""
    legal: int = packed.hands[player, 0]
    if may_meld == MELD_THEN_DRAW:
        legal = int64(1) << DECLINE_MELD
    elif stock_left == 0:
        legal = legal_leads(legal, rule_arrays.suit_kinds[packed.status[TRUMP]], is_trump_broken)
    return legal | find_layable_melds(rule_arrays, packed, player) << KIND_COUNT


@arrayless_kernel
def legal_choices(rule_arrays: RuleArrays, packed: PackedDeal) -> int:
    """Return the set of choices now: kinds to play and melds to lay, without conceding."""
    status, turn = packed.status, packed.status[TURN]
    held: int = packed.hands[turn, 0]
    trump = status[TRUMP]
    if status[MAY_MELD]:
        return _choices_before_lead(
            rule_arrays,
            packed,
            turn,
            status[MAY_MELD],
            status[STOCK_LEFT],
            status[TRUMP_BROKEN] != 0,
        )
    if status[STOCK_LEFT]:
        return held
    led = rule_arrays.suit_kinds[packed.trick[0] // RANK_COUNT]
    winning_kinds = rule_arrays.beating_kinds[trump, status[BEST_KIND]]
    trumps, is_trump_broken = rule_arrays.suit_kinds[trump], status[TRUMP_BROKEN] != 0
    return _legal_kinds(
        _strict_rules(rule_arrays),
        held,
        led,
        trumps,
        status[CARDS_IN_TRICK],
        is_trump_broken,
        winning_kinds,
    )


@inlined_kernel
def _draw_round(packed: PackedDeal, winner: int, stock_left: int) -> int:
    """Let each player draw a card, the winner first. Return the number of cards left to draw."""
    hands, stock = packed.hands, packed.stock
    players = hands.shape[0]
    for turn in range(players):
        add_card(hands, (winner + turn) % players, stock[stock.shape[0] - stock_left])
        stock_left -= 1
    return stock_left


@arrayless_kernel
def _draw_round_outlined(packed: PackedDeal, winner: int, stock_left: int) -> int:
    """Let each player draw a card, as `_draw_round` does, after a meld was laid or declined."""
    remaining: int = _draw_round(packed, winner, stock_left)
    return remaining


@arrayless_kernel
def _clear_laid_melds(packed: PackedDeal) -> None:
    """End the laying of melds: clear the melds on the table. Their cards stay in the hands."""
    packed.status[UPCARD_EXCHANGED] = 0
    packed.laid_melds[:] = 0
    packed.growth_state[:] = 0


@arrayless_kernel
def play_on(
    rule_arrays: RuleArrays,
    packed: PackedDeal,
    policies: Array,
    rng_state: int,
    log: Array,
    max_choices: int,
) -> int:
    """Make the next `max_choices` choices, or all that are left.

    Return the random stream after them.

    `policies`: that of each player. `log`: an entry for each choice (see CHOICE_BITS); a player
    with the policy FROM_LOG reads the choice from its entry. In a deal with a stock, laying a meld
    is a choice too: at most one meld for each trick before the stock is empty, and one before the
    play-off if the rules allow it. Nines of trump may be laid in addition if the rules allow that.
    """
    status, hands, trick, unplayed = packed.status, packed.hands, packed.trick, packed.unplayed
    points, saves_meld, suit_kinds = (
        rule_arrays.points,
        rule_arrays.saves_meld,
        rule_arrays.suit_kinds,
    )
    players, trump = rule_arrays.params[PLAYER_COUNT], status[TRUMP]
    trumps, beating_kinds = suit_kinds[trump], rule_arrays.beating_kinds[trump]
    turn, cards_in_trick, best_kind, winner = (
        status[TURN],
        status[CARDS_IN_TRICK],
        status[BEST_KIND],
        status[WINNER],
    )
    leader, is_trump_broken = status[LEADER], status[TRUMP_BROKEN] != 0
    tricks_left, stock_left, may_meld = status[TRICKS_LEFT], status[STOCK_LEFT], status[MAY_MELD]
    trick_points, trick_counters = int64(0), int64(0)
    for at in range(cards_in_trick):
        trick_points += points[trick[at]]
        trick_counters |= saves_meld[trick[at]]
    led = suit_kinds[trick[0] // RANK_COUNT] if cards_in_trick else int64(0)
    after_stock, before_draw = (
        rule_arrays.params[MELD_AFTER_STOCK] != 0,
        rule_arrays.params[MELD_BEFORE_DRAW] != 0,
    )
    nines_beside, strict_rules = (
        rule_arrays.params[MELD_AFTER_NINE] != 0,
        _strict_rules(rule_arrays),
    )
    policy_rules, tracks_unplayed = make_policy_rules(rule_arrays), False
    for player in range(players):
        tracks_unplayed = tracks_unplayed or policies[player] == HEURISTIC
    winning_kinds = (
        beating_kinds[best_kind] if cards_in_trick else _ALL_KINDS
    )  # the kinds that would now win the trick
    at = int64(0)
    while tricks_left and at < max_choices:
        while cards_in_trick < players and at < max_choices:
            held = hands[turn, 0]
            legal = held
            if may_meld:
                legal = _choices_before_lead(
                    rule_arrays, packed, turn, may_meld, stock_left, is_trump_broken
                )
            elif stock_left == 0:
                legal = _legal_kinds(
                    strict_rules, held, led, trumps, cards_in_trick, is_trump_broken, winning_kinds
                )
            if policies[turn] == FROM_LOG:
                kind = log[at] & CHOICE_MASK
            elif policies[turn] == HEURISTIC:
                if legal >> KIND_COUNT & _ALL_MELDS:  # the best meld goes before any card
                    kind = KIND_COUNT + best_meld(
                        rule_arrays, packed, turn, legal >> KIND_COUNT & _ALL_MELDS
                    )
                elif legal & (legal - 1) == 0:
                    kind = lowest_bit(legal)
                else:
                    view = observe(
                        policy_rules,
                        packed,
                        CurrentTrick(
                            turn, cards_in_trick, trick_points, winner, best_kind, winning_kinds
                        ),
                        trump,
                        stock_left,
                        stakes_of_trick(rule_arrays, packed, turn, stock_left),
                    )
                    kind = choose_card(view, legal)
            else:
                rng_state = advance(rng_state)
                kind = random_member(rng_state, legal)
            log[at] = legal << CHOICE_BITS | kind
            at += 1
            if may_meld:
                if KIND_COUNT <= kind < DECLINE_MELD:
                    lay_meld(rule_arrays, packed, turn, kind - KIND_COUNT)
                if kind != _LAY_DIX or not nines_beside:
                    if may_meld == MELD_THEN_DRAW:
                        stock_left = _draw_round_outlined(packed, turn, stock_left)
                    may_meld = int64(0)
                    if stock_left == 0:
                        _clear_laid_melds(packed)
                if kind >= KIND_COUNT:
                    continue
            remove_card(hands, turn, kind)
            if tracks_unplayed:
                for row in range(unplayed.shape[0]):
                    remove_card(unplayed, row, kind)
            if stock_left:
                update_after_play(packed, turn)
            else:
                is_trump_broken = is_trump_broken | (
                    trumps >> kind & 1 != 0
                )  # a branch would be mispredicted
            if cards_in_trick == 0:
                leader, led = turn, suit_kinds[kind // RANK_COUNT]
            if winning_kinds >> kind & 1:
                best_kind, winner, winning_kinds = kind, turn, beating_kinds[kind]
            trick[cards_in_trick] = kind
            trick_points += points[kind]
            trick_counters |= saves_meld[kind]
            cards_in_trick += 1
            turn = turn + 1 if turn + 1 < players else int64(0)
        if cards_in_trick < players:
            break
        tricks_left -= 1
        side = rule_arrays.side_of_player[winner]
        packed.points_won[side] += trick_points
        if tricks_left == 0:
            packed.points_won[side] += rule_arrays.params[LAST_TRICK_POINTS]
        packed.won_counter[side] |= trick_counters
        trick_points = trick_counters = cards_in_trick = int64(0)
        turn = leader = winner
        best_kind = winner = int64(-1)
        winning_kinds = _ALL_KINDS
        if stock_left:
            may_meld = int64(stock_left > players or after_stock)
            if may_meld and before_draw:
                may_meld = int64(MELD_THEN_DRAW)
                continue
            stock_left = _draw_round(packed, turn, stock_left)
            if stock_left == 0 and may_meld:
                status[UPCARD_EXCHANGED] = 1  # no upcard is left to exchange
            elif stock_left == 0:
                _clear_laid_melds(packed)
    if tricks_left and not tracks_unplayed:
        for entry in range(at):
            kind = log[entry] & CHOICE_MASK
            if kind < KIND_COUNT:
                for row in range(unplayed.shape[0]):
                    remove_card(unplayed, row, kind)
    for place_in_trick in range(cards_in_trick, players):
        trick[place_in_trick] = -1
    if max_choices:
        status[MAY_CONCEDE] = 0
    status[LEADER], status[TURN], status[CARDS_IN_TRICK] = leader, turn, cards_in_trick
    status[BEST_KIND], status[WINNER], status[TRUMP_BROKEN] = best_kind, winner, is_trump_broken
    status[TRICKS_LEFT], status[STOCK_LEFT], status[MAY_MELD] = tricks_left, stock_left, may_meld
    return rng_state

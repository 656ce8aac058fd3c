"""A deal from the shuffle to its score: what an action id does, and which phase comes next.

The order of a deal is that of `game.engine`. The rules are those of the engine: its functions,
compiled, and tables that it has filled.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from numba import int64

from acesaround.cards import RANK_COUNT, Rank
from acesaround.fast.jit import arrayless_kernel, inlined_kernel, lowest_bit
from acesaround.fast.playouts.deal_preparation import deal_cards, giver_and_taker
from acesaround.fast.playouts.meld_values import (
    DIX_ROW,
    MARRIAGE_ROW,
    hand_meld,
    melds_before_play,
    suit_entry,
    suit_pattern,
)
from acesaround.fast.playouts.packed_deal import (
    DECLARER_NUMBER,
    LEADER,
    MAY_CONCEDE,
    TRICKS_LEFT,
    TRUMP,
    TURN,
    add_card,
    add_kinds,
    remove_card,
)
from acesaround.fast.playouts.play_loop import play_on
from acesaround.fast.playouts.rng import advance, random_below, start_stream
from acesaround.fast.playouts.rule_arrays import (
    EXCHANGE_SIZE,
    HAND_SIZE,
    KITTY_SIZE,
    MAX_REDRAW,
    NEEDS_MARRIAGE,
    PLAYER_COUNT,
    UPCARD_RULE,
)
from acesaround.fast.rollouts.before_play import score_deal
from acesaround.fast.rollouts.win_probability import find_basic_payment, write_payments
from acesaround.fast.stepping.game_batch import (
    ACTIVE,
    ALL_PASS_RULES,
    AUCTION_PHASE,
    BIDDER,
    BURIED_POINTS,
    CHOSEN_COUNT,
    COMPLETE_MELDS,
    CONCEDE_RULES,
    CONCEDED,
    CONTRACT,
    DEAL_FIELDS,
    DEAL_NUMBER,
    DEALER,
    DECIDE_BID,
    DECIDE_BURY,
    DECIDE_DISCARD,
    DECIDE_GIVE,
    DECIDE_PLAY,
    DECIDE_TRUMP,
    DECIDE_UPCARD,
    DECISION,
    DECLARER,
    DRAWN,
    EXCHANGE_PHASE,
    KITTY_PHASE,
    LAST_CHOSEN,
    MELDING_PHASE,
    NAMED_TRUMP,
    NO_MARRIAGE,
    OUTCOME,
    OVER,
    PASSED,
    PASSES_MADE,
    PHASE,
    PLAY_PHASE,
    REDRAW_PHASE,
    SEAT,
    STANDING_BID,
    THROWN_IN,
    TRUMP_PHASE,
    UPCARD,
    UPCARD_PHASE,
    UPCARD_TAKER,
    GameBatch,
    StepResults,
    StepRules,
    packed_deal_of,
)
from acesaround.fast.stepping.shown_meld_cards import write_shown_cards
from acesaround.rules import AllPass, Concede, scoring

Array: TypeAlias = Any  # of int64; numba infers it

_NINE: Final = int(Rank.NINE)
_THROWN_IN_RULE: Final = ALL_PASS_RULES.index(AllPass.REDEAL)
_NEVER: Final = CONCEDE_RULES.index(Concede.NEVER)
_ALWAYS: Final = CONCEDE_RULES.index(Concede.ALWAYS)

_is_out_of_reach = inlined_kernel(scoring.is_out_of_reach)
_meld_without_play = inlined_kernel(scoring.meld_without_play)
_conceded_change = inlined_kernel(scoring.conceded_change)


@inlined_kernel
def nine_of_suit(card: int) -> int:
    """Return the kind of the nine of a card's suit."""
    return card // RANK_COUNT * RANK_COUNT + _NINE


@inlined_kernel
def has_marriage(rules: StepRules, hands: Array, player: int, suit: int) -> bool:
    """Return whether a hand has a marriage of a suit."""
    pattern = suit_pattern(rules.meld_tables, hands, player, suit)
    return suit_entry(rules.meld_tables, MARRIAGE_ROW, pattern) != 0


@arrayless_kernel
def start_deal(rules: StepRules, games: GameBatch, game: int, seed: int) -> None:
    """Shuffle and deal the next deal of a game, and open its first phase."""
    rule_arrays, deal, packed = rules.rule_arrays, games.deals[game], packed_deal_of(games, game)
    players, deal_number = rule_arrays.params[PLAYER_COUNT], deal[DEAL_NUMBER]
    for field in range(DEAL_FIELDS):
        deal[field] = 0
    deal[DEAL_NUMBER] = deal_number + 1
    rng_state = start_stream(seed, deal_number * games.deals.shape[0] + game)
    rng_state = deal_cards(rule_arrays, packed, games.cards[game], rng_state)
    rng_state = advance(rng_state)
    dealer = random_below(rng_state, players)
    deal[DEALER] = dealer
    deal[PHASE] = deal[DECLARER] = deal[NAMED_TRUMP] = deal[STANDING_BID] = deal[BIDDER] = -1
    deal[UPCARD] = deal[UPCARD_TAKER] = -1
    if rule_arrays.params[UPCARD_RULE]:
        rng_state = advance(rng_state)
        hand_size = rule_arrays.params[HAND_SIZE]
        upcard = games.cards[game, dealer * hand_size + random_below(rng_state, hand_size)]
        deal[UPCARD], deal[NAMED_TRUMP] = upcard, upcard // RANK_COUNT
    _clear_rows(games.moved[game])
    _clear_rows(games.played[game])
    _clear_rows(games.shown[game])
    for copy in range(games.chosen.shape[1]):
        games.chosen[game, copy] = games.buried[game, copy] = 0
    for seat in range(players):
        games.highest_bids[game, seat] = games.shown_aces[game, seat] = 0
        games.dix_points[game, seat] = 0
    _open_next_phase(rules, games, game)


@inlined_kernel
def _clear_rows(rows: Array) -> None:
    for row in range(rows.shape[0]):
        for at in range(rows.shape[1]):
            rows[row, at] = 0


@arrayless_kernel
def _open_next_phase(rules: StepRules, games: GameBatch, game: int) -> None:
    """Open the following phases until there is something to decide or the deal is over."""
    deal, params, phases = games.deals[game], rules.rule_arrays.params, rules.phases
    deal[DECISION] = OVER
    while deal[DECISION] == OVER and deal[PHASE] + 1 < phases.shape[0]:
        deal[PHASE] += 1
        phase = phases[deal[PHASE]]
        if deal[OUTCOME] == NO_MARRIAGE and phase != MELDING_PHASE:
            continue
        if phase in (AUCTION_PHASE, UPCARD_PHASE):
            _ask_from_dealers_left(rules, games, game, phase)
        elif phase == KITTY_PHASE:
            hands, first = (
                games.packed.hands[game],
                params[PLAYER_COUNT] * params[HAND_SIZE],
            )
            for at in range(first, first + params[KITTY_SIZE]):
                add_card(hands, deal[DECLARER], games.cards[game, at])
            deal[DECISION], deal[SEAT] = DECIDE_BURY, deal[DECLARER]
        elif phase == TRUMP_PHASE:
            deal[DECISION], deal[SEAT] = DECIDE_TRUMP, deal[DECLARER]
            if params[NEEDS_MARRIAGE]:
                suits = 0
                for suit in range(4):
                    suits += has_marriage(rules, games.packed.hands[game], deal[DECLARER], suit)
                if suits == 0:
                    deal[DECISION], deal[OUTCOME] = OVER, NO_MARRIAGE
        elif phase == EXCHANGE_PHASE and params[EXCHANGE_SIZE] and rules.max_passes:
            deal[DECISION] = DECIDE_GIVE
            deal[SEAT], _ = giver_and_taker(rules.rule_arrays, deal[DECLARER], 0)
        elif phase == REDRAW_PHASE and params[MAX_REDRAW]:
            deal[DECISION], deal[SEAT] = DECIDE_DISCARD, deal[DECLARER]
            deal[ACTIVE] = (int64(1) << params[PLAYER_COUNT]) - 1
        elif phase == MELDING_PHASE:
            _lay_melds(rules, games, game)
        elif phase == PLAY_PHASE:
            _begin_play(rules, games, game)


@inlined_kernel
def _next_active(deal: Array, players: int) -> int:
    """Return the next seat of the ACTIVE ones after the seat on turn."""
    seat: int = (deal[SEAT] + 1) % players
    while deal[ACTIVE] >> seat & 1 == 0:
        seat = (seat + 1) % players
    return seat


@inlined_kernel
def _ask_from_dealers_left(rules: StepRules, games: GameBatch, game: int, phase: int) -> None:
    """Begin the auction, or ask who takes the upcard for a nine."""
    deal, players = games.deals[game], rules.rule_arrays.params[PLAYER_COUNT]
    deal[ACTIVE], deal[SEAT] = (int64(1) << players) - 1, deal[DEALER]
    deal[DECISION] = DECIDE_BID
    if phase == UPCARD_PHASE:
        nine = nine_of_suit(deal[UPCARD])
        for seat in range(players):
            holds_nine = games.packed.hands[game, seat, 0] >> nine & 1
            if seat == deal[DEALER] or deal[UPCARD] == nine or not (rules.all_asked or holds_nine):
                deal[ACTIVE] &= ~(int64(1) << seat)
        deal[DECISION] = DECIDE_UPCARD if deal[ACTIVE] else OVER
    if deal[ACTIVE]:
        deal[SEAT] = _next_active(deal, players)


@arrayless_kernel
def _lay_melds(rules: StepRules, games: GameBatch, game: int) -> None:
    """Lay the melds of all hands. A nine given for the upcard melds for its former holder."""
    rule_arrays, deal, packed = rules.rule_arrays, games.deals[game], packed_deal_of(games, game)
    hands, players, trump = packed.hands, rule_arrays.params[PLAYER_COUNT], deal[NAMED_TRUMP]
    taker, nine = deal[UPCARD_TAKER], int64(0)
    if taker >= 0:
        nine = nine_of_suit(deal[UPCARD])
        remove_card(hands, deal[DEALER], nine)
        add_card(hands, taker, nine)
    for seat in range(players):
        if melds_before_play(rule_arrays, seat, deal[DECLARER]):
            packed.meld_points[seat] = hand_meld(rules.meld_tables, hands, seat, trump)
            if trump >= 0:
                pattern = suit_pattern(rules.meld_tables, hands, seat, trump)
                games.dix_points[game, seat] = suit_entry(rules.meld_tables, DIX_ROW, pattern)
            games.shown_aces[game, seat] = write_shown_cards(
                rules.shown_meld_tables, rules.meld_tables, hands, seat, trump, games.shown[game]
            )
    if taker >= 0:
        remove_card(hands, taker, nine)
        add_card(hands, deal[DEALER], nine)
        remove_card(games.shown[game], taker, nine)
    for seat in range(players):
        side_meld = 0
        for other in range(players):
            if rule_arrays.side_of_player[other] == rule_arrays.side_of_player[seat]:
                side_meld += packed.meld_points[other]
        if side_meld >= rules.least_meld:
            deal[COMPLETE_MELDS] |= int64(1) << seat


@arrayless_kernel
def _begin_play(rules: StepRules, games: GameBatch, game: int) -> None:
    """Let the declarer lead; without one, the seat at the dealer's left."""
    rule_arrays, deal, packed = rules.rule_arrays, games.deals[game], packed_deal_of(games, game)
    players, declarer, status = rule_arrays.params[PLAYER_COUNT], deal[DECLARER], packed.status
    leader = declarer if declarer >= 0 else (deal[DEALER] + 1) % players
    if declarer >= 0 and rules.concede_rule != _NEVER:
        meld = int64(0)
        for seat in range(players):
            if rule_arrays.side_of_player[seat] == rule_arrays.side_of_player[declarer]:
                meld += packed.meld_points[seat]
        status[MAY_CONCEDE] = rules.concede_rule == _ALWAYS or _is_out_of_reach(
            rules.least_meld, meld, deal[CONTRACT], rules.max_play_points
        )
    status[TRUMP], status[DECLARER_NUMBER] = deal[NAMED_TRUMP], declarer + 1
    status[LEADER] = status[TURN] = deal[SEAT] = leader
    deal[DECISION] = DECIDE_PLAY


@arrayless_kernel
def apply_before_play(rules: StepRules, games: GameBatch, game: int, action_id: int) -> None:
    """Apply a legal action id of the seat on turn, in any phase but the play."""
    deal, action_ids = games.deals[game], rules.action_ids
    decision = deal[DECISION]
    if decision == DECIDE_BID:
        _apply_call(rules, games, game, action_id)
    elif decision == DECIDE_TRUMP:
        deal[NAMED_TRUMP] = action_id - action_ids.first_trump
        _open_next_phase(rules, games, game)
    else:
        if action_id != action_ids.done:
            kind = action_id - action_ids.first_card
            add_card(games.chosen, game, kind)
            deal[CHOSEN_COUNT] += 1
            deal[LAST_CHOSEN] = kind
        params = rules.rule_arrays.params
        if decision == DECIDE_GIVE and deal[CHOSEN_COUNT] == params[EXCHANGE_SIZE]:
            _give_chosen(rules, games, game)
        elif decision == DECIDE_BURY and deal[CHOSEN_COUNT] == params[KITTY_SIZE]:
            _bury_chosen(rules, games, game)
        elif decision == DECIDE_DISCARD and action_id == action_ids.done:
            _discard_chosen(rules, games, game)
        elif decision == DECIDE_UPCARD and action_id == action_ids.done:
            _answer_for_upcard(rules, games, game)


@inlined_kernel
def _apply_call(rules: StepRules, games: GameBatch, game: int, action_id: int) -> None:
    """Apply a bid or a pass."""
    deal, players = games.deals[game], rules.rule_arrays.params[PLAYER_COUNT]
    seat = deal[SEAT]
    bit = int64(1) << seat
    if action_id == rules.action_ids.pass_id:
        deal[PASSED] |= bit
        deal[ACTIVE] ^= bit
    else:
        place = action_id - rules.action_ids.first_bid
        deal[STANDING_BID], deal[BIDDER] = place, seat
        games.highest_bids[game, seat] = rules.bids[place]
        if rules.one_round:
            deal[ACTIVE] ^= bit
    bidder = deal[BIDDER]
    if deal[ACTIVE] and (bidder < 0 or deal[ACTIVE] != int64(1) << bidder):
        deal[SEAT] = _next_active(deal, players)
    elif bidder < 0 and rules.all_pass == _THROWN_IN_RULE:
        deal[DECISION], deal[OUTCOME] = OVER, THROWN_IN
    else:
        deal[DECLARER] = bidder if bidder >= 0 else deal[DEALER]
        deal[CONTRACT] = rules.bids[deal[STANDING_BID]] if bidder >= 0 else rules.forced_bid
        _open_next_phase(rules, games, game)


@inlined_kernel
def _move_chosen(games: GameBatch, game: int, to: int) -> None:
    """Take the chosen cards from the hand of the seat on turn, and add them to that of `to`.

    They leave the game if `to` is -1.
    """
    deal, hands, chosen = games.deals[game], games.packed.hands[game], games.chosen
    for copy in range(chosen.shape[1]):
        kinds = chosen[game, copy]
        if to >= 0:
            add_kinds(hands, to, kinds)
        while kinds:
            remove_card(hands, deal[SEAT], lowest_bit(kinds))
            kinds &= kinds - 1


@inlined_kernel
def _take_chosen(games: GameBatch, game: int, target: Array) -> None:
    """Move the chosen cards into a row, and begin a new selection."""
    for copy in range(target.shape[0]):
        target[copy], games.chosen[game, copy] = games.chosen[game, copy], 0
    games.deals[game, CHOSEN_COUNT] = games.deals[game, LAST_CHOSEN] = 0


@inlined_kernel
def _give_chosen(rules: StepRules, games: GameBatch, game: int) -> None:
    deal, rule_arrays = games.deals[game], rules.rule_arrays
    _, taker = giver_and_taker(rule_arrays, deal[DECLARER], deal[PASSES_MADE])
    _move_chosen(games, game, taker)
    _take_chosen(games, game, games.moved[game, deal[PASSES_MADE]])
    deal[PASSES_MADE] += 1
    if deal[PASSES_MADE] == rules.max_passes:
        _open_next_phase(rules, games, game)
    else:
        deal[SEAT], _ = giver_and_taker(rule_arrays, deal[DECLARER], deal[PASSES_MADE])


@inlined_kernel
def _bury_chosen(rules: StepRules, games: GameBatch, game: int) -> None:
    _move_chosen(games, game, int64(-1))
    for copy in range(games.chosen.shape[1]):
        kinds = games.chosen[game, copy]
        while kinds:
            games.deals[game, BURIED_POINTS] += rules.rule_arrays.points[lowest_bit(kinds)]
            kinds &= kinds - 1
    _take_chosen(games, game, games.buried[game])
    _open_next_phase(rules, games, game)


@inlined_kernel
def _discard_chosen(rules: StepRules, games: GameBatch, game: int) -> None:
    """Record the discards of the seat on turn; after the last seat all draw."""
    deal, params = games.deals[game], rules.rule_arrays.params
    players = params[PLAYER_COUNT]
    _take_chosen(games, game, games.moved[game, rules.max_passes + deal[SEAT]])
    deal[ACTIVE] &= ~(int64(1) << deal[SEAT])
    if deal[ACTIVE]:
        deal[SEAT] = _next_active(deal, players)
        return
    hands, first_undealt = (
        games.packed.hands[game],
        players * params[HAND_SIZE] + params[KITTY_SIZE],
    )
    for turn in range(players):
        seat = (deal[DECLARER] + turn) % players
        for copy in range(games.moved.shape[2]):
            kinds = games.moved[game, rules.max_passes + seat, copy]
            while kinds:
                remove_card(hands, seat, lowest_bit(kinds))
                add_card(hands, seat, games.cards[game, first_undealt + deal[DRAWN]])
                deal[DRAWN] += 1
                kinds &= kinds - 1
    _open_next_phase(rules, games, game)


@inlined_kernel
def _answer_for_upcard(rules: StepRules, games: GameBatch, game: int) -> None:
    """Exchange the chosen nine for the dealer's upcard, or leave it there."""
    deal, hands = games.deals[game], games.packed.hands[game]
    seat, upcard = deal[SEAT], deal[UPCARD]
    if deal[CHOSEN_COUNT]:
        nine = nine_of_suit(upcard)
        remove_card(hands, seat, nine)
        add_card(hands, seat, upcard)
        remove_card(hands, deal[DEALER], upcard)
        add_card(hands, deal[DEALER], nine)
        deal[UPCARD_TAKER], deal[CHOSEN_COUNT], deal[LAST_CHOSEN], deal[ACTIVE] = seat, 0, 0, 0
        for copy in range(games.chosen.shape[1]):
            games.chosen[game, copy] = 0
    else:
        deal[PASSED] |= int64(1) << seat
        deal[ACTIVE] ^= int64(1) << seat
    if deal[ACTIVE]:
        deal[SEAT] = _next_active(deal, rules.rule_arrays.params[PLAYER_COUNT])
    else:
        _open_next_phase(rules, games, game)


@inlined_kernel
def apply_in_play(rules: StepRules, games: GameBatch, game: int, action_id: int) -> None:
    """Play the card of an action id, or concede."""
    deal = games.deals[game]
    if action_id == rules.action_ids.concede:
        deal[DECISION], deal[OUTCOME] = OVER, CONCEDED
        return
    packed, kind = packed_deal_of(games, game), action_id - rules.action_ids.first_card
    games.log[0] = kind
    play_on(rules.rule_arrays, packed, rules.policies, int64(0), games.log, 1)
    add_card(games.played[game], deal[SEAT], kind)
    deal[SEAT] = packed.status[TURN]
    if packed.status[TRICKS_LEFT] == 0:
        deal[DECISION] = OVER


@arrayless_kernel
def score_game(rules: StepRules, games: GameBatch, game: int, results: StepResults) -> None:
    """Write the score of a deal that is over, and the reward of each seat."""
    rule_arrays, deal, packed = rules.rule_arrays, games.deals[game], packed_deal_of(games, game)
    scores, end, scoring_state = results.scores, games.end_buffer, rules.scoring_state
    sides, side_of_player = packed.points_won.shape[0], rule_arrays.side_of_player
    declaring_side = side_of_player[deal[DECLARER]] if deal[DECLARER] >= 0 else int64(-1)
    outcome, bid, trump = deal[OUTCOME], deal[CONTRACT], deal[NAMED_TRUMP]
    for side in range(sides):
        end.meld[side] = end.dix_points[side] = 0
        end.play[side], end.has_counter[side] = packed.points_won[side], packed.won_counter[side]
        if side == declaring_side:
            end.play[side] += deal[BURIED_POINTS]
    for seat in range(side_of_player.shape[0]):
        end.meld[side_of_player[seat]] += packed.meld_points[seat]
        end.dix_points[side_of_player[seat]] += games.dix_points[game, seat]
    if outcome == THROWN_IN:
        for side in range(sides):
            end.totals[side] = 0
    elif outcome != CONCEDED:
        score_deal(scoring_state, end, trump, declaring_side, bid)
    elif scoring_state.scoring.is_paid_by_bid:
        write_payments(
            scoring_state, end, declaring_side, find_basic_payment(scoring_state, bid), False
        )
    else:
        for side in range(sides):
            end.totals[side] = _conceded_change(
                scoring_state.scoring,
                _meld_without_play(scoring_state.scoring, end.meld[side]),
                end.dix_points[side],
                side == declaring_side,
                bid,
            )
    total = int64(0)
    for side in range(sides):
        scores[game, side] = end.totals[side]
        total += end.totals[side]
    for seat in range(side_of_player.shape[0]):
        own = end.totals[side_of_player[seat]]
        points = own - (total - own) / (sides - 1)
        results.rewards[game, seat] = points / rules.reward_scale

"""Deals that the engine plays to the end by the rules of thumb of the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from acesaround import game
from acesaround.actions import PASS, TRUMP_ACTIONS, Action, Bid, Bury, Discard, Give
from acesaround.cards import CARDS, KIND_COUNT, Card
from acesaround.fast import playouts
from acesaround.fast.playouts.deal_preparation import best_trump
from acesaround.fast.playouts.hand_evaluation import BURY, DISCARD, GIVE, RETURN, next_discard
from acesaround.fast.playouts.meld_values import build_meld_tables, meld_loss_per_card
from acesaround.fast.playouts.packed_deal import remove_card, sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers, build_rule_arrays
from acesaround.game.events import DealScored
from acesaround.game.state import DecisionKind, GameState, tally
from acesaround.rules.scoring import Outcome, Tally, outcome_and_changes


class End(NamedTuple):
    """The end of a deal: what each side melded, won and scored."""

    outcome: Outcome
    tally: Tally
    change: tuple[int, ...]


def rows(state: GameState) -> Integers:
    """Return all hands as a kernel has them, as one world."""
    copies = state.rules.deck.copies
    return np.array(
        [[sets_from_hand(state.hands[seat], copies) for seat in state.players]], np.int64
    )


def rest(state: GameState) -> Integers:
    """Return the cards in no hand as one world: the kitty, or undealt cards in order."""
    deal = state.deal
    kitty = deal.kitty if deal.declarer is None else ()
    return np.array([[*kitty, *deal.stock]], np.int64)


def call(state: GameState, bids: Mapping[int, int]) -> Action:
    """Return the first call of the seat on turn: its bid in `bids`, else a pass."""
    seat = game.decision(state).seat
    assert seat is not None
    spoken = any(call.seat == seat for call in state.deal.auction)
    return Bid(bids[seat]) if seat in bids and not spoken else PASS


def ended(state: GameState, bids: Mapping[int, int], choice: Action | None = None) -> End:
    """Return the end of a first deal that is played by rules of thumb.

    `bids`: the first bid of a seat; all other calls are passes. `choice`: the action at the first
    decision after the auction, instead of a rule of thumb.

    """
    while game.decision(state).kind is not DecisionKind.PLAY:
        if game.decision(state).kind is DecisionKind.BID:
            action: Action = call(state, bids)
        elif choice is not None:
            action, choice = choice, None
        else:
            action = by_rules(state)
        state, events = game.apply(state, action)
        for event in events:
            if isinstance(event, DealScored):
                score = event.score
                no_counters = (False,) * len(score.meld)
                no_nines = (0,) * len(score.meld)
                return End(
                    score.outcome,
                    Tally(score.meld, no_nines, score.play, no_counters),
                    score.change,
                )
    found = playouts.play_out(state, 1, 0, "heuristic")
    before = tally(state)
    before_lead = [had - won for had, won in zip(before.play, state.deal.won, strict=True)]
    play = tuple(
        int(won) + more for won, more in zip(found.play_points[0], before_lead, strict=True)
    )
    counter = tuple(bool(won) for won in found.won_counter[0])
    after = replace(before, play=play, has_counter=counter)
    assert state.deal.declarer is not None
    side = state.rules.side_of(state.deal.declarer)
    bid, trump = state.deal.bid, state.deal.trump
    outcome, change = outcome_and_changes(state.rules, after, None, side, bid, trump=trump)
    return End(outcome, after, change)


def by_rules(state: GameState) -> Action:
    """Return what the rules of thumb of the kernels do at a decision after the auction."""
    rules, decision = state.rules, game.decision(state)
    assert decision.seat is not None
    numbers, tables = build_rule_arrays(rules, state.players), build_meld_tables(rules)
    player, hands = state.players.index(decision.seat), rows(state)[0]
    needed = rules.auction is not None and rules.auction.marriage_needed
    trump = state.deal.trump
    if trump is None:
        trump = TRUMP_ACTIONS[max(0, best_trump(numbers, tables, hands, player, needed))].suit
    if decision.kind is DecisionKind.TRUMP:
        return TRUMP_ACTIONS[trump]
    if decision.kind is DecisionKind.BURY:
        return Bury(_parted(state, hands, player, trump, rules.exchange.bury, BURY))
    if decision.kind is DecisionKind.GIVE:
        purpose = RETURN if decision.seat == state.deal.declarer else GIVE
        return Give(_parted(state, hands, player, trump, rules.exchange.exchange, purpose))
    most = rules.max_redraw(len(state.players))
    return Discard(_parted(state, hands, player, trump, most, DISCARD))


def _parted(
    state: GameState, hands: Integers, player: int, trump: int, number: int, purpose: int
) -> tuple[Card, ...]:
    numbers, tables = build_rule_arrays(state.rules, state.players), build_meld_tables(state.rules)
    loss = np.zeros(KIND_COUNT, np.int64)
    found: list[Card] = []
    while len(found) < number:
        meld_loss_per_card(tables, hands, player, trump, loss)
        kind = next_discard(numbers, hands[player], trump, loss, purpose)
        if kind < 0:
            break
        remove_card(hands, player, kind)
        found.append(CARDS[kind])
    return tuple(found)

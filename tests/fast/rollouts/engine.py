"""A deal brought to its end by the engine, the fast player of rules deciding everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from acesaround import game
from acesaround.actions import PASS, TRUMP_ACTIONS, Action, Bid, Bury, Discard, Give
from acesaround.cards import CARDS, KIND_COUNT, Card
from acesaround.fast import playouts
from acesaround.fast.playouts.deal_setup import best_trump
from acesaround.fast.playouts.hand_evaluation import BURY, DISCARD, GIVE, RETURN, next_discard
from acesaround.fast.playouts.melding import build_meld_tables, meld_loss_per_card
from acesaround.fast.playouts.packed_deal import remove_card, sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers, rule_arrays
from acesaround.game.events import DealScored
from acesaround.game.state import DecisionKind, GameState, tally
from acesaround.rules.scoring import Outcome, Tally, outcome_and_changes


class End(NamedTuple):
    """How a deal ended: what each side melded and won, and what it scored."""

    outcome: Outcome
    tally: Tally
    change: tuple[int, ...]


def rows(state: GameState) -> Integers:
    """All hands as a kernel has them, as one world."""
    copies = state.rules.deck.copies
    return np.array(
        [[sets_from_hand(state.hands[seat], copies) for seat in state.players]], np.int64
    )


def rest(state: GameState) -> Integers:
    """The cards in no hand, as one world: a kitty that lies there, or undealt cards in order."""
    deal = state.deal
    kitty = deal.kitty if deal.declarer is None else ()
    return np.array([[*kitty, *deal.stock]], np.int64)


def call(state: GameState, bids: Mapping[int, int]) -> Action:
    """What the seat on turn calls: its bid when it first speaks, if one is named, else a pass."""
    seat = game.decision(state).seat
    assert seat is not None
    spoken = any(call.seat == seat for call in state.deal.auction)
    return Bid(bids[seat]) if seat in bids and not spoken else PASS


def ended(state: GameState, bids: Mapping[int, int], choice: Action | None = None) -> End:
    """The end of a first deal, everything being decided by rules of thumb but what is named.

    `bids`: what seats bid when they first speak, all else in the auction are passes. `choice`: what
    is done at the next decision after the auction.
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
                its = event.score
                nothing = (False,) * len(its.meld)
                none = (0,) * len(its.meld)
                return End(its.outcome, Tally(its.meld, none, its.play, nothing), its.change)
    found = playouts.play_out(state, 1, 0, "rules")
    before = tally(state)
    aside = [had - won for had, won in zip(before.play, state.deal.won, strict=True)]
    play = tuple(int(won) + more for won, more in zip(found.play_points[0], aside, strict=True))
    counter = tuple(bool(won) for won in found.won_counter[0])
    after = replace(before, play=play, counter=counter)
    assert state.deal.declarer is not None
    side = state.rules.side_of(state.deal.declarer)
    bid, trump = state.deal.bid, state.deal.trump
    outcome, change = outcome_and_changes(state.rules, after, None, side, bid, trump=trump)
    return End(outcome, after, change)


def by_rules(state: GameState) -> Action:
    """What the rules of thumb of the kernels do at a decision after the auction."""
    rules, decision = state.rules, game.decision(state)
    assert decision.seat is not None
    numbers, tables = rule_arrays(rules, state.players), build_meld_tables(rules)
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
    numbers, tables = rule_arrays(state.rules, state.players), build_meld_tables(state.rules)
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

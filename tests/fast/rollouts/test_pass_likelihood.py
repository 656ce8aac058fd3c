"""How many passed cards the rules of thumb agree with, measured by what `thumb` passes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import numpy as np

from acesaround import game, variants
from acesaround.actions import Give
from acesaround.bots.heuristic import HeuristicBot
from acesaround.cards import pack
from acesaround.fast.playouts.hand_evaluation import GIVE, RETURN
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import Integers, build_rule_arrays
from acesaround.fast.rollouts.pass_likelihood import PassedCards, count_expected_passed_cards
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for

RULES = variants.get("partnership")
NUMBERS, TABLES = build_rule_arrays(RULES, tuple(range(RULES.seats))), build_meld_tables(RULES)


def passings(deals: int) -> Iterator[tuple[GameState, int, Give]]:
    """Yield the state, seat and action of each pass in deals between bots `thumb`."""
    thumb, rng = HeuristicBot(), random.Random(5)
    for deal in range(deals):
        state = game.start(RULES, deal % RULES.seats)
        while state.deals == 0 and state.phase is not None:
            decision = game.decision(state)
            if decision.kind is DecisionKind.PLAY:
                break
            if isinstance(decision.legal, Deals):
                state, _ = game.apply(state, decision.legal.sample(rng))
                continue
            action = thumb.choose(view_for(state, decision.seat), decision)
            if isinstance(action, Give):
                assert decision.seat is not None
                yield state, decision.seat, action
            state, _ = game.apply(state, action)


def overlap(state: GameState, seat: int, cards: tuple[int, ...]) -> int:
    hands: Integers = np.array(
        [[sets_from_hand(state.hands[s], 2) for s in state.players]], np.int64
    )
    before = hands.copy()
    purpose = RETURN if seat == state.deal.declarer else GIVE
    row = np.array(sets_from_hand(pack(cards), 2), np.int64)
    assert state.deal.trump is not None
    found = count_expected_passed_cards(
        NUMBERS, TABLES, hands, PassedCards(seat, int(state.deal.trump), purpose, row)
    )
    assert np.array_equal(hands, before)
    return int(found[0])


def test_overlap_counts_cards_that_thumb_would_pass() -> None:
    """Kernel and bot may break a tie differently, seldom in more than one card."""
    rng, agreed = random.Random(6), []
    for state, seat, action in passings(40):
        thumb, same = Counter(map(int, action.cards)), overlap(state, seat, action.cards)
        agreed.append(same)
        for _ in range(5):
            other = tuple(rng.sample(state.hand(seat), 4))
            expected = (Counter(map(int, other)) & thumb).total()
            assert abs(overlap(state, seat, other) - expected) <= 4 - same
    assert len(agreed) >= 60
    assert sum(agreed) >= 0.96 * 4 * len(agreed)

"""Deals with more copies than presets have, and six seats in two or three sides."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from acesaround import bots, game
from acesaround.actions import PASS
from acesaround.cards import pack
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for
from acesaround.rulebook import page
from acesaround.rules import Rules
from tests.extended_rules import TRIPLE_EXCHANGE, TRIPLE_THREE_SIDES, TRIPLE_TWO_SIDES, WIDE


def played(rules: Rules, name: str, seed: int, deals: int = 2) -> list[GameState]:
    """Return the states of so many deals between bots of one name."""
    rng = random.Random(seed)
    players = [bots.make(name, random.Random(seed + seat)) for seat in range(rules.seats)]
    state, states = game.start(rules, seed % rules.seats), []
    while state.phase is not None and state.deals < deals:
        decision = game.decision(state)
        if decision.seat is None:
            action = decision.legal.sample(rng)
        else:
            action = players[decision.seat].choose(view_for(state, decision.seat), decision)
            assert action in decision.legal
        state, _ = game.apply(state, action)
        states.append(state)
    return states


@pytest.mark.parametrize("name", ["random", "thumb", "easy"])
@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_bots_play_whole_deals(rules: Rules, name: str) -> None:
    """No card is lost."""
    for state in played(rules, name, 3):
        if state.deal.laid or state.deal.tricks:
            cards = [*state.deal.kitty] if state.deal.declarer is None else [*state.deal.buried]
            gone = Counter(cards)
            for trick in state.deal.tricks:
                gone.update(trick.cards)
            held = sum(state.hands)
            whole = rules.deck.packed
            total = held + pack(gone.elements())
            if not rules.deal.stock and state.deal.tricks:
                assert total + pack(getattr(state.phase, "cards", ())) == whole
        assert len(state.scores) == len(rules.sides)


def test_partners_pass_cards_before_the_declarer_returns_them() -> None:
    rules, found = TRIPLE_EXCHANGE, False
    for state in played(rules, "random", 5, deals=3):
        deal = state.deal
        if len(deal.passed_cards) < 4 or deal.declarer is None:
            continue
        found = True
        left, right = rules.partners_of(deal.declarer)
        order = [(left, deal.declarer), (right, deal.declarer)]
        order += [(deal.declarer, left), (deal.declarer, right)]
        assert [(t.seat, t.to) for t in deal.passed_cards] == order
        assert all(len(t.cards) == rules.exchange.exchange for t in deal.passed_cards)
        assert len({sum(hand.to_bytes(24, "little")) for hand in state.hands}) in (1, 2)
        seen = [view_for(state, seat) for seat in range(rules.seats)]
        for seat, view in enumerate(seen):
            known = [p.cards is not None for p in view.passed]
            assert known == [seat in (t.seat, t.to) for t in deal.passed_cards]
            assert [(p.seat, p.to) for p in view.passed] == order
    assert found


def test_partners_decide_on_passed_cards_before_the_declarer() -> None:
    rules, asked = TRIPLE_EXCHANGE, []
    rng = random.Random(2)
    state = game.start(rules)
    while state.deals == 0 and state.phase is not None:
        decision = game.decision(state)
        if decision.kind is DecisionKind.GIVE:
            asked.append((decision.seat, state.deal.declarer))
        action = PASS if decision.kind is DecisionKind.BID else decision.legal.sample(rng)
        state, _ = game.apply(state, action)
    declarer = asked[0][1]
    assert declarer is not None
    left, right = rules.partners_of(declarer)
    assert [seat for seat, _ in asked] == [left, right, declarer, declarer]


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_the_rules_page_has_seats_and_cards(rules: Rules) -> None:
    text = page(rules)
    assert f"{rules.seats} players" in text
    assert f"{rules.deck.size} cards" in text


def test_the_rules_page_describes_sides() -> None:
    assert "in two sides of three" in page(TRIPLE_TWO_SIDES).replace("\n", " ")
    three = page(TRIPLE_THREE_SIDES)
    assert "in three sides, partners opposite each other" in three.replace("\n", " ")
    assert "the other sides score" in three
    assert "six of each" in three
    assert "| meld | cards | one | two | three | four | five |" in three

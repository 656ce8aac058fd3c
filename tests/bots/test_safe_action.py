"""The safest action: legal in every game, and with the least risk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.actions import PASS, ActionList, Bid, Concede, LayMeld, Play
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.safe_action import fallback_action
from acesaround.game.state import Decision, DecisionKind
from acesaround.game.view import view_for
from acesaround.legal_bids import Bids
from acesaround.rules import Rules
from acesaround.rules.tricks import points_of
from acesaround.variants import VARIANTS
from tests.random_games import tables, turns
from tests.scripted_games import Table, contract, deal


@given(rules=tables(), seed=st.integers(0, 2**32))
def test_fallback_is_legal_passes_and_plays_cheaply(rules: Rules, seed: int) -> None:
    for turn in turns(rules, seed, deals=1):
        seat, legal = turn.decision.seat, turn.decision.legal
        if seat is None:
            continue
        action = fallback_action(view_for(turn.before, seat), turn.decision)
        assert action in legal
        assert not isinstance(action, Concede | LayMeld)
        if isinstance(legal, Bids):
            assert action == (PASS if legal.may_pass else Bid(legal.lowest_bid))
        elif isinstance(action, Play):
            points = points_of(rules.scoring.card_points)
            cards = [other.card for other in legal if isinstance(other, Play)]
            trump = turn.before.deal.trump
            if (action.card.suit is trump) != all(card.suit is trump for card in cards):
                raise AssertionError("a trump though there is another card")
            same_class = [
                card for card in cards if (card.suit is trump) == (action.card.suit is trump)
            ]
            assert points[action.card] == min(points[card] for card in same_class)


def test_cheapest_card_is_the_lowest_without_points() -> None:
    hands = {1: "AS TS QS 9S AH AH TH KH QH JH 9H 9H"}
    table = contract(
        variants.PARTNERSHIP.with_options(exchange=0), deal(variants.PARTNERSHIP, hands), 1, 250
    )
    table.do("1: trump S")
    decision = game.decision(table.state)
    assert str(fallback_action(view_for(table.state, 1), decision)) == "play 9H"


def test_failing_thumb_leaves_the_first_legal_action(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("no idea")

    rules = variants.THREE_HANDED
    table = contract(rules, deal(rules, {}), 1, 250)
    decision = game.decision(table.state)
    sound = fallback_action(view_for(table.state, 1), decision)
    monkeypatch.setattr(HeuristicBot, "choose", fails)
    assert fallback_action(view_for(table.state, 1), decision) == next(iter(decision.legal))
    monkeypatch.setattr(HeuristicBot, "choose", lambda *_: PASS)
    assert fallback_action(view_for(table.state, 1), decision) == next(iter(decision.legal))
    assert sound in decision.legal


def test_dealer_who_must_bid_bids_the_minimum() -> None:
    rules = variants.DOUBLE_DECK_CLASSIC
    table = Table(rules, deal(rules, {})).do("pass", "pass", "pass")
    assert fallback_action(view_for(table.state, 0), game.decision(table.state)) == Bid(50)


@pytest.mark.parametrize("kind", [DecisionKind.PLAY, DecisionKind.DISCARD])
def test_decision_without_a_legal_action_raises_no_stop_iteration(kind: DecisionKind) -> None:
    """A StopIteration in a thread would let its coroutine wait for ever, and the server with it."""
    state = next(turns(VARIANTS["partnership"], 1, deals=1)).after
    with pytest.raises(AssertionError):
        fallback_action(view_for(state, 0), Decision(0, kind, ActionList()))

"""`search` does what every good player does; and the positions themselves are sound."""

from __future__ import annotations

from collections import Counter

import pytest

from acesaround import game, variants
from acesaround.legal_bids import Bids
from tests.bots.positions.position import Position, bot_choice, positions
from tests.scripted_games import action

POSITIONS = positions()
FAULTS = (
    "bidding or playing what cannot be made",
    "giving up a hand that can be made",
    "keeping trumps for jacks around",
    "leading a lone ace of trumps",
    "not smearing on a partner's sure trick",
    "passing or keeping junk",
    "passing with big meld",
    "wasting the ace of trumps",
)


def test_positions_cover_every_fault_and_variant() -> None:
    """At least three for each fault, and some for every game for which bots were fitted."""
    faults = Counter(position.fault for position in POSITIONS)
    assert sorted(faults) == list(FAULTS)
    assert min(faults.values()) >= 3
    assert {position.state().rules.variant for position in POSITIONS} == {
        name for name, rules in variants.VARIANTS.items() if variants.fitted_numbers(rules)
    }


def position_id(position: Position) -> str:
    return f"{position.fault}: {position.name}"


@pytest.mark.parametrize("position", POSITIONS, ids=position_id)
def test_position_allows_some_actions_but_not_all(position: Position) -> None:
    """Conditions name legal actions and held cards, and exclude some actions but not all."""
    state = position.state()
    legal = game.decision(state).legal
    for text in (*position.right, *position.wrong):
        assert action(text) in legal
    if isinstance(legal, Bids):
        return
    answers = {position.allows(choice) for choice in legal}
    assert answers == {True, False}


@pytest.mark.parametrize("position", POSITIONS, ids=position_id)
def test_search_chooses_an_allowed_action(position: Position) -> None:
    chosen, decision = bot_choice(position, "search")
    assert chosen in decision.legal
    assert position.allows(chosen), f"{chosen}: {position.why}"

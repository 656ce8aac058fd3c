"""What every good player does, `search` does; and the positions are sound themselves."""

from __future__ import annotations

from collections import Counter

import pytest

from acesaround import game, variants
from acesaround.actions import Bids
from tests.bots.positions.position import Position, answer, positions
from tests.scripted_games import action

EVERY = positions()
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


def test_there_are_positions_of_every_fault_and_every_variant() -> None:
    """Three at least for each fault, and every game for which bots were fitted is among them."""
    faults = Counter(position.fault for position in EVERY)
    assert sorted(faults) == list(FAULTS)
    assert min(faults.values()) >= 3
    assert {position.state().rules.variant for position in EVERY} == {
        name for name, rules in variants.VARIANTS.items() if variants.fitted_numbers(rules)
    }


def identity(position: Position) -> str:
    return f"{position.fault}: {position.name}"


@pytest.mark.parametrize("position", EVERY, ids=identity)
def test_a_position_can_be_right_and_wrong(position: Position) -> None:
    """What is said of the action names legal ones and cards held, and tells some from others."""
    state = position.state()
    legal = game.decision(state).legal
    for text in (*position.right, *position.wrong):
        assert action(text) in legal
    if isinstance(legal, Bids):
        return
    answers = {position.allows(choice) for choice in legal}
    assert answers == {True, False}


@pytest.mark.parametrize("position", EVERY, ids=identity)
def test_search_gets_it_right(position: Position) -> None:
    """The `search` bot, thinking as long as it usually does."""
    done, decision = answer(position, "search")
    assert done in decision.legal
    assert position.allows(done), f"{done}: {position.why}"

"""States and views as JSON: every one comes back equal, and wrong values are named."""

from __future__ import annotations

import json
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.errors import PositionError
from acesaround.game import view_for
from acesaround.game.json_format import (
    state_from_json,
    state_to_json,
    view_from_json,
    view_to_json,
)
from acesaround.rules import Rules
from tests.random_games import tables, turns


def small_state() -> dict[str, Any]:
    """Return the JSON of the first state of a game."""
    found: dict[str, Any] = json.loads(state_to_json(game.start(variants.get("partnership"))))
    return found


@given(tables(), st.integers(0, 2**32), st.integers(0, 6))
def test_states_and_views_come_back_equal(rules: Rules, seed: int, first: int) -> None:
    for turn in islice(turns(rules, seed), first, None, 7):
        assert state_from_json(state_to_json(turn.after)) == turn.after
        for seat in (*range(rules.seats), None):
            view = view_for(turn.after, seat)
            assert view_from_json(view_to_json(view)) == view


def test_a_game_goes_on_from_its_json() -> None:
    for turn in turns(variants.get("partnership"), seed=1):
        read = state_from_json(state_to_json(turn.before).decode())
        assert game.apply(read, turn.action) == (turn.after, turn.events)


def test_hands_are_lists_of_cards() -> None:
    state = game.start(variants.get("partnership"))
    dealt, _ = game.apply(state, next(iter(game.decision(state).legal)))
    hands = json.loads(state_to_json(dealt))["hands"]
    assert hands == [[str(card) for card in dealt.hand(seat)] for seat in range(4)]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"hands": [["AX"]]}, "state.hands[0][0]: 'AX' is not a card"),
        ({"hands": [["AS"] * 256]}, "state.hands[0]: 256 cards, more than 255."),
        ({"hands": None}, "state.hands: Expected `array`, got `null`."),
        ({"dealer": "North"}, "state.dealer: Expected `int`, got `str`."),
        ({"phase": {"type": "Sleeping"}}, "state.phase.type: Invalid value 'Sleeping'."),
        ({"deal": {"trump": "X"}}, "state.deal.trump: 'X' is not a suit"),
        ({"deal": {"kitty": [[1]]}}, "state.deal.kitty[0]: Expected a card or a suit, got list."),
    ],
)
def test_wrong_field_is_named(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PositionError) as raised:
        state_from_json(json.dumps(small_state() | change))
    assert str(raised.value).startswith(sentence)


def test_wrong_best_card_of_a_trick_is_named() -> None:
    phase = {"type": "Playing", "leader": 0, "turn": 0, "cards": [], "best": "ZZ"}
    with pytest.raises(PositionError, match="best: 'ZZ' is not a card"):
        state_from_json(json.dumps(small_state() | {"phase": phase}))


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", "null", '"state"', b"\xff"),
        pytest.param("\ud800", id="surrogate"),
        pytest.param('{"deal":' + "[" * 100_000, id="nested"),
    ],
)
def test_other_texts_are_refused_with_a_sentence(text: str | bytes) -> None:
    for read, name in ((state_from_json, "state"), (view_from_json, "view")):
        with pytest.raises(PositionError, match=f"This is not the JSON of a {name}: "):
            read(text)

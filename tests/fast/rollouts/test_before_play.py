"""Deals that a kernel plays to the end from before the play end as in the engine."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Bury, Discard, Give, NameTrump, SizedActions, packed_cards
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.packed_deal import sets_from_hand
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.fast.rollouts.before_play import (
    BURY,
    GIVE,
    NAME,
    REDRAW,
    RETURN,
    DealStep,
    roll_out_contracts,
    roll_out_passing,
)
from acesaround.fast.rollouts.win_probability import (
    COUNTER_COLUMN,
    DIX_COLUMN,
    MELD_COLUMN,
    PLAY_COLUMN,
    build_game_arrays,
    win_probability,
)
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState
from acesaround.legal_bids import Bids
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature, why_unsupported
from acesaround.rules.scoring import Outcome
from acesaround.rules.tricks import points_of
from tests.extended_rules import NINE_DRAW, PARTNERS, TRIPLE_EXCHANGE, TRIPLE_THREE_SIDES
from tests.fast.playouts.test_playouts import TABLES
from tests.fast.rollouts.engine import by_rules, call, ended, rest, rows
from tests.random_games import tables

EXTENDED = (TRIPLE_EXCHANGE, TRIPLE_THREE_SIDES, NINE_DRAW, *PARTNERS)

BIDDING = [rules for rules in (*TABLES, *EXTENDED) if rules.auction is not None]
EACH_BIDDING = pytest.mark.parametrize(
    "rules",
    BIDDING,
    ids=lambda r: f"{r.variant}-{r.deck.copies}-{r.seats}-{r.side_size}-{r.exchange.exchange}",
)


def dealt(rules: Rules, rng: random.Random) -> GameState:
    """Return a fresh deal of a game with random scores."""
    state = game.start(rules, rng.randrange(rules.seats))
    scores = tuple(rng.randrange(-50, rules.ending.target) for _ in rules.sides)
    legal = game.decision(state).legal
    assert isinstance(legal, Deals)
    return game.apply(replace(state, scores=scores), legal.sample(rng))[0]


@pytest.mark.parametrize("deals", [1, pytest.param(12, marks=pytest.mark.soak)])
@EACH_BIDDING
def test_every_contract_ends_as_in_the_engine(rules: Rules, deals: int) -> None:
    """Each seat declares for the lowest bid once, and the others pass."""
    assert rules.auction is not None
    least, rng = rules.auction.lowest_bid, random.Random(1)
    for _ in range(deals):
        state = dealt(rules, rng)
        seats = range(rules.seats)
        found = roll_out_contracts(
            build_rule_arrays(rules, state.players),
            build_meld_tables(rules),
            rows(state),
            rest(state),
            np.arange(rules.seats),
            np.full(rules.seats, -1),
        )
        for seat in seats:
            end = ended(state, {seat: least})
            assert (found.trump[0, seat] < 0) == (end.outcome is Outcome.NO_MARRIAGE)
            sides = found.ends[0, seat]
            assert tuple(sides[:, MELD_COLUMN]) == end.tally.meld
            assert tuple(sides[:, PLAY_COLUMN]) == end.tally.play
            if end.outcome is not Outcome.NO_MARRIAGE:
                assert tuple(sides[:, DIX_COLUMN]) == end.tally.dix_points
                assert tuple(sides[:, COUNTER_COLUMN] != 0) == end.tally.has_counter


def _compare_choices(state: GameState, rng: random.Random) -> None:
    """Assert that random choices of the seat on turn end as in the engine."""
    rules, decision = state.rules, game.decision(state)
    assert decision.seat is not None
    assert state.deal.declarer is not None
    seat, side = decision.seat, rules.side_of(decision.seat)
    assert isinstance(decision.legal, SizedActions)
    choices = [rng.choice(decision.legal) for _ in range(3)]
    parts, suits = [], []
    trump = -1 if state.deal.trump is None else int(state.deal.trump)
    for choice in choices:
        if isinstance(choice, NameTrump):
            parts.append(sets_from_hand(0, rules.deck.copies))
            suits.append(int(choice.suit))
        else:
            assert isinstance(choice, Bury | Give | Discard)
            parts.append(sets_from_hand(packed_cards(choice), rules.deck.copies))
            suits.append(trump)
    step = {DecisionKind.BURY: BURY, DecisionKind.TRUMP: NAME, DecisionKind.DISCARD: REDRAW}.get(
        decision.kind, GIVE
    )
    if decision.kind is DecisionKind.GIVE and seat == state.deal.declarer:
        step = RETURN
    value = points_of(rules.scoring.card_points)
    arrays = build_game_arrays(rules, state.players, state.scores, state.target, state.deals)
    found = roll_out_passing(
        arrays,
        DealStep(
            step,
            state.players.index(seat),
            state.players.index(state.deal.declarer),
            state.deal.bid or 0,
            sum(value[card] for card in state.deal.buried),
            len(state.deal.passed_cards),
        ),
        rows(state),
        rest(state),
        np.array(parts, np.int64),
        np.array(suits, np.int64),
    )
    declares = rules.side_of(state.deal.declarer)
    for at, choice in enumerate(choices):
        end = ended(state, {}, choice)
        assert found.points[0, at] == end.change[side]
        assert found.bid_made[0, at] == (end.outcome is Outcome.MADE)
        totals = np.array(state.scores) + np.array(end.change)
        assert found.win_probability[0, at] == pytest.approx(
            win_probability(arrays.scoring_state, totals, declares, side)
        )


def _compare_deal(rules: Rules, seed: int) -> int:
    """Compare at each decision between auction and play; return the number of decisions."""
    assert rules.auction is not None
    rng, number = random.Random(seed), 0
    state = dealt(rules, rng)
    first = game.decision(state)
    assert isinstance(first.legal, Bids)
    assert first.seat is not None
    bidder = rng.randrange(rules.seats) if first.legal.may_pass else first.seat
    bids = {bidder: rules.auction.lowest_bid}
    while state.deals == 0 and game.decision(state).kind is not DecisionKind.PLAY:
        if game.decision(state).kind is DecisionKind.BID:
            state, _ = game.apply(state, call(state, bids))
            continue
        _compare_choices(state, rng)
        legal = game.decision(state).legal
        assert isinstance(legal, SizedActions)
        action: Action = rng.choice(legal)
        if isinstance(action, Discard):  # a rollout does not know what others discard
            action = by_rules(state)
        state, _ = game.apply(state, action)
        number += 1
    return number


@EACH_BIDDING
def test_every_choice_before_the_play_ends_as_in_the_engine(rules: Rules) -> None:
    assert sum(_compare_deal(rules, seed) for seed in range(6)) > 3


@settings(max_examples=25, deadline=None)
@given(rules=tables(), seed=st.integers(0, 1 << 30))
def test_every_choice_at_any_table_ends_as_in_the_engine(rules: Rules, seed: int) -> None:
    if rules.auction is not None and why_unsupported(rules, Feature.PLAYOUTS) is None:
        _compare_deal(rules, seed)


def test_contracts_depend_only_on_seed_and_world() -> None:
    rules, rng = variants.get("three-handed"), random.Random(2)
    states = [dealt(rules, rng) for _ in range(4)]
    hands = np.concatenate([rows(state) for state in states])
    kitties = np.concatenate([rest(state) for state in states])
    seats, any_suit = np.arange(3), np.full(3, -1)
    numbers, tables_ = build_rule_arrays(rules, (0, 1, 2)), build_meld_tables(rules)
    whole = roll_out_contracts(numbers, tables_, hands, kitties, seats, any_suit, 7)
    again = roll_out_contracts(numbers, tables_, hands, kitties, seats, any_suit, 7)
    last = roll_out_contracts(numbers, tables_, hands[3:], kitties[3:], seats, any_suit, 7)
    assert np.array_equal(whole.ends, again.ends)
    assert np.array_equal(whole.ends[3:], last.ends)


def test_uncompiled_kernels_give_the_same_results() -> None:
    program = """
import random
import numpy as np
from acesaround import variants
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.rollouts.before_play import roll_out_contracts
from tests.fast.rollouts.engine import rest, rows
from tests.fast.rollouts.test_before_play import dealt
for name in ("partnership", "five-card"):
    rules = variants.get(name)
    state = dealt(rules, random.Random(4))
    seats, suits = np.arange(4), np.array([-1, 0, 1, -1])
    numbers = build_rule_arrays(rules, state.players)
    melds = build_meld_tables(rules)
    found = roll_out_contracts(numbers, melds, rows(state), rest(state), seats, suits)
    print(found.trump.tolist(), found.ends.tolist())
"""
    printed = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": uncompiled, "PYTHONPATH": "src:."},
            capture_output=True,
            text=True,
            check=False,
        )
        for uncompiled in ("0", "1")
    ]
    assert printed[1].returncode == 0, printed[1].stderr[-2000:]
    assert printed[0].stdout == printed[1].stdout
    assert len(printed[0].stdout.splitlines()) == 2

"""The bot that sees all cards: all of its actions are legal, and it uses the hidden cards."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import bots, game, variants
from acesaround.actions import Action, Play
from acesaround.bots import clairvoyant
from acesaround.bots.clairvoyant import ClairvoyantBot
from acesaround.fast.playouts.packed_deal import pack
from acesaround.fast.playouts.rule_arrays import Integers
from acesaround.fast.rollouts.card_play import PlayFacts, RolloutResults, Unseen, roll_out_cards
from acesaround.fast.rollouts.perfect_information import roll_out_perfect_information
from acesaround.fast.rollouts.win_probability import build_game_arrays
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState, tally
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from tests.game.test_view import with_hidden_cards_shuffled
from tests.random_games import tables, turns

SEES_HANDS = "clairvoyant:sees=hands"
seeds = st.integers(0, 2**32)


def bot_choice(state: GameState, sees: str = "all") -> Action:
    player, decision = ClairvoyantBot(random.Random(0), sees), game.decision(state)
    player.observe_state(state)
    assert decision.seat is not None
    return player.choose(view_for(state, decision.seat), decision)


def totals_after_deal(rules: Rules, names: tuple[str, ...], seed: str) -> tuple[int, ...]:
    """Return the totals by side after one deal between bots, given a name for each side."""
    rng = random.Random(seed)
    state = game.start(rules, rng.randrange(rules.seats))
    players = [bots.make(names[rules.side_of(seat)], rng) for seat in range(rules.seats)]
    while state.phase is not None and state.deals == 0:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            state, _ = game.apply(state, decision.legal.sample(random.Random(seed)))
            continue
        assert decision.seat is not None
        player = players[decision.seat]
        if isinstance(player, bots.OmniscientPlayer):
            player.observe_state(state)
        action = player.choose(view_for(state, decision.seat), decision)
        assert action in decision.legal
        state, _ = game.apply(state, action, decision.seat)
    return state.scores


@given(tables(part=Feature.SEARCH), seeds)
@settings(max_examples=8, deadline=None)
def test_bot_is_legal_at_every_table(rules: Rules, seed: int) -> None:
    """Deals are played to the end with every house option and number of players."""
    rng = random.Random(seed)
    names = tuple(rng.choice(("clairvoyant", SEES_HANDS, "thumb")) for _ in rules.sides)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clairvoyant, "_MAX_PLAYOUTS", rng.choice((10, 300)))
        patch.setattr(clairvoyant, "_MAX_SOLVER_NODES", rng.choice((100, 10_000)))
        patch.setattr(clairvoyant, "_STOCK_ORDERS", rng.choice((1, 3)))
        totals_after_deal(rules, names, str(seed))


def test_choice_depends_on_hidden_cards() -> None:
    """It does not always do the same in the same view when hidden cards differ."""
    rng, changed = random.Random(1), 0
    for before in positions("three-handed", 4, 4):
        seat = game.decision(before).seat
        assert seat is not None
        changed += bot_choice(with_hidden_cards_shuffled(before, seat, rng)) != bot_choice(before)
    assert changed


def reorder_stock(state: GameState, rng: random.Random) -> GameState:
    stock = state.deal.stock
    return replace(state, deal=replace(state.deal, stock=tuple(rng.sample(stock, len(stock)))))


def test_seeing_hands_does_not_reveal_the_stock() -> None:
    """Only the bot that sees all reacts to another order of the stock."""
    rng, changed = random.Random(2), 0
    for before in positions("two-handed", 4, 3):
        after = reorder_stock(before, rng)
        assert bot_choice(after, "hands") == bot_choice(before, "hands")
        changed += bot_choice(after) != bot_choice(before)
    assert changed


@pytest.mark.parametrize("variant", ["five-card", "seven-card"])
def test_seeing_hands_does_not_reveal_the_stock_before_the_play(variant: str) -> None:
    rng, kinds = random.Random(3), Counter[DecisionKind]()
    for seed in range(3):
        for turn in turns(variants.get(variant), seed, deals=1):
            if turn.decision.kind in (DecisionKind.BID, DecisionKind.TRUMP, DecisionKind.DISCARD):
                after = reorder_stock(turn.before, rng)
                assert bot_choice(after, "hands") == bot_choice(turn.before, "hands")
                kinds[turn.decision.kind] += 1
    assert len(kinds) == 3


def test_seeing_hands_equals_seeing_all_without_a_stock() -> None:
    for variant in ("three-handed", "partnership"):
        for before in positions(variant, 6, 5):
            assert bot_choice(before, "hands") == bot_choice(before)


def rollout_arguments(state: GameState) -> tuple[PlayFacts, Integers]:
    """Return the deal and the cards that may be played, as a rollout takes them."""
    rules, decision = state.rules, game.decision(state)
    assert decision.seat is not None
    declarer = -1 if state.deal.declarer is None else rules.side_of(state.deal.declarer)
    side = rules.side_of(decision.seat)
    deal = PlayFacts(
        declarer, state.deal.bid or 0, side, np.array(tally(state).dix_points, np.int64)
    )
    cards = [int(action.card) for action in decision.legal if isinstance(action, Play)]
    return deal, np.array(cards, np.int64)


def try_on_level(state: GameState, level: int) -> RolloutResults:
    """Return the results of every card of the seat on turn, tried on a level."""
    rules, players = state.rules, state.players
    deal, cards = rollout_arguments(state)
    arrays = build_game_arrays(rules, players, state.scores, state.target, state.deals)
    return roll_out_perfect_information(arrays, deal, pack(state), 0, cards, level)


def positions(variant: str, seed: int, every: int) -> list[GameState]:
    """Return some states of the play of a random deal in which a seat has a choice."""
    found = [
        turn.before
        for turn in turns(variants.VARIANTS[variant], seed, deals=1)
        if turn.decision.kind is DecisionKind.PLAY and not turn.decision.is_forced
    ]
    return found[::-every]


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_deeper_levels_never_find_less(variant: str) -> None:
    """A line that is seen on one level is seen on the next, and level 0 is a playout."""
    for state in positions(variant, 5, 9)[:3]:
        rules, players = state.rules, state.players
        deal, cards = rollout_arguments(state)
        packed = pack(state)
        plain = roll_out_cards(
            build_game_arrays(rules, players, state.scores, state.target, state.deals),
            deal,
            pack(state),
            Unseen(packed.hands[None], packed.stock[None], np.zeros(1, np.int64)),
            cards,
        )
        levels = [try_on_level(state, level) for level in range(3)]
        assert np.allclose(levels[0].win_probability, plain.win_probability)
        assert (levels[0].points == plain.points).all()
        assert (levels[0].bid_made == plain.bid_made).all()
        for less, more in pairwise(levels):
            assert (more.win_probability >= less.win_probability - 1e-6).all()


@pytest.mark.soak
def test_clairvoyant_beats_thumb() -> None:
    """Each variant has a fixed match on the same cards with seats swapped."""
    for variant, rules in variants.VARIANTS.items():
        gained = 0.0
        for number in range(6):
            for own_side in range(len(rules.sides)):
                names = tuple(
                    "clairvoyant" if side == own_side else "thumb"
                    for side in range(len(rules.sides))
                )
                scores = totals_after_deal(rules, names, f"{variant}/{number}")
                gained += scores[own_side] - (sum(scores) - scores[own_side]) / (len(scores) - 1)
        assert gained > 0, variant

"""Properties of every game of every variant under any house rules."""

from __future__ import annotations

import itertools
import random
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.actions import (
    CONCEDE,
    PASS,
    PLAY_ACTIONS,
    TRUMP_ACTIONS,
    Action,
    Bid,
    Bury,
    Discard,
    Give,
    LayMeld,
    Play,
    SizedActions,
)
from acesaround.cards import CARDS, card_count, pack, unpack
from acesaround.errors import IllegalAction, Reason
from acesaround.game import engine
from acesaround.game.events import DealScored, TrickWon
from acesaround.game.state import DecisionKind, GameState, PhaseState, Playing, StockPlaying, tally
from acesaround.game.view import view_for
from acesaround.rules import Phase, Renege, Rules
from acesaround.rules.scoring import Outcome
from tests.random_games import tables, turns

seeds = st.integers(0, 2**32)


def cards_in(state: GameState) -> int:
    """Return all cards of the deal, packed."""
    deal, phase = state.deal, state.phase
    total = sum(state.hands) + pack(deal.stock) + pack(deal.buried)
    total += sum(pack(trick.cards) for trick in deal.tricks)
    total += sum(pack(throw.cards) for throw in deal.discarded)
    if isinstance(phase, Playing | StockPlaying):
        total += pack(phase.cards)
    if deal.upcard is not None:
        total += pack((deal.upcard,))
    if deal.kitty and deal.declarer is None:
        total += pack(deal.kitty)
    return total


@given(tables(), seeds)
@settings(max_examples=120, deadline=None)
def test_the_cards_of_a_deal_are_always_the_deck(rules: Rules, seed: int) -> None:
    for turn in turns(rules, seed):
        if turn.after.hands and any(turn.after.hands):
            assert cards_in(turn.after) == rules.deck.packed


@given(tables(), seeds)
@settings(max_examples=120, deadline=None)
def test_play_points_of_a_deal_add_up_to_those_of_the_deck(rules: Rules, seed: int) -> None:
    """With undealt cards they are at most that many."""
    scale = rules.scoring.card_points
    sums = {"ones": 3, "tens": 30, "kings-fives": 30, "traditional": 30}
    worth = sums[scale] if isinstance(scale, str) else sum(scale[: rules.deck.ranks])
    most = worth * 4 * rules.deck.copies + rules.scoring.last_trick
    for turn in turns(rules, seed):
        for event in turn.events:
            if not isinstance(event, DealScored):
                continue
            score = event.score
            if score.outcome in (Outcome.MADE, Outcome.SET, Outcome.NO_BID):
                if rules.deal.stock and not rules.deal.upcard:
                    assert rules.scoring.last_trick <= sum(score.play) <= most
                else:
                    assert sum(score.play) == most
            elif score.outcome is not Outcome.RENEGED:
                assert not any(score.play)


@given(tables(), seeds)
@settings(max_examples=100, deadline=None)
def test_the_winner_of_a_trick_leads_the_next(rules: Rules, seed: int) -> None:
    leads: int | None = None
    for turn in turns(rules, seed):
        phase = turn.before.phase
        if leads is not None and isinstance(phase, Playing | StockPlaying) and not phase.cards:
            assert phase.turn == leads
        if turn.decision.kind is DecisionKind.DEAL:
            leads = None
        for event in turn.events:
            if isinstance(event, TrickWon):
                leads = event.seat


def every_action(state: GameState, rng: random.Random) -> list[Action]:
    """Return legal and illegal actions of every kind."""
    hand = [c for h in state.hands for c in unpack(h)] or list(CARDS)
    some = [tuple(rng.sample(hand, n)) for n in (0, 1, 2, 3, 4) if n <= len(hand)]
    actions: list[Action] = [*PLAY_ACTIONS, *TRUMP_ACTIONS, PASS, CONCEDE]
    actions += [Bid(n) for n in (-10, 0, 1, 2, 49, 50, 51, 60, 61, 65, 100, 105, 250, 260, 265)]
    for make in (Bury, Give, Discard, LayMeld):
        actions += [make(cards) for cards in some]
    return actions


def refusal_of(state: GameState, action: Action) -> str | None:
    """Return the sentence of the refusal, or None if the action is accepted."""
    try:
        game.apply(state, action)
    except IllegalAction as refusal:
        return str(refusal)
    return None


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_an_action_is_accepted_if_and_only_if_it_is_legal(rules: Rules, seed: int) -> None:
    """`in legal`, iteration and `apply` agree (with reneges refused)."""
    rules = rules.with_options(renege="refuse")
    rng = random.Random(seed)
    for turn in turns(rules, seed, deals=1):
        if turn.decision.kind is DecisionKind.DEAL:
            continue
        legal = turn.decision.legal
        listed = set(itertools.islice(legal, 300))
        tried = every_action(turn.before, rng)
        tried += rng.sample(sorted(listed, key=str), min(5, len(listed)))
        for action in tried:
            accepted = refusal_of(turn.before, action) is None
            assert accepted == (action in legal), action
            if isinstance(legal, SizedActions) and len(legal) <= 300:
                assert accepted == (action in listed), action


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_actions_do_not_change_the_state_they_start_from(rules: Rules, seed: int) -> None:
    rng = random.Random(seed)
    for turn in turns(rules, seed, deals=1):
        before = repr(turn.before)
        for action in rng.sample(every_action(turn.before, rng), 6):
            sentence = refusal_of(turn.before, action)
            assert sentence is None or (sentence.endswith(".") and "{" not in sentence)
        assert repr(turn.before) == before


@given(tables(), seeds)
@settings(max_examples=40, deadline=None)
def test_only_the_seat_on_turn_may_act(rules: Rules, seed: int) -> None:
    for turn in turns(rules, seed, deals=1):
        if turn.decision.seat is None:
            continue
        for seat in range(rules.seats):
            if seat != turn.decision.seat:
                with pytest.raises(IllegalAction) as refusal:
                    game.apply(turn.before, turn.action, seat)
                assert refusal.value.reason is Reason.NOT_YOUR_TURN


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_with_renege_penalty_an_illegal_play_ends_the_deal(rules: Rules, seed: int) -> None:
    """The offender's side loses the bid, and the others score at most meld.

    Where deals are paid the offender pays all others the same.
    """
    rules = rules.with_options(renege="penalty", hands=3)
    for turn in turns(rules, seed, deals=2):
        phase = turn.before.phase
        if not isinstance(phase, Playing):
            continue
        held = {Play(card) for card in unpack(turn.before.hands[phase.turn])}
        for action in held - set(turn.decision.legal):
            after, events = game.apply(turn.before, action)
            (scored,) = [e for e in events if isinstance(e, DealScored)]
            side = rules.side_of(phase.turn)
            assert scored.score.outcome is Outcome.RENEGED
            assert scored.score.play == tally(turn.before).play
            others = {n: c for n, c in enumerate(scored.score.change) if n != side}
            if rules.scoring.pays:
                assert scored.score.change[side] == -sum(others.values()) < 0
                assert len(set(others.values())) == 1
            else:
                assert scored.score.change[side] == -(turn.before.deal.bid or 0)
                assert all(points in (0, scored.score.meld[n]) for n, points in others.items())
            assert after.deals == turn.before.deals + 1


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_all_hands_are_equally_long_between_tricks(rules: Rules, seed: int) -> None:
    for turn in turns(rules, seed):
        phase = turn.after.phase
        if isinstance(phase, Playing | StockPlaying) and not phase.cards:
            assert len({card_count(turn.after.hands[seat]) for seat in turn.after.players}) == 1


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_the_same_actions_give_the_same_game(variant: str) -> None:
    rules = variants.VARIANTS[variant]
    assert rules.play.renege is Renege.REFUSE
    state = None
    for turn in turns(rules, 5):
        if state is None:
            state = game.start(rules, turn.before.dealer)
        state, _ = game.apply(state, turn.action)
        assert state == turn.after


@pytest.mark.soak
@given(tables(), seeds)
@settings(max_examples=3000, deadline=None)
def test_an_action_is_accepted_if_and_only_if_it_is_legal_at_length(
    rules: Rules, seed: int
) -> None:
    """The same property over thousands of tables."""
    rng = random.Random(seed)
    rules = rules.with_options(renege="refuse")
    for turn in turns(rules, seed, deals=1):
        if turn.decision.kind is not DecisionKind.DEAL:
            for action in rng.sample(every_action(turn.before, rng), 12):
                accepted = refusal_of(turn.before, action) is None
                assert accepted == (action in turn.decision.legal)


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_turn_and_kind_equal_those_of_the_decision(rules: Rules, seed: int) -> None:
    for turn in turns(rules, seed):
        expected = turn.decision.seat, turn.decision.kind
        assert (game.turn_of(turn.before), game.decision_kind(turn.before)) == expected
        seen = view_for(turn.before, None)
        assert (seen.turn, seen.kind) == expected


def test_the_engine_has_every_phase_and_phase_state_once() -> None:
    names = [name for name, _, _ in engine._PHASES if name is not None]
    states = [state for _, state, _ in engine._PHASES if state is not None]
    assert sorted(names) == sorted(Phase)
    assert set(states) == set(get_args(PhaseState))
    assert len(states) == len(set(states))

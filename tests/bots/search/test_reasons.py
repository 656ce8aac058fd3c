"""Reasons of `search`: certain statements are true in every possible world."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.actions import Bid, Play
from acesaround.bots.advice import ask_for_advice, seat_name
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.search import SearchBot
from acesaround.bots.search.hard_constraints import HardConstraints
from acesaround.bots.search.reasons import explain_choice
from acesaround.bots.search.search_result import EvaluatedAction, SearchResult
from acesaround.cards import RANK_COUNT, Card, counts, kinds, kinds_in_set
from acesaround.fast.playouts.packed_deal import hand_from_sets
from acesaround.fast.sampler import Sampler, read_constraints
from acesaround.game.state import DecisionKind, GameState, Playing
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from acesaround.rules.tricks import beats, legal_cards
from acesaround.variants import PARTNERSHIP, THREE_HANDED, TWO_HANDED
from tests.random_games import FEW_UNSEEN, tables, turns
from tests.scripted_games import Table, contract, deal
from tests.spoken_reasons import read
from tests.variant_sample import sample_variants

VARIANTS = FEW_UNSEEN


def check_reasons(sure: HardConstraints, card: Card, hands: dict[int, int], strict: bool) -> None:
    """Assert that all statements about a trick are true with these hands."""
    seen = sure.view
    trump, law = sure.trump, seen.rules.play
    for seat, held in hands.items():
        if seat == seen.seat:
            continue
        has = counts(held)
        for kind in range(24):
            assert sure.low[seat][kind] <= has[kind] <= sure.high[seat][kind]
    trick = sure.trick_after(card)
    for seat in trick.seats_to_come:
        if sure.is_partner(seat) is trick.is_ours:
            continue
        may = kinds(hands[seat])
        if strict:
            may = legal_cards(may, (*seen.trick, card), trump, law)
        can = [other for other in kinds_in_set(may) if beats(other, trick.winning_card, trump)]
        led = (seen.trick[0] if seen.trick else card) // RANK_COUNT
        if sure.why_cannot_beat(seat, trick.winning_card, led) is not None or trick.is_decided:
            assert not can
    if sure.is_highest(card):
        for seat, held in hands.items():
            higher = [c for c in kinds_in_set(kinds(held)) if c.suit is card.suit and c < card]
            assert seat == seen.seat or not higher


@given(tables(part=Feature.SEARCH), st.integers(0, 2**32), st.booleans())
@settings(max_examples=30, deadline=None)
def test_certain_knowledge_is_true_in_every_world(rules: Rules, seed: int, thumb: bool) -> None:
    """In the true world and in sampled ones, after random play and after play of `thumb`."""
    rng = random.Random(seed)
    for state in playing_states(rules, seed, thumb):
        seat = state.phase.turn if isinstance(state.phase, Playing) else game.decision(state).seat
        assert seat is not None
        seen = view_for(state, seat)
        strict = seen.stock == 0 and seen.upcard is None  # also for the lead after the last draw
        sure = HardConstraints(seen)
        worlds = Sampler(read_constraints(seen), cells=5000).draw(5, seed).hands
        for card in {a.card for a in game.decision(state).legal if isinstance(a, Play)}:
            check_reasons(sure, card, {at: state.hands[at] for at in seen.players}, strict)
            for world in worlds:
                hands = {
                    at: hand_from_sets(row) for at, row in zip(seen.players, world, strict=True)
                }
                check_reasons(sure, card, hands, strict)
        if rng.random() < 0.5:
            break


def playing_states(rules: Rules, seed: int, thumb: bool) -> list[GameState]:
    found = []
    rng = random.Random(seed)
    if thumb:
        state = game.start(rules, 0)
        while state.phase is not None and state.deals < 1:
            decision = game.decision(state)
            if decision.seat is None:
                action = decision.legal.sample(rng)
            else:
                action = HeuristicBot().choose(view_for(state, decision.seat), decision)
            if decision.kind is DecisionKind.PLAY:
                found.append(state)
            state, _ = game.apply(state, action)
    else:
        found = [t.before for t in turns(rules, seed, 1) if t.decision.kind is DecisionKind.PLAY]
    return rng.sample(found, min(4, len(found)))


@pytest.mark.parametrize("variant", sample_variants(VARIANTS))
def test_every_decision_has_a_reason(variant: str) -> None:
    rules, rng = variants.get(variant), random.Random(5)
    state, bot, kinds_seen = game.start(rules, 0), SearchBot(rng, time=0.001), set()
    # one deal, and more if it is thrown in
    while state.phase is not None and (state.deals < 1 or DecisionKind.PLAY not in kinds_seen):
        decision = game.decision(state)
        if decision.seat is None:
            state, _ = game.apply(state, decision.legal.sample(rng))
            continue
        given = ask_for_advice(bot, view_for(state, decision.seat), decision)
        assert given.action in decision.legal
        read(given.action, given.why, view_for(state, decision.seat))
        if (
            decision.kind is DecisionKind.PLAY
        ):  # before it, what departs from rules of thumb must gain more
            chances = [option.chance for option in given.tried]
            assert chances == sorted(chances, reverse=True)
        kinds_seen.add(decision.kind)
        state, _ = game.apply(state, given.action)
    assert DecisionKind.PLAY in kinds_seen


HANDS = {
    1: "KH QH JH JH 9H 9H QC QC 9C 9S 9S JS",
    2: "AC AS AS TS TS AD TD TD JD JD QD 9D",
    3: "JC KC QD KD KD 9D JS QS QS KS KS JC",
    0: "TC KC 9C AC TC AH AH TH TH KH QH AD",
}


def reason_for(card: str, *moves: str) -> str:
    """Return the reason for a card after moves: seat 1 declares hearts, nothing is passed."""
    rules = PARTNERSHIP.with_options(exchange=0)
    table = contract(rules, deal(rules, HANDS), 1, 250).do("trump H", *moves)
    decision = game.decision(table.state)
    seen = view_for(table.state, decision.seat)
    return read(
        Play(Card(card)),
        explain_choice(seen, decision, SearchResult(Play(Card(card)), (), 9)),
        seen,
    )


def test_reason_for_a_counter_on_the_partners_sure_trick() -> None:
    assert reason_for("TC", "play 9C", "play AC", "play KC") == (
        "Play the 10♣: Cleo's ace is sure to win, and this counts for you."
    )


def test_reason_names_the_card_that_cannot_be_beaten() -> None:
    assert reason_for("KC", "play 9C", "play AC") == (
        "Play the K♣: you cannot beat Cleo's ace, and will need the others more."
    )
    assert reason_for("JC", "play 9C", "play AC") == (
        "Play the J♣: you cannot beat Cleo's ace, and this is worth nothing."
    )


def test_reason_says_when_all_cards_are_equal() -> None:
    """Unless there is a certain statement."""
    rules = PARTNERSHIP.with_options(exchange=0)
    table = contract(rules, deal(rules, HANDS), 1, 250).do("trump H", "play 9C", "play AC")
    decision = game.decision(table.state)
    seen = view_for(table.state, decision.seat)

    def reason_with(card: str, other: float) -> str:
        tried = (
            EvaluatedAction(Play(Card(card)), 0.5, 40.0, 0.8),
            EvaluatedAction(Play(Card("9C")), 0.5, other, 0.8),
        )
        why = explain_choice(seen, decision, SearchResult(tried[0].action, tried, 9))
        return read(tried[0].action, why, seen)

    assert reason_with("KC", 40.0) == "Play the K♣: it makes no difference which card you play."
    assert reason_with("KC", 30.0).startswith("Play the K♣: you cannot beat Cleo's ace")
    assert reason_with("JC", 40.0).startswith("Play the J♣: you cannot beat Cleo's ace")


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        ("AH TH KH QH JH AS AD AC KS QS JD 9H", "you hold a run in hearts"),
        ("AS AH AD AC KH QH TS 9D 9C JS JD TC", "you hold aces around"),
        ("AH AH TH TH KH QH AS TC JD 9C 9S JS", "you are long in hearts"),
        ("AH KH QH 9H AS TC JD 9C 9S JS TD KD", "with hearts as trump your hand is worth it"),
    ],
)
def test_reason_for_a_bid_names_strengths_of_the_hand(hand: str, why: str) -> None:
    table = Table(PARTNERSHIP, deal(PARTNERSHIP, {1: hand}), 0)
    decision = game.decision(table.state)
    seen = view_for(table.state, decision.seat)
    assert read(Bid(250), explain_choice(seen, decision, SearchResult(Bid(250), (), 9)), seen) == (
        f"Bid 250: {why}."
    )


def test_seats_are_named_relative_to_the_viewer() -> None:
    four = view_for(Table(PARTNERSHIP).state, 1)
    assert [seat_name(four, seat) for seat in (2, 3, 0)] == [
        "the player on your left",
        "your partner",
        "the player on your right",
    ]
    two = view_for(Table(TWO_HANDED).state, 0)
    assert seat_name(two, 1) == "your opponent"
    nine = view_for(Table(THREE_HANDED.with_options(players=3)).state, 0)
    assert seat_name(nine, 2) == "the player on your right"

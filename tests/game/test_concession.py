"""What giving up costs, as the engine scores it, and the sentence that says so."""

from __future__ import annotations

import random

import pytest

from acesaround import game, variants
from acesaround.actions import CONCEDE, Action
from acesaround.bots.explanations import explain_action
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.heuristic.conceding import concede_reason
from acesaround.game.concession import concede_result, concede_sentence
from acesaround.game.events import DealScored
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState, Playing
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.table.legal_choices import legal_choices
from tests.scripted_games import Table, contract, deal


def first_lead(rules: Rules, seed: int) -> GameState | None:
    """Return the state in which the declarer may give up, or None if all pass."""
    rng = random.Random(seed)
    state = game.start(rules, 0)
    while state.phase is not None and state.deals == 0:
        if isinstance(state.phase, Playing):
            return state
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            action: Action = decision.legal.sample(rng)
        else:
            assert decision.seat is not None
            action = HeuristicBot().choose(view_for(state, decision.seat), decision)
        state, _ = game.apply(state, action)
    return None


@pytest.mark.parametrize(
    "name", [name for name, rules in variants.VARIANTS.items() if "concede" in rules.options]
)
def test_giving_up_is_said_to_cost_what_the_engine_scores(name: str) -> None:
    rules = variants.VARIANTS[name].with_options(concede="always")
    tried = 0
    for seed in range(12):
        state = first_lead(rules, seed)
        if state is None:
            continue
        seat = game.decision(state).seat
        view = view_for(state, seat)
        _, events = game.apply(state, CONCEDE)
        score = next(event.score for event in events if isinstance(event, DealScored))
        assert concede_result(view) == score.change
        sentence = concede_sentence(view)
        assert legal_choices(state, view.declarer or 0).concede_result == sentence
        for points in score.change:
            assert str(abs(points)) in sentence or not points
        hint = explain_action(CONCEDE, concede_reason(view), view, lambda seat: f"Seat {seat}")
        assert hint.endswith(f". {sentence}")
        tried += 1
    assert tried


THREE, CHIPS = variants.get("three-handed"), variants.get("auction-chips")
DOUBLE = variants.get("double-deck").with_options(concede="always")


def given_up(table: Table) -> str:
    """Return the sentence for the declarer of a table."""
    return concede_sentence(view_for(table.state, table.turn))


def test_players_who_play_alone_are_told_of_each_other_player() -> None:
    hands = {0: "AS AH AD AC 9S 9S JH JH JC TS TS TD TD KC KC", 1: "9H 9H 9D 9D JS JS JC QH QC"}
    table = contract(THREE, deal(THREE, hands, kitty="9C 9C KS"), 1, 300)
    table.do("bury 9C 9C KS", "trump H")
    assert given_up(table).startswith("You lose 300 points, and the players after you score ")


def test_a_game_for_chips_is_told_what_each_player_is_paid() -> None:
    table = contract(CHIPS, deal(CHIPS, {}, kitty="9C 9C KS"), 1, 300)
    table.do("bury 9C 9C KS", "trump H")
    payment = concede_result(view_for(table.state, 1))
    assert given_up(table) == (
        f"You lose {-payment[1]} points, and each other player scores {payment[0]}."
    )


def test_a_side_whose_meld_is_too_low_is_told_to_score_nothing() -> None:
    """Double deck: 20 points of meld are needed for any to count."""
    low = "AS TS KS QS JS AH TH KH JH AD TD QD JD AC TC QC JC JC QD TD"
    table = contract(DOUBLE, deal(DOUBLE, {1: "KS QS", 0: low}), 1, 50).do("trump S")
    others = concede_result(view_for(table.state, 1))[0]
    assert given_up(table) == (
        f"Your side loses 50 points, and the other side scores {others or 'nothing'}."
    )

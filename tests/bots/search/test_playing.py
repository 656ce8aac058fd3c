"""Search of card play: legal at any table, with the values of the engine."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import CONCEDE, LayMeld, Play
from acesaround.bots.heuristic.ace_signals import truthful_card
from acesaround.bots.search import SearchBot
from acesaround.bots.search import playing as searching
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.playing import search_play
from acesaround.bots.search.search_result import SearchResult
from acesaround.bots.search.world_sampling import sample_worlds
from acesaround.cards import CARDS
from acesaround.fast.playouts.packed_deal import hand_from_sets
from acesaround.fast.rollouts.win_probability import win_probability
from acesaround.fast.sampler import Worlds
from acesaround.fast.solver import Position, Solver
from acesaround.fast.solver.setup import solver_setup
from acesaround.game.events import DealScored
from acesaround.game.state import GameState, Playing, tally
from acesaround.game.view import turn_of, view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from acesaround.rules.scoring import Outcome, outcome_and_changes
from acesaround.rules.tricks import points_of
from tests.bots.search.sample_decisions import situation
from tests.fast.rollouts.moments import end, moments, scored, truth
from tests.random_games import FEW_UNSEEN, tables
from tests.scripted_games import contract, deal
from tests.stock_rules import STOCK_RULES
from tests.variant_sample import sample_variants

UNWEIGHTED = SearchBudget(1, 5, uses_calls=False, uses_plays=False)


def search_result(state: GameState, budget: SearchBudget) -> SearchResult:
    return search_play(situation(state, budget))


def check_search(state: GameState, budget: SearchBudget) -> None:
    """Assert that the result is legal, sorted and repeatable."""
    legal = list(game.decision(state).legal)
    choice = search_result(state, budget)
    assert choice == search_result(state, budget)
    assert choice.action in legal
    if len(legal) == 1:
        assert choice == SearchResult(legal[0], (), 0)
        return
    assert choice.worlds >= 8 or (choice.worlds == 1 and len(state.rules.sides) == 2)
    best = choice.evaluated_actions[0].action
    if choice.action != best:  # it would be an untrue signal, and the other card is a true one
        assert isinstance(best, Play)
        view = view_for(state, game.decision(state).seat)
        assert choice.action == Play(truthful_card(view, best.card))
    assert len(choice.evaluated_actions) == len(legal)
    assert {option.action for option in choice.evaluated_actions} == set(legal)
    for option in choice.evaluated_actions:
        assert 0.0 <= option.win_probability <= 1.0 + 1e-12
        assert 0.0 <= option.bid_made_probability <= 1.0
    for better, worse in pairwise(choice.evaluated_actions):
        assert (better.win_probability, better.points) >= (worse.win_probability, worse.points)


def check_random_states(rules: Rules, seed: int, number: int, well: bool) -> None:
    rng = random.Random(seed)
    for state in moments(rules, seed, number, well):
        budget = SearchBudget(
            rng.choice([1, 60, 300]),
            seed,
            uses_calls=rng.random() < 0.5,
            uses_plays=rng.random() < 0.5,
            is_two_ply=rng.random() < 0.3,
            exact_tricks=rng.choice([0, 3, 20]),
        )
        check_search(scored(state, rng), budget)


@pytest.mark.parametrize("variant", FEW_UNSEEN)
def test_results_are_legal_and_repeatable(variant: str) -> None:
    check_random_states(variants.get(variant), 4, 20, True)


@settings(max_examples=40, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_results_are_legal_at_any_table(rules: Rules, seed: int, well: bool) -> None:
    check_random_states(rules, seed, 5, well)


@pytest.mark.soak
@settings(max_examples=1000, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_results_are_legal_at_many_tables(rules: Rules, seed: int, well: bool) -> None:
    check_random_states(rules, seed, 20, well)


def test_forced_actions_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Worlds:
        raise AssertionError("worlds were drawn")

    monkeypatch.setattr(searching, "sample_worlds", fail)
    forced = 0
    for variant in variants.VARIANTS:
        for state in moments(variants.get(variant), 6, 40, True):
            legal = list(game.decision(state).legal)
            if len(legal) == 1:
                assert search_result(state, SearchBudget(10**12, 1)) == SearchResult(
                    legal[0], (), 0
                )
                forced += 1
    assert forced > 20


def in_world(state: GameState, worlds: Worlds, number: int) -> GameState:
    hands, deal, rest = list(state.hands), state.deal, worlds.rest[number]
    for seat, row in zip(state.players, worlds.hands[number], strict=True):
        hands[seat] = hand_from_sets(row)
    if deal.upcard is not None:
        deal = replace(deal, stock=tuple(CARDS[kind] for kind in rest))
    if deal.buried and deal.declarer != turn_of(state):
        deal = replace(deal, buried=tuple(CARDS[kind] for kind in rest[: len(deal.buried)]))
    return replace(state, hands=tuple(hands), deal=deal)


def compare_with_engine(state: GameState, budget: SearchBudget) -> int:
    """Compare each option with the mean of the engine's results; return the number of options."""
    choice, seen = search_result(state, budget), view_for(state, turn_of(state))
    worlds = sample_worlds(situation(state, budget), choice.worlds, budget.seed)
    states = [in_world(state, worlds, number) for number in range(choice.worlds)]
    options = [option for option in choice.evaluated_actions if option.action != CONCEDE]
    for option in options:
        assert seen.seat is not None
        mine = state.rules.side_of(seen.seat)
        ends = [end(world, option.action) for world in states]
        assert option.points == pytest.approx(np.mean([result.change[mine] for result in ends]))
        made = [result.outcome is not Outcome.SET for result in ends]
        assert option.bid_made_probability == pytest.approx(np.mean(made))
        actual = truth(state)
        totals = (actual.game.scores + np.array(result.change) for result in ends)
        wins = [win_probability(actual.game, total, actual.deal.declarer, mine) for total in totals]
        assert option.win_probability == pytest.approx(np.mean(wins))
    return len(options)


def compare_random_states(rules: Rules, seed: int, number: int, well: bool) -> int:
    """Compare random states. Skip those in which a view hides how melds on the table were
    counted."""
    rng, compared = random.Random(seed), 0
    for state in moments(rules, seed, number, well):
        if state.deal.upcard is not None and state.deal.laid:
            continue
        compared += compare_with_engine(scored(state, rng), UNWEIGHTED._replace(seed=seed))
    return compared


@pytest.mark.parametrize("variant", sample_variants(FEW_UNSEEN))
def test_options_have_engine_values(variant: str) -> None:
    assert compare_random_states(variants.get(variant), 8, 25, True) > 20


@settings(max_examples=25, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_options_have_engine_values_at_any_table(rules: Rules, seed: int, well: bool) -> None:
    compare_random_states(rules, seed, 3, well)


@pytest.mark.soak
@settings(max_examples=500, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_options_have_engine_values_at_many_tables(rules: Rules, seed: int, well: bool) -> None:
    compare_random_states(rules, seed, 10, well)


@pytest.mark.parametrize("number", [15, pytest.param(30, marks=pytest.mark.soak)])
@pytest.mark.parametrize("variant", sample_variants(FEW_UNSEEN))
def test_two_ply_results_count_three_tenths(variant: str, number: int) -> None:
    """Only where a second own choice follows before a card is drawn."""
    changed, two_ply = 0, UNWEIGHTED._replace(playouts=1200, is_two_ply=True)  # half for each ply
    for state in moments(variants.get(variant), 9, number, True):
        mixed = search_result(state, two_ply)
        if state.deal.upcard is not None or len(state.hand(turn_of(state) or 0)) <= 2:
            assert mixed == search_result(state, two_ply._replace(is_two_ply=False))
            continue
        plain = {
            option.action: option
            for option in search_result(state, UNWEIGHTED._replace(playouts=600)).evaluated_actions
        }
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(searching, "_TWO_PLY_WEIGHT", 1.0)
            second = {
                option.action: option for option in search_result(state, two_ply).evaluated_actions
            }
        for option in mixed.evaluated_actions:
            before, after = plain[option.action], second[option.action]
            assert option.points == pytest.approx(0.7 * before.points + 0.3 * after.points)
            changed += option.points != pytest.approx(before.points)
    assert changed or variants.get(variant).deal.upcard


def test_search_bot_is_two_ply_by_default() -> None:
    changed = 0
    for state in moments(variants.get("partnership"), 10, 20, True):
        decision = game.decision(state)
        found = [
            SearchBot(random.Random(1), time=0.001, ahead=ahead).search(
                view_for(state, decision.seat), decision
            )
            for ahead in ("yes", "no")
        ]
        default = SearchBot(random.Random(1), time=0.001)
        assert default.search(view_for(state, decision.seat), decision) == found[0]
        changed += found[0] != found[1]
    assert changed


@pytest.mark.parametrize("house", ["", "after the stock", "all of it"])
def test_melds_are_options(house: str) -> None:
    offered = chosen = 0
    for state in moments(STOCK_RULES.get(house, variants.get("two-handed")), 3, 200, True):
        melds = {action for action in game.decision(state).legal if isinstance(action, LayMeld)}
        choice = search_result(state, SearchBudget(200, 1))
        assert (
            melds <= {option.action for option in choice.evaluated_actions}
            or not choice.evaluated_actions
        )
        offered += bool(melds)
        chosen += isinstance(choice.action, LayMeld)
    assert 0 < chosen <= offered, (chosen, offered)


def best_play_values(
    state: GameState, worlds: Worlds, solver: Solver
) -> dict[object, tuple[float, float]]:
    """Return the mean of points and of bids made by each card under best play of all."""
    rules, deal = state.rules, state.deal
    maximizer = solver.setup.sides.index(0)
    side = rules.side_of(state.players[maximizer])
    other = next(at for at in range(len(rules.sides)) if at != side)
    seat, worth = turn_of(state), points_of(rules.scoring.card_points)
    assert seat is not None
    mine, before = rules.side_of(seat), tally(state)
    found: dict[object, list[tuple[int, bool]]] = {}
    by_hands = dict[object, dict[object, tuple[int, bool]]]()
    for number in range(len(worlds.hands)):
        world = in_world(state, worlds, number)
        if world.hands not in by_hands:
            position = Position.from_state(world, side)
            cards = [*position.trick, *(card for held in position.hands for card in held)]
            rest = rules.scoring.last_trick + sum(worth[card] for card in cards)
            by_hands[world.hands] = {}
            for card, answer in solver.card_values(position).items():
                assert answer.lower_bound == answer.upper_bound
                play_, counter = list(before.play), list(before.has_counter)
                for at, won in ((side, answer.lower_bound), (other, rest - answer.lower_bound)):
                    play_[at] += won
                    counter[at] = counter[at] or won > rules.scoring.last_trick
                after = replace(before, play=tuple(play_), has_counter=tuple(counter))
                declarer = None if deal.declarer is None else rules.side_of(deal.declarer)
                outcome, change = outcome_and_changes(
                    rules, after, None, declarer, deal.bid, trump=deal.trump
                )
                by_hands[world.hands][card] = change[mine], outcome is not Outcome.SET
        for action, result in by_hands[world.hands].items():
            found.setdefault(action, []).append(result)
    return {
        card: (float(np.mean([r[0] for r in results])), float(np.mean([r[1] for r in results])))
        for card, results in found.items()
    }


@pytest.mark.parametrize(
    ("variant", "players"),
    [
        ("partnership", 4),
        ("double-deck", 4),
        ("double-deck-classic", 4),
        ("two-handed", 2),
        ("seven-card", 2),
    ],
)
def test_best_play_counts_one_half_late_in_the_deal(variant: str, players: int) -> None:
    """The share is nine tenths if nothing is hidden."""
    rules, rng, compared = variants.get(variant, players), random.Random(2), 0
    solver = Solver(solver_setup(rules, tuple(range(rules.seats)), 0), 8)
    opposing_solver = Solver(solver_setup(rules, tuple(range(rules.seats)), 1), 8)
    for state in moments(rules, 5, 200, True):
        decision = game.decision(state)
        if state.deal.upcard is not None or not 2 <= len(state.hand(turn_of(state) or 0)) <= 4:
            continue
        if len(list(decision.legal)) == 1 or compared > 12:
            continue
        state = scored(state, rng)
        plain, mixed = (
            search_result(
                state, SearchBudget(4000, 3, uses_calls=False, uses_plays=False, exact_tricks=exact)
            )
            for exact in (0, 4)
        )
        bare = situation(state, SearchBudget(4000, 3, uses_calls=False, uses_plays=False))
        worlds = sample_worlds(bare, plain.worlds, 3)
        mine = rules.side_of(decision.seat or 0)
        exact_values = best_play_values(
            state, worlds.select(slice(300)), (solver, opposing_solver)[mine]
        )
        before = {option.action: option for option in plain.evaluated_actions}
        for option in mixed.evaluated_actions:
            points, made = exact_values[option.action.card]  # type: ignore[union-attr]
            single = before[option.action]
            share = 0.9 if mixed.worlds == 1 else 0.5
            assert option.points == pytest.approx(single.points + share * (points - single.points))
            assert option.bid_made_probability == pytest.approx(
                single.bid_made_probability + share * (made - single.bid_made_probability)
            )
        compared += 1
    assert compared > 5


def test_two_player_play_off_is_solved() -> None:
    """Nothing is hidden once the stock is empty."""
    rules, solved_ = variants.get("two-handed"), 0
    sides = [Solver(solver_setup(rules, (0, 1), side), 8) for side in (0, 1)]
    for state in moments(rules, 8, 120, True):
        decision = game.decision(state)
        if state.deal.upcard is not None or len(list(decision.legal)) == 1:
            continue
        choice = search_result(state, SearchBudget(4000, 3, exact_tricks=8))
        assert choice.worlds == 1
        worlds = sample_worlds(situation(state, SearchBudget(1, 3)), 1, 3)
        exact_values = best_play_values(state, worlds, sides[rules.side_of(decision.seat or 0)])
        best = max(points for points, _ in exact_values.values())
        assert exact_values[choice.action.card][0] == best  # type: ignore[union-attr]
        solved_ += 1
    assert solved_ > 10


@settings(max_examples=20, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_conceding_has_the_value_of_the_engine(rules: Rules, seed: int) -> None:
    if "concede" not in rules.options:
        return
    rng = random.Random(seed)
    for state in moments(rules.with_options(concede="always"), seed, 400, True):
        if not isinstance(state.phase, Playing) or not state.phase.may_concede:
            continue
        state = scored(state, rng)
        option = next(
            o for o in search_result(state, UNWEIGHTED).evaluated_actions if o.action == CONCEDE
        )
        _, events = game.apply(state, CONCEDE)
        score = next(event.score for event in events if isinstance(event, DealScored))
        actual = truth(state)
        assert option.points == score.change[actual.deal.own_side]
        assert option.bid_made_probability == 0.0
        totals = actual.game.scores + np.array(score.change)
        assert option.win_probability == win_probability(
            actual.game, totals, actual.deal.own_side, actual.deal.own_side
        )


def test_only_a_hopeless_contract_is_conceded() -> None:
    rules = variants.get("three-handed")
    poor = "9S 9S JS JS QS 9H 9H JH QH 9D 9D JD QD KC QC"
    great = "AS AS TS TS KS QS JS AH AH TH AD AD AC AC TC"
    for hand_, bid, given_up in ((poor, 500, True), (great, 300, False)):
        table = contract(rules, deal(rules, {0: hand_}, kitty="KD KH JC"), 0, bid)
        table.do("bury KD KH JC", "trump S")
        assert CONCEDE in game.decision(table.state).legal
        choice = search_result(table.state, SearchBudget(2000, 1))
        assert (choice.action == CONCEDE) == given_up

"""Cards searched out: legal at any table, and worth what the engine makes of them."""

from __future__ import annotations

import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import CONCEDE, LayMeld
from acesaround.bots.search import SearchBot
from acesaround.bots.search import playing as searching
from acesaround.bots.search.budget import SearchBudget
from acesaround.bots.search.playing import search_play
from acesaround.bots.search.result import SearchResult
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
from acesaround.rules.scoring import Outcome, outcome_and_changes
from acesaround.rules.support import Feature
from acesaround.rules.tricks import points_of
from tests.bots.search.asking import situation
from tests.fast.rollouts.moments import end, moments, scored, truth
from tests.random_games import FEW_UNSEEN, tables
from tests.scripted_games import contract, deal
from tests.stocked import HOUSES

BARE = SearchBudget(1, 5, uses_calls=False, uses_plays=False)


def searched(state: GameState, effort: SearchBudget) -> SearchResult:
    """What is searched out for the seat on turn."""
    return search_play(situation(state, effort))


def sound(state: GameState, effort: SearchBudget) -> None:
    """A legal action, the best of all that are legal, and the same again."""
    legal = list(game.decision(state).legal)
    choice = searched(state, effort)
    assert choice == searched(state, effort)
    assert choice.action in legal
    if len(legal) == 1:
        assert choice == SearchResult(legal[0], (), 0)
        return
    assert choice.worlds >= 8 or (choice.worlds == 1 and len(state.rules.sides) == 2)
    assert choice.action == choice.options[0].action
    assert len(choice.options) == len(legal)
    assert {option.action for option in choice.options} == set(legal)
    for option in choice.options:
        assert 0.0 <= option.chance <= 1.0 + 1e-12
        assert 0.0 <= option.made <= 1.0
    for better, worse in pairwise(choice.options):
        assert (better.chance, better.points) >= (worse.chance, worse.points)


def look(rules: Rules, seed: int, number: int, well: bool) -> None:
    rng = random.Random(seed)
    for state in moments(rules, seed, number, well):
        effort = SearchBudget(
            rng.choice([1, 60, 300]),
            seed,
            uses_calls=rng.random() < 0.5,
            uses_plays=rng.random() < 0.5,
            is_two_ply=rng.random() < 0.3,
            exact_tricks=rng.choice([0, 3, 20]),
        )
        sound(scored(state, rng), effort)


@pytest.mark.parametrize("variant", FEW_UNSEEN)
def test_every_choice_is_sound(variant: str) -> None:
    look(variants.get(variant), 4, 20, True)


@settings(max_examples=40, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_it_is_at_any_table(rules: Rules, seed: int, well: bool) -> None:
    look(rules, seed, 5, well)


@pytest.mark.soak
@settings(max_examples=1000, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_it_is_at_very_many_tables(rules: Rules, seed: int, well: bool) -> None:
    look(rules, seed, 20, well)


def test_what_is_forced_is_played_without_a_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    def thought(*_: object) -> Worlds:
        raise AssertionError("worlds were drawn")

    monkeypatch.setattr(searching, "sample_worlds", thought)
    forced = 0
    for variant in variants.VARIANTS:
        for state in moments(variants.get(variant), 6, 40, True):
            legal = list(game.decision(state).legal)
            if len(legal) == 1:
                assert searched(state, SearchBudget(10**12, 1)) == SearchResult(legal[0], (), 0)
                forced += 1
    assert forced > 20


def in_world(state: GameState, worlds: Worlds, number: int) -> GameState:
    """The moment as it is in a world."""
    hands, its, rest = list(state.hands), state.deal, worlds.rest[number]
    for seat, row in zip(state.players, worlds.hands[number], strict=True):
        hands[seat] = hand_from_sets(row)
    if its.upcard is not None:
        its = replace(its, stock=tuple(CARDS[kind] for kind in rest))
    if its.buried and its.declarer != turn_of(state):
        its = replace(its, buried=tuple(CARDS[kind] for kind in rest[: len(its.buried)]))
    return replace(state, hands=tuple(hands), deal=its)


def expected(state: GameState, effort: SearchBudget) -> int:
    """Compare each option with the mean of what the engine makes of it; how many there were."""
    choice, seen = searched(state, effort), view_for(state, turn_of(state))
    worlds = sample_worlds(situation(state, effort), choice.worlds, effort.seed)
    states = [in_world(state, worlds, number) for number in range(choice.worlds)]
    options = [option for option in choice.options if option.action != CONCEDE]
    for option in options:
        assert seen.seat is not None
        mine = state.rules.side_of(seen.seat)
        ends = [end(its, option.action) for its in states]
        assert option.points == pytest.approx(np.mean([its.change[mine] for its in ends]))
        made = [its.outcome is not Outcome.SET for its in ends]
        assert option.made == pytest.approx(np.mean(made))
        its = truth(state)
        totals = (its.game.scores + np.array(one.change) for one in ends)
        wins = [win_probability(its.game, total, its.deal.declarer, mine) for total in totals]
        assert option.chance == pytest.approx(np.mean(wins))
    return len(options)


def plainly(rules: Rules, seed: int, number: int, well: bool) -> int:
    """Where accounts of melds on the table count, a view does not tell all: not there."""
    rng, compared = random.Random(seed), 0
    for state in moments(rules, seed, number, well):
        if state.deal.upcard is not None and state.deal.laid:
            continue
        compared += expected(scored(state, rng), BARE._replace(seed=seed))
    return compared


@pytest.mark.parametrize("variant", FEW_UNSEEN)
def test_an_option_is_worth_the_mean_of_its_ends_in_the_engine(variant: str) -> None:
    assert plainly(variants.get(variant), 8, 25, True) > 20


@settings(max_examples=25, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_it_is_worth_that_at_any_table(rules: Rules, seed: int, well: bool) -> None:
    plainly(rules, seed, 3, well)


@pytest.mark.soak
@settings(max_examples=500, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30), st.booleans())
def test_it_is_worth_that_at_very_many_tables(rules: Rules, seed: int, well: bool) -> None:
    plainly(rules, seed, 10, well)


@pytest.mark.parametrize("variant", FEW_UNSEEN)
def test_the_next_own_card_counts_three_tenths(variant: str) -> None:
    """Where no card is drawn before it, and there is a choice of it at all."""
    moved, double = 0, BARE._replace(playouts=1200, is_two_ply=True)  # which is half for each
    for state in moments(variants.get(variant), 9, 30, True):
        part = searched(state, double)
        if state.deal.upcard is not None or len(state.hand(turn_of(state) or 0)) <= 2:
            assert part == searched(state, double._replace(is_two_ply=False))
            continue
        plain = {its.action: its for its in searched(state, BARE._replace(playouts=600)).options}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(searching, "_TWO_PLY_WEIGHT", 1.0)
            whole = {its.action: its for its in searched(state, double).options}
        for its in part.options:
            before, after = plain[its.action], whole[its.action]
            assert its.points == pytest.approx(0.7 * before.points + 0.3 * after.points)
            moved += its.points != pytest.approx(before.points)
    assert moved or variants.get(variant).deal.upcard


def test_search_looks_at_its_next_card_unless_told_not_to() -> None:
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
def test_melds_to_be_laid_are_options_beside_the_cards(house: str) -> None:
    offered = chosen = 0
    for state in moments(HOUSES.get(house, variants.get("two-handed")), 3, 200, True):
        melds = {its for its in game.decision(state).legal if isinstance(its, LayMeld)}
        choice = searched(state, SearchBudget(200, 1))
        assert melds <= {option.action for option in choice.options} or not choice.options
        offered += bool(melds)
        chosen += isinstance(choice.action, LayMeld)
    assert 0 < chosen <= offered, (chosen, offered)


def solved(state: GameState, worlds: Worlds, by: Solver) -> dict[object, tuple[float, float]]:
    """The mean of points and of bids made by each card when all play their best, world by world."""
    rules, deal = state.rules, state.deal
    one = by.setup.sides.index(0)
    side = rules.side_of(state.players[one])
    other = next(at for at in range(len(rules.sides)) if at != side)
    seat, worth = turn_of(state), points_of(rules.scoring.card_points)
    assert seat is not None
    mine, before = rules.side_of(seat), tally(state)
    found: dict[object, list[tuple[int, bool]]] = {}
    known = dict[object, dict[object, tuple[int, bool]]]()
    for number in range(len(worlds.hands)):
        its = in_world(state, worlds, number)
        if its.hands not in known:
            position = Position.of_state(its, side)
            cards = [*position.trick, *(card for held in position.hands for card in held)]
            rest = rules.scoring.last_trick + sum(worth[card] for card in cards)
            known[its.hands] = {}
            for card, answer in by.card_values(position).items():
                assert answer.low == answer.high
                play_, counter = list(before.play), list(before.counter)
                for at, won in ((side, answer.low), (other, rest - answer.low)):
                    play_[at] += won
                    counter[at] = counter[at] or won > rules.scoring.last_trick
                after = replace(before, play=tuple(play_), counter=tuple(counter))
                declarer = None if deal.declarer is None else rules.side_of(deal.declarer)
                outcome, change = outcome_and_changes(
                    rules, after, None, declarer, deal.bid, trump=deal.trump
                )
                known[its.hands][card] = change[mine], outcome is not Outcome.SET
        for each, result in known[its.hands].items():
            found.setdefault(each, []).append(result)
    return {
        card: (float(np.mean([r[0] for r in its])), float(np.mean([r[1] for r in its])))
        for card, its in found.items()
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
def test_late_in_the_deal_half_of_it_is_what_best_play_brings(variant: str, players: int) -> None:
    """And nine tenths of it where nothing is hidden."""
    rules, rng, compared = variants.get(variant, players), random.Random(2), 0
    by = Solver(solver_setup(rules, tuple(range(rules.seats)), 0), 8)
    other = Solver(solver_setup(rules, tuple(range(rules.seats)), 1), 8)
    for state in moments(rules, 5, 200, True):
        decision = game.decision(state)
        if state.deal.upcard is not None or not 2 <= len(state.hand(turn_of(state) or 0)) <= 4:
            continue
        if len(list(decision.legal)) == 1 or compared > 12:
            continue
        state = scored(state, rng)
        plain, half = (
            searched(
                state, SearchBudget(4000, 3, uses_calls=False, uses_plays=False, exact_tricks=exact)
            )
            for exact in (0, 4)
        )
        bare = situation(state, SearchBudget(4000, 3, uses_calls=False, uses_plays=False))
        worlds = sample_worlds(bare, plain.worlds, 3)
        mine = rules.side_of(decision.seat or 0)
        slow = solved(state, worlds.at(slice(300)), (by, other)[mine])
        before = {option.action: option for option in plain.options}
        for option in half.options:
            points, made = slow[option.action.card]  # type: ignore[union-attr]
            its = before[option.action]
            part = 0.9 if half.worlds == 1 else 0.5
            assert option.points == pytest.approx(its.points + part * (points - its.points))
            assert option.made == pytest.approx(its.made + part * (made - its.made))
        compared += 1
    assert compared > 5


def test_a_play_off_between_two_is_solved() -> None:
    """Nothing is hidden once the stock is empty: no card is played that gives points away."""
    rules, solved_ = variants.get("two-handed"), 0
    sides = [Solver(solver_setup(rules, (0, 1), side), 8) for side in (0, 1)]
    for state in moments(rules, 8, 120, True):
        decision = game.decision(state)
        if state.deal.upcard is not None or len(list(decision.legal)) == 1:
            continue
        choice = searched(state, SearchBudget(4000, 3, exact_tricks=8))
        assert choice.worlds == 1
        worlds = sample_worlds(situation(state, SearchBudget(1, 3)), 1, 3)
        slow = solved(state, worlds, sides[rules.side_of(decision.seat or 0)])
        best = max(points for points, _ in slow.values())
        assert slow[choice.action.card][0] == best  # type: ignore[union-attr]
        solved_ += 1
    assert solved_ > 10


@settings(max_examples=20, deadline=None)
@given(tables(part=Feature.SEARCH), st.integers(0, 1 << 30))
def test_giving_up_costs_what_the_engine_says(rules: Rules, seed: int) -> None:
    if "concede" not in rules.options:
        return
    rng = random.Random(seed)
    for state in moments(rules.with_options(concede="always"), seed, 400, True):
        if not isinstance(state.phase, Playing) or not state.phase.may_concede:
            continue
        state = scored(state, rng)
        option = next(its for its in searched(state, BARE).options if its.action == CONCEDE)
        _, events = game.apply(state, CONCEDE)
        score = next(event.score for event in events if isinstance(event, DealScored))
        its = truth(state)
        assert option.points == score.change[its.deal.mine]
        assert option.made == 0.0
        totals = its.game.scores + np.array(score.change)
        assert option.chance == win_probability(its.game, totals, its.deal.mine, its.deal.mine)


def test_a_hopeless_contract_is_given_up_and_a_good_one_is_played() -> None:
    rules = variants.get("three-handed")
    poor = "9S 9S JS JS QS 9H 9H JH QH 9D 9D JD QD KC QC"
    great = "AS AS TS TS KS QS JS AH AH TH AD AD AC AC TC"
    for hand_, bid, given_up in ((poor, 500, True), (great, 300, False)):
        table = contract(rules, deal(rules, {0: hand_}, kitty="KD KH JC"), 0, bid)
        table.do("bury KD KH JC", "trump S")
        assert CONCEDE in game.decision(table.state).legal
        choice = searched(table.state, SearchBudget(2000, 1))
        assert (choice.action == CONCEDE) == given_up

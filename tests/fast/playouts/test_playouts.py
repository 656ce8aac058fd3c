"""Batches of playouts: repeatable by seed, all points given out, exact chances."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction
from itertools import islice
from math import comb, sqrt

import numpy as np
import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Play
from acesaround.cards import card_count
from acesaround.errors import PositionError, RulesError
from acesaround.fast import playouts
from acesaround.fast.playouts import batches
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import GameState, Playing, tally
from acesaround.legal_bids import Bids
from acesaround.rules import Rules
from acesaround.rules.number_limits import MAX_POINTS
from acesaround.rules.tricks import points_of
from tests.stock_rules import make_rules

TABLES: list[Rules] = [
    *variants.VARIANTS.values(),
    variants.get("five-card", 9),
    variants.get("seven-card", 2),
    variants.get("two-handed", 4, {"deck": "24-each"}),
    variants.get("three-handed", None, {"marriage_needed": True, "card_points": "traditional"}),
    variants.get("double-deck", None, {"exchange": 3}),
]
EACH_RULES = pytest.mark.parametrize(
    "rules", TABLES, ids=lambda rules: f"{rules.variant}-{rules.seats}"
)
EACH_POLICY = pytest.mark.parametrize("policy", ["random", "heuristic"])


@EACH_RULES
@EACH_POLICY
def test_seed_determines_the_deals_on_any_number_of_threads(
    rules: Rules, policy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "_MIN_BATCH_SIZE", 256)
    progress: list[int] = []
    single = playouts.simulate_deals(rules, 700, 3, policy)
    threaded = playouts.simulate_deals(
        rules, 700, 3, policy, threads=3, on_progress=progress.append
    )
    few = playouts.simulate_deals(rules, 100, 3, policy)
    for field in playouts.DealResults._fields:
        assert np.array_equal(getattr(single, field), getattr(threaded, field))
        assert np.array_equal(getattr(single, field)[:100], getattr(few, field))
    assert progress[-1] == 700
    bare = playouts.simulate_deals(rules, 100, 3, policy, counts_melds=False)
    assert np.array_equal(bare.play_points, few.play_points)
    assert not bare.meld_points.any()
    assert not bare.best_meld.any()
    assert not np.array_equal(
        single.play_points, playouts.simulate_deals(rules, 700, 4, policy).play_points
    )


@EACH_RULES
@EACH_POLICY
def test_all_points_in_play_are_given_out(rules: Rules, policy: str) -> None:
    made = playouts.simulate_deals(rules, 2000, 1, policy)
    played = made.trump >= 0
    worth = points_of(rules.scoring.card_points)
    everything = sum(worth[card] for card in rules.deck.cards) + rules.scoring.last_trick
    total = made.play_points.sum(axis=1)
    assert (total[~played] == 0).all()
    if rules.hand_size * rules.seats + rules.deal.kitty == rules.deck.size or rules.deal.upcard:
        assert (total[played] == everything).all()
    else:  # cards stay undealt
        assert total.max() <= everything
        assert total.min() >= rules.scoring.last_trick
    # A side without a counter has won no card points at all where only counters have any.
    if rules.scoring.card_points in ("ones", "tens") and not rules.exchange.bury:
        assert (made.play_points[~made.won_counter] <= rules.scoring.last_trick).all()


@pytest.mark.parametrize("variant", ["partnership", "double-deck"])
def test_all_points_in_play_are_given_out_at_the_maximum(variant: str) -> None:
    rules = variants.get(variant)
    scoring = replace(rules.scoring, card_points=(MAX_POINTS,) * 6, last_trick=MAX_POINTS)
    rules = replace(rules, scoring=scoring)
    test_all_points_in_play_are_given_out(rules, "heuristic")
    state = replace(reached(variant, 1, rules.hand_size), rules=rules)
    made = playouts.play_out(state, 10, policy="heuristic").play_points.sum(axis=1)
    assert (made == (rules.seats * rules.hand_size + 1) * MAX_POINTS).all()


def count_hands_with_runs(rules: Rules, number: int) -> int:
    """Return the number of hands with at least `number` runs of one suit, counting twins apart."""
    copies = rules.deck.copies
    holdings_of_rank = [comb(copies, held) * (held >= number) for held in range(copies + 1)]
    hands = [comb(rules.deck.size - 5 * copies, held) for held in range(rules.hand_size + 1)]
    for _ in range(5):
        hands = np.convolve(np.array(hands, object), np.array(holdings_of_rank, object)).tolist()
    return int(hands[rules.hand_size])


@EACH_RULES
def test_runs_occur_with_the_exact_frequency(rules: Rules) -> None:
    possible = comb(rules.deck.size, rules.hand_size)
    exact = (
        4
        * sum(count_hands_with_runs(rules, number + 1) for number in range(rules.deck.copies))
        / possible
    )
    first = playouts.simulate_deals(rules, 20_000, 6).run_counts[:, 0]
    assert abs(first.mean() - exact) <= 5 * sqrt(exact * 2 / len(first))


def reached(variant: str, seed: int, cards: int) -> GameState:
    """Return a state of a random game at a lead with `cards` cards in each hand."""
    rng = random.Random(seed)
    state = game.start(variants.VARIANTS[variant], 0)
    while True:
        phase = state.phase
        if (
            isinstance(phase, Playing)
            and not phase.cards
            and card_count(state.hands[phase.turn]) == cards
        ):
            return state
        choices = game.decision(state).legal
        if isinstance(choices, Deals):
            state, _ = game.apply(state, choices.sample(rng))
        else:
            most = 3 if isinstance(choices, Bids) else 99
            state, _ = game.apply(state, rng.choice(tuple(islice(choices, most))))


def exact_results(state: GameState) -> dict[tuple[int, ...], Fraction]:
    """Return the chance of each result in tricks under random play."""
    ends: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    plays = [action for action in game.decision(state).legal if isinstance(action, Play)]
    for play in plays:
        after, _ = game.apply(state, play)
        if isinstance(after.phase, Playing) and after.deals == state.deals:
            further = exact_results(after)
        else:
            closed = game.last_state_of_deal(state, play)
            buried = sum(points_of(state.rules.scoring.card_points)[c] for c in closed.deal.buried)
            declarer = closed.deal.declarer
            mine = -1 if declarer is None else state.rules.side_of(declarer)
            won = tally(closed).play
            end = tuple(points - buried * (side == mine) for side, points in enumerate(won))
            further = {end: Fraction(1)}
        for end, chance in further.items():
            ends[end] += chance / len(plays)
    return ends


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_random_playouts_have_the_exact_distribution_of_results(variant: str) -> None:
    number = 20_000
    for seed in (1, 2, 3):
        state = reached(variant, seed, 3 if variant != "five-card" else 2)
        exact = exact_results(state)
        made = playouts.play_out(state, number, seed)
        ends, seen = np.unique(made.play_points, axis=0, return_counts=True)
        counted = {tuple(map(int, end)): int(times) for end, times in zip(ends, seen, strict=True)}
        assert set(counted) <= set(exact)
        for end, chance in exact.items():
            spread = sqrt(number * float(chance) * (1 - float(chance)))
            assert abs(counted.get(end, 0) - number * float(chance)) <= 5 * spread + 1


@pytest.mark.parametrize("policy", ["random", "heuristic"])
def test_nine_turned_up_only_scores_for_the_dealer(policy: str) -> None:
    """One card in six is a nine; the dealer sits before the leader."""
    plain, scored = (
        playouts.simulate_deals(make_rules(3, nine_turned_up=points), 3_000, 8, policy)
        for points in (0, 7)
    )
    assert (plain.play_points == scored.play_points).all()
    dealers = (scored.leader + 2) % 3
    difference = scored.meld_points - plain.meld_points
    assert set(np.unique(difference)) == {0, 7}
    assert (difference.sum(1) == difference[np.arange(len(difference)), dealers]).all()
    share = (difference > 0).sum() / len(difference)
    assert abs(share - 1 / 6) < 4 * sqrt(5 / 36 / len(difference))


def test_each_player_may_have_its_own_policy() -> None:
    """A side wins more points by the rules of thumb than at random in the same deals."""
    state = reached("partnership", 5, 12)
    by_rules, at_random = (
        playouts.play_out(state, 2000, 1, names).play_points[:, 0].mean()
        for names in (["heuristic", "random"] * 2, ["random", "heuristic"] * 2)
    )
    assert by_rules > at_random
    deterministic = playouts.play_out(state, 50, 1, "heuristic").play_points
    assert (deterministic == deterministic[0]).all()  # the policy is deterministic


def test_invalid_arguments_are_refused() -> None:
    rules = variants.VARIANTS["partnership"]
    with pytest.raises(RulesError, match="not a policy: expected one of random, heuristic"):
        playouts.simulate_deals(rules, 10, policy="clever")
    with pytest.raises(RulesError, match="-1 deals cannot be played"):
        playouts.simulate_deals(rules, -1)
    with pytest.raises(PositionError, match="3 policies were named for 4 players"):
        playouts.play_out(reached("partnership", 1, 4), 10, policy=["random"] * 3)
    with pytest.raises(PositionError, match="Only the play"):
        playouts.play_out(game.start(rules), 10)
    assert playouts.simulate_deals(rules, 0).play_points.shape == (0, 2)


def test_uncompiled_playouts_are_the_same() -> None:
    program = (
        "from acesaround import variants\n"
        "from acesaround.fast import playouts\n"
        "for name in ('three-handed', 'seven-card', 'two-handed', 'double-deck'):\n"
        "    for policy in ('random', 'heuristic'):\n"
        "        made = playouts.simulate_deals(variants.VARIANTS[name], 3, 8, policy)\n"
        "        print([array.tolist() for array in made])\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": uncompiled},
            capture_output=True,
            text=True,
            check=False,
        )
        for uncompiled in ("0", "1")
    ]
    assert printed[1].returncode == 0, printed[1].stderr[-2000:]
    assert printed[0].stdout == printed[1].stdout
    assert len(printed[0].stdout.splitlines()) == 8

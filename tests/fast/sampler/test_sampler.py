"""Samplers: counts, seeds, sources of knowledge, small tables, refused views."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from math import factorial, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acesaround import game, variants
from acesaround.cards import Card, pack
from acesaround.errors import PositionError
from acesaround.fast.sampler import ALL_SOURCES, Constraints, Sampler, Source, read_constraints
from acesaround.game.state import DecisionKind, GameState
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.feature_support import Feature
from tests.fast.sampler.test_counting import (
    assert_frequencies,
    count_worlds,
    states_with_few_worlds,
)
from tests.game.phases.two_handed import play_stock, table_after_first_trick
from tests.random_games import tables, turns
from tests.scripted_games import Table, deal


def dealt(variant: str, players: int | None = None) -> GameState:
    state = game.start(variants.get(variant, players))
    deal = game.decision(state).legal.sample(random.Random(3))
    return game.apply(state, deal)[0]


@pytest.mark.parametrize(
    ("variant", "players", "number"),
    [
        ("partnership", 4, factorial(36) // factorial(12) ** 3),
        ("three-handed", 3, factorial(33) // (factorial(15) ** 2 * factorial(3))),
        ("double-deck", 4, factorial(60) // factorial(20) ** 3),
        ("five-card", 9, factorial(43) // (factorial(5) ** 8 * factorial(3))),
        ("two-handed", 2, factorial(35) // (factorial(12) * factorial(23))),
    ],
)
def test_all_deals_are_counted_at_first(variant: str, players: int, number: int) -> None:
    sampler = Sampler(read_constraints(view_for(dealt(variant, players), 1)))
    assert sampler.exact
    assert sampler.count == number


def ace_and_nine_hidden(parted: int) -> Constraints:
    """Return constraints of two hidden cards, AH and 9C; the first hand has parted with AH."""
    kinds = range(24)
    none, ace, nine = (0,) * 24, Card("AH"), Card("9C")
    unseen = tuple(int(kind in (ace, nine)) for kind in kinds)
    parted_counts = tuple(parted * (kind == ace) for kind in kinds)
    return Constraints(
        rules=variants.get("partnership"),
        seat=0,
        players=(0, 1, 2),
        trump=0,
        own_hand=pack([Card("KS")]),
        hidden_players=(1, 2),
        place_sizes=(1, 1, 0),
        unseen=unseen,
        low=(none,) * 3,
        high=(unseen, unseen, none),
        played_since_meld=(parted_counts, none, none),
        former_cards=(parted_counts, none, none),
        kitty_counts=none,
        declarer_place=-1,
        conditions=(),
        shown_melds=(),
        meld_ceilings=(),
        joint_minimums=(),
        marriage_condition=None,
    )


def test_a_player_of_an_ace_is_half_as_likely_to_hold_its_twin() -> None:
    """Two deals have an ace in each hand, because either twin could have been the first hand's."""
    for parted, number, odds in ((0, 2, 1 / 2), (1, 3, 1 / 3)):
        sampler = Sampler(ace_and_nine_hidden(parted))
        assert sampler.count == number
        holds = sampler.draw(30_000, 5).hands[:, 1, 0] == 1 << Card("AH")
        assert holds.mean() == pytest.approx(odds, abs=4 * (odds * (1 - odds) / 30_000) ** 0.5)


def test_cards_played_count_as_parted_with_unless_twins_are_left_out() -> None:
    state = dealt("two-handed")
    for _ in range(2):
        state, _ = game.apply(state, next(iter(game.decision(state).legal)))
    (trick,) = state.deal.tricks
    seat = state.players[1 - state.players.index(trick.leader)]
    seen = view_for(state, seat)
    lead = [int(kind == trick.cards[0]) for kind in range(24)]
    assert list(read_constraints(seen).former_cards[0]) == lead
    assert not any(read_constraints(seen, ALL_SOURCES - {Source.IDENTICAL_CARDS}).former_cards[0])
    assert (
        list(read_constraints(seen, ALL_SOURCES - {Source.IDENTICAL_CARDS}).played_since_meld[0])
        == lead
    )


def test_seed_determines_worlds_for_any_number() -> None:
    sampler = Sampler(read_constraints(view_for(dealt("seven-card"), 2)))
    many, few = sampler.draw(200, seed=9), sampler.draw(10, seed=9)
    for long, short in zip(many, few, strict=True):
        assert np.array_equal(long[:10], short)
    assert not np.array_equal(sampler.draw(10, seed=10).hands, few.hands)
    assert sampler.draw(0).hands.shape == (0, 4, 2)
    assert many.rest.shape == (200, 20)
    assert not np.array_equal(np.sort(many.rest, axis=1), many.rest)


def test_views_without_a_hand_are_refused() -> None:
    state = dealt("partnership")
    with pytest.raises(PositionError, match="spectator"):
        read_constraints(view_for(state, None))
    with pytest.raises(PositionError, match="during a deal"):
        read_constraints(view_for(game.start(variants.get("partnership")), 0))


def test_contradictory_constraints_are_refused() -> None:
    possible = ace_and_nine_hidden(0)
    none = (0,) * 24
    impossible = Constraints(
        **{**{f: getattr(possible, f) for f in possible.__struct_fields__}, "high": (none,) * 3}
    )
    with pytest.raises(PositionError, match="No deal agrees"):
        Sampler(impossible)


def test_taken_upcard_is_in_its_hand_in_every_world() -> None:
    """It was taken for a nine of trump, or as the last card of the stock, and not played."""
    swapped = table_after_first_trick().do("meld 9H", "1: play 9H")
    swapped.do(next(move for move in swapped.legal() if move.startswith("play")))
    rules = variants.get("two-handed", 3)
    last_drawn = play_stock(Table(rules, deal(rules, {})))
    for table in (swapped, last_drawn):
        taken = table.state.deal.upcards_taken[-1]
        seen = view_for(table.state, (taken.seat + 1) % table.state.rules.seats)
        hands = Sampler(read_constraints(seen)).draw(500, 3).hands[:, taken.seat]
        assert (hands >> int(taken.card) & 1).any(axis=1).all()
        uninformed = (
            Sampler(read_constraints(seen, ALL_SOURCES - {Source.CARDS_TAKEN}))
            .draw(500, 3)
            .hands[:, taken.seat]
        )
        assert not (uninformed >> int(taken.card) & 1).any(axis=1).all()


@given(tables(part=Feature.SEARCH), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None)
def test_less_knowledge_leaves_more_worlds(rules: Rules, seed: int) -> None:
    rng = random.Random(seed)
    for turn in turns(rules, seed, deals=1):
        if turn.decision.kind is DecisionKind.PLAY and rng.random() < 0.2:
            seen = view_for(turn.before, rng.choice(turn.before.players))
            sources, numbers = (
                ALL_SOURCES - {Source.IDENTICAL_CARDS},
                [],
            )  # without twins, because their worlds are counted differently
            for left_out in (set[Source](), {rng.choice(sorted(sources))}):
                sampler = Sampler(read_constraints(seen, sources - left_out), cells=1 << 14)
                numbers.append(log2(sampler.count))
                if not sampler.exact:
                    numbers[-1] += 0.5 if left_out else -0.5  # measured, not counted
            assert numbers[0] <= numbers[1] + 1e-9


@pytest.mark.parametrize("variant", ["five-card", "partnership", "double-deck-classic"])
def test_worlds_have_exact_frequencies_without_room_for_tables(variant: str) -> None:
    for past, seat, weights in states_with_few_worlds(variant, 4, {}, 1):
        sampler = Sampler(read_constraints(view_for(past[-1].after, seat)), cells=1, tries=1 << 20)
        assert not sampler.exact
        assert len(sampler.choice.shared_places) > 1
        assert sampler.count == pytest.approx(sum(weights.values()), rel=0.2)
        worlds = sampler.draw(5_000, seed=3)
        assert not worlds.relaxed.any()
        assert_frequencies(count_worlds(worlds), weights)


def test_relaxed_worlds_are_drawn_when_tries_run_out() -> None:
    for past, seat, _ in states_with_few_worlds("partnership", 4, {}, 1):
        constraints = read_constraints(view_for(past[-1].after, seat))
        worlds = Sampler(constraints, cells=1, tries=1).draw(300, seed=1)
        assert 0 < worlds.relaxed.sum() < 300
        for hands in worlds.hands:
            held = [
                sum(int(row).bit_count() for row in hands[player])
                for player in constraints.hidden_players
            ]
            assert held == list(constraints.place_sizes[:-1])


def test_fewer_worlds_are_drawn_when_draws_run_out() -> None:
    past, seat, _ = next(states_with_few_worlds("partnership", 4, {}, 1))
    sampler = Sampler(read_constraints(view_for(past[-1].after, seat)), cells=1)
    many, few = sampler.draw(300, seed=1), sampler.draw(300, seed=1, max_draws=200)
    number = len(few.relaxed)
    assert 1 < number < 200
    for long, short in zip(many, few, strict=True):
        assert np.array_equal(long[:number], short)
    assert len(sampler.draw(300, seed=1, max_draws=1).relaxed) == 1


def drawn_worlds(variant: str, seed: int) -> list[str]:
    """Return worlds of a random game of a variant as text."""
    rng, lines = random.Random(seed), []
    for turn in turns(variants.get(variant), seed, deals=1):
        if turn.decision.kind is not DecisionKind.DEAL and rng.random() < 0.1:
            sampler = Sampler(
                read_constraints(view_for(turn.before, turn.before.players[0])), cells=1 << 12
            )
            worlds = sampler.draw(3, 1)
            count = sampler.count if sampler.exact else round(sampler.count, 3)
            lines.append(f"{count} {worlds.hands.tolist()} {worlds.rest.tolist()}")
    return lines


def test_uncompiled_kernels_draw_the_same_worlds() -> None:
    program = (
        "from tests.fast.sampler.test_sampler import drawn_worlds\n"
        "for variant in ('three-handed', 'two-handed', 'double-deck'):\n"
        "    for line in drawn_worlds(variant, 4): print(line)\n"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": uncompiled, "PYTHONPATH": "src:."},
            capture_output=True,
            text=True,
            check=False,
        )
        for uncompiled in ("0", "1")
    ]
    assert printed[1].returncode == 0, printed[1].stderr[-2000:]
    assert printed[0].stdout == printed[1].stdout
    assert len(printed[0].stdout.splitlines()) > 6

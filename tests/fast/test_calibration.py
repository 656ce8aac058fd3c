"""Hand weights: measured for the rules in force, cached, and reproducible."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from acesaround import bots, heuristic_weights, variants
from acesaround.fast import calibration, calibration_cache
from acesaround.fast.calibration import (
    _BiddingModel,
    _CautionTrial,
    measure_hand_weights,
    random_deals,
)
from acesaround.fast.rollouts.win_probability import MELD_COLUMN, PLAY_COLUMN
from acesaround.heuristic_weights import HandWeights, bidding_key, derived_weights
from acesaround.rules import CardPoints, Rules
from acesaround.rules.tricks import CARD_POINT_SCALES
from acesaround.variants import VARIANTS, measured_setups

FRESH_SEED = 9101
"""Seed of deals that were not used for measuring."""
HOUSE_RULES = [
    ("partnership", {"exchange": 0}),
    ("double-deck", {"exchange": 4}),
    ("double-deck", {"exchange": 3}),
    ("partnership", {"card_points": "traditional"}),
]


def mean_error_in_tricks(rules: Rules, weights: HandWeights) -> float:
    """Return the mean error of the best bidders' limits in fresh deals, in tricks."""
    table, deals = _BiddingModel(rules, weights), random_deals(rules, 3000, FRESH_SEED)
    contracts, limits = table.play_contracts(deals), table.bid_limits(deals)
    deal_index, best = np.arange(3000), limits.argmax(1)
    ends = contracts.ends[deal_index, best, table.side_of_player[best]]
    brought = ends[:, MELD_COLUMN] + ends[:, PLAY_COLUMN] - limits[deal_index, best]
    trick = heuristic_weights.average_trick_points(rules, rules.seats)
    return float(brought[contracts.trump[deal_index, best] >= 0].mean() / trick)


def set_share(rules: Rules, weights: HandWeights) -> float:
    """Return the share of declarers that fail in fresh deals when bidding by weights."""
    table, deals = _BiddingModel(rules, weights), random_deals(rules, 3000, FRESH_SEED)
    auctions = _CautionTrial(table, deals, table.play_contracts(deals))
    bought = auctions.play_auctions(np.full(len(rules.sides), weights.caution))
    return float(1 - bought.made[bought.declarers >= 0].mean())


def test_random_deals_have_every_card_once() -> None:
    for variant in ("partnership", "triple-deck", "three-handed"):
        rules = VARIANTS[variant]
        deals = random_deals(rules, 20, 1)
        for hands, rest in zip(deals.hands, deals.undealt, strict=True):
            held = [kind for row in hands.reshape(-1) for kind in range(24) if row >> kind & 1]
            assert sorted([*held, *rest]) == sorted(int(card) for card in rules.deck.cards)


@pytest.mark.parametrize(("variant", "options"), HOUSE_RULES)
def test_measured_weights_predict_results(variant: str, options: dict[str, object]) -> None:
    rules = variants.get(variant, None, options)
    assert (
        abs(mean_error_in_tricks(rules, measure_hand_weights(rules, 4000))) < 0.6
    )  # whose own error is up to 0.3


PASSING_NONE = variants.get("partnership", None, {"exchange": 0})
PASSING_FOUR = variants.get("double-deck", None, {"exchange": 4})


def test_derived_weights_are_wrong_for_other_numbers_of_passed_cards() -> None:
    """Derived weights overrate passing no cards, and underrate passing four."""
    assert mean_error_in_tricks(PASSING_NONE, derived_weights(PASSING_NONE)) < -1
    assert mean_error_in_tricks(PASSING_FOUR, derived_weights(PASSING_FOUR)) > 3


@pytest.mark.parametrize("variant", ["partnership", "double-deck", "three-handed"])
def test_bids_are_seldom_set_in_presets(variant: str) -> None:
    rules = VARIANTS[variant]
    assert 0.1 < set_share(rules, heuristic_weights.hand_weights(rules)) < 0.35


def test_bids_are_seldom_set_when_four_cards_are_passed() -> None:
    assert 0.1 < set_share(PASSING_FOUR, measure_hand_weights(PASSING_FOUR, 4000)) < 0.42


def test_seed_determines_the_measured_weights() -> None:
    rules = VARIANTS["seven-card"]
    assert (
        measure_hand_weights(rules, 300, 5)
        == measure_hand_weights(rules, 300, 5)
        != measure_hand_weights(rules, 300, 6)
    )


def test_progress_is_reported() -> None:
    progress: list[tuple[int, int]] = []
    measure_hand_weights(
        VARIANTS["seven-card"], 50, on_progress=lambda *how_far: progress.append(how_far)
    )
    assert progress == [
        (done, calibration.PROGRESS_STEPS) for done in range(calibration.PROGRESS_STEPS + 1)
    ]


@pytest.mark.parametrize("variant", sorted(v for v, rules in VARIANTS.items() if rules.auction))
def test_shipped_games_have_measured_weights(variant: str) -> None:
    rules = VARIANTS[variant]
    for players in rules.players:
        assert not heuristic_weights.lacks_measured_weights(rules.with_options(players=players))
    assert not heuristic_weights.lacks_measured_weights(
        rules.with_options(target=rules.ending.target + 10)
    )


def test_shipped_weights_equal_measured_ones() -> None:
    """`python bench/measure_hand_weights.py three-handed` writes it again."""
    [setup] = measured_setups(VARIANTS["three-handed"])
    now = measure_hand_weights(setup.rules)._asdict()
    assert now == pytest.approx(setup.hand_weights, abs=0.02)


def test_bidding_key_depends_only_on_rules_that_affect_bids() -> None:
    rules = VARIANTS["partnership"]
    for changes in ({"target": 500}, {"renege": "penalty"}, {"hands": 3}):
        assert bidding_key(rules.with_options(**changes)) == bidding_key(rules)
    by_rank = replace(rules.scoring, card_points=CARD_POINT_SCALES[CardPoints.TENS])
    assert bidding_key(replace(rules, scoring=by_rank)) == bidding_key(rules)
    for changes in ({"exchange": 0}, {"lowest_bid": 200}, {"card_points": "traditional"}):
        assert bidding_key(rules.with_options(**changes)) != bidding_key(rules)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rules:
    """Return house rules without known weights; measured weights go to a temporary folder."""
    monkeypatch.setattr(calibration_cache, "kernel_cache_folder", lambda package: tmp_path)
    monkeypatch.setattr(
        calibration_cache,
        "measure_hand_weights",
        lambda rules, on_progress: measure_hand_weights(rules, 100, on_progress=on_progress),
    )
    monkeypatch.setattr(heuristic_weights, "_learned_weights", {})
    heuristic_weights.hand_weights.cache_clear()
    return variants.get("five-card", None, {"lowest_bid": 2})


def test_measured_weights_are_cached_and_read(house: Rules, tmp_path: Path) -> None:
    assert heuristic_weights.lacks_measured_weights(house)
    calibration_cache.ensure_hand_weights(house)
    learned = heuristic_weights.hand_weights(house)
    assert not heuristic_weights.lacks_measured_weights(house)
    assert learned != derived_weights(house)
    [cached] = tmp_path.iterdir()
    heuristic_weights._learned_weights.clear()
    heuristic_weights.hand_weights.cache_clear()
    cached.write_bytes(msgspec.json.encode(learned._replace(base=99.0)))
    calibration_cache.ensure_hand_weights(house)
    assert heuristic_weights.hand_weights(house).base == 99  # it was read and not measured


def test_a_damaged_cache_file_is_replaced(house: Rules, tmp_path: Path) -> None:
    calibration_cache.ensure_hand_weights(house)
    learned = heuristic_weights.hand_weights(house)
    [cached] = tmp_path.iterdir()
    cached.write_bytes(b"[1.0, 2")
    heuristic_weights._learned_weights.clear()
    heuristic_weights.hand_weights.cache_clear()
    calibration_cache.ensure_hand_weights(house)
    assert heuristic_weights.hand_weights(house) == learned


def test_weights_need_no_cache_folder(house: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration_cache, "kernel_cache_folder", lambda package: None)
    calibration_cache.ensure_hand_weights(house)
    assert not heuristic_weights.lacks_measured_weights(house)


def test_only_bots_that_judge_hands_need_weights(house: Rules) -> None:
    assert bots.has_hand_weights("random", house)
    assert not bots.has_hand_weights("easy", house)
    assert not bots.has_hand_weights("search:time=0.1", house)
    assert bots.has_hand_weights("thumb", VARIANTS["two-handed"])  # where nobody bids
    bots.measure_hand_weights(house)
    assert bots.has_hand_weights("easy", house)

"""What hands are worth: measured for the rules in force, kept, and the same wherever it is."""

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
from acesaround.fast.rollouts.before_play import MELDED, PLAYED
from acesaround.heuristic_weights import HandWeights, bidding_key, derived_weights
from acesaround.rules import CardPoints, Rules
from acesaround.rules.tricks import CARD_POINT_SCALES
from acesaround.variants import VARIANTS, measured_setups

FRESH = 9101
"""Deals that no measure has seen."""
HOUSES = [
    ("partnership", {"exchange": 0}),
    ("double-deck", {"exchange": 4}),
    ("double-deck", {"exchange": 3}),
    ("partnership", {"card_points": "traditional"}),
]


def off(rules: Rules, gauge: HandWeights) -> float:
    """By how many tricks the best bidders' hands bring more than was thought, in fresh deals."""
    table, deals = _BiddingModel(rules, gauge), random_deals(rules, 3000, FRESH)
    ended, limits = table.play_contracts(deals), table.bid_limits(deals)
    each, best = np.arange(3000), limits.argmax(1)
    ends = ended.ends[each, best, table.side_of_player[best]]
    brought = ends[:, MELDED] + ends[:, PLAYED] - limits[each, best]
    trick = heuristic_weights.average_trick_points(rules, rules.seats)
    return float(brought[ended.trump[each, best] >= 0].mean() / trick)


def set_share(rules: Rules, gauge: HandWeights) -> float:
    """How often declarers fail who bid by a gauge, in fresh deals."""
    table, deals = _BiddingModel(rules, gauge), random_deals(rules, 3000, FRESH)
    auctions = _CautionTrial(table, deals, table.play_contracts(deals))
    bought = auctions.play_auctions(np.full(len(rules.sides), gauge.caution))
    return float(1 - bought.made[bought.declarers >= 0].mean())


def test_random_deals_have_every_card_once() -> None:
    for variant in ("partnership", "triple-deck", "three-handed"):
        rules = VARIANTS[variant]
        deals = random_deals(rules, 20, 1)
        for hands, rest in zip(deals.hands, deals.undealt, strict=True):
            held = [kind for row in hands.reshape(-1) for kind in range(24) if row >> kind & 1]
            assert sorted([*held, *rest]) == sorted(int(card) for card in rules.deck.cards)


@pytest.mark.parametrize(("variant", "options"), HOUSES)
def test_hands_are_worth_what_they_bring_under_house_rules(
    variant: str, options: dict[str, object]
) -> None:
    rules = variants.get(variant, None, options)
    assert abs(off(rules, measure_hand_weights(rules, 4000))) < 0.6  # whose own error is up to 0.3


RULES_OF_NONE = variants.get("partnership", None, {"exchange": 0})
RULES_OF_FOUR = variants.get("double-deck", None, {"exchange": 4})


def test_numbers_derived_from_the_rules_were_off() -> None:
    """Passing no cards was thought to bring as much as passing some, and four as much as one."""
    assert off(RULES_OF_NONE, derived_weights(RULES_OF_NONE)) < -1
    assert off(RULES_OF_FOUR, derived_weights(RULES_OF_FOUR)) > 3


@pytest.mark.parametrize("variant", ["partnership", "double-deck", "three-handed"])
def test_bids_are_set_as_often_as_in_the_presets(variant: str) -> None:
    rules = VARIANTS[variant]
    assert 0.1 < set_share(rules, heuristic_weights.hand_weights(rules)) < 0.35


def test_four_cards_passed_are_set_hardly_more_often() -> None:
    assert 0.1 < set_share(RULES_OF_FOUR, measure_hand_weights(RULES_OF_FOUR, 4000)) < 0.42


def test_the_same_deals_have_the_same_measure() -> None:
    rules = VARIANTS["seven-card"]
    assert (
        measure_hand_weights(rules, 300, 5)
        == measure_hand_weights(rules, 300, 5)
        != measure_hand_weights(rules, 300, 6)
    )


def test_steps_are_told_of() -> None:
    told: list[tuple[int, int]] = []
    measure_hand_weights(
        VARIANTS["seven-card"], 50, on_progress=lambda *how_far: told.append(how_far)
    )
    assert told == [
        (done, calibration.PROGRESS_STEPS) for done in range(calibration.PROGRESS_STEPS + 1)
    ]


@pytest.mark.parametrize("variant", sorted(v for v, rules in VARIANTS.items() if rules.auction))
def test_shipped_games_have_been_measured_as_they_are_played(variant: str) -> None:
    rules = VARIANTS[variant]
    for players in rules.players:
        assert not heuristic_weights.lacks_measured_weights(rules.with_options(players=players))
    assert not heuristic_weights.lacks_measured_weights(
        rules.with_options(target=rules.ending.target + 10)
    )


def test_what_is_shipped_is_what_is_measured() -> None:
    """`python bench/gauges.py three-handed` writes it again."""
    [way] = measured_setups(VARIANTS["three-handed"])
    now = measure_hand_weights(way.rules)._asdict()
    assert now == pytest.approx(way.hand_weights, abs=0.02)


def test_only_what_bids_depend_on_tells_tables_apart() -> None:
    rules = VARIANTS["partnership"]
    for changes in ({"target": 500}, {"renege": "penalty"}, {"hands": 3}):
        assert bidding_key(rules.with_options(**changes)) == bidding_key(rules)
    by_rank = replace(rules.scoring, card_points=CARD_POINT_SCALES[CardPoints.TENS])
    assert bidding_key(replace(rules, scoring=by_rank)) == bidding_key(rules)
    for changes in ({"exchange": 0}, {"lowest_bid": 200}, {"card_points": "traditional"}):
        assert bidding_key(rules.with_options(**changes)) != bidding_key(rules)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rules:
    """House rules of which nothing is known, and a folder to keep what is measured."""
    monkeypatch.setattr(calibration_cache, "kernel_cache_folder", lambda room: tmp_path)
    monkeypatch.setattr(
        calibration_cache,
        "measure_hand_weights",
        lambda rules, on_progress: measure_hand_weights(rules, 100, on_progress=on_progress),
    )
    monkeypatch.setattr(heuristic_weights, "_learned_weights", {})
    heuristic_weights.hand_weights.cache_clear()
    return variants.get("five-card", None, {"lowest_bid": 2})


def test_a_measure_is_kept_and_read_again(house: Rules, tmp_path: Path) -> None:
    assert heuristic_weights.lacks_measured_weights(house)
    calibration_cache.ensure_hand_weights(house)
    learned = heuristic_weights.hand_weights(house)
    assert not heuristic_weights.lacks_measured_weights(house)
    assert learned != derived_weights(house)
    [kept] = tmp_path.iterdir()
    heuristic_weights._learned_weights.clear()
    heuristic_weights.hand_weights.cache_clear()
    kept.write_bytes(msgspec.json.encode(learned._replace(base=99.0)))
    calibration_cache.ensure_hand_weights(house)
    assert heuristic_weights.hand_weights(house).base == 99  # it was read and not measured


def test_a_damaged_file_is_measured_again(house: Rules, tmp_path: Path) -> None:
    calibration_cache.ensure_hand_weights(house)
    learned = heuristic_weights.hand_weights(house)
    [kept] = tmp_path.iterdir()
    kept.write_bytes(b"[1.0, 2")
    heuristic_weights._learned_weights.clear()
    heuristic_weights.hand_weights.cache_clear()
    calibration_cache.ensure_hand_weights(house)
    assert heuristic_weights.hand_weights(house) == learned


def test_where_nothing_can_be_kept_it_is_measured_all_the_same(
    house: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration_cache, "kernel_cache_folder", lambda room: None)
    calibration_cache.ensure_hand_weights(house)
    assert not heuristic_weights.lacks_measured_weights(house)


def test_a_bot_that_judges_no_hands_has_nothing_measured(house: Rules) -> None:
    assert bots.has_hand_weights("random", house)
    assert not bots.has_hand_weights("easy", house)
    assert not bots.has_hand_weights("search:time=0.1", house)
    assert bots.has_hand_weights("thumb", VARIANTS["two-handed"])  # where nobody bids
    bots.measure_hand_weights(house)
    assert bots.has_hand_weights("easy", house)

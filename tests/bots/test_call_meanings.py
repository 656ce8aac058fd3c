"""Alerts: what a bid, a pass or a signal is said to mean holds in the bot's hand."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from acesaround import bots, game, variants
from acesaround.actions import PASS, Action, Bid, Play
from acesaround.bots.call_meanings import convention_clause, is_meaning_true, meaning_of_call
from acesaround.bots.explanations import reason_sentence
from acesaround.bots.heuristic.ace_signals import is_signal_true, signals_in_trick
from acesaround.bots.heuristic.bidding import expected_score, nameable_suits
from acesaround.bots.heuristic.bidding_conventions import (
    PROMISES,
    BidMeaning,
    BidPromise,
    is_promise_kept,
)
from acesaround.bots.heuristic.hand_value import best_hand_value
from acesaround.bots.player import Player
from acesaround.cards import counts, pack
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import Call, Decision, DecisionKind, GameState
from acesaround.game.view import View, view_for
from acesaround.rules import Rules

WITH_AUCTION = tuple(name for name, rules in variants.VARIANTS.items() if rules.auction is not None)
DOUBLE_DECK = variants.get("double-deck")


def decisions_of_deal(
    rules: Rules, player: Player, rng: random.Random, *, is_played: bool = True
) -> Iterator[tuple[View, Decision, Action, GameState]]:
    """Play a deal at a random score, and yield each decision with the state before it."""
    state = game.start(rules, rng.randrange(rules.seats))
    state = replace(state, scores=tuple(rng.randrange(-50, state.target) for _ in state.scores))
    deals = state.deals
    while state.deals == deals and state.winner is None:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            action: Action = decision.legal.sample(rng)
        else:
            if not is_played and decision.kind is not DecisionKind.BID:
                return
            view = view_for(state, decision.seat)
            action = player.choose(view, decision)
            yield view, decision, action, state
        state, _ = game.apply(state, action)


@pytest.mark.parametrize("is_natural", [False, True], ids=["conventions", "natural"])
@pytest.mark.parametrize("variant", WITH_AUCTION)
def test_each_alert_of_a_call_holds_in_the_hand(
    variant: str, is_natural: bool, chance: random.Random
) -> None:
    rules = variants.get(variant)
    thumb = bots.make("thumb:natural" if is_natural else "thumb", chance)
    seen = 0
    for _ in range(25):
        for view, decision, action, state in decisions_of_deal(
            rules, thumb, chance, is_played=False
        ):
            if decision.kind is not DecisionKind.BID:
                continue
            call = Call(view.seat or 0, action.points if isinstance(action, Bid) else None)
            meaning = meaning_of_call(
                view_for(state, None), view.auction, call, is_natural=is_natural
            )
            assert meaning is not None
            assert not (is_natural and meaning.is_convention)
            suits = nameable_suits(view)
            if not suits:
                assert action == PASS or meaning.promise == BidPromise()
                continue
            best = best_hand_value(view, pack(view.hand), suits)
            expected = expected_score(view, best, is_natural=is_natural)
            assert is_meaning_true(view, meaning, expected), (view.auction, call, meaning, expected)
            seen += 1
    assert seen > 20


def test_every_promise_is_given_and_kept(chance: random.Random) -> None:
    thumb, given = bots.make("thumb", chance), set()
    for _ in range(150):
        for view, _, action, state in decisions_of_deal(
            DOUBLE_DECK, thumb, chance, is_played=False
        ):
            call = Call(view.seat or 0, action.points if isinstance(action, Bid) else None)
            meaning = meaning_of_call(view_for(state, None), view.auction, call)
            if meaning is not None and meaning.is_convention:
                given.add(meaning.promise)
                assert is_meaning_true(view, replace(meaning, least=float("-inf")), 0.0)
    assert given >= {PROMISES[one] for one in (BidMeaning.ACES, BidMeaning.TWENTY)}


def test_a_meaning_is_made_of_public_facts(chance: random.Random) -> None:
    """The meaning is the same from every seat, whatever cards it holds."""
    thumb = bots.make("thumb", chance)
    for view, _, action, state in decisions_of_deal(DOUBLE_DECK, thumb, chance, is_played=False):
        call = Call(view.seat or 0, action.points if isinstance(action, Bid) else None)
        meanings = {
            meaning_of_call(view_for(state, seat), view.auction, call)
            for seat in (None, *state.players)
        }
        assert len(meanings) == 1


@pytest.mark.parametrize("variant", ["double-deck", "triple-deck"])
@pytest.mark.parametrize("bot", ["thumb", "search:time=0.002", "medium:time=0.002"])
def test_each_signal_holds_in_the_hand(variant: str, bot: str, chance: random.Random) -> None:
    player, seen = bots.make(bot, chance), 0
    deals = 12 if bot == "thumb" else 1
    for _ in range(deals):
        for view, _, action, _ in decisions_of_deal(variants.get(variant), player, chance):
            if not isinstance(action, Play) or view.leader is None or not view.trick:
                continue
            trick = (*view.trick, action.card)
            for signal in signals_in_trick(
                view.rules, view.players, view.leader, trick, view.trump
            ):
                if signal.place == len(view.trick):
                    assert is_signal_true(signal, counts(pack(view.hand))), (trick, view.hand)
                    seen += 1
    assert seen


def test_natural_bots_may_give_untrue_signals(chance: random.Random) -> None:
    """So a table of natural bots shows no signals."""
    player, untrue = bots.make("thumb:natural", chance), 0
    for _ in range(12):
        for view, _, action, _ in decisions_of_deal(DOUBLE_DECK, player, chance):
            if isinstance(action, Play) and view.leader is not None and view.trick:
                trick = (*view.trick, action.card)
                for signal in signals_in_trick(
                    view.rules, view.players, view.leader, trick, view.trump
                ):
                    if signal.place == len(view.trick):
                        untrue += not is_signal_true(signal, counts(pack(view.hand)))
    assert untrue


def test_names_say_which_bots_have_conventions() -> None:
    assert bots.has_conventions("thumb")
    assert bots.has_conventions("expert:time=1")
    for name in ("easy", "random", "thumb:natural", "expert:time=1:natural", "cmd:x", "b:b:b", ""):
        assert not bots.has_conventions(name)
    assert bots.natural_name("medium") == "medium:natural"
    assert bots.natural_name("medium:natural") == "medium:natural"
    assert bots.natural_name("random") == "random"


@pytest.mark.parametrize("bot", ["search:time=0.002", "search:time=0.002:natural"])
def test_a_hint_names_the_convention_that_it_follows(bot: str, chance: random.Random) -> None:
    player, named = bots.make(bot, chance), 0
    for _ in range(6):
        for view, decision, _, state in decisions_of_deal(
            DOUBLE_DECK, player, chance, is_played=False
        ):
            advice = bots.ask_for_advice(player, view, decision)
            call = Call(
                view.seat or 0, advice.action.points if isinstance(advice.action, Bid) else None
            )
            meaning = meaning_of_call(view_for(state, None), view.auction, call)
            sentence = reason_sentence(advice.why, str)
            is_convention = meaning is not None and meaning.is_convention
            assert ("By convention it " in sentence) == (
                is_convention and not bot.endswith("natural")
            )
            named += is_convention
    assert named


def test_a_hint_warns_of_a_bid_whose_convention_is_not_true_of_the_hand() -> None:
    state = game.start(DOUBLE_DECK, 3)
    state, _ = game.apply(state, game.decision(state).legal.sample(random.Random(2)))
    view = view_for(state, 0)
    warned = 0
    for points, meaning in (
        (51, BidMeaning.ACES),
        (52, BidMeaning.TWENTY),
        (53, BidMeaning.THIRTY),
    ):
        clause = convention_clause(view, Bid(points))
        is_true = is_promise_kept(DOUBLE_DECK, PROMISES[meaning], pack(view.hand))
        assert clause.endswith("may mislead your partner") is not is_true
        warned += not is_true
    assert warned


def test_a_bid_without_a_convention_is_told_by_what_it_is_usually_worth() -> None:
    rules = variants.get("three-handed")
    state = game.start(rules, 2)
    state, _ = game.apply(state, game.decision(state).legal.sample(random.Random(1)))
    meaning = meaning_of_call(view_for(state, 0), (), Call(0, 300))
    assert meaning is not None
    assert meaning.sentence.startswith("Whoever bids 300 here can usually make ")

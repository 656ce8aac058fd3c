"""The search bot under extended rules: it makes every kind of decision to the end."""

from __future__ import annotations

import random

import pytest

from acesaround import bots, game
from acesaround.bots.advice import relative_seat_names
from acesaround.bots.explanations import reason_sentence
from acesaround.bots.player import Player
from acesaround.bots.search import SearchBot
from acesaround.game.state import DecisionKind
from acesaround.game.view import view_for
from acesaround.rules import Rules
from tests.extended_rules import WIDE
from tests.spoken_reasons import read

SEARCHED = (
    "triple, exchange of three",
    "double deck, six copies with nines",
    *(
        pytest.param(name, marks=pytest.mark.soak)
        for name in (
            "two-handed, 6 copies",
            "triple, three sides of two",
            "partnership, 3 copies",
            "partnership, 6 copies",
        )
    ),
)


@pytest.mark.parametrize("name", SEARCHED)
def test_search_plays_a_deal_to_the_end(name: str) -> None:
    """Two seats search with few playouts, every third card of theirs; the others are `thumb`."""
    rules = WIDE[name]
    players: list[Player] = [bots.make("thumb", random.Random(s)) for s in range(rules.seats)]
    players[:2] = [SearchBot(random.Random(s), time=0.001) for s in range(2)]
    rng, kinds, state = random.Random(3), set[DecisionKind](), game.start(rules, 0)
    thumb, cards = bots.make("thumb", random.Random(2)), 0
    while state.deals == 0 and state.phase is not None:
        decision = game.decision(state)
        if decision.seat is None:
            action = decision.legal.sample(rng)
        else:
            player, seen = players[decision.seat], view_for(state, decision.seat)
            if not isinstance(player, SearchBot):
                action = player.choose(seen, decision)
            elif decision.kind is DecisionKind.PLAY and cards % 3:
                action = thumb.choose(seen, decision)
            else:
                action, why = player.explain(seen, decision)
                read(action, why, seen)
                kinds.add(decision.kind)
            assert action in decision.legal
            cards += decision.kind is DecisionKind.PLAY and isinstance(player, SearchBot)
        state, _ = game.apply(state, action)
    assert {DecisionKind.PLAY} <= kinds
    assert sum(state.scores) != 0


@pytest.mark.parametrize("step", ["give", "return"])
def test_search_passes_cards_between_three_partners(step: str) -> None:
    """A declarer of a side of three returns cards to each partner, and each gives some."""
    rules: Rules = WIDE["triple, exchange of three"]
    player, rng, searches = SearchBot(random.Random(1), time=0.001), random.Random(1), 0
    thumb, state = bots.make("thumb", rng), game.start(rules, 0)
    while state.deals == 0 and not state.deal.tricks:
        decision = game.decision(state)
        if decision.seat is None:
            action = decision.legal.sample(rng)
        else:
            seen = view_for(state, decision.seat)
            declares = decision.seat == state.deal.declarer
            if decision.kind is DecisionKind.GIVE and declares == (step == "return"):
                advice = player.advise(seen, decision)
                action, searches = advice.action, searches + 1
                reason = reason_sentence(advice.why, relative_seat_names(seen))
                is_even = any(word in reason for word in ("about even", "as good"))
                assert declares or "your partner on the" in reason.lower() or is_even
            else:
                action = thumb.choose(seen, decision)
        assert action in decision.legal
        state, _ = game.apply(state, action)
    assert searches == 2

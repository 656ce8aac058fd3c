"""Sampled worlds reproduce what was seen, and the past of every one of them was legal."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Play
from acesaround.bots.thumb import ThumbBot
from acesaround.bots.thumb.sight import VOID, Sight
from acesaround.cards import CARDS, Card, unpack
from acesaround.fast.playouts.packed import hand
from acesaround.fast.sampler import Known, Sampler, Worlds, known
from acesaround.melds import MeldKind
from acesaround.phases.dealing import Deals
from acesaround.rules import Rules
from acesaround.state import GameState, Kind, Playing
from acesaround.tricks import beats
from acesaround.view import encode, view
from tests.fast.sampler.history import LateError, retold
from tests.random_games import Turn, tables, turns

CELLS = 1 << 14


def world(worlds: Worlds, number: int) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """One world: packed hands and the rest."""
    hands = tuple(hand(row) for row in worlds.hands[number])
    return hands, tuple(CARDS[kind] for kind in worlds.rest[number])


def truth(state: GameState, its: Known) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """The true world: what is unseen and in no hand is the rest."""
    hands = tuple(state.hands[seat] for seat in state.players)
    unseen = [card for card in CARDS for _ in range(its.unseen[card])]
    for player in its.hidden:
        for card in unpack(hands[player]):
            unseen.remove(card)
    return hands, tuple(unseen)


def same(past: list[Turn], seat: int, hands: tuple[int, ...], rest: tuple[Card, ...]) -> None:
    """That the past can be played in that world, and that the seat's view is the same there.

    The sampler looks at when cards came to a hand kind by kind. With more than two of a kind there
    are a few worlds in which they could not all have come in time. And a run that grew from a royal
    marriage tells that no second king and queen of trump were held to lay it anew, which the
    sampler does not look at.
    """
    seen = view(past[-1].after, seat)
    grown = any(
        meld.kind is MeldKind.RUN and meld.points < seen.rules.melds.run[0]
        for shown in seen.melds
        for meld in shown.melds
    )
    many = seen.rules.deck.copies > 2 and bool(seen.lying)
    try:
        told = view(retold(past, seat, hands, rest), seat)
    except LateError:
        assert many
        return
    if many:
        told, seen = replace(told, table=(), lying=()), replace(seen, table=(), lying=())
    if grown and seen.rules.deal.upcard:
        told, seen = (replace(one, melds=(), table=(), lying=()) for one in (told, seen))
    assert encode(told) == encode(seen)


def by_thumb(rules: Rules, seed: int, players: tuple[int, ...] = ()) -> Iterator[Turn]:
    """A deal played by rules of thumb, turn by turn; by these `players` only, if any."""
    rng, bot = random.Random(seed), ThumbBot()
    state = game.start(rules, players[0] if players else game.first_dealer(rules, rng))
    state = replace(state, players=players or state.players)
    while state.phase is not None and not state.deals:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            action: Action = decision.legal.sample(rng)
        else:
            action = bot.choose(view(state, decision.seat), decision)
        after, events = game.apply(state, action, decision.seat)
        yield Turn(state, decision, action, after, events)
        state = after


def look(deal: Iterable[Turn], seed: int, often: float) -> None:
    """Follow a deal, and look into it now and then from any seat."""
    rng, past = random.Random(seed), list[Turn]()
    for turn in deal:
        if turn.decision.kind is not Kind.DEAL and rng.random() < often:
            state, seat = turn.before, rng.choice(turn.before.players)
            seen = view(state, seat)
            its = known(seen)
            assert its.allows(*truth(state, its))
            worlds = Sampler(its, cells=CELLS).draw(2, seed=rng.getrandbits(60))
            assert not worlds.relaxed.any()
            for number in range(2):
                hands, rest = world(worlds, number)
                assert its.allows(hands, rest)
                same(past, seat, hands, rest)
        past.append(turn)


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_worlds_reproduce_the_view_and_every_past_action(rules: Rules, seed: int) -> None:
    look(turns(rules, seed, deals=1), seed, 0.2)


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_they_do_where_seats_play_well(rules: Rules, seed: int) -> None:
    look(by_thumb(rules, seed), seed, 0.2)


@pytest.mark.parametrize("seed", range(4))
def test_they_do_where_some_play_on_alone(seed: int) -> None:
    look(by_thumb(variants.get("five-card", 9), seed, (2, 3, 8)), seed, 0.5)


@pytest.mark.parametrize("players", [3, 4])
def test_a_plain_card_on_a_trump_says_only_that_no_trump_held_would_have_won(players: int) -> None:
    """In a play-off of three or four who cannot win may keep the trumps."""
    rules, kept = variants.get("two-handed", players), 0
    for turn in (turn for seed in range(24) for turn in turns(rules, seed, deals=1)):
        state, action = turn.before, turn.action
        phase, trump, seat = state.phase, state.deal.trump, turn.decision.seat
        if not isinstance(phase, Playing) or not isinstance(action, Play) or not phase.cards:
            continue
        assert trump is not None
        assert seat is not None
        best, led = CARDS[phase.best], phase.cards[0].suit
        if best.suit != trump or led == trump or action.card.suit in (led, trump):
            continue
        after = turn.after
        if not isinstance(after.phase, Playing):
            continue
        for other in (one for one in after.players if one != seat):
            seen = view(after, other)
            its = known(seen)
            assert its.allows(*truth(after, its))
            high = its.high[its.hidden.index(after.players.index(seat))]
            assert not any(high[card] for card in CARDS if card.suit == led)
            assert not any(high[card] for card in CARDS if beats(card, best, trump))
            sight = Sight(seen)
            assert sight.best[seat][led] == VOID
            assert sight.best[seat][trump] >= best.rank
            for card in after.hand(seat):
                assert sight.best[seat][card.suit] <= card.rank
        kept += any(card.suit == trump for card in after.hand(seat))
    assert kept


@pytest.mark.soak
@given(tables(), st.integers(0, 2**32), st.booleans())
@settings(max_examples=3000, deadline=None)
def test_they_do_in_very_many_games(rules: Rules, seed: int, well: bool) -> None:
    look(by_thumb(rules, seed) if well else turns(rules, seed, deals=1), seed, 0.2)

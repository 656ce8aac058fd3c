"""Sampled worlds reproduce what was seen, and the past of every one of them was legal."""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround.actions import Action
from acesaround.cards import CARDS, Card, unpack
from acesaround.events import UpcardExchanged
from acesaround.fast.playouts.packed import hand
from acesaround.fast.sampler import Known, Sampler, Worlds, known
from acesaround.rules import Rules
from acesaround.state import GameState, Kind, StockPlaying
from acesaround.view import View, encode, view
from tests.fast.sampler.history import retold
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


def forgotten(state: GameState, past: list[Turn], seat: int) -> bool:
    """Whether another took the upcard for a nine: no view says which card that was."""
    return isinstance(state.phase, StockPlaying) and any(
        isinstance(event, UpcardExchanged) and event.seat != seat
        for turn in past
        for event in turn.events
    )


def same(one: View, other: View) -> bool:
    """Whether two views are the same.

    A view does not say when a card left the table: where a kind has more copies than two, worlds
    may need another time than the true one. What lies there is not compared then.
    """
    if one.rules.deck.copies > 2:
        one, other = replace(one, table=()), replace(other, table=())
    return encode(one) == encode(other)


def look(
    rules: Rules, seed: int, choose: Callable[[GameState], Action] | None, often: float
) -> int:
    """Play a deal, and look into it now and then from any seat; how often it was looked at."""
    rng, past, looks = random.Random(seed), list[Turn](), 0
    for turn in turns(rules, seed, deals=1):
        if turn.decision.kind is not Kind.DEAL and rng.random() < often:
            state, seat = turn.before, rng.choice(turn.before.players)
            seen = view(state, seat)
            its = known(seen)
            assert its.allows(*truth(state, its))
            worlds = Sampler(its, cells=CELLS).draw(2, seed=rng.getrandbits(60))
            for number in range(2):
                if worlds.relaxed[number]:
                    continue
                hands, rest = world(worlds, number)
                assert its.allows(hands, rest)
                if not forgotten(state, past, seat):
                    assert same(view(retold(past, seat, hands, rest), seat), seen)
                looks += 1
        past.append(turn)
    return looks


@given(tables(), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_worlds_reproduce_the_view_and_every_past_action(rules: Rules, seed: int) -> None:
    look(rules, seed, None, 0.2)

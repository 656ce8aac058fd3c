"""Sampled worlds reproduce the view, and the past was legal in each of them."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import Action, Discard, Play
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.heuristic.card_tracking import VOID_RANK, CardTracker
from acesaround.cards import CARDS, Card, Rank, Suit, card_of, pack, parse_cards, unpack
from acesaround.fast.playouts.packed_deal import hand_from_sets
from acesaround.fast.sampler import Constraints, Sampler, Worlds, read_constraints
from acesaround.fast.sampler.meld_constraints import (
    MeldsShownAtPlace,
    ScarceKindCondition,
    bounds_from_meld,
)
from acesaround.game.json_format import view_to_json
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState, Playing
from acesaround.game.view import view_for
from acesaround.rules import HouseMeld, Rules
from acesaround.rules.feature_support import Feature
from acesaround.rules.melds import MeldKind, find_melds, marriage_cards
from acesaround.rules.tricks import beats
from acesaround.variants import VARIANTS
from tests.fast.sampler.history import LateError, replay_in_world
from tests.random_games import Turn, tables, turns
from tests.stock_rules import STOCK_RULES

CELLS = 1 << 14


def world(worlds: Worlds, number: int) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """Return one world: packed hands and the rest."""
    hands = tuple(hand_from_sets(row) for row in worlds.hands[number])
    return hands, tuple(CARDS[kind] for kind in worlds.rest[number])


def truth(state: GameState, constraints: Constraints) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """Return the true world: packed hands, and the unseen cards in no hand."""
    hands = tuple(state.hands[seat] for seat in state.players)
    unseen = [card for card in CARDS for _ in range(constraints.unseen[card])]
    for player in constraints.hidden_players:
        for card in unpack(hands[player]):
            unseen.remove(card)
    return hands, tuple(unseen)


def assert_same_view(
    past: list[Turn], seat: int, hands: tuple[int, ...], rest: tuple[Card, ...]
) -> None:
    """Assert that the past is legal in a world and gives the seat the same view.

    The sampler decides kind by kind when cards came to a hand. With more than two copies there are
    a few worlds in which they could not all have come in time. A run that grew from a royal
    marriage shows that no second king and queen of trump were held, which the sampler ignores.
    """
    seen = view_for(past[-1].after, seat)
    grown = any(
        meld.kind is MeldKind.RUN and meld.points < seen.rules.melds.run[0]
        for shown in seen.melds
        for meld in shown.melds
    )
    ignores_table = seen.rules.deck.copies > 2 and bool(seen.lying)
    try:
        replayed = view_for(replay_in_world(past, seat, hands, rest), seat)
    except LateError:
        assert ignores_table
        return
    if ignores_table:
        replayed, seen = replace(replayed, table=(), lying=()), replace(seen, table=(), lying=())
    if grown and seen.rules.deal.upcard:
        replayed, seen = (replace(view, melds=(), table=(), lying=()) for view in (replayed, seen))
    assert view_to_json(replayed) == view_to_json(seen)


HOUSE_MELDS = (
    HouseMeld("grand pinochle", "QS QS JD JD", 80),
    HouseMeld("aces of trump", "A* A*", 15),
    HouseMeld("black kings", "KS KC", 3),
)


def by_thumb(rules: Rules, seed: int, players: tuple[int, ...] = ()) -> Iterator[Turn]:
    """Yield the turns of a deal played by rules of thumb, by these `players` only, if any."""
    rng, bot = random.Random(seed), HeuristicBot()
    state = game.start(rules, players[0] if players else game.first_dealer(rules, rng))
    state = replace(state, players=players or state.players)
    while state.phase is not None and not state.deals:
        decision = game.decision(state)
        if isinstance(decision.legal, Deals):
            action: Action = decision.legal.sample(rng)
        else:
            action = bot.choose(view_for(state, decision.seat), decision)
        after, events = game.apply(state, action, decision.seat)
        yield Turn(state, decision, action, after, events)
        state = after


def check_worlds(deal: Iterable[Turn], seed: int, probability: float) -> None:
    """Follow a deal and check worlds from random seats, with `probability` a turn."""
    rng, past = random.Random(seed), list[Turn]()
    for turn in deal:
        if turn.decision.kind is not DecisionKind.DEAL and rng.random() < probability:
            state, seat = turn.before, rng.choice(turn.before.players)
            seen = view_for(state, seat)
            constraints = read_constraints(seen)
            assert constraints.allows(*truth(state, constraints))
            worlds = Sampler(constraints, cells=CELLS).draw(2, seed=rng.getrandbits(60))
            assert not worlds.relaxed.any()
            for number in range(2):
                hands, rest = world(worlds, number)
                assert constraints.allows(hands, rest)
                assert_same_view(past, seat, hands, rest)
        past.append(turn)


@given(tables(part=Feature.SEARCH), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_worlds_reproduce_the_view_and_every_past_action(rules: Rules, seed: int) -> None:
    check_worlds(turns(rules, seed, deals=1), seed, 0.2)


@given(tables(part=Feature.SEARCH), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_worlds_reproduce_the_view_of_deals_by_thumb(rules: Rules, seed: int) -> None:
    check_worlds(by_thumb(rules, seed), seed, 0.2)


MELD_OPTIONS = (
    {"others": HOUSE_MELDS},
    {"pinochle": (0, 40), "queens": (0,), "marriage": 0},
    {"others": HOUSE_MELDS, "kings": (0, 0), "dix": 0, "royal_marriage": 0},
)


@pytest.mark.parametrize("game", ["partnership", "three-handed", "double-deck-classic"])
@pytest.mark.parametrize("table", MELD_OPTIONS, ids=range(len(MELD_OPTIONS)))
def test_worlds_reproduce_the_view_with_changed_melds(game: str, table: dict[str, Any]) -> None:
    rules = variants.get(game)
    rules = replace(rules, melds=replace(rules.melds, **table))
    for seed in range(4):
        check_worlds(turns(rules, seed, deals=1), seed, 0.2)


@pytest.mark.parametrize("seeds", [3, pytest.param(12, marks=pytest.mark.soak)])
@pytest.mark.parametrize("rules", STOCK_RULES.values(), ids=STOCK_RULES)
def test_worlds_reproduce_the_view_under_house_rules(rules: Rules, seeds: int) -> None:
    for seed in range(seeds):
        check_worlds(turns(rules, seed, deals=1), seed, 0.2)
        check_worlds(by_thumb(rules, seed), seed, 0.2)


@pytest.mark.parametrize("seed", range(4))
def test_worlds_reproduce_the_view_when_some_seats_play_on(seed: int) -> None:
    check_worlds(by_thumb(variants.get("five-card", 9), seed, (2, 3, 8)), seed, 0.5)


@pytest.mark.parametrize("players", [3, 4])
def test_discarding_on_a_trump_excludes_only_winning_trumps(players: int) -> None:
    """In a play-off of three or four, a player who cannot win may keep trumps."""
    rules, with_trumps = variants.get("two-handed", players), 0
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
        for other in (player for player in after.players if player != seat):
            seen = view_for(after, other)
            constraints = read_constraints(seen)
            assert constraints.allows(*truth(after, constraints))
            high = constraints.high[constraints.hidden_players.index(after.players.index(seat))]
            assert not any(high[card] for card in CARDS if card.suit == led)
            assert not any(high[card] for card in CARDS if beats(card, best, trump))
            tracker = CardTracker(seen)
            assert tracker.best_rank[seat][led] == VOID_RANK
            assert tracker.best_rank[seat][trump] >= best.rank
            for card in after.hand(seat):
                assert tracker.best_rank[seat][card.suit] <= card.rank
        with_trumps += any(card.suit == trump for card in after.hand(seat))
    assert with_trumps


@pytest.mark.soak
@given(tables(part=Feature.SEARCH), st.integers(0, 2**32), st.booleans())
@settings(max_examples=3000, deadline=None)
def test_worlds_reproduce_the_view_in_many_games(rules: Rules, seed: int, well: bool) -> None:
    check_worlds(by_thumb(rules, seed) if well else turns(rules, seed, deals=1), seed, 0.2)


@pytest.mark.parametrize("seed", [8, 15, 67, 150])
def test_melds_before_the_draw_use_cards_of_earlier_tricks(seed: int) -> None:
    rules = variants.get("two-handed-traditional", None, {"meld_before_draw": True})
    check_worlds(turns(rules, seed, deals=1), seed, 0.2)


@pytest.mark.parametrize("seed", range(4))
def test_a_seat_asked_alone_for_a_nine_has_one(seed: int) -> None:
    """As in games that were stored before `deal.all_asked` was a rule."""
    base = VARIANTS["classic"]
    rules = replace(base, deal=replace(base.deal, all_asked=False))
    check_worlds(turns(rules, seed, deals=1), seed, 0.5)


def test_refusing_a_forced_exchange_excludes_a_nine() -> None:
    rules, calls = VARIANTS["classic"].with_options(nine_must_take="yes"), 0
    for seed in range(12):
        past = list(turns(rules, seed, deals=1))
        check_worlds(past, seed, 0.5)
        for state in (turn.before for turn in past if turn.decision.kind is DecisionKind.UPCARD):
            nine = card_of(state.deal.upcards_taken[0].card.suit, Rank.NINE)
            constraints = read_constraints(view_for(state, state.dealer))
            for call in state.deal.auction:
                calls += 1
                assert not constraints.high[constraints.hidden_players.index(call.seat)][nine]
    assert calls > 3


def test_an_exchanged_nine_is_not_part_of_the_meld() -> None:
    """The dealer exchanged it for the upcard, and its side melded less than the minimum."""
    base = VARIANTS["classic"]
    melds = replace(base.melds, royal_marriage=(2, 5, 9))
    rules = replace(base, melds=melds, scoring=replace(base.scoring, least_meld=5))
    looked = 0
    for seed in range(150):
        past = list(turns(rules, seed, deals=1))
        state = next(turn.before for turn in past if turn.decision.kind is DecisionKind.PLAY)
        constraints = read_constraints(view_for(state, (state.dealer + 1) % 4))
        taken = any(isinstance(turn.action, Discard) and turn.action.cards for turn in past)
        dealer = constraints.hidden_players.index(state.dealer)
        if taken and any(
            floor.limit == 5 and dealer in floor.places for floor in constraints.meld_ceilings
        ):
            looked += 1
            assert not Sampler(constraints, cells=CELLS).draw(2).relaxed.any()
    assert looked


def test_a_run_alone_excludes_a_marriage_that_would_score_more() -> None:
    table = replace(
        variants.PARTNERSHIP.melds, royal_marriage=0, run_and_king=None, run_and_queen=None
    )
    melds = find_melds(table, pack(parse_cards("AH TH KH QH JH 9S 9D 9C")), Suit.H)
    _, _, found = bounds_from_meld(table, MeldsShownAtPlace(0, melds, shows_all=True), Suit.H)
    assert ScarceKindCondition(0, marriage_cards(Suit.H), 1) in found

"""Sampled worlds reproduce what was seen, and the past of every one of them was legal."""

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
from acesaround.fast.sampler.meld_constraints import Condition, ShownMelds, bounds_from_meld
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DecisionKind, GameState, Playing
from acesaround.game.view import encode, view_for
from acesaround.rules import HouseMeld, Rules
from acesaround.rules.melds import MeldKind, find_melds, marriage_cards
from acesaround.rules.support import Feature
from acesaround.rules.tricks import beats
from acesaround.variants import VARIANTS
from tests.fast.sampler.history import LateError, retold
from tests.random_games import Turn, tables, turns
from tests.stocked import HOUSES

CELLS = 1 << 14


def world(worlds: Worlds, number: int) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """One world: packed hands and the rest."""
    hands = tuple(hand_from_sets(row) for row in worlds.hands[number])
    return hands, tuple(CARDS[kind] for kind in worlds.rest[number])


def truth(state: GameState, its: Constraints) -> tuple[tuple[int, ...], tuple[Card, ...]]:
    """The true world: what is unseen and in no hand is the rest."""
    hands = tuple(state.hands[seat] for seat in state.players)
    unseen = [card for card in CARDS for _ in range(its.unseen[card])]
    for player in its.hidden_players:
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
    seen = view_for(past[-1].after, seat)
    grown = any(
        meld.kind is MeldKind.RUN and meld.points < seen.rules.melds.run[0]
        for shown in seen.melds
        for meld in shown.melds
    )
    many = seen.rules.deck.copies > 2 and bool(seen.lying)
    try:
        told = view_for(retold(past, seat, hands, rest), seat)
    except LateError:
        assert many
        return
    if many:
        told, seen = replace(told, table=(), lying=()), replace(seen, table=(), lying=())
    if grown and seen.rules.deal.upcard:
        told, seen = (replace(one, melds=(), table=(), lying=()) for one in (told, seen))
    assert encode(told) == encode(seen)


OWN = (
    HouseMeld("grand pinochle", "QS QS JD JD", 80),
    HouseMeld("aces of trump", "A* A*", 15),
    HouseMeld("black kings", "KS KC", 3),
)


def by_thumb(rules: Rules, seed: int, players: tuple[int, ...] = ()) -> Iterator[Turn]:
    """A deal played by rules of thumb, turn by turn; by these `players` only, if any."""
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


def look(deal: Iterable[Turn], seed: int, often: float) -> None:
    """Follow a deal, and look into it now and then from any seat."""
    rng, past = random.Random(seed), list[Turn]()
    for turn in deal:
        if turn.decision.kind is not DecisionKind.DEAL and rng.random() < often:
            state, seat = turn.before, rng.choice(turn.before.players)
            seen = view_for(state, seat)
            its = read_constraints(seen)
            assert its.allows(*truth(state, its))
            worlds = Sampler(its, cells=CELLS).draw(2, seed=rng.getrandbits(60))
            assert not worlds.relaxed.any()
            for number in range(2):
                hands, rest = world(worlds, number)
                assert its.allows(hands, rest)
                same(past, seat, hands, rest)
        past.append(turn)


@given(tables(part=Feature.SEARCH), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_worlds_reproduce_the_view_and_every_past_action(rules: Rules, seed: int) -> None:
    look(turns(rules, seed, deals=1), seed, 0.2)


@given(tables(part=Feature.SEARCH), st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_they_do_where_seats_play_well(rules: Rules, seed: int) -> None:
    look(by_thumb(rules, seed), seed, 0.2)


MELDED_OTHERWISE = (
    {"others": OWN},
    {"pinochle": (0, 40), "queens": (0,), "marriage": 0},
    {"others": OWN, "kings": (0, 0), "dix": 0, "royal_marriage": 0},
)


@pytest.mark.parametrize("game", ["partnership", "three-handed", "double-deck-classic"])
@pytest.mark.parametrize("table", MELDED_OTHERWISE, ids=range(len(MELDED_OTHERWISE)))
def test_they_do_where_melds_are_a_tables_own(game: str, table: dict[str, Any]) -> None:
    rules = variants.get(game)
    rules = replace(rules, melds=replace(rules.melds, **table))
    for seed in range(4):
        look(turns(rules, seed, deals=1), seed, 0.2)


@pytest.mark.parametrize("rules", HOUSES.values(), ids=HOUSES)
def test_they_do_however_melds_are_laid(rules: Rules) -> None:
    for seed in range(12):
        look(turns(rules, seed, deals=1), seed, 0.2)
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
            seen = view_for(after, other)
            its = read_constraints(seen)
            assert its.allows(*truth(after, its))
            high = its.high[its.hidden_players.index(after.players.index(seat))]
            assert not any(high[card] for card in CARDS if card.suit == led)
            assert not any(high[card] for card in CARDS if beats(card, best, trump))
            sight = CardTracker(seen)
            assert sight.best_rank[seat][led] == VOID_RANK
            assert sight.best_rank[seat][trump] >= best.rank
            for card in after.hand(seat):
                assert sight.best_rank[seat][card.suit] <= card.rank
        kept += any(card.suit == trump for card in after.hand(seat))
    assert kept


@pytest.mark.soak
@given(tables(part=Feature.SEARCH), st.integers(0, 2**32), st.booleans())
@settings(max_examples=3000, deadline=None)
def test_they_do_in_very_many_games(rules: Rules, seed: int, well: bool) -> None:
    look(by_thumb(rules, seed) if well else turns(rules, seed, deals=1), seed, 0.2)


@pytest.mark.parametrize("seed", [8, 15, 67, 150])
def test_before_the_draw_nothing_has_come_yet_for_the_last_trick(seed: int) -> None:
    rules = variants.get("two-handed-traditional", None, {"meld_before_draw": True})
    look(turns(rules, seed, deals=1), seed, 0.2)


@pytest.mark.parametrize("seed", range(4))
def test_who_is_asked_alone_for_a_nine_has_one(seed: int) -> None:
    """As in games that were stored before `deal.all_asked` was a rule."""
    base = VARIANTS["classic"]
    rules = replace(base, deal=replace(base.deal, all_asked=False))
    look(turns(rules, seed, deals=1), seed, 0.5)


def test_who_leaves_the_upcard_where_a_nine_must_be_given_has_none() -> None:
    rules, told = VARIANTS["classic"].with_options(nine_must_take="yes"), 0
    for seed in range(12):
        past = list(turns(rules, seed, deals=1))
        look(past, seed, 0.5)
        for state in (turn.before for turn in past if turn.decision.kind is DecisionKind.UPCARD):
            nine = card_of(state.deal.taken[0].card.suit, Rank.NINE)
            its = read_constraints(view_for(state, state.dealer))
            for call in state.deal.auction:
                told += 1
                assert not its.high[its.hidden_players.index(call.seat)][nine]
    assert told > 3


def test_a_nine_that_came_after_the_meld_was_no_part_of_it() -> None:
    """The dealer has it for the upcard; its partner and it melded less than the floor on meld."""
    base = VARIANTS["classic"]
    melds = replace(base.melds, royal_marriage=(2, 5, 9))
    rules = replace(base, melds=melds, scoring=replace(base.scoring, least_meld=5))
    looked = 0
    for seed in range(150):
        past = list(turns(rules, seed, deals=1))
        state = next(turn.before for turn in past if turn.decision.kind is DecisionKind.PLAY)
        its = read_constraints(view_for(state, (state.dealer + 1) % 4))
        taken = any(isinstance(turn.action, Discard) and turn.action.cards for turn in past)
        dealer = its.hidden_players.index(state.dealer)
        if taken and any(
            floor.limit == 5 and dealer in floor.places for floor in its.meld_ceilings
        ):
            looked += 1
            assert not Sampler(its, cells=CELLS).draw(2).relaxed.any()
    assert looked


def test_a_run_alone_has_no_marriage_beside_it_where_both_together_are_worth_more() -> None:
    table = replace(
        variants.PARTNERSHIP.melds, royal_marriage=0, run_and_king=None, run_and_queen=None
    )
    melds = find_melds(table, pack(parse_cards("AH TH KH QH JH 9S 9D 9C")), Suit.H)
    _, _, found = bounds_from_meld(table, ShownMelds(0, melds, shows_all=True), Suit.H)
    assert Condition(0, marriage_cards(Suit.H), 1) in found

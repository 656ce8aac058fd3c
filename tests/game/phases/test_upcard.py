"""The dealer's upcard: turns to take it, the exchange, points of the nines."""

from __future__ import annotations

import random

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import PASS, Deal, Discard
from acesaround.bots.heuristic import HeuristicBot
from acesaround.cards import Card, parse_cards, unpack
from acesaround.errors import ContradictionError, IllegalAction
from acesaround.fast.playouts.batches import simulate_deals
from acesaround.fast.playouts.deal_preparation import (
    DEALER,
    FACT_COUNT,
    NAMED_TRUMP,
    UPCARD_TAKER,
    PreparationBuffers,
    deal_cards,
    play_to_first_lead,
)
from acesaround.fast.playouts.meld_values import build_meld_tables
from acesaround.fast.playouts.packed_deal import empty_deal, hand_from_sets
from acesaround.fast.playouts.play_loop import HEURISTIC
from acesaround.fast.playouts.rng import start_stream
from acesaround.fast.playouts.rule_arrays import build_rule_arrays
from acesaround.game.phases.play import take_trick
from acesaround.game.state import DecisionKind, GameState, Trick, UpcardTaken
from acesaround.game.view import known_taken_cards, view_for
from acesaround.rules import DealRules, Phase, Rules
from acesaround.rules.scoring import Tally, score_after_losses

CLASSIC = variants.get("classic")
LEAVE = Discard(())
NINE = Card("9H")


def dealt(nines: tuple[int, ...], up: str = "AH", rules: Rules = CLASSIC) -> GameState:
    """Return a state where seat 0 dealt `up` as upcard and `nines` are the seats with a heart nine.

    The other hearts are spread, so no seat holds them all.
    """
    rest = list(rules.deck.cards)
    hands: list[list[Card]] = [[] for _ in range(4)]
    for seat, card in [*((seat, NINE) for seat in nines), (0, Card(up))]:
        rest.remove(card)
        hands[seat].append(card)
    for card in rest:
        min(hands, key=len).append(card)
    full = tuple(tuple(sorted(cards)) for cards in hands)
    return game.apply(game.start(rules), Deal(full, upcard=Card(up)))[0]


def points(state: GameState, seat: int, name: str) -> int:
    """Return the points of a seat's melds of that name."""
    laid = next(melds for melds in state.deal.laid if melds.seat == seat)
    return sum(meld.points for meld in laid.melds if meld.name == name)


def after_leaving(state: GameState, number: int) -> GameState:
    """Return the state after so many seats left the upcard."""
    for _ in range(number):
        state, _ = game.apply(state, LEAVE)
    return state


def test_without_all_asked_only_seats_with_a_nine_are_asked() -> None:
    stored = msgspec.json.decode(msgspec.json.encode(CLASSIC))
    del stored["deal"]["all_asked"]
    rules = msgspec.convert(stored, Rules)
    state = dealt((2, 3), rules=rules)
    assert game.turn_of(state) == 2
    assert list(game.decision(state).legal) == [Discard((NINE,)), LEAVE]
    assert game.turn_of(after_leaving(state, 1)) == 3
    assert game.decision(after_leaving(state, 2)).kind is not DecisionKind.UPCARD


@pytest.mark.parametrize("all_asked", [True, False])
def test_with_nine_must_take_a_nine_must_be_given(all_asked: bool) -> None:
    must = CLASSIC.with_options(nine_must_take="yes")
    state = dealt((2, 3), rules=replace(must, deal=replace(must.deal, all_asked=all_asked)))
    state = after_leaving(state, all_asked)  # seat 1 has no nine
    assert game.turn_of(state) == 2
    assert list(game.decision(state).legal) == [Discard((NINE,))]
    with pytest.raises(IllegalAction, match="9♥ is to be given for the upcard"):
        game.apply(state, LEAVE)
    state, _ = game.apply(state, Discard((NINE,)))
    assert game.decision_kind(state) is DecisionKind.PLAY
    assert state.hand(2).count(Card("AH"))


def test_all_seats_are_asked_from_the_dealers_left() -> None:
    state = dealt((1, 3))
    assert state.deal.trump == NINE.suit
    assert game.decision_kind(state) is DecisionKind.UPCARD
    assert game.turn_of(state) == 1
    assert set(game.decision(state).legal) == {Discard((NINE,)), LEAVE}
    state, _ = game.apply(state, LEAVE)
    assert game.turn_of(state) == 2
    assert list(game.decision(state).legal) == [LEAVE]
    with pytest.raises(IllegalAction, match="9♥ or nothing is to be given for the upcard"):
        game.apply(state, Discard((NINE,)))
    state, _ = game.apply(state, LEAVE)
    assert game.turn_of(state) == 3
    state, _ = game.apply(state, LEAVE)
    assert game.decision_kind(state) is DecisionKind.PLAY
    assert game.turn_of(state) == 1  # the dealer's left leads
    assert state.deal.upcards_taken == (UpcardTaken(0, Card("AH"), None, 0),)


def test_play_begins_when_a_seat_takes_the_upcard() -> None:
    before = dealt((1, 3))
    state, _ = game.apply(before, Discard((NINE,)))
    assert game.decision_kind(state) is DecisionKind.PLAY
    assert state.hand(1).count(Card("AH")) == before.hand(1).count(Card("AH")) + 1
    assert NINE in state.hand(0)
    assert [len(state.hand(seat)) for seat in range(4)] == [12] * 4


def test_a_given_nine_counts_for_the_seat_that_held_it() -> None:
    state, _ = game.apply(after_leaving(dealt((2, 3)), 1), Discard((NINE,)))
    assert [points(state, seat, "dix") for seat in range(4)] == [0, 0, 10, 10]


def test_two_nines_count_20_and_one_is_given() -> None:
    state, _ = game.apply(after_leaving(dealt((2, 2)), 1), Discard((NINE,)))
    assert points(state, 2, "dix") == 20
    assert state.hand(2).count(NINE) == 1


def test_nines_of_the_dealer_count_as_dixes() -> None:
    state = after_leaving(dealt((0, 0)), 3)
    assert game.decision_kind(state) is DecisionKind.PLAY
    assert points(state, 0, "dix") == 20


def test_a_nine_as_upcard_stays_with_the_dealer_as_a_dix() -> None:
    state = dealt((2,), up="9H")
    assert game.decision_kind(state) is DecisionKind.PLAY
    assert [points(state, seat, "dix") for seat in range(4)] == [10, 0, 10, 0]


@pytest.mark.parametrize("action", [PASS, Discard((Card("9S"),)), Discard((NINE, NINE))])
def test_other_actions_are_refused_while_the_upcard_is_offered(action: Discard) -> None:
    state = dealt((1, 3))
    with pytest.raises(IllegalAction, match="9♥ or nothing is to be given for the upcard"):
        game.apply(state, action)


def test_a_deal_with_an_upcard_outside_the_dealers_hand_is_refused() -> None:
    state = game.start(CLASSIC)
    valid = game.decision(state).legal.sample(random.Random(3))
    assert isinstance(valid, Deal)
    lacking = next(card for card in CLASSIC.deck.cards if card not in valid.hands[0])
    with pytest.raises(IllegalAction, match="is not in the dealer's hand"):
        game.apply(state, Deal(valid.hands, upcard=lacking))


def test_views_show_where_the_upcard_and_the_nine_are() -> None:
    state = dealt((1, 3))
    seen = view_for(state, 2)
    assert seen.table == ((Card("AH"),), (), (), ())
    assert known_taken_cards(seen, 0) == {Card("AH"): 1}
    state, _ = game.apply(state, Discard((NINE,)))
    seen = view_for(state, 2)
    assert known_taken_cards(seen, 1)[Card("AH")] == 1
    assert known_taken_cards(seen, 0)[NINE] == 1


@pytest.mark.parametrize(("has_counter", "meld"), [(True, 100), (False, 0)])
def test_a_side_without_a_trick_loses_its_meld(has_counter: bool, meld: int) -> None:
    tally = Tally((100, 0), (0, 0), (0, 250), (has_counter, True))
    assert score_after_losses(CLASSIC, tally, 0)[0] == meld


def test_a_trick_without_a_counter_saves_meld() -> None:
    state = after_leaving(dealt((0, 0)), 3)
    trick = parse_cards("9S 9S 9S 9S")  # not from the hands: only the winner matters
    assert state.deal.has_counter == (False, False)
    assert take_trick(state, Trick(1, trick, 1, 0)).has_counter == (False, True)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"phases": (Phase.STOCK_PLAY, Phase.PLAY)}, "A game without an auction needs an upcard"),
        ({"deal": DealRules(hand=(12,), packet=3)}, "A game without an auction needs an upcard"),
        (
            {"deal": DealRules(hand=(10,), packet=3, upcard=True, nines=False)},
            "the deck has no nines",
        ),
    ],
)
def test_contradicting_rules_are_refused(changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(ContradictionError, match=sentence):
        replace(CLASSIC, **changes)


def test_without_the_upcard_phase_the_upcard_stays_with_the_dealer() -> None:
    state = dealt((1, 3), rules=replace(CLASSIC, phases=(Phase.MELDING, Phase.PLAY)))
    assert game.decision_kind(state) is DecisionKind.PLAY


def test_the_kernel_opens_a_deal_as_the_heuristic_bot_does() -> None:
    """Compare the hands and melds after the exchange of the upcard."""
    players = (0, 1, 2, 3)
    numbers, tables = build_rule_arrays(CLASSIC, players), build_meld_tables(CLASSIC)
    packed, cards = empty_deal(numbers), np.zeros(48, np.int64)
    facts = np.zeros(FACT_COUNT, np.int64)
    buffers = PreparationBuffers(cards, np.zeros(24, np.int64), facts)
    simulated, thumb, took = simulate_deals(CLASSIC, 300, 5, "heuristic"), HeuristicBot(), 0
    for item in range(300):
        chance = deal_cards(numbers, packed, cards, start_stream(5, item))
        hands = [hand_from_sets(row) for row in packed.hands]
        play_to_first_lead(numbers, tables, packed, HEURISTIC, chance, buffers)
        dealer, taker, trump = int(facts[DEALER]), int(facts[UPCARD_TAKER]), int(facts[NAMED_TRUMP])
        after = [hand_from_sets(row) for row in packed.hands]
        start = game.start(CLASSIC, dealer)
        full = tuple(map(unpack, hands))
        ups = {card for card in full[dealer] if card.suit == trump}
        if taker >= 0:
            took += 1
            ups &= set(unpack(after[taker]))
        found = []
        for up in sorted(ups):
            state, _ = game.apply(start, Deal(full, upcard=up))
            while game.decision_kind(state) is DecisionKind.UPCARD:
                seat = game.turn_of(state)
                state, _ = game.apply(
                    state, thumb.choose(view_for(state, seat), game.decision(state))
                )
            melded = [
                next(laid.points for laid in state.deal.laid if laid.seat == s) for s in players
            ]
            found.append((list(state.hands), melded))
        assert (after, simulated.meld_points[item].tolist()) in found
    assert took > 100

"""Views, events, decisions and refusals show a seat no hidden card."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import (
    PASS,
    PLAY_ACTIONS,
    Action,
    Bid,
    Discard,
    LegalActions,
    Play,
    SizedActions,
)
from acesaround.bots.random_bot import RandomBot
from acesaround.cards import Card, pack, unpack
from acesaround.errors import IllegalAction
from acesaround.game import apply, decision
from acesaround.game.events import Dealt, Event, Melded, Reneged
from acesaround.game.history import seen_events, table_cards
from acesaround.game.json_format import view_to_json
from acesaround.game.phases.dealing import Deals
from acesaround.game.state import DealState, DecisionKind, GameState, StockPlaying
from acesaround.game.state import tally as state_tally
from acesaround.game.view import passes_completed as passings
from acesaround.game.view import tally, turn_of, view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import card_points
from tests.random_games import Turn, tables, turns
from tests.scripted_games import Table, contract, deal

seeds = st.integers(0, 2**32)


def other_seats(state: GameState, seat: int) -> list[int]:
    """Return the seats whose hands this seat may not see."""
    return [other for other in state.players if other != seat]


def with_hidden_cards_shuffled(state: GameState, seat: int, rng: random.Random) -> GameState:
    """Return the state with the cards that the seat cannot see shuffled among their places."""
    deal = state.deal
    others = other_seats(state, seat)
    unseen_kitty = deal.kitty and deal.declarer is None
    hide_buried = deal.declarer != seat
    pool: list[Card] = [c for other in others for c in unpack(state.hands[other])]
    pool += deal.stock
    pool += deal.kitty if unseen_kitty else ()
    pool += deal.buried if hide_buried else ()
    pool += [c for throw in deal.discarded if throw.seat != seat for c in throw.cards]
    pool += [c for t in deal.passed_cards if seat not in (t.seat, t.to) for c in t.cards]
    rng.shuffle(pool)

    def take(number: int) -> tuple[Card, ...]:
        return tuple(pool.pop() for _ in range(number))

    hands = list(state.hands)
    for other in others:
        hands[other] = pack(take(len(unpack(hands[other]))))
    changed = {
        "stock": take(len(deal.stock)),
        "kitty": take(len(deal.kitty)) if unseen_kitty else deal.kitty,
        "buried": take(len(deal.buried)) if hide_buried else deal.buried,
        "discarded": tuple(
            throw if throw.seat == seat else replace(throw, cards=take(len(throw.cards)))
            for throw in deal.discarded
        ),
        "passed_cards": tuple(
            t if seat in (t.seat, t.to) else replace(t, cards=take(len(t.cards)))
            for t in deal.passed_cards
        ),
        "laid": tuple(
            laid
            if laid.seat == seat or laid.is_complete
            else replace(laid, melds=(*laid.melds, *laid.melds), points=laid.points + 1)
            for laid in deal.laid
        ),
    }
    new_deal: DealState = replace(deal, **changed)
    return replace(state, hands=tuple(hands), deal=new_deal)


def encoded_actions(legal: LegalActions) -> bytes:
    first = [action for action, _ in zip(legal, range(50), strict=False)]
    length = len(legal) if isinstance(legal, SizedActions) else None
    return msgspec.json.encode((length, first), enc_hook=str)


def refusals(state: GameState, seat: int) -> list[str]:
    tried: list[Action] = [*PLAY_ACTIONS, PASS, Bid(7), Bid(260)]
    own = turn_of(state) == seat
    said = []
    for action in tried:
        try:
            apply(state, action, seat)
        except IllegalAction as refusal:
            said.append(str(refusal))
        else:
            assert own
    return said


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_views_decisions_and_refusals_do_not_depend_on_hidden_cards(
    rules: Rules, seed: int
) -> None:
    rules = rules.with_options(renege="refuse")
    rng = random.Random(seed)
    for turn in turns(rules, seed, deals=1):
        if turn.decision.kind is DecisionKind.DEAL:
            continue
        seat = rng.choice(turn.before.players)
        other = with_hidden_cards_shuffled(turn.before, seat, rng)
        assert view_to_json(view_for(other, seat)) == view_to_json(view_for(turn.before, seat))
        assert refusals(other, seat) == refusals(turn.before, seat)
        if turn.decision.seat == seat:
            assert encoded_actions(decision(other).legal) == encoded_actions(turn.decision.legal)


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_a_spectator_sees_no_hidden_card(rules: Rules, seed: int) -> None:
    rng = random.Random(seed)
    for turn in turns(rules, seed, deals=1):
        if turn.decision.kind is not DecisionKind.DEAL:
            other = with_hidden_cards_shuffled(turn.before, -1, rng)
            assert view_to_json(view_for(other, None)) == view_to_json(view_for(turn.before, None))


def visible_events(turn: Turn, seat: int | None) -> list[Event]:
    return [event.seen_by(seat) for event in turn.events]


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_an_event_shows_a_seat_only_cards_it_may_know(rules: Rules, seed: int) -> None:
    for turn in turns(rules, seed, deals=1):
        for seat in turn.before.players:
            seen = view_for(turn.after, seat)
            public = {c for t in seen.tricks for c in t.cards} | set(seen.trick)
            public |= set(seen.hand) | set(seen.kitty) | set(seen.buried or ())
            public |= {c for shown in seen.melds for m in shown.melds for c in m.cards}
            public |= {c for p in seen.passed for c in p.cards or ()}
            public |= {seen.upcard} if seen.upcard is not None else set()
            for event in visible_events(turn, seat):
                if isinstance(event, Dealt):
                    assert [h is not None for h in event.hands] == [
                        s == seat for s in range(rules.seats)
                    ]
                if turn.after.deal.outcome is None and turn.after.deals == turn.before.deals:
                    assert set(cards_of(event)) <= public | set(view_for(turn.before, seat).hand)


def cards_of(event: Event) -> list[Card]:
    return list(getattr(event, "cards", None) or ())


def test_seats_see_their_own_buried_and_passed_cards() -> None:
    for variant, field in (("three-handed", "buried"), ("partnership", "passed")):
        checked = 0
        for turn in turns(variants.VARIANTS[variant], 11, deals=3):
            deal = turn.after.deal
            if field == "buried" and deal.buried and deal.declarer is not None:
                assert view_for(turn.after, deal.declarer).buried == deal.buried
                for seat in other_seats(turn.after, deal.declarer):
                    assert view_for(turn.after, seat).buried is None
                checked += 1
            for transfer in deal.passed_cards if field == "passed" else ():
                for seat in range(4):
                    shown = [
                        p.cards for p in view_for(turn.after, seat).passed if p.to == transfer.to
                    ]
                    known = seat in (transfer.seat, transfer.to)
                    assert shown == [transfer.cards if known else None]
                checked += 1
        assert checked


def test_a_side_with_meld_below_20_shows_only_aces_around() -> None:
    """In the double deck a side's meld below 20 stays hidden; aces around are shown, unscored."""
    rules = variants.DOUBLE_DECK
    hidden = shown = 0
    for seed in range(40):
        for turn in turns(rules, seed, deals=1):
            for event in turn.events:
                if not isinstance(event, Melded):
                    continue
                for seat in (None, *(s for s in range(4) if s != event.seat)):
                    seen = event.seen_by(seat)
                    if event.open:
                        assert seen == event
                        shown += 1
                    else:
                        assert seen.melds is None
                        assert seen.points is None
                        assert all(m.name.endswith("aces around") for m in seen.shown)
                        hidden += 1
                assert event.seen_by(event.seat) == event
    assert hidden
    assert shown


@pytest.mark.parametrize("variant", sorted(variants.VARIANTS))
def test_a_view_has_the_own_hand_and_the_sizes_of_all(variant: str) -> None:
    for turn in turns(variants.VARIANTS[variant], 3, deals=1):
        for seat in turn.before.players:
            seen = view_for(turn.before, seat)
            assert seen.hand == turn.before.hand(seat)
            assert seen.sizes == tuple(len(unpack(hand)) for hand in turn.before.hands)


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_the_tally_of_a_view_equals_that_of_the_state_without_hidden_points(
    rules: Rules, seed: int
) -> None:
    for turn in turns(rules, seed):
        state = turn.before
        if turn.after.deals > state.deals:
            state = game.last_state_of_deal(state, turn.action)
        truth, buried = state_tally(state), card_points(rules, state.deal.buried)
        for seat in (None, *state.players):
            shown = view_for(state, seat)
            now, with_buried = tally(shown), tally(shown, buried)
            assert with_buried.play == truth.play
            assert now.has_counter == truth.has_counter
            hidden = shown.declarer is not None and shown.buried is None
            missing = [0] * len(rules.sides)
            if hidden and shown.declarer is not None:
                missing[rules.side_of(shown.declarer)] = buried
            assert now.play == tuple(a - b for a, b in zip(truth.play, missing, strict=True))
            for side in range(len(rules.sides)):
                laid = [melds for melds in shown.melds if rules.side_of(melds.seat) == side]
                if all(melds.points is not None for melds in laid):
                    assert (now.meld[side], now.dix_points[side]) == (
                        truth.meld[side],
                        truth.dix_points[side],
                    )


def check_rebuilt_events(rules: Rules, seed: int) -> None:
    """Assert that the events which each seat saw can be rebuilt from its view, in two deals."""
    past: list[Event] = []
    for turn in turns(rules, seed, deals=2):
        past = [*(() if turn.decision.kind is DecisionKind.DEAL else past), *turn.events]
        over = turn.after.deals > turn.before.deals and turn.after.winner is None
        for seat in (None, *range(rules.seats)):
            seen = [] if over else [event.seen_by(seat) for event in past]
            assert seen_events(view_for(turn.after, seat)) == seen


@given(tables(), seeds)
@settings(max_examples=60, deadline=None)
def test_the_events_a_seat_saw_can_be_rebuilt_from_its_view(rules: Rules, seed: int) -> None:
    """A view contains everything: two histories that a seat can tell apart give different views."""
    check_rebuilt_events(rules, seed)


@pytest.mark.soak
@given(tables(), seeds)
@settings(max_examples=1000, deadline=None)
def test_the_events_a_seat_saw_in_many_games_can_be_rebuilt(rules: Rules, seed: int) -> None:
    check_rebuilt_events(rules, seed)


def choose_with_reneges(state: GameState, rng: random.Random) -> Action:
    """Choose at random; now and then a card that is not legal, or too many to discard."""
    now = decision(state)
    if now.seat is None:
        assert isinstance(now.legal, Deals)
        return now.legal.sample(rng)
    cards = state.hand(now.seat)
    if now.kind is DecisionKind.PLAY and rng.random() < 0.1:
        return Play(rng.choice(cards))
    if now.kind is DecisionKind.DISCARD and rng.random() < 0.1:
        return Discard(cards)
    return RandomBot(rng).choose(None, now)


@pytest.mark.parametrize(
    ("variant", "players", "number"),
    [("five-card", 6, 2), ("seven-card", 4, 2), ("partnership", 4, 1)],
)
def test_a_renege_that_ended_the_game_can_be_rebuilt_from_a_view(
    variant: str, players: int, number: int
) -> None:
    rules = variants.get(variant, players, {"hands": 1, "renege": "penalty"})
    ended = set[DecisionKind]()
    for seed in range(60):
        rng, past = random.Random(seed), list[Event]()
        state = game.start(rules)
        while state.phase is not None and not state.deals:
            kind = decision(state).kind
            state, events = apply(state, choose_with_reneges(state, rng))
            past += events
            ended |= {kind for event in events if isinstance(event, Reneged)}
            for seat in (None, *range(rules.seats)):
                over = state.deals and state.winner is None
                seen = [] if over else [event.seen_by(seat) for event in past]
                assert seen_events(view_for(state, seat)) == seen
    assert len(ended) == number


@given(tables(variant="two-handed"), seeds)
@settings(max_examples=30, deadline=None)
def test_melds_on_the_table_at_each_card_can_be_rebuilt_from_a_later_view(
    rules: Rules, seed: int
) -> None:
    tables_by_card: dict[tuple[int, int], list[tuple[Card, ...]]] = {}
    for turn in turns(rules, seed, deals=1):
        phase = turn.after.phase
        now = view_for(turn.after, None)
        if isinstance(phase, StockPlaying):
            tables_by_card[len(now.tricks), len(now.trick)] = list(now.table)
        if now.deals == 0 or now.winner is not None:
            for (tricks, played), table in tables_by_card.items():
                assert table_cards(now, tricks, played) == table


def test_passes_completed_counts_partners_passes_and_no_discards() -> None:
    rules = variants.PARTNERSHIP
    at = contract(rules, deal(rules, {1: "AS AS AH AH", 3: "9S 9S 9D 9D"}), 1, 250).do("trump H")
    assert passings(view_for(at.state, 0)) == 0
    assert passings(view_for(at.do("3: give 9S 9S 9D 9D").state, 0)) == 1
    assert passings(view_for(at.do("1: give 9S 9S 9D 9D").state, 0)) == 2
    five = variants.FIVE_CARD.with_options(players=2)
    at = contract(five, deal(five, {1: "9S 9D"}), 1, 5).do("trump H", "discard 9S 9D", "discard")
    assert view_for(at.state, 0).passed
    assert passings(view_for(at.state, 0)) == 0


def test_trump_is_unbroken_only_in_the_play() -> None:
    five = variants.FIVE_CARD.with_options(players=2)
    at = Table(five, deal(five, {}), 0)
    assert view_for(at.state, 0).broken
    at = contract(five, deal(five, {}), 1, 5).do("trump H", "discard", "discard")
    assert not view_for(at.state, 0).broken
    assert view_for(Table(variants.TWO_HANDED, deal(variants.TWO_HANDED, {}), 0).state, 0).broken

"""Dealing: packets, the kitty, the upcard, refused deals."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.cards import CARDS, pack
from acesaround.errors import IllegalAction, Reason, UnlistedError
from acesaround.game.events import Dealt
from acesaround.game.phases.dealing import Deals, deal_out
from acesaround.game.state import DecisionKind
from acesaround.rules import Rules
from tests.scripted_games import Table, deal

THREE, TWO = variants.THREE_HANDED, variants.TWO_HANDED
SIZES = [
    ("three-handed", 3, 15, 3, 0),
    ("five-card", 2, 5, 0, 38),
    ("five-card", 9, 5, 0, 3),
    ("seven-card", 6, 7, 0, 6),
    ("partnership", 4, 12, 0, 0),
    ("two-handed", 2, 12, 0, 23),
    ("two-handed", 3, 8, 0, 23),
    ("two-handed", 4, 6, 0, 23),
    ("double-deck", 4, 20, 0, 0),
    ("double-deck-classic", 4, 20, 0, 0),
]


@pytest.mark.parametrize(("variant", "players", "each", "kitty", "stock"), SIZES)
def test_a_sampled_deal_has_the_sizes_of_the_variant(
    variant: str, players: int, each: int, kitty: int, stock: int
) -> None:
    rules = variants.get(variant, players)
    dealt = Deals(rules, tuple(range(players)), 0).sample(random.Random(1))
    assert [len(cards) for cards in dealt.hands] == [each] * players
    assert (len(dealt.kitty), len(dealt.stock)) == (kitty, stock)
    assert (dealt.upcard is not None) == variants.VARIANTS[variant].deal.upcard
    everything = [card for cards in dealt.hands for card in cards]
    everything += [*dealt.kitty, *dealt.stock, *([dealt.upcard] if dealt.upcard else [])]
    assert pack(everything) == rules.deck.packed


def test_three_handed_deals_packets_of_three_from_the_dealers_left() -> None:
    order = list(THREE.deck.cards)
    random.Random(3).shuffle(order)
    dealt = deal_out(THREE, (0, 1, 2), 0, order)
    assert Counter(order[:3]) <= Counter(dealt.hands[1])
    assert Counter(order[-3:]) <= Counter(dealt.hands[0])  # the dealer's own packet comes last


def test_three_handed_the_last_card_dealt_never_goes_to_the_kitty() -> None:
    """The copies of a card are first and last in the order, so the last one can be told apart."""
    for card in CARDS:
        rest = [c for c in THREE.deck.cards if c != card]
        dealt = deal_out(THREE, (0, 1, 2), 2, [card, *rest, card])
        assert card not in dealt.kitty


def test_five_card_deals_singly_from_the_dealers_left() -> None:
    rules = variants.FIVE_CARD.with_options(players=3)
    order = list(rules.deck.cards)
    random.Random(4).shuffle(order)
    dealt = deal_out(rules, (0, 1, 2), 1, order)
    assert Counter(dealt.hands[2]) == Counter(order[0:15:3])
    assert Counter(dealt.hands[0]) == Counter(order[1:15:3])
    assert Counter(dealt.hands[1]) == Counter(order[2:15:3])
    assert dealt.stock == tuple(order[15:])


def test_the_suit_of_the_upcard_is_trump_in_the_two_handed_game() -> None:
    table = Table(TWO, deal(TWO, {}, upcard="KD"))
    assert str(table.state.deal.trump) == "D"


@pytest.mark.parametrize("rules", [THREE, TWO], ids=["three-handed", "two-handed"])
def test_deals_with_wrong_cards_or_sizes_are_refused(rules: Rules) -> None:
    valid = deal(rules, {})
    first, second, *others = valid.hands
    moved = replace(valid, hands=((*first, second[0]), second[1:], *others))
    doubled = replace(valid, hands=((first[0], *first[:-1]), second, *others))
    for invalid in (
        replace(valid, hands=valid.hands[1:]),
        moved,
        replace(valid, hands=((first[0],) * len(first), second, *others)),
        doubled if pack(first) != pack(doubled.hands[0]) else moved,
        replace(valid, kitty=(*valid.kitty, first[0])),
        replace(valid, stock=valid.stock[1:]) if valid.stock else moved,
        replace(valid, stock=(*valid.stock, first[0])),
        replace(valid, upcard=None if valid.upcard else first[0]),
    ):
        assert Table(rules).refusal(invalid) is Reason.BAD_DEAL
    assert valid in game.decision(Table(rules).state).legal


def test_before_the_deal_no_seat_is_on_turn() -> None:
    table = Table(THREE)
    assert (table.turn, table.kind) == (None, DecisionKind.DEAL)
    assert table.refusal("pass") is Reason.WRONG_KIND
    assert table.refusal("0: pass") is Reason.NOT_YOUR_TURN


def test_start_refuses_a_dealer_outside_the_seats() -> None:
    for seat in (-1, 3):
        with pytest.raises(IllegalAction) as refused:
            game.start(THREE, seat)
        assert refused.value.reason is Reason.BAD_DEAL


def test_the_dealt_event_shows_sizes_and_the_own_hand() -> None:
    (event,) = Table(TWO, deal(TWO, {}, upcard="KD"), 1).all(Dealt)
    assert (event.dealer, event.players, event.sizes) == (1, (0, 1), (12, 12))
    assert (event.kitty, event.stock, str(event.upcard)) == (0, 23, "KD")
    assert event.seen_by(0).hands == (event.hands[0], None)
    assert event.seen_by(None).hands == (None, None)


def test_sample_deals_the_same_cards_for_the_same_seed() -> None:
    deals = Deals(THREE, (0, 1, 2), 0)
    assert deals.sample(random.Random(5)) == deals.sample(random.Random(5))
    assert deals.sample(random.Random(5)) != deals.sample(random.Random(6))
    assert deals.sample(random.Random(3)) in deals


@pytest.mark.parametrize("rules", [THREE, TWO], ids=["three-handed", "two-handed"])
def test_deals_are_iterated_lazily_and_cannot_be_listed(rules: Rules) -> None:
    deals = Deals(rules, tuple(range(rules.seats)), 0)
    first, second = islice(deals, 2)
    assert first != second
    assert first == next(iter(deals))
    assert first in deals
    assert second in deals
    with pytest.raises(UnlistedError):
        list(deals)

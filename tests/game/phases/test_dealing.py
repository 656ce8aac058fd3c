"""Dealing: packets, the kitty, the upcard, and what is no deal. Also whose turn it is."""

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


def test_deals_come_one_after_another_and_each_is_one() -> None:
    deals = Deals(TWO, (0, 1), 0)
    first, second = islice(deals, 2)
    assert first != second
    assert first in deals
    assert first == next(iter(deals))


@pytest.mark.parametrize(("variant", "players", "each", "kitty", "stock"), SIZES)
def test_how_many_cards_go_where(
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


def test_three_handed_deals_by_threes_clockwise_from_the_dealers_left() -> None:
    order = list(THREE.deck.cards)
    random.Random(3).shuffle(order)
    dealt = deal_out(THREE, (0, 1, 2), 0, order)
    assert Counter(order[:3]) <= Counter(dealt.hands[1])
    assert Counter(order[-3:]) <= Counter(dealt.hands[0])  # the dealer's own packet comes last


def test_three_handed_the_last_card_dealt_never_goes_to_the_kitty() -> None:
    """A lone card at the end of the order tells: its twin is moved to the front."""
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
def test_what_is_no_deal_of_the_game_is_refused(rules: Rules) -> None:
    good = deal(rules, {})
    first, second, *others = good.hands
    moved = replace(good, hands=((*first, second[0]), second[1:], *others))
    doubled = replace(good, hands=((first[0], *first[:-1]), second, *others))
    for bad in (
        replace(good, hands=good.hands[1:]),
        moved,
        replace(good, hands=((first[0],) * len(first), second, *others)),
        doubled if pack(first) != pack(doubled.hands[0]) else moved,
        replace(good, kitty=(*good.kitty, first[0])),
        replace(good, stock=good.stock[1:]) if good.stock else moved,
        replace(good, stock=(*good.stock, first[0])),
        replace(good, upcard=None if good.upcard else first[0]),
    ):
        assert Table(rules).refusal(bad) is Reason.BAD_DEAL
    assert good in game.decision(Table(rules).state).legal


def test_before_the_deal_nobody_is_on_turn() -> None:
    table = Table(THREE)
    assert (table.turn, table.kind) == (None, DecisionKind.DEAL)
    assert table.refusal("pass") is Reason.WRONG_KIND
    assert table.refusal("0: pass") is Reason.NOT_YOUR_TURN


def test_a_game_cannot_be_dealt_by_a_seat_that_is_not_there() -> None:
    for seat in (-1, 3):
        with pytest.raises(IllegalAction) as refused:
            game.start(THREE, seat)
        assert refused.value.reason is Reason.BAD_DEAL


def test_a_deal_tells_its_dealer_players_and_sizes() -> None:
    (event,) = Table(TWO, deal(TWO, {}, upcard="KD"), 1).all(Dealt)
    assert (event.dealer, event.players, event.sizes) == (1, (0, 1), (12, 12))
    assert (event.kitty, event.stock, str(event.upcard)) == (0, 23, "KD")
    assert event.seen_by(0).hands == (event.hands[0], None)
    assert event.seen_by(None).hands == (None, None)


def test_chance_deals_the_same_cards_for_the_same_lots() -> None:
    deals = Deals(THREE, (0, 1, 2), 0)
    assert deals.sample(random.Random(5)) == deals.sample(random.Random(5))
    assert deals.sample(random.Random(5)) != deals.sample(random.Random(6))
    assert deals.sample(random.Random(3)) in deals


def test_deals_are_walked_through_one_by_one_and_are_no_list() -> None:
    deals = Deals(THREE, (0, 1, 2), 0)
    first, second = islice(deals, 2)
    assert first != second
    assert first in deals
    assert second in deals
    with pytest.raises(UnlistedError):
        list(deals)

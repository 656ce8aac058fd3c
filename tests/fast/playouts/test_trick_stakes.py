"""The stakes of a trick: melds that it saves, and melds that may still be laid."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.cards import RANK_COUNT, SUITS, Card, pack
from acesaround.fast.playouts.meld_laying import lay_meld
from acesaround.fast.playouts.packed_deal import (
    DECLARER_NUMBER,
    TRUMP,
    PackedDeal,
    empty_deal,
    sets_from_hand,
)
from acesaround.fast.playouts.rule_arrays import FIXED_ONE, STOCK_SIZE, build_rule_arrays
from acesaround.fast.playouts.trick_stakes import Stakes, SuitMeldProspects, stakes_of_trick
from acesaround.heuristic_weights import DECLARER_ROLE, DEFENDER_ROLE, HELPER_ROLE
from acesaround.rules import Rules
from acesaround.rules.feature_support import MELD_WORTH_BITS
from acesaround.rules.laid_melds import RUN
from tests.fast.playouts.test_policy import hand

TWO_HANDED = variants.get("two-handed")


def dealt(rules: Rules, held: str, *, trump: str = "H", played_cards: str = "") -> PackedDeal:
    """Return a deal in which player 0 holds a hand and `played_cards` are gone."""
    numbers = build_rule_arrays(rules, tuple(range(rules.seats)))
    packed, copies = empty_deal(numbers), rules.deck.copies
    packed.hands[0] = sets_from_hand(pack(hand(held)), copies)
    packed.unplayed[0] = sets_from_hand(rules.deck.packed - pack(hand(played_cards)), copies)
    packed.status[TRUMP] = Card(f"A{trump}").suit
    return packed


def stakes_of(rules: Rules, packed: PackedDeal, stock: int = 0, player: int = 0) -> Stakes:
    """Return the stakes as the kernel computes them."""
    return stakes_of_trick(
        build_rule_arrays(rules, tuple(range(rules.seats))), packed, player, stock
    )


def expected_loss(found: Stakes, card: str) -> int:
    """Return the meld points expected to be lost with a card."""
    kind = int(Card(card))
    return (
        int(found.meld_prospects[kind // RANK_COUNT]) >> MELD_WORTH_BITS * (kind % RANK_COUNT)
        & (1 << MELD_WORTH_BITS) - 1
    )


def test_breaking_a_run_in_hand_costs_points() -> None:
    found = stakes_of(TWO_HANDED, dealt(TWO_HANDED, "AH TH KH QH JH 9S 9C 9D JS JC TS TC"), 24)
    assert expected_loss(found, "AH") >= 120
    assert expected_loss(found, "KH") > expected_loss(found, "AH")  # a marriage too
    assert expected_loss(found, "9S") == 0
    assert found.trick_win_points > 30


def test_prospects_of_a_suit_come_from_its_own_cards() -> None:
    assert SuitMeldProspects._fields == tuple(suit.word for suit in SUITS)
    for suit in SUITS:  # a marriage is all there is to hope for in it
        found = stakes_of(TWO_HANDED, dealt(TWO_HANDED, f"K{suit} Q{suit}", trump=str(suit)), 24)
        assert expected_loss(found, f"K{suit}") > 20
        word = max(found.meld_prospects)
        assert getattr(found.meld_prospects, suit.word) == word
        assert sum(prospects == word for prospects in found.meld_prospects) == 1


def test_a_card_held_twice_costs_the_run_nothing() -> None:
    found = stakes_of(TWO_HANDED, dealt(TWO_HANDED, "AH AH TH KH QH JH 9S 9C JS JC TS TC"), 24)
    assert expected_loss(found, "AH") < 40 < expected_loss(found, "TH")


def test_impossible_melds_have_no_prospects() -> None:
    held = "AH KH QH JH 9S 9C 9D JS JC TS TC 9D"
    possible = stakes_of(TWO_HANDED, dealt(TWO_HANDED, held), 24)
    impossible = stakes_of(TWO_HANDED, dealt(TWO_HANDED, held, played_cards="TH TH"), 24)
    assert expected_loss(possible, "JH") > expected_loss(impossible, "JH")
    assert expected_loss(impossible, "AH") < expected_loss(possible, "AH")


def test_laid_run_has_no_prospects() -> None:
    packed = dealt(TWO_HANDED, "AH TH KH QH JH 9S 9C 9D JS JC TS TC")
    numbers = build_rule_arrays(TWO_HANDED, (0, 1))
    assert numbers.params[STOCK_SIZE] == 24
    before = stakes_of(TWO_HANDED, packed, 20)
    lay_meld(numbers, packed, 0, RUN)
    after = stakes_of(TWO_HANDED, packed, 20)
    assert expected_loss(after, "TH") < 20 < expected_loss(before, "TH")
    assert after.trick_win_points < before.trick_win_points


def test_no_prospects_when_the_stock_is_empty() -> None:
    packed = dealt(TWO_HANDED, "AH TH KH QH JH 9S 9C 9D JS JC TS TC")
    assert stakes_of(TWO_HANDED, packed, 2).trick_win_points == 0
    assert stakes_of(TWO_HANDED, packed, 0).meld_prospects == (0, 0, 0, 0)


@pytest.mark.parametrize("name", ["partnership", "three-handed", "five-card"])
def test_meld_is_at_stake_until_it_is_saved(name: str) -> None:
    rules = variants.get(name)
    packed = dealt(rules, "AH TH KH QH")
    assert stakes_of(rules, packed).meld_saving_points == 0
    packed.meld_points[0] = 100
    assert stakes_of(rules, packed).meld_saving_points == 20
    packed.points_won[:] = packed.won_counter[:] = 1
    assert stakes_of(rules, packed).meld_saving_points == 0


def test_meld_of_the_partner_is_at_stake_too() -> None:
    rules = variants.get("partnership")
    packed = dealt(rules, "AH TH KH QH")
    packed.meld_points[2] = 100
    assert stakes_of(rules, packed).meld_saving_points == 20
    packed.meld_points[:] = 0, 100, 0, 0
    assert stakes_of(rules, packed).meld_saving_points == 0


def test_points_count_more_while_a_side_is_short_of_twenty() -> None:
    rules = variants.get("double-deck")
    packed = dealt(rules, "AH TH KH QH")
    packed.meld_points[:] = 30, 0, 0, 0
    assert stakes_of(rules, packed).points_factor == FIXED_ONE + FIXED_ONE // 2
    packed.meld_points[:] = 10, 0, 0, 0  # too little to be kept in any case
    assert stakes_of(rules, packed).points_factor == FIXED_ONE
    packed.meld_points[:], packed.points_won[:] = 30, 20
    assert stakes_of(rules, packed).points_factor == FIXED_ONE


def test_role_follows_from_the_declarer() -> None:
    rules = variants.get("partnership")
    packed = dealt(rules, "AH TH KH QH")
    roles = [stakes_of(rules, packed, player=player).role for player in range(4)]
    assert roles == [DEFENDER_ROLE] * 4
    packed.status[DECLARER_NUMBER] = 2
    roles = [stakes_of(rules, packed, player=player).role for player in range(4)]
    assert roles == [DEFENDER_ROLE, DECLARER_ROLE, DEFENDER_ROLE, HELPER_ROLE]

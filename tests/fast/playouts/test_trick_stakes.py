"""What hangs on a trick: melds to be saved, and melds still to be laid, hand by hand."""

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
from acesaround.fast.playouts.rule_arrays import FIXED_ONE, STOCK_SIZE, rule_arrays
from acesaround.fast.playouts.trick_stakes import MeldProspects, Stakes, stakes_of_trick
from acesaround.heuristic_weights import DECLARER_ROLE, DEFENDER_ROLE, HELPER_ROLE
from acesaround.rules import Rules
from acesaround.rules.laydown import RUN
from acesaround.rules.support import MELD_WORTH_BITS
from tests.fast.playouts.test_policy import hand

TWO = variants.get("two-handed")


def dealt(rules: Rules, held: str, *, trump: str = "H", gone: str = "") -> PackedDeal:
    """Player 0 holds a hand; those other cards have been played."""
    numbers = rule_arrays(rules, tuple(range(rules.seats)))
    packed, copies = empty_deal(numbers), rules.deck.copies
    packed.hands[0] = sets_from_hand(pack(hand(held)), copies)
    packed.unplayed[0] = sets_from_hand(rules.deck.packed - pack(hand(gone)), copies)
    packed.status[TRUMP] = Card(f"A{trump}").suit
    return packed


def at_stake(rules: Rules, packed: PackedDeal, stock: int = 0, player: int = 0) -> Stakes:
    """As the kernel sees it."""
    return stakes_of_trick(rule_arrays(rules, tuple(range(rules.seats))), packed, player, stock)


def lost(found: Stakes, card: str) -> int:
    """What would be lost with a card."""
    kind = int(Card(card))
    return (
        int(found.meld_prospects[kind // RANK_COUNT]) >> MELD_WORTH_BITS * (kind % RANK_COUNT)
        & (1 << MELD_WORTH_BITS) - 1
    )


def test_a_run_in_hand_is_kept_together() -> None:
    found = at_stake(TWO, dealt(TWO, "AH TH KH QH JH 9S 9C 9D JS JC TS TC"), 24)
    assert lost(found, "AH") >= 120
    assert lost(found, "KH") > lost(found, "AH")  # a marriage too
    assert lost(found, "9S") == 0
    assert found.trick_win_points > 30


def test_each_suit_has_the_hopes_of_its_own_cards() -> None:
    assert MeldProspects._fields == tuple(suit.word for suit in SUITS)
    for suit in SUITS:  # a marriage is all there is to hope for in it
        found = at_stake(TWO, dealt(TWO, f"K{suit} Q{suit}", trump=str(suit)), 24)
        assert lost(found, f"K{suit}") > 20
        word = max(found.meld_prospects)
        assert getattr(found.meld_prospects, suit.word) == word
        assert sum(hope == word for hope in found.meld_prospects) == 1


def test_a_card_held_twice_costs_the_run_nothing() -> None:
    found = at_stake(TWO, dealt(TWO, "AH AH TH KH QH JH 9S 9C JS JC TS TC"), 24)
    assert lost(found, "AH") < 40 < lost(found, "TH")


def test_what_cannot_come_any_more_is_not_hoped_for() -> None:
    held = "AH KH QH JH 9S 9C 9D JS JC TS TC 9D"
    hoped = at_stake(TWO, dealt(TWO, held), 24)
    gone = at_stake(TWO, dealt(TWO, held, gone="TH TH"), 24)
    assert lost(hoped, "JH") > lost(gone, "JH")
    assert lost(gone, "AH") < lost(hoped, "AH")


def test_a_run_that_was_laid_is_not_hoped_for_again() -> None:
    packed = dealt(TWO, "AH TH KH QH JH 9S 9C 9D JS JC TS TC")
    numbers = rule_arrays(TWO, (0, 1))
    assert numbers.params[STOCK_SIZE] == 24
    before = at_stake(TWO, packed, 20)
    lay_meld(numbers, packed, 0, RUN)
    after = at_stake(TWO, packed, 20)
    assert lost(after, "TH") < 20 < lost(before, "TH")
    assert after.trick_win_points < before.trick_win_points


def test_nothing_is_laid_after_the_stock_is_empty() -> None:
    packed = dealt(TWO, "AH TH KH QH JH 9S 9C 9D JS JC TS TC")
    assert at_stake(TWO, packed, 2).trick_win_points == 0
    assert at_stake(TWO, packed, 0).meld_prospects == (0, 0, 0, 0)


@pytest.mark.parametrize("name", ["partnership", "three-handed", "five-card"])
def test_meld_is_at_stake_until_it_is_saved(name: str) -> None:
    rules = variants.get(name)
    packed = dealt(rules, "AH TH KH QH")
    assert at_stake(rules, packed).meld_saving_points == 0
    packed.meld_points[0] = 100
    assert at_stake(rules, packed).meld_saving_points == 20
    packed.points_won[:] = packed.won_counter[:] = 1
    assert at_stake(rules, packed).meld_saving_points == 0


def test_partners_have_their_meld_at_stake_together() -> None:
    rules = variants.get("partnership")
    packed = dealt(rules, "AH TH KH QH")
    packed.meld_points[2] = 100
    assert at_stake(rules, packed).meld_saving_points == 20
    packed.meld_points[:] = 0, 100, 0, 0
    assert at_stake(rules, packed).meld_saving_points == 0


def test_points_count_more_while_a_side_is_short_of_twenty() -> None:
    rules = variants.get("double-deck")
    packed = dealt(rules, "AH TH KH QH")
    packed.meld_points[:] = 30, 0, 0, 0
    assert at_stake(rules, packed).points_factor == FIXED_ONE + FIXED_ONE // 2
    packed.meld_points[:] = 10, 0, 0, 0  # too little to be kept in any case
    assert at_stake(rules, packed).points_factor == FIXED_ONE
    packed.meld_points[:], packed.points_won[:] = 30, 20
    assert at_stake(rules, packed).points_factor == FIXED_ONE


def test_a_player_knows_who_declares() -> None:
    rules = variants.get("partnership")
    packed = dealt(rules, "AH TH KH QH")
    parts = [at_stake(rules, packed, player=player).role for player in range(4)]
    assert parts == [DEFENDER_ROLE] * 4
    packed.status[DECLARER_NUMBER] = 2
    parts = [at_stake(rules, packed, player=player).role for player in range(4)]
    assert parts == [DEFENDER_ROLE, DECLARER_ROLE, DEFENDER_ROLE, HELPER_ROLE]

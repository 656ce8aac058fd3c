"""The auction: order of turns, legal bids, and what follows when all pass."""

from __future__ import annotations

from itertools import islice

import pytest
from msgspec.structs import replace

from acesaround import variants
from acesaround.actions import PASS, Bid, LazyActions, Play, SizedActions
from acesaround.cards import Card
from acesaround.errors import Reason
from acesaround.game import decision
from acesaround.game.events import Declared, ThrownIn
from acesaround.game.state import DecisionKind
from acesaround.legal_bids import Bids
from acesaround.rules import Rules, is_legal_height
from acesaround.rules.scoring import Outcome
from tests.scripted_games import Table, deal

THREE, FIVE, PARTNERS = variants.THREE_HANDED, variants.FIVE_CARD, variants.PARTNERSHIP
DOUBLE, CLASSIC = variants.DOUBLE_DECK, variants.DOUBLE_DECK_CLASSIC
MARRIAGES = {0: "KS QS", 1: "KH QH", 2: "KD QD", 3: "KC QC"}


def auction(rules: Rules, *moves: str, dealer: int = 0) -> Table:
    """Return a table after the calls; in a double deck each seat holds a marriage."""
    hands = MARRIAGES if rules.deck.copies == 4 else {}
    return Table(rules, deal(rules, hands), dealer).do(*moves)


def bids(table: Table) -> Bids:
    """Return the legal bids."""
    legal = decision(table.state).legal
    assert isinstance(legal, Bids)
    return legal


BIDDING = [name for name, rules in variants.VARIANTS.items() if rules.auction]


@pytest.mark.parametrize("variant", BIDDING)
def test_the_seat_left_of_the_dealer_opens_the_bidding(variant: str) -> None:
    rules = variants.get(variant)
    for dealer in range(rules.seats):
        table = auction(rules, dealer=dealer)
        assert (table.turn, table.kind) == ((dealer + 1) % rules.seats, DecisionKind.BID)


LOWEST = {
    **dict.fromkeys(("three-handed", "partnership"), 250),
    **dict.fromkeys(("five-card", "seven-card"), 1),
    **dict.fromkeys(("double-deck", "double-deck-classic"), 50),
}
"""The lowest bids in the published rules."""


@pytest.mark.parametrize("variant", BIDDING)
def test_the_opening_bid_is_at_least_the_lowest_bid(variant: str) -> None:
    rules = variants.get(variant)
    assert rules.auction is not None
    lowest = rules.auction.lowest_bid
    assert lowest == LOWEST.get(variant, lowest)
    table = auction(rules)
    assert bids(table).lowest_bid == lowest
    assert Bid(lowest) in bids(table)
    low = max(bid for bid in range(lowest) if bid == 0 or is_legal_height(rules.auction, bid))
    assert table.refusal(f"bid {low}") is Reason.BID_TOO_LOW
    assert Bid(lowest) in bids(auction(rules, "pass"))


LEGAL_AND_ILLEGAL: list[tuple[Rules, int | None, list[int], list[int]]] = [
    (THREE, None, [250, 260, 300, 1000], [240, 251, 255]),
    (THREE, 250, [260, 270, 400], [250, 240, 255, 265]),
    (FIVE, None, [1, 2, 7, 1_000_000], [0, -1]),
    (FIVE, 3, [4, 5, 50], [3, 2]),
    (PARTNERS, None, [250, 260], [240, 270, 255]),
    (PARTNERS, 250, [260, 270], [250, 280, 265]),
    (PARTNERS, 260, [270, 280], [260, 290, 250]),
    (DOUBLE, None, [50, 51, 59, 60, 65, 95, 100, 110], [49, 61, 64, 66, 101, 105]),
    (DOUBLE, 50, [51, 52, 60, 65], [50, 49, 61]),
    (DOUBLE, 59, [60, 65], [59, 61]),
    (DOUBLE, 60, [65, 70, 100, 110], [60, 61, 64, 105]),
    (DOUBLE, 95, [100, 110], [95, 96, 105]),
    (DOUBLE, 100, [110, 120], [100, 105, 115]),
    (CLASSIC, None, [50, 60, 65, 100, 105], [49, 61, 101]),
    (CLASSIC, 60, [65, 70], [60, 61, 63]),
    (CLASSIC, 100, [105, 110], [100, 101]),
]


@pytest.mark.parametrize(("rules", "standing", "legal", "illegal"), LEGAL_AND_ILLEGAL)
def test_bids_over_the_standing_bid_follow_the_steps_of_the_auction(
    rules: Rules, standing: int | None, legal: list[int], illegal: list[int]
) -> None:
    table = auction(rules) if standing is None else auction(rules, f"bid {standing}")
    for bid in legal:
        assert Bid(bid) in bids(table)
    for bid in illegal:
        assert Bid(bid) not in bids(table)
        low = bid < legal[0]  # the lists begin with the lowest legal bid
        expected = Reason.BID_TOO_LOW if low else Reason.BID_NOT_ALLOWED
        assert table.refusal(f"bid {bid}") is expected
    table.do(f"bid {legal[-1]}")


def test_partners_raise_by_ten_or_twenty_each_time() -> None:
    table = auction(PARTNERS, "bid 260", "bid 280", "bid 290", "pass", "bid 310")
    assert set(table.legal()) == {"pass", "bid 320", "bid 330"}


def test_three_handed_the_auction_ends_when_two_have_passed() -> None:
    table = auction(THREE, "1: bid 250", "2: bid 260", "0: pass", "1: bid 270", "2: pass")
    assert table.all(Declared) == [Declared(1, 270, forced=False)]
    assert table.kind is DecisionKind.BURY


def test_three_handed_a_pass_is_final() -> None:
    table = auction(THREE, "1: pass", "2: bid 250", "0: bid 260")
    assert table.turn == 2
    assert table.refusal("1: bid 300") is Reason.NOT_YOUR_TURN
    table.do("2: bid 270", "0: pass")
    assert table.all(Declared) == [Declared(2, 270, forced=False)]


def test_the_last_seat_that_has_not_passed_may_bid_or_pass() -> None:
    table = auction(THREE, "1: pass", "2: pass")
    assert (table.turn, PASS in bids(table), Bid(250) in bids(table)) == (0, True, True)
    table.do("0: bid 250")
    assert table.all(Declared) == [Declared(0, 250, forced=False)]


@pytest.mark.parametrize("rules", [PARTNERS, DOUBLE, CLASSIC])
def test_with_four_the_auction_ends_when_three_have_passed(rules: Rules) -> None:
    lowest = 250 if rules is PARTNERS else 50
    table = auction(rules, f"1: bid {lowest}", "2: pass", f"3: bid {lowest + 10}", "0: pass")
    assert table.turn == 1
    table.do("1: pass")
    assert table.all(Declared) == [Declared(3, lowest + 10, forced=False)]
    assert table.kind is DecisionKind.TRUMP


def test_five_card_each_seat_calls_once() -> None:
    rules = FIVE.with_options(players=4)
    table = auction(rules, "1: bid 2", "2: bid 9", "3: pass", "0: pass")
    assert table.all(Declared) == [Declared(2, 9, forced=False)]
    table = auction(rules, "1: bid 2", "2: bid 9", "3: pass", "0: bid 10")
    assert table.all(Declared) == [Declared(0, 10, forced=False)]


def test_three_handed_when_all_pass_the_cards_are_thrown_in_and_the_next_seat_deals() -> None:
    table = auction(THREE, "pass", "pass", "pass", dealer=2)
    assert len(table.all(ThrownIn)) == 1
    assert table.score.outcome is Outcome.THROWN_IN
    assert (table.score.bid, table.score.declarer, table.score.trump) == (None, None, None)
    assert table.score.change == (0, 0, 0)
    assert (table.kind, table.state.dealer, table.state.deals) == (DecisionKind.DEAL, 0, 1)


@pytest.mark.parametrize(
    ("rules", "points"),
    [
        (FIVE.with_options(players=4), 1),
        (variants.SEVEN_CARD.with_options(players=4), 1),
        (PARTNERS, 250),
        (DOUBLE, 50),
    ],
)
def test_when_all_pass_the_dealer_declares_at_the_lowest_bid(rules: Rules, points: int) -> None:
    table = auction(rules, "pass", "pass", "pass", dealer=3)
    assert PASS in bids(table)
    table.do("3: pass")
    assert table.all(Declared) == [Declared(3, points, forced=True)]
    assert (table.turn, table.kind) == (3, DecisionKind.TRUMP)


@pytest.mark.parametrize("stuck", [200, 35, 300, 1])
def test_stuck_bid_sets_the_bid_of_a_forced_dealer(stuck: int) -> None:
    """docs/rules-object.md, `stuck_bid`: any height, below the lowest bid too."""
    assert PARTNERS.auction is not None
    rules = replace(PARTNERS, auction=replace(PARTNERS.auction, stuck_bid=stuck))
    table = auction(rules, "pass", "pass", "pass", dealer=3)
    assert table.refusal("bid 240") is Reason.BID_TOO_LOW
    table.do("3: pass")
    assert table.all(Declared) == [Declared(3, stuck, forced=True)]
    assert auction(rules, *["pass"] * 3, "0: bid 250").all(Declared) == [Declared(0, 250, False)]
    for all_pass in ("redeal", "dealer-bids"):
        table = auction(rules.with_options(all_pass=all_pass), "pass", "pass", "pass")
        table.do("0: pass" if all_pass == "redeal" else "0: bid 250")
        assert not [event for event in table.all(Declared) if event.forced]


def test_classic_the_dealer_must_bid_when_the_others_passed() -> None:
    table = auction(CLASSIC, "1: pass", "2: pass", "3: pass")
    assert PASS not in bids(table)
    assert table.refusal("pass") is Reason.MUST_BID
    assert table.refusal("bid 49") is Reason.BID_TOO_LOW
    table.do("0: bid 55")
    assert table.all(Declared) == [Declared(0, 55, forced=False)]


def test_classic_the_dealer_may_pass_after_a_bid() -> None:
    assert PASS in bids(auction(CLASSIC, "1: bid 50", "2: pass", "3: pass"))


@pytest.mark.parametrize("variant", BIDDING)
@pytest.mark.parametrize("all_pass", ["redeal", "dealer", "dealer-bids"])
def test_every_auction_supports_each_all_pass_option(variant: str, all_pass: str) -> None:
    rules = variants.get(variant).with_options(all_pass=all_pass, lowest_bid=60)
    rules = rules.with_options(players=4) if 4 in rules.players else rules
    table = auction(rules, *["pass"] * (rules.seats - 1))
    if all_pass == "dealer-bids":
        assert table.refusal("pass") is Reason.MUST_BID
        assert table.do("0: bid 60").all(Declared) == [Declared(0, 60, forced=False)]
    elif all_pass == "dealer":
        assert table.do("0: pass").all(Declared) == [Declared(0, 60, forced=True)]
    else:
        assert table.do("0: pass").score.outcome is Outcome.THROWN_IN
        assert table.all(Declared) == []


@pytest.mark.parametrize("variant", BIDDING)
def test_with_first_bids_the_first_seat_must_bid(variant: str) -> None:
    rules = variants.get(variant).with_options(all_pass="first-bids", lowest_bid=60)
    table = auction(rules)
    assert table.refusal("pass") is Reason.MUST_BID
    table.do("bid 60")
    assert table.refusal("bid 60") is Reason.BID_TOO_LOW
    table.do(*["pass"] * (rules.seats - 1))
    assert [(event.points, event.forced) for event in table.all(Declared)] == [(60, False)]


def test_lowest_bid_can_be_changed() -> None:
    opening = bids(auction(PARTNERS.with_options(lowest_bid=300)))
    assert [bid for bid in range(200, 400) if Bid(bid) in opening] == [300, 310]
    opening = bids(auction(THREE.with_options(lowest_bid=300)))
    assert (Bid(290) in opening, Bid(300) in opening, Bid(310) in opening) == (False, True, True)
    opening = bids(auction(DOUBLE.with_options(lowest_bid=60)))
    assert (Bid(59) in opening, Bid(60) in opening, Bid(65) in opening) == (False, True, True)


def test_other_actions_are_refused_in_an_auction() -> None:
    table = auction(THREE)
    for move in ("play AS", "trump H", "concede", "bury 9S 9H 9D", "discard", "meld 9H"):
        assert table.refusal(move) is Reason.WRONG_KIND
    assert table.refusal(deal(THREE, {})) is Reason.WRONG_KIND
    assert table.refusal("2: bid 250") is Reason.NOT_YOUR_TURN
    assert table.refusal("0: pass") is Reason.NOT_YOUR_TURN


def test_unbounded_bids_are_listed_lazily_with_pass_first() -> None:
    legal = bids(auction(DOUBLE, "bid 58"))
    assert legal.is_unbounded
    assert isinstance(legal, LazyActions)
    first = [PASS, *[Bid(n) for n in (59, 60, 65, 70, 75, 80, 85, 90, 95, 100, 110, 120)]]
    assert list(islice(legal, len(first))) == first
    assert list(islice(legal.bids(), 3)) == [59, 60, 65]
    assert all(action in legal for action in first)


def test_bids_with_fixed_raises_are_a_sequence() -> None:
    legal = bids(auction(PARTNERS, "bid 250"))
    assert not legal.is_unbounded
    assert isinstance(legal, SizedActions)
    moves = list(legal)
    assert {str(move) for move in moves} == {"pass", "bid 260", "bid 270"}
    assert len(legal) == 3
    assert [legal[i] for i in range(3)] == moves
    assert [legal[i] for i in (-3, -2, -1)] == moves
    assert list(legal[0:3]) == moves
    assert all(move in legal for move in moves)
    for index in (3, -4):
        with pytest.raises(IndexError):
            legal[index]


def test_where_the_dealer_must_bid_pass_is_not_listed() -> None:
    legal = bids(auction(PARTNERS.with_options(all_pass="dealer-bids"), "pass", "pass", "pass"))
    assert {str(move) for move in legal} == {"bid 250", "bid 260"}
    assert isinstance(legal, SizedActions)
    assert len(legal) == 2
    assert not legal.may_pass


def test_bids_contain_no_other_action() -> None:
    assert Play(Card("AS")) not in bids(auction(THREE))

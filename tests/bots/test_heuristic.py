"""The `thumb` bot: one small position for each rule of thumb."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from acesaround import game, variants
from acesaround.actions import PASS, Action, Bid, Bury, Concede, Discard, Give
from acesaround.bots.advice import relative_seat_names
from acesaround.bots.explanations import reason_sentence
from acesaround.bots.heuristic import HeuristicBot
from acesaround.bots.heuristic.bidding_conventions import BidMeaning, meaning_of_first_bid
from acesaround.bots.heuristic.card_tracking import CardTracker
from acesaround.cards import Card, parse_cards
from acesaround.game.state import Call
from acesaround.game.view import view_for
from acesaround.heuristic_weights import average_trick_points
from acesaround.rules import Rules
from acesaround.variants import (
    DOUBLE_DECK,
    FIVE_CARD,
    PARTNERSHIP,
    SEVEN_CARD,
    THREE_HANDED,
    TWO_HANDED,
)
from tests.game.phases.two_handed import table_after_first_trick
from tests.scripted_games import Table, contract, deal

NO_EXCHANGE = PARTNERSHIP.with_options(exchange=0)
JUNK = "9S 9S JS JS 9H 9H JH JH 9C 9C QC QC"  # useless in a single deck
ACES = "AS KS QS TS JS AH TH TH JH JH AD TD TD KD KD AC TC TC TC QC"  # 12 meld with aces around
PLAIN = "TS TS KS QS JS TH TH KH QH QH TD TD KD QD QD AC AC TC TC TC"  # eight meld, three aces


def thumb_choice(table: Table) -> tuple[Action, str]:
    """Return what thumb does at this table, and its reason with relative names of seats."""
    decision = game.decision(table.state)
    seen = view_for(table.state, decision.seat)
    action, why = HeuristicBot().explain(seen, decision)
    assert action in decision.legal
    return action, reason_sentence(why, relative_seat_names(seen))


def thumb_action(table: Table) -> str:
    return str(thumb_choice(table)[0])


def bidding(rules: Rules, hands: dict[int, str], *calls: str, first: int = 1) -> Table:
    """Return an auction in progress, opened by seat `first`."""
    return Table(rules, deal(rules, hands), (first - 1) % rules.seats).do(*calls)


# --- bidding ---------------------------------------------------------------------------------


def test_a_hand_full_of_meld_bids_and_a_poor_one_passes() -> None:
    rich = "AH TH KH QH JH AS AD AC KS QS JD 9H"
    assert isinstance(thumb_choice(bidding(PARTNERSHIP, {1: rich}))[0], Bid)
    assert thumb_choice(bidding(PARTNERSHIP, {1: JUNK}))[0] == PASS


def highest_topped_bid(
    rules: Rules, hand: str, bids: Iterable[int], seat: int, *totals: int
) -> int:
    """Return the highest bid of seat 1 that a hand in a later seat still tops."""
    made = 0
    for bid in bids:
        table = Table(rules, deal(rules, {seat: hand}))
        table.totals(*(totals or table.state.scores)).do(f"1: bid {bid}", *["pass"] * (seat - 2))
        if thumb_choice(table)[0] != PASS:
            made = bid
    return made


def test_bids_stop_near_the_value_of_the_hand() -> None:
    run = "AS AS TS TS KS QS QS JS AH KH QH TH AD KD TD QD AC TC KC JC"  # 41 meld
    assert 65 <= highest_topped_bid(DOUBLE_DECK, run, range(60, 100, 5), 2) <= 90


def test_no_bid_without_a_needed_marriage() -> None:
    none = "AS AS TS TS AH AH TH TH AD AD TD TD AC AC TC TC KS KH KD KC"
    answer, why = thumb_choice(bidding(DOUBLE_DECK, {1: none}))
    assert answer == PASS
    assert "marriage" in why


@pytest.mark.parametrize(
    ("hand", "bid"),
    [
        (ACES, 51),
        ("KS QS QS JS JS KH KH QH QH JH KD QD JD JD TD KC QC JC AC AC", 53),
        ("AS KS QS AH KH QH TH AD KD TD TD AC KC TC TC JH TH QC QC TS", 52),
    ],
)
def test_opening_bid_shows_aces_or_meld(hand: str, bid: int) -> None:
    table = bidding(DOUBLE_DECK, {1: hand})
    assert thumb_choice(table)[0] == Bid(bid)


def test_raises_by_one_and_three_show_aces_and_meld() -> None:
    law = DOUBLE_DECK
    assert meaning_of_first_bid(law, [Call(1, 50), Call(2, 51)], 2) is BidMeaning.ACES
    assert meaning_of_first_bid(law, [Call(1, 52), Call(2, 55)], 2) is BidMeaning.THIRTY
    assert meaning_of_first_bid(law, [Call(1, 51), Call(2, 52)], 2) is BidMeaning.ASKS
    assert meaning_of_first_bid(law, [Call(1, 52)], 1) is BidMeaning.TWENTY
    assert meaning_of_first_bid(law, [Call(1, 50), Call(2, 52)], 2) is None
    assert meaning_of_first_bid(law, [Call(1, 59), Call(2, 60)], 2) is None  # no ones from 60 on


def test_only_the_first_bid_has_a_meaning() -> None:
    calls = [Call(1, 50), Call(2, 52), Call(3, None), Call(0, None), Call(1, 53)]
    assert meaning_of_first_bid(DOUBLE_DECK, calls, 1) is None


def test_bids_have_no_meaning_without_raises_of_one() -> None:
    assert meaning_of_first_bid(PARTNERSHIP, [Call(1, 260)], 1) is None
    assert meaning_of_first_bid(FIVE_CARD, [Call(1, 2)], 1) is None


def test_plain_first_bid_shows_nothing_false() -> None:
    strong = "AS AS TS TS TS KS KS QS QS JS JS AH AH TH KH QH AD AD TD TD"  # a run, and no aces
    table = bidding(DOUBLE_DECK, {2: strong}, "1: bid 50")
    answer = thumb_choice(table)[0]
    assert isinstance(answer, Bid)
    assert meaning_of_first_bid(DOUBLE_DECK, [Call(1, 50), Call(2, answer.points)], 2) is None


def test_bid_counts_meld_shown_by_the_partner() -> None:
    silent = bidding(DOUBLE_DECK, {1: PLAIN}, "3: pass", "0: pass", first=3)
    shown = bidding(DOUBLE_DECK, {1: PLAIN}, "3: bid 53", "0: bid 54", first=3)
    assert thumb_choice(silent)[0] == PASS
    assert isinstance(thumb_choice(shown)[0], Bid)


def test_bid_is_higher_when_it_wins_or_saves_the_game() -> None:
    hand = "AS TS KS QS JS KH QH 9H AD JD 9C JC QC KC TC"

    bids = range(250, 500, 10)
    level = highest_topped_bid(THREE_HANDED, hand, bids, 2)
    assert 0 < level < highest_topped_bid(THREE_HANDED, hand, bids, 2, 0, 0, 1400)
    assert level < highest_topped_bid(
        THREE_HANDED, hand, bids, 2, 0, 1400, 0
    )  # seat 1 is about to win


def test_partner_is_overcalled_less_than_an_opponent() -> None:
    fair = "AS AS TS TS KS QS QS JS AH KH QH TH AD KD TD QD AC TC KC JC"
    bids = range(60, 100, 5)
    assert highest_topped_bid(DOUBLE_DECK, fair, bids, 3) < highest_topped_bid(
        DOUBLE_DECK, fair, bids, 2
    )


def test_a_dealer_that_must_bid_bids_the_least() -> None:
    table = bidding(
        PARTNERSHIP.with_options(all_pass="dealer-bids"), {0: JUNK}, "pass", "pass", "pass"
    )
    assert thumb_choice(table)[0] == Bid(250)


def test_trump_is_the_suit_of_the_run() -> None:
    hand = "AD TD KD QD JD AS KS 9S TC KC QC 9C"
    assert thumb_action(contract(NO_EXCHANGE, deal(NO_EXCHANGE, {1: hand}), 1, 250)) == "trump D"


# --- cards that change hands -----------------------------------------------------------------


def test_the_partner_passes_trump_and_aces() -> None:
    hands = {3: "AH TH 9D AC 9S 9S JS JS 9C 9C JC JC"}
    table = contract(PARTNERSHIP, deal(PARTNERSHIP, hands), 1, 250).do("1: trump H")
    assert {"AH", "TH", "AC"} < set(map(str, _cards(thumb_choice(table)[0])))


def test_the_partner_passes_the_jack_for_a_pinochle() -> None:
    hands = {3: "AH KH JD AC 9S 9S TS TS 9C 9C QC QC"}
    table = contract(PARTNERSHIP, deal(PARTNERSHIP, hands), 1, 250).do("1: trump H")
    assert set(map(str, _cards(thumb_choice(table)[0]))) == {"AH", "KH", "JD", "AC"}


def test_the_declarer_returns_junk_and_keeps_meld() -> None:
    hands = {1: "AH TH KH QH JH QS JD AS 9S 9C JC 9D", 3: "AD AC 9H 9H JC QC QC KS KS TS TS 9C"}
    table = contract(PARTNERSHIP, deal(PARTNERSHIP, hands), 1, 250).do("1: trump H")
    table.do("3: give AD AC 9H 9H")
    assert set(map(str, _cards(thumb_choice(table)[0]))) == {"9S", "9C", "JC", "9D"}


def test_bury_does_not_break_meld() -> None:
    hands = {1: "AH TH KH QH JH 9H 9H AS KS QS JD AD KD TC 9C"}
    table = Table(THREE_HANDED, deal(THREE_HANDED, hands, kitty="9S JS KC"))
    table.do("1: bid 300", "pass", "pass")
    answer = thumb_choice(table)[0]
    assert isinstance(answer, Bury)
    held = list(parse_cards(hands[1] + " 9S JS KC"))
    for card in answer.cards:
        held.remove(card)
    assert {"AH", "TH", "KH", "QH", "JH", "KS", "QS", "JD"} <= set(map(str, held))
    assert held.count(parse_cards("9H")[0]) == 2


def test_counters_are_buried_to_make_a_void() -> None:
    hands = {1: "AH AH TH KH QH JH 9H AS AS KS QS AD AD TC KC"}
    table = Table(THREE_HANDED, deal(THREE_HANDED, hands, kitty="9S 9D TD"))
    table.do("1: bid 300", "pass", "pass")
    answer, why = thumb_choice(table)
    assert {"TC", "KC"} <= set(map(str, _cards(answer)))
    assert "clubs" in why


def test_trumps_aces_and_meld_stay_when_drawing() -> None:
    hands = {1: "KH QH AS 9C JC TD JH"}
    table = contract(SEVEN_CARD, deal(SEVEN_CARD, hands), 1, 3).do("1: trump H")
    assert thumb_choice(table)[0] == Discard(parse_cards("9C JC TD"))


def _cards(answer: Action) -> tuple[object, ...]:
    assert isinstance(answer, Give | Bury | Discard)
    return answer.cards


# --- giving up -------------------------------------------------------------------------------


def test_a_lost_hand_is_conceded_and_a_fair_one_played() -> None:
    poor = "9S JS QS JS 9H JH QH 9D JD 9D 9C JC KC TD TH"
    bury = "bury 9D 9D 9C"
    table = contract(THREE_HANDED, deal(THREE_HANDED, {1: poor}, kitty="9C JC QD"), 1, 500)
    table.do(bury, "trump S")
    assert isinstance(thumb_choice(table)[0], Concede)
    rich = "AS AS TS KS QS JS AH AH KH AD AD JD AC 9C QH"
    fair = contract(THREE_HANDED, deal(THREE_HANDED, {1: rich}, kitty="9D JC 9D"), 1, 300)
    fair.do("bury 9D 9D 9C", "trump S")
    assert not isinstance(thumb_choice(fair)[0], Concede)


# --- card play -------------------------------------------------------------------------------


def playing(rules: Rules, hands: dict[int, str], trump: str, *moves: str, declarer: int) -> Table:
    bid = rules.auction.lowest_bid if rules.auction else 0
    return contract(rules, deal(rules, hands), declarer, bid).do(f"trump {trump}", *moves)


def test_ten_is_smeared_on_the_partners_sure_ace() -> None:
    hands = {0: "KH QH", 1: "AH 9H", 2: "AH JH", 3: "TH 9H QC JC"}
    table = playing(NO_EXCHANGE, hands, "S", "0: play KH", "1: play AH", "2: play JH", declarer=0)
    answer, why = thumb_choice(table)
    assert str(answer) == "play TH"
    assert why == "Your partner's ace is sure to win, and this counts for you."


def test_opponents_trick_gets_a_loser() -> None:
    hands = {0: "AH QH", 1: "9H QC", 2: "KH JH", 3: "TH 9H QC JC"}
    table = playing(NO_EXCHANGE, hands, "S", "0: play AH", "1: play 9H", "2: play KH", declarer=0)
    assert thumb_action(table) == "play 9H"


def test_queen_under_an_ace_shows_the_other_ace_and_jack_denies_it() -> None:
    first = {0: "AH KS QS", 1: "AH TH QH JH"}
    second = {0: "AH KS QS", 1: "TH QH JH"}
    with_ace = playing(DOUBLE_DECK, _fill_without_hearts(first), "S", "0: play AH", declarer=0)
    without = playing(DOUBLE_DECK, _fill_without_hearts(second), "S", "0: play AH", declarer=0)
    assert thumb_action(with_ace) == "play QH"
    assert thumb_action(without) == "play JH"


def test_shown_ace_is_remembered() -> None:
    rest = {
        0: "AH KS QS JS JS JS QS QS KS KS KS QD QD JD JD JC JC QC QC QC",
        1: "QH JH AH TS TS AS AS TD TD TD KD KC KC TC TC TC AD AC AC AC",
    }
    table = playing(DOUBLE_DECK, rest, "S", "0: play AH", "1: play QH", declarer=0)
    assert CardTracker(view_for(table.state, 3)).certain[1][Card("AH")] == 1


def test_exchanged_upcard_is_known_until_it_is_played() -> None:
    table = table_after_first_trick().do("meld 9H", "1: play AH")
    assert CardTracker(view_for(table.state, 0)).certain[1] == {Card("KH"): 1}
    table.do(next(thumb_action for thumb_action in table.legal()), "1: play KH")
    assert CardTracker(view_for(table.state, 0)).certain[1] == {}


def test_melds_taken_up_after_the_stock_are_known() -> None:
    table = table_after_first_trick().do("meld KH QH")
    while table.state.deal.upcard is not None:
        plays = [thumb_action for thumb_action in table.legal() if thumb_action.startswith("play")]
        table.do(
            next(
                thumb_action
                for thumb_action in reversed(plays)
                if thumb_action not in ("play KH", "play QH")
            )
        )
    certain = CardTracker(view_for(table.state, 0)).certain[1]
    assert certain[Card("KH")] == certain[Card("QH")] == 1


def test_side_aces_are_cashed_before_trump_when_trump_is_short() -> None:
    hands = {1: "AC TC 9D KS QS JS 9S AH TH 9H JD 9D"}
    table = playing(NO_EXCHANGE, hands, "S", declarer=1)
    assert thumb_action(table) in ("play AC", "play AH")


def test_trump_is_pulled_when_long() -> None:
    hands = {1: "AS AS TS TS KS KS QS JS AH TH 9H 9D"}
    answer, why = thumb_choice(playing(NO_EXCHANGE, hands, "S", declarer=1))
    assert str(answer) == "play AS"
    assert why == "You are long in trumps, so draw out theirs."


def test_trick_is_won_with_the_cheapest_card() -> None:
    hands = {0: "AH TH KH QH QH", 1: "JH 9C", 2: "JH 9H 9H", 3: "AH TH KH 9S"}
    table = playing(NO_EXCHANGE, hands, "S", "0: play QH", "1: play JH", "2: play 9H", declarer=0)
    assert thumb_action(table) == "play KH"


def test_the_only_legal_card_is_explained_as_such() -> None:
    hands = {0: "AH QH", 1: "9H 9S JS QS KS 9C JC QC 9D JD QD KD"}
    table = playing(NO_EXCHANGE, hands, "S", "0: play AH", declarer=0)
    assert thumb_choice(table) == (thumb_choice(table)[0], "It is the only card you may play.")


def _fill_without_hearts(hands: dict[int, str]) -> dict[int, str]:
    """Fill the hand of seat 1 with cards that are not hearts, from a double deck."""
    fill = parse_cards("AS AS TS TS KS QD QD JD KD TD AC AC TC TC KC QC QC JC JC KC AD")
    held = hands[1].split()
    return {**hands, 1: " ".join([*held, *map(str, fill[: 20 - len(held)])])}


# --- two-handed ------------------------------------------------------------------------------


def two_handed(hands: dict[int, str], upcard: str, *moves: str) -> Table:
    """Return a two-handed deal in which seat 1 leads the first trick."""
    return Table(TWO_HANDED, deal(TWO_HANDED, hands, upcard=upcard)).do(*moves)


def test_the_best_meld_is_laid_first() -> None:
    table = two_handed(
        {1: "AS AS AH AD AC KS QS JD 9H 9H JC JC", 0: "9S 9D JS"}, "9C", "play AS", "play 9S"
    )
    assert thumb_action(table) == "meld AS AH AD AC"


def test_the_nine_of_trump_fetches_a_good_upcard() -> None:
    hands = {1: "AS TH KH QH JH 9H 9S JS 9D QD 9C JC", 0: "9S JS"}
    answer, why = thumb_choice(two_handed(hands, "AH", "1: play AS", "0: play 9S"))
    assert str(answer) == "meld 9H"
    assert why == "It brings you the A♥."


def test_meld_cards_are_kept_while_there_is_a_stock() -> None:
    hands = {1: "AS AH AD KS QS QS JD 9C JC TH 9D 9S"}
    assert thumb_action(two_handed(hands, "KH")) in ("play 9C", "play JC", "play 9D", "play 9S")


def test_a_trick_is_won_to_lay_a_run() -> None:
    hands = {0: "AH TH KH QH JH AS 9S 9D QD 9C JC QC", 1: "TS"}
    table = two_handed(hands, "9H", "1: play TS")
    assert thumb_action(table) == "play AS"


def test_average_trick_points_sum_to_all_points() -> None:
    assert average_trick_points(variants.get("partnership"), 4) * 12 == 250
    assert average_trick_points(variants.get("double-deck"), 4) * 20 == 50
    assert average_trick_points(variants.get("two-handed"), 2) * 24 == 250
    assert average_trick_points(variants.get("five-card"), 4) * 5 == 11

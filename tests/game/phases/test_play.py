"""Tricks after the meld: who leads, what is refused and why, giving up, the last trick."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.errors import Reason
from acesaround.game.events import Conceded, Reneged, TrickWon
from acesaround.game.state import DecisionKind, GameState, Playing
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from tests.scripted_games import Table, contract, deal

THREE, PARTNERS = variants.THREE_HANDED, variants.PARTNERSHIP
FIVE = variants.FIVE_CARD.with_options(players=3)


def five(hands: dict[int, str], rules: Rules = FIVE, bid: int = 6) -> Table:
    """Five cards, three players, nobody discards; seat 1 has the bid, hearts are trump."""
    table = contract(rules, deal(rules, hands), 1, bid)
    return table.do("trump H", "discard", "discard", "discard")


MIXED = {0: "KS QS AH 9H AC", 1: "TS 9S QH JD KC", 2: "AS JS TH JH TC"}


def test_the_declarer_leads_and_play_is_clockwise_the_winner_leading_next() -> None:
    at = five(MIXED)
    assert (at.turn, at.kind) == (1, DecisionKind.PLAY)
    at.do("1: play TS", "2: play AS", "0: play KS")
    (trick,) = at.all(TrickWon)
    assert (trick.leader, trick.seat, trick.points) == (1, 2, 3)
    assert at.turn == 2
    at.do("2: play TC", "0: play AC", "1: play KC")
    assert at.turn == 0


def test_at_a_lead_no_card_is_winning_yet() -> None:
    at = five(MIXED)
    first = at.state.phase
    second = at.do("1: play TS", "2: play AS", "0: play KS").state.phase
    for lead in (first, second):
        assert isinstance(lead, Playing)
        assert (lead.cards, lead.best, lead.best_seat) == ((), -1, -1)


def test_what_is_refused_says_which_rule_forbids_it() -> None:
    at = five(MIXED)
    assert at.refusal("play QH") is Reason.TRUMP_NOT_BROKEN
    assert at.refusal("play AS") is Reason.NOT_HELD
    assert at.refusal("2: play AS") is Reason.NOT_YOUR_TURN
    assert at.refusal("concede") is Reason.CANNOT_CONCEDE
    for move in ("pass", "trump S", "discard", "meld QH", "bury TS 9S QH", "give TS"):
        assert at.refusal(move) is Reason.WRONG_KIND
    at.do("play TS")
    assert at.refusal("play TH") is Reason.MUST_FOLLOW
    assert at.refusal("play JS") is Reason.MUST_BEAT
    at.do("play AS")
    assert at.refusal("play AH") is Reason.MUST_FOLLOW
    at.do("play QS")  # it cannot beat the ace, so any spade will do


def test_a_void_player_must_trump_and_overtrump() -> None:
    hands = {0: "AC TC AH 9H TH", 1: "KS 9S QH JD KC", 2: "AD TD TH JH KH"}
    at = five(hands).do("1: play KS")
    assert at.refusal("play AD") is Reason.MUST_TRUMP
    assert set(at.legal()) == {"play TH", "play JH", "play KH"}
    at.do("2: play KH")
    assert at.refusal("play AC") is Reason.MUST_TRUMP
    assert at.refusal("play 9H") is Reason.MUST_BEAT
    assert set(at.legal()) == {"play AH", "play TH"}


def test_trump_is_broken_once_it_is_played_to_a_trick() -> None:
    hands = {0: "AC TC AH 9H TH", 1: "KS 9S QH JD KC", 2: "AD TD TH JH KH"}
    at = five(hands).do("1: play KS", "2: play JH", "0: play TH")
    assert at.turn == 0
    assert set(at.legal()) == {"play AC", "play TC", "play AH", "play 9H"}


def test_trump_stays_unbroken_while_it_is_not_played() -> None:
    at = five(MIXED).do("1: play TS", "2: play AS", "0: play QS")
    assert set(at.legal()) == {"play JS", "play TC"}
    assert at.refusal("play TH") is Reason.TRUMP_NOT_BROKEN


def test_leading_trump_because_nothing_else_is_held_breaks_it() -> None:
    hands = {0: "AH KH KC KD QD", 1: "TH TH QH QH JH", 2: "AS AC AD TS TC"}
    at = five(hands)
    assert set(at.legal()) == {"play TH", "play QH", "play JH"}
    at.do("1: play JH", "2: play AS", "0: play AH")
    assert set(at.legal()) == {"play KH", "play KC", "play KD", "play QD"}


@pytest.mark.parametrize("rules", [THREE, PARTNERS, variants.DOUBLE_DECK])
def test_elsewhere_the_declarer_may_lead_any_card(rules: Rules) -> None:
    rules = rules.with_options(concede="never")
    at = contract(rules, deal(rules, {1: "KH QH AS TD KC"}), 1, 250)
    while at.kind is not DecisionKind.PLAY:
        at.do("trump H" if at.kind is DecisionKind.TRUMP else at.legal()[0])
    held = {f"play {card}" for card in at.state.hand(1)}
    assert at.turn == 1
    assert set(at.legal()) == held


def test_of_two_identical_cards_the_first_played_wins() -> None:
    hands = {0: "AS TH 9C 9D JD", 1: "KS 9S QH JD KC", 2: "AS TS AD JH KH"}
    at = five(hands).do("1: play KS", "2: play AS", "0: play AS")
    assert at.turn == 2


def test_the_last_trick_brings_its_bonus_and_all_five_tricks_are_scored() -> None:
    """Seat 1 leads 5 trumps from the top: 5 tricks, every counter among them, and 1 for last."""
    hands = {0: "AS TS 9C 9D JD", 1: "AH AH TH TH KH", 2: "KS KC QS QC JC"}
    at = five(hands).play_out()
    assert [(trick.seat, trick.leader) for trick in at.all(TrickWon)] == [(1, 1)] * 5
    assert sum(trick.points for trick in at.all(TrickWon)) == 5 + 2 + 2
    assert at.score.play == (0, 10, 0)
    assert at.score.meld == (0, 0, 4)  # two marriages, and no point in play to keep them
    assert at.score.change == (0, 10, 0)
    assert at.score.outcome is Outcome.MADE


# Hearts are trump. The declarer melds a double run and two dixes (1520) and wins every trick but
# perhaps the last; seat 2 melds three marriages and a pinochle (100), seat 0 two and one (80).
BOSS = "AH AH TH TH KH KH QH QH JH JH 9H 9H AS AS 9C"
LEFT = "TS KS QS JS 9S AD TD KD QD JD 9D AC KC QC JC"
RIGHT = "TS KS QS JS 9S AD QD JD 9D AC TC KC QC JC 9C"


def three(rules: Rules = THREE, bid: int = 250) -> Table:
    """Seat 1 buries the three counters of the kitty and is to lead."""
    hands = {0: RIGHT, 1: BOSS, 2: LEFT}
    at = contract(rules, deal(rules, hands, kitty="TD TC KD"), 1, bid)
    return at.do("bury TD TC KD", "trump H")


def test_three_handed_giving_up_is_always_offered_before_the_first_lead_and_only_then() -> None:
    at = three()
    assert set(at.legal()) == {"concede", *[f"play {card}" for card in at.state.hand(1)]}
    at.do("1: play AH")
    assert "concede" not in at.legal()
    at.do("2: play 9S", "0: play 9S")
    assert at.turn == 1
    assert "concede" not in at.legal()
    assert at.refusal("concede") is Reason.CANNOT_CONCEDE


def test_after_giving_up_the_others_score_meld_and_play_is_nothing() -> None:
    at = three(bid=300).do("1: concede")
    assert [event.seat for event in at.all(Conceded)] == [1]
    assert at.score.outcome is Outcome.CONCEDED
    assert at.score.meld == (80, 1520, 100)
    assert at.score.play == (0, 0, 0)
    assert at.score.change == (80, -300, 100)


@pytest.mark.parametrize("rules", [PARTNERS, variants.DOUBLE_DECK, variants.SEVEN_CARD])
def test_a_house_may_offer_giving_up_always(rules: Rules) -> None:
    rules = rules.with_options(concede="always")
    at = contract(rules, deal(rules, {1: "KH QH"}), 1, 250)
    while at.kind is not DecisionKind.PLAY:
        at.do("trump H" if at.kind is DecisionKind.TRUMP else at.legal()[0])
    assert "concede" in at.legal()
    assert at.do("1: concede").score.change[1] == -250


def last(state: GameState, legal: list[str]) -> str:
    """Trumps, then spades, then the nine of clubs; the others keep a jack of clubs for it."""
    order = ["play AH", "play TH", "play KH", "play QH", "play JH", "play 9H", "play AS"]
    for move in order:
        if move in legal:
            return move
    return next((move for move in legal if move != "play JC"), legal[0])


def test_three_handed_the_last_trick_alone_keeps_no_meld() -> None:
    """The nine of clubs loses the last trick to the jack: 10 points, and no counter in it."""
    at = three().play_out(last)
    assert [str(card) for card in at.all(TrickWon)[-1].cards] == ["9C", "JC", "JC"]
    assert at.score.meld == (80, 1520, 100)
    assert at.score.play == (0, 240, 10)
    assert at.score.change == (0, 1760, 10)


def high(state: GameState, legal: list[str]) -> str:
    """The highest card, for all."""
    return min((m for m in legal if m != "concede"), key=lambda m: "ATKQJ9".index(m[5]))


def test_three_handed_buried_counters_score_and_do_not_keep_the_bidders_meld() -> None:
    """A pinochle of 40 and 30 buried would make 70; without a counter won there are only 30."""
    rules = THREE.with_options(lowest_bid=10)
    mine = "QS QS JS JS 9S 9S QH QH JH JH 9H 9H QD QD JD"
    dealt = deal(rules, {1: mine, 2: "AS TS KS AH TH AD"}, kitty="KS KH KD")
    for bid, change in ((70, -70), (30, 30)):
        at = contract(rules, dealt, 1, bid).do("bury KS KH KD", "trump C").play_out(high)
        assert [t.points for t in at.all(TrickWon) if t.seat == 1] == []
        assert (at.score.meld[1], at.score.play[1]) == (40, 30)
        assert at.score.change[1] == change


STRONG, WEAK = "AS AS TS TS AH AH TH TH JS JS JH JH", "AD AD TD TD TC TC JC JC 9S 9S 9D 9D"


@pytest.mark.parametrize(
    ("bid", "declarer", "meld", "offered"),
    [
        (250, STRONG, 0, False),
        (260, STRONG, 0, True),
        (260, STRONG.replace("JH JH", "JH 9H"), 10, False),
        (260, STRONG.replace("JH JH", "KS QS"), 20, False),
    ],
)
def test_partnership_giving_up_is_offered_only_when_the_bid_cannot_be_made(
    bid: int, declarer: str, meld: int, offered: bool
) -> None:
    """Bid > own side's meld + 250; at exactly the limit the hand must be played."""
    rules = PARTNERS.with_options(exchange=0)
    at = contract(rules, deal(rules, {1: declarer, 3: WEAK}), 1, bid).do("trump H")
    assert sum(laid.points for laid in at.state.deal.laid if laid.seat in (1, 3)) == meld
    assert ("concede" in at.legal()) is offered
    if offered:
        assert at.do("concede").score.change[1] == -bid
    else:
        assert at.refusal("concede") is Reason.CANNOT_CONCEDE


PENALTY = FIVE.with_options(renege="penalty")
DIXES = {0: "KS QS AH 9H AC", 1: "TS 9S QH JD 9H", 2: "AS JS TH KC QC"}


def test_under_the_penalty_what_is_legal_is_the_same() -> None:
    assert five(MIXED, PENALTY).legal() == five(MIXED).legal()
    assert "play QH" not in five(MIXED, PENALTY).legal()


def test_under_the_penalty_an_illegal_play_of_a_held_card_ends_the_deal() -> None:
    """Seat 2 holds the ace of spades and plays the jack; nines are lost to the offender only."""
    at = five(DIXES, PENALTY, bid=6).do("1: play TS", "2: play JS")
    (event,) = at.all(Reneged)
    assert event.seat == 2
    assert event.rule
    assert at.score.outcome is Outcome.RENEGED
    assert at.score.meld == (1 + 2, 1, 2)
    assert at.score.play == (0, 0, 0)
    assert at.score.change == (3, 1, -6)
    assert (at.kind, at.state.dealer) == (DecisionKind.DEAL, 1)


def test_under_the_penalty_the_bidder_may_be_the_offender() -> None:
    at = five(DIXES, PENALTY, bid=6).do("1: play QH")
    assert at.score.change == (3, -6, 2)


def test_after_a_renege_play_is_what_had_been_won() -> None:
    at = five(MIXED, PENALTY).do("1: play TS", "2: play AS", "0: play KS", "2: play TH")
    assert at.score.outcome is Outcome.RENEGED
    assert at.score.play == (0, 0, 3)
    assert at.score.change[2] == -6


def test_a_card_that_is_not_held_is_refused_even_under_the_penalty() -> None:
    assert five(MIXED, PENALTY).refusal("play AS") is Reason.NOT_HELD
    assert five(MIXED, PENALTY).refusal("pass") is Reason.WRONG_KIND


def test_after_a_renege_buried_counters_are_in_what_had_been_won() -> None:
    at = three(THREE.with_options(renege="penalty")).do("1: play AS", "2: play TS", "0: play TS")
    at.do("1: play AS", "2: play AD")
    assert at.score.outcome is Outcome.RENEGED
    assert at.score.play == (0, 30 + 30, 0)
    assert at.score.change == (80, 1520, -250)


def test_a_partners_renege_costs_the_side() -> None:
    rules = PARTNERS.with_options(exchange=0, renege="penalty")
    hands = {1: "AS TS 9S", 2: "KS QS 9D", 3: "AS JS 9C", 0: "TS JS 9H"}
    at = contract(rules, deal(rules, hands), 1, 250).do("trump H", "1: play AS", "2: play 9D")
    assert at.score.outcome is Outcome.RENEGED
    assert at.score.change == (-250, at.score.meld[1])


def test_a_deal_played_out_leads_to_the_next_dealer() -> None:
    hands = {0: "AS TS 9C 9D JD", 1: "AH AH TH TH KH", 2: "KS KC QS QC JC"}
    at = five(hands).play_out()
    assert (at.kind, at.state.dealer, at.state.deals) == (DecisionKind.DEAL, 1, 1)
    at.take(deal(FIVE, {}))
    assert at.turn == 2

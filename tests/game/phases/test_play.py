"""Tricks after the meld: leads, refusals, conceding, reneges, the last trick."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.errors import Reason
from acesaround.game.events import Conceded, Reneged, TrickWon
from acesaround.game.narration import Names, narrate_event
from acesaround.game.state import DecisionKind, GameState, Playing
from acesaround.game.view import view_for
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from tests.scripted_games import Table, contract, deal

THREE, PARTNERS = variants.THREE_HANDED, variants.PARTNERSHIP
FIVE = variants.FIVE_CARD.with_options(players=3)


def five_card_table(hands: dict[int, str], rules: Rules = FIVE, bid: int = 6) -> Table:
    """Return five-card for three without discards; seat 1 declared hearts and leads."""
    table = contract(rules, deal(rules, hands), 1, bid)
    return table.do("trump H", "discard", "discard", "discard")


MIXED = {0: "KS QS AH 9H AC", 1: "TS 9S QH JD KC", 2: "AS JS TH JH TC"}


def test_the_declarer_leads_first_and_then_the_winner_of_each_trick() -> None:
    table = five_card_table(MIXED)
    assert (table.turn, table.kind) == (1, DecisionKind.PLAY)
    table.do("1: play TS", "2: play AS", "0: play KS")
    (trick,) = table.all(TrickWon)
    assert (trick.leader, trick.seat, trick.points) == (1, 2, 3)
    assert table.turn == 2
    table.do("2: play TC", "0: play AC", "1: play KC")
    assert table.turn == 0


def test_before_a_lead_no_card_is_best() -> None:
    table = five_card_table(MIXED)
    first = table.state.phase
    second = table.do("1: play TS", "2: play AS", "0: play KS").state.phase
    for lead in (first, second):
        assert isinstance(lead, Playing)
        assert (lead.cards, lead.best, lead.best_seat) == ((), -1, -1)


def test_each_refusal_names_the_broken_rule() -> None:
    table = five_card_table(MIXED)
    assert table.refusal("play QH") is Reason.TRUMP_NOT_BROKEN
    assert table.refusal("play AS") is Reason.NOT_HELD
    assert table.refusal("2: play AS") is Reason.NOT_YOUR_TURN
    assert table.refusal("concede") is Reason.CANNOT_CONCEDE
    for move in ("pass", "trump S", "discard", "meld QH", "bury TS 9S QH", "give TS"):
        assert table.refusal(move) is Reason.WRONG_KIND
    table.do("play TS")
    assert table.refusal("play TH") is Reason.MUST_FOLLOW
    assert table.refusal("play JS") is Reason.MUST_BEAT
    table.do("play AS")
    assert table.refusal("play AH") is Reason.MUST_FOLLOW
    table.do("play QS")  # no spade beats the ace, so any spade is legal


def test_a_void_player_must_trump_and_overtrump() -> None:
    hands = {0: "AC TC AH 9H TH", 1: "KS 9S QH JD KC", 2: "AD TD TH JH KH"}
    table = five_card_table(hands).do("1: play KS")
    assert table.refusal("play AD") is Reason.MUST_TRUMP
    assert set(table.legal()) == {"play TH", "play JH", "play KH"}
    table.do("2: play KH")
    assert table.refusal("play AC") is Reason.MUST_TRUMP
    assert table.refusal("play 9H") is Reason.MUST_BEAT
    assert set(table.legal()) == {"play AH", "play TH"}


def test_a_trump_on_a_plain_lead_breaks_trump() -> None:
    hands = {0: "AC TC AH 9H TH", 1: "KS 9S QH JD KC", 2: "AD TD TH JH KH"}
    table = five_card_table(hands).do("1: play KS", "2: play JH", "0: play TH")
    assert table.turn == 0
    assert set(table.legal()) == {"play AC", "play TC", "play AH", "play 9H"}


def test_trump_stays_unbroken_until_it_is_played() -> None:
    table = five_card_table(MIXED).do("1: play TS", "2: play AS", "0: play QS")
    assert set(table.legal()) == {"play JS", "play TC"}
    assert table.refusal("play TH") is Reason.TRUMP_NOT_BROKEN


def test_a_trump_lead_from_a_hand_of_trumps_breaks_trump() -> None:
    hands = {0: "AH KH KC KD QD", 1: "TH TH QH QH JH", 2: "AS AC AD TS TC"}
    table = five_card_table(hands)
    assert set(table.legal()) == {"play TH", "play QH", "play JH"}
    table.do("1: play JH", "2: play AS", "0: play AH")
    assert set(table.legal()) == {"play KH", "play KC", "play KD", "play QD"}


@pytest.mark.parametrize("rules", [THREE, PARTNERS, variants.DOUBLE_DECK])
def test_in_other_variants_the_declarer_may_lead_any_card(rules: Rules) -> None:
    rules = rules.with_options(concede="never")
    table = contract(rules, deal(rules, {1: "KH QH AS TD KC"}), 1, 250)
    while table.kind is not DecisionKind.PLAY:
        table.do("trump H" if table.kind is DecisionKind.TRUMP else table.legal()[0])
    held = {f"play {card}" for card in table.state.hand(1)}
    assert table.turn == 1
    assert set(table.legal()) == held


def test_of_two_identical_cards_the_first_played_wins() -> None:
    hands = {0: "AS TH 9C 9D JD", 1: "KS 9S QH JD KC", 2: "AS TS AD JH KH"}
    table = five_card_table(hands).do("1: play KS", "2: play AS", "0: play AS")
    assert table.turn == 2


def test_all_tricks_and_the_bonus_for_the_last_are_scored() -> None:
    """Seat 1 leads five trumps from the top and wins all tricks."""
    hands = {0: "AS TS 9C 9D JD", 1: "AH AH TH TH KH", 2: "KS KC QS QC JC"}
    table = five_card_table(hands).play_out()
    assert [(trick.seat, trick.leader) for trick in table.all(TrickWon)] == [(1, 1)] * 5
    assert sum(trick.points for trick in table.all(TrickWon)) == 5 + 2 + 2
    assert [trick.bonus for trick in table.all(TrickWon)] == [0, 0, 0, 0, 1]
    assert [trick.bonus for trick in view_for(table.state, 1).tricks] in ([], [0, 0, 0, 0, 1])
    names = Names(FIVE, 1)
    told = [narrate_event(event, names) for event in table.all(TrickWon)]
    assert "last" not in told[-2]
    assert (
        told[-1] == f"You win the trick ({table.all(TrickWon)[-1].points} + 1 for the last trick)."
    )
    assert table.score.play == (0, 10, 0)
    assert table.score.meld == (0, 0, 4)  # two marriages, lost without a point in play
    assert table.score.change == (0, 10, 0)
    assert table.score.outcome is Outcome.MADE


# Hearts are trump. The declarer melds a double run and two dixes (1520) and wins every trick but
# perhaps the last; seat 2 melds three marriages and a pinochle (100), seat 0 two and one (80).
BOSS = "AH AH TH TH KH KH QH QH JH JH 9H 9H AS AS 9C"
LEFT = "TS KS QS JS 9S AD TD KD QD JD 9D AC KC QC JC"
RIGHT = "TS KS QS JS 9S AD QD JD 9D AC TC KC QC JC 9C"


def three_handed_table(rules: Rules = THREE, bid: int = 250) -> Table:
    """Return a table where seat 1 buried the three counters of the kitty and is to lead."""
    hands = {0: RIGHT, 1: BOSS, 2: LEFT}
    table = contract(rules, deal(rules, hands, kitty="TD TC KD"), 1, bid)
    return table.do("bury TD TC KD", "trump H")


def test_three_handed_concede_is_legal_only_before_the_first_lead() -> None:
    table = three_handed_table()
    assert set(table.legal()) == {"concede", *[f"play {card}" for card in table.state.hand(1)]}
    table.do("1: play AH")
    assert "concede" not in table.legal()
    table.do("2: play 9S", "0: play 9S")
    assert table.turn == 1
    assert "concede" not in table.legal()
    assert table.refusal("concede") is Reason.CANNOT_CONCEDE


def test_after_conceding_the_others_score_meld_and_no_play() -> None:
    table = three_handed_table(bid=300).do("1: concede")
    assert [event.seat for event in table.all(Conceded)] == [1]
    assert table.score.outcome is Outcome.CONCEDED
    assert table.score.meld == (80, 1520, 100)
    assert table.score.play == (0, 0, 0)
    assert table.score.change == (80, -300, 100)


@pytest.mark.parametrize("rules", [PARTNERS, variants.DOUBLE_DECK, variants.SEVEN_CARD])
def test_concede_always_makes_it_legal_in_any_variant(rules: Rules) -> None:
    rules = rules.with_options(concede="always")
    table = contract(rules, deal(rules, {1: "KH QH"}), 1, 250)
    while table.kind is not DecisionKind.PLAY:
        table.do("trump H" if table.kind is DecisionKind.TRUMP else table.legal()[0])
    assert "concede" in table.legal()
    assert table.do("1: concede").score.change[1] == -250


def keep_clubs(state: GameState, legal: list[str]) -> str:
    """Choose trumps, then spades, and keep the nine and the jacks of clubs for the last trick."""
    order = ["play AH", "play TH", "play KH", "play QH", "play JH", "play 9H", "play AS"]
    for move in order:
        if move in legal:
            return move
    return next((move for move in legal if move != "play JC"), legal[0])


def test_three_handed_the_last_trick_alone_saves_no_meld() -> None:
    """The nine of clubs loses the last trick to the jack: 10 points, and no counter in it."""
    table = three_handed_table().play_out(keep_clubs)
    assert [str(card) for card in table.all(TrickWon)[-1].cards] == ["9C", "JC", "JC"]
    assert table.score.meld == (80, 1520, 100)
    assert table.score.play == (0, 240, 10)
    assert table.score.change == (0, 1760, 10)


def highest_card(state: GameState, legal: list[str]) -> str:
    """Choose the highest card."""
    return min((m for m in legal if m != "concede"), key=lambda m: "ATKQJ9".index(m[5]))


def test_three_handed_buried_counters_score_and_save_no_meld() -> None:
    """A pinochle of 40 and 30 buried would make 70; without a counter won only the 30 count."""
    rules = THREE.with_options(lowest_bid=10)
    mine = "QS QS JS JS 9S 9S QH QH JH JH 9H 9H QD QD JD"
    dealt = deal(rules, {1: mine, 2: "AS TS KS AH TH AD"}, kitty="KS KH KD")
    for bid, change in ((70, -70), (30, 30)):
        table = contract(rules, dealt, 1, bid).do("bury KS KH KD", "trump C").play_out(highest_card)
        assert [t.points for t in table.all(TrickWon) if t.seat == 1] == []
        assert (table.score.meld[1], table.score.play[1]) == (40, 30)
        assert table.score.change[1] == change


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
def test_partnership_concede_is_legal_only_when_the_bid_cannot_be_made(
    bid: int, declarer: str, meld: int, offered: bool
) -> None:
    """Bid > own side's meld + 250; at exactly the limit the hand must be played."""
    rules = PARTNERS.with_options(exchange=0)
    table = contract(rules, deal(rules, {1: declarer, 3: WEAK}), 1, bid).do("trump H")
    assert sum(laid.points for laid in table.state.deal.laid if laid.seat in (1, 3)) == meld
    assert ("concede" in table.legal()) is offered
    if offered:
        assert table.do("concede").score.change[1] == -bid
    else:
        assert table.refusal("concede") is Reason.CANNOT_CONCEDE


PENALTY = FIVE.with_options(renege="penalty")
DIXES = {0: "KS QS AH 9H AC", 1: "TS 9S QH JD 9H", 2: "AS JS TH KC QC"}


def test_renege_penalty_does_not_change_the_legal_actions() -> None:
    assert five_card_table(MIXED, PENALTY).legal() == five_card_table(MIXED).legal()
    assert "play QH" not in five_card_table(MIXED, PENALTY).legal()


def test_with_renege_penalty_an_illegal_card_ends_the_deal() -> None:
    """Seat 2 holds the ace of spades and plays the jack; only the offender loses nines."""
    table = five_card_table(DIXES, PENALTY, bid=6).do("1: play TS", "2: play JS")
    (event,) = table.all(Reneged)
    assert event.seat == 2
    assert event.rule
    assert table.score.outcome is Outcome.RENEGED
    assert table.score.meld == (1 + 2, 1, 2)
    assert table.score.play == (0, 0, 0)
    assert table.score.change == (3, 1, -6)
    assert (table.kind, table.state.dealer) == (DecisionKind.DEAL, 1)


def test_with_renege_penalty_the_declarer_may_be_the_offender() -> None:
    table = five_card_table(DIXES, PENALTY, bid=6).do("1: play QH")
    assert table.score.change == (3, -6, 2)


def test_after_a_renege_tricks_won_before_count() -> None:
    table = five_card_table(MIXED, PENALTY).do(
        "1: play TS", "2: play AS", "0: play KS", "2: play TH"
    )
    assert table.score.outcome is Outcome.RENEGED
    assert table.score.play == (0, 0, 3)
    assert table.score.change[2] == -6


def test_with_renege_penalty_a_card_not_held_is_refused() -> None:
    assert five_card_table(MIXED, PENALTY).refusal("play AS") is Reason.NOT_HELD
    assert five_card_table(MIXED, PENALTY).refusal("pass") is Reason.WRONG_KIND


def test_after_a_renege_buried_counters_count() -> None:
    table = three_handed_table(THREE.with_options(renege="penalty")).do(
        "1: play AS", "2: play TS", "0: play TS"
    )
    table.do("1: play AS", "2: play AD")
    assert table.score.outcome is Outcome.RENEGED
    assert table.score.play == (0, 30 + 30, 0)
    assert table.score.change == (80, 1520, -250)


def test_a_renege_of_the_partner_costs_the_side() -> None:
    rules = PARTNERS.with_options(exchange=0, renege="penalty")
    hands = {1: "AS TS 9S", 2: "KS QS 9D", 3: "AS JS 9C", 0: "TS JS 9H"}
    table = contract(rules, deal(rules, hands), 1, 250).do("trump H", "1: play AS", "2: play 9D")
    assert table.score.outcome is Outcome.RENEGED
    assert table.score.change == (-250, table.score.meld[1])


def test_the_next_seat_deals_after_a_deal() -> None:
    hands = {0: "AS TS 9C 9D JD", 1: "AH AH TH TH KH", 2: "KS KC QS QC JC"}
    table = five_card_table(hands).play_out()
    assert (table.kind, table.state.dealer, table.state.deals) == (DecisionKind.DEAL, 1, 1)
    table.take(deal(FIVE, {}))
    assert table.turn == 2

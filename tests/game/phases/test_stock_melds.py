"""Melds laid between tricks of the two-handed game: when, by whom, and the nines of trumps."""

from __future__ import annotations

from msgspec.structs import replace

from acesaround import variants
from acesaround.cards import Card
from acesaround.errors import Reason
from acesaround.game.events import (
    Drew,
    MeldLaid,
    NineTurned,
    TrickWon,
    UpcardDrawn,
    UpcardExchanged,
)
from acesaround.game.state import DecisionKind, Playing, StockPlaying, TableMeld, UpcardTaken, tally
from acesaround.game.view import ShownMelds, must_draw_first, view_for
from acesaround.rules import Rules
from tests.scripted_games import Table, deal

TWO = variants.TWO_HANDED
MINE = "AS KH QH AH TH JH KS QS JD 9H 9H KC"
YOURS = "9S 9S 9D 9D 9C 9C JS JS JC JC JD QD"


def table(
    mine: str = MINE,
    yours: str = YOURS,
    *,
    rules: Rules = TWO,
    upcard: str = "KH",
    stock: str = "TS TC TD TC",
) -> Table:
    """Seat 0 deals; seat 1 holds `mine` and is to lead. Trump is hearts."""
    return Table(rules, deal(rules, {1: mine, 0: yours}, upcard=upcard, stock=stock), 0)


def win(at: Table, lead: str) -> Table:
    """Lead that card; all others play a plain card to it, which does not beat it."""
    tricks = len(at.all(TrickWon))
    seat = at.turn
    at.do(f"play {lead}")
    while len(at.all(TrickWon)) == tricks:
        at.do([move for move in at.legal() if not move.endswith("H")][-1])
    assert at.turn == seat
    return at


def won() -> Table:
    """Seat 1 has won the first trick, has drawn and may meld."""
    return win(table(), "AS")


def scored(at: Table) -> list[tuple[int, str, int]]:
    """Every lay-down: seat, name, points."""
    return [(event.seat, event.meld.name, event.meld.points) for event in at.all(MeldLaid)]


def to_the_end(at: Table, left: int = -1) -> Table:
    """Play first cards until that many cards of the stock are left, or until the play-off."""
    while isinstance(at.state.phase, StockPlaying) and len(at.state.deal.stock) > left:
        at.do(next(move for move in at.legal() if move.startswith("play")))
    return at


def test_there_is_no_meld_before_the_first_trick() -> None:
    assert table().refusal("meld KH QH") is Reason.NO_MELD_NOW


def test_only_the_winner_of_the_trick_may_meld_and_only_once_before_leading() -> None:
    at = won()
    assert "meld KH QH" in at.legal()
    assert at.refusal("0: meld JD QD") is Reason.NOT_YOUR_TURN
    at.do("1: meld KH QH")
    assert scored(at) == [(1, "royal marriage", 40)]
    assert at.turn == 1
    assert at.refusal("meld KS QS") is Reason.NO_MELD_NOW
    assert all(move.startswith("play") for move in at.legal())


def test_the_loser_of_the_trick_has_no_meld() -> None:
    at = table(yours="AC KD QD", stock="TS TC TD TC").do("1: play AS", "0: play AC", "1: play KC")
    assert at.refusal("0: meld KD QD") is Reason.NO_MELD_NOW
    at = table(yours="AC KD QD", stock="TS TC TD TC").do("1: play KC", "0: play AC")
    assert scored(at.do("0: meld KD QD")) == [(0, "marriage", 20)]


def test_the_meld_may_use_the_card_just_drawn() -> None:
    at = win(table(mine=MINE.replace("QS", "QC"), stock="QS TC"), "AS")
    assert scored(at.do("meld QS JD")) == [(1, "pinochle", 40)]


def test_melding_is_never_a_duty() -> None:
    at = won()
    assert at.do("1: play KC").turn == 0
    assert scored(at) == []


def test_what_is_no_meld_is_refused() -> None:
    at = won()
    assert at.refusal("meld KH QS") is Reason.NOT_A_MELD
    assert at.refusal("meld KC QC") is Reason.NOT_HELD
    at = win(at.do("meld KS QS"), "AH")
    assert at.refusal("meld KS QS") is Reason.ALREADY_MELDED


def test_a_royal_marriage_grows_into_a_run_for_110() -> None:
    at = win(won().do("meld KH QH"), "9H").do("meld AH TH KH QH JH")
    assert scored(at) == [(1, "royal marriage", 40), (1, "run", 110)]


def test_melded_cards_stay_playable_and_are_on_the_table() -> None:
    at = won().do("meld KH QH")
    assert "play KH" in at.legal()
    assert set(map(str, view_for(at.state, 0).table[1])) == {"KH", "QH"}
    at.do("1: play QH")
    assert list(map(str, view_for(at.state, 0).table[1])) == ["KH"]


def test_a_second_pinochle_may_be_laid_as_a_single_or_as_the_double() -> None:
    mine = "AS QS QS JD JD AH TH KD KD KC KC QC"
    for cards, name, points in (
        ("QS JD", "pinochle", 40),
        ("QS QS JD JD", "double pinochle", 260),
    ):
        at = win(table(mine=mine, yours=YOURS.replace("JD", "TD")), "AS").do("meld QS JD")
        at = win(at, "AH").do(f"meld {cards}")
        assert scored(at) == [(1, "pinochle", 40), (1, name, points)]


def test_a_house_may_let_melds_come_from_the_table_only() -> None:
    """Kings around and four marriages: all the queens lie on the table already."""
    mine = "AS AC KS QS KH QH KD QD KC QC AH TH"
    yours = "9S 9S 9D 9D 9C 9C JS JS JC JC JD JD"
    for rules in (TWO, TWO.with_options(meld_from_hand=False)):
        stock = "AH TS TH TC 9H TC 9H TS JH TD JH TD"
        at = win(table(mine, yours, rules=rules, upcard="QH", stock=stock), "AS")
        at.do("meld KS KH KD KC")
        for lead, suit in zip(("AC", "AH", "AH", "TH"), "SHDC", strict=True):
            win(at, lead).do(f"meld K{suit} Q{suit}")
        win(at, "TH")
        if rules is TWO:
            assert at.refusal("meld QS QH QD QC") is Reason.NEEDS_CARD_FROM_HAND
        else:
            assert scored(at.do("meld QS QH QD QC"))[-1] == (1, "queens around", 60)


def test_the_first_nine_of_trumps_changes_places_with_the_upcard() -> None:
    at = won().do("meld 9H")
    assert scored(at) == [(1, "dix", 10)]
    (event,) = at.all(UpcardExchanged)
    assert (event.seat, str(event.taken), str(event.left)) == (1, "KH", "9H")
    held = [str(card) for card in at.state.hand(1)]
    assert (held.count("KH"), held.count("9H")) == (2, 1)
    assert str(at.state.deal.upcard) == "9H"
    assert len(held) == 12
    assert view_for(at.state, 0).table[1] == (), (
        "the nine lies under the stock, the king in the hand"
    )


def test_each_later_nine_only_scores() -> None:
    at = win(won().do("meld 9H"), "AH").do("meld 9H")
    assert scored(at) == [(1, "dix", 10), (1, "dix", 10)]
    assert len(at.all(UpcardExchanged)) == 1
    assert "9H" in [str(card) for card in at.state.hand(1)]


def test_the_card_received_for_the_nine_may_be_melded_later() -> None:
    mine = MINE.replace("KH", "KD")
    at = win(table(mine=mine), "AS").do("meld 9H")
    assert scored(win(at, "AH").do("meld KH QH"))[-1] == (1, "royal marriage", 40)


def test_a_nine_exchanged_for_a_nine_is_a_real_exchange_and_the_new_one_melds_later() -> None:
    at = win(table(mine=MINE.replace("9H 9H", "9H KC"), upcard="9H"), "AS").do("meld 9H")
    assert len(at.all(UpcardExchanged)) == 1
    win(at, "AH").do("meld 9H")
    assert scored(at) == [(1, "dix", 10), (1, "dix", 10)]
    assert len(at.all(UpcardExchanged)) == 1


def test_a_nine_turned_up_gives_nobody_anything() -> None:
    at = table(mine=MINE.replace("9H 9H", "9H KC"), upcard="9H")
    assert scored(at) == []
    assert at.play_out(lambda _, legal: next(m for m in legal if m[0] == "p")).score.meld == (0, 0)


def test_a_nine_of_a_plain_suit_is_no_dix() -> None:
    at = win(table(mine=MINE.replace("KC", "9C"), yours="9D 9D"), "AS")
    assert at.refusal("meld 9C") is Reason.NOT_A_MELD


def test_after_an_exchange_the_last_draw_is_the_nine() -> None:
    (drawn,) = to_the_end(won().do("meld 9H")).all(UpcardDrawn)
    assert str(drawn.card) == "9H"


def test_no_meld_after_the_trick_that_empties_the_stock() -> None:
    at = to_the_end(table())
    turn = at.turn
    assert turn is not None
    held = {str(card) for card in at.state.hand(turn)}
    suits = [suit for suit in "SHDC" if {f"K{suit}", f"Q{suit}"} <= held]
    assert suits, "the winner holds a marriage and yet may not lay it"
    assert at.refusal(f"meld K{suits[0]} Q{suits[0]}") in (Reason.NO_MELD_NOW, Reason.WRONG_KIND)
    assert all(move.startswith("play") for move in at.legal())


def test_one_trick_earlier_the_winner_may_still_meld() -> None:
    """One card of the stock and the upcard are left to draw."""
    at = to_the_end(table(), left=1)
    assert len(at.state.deal.stock) == 1
    assert any(move.startswith("meld") for move in at.legal())


def test_copies_beyond_a_double_meld_singly_with_24_cards_a_player() -> None:
    rules = TWO.with_options(players=3, deck="24-each")
    at = Table(rules, deal(rules, {1: "AS QS QS QS JD JD JD AH AH AH"}, upcard="KH"), 0)
    assert view_for(at.state, 0).sizes == (12, 12, 12)
    assert view_for(at.state, 0).stock == 72 - 36 - 1
    win(at, "AS").do("meld QS QS JD JD")
    win(at, "AH").do("meld QS JD")
    assert scored(at) == [(1, "double pinochle", 300), (1, "pinochle", 40)]
    assert win(at, "AH").refusal("meld QS QS JD JD") is Reason.DOUBLED_ALREADY


def test_every_later_view_says_who_took_the_upcard_and_what_for() -> None:
    at = won().do("meld 9H")
    swap = UpcardTaken(1, Card("KH"), Card("9H"), 1)
    for _ in range(2):
        for seat in (None, 0, 1):
            seen = view_for(at.state, seat)
            assert seen.taken[0] == swap
            assert seen.melds[0].after == 1
        at = to_the_end(at)
    last = at.all(UpcardDrawn)[-1]
    assert view_for(at.state, 0).taken == (swap, UpcardTaken(last.seat, last.card, None, 12))
    assert view_for(at.state, 0).upcard is None


def test_what_lay_on_the_table_and_when_it_left_is_not_forgotten() -> None:
    at = won().do("meld KH QH", "1: play QH")
    assert view_for(at.state, 0).lying == (
        TableMeld(1, Card("KH"), since=1),
        TableMeld(1, Card("QH"), since=1, until=1),
    )


def test_a_seat_knows_in_which_order_it_drew_and_no_other_does() -> None:
    at = win(won(), "AH")
    assert list(map(str, view_for(at.state, 1).drawn)) == ["TS", "TD"]
    assert list(map(str, view_for(at.state, 0).drawn)) == ["TC", "TC"]
    assert view_for(at.state, None).drawn == ()


AFTER = replace(TWO, melds=replace(TWO.melds, meld_after_stock=True))
"""reg.dorogaved.ru, Pinochle: after picking up the last two cards the winner may still meld."""


def last_chance(**cards: str) -> Table:
    """Seat 1 has won the trick that emptied the stock, and drawn its last hidden card."""
    at = to_the_end(table(rules=AFTER, **cards), left=1)
    seat = at.turn
    while isinstance(at.state.phase, StockPlaying) and at.state.deal.upcard is not None:
        at.do(next(move for move in at.legal() if move.startswith("play")))
    assert seat is not None
    return at


def test_at_some_tables_the_winner_of_the_trick_that_empties_the_stock_may_meld() -> None:
    at = last_chance()
    held = {str(card) for card in at.state.hand(at.turn or 0)}
    suit = next(suit for suit in "SHDC" if {f"K{suit}", f"Q{suit}"} <= held)
    seat, laid = at.turn, len(scored(at))
    at.do(f"meld K{suit} Q{suit}")
    assert len(scored(at)) == laid + 1
    assert isinstance(at.state.phase, Playing)
    assert at.turn == seat
    assert all(move.startswith("play") for move in at.legal())


def test_the_last_meld_is_no_duty_and_nobody_sees_whether_there_was_one_to_lay() -> None:
    at = last_chance()
    assert view_for(at.state, None).kind is DecisionKind.PLAY
    lead = next(move for move in at.legal() if move.startswith("play"))
    at.do(lead)
    assert isinstance(at.state.phase, Playing)
    assert len(at.state.phase.cards) == 1
    # whoever follows is bound by the strict law
    suit, held = lead[-1], at.state.hand(at.turn or 0)
    if any(card.suit.name == suit for card in held):
        assert all(move.endswith(suit) for move in at.legal())


def test_a_nine_laid_when_the_stock_is_gone_scores_and_fetches_nothing() -> None:
    """The nines lie at the bottom of the stock, so that whoever wins the last trick draws one."""
    first = deal(AFTER, {1: MINE.replace("9H 9H", "KC QC"), 0: YOURS}, upcard="KH")
    stock = tuple(sorted(first.stock, key=lambda card: card == Card("9H")))
    at = Table(AFTER, replace(first, stock=stock), 0)
    while at.state.deal.upcard is not None:
        at.do(next(move for move in at.legal() if move.startswith("play")))
    at.do("meld 9H")
    assert [row[1:] for row in scored(at)] == [("dix", 10)]
    assert not at.all(UpcardExchanged)
    assert isinstance(at.state.phase, Playing)


def test_where_trump_must_be_broken_it_may_not_be_led_at_the_last_chance_to_meld() -> None:
    strict = replace(AFTER, play=replace(AFTER.play, trump_must_be_broken=True))
    at = table(rules=strict)
    while at.state.deal.upcard is not None:
        at.do(next(move for move in at.legal() if move.startswith("play")))
    held = at.state.hand(at.turn or 0)
    assert any(card.suit is not at.state.deal.trump for card in held)
    assert not [move for move in at.legal() if move.startswith("play") and move.endswith("H")]
    assert view_for(at.state, at.turn).broken is False


UP = replace(TWO, melds=replace(TWO.melds, nine_turned_up=10))
"""pokerwiner.com, Pinocle: if dealer turns up a dis as the trump card he scores 10 points."""


def test_at_some_tables_the_dealer_scores_for_turning_up_a_nine() -> None:
    at = table(mine=MINE.replace("9H 9H", "9H KC"), rules=UP, upcard="9H")
    (event,) = at.all(NineTurned)
    assert (event.seat, event.meld.name, event.meld.points) == (0, "dix", 10)
    assert view_for(at.state, 1).melds == (ShownMelds(0, (event.meld,), 10),)
    assert tally(at.state).meld == (10, 0)
    assert at.play_out(lambda _, legal: next(m for m in legal if m[0] == "p")).score.meld == (10, 0)


def test_whoever_lays_another_nine_takes_the_one_turned_up_all_the_same() -> None:
    at = win(table(mine=MINE.replace("9H 9H", "9H KC"), rules=UP, upcard="9H"), "AS")
    at.do("meld 9H")
    assert len(at.all(UpcardExchanged)) == 1
    assert tally(at.state).meld == (10, 10)


def test_another_card_turned_up_scores_nothing() -> None:
    at = table(rules=UP)
    assert not at.all(NineTurned)
    assert tally(at.state).meld == (0, 0)


BESIDE = replace(TWO, melds=replace(TWO.melds, nine_beside=True))
"""pokerwiner.com, Pinocle: he may count the dis and make another meld at the same time."""


def test_at_some_tables_a_nine_leaves_the_turn_to_another_meld() -> None:
    at = win(table(rules=BESIDE), "AS").do("meld 9H", "meld 9H", "meld KH QH")
    assert scored(at) == [(1, "dix", 10), (1, "dix", 10), (1, "royal marriage", 40)]
    assert len(at.all(UpcardExchanged)) == 1
    assert all(move.startswith("play") for move in at.legal())
    assert at.turn == 1


def test_the_card_taken_for_the_nine_may_serve_in_the_meld_beside_it() -> None:
    at = win(table(mine=MINE.replace("KH", "KD"), rules=BESIDE), "AS")
    assert scored(at.do("meld 9H", "meld KH QH"))[-1] == (1, "royal marriage", 40)


def test_a_nine_does_not_follow_another_meld_and_nothing_need_follow_a_nine() -> None:
    at = win(table(rules=BESIDE), "AS").do("meld KH QH")
    assert at.refusal("meld 9H") is Reason.NO_MELD_NOW
    assert win(table(rules=BESIDE), "AS").do("meld 9H", "1: play KC").turn == 0


def test_at_the_last_chance_too_a_nine_leaves_the_turn_to_another_meld() -> None:
    rules = replace(TWO, melds=replace(TWO.melds, nine_beside=True, meld_after_stock=True))
    first = deal(rules, {1: MINE.replace("9H 9H", "KC QC"), 0: YOURS}, upcard="KH")
    stock = tuple(sorted(first.stock, key=lambda card: card == Card("9H")))
    at = Table(rules, replace(first, stock=stock), 0)
    while at.state.deal.upcard is not None:
        at.do(next(move for move in at.legal() if move.startswith("play")))
    at.do("meld 9H")
    assert isinstance(at.state.phase, StockPlaying)
    assert at.state.phase.may_meld
    at.do(next(move for move in at.legal() if move.startswith("play")))
    assert isinstance(at.state.phase, Playing)


BEFORE = replace(TWO, melds=replace(TWO.melds, meld_before_draw=True))
"""pokerwiner.com, Pinocle: after a trick and before drawing from the stock a player may meld."""


def ahead(rules: Rules = BEFORE, **cards: str) -> Table:
    """Seat 1 has won the first trick, and nobody has drawn yet."""
    return table(rules=rules, **cards).do("1: play AS", "0: play 9D")


def test_at_some_tables_a_meld_is_laid_before_anybody_draws() -> None:
    at = ahead()
    assert (at.turn, at.kind) == (1, DecisionKind.PLAY)
    assert not at.all(Drew)
    assert not [move for move in at.legal() if move.startswith("play")]
    at.do("meld KH QH")
    assert scored(at) == [(1, "royal marriage", 40)]
    assert [event.seat for event in at.all(Drew)] == [1, 0]
    assert at.turn == 1
    assert all(move.startswith("play") for move in at.legal())


def test_who_lays_none_passes_and_cards_are_drawn() -> None:
    at = ahead().do("pass")
    assert [event.seat for event in at.all(Drew)] == [1, 0]
    assert at.do("1: play KC").turn == 0
    assert ahead().refusal("play KC") is Reason.WRONG_KIND


def test_a_card_just_drawn_waits_for_the_next_trick_won() -> None:
    at = ahead(mine=MINE.replace("QS", "QC"), stock="QS TC")
    assert at.refusal("meld QS JD") is Reason.NOT_HELD
    at.do("pass", "1: play AH", "0: play 9D", "meld QS JD")
    assert scored(at) == [(1, "pinochle", 40)]


def test_who_has_nothing_to_lay_is_asked_like_anybody_else() -> None:
    at = table(mine="AS TS KS AC AH TH JH AD TD KD AC TC", rules=BEFORE, stock="9H TS TD")
    at.do("1: play AS", "0: play 9D")
    assert at.legal() == ["pass"]
    assert must_draw_first(view_for(at.state, 0))
    assert not must_draw_first(view_for(at.do("pass").state, 0))


def test_the_trick_that_empties_the_stock_lets_nobody_meld_unless_the_rules_say_so() -> None:
    """pokerwiner.com: who wins the twelfth trick may meld, and then draws the last card."""
    for rules in (BEFORE, replace(BEFORE, melds=replace(BEFORE.melds, meld_after_stock=True))):
        at = table(rules=rules)
        while len(at.all(TrickWon)) < 12:
            at.do("pass" if "pass" in at.legal() else at.legal()[0])
        assert isinstance(at.state.phase, StockPlaying) is rules.melds.meld_after_stock
        if rules.melds.meld_after_stock:
            assert at.state.deal.upcard is not None
            assert isinstance(at.do("pass").state.phase, Playing)


def test_a_nine_laid_before_the_draw_may_leave_the_turn_to_another_meld() -> None:
    both = replace(BEFORE, melds=replace(BEFORE.melds, nine_beside=True))
    at = ahead(both).do("meld 9H")
    assert not at.all(Drew)
    at.do("meld KH QH")
    assert [row[1] for row in scored(at)] == ["dix", "royal marriage"]
    assert len(at.all(Drew)) == 2
    assert len(ahead(both).do("meld 9H", "pass").all(Drew)) == 2

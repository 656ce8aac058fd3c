"""Melds laid between tricks of the two-handed game: turns, nines of trumps, the upcard."""

from __future__ import annotations

from msgspec.structs import replace

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
from acesaround.game.state import (
    DecisionKind,
    MeldedCard,
    Playing,
    StockPlaying,
    UpcardTaken,
    tally,
)
from acesaround.game.view import ShownMelds, must_draw_first, view_for
from acesaround.rules import Rules
from tests.game.phases.two_handed import (
    MELD_BEFORE_DRAW,
    MINE,
    TWO,
    YOURS,
    first_card,
    play_first_card,
    play_stock,
    table_after_first_trick,
    table_before_draw,
    two_handed_table,
    win_trick,
)
from tests.scripted_games import Table, deal


def laid_melds(table: Table) -> list[tuple[int, str, int]]:
    """Return seat, name and points of every meld laid."""
    return [(event.seat, event.meld.name, event.meld.points) for event in table.all(MeldLaid)]


def test_melds_are_refused_before_the_first_trick() -> None:
    assert two_handed_table().refusal("meld KH QH") is Reason.NO_MELD_NOW


def test_the_winner_of_a_trick_may_lay_one_meld_before_leading() -> None:
    table = table_after_first_trick()
    assert "meld KH QH" in table.legal()
    assert table.refusal("0: meld JD QD") is Reason.NOT_YOUR_TURN
    table.do("1: meld KH QH")
    assert laid_melds(table) == [(1, "royal marriage", 40)]
    assert table.turn == 1
    assert table.refusal("meld KS QS") is Reason.NO_MELD_NOW
    assert all(move.startswith("play") for move in table.legal())


def test_the_loser_of_a_trick_may_not_meld() -> None:
    table = two_handed_table(yours="AC KD QD", stock="TS TC TD TC").do(
        "1: play AS", "0: play AC", "1: play KC"
    )
    assert table.refusal("0: meld KD QD") is Reason.NO_MELD_NOW
    table = two_handed_table(yours="AC KD QD", stock="TS TC TD TC").do("1: play KC", "0: play AC")
    assert laid_melds(table.do("0: meld KD QD")) == [(0, "marriage", 20)]


def test_the_meld_may_use_the_card_just_drawn() -> None:
    table = win_trick(two_handed_table(mine=MINE.replace("QS", "QC"), stock="QS TC"), "AS")
    assert laid_melds(table.do("meld QS JD")) == [(1, "pinochle", 40)]


def test_the_winner_may_lead_without_melding() -> None:
    table = table_after_first_trick()
    assert table.do("1: play KC").turn == 0
    assert laid_melds(table) == []


def test_invalid_melds_are_refused() -> None:
    table = table_after_first_trick()
    assert table.refusal("meld KH QS") is Reason.NOT_A_MELD
    assert table.refusal("meld KC QC") is Reason.NOT_HELD
    table = win_trick(table.do("meld KS QS"), "AH")
    assert table.refusal("meld KS QS") is Reason.ALREADY_MELDED


def test_a_royal_marriage_grows_into_a_run_for_110() -> None:
    table = win_trick(table_after_first_trick().do("meld KH QH"), "9H").do("meld AH TH KH QH JH")
    assert laid_melds(table) == [(1, "royal marriage", 40), (1, "run", 110)]


def test_melded_cards_lie_on_the_table_until_they_are_played() -> None:
    table = table_after_first_trick().do("meld KH QH")
    assert "play KH" in table.legal()
    assert set(map(str, view_for(table.state, 0).table[1])) == {"KH", "QH"}
    table.do("1: play QH")
    assert list(map(str, view_for(table.state, 0).table[1])) == ["KH"]


def test_a_second_pinochle_may_be_laid_as_a_single_or_as_the_double() -> None:
    mine = "AS QS QS JD JD AH TH KD KD KC KC QC"
    for cards, name, points in (
        ("QS JD", "pinochle", 40),
        ("QS QS JD JD", "double pinochle", 260),
    ):
        table = win_trick(two_handed_table(mine=mine, yours=YOURS.replace("JD", "TD")), "AS").do(
            "meld QS JD"
        )
        table = win_trick(table, "AH").do(f"meld {cards}")
        assert laid_melds(table) == [(1, "pinochle", 40), (1, name, points)]


def test_meld_from_hand_decides_whether_all_cards_may_lie_on_the_table() -> None:
    """Kings around and four marriages: all the queens are already on the table."""
    mine = "AS AC KS QS KH QH KD QD KC QC AH TH"
    yours = "9S 9S 9D 9D 9C 9C JS JS JC JC JD JD"
    for rules in (TWO, TWO.with_options(meld_from_hand=False)):
        stock = "AH TS TH TC 9H TC 9H TS JH TD JH TD"
        table = win_trick(
            two_handed_table(mine, yours, rules=rules, upcard="QH", stock=stock), "AS"
        )
        table.do("meld KS KH KD KC")
        for lead, suit in zip(("AC", "AH", "AH", "TH"), "SHDC", strict=True):
            win_trick(table, lead).do(f"meld K{suit} Q{suit}")
        win_trick(table, "TH")
        if rules is TWO:
            assert table.refusal("meld QS QH QD QC") is Reason.NEEDS_CARD_FROM_HAND
        else:
            assert laid_melds(table.do("meld QS QH QD QC"))[-1] == (1, "queens around", 60)


def test_the_first_nine_of_trumps_is_exchanged_for_the_upcard() -> None:
    table = table_after_first_trick().do("meld 9H")
    assert laid_melds(table) == [(1, "dix", 10)]
    (event,) = table.all(UpcardExchanged)
    assert (event.seat, str(event.taken), str(event.left)) == (1, "KH", "9H")
    held = [str(card) for card in table.state.hand(1)]
    assert (held.count("KH"), held.count("9H")) == (2, 1)
    assert str(table.state.deal.upcard) == "9H"
    assert len(held) == 12
    assert view_for(table.state, 0).table[1] == (), "the nine lies under the stock"


def test_a_second_nine_scores_without_an_exchange() -> None:
    table = win_trick(table_after_first_trick().do("meld 9H"), "AH").do("meld 9H")
    assert laid_melds(table) == [(1, "dix", 10), (1, "dix", 10)]
    assert len(table.all(UpcardExchanged)) == 1
    assert "9H" in [str(card) for card in table.state.hand(1)]


def test_the_card_received_for_the_nine_may_be_melded_later() -> None:
    mine = MINE.replace("KH", "KD")
    table = win_trick(two_handed_table(mine=mine), "AS").do("meld 9H")
    assert laid_melds(win_trick(table, "AH").do("meld KH QH"))[-1] == (1, "royal marriage", 40)


def test_a_nine_received_for_a_nine_may_be_melded_later() -> None:
    table = win_trick(two_handed_table(mine=MINE.replace("9H 9H", "9H KC"), upcard="9H"), "AS").do(
        "meld 9H"
    )
    assert len(table.all(UpcardExchanged)) == 1
    win_trick(table, "AH").do("meld 9H")
    assert laid_melds(table) == [(1, "dix", 10), (1, "dix", 10)]
    assert len(table.all(UpcardExchanged)) == 1


def test_a_nine_as_upcard_scores_nothing() -> None:
    table = two_handed_table(mine=MINE.replace("9H 9H", "9H KC"), upcard="9H")
    assert laid_melds(table) == []
    assert table.play_out(first_card).score.meld == (0, 0)


def test_a_nine_of_a_plain_suit_is_no_dix() -> None:
    table = win_trick(two_handed_table(mine=MINE.replace("KC", "9C"), yours="9D 9D"), "AS")
    assert table.refusal("meld 9C") is Reason.NOT_A_MELD


def test_after_an_exchange_the_last_card_drawn_is_the_nine() -> None:
    (drawn,) = play_stock(table_after_first_trick().do("meld 9H")).all(UpcardDrawn)
    assert str(drawn.card) == "9H"


def test_melds_are_refused_after_the_trick_that_empties_the_stock() -> None:
    table = play_stock(two_handed_table())
    turn = table.turn
    assert turn is not None
    held = {str(card) for card in table.state.hand(turn)}
    suits = [suit for suit in "SHDC" if {f"K{suit}", f"Q{suit}"} <= held]
    assert suits, "the winner holds a marriage and yet may not lay it"
    assert table.refusal(f"meld K{suits[0]} Q{suits[0]}") in (Reason.NO_MELD_NOW, Reason.WRONG_KIND)
    assert all(move.startswith("play") for move in table.legal())


def test_the_winner_may_meld_while_two_cards_are_left_to_draw() -> None:
    table = play_stock(two_handed_table(), left=1)
    assert len(table.state.deal.stock) == 1
    assert any(move.startswith("meld") for move in table.legal())


def test_with_24_cards_a_player_a_third_pinochle_scores_as_a_single() -> None:
    rules = TWO.with_options(players=3, deck="24-each")
    table = Table(rules, deal(rules, {1: "AS QS QS QS JD JD JD AH AH AH"}, upcard="KH"), 0)
    assert view_for(table.state, 0).sizes == (12, 12, 12)
    assert view_for(table.state, 0).stock == 72 - 36 - 1
    win_trick(table, "AS").do("meld QS QS JD JD")
    win_trick(table, "AH").do("meld QS JD")
    assert laid_melds(table) == [(1, "double pinochle", 300), (1, "pinochle", 40)]
    assert win_trick(table, "AH").refusal("meld QS QS JD JD") is Reason.DOUBLED_ALREADY


def test_later_views_list_the_exchange_and_draw_of_the_upcard() -> None:
    table = table_after_first_trick().do("meld 9H")
    swap = UpcardTaken(1, Card("KH"), Card("9H"), 1)
    for _ in range(2):
        for seat in (None, 0, 1):
            seen = view_for(table.state, seat)
            assert seen.taken[0] == swap
            assert seen.melds[0].after == 1
        table = play_stock(table)
    last = table.all(UpcardDrawn)[-1]
    assert view_for(table.state, 0).taken == (swap, UpcardTaken(last.seat, last.card, None, 12))
    assert view_for(table.state, 0).upcard is None


def test_a_view_lists_melded_cards_with_the_trick_they_left_in() -> None:
    table = table_after_first_trick().do("meld KH QH", "1: play QH")
    assert view_for(table.state, 0).lying == (
        MeldedCard(1, Card("KH"), since=1),
        MeldedCard(1, Card("QH"), since=1, until=1),
    )


def test_a_view_lists_only_the_own_draws_in_order() -> None:
    table = win_trick(table_after_first_trick(), "AH")
    assert list(map(str, view_for(table.state, 1).drawn)) == ["TS", "TD"]
    assert list(map(str, view_for(table.state, 0).drawn)) == ["TC", "TC"]
    assert view_for(table.state, None).drawn == ()


MELD_AFTER_STOCK = replace(TWO, melds=replace(TWO.melds, meld_after_stock=True))
"""reg.dorogaved.ru, Pinochle: after picking up the last two cards the winner may still meld."""


def play_until_upcard_is_drawn(table: Table) -> Table:
    """Play first cards until the stock and the upcard are drawn."""
    while table.state.deal.upcard is not None:
        play_first_card(table)
    return table


def test_with_meld_after_stock_the_winner_of_the_last_stock_trick_may_meld() -> None:
    table = play_until_upcard_is_drawn(two_handed_table(rules=MELD_AFTER_STOCK))
    held = {str(card) for card in table.state.hand(table.turn or 0)}
    suit = next(suit for suit in "SHDC" if {f"K{suit}", f"Q{suit}"} <= held)
    seat, laid = table.turn, len(laid_melds(table))
    table.do(f"meld K{suit} Q{suit}")
    assert len(laid_melds(table)) == laid + 1
    assert isinstance(table.state.phase, Playing)
    assert table.turn == seat
    assert all(move.startswith("play") for move in table.legal())


def test_with_meld_after_stock_the_winner_may_lead_without_melding() -> None:
    table = play_until_upcard_is_drawn(two_handed_table(rules=MELD_AFTER_STOCK))
    assert view_for(table.state, None).kind is DecisionKind.PLAY
    lead = next(move for move in table.legal() if move.startswith("play"))
    table.do(lead)
    assert isinstance(table.state.phase, Playing)
    assert len(table.state.phase.cards) == 1
    suit, held = lead[-1], table.state.hand(table.turn or 0)
    if any(card.suit.letter == suit for card in held):
        assert all(move.endswith(suit) for move in table.legal())


def table_with_nines_drawn_last(rules: Rules) -> Table:
    """Return a table after all draws, where the winner of the last trick drew a nine of trumps."""
    first = deal(rules, {1: MINE.replace("9H 9H", "KC QC"), 0: YOURS}, upcard="KH")
    stock = tuple(sorted(first.stock, key=lambda card: card == Card("9H")))
    return play_until_upcard_is_drawn(Table(rules, replace(first, stock=stock), 0))


def test_a_nine_laid_after_the_stock_scores_without_an_exchange() -> None:
    table = table_with_nines_drawn_last(MELD_AFTER_STOCK).do("meld 9H")
    assert [row[1:] for row in laid_melds(table)] == [("dix", 10)]
    assert not table.all(UpcardExchanged)
    assert isinstance(table.state.phase, Playing)


def test_with_meld_after_stock_unbroken_trump_may_not_be_led() -> None:
    strict = replace(
        MELD_AFTER_STOCK, play=replace(MELD_AFTER_STOCK.play, trump_must_be_broken=True)
    )
    table = play_until_upcard_is_drawn(two_handed_table(rules=strict))
    held = table.state.hand(table.turn or 0)
    assert any(card.suit is not table.state.deal.trump for card in held)
    assert not [move for move in table.legal() if move.startswith("play") and move.endswith("H")]
    assert view_for(table.state, table.turn).broken is False


NINE_TURNED_UP = replace(TWO, melds=replace(TWO.melds, nine_turned_up=10))
"""pokerwiner.com, Pinocle: if dealer turns up a dis as the trump card he scores 10 points."""


def test_with_nine_turned_up_the_dealer_scores_for_a_nine_as_upcard() -> None:
    table = two_handed_table(mine=MINE.replace("9H 9H", "9H KC"), rules=NINE_TURNED_UP, upcard="9H")
    (event,) = table.all(NineTurned)
    assert (event.seat, event.meld.name, event.meld.points) == (0, "dix", 10)
    assert view_for(table.state, 1).melds == (ShownMelds(0, (event.meld,), 10),)
    assert tally(table.state).meld == (10, 0)
    assert table.play_out(first_card).score.meld == (10, 0)


def test_with_nine_turned_up_another_nine_is_still_exchanged() -> None:
    table = win_trick(
        two_handed_table(mine=MINE.replace("9H 9H", "9H KC"), rules=NINE_TURNED_UP, upcard="9H"),
        "AS",
    )
    table.do("meld 9H")
    assert len(table.all(UpcardExchanged)) == 1
    assert tally(table.state).meld == (10, 10)


def test_with_nine_turned_up_other_upcards_score_nothing() -> None:
    table = two_handed_table(rules=NINE_TURNED_UP)
    assert not table.all(NineTurned)
    assert tally(table.state).meld == (0, 0)


NINE_BESIDE = replace(TWO, melds=replace(TWO.melds, nine_beside=True))
"""pokerwiner.com, Pinocle: he may count the dis and make another meld at the same time."""


def test_with_nine_beside_another_meld_may_follow_a_nine() -> None:
    table = win_trick(two_handed_table(rules=NINE_BESIDE), "AS").do(
        "meld 9H", "meld 9H", "meld KH QH"
    )
    assert laid_melds(table) == [(1, "dix", 10), (1, "dix", 10), (1, "royal marriage", 40)]
    assert len(table.all(UpcardExchanged)) == 1
    assert all(move.startswith("play") for move in table.legal())
    assert table.turn == 1


def test_with_nine_beside_the_card_received_may_be_melded_at_once() -> None:
    table = win_trick(two_handed_table(mine=MINE.replace("KH", "KD"), rules=NINE_BESIDE), "AS")
    assert laid_melds(table.do("meld 9H", "meld KH QH"))[-1] == (1, "royal marriage", 40)


def test_with_nine_beside_a_nine_may_not_follow_another_meld() -> None:
    table = win_trick(two_handed_table(rules=NINE_BESIDE), "AS").do("meld KH QH")
    assert table.refusal("meld 9H") is Reason.NO_MELD_NOW
    assert (
        win_trick(two_handed_table(rules=NINE_BESIDE), "AS").do("meld 9H", "1: play KC").turn == 0
    )


def test_with_nine_beside_another_meld_may_follow_a_nine_after_the_stock() -> None:
    rules = replace(TWO, melds=replace(TWO.melds, nine_beside=True, meld_after_stock=True))
    table = table_with_nines_drawn_last(rules).do("meld 9H")
    assert isinstance(table.state.phase, StockPlaying)
    assert table.state.phase.may_meld
    play_first_card(table)
    assert isinstance(table.state.phase, Playing)


def test_with_meld_before_draw_cards_are_drawn_after_the_meld() -> None:
    table = table_before_draw()
    assert (table.turn, table.kind) == (1, DecisionKind.PLAY)
    assert not table.all(Drew)
    assert not [move for move in table.legal() if move.startswith("play")]
    table.do("meld KH QH")
    assert laid_melds(table) == [(1, "royal marriage", 40)]
    assert [event.seat for event in table.all(Drew)] == [1, 0]
    assert table.turn == 1
    assert all(move.startswith("play") for move in table.legal())


def test_with_meld_before_draw_cards_are_drawn_after_a_pass() -> None:
    table = table_before_draw().do("pass")
    assert [event.seat for event in table.all(Drew)] == [1, 0]
    assert table.do("1: play KC").turn == 0
    assert table_before_draw().refusal("play KC") is Reason.WRONG_KIND


def test_with_meld_before_draw_a_drawn_card_may_be_melded_after_the_next_trick() -> None:
    table = table_before_draw(mine=MINE.replace("QS", "QC"), stock="QS TC")
    assert table.refusal("meld QS JD") is Reason.NOT_HELD
    table.do("pass", "1: play AH", "0: play 9D", "meld QS JD")
    assert laid_melds(table) == [(1, "pinochle", 40)]


def test_with_meld_before_draw_a_winner_without_melds_passes_too() -> None:
    table = two_handed_table(
        mine="AS TS KS AC AH TH JH AD TD KD AC TC", rules=MELD_BEFORE_DRAW, stock="9H TS TD"
    )
    table.do("1: play AS", "0: play 9D")
    assert table.legal() == ["pass"]
    assert must_draw_first(view_for(table.state, 0))
    assert not must_draw_first(view_for(table.do("pass").state, 0))


def test_with_meld_before_draw_the_last_stock_trick_follows_meld_after_stock() -> None:
    """pokerwiner.com: who wins the twelfth trick may meld, and then draws the last card."""
    for rules in (
        MELD_BEFORE_DRAW,
        replace(MELD_BEFORE_DRAW, melds=replace(MELD_BEFORE_DRAW.melds, meld_after_stock=True)),
    ):
        table = two_handed_table(rules=rules)
        while len(table.all(TrickWon)) < 12:
            table.do("pass" if "pass" in table.legal() else table.legal()[0])
        assert isinstance(table.state.phase, StockPlaying) is rules.melds.meld_after_stock
        if rules.melds.meld_after_stock:
            assert table.state.deal.upcard is not None
            assert isinstance(table.do("pass").state.phase, Playing)


def test_with_meld_before_draw_another_meld_may_follow_a_nine_beside() -> None:
    both = replace(MELD_BEFORE_DRAW, melds=replace(MELD_BEFORE_DRAW.melds, nine_beside=True))
    table = table_before_draw(both).do("meld 9H")
    assert not table.all(Drew)
    table.do("meld KH QH")
    assert [row[1] for row in laid_melds(table)] == ["dix", "royal marriage"]
    assert len(table.all(Drew)) == 2
    assert len(table_before_draw(both).do("meld 9H", "pass").all(Drew)) == 2

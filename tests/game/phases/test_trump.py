"""Naming trump: legal suits, order of phases, a declarer without a marriage."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.errors import Reason
from acesaround.game.events import NoMarriage, TrumpNamed
from acesaround.game.state import DecisionKind
from acesaround.rules import Rules
from acesaround.rules.scoring import Outcome
from tests.scripted_games import Table, contract, deal

THREE, FIVE, PARTNERS = variants.THREE_HANDED, variants.FIVE_CARD, variants.PARTNERSHIP
DOUBLE, CLASSIC = variants.DOUBLE_DECK, variants.DOUBLE_DECK_CLASSIC
BOTH = pytest.mark.parametrize("rules", [DOUBLE, CLASSIC], ids=["double-deck", "classic"])
NO_MARRIAGE = "AS AS TS TS KS KS AH AH TH TH KH KH AD AD TD TD QD QD QC QC"
DOUBLE_ACES = "AS AS TS TS AH AH TH TH AD AD TD TD AC AC TC TC JS JH JC JC"


def declared_table(rules: Rules, mine: str = "", bid: int = 50, **others: str) -> Table:
    """Return a table where seat 1 declared with hand `mine`."""
    hands = {1: mine, **{int(seat[1:]): cards for seat, cards in others.items()}}
    return contract(rules, deal(rules, hands), 1, bid)


@BOTH
def test_double_deck_trump_must_be_a_suit_with_a_marriage(rules: Rules) -> None:
    mine = "AS AS TS TS KS KS AH AH TH TH KH QH AD AD TD TD KC QC JC AC"
    table = declared_table(rules, mine)
    assert (table.turn, table.kind) == (1, DecisionKind.TRUMP)
    assert set(table.legal()) == {"trump H", "trump C"}
    assert table.refusal("trump S") is Reason.NO_MARRIAGE
    assert table.refusal("trump D") is Reason.NO_MARRIAGE
    table.do("1: trump C")
    assert [str(event.suit) for event in table.all(TrumpNamed)] == ["C"]
    assert (table.turn, table.kind) == (1, DecisionKind.PLAY)


@BOTH
def test_without_marriage_needed_any_suit_may_be_named(rules: Rules) -> None:
    table = declared_table(rules.with_options(marriage_needed=False), NO_MARRIAGE)
    assert set(table.legal()) == {"trump S", "trump H", "trump D", "trump C"}


@pytest.mark.parametrize("rules", [PARTNERS, FIVE])
def test_partnership_and_five_card_any_suit_may_be_named(rules: Rules) -> None:
    table = declared_table(rules, "AS AS TS TS 9S", 250)
    assert table.kind is DecisionKind.TRUMP
    assert set(table.legal()) == {"trump S", "trump H", "trump D", "trump C"}


@pytest.mark.parametrize(
    ("rules", "following"),
    [
        (PARTNERS, DecisionKind.GIVE),
        (FIVE, DecisionKind.DISCARD),
        (variants.SEVEN_CARD, DecisionKind.DISCARD),
        (THREE.with_options(concede="never"), DecisionKind.PLAY),
        (DOUBLE.with_options(exchange=2), DecisionKind.GIVE),
    ],
)
def test_trump_is_named_after_the_bury_and_before_exchange_and_redraw(
    rules: Rules, following: DecisionKind
) -> None:
    table = declared_table(rules, "KS QS", 250)
    if table.kind is DecisionKind.BURY:
        table.do(table.legal()[0])
    assert table.kind is DecisionKind.TRUMP
    assert table.refusal("2: trump S") is Reason.NOT_YOUR_TURN
    for move in ("play KS", "give KS", "discard KS", "pass", "concede"):
        assert table.refusal(move) is Reason.WRONG_KIND
    assert table.do("1: trump S").kind is following


@BOTH
def test_a_declarer_without_a_marriage_is_set_at_once(rules: Rules) -> None:
    """The partner's marriages do not count; there is no trump and no play."""
    table = declared_table(rules.with_options(target=5000), NO_MARRIAGE, 55, _3="KH QH KD QD KD QD")
    assert [event.seat for event in table.all(NoMarriage)] == [1]
    assert table.score.outcome is Outcome.NO_MARRIAGE
    assert (table.score.trump, table.score.play) == (None, (0, 0))
    assert (table.score.declarer, table.score.bid) == (1, 55)
    assert table.score.change[1] == -55
    assert table.kind is DecisionKind.DEAL


# Kings around, queens around and seven marriages; the partner has double aces around.
SEVEN_MARRIAGES = "KS QS KH QH KD QD KC QC KH QH KD QD KC QC JS JS JH JH JC JC"


def test_double_deck_without_a_marriage_the_defenders_score_their_meld() -> None:
    """Kings 8, queens 6, seven marriages at the common value 14: no trump, no royal marriage."""
    table = declared_table(DOUBLE, NO_MARRIAGE, 55, _2=SEVEN_MARRIAGES, _0=DOUBLE_ACES)
    assert table.score.meld[0] == 8 + 6 + 14 + 100
    assert table.score.change == (128, -55)


def test_classic_without_a_marriage_the_defenders_score_nothing() -> None:
    table = declared_table(CLASSIC, NO_MARRIAGE, 55, _2=SEVEN_MARRIAGES, _0=DOUBLE_ACES)
    assert table.score.meld[0] == 128
    assert table.score.change == (0, -55)


def test_set_pays_defenders_applies_without_a_marriage() -> None:
    table = declared_table(
        DOUBLE.with_options(set_pays_defenders=True),
        NO_MARRIAGE,
        55,
        _2=SEVEN_MARRIAGES,
        _0=DOUBLE_ACES,
    )
    assert table.score.change == (128 + 55, 0)


def test_without_trump_a_run_counts_as_a_common_marriage() -> None:
    run = "AH TH KH QH JH JH AC AC AC AC TC TC TC TC JS JS JS JS JC JC"
    dry = "AS AS TS TS AH TH AD AD TD TD JC JC JH JH KC KC KC KC QD QD"
    table = declared_table(CLASSIC, NO_MARRIAGE, 55, _2=run, _0=dry)
    assert table.score.meld[0] == 2


def test_three_handed_marriage_needed_applies_after_the_bury() -> None:
    rules = THREE.with_options(marriage_needed=True)
    mine = "AS AS TS TS KS QS AH AH TH TH KH KH AD AD TD"
    first = deal(rules, {1: mine, 2: "KD QD KD QD QH JS JS"}, kitty="9S 9H 9D")
    table = contract(rules, first, 1, 250).do("bury KS 9H 9D")
    assert table.score.outcome is Outcome.NO_MARRIAGE
    assert table.score.change[1] == -250
    table = contract(rules, first, 1, 250).do("bury 9S 9H 9D")
    assert table.legal() == ["trump S"]


def test_five_card_marriage_needed_applies_before_the_discard() -> None:
    rules = FIVE.with_options(players=2, marriage_needed=True)
    first = deal(rules, {1: "KS QH AS AH 9C", 0: "KD QD 9C 9H 9H"})
    table = contract(rules, first, 1, 7)
    assert table.score.outcome is Outcome.NO_MARRIAGE
    assert table.score.change == (2, -7)

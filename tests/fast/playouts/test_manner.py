"""What each number of `PlayWeights` does to a choice: one small position for each."""

from __future__ import annotations

import pytest

from acesaround.heuristic_weights import ROLE_WEIGHTS_2026_11
from tests.fast.playouts.test_policy import choice

THEN = ROLE_WEIGHTS_2026_11.declaring
LOW = "QS JS 9S QC JC 9C QS JS 9S JC 9C"
LONG = "TH KH KH QH QH JH JH KS QD KC JD JC"  # others have both aces of trump


def played(held: str, trick: str = "", gone: str = "", **numbers: float) -> str:
    """What player 0, who declares, plays by the numbers of 2026-11 but for those."""
    return choice(held, trick, gone=gone, declarer=0, play=THEN._replace(**numbers))


def test_low_trumps_need_not_be_drawn_with() -> None:
    assert played(LONG)[1] == "H"
    assert played(LONG, draws_low=-4.0)[1] != "H"
    assert played("AH AH TH TH KH KH QH JH KS QD KC JD", draws_low=-4.0) == "AH"
    assert played(LONG, draws_low=-4.0, long_low=1.3)[1] == "H"  # seven to five that are out
    assert played(LONG, draws_low=-4.0, long_low=1.5)[1] != "H"


def test_the_more_trumps_are_out_the_more_it_is_worth_to_draw_them() -> None:
    assert played(LONG, draws=-4.0)[1] != "H"
    assert played(LONG, draws=-4.0, draws_out=1.0)[1] == "H"


def test_trumps_are_drawn_for_the_winners_that_are_left_then() -> None:
    held = "AH TH TH KH QH QH JH AS QD KC JD JC"
    assert played(held, draws=-1.0)[1] != "H"
    assert played(held, draws=-1.0, draws_winners=3.0)[1] == "H"


def test_who_is_not_long_keeps_the_trumps_that_nobody_beats() -> None:
    held = "AH KS QD KC JD JC 9C 9D"
    assert played(held, spends=-4.0) == "AH"
    assert played(held, spends=-4.0, spends_master=9.0) != "AH"


def test_plain_masters_are_led_for_what_they_are_worth() -> None:
    assert played("AS 9S KH QD", cashes=3.0) == "AS"
    assert played("AS 9S KH QD", cashes=-3.0) != "AS"


def test_counters_that_can_be_beaten_are_not_led() -> None:
    assert played("TS KD QH", spends=9.0) in ("TS", "KD")
    assert played("TS KD QH", opens=9.0, spends=2.0) == "QH"


def test_the_last_trump_is_kept() -> None:
    assert played("9H QD TD", "9S JS QS", spends=0.5)[1] == "H"  # must be played: it is the law
    assert played("9H TD", gone="AD AD TD KD KD", spends=-3.0) == "9H"
    assert played("9H TD", gone="AD AD TD KD KD", spends=-3.0, lone=9.0) == "TD"


def test_a_sure_winner_is_kept_from_the_partners_trick() -> None:
    assert played("AS 9S", "9S AS 9S") == "AS"
    assert played("AS 9S", "9S AS 9S", saves=1.0) == "9S"


def test_counting_trumps_are_kept() -> None:
    assert played("KH QH", "9H AH 9H") == "KH"
    assert played("KH QH", "9H AH 9H", trump_counter=2.0) == "QH"


def test_the_last_of_a_plain_suit_is_led_to_be_rid_of_it() -> None:
    held = "QH JC QD JD"
    assert played(held, voids=3.0, spends=9.0) == "JC"
    assert played(held, voids=-3.0, spends=9.0) in ("QD", "JD")


def test_what_is_in_hand_loses_its_worth_towards_the_end() -> None:
    assert played("AS 9S", "9S AS 9S", master=1.5) == "9S"
    assert played("AS 9S", "9S AS 9S", master=1.5, fade=1.5) == "AS"


def test_what_others_add_goes_by_the_counters_that_are_out() -> None:
    gone = "AS TS TS KS KS AD AD TD TD KD KD AC AC TC TC KC KC AH AH TH TH KH KH"
    assert played("AS JD", gone=gone) == "AS"
    assert played("AS JD", gone=gone, rich=6.0) == "JD"
    assert played("AS JD", rich=6.0) == "AS"


def test_a_trick_is_won_for_the_lead() -> None:
    assert played(f"AS {LOW}", master=5.0) != "AS"
    assert played(f"AS {LOW}", master=5.0, tempo=5.0) == "AS"


@pytest.mark.parametrize(("helper", "card"), [(3.0, "QS"), (0.0, "AD")])
def test_who_is_taken_to_have_trumps_is_feared_to_ruff(helper: float, card: str) -> None:
    """Player 1 declares, so that player 3 helps; all other diamonds are gone."""
    nobody = THEN._replace(trumps_declarer=0.0, trumps_other=0.0)
    gone = "AD TD TD KD KD QD QD JD JD 9D 9D"
    its = nobody._replace(trumps_helper=helper)
    assert choice("AD QS", gone=gone, declarer=1, play=its) == card

"""What each number of `PlayWeights` does to a choice, in one small position each."""

from __future__ import annotations

import pytest

from acesaround.heuristic_weights import ROLE_WEIGHTS_2026_11
from tests.fast.playouts.test_policy import choice

WEIGHTS_2026_11 = ROLE_WEIGHTS_2026_11.declaring
LOW_CARDS = "QS JS 9S QC JC 9C QS JS 9S JC 9C"
LONG_TRUMPS = "TH KH KH QH QH JH JH KS QD KC JD JC"  # others have both aces of trump


def played(held: str, trick: str = "", played_cards: str = "", **weights: float) -> str:
    """Return what player 0, who declares, plays by changed weights of 2026-11."""
    return choice(
        held, trick, played_cards=played_cards, declarer=0, play=WEIGHTS_2026_11._replace(**weights)
    )


def test_draws_low_decides_whether_low_trumps_draw_trumps() -> None:
    assert played(LONG_TRUMPS)[1] == "H"
    assert played(LONG_TRUMPS, low_trump_lead_bonus=-4.0)[1] != "H"
    assert played("AH AH TH TH KH KH QH JH KS QD KC JD", low_trump_lead_bonus=-4.0) == "AH"
    assert (
        played(LONG_TRUMPS, low_trump_lead_bonus=-4.0, low_lead_length_ratio=1.3)[1] == "H"
    )  # seven to five that are out
    assert played(LONG_TRUMPS, low_trump_lead_bonus=-4.0, low_lead_length_ratio=1.5)[1] != "H"


def test_draws_out_values_drawing_by_outstanding_trumps() -> None:
    assert played(LONG_TRUMPS, trump_lead_value=-4.0)[1] != "H"
    assert played(LONG_TRUMPS, trump_lead_value=-4.0, trump_out_lead_bonus=1.0)[1] == "H"


def test_draws_winners_values_drawing_by_remaining_winners() -> None:
    held = "AH TH TH KH QH QH JH AS QD KC JD JC"
    assert played(held, trump_lead_value=-1.0)[1] != "H"
    assert played(held, trump_lead_value=-1.0, winner_lead_bonus=3.0)[1] == "H"


def test_spends_master_keeps_unbeatable_trumps_in_a_short_holding() -> None:
    held = "AH KS QD KC JD JC 9C 9D"
    assert played(held, short_trump_lead_cost=-4.0) == "AH"
    assert played(held, short_trump_lead_cost=-4.0, master_trump_lead_cost=9.0) != "AH"


def test_cashes_values_leading_plain_masters() -> None:
    assert played("AS 9S KH QD", cash_value=3.0) == "AS"
    assert played("AS 9S KH QD", cash_value=-3.0) != "AS"


def test_opens_keeps_beatable_counters_from_being_led() -> None:
    assert played("TS KD QH", short_trump_lead_cost=9.0) in ("TS", "KD")
    assert played("TS KD QH", counter_lead_cost=9.0, short_trump_lead_cost=2.0) == "QH"


def test_lone_keeps_the_last_trump() -> None:
    assert (
        played("9H QD TD", "9S JS QS", short_trump_lead_cost=0.5)[1] == "H"
    )  # must be played: it is the law
    assert played("9H TD", played_cards="AD AD TD KD KD", short_trump_lead_cost=-3.0) == "9H"
    assert (
        played(
            "9H TD", played_cards="AD AD TD KD KD", short_trump_lead_cost=-3.0, last_trump_bonus=9.0
        )
        == "TD"
    )


def test_saves_keeps_a_sure_winner_from_the_partners_trick() -> None:
    assert played("AS 9S", "9S AS 9S") == "AS"
    assert played("AS 9S", "9S AS 9S", winner_keep_value=1.0) == "9S"


def test_trump_counter_keeps_trump_counters() -> None:
    assert played("KH QH", "9H AH 9H") == "KH"
    assert played("KH QH", "9H AH 9H", trump_counter=2.0) == "QH"


def test_voids_values_leading_the_last_card_of_a_plain_suit() -> None:
    held = "QH JC QD JD"
    assert played(held, void_value=3.0, short_trump_lead_cost=9.0) == "JC"
    assert played(held, void_value=-3.0, short_trump_lead_cost=9.0) in ("QD", "JD")


def test_fade_lowers_the_value_of_held_cards_towards_the_end() -> None:
    assert played("AS 9S", "9S AS 9S", master=1.5) == "9S"
    assert played("AS 9S", "9S AS 9S", master=1.5, hand_size_discount=1.5) == "AS"


def test_rich_counts_outstanding_counters() -> None:
    played_cards = "AS TS TS KS KS AD AD TD TD KD KD AC AC TC TC KC KC AH AH TH TH KH KH"
    assert played("AS JD", played_cards=played_cards) == "AS"
    assert played("AS JD", played_cards=played_cards, rich_hand_growth=6.0) == "JD"
    assert played("AS JD", rich_hand_growth=6.0) == "AS"


def test_tempo_values_winning_the_lead() -> None:
    assert played(f"AS {LOW_CARDS}", master=5.0) != "AS"
    assert played(f"AS {LOW_CARDS}", master=5.0, lead_value=5.0) == "AS"


@pytest.mark.parametrize(("helper", "card"), [(3.0, "QS"), (0.0, "AD")])
def test_trumps_helper_makes_the_helper_likely_to_ruff(helper: float, card: str) -> None:
    """Player 1 declares, so that player 3 helps. All other diamonds are gone."""
    no_trumps = WEIGHTS_2026_11._replace(declarer_trump_factor=0.0, other_trump_factor=0.0)
    played_cards = "AD TD TD KD KD QD QD JD JD 9D 9D"
    weights = no_trumps._replace(helper_trump_factor=helper)
    assert choice("AD QS", played_cards=played_cards, declarer=1, play=weights) == card

"""The convention card: it says what the bots do, in every game, in the docs and in a terminal."""

from __future__ import annotations

import pytest

from acesaround import variants
from acesaround.bots.call_meanings import has_conventions
from acesaround.bots.convention_card import convention_card, rules_with_convention_card
from acesaround.bots.heuristic.ace_signals import uses_ace_signals
from acesaround.bots.heuristic.bidding_conventions import PROMISES, BidMeaning
from tests.cli_runner import ROOT, ended, process


@pytest.mark.parametrize("variant", variants.VARIANTS)
def test_card_has_the_sections_of_its_game(variant: str) -> None:
    rules = variants.get(variant)
    card = convention_card(rules)
    assert ("## What a bid says" in card) == (rules.auction is not None)
    assert ("## What a card says" in card) == uses_ace_signals(rules)
    assert ("| first bid |" in card) == has_conventions(rules)
    assert rules_with_convention_card(rules).rstrip().endswith(card)
    natural = convention_card(rules, is_natural=True)
    assert "first bid" not in natural
    assert "What a card says" not in natural


def test_card_of_double_deck_has_the_numbers_of_the_conventions() -> None:
    card = convention_card(variants.get("double-deck"))
    assert f"| 52 | shows {PROMISES[BidMeaning.TWENTY].least_meld} meld or more" in card
    assert f"| 53 | shows {PROMISES[BidMeaning.THIRTY].least_meld} meld or more" in card
    assert "| 51 | shows aces around" in card


def test_docs_show_the_card_of_double_deck() -> None:
    page = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    assert page.endswith(f"{convention_card(variants.get('double-deck'))}\n")


def test_command_prints_the_card() -> None:
    status, out, _ = ended(process("rules", "double-deck", "--conventions", stdout=-1))
    assert status == 0
    assert out.decode().strip() == convention_card(variants.get("double-deck"))
    _, out, _ = ended(process("rules", "two-handed", "--conventions", stdout=-1))
    assert out.decode().strip().endswith("has no bids, and no conventions.")

"""Games by random rules: no card is lost, records replay, the rules page shows every value."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from acesaround import sheets
from acesaround.cards import unpack
from acesaround.errors import RulesError
from acesaround.game.state import Playing
from acesaround.record import Recorder, from_text, to_text, verify
from acesaround.record.replay import rules_of
from acesaround.rulebook import body
from acesaround.rulebook.meld import possible_melds
from acesaround.rules import AllPass, Phase, Rules, Tie, dealer_forced_bid, is_legal_height
from acesaround.sheets.diff import LABEL_FIELDS
from acesaround.sheets.fields import fields, values_of
from acesaround.variants import VARIANTS
from tests.random_games import turns
from tests.sheets.random_sheets import MELDS, changed, other, random_rules
from tests.test_game_properties import cards_in

_GATE_GAMES = 12
GAMES = [random_rules(random.Random(seed)) for seed in range(1000, 1040)]


@pytest.mark.parametrize("rules", GAMES, ids=range(len(GAMES)))
def test_random_rules_keep_all_cards_of_the_deck(rules: Rules) -> None:
    for turn in turns(rules, 5, deals=1):
        if turn.after.hands and any(turn.after.hands):
            assert cards_in(turn.after) == rules.deck.packed


@pytest.mark.parametrize(("hand", "most"), [(15, 0), (14, 1), (13, 2)])
def test_no_player_discards_more_cards_than_are_in_the_stock(hand: int, most: int) -> None:
    """The cards of the kitty are not in the stock. A hand that draws too few would end early."""
    values = {
        "base": "three-handed", "title": "x", "deal.stock": True, "deal.hand": [hand],
        "players": [3], "deal.packet": 1,
    }  # fmt: skip
    rules = sheets.draft(values, "x", VARIANTS).rules
    assert rules is not None
    assert (Phase.REDRAW in rules.phases, rules.max_redraw(3)) == (True, most)
    for seed in range(10):
        for turn in turns(rules, seed, deals=1):
            if isinstance(turn.after.phase, Playing) and not turn.after.phase.cards:
                assert len({len(unpack(held)) for held in turn.after.hands}) == 1


@pytest.mark.parametrize("rules", GAMES, ids=range(len(GAMES)))
def test_a_record_replays_without_the_sheet_of_its_rules(rules: Rules) -> None:
    recorder = Recorder(rules, ["a"] * rules.seats)
    for turn in turns(rules, 6, deals=2):
        recorder.add(turn.before, turn.decision.seat, turn.action, turn.events)
    again = from_text(to_text(recorder.record))
    assert verify(again) == []
    assert rules_of(again) == rules


def always(rules: Rules) -> bool:
    return True


def can_tie(rules: Rules) -> bool:
    """Return True if sides can tie at the target; two cannot if the declarer's goes first."""
    first = rules.auction is not None and rules.ending.declarer_first and len(rules.sides) == 2
    return rules.ending.hands is None and not first


def has_laid_melds(rules: Rules) -> bool:
    """Return True if melds are laid between tricks."""
    return Phase.STOCK_PLAY in rules.phases and bool(possible_melds(rules))


HAS_EFFECT: dict[str, Callable[[Rules], object]] = {
    "deal.all_asked": lambda rules: Phase.UPCARD in rules.phases,
    "deal.nine_must_take": lambda rules: Phase.UPCARD in rules.phases,
    "deal.hand_of_24_each": lambda rules: rules.deal.copies is None,
    "deal.copies": lambda rules: rules.deal.copies is not None,
    "auction.steps": lambda rules: rules.auction is not None and not rules.auction.raises,
    "auction.lowest_bid": lambda rules: rules.auction is not None,
    "auction.stuck_bid": lambda rules: (
        rules.auction is not None and rules.auction.all_pass is AllPass.DEALER
    ),
    "exchange.exchange": lambda rules: rules.has_partners and rules.auction,
    "melds.run_and_king": lambda rules: rules.hand_size > 5,
    "melds.run_and_queen": lambda rules: rules.hand_size > 5,
    "melds.run_and_marriage": lambda rules: rules.hand_size > 6,
    "melds.dix": lambda rules: rules.deal.nines,
    "melds.duplicate_runs_extra": lambda rules: rules.hand_size > 9 and len(rules.melds.run) > 1,
    "melds.double_roundhouse": lambda rules: rules.hand_size >= 16,
    "melds.defenders_meld": lambda rules: Phase.MELDING in rules.phases,
    "melds.meld_from_hand": lambda rules: Phase.STOCK_PLAY in rules.phases,
    "melds.meld_before_draw": has_laid_melds,
    "melds.meld_after_stock": has_laid_melds,
    "melds.nine_beside": lambda rules: (
        Phase.STOCK_PLAY in rules.phases and "dix" in possible_melds(rules)
    ),
    "melds.nine_turned_up": lambda rules: Phase.STOCK_PLAY in rules.phases and rules.deal.nines,
    "melds.grown_scores_whole": lambda rules: (
        Phase.STOCK_PLAY in rules.phases and rules.melds.run[0] and rules.melds.royal_marriage
    ),
    "scoring.nines_apart": lambda rules: rules.deal.nines and rules.melds.dix,
    "scoring.least_hand": lambda rules: rules.scoring.min_twenty,
    "scoring.no_marriage_pays": lambda rules: (
        rules.auction and rules.auction.marriage_needed and not rules.scoring.pays
    ),
    "scoring.concede": lambda rules: rules.auction,
    "scoring.set_pays_defenders": lambda rules: rules.auction and not rules.scoring.pays,
    "scoring.pays": lambda rules: rules.auction,
    "scoring.spades_pay": lambda rules: rules.scoring.pays,
    "scoring.set_pays": lambda rules: rules.scoring.pays,
    "ending.target": lambda rules: rules.ending.hands is None,
    "ending.declarer_first": lambda rules: rules.auction and rules.ending.hands is None,
    "ending.tie": can_tie,
    "ending.target_step": lambda rules: can_tie(rules) and rules.ending.tie is Tie.RAISE_TARGET,
}
"""For fields that have no effect in some games: the condition under which they have."""


@pytest.mark.parametrize(
    "rules",
    [
        *GAMES[:_GATE_GAMES],
        *(pytest.param(rules, marks=pytest.mark.soak) for rules in GAMES[_GATE_GAMES:]),
    ],
    ids=range(len(GAMES)),
)
def test_the_rules_page_changes_with_every_value_that_has_effect(rules: Rules) -> None:
    rng, page = random.Random(7), body(rules)
    for path in fields():
        if path in LABEL_FIELDS or not HAS_EFFECT.get(path, always)(rules):
            continue
        tried: list[Rules] = []
        for _ in range(6):
            value: Any = values_of(rules).get(path)
            try:
                # In a list the first value: a hand may be too small for the others.
                new: Any = (
                    (value[0] + 3, *value[1:]) if is_number_list(value) else other(rng, value)
                )
                if path == "auction.stuck_bid" and rules.auction is not None:
                    new = dealer_forced_bid(rules.auction) + 3
                if path == "melds.others":
                    new = value[1:] if value else MELDS[:1]
                changes = changed(rules, path, new)
            except (RulesError, msgspec.ValidationError, TypeError):
                continue
            if changes in (rules, *tried):
                continue
            tried.append(changes)
            if path != "auction.steps" or bids(changes) != bids(rules):
                assert body(changes) != page, (path, value, new)


def bids(rules: Rules) -> list[int]:
    """Return the legal bids below 1000 over the lowest bid; other steps have no effect."""
    auction = rules.auction
    assert auction is not None
    heights = range(auction.lowest_bid, auction.lowest_bid + 1000)
    return [bid for bid in heights if is_legal_height(auction, bid)]


def is_number_list(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and isinstance(value[0], int)

"""The themes of shipped positions, checked with conditions that are computed here."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from acesaround.actions import Bury, Give, Play
from acesaround.bots.search.hard_constraints import HardConstraints
from acesaround.cards import Card, Rank, pack
from acesaround.game.state import DecisionKind
from acesaround.game.view import View, is_strict_play
from acesaround.practice import Theme, shipped_positions, theme_of
from acesaround.practice.find_positions import errors_of_bots
from acesaround.practice.themes import ENDGAME_CARDS, possible_themes
from acesaround.rules.melds import find_melds, total_points


def positions_of(theme: Theme) -> Iterator[tuple[View, Card, list[Card]]]:
    """Yield the view, the best card and the cards of bots of the positions of a theme."""
    for position in shipped_positions():
        best = position.best.action
        if position.theme is theme and isinstance(best, Play):
            wrong = [
                action.card
                for action in errors_of_bots(position.choices)
                if isinstance(action, Play)
            ]
            yield position.replay()[0], best.card, wrong


def test_the_theme_of_decisions_before_the_play_is_their_kind() -> None:
    kinds = {
        Theme.BIDDING: {DecisionKind.BID},
        Theme.TRUMP: {DecisionKind.TRUMP},
        Theme.PASSING: {DecisionKind.GIVE},
        Theme.BURYING: {DecisionKind.BURY},
        Theme.SAVING_MELD: {DecisionKind.GIVE, DecisionKind.BURY, DecisionKind.PLAY},
    }
    for position in shipped_positions():
        kind = position.replay()[1].kind
        assert kind in kinds.get(position.theme, {DecisionKind.PLAY}), position.id


def test_possible_themes_hold_the_theme() -> None:
    for position in shipped_positions():
        view, decision = position.replay()
        assert position.theme in possible_themes(view, decision.kind), position.id


def test_a_smear_puts_a_counter_on_a_trick_of_the_partner() -> None:
    for view, best, wrong in positions_of(Theme.SMEARING):
        trick = HardConstraints(view).trick_after(best)
        assert trick.is_ours
        assert not trick.is_own_card_winning
        assert best.rank <= Rank.KING
        assert any(card.rank > Rank.KING for card in wrong)


def test_a_force_leads_a_suit_that_an_opponent_has_not() -> None:
    for view, best, _ in positions_of(Theme.FORCING):
        knowledge = HardConstraints(view)
        assert not view.trick
        assert best.suit is not view.trump
        assert any(
            not knowledge.may_hold(seat, best.suit) and knowledge.may_hold(seat, knowledge.trump)
            for seat in knowledge.high
            if not knowledge.is_partner(seat)
        )


def test_counting_finds_a_card_that_became_high_or_trumps_that_are_gone() -> None:
    for view, best, _ in positions_of(Theme.COUNTING):
        knowledge = HardConstraints(view)
        if view.rules.deal.stock:
            continue  # what lies in the stock counts as unseen there, and as in a hand here
        assert knowledge.is_highest(best)
        assert best.rank > Rank.ACE or not knowledge.may_others_hold(knowledge.trump)


def test_the_endgame_has_few_cards() -> None:
    for view, _, _ in positions_of(Theme.ENDGAME):
        assert len(view.hand) <= ENDGAME_CARDS
        assert is_strict_play(view)


def test_saved_meld_stays_in_the_hand() -> None:
    for position in shipped_positions():
        view, _ = position.replay()
        best = position.best.action
        if position.theme is not Theme.SAVING_MELD or not isinstance(best, Give | Bury):
            continue
        for action in errors_of_bots(position.choices):
            assert isinstance(action, Give | Bury)
            assert meld_without(view, best) > meld_without(view, action)


def meld_without(view: View, action: Give | Bury) -> int:
    assert view.trump is not None
    rest = list(view.hand)
    for card in action.cards:
        rest.remove(card)
    return total_points(find_melds(view.rules.melds, pack(rest), view.trump))


@pytest.mark.parametrize("theme", [Theme.PASSING, Theme.BURYING])
def test_the_theme_depends_on_what_was_done_wrong(theme: Theme) -> None:
    position = next(one for one in shipped_positions() if one.theme is theme)
    view, decision = position.replay()
    best = position.best.action
    assert theme_of(view, decision.kind, best, [best]) is theme

"""The positions that ship with the package: number, themes, variants, and that they are clear."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from acesaround import variants
from acesaround.bots.search import SearchBot
from acesaround.game.view import View
from acesaround.practice import (
    MARGIN,
    PracticePosition,
    find_position,
    read_position,
    shipped_positions,
    theme_of,
    write_position,
)
from acesaround.practice.find_positions import BOTS, MAX_CHOICES, SHIPPED_THEMES, errors_of_bots
from acesaround.practice.library import POSITIONS_FILE
from acesaround.rules.feature_support import Feature, why_unsupported

SEARCHED_VARIANTS = {
    name
    for name, rules in variants.VARIANTS.items()
    if why_unsupported(rules, Feature.SEARCH) is None
}


def test_there_are_positions_of_every_theme_and_variant() -> None:
    positions = shipped_positions()
    themes = Counter(position.theme for position in positions)
    assert len(positions) >= 200
    assert set(themes) == set(SHIPPED_THEMES)
    assert min(themes.values()) >= 4, themes
    assert {position.variant for position in positions} == SEARCHED_VARIANTS
    assert POSITIONS_FILE.stat().st_size < 300_000


def test_no_two_positions_are_alike() -> None:
    positions = shipped_positions()
    assert len({(position.variant, position.deal) for position in positions}) == len(positions)
    assert all(find_position(position.id) is position for position in positions)


def test_every_position_replays_and_offers_legal_choices() -> None:
    for position in shipped_positions():
        view, decision = position.replay()
        assert view.rules.variant == position.variant
        assert not decision.is_forced
        assert all(choice.action in decision.legal for choice in position.choices), position.id
        theme = theme_of(
            view, decision.kind, position.best.action, errors_of_bots(position.choices)
        )
        assert theme is position.theme, position.id


def test_the_best_choice_leads_and_a_common_bot_goes_wrong() -> None:
    for position in shipped_positions():
        right = [choice for choice in position.choices if choice.is_right]
        wrong = [choice for choice in position.choices if not choice.is_right]
        assert position.best in right
        assert set(errors_of_bots(position.choices)) <= {choice.action for choice in wrong}
        assert errors_of_bots(position.choices), position.id
        assert {name for choice in position.choices for name in choice.bots} <= set(BOTS)
        assert len(right) <= max(1, len(position.choices) // 2)
        for choice in wrong:
            first, second = choice.samples
            assert min(first.lost, second.lost) >= MARGIN, position.id
            assert first.is_clearly_worse, position.id
            assert second.is_clearly_worse, position.id
        for choice in right:
            assert max(sample.lost for sample in choice.samples) <= MARGIN / 2, position.id
        assert position.reason


def test_positions_are_written_as_they_were_read() -> None:
    lines = POSITIONS_FILE.read_bytes().splitlines()
    for line in (lines[0], lines[-1], *random.Random(1).sample(lines, 20)):
        assert write_position(read_position(line)) == line


def test_few_choices_are_offered_but_for_cards() -> None:
    for position in shipped_positions():
        view, _ = position.replay()
        most = MAX_CHOICES if view.kind != "play" else len(set(view.hand)) + 1
        assert 2 <= len(position.choices) <= most, position.id


def best_choice_now(position: PracticePosition, view: View, seconds: float) -> bool:
    """Return whether a new search finds each offered wrong choice worse than the best one."""
    decision = position.replay()[1]
    actions = tuple([choice.action for choice in position.choices])
    bot = SearchBot(random.Random(f"again {position.id}"), time=seconds)
    result = bot.search(view, decision, records_statistics=True, also_try=actions)
    chances = {one.action: one.win_probability for one in result.evaluated_actions}
    best = chances[position.best.action]
    return all(chances[choice.action] < best for choice in position.choices if not choice.is_right)


@pytest.mark.soak
def test_a_new_search_agrees() -> None:
    sample = random.Random(7).sample(shipped_positions(), 40)
    agreed = [best_choice_now(one, one.replay()[0], 0.4) for one in sample]
    assert sum(agreed) >= 38


def test_a_new_search_agrees_with_some_positions() -> None:
    sample = random.Random(11).sample(shipped_positions(), 4)
    assert [best_choice_now(one, one.replay()[0], 0.1) for one in sample] == [True] * 4

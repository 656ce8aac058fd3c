"""Positions in which each decision is one number."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from acesaround import variants
from acesaround.actions import Deal, LazyActions
from acesaround.envs import ActionCodec, Position
from acesaround.legal_bids import Bids
from tests.envs.positions import GAMES, play_randomly, rules_of


def whole_actions(position: Position) -> set[str]:
    """The actions that some sequence of legal numbers leads to."""
    found, waiting = set(), [position]
    while waiting:
        here = waiting.pop()
        for number in here.legal:
            following = here.apply(number)
            if following.steps[len(position.steps) :]:
                found.add(str(following.steps[-1].action))
            elif following.game is position.game:
                waiting.append(following)
            else:  # the action has ended the deal
                found.add(str(following.steps[-1].action))
    return found


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_legal_ids_spell_exactly_the_legal_actions(game: tuple[str, int]) -> None:
    rng = random.Random(f"{game} spelled")
    seen_kinds = set()
    for position in play_randomly(rules_of(game), rng):
        if position.is_over or position.chosen or position.is_laying:
            continue
        legal = position.decision.legal
        if isinstance(legal, LazyActions) or len(legal) > 900:
            continue
        seen_kinds.add(position.decision.kind)
        assert whole_actions(position) == set(map(str, legal))
    assert seen_kinds


def test_bids_above_the_highest_number_are_not_legal() -> None:
    rules = variants.get("partnership")
    position = Position.new(ActionCodec(rules, max_bids=3)).deal(random.Random(1))
    assert isinstance(position.decision.legal, Bids)
    for bids in (["bid 250", "bid 260"], ["bid 270"], []):
        assert [position.codec.name(number) for number in position.legal] == ["pass", *bids]
        if bids:
            position = position.apply(position.legal[-1])


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_cards_are_dealt_one_by_one_as_a_shuffled_deck(game: tuple[str, int]) -> None:
    rules, rng = rules_of(game), random.Random(3)
    deck = [int(card) for card in rules.deck.cards]
    rng.shuffle(deck)
    position = Position.new(ActionCodec(rules))
    for dealt, kind in enumerate(deck):
        outcomes = position.chance_outcomes()
        left = Counter(deck[dealt:])
        assert outcomes == [(one, left[one] / left.total()) for one in sorted(left)]
        assert position.is_chance
        assert position.legal == ()
        assert position.seat is None
        position = position.apply(kind)
    assert not position.is_chance
    assert isinstance(position.steps[0].action, Deal)
    again = Position.new(position.codec)
    for kind in position.numbers_of_deal():
        again = again.apply(kind)
    assert again.game == position.game


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_numbers_of_a_deal_lead_to_the_same_position(game: tuple[str, int]) -> None:
    rules, rng = rules_of(game), random.Random(f"{game} again")
    positions = [position for position in play_randomly(rules, rng) if not position.is_over]
    for position in rng.sample(positions, 3):
        again = Position.new(position.codec, dealer=position.steps[0].state.dealer)
        for number in position.numbers_of_deal():
            again = again.apply(number)
        assert (again.game, again.chosen, again.is_laying) == (
            position.game, position.chosen, position.is_laying,
        )  # fmt: skip


def test_a_card_that_is_not_left_is_not_dealt() -> None:
    position = Position.new(ActionCodec(variants.get("partnership")))
    position = position.apply(0).apply(0)
    for kind in (0, -1, 24):
        with pytest.raises(ValueError, match=f"no card of the kind {kind} is left"):
            position.apply(kind)


def test_an_illegal_number_changes_nothing() -> None:
    position = Position.new(ActionCodec(variants.get("partnership"))).deal(random.Random(1))
    before = position.game, position.legal, position.steps
    with pytest.raises(ValueError, match="8 is not legal here: expected one of "):
        position.apply(8)
    assert (position.game, position.legal, position.steps) == before


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_returns_add_up_to_nothing(game: tuple[str, int]) -> None:
    *_, last = play_randomly(rules_of(game), random.Random(2), deals=2)
    assert last.is_over
    assert sum(last.returns()) == pytest.approx(0)
    assert any(last.returns())


def test_a_game_has_as_many_deals_as_wanted() -> None:
    for deals in (0, 101):
        with pytest.raises(ValueError, match="a game has 1 to 100 deals"):
            Position.new(ActionCodec(variants.get("partnership")), deals=deals)
    *_, last = play_randomly(variants.get("three-handed"), random.Random(5), deals=3)
    assert last.game.deals == 3


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_only_the_chooser_knows_cards_that_are_being_chosen(game: tuple[str, int]) -> None:
    for position in play_randomly(rules_of(game), random.Random(4)):
        if position.chosen:
            for seat in position.game.players:
                text = position.information_state(seat)
                assert ("choosing" in text) == (seat == position.seat)

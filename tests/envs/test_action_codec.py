"""Actions as numbers."""

from __future__ import annotations

import random

import pytest

from acesaround import variants
from acesaround.actions import Bid, Bury, Deal, Discard, Give, LayMeld, Pass, Play
from acesaround.cards import Card, Suit
from acesaround.envs import ActionCodec
from acesaround.envs.action_codec import CONCEDE_ID, DONE, FIRST_BID, LAY, PASS_ID
from acesaround.game import DecisionKind
from tests.envs.positions import GAMES, play_randomly, rules_of


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_number_has_a_name_of_its_own(game: tuple[str, int]) -> None:
    codec = ActionCodec(rules_of(game))
    names = [codec.name(number) for number in range(codec.action_count)]
    assert len(set(names)) == codec.action_count
    with pytest.raises(IndexError, match=f"there is no action {codec.action_count}"):
        codec.name(codec.action_count)


def test_names_say_what_a_number_stands_for() -> None:
    codec = ActionCodec(variants.get("partnership"))
    assert [codec.name(number) for number in range(4)] == ["pass", "done", "concede", "lay a meld"]
    assert codec.name(4 + Suit("hearts")) == "trump H"
    assert codec.name(8 + Card("QS")) == "card QS"
    assert codec.name(FIRST_BID) == "bid 250"


@pytest.mark.parametrize(
    ("action", "kind", "numbers"),
    [
        (Pass(), DecisionKind.BID, [PASS_ID]),
        (Bid(270), DecisionKind.BID, [FIRST_BID + 2]),
        (Play(Card("AS")), DecisionKind.PLAY, [8]),
        (Give(cards("AS AS QS JD")), DecisionKind.GIVE, [8, 8, 11, 24]),
        (Bury(cards("9C AS")), DecisionKind.BURY, [8, 31]),
        (Discard(()), DecisionKind.DISCARD, [DONE]),
        (Discard(cards("9S")), DecisionKind.UPCARD, [13, DONE]),
        (LayMeld(cards("KH QH")), DecisionKind.PLAY, [LAY, 16, 17, DONE]),
    ],
)
def test_actions_become_numbers_and_back(
    action: Play, kind: DecisionKind, numbers: list[int]
) -> None:
    codec = ActionCodec(variants.get("partnership"))
    assert list(codec.encode(action)) == numbers
    assert codec.decode(numbers, kind) == action


def test_what_has_no_number_is_refused() -> None:
    codec = ActionCodec(variants.get("partnership"), max_bids=3)
    assert codec.bids == (250, 260, 270)
    for action in (Bid(280), Deal(())):
        with pytest.raises(ValueError, match="has no number"):
            codec.encode(action)
    for numbers in ([], [99], [8, 9]):
        with pytest.raises(ValueError, match="is no action of the kind play"):
            codec.decode(numbers, DecisionKind.PLAY)
    with pytest.raises(ValueError, match=f"{CONCEDE_ID} is no card"):
        codec.decode([CONCEDE_ID], DecisionKind.GIVE)


def test_bids_by_fixed_raises_are_numbered_where_they_can_be_reached() -> None:
    rules = next(
        rules
        for rules in variants.VARIANTS.values()
        if rules.auction is not None and rules.auction.raises
    )
    bids = ActionCodec(rules, max_bids=20).bids
    assert len(bids) == 20
    assert list(bids) == sorted(set(bids))
    assert rules.auction is not None
    assert bids[0] == rules.auction.lowest_bid


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_every_action_of_a_random_game_has_numbers(game: tuple[str, int]) -> None:
    *_, last = play_randomly(rules_of(game), random.Random(1))
    for step in last.steps[1:]:
        kind = next(kind for kind in DecisionKind if _is_of_kind(last.codec, step.action, kind))
        assert last.codec.decode(last.codec.encode(step.action), kind) == step.action


def _is_of_kind(codec: ActionCodec, action: object, kind: DecisionKind) -> bool:
    try:
        return codec.decode(codec.encode(action), kind) == action  # type: ignore[arg-type]
    except ValueError:
        return False

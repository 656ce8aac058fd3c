"""Actions, sets of legal actions, and the refusal of objects that are no actions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from typing import Any

import pytest
from msgspec.structs import replace

from acesaround import game, variants
from acesaround.actions import (
    CONCEDE,
    MAX_BID,
    PASS,
    Bid,
    Bury,
    Concede,
    Deal,
    Discard,
    Give,
    LayMeld,
    LazyActions,
    NameTrump,
    Pass,
    Play,
    SizedActions,
    describe,
)
from acesaround.cards import CARDS, Card, Suit
from acesaround.errors import AcesAroundError, IllegalAction, Reason, UnlistedError
from acesaround.game.state import DecisionKind, GameState
from tests.random_games import turns


def state_with(variant: str, kind: DecisionKind) -> GameState:
    """Return a state with a decision of that kind."""
    for turn in turns(variants.VARIANTS[variant], 4, deals=3):
        if turn.decision.kind is kind:
            return turn.before
    raise AssertionError


EVERY_KIND = (
    ("three-handed", DecisionKind.DEAL),
    ("three-handed", DecisionKind.BID),
    ("partnership", DecisionKind.BID),
    ("three-handed", DecisionKind.BURY),
    ("double-deck", DecisionKind.TRUMP),
    ("partnership", DecisionKind.GIVE),
    ("five-card", DecisionKind.DISCARD),
    ("partnership", DecisionKind.PLAY),
    ("two-handed", DecisionKind.PLAY),
)


# Sets of actions


@pytest.mark.parametrize("kind", [DecisionKind.BID, DecisionKind.DEAL])
def test_lazy_actions_cannot_be_listed_and_name_sample(
    kind: DecisionKind,
) -> None:
    legal = game.decision(state_with("three-handed", kind)).legal
    assert isinstance(legal, LazyActions)
    assert not isinstance(legal, Sequence)
    assert legal
    untyped: Any = legal
    for tried in (random.choice, list, len, tuple):
        with pytest.raises(UnlistedError, match=r"decision\.legal\.sample\(rng\)"):
            tried(untyped)
    with pytest.raises(TypeError):
        untyped[0]
    few = list(itertools.islice(legal, 20))
    assert len({str(action) for action in few}) == 20
    assert all(action in legal for action in few)


@pytest.mark.parametrize(("variant", "kind"), EVERY_KIND)
def test_sample_returns_legal_actions_by_seed(variant: str, kind: DecisionKind) -> None:
    state = state_with(variant, kind)
    legal = game.decision(state).legal
    rng = random.Random(5)
    drawn = [legal.sample(rng) for _ in range(60)]
    assert all(action in legal for action in drawn)
    for action in drawn[:5]:
        game.apply(state, action)
    again = random.Random(5)
    assert [legal.sample(again) for _ in range(60)] == drawn
    if isinstance(legal, SizedActions):
        assert random.Random(3).choice(legal) in legal
        assert legal[0] in legal
        assert len(legal) == len({describe(action) for action in legal})
        if len(legal) < 10:
            assert {describe(action) for action in drawn} == {describe(action) for action in legal}


# Values that are not actions


class Hostile:
    """An object that raises on every use."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    def __repr__(self) -> str:
        raise RuntimeError("no")

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("no")

    @property  # type: ignore[misc]  # what a proxy does
    def __class__(self) -> Any:
        raise RuntimeError("no")


class MyBid(Bid, frozen=True):
    """A subclass of an action."""


class MyCard(Card):
    """A subclass of a card."""


class Points(int):
    """A subclass of int."""


def non_actions() -> Iterator[Any]:
    """Yield objects that are not actions."""
    yield from (None, 0, True, "pass", b"pass", [], {}, set(), object(), Bid, Hostile(), lambda: 1)
    yield from (("bid", 250), [0, "bid", 250], float("nan"), 10**5000, Card("AS"), Suit.H)
    yield MyBid(260)
    for points in (250.0, "250", None, True, False, MAX_BID + 1, 10**5000, [250]):
        yield Bid(points)  # type: ignore[arg-type]
    yield from (Bid(float("nan")), Bid(float("inf")), Bid(2 + 0j), Bid(Points(250)))  # type: ignore[arg-type]
    yield from (Bid(Hostile()), Bid(Bid(250)))  # type: ignore[arg-type]
    suits: list[Any] = [0, 3, 4, -1, "H", None, True, [], Hostile(), int.__new__(Suit, 7)]
    yield from map(NameTrump, suits)
    non_cards: list[Any] = [0, 5, 23, 24, -1, True, "AS", None, [], 1.0, Hostile(), Suit.H]
    non_cards += [
        int.__new__(Card, 99),
        int.__new__(Card, -1),
        int.__new__(MyCard, 3),
        b"AS",
        {"a": 1},
    ]
    for card in non_cards:
        yield Play(card)
        for kind in (Bury, Give, Discard, LayMeld):
            yield kind((card,))
            yield kind((Card("AS"), card, Card("9D")))
    for cards in (None, 3, "AS", True, object(), Hostile()):
        for kind in (Bury, Give, Discard, LayMeld):
            yield kind(cards)  # type: ignore[arg-type]


def invalid_deals(valid: Deal) -> Iterator[Any]:
    """Yield deals with one invalid part."""
    first, *others = valid.hands
    non_cards: list[Any] = [0, 99, "AS", None, [], True, Hostile(), int.__new__(Card, 99)]
    for card in non_cards:
        yield replace(valid, hands=((card, *first[1:]), *others))
        yield replace(valid, kitty=(card,) * 3)
        if card is not None:
            yield replace(valid, upcard=card)
        yield replace(valid, stock=(card,))
    for hands in (None, 5, "AS", [], list(valid.hands), (None,) * 3, (list(first), *others)):
        yield replace(valid, hands=hands)
    for part in ("kitty", "stock"):
        for cards in (None, 5, "AS", list(valid.kitty), Hostile()):
            yield replace(valid, **{part: cards})


def refusal(state: GameState, action: Any) -> Reason:
    """Return the reason of the refusal; assert that the state is unchanged."""
    before = deepcopy(state)
    with pytest.raises(IllegalAction) as error:
        game.apply(state, action)
    assert state == before
    said = str(error.value)
    assert said.endswith(".")
    assert len(said) < 300
    assert isinstance(describe(action), str)
    return error.value.reason


@pytest.mark.parametrize(("variant", "kind"), EVERY_KIND)
def test_objects_that_are_no_actions_are_refused_and_in_no_set(
    variant: str, kind: DecisionKind
) -> None:
    state = state_with(variant, kind)
    legal = game.decision(state).legal
    for action in non_actions():
        assert action not in legal
        assert refusal(state, action) is Reason.NO_ACTION


def test_a_deal_of_anything_but_cards_is_refused() -> None:
    state = state_with("three-handed", DecisionKind.DEAL)
    legal = game.decision(state).legal
    valid = legal.sample(random.Random(1))
    assert isinstance(valid, Deal)
    for action in invalid_deals(valid):
        assert action not in legal
        assert refusal(state, action) is Reason.NO_ACTION
    game.apply(state, valid)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (lambda: Bid(250.0), "That is not an action: a bid is a whole number, not 250.0."),  # type: ignore[arg-type]
        (lambda: Bid("250"), "That is not an action: a bid is a whole number, not '250'."),  # type: ignore[arg-type]
        (lambda: Bid(True), "That is not an action: a bid is a whole number, not True."),
        (lambda: Bury(("AS",)), "That is not an action: 'AS' is not a card."),  # type: ignore[arg-type]
        (lambda: Play(3), "That is not an action: 3 is not a card."),  # type: ignore[arg-type]
        (lambda: NameTrump("H"), "That is not an action: 'H' is not a suit."),  # type: ignore[arg-type]
        (
            lambda: None,
            "That is not an action: None is none of Deal, Bid, Pass, NameTrump, Bury, Give, "
            "Discard, LayMeld, Play, Concede.",
        ),
    ],
)
def test_the_refusal_names_the_invalid_part(action: Callable[[], Any], said: str) -> None:
    with pytest.raises(IllegalAction) as error:
        game.apply(state_with("three-handed", DecisionKind.BID), action())
    assert str(error.value) == said
    assert isinstance(error.value, AcesAroundError)


def test_actions_ignore_the_order_and_container_of_cards() -> None:
    cards = [Card("9D"), Card("AS"), Card("KH")]
    assert Bury(tuple(cards)) == Bury(cards) == Bury(set(cards))  # type: ignore[arg-type]
    assert Bury(tuple(cards)).cards == (Card("AS"), Card("KH"), Card("9D"))


def test_describe_writes_actions_as_in_records() -> None:
    said = [describe(a) for a in (PASS, CONCEDE, Bid(250), Play(CARDS[0]), Pass(), Concede())]
    assert said == ["pass", "concede", "bid 250", "play AS", "pass", "concede"]


@pytest.mark.parametrize("dealer", [3, -1, None, "0", 1.0, True, 10**20])
def test_start_refuses_a_dealer_outside_the_seats(dealer: Any) -> None:
    with pytest.raises(IllegalAction, match="there is no seat"):
        game.start(variants.THREE_HANDED, dealer)

"""Games for tests: deals with given hands, and moves written as in records."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import TypeVar

import pytest
from msgspec.structs import replace

from acesaround import game
from acesaround.actions import (
    CONCEDE,
    PASS,
    Action,
    Bid,
    Bury,
    Deal,
    Discard,
    Give,
    LayMeld,
    NameTrump,
    Play,
)
from acesaround.cards import Card, Suit, pack, parse_cards
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import DealScored, Event
from acesaround.game.state import DecisionKind, GameState
from acesaround.rules import Rules
from acesaround.rules.melds import Meld
from acesaround.rules.scoring import DealScore

E = TypeVar("E", bound=Event)
Choose = Callable[[GameState, list[str]], str]


def hand(text: str) -> int:
    """Return the cards of a text as a packed hand."""
    return pack(parse_cards(text))


def priced(melds: tuple[Meld, ...]) -> list[tuple[str, int]]:
    """Return names and points of melds, sorted."""
    return sorted((meld.name, meld.points) for meld in melds)


def deal(
    rules: Rules,
    hands: Mapping[int, str],
    *,
    kitty: str = "",
    upcard: str | None = None,
    stock: str = "",
    players: tuple[int, ...] | None = None,
) -> Deal:
    """Return a deal with the given cards, filled up with the others, low cards first.

    Given cards come first in each place, so cards of `stock` are drawn first.
    """
    seats = tuple(range(rules.seats)) if players is None else players
    places = [list(parse_cards(hands.get(seat, ""))) for seat in range(rules.seats)]
    in_kitty, top = list(parse_cards(kitty)), list(parse_cards(stock))
    turned = None if upcard is None else Card(upcard)
    rest = list(rules.deck.cards)
    for card in [c for place in (*places, in_kitty, top) for c in place]:
        rest.remove(card)
    if turned is not None:
        rest.remove(turned)
    rest.sort(key=lambda card: (-card.rank, card.suit))
    for seat in seats:
        while len(places[seat]) < rules.hand_size:
            places[seat].append(rest.pop(0))
    while len(in_kitty) < rules.deal.kitty:
        in_kitty.append(rest.pop(0))
    if rules.deal.upcard and turned is None:
        turned = rest.pop(0)
    return Deal(
        hands=tuple(tuple(place) for place in places),
        kitty=tuple(in_kitty),
        stock=(*top, *rest),
        upcard=turned,
    )


def action(text: str) -> Action:
    """Return the action of a text as in records: `bid 250`, `play AH`, `bury 9C 9D JC`."""
    word, _, rest = text.partition(" ")
    match word:
        case "bid":
            return Bid(int(rest))
        case "pass":
            return PASS
        case "trump":
            return NameTrump(Suit(rest))
        case "bury":
            return Bury(parse_cards(rest))
        case "give":
            return Give(parse_cards(rest))
        case "discard":
            return Discard(parse_cards(rest))
        case "meld":
            return LayMeld(parse_cards(rest))
        case "play":
            return Play(Card(rest))
        case "concede":
            return CONCEDE
    raise AssertionError(f"no action: {text}")


class Table:
    """One game and its events. Moves may name the seat: `2: play AH`."""

    def __init__(self, rules: Rules, first: Deal | None = None, dealer: int = 0) -> None:
        self.state = game.start(rules, dealer)
        self.events: list[Event] = []
        if first is not None:
            self.take(first)

    def take(self, move: Action, seat: int | None = None) -> None:
        """Apply one action."""
        self.state, events = game.apply(self.state, move, seat)
        self.events.extend(events)

    def do(self, *moves: str) -> Table:
        """Apply moves in turn; a named seat must be the one on turn."""
        for move in moves:
            seat, colon, rest = move.partition(": ")
            self.take(action(rest if colon else move), int(seat) if colon else None)
        return self

    def refusal(self, move: str | Action) -> Reason:
        """Return the reason why a move is refused; assert that the state is unchanged."""
        before, copied = self.state, copy.deepcopy(self.state)
        seat = None
        if isinstance(move, str):
            named, colon, rest = move.partition(": ")
            seat = int(named) if colon else None
            move = action(rest if colon else move)
        with pytest.raises(IllegalAction) as refused:
            game.apply(self.state, move, seat)
        assert self.state is before
        assert before == copied
        assert str(refused.value)
        if seat is None and self.state.phase is not None:
            assert move not in game.decision(self.state).legal
        return refused.value.reason

    @property
    def turn(self) -> int | None:
        """The seat on turn."""
        return game.decision(self.state).seat

    @property
    def kind(self) -> DecisionKind:
        """The kind of the decision."""
        return game.decision(self.state).kind

    def legal(self) -> list[str]:
        """Return every legal action as text."""
        return [str(move) for move in game.decision(self.state).legal]

    def all(self, kind: type[E]) -> list[E]:
        """Return the events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def score(self) -> DealScore:
        """The score of the last finished deal."""
        return self.all(DealScored)[-1].score

    def totals(self, *scores: int) -> Table:
        """Set the totals of the sides."""
        self.state = replace(self.state, scores=scores)
        return self

    def play_out(self, choose: Choose = lambda _, legal: legal[0]) -> Table:
        """Play the first legal action, or that of `choose`, until the deal is over."""
        deals = self.state.deals
        while self.state.phase is not None and self.state.deals == deals:
            self.do(choose(self.state, self.legal()))
        return self


def contract(rules: Rules, first: Deal, declarer: int, bid: int) -> Table:
    """Return a table at which the declarer opened the bidding and all others passed."""
    table = Table(rules, first, (declarer - 1) % rules.seats)
    return table.do(f"{declarer}: bid {bid}", *["pass"] * (rules.seats - 1))

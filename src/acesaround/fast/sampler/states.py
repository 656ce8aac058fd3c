"""States of a game that a seat cannot tell from the present one, made from sampled worlds.

A world says which cards are where now. From there the deal is taken back event by event to its
first cards, and played again by the engine. Where another seat passed, buried, discarded or drew
cards unseen, it chooses some at random. The engine refuses what cannot have happened, and then the
next world is tried.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeAlias

from msgspec.structs import replace

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
from acesaround.cards import CARDS, Card
from acesaround.errors import IllegalAction, PositionError
from acesaround.fast.sampler.constraint_reader import read_constraints
from acesaround.fast.sampler.draw import Worlds
from acesaround.fast.sampler.sampler import Sampler
from acesaround.game import events as seen
from acesaround.game.engine import apply, decision
from acesaround.game.history import seen_events, table_cards
from acesaround.game.state import Dealing, DealState, DecisionKind, GameState
from acesaround.game.view import View, view_for

Apply: TypeAlias = Callable[[GameState, Action], tuple[GameState, tuple[seen.Event, ...]]]
"""A function with the arguments and the result of `game.apply`."""

WORLDS_PER_ROUND: Final = 16
ROUNDS_WITHOUT_STATE: Final = 8
"""The rounds of worlds after which it counts as certain that no state will be found."""


def sample_states(view: View, number: int, seed: int = 0) -> list[GameState]:
    """Return so many random states in which the seat of a view knows exactly what it knows now.

    The worlds are drawn with their probabilities; a world that the engine refuses is left out.
    Raises PositionError if no state is found, if the view is a spectator's, or if no deal is in
    progress, and RulesError for rules that the sampler does not support.
    """
    return list(islice(draw_states(view, random.Random(seed)), number))


def draw_states(view: View, rng: random.Random, apply: Apply = apply) -> Iterator[GameState]:
    """Yield random states without end, as `sample_states` returns them.

    `apply`: what applies the actions of a deal one after the other, in place of the engine.
    """
    if view.seat is None or view.kind is None or view.kind is DecisionKind.DEAL:
        raise PositionError("There are unseen cards only for a seat, and only during a deal.")
    sampler, events = Sampler(read_constraints(view)), seen_events(view)
    known = replace(view, claims=(), undone=())
    rounds_without_state = 0
    while rounds_without_state < ROUNDS_WITHOUT_STATE:
        rounds_without_state += 1
        worlds = sampler.draw(WORLDS_PER_ROUND, rng.getrandbits(32))
        for number in range(len(worlds.hands)):
            try:
                state = _PastDeal(view, events, worlds, number, rng).replay(apply)
            except (IllegalAction, _Contradiction):
                continue
            if view_for(state, view.seat) == known:
                rounds_without_state = 0
                yield state
    raise PositionError(f"No deal was found that agrees with what seat {view.seat} knows.")


class _Contradiction(Exception):  # noqa: N818 - it is caught here
    """The events cannot have happened in this world."""


class _PastDeal:
    """Takes a deal back to its first cards, in a world that a seat considers possible."""

    def __init__(
        self,
        view: View,
        events: Sequence[seen.Event],
        worlds: Worlds,
        number: int,
        rng: random.Random,
    ) -> None:
        self._view, self._events, self._rng = view, events, rng
        self._hands: list[Counter[Card]] = [Counter() for _ in range(view.rules.seats)]
        for player, rows in zip(view.players, worlds.hands[number].tolist(), strict=True):
            for row in rows:
                self._hands[player].update(card for card in CARDS if row >> card & 1)
        assert view.seat is not None
        self._hands[view.seat] = Counter(view.hand)
        self._rest = [CARDS[kind] for kind in worlds.rest[number].tolist()]
        self._drawn: list[Card] = []
        self._kitty: tuple[Card, ...] | None = None
        self._hidden_choices: dict[int, tuple[Card, ...]] = {}  # by number of the event
        self._discards: dict[int, tuple[Card, ...]] = {}

    def replay(self, apply: Apply) -> GameState:
        """Return the state with the cards of this world.

        Raises IllegalAction or _Contradiction if the events cannot have happened.
        """
        complete = sum(isinstance(event, seen.TrickWon) for event in self._events)
        for number in range(len(self._events) - 1, -1, -1):
            event = self._events[number]
            self._take_back(number, event, complete)
            complete -= isinstance(event, seen.TrickWon)
        state, number = self._state_before_deal(), 0
        while number < len(self._events):
            state, new_events = apply(state, self._action_at(number, state))
            for event in new_events:
                if self._events[number : number + 1] != [event.seen_by(self._view.seat)]:
                    raise _Contradiction
                number += 1
        return state

    def _state_before_deal(self) -> GameState:
        view = self._view
        return GameState(
            rules=view.rules,
            scores=view.scores,
            dealer=view.dealer,
            players=view.players,
            target=view.target,
            deals=view.deals,
            hands=(0,) * view.rules.seats,
            deal=DealState(),
            phase=Dealing(),
        )

    def _action_at(self, number: int, state: GameState) -> Action:
        """Return the action of the seat on turn that caused the event of that number."""
        match self._events[number]:
            case seen.Dealt(kitty=kitty, upcard=upcard):
                return self._first_deal(kitty, upcard)
            case seen.BidMade(_, points):
                return Bid(points)
            case seen.Passed():
                upcard_is_offered = decision(state).kind is DecisionKind.UPCARD
                return Discard(()) if upcard_is_offered else PASS
            case seen.Buried():
                return Bury(self._hidden_choices[number])
            case seen.TrumpNamed(_, suit):
                return NameTrump(suit)
            case seen.Given():
                return Give(self._hidden_choices[number])
            case seen.DiscardChosen():
                return Discard(self._hidden_choices[number])
            case seen.UpcardExchanged(_, _, left):
                return Discard((left,))
            case seen.MeldLaid(_, meld):
                return LayMeld(meld.cards)
            case seen.Played(_, card):
                return Play(card)
            case seen.Drew() | seen.UpcardDrawn():  # the winner laid no further meld
                return PASS
            case seen.Conceded():
                return CONCEDE
            case _:
                raise _Contradiction

    def _first_deal(self, kitty_size: int, upcard: Card | None) -> Deal:
        kitty = tuple(self._rest[:kitty_size]) if self._kitty is None else self._kitty
        rest = self._rest[kitty_size:] if self._kitty is None else self._rest
        return Deal(
            hands=tuple(tuple(sorted(hand.elements())) for hand in self._hands),
            kitty=kitty,
            stock=(*self._drawn, *rest) if self._view.rules.deal.stock else (),
            upcard=upcard,
        )

    def _take_back(self, number: int, event: seen.Event, complete_tricks: int) -> None:
        """Undo what an event did to the cards; `complete_tricks`: those before the event."""
        match event:
            case seen.Played(seat, card):
                self._hands[seat][card] += 1
            case seen.Given(seat, count, cards, taker):
                cards = cards or self._pick(self._hands[taker].elements(), count)
                self._move(cards, taker, seat)
                self._hidden_choices[number] = cards
            case seen.Buried(seat, count, cards):
                cards = cards or self._take_from_rest(count)
                self._hands[seat].update(cards)
                self._hidden_choices[number] = cards
            case seen.KittyShown(seat, cards):
                self._remove(seat, cards)
                self._kitty = cards
            case seen.Drew(seat, count, cards):
                if cards is None:
                    free = self._hands[seat] - Counter(self._table_cards(seat, complete_tricks))
                    cards = self._pick(free.elements(), count)
                self._remove(seat, cards)
                self._drawn[:0] = cards
            case seen.UpcardDrawn(seat, card):
                self._remove(seat, (card,))
            case seen.UpcardExchanged(seat, taken, left):
                self._remove(seat, (taken,))
                self._hands[seat][left] += 1
                if not self._view.rules.deal.stock:
                    self._remove(self._view.dealer, (left,))
                    self._hands[self._view.dealer][taken] += 1
            case seen.Discarded(seat, count, cards):
                cards = self._take_from_rest(count) if cards is None else cards
                self._hands[seat].update(cards)
                self._discards[seat] = cards
            case seen.DiscardChosen(seat, cards):
                self._hidden_choices[number] = (
                    self._discards.get(seat, ()) if cards is None else cards
                )

    def _table_cards(self, seat: int, complete_tricks: int) -> tuple[Card, ...]:
        """Return the melded cards before a seat, which it held before it drew after a trick."""
        if not self._view.lying:
            return ()
        return table_cards(self._view, complete_tricks, 0)[seat]

    def _pick(self, cards: Iterable[Card], count: int) -> tuple[Card, ...]:
        choices = list(cards)
        if len(choices) < count:
            raise _Contradiction
        return tuple(self._rng.sample(choices, count))

    def _take_from_rest(self, count: int) -> tuple[Card, ...]:
        if len(self._rest) < count:
            raise _Contradiction
        taken, self._rest = tuple(self._rest[:count]), self._rest[count:]
        return taken

    def _remove(self, seat: int, cards: Iterable[Card]) -> None:
        for card in cards:
            if not self._hands[seat][card]:
                raise _Contradiction
            self._hands[seat][card] -= 1

    def _move(self, cards: tuple[Card, ...], taker: int, giver: int) -> None:
        self._remove(taker, cards)
        self._hands[giver].update(cards)

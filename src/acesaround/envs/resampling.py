"""Draws another position that a seat cannot tell from the present one.

The sampler of `fast` draws the hidden cards, uniformly over the deals that agree with everything
that the seat knows. From there the deal is taken back event by event to its first cards, and played
again. Where other seats passed, buried, discarded or drew cards unseen, they choose some at random.
The engine refuses what cannot have happened, and then the next world is tried. Needs the extra
`fast`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Final

from acesaround.actions import Action, Bury, Deal, Discard, Give
from acesaround.cards import CARDS, Card, unpack
from acesaround.envs.position import Position
from acesaround.errors import IllegalAction, PositionError
from acesaround.fast.sampler import Sampler, Worlds, read_constraints
from acesaround.game import events as seen
from acesaround.game.state import GameState, StockPlaying

_WORLDS: Final = 16
_ROUNDS: Final = 8


def resample(position: Position, seat: int, rng: random.Random) -> Position:
    """Return a random position in which a seat knows exactly what it knows here.

    Cards that another seat is choosing are put back. Raises PositionError if none is found, and
    RulesError for rules that the sampler does not support.
    """
    if position.seat is None:
        return position
    view = position.view(seat)
    known = position.information_state(seat)
    sampler = Sampler(read_constraints(view))
    for _ in range(_ROUNDS):
        worlds = sampler.draw(_WORLDS, rng.getrandbits(32))
        for number in range(len(worlds.hands)):
            try:
                other = _Rewinder(position, seat, worlds, number, rng).replay()
            except (IllegalAction, _Contradiction):
                continue
            if other.information_state(seat) == known and other.view(seat) == view:
                return other
    raise PositionError(f"No other deal was found that agrees with what seat {seat} knows.")


class _Contradiction(Exception):  # noqa: N818 - it is caught here
    """The events cannot be taken back in this world."""


class _Rewinder:
    """Takes a deal back to its first cards, in a world that a seat considers possible."""

    def __init__(
        self, position: Position, seat: int, worlds: Worlds, number: int, rng: random.Random
    ) -> None:
        self._position, self._seat, self._rng = position, seat, rng
        state = position.game
        self._hands: list[Counter[Card]] = [Counter() for _ in state.hands]
        for player, rows in zip(state.players, worlds.hands[number].tolist(), strict=True):
            for row in rows:
                self._hands[player].update(card for card in CARDS if row >> card & 1)
        self._hands[seat] = Counter(unpack(state.hands[seat]))
        self._rest = [CARDS[kind] for kind in worlds.rest[number].tolist()]
        self._drawn: list[Card] = []
        self._kitty: tuple[Card, ...] | None = None
        self._actions: list[Action] = [step.action for step in position.steps]
        self._discards: dict[int, tuple[Card, ...]] = {}

    def replay(self) -> Position:
        """Return the position with the cards of this world. Raises IllegalAction."""
        position, first = self._position, self._position.steps[0]
        for number in range(len(position.steps) - 1, -1, -1):
            step = position.steps[number]
            for event in reversed(step.events):
                self._take_back(step.state, number, event.seen_by(self._seat))
        other = Position(position.codec, first.state, position.deals)
        for action in (self._first_deal(), *self._actions[1:]):
            other = other.act(action)
        if position.seat == self._seat:
            other.chosen, other.is_laying = position.chosen, position.is_laying
        return other

    def _first_deal(self) -> Deal:
        dealt = self._position.steps[0].events[0]
        assert isinstance(dealt, seen.Dealt)
        rules = self._position.codec.rules
        kitty = tuple(self._rest[: dealt.kitty]) if self._kitty is None else self._kitty
        rest = self._rest[dealt.kitty :] if self._kitty is None else self._rest
        return Deal(
            hands=tuple(tuple(sorted(hand.elements())) for hand in self._hands),
            kitty=kitty,
            stock=(*self._drawn, *rest) if rules.deal.stock else (),
            upcard=dealt.upcard,
        )

    def _take_back(self, state: GameState, number: int, event: seen.Event) -> None:
        """Undo what an event did to the cards. `state`: before the action of that number."""
        match event:
            case seen.Played(seat, card):
                self._hands[seat][card] += 1
            case seen.Given(seat, count, cards, taker):
                cards = cards or self._pick(self._hands[taker].elements(), count)
                self._move(cards, taker, seat)
                self._actions[number] = Give(cards)
            case seen.Buried(seat, count, cards):
                cards = cards or self._take_from_rest(count)
                self._hands[seat].update(cards)
                self._actions[number] = Bury(cards)
            case seen.KittyShown(seat, cards):
                self._remove(seat, cards)
                self._kitty = cards
            case seen.Drew(seat, count, cards):
                if cards is None:
                    free = self._hands[seat] - Counter(_table_cards(state, seat))
                    cards = self._pick(free.elements(), count)
                self._remove(seat, cards)
                self._drawn[:0] = cards
            case seen.UpcardDrawn(seat, card):
                self._remove(seat, (card,))
            case seen.UpcardExchanged(seat, taken, left):
                self._remove(seat, (taken,))
                self._hands[seat][left] += 1
                if not state.rules.deal.stock:
                    self._remove(state.dealer, (left,))
                    self._hands[state.dealer][taken] += 1
            case seen.Discarded(seat, count, cards):
                cards = self._take_from_rest(count) if cards is None else cards
                self._hands[seat].update(cards)
                self._discards[seat] = cards
            case seen.DiscardChosen(seat, cards):
                if cards is None:
                    cards = self._discards.get(seat, ())
                self._actions[number] = Discard(cards)

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


def _table_cards(state: GameState, seat: int) -> tuple[Card, ...]:
    """Return the melded cards that lie before a seat and were in its hand before it drew."""
    phase = state.phase
    return unpack(phase.laid_melds[seat].cards) if isinstance(phase, StockPlaying) else ()

"""Positions in which every decision is one action id, and cards are dealt one by one.

A `Position` never changes: `apply` returns the next one. The engine of `game` applies every action,
so the rules are the same as everywhere.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple, cast

from acesaround.actions import Action, CardSelections, Deal, Discard, LayMeld
from acesaround.cards import CARDS, KIND_COUNT, Card, counts
from acesaround.envs.action_codec import (
    DONE,
    FIRST_BID,
    LAY,
    PASS_ID,
    ActionCodec,
    card_of_id,
    id_of_card,
)
from acesaround.game import (
    Decision,
    DecisionKind,
    GameState,
    View,
    apply,
    decision,
    start,
    view_for,
)
from acesaround.game.events import Event
from acesaround.game.phases.dealing import deal_out
from acesaround.legal_bids import Bids

MAX_DEALS: Final = 100
"""The most deals of a position's game: the scores of careless players may fall for ever."""
REWARD_SCALE: Final = 100.0
"""The points that make a reward of 1, by default."""
_SELECTING: Final = frozenset(
    (DecisionKind.GIVE, DecisionKind.BURY, DecisionKind.DISCARD, DecisionKind.UPCARD)
)


class Step(NamedTuple):
    """An action of a deal: the state before it, and its events with everything hidden."""

    state: GameState
    action: Action
    events: tuple[Event, ...]


class Position:
    """A game before one action id is chosen: by a seat, or by chance while cards are dealt.

    `game`: the state of the engine. `chosen`: the cards that the seat on turn has chosen so far.
    `dealt`: the cards that chance has dealt so far, in the order of the shuffled deck. `steps`:
    what has happened in this deal, the deal itself first. `deals`: the game ends after so many
    deals, or before, if somebody wins.
    """

    __slots__ = (
        "_decision", "_legal", "chosen", "codec", "deals", "dealt", "game", "is_laying", "steps",
    )  # fmt: skip

    def __init__(self, codec: ActionCodec, game: GameState, deals: int = 1) -> None:
        if not 1 <= deals <= MAX_DEALS:
            raise ValueError(f"a game has 1 to {MAX_DEALS} deals, not {deals}")
        self.codec: ActionCodec = codec
        self.game: GameState = game
        self.deals: int = deals
        self.chosen: tuple[Card, ...] = ()
        self.is_laying: bool = False
        self.dealt: tuple[Card, ...] = ()
        self.steps: tuple[Step, ...] = ()
        self._decision: Decision | None = None
        self._legal: tuple[int, ...] | None = None

    @classmethod
    def new(cls, codec: ActionCodec, *, dealer: int = 0, deals: int = 1) -> Position:
        """Return the position before the first deal."""
        return cls(codec, start(codec.rules, dealer), deals)

    # who is to act

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, because somebody has won or all its deals are played."""
        return self.game.phase is None or self.game.deals >= self.deals

    @property
    def is_chance(self) -> bool:
        """Whether the next card is to be dealt."""
        return not self.is_over and self.decision.seat is None

    @property
    def seat(self) -> int | None:
        """The seat on turn; None while cards are dealt and after the end."""
        return None if self.is_over else self.decision.seat

    @property
    def decision(self) -> Decision:
        """The decision of the engine. Raises IllegalAction after the end of the game."""
        if self._decision is None:
            self._decision = decision(self.game)
        return self._decision

    # what is possible

    @property
    def legal(self) -> tuple[int, ...]:
        """The legal action ids of the seat on turn, ascending; empty without one."""
        if self._legal is None:
            self._legal = () if self.seat is None else tuple(sorted(self._legal_ids()))
        return self._legal

    def _legal_ids(self) -> Sequence[int]:
        legal, kind = self.decision.legal, self.decision.kind
        if isinstance(legal, CardSelections):
            return self._selectable(legal.sizes)
        if kind is DecisionKind.UPCARD:
            return self._completions([action.cards for action in legal if type(action) is Discard])
        if self.is_laying:
            return self._completions([action.cards for action in legal if type(action) is LayMeld])
        if isinstance(legal, Bids):
            bids = [
                action_id
                for action_id, bid in enumerate(self.codec.bids, FIRST_BID)
                if legal.allows(bid)
            ]
            return [PASS_ID, *bids] if legal.may_pass else bids
        melds = any(type(action) is LayMeld for action in legal)
        action_ids = [
            self.codec.encode(action)[0] for action in legal if type(action) is not LayMeld
        ]
        return [*action_ids, LAY] if melds else action_ids

    def _selectable(self, sizes: Sequence[int]) -> list[int]:
        """Return the cards that may be chosen next, and `DONE` where the selection may end."""
        assert self.decision.seat is not None
        held = counts(self.game.hands[self.decision.seat])
        last = self.chosen[-1] if self.chosen else 0
        left = [held[kind] if kind >= last else 0 for kind in range(KIND_COUNT)]
        if self.chosen:
            left[last] -= self.chosen.count(self.chosen[-1])
        size, largest = len(self.chosen), max(sizes)
        action_ids = [DONE] if len(sizes) > 1 and size in sizes else []
        if size < largest:
            smallest = min(one for one in sizes if one > size)
            action_ids += [
                id_of_card(CARDS[kind])
                for kind in range(KIND_COUNT)
                if left[kind] and size + sum(left[kind:]) >= smallest
            ]
        return action_ids

    def _completions(self, selections: Sequence[tuple[Card, ...]]) -> list[int]:
        """Return the cards that continue the chosen ones to one of the selections."""
        size = len(self.chosen)
        begun = [cards for cards in selections if cards[:size] == self.chosen]
        action_ids = {id_of_card(cards[size]) for cards in begun if len(cards) > size}
        return [*action_ids, DONE] if self.chosen in begun else [*action_ids]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return pairs (kind of card, probability) of the next card of the shuffled deck."""
        left = Counter(map(int, self.codec.rules.deck.cards)) - Counter(map(int, self.dealt))
        total = left.total()
        return [(kind, left[kind] / total) for kind in sorted(left)]

    # what happens

    def apply(self, action_id: int) -> Position:
        """Return the position after an action id, or after the next dealt card.

        Raises ValueError.
        """
        if self.is_chance:
            return self._deal_card(action_id)
        if action_id not in self.legal:
            raise ValueError(f"{action_id} is not legal here: expected one of {list(self.legal)}")
        kind = self.decision.kind
        if action_id == LAY:
            return self._with_selection((), is_laying=True)
        if self.is_laying or kind in _SELECTING:
            cards = self.chosen if action_id == DONE else (*self.chosen, card_of_id(action_id))
            if action_id != DONE and not self._is_complete(len(cards)):
                return self._with_selection(cards, is_laying=self.is_laying)
            action_ids = [id_of_card(card) for card in cards]
            laid = [LAY, *action_ids, DONE] if self.is_laying else [*action_ids, DONE]
            return self.act(self.codec.decode(laid, kind))
        return self.act(self.codec.decode((action_id,), kind))

    def _is_complete(self, size: int) -> bool:
        """Return whether a selection of that size ends without `DONE`."""
        legal = self.decision.legal
        return isinstance(legal, CardSelections) and list(legal.sizes) == [size]

    def _with_selection(self, cards: tuple[Card, ...], *, is_laying: bool) -> Position:
        position = self._copy()
        position._decision, position.chosen, position.is_laying = self._decision, cards, is_laying
        return position

    def _copy(self) -> Position:
        position = Position(self.codec, self.game, self.deals)
        position.steps = self.steps
        return position

    def act(self, action: Action) -> Position:
        """Return the position after a whole action or deal. Raises IllegalAction."""
        position = self._copy()
        position.game, new_events = apply(self.game, action)
        steps = () if isinstance(action, Deal) else self.steps
        position.steps = (*steps, Step(self.game, action, new_events))
        return position

    def _deal_card(self, kind: int) -> Position:
        deck = self.codec.rules.deck
        if not 0 <= kind < KIND_COUNT or self.dealt.count(CARDS[kind]) >= deck.cards.count(
            CARDS[kind]
        ):
            raise ValueError(f"no card of the kind {kind} is left to deal")
        dealt = (*self.dealt, CARDS[kind])
        if len(dealt) == deck.size:
            return self.act(deal_out(self.codec.rules, self.game.players, self.game.dealer, dealt))
        position = self._copy()
        position._decision, position.dealt = self._decision, dealt
        return position

    def deal(self, rng: random.Random) -> Position:
        """Return the position after a random deal of all cards."""
        return self.act(self.decision.legal.sample(rng))

    def numbers_of_deal(self) -> list[int]:
        """Return the action ids since the deal began: those of the deck, then of the seats."""
        if not self.steps or self.dealt:
            return [int(card) for card in self.dealt]
        first, *others = self.steps
        assert isinstance(first.action, Deal)
        action_ids = _deck_order(first.state, first.action)
        for step in others:
            action_ids += self.codec.encode(step.action)
        return [*action_ids, *[LAY] * self.is_laying, *map(id_of_card, self.chosen)]

    # what is seen

    def view(self, seat: int | None) -> View:
        """Return what a seat sees, without the cards that are being chosen."""
        return view_for(self.game, seat)

    def seen_events(self, seat: int) -> tuple[Event, ...]:
        """Return the events of this deal as a seat has seen them."""
        return tuple(event.seen_by(seat) for step in self.steps for event in step.events)

    def chosen_by(self, seat: int) -> tuple[Card, ...]:
        """Return the cards that a seat is choosing; only the seat itself knows them."""
        return self.chosen if self.seat == seat else ()

    def information_state(self, seat: int) -> str:
        """Return all that a seat knows, as text. It knows the same wherever the text is equal."""
        game = self.game
        lines = [
            f"seat {seat}, dealer {game.dealer}, deal {game.deals + 1}, scores "
            f"{' '.join(map(str, game.scores))}, target {game.target}",
            *map(repr, self.seen_events(seat)),
        ]
        if self.seat == seat and (self.chosen or self.is_laying):
            lines.append(f"choosing {'a meld ' * self.is_laying}{' '.join(map(str, self.chosen))}")
        return "\n".join(lines)

    def returns(self) -> tuple[float, ...]:
        """Return for each seat the points of its side less the mean of the other sides.

        They add up to 0. Before the end they are the points so far.
        """
        rules, scores = self.codec.rules, self.game.scores
        others = len(scores) - 1
        by_side = [score - (sum(scores) - score) / others for score in scores]
        return tuple(by_side[rules.side_of(seat)] for seat in range(rules.seats))


def _deck_order(state: GameState, deal: Deal) -> list[int]:
    """Return the kinds of a shuffled deck that is dealt out as this deal."""
    rules = state.rules
    places = deal_out(
        rules, state.players, state.dealer, cast(Sequence[Card], range(rules.deck.size))
    )
    order = [0] * rules.deck.size
    for place_group, cards in (
        *zip(places.hands, deal.hands, strict=True),
        (places.kitty, deal.kitty),
        (places.stock, deal.stock),
    ):
        for place, card in zip(place_group, cards, strict=True):
            order[place] = int(card)
    if deal.upcard is not None and places.upcard is not None:
        upcard_place, upcard = int(places.upcard), int(deal.upcard)
        if not rules.deal.stock:  # it is a card of the dealer's hand, and changes places with one
            dealers_places = map(int, places.hands[state.dealer])
            twin = next(one for one in dealers_places if order[one] == upcard)
            order[twin] = order[upcard_place]
        order[upcard_place] = upcard
    return order

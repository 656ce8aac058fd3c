"""The past of a sampled world: a deal and hidden choices that bring it about, played by the engine.

Where others choose unseen, any choice that ends in the world will do: the declarer's partner gives
cards and gets as many back, discards come from the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from acesaround import game
from acesaround.actions import Action, Bury, Deal, Discard, Give, LayMeld, Play
from acesaround.cards import Card, pack, unpack
from acesaround.events import Drew
from acesaround.melds import marriage_cards
from acesaround.rules import Phase
from acesaround.state import GameState, Playing, StockPlaying
from tests.random_games import Turn

Hand = Counter[Card]


def retold(
    past: Sequence[Turn], seat: int, hands: Sequence[int], rest: Sequence[Card]
) -> GameState:
    """The moment after the turns `past`, the first of which is the deal, in another world.

    `hands`: of the players in turn order, packed. Raises IllegalAction where an action of the past
    was not legal in that world.
    """
    players = past[0].before.players
    held = {s: Counter(unpack(hand)) for s, hand in zip(players, hands, strict=True)}
    for turn in past:
        if isinstance(turn.action, Play) and turn.decision.seat is not None:
            held[turn.decision.seat][turn.action.card] += 1
    if Phase.STOCK_PLAY in past[0].before.rules.phases:
        return _with_stock(past, seat, held, list(rest))
    teller = _Teller(past, seat, held, list(rest))
    state, _ = game.apply(past[0].before, teller.deal())
    for turn in past[1:]:
        action = teller.hidden.get(id(turn), turn.action)
        state, _ = game.apply(state, action, turn.decision.seat)
    return state


class _Teller:
    """Goes back from what was held, with all that was played, to what was dealt."""

    def __init__(
        self, past: Sequence[Turn], seat: int, held: dict[int, Hand], rest: list[Card]
    ) -> None:
        self.past, self.seat, self.held, self.rest = past, seat, held, rest
        self.end = past[-1].after
        self.rules = self.end.rules
        self.facts = self.end.deal
        self.hidden: dict[int, Action] = {}
        self.kitty: list[Card] = []
        self.drawn: list[Card] = []

    def deal(self) -> Deal:
        """The deal; fills `hidden` with what others did unseen."""
        self._gifts()
        self._discards()
        self._kitty()
        hands = tuple(
            tuple(sorted(self.held[s].elements())) if s in self.held else ()
            for s in range(self.rules.seats)
        )
        stock = (*self.drawn, *self.rest)
        return Deal(hands, tuple(self.kitty), stock if self.rules.deal.stock else ())

    def _marriage(self) -> tuple[Card, ...]:
        """What the declarer must have held when naming trump."""
        law, trump = self.rules.auction, self.facts.trump
        needed = law is not None and law.marriage_needed and trump is not None
        return marriage_cards(trump) if needed and trump is not None else ()

    def _gifts(self) -> None:
        gifts = [turn for turn in self.past if isinstance(turn.action, Give)]
        declarer = self.facts.declarer
        if not gifts or declarer is None:
            return
        (giver,) = self.rules.partners_of(declarer)
        number = len(self.facts.given[0].cards)
        if self.seat in (giver, declarer):
            to, back = (
                Counter(t.cards)
                for t in (*self.facts.given, replace(self.facts.given[0], cards=()))[:2]
            )
        else:
            need = self._marriage()
            lacking = [c for c in need if not self.held[declarer][c]]
            to = Counter([c for c in self.held[declarer].elements() if c not in need][:number])
            back = Counter[Card]()
            if len(gifts) == 2:
                others = (self.held[giver] - Counter(lacking)).elements()
                back = Counter([*lacking, *others][:number])
            for turn, cards in zip(gifts, (to, back), strict=False):
                self.hidden[id(turn)] = Give(tuple(cards.elements()))
        self.held[declarer] = self.held[declarer] + back
        self.held[declarer].subtract(to)
        self.held[giver] = self.held[giver] + to
        self.held[giver].subtract(back)

    def _discards(self) -> None:
        if not self.facts.discarded:  # some have not decided: any choice of the others will do
            for turn in self.past:
                if isinstance(turn.action, Discard) and turn.decision.seat != self.seat:
                    self.hidden[id(turn)] = Discard(())
            return
        for turn in self.past:
            if not isinstance(turn.action, Discard) or turn.decision.seat is None:
                continue
            seat, cards = turn.decision.seat, turn.action.cards
            if seat == self.seat:
                drawn = [c for e in self._draws() if e.seat == seat for c in e.cards or ()]
            else:
                need = self._marriage() if seat == self.facts.declarer else ()
                held = sorted((c for c in need if self.held[seat][c]), key=self.rest.count)
                kept = held[: self.rules.hand_size - len(cards)]
                for card in need:
                    if card not in kept:
                        self.rest.remove(card)
                        self.rest.insert(0, card)
                thrown, self.rest = self.rest[: len(cards)], self.rest[len(cards) :]
                drawn = list((self.held[seat] - Counter(kept)).elements())[: len(cards)]
                self.hidden[id(turn)] = Discard(tuple(thrown))
                cards = tuple(thrown)
            self.held[seat] = self.held[seat] + Counter(cards)
            self.held[seat].subtract(drawn)
            self.drawn += drawn

    def _draws(self) -> list[Drew]:
        return [event for turn in self.past for event in turn.events if isinstance(event, Drew)]

    def _kitty(self) -> None:
        declarer = self.facts.declarer
        if not self.rules.deal.kitty:
            return
        if declarer is None:
            self.kitty, self.rest = self.rest, []
            return
        self.kitty = list(self.facts.kitty)
        for turn in self.past:
            if isinstance(turn.action, Bury):
                buried = turn.action.cards
                if declarer != self.seat:
                    buried, self.rest = tuple(self.rest), []
                    self.hidden[id(turn)] = Bury(buried)
                self.held[declarer] = self.held[declarer] + Counter(buried)
        self.held[declarer].subtract(self.kitty)


def _playing_off(past: Sequence[Turn], held: dict[int, Hand]) -> GameState:
    """Another world where the stock is empty, from there on: no view says who laid what when."""
    began = next(i for i, turn in enumerate(past) if isinstance(turn.after.phase, Playing))
    state = past[began].after
    for turn in past[: began + 1]:
        if isinstance(turn.action, Play) and turn.decision.seat is not None:
            held[turn.decision.seat][turn.action.card] -= 1
    hands = tuple(
        pack(held[seat].elements()) if seat in held else 0 for seat in range(len(state.hands))
    )
    state = replace(state, hands=hands)
    for turn in past[began + 1 :]:
        state, _ = game.apply(state, turn.action, turn.decision.seat)
    return state


def _with_stock(
    past: Sequence[Turn], seat: int, held: dict[int, Hand], rest: list[Card]
) -> GameState:
    """Another world where cards were drawn from a stock: what differs came as late as may be."""
    first, end = past[0].before, past[-1].after
    if isinstance(end.phase, Playing):
        return _playing_off(past, held)
    assert isinstance(end.phase, StockPlaying)
    (dealt,) = [t.action for t in past[:1]]
    assert isinstance(dealt, Deal)
    drew = [
        (e.seat, card)
        for t in past
        for e in t.events
        if isinstance(e, Drew)
        for card in e.cards or ()
    ]
    cards: dict[int, list[Card]] = {}
    for s in first.players:
        cards[s] = [*dealt.hands[s], *(card for who, card in drew if who == s)]
        if s == seat:
            continue
        had = held[s]
        true = Counter(unpack(end.hands[s]))
        lying, off = Counter(unpack(end.phase.down[s].cards)), set[Card]()
        left = dict[Card, int]()  # when a card that was on the table left it
        for number, turn in enumerate(past):
            action = turn.action
            if isinstance(action, Play) and turn.decision.seat == s:
                left[action.card] = number
        for meld in (m for laid in end.deal.laid if laid.seat == s for m in laid.melds):
            off.update(c for c in meld.cards if lying[c] < meld.cards.count(c))
        places = []  # of the cards that it holds yet and that do not lie before it
        for card, number in true.items():
            its = [i for i, c in enumerate(cards[s]) if c == card]
            places += its[len(its) - number :][lying[card] :]
        played = Counter(cards[s]) - Counter(cards[s][i] for i in places)
        comers = sorted(
            (had - played).elements(), key=lambda card: left.get(card, 0) if card in off else 0
        )
        for at, card in zip(sorted(places), comers, strict=True):
            cards[s][at] = card
    size = first.rules.hand_size
    coming = {s: iter(cards[s][size:]) for s in first.players}
    stock = [next(coming[who]) for who, _ in drew]
    hands_dealt = tuple(
        tuple(sorted(cards[s][:size])) if s in cards else () for s in range(first.rules.seats)
    )
    state, _ = game.apply(first, Deal(hands_dealt, (), (*stock, *rest), dealt.upcard))
    for turn in past[1:]:
        assert isinstance(turn.action, Play | LayMeld)
        state, _ = game.apply(state, turn.action, turn.decision.seat)
    return state

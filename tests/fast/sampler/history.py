"""The past of a sampled world: a deal and hidden choices that bring it about, played by the engine.

Where others choose unseen, any choice that ends in the world will do: the declarer's partner gives
cards and gets as many back, discards come from the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from acesaround import game
from acesaround.actions import Action, Bury, Deal, Discard, Give, LayMeld, Pass, Play
from acesaround.cards import Card, unpack
from acesaround.game.events import Drew
from acesaround.game.state import GameState, StockPlaying, TableMeld
from acesaround.rules import Phase
from acesaround.rules.melds import marriage_cards
from tests.random_games import Turn

Hand = Counter[Card]


def retold(
    past: Sequence[Turn], seat: int, hands: Sequence[int], rest: Sequence[Card]
) -> GameState:
    """The moment after the turns `past`, the first of which is the deal, in another world.

    `hands`: of the players in turn order, packed. Raises IllegalAction where an action of the past
    was not legal in that world, LateError where cards cannot have been drawn in time.
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
        self._upcard()
        hands = tuple(
            tuple(sorted(self.held[s].elements())) if s in self.held else ()
            for s in range(self.rules.seats)
        )
        stock = (*self.drawn, *self.rest)
        up = self.facts.taken[0].card if self.facts.taken else None
        return Deal(hands, tuple(self.kitty), stock if self.rules.deal.stock else (), up)

    def _upcard(self) -> None:
        """A nine that took the dealer's upcard goes back, and the upcard too."""
        for its in self.facts.taken:
            if its.left is not None:
                dealer = self.past[0].before.dealer
                self.held[its.seat].update([its.left])
                self.held[its.seat].subtract([its.card])
                self.held[dealer].update([its.card])
                self.held[dealer].subtract([its.left])

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
        if Phase.REDRAW not in self.rules.phases:
            return
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


_LATER = 99


class LateError(Exception):
    """A card would have had to come later than it was of use."""


class _Need(NamedTuple):
    """A card that came to a hand: not before, and not after, so many tricks were complete.

    `when`: after how many tricks it was of use. Where melds are laid before the draw, what is laid
    then has come a trick earlier.
    """

    latest: int
    earliest: int
    card: Card
    when: int


def _with_stock(
    past: Sequence[Turn], seat: int, held: dict[int, Hand], rest: list[Card]
) -> GameState:
    """Another world where cards were drawn from a stock: others were dealt and drew otherwise."""
    first, end = past[0].before, past[-1].after
    (dealt,) = [turn.action for turn in past[:1]]
    assert isinstance(dealt, Deal)
    came = {s: [*dealt.hands[s], *end.deal.drawn[s]] for s in first.players}
    size = first.rules.hand_size
    for s in first.players:
        if s != seat:
            draws = len(end.deal.drawn[s])
            try:  # what was not there when a meld was laid may have decided which cards served
                came[s] = _in_time(_needs(past, s, held[s], _bare(past, s)), size, draws)
            except LateError:
                came[s] = _in_time(_needs(past, s, held[s], {}), size, draws)
    coming = {s: iter(came[s][size:]) for s in first.players}
    drew = [event.seat for turn in past for event in turn.events if isinstance(event, Drew)]
    stock = [next(coming[who]) for who in drew]
    hands = tuple(
        tuple(sorted(came[s][:size])) if s in came else () for s in range(first.rules.seats)
    )
    left_over = rest if isinstance(end.phase, StockPlaying) else []
    state, _ = game.apply(first, Deal(hands, (), (*stock, *left_over), dealt.upcard))
    for turn in past[1:]:
        assert isinstance(turn.action, Play | LayMeld | Pass)
        state, _ = game.apply(state, turn.action, turn.decision.seat)
    return state


def _bare(past: Sequence[Turn], seat: int) -> dict[Card, list[int]]:
    """After how many tricks a seat laid a card of which it then had none left in the hand."""
    found: dict[Card, list[int]] = {}
    for turn in past:
        if isinstance(turn.action, LayMeld) and turn.decision.seat == seat:
            kept = Counter(unpack(turn.after.hands[seat]))
            kept -= Counter(its.card for its in turn.after.deal.lying if _lies(its, seat))
            for card in set(turn.action.cards) - set(kept):
                before = turn.before.rules.melds.meld_before_draw
                found.setdefault(card, []).append(len(turn.before.deal.tricks) - before)
    return found


def _lies(its: TableMeld, seat: int) -> bool:
    return its.seat == seat and its.until is None


def _needs(past: Sequence[Turn], seat: int, had: Hand, bare: dict[Card, list[int]]) -> list[_Need]:
    """When each card came to a hand that had these, by when they were laid, played and lifted.

    `had`: the cards held at the end and all those played. `bare`: when there was none in the hand.
    """
    facts, needs = past[-1].after.deal, list[_Need]()
    before = past[0].before.rules.melds.meld_before_draw
    lain = [its for its in facts.lying if its.seat == seat]
    taken = [its for its in facts.taken if its.seat == seat]
    played = [
        (len(turn.before.deal.tricks), turn.action.card)
        for turn in past
        if isinstance(turn.action, Play) and turn.decision.seat == seat
    ]
    if facts.upcard is None:  # nothing came after that
        played = [(at, card) for at, card in played if at < facts.taken[-1].after]
    for card in {*had, *(its.left for its in taken if its.left is not None)}:
        lifts = [its.until for its in lain if its.card == card and its.until is not None]
        uses = [(its.since - before, its.since) for its in lain if its.card == card]
        uses += [(at, at) for at, gone in played if gone == card and at not in lifts]
        uses += [(_LATER, _LATER)] * (had[card] - len(uses))
        empty = [*lifts, *bare.get(card, ())]
        its = [_Need(use, _free_of(empty, use), card, when) for use, when in uses]
        for one in taken:
            if one.card == card:  # with the last draw, or for a nine among the melds
                served = [need.latest if one.left is None else need.when for need in its]
                its.remove(
                    min(
                        need
                        for need, when in zip(its, served, strict=True)
                        if when >= one.after >= need.earliest
                    )
                )
            if one.left == card:
                swapped = one.after - before
                its.append(_Need(swapped, _free_of(empty, swapped), card, one.after))
        needs += its
    return needs


def _free_of(empty: Sequence[int], use: int) -> int:
    """When a card can have come that was of use then: none was in the hand at those times."""
    return max((at + 1 for at in empty if at < use), default=0)


def _in_time(needs: list[_Need], size: int, draws: int) -> list[Card]:
    """The cards in an order in which each comes in time: first those dealt, then one a trick.

    Each comes as late as may be, so that what was not laid before was not there yet. Raises
    LateError where there is no such order.
    """
    cards: list[Card] = []
    left = list(needs)
    for slot in reversed(range(size + draws)):
        now = max(0, slot - size + 1)
        able = [need for need in left if need.latest >= now]
        its = max(able, key=lambda need: (need.earliest, -need.latest), default=None)
        if its is None or its.earliest > now:
            raise LateError
        left.remove(its)
        cards.append(its.card)
    if left:
        raise ValueError("There are more cards than came.")
    return cards[::-1]

"""Replays of the past in a sampled world: a deal and hidden choices that lead to the world.

Where others choose unseen, any choice that leads to the world will do: the declarer's partner gives
cards and gets as many back; discards come from the rest.

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
from acesaround.game.state import GameState, MeldedCard, StockPlaying
from acesaround.rules import Phase
from acesaround.rules.melds import marriage_cards
from tests.random_games import Turn

Hand = Counter[Card]


def replay_in_world(
    past: Sequence[Turn], seat: int, hands: Sequence[int], rest: Sequence[Card]
) -> GameState:
    """Return the state after the turns `past`, the first of which is the deal, in another world.

    `hands`: of the players in turn order, packed. Raise IllegalAction if an action of the past was
    not legal in that world, and LateError if cards cannot have been drawn in time.
    """
    players = past[0].before.players
    held = {s: Counter(unpack(hand)) for s, hand in zip(players, hands, strict=True)}
    for turn in past:
        if isinstance(turn.action, Play) and turn.decision.seat is not None:
            held[turn.decision.seat][turn.action.card] += 1
    if Phase.STOCK_PLAY in past[0].before.rules.phases:
        return _with_stock(past, seat, held, list(rest))
    reconstruction = _Reconstruction(past, seat, held, list(rest))
    state, _ = game.apply(past[0].before, reconstruction.deal())
    for turn in past[1:]:
        action = reconstruction.hidden.get(id(turn), turn.action)
        state, _ = game.apply(state, action, turn.decision.seat)
    return state


class _Reconstruction:
    """Reconstructs the dealt hands and hidden choices from the final hands and the plays."""

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
        """Return the deal; fill `hidden` with the hidden choices of others."""
        self._gifts()
        self._discards()
        self._kitty()
        self._upcard()
        hands = tuple(
            tuple(sorted(self.held[s].elements())) if s in self.held else ()
            for s in range(self.rules.seats)
        )
        stock = (*self.drawn, *self.rest)
        up = self.facts.upcards_taken[0].card if self.facts.upcards_taken else None
        return Deal(hands, tuple(self.kitty), stock if self.rules.deal.stock else (), up)

    def _upcard(self) -> None:
        """Return an exchanged nine to its owner and the upcard to the dealer."""
        for swap in self.facts.upcards_taken:
            if swap.left is not None:
                dealer = self.past[0].before.dealer
                self.held[swap.seat].update([swap.left])
                self.held[swap.seat].subtract([swap.card])
                self.held[dealer].update([swap.card])
                self.held[dealer].subtract([swap.left])

    def _marriage(self) -> tuple[Card, ...]:
        """Return the cards that the declarer must have held when naming trump."""
        law, trump = self.rules.auction, self.facts.trump
        needed = law is not None and law.marriage_needed and trump is not None
        return marriage_cards(trump) if needed and trump is not None else ()

    def _gifts(self) -> None:
        gifts = [turn for turn in self.past if isinstance(turn.action, Give)]
        declarer = self.facts.declarer
        if not gifts or declarer is None:
            return
        (giver,) = self.rules.partners_of(declarer)
        number = len(self.facts.passed_cards[0].cards)
        if self.seat in (giver, declarer):
            to, back = (
                Counter(t.cards)
                for t in (*self.facts.passed_cards, replace(self.facts.passed_cards[0], cards=()))[
                    :2
                ]
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
    """A card would have come after it was used."""


class _Need(NamedTuple):
    """A card that came to a hand between two numbers of completed tricks.

    `when`: the number of tricks after which it was used. Where melds are laid before the draw, a
    card laid then has come a trick earlier.
    """

    latest: int
    earliest: int
    card: Card
    when: int


def _with_stock(
    past: Sequence[Turn], seat: int, held: dict[int, Hand], rest: list[Card]
) -> GameState:
    """Return the state in a world where others were dealt and drew other cards of the stock."""
    first, end = past[0].before, past[-1].after
    (dealt,) = [turn.action for turn in past[:1]]
    assert isinstance(dealt, Deal)
    arrivals = {s: [*dealt.hands[s], *end.deal.drawn[s]] for s in first.players}
    size = first.rules.hand_size
    for s in first.players:
        if s != seat:
            draws = len(end.deal.drawn[s])
            try:  # cards missing when a meld was laid may have decided which cards served
                arrivals[s] = _order_of_arrival(
                    _needs(past, s, held[s], _times_without(past, s)), size, draws
                )
            except LateError:
                arrivals[s] = _order_of_arrival(_needs(past, s, held[s], {}), size, draws)
    draws_of = {s: iter(arrivals[s][size:]) for s in first.players}
    drew = [event.seat for turn in past for event in turn.events if isinstance(event, Drew)]
    stock = [next(draws_of[who]) for who in drew]
    hands = tuple(
        tuple(sorted(arrivals[s][:size])) if s in arrivals else () for s in range(first.rules.seats)
    )
    left_over = rest if isinstance(end.phase, StockPlaying) else []
    state, _ = game.apply(first, Deal(hands, (), (*stock, *left_over), dealt.upcard))
    for turn in past[1:]:
        assert isinstance(turn.action, Play | LayMeld | Pass)
        state, _ = game.apply(state, turn.action, turn.decision.seat)
    return state


def _times_without(past: Sequence[Turn], seat: int) -> dict[Card, list[int]]:
    """Return after how many tricks a seat laid a card and then had none left in the hand."""
    times: dict[Card, list[int]] = {}
    for turn in past:
        if isinstance(turn.action, LayMeld) and turn.decision.seat == seat:
            in_hand = Counter(unpack(turn.after.hands[seat]))
            in_hand -= Counter(
                meld.card for meld in turn.after.deal.melded_cards if _is_lying(meld, seat)
            )
            for card in set(turn.action.cards) - set(in_hand):
                before = turn.before.rules.melds.meld_before_draw
                times.setdefault(card, []).append(len(turn.before.deal.tricks) - before)
    return times


def _is_lying(meld: MeldedCard, seat: int) -> bool:
    return meld.seat == seat and meld.until is None


def _needs(past: Sequence[Turn], seat: int, held: Hand, bare: dict[Card, list[int]]) -> list[_Need]:
    """Return when each card came to a hand, from when it was laid, played and lifted.

    `held`: the cards held at the end and all those played. `bare`: when there was none in the hand.

    """
    facts, needs = past[-1].after.deal, list[_Need]()
    before = past[0].before.rules.melds.meld_before_draw
    laid_cards = [laid for laid in facts.melded_cards if laid.seat == seat]
    taken = [swap for swap in facts.upcards_taken if swap.seat == seat]
    played = [
        (len(turn.before.deal.tricks), turn.action.card)
        for turn in past
        if isinstance(turn.action, Play) and turn.decision.seat == seat
    ]
    if facts.upcard is None:  # the last draw
        played = [(at, card) for at, card in played if at < facts.upcards_taken[-1].after]
    for card in {*held, *(swap.left for swap in taken if swap.left is not None)}:
        lifts = [laid.until for laid in laid_cards if laid.card == card and laid.until is not None]
        uses = [(laid.since - before, laid.since) for laid in laid_cards if laid.card == card]
        uses += [(at, at) for at, gone in played if gone == card and at not in lifts]
        uses += [(_LATER, _LATER)] * (held[card] - len(uses))
        empty = [*lifts, *bare.get(card, ())]
        of_card = [_Need(use, _earliest(empty, use), card, when) for use, when in uses]
        for swap in taken:
            if swap.card == card:  # with the last draw, or for a nine among the melds
                served = [need.latest if swap.left is None else need.when for need in of_card]
                of_card.remove(
                    min(
                        need
                        for need, when in zip(of_card, served, strict=True)
                        if when >= swap.after >= need.earliest
                    )
                )
            if swap.left == card:
                swapped = swap.after - before
                of_card.append(_Need(swapped, _earliest(empty, swapped), card, swap.after))
        needs += of_card
    return needs


def _earliest(empty: Sequence[int], use: int) -> int:
    """Return when a card used at `use` can have come: after the last time without one."""
    return max((at + 1 for at in empty if at < use), default=0)


def _order_of_arrival(needs: list[_Need], size: int, draws: int) -> list[Card]:
    """Return the cards in an order in which each comes in time: those dealt, then one a trick.

    Each comes as late as possible, so that what was not laid before was not there yet. Raise
    LateError if there is no such order.
    """
    cards: list[Card] = []
    left = list(needs)
    for slot in reversed(range(size + draws)):
        now = max(0, slot - size + 1)
        in_time = [need for need in left if need.latest >= now]
        chosen = max(in_time, key=lambda need: (need.earliest, -need.latest), default=None)
        if chosen is None or chosen.earliest > now:
            raise LateError
        left.remove(chosen)
        cards.append(chosen.card)
    if left:
        raise ValueError("There are more cards than came.")
    return cards[::-1]

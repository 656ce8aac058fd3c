"""The events of a deal as a seat saw them, and the melds on the table, from its view alone.

A view contains everything that its seat was told, so they can be rebuilt without the engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from acesaround.cards import Card
from acesaround.game.events import (
    BidMade,
    Buried,
    Conceded,
    DealScored,
    Dealt,
    Declared,
    DiscardChosen,
    Discarded,
    Drew,
    Event,
    GameWon,
    Given,
    KittyShown,
    Melded,
    MeldLaid,
    NineTurned,
    NoMarriage,
    Passed,
    Played,
    ThrownIn,
    TrickWon,
    TrumpNamed,
    UpcardDrawn,
    UpcardExchanged,
)
from acesaround.game.state import DecisionKind, Trick, players_clockwise
from acesaround.game.view import View, must_draw_first
from acesaround.rules import Phase
from acesaround.rules.scoring import Outcome


def seen_events(view: View) -> list[Event]:
    """Return the events of the deal as the seat of the view saw them; none before it is dealt."""
    if view.kind is DecisionKind.DEAL:
        return []
    return [_dealt(view), *_phases(view), *_end(view)]


def table_cards(view: View, tricks: int, played: int) -> list[tuple[Card, ...]]:
    """Return each seat's melded cards on the table after `tricks` tricks and `played` cards."""
    rows: list[list[Card]] = [[] for _ in view.sizes]
    leader, cards = view.leader, view.trick
    if tricks < len(view.tricks):
        leader, cards = view.tricks[tricks].leader, view.tricks[tricks].cards
    assert leader is not None
    have_played = set(players_clockwise(view.players, leader)[:played]) if cards else set[int]()
    for lying in view.lying:
        gone = lying.until is not None and (
            lying.until < tricks or (lying.until == tricks and lying.seat in have_played)
        )
        if lying.since <= tricks and not gone:
            rows[lying.seat].append(lying.card)
    return [tuple(sorted(row)) for row in rows]


def _outcome(view: View) -> Outcome | None:
    return None if view.score is None else view.score.outcome


def _dealt(view: View) -> Dealt:
    rules, seat = view.rules, view.seat
    turned = view.taken[0].card if view.taken else view.upcard
    hands: list[tuple[Card, ...] | None] = [None] * rules.seats
    if seat is not None:
        hands[seat] = tuple(sorted(_first_hand(view, seat).elements()))
    out = len(view.players) * rules.hand_size + rules.deal.kitty
    return Dealt(
        deal=view.deals - (view.score is not None),
        dealer=view.dealer,
        players=view.players,
        hands=tuple(hands),
        sizes=tuple(rules.hand_size * (s in view.players) for s in range(rules.seats)),
        kitty=rules.deal.kitty,
        stock=rules.deck.size - out - rules.deal.upcard if rules.deal.stock else 0,
        upcard=turned,
    )


def _first_hand(view: View, seat: int) -> Counter[Card]:
    """Return the own hand as it was dealt: cards held and given away, without those received."""
    hand = Counter(view.hand)
    for leader, cards in _all_tricks(view):
        around = players_clockwise(view.players, leader)
        hand.update(c for s, c in zip(around, cards, strict=False) if s == seat)
    if seat == view.declarer:
        hand.update(view.buried or ())
        hand.subtract(view.kitty)
    for passing in view.passed:
        if passing.seat == seat and not _refused(view, passing.number):
            hand.update(passing.cards or ())
        if passing.to == seat:
            hand.subtract(passing.cards or ())
    hand.subtract(view.drawn)
    turned = 0 if view.rules.deal.stock else len(view.taken)  # without a stock, the dealer's
    for taken in view.taken if turned != 1 else ():
        if taken.seat == seat:
            hand.subtract([taken.card])
            hand.update([] if taken.left is None else [taken.left])
    if turned > 1 and seat == view.dealer:
        hand.update([view.taken[0].card])
    return hand


def _refused(view: View, number: int) -> bool:
    """Return True if so many discards are a renege; then the cards stay in the hand."""
    return Phase.REDRAW in view.rules.phases and number > view.rules.max_redraw(len(view.players))


def _all_tricks(view: View) -> list[tuple[int, tuple[Card, ...]]]:
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.leader is not None:
        tricks.append((view.leader, view.trick))
    return tricks


def _phases(view: View) -> Iterator[Event]:
    for phase in view.rules.phases:
        match phase:
            case Phase.AUCTION:
                yield from _auction(view)
            case Phase.KITTY if view.declarer is not None:
                yield KittyShown(view.declarer, view.kitty)
                if view.kind is not DecisionKind.BURY:
                    cards = view.buried if view.seat == view.declarer else None
                    yield Buried(view.declarer, view.rules.exchange.bury, cards)
            case Phase.TRUMP if view.declarer is not None:
                if view.trump is not None:
                    yield TrumpNamed(view.declarer, view.trump)
                elif _outcome(view) is Outcome.NO_MARRIAGE:
                    yield NoMarriage(view.declarer)
            case Phase.EXCHANGE:
                for passing in view.passed:
                    assert passing.to is not None
                    yield Given(passing.seat, passing.number, passing.cards, passing.to)
            case Phase.REDRAW:
                yield from _redraw(view)
            case Phase.UPCARD:
                yield from (Passed(call.seat) for call in view.auction)
                for taken in view.taken:
                    if taken.left is not None:
                        yield UpcardExchanged(taken.seat, taken.card, taken.left)
            case Phase.MELDING:
                yield from _melding(view)
            case Phase.PLAY:
                yield from _tricks(view)


def _auction(view: View) -> Iterator[Event]:
    for call in view.auction:
        yield Passed(call.seat) if call.bid is None else BidMade(call.seat, call.bid)
    if view.declarer is not None:
        assert view.bid is not None
        forced = all(call.bid is None for call in view.auction)
        yield Declared(view.declarer, view.bid, forced)
    elif _outcome(view) is Outcome.THROWN_IN:
        yield ThrownIn()


def _redraw(view: View) -> Iterator[Event]:
    """Yield the discards: all seats choose before anything is shown; a renege is shown at once."""
    if view.declarer is None:
        return
    decided: tuple[int, ...] = ()
    around = players_clockwise(view.players, view.declarer)
    reneged = any(_refused(view, passing.number) for passing in view.passed)
    if view.kind is DecisionKind.DISCARD or reneged:
        last = view.passed[0].seat if reneged else view.turn
        assert last is not None
        decided = around[: around.index(last)]
    elif view.passed:
        decided = around
    own = view.chosen
    if own is None:
        own = next((passing.cards for passing in view.passed if passing.seat == view.seat), None)
    for seat in decided:
        yield DiscardChosen(seat, own if seat == view.seat else None)
    for passing in view.passed:
        yield Discarded(passing.seat, passing.number, passing.cards)
    for passing in view.passed if not reneged else ():
        drawn = view.drawn if passing.seat == view.seat else None
        yield Drew(passing.seat, passing.number, drawn)


def _melding(view: View) -> Iterator[Event]:
    """Yield the melds: a side shows all or, below the least meld, only aces around."""
    for own in view.melds:
        mates = [
            m for m in view.melds if view.rules.side_of(m.seat) == view.rules.side_of(own.seat)
        ]
        open_ = all(mate.points is not None for mate in mates)
        if open_:
            worth = sum(mate.points or 0 for mate in mates)
            open_ = worth >= view.rules.scoring.least_meld
        shown = own.melds
        if not open_:
            shown = tuple(meld for meld in own.melds if meld.name.endswith("aces around"))
        melds = None if own.points is None else own.melds
        yield Melded(own.seat, melds, own.points, shown, open_)


def _tricks(view: View) -> Iterator[Event]:
    rules, drawn = view.rules, iter(view.drawn)
    stock_tricks = 0
    if Phase.STOCK_PLAY in rules.phases:
        stock_tricks = rules.deck.size // len(view.players) - rules.hand_size
    for number, (leader, cards) in enumerate(_all_tricks(view)):
        if stock_tricks and (number == 0 or not rules.melds.meld_before_draw):
            yield from _laid(view, number)
        around = players_clockwise(view.players, leader)
        for seat, card in zip(around, cards, strict=False):
            yield Played(seat, card)
        if number < len(view.tricks):
            trick = view.tricks[number]
            yield TrickWon(trick.leader, trick.winner, trick.cards, trick.points, trick.bonus)
            if number < stock_tricks:
                before = rules.melds.meld_before_draw
                if before and (number + 1 < stock_tricks or rules.melds.meld_after_stock):
                    yield from _laid(view, number + 1)
                if number + 1 < len(view.tricks) or not must_draw_first(view):
                    yield from _draws(view, trick, number + 1, drawn)


def _laid(view: View, number: int) -> Iterator[Event]:
    swaps: dict[tuple[Card, ...], Event] = {
        (taken.left,): UpcardExchanged(taken.seat, taken.card, taken.left)
        for taken in view.taken
        if taken.after == number and taken.left is not None
    }
    for laid in view.melds:
        if laid.after == number:
            event = MeldLaid if number else NineTurned
            yield from (event(laid.seat, meld) for meld in laid.melds)
            if swap := swaps.pop(laid.melds[0].cards, None):  # of the first nine that was laid
                yield swap


def _draws(view: View, trick: Trick, complete: int, drawn: Iterator[Card]) -> Iterator[Event]:
    last = [t for t in view.taken if t.left is None and t.after == complete]
    for seat in players_clockwise(view.players, trick.winner):
        if last and seat == last[0].seat:
            yield UpcardDrawn(seat, last[0].card)
        else:
            yield Drew(seat, 1, (next(drawn),) if seat == view.seat else None)


def _end(view: View) -> Iterator[Event]:
    if view.score is None:
        return
    if view.score.outcome is Outcome.CONCEDED:
        assert view.declarer is not None
        yield Conceded(view.declarer)
    if view.offence is not None:
        yield view.offence
    assert view.buried is not None
    assert view.winner is not None
    yield DealScored(view.score, view.scores, view.buried)
    yield GameWon(view.winner)

"""What one seat may see: a type of its own, filled field by field from the state by allow-list.

Own hand, own buried, given, chosen and discarded cards (perfect recall), and what is public.
Whatever is not copied here stays hidden; nothing is ever removed from a state to make a view.
"""

from __future__ import annotations

import msgspec

from acesaround.cards import Card, Suit, size, unpack
from acesaround.events import Hidden
from acesaround.game import kind_of
from acesaround.game import turn_of as turn_of
from acesaround.melds import Meld
from acesaround.rules import Rules
from acesaround.scoring import Tally, card_points, counters_of, tally_of
from acesaround.state import (
    Call,
    GameState,
    Kind,
    PhaseState,
    Playing,
    Redrawing,
    StockPlaying,
    Trick,
)


class Passing(msgspec.Struct, frozen=True):
    """Cards that left a hand face down; `to` is None for a discard. Hidden cards are None."""

    seat: int
    to: int | None
    number: int
    cards: Hidden


class Shown(msgspec.Struct, frozen=True):
    """A seat's melds as this view knows them; `points` is None where not all was shown."""

    seat: int
    melds: tuple[Meld, ...]
    points: int | None


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The game from one seat (None: a spectator). Lists by seat or by side cover all of them.

    `turn` and `kind`: who decides now, about what; both None when the game is over, `turn` None
    while the cards are being dealt. `table`: melded cards that lie before each seat and are still
    in its hand (two-handed). `won`: card points won in tricks so far, a side. `chosen`: what this
    seat has decided to discard and still holds, while others decide.
    """

    rules: Rules
    seat: int | None
    players: tuple[int, ...]
    dealer: int
    deals: int
    scores: tuple[int, ...]
    target: int
    winner: int | None
    turn: int | None
    kind: Kind | None
    hand: tuple[Card, ...]
    sizes: tuple[int, ...]
    auction: tuple[Call, ...]
    declarer: int | None
    bid: int | None
    trump: Suit | None
    kitty: tuple[Card, ...]
    buried: Hidden
    chosen: Hidden
    passed: tuple[Passing, ...]
    melds: tuple[Shown, ...]
    table: tuple[tuple[Card, ...], ...]
    leader: int | None
    trick: tuple[Card, ...]
    tricks: tuple[Trick, ...]
    won: tuple[int, ...]
    broken: bool
    upcard: Card | None
    stock: int


def view(state: GameState, seat: int | None) -> View:
    """What a seat sees of a state; None is a spectator, who sees what is public."""
    rules, deal, phase = state.rules, state.deal, state.phase
    in_trick = phase if isinstance(phase, Playing | StockPlaying) else None
    shown_kitty = rules.deal.kitty and deal.declarer is not None
    return View(
        rules=rules,
        seat=seat,
        players=state.players,
        dealer=state.dealer,
        deals=state.deals,
        scores=state.scores,
        target=state.target,
        winner=state.winner,
        turn=turn_of(state),
        kind=kind_of(state),
        hand=() if seat is None else unpack(state.hands[seat]),
        sizes=tuple([size(hand) for hand in state.hands]),
        auction=deal.auction,
        declarer=deal.declarer,
        bid=deal.bid,
        trump=deal.trump,
        kitty=deal.kitty if shown_kitty else (),
        buried=deal.buried if seat is not None and seat == deal.declarer else None,
        chosen=_chosen(phase, seat),
        passed=_passed(state, seat) if deal.given or deal.discarded else (),
        melds=_melds(state, seat) if deal.laid else (),
        table=tuple([unpack(down.cards) for down in phase.down])
        if isinstance(phase, StockPlaying)
        else (),
        leader=None if in_trick is None else in_trick.leader,
        trick=() if in_trick is None else in_trick.cards,
        tricks=deal.tricks,
        won=deal.won,
        broken=phase.broken if isinstance(phase, Playing) else True,
        upcard=deal.upcard,
        stock=len(deal.stock),
    )


def given(view: View) -> int:
    """How many passings between partners are over."""
    return sum(passing.to is not None for passing in view.passed)


def _chosen(phase: PhaseState | None, seat: int | None) -> Hidden:
    if isinstance(phase, Redrawing):
        for own in phase.chosen:
            if own.seat == seat:
                return own.cards
    return None


def _passed(state: GameState, seat: int | None) -> tuple[Passing, ...]:
    given = tuple(
        Passing(t.seat, t.to, len(t.cards), t.cards if seat in (t.seat, t.to) else None)
        for t in state.deal.given
    )
    thrown = tuple(
        Passing(d.seat, None, len(d.cards), d.cards if seat == d.seat else None)
        for d in state.deal.discarded
    )
    return given + thrown


def _melds(state: GameState, seat: int | None) -> tuple[Shown, ...]:
    return tuple(
        Shown(laid.seat, laid.melds, laid.points)
        if laid.seat == seat or laid.open
        else Shown(laid.seat, laid.shown, None)
        for laid in state.deal.laid
    )


def tally(view: View, buried: int | None = None) -> Tally:
    """What each side has laid and won as far as a view shows it.

    `buried`: card points that the declarer has buried, where they are taken to be known. Without it
    those count that this view shows. Melds that are hidden count nothing.
    """
    rules = view.rules
    return tally_of(
        rules,
        [(shown.seat, shown.points, shown.melds) for shown in view.melds],
        view.won,
        counters_of(rules, [(trick.winner, trick.cards) for trick in view.tricks]),
        view.declarer,
        card_points(rules, view.buried or ()) if buried is None else buried,
        view.tricks[-1].winner if view.tricks and not any(view.sizes) else None,
    )


def encode(view: View) -> bytes:
    """A view as JSON, cards as in records."""
    return msgspec.json.encode(view, enc_hook=str)

"""The view of one seat: a separate type, filled field by field from the state by allow-list.

A view has the seat's own hand and its own buried, given, chosen, discarded and drawn cards, and all
public facts. A fact that `view_for` does not copy stays hidden; no view is made by removing fields
from a state.

A view is complete. All events that its seat saw in this deal follow from it, in order
(tests/reconstruct_history.py derives them), and so do the cards on the table at each moment. So it
is an information state: equal views mean equal pasts and the same possible worlds. Of completed
deals only the scores remain; the last deal of a game keeps its final state.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import msgspec
from msgspec.structs import replace

from acesaround.cards import Card, Suit, card_count, unpack
from acesaround.game.engine import decision_kind
from acesaround.game.engine import turn_of as turn_of
from acesaround.game.events import Event, HiddenCards, MeldLaid, Played, Reneged
from acesaround.game.state import (
    Call,
    DecisionKind,
    GameState,
    MeldedCard,
    PhaseState,
    Playing,
    Redrawing,
    StockPlaying,
    TakingUpcard,
    Trick,
    UpcardTaken,
)
from acesaround.rules import Rules
from acesaround.rules.melds import Meld, cards_on_table
from acesaround.rules.scoring import DealScore, Tally, card_points, has_counter_by_side, make_tally


class HiddenTransfer(msgspec.Struct, frozen=True):
    """Cards that left a hand face down; `to` is None for a discard. Hidden cards are None."""

    seat: int
    to: int | None
    number: int
    cards: HiddenCards


class ShownMelds(msgspec.Struct, frozen=True):
    """A seat's melds as this view knows them; `points` is None where not all was shown.

    `after`: the number of complete tricks when they were laid.
    """

    seat: int
    melds: tuple[Meld, ...]
    points: int | None
    after: int = 0


class Claimed(msgspec.Struct, frozen=True, gc=False):
    """A claim at a table: the seat on lead says that its cards win all remaining tricks.

    `after`: the number of complete tricks. A claim is made only if it holds for every distribution
    of the hidden cards, so the others need not agree.
    """

    seat: int
    after: int


class Undone(msgspec.Struct, frozen=True, gc=False):
    """An action taken back at a table: the seat's view of its events. `after`: complete tricks."""

    after: int
    events: tuple[Event, ...]


class TableHistory(msgspec.Struct, frozen=True, gc=False):
    """Events at a table during this deal that are not part of the game, with nothing hidden."""

    claims: tuple[Claimed, ...] = ()
    undone: tuple[Undone, ...] = ()

    def with_claim(self, claim: Claimed) -> TableHistory:
        """Return the history with one more claim; a repeated claim changes nothing."""
        return self if claim in self.claims else replace(self, claims=(*self.claims, claim))

    def with_undone(self, undone: Undone) -> TableHistory:
        """Return the history with one more action taken back; a repeated one changes nothing."""
        return self if undone in self.undone else replace(self, undone=(*self.undone, undone))


EMPTY_HISTORY: Final = TableHistory()


class View(msgspec.Struct, frozen=True, kw_only=True):
    """The game from one seat (None: a spectator). Lists have an item for each seat or side.

    `turn` and `kind`: who decides now, and about what. Both are None when the game is over;
    `turn` is also None before the deal. `won`: card points won in tricks so far, by side.

    `table`: cards that are on the table before each seat and still belong to its hand: melded ones
    (two-handed), and the dealer's upcard while it can be taken. `lying`: all melded cards that are
    or were on the table, with the times. `drawn`: the cards that this seat drew from the stock, in
    that order. `chosen`: the cards that it has decided to discard and still holds, while others
    decide.

    `taken`: who took the upcard, for a nine and as the last card. The card that was turned up is
    the first of these, else `upcard`. Without a stock it is the dealer's, and `auction` has the
    passes of the seats that left it there. `claims` and `undone` are filled only at a table.

    Once the game is over, `score` is the score of its last deal and `buried` is public. `offence`
    is the renege that ended it, if any: the illegal card is the last of `trick`.
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
    kind: DecisionKind | None
    hand: tuple[Card, ...]
    sizes: tuple[int, ...]
    auction: tuple[Call, ...]
    declarer: int | None
    bid: int | None
    trump: Suit | None
    kitty: tuple[Card, ...]
    buried: HiddenCards
    chosen: HiddenCards
    passed: tuple[HiddenTransfer, ...]
    melds: tuple[ShownMelds, ...]
    table: tuple[tuple[Card, ...], ...]
    lying: tuple[MeldedCard, ...] = ()
    leader: int | None
    trick: tuple[Card, ...]
    tricks: tuple[Trick, ...]
    won: tuple[int, ...]
    broken: bool
    upcard: Card | None
    taken: tuple[UpcardTaken, ...] = ()
    stock: int
    drawn: tuple[Card, ...] = ()
    claims: tuple[Claimed, ...]
    undone: tuple[Undone, ...] = ()
    score: DealScore | None = None
    offence: Reneged | None = None


def view_for(state: GameState, seat: int | None, history: TableHistory = EMPTY_HISTORY) -> View:
    """Return what a seat sees of a state; None is a spectator, who sees only public facts.

    `history`: the claims and the actions taken back at the table.
    """
    rules, deal, phase = state.rules, state.deal, state.phase
    phase_state = deal.interrupted_phase if phase is None else phase
    in_trick = phase_state if isinstance(phase_state, Playing | StockPlaying) else None
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
        kind=decision_kind(state),
        hand=() if seat is None else unpack(state.hands[seat]),
        sizes=tuple([card_count(hand) for hand in state.hands]),
        auction=deal.auction,
        declarer=deal.declarer,
        bid=deal.bid,
        trump=deal.trump,
        kitty=deal.kitty if shown_kitty else (),
        buried=deal.buried
        if deal.score is not None or (seat is not None and seat == deal.declarer)
        else None,
        chosen=_own_discard(phase_state, seat),
        passed=_hidden_transfers(state, seat) if deal.passed_cards or deal.discarded else (),
        melds=_shown_melds(state, seat) if deal.laid else (),
        table=_table_cards(state),
        lying=deal.melded_cards,
        leader=None if in_trick is None else in_trick.leader,
        trick=() if in_trick is None else in_trick.cards,
        tricks=deal.tricks,
        won=deal.won,
        broken=_is_trump_broken(state),
        upcard=deal.upcard,
        taken=deal.upcards_taken,
        stock=len(deal.stock),
        drawn=deal.drawn[seat] if deal.drawn and seat is not None else (),
        claims=history.claims,
        undone=_visible_undone(history, seat) if history.undone else (),
        score=deal.score,
        offence=None
        if deal.offender is None or deal.broken_rule is None
        else Reneged(deal.offender, deal.broken_rule),
    )


def _is_trump_broken(state: GameState) -> bool:
    """Return whether trump may be led freely; always true before the strict rules begin."""
    if isinstance(state.phase, StockPlaying) and state.deal.upcard is None:
        return not state.rules.play.trump_must_be_broken
    return state.phase.is_trump_broken if isinstance(state.phase, Playing) else True


def is_strict_play(view: View) -> bool:
    """Return whether a trick led now is played under the strict rules: no card is left to draw."""
    return view.upcard is None


def must_draw_first(view: View) -> bool:
    """Return whether cards are drawn before the next lead, once the leader melds or passes."""
    if (
        view.kind is not DecisionKind.PLAY
        or is_strict_play(view)
        or view.trick
        or view.turn is None
    ):
        return False
    return view.sizes[view.turn] < view.rules.hand_size


def passes_completed(view: View) -> int:
    """Return the number of completed passes between partners."""
    return sum(passing.to is not None for passing in view.passed)


def _own_discard(phase: PhaseState | None, seat: int | None) -> HiddenCards:
    if isinstance(phase, Redrawing):
        for discard in phase.chosen:
            if discard.seat == seat:
                return discard.cards
    return None


def _hidden_transfers(state: GameState, seat: int | None) -> tuple[HiddenTransfer, ...]:
    given = tuple(
        HiddenTransfer(t.seat, t.to, len(t.cards), t.cards if seat in (t.seat, t.to) else None)
        for t in state.deal.passed_cards
    )
    discarded = tuple(
        HiddenTransfer(d.seat, None, len(d.cards), d.cards if seat == d.seat else None)
        for d in state.deal.discarded
    )
    return given + discarded


def _table_cards(state: GameState) -> tuple[tuple[Card, ...], ...]:
    """Return the cards on the table before each seat: its melds, or the dealer's upcard."""
    phase = state.phase
    if isinstance(phase, StockPlaying):
        return tuple([unpack(down.cards) for down in phase.laid_melds])
    if isinstance(phase, TakingUpcard):
        up = (state.deal.upcards_taken[0].card,)
        return tuple([up * (seat == state.dealer) for seat in range(state.rules.seats)])
    return ()


def _shown_melds(state: GameState, seat: int | None) -> tuple[ShownMelds, ...]:
    return tuple(
        ShownMelds(laid.seat, laid.melds, laid.points, laid.after)
        if laid.seat == seat or laid.is_complete
        else ShownMelds(laid.seat, laid.shown, None, laid.after)
        for laid in state.deal.laid
    )


def tally(view: View, buried: int | None = None) -> Tally:
    """Return what each side has laid and won, as far as a view shows it.

    `buried`: the card points that the declarer has buried, if the caller knows them; by default the
    buried cards that this view shows. Hidden melds count 0.
    """
    rules = view.rules
    return make_tally(
        rules,
        [(shown.seat, shown.points, shown.melds) for shown in view.melds],
        view.won,
        has_counter_by_side(rules, [(trick.winner, trick.cards) for trick in view.tricks]),
        view.declarer,
        card_points(rules, view.buried or ()) if buried is None else buried,
        view.tricks[-1].winner if view.tricks and not any(view.sizes) else None,
    )


def _visible_undone(history: TableHistory, seat: int | None) -> tuple[Undone, ...]:
    return tuple(
        Undone(undone.after, tuple(event.seen_by(seat) for event in undone.events))
        for undone in history.undone
    )


def melded_cards(view: View, shown: ShownMelds) -> tuple[Card, ...]:
    """Return the cards of a seat's melds, each as often as the melds need it.

    A nine given for the upcard is left out: it melds for its former holder but is in another hand.
    """
    cards = list(cards_on_table(shown.melds))
    for taken in view.taken:
        if taken.seat == shown.seat and taken.after == 0 and taken.left in cards:
            cards.remove(taken.left)
    return tuple(cards)


def known_melded_cards(view: View, seat: int) -> Counter[Card]:
    """Return cards that a seat surely holds because it melded them on the table.

    Cards that were on the table at the last draw count too, until they are played. Only melds laid
    one by one are considered.
    """
    cards = Counter(
        [
            table_meld.card
            for table_meld in view.lying
            if table_meld.seat == seat and table_meld.until is None
        ]
    )
    if cards and view.upcard is None and not view.table:  # the cards were taken back into the hand
        cards -= played_since(view, seat, view.taken[-1].after)
    return cards


def known_taken_cards(view: View, seat: int) -> Counter[Card]:
    """Return cards that a seat surely holds because it took them openly, or took a play back.

    A melded card is not played before its twin. So while a seat holds a card that it took, it also
    holds a melded twin.
    """
    cards, since = Counter[Card](), 0
    for taken in view.taken:
        if taken.seat == seat:
            taken_after = taken.after
            cards -= played_since(view, seat, since) - played_since(view, seat, taken_after)
            cards |= _count_on_table(view, seat, taken.card, taken_after)
            cards[taken.card] += 1
            since = taken_after
    if cards:
        cards -= played_since(view, seat, since)
    for undone in view.undone:
        shown = Counter[Card]()
        for event in undone.events:
            if isinstance(event, Played) and event.seat == seat:
                shown[event.card] += 1
            elif isinstance(event, MeldLaid) and event.seat == seat:
                shown.update(event.meld.cards)
        left = [t.left for t in view.taken if t.seat == seat and t.after >= undone.after and t.left]
        cards |= shown - played_since(view, seat, undone.after) - Counter(left)
    return cards


def _count_on_table(view: View, seat: int, card: Card, after: int) -> Counter[Card]:
    """Return how many of a card were on the table before a seat after `after` complete tricks."""
    table_melds = [
        table_meld
        for table_meld in view.lying
        if table_meld.seat == seat and table_meld.card == card and table_meld.since < after
    ]
    return Counter(
        {
            card: sum(
                table_meld.until is None or table_meld.until >= after for table_meld in table_melds
            )
        }
    )


def played_since(view: View, seat: int, after: int) -> Counter[Card]:
    """Return the cards that a seat has played since `after` tricks were complete."""
    players, cards_played = view.players, Counter[Card]()
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    if view.leader is not None:
        tricks.append((view.leader, view.trick))
    for leader, cards in tricks[after:]:
        position = (players.index(seat) - players.index(leader)) % len(players)
        cards_played.update(cards[position : position + 1])
    return cards_played

"""The legal choices of a seat that is on turn, as the message that is sent."""

from __future__ import annotations

from itertools import islice
from typing import Final

from acesaround import game
from acesaround.actions import CONCEDE, PASS, CardSelections, Discard, LayMeld, NameTrump, Play
from acesaround.cards import SUITS
from acesaround.game.concession import concede_sentence
from acesaround.game.events import MeldLaid
from acesaround.game.state import Decision, DecisionKind, Exchanging, GameState
from acesaround.game.view import turn_of, view_for
from acesaround.legal_bids import Bids
from acesaround.rules import Phase
from acesaround.rules.melds import find_melds, total_points
from acesaround.table.alerts import meaning_of_next_call
from acesaround.table.lesson_play import lesson_wait
from acesaround.table.messages import LegalChoices, MeldInTrump
from acesaround.table.table import Table

_MAX_LISTED_BIDS: Final = 12


def current_choices(table: Table, seat: int | None) -> LegalChoices | None:
    """Return what a seat can decide now; None if it is not on turn or a bot plays for it."""
    state = table.game
    if table.lesson is not None and lesson_wait(table) != "move":
        return None
    if state is None or not table.is_playing or seat is None or turn_of(state) != seat:
        return None
    return (
        None
        if table.seats[seat].has_substitute
        else legal_choices(state, seat, is_natural=table.config.natural)
    )


def legal_choices(state: GameState, seat: int, *, is_natural: bool = False) -> LegalChoices:
    """Return what the seat on turn can decide in a state.

    `is_natural`: whether bids have no meaning by a convention at this table.
    """
    decision = game.decision(state)
    legal = decision.legal
    if isinstance(legal, Bids):
        bids, spectator_view = tuple(islice(legal.bids(), _MAX_LISTED_BIDS)), view_for(state, None)
        return LegalChoices(
            kind=decision.kind,
            may_pass=legal.may_pass,
            bids=bids,
            bid_meanings=tuple(
                [meaning_of_next_call(spectator_view, seat, bid, is_natural) for bid in bids]
            ),
            pass_meaning=meaning_of_next_call(spectator_view, seat, None, is_natural)
            if legal.may_pass
            else None,
            higher_bids=legal.is_unbounded,
            melds_by_trump=_melds_by_trump(state, seat),
        )
    if isinstance(legal, CardSelections):
        to = state.phase.to if isinstance(state.phase, Exchanging) else None
        return LegalChoices(kind=decision.kind, sizes=tuple(legal.sizes), to=to)
    return _listed_choices(state, decision)


def _listed_choices(state: GameState, decision: Decision) -> LegalChoices:
    """Return choices that are few enough to be listed."""
    legal = list(decision.legal)
    can_concede = CONCEDE in legal
    melds = []
    for action in legal:
        if isinstance(action, LayMeld):
            event = game.apply(state, action)[1][0]
            assert isinstance(event, MeldLaid)
            melds.append(event.meld)
    return LegalChoices(
        kind=decision.kind,
        may_pass=PASS in legal or (decision.kind is DecisionKind.UPCARD and Discard(()) in legal),
        trumps=tuple([action.suit for action in legal if isinstance(action, NameTrump)]),
        plays=tuple([action.card for action in legal if isinstance(action, Play)]),
        nine=next(
            (
                discard.cards[0]
                for discard in legal
                if isinstance(discard, Discard) and discard.cards
            ),
            None,
        ),
        melds=tuple(melds),
        melds_by_trump=_melds_by_trump(state, decision.seat)
        if decision.kind is DecisionKind.TRUMP
        else (),
        concede=can_concede,
        concede_result=concede_sentence(view_for(state, decision.seat)) if can_concede else "",
    )


def _melds_by_trump(state: GameState, seat: int | None) -> tuple[MeldInTrump, ...]:
    """Return what a seat's hand melds in each trump, best first.

    Empty for games without a melding phase.
    """
    if seat is None or Phase.MELDING not in state.rules.phases:
        return ()
    hand, table = state.hands[seat], state.rules.melds
    found = [(suit, find_melds(table, hand, suit)) for suit in SUITS]
    melds_by_trump = [MeldInTrump(suit, total_points(melds), melds) for suit, melds in found]
    return tuple(sorted(melds_by_trump, key=lambda one: -one.points))

"""The state machine: `start`, `decision`, `apply`. It knows no variant's name and no rule of one.

Each phase decides which actions are legal. This module has only the order: dealing, the phases
listed in the rules, the score, then the next deal or the end of the game. `apply` is deterministic:
randomness enters only as a `Deal`. A refused action raises and leaves the state unchanged.
"""

from __future__ import annotations

import random
from types import ModuleType
from typing import Final

from msgspec.structs import replace

from acesaround.actions import Action, short_repr, why_invalid
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import DealScored, Event, GameWon
from acesaround.game.phases import (
    auction,
    dealing,
    exchange,
    kitty,
    melding,
    play,
    redraw,
    stock_play,
    trump,
    upcard,
)
from acesaround.game.state import (
    Bidding,
    Burying,
    Dealing,
    DealState,
    Decision,
    DecisionKind,
    Exchanging,
    GameState,
    NamingTrump,
    PhaseState,
    Playing,
    Redrawing,
    StockPlaying,
    TakingUpcard,
    next_player,
    tally,
)
from acesaround.rules import FirstDealer, Phase, Rules
from acesaround.rules.scoring import DealScore, Outcome, game_status_after_deal, outcome_and_changes

_PHASES: Final[tuple[tuple[Phase | None, type[PhaseState] | None, ModuleType], ...]] = (
    (None, Dealing, dealing),
    (Phase.AUCTION, Bidding, auction),
    (Phase.KITTY, Burying, kitty),
    (Phase.TRUMP, NamingTrump, trump),
    (Phase.EXCHANGE, Exchanging, exchange),
    (Phase.REDRAW, Redrawing, redraw),
    (Phase.UPCARD, TakingUpcard, upcard),
    (Phase.MELDING, None, melding),
    (Phase.STOCK_PLAY, StockPlaying, stock_play),
    (Phase.PLAY, Playing, play),
)
"""The name of each phase in the rules, the type of `GameState.phase` in it, and its module."""
_MODULE_OF_PHASE: Final = {name: module for name, _, module in _PHASES}
_MODULE_OF_STATE: Final = {asking: (module, name) for name, asking, module in _PHASES if asking}


def start(rules: Rules, dealer: int = 0) -> GameState:
    """Return the state of a new game, before its first deal by `dealer`."""
    if type(dealer) is not int or not 0 <= dealer < rules.seats:
        raise IllegalAction(Reason.BAD_DEAL, why=f"there is no seat {short_repr(dealer)}")
    return GameState(
        rules=rules,
        scores=(0,) * len(rules.sides),
        dealer=dealer,
        players=tuple(range(rules.seats)),
        target=rules.ending.target,
        deals=0,
        hands=(0,) * rules.seats,
        deal=DealState(),
        phase=Dealing(),
    )


def first_dealer(rules: Rules, rng: random.Random, previous: GameState | None = None) -> int:
    """Return the first dealer: random, or the previous game's winner if the rules say so."""
    if (
        previous is not None
        and previous.winner is not None
        and rules.ending.first_dealer is FirstDealer.WINNER
    ):
        return rules.sides[previous.winner][0]
    return rng.randrange(rules.seats)


def decision(state: GameState) -> Decision:
    """Return the next decision: seat, kind and legal actions. Raises IllegalAction at the end."""
    if state.phase is None:
        raise IllegalAction(Reason.GAME_OVER)
    next_decision: Decision = _MODULE_OF_STATE[type(state.phase)][0].decision(state)
    return next_decision


def turn_of(state: GameState) -> int | None:
    """Return the seat to act; None before a deal and after the game."""
    if state.phase is None:
        return None
    seat: int | None = _MODULE_OF_STATE[type(state.phase)][0].turn_of(state)
    return seat


def decision_kind(state: GameState) -> DecisionKind | None:
    """Return the kind of the next decision; None when the game is over."""
    if state.phase is None:
        return None
    kind: DecisionKind = _MODULE_OF_STATE[type(state.phase)][0].KIND
    return kind


def apply(
    state: GameState, action: Action, seat: int | None = None
) -> tuple[GameState, tuple[Event, ...]]:
    """Return the state after an action, and its events. Raises IllegalAction.

    `seat`: the acting seat, if the caller wants it checked.
    """
    if state.phase is None:
        raise IllegalAction(Reason.GAME_OVER)
    if seat is not None:
        turn = turn_of(state)
        if turn != seat:
            turn_text = "the cards are to be dealt" if turn is None else f"seat {turn} is to act"
            raise IllegalAction(Reason.NOT_YOUR_TURN, turn=turn_text)
    if (why := why_invalid(action)) is not None:
        raise IllegalAction(Reason.NO_ACTION, why=why)
    module, phase = _MODULE_OF_STATE[type(state.phase)]
    state, events = module.apply(state, action)
    if state.phase is None:
        state, phase_events = _open_next_phases(state, phase)
        events = (*events, *phase_events)
        if state.phase is None:
            state, score_events = _score_deal(state)
            events = (*events, *score_events)
    return state, events


def last_state_of_deal(state: GameState, action: Action) -> GameState:
    """Return the last state of a deal that a legal action ends, before it is scored and cleared."""
    assert state.phase is not None
    module, phase = _MODULE_OF_STATE[type(state.phase)]
    state, _ = module.apply(state, action)
    return _open_next_phases(state, phase)[0]


def _open_next_phases(state: GameState, completed: Phase | None) -> tuple[GameState, list[Event]]:
    """Open the following phases until there is something to decide or the deal is over."""
    order = state.rules.phases
    next_phases = order[order.index(completed) + 1 :] if completed is not None else order
    events: list[Event] = []
    for phase in next_phases:
        # Without a marriage the deal has no more decisions, but melds still count.
        if state.deal.outcome is None or (
            state.deal.outcome is Outcome.NO_MARRIAGE and phase is Phase.MELDING
        ):
            state, new_events = _MODULE_OF_PHASE[phase].begin(state)
            events.extend(new_events)
            if state.phase is not None:
                break
    return state, events


def _score_deal(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Score the deal, then begin the next one or end the game."""
    rules, deal = state.rules, state.deal
    deal_tally = tally(state)
    declarer = None if deal.declarer is None else rules.side_of(deal.declarer)
    offender = None if deal.offender is None else rules.side_of(deal.offender)
    outcome, change = outcome_and_changes(
        rules, deal_tally, deal.outcome, declarer, deal.bid, offender, deal.trump
    )
    is_unplayed = outcome in (Outcome.CONCEDED, Outcome.NO_MARRIAGE, Outcome.THROWN_IN)
    score = DealScore(
        outcome=outcome,
        bid=deal.bid,
        declarer=deal.declarer,
        trump=deal.trump,
        meld=deal_tally.meld,
        play=(0,) * len(deal_tally.play) if is_unplayed else deal_tally.play,
        change=change,
    )
    totals = tuple(a + b for a, b in zip(state.scores, change, strict=True))
    events: tuple[Event, ...] = (DealScored(score, totals, deal.buried),)
    contenders = tuple(sorted({rules.side_of(seat) for seat in state.players}))
    result = game_status_after_deal(
        rules, totals, contenders, state.target, declarer, state.deals + 1
    )
    state = replace(
        state,
        deal=replace(deal, score=score),
        scores=totals,
        target=result.target,
        deals=state.deals + 1,
        winner=result.winner,
    )
    if result.winner is not None:
        return state, (*events, GameWon(result.winner))
    players = tuple(s for s in range(rules.seats) if rules.side_of(s) in result.contenders)
    dealer = state.dealer
    for _ in range(rules.seats):
        dealer = next_player(tuple(range(rules.seats)), dealer)
        if dealer in players:
            break
    return dealing.begin(replace(state, players=players, dealer=dealer))[0], events

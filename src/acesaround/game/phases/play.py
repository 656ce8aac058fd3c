"""The play of tricks under the strict rules, and giving up before the first lead."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import CONCEDE, PLAY_ACTIONS, Action, ActionList, Concede, Play
from acesaround.cards import (
    CARDS,
    ONE_OF_KIND,
    RANK_COUNT,
    SUIT_KINDS,
    Card,
    Suit,
    kinds,
    kinds_in_set,
)
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Conceded, Event, Played, Reneged, TrickWon
from acesaround.game.state import (
    DealState,
    Decision,
    DecisionKind,
    GameState,
    Playing,
    Trick,
    next_player,
    tally,
    with_hand,
)
from acesaround.rules import Renege
from acesaround.rules.scoring import Outcome, card_points, may_concede
from acesaround.rules.tricks import (
    BEATING_KINDS,
    beats,
    legal_kinds,
    legal_leads,
    meld_saving_kinds,
    must_beat,
)

KIND: Final = DecisionKind.PLAY


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Let the declarer lead; without one, the last trick's winner or the seat after the dealer."""
    rules, deal = state.rules, state.deal
    if deal.declarer is None:
        first = next_player(state.players, state.dealer)
        leader = deal.tricks[-1].winner if deal.tricks else first
        can_concede = False
    else:
        leader = deal.declarer
        assert deal.bid is not None
        can_concede = may_concede(
            rules, tally(state), rules.side_of(leader), deal.bid, len(state.players)
        )
    phase = Playing(
        leader=leader,
        turn=leader,
        cards=(),
        best=-1,
        best_seat=-1,
        is_trump_broken=not rules.play.trump_must_be_broken,
        may_concede=can_concede,
    )
    return replace(state, phase=phase), ()


def turn_of(state: GameState) -> int:
    """Return the seat that is to play a card."""
    return cast(Playing, state.phase).turn


_last_legal: tuple[GameState | None, int] = (None, 0)
"""The last state that was asked about, and its legal kinds."""


def _legal_kinds(state: GameState, phase: Playing) -> int:
    """Return the legal kinds. Cached, because `apply` follows `decision` on the same state."""
    global _last_legal
    cached_state, legal = _last_legal
    if cached_state is not state:
        legal = _compute_legal_kinds(state, phase)
        _last_legal = state, legal
    return legal


def _compute_legal_kinds(state: GameState, phase: Playing) -> int:
    trump = state.deal.trump
    assert trump is not None
    held = kinds(state.hands[phase.turn])
    if not phase.cards:
        return held if phase.is_trump_broken else legal_leads(held, SUIT_KINDS[trump], False)
    play_rules, led = state.rules.play, phase.cards[0] // RANK_COUNT
    return legal_kinds(
        held,
        SUIT_KINDS[led],
        SUIT_KINDS[trump],
        BEATING_KINDS[trump][phase.best] if must_beat(play_rules.must_beat, led == trump) else 0,
        play_rules.void_must_trump,
    )


@lru_cache(maxsize=1 << 14)
def play_actions(kind_set: int) -> ActionList:
    """Return the actions for a set of kinds. Cached, because few sets occur again and again."""
    return ActionList([PLAY_ACTIONS[card] for card in kinds_in_set(kind_set)])


def decision(state: GameState) -> Decision:
    """Return the decision on turn: a legal card, or at the first lead giving up if allowed."""
    phase = state.phase
    assert isinstance(phase, Playing)
    legal = play_actions(_legal_kinds(state, phase))
    if phase.may_concede:
        legal = ActionList((*legal, CONCEDE))
    return Decision(phase.turn, KIND, legal)


def apply(state: GameState, action: Action) -> tuple[GameState, tuple[Event, ...]]:
    """Apply a card to the trick, or giving up. Raises IllegalAction.

    Under the renege penalty an illegal play of a held card is accepted and ends the deal.
    """
    phase = state.phase
    assert isinstance(phase, Playing)
    if type(action) is not Play:
        return _concede(state, phase, action)
    card, turn, cards = action.card, phase.turn, phase.cards
    hand = state.hands[turn]
    legal_set = _legal_kinds(state, phase)
    if not legal_set & ONE_OF_KIND[card]:
        error = _illegal_play_error(state, phase, card, hand)
        if state.rules.play.renege is Renege.REFUSE or error.reason is Reason.NOT_HELD:
            raise error
        return _apply_renege(state, phase, card, error)
    hands = with_hand(state.hands, turn, hand - ONE_OF_KIND[card])
    trump = state.deal.trump
    assert trump is not None
    best, best_seat = phase.best, phase.best_seat
    if not cards or beats(card, best, trump):
        best, best_seat = card, turn
    cards = (*cards, card)
    broken = phase.is_trump_broken or card // RANK_COUNT == trump
    event = Played(turn, card)
    players = state.players
    if len(cards) < len(players):
        turn = next_player(players, turn)
        return (
            replace(
                state,
                hands=hands,
                phase=Playing(phase.leader, turn, cards, best, best_seat, broken),
            ),
            (event,),
        )
    is_last = not any(hands)
    bonus = state.rules.scoring.last_trick if is_last else 0
    trick = Trick(phase.leader, cards, best_seat, card_points(state.rules, cards), bonus)
    trick_won = TrickWon(phase.leader, best_seat, cards, trick.points, bonus)
    next_phase = None if is_last else Playing(best_seat, best_seat, (), -1, -1, broken)
    return (
        replace(state, hands=hands, deal=take_trick(state, trick), phase=next_phase),
        (event, trick_won),
    )


def take_trick(state: GameState, trick: Trick) -> DealState:
    """Return the deal with a trick added to its winner's side."""
    deal = state.deal
    side = state.rules.side_of(trick.winner)
    won, counter = deal.won, deal.has_counter
    if trick.points:
        won = (*won[:side], won[side] + trick.points, *won[side + 1 :])
    if not counter[side]:
        saves_meld = meld_saving_kinds(state.rules.scoring.keep_meld)
        if any(saves_meld[card] for card in trick.cards):
            counter = (*counter[:side], True, *counter[side + 1 :])
    return replace(deal, tricks=(*deal.tricks, trick), won=won, has_counter=counter)


def _concede(
    state: GameState, phase: Playing, action: Action
) -> tuple[GameState, tuple[Event, ...]]:
    if not isinstance(action, Concede):
        raise IllegalAction(Reason.WRONG_KIND, expected="a card is to be played")
    if not phase.may_concede:
        raise IllegalAction(Reason.CANNOT_CONCEDE)
    deal = replace(state.deal, outcome=Outcome.CONCEDED)
    return replace(state, deal=deal, phase=None), (Conceded(phase.turn),)


def _apply_renege(
    state: GameState, phase: Playing, card: Card, error: IllegalAction
) -> tuple[GameState, tuple[Event, ...]]:
    turn, rule = phase.turn, str(error)
    interrupted = replace(phase, cards=(*phase.cards, card))
    deal = replace(
        state.deal,
        outcome=Outcome.RENEGED,
        offender=turn,
        broken_rule=rule,
        interrupted_phase=interrupted,
    )
    hands = with_hand(state.hands, turn, state.hands[turn] - ONE_OF_KIND[card])
    events = (Played(turn, card), Reneged(turn, rule))
    return replace(state, hands=hands, deal=deal, phase=None), events


def _illegal_play_error(state: GameState, phase: Playing, card: int, hand: int) -> IllegalAction:
    """Return the error for the rule that forbids a card, checked in a player's order."""
    held, trump = kinds(hand), cast(Suit, state.deal.trump)
    if not held & ONE_OF_KIND[card]:
        return IllegalAction(Reason.NOT_HELD, cards=CARDS[card].pretty)
    if not phase.cards:
        return IllegalAction(Reason.TRUMP_NOT_BROKEN)
    led, play_rules = phase.cards[0].suit, state.rules.play
    if held & SUIT_KINDS[led]:
        if card // RANK_COUNT != led:
            return IllegalAction(Reason.MUST_FOLLOW, suit=led.word)
    elif card // RANK_COUNT != trump and (
        play_rules.void_must_trump or phase.best // RANK_COUNT != trump
    ):
        return IllegalAction(Reason.MUST_TRUMP, suit=trump.word)
    return IllegalAction(Reason.MUST_BEAT, card=CARDS[phase.best].pretty)

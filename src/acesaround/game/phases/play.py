"""The play of tricks under the strict rules, and giving up before the first lead."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, cast

from msgspec.structs import replace

from acesaround.actions import CONCEDE, PLAYS, Action, ActionList, Concede, Play
from acesaround.cards import CARDS, ONE, RANKS, SUIT_KINDS, Card, Suit, kinds, members
from acesaround.errors import IllegalAction, Reason
from acesaround.game.events import Conceded, Event, Played, Reneged, TrickWon
from acesaround.game.state import (
    DealState,
    Decision,
    GameState,
    Kind,
    Playing,
    Trick,
    next_player,
    tally,
    with_hand,
)
from acesaround.rules import Renege
from acesaround.rules.scoring import Outcome, card_points, may_concede
from acesaround.rules.tricks import BEATING, beats, leads, legal_kinds, must_beat, saving

KIND: Final = Kind.PLAY


def begin(state: GameState) -> tuple[GameState, tuple[Event, ...]]:
    """Let the declarer lead; without one, the last trick's winner or the seat after the dealer."""
    rules, deal = state.rules, state.deal
    if deal.declarer is None:
        first = next_player(state.players, state.dealer)
        leader = deal.tricks[-1].winner if deal.tricks else first
        may_give_up = False
    else:
        leader = deal.declarer
        assert deal.bid is not None
        may_give_up = may_concede(
            rules, tally(state), rules.side_of(leader), deal.bid, len(state.players)
        )
    phase = Playing(
        leader=leader,
        turn=leader,
        cards=(),
        best=-1,
        best_seat=-1,
        broken=not rules.play.trump_must_be_broken,
        may_concede=may_give_up,
    )
    return replace(state, phase=phase), ()


def turn_of(state: GameState) -> int:
    """Return the seat that is to play a card."""
    return cast(Playing, state.phase).turn


_last: tuple[GameState | None, int] = (None, 0)
"""The last state that was asked about, and its legal kinds."""


def _legal(state: GameState, phase: Playing) -> int:
    """Return the legal kinds. Cached, because `apply` follows `decision` on the same state."""
    global _last
    asked, legal = _last
    if asked is not state:
        legal = _reckoned(state, phase)
        _last = state, legal
    return legal


def _reckoned(state: GameState, phase: Playing) -> int:
    trump = state.deal.trump
    assert trump is not None
    held = kinds(state.hands[phase.turn])
    if not phase.cards:
        return held if phase.broken else leads(held, SUIT_KINDS[trump], False)
    law, led = state.rules.play, phase.cards[0] // RANKS
    return legal_kinds(
        held,
        SUIT_KINDS[led],
        SUIT_KINDS[trump],
        BEATING[trump][phase.best] if must_beat(law.must_beat, led == trump) else 0,
        law.void_must_trump,
    )


@lru_cache(maxsize=1 << 14)
def play_actions(kind_set: int) -> ActionList:
    """Return the actions for a set of kinds. Cached, because few sets occur again and again."""
    return ActionList([PLAYS[card] for card in members(kind_set)])


def decision(state: GameState) -> Decision:
    """Return the decision on turn: a legal card, or at the first lead giving up if allowed."""
    phase = state.phase
    assert isinstance(phase, Playing)
    legal = play_actions(_legal(state, phase))
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
        return _give_up(state, phase, action)
    card, turn, cards = action.card, phase.turn, phase.cards
    hand = state.hands[turn]
    legal = _legal(state, phase)
    if not legal & ONE[card]:
        refusal = _refusal(state, phase, card, hand)
        if state.rules.play.renege is Renege.REFUSE or refusal.reason is Reason.NOT_HELD:
            raise refusal
        return _renege(state, phase, card, refusal)
    hands = with_hand(state.hands, turn, hand - ONE[card])
    trump = state.deal.trump
    assert trump is not None
    best, best_seat = phase.best, phase.best_seat
    if not cards or beats(card, best, trump):
        best, best_seat = card, turn
    cards = (*cards, card)
    broken = phase.broken or card // RANKS == trump
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
    trick = Trick(phase.leader, cards, best_seat, card_points(state.rules, cards))
    won = TrickWon(phase.leader, best_seat, cards, trick.points)
    following = Playing(best_seat, best_seat, (), -1, -1, broken) if any(hands) else None
    return (
        replace(state, hands=hands, deal=take_trick(state, trick), phase=following),
        (event, won),
    )


def take_trick(state: GameState, trick: Trick) -> DealState:
    """Return the deal with a trick added to its winner's side."""
    deal = state.deal
    side = state.rules.side_of(trick.winner)
    won, counter = deal.won, deal.counter
    if trick.points:
        won = (*won[:side], won[side] + trick.points, *won[side + 1 :])
    if not counter[side]:
        saves = saving(state.rules.scoring.keep_meld)
        if any(saves[card] for card in trick.cards):
            counter = (*counter[:side], True, *counter[side + 1 :])
    return replace(deal, tricks=(*deal.tricks, trick), won=won, counter=counter)


def _give_up(
    state: GameState, phase: Playing, action: Action
) -> tuple[GameState, tuple[Event, ...]]:
    if not isinstance(action, Concede):
        raise IllegalAction(Reason.WRONG_KIND, expected="a card is to be played")
    if not phase.may_concede:
        raise IllegalAction(Reason.CANNOT_CONCEDE)
    deal = replace(state.deal, outcome=Outcome.CONCEDED)
    return replace(state, deal=deal, phase=None), (Conceded(phase.turn),)


def _renege(
    state: GameState, phase: Playing, card: Card, refusal: IllegalAction
) -> tuple[GameState, tuple[Event, ...]]:
    turn, rule = phase.turn, str(refusal)
    cut = replace(phase, cards=(*phase.cards, card))
    deal = replace(state.deal, outcome=Outcome.RENEGED, offender=turn, rule=rule, cut=cut)
    hands = with_hand(state.hands, turn, state.hands[turn] - ONE[card])
    events = (Played(turn, card), Reneged(turn, rule))
    return replace(state, hands=hands, deal=deal, phase=None), events


def _refusal(state: GameState, phase: Playing, card: int, hand: int) -> IllegalAction:
    """Return the error for the rule that forbids a card, checked in a player's order."""
    held, trump = kinds(hand), cast(Suit, state.deal.trump)
    if not held & ONE[card]:
        return IllegalAction(Reason.NOT_HELD, cards=CARDS[card].pretty)
    if not phase.cards:
        return IllegalAction(Reason.TRUMP_NOT_BROKEN)
    led, law = phase.cards[0].suit, state.rules.play
    if held & SUIT_KINDS[led]:
        if card // RANKS != led:
            return IllegalAction(Reason.MUST_FOLLOW, suit=led.word)
    elif card // RANKS != trump and (law.void_must_trump or phase.best // RANKS != trump):
        return IllegalAction(Reason.MUST_TRUMP, suit=trump.word)
    return IllegalAction(Reason.MUST_BEAT, card=CARDS[phase.best].pretty)

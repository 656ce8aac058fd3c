"""Alerts: what bids, passes and cards at a table say, in the form in which they are sent.

They are made from what everybody at the table has seen.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from acesaround import bots
from acesaround.bots import call_meanings as calls
from acesaround.bots.heuristic.ace_signals import (
    SignalMeaning,
    signals_in_trick,
    uses_ace_signals,
)
from acesaround.game.events import BidMade, Event, Played
from acesaround.game.state import Call
from acesaround.game.view import View
from acesaround.rules import Rules
from acesaround.table.messages import CallMeaning, SignalInfo
from acesaround.table.table import Table

_BOT_PREFIX: Final = "bot:"
_SIGNAL_WORDS: Final = {
    SignalMeaning.HAS_ACE: "shows an ace",
    SignalMeaning.NO_ACE: "shows no ace",
}
_SIGNAL_SENTENCES: Final = {
    SignalMeaning.HAS_ACE: "By convention, a queen under an opponent's ace shows the ace of the "
    "same suit: here an ace of {suit}, unless this seat had no jack to play.",
    SignalMeaning.NO_ACE: "By convention, a jack under an opponent's ace shows weakness: here no "
    "ace of {suit}, unless this seat had no queen to play.",
}


def has_conventions(rules: Rules) -> bool:
    """Return whether bots have conventions by these rules, for bids or for cards."""
    return calls.has_conventions(rules) or uses_ace_signals(rules)


def natural_seats(table: Table) -> tuple[int, ...]:
    """Return the seats that play without conventions.

    These are all seats of a table that is set so, and the seats of bots that keep no promises.
    """
    return tuple(
        [
            number
            for number, seat in enumerate(table.seats)
            if table.config.natural
            or (seat.is_played_by_bot and not bots.has_conventions(seat.bot))
        ]
    )


def natural_names(names: Sequence[str], *, all_natural: bool = False) -> tuple[int, ...]:
    """Return the seats that play without conventions, from the names of a game's players.

    A bot's name begins with `bot:`.
    """
    return tuple(
        [
            number
            for number, name in enumerate(names)
            if all_natural
            or (
                name.startswith(_BOT_PREFIX)
                and not bots.has_conventions(name.removeprefix(_BOT_PREFIX))
            )
        ]
    )


def call_meanings(view: View, natural: Collection[int]) -> tuple[CallMeaning | None, ...]:
    """Return what each call of the auction says, until the first trick is over."""
    if view.tricks:
        return ()
    return tuple([_sent(meaning) for meaning in calls.meanings_of_auction(view, natural)])


def meaning_of_next_call(
    view: View, seat: int, bid: int | None, is_natural: bool
) -> CallMeaning | None:
    """Return what the next call of an auction would say: a bid, or None for a pass."""
    return _sent(calls.meaning_of_call(view, view.auction, Call(seat, bid), is_natural=is_natural))


def signals(view: View, natural: Collection[int]) -> tuple[SignalInfo, ...]:
    """Return the signals in the last trick and in the present one."""
    if view.trump is None or not uses_ace_signals(view.rules):
        return ()
    tricks = [(len(view.tricks) - 1, one.leader, one.cards) for one in view.tricks[-1:]]
    if view.leader is not None:
        tricks.append((len(view.tricks), view.leader, view.trick))
    return tuple(
        [
            SignalInfo(
                signal.seat,
                number,
                signal.card,
                _SIGNAL_WORDS[signal.meaning],
                _SIGNAL_SENTENCES[signal.meaning].format(suit=signal.card.suit.word),
            )
            for number, leader, cards in tricks
            for signal in signals_in_trick(view.rules, view.players, leader, cards, view.trump)
            if signal.seat not in natural
        ]
    )


def alert_sentences(
    events: Iterable[Event],
    auction: Sequence[Call],
    meanings: Sequence[CallMeaning | None],
    view_signals: Sequence[SignalInfo],
) -> list[str]:
    """Return what the bids and cards among some events say by convention, a sentence each.

    The other arguments are those of the view after the events: the auction, what its calls say, and
    the signals.
    """
    sentences = []
    for event in events:
        if isinstance(event, BidMade):
            for call, meaning in zip(reversed(auction), reversed(meanings), strict=False):
                if call == Call(event.seat, event.points) and meaning and meaning.convention:
                    sentences.append(meaning.sentence)
                    break
        elif isinstance(event, Played):
            sentences += [
                signal.sentence
                for signal in view_signals
                if (signal.seat, signal.card) == (event.seat, event.card)
            ][-1:]
    return sentences


def _sent(meaning: calls.CallMeaning | None) -> CallMeaning | None:
    if meaning is None:
        return None
    return CallMeaning(meaning.short, meaning.sentence, meaning.is_convention)

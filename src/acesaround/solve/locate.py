"""Location of the position to solve: a place in a record, or typed hands.

Numbers of games, deals, tricks and cards count from 1. Only the play under the strict rules can be
solved. In an auction the contract is still open, and while there is a stock the hands change.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, islice
from pathlib import Path

import msgspec
from msgspec.structs import replace

from acesaround import game
from acesaround.actions import PLAYS, Action, LayMeld
from acesaround.cards import Card, Suit, pack, parse_cards
from acesaround.errors import AcesAroundError, IllegalAction, NotationError, RecordError
from acesaround.game.events import DealScored
from acesaround.game.phases import stock_play
from acesaround.game.state import DealState, GameState, MeldRecord, Playing, StockPlaying
from acesaround.record import GameRecord, Step, read_games, steps
from acesaround.rules import Renege, Rules
from acesaround.rules.tricks import points_of


class Place(msgspec.Struct, frozen=True):
    """A state of the play. `names`: the players by seat, from a record. `done`: the action."""

    state: GameState
    names: tuple[str, ...] = ()
    number: tuple[int, int, int, int] | None = None
    """Numbers of game, deal, trick and card, from 1."""
    done: Action | None = None


def position_from_record(
    path: Path | None,
    at: int = 1,
    deal: int | None = None,
    trick: int | None = None,
    card: int | None = None,
) -> Place:
    """Return a place in a file of records (None: standard input). Raise RecordError and OSError.

    `at`: the number of the game. Defaults: the last deal that came to play, its first trick under
    the strict rules, and the first card of the trick.
    """
    file = "standard input" if path is None else str(path)
    found = next(islice(read_games(path), at - 1, None), None)
    if found is None:
        raise RecordError(f"{file}: there is no game {at} in it.")
    try:
        if isinstance(found, AcesAroundError):
            raise found
        number, states = _deal(found, deal)
        trick, card, (state, done) = _moment(number, states, trick, card)
    except AcesAroundError as error:
        raise RecordError(f"{file}: game {at}: {error}") from error
    names = tuple(seat.name for seat in found.seats)
    return Place(state, names, (at, number, trick, card), done)


Moments = list[tuple[GameState, Action | None]]


def _deal(record: GameRecord, wanted: int | None) -> tuple[int, Moments]:
    """Return the number of a deal and its states in play, each with the action taken there."""
    chosen: list[Step] = []
    for number, group in groupby(steps(record), key=lambda step: step.deal + 1):
        if wanted is not None and number != wanted:
            if number > wanted:
                break
            continue
        these = list(group)
        if not chosen or wanted is not None or _states(these):
            chosen = these
    if not chosen:
        there = len(record.deals)
        raise RecordError(f"there is no deal {wanted or 1} in it: {_many(there, 'deal')} in all.")
    number = chosen[0].deal + 1
    if found := _states(chosen):
        return number, found
    if wanted is None and len(record.deals) > 1:
        raise RecordError("none of its deals came to the play of tricks.")
    for event in chosen[-1].events:
        if isinstance(event, DealScored):
            raise RecordError(f"deal {number} ended without play: {event.score.outcome}.")
    raise RecordError(f"deal {number} has not come to play under the strict law: it stops before.")


def _states(deal: Sequence[Step]) -> Moments:
    before = [
        (_opened(step.before), step.action) for step in deal if not isinstance(step.action, LayMeld)
    ]
    found: Moments = [moment for moment in before if isinstance(moment[0].phase, Playing)]
    last, after = deal[-1], _opened(deal[-1].after)
    if isinstance(after.phase, Playing) and after.deals == last.deal:
        found.append((after, None))  # a deal in progress: its next card is not played yet
    return found


def _opened(state: GameState) -> GameState:
    """Return the state after the last chance to meld, because melds laid there change no hand."""
    laying = isinstance(state.phase, StockPlaying) and state.deal.upcard is None
    return stock_play.play_off(state) if laying else state


def _at(state: GameState) -> tuple[int, int]:
    """Return the numbers of the trick and card to be played, from 1."""
    assert isinstance(state.phase, Playing)
    return len(state.deal.tricks) + 1, len(state.phase.cards) + 1


def _moment(
    deal: int, states: Moments, trick: int | None, card: int | None
) -> tuple[int, int, tuple[GameState, Action | None]]:
    first, last = _at(states[0][0])[0], _at(states[-1][0])[0]
    trick, card = trick or first, card or 1
    if trick < first:
        raise RecordError(
            f"deal {deal}: trick {trick} is played with a stock, and hands still change: "
            f"tricks {first} to {last} can be solved."
        )
    if trick > last:
        raise RecordError(f"deal {deal}: there is no trick {trick}: it has {last}.")
    here = [moment for moment in states if _at(moment[0])[0] == trick]
    if card > len(here):
        raise RecordError(
            f"deal {deal}, trick {trick}: there is no card {card}: "
            f"it has {_many(len(here), 'card')}."
        )
    return trick, card, here[card - 1]


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def position_from_hands(
    rules: Rules,
    trump: Suit,
    hands: Sequence[str],
    leader: int,
    *,
    trick: str = "",
    unbroken: bool = False,
    declarer: int | None = None,
    bid: int | None = None,
    meld: Sequence[int] | None = None,
    won: Sequence[int] | None = None,
) -> Place:
    """Return a position from the present hands in seat order. Raise NotationError and others.

    `trick`: the cards played to it, the leader's first. `meld` and `won`: points of each side so
    far. A side that has won points counts as having won a counter.
    """
    held = [list(parse_cards(hand)) for hand in hands]
    cards = parse_cards(trick)
    _check_sizes(rules, held, cards, leader)
    if (declarer is None) != (bid is None):
        missing = "who bid it (--declarer)" if declarer is None else "how much was bid (--bid)"
        raise NotationError(f"A bid needs both: it is not said {missing}.")
    if bid is not None and rules.auction is None:
        raise NotationError(f"{rules.variant} has no auction, and so no bid.")
    if declarer is not None and declarer >= rules.seats:
        raise NotationError(
            f"There is no seat {declarer} to bid: seats are 0 to {rules.seats - 1}."
        )
    melds, points = _a_side(rules, "--meld", meld), _a_side(rules, "--won", won)
    excess = rules.deck.excess((*cards, *(card for hand in held for card in hand)))
    if excess is not None:
        copies = rules.deck.copies if excess.rank < rules.deck.ranks else 0
        raise NotationError(f"There are too many {excess}: the deck has {copies} of it.")
    worth = points_of(rules.scoring.card_points)
    there = sum(worth[card] for card in (*cards, *(card for hand in held for card in hand)))
    gone = sum(worth[card] for card in rules.deck.cards) - there
    if sum(points) > gone:
        raise NotationError(f"--won is too much: the cards that are gone are worth {gone}.")
    players = tuple(range(rules.seats))
    for place, card in enumerate(cards):
        held[(leader + place) % rules.seats].append(card)
    state = replace(
        game.start(rules),
        players=players,
        hands=tuple(pack(hand) for hand in held),
        deal=DealState(
            declarer=declarer,
            bid=bid,
            trump=trump,
            laid=tuple(
                MeldRecord(seats[0], (), melded, ())
                for seats, melded in zip(rules.sides, melds, strict=True)
            ),
            won=points,
            counter=tuple(p > 0 for p in points),
        ),
        phase=Playing(
            leader=leader,
            turn=leader,
            cards=(),
            best=-1,
            best_seat=-1,
            broken=not (unbroken and rules.play.trump_must_be_broken),
        ),
    )
    state = _with_trick(state, cards)
    return Place(state)


def _check_sizes(
    rules: Rules, held: Sequence[Sequence[Card]], cards: Sequence[Card], leader: int
) -> None:
    seats = rules.seats
    if len(held) != seats:
        raise NotationError(
            f"{_many(len(held), 'hand')} given for {seats} players: "
            "one --hand for each seat, and --players says how many play."
        )
    if leader >= seats:
        raise NotationError(f"There is no seat {leader} to lead: seats are 0 to {seats - 1}.")
    if len(cards) >= seats:
        raise NotationError(f"The trick has {len(cards)} cards: it is complete with {seats}.")
    most = [len(hand) + ((seat - leader) % seats < len(cards)) for seat, hand in enumerate(held)]
    if len(set(most)) > 1:
        holds = ", ".join(f"seat {seat} has {len(hand)}" for seat, hand in enumerate(held))
        trick = " for this trick" if cards else ""
        raise NotationError(f"The hands are of different sizes{trick}: {holds}.")
    if most[0] > rules.hand_size:
        raise NotationError(
            f"{most[0]} cards are too many for a hand: "
            f"{rules.variant} has hands of {rules.hand_size}."
        )
    if most[0] == 0:
        raise NotationError("The hands are empty: there is no card to play.")


def _a_side(rules: Rules, name: str, given: Sequence[int] | None) -> tuple[int, ...]:
    sides = len(rules.sides)
    if given is None:
        return (0,) * sides
    if len(given) != sides:
        whose = " ".join("+".join(map(str, seats)) for seats in rules.sides)
        raise NotationError(
            f"{name} has {_many(len(given), 'number')} for {sides} sides: "
            f"one for each of {whose}, with commas between."
        )
    return tuple(given)


def _with_trick(state: GameState, cards: Sequence[Card]) -> GameState:
    """Return the state after these cards are played. Raise NotationError for an illegal card."""
    strict = replace(state.rules, play=replace(state.rules.play, renege=Renege.REFUSE))
    now = replace(state, rules=strict)
    for card in cards:
        assert isinstance(now.phase, Playing)
        seat = now.phase.turn
        try:
            now, _ = game.apply(now, PLAYS[card])
        except IllegalAction as refusal:
            raise NotationError(f"--trick: {card} of seat {seat}: {refusal}") from None
    return replace(now, rules=state.rules)

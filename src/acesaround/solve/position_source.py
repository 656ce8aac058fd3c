"""The source of the position to solve: a place in a record, or typed hands.

Numbers of games, deals, tricks and cards count from 1. Only the play under the strict rules can be
solved. In an auction the contract is still open, and while there is a stock the hands change.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

import msgspec
from msgspec.structs import replace

from acesaround import game
from acesaround.actions import PLAY_ACTIONS, Action, LayMeld
from acesaround.cards import Card, Suit, pack, parse_cards
from acesaround.errors import AcesAroundError, IllegalAction, NotationError, RecordError
from acesaround.game.events import DealScored
from acesaround.game.phases import stock_play
from acesaround.game.state import DealState, GameState, MeldRecord, Playing, StockPlaying
from acesaround.record import GameRecord, Step, read_game, steps
from acesaround.rules import Renege, Rules
from acesaround.rules.tricks import points_of


class LocatedPosition(msgspec.Struct, frozen=True):
    """A state of the play.

    `names`: the players by seat, from a record. `action_taken`: the action.
    """

    state: GameState
    names: tuple[str, ...] = ()
    number: tuple[int, int, int, int] | None = None
    """Numbers of game, deal, trick and card, from 1."""
    action_taken: Action | None = None


def position_from_record(
    path: Path | None,
    game_number: int = 1,
    deal: int | None = None,
    trick: int | None = None,
    card: int | None = None,
) -> LocatedPosition:
    """Return a place in a file of records (None: standard input). Raise RecordError and OSError.

    `game_number`: the number of the game. Defaults: the last deal that came to play, its first
    trick under the strict rules, and the first card of the trick.
    """
    file = "standard input" if path is None else str(path)
    record = read_game(path, game_number)
    try:
        number, states = _select_deal(record, deal)
        trick, card, (state, action_taken) = _find_moment(number, states, trick, card)
    except AcesAroundError as error:
        raise RecordError(f"{file}: game {game_number}: {error}") from error
    names = tuple(seat.name for seat in record.seats)
    return LocatedPosition(state, names, (game_number, number, trick, card), action_taken)


PlayMoments = list[tuple[GameState, Action | None]]


def _select_deal(record: GameRecord, deal_number: int | None) -> tuple[int, PlayMoments]:
    """Return the number of a deal and its states in play, each with the action taken there."""
    deal_steps: list[Step] = []
    for number, group in groupby(steps(record), key=lambda step: step.deal + 1):
        if deal_number is not None and number != deal_number:
            if number > deal_number:
                break
            continue
        group_steps = list(group)
        if not deal_steps or deal_number is not None or _play_moments(group_steps):
            deal_steps = group_steps
    if not deal_steps:
        deal_count = len(record.deals)
        raise RecordError(
            f"there is no deal {deal_number or 1} in it: {_pluralize(deal_count, 'deal')} in all."
        )
    number = deal_steps[0].deal + 1
    if moments := _play_moments(deal_steps):
        return number, moments
    if deal_number is None and len(record.deals) > 1:
        raise RecordError("in none of its deals were tricks played.")
    for event in deal_steps[-1].events:
        if isinstance(event, DealScored):
            raise RecordError(f"deal {number} ended without play: {event.score.outcome}.")
    raise RecordError(f"deal {number} stops before its play under the strict law.")


def _play_moments(deal: Sequence[Step]) -> PlayMoments:
    moments = [
        (_after_last_meld(step.before), step.action)
        for step in deal
        if not isinstance(step.action, LayMeld)
    ]
    play_moments: PlayMoments = [
        moment for moment in moments if isinstance(moment[0].phase, Playing)
    ]
    last_step, final_state = deal[-1], _after_last_meld(deal[-1].after)
    if isinstance(final_state.phase, Playing) and final_state.deals == last_step.deal:
        play_moments.append(
            (final_state, None)
        )  # a deal in progress: its next card is not played yet
    return play_moments


def _after_last_meld(state: GameState) -> GameState:
    """Return the state after the last chance to meld, because melds laid there change no hand."""
    can_still_meld = isinstance(state.phase, StockPlaying) and state.deal.upcard is None
    return stock_play.begin_strict_play(state) if can_still_meld else state


def _trick_and_card(state: GameState) -> tuple[int, int]:
    """Return the numbers of the trick and card to be played, from 1."""
    assert isinstance(state.phase, Playing)
    return len(state.deal.tricks) + 1, len(state.phase.cards) + 1


def _find_moment(
    deal: int, states: PlayMoments, trick: int | None, card: int | None
) -> tuple[int, int, tuple[GameState, Action | None]]:
    first, last = _trick_and_card(states[0][0])[0], _trick_and_card(states[-1][0])[0]
    trick, card = trick or first, card or 1
    if trick < first:
        raise RecordError(
            f"deal {deal}: trick {trick} is played with a stock, and hands still change: "
            f"tricks {first} to {last} can be solved."
        )
    if trick > last:
        raise RecordError(f"deal {deal}: there is no trick {trick}: it has {last}.")
    trick_moments = [moment for moment in states if _trick_and_card(moment[0])[0] == trick]
    if card > len(trick_moments):
        raise RecordError(
            f"deal {deal}, trick {trick}: there is no card {card}: "
            f"it has {_pluralize(len(trick_moments), 'card')}."
        )
    return trick, card, trick_moments[card - 1]


def _pluralize(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def position_from_hands(
    rules: Rules,
    trump: Suit,
    hands: Sequence[str],
    leader: int,
    *,
    trick: str = "",
    is_trump_unbroken: bool = False,
    declarer: int | None = None,
    bid: int | None = None,
    meld: Sequence[int] | None = None,
    won: Sequence[int] | None = None,
) -> LocatedPosition:
    """Return a position from the present hands in seat order. Raise NotationError and others.

    `trick`: the cards played to it, the leader's first. `meld` and `won`: points of each side
    so far. A side that has won points counts as having won a counter.
    """
    held = [list(parse_cards(hand)) for hand in hands]
    cards = parse_cards(trick)
    _check_sizes(rules, held, cards, leader)
    if (declarer is None) != (bid is None):
        missing = "who bid it (--declarer)" if declarer is None else "how much was bid (--bid)"
        raise NotationError(f"A bid needs both --bid and --declarer: say {missing}.")
    if bid is not None and rules.auction is None:
        raise NotationError(f"{rules.variant} has no auction, and so no bid.")
    if declarer is not None and declarer >= rules.seats:
        raise NotationError(
            f"There is no seat {declarer} to bid: seats are 0 to {rules.seats - 1}."
        )
    meld_points, points_won = (
        _points_by_side(rules, "--meld", meld),
        _points_by_side(rules, "--won", won),
    )
    excess = rules.deck.first_excess_card((*cards, *(card for hand in held for card in hand)))
    if excess is not None:
        copies = rules.deck.copies if excess.rank < rules.deck.ranks else 0
        raise NotationError(f"There are too many {excess}: the deck has {copies} of it.")
    kind_points = points_of(rules.scoring.card_points)
    points_held = sum(
        kind_points[card] for card in (*cards, *(card for hand in held for card in hand))
    )
    points_gone = sum(kind_points[card] for card in rules.deck.cards) - points_held
    if sum(points_won) > points_gone:
        raise NotationError(f"--won is too much: the cards that are gone are worth {points_gone}.")
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
                for seats, melded in zip(rules.sides, meld_points, strict=True)
            ),
            won=points_won,
            has_counter=tuple(p > 0 for p in points_won),
        ),
        phase=Playing(
            leader=leader,
            turn=leader,
            cards=(),
            best=-1,
            best_seat=-1,
            is_trump_broken=not (is_trump_unbroken and rules.play.trump_must_be_broken),
        ),
    )
    state = _with_trick(state, cards)
    return LocatedPosition(state)


def _check_sizes(
    rules: Rules, held: Sequence[Sequence[Card]], cards: Sequence[Card], leader: int
) -> None:
    seats = rules.seats
    if len(held) != seats:
        raise NotationError(
            f"{_pluralize(len(held), 'hand')} given for {seats} players: "
            "one --hand for each seat, and --players says how many play."
        )
    if leader >= seats:
        raise NotationError(f"There is no seat {leader} to lead: seats are 0 to {seats - 1}.")
    if len(cards) >= seats:
        raise NotationError(f"The trick has {len(cards)} cards: it is complete with {seats}.")
    sizes = [len(hand) + ((seat - leader) % seats < len(cards)) for seat, hand in enumerate(held)]
    if len(set(sizes)) > 1:
        sizes_text = ", ".join(f"seat {seat} has {len(hand)}" for seat, hand in enumerate(held))
        trick_text = " for this trick" if cards else ""
        raise NotationError(f"The hands are of different sizes{trick_text}: {sizes_text}.")
    if sizes[0] > rules.hand_size:
        raise NotationError(
            f"{sizes[0]} cards are too many for a hand: "
            f"{rules.variant} has hands of {rules.hand_size}."
        )
    if sizes[0] == 0:
        raise NotationError("The hands are empty: there is no card to play.")


def _points_by_side(rules: Rules, name: str, values: Sequence[int] | None) -> tuple[int, ...]:
    sides = len(rules.sides)
    if values is None:
        return (0,) * sides
    if len(values) != sides:
        side_names = " ".join("+".join(map(str, seats)) for seats in rules.sides)
        raise NotationError(
            f"{name} has {_pluralize(len(values), 'number')} for {sides} sides: "
            f"one for each of {side_names}, with commas between."
        )
    return tuple(values)


def _with_trick(state: GameState, cards: Sequence[Card]) -> GameState:
    """Return the state after these cards are played. Raise NotationError for an illegal card."""
    strict_rules = replace(state.rules, play=replace(state.rules.play, renege=Renege.REFUSE))
    current = replace(state, rules=strict_rules)
    for card in cards:
        assert isinstance(current.phase, Playing)
        seat = current.phase.turn
        try:
            current, _ = game.apply(current, PLAY_ACTIONS[card])
        except IllegalAction as error:
            raise NotationError(f"--trick: {card} of seat {seat}: {error}") from None
    return replace(current, rules=state.rules)

"""Replaying a record: apply every action with the engine, and compare all derived values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from acesaround import game
from acesaround.actions import Action, Deal
from acesaround.cards import Card, parse_cards
from acesaround.errors import AcesAroundError, RecordError
from acesaround.game.events import Event
from acesaround.game.state import GameState
from acesaround.record.model import (
    DealRecord,
    GameRecord,
    MeldEntry,
    TrickEntry,
    from_json,
)
from acesaround.record.recorder import Recorder
from acesaround.rules import Rules


class Step(msgspec.Struct, frozen=True):
    """One action of a record. `deal` and `number` count from 0; number -1 is the deal itself."""

    deal: int
    number: int
    seat: int | None
    action: Action
    before: GameState
    after: GameState
    events: tuple[Event, ...]


def rules_of(record: GameRecord) -> Rules:
    """Return the rules of a record's game. Raise RecordError."""
    try:
        rules = msgspec.convert(record.rules, Rules)
    except msgspec.ValidationError as error:
        raise RecordError(f"Its rules are no rules: {error}.") from None
    if rules.seats != len(record.seats):
        raise RecordError(
            f"Its rules are for {rules.seats} players, and {len(record.seats)} seats are named."
        )
    return rules


def steps(record: GameRecord) -> Iterator[Step]:
    """Apply a record's actions one by one, yielding each step. Raise RecordError at an illegal one.

    Only cards and actions are read; `verify` also checks what follows from them.
    """
    rules = rules_of(record)
    if not record.deals:
        return
    state = game.start(rules, _dealer(rules, record.deals[0], 0))
    for at, deal in enumerate(record.deals):
        where = f"deal {at + 1}"
        if state.phase is None:
            raise RecordError(f"{where}: the game was over before it.")
        if state.deals != at:
            raise RecordError(f"{where}: deal {at} is not over, its actions stop too soon.")
        if deal.dealer != state.dealer:
            raise RecordError(
                f"{where}: the dealer is seat {deal.dealer}, expected {state.dealer}."
            )
        if deal.players != list(state.players):
            raise RecordError(
                f"{where}: the players are {deal.players}, expected {list(state.players)}."
            )
        state, step = _step(state, at, -1, partial(_dealt, deal), where)
        yield step
        for number, entry in enumerate(deal.actions):
            shown = " ".join(_words(entry))
            place = f"{where}, action {number + 1} ({shown})"
            if state.deals != at:
                raise RecordError(f"{place}: the deal was over before it.")
            state, step = _step(state, at, number, partial(from_json, entry), place)
            yield step


def _words(entry: list[Any]) -> list[str]:
    return [str(w) for part in entry for w in (part if isinstance(part, list) else [part])]


def _step(
    state: GameState,
    at: int,
    number: int,
    read: Callable[[], tuple[int | None, Action]],
    place: str,
) -> tuple[GameState, Step]:
    try:
        seat, action = read()
        after, events = game.apply(state, action, seat)
    except AcesAroundError as error:
        raise RecordError(f"{place}: {error}") from error
    return after, Step(at, number, seat, action, state, after, events)


def _dealer(rules: Rules, deal: DealRecord, at: int) -> int:
    if not 0 <= deal.dealer < rules.seats:
        raise RecordError(
            f"deal {at + 1}: the dealer is seat {deal.dealer}: there is no such seat."
        )
    return deal.dealer


def _dealt(deal: DealRecord) -> tuple[None, Deal]:
    return None, Deal(
        hands=tuple(tuple(sorted(parse_cards(hand))) for hand in deal.hands),
        kitty=parse_cards(deal.kitty),
        stock=parse_cards(deal.stock),
        upcard=None if deal.upcard is None else Card(deal.upcard),
    )


def rebuild(record: GameRecord) -> GameRecord:
    """Return the record that the same cards and actions give.

    Raise RecordError at an illegal action.
    """
    recorder = Recorder(rules_of(record), [seat.name for seat in record.seats])
    for step in steps(record):
        recorder.add(step.before, step.seat, step.action, step.events)
    return recorder.record


def verify(record: GameRecord) -> list[str]:
    """Return a sentence for everything in a record that contradicts its cards and actions.

    An illegal action ends the check, because nothing after it can be judged.
    """
    try:
        rules = rules_of(record)
    except AcesAroundError as error:
        return [str(error)]
    recorder = Recorder(rules, [seat.name for seat in record.seats])
    found = []
    sides = [list(side) for side in rules.sides]
    if record.sides != sides:
        found.append(f"sides are {record.sides}, expected {sides}.")
    try:
        for step in steps(record):
            recorder.add(step.before, step.seat, step.action, step.events)
    except AcesAroundError as error:
        at = len(recorder.record.deals) - 1
        return [*found, *_compare(record, recorder.record, at), str(error)]
    found += _compare(record, recorder.record, len(record.deals))
    if record.totals != recorder.record.totals:
        found.append(f"totals are {record.totals}, expected {recorder.record.totals}.")
    if record.winner != recorder.record.winner:
        found.append(f"the winner is {record.winner}, expected {recorder.record.winner}.")
    return found


def _compare(given: GameRecord, made: GameRecord, deals: int) -> list[str]:
    found = []
    for at, (theirs, ours) in enumerate(zip(given.deals, made.deals, strict=False)):
        if at >= deals:
            break
        where = f"deal {at + 1}"
        found += _compare_melds(where, theirs.melds, ours.melds)
        found += _compare_tricks(where, theirs.tricks, ours.tricks)
        found += _compare_score(where, theirs, ours)
    return found


def _plain(entry: MeldEntry) -> tuple[int, int, list[tuple[str, list[str], int]]]:
    items = sorted((m.name, sorted(_known(m.cards)), m.points) for m in entry.melds)
    return entry.seat, entry.points, items


def _known(cards: list[str]) -> list[str]:
    return [name if name[:2] != "10" else "T" + name[2:] for name in (c.upper() for c in cards)]


def _compare_melds(where: str, theirs: list[MeldEntry], ours: list[MeldEntry]) -> list[str]:
    if len(theirs) != len(ours):
        return [f"{where}: there are {len(theirs)} meld entries, expected {len(ours)}."]
    return [
        f"{where}, meld of seat {made.seat}: {_meld_text(given)}, expected {_meld_text(made)}."
        for given, made in zip(theirs, ours, strict=True)
        if _plain(given) != _plain(made)
    ]


def _meld_text(entry: MeldEntry) -> str:
    items = ", ".join(f"{m.name} {' '.join(m.cards)} {m.points}" for m in entry.melds)
    return f"seat {entry.seat} {entry.points} ({items or 'nothing'})"


def _compare_tricks(where: str, theirs: list[TrickEntry], ours: list[TrickEntry]) -> list[str]:
    found = []
    if len(theirs) != len(ours):
        found.append(f"{where}: there are {len(theirs)} tricks, expected {len(ours)}.")
    for number, (given, made) in enumerate(zip(theirs, ours, strict=False), 1):
        for name in TrickEntry.__struct_fields__:
            if getattr(given, name) != getattr(made, name):
                found.append(
                    f"{where}, trick {number}: its {name} is {getattr(given, name)}, "
                    f"expected {getattr(made, name)}."
                )
    return found


def _compare_score(where: str, theirs: DealRecord, ours: DealRecord) -> list[str]:
    if isinstance(ours.score, msgspec.UnsetType):
        if isinstance(theirs.score, msgspec.UnsetType):
            return []
        return [f"{where}: it has a score, but its actions stop before its end."]
    if isinstance(theirs.score, msgspec.UnsetType):
        return [f"{where}: it is over, but its score is missing."]
    return [
        f"{where}, score: its {name} is {getattr(theirs.score, name)}, "
        f"expected {getattr(ours.score, name)}."
        for name in ours.score.__struct_fields__
        if getattr(theirs.score, name) != getattr(ours.score, name)
    ]

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
    action_from_json,
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
        raise RecordError(f"Its rules are not valid: {error}.") from None
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
    state = game.start(rules, _check_dealer(rules, record.deals[0], 0))
    for deal_index, deal in enumerate(record.deals):
        where = f"deal {deal_index + 1}"
        if state.phase is None:
            raise RecordError(f"{where}: the game was over before it.")
        if state.deals != deal_index:
            raise RecordError(
                f"{where}: deal {deal_index} is not over: its actions stop before its end."
            )
        if deal.dealer != state.dealer:
            raise RecordError(
                f"{where}: the dealer is seat {deal.dealer}, expected {state.dealer}."
            )
        if deal.players != list(state.players):
            raise RecordError(
                f"{where}: the players are {deal.players}, expected {list(state.players)}."
            )
        state, step = _apply_step(state, deal_index, -1, partial(_deal_action, deal), where)
        yield step
        for number, entry in enumerate(deal.actions):
            entry_text = " ".join(_flatten_entry(entry))
            location = f"{where}, action {number + 1} ({entry_text})"
            if state.deals != deal_index:
                raise RecordError(f"{location}: the deal was over before it.")
            state, step = _apply_step(
                state, deal_index, number, partial(action_from_json, entry), location
            )
            yield step


def _flatten_entry(entry: list[Any]) -> list[str]:
    return [str(word) for part in entry for word in (part if isinstance(part, list) else [part])]


def _apply_step(
    state: GameState,
    deal_index: int,
    number: int,
    read_action: Callable[[], tuple[int | None, Action]],
    location: str,
) -> tuple[GameState, Step]:
    try:
        seat, action = read_action()
        after, events = game.apply(state, action, seat)
    except AcesAroundError as error:
        raise RecordError(f"{location}: {error}") from error
    return after, Step(deal_index, number, seat, action, state, after, events)


def _check_dealer(rules: Rules, deal: DealRecord, deal_index: int) -> int:
    if not 0 <= deal.dealer < rules.seats:
        raise RecordError(
            f"deal {deal_index + 1}: the dealer is seat {deal.dealer}: there is no such seat."
        )
    return deal.dealer


def _deal_action(deal: DealRecord) -> tuple[None, Deal]:
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

    An illegal action ends the check, because later actions cannot be checked.
    """
    try:
        rules = rules_of(record)
    except AcesAroundError as error:
        return [str(error)]
    recorder = Recorder(rules, [seat.name for seat in record.seats])
    faults = []
    sides = [list(side) for side in rules.sides]
    if record.sides != sides:
        faults.append(f"sides are {record.sides}, expected {sides}.")
    try:
        for step in steps(record):
            recorder.add(step.before, step.seat, step.action, step.events)
    except AcesAroundError as error:
        deal_index = len(recorder.record.deals) - 1
        return [*faults, *_compare(record, recorder.record, deal_index), str(error)]
    faults += _compare(record, recorder.record, len(record.deals))
    if record.totals != recorder.record.totals:
        faults.append(f"totals are {record.totals}, expected {recorder.record.totals}.")
    if record.winner != recorder.record.winner:
        faults.append(f"the winner is {record.winner}, expected {recorder.record.winner}.")
    return faults


def _compare(recorded: GameRecord, rebuilt: GameRecord, deals: int) -> list[str]:
    faults = []
    for deal_index, (recorded_deal, rebuilt_deal) in enumerate(
        zip(recorded.deals, rebuilt.deals, strict=False)
    ):
        if deal_index >= deals:
            break
        where = f"deal {deal_index + 1}"
        faults += _compare_melds(where, recorded_deal.melds, rebuilt_deal.melds)
        faults += _compare_tricks(where, recorded_deal.tricks, rebuilt_deal.tricks)
        faults += _compare_score(where, recorded_deal, rebuilt_deal)
    return faults


def _comparable_meld(entry: MeldEntry) -> tuple[int, int, list[tuple[str, list[str], int]]]:
    items = sorted((m.name, sorted(_normalize_cards(m.cards)), m.points) for m in entry.melds)
    return entry.seat, entry.points, items


def _normalize_cards(cards: list[str]) -> list[str]:
    return [name if name[:2] != "10" else "T" + name[2:] for name in (c.upper() for c in cards)]


def _compare_melds(where: str, recorded: list[MeldEntry], rebuilt: list[MeldEntry]) -> list[str]:
    if len(recorded) != len(rebuilt):
        return [f"{where}: there are {len(recorded)} meld entries, expected {len(rebuilt)}."]
    return [
        f"{where}, meld of seat {expected.seat}: {_meld_text(entry)}, expected "
        f"{_meld_text(expected)}."
        for entry, expected in zip(recorded, rebuilt, strict=True)
        if _comparable_meld(entry) != _comparable_meld(expected)
    ]


def _meld_text(entry: MeldEntry) -> str:
    items = ", ".join(f"{m.name} {' '.join(m.cards)} {m.points}" for m in entry.melds)
    return f"seat {entry.seat} {entry.points} ({items or 'nothing'})"


def _compare_tricks(where: str, recorded: list[TrickEntry], rebuilt: list[TrickEntry]) -> list[str]:
    faults = []
    if len(recorded) != len(rebuilt):
        faults.append(f"{where}: there are {len(recorded)} tricks, expected {len(rebuilt)}.")
    for number, (entry, expected) in enumerate(zip(recorded, rebuilt, strict=False), 1):
        for name in TrickEntry.__struct_fields__:
            if getattr(entry, name) != getattr(expected, name):
                faults.append(
                    f"{where}, trick {number}: its {name} is {getattr(entry, name)}, "
                    f"expected {getattr(expected, name)}."
                )
    return faults


def _compare_score(where: str, recorded: DealRecord, rebuilt: DealRecord) -> list[str]:
    if isinstance(rebuilt.score, msgspec.UnsetType):
        if isinstance(recorded.score, msgspec.UnsetType):
            return []
        return [f"{where}: it has a score, but its actions stop before its end."]
    if isinstance(recorded.score, msgspec.UnsetType):
        return [f"{where}: it is over, but its score is missing."]
    return [
        f"{where}, score: its {name} is {getattr(recorded.score, name)}, "
        f"expected {getattr(rebuilt.score, name)}."
        for name in rebuilt.score.__struct_fields__
        if getattr(recorded.score, name) != getattr(rebuilt.score, name)
    ]

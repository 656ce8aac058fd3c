"""Export of all stored data about a person, without anything that other players keep hidden.

A deal in progress is left out, and so are games in which the person had no seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from acesaround.record.model import encode
from acesaround.retention.load_table import CorruptLogError, load_table
from acesaround.store import Store, people
from acesaround.store.people import StoredPerson
from acesaround.table import Table, apply_entry, entries, fold, fold_games, public_record


class ChatExport(msgspec.Struct, frozen=True):
    """A chat line of the person: a phrase or a custom `text`, with its time."""

    at: int
    phrase: str
    text: str = ""


class GameExport(msgspec.Struct, frozen=True):
    """A game in which the person had a seat: its number, and the record of its finished deals."""

    game: int
    over: bool
    record: msgspec.Raw


class TableExport(msgspec.Struct, frozen=True):
    """A table at which the person was.

    `seat`: the present seat. `names`: the person's names there.
    """

    table: str
    first: int
    last: int
    host: bool
    seat: int | None
    names: tuple[str, ...]
    talk: tuple[ChatExport, ...]
    games: tuple[GameExport, ...]


class Export(msgspec.Struct, frozen=True):
    """All stored data about a person. Times are milliseconds since 1970.

    `rows`: the person's other rows by database table. `garbled`: tables with damaged logs.
    """

    person: StoredPerson
    tables: tuple[TableExport, ...]
    rows: dict[str, list[dict[str, Any]]]
    garbled: tuple[str, ...]


async def export_person(store: Store, person: StoredPerson) -> Export:
    """Collect all stored data about a person. Raises DatabaseUnavailable."""
    exports: list[TableExport] = []
    garbled: list[str] = []
    for table_id in await people.tables_mentioning(store, person.id):
        try:
            bodies, times = await people.entries_with_times(store, table_id)
            exports.append(
                _export_table(table_id, load_table(table_id, bodies)[0], times, person.id)
            )
        except CorruptLogError:
            garbled.append(table_id)
    rows = await people.other_rows(store, person.id)
    return Export(person, tuple(exports), rows, tuple(garbled))


def _export_table(
    table_id: str, log_entries: Sequence[entries.Entry], times: Sequence[int], person: str
) -> TableExport:
    """Return what a log contains about a person."""
    names: dict[str, None] = {}
    talk: list[ChatExport] = []
    played_games: set[int] = set()
    own_times: list[int] = []
    table: Table | None = None
    for entry, at in zip(log_entries, times, strict=True):
        table = fold([entry]) if table is None else apply_entry(table, entry)[0]
        seat = table.seat_of(person)
        if seat is not None or _names_person(entry, person):
            own_times.append(at)
        if seat is not None and (holder := table.seats[seat].person) is not None:
            names[holder.name] = None
        if isinstance(entry, entries.ChatSent) and entry.seat == seat:
            talk.append(ChatExport(at, entry.phrase, entry.text))
        if isinstance(entry, entries.Dealt | entries.Acted) and seat is not None:
            played_games.add(table.game_count)
    assert table is not None
    return TableExport(
        table=table_id,
        first=min(own_times, default=times[0]),
        last=max(own_times, default=times[0]),
        host=table.host.id == person,
        seat=table.seat_of(person),
        names=tuple(names),
        talk=tuple(talk),
        games=tuple(_export_games(log_entries, played_games)),
    )


def _names_person(entry: entries.Entry, person: str) -> bool:
    match entry:
        case (
            entries.Opened(host=named_person)
            | entries.SeatTaken(_, named_person)
            | entries.SeatRequested(_, named_person)
        ):
            return named_person.id == person
        case _:
            return False


def _export_games(
    log_entries: Sequence[entries.Entry], game_numbers: set[int]
) -> Iterable[GameExport]:
    """Yield the games with the given numbers, without deals in progress."""
    for number, history in enumerate(fold_games(log_entries)[1], 1):
        if number in game_numbers:
            record = public_record(history)
            if record.deals:
                yield GameExport(number, history.is_over, msgspec.Raw(encode(record)))

"""The commands of `acesaround admin`. They use only the database, so no server has to run.

A running server notices changes within a second (`store.admin_notices`).
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from acesaround.cli.output import json_line, one_line
from acesaround.errors import AcesAroundError
from acesaround.retention import close_table, delete_person, export_person, load_table, remove_table
from acesaround.server.cluster.database_lock import is_locked
from acesaround.server.settings import default_database
from acesaround.store import (
    DatabaseUnavailable,
    Store,
    admin_listing,
    copying,
    people,
    retention_queries,
    table_lists,
)
from acesaround.store.admin_listing import ListedTable
from acesaround.store.engine import async_url, sqlite_file
from acesaround.store.people import StoredPerson
from acesaround.store.store import current_ms
from acesaround.table import Table

PAGE_SIZE: Final = 20
"""Lines on a page of a list."""
_SMALL_DATABASE_BYTES: Final = (
    32_000_000  # bytes: a smaller database is vacuumed too fast to be noticed
)
_VACUUM_BYTES_PER_SECOND: Final = 50_000_000  # bytes that VACUUM writes in a second, roughly
_QUERY_SIZE: Final = 1000  # lines per query if all pages are wanted


class UnknownIdError(AcesAroundError):
    """An unknown id of a table or person."""


def run_admin(arguments: argparse.Namespace) -> int:
    """Run a command and return the exit status. Raises AcesAroundError and OSError."""
    arguments.database_url = arguments.database_url or default_database()
    async_url(arguments.database_url)  # refuses a wrong URL before any file access
    path = sqlite_file(arguments.database_url)
    arguments.served = path is not None and is_locked(path)
    return asyncio.run(_run_command(arguments))


async def _run_command(arguments: argparse.Namespace) -> int:
    store = await Store.open(arguments.database_url, create=False)
    try:
        return await _COMMANDS[arguments.what](store, arguments)
    except DatabaseUnavailable as error:
        raise AcesAroundError(f"The database does not answer: {error}.") from None
    finally:
        await store.close()


async def _run_tables(store: Store, arguments: argparse.Namespace) -> int:
    filters: dict[str, Any] = {
        "is_over": None if arguments.state is None else arguments.state == "over",
        "changed_before": None if arguments.older is None else current_ms() - arguments.older,
        "search": arguments.search,
    }
    first_index, total = _first_index(arguments), await admin_listing.count_tables(store, **filters)

    async def read_page(offset: int, limit: int) -> Sequence[ListedTable]:
        return await admin_listing.list_tables(store, **filters, offset=offset, limit=limit)

    async for table in _fetch_pages(read_page, first_index, arguments.all):
        print(json_line(_table_as_json(table)) if arguments.json else one_line(_table_line(table)))
    return _print_page_number(arguments, total, "tables")


async def _run_people(store: Store, arguments: argparse.Namespace) -> int:
    first_index, total = _first_index(arguments), await people.count_people(store, arguments.search)

    async def read_page(offset: int, limit: int) -> Sequence[tuple[StoredPerson, int]]:
        return await people.list_people(store, arguments.search, offset, limit)

    async for person, table_count in _fetch_pages(read_page, first_index, arguments.all):
        if arguments.json:
            print(json_line({**msgspec.structs.asdict(person), "tables": table_count}))
        else:
            last_seen = _format_time(person.seen)
            line = f"{person.id:24} {last_seen:16}  {table_count:5} tables  {_person_name(person)}"
            print(one_line(line))
    return _print_page_number(arguments, total, "people")


def _first_index(arguments: argparse.Namespace) -> int:
    return 0 if arguments.all else (int(arguments.page) - 1) * PAGE_SIZE


async def _fetch_pages(
    fetch_page: Callable[[int, int], Awaitable[Sequence[Any]]], offset: int, all_pages: bool
) -> Any:
    """Yield the lines of one page of a list, or of the whole list."""
    limit = _QUERY_SIZE if all_pages else PAGE_SIZE
    while items := await fetch_page(offset, limit):
        for item in items:
            yield item
        offset += limit
        if not all_pages:
            return


def _print_page_number(arguments: argparse.Namespace, total: int, noun: str) -> int:
    """Print the page number on standard error, unless `--json` was given. Return exit status 0."""
    page_count = -(-total // PAGE_SIZE)
    if arguments.json:
        return 0
    if total == 0:
        print(f"no {noun}", file=sys.stderr)
    elif not arguments.all and max(page_count, arguments.page) > 1:
        print(f"page {arguments.page} of {page_count}: {total} {noun}", file=sys.stderr)
    return 0


def _table_as_json(table: ListedTable) -> dict[str, Any]:
    """Return a table of a list as JSON data."""
    return {
        "id": table.id,
        "created": table.created,
        "changed": table.changed,
        "state": _table_state(table),
        "entries": table.entries,
        **_summary(table),
    }


def _summary(table: ListedTable) -> dict[str, Any]:
    try:
        return msgspec.json.decode(table.summary, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError):  # damaged data in the database
        return {}


def _table_state(table: ListedTable) -> str:
    """Return the state of a table: waiting, playing or over."""
    if table.over:
        return "over"
    return "playing" if _summary(table).get("started") else "waiting"


def _table_line(table: ListedTable) -> str:
    """Return a table of a list as a line of text."""
    summary = _summary(table)
    seats = ", ".join(name or "bot" for name in summary.get("seats", ()))
    return (
        f"{table.id:16} {_format_time(table.changed):16}  {_table_state(table):7}"
        f"  {summary.get('variant', '?'):19} {summary.get('games', 0):3} games"
        f" {table.entries:6} entries  {summary.get('host', '?')}: {seats}"
    )


def _format_time(milliseconds: int) -> str:
    """Format a time in local time; `-` if it is unknown."""
    if not milliseconds:
        return "-"
    return datetime.fromtimestamp(milliseconds / 1000).strftime("%Y-%m-%d %H:%M")


def _person_name(person: StoredPerson) -> str:
    return one_line(person.name or "(no name)")


async def _find_table(store: Store, text: str) -> ListedTable | None:
    """Return the table of an id, a link token or an address, or None."""
    address = _TOKEN_IN_ADDRESS.search(text)
    share_link = await store.resolve_token(address[1] if address else text)
    return None if share_link is None else await admin_listing.get_table(store, share_link.table_id)


_TOKEN_IN_ADDRESS: Final = re.compile(r"/[twr]/([^/?#]+)")
"""The pattern of the token in the address of a link or a replay."""


async def _require_table(store: Store, text: str) -> ListedTable:
    """Return the table of an id, a link token or an address. Raises UnknownIdError."""
    if (found := await _find_table(store, text)) is None:
        raise UnknownIdError(f"There is no table {text!r}: `acesaround admin tables` lists them.")
    return found


async def _require_person(store: Store, text: str) -> StoredPerson:
    """Return the person of an id. Raises UnknownIdError.

    Also finds a person whom only logs mention: one who only asked for a seat, or one whose deletion
    was not completed.
    """
    if (found := await people.find_person(store, text)) is not None:
        return found
    if _PERSON_ID_PATTERN.fullmatch(text) and await people.is_in_logs(store, text):
        return StoredPerson(text, None, 0, 0)
    raise UnknownIdError(f"There is no person {text!r}: `acesaround admin people` lists them.")


_PERSON_ID_PATTERN: Final = re.compile(r"[A-Za-z0-9_-]{2,32}")


async def _run_show(store: Store, arguments: argparse.Namespace) -> int:
    table = await _find_table(store, arguments.id)
    person = await people.find_person(store, arguments.id) if table is None else None
    if table is None and person is None:
        raise UnknownIdError(f"There is neither a table nor a person {arguments.id!r}.")
    details = await (_table_details(store, table) if table else _person_details(store, person))
    if arguments.json:
        print(json_line(details))
    else:
        for line in _detail_lines(details):
            print(one_line(line))
    return 0


async def _table_details(store: Store, table: ListedTable) -> dict[str, Any]:
    """Return a table with its people, but without cards."""
    last_entry = await retention_queries.last_entry(store, table.id)
    links = await admin_listing.current_links(store, table.id)
    details = {**_table_as_json(table), "last": last_entry.at if last_entry else 0, "links": links}
    try:
        _, state = load_table.load_table(table.id, await store.entries(table.id))
    except load_table.CorruptLogError as error:
        return {**details, "damaged": str(error)}
    if state.ended:
        details["state"] = state.ended
    return {**details, "host": _person_label(state.host), "seats": list(_seat_labels(state))}


def _seat_labels(table: Table) -> Iterable[str]:
    for seat in table.seats:
        yield f"bot:{seat.bot}" if seat.person is None else _person_label(seat.person)


def _person_label(person: Any) -> str:
    return f"{person.name} ({person.id})"


async def _person_details(store: Store, person: StoredPerson | None) -> dict[str, Any]:
    """Return a person with their tables, the most recently changed first."""
    assert person is not None
    listings = await table_lists.tables_of_person(store, person.id, _QUERY_SIZE)
    return {
        **msgspec.structs.asdict(person),
        "tables": [line.id for line in listings],
        **await people.other_rows(store, person.id),
    }


_TIME_FIELDS: Final = ("created", "changed", "last", "seen", "at", "until")


def _detail_lines(details: Mapping[str, Any], indent: str = "") -> Iterable[str]:
    """Yield names and values, one per line."""
    for name, value in details.items():
        if isinstance(value, Mapping):
            yield f"{indent}{name}:"
            yield from _detail_lines(value, f"{indent}  ")
        elif isinstance(value, list | tuple) and value:
            yield f"{indent}{name}:"
            for item in value:
                text = item if not isinstance(item, Mapping) else ", ".join(_detail_lines(item))
                yield f"{indent}  {text}"
        else:
            is_time = isinstance(value, int) and (name in _TIME_FIELDS or name.endswith("_ms"))
            text = _format_time(value) if is_time else "-" if value in (None, [], ()) else value
            yield f"{indent}{name.removesuffix('_ms')}: {text}"


async def _run_close(store: Store, arguments: argparse.Namespace) -> int:
    table = await _require_table(store, arguments.id)
    print(f"To close:\n{one_line(_table_line(table))}")
    print("An unfinished game stays as it is; people can still view finished games.")
    if not _is_confirmed(arguments):
        return 1
    print(
        "Closed."
        if await close_table.close_table(store, table.id)
        else "The table had already ended."
    )
    return 0


async def _run_remove(store: Store, arguments: argparse.Namespace) -> int:
    table = await _require_table(store, arguments.id)
    print(f"To remove for good, with all its games:\n{one_line(_table_line(table))}")
    if not _is_confirmed(arguments):
        return 1
    await remove_table.remove_table(store, table.id, "removed")
    print("Removed.")
    return 0


async def _run_export(store: Store, arguments: argparse.Namespace) -> int:
    exported = await export_person.export_person(store, await _require_person(store, arguments.id))
    print(json_line(exported))
    return 0


async def _run_delete(store: Store, arguments: argparse.Namespace) -> int:
    person = await _require_person(store, arguments.id)
    table_ids = await people.tables_mentioning(store, person.id)
    print(f"To delete for good: {_person_name(person)} ({person.id}), of {len(table_ids)} tables.")
    print("Finished games stay and name 'a former player'. Bots take the seats. Chat is removed.")
    if not _is_confirmed(arguments):
        return 1
    result = await delete_person.delete_person(store, person.id)
    await _vacuum_if_quiet(store, arguments)
    print(f"Deleted. Older backups still contain {_person_name(person)}.")
    for table_id in result.garbled:
        print(
            f"The log of table {table_id} is damaged and may still contain the name: remove the "
            "table."
        )
    return 1 if result.garbled else 0


async def _run_copy(store: Store, arguments: argparse.Namespace) -> int:
    if arguments.served:
        raise AcesAroundError("A server runs on this database: stop it first.")
    if store.path is None or sqlite_file(arguments.to) is not None:
        raise AcesAroundError("`copy` copies only from an SQLite database into PostgreSQL.")
    target = await Store.open(arguments.to)
    try:
        for name, rows in (await copying.copy_database(store, target)).items():
            print(f"{rows:9} {name}")
    finally:
        await target.close()
    print(
        "Copied. Start the server with the same cookie.key: without it everybody is a new person."
    )
    return 0


async def _vacuum_if_quiet(store: Store, arguments: argparse.Namespace) -> None:
    """Vacuum an SQLite database, unless players would have to wait for it."""
    if store.path is None:
        return
    if arguments.served and await retention_queries.database_bytes(store) > _SMALL_DATABASE_BYTES:
        print(
            "Unused parts of the database file may still contain deleted text. `acesaround admin "
            "tidy` removes it. Players wait while it runs, so run it when few people play."
        )
        return
    print("Rewriting the database without its deleted data ...", flush=True)
    await people.vacuum(store)


async def _run_tidy(store: Store, arguments: argparse.Namespace) -> int:
    bytes_before = await retention_queries.database_bytes(store)
    if store.path is None:
        print("PostgreSQL does that automatically, or when you run VACUUM.")
        return 0
    if arguments.served:
        seconds = max(1, round(bytes_before / _VACUUM_BYTES_PER_SECOND))
        print(f"A server uses this database: it cannot save moves for about {seconds} s.")
    if not _is_confirmed(arguments):
        return 1
    await people.vacuum(store)
    bytes_after = await retention_queries.database_bytes(store)
    print(f"Rewritten: {bytes_after / 1e6:.1f} MB, before {bytes_before / 1e6:.1f} MB.")
    return 0


def _is_confirmed(arguments: argparse.Namespace) -> bool:
    """Return whether the operator confirms. Ask, unless `--yes` was given."""
    if arguments.yes:
        return True
    print("Continue? Type yes: ", end="", flush=True)
    answer = sys.stdin.readline().strip().lower() if sys.stdin is not None else ""
    if answer not in ("yes", "y"):
        print("Nothing was changed.")
        return False
    return True


_COMMANDS: Final[Mapping[str, Callable[[Store, argparse.Namespace], Awaitable[int]]]] = {
    "tables": _run_tables,
    "people": _run_people,
    "show": _run_show,
    "close": _run_close,
    "remove": _run_remove,
    "export": _run_export,
    "delete": _run_delete,
    "copy": _run_copy,
    "tidy": _run_tidy,
}

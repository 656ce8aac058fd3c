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

from acesaround.cli.output import json, one_line
from acesaround.errors import AcesAroundError
from acesaround.retention import close_table, delete_person, export_person
from acesaround.server.cluster.database_lock import is_served
from acesaround.server.settings import default_database
from acesaround.store import (
    DatabaseUnavailable,
    Store,
    admin_listing,
    copying,
    people,
    retention_queries,
)
from acesaround.store.admin_listing import Listed
from acesaround.store.people import Person
from acesaround.store.store import async_url, sqlite_file
from acesaround.table import Table

PAGE: Final = 20
"""Lines on a page of a list."""
_SMALL: Final = 32_000_000  # bytes: a smaller database is vacuumed too fast to be noticed
_A_SECOND: Final = 50_000_000  # bytes that VACUUM writes in a second, roughly
_ALL: Final = 1000  # lines per query if all pages are wanted


class UnknownError(AcesAroundError):
    """An unknown id of a table or person."""


def run_admin(arguments: argparse.Namespace) -> int:
    """Run a command and return the exit status. Raises AcesAroundError and OSError."""
    arguments.database_url = arguments.database_url or default_database()
    async_url(arguments.database_url)  # refuses a wrong URL before any file access
    path = sqlite_file(arguments.database_url)
    arguments.served = path is not None and is_served(path)
    return asyncio.run(_do(arguments))


async def _do(arguments: argparse.Namespace) -> int:
    store = await Store.open(arguments.database_url, make=False)
    try:
        return await _COMMANDS[arguments.what](store, arguments)
    except DatabaseUnavailable as error:
        raise AcesAroundError(f"The database does not answer: {error}.") from None
    finally:
        await store.close()


async def _tables(store: Store, asked: argparse.Namespace) -> int:
    which: dict[str, Any] = {
        "over": None if asked.state is None else asked.state == "over",
        "before": None if asked.older is None else retention_queries.now() - asked.older,
        "search": asked.search,
    }
    first, number = _first(asked), await admin_listing.count_tables(store, **which)

    async def some(at: int, most: int) -> Sequence[Listed]:
        return await admin_listing.listed(store, **which, first=at, most=most)

    async for one in _pages(some, first, asked.all):
        print(json(_told(one)) if asked.json else one_line(_line(one)))
    return _end(asked, number, "tables")


async def _people(store: Store, asked: argparse.Namespace) -> int:
    first, number = _first(asked), await people.count(store, asked.search)

    async def some(at: int, most: int) -> Sequence[tuple[Person, int]]:
        return await people.listed(store, asked.search, at, most)

    async for person, at in _pages(some, first, asked.all):
        if asked.json:
            print(json({**msgspec.structs.asdict(person), "tables": at}))
        else:
            seen = _time(person.seen)
            line = f"{person.id:24} {seen:16}  {at:5} tables  {_called(person)}"
            print(one_line(line))
    return _end(asked, number, "people")


def _first(asked: argparse.Namespace) -> int:
    return 0 if asked.all else (int(asked.page) - 1) * PAGE


async def _pages(
    some: Callable[[int, int], Awaitable[Sequence[Any]]], first: int, whole: bool
) -> Any:
    """Yield the lines of one page of a list, or of the whole list."""
    most = _ALL if whole else PAGE
    while found := await some(first, most):
        for one in found:
            yield one
        first += most
        if not whole:
            return


def _end(asked: argparse.Namespace, number: int, what: str) -> int:
    """Print the page number on standard error, unless `--json` was given. Return exit status 0."""
    pages = -(-number // PAGE)
    if asked.json:
        return 0
    if number == 0:
        print(f"no {what}", file=sys.stderr)
    elif not asked.all and max(pages, asked.page) > 1:
        print(f"page {asked.page} of {pages}: {number} {what}", file=sys.stderr)
    return 0


def _told(table: Listed) -> dict[str, Any]:
    """Return a table of a list as JSON data."""
    return {
        "id": table.id,
        "created": table.created,
        "changed": table.changed,
        "state": _state(table),
        "entries": table.entries,
        **_summary(table),
    }


def _summary(table: Listed) -> dict[str, Any]:
    try:
        return msgspec.json.decode(table.summary, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError):  # damaged data in the database
        return {}


def _state(table: Listed) -> str:
    """Return the state of a table: waiting, playing or over."""
    if table.over:
        return "over"
    return "playing" if _summary(table).get("started") else "waiting"


def _line(table: Listed) -> str:
    """Return a table of a list as a line of text."""
    said = _summary(table)
    seats = ", ".join(name or "bot" for name in said.get("seats", ()))
    return (
        f"{table.id:16} {_time(table.changed):16}  {_state(table):7}"
        f"  {said.get('variant', '?'):19} {said.get('games', 0):3} games"
        f" {table.entries:6} entries  {said.get('host', '?')}: {seats}"
    )


def _time(milliseconds: int) -> str:
    """Format a time in local time; `-` if it is unknown."""
    if not milliseconds:
        return "-"
    return datetime.fromtimestamp(milliseconds / 1000).strftime("%Y-%m-%d %H:%M")


def _called(person: Person) -> str:
    return one_line(person.name or "(no name)")


async def _found(store: Store, written: str) -> Listed | None:
    """Return the table of an id, a link token or an address, or None."""
    address = _ADDRESS.search(written)
    link = await store.resolve_token(address[1] if address else written)
    return None if link is None else await admin_listing.get_table(store, link.table_id)


_ADDRESS: Final = re.compile(r"/[twr]/([^/?#]+)")
"""The pattern of the token in the address of a link or a replay."""


async def _table(store: Store, written: str) -> Listed:
    """Return the table of an id, a link token or an address. Raises UnknownError."""
    if (found := await _found(store, written)) is None:
        raise UnknownError(f"There is no table {written!r}: `acesaround admin tables` lists them.")
    return found


async def _person(store: Store, written: str) -> Person:
    """Return the person of an id. Raises UnknownError.

    Also finds a person whom only logs mention: one who only asked for a seat, or one whose deletion
    was not completed.
    """
    if (found := await people.person(store, written)) is not None:
        return found
    if _AN_ID.fullmatch(written) and await people.log_mentions(store, written):
        return Person(written, None, 0, 0)
    raise UnknownError(f"There is no person {written!r}: `acesaround admin people` lists them.")


_AN_ID: Final = re.compile(r"[A-Za-z0-9_-]{2,32}")


async def _show(store: Store, asked: argparse.Namespace) -> int:
    table = await _found(store, asked.id)
    person = await people.person(store, asked.id) if table is None else None
    if table is None and person is None:
        raise UnknownError(f"There is neither a table nor a person {asked.id!r}.")
    shown = await (_of_table(store, table) if table else _of_person(store, person))
    if asked.json:
        print(json(shown))
    else:
        for line in _lines(shown):
            print(one_line(line))
    return 0


async def _of_table(store: Store, table: Listed) -> dict[str, Any]:
    """Return a table with its people, but without cards."""
    end = await retention_queries.last(store, table.id)
    links = await admin_listing.links(store, table.id)
    told = {**_told(table), "last": end.at if end else 0, "links": links}
    try:
        _, folded = close_table.load_table(table.id, await store.entries(table.id))
    except close_table.GarbledError as error:
        return {**told, "damaged": str(error)}
    if folded.ended:
        told["state"] = folded.ended
    return {**told, "host": _who(folded.host), "seats": list(_seats(folded))}


def _seats(table: Table) -> Iterable[str]:
    for seat in table.seats:
        yield f"bot:{seat.bot}" if seat.person is None else _who(seat.person)


def _who(person: Any) -> str:
    return f"{person.name} ({person.id})"


async def _of_person(store: Store, person: Person | None) -> dict[str, Any]:
    """Return a person with their tables, the most recently changed first."""
    assert person is not None
    at = await store.tables_of_person(person.id, _ALL)
    return {
        **msgspec.structs.asdict(person),
        "tables": [line.id for line in at],
        **await people.rows(store, person.id),
    }


_TIMES: Final = ("created", "changed", "last", "seen", "at", "until")


def _lines(shown: Mapping[str, Any], ahead: str = "") -> Iterable[str]:
    """Yield names and values, one per line."""
    for name, value in shown.items():
        if isinstance(value, Mapping):
            yield f"{ahead}{name}:"
            yield from _lines(value, f"{ahead}  ")
        elif isinstance(value, list | tuple) and value:
            yield f"{ahead}{name}:"
            for one in value:
                said = one if not isinstance(one, Mapping) else ", ".join(_lines(one))
                yield f"{ahead}  {said}"
        else:
            time = name in _TIMES and isinstance(value, int)
            said = _time(value) if time else "-" if value in (None, [], ()) else value
            yield f"{ahead}{name}: {said}"


async def _close(store: Store, asked: argparse.Namespace) -> int:
    table = await _table(store, asked.id)
    print(f"To be closed:\n{one_line(_line(table))}")
    print("A game that is not over ends where it is; games that are over can be looked at.")
    if not _sure(asked):
        return 1
    print("Closed." if await close_table.close(store, table.id) else "It had ended already.")
    return 0


async def _remove(store: Store, asked: argparse.Namespace) -> int:
    table = await _table(store, asked.id)
    print(f"To be removed for good, with all its games:\n{one_line(_line(table))}")
    if not _sure(asked):
        return 1
    await close_table.remove(store, table.id, "removed")
    print("Removed.")
    return 0


async def _export(store: Store, asked: argparse.Namespace) -> int:
    found = await export_person.export(store, await _person(store, asked.id))
    print(json(found))
    return 0


async def _delete(store: Store, asked: argparse.Namespace) -> int:
    person = await _person(store, asked.id)
    at = await people.mentions(store, person.id)
    print(f"To be deleted for good: {_called(person)} ({person.id}), of {len(at)} tables.")
    print("Games that are over stay, by a former player; seats go to bots, talk is cleared.")
    if not _sure(asked):
        return 1
    done = await delete_person.delete(store, person.id)
    await _tidied(store, asked)
    print(f"Deleted. Backups that were made before still hold {_called(person)}.")
    for table_id in done.garbled:
        print(f"The log of table {table_id} is damaged and may still name them: remove it.")
    return 1 if done.garbled else 0


async def _copy(store: Store, asked: argparse.Namespace) -> int:
    if asked.served:
        raise AcesAroundError("A server runs on this database: stop it first.")
    if store.path is None or sqlite_file(asked.to) is not None:
        raise AcesAroundError("Only an SQLite database is copied, and into PostgreSQL.")
    target = await Store.open(asked.to)
    try:
        for name, rows in (await copying.copy(store, target)).items():
            print(f"{rows:9} {name}")
    finally:
        await target.close()
    print("Copied. Serve from there, with the same cookie.key: without it all are strangers.")
    return 0


async def _tidied(store: Store, asked: argparse.Namespace) -> None:
    """Vacuum an SQLite database, unless players would have to wait for it."""
    if store.path is None:
        return
    if asked.served and await retention_queries.database_bytes(store) > _SMALL:
        print(
            "What was written over may still stand in unused parts of the database's file. That is"
            " mended by `acesaround admin tidy`, for which moves wait: do it at a quiet hour."
        )
        return
    print("Writing the database anew, so that nothing is left in its files ...", flush=True)
    await people.vacuum(store)


async def _tidy(store: Store, asked: argparse.Namespace) -> int:
    before = await retention_queries.database_bytes(store)
    if store.path is None:
        print("PostgreSQL does that by itself, or when you tell it to VACUUM.")
        return 0
    if asked.served:
        seconds = max(1, round(before / _A_SECOND))
        print(f"People play on this database. For about {seconds} s no move can be saved.")
    if not _sure(asked):
        return 1
    await people.vacuum(store)
    after = await retention_queries.database_bytes(store)
    print(f"Written anew: {after / 1e6:.1f} MB, where it was {before / 1e6:.1f} MB.")
    return 0


def _sure(asked: argparse.Namespace) -> bool:
    """Return whether the operator confirms. Ask, unless `--yes` was given."""
    if asked.yes:
        return True
    print("Go on? Type yes: ", end="", flush=True)
    answer = sys.stdin.readline().strip().lower() if sys.stdin is not None else ""
    if answer not in ("yes", "y"):
        print("Nothing was changed.")
        return False
    return True


_COMMANDS: Final[Mapping[str, Callable[[Store, argparse.Namespace], Awaitable[int]]]] = {
    "tables": _tables,
    "people": _people,
    "show": _show,
    "close": _close,
    "remove": _remove,
    "export": _export,
    "delete": _delete,
    "copy": _copy,
    "tidy": _tidy,
}

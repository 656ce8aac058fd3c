"""`acesaround admin`: administration of the tables and people of a server."""

from __future__ import annotations

import argparse
import re
from typing import Any, Final

from acesaround.cli.argument_types import positive_int, retention_time
from acesaround.cli.output import one_line
from acesaround.cli.parser import Parser
from acesaround.cli.stdio import print_error
from acesaround.optional_dependencies import require_extra

_TABLE_HELP: Final = "a table's id, one of its links, or the address of one"


# Behind two dashes at least 20 characters, as an id of a person has: no option is that long.
_DASHED_ID_PATTERN: Final = re.compile(r"-[A-Za-z0-9_][A-Za-z0-9_-]{8,}|--[A-Za-z0-9_-]{20,}")


class _Parser(Parser):
    """A parser that takes a long word with leading dashes for an id, because ids are random."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments with the ids moved behind `--` at the end."""
        ids = [word for word in args if _DASHED_ID_PATTERN.fullmatch(word)]
        others = [word for word in args if word not in (*ids, "--")]
        return super().parse_known_args([*others, *(["--"] if ids else []), *ids], namespace)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    _add_database_argument(parser, default=None)
    commands = parser.add_subparsers(
        dest="what", metavar="WHAT", required=True, parser_class=_Parser
    )

    def command(name: str, text: str) -> argparse.ArgumentParser:
        subparser = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        _add_database_argument(subparser, default=argparse.SUPPRESS)
        return subparser

    tables = command("tables", "list the tables, most recently changed first")
    tables.add_argument("search", nargs="?", default="", metavar="TEXT", help="part of a name")
    tables.add_argument("--state", choices=("open", "over"), help="only tables in this state")
    tables.add_argument(
        "--older",
        type=retention_time,
        metavar="TIME",
        help="only tables not changed for this time, such as 90d",
    )
    people = command("people", "list the people, most recently seen first")
    people.add_argument("search", nargs="?", default="", metavar="TEXT", help="part of a name")
    for listing in (tables, people):
        listing.add_argument(
            "--page", type=positive_int, default=1, metavar="N", help="which page, of 20 lines"
        )
        listing.add_argument("--all", action="store_true", help="print all pages at once")
    show = command("show", "show a table with its people and games, or a person with their tables")
    show.add_argument("id", metavar="ID", help=f"{_TABLE_HELP}, or a person's id")
    for name, text in (
        ("close", "close a table: play ends, and people can still view its finished games"),
        ("remove", "remove a table with all its games"),
    ):
        subparser = command(name, text)
        subparser.add_argument("id", metavar="TABLE", help=_TABLE_HELP)
    export = command("export", "print everything stored about a person, as JSON")
    export.add_argument("id", metavar="PERSON", help="a person's id")
    delete = command(
        "delete", "delete a person: finished games stay and name 'a former player' instead"
    )
    delete.add_argument("id", metavar="PERSON", help="a person's id")
    copy = command(
        "copy", "copy an SQLite database, while no server runs, into an empty PostgreSQL one"
    )
    copy.add_argument("to", metavar="URL", help="the target database, such as postgresql://...")
    command("tidy", "rewrite an SQLite database: the file gets smaller and loses all deleted data")
    for name in ("close", "remove", "delete", "tidy"):
        commands.choices[name].add_argument(
            "--yes", action="store_true", help="do not ask for confirmation"
        )
    for name in ("tables", "people", "show"):
        commands.choices[name].add_argument(
            "--json", action="store_true", help="print lines of JSON"
        )


def _add_database_argument(parser: argparse.ArgumentParser, default: str | None) -> None:
    parser.add_argument(
        "--database-url",
        default=default,
        metavar="URL",
        help="the server's database (default: SQLite in the data folder)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    with require_extra("Administering", "server"):
        from acesaround.cli import admin_commands
    try:
        return admin_commands.run_admin(arguments)
    except admin_commands.UnknownIdError as error:
        print_error(one_line(f"acesaround: {error}"))
        return 2

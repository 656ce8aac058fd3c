"""`acesaround sheet`: prints a starter rule sheet, or the schema with which editors check one."""

from __future__ import annotations

import argparse

from acesaround.cli.table_arguments import VARIANT, add_table, rules_of, variant


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("variant", type=variant, metavar="VARIANT", nargs="?", help=VARIANT)
    add_table(parser)
    parser.add_argument(
        "--schema",
        action="store_true",
        help="the JSON Schema of sheets instead, by which editors complete and check them",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import sheets, variants
    from acesaround.errors import RulesError
    from acesaround.sheets.schema import SHIPPED

    if arguments.schema:
        print(SHIPPED.read_text(encoding="utf-8"), end="")
    elif arguments.variant is None:
        raise RulesError(f"Which game is it to start from? Name {VARIANT}.")
    else:
        print(sheets.start(rules_of(arguments), variants.VARIANTS), end="")
    return 0

"""`acesaround sheet`: prints a starter rule sheet, or the schema with which editors check one."""

from __future__ import annotations

import argparse

from acesaround.cli.table_arguments import VARIANT_HELP, add_table_arguments, rules_of, variant_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "variant", type=variant_name, metavar="VARIANT", nargs="?", help=VARIANT_HELP
    )
    add_table_arguments(parser)
    parser.add_argument(
        "--schema",
        action="store_true",
        help="print the JSON Schema of sheets instead, for editors that complete and check them",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import sheets, variants
    from acesaround.errors import RulesError
    from acesaround.sheets.schema import schema_text

    if arguments.schema:
        print(schema_text(variants.VARIANTS), end="")
    elif arguments.variant is None:
        raise RulesError(f"Name a game to start from: {VARIANT_HELP}.")
    else:
        print(sheets.starter_sheet(rules_of(arguments), variants.VARIANTS), end="")
    return 0

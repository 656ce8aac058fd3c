"""`acesaround rules`: prints the rules of a variant as a page to read."""

from __future__ import annotations

import argparse

from acesaround.cli.table_arguments import VARIANT, add_table, rules_of, variant


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("variant", type=variant, metavar="VARIANT", help=VARIANT)
    add_table(parser)
    parser.add_argument(
        "--changes",
        action="store_true",
        help="only in what it differs from the game that it is based on, a sentence each",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import sheets, variants
    from acesaround.rulebook import page

    rules = rules_of(arguments)
    if not arguments.changes:
        print(page(rules).rstrip())
        return 0
    base = variants.base_of(rules)
    if base is None:
        print(f"{rules.title} says the whole game: it is based on no other.")
        return 0
    found = list(sheets.changes(rules, base))
    of = "" if rules.title == base.title else f"{base.title}, "
    print(f"{rules.title}{': ' if of else ', '}{of}with {_number(len(found))}.")
    for sentence in found:
        print(f"* {sentence}")
    return 0


def _number(changes: int) -> str:
    return f"{changes or 'no'} change{'' if changes == 1 else 's'}"

"""`acesaround rules`: prints the rules of a variant as a page to read."""

from __future__ import annotations

import argparse
import sys
from typing import Final

from acesaround.cli.output import json_line
from acesaround.cli.table_arguments import VARIANT_HELP, add_table_arguments, rules_of, variant_name

_MAX_COLUMNS: Final = 100  # wider lines are hard to read


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("variant", type=variant_name, metavar="VARIANT", help=VARIANT_HELP)
    add_table_arguments(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--conventions",
        action="store_true",
        help="print only what bids and cards say: the conventions of the bots",
    )
    what.add_argument(
        "--changes",
        action="store_true",
        help="print only the differences from the game that it is based on, one sentence each",
    )
    what.add_argument("--json", action="store_true", help="print the rules object as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import sheets, variants
    from acesaround.rulebook import page

    rules = rules_of(arguments)
    if arguments.json:
        print(json_line(rules))
        return 0
    if arguments.conventions:
        from acesaround.bots.convention_card import convention_card

        nothing = f"{rules.title} has no bids, and no conventions."
        _print_page(convention_card(rules) or nothing)
        return 0
    if not arguments.changes:
        _print_page(page(rules).rstrip())
        return 0
    base = variants.base_of(rules)
    if base is None:
        print(f"{rules.title} is not based on another game.")
        return 0
    changes = list(sheets.change_sentences(rules, base))
    base_text = "" if rules.title == base.title else f"{base.title}, "
    print(
        f"{rules.title}{': ' if base_text else ', '}{base_text}with "
        f"{_change_count_text(len(changes))}."
    )
    for sentence in changes:
        print(f"* {sentence}")
    return 0


def _print_page(markdown: str) -> None:
    """Print a page: laid out in a terminal, as Markdown in a file or for another program."""
    if not sys.stdout.isatty():
        print(markdown)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(markdown), width=min(console.width, _MAX_COLUMNS))


def _change_count_text(count: int) -> str:
    return f"{count or 'no'} change{'' if count == 1 else 's'}"

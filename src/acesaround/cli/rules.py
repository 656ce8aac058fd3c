"""`acesaround rules`: the rules of a variant, as a page to read."""

from __future__ import annotations

import argparse

from acesaround.cli.table import VARIANT, add_table, rules_of, variant


def words(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    parser.add_argument("variant", type=variant, metavar="VARIANT", help=VARIANT)
    add_table(parser)


def run(arguments: argparse.Namespace) -> int:
    """Do it; the exit status."""
    from acesaround.rulebook import page

    print(page(rules_of(arguments)).rstrip())
    return 0

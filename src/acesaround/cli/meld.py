"""`acesaround meld`: prints the melds of a hand."""

from __future__ import annotations

import argparse

from acesaround.cli.hand_arguments import add_hand_arguments, answer_lines
from acesaround.cli.output import json_line
from acesaround.cli.table_arguments import rules_of
from acesaround.errors import RulesError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_hand_arguments(parser)
    parser.add_argument("cards", metavar="CARDS", nargs="*", help="such as AS TH 9D; - reads JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import hand_queries

    rules = rules_of(arguments)
    if arguments.cards == ["-"]:
        defaults = {} if arguments.trump is None else {"trump": arguments.trump}
        return answer_lines(
            lambda query: hand_queries.answer_meld_query(rules, {**defaults, **query})
        )
    if not arguments.cards:
        raise RulesError("Give cards, such as AS TH 9D, or - to read JSON lines.")
    answer = hand_queries.answer_meld_query(
        rules, hand_queries.parse_query(arguments.trump, " ".join(arguments.cards))
    )
    print(json_line(answer) if arguments.json else hand_queries.meld_text(answer))
    return 0

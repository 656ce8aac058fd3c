"""`acesaround legal`: prints which cards may be played."""

from __future__ import annotations

import argparse

from acesaround.cli.hand_arguments import add_hand_arguments, answer_lines
from acesaround.cli.output import json_line
from acesaround.cli.table_arguments import rules_of
from acesaround.errors import RulesError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    add_hand_arguments(parser)
    parser.add_argument("--hand", metavar="CARDS", help='such as "AS TH 9D"')
    parser.add_argument("--trick", default="", metavar="CARDS", help="cards played so far")
    parser.add_argument("--unbroken", action="store_true", help="trump is not broken yet")
    parser.add_argument(
        "--phase", choices=("stock", "playoff"), default="playoff", help="of a game with a stock"
    )
    parser.add_argument("lines", metavar="-", nargs="?", help="- reads JSON lines")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround import hand_queries

    rules = rules_of(arguments)
    if arguments.lines == "-":
        if arguments.hand or arguments.trick:
            raise RulesError("With - the cards are read as JSON: leave out --hand and --trick.")
        defaults = {"broken": not arguments.unbroken, "phase": arguments.phase}
        if arguments.trump is not None:
            defaults["trump"] = arguments.trump
        return answer_lines(
            lambda query: hand_queries.answer_legal_query(rules, {**defaults, **query})
        )
    if arguments.lines is not None:
        raise RulesError(f"{arguments.lines!r} is not an argument: give the hand with --hand.")
    if arguments.hand is None:
        raise RulesError("Give a hand, such as --hand 'AS TH 9D', or - to read JSON lines.")
    query = hand_queries.parse_query(
        arguments.trump,
        arguments.hand,
        trick=arguments.trick,
        broken=not arguments.unbroken,
        phase=arguments.phase,
    )
    answer = hand_queries.answer_legal_query(rules, query)
    print(json_line(answer) if arguments.json else hand_queries.legal_text(answer))
    return 0

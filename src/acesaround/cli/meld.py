"""`acesaround meld`: what a hand melds."""

from __future__ import annotations

import argparse

from acesaround.cli.asking import add_hand, answer_lines
from acesaround.cli.lines import json
from acesaround.cli.table import rules_of
from acesaround.errors import RulesError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What it takes."""
    add_hand(parser)
    parser.add_argument("cards", metavar="CARDS", nargs="*", help="such as AS TH 9D; - reads JSON")


def run(arguments: argparse.Namespace) -> int:
    """Do it; the exit status."""
    from acesaround import ask

    rules = rules_of(arguments)
    if arguments.cards == ["-"]:
        asked = {} if arguments.trump is None else {"trump": arguments.trump}
        return answer_lines(lambda query: ask.meld(rules, {**asked, **query}))
    if not arguments.cards:
        raise RulesError("Cards are needed, such as AS TH 9D; or - to read JSON lines.")
    answer = ask.meld(rules, ask.parse_query(arguments.trump, " ".join(arguments.cards)))
    print(json(answer) if arguments.json else ask.meld_text(answer))
    return 0

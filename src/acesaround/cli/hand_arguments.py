"""Shared code of the commands about a hand: arguments, and queries as lines of JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import IO, Any, Final

from acesaround.cli.output import json
from acesaround.cli.table_arguments import VARIANT, add_table, trump, variant
from acesaround.errors import NotationError

_LONGEST: Final = 1 << 20


def add_hand(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the table of a hand and for the output format."""
    parser.add_argument("--variant", type=variant, required=True, metavar="V", help=VARIANT)
    add_table(parser)
    parser.add_argument("--trump", type=trump, metavar="SUIT", help="S, H, D or C")
    parser.add_argument("--json", action="store_true", help="print JSON")


def answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """Answer each line of standard input. Return 1 if any query was invalid, else 0.

    Raises NotationError for a line that is longer than the limit.
    """
    from acesaround import queries
    from acesaround.record.files import standard_input

    status = 0
    for answered in queries.answer_lines(_questions(standard_input()), answer):
        print(json(answered), flush=True)  # a program may wait for this before it asks again
        status |= "error" in answered
    return status


def _questions(file: IO[bytes]) -> Iterator[bytes]:
    while line := file.readline(_LONGEST + 1):
        if len(line) > _LONGEST:
            raise NotationError(f"A line is too long for a question: over {_LONGEST >> 20} MiB.")
        yield line

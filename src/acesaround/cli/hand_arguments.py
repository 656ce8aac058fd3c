"""Shared code of the commands about a hand: arguments, and queries as lines of JSON."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import IO, Any, Final

from acesaround.cli.output import json_line
from acesaround.cli.table_arguments import (
    VARIANT_HELP,
    add_table_arguments,
    trump_name,
    variant_name,
)
from acesaround.errors import NotationError

_MAX_LINE_BYTES: Final = 1 << 20


def add_hand_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the table of a hand and for the output format."""
    parser.add_argument(
        "--variant", type=variant_name, required=True, metavar="V", help=VARIANT_HELP
    )
    add_table_arguments(parser)
    parser.add_argument("--trump", type=trump_name, metavar="SUIT", help="S, H, D or C")
    parser.add_argument("--json", action="store_true", help="print JSON")


def answer_lines(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> int:
    """Answer each line of standard input. Return 1 if any query was invalid, else 0.

    Raises NotationError for a line that is longer than the limit.
    """
    from acesaround import hand_queries
    from acesaround.record.files import standard_input

    status = 0
    for response in hand_queries.answer_lines(_query_lines(standard_input()), answer):
        print(json_line(response), flush=True)  # a program may wait for this before it asks again
        status |= "error" in response
    return status


def _query_lines(file: IO[bytes]) -> Iterator[bytes]:
    while line := file.readline(_MAX_LINE_BYTES + 1):
        if len(line) > _MAX_LINE_BYTES:
            raise NotationError(f"A line is too long: more than {_MAX_LINE_BYTES >> 20} MiB.")
        yield line

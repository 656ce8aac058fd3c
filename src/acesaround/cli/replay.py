"""`acesaround replay`: verifies recorded games."""

from __future__ import annotations

import argparse

from acesaround.cli.output import one_line
from acesaround.cli.stdio import ascii_json, print_error
from acesaround.cli.table_arguments import file_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("file", type=file_path, metavar="FILE", help="- reads standard input")
    output_format = parser.add_mutually_exclusive_group()
    output_format.add_argument(
        "--show", action="store_true", help="print each game in the text notation"
    )
    output_format.add_argument(
        "--json", action="store_true", help="print each game as a line of JSON"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround.reporting import console

    path = None if str(arguments.file) == "-" else arguments.file
    output_format = "text" if arguments.show else "json" if arguments.json else "summary"
    status = 0
    for is_valid, line in console.verify_file(path, output_format):
        if is_valid:
            print(ascii_json(line) if arguments.json else line)
        else:
            print_error(one_line(line))
        status |= not is_valid
    return status

"""`acesaround arena`: compares two bots, or rates several."""

from __future__ import annotations

import argparse

from acesaround.cli.argument_types import integer, positive_int, positive_seconds, process_count
from acesaround.cli.output import one_line
from acesaround.cli.stdio import ascii_json, print_error
from acesaround.cli.table_arguments import (
    BOT_HELP,
    VARIANT_HELP,
    add_table_arguments,
    bot_name,
    file_path,
    rules_of,
    variant_name,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("variant", type=variant_name, metavar="VARIANT", help=VARIANT_HELP)
    parser.add_argument("a", type=bot_name, metavar="A", help=f"a bot: {BOT_HELP}")
    parser.add_argument("b", type=bot_name, metavar="B", help="the bot to compare it with")
    parser.add_argument(
        "more",
        type=bot_name,
        nargs="*",
        metavar="C",
        help="more bots: each pair plays a match, and all get a rating",
    )
    add_table_arguments(parser)
    parser.add_argument(
        "--deals",
        type=positive_int,
        default=1000,
        metavar="N",
        help="smallest number of deals in each seating; games are played to their end (default "
        "1000)",
    )
    parser.add_argument(
        "--seed", type=integer, default=0, metavar="S", help="seed of the deals (default 0)"
    )
    parser.add_argument(
        "--time-limit",
        type=positive_seconds,
        metavar="S",
        help="most seconds for a decision (default: no limit, 10 for a program)",
    )
    board_kind = parser.add_mutually_exclusive_group()
    board_kind.add_argument(
        "--single-deals", action="store_true", help="play single deals instead of games"
    )
    board_kind.add_argument(
        "--play-only",
        type=bot_name,
        nargs="?",
        const="thumb",
        metavar="BOT",
        help="compare card play only: BOT makes all decisions before the first trick "
        "(default thumb)",
    )
    parser.add_argument(
        "--max-deals",
        type=positive_int,
        metavar="N",
        help="stop a game after N deals (default 1000)",
    )
    parser.add_argument(
        "--processes",
        type=process_count,
        metavar="N",
        help="parallel processes (default: one for each core)",
    )
    parser.add_argument(
        "--dask-scheduler", metavar="ADDRESS", help="play on a Dask cluster instead"
    )
    parser.add_argument(
        "--out",
        type=file_path,
        metavar="FILE",
        help="store the results in FILE, and continue from the results in it",
    )
    parser.add_argument(
        "--record", type=file_path, metavar="FILE", help="write the games to this file"
    )
    parser.add_argument(
        "--plot", type=file_path, metavar="FILE", help="also draw a plot: .png or .svg"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from acesaround.cli import arena_run

    status, answer = arena_run.run(rules_of(arguments), arguments, _print_progress)
    print(ascii_json(answer) if arguments.json else answer)
    return status


def _print_progress(sentence: str) -> None:
    print_error(one_line(f"acesaround: {sentence}"))

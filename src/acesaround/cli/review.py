"""`acesaround review`: prints what each decision of a player cost in a recorded game."""

from __future__ import annotations

import argparse
import contextlib

from acesaround.cli.argument_types import non_negative_int, positive_int, positive_seconds
from acesaround.cli.output import json_line
from acesaround.cli.table_arguments import file_path
from acesaround.optional_dependencies import require_extra


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "file",
        type=file_path,
        metavar="FILE",
        help="a recorded game: JSON, JSON lines or text; - reads standard input",
    )
    parser.add_argument(
        "--game", type=positive_int, default=1, metavar="N", help="default: the first"
    )
    parser.add_argument(
        "--seat",
        type=non_negative_int,
        default=0,
        metavar="N",
        help="the seat to review, from 0 (default 0)",
    )
    parser.add_argument(
        "--seconds",
        type=positive_seconds,
        default=0.4,
        metavar="S",
        help="the time of a search, of which each decision takes one to seven (default 0.4)",
    )
    parser.add_argument(
        "--mistakes",
        type=non_negative_int,
        default=10,
        metavar="N",
        help="how many mistakes to list, the most expensive first (default 10)",
    )
    parser.add_argument("--seed", type=non_negative_int, default=0, metavar="N", help="default 0")
    parser.add_argument("--json", action="store_true", help="print JSON with every decision")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    with require_extra("A review", "fast"):
        from acesaround import review
        from acesaround.bots.search import compile_kernels
        from acesaround.review import text_report
    from acesaround.record import read_game
    from acesaround.record.replay import rules_of
    from acesaround.reporting import console

    path = None if str(arguments.file) == "-" else arguments.file
    record = read_game(path, arguments.game)
    console.compile_kernels(*compile_kernels.STEPS)
    console.measure_hand_weights(rules_of(record), ["search"])
    with contextlib.ExitStack() as stack:
        update_progress = None

        def show_progress(done: int, total: int) -> None:
            nonlocal update_progress
            if update_progress is None:
                update_progress = stack.enter_context(
                    console.progress_bar("decisions and deals", total)
                )
            update_progress(done)

        found = review.review_game(
            record,
            arguments.seat,
            seconds=arguments.seconds,
            seed=arguments.seed,
            on_progress=show_progress,
        )
    if arguments.json:
        print(json_line(text_report.as_json(found)))
    else:
        print(text_report.report_text(found, arguments.mistakes))
    return 0

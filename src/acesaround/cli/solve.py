"""`acesaround solve`: prints the value of each card when all hands are known."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from acesaround.cli.argument_types import (
    non_negative_int,
    non_negative_ints,
    positive_int,
    positive_seconds,
)
from acesaround.cli.output import json_line
from acesaround.cli.table_arguments import (
    VARIANT_HELP,
    add_table_arguments,
    file_path,
    rules_of,
    trump_name,
    variant_name,
)
from acesaround.errors import RulesError
from acesaround.optional_dependencies import require_extra

if TYPE_CHECKING:
    from acesaround.solve import LocatedPosition


_MAX_TABLE_MEGABYTES = 1 << 22  # MB
_HAND_OPTIONS = {
    *("variant", "players", "preset", "option", "trump", "hand", "lead"),
    *("unbroken", "declarer", "bid", "meld", "won"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.usage = (
        "acesaround solve FILE [--game N] [--deal N] [--trick N] [--card N] [...]\n"
        "       acesaround solve --variant V --trump SUIT --hand CARDS --hand CARDS ... [...]"
    )
    record_group = parser.add_argument_group("position from a record (numbers start at 1)")
    record_group.add_argument(
        "file",
        type=file_path,
        metavar="FILE",
        nargs="?",
        help="JSON, JSON lines or text; - reads standard input",
    )
    record_group.add_argument("--game", type=positive_int, metavar="N", help="default: the first")
    record_group.add_argument(
        "--deal", type=positive_int, metavar="N", help="default: the last one that was played"
    )
    record_group.add_argument(
        "--trick",
        metavar="N",
        help="default: the first, or the first after the stock; without FILE, the cards played to "
        "the trick",
    )
    record_group.add_argument("--card", type=positive_int, metavar="N", help="default: 1, the lead")
    hands_group = parser.add_argument_group("or position from typed hands")
    hands_group.add_argument("--variant", type=variant_name, metavar="V", help=VARIANT_HELP)
    add_table_arguments(hands_group)
    hands_group.add_argument("--trump", type=trump_name, metavar="SUIT", help="S, H, D or C")
    hands_group.add_argument(
        "--hand",
        action="append",
        metavar="CARDS",
        help="the hand of a seat; repeat it for each seat, from 0",
    )
    hands_group.add_argument(
        "--lead",
        type=non_negative_int,
        metavar="SEAT",
        help="the seat that leads or has led (default 0)",
    )
    hands_group.add_argument("--unbroken", action="store_true", help="trump is not broken yet")
    hands_group.add_argument(
        "--declarer", type=non_negative_int, metavar="SEAT", help="the declarer's seat"
    )
    hands_group.add_argument("--bid", type=positive_int, metavar="N", help="the declarer's bid")
    hands_group.add_argument(
        "--meld", type=non_negative_ints, metavar="N,N,...", help="meld of each side (default 0)"
    )
    hands_group.add_argument(
        "--won",
        type=non_negative_ints,
        metavar="N,N,...",
        help="points won by each side (default 0)",
    )
    answer_group = parser.add_argument_group("the answer")
    answer_group.add_argument(
        "--for",
        dest="seats",
        metavar="WHOM",
        help="whose points to count: a seat, declarer or defenders; all others play against "
        "them (default: the side on turn)",
    )
    answer_group.add_argument(
        "--seconds",
        type=positive_seconds,
        metavar="S",
        help="stop after S seconds and print bounds",
    )
    answer_group.add_argument(
        "--nodes", type=positive_int, metavar="N", help="stop after N cards tried and print bounds"
    )
    answer_group.add_argument(
        "--memory",
        type=positive_int,
        default=256,
        metavar="MB",
        help="memory of the solver in MB (default 256)",
    )
    answer_group.add_argument(
        "--full-line", action="store_true", help="print the best play to the last card"
    )
    answer_group.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    with require_extra("Solving", "fast"):
        from acesaround import solve
        from acesaround.solve import progress, text_report
        from acesaround.solve.solution import scoring_seats
    from acesaround.rules.feature_support import Feature, require_support

    too_large = f"There is not enough memory for --memory {arguments.memory}."
    if arguments.memory > _MAX_TABLE_MEGABYTES:
        raise RulesError(too_large)
    position = _read_position(arguments)
    require_support(position.state.rules, Feature.SOLVER, "the solver")
    seats = scoring_seats(position.state, arguments.seats)
    progress.compile_kernels()
    budget = solve.SolveBudget(arguments.nodes, arguments.seconds)
    with progress.stop_on_interrupt(budget), progress.show_bounds(budget) as on_progress:
        try:
            solution = solve.solve(
                position,
                seats,
                budget,
                megabytes=arguments.memory,
                is_full_line=arguments.full_line,
                on_progress=on_progress,
            )
        except MemoryError:
            raise RulesError(too_large) from None
    if arguments.json:
        print(json_line(text_report.as_json(solution)))
    else:
        print(text_report.report_text(solution, is_full_line=arguments.full_line))
    return 0


def _read_position(arguments: argparse.Namespace) -> LocatedPosition:
    """Return the position to solve, from a record or from given hands."""
    from acesaround import solve
    from acesaround.cards import Suit

    given_options = {
        name for name, value in vars(arguments).items() if value not in (None, False, [])
    }
    if arguments.file is not None:
        if conflicting := sorted(given_options & _HAND_OPTIONS):
            raise RulesError(f"FILE already gives the position: leave out --{conflicting[0]}.")
        path = None if str(arguments.file) == "-" else arguments.file
        trick = arguments.trick
        if trick is not None and not (trick.isascii() and trick.isdigit() and int(trick[:9])):
            raise RulesError(
                f"--trick cannot be {trick!r}: with FILE it is the number of a trick, from 1."
            )
        return solve.position_from_record(
            path, arguments.game or 1, arguments.deal, trick and int(trick[:9]), arguments.card
        )
    if missing := [name for name in ("variant", "trump", "hand") if name not in given_options]:
        raise RulesError(f"Give a FILE, or the hands: --{missing[0]} is missing.")
    if conflicting := sorted(given_options & {"game", "deal", "card"}):
        raise RulesError(
            f"--{conflicting[0]} is for a position of a record: name its FILE, or leave it out."
        )
    return solve.position_from_hands(
        rules_of(arguments),
        Suit(arguments.trump),
        arguments.hand,
        arguments.lead or 0,
        trick=arguments.trick or "",
        is_trump_unbroken=arguments.unbroken,
        declarer=arguments.declarer,
        bid=arguments.bid,
        meld=arguments.meld,
        won=arguments.won,
    )

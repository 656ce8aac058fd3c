"""`acesaround solve`: prints the value of each card when all hands are known."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from acesaround.cli.argument_types import non_negative_int, numbers, positive, seconds
from acesaround.cli.output import json
from acesaround.cli.table_arguments import VARIANT, add_table, file, rules_of, trump, variant
from acesaround.errors import RulesError
from acesaround.extras import require_extra

if TYPE_CHECKING:
    from acesaround.solve import Place


_LARGEST_TABLE = 1 << 22  # MB
_OF_HANDS = {
    *("variant", "players", "preset", "option", "trump", "hand", "lead"),
    *("unbroken", "declarer", "bid", "meld", "won"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.usage = (
        "acesaround solve FILE [--game N] [--deal N] [--trick N] [--card N] [...]\n"
        "       acesaround solve --variant V --trump SUIT --hand CARDS --hand CARDS ... [...]"
    )
    place = parser.add_argument_group("a place in a record, counted from 1")
    place.add_argument(
        "file",
        type=file,
        metavar="FILE",
        nargs="?",
        help="JSON, JSON lines or text; - reads standard input",
    )
    place.add_argument("--game", type=positive, metavar="N", help="default: the first")
    place.add_argument("--deal", type=positive, metavar="N", help="default: the last with play")
    place.add_argument(
        "--trick",
        metavar="N",
        help="default: the first after any stock; without FILE, the cards played to it",
    )
    place.add_argument("--card", type=positive, metavar="N", help="default: 1, the lead")
    hands = parser.add_argument_group("or the hands themselves")
    hands.add_argument("--variant", type=variant, metavar="V", help=VARIANT)
    add_table(hands)
    hands.add_argument("--trump", type=trump, metavar="SUIT", help="S, H, D or C")
    hands.add_argument(
        "--hand", action="append", metavar="CARDS", help="what a seat holds; one for each, from 0"
    )
    hands.add_argument(
        "--lead", type=non_negative_int, metavar="SEAT", help="who leads, or has led (default 0)"
    )
    hands.add_argument("--unbroken", action="store_true", help="trump is not broken yet")
    hands.add_argument("--declarer", type=non_negative_int, metavar="SEAT", help="who has the bid")
    hands.add_argument("--bid", type=positive, metavar="N", help="what was bid")
    hands.add_argument(
        "--meld", type=numbers, metavar="N,N,...", help="meld of each side (default 0)"
    )
    hands.add_argument(
        "--won", type=numbers, metavar="N,N,...", help="points won by each side (default 0)"
    )
    answer = parser.add_argument_group("the answer")
    answer.add_argument(
        "--for",
        dest="seats",
        metavar="WHOM",
        help="whose points: a seat, declarer or defenders; all others play together "
        "against them (default: the side on turn)",
    )
    answer.add_argument("--seconds", type=seconds, metavar="S", help="give bounds after so long")
    answer.add_argument(
        "--nodes", type=positive, metavar="N", help="give bounds after so many cards tried"
    )
    answer.add_argument("--memory", type=positive, default=256, metavar="MB", help="default 256")
    answer.add_argument("--full-line", action="store_true", help="play on to the last card")
    answer.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    with require_extra("Solving", "fast"):
        from acesaround import solve
        from acesaround.solve import progress, text_report
        from acesaround.solve.solution import scoring_seats
    from acesaround.rules.support import Feature, require_support

    too_large = f"There is no memory for a table of {arguments.memory} MB."
    if arguments.memory > _LARGEST_TABLE:
        raise RulesError(too_large)
    place = _place(arguments)
    require_support(place.state.rules, Feature.SOLVER, "the solver")
    seats = scoring_seats(place.state, arguments.seats)
    progress.compile_kernels()
    effort = solve.SolveBudget(arguments.nodes, arguments.seconds)
    with progress.stopped_by_interrupt(effort), progress.bounds(effort) as told:
        try:
            solution = solve.solve(
                place,
                seats,
                effort,
                megabytes=arguments.memory,
                to_the_end=arguments.full_line,
                told=told,
            )
        except MemoryError:
            raise RulesError(too_large) from None
    if arguments.json:
        print(json(text_report.as_json(solution)))
    else:
        print(text_report.text(solution, line=arguments.full_line))
    return 0


def _place(arguments: argparse.Namespace) -> Place:
    """Return the position to solve, from a record or from given hands."""
    from acesaround import solve
    from acesaround.cards import Suit

    given = {name for name, value in vars(arguments).items() if value not in (None, False, [])}
    if arguments.file is not None:
        if both := sorted(given & _OF_HANDS):
            raise RulesError(f"With FILE the position is in the record: leave out --{both[0]}.")
        path = None if str(arguments.file) == "-" else arguments.file
        trick = arguments.trick
        if trick is not None and not (trick.isascii() and trick.isdigit() and int(trick[:9])):
            raise RulesError(f"--trick cannot be {trick!r}: with FILE tricks are counted from 1.")
        return solve.position_from_record(
            path, arguments.game or 1, arguments.deal, trick and int(trick[:9]), arguments.card
        )
    if missing := [name for name in ("variant", "trump", "hand") if name not in given]:
        raise RulesError(
            f"What is to be solved? Give a FILE, or the hands: --{missing[0]} is missing."
        )
    if both := sorted(given & {"game", "deal", "card"}):
        raise RulesError(f"--{both[0]} is of a record: name its FILE, or leave it out.")
    return solve.position_from_hands(
        rules_of(arguments),
        Suit(arguments.trump),
        arguments.hand,
        arguments.lead or 0,
        trick=arguments.trick or "",
        unbroken=arguments.unbroken,
        declarer=arguments.declarer,
        bid=arguments.bid,
        meld=arguments.meld,
        won=arguments.won,
    )
